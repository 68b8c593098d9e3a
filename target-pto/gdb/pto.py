# SPDX-License-Identifier: GPL-2.0-or-later
"""gdb on a PTO machine: load it with `source target-pto/gdb/pto.py`.

gdb knows the machine by registers alone (it takes it for a riscv64), so that
everything that decodes instructions would show another ISA.  With this script
`x/i`, `disassemble` and `display/i` ask the emulator for the text, and two
commands show what gdb has no notion of.
"""
import gdb
import gdb.disassembler


def monitor(command):
    """What the emulator's monitor answers to @command."""
    return gdb.execute('monitor ' + command, to_string=True)


def length_of(first, second):
    """Bytes of the instruction whose first two halfwords are given."""
    if first & 0xf == 0xe:
        return 6
    if first & 0x7f in (0x0f, 0x7f):
        return 8
    if first & 1 or (first & 0xf == 2 and second & 0xf83f == 0x5016):
        return 4
    return 2


class PtoDisassembler(gdb.disassembler.Disassembler):
    """The emulator's own disassembly, one instruction at a time."""

    def __init__(self):
        super().__init__('pto')

    @staticmethod
    def halfword(info, offset):
        try:
            return int.from_bytes(info.read_memory(2, offset), 'little')
        except gdb.MemoryError:
            return 0

    def __call__(self, info):
        length = length_of(int.from_bytes(info.read_memory(2), 'little'),
                           self.halfword(info, 2))
        line = monitor(f'x/1i {info.address:#x}').strip()
        _, found, text = line.partition(':')
        if not found:
            return None
        return gdb.disassembler.DisassemblerResult(length, text.strip())


class PtoTiles(gdb.Command):
    """Tile registers of every PE and the Shared ones: pto-tiles"""

    def __init__(self):
        super().__init__('pto-tiles', gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        print(monitor('info pto-tiles'), end='')


class PtoBlock(gdb.Command):
    """The PE's registers, T/U queues, open block and newest fault: pto-block"""

    def __init__(self):
        super().__init__('pto-block', gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        print(monitor('info registers'), end='')


gdb.disassembler.register_disassembler(PtoDisassembler())
PtoTiles()
PtoBlock()
