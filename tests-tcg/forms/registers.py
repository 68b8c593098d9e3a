# SPDX-License-Identifier: GPL-2.0-or-later
"""The 72 system registers (and PEID): access class, ring, reset value,
storage.  The rows state the ISA's catalog, address by address."""
from program import Program

RW, RO, WO = 'RW', 'RO', 'WO'

# address, access, value after reset (None: not a constant)
BASE = [(0x0000, RW, 0), (0x0001, RW, 0), (0x0010, RO, None),
        (0x0020, RW, 0), (0x0021, RO, 0), (0x0022, RO, 0), (0x0023, RO, 1),
        (0x0024, RO, 0), (0x0025, RW, 0), (0x0026, RO, 0),
        (0x0027, RO, 262144), (0x0050, RO, 0), (0x0051, RO, 0),
        (0x0c00, RO, None)]
# low index of a register that every ring has, access, reset value
BANKED = [(0xf00, RW, 0), (0xf01, RW, 0), (0xf02, RW, 0), (0xf03, RW, 0),
          (0xf05, RW, 0), (0xf06, RW, 0), (0xf07, RW, 3), (0xf08, RO, 0),
          (0xf09, RO, 0), (0xf0a, WO, None), (0xf20, RO, None),
          (0xf21, RW, 0), (0xf30, RW, 0), (0xf31, RW, 0),
          *[(low, RW, 0) for low in range(0xf40, 0xf52)], (0xf80, RO, 0),
          *[(low, RW, 0) for low in range(0xf90, 0xf98)], (0xfa0, RW, 0),
          (0xfa1, RW, 0), *[(low, RW, 0) for low in range(0xfb0, 0xfb8)]]
FIXED = [(0x1f10 + i, RW, 0) for i in range(7)]
UNKNOWN = [0x0002, 0x0011, 0x0028, 0x0c01, 0x0f04, 0x0f0b, 0x0f10, 0x2f11,
           0x0f17, 0x0f22, 0x0f32, 0x0f52, 0x0f81, 0x0f98, 0x0fa2, 0x0fb8,
           0x0fff, 0x4000, 0xffff]

# Writing them changes the machine under the test's feet.
ACTIVE = {0x0020, 0x0f00, 0x0f01, 0x0f02, 0x0f07}
# A write keeps only some bits, or has an effect of its own.
SPECIAL = {0xf02, 0xf07, 0xf21, 0xf00}
PATTERN = 0x5a5a123456789abc

HANDLER = """
.align 4
skip:                           // step over the instruction, count in s7
    C.BSTART.SYS FALL
    ssrget EBARG_TPC, ->x0
    addi x0, 6, ->x0
    ssrset x0, EBARG_TPC
    addi s7, 1, ->s7
    acre 0
    C.BSTOP
"""


class Registers(Program):
    def __init__(self, name):
        super().__init__(name)
        self.put('la skip, ->x0', 'SETSR EVBASE, x0', 'c.movi 0, ->s7')
        self.traps = 0

    def get(self, address):
        """To a6, which keeps its old value if the access traps."""
        self.put('c.movi 7, ->a6', 'C.BSTART.SYS FALL',
                 f'hl.ssrget {address:#x}, ->a6', 'C.BSTOP')

    def set(self, address, register='a0'):
        self.put('C.BSTART.SYS FALL', f'hl.ssrset {register}, {address:#x}',
                 'C.BSTOP')

    def trapped(self):
        self.traps += 1
        self.check('s7', self.traps)

    def register(self, address, access, reset):
        if access == WO:
            self.get(address)
            self.trapped()
            self.check('a6', 7)
            return
        self.get(address)
        if reset is not None:
            self.check('a6', reset)
        self.load(a0=PATTERN)
        if access == RO:
            self.set(address)
            self.trapped()
        elif address not in ACTIVE and address & 0xfff not in SPECIAL:
            self.set(address)
            self.get(address)
            self.check('a6', PATTERN)
            self.set(address, 'zero')
        self.check('s7', self.traps)

    def text(self):
        return super().text() + '.text\n' + HANDLER


def base(p):
    # CORE_STATE first: a recovery leaves the saved bits of ECSTATE in it
    for address, access, reset in sorted(BASE + FIXED,
                                         key=lambda r: r[0] != 0x20):
        p.register(address, access, reset)
    for address in UNKNOWN:
        p.get(address)
        p.trapped()
        p.check('a6', 7)
        p.set(address)
        p.trapped()


def banks(p):
    for ring in (1, 7, 15):
        for low, access, reset in BANKED:
            p.register(ring << 12 | low, access, reset)


def own_bank(p):
    """Ring 0, whose context registers the handler itself changes."""
    for low, access, reset in BANKED:
        if not 0xf40 <= low <= 0xf51 and low not in (0xf00, 0xf01, 0xf02,
                                                     0xf03):
            p.register(low, access, reset)


class Lower(Program):
    """Go to ring 2 by CORE_STATE; what traps there goes to ring 1."""

    def __init__(self, name):
        super().__init__(name)
        self.put('la test_trapped, ->x0', 'C.BSTART.SYS FALL',
                 'hl.ssrset x0, EVBASE_ACR1', 'C.BSTOP', 'c.movi 2, ->x0',
                 'SETSR CORE_STATE, x0')


def lower(p):
    """Base registers are for every ring; one context register ends the test
    by its trap."""
    p.load(a0=PATTERN)
    p.put('SETSR THREAD_PTR, a0', 'GETSR a6, THREAD_PTR')
    p.check('a6', PATTERN)
    p.put('GETSR a6, CORE_STATE', 'andi a6, 15, ->a6')
    p.check('a6', 2)


def programs():
    for part in (base, banks, own_bank):
        p = Registers('registers-' + part.__name__)
        part(p)
        yield p
    for name, line in (('read', 'hl.ssrget 0x2f05, ->a6'),
                       ('write', 'hl.ssrset a0, 0x2f05'),
                       ('fixed', 'hl.ssrset a0, 0x1f10'),
                       ('swap', 'ssrswap a0, ETEMP, ->a6')):
        p = Lower('registers-ring2-' + name)
        lower(p)
        p.put('C.BSTART.SYS FALL', line, 'C.BSTOP', 'FAIL')
        yield p
