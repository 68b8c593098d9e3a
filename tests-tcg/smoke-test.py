#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Machines, monitor commands and image errors of qemu-system-pto."""
import argparse
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
RAM = 0x80000000
IDLE = bytes.fromhex('4008' '2b002000' 'd2ff' '0000')

SHOW_TILE = """
.include "crt0.s"
.include "tile.inc"
.data
.align 64
matrix:
    .float 1.0, -2.5, 3.25, 4.0
.text
main:
    la matrix, ->a0
    li 8, ->a1
    TILE_LOAD FP32, T, 1, 2, 2, a0, a1
wait:
    GOTO wait
"""


class Paths:
    """What the command line names."""
    qemu = assembler = None


def elf(segments, machine=233, kind=2, entry=RAM, note=b'', bits=2,
        endian=1):
    """An ELF file; segments: (address, bytes in memory, contents)."""
    phnum = len(segments) + bool(note)
    at = 64 + 56 * phnum
    headers, body = b'', b''
    for address, memsz, data in segments:
        headers += struct.pack('<IIQQQQQQ', 1, 7, at + len(body), address,
                               address, len(data), memsz, 4)
        body += data
    if note:
        headers += struct.pack('<IIQQQQQQ', 4, 4, at + len(body), 0, 0,
                               len(note), len(note), 4)
        body += note
    return (b'\x7fELF' + bytes([bits, endian, 1]) + bytes(9) +
            struct.pack('<HHIQQQIHHHHHH', kind, machine, 1, entry, 64, 0, 0,
                        64, 56, phnum, 64, 0, 0) + headers + body)


def identity_note(**changes):
    text = (HERE.parent / 'target-pto/identity.h').read_text()
    value = {k.lower(): v for k, v in
             re.findall(r'PTO_ISA_(\w+)\s*\\?\s*"([^"\\]+)"', text)}
    desc = {'encoding_abi': value['encoding_abi'],
            'encoding_projection_sha256': value['encoding_sha256'],
            'release': value['release'], **changes}
    data = json.dumps(desc, sort_keys=True, separators=(',', ':')).encode()
    return struct.pack('<III', 4, len(data), 1) + b'PTO\0' + data + \
        bytes(-len(data) % 4)


class Base(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def image(self, data):
        path = self.path('image')
        pathlib.Path(path).write_bytes(data)
        return path

    def qemu(self, *args, timeout=30):
        return subprocess.run(
            [Paths.qemu, '-display', 'none', *args], text=True,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout)

    def qmp(self, *args):
        process = subprocess.Popen(
            [Paths.qemu, '-display', 'none', '-nodefaults', '-qmp', 'stdio',
             *args], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(self.end, process)
        process.stdout.readline()
        self.command(process, 'qmp_capabilities')
        return process

    @staticmethod
    def end(process):
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()

    @staticmethod
    def command(process, name, **arguments):
        process.stdin.write(json.dumps({'execute': name,
                                        'arguments': arguments}) + '\n')
        process.stdin.flush()
        while True:
            answer = json.loads(process.stdout.readline())
            if 'event' not in answer:
                return answer


class Machines(Base):
    def test_help(self):
        text = self.qemu('-M', 'help').stdout
        self.assertIn('pto-virt', text)
        self.assertIn('pto-ref', text)
        text = self.qemu('-cpu', 'help').stdout
        self.assertIn('pto-ref', text)

    def test_query_target(self):
        answer = self.command(self.qmp('-S'), 'query-target')
        self.assertEqual(answer['return']['arch'], 'pto')

    def test_query_cpus(self):
        answer = self.command(self.qmp('-S', '-smp', 'cores=2,threads=4'),
                              'query-cpus-fast')
        self.assertEqual(len(answer['return']), 8)
        self.assertEqual(answer['return'][0]['target'], 'pto')

    def test_too_many_pes(self):
        run = self.qemu('-smp', 'cores=1,threads=5')
        self.assertNotEqual(run.returncode, 0)
        self.assertIn('threads=T', run.stderr)

    def test_ref_ram_limits(self):
        run = self.qemu('-M', 'pto-ref', '-m', '1M')
        self.assertEqual(run.returncode, 1)
        self.assertIn('-m 16k', run.stderr)

    def test_accelerators(self):
        for accel in ('tcg,thread=single', 'tcg,thread=multi'):
            process = self.qmp('-accel', accel, '-smp', 'threads=4')
            self.assertTrue(self.command(process, 'query-status')['return']
                            ['running'])


class Readme(Base):
    """The README's own example, and what it says about it."""

    def test_hello(self):
        text = (HERE.parent / 'README.md').read_text(encoding='utf-8')
        source = re.search(r'(?m)^    \.include "crt0\.s".*\n(?:    .*\n)*',
                           text)[0]
        self.assertNotIn('pto-as', source)
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / 'hello.s').write_text(source, encoding='utf-8')
            subprocess.run([Paths.assembler, '-I', HERE / 'lib', '-o',
                            folder / 'hello.elf', folder / 'hello.s'],
                           check=True)
            done = subprocess.run([Paths.qemu, '-nographic', '-kernel',
                                   folder / 'hello.elf'], timeout=30,
                                  stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, b'hello\n'))

    def test_tile_trace(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / 't.s').write_text(SHOW_TILE.replace(
                'wait:\n    GOTO wait', '    EXIT_OK'), encoding='utf-8')
            subprocess.run([Paths.assembler, '-I', HERE / 'lib', '-o',
                            folder / 't.elf', folder / 't.s'], check=True)
            done = subprocess.run([Paths.qemu, '-nographic', '-kernel',
                                   folder / 't.elf', '-trace',
                                   'pto_tile_block'], timeout=30,
                                  stdin=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, check=False)
        self.assertRegex(done.stderr, rb'PE 0: TLOAD FP32 done, block at 0x8000')

    def test_refused_block(self):
        """-d guest_errors names operation and rule of a rejected block."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            subprocess.run([Paths.assembler, '-I', HERE / 'lib', '-o',
                            folder / 't.elf', HERE / 'guest/trap-tile.s'],
                           check=True)
            done = subprocess.run([Paths.qemu, '-nographic', '-kernel',
                                   folder / 't.elf', '-d', 'guest_errors'],
                                  timeout=30, stdin=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, check=False)
        self.assertRegex(done.stderr, rb'PE 0: 0x0000000080[0-9a-f]+ in a TADD '
                         rb'block: VEC_SOURCES: .*\(PTO-[A-Z-]+-\d+\)')


class Reach(Base):
    """Tile operands where there is no memory: a trap, never an end."""

    SOURCE = """
.include "test.inc"
.include "tile.inc"
TEST_BEGIN
    la there, ->x0
    SETSR EVBASE, x0
    li {base}, ->a0
    li 32, ->a1
    {block}
    C.BSTART.STD FALL
    C.BSTOP
there:
    li 0x5555, ->x0
    li FINISHER, ->x1
    swi x0, [x1, 0]
1:  j 1b
TEST_END
"""
    BLOCKS = ['TILE_LOAD S32, U, 2, 8, 8, a0, a1',
              'la FINE, ->a2; TILE_LOAD S32, U, 2, 8, 8, a2, a1; '
              'TILE_STORE S32, U#1, 8, 8, a0, a1',
              'TILE_LOAD U8, U, 1, 3, 5, a0, a1',
              'BSTART.TPREFETCH S32; B.DIM zero, 4, ->LB0; '
              'B.DIM zero, 4, ->LB2; B.IOR a0, a1; C.BSTOP']

    def test_places(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for base in ('0', '1', '0x02000001', '0x02040000', '0x10000000',
                         '0x10100000', '0x10001000', '0x87ffffff',
                         '0x88000000', '-1', '-32', '-256'):
                for block in self.BLOCKS:
                    block = block.replace('FINE', 'test_failed')
                    (folder / 'r.s').write_text(self.SOURCE.format(
                        base=base, block=block), encoding='ascii')
                    subprocess.run([Paths.assembler, '-I', HERE / 'lib', '-o',
                                    folder / 'r.elf', folder / 'r.s'],
                                   check=True)
                    done = subprocess.run(
                        [Paths.qemu, '-nographic', '-kernel',
                         folder / 'r.elf'], timeout=60, check=False,
                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE)
                    self.assertEqual((done.returncode, done.stderr), (0, b''),
                                     (base, block))


class Images(Base):
    def refused(self, data, *words, args=()):
        run = self.qemu('-kernel', self.image(data), *args)
        self.assertEqual(run.returncode, 1, run.stderr)
        for word in words:
            self.assertIn(word, run.stderr)

    def accepted(self, data, *args):
        process = self.qmp('-kernel', self.image(data), *args)
        self.assertIn('return', self.command(process, 'query-status'))

    good = staticmethod(lambda **k: elf([(RAM, 64, IDLE)],
                                        **{'note': identity_note(), **k}))

    def test_good(self):
        self.accepted(self.good())

    def test_wrong_machine(self):
        self.refused(self.good(machine=62), 'machine 62', '233')

    def test_32_bit(self):
        self.refused(self.good(bits=1), '64-bit')

    def test_big_endian(self):
        self.refused(self.good(endian=2), 'little-endian')

    def test_relocatable(self):
        self.refused(self.good(kind=1), 'not an executable')

    def test_truncated(self):
        data = self.good()
        for size in (5, 63, 100, len(data) - len(identity_note()) - 4):
            self.refused(data[:size], 'truncated')

    def test_outside_ram(self):
        self.refused(elf([(0x1000, 64, IDLE)], entry=0x1000), 'outside RAM')
        self.refused(elf([(2 ** 64 - 32, 64, IDLE)]), 'outside RAM')

    def test_overlap(self):
        self.refused(elf([(RAM, 64, IDLE), (RAM + 8, 64, IDLE)]), 'overlap')

    def test_entry(self):
        self.refused(self.good(entry=RAM + 4096), 'entry point')
        self.refused(self.good(entry=RAM + 1), 'odd')

    def test_file_larger_than_memory(self):
        self.refused(elf([(RAM, 4, IDLE)]), 'more bytes in the file')

    def test_identity_missing(self):
        data = self.good(note=b'')
        self.accepted(data)
        self.refused(data, 'no .note.pto.isa',
                     args=('-M', 'pto-virt,identity=require'))
        self.accepted(data, '-M', 'pto-virt,identity=ignore')

    def test_identity_different(self):
        for key in ('release', 'encoding_abi', 'encoding_projection_sha256'):
            data = self.good(note=identity_note(**{key: 'other'}))
            self.refused(data, key, 'other')
            self.accepted(data, '-M', 'pto-virt,identity=ignore')

    def test_identity_word(self):
        self.refused(self.good(), 'require, warn or ignore',
                     args=('-M', 'pto-virt,identity=perhaps'))

    def test_raw(self):
        self.accepted(IDLE)
        self.accepted(IDLE, '-M', f'pto-virt,load={RAM + 0x1000}')
        self.refused(IDLE, 'outside RAM', args=('-M', 'pto-virt,load=64'))
        self.refused(IDLE, 'odd', args=('-M', f'pto-virt,load={RAM + 1}'))

    def test_raw_too_large(self):
        self.refused(bytes(3 << 20), 'do not fit', args=('-m', '2M'))

    def test_missing_file(self):
        run = self.qemu('-kernel', self.path('nothing'))
        self.assertEqual(run.returncode, 1)
        self.assertIn('nothing', run.stderr)


class Tiles(Base):
    def start(self):
        source, image = self.path('tile.s'), self.path('tile.elf')
        pathlib.Path(source).write_text(SHOW_TILE)
        subprocess.run([Paths.assembler, '-I', HERE / 'lib', '-o', image,
                        source], check=True)
        process = self.qmp('-kernel', image)
        for _ in range(100):
            tiles = self.command(process, 'query-pto-tiles')['return']
            if tiles:
                return process, tiles
            time.sleep(0.1)
        self.fail('the program loads no tile')

    def test_query(self):
        _, tiles = self.start()
        self.assertEqual(len(tiles), 1)
        tile = tiles[0]
        self.assertEqual((tile['name'], tile['pe'], tile['type']),
                         ('T#1', 0, 'FP32'))
        self.assertEqual((tile['valid-rows'], tile['valid-columns']), (2, 2))
        self.assertTrue(tile['defined'])

    def test_dump(self):
        process, _ = self.start()
        for kind in ('text', 'raw', 'npy', 'png'):
            answer = self.command(process, 'pto-tile-dump', tile='T#1',
                                  filename=self.path(kind), format=kind)
            self.assertEqual(answer, {'return': {}})
        text = pathlib.Path(self.path('text')).read_text()
        self.assertEqual(text, '1 -2.5\n3.25 4\n')
        npy = pathlib.Path(self.path('npy')).read_bytes()
        self.assertTrue(npy.startswith(b'\x93NUMPY'))
        self.assertIn(b"'shape': (2, 2)", npy)
        self.assertEqual(npy[-16:], struct.pack('<4f', 1, -2.5, 3.25, 4))
        self.assertEqual(os.path.getsize(self.path('raw')), 128)
        png = pathlib.Path(self.path('png')).read_bytes()
        self.assertTrue(png.startswith(b'\x89PNG'))

    def test_dump_errors(self):
        process, _ = self.start()
        for arguments, word in (({'tile': 'Q#1'}, 'no tile'),
                                ({'tile': 'T#17'}, 'no tile'),
                                ({'tile': 'U#2'}, 'not allocated'),
                                ({'tile': 'T#1', 'pe': 7}, 'no PE')):
            answer = self.command(process, 'pto-tile-dump',
                                  filename=self.path('x'), **arguments)
            self.assertIn(word, answer['error']['desc'])

    def test_monitor(self):
        process, _ = self.start()
        text = self.command(process, 'human-monitor-command', **{
            'command-line': 'info pto-tiles'})['return']
        self.assertIn('T#1', text)
        self.assertIn('128 of 262144 bytes', text)
        text = self.command(process, 'human-monitor-command', **{
            'command-line': f'pto-tile-dump T#1 {self.path("h")} npy'})
        self.assertTrue(os.path.exists(self.path('h')), text)

    def monitor(self, process, line):
        return self.command(process, 'human-monitor-command', **{
            'command-line': line})['return']

    def test_dump_unwritable(self):
        process, _ = self.start()
        for name in (self.folder.name, self.path('none/x'), '',
                     self.path('n' * 4000)):
            for kind in ('text', 'raw', 'npy', 'png'):
                answer = self.command(process, 'pto-tile-dump', tile='T#1',
                                      filename=name, format=kind)
                self.assertIn('error', answer, (name[:40], kind))

    def test_dump_keeps_node(self):
        """A dump writes through a link instead of replacing it."""
        process, _ = self.start()
        link, target = self.path('link'), self.path('target')
        os.symlink(target, link)
        for kind in ('text', 'raw', 'npy', 'png'):
            pathlib.Path(target).write_bytes(b'')
            answer = self.command(process, 'pto-tile-dump', tile='T#1',
                                  filename=link, format=kind)
            self.assertEqual(answer, {'return': {}}, kind)
            self.assertTrue(os.path.islink(link), kind)
            self.assertGreater(os.path.getsize(target), 0, kind)

    def test_dump_names(self):
        process, _ = self.start()
        for name in ('', 'T', 'T#', 'T#0', 'T#-1', 'T#1x', 'T#+1', 'T# 1',
                     'S64', 'S-1', 'T#4294967297', 'S18446744073709551616',
                     'T#' + '9' * 100000, 'x' * 100000):
            answer = self.command(process, 'pto-tile-dump', tile=name,
                                  filename=self.path('x'))
            self.assertIn('error', answer, name[:40])
            self.assertFalse(os.path.exists(self.path('x')), name[:40])
        text = self.monitor(process, f'pto-tile-dump Q#1 {self.path("x")}')
        self.assertIn('no tile', text)

    def test_examine_windows(self):
        """xp reads each device window at every size and odd offsets."""
        process, _ = self.start()
        for base, size in ((0, 0x100), (0x1000, 0xf000), (0x100000, 0x1000),
                           (0x101000, 0x1000), (0x2000000, 0x100000),
                           (0x10000000, 0x100), (0x10001000, 0x1000),
                           (0x10100000, 0x18), (2**64 - 16, 16)):
            for unit in 'bhwg':
                for at in (0, 1, 3, 7, size // 2 + 1, size - 1):
                    self.monitor(process, f'xp /3x{unit} {base + at:#x}')
        self.assertEqual(self.command(process, 'query-status')
                         ['return']['status'], 'running')
        self.assertEqual(len(self.command(process, 'query-pto-tiles')
                             ['return']), 1)

    def test_reset(self):
        """After each reset the program runs again, from no tiles at all."""
        process, before = self.start()
        for _ in range(5):
            self.command(process, 'stop')
            self.command(process, 'system_reset')
            self.assertEqual(
                self.command(process, 'query-pto-tiles')['return'], [])
            self.command(process, 'cont')
            for _ in range(100):
                tiles = self.command(process, 'query-pto-tiles')['return']
                if tiles:
                    break
                time.sleep(0.1)
            self.assertEqual(tiles, before)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--qemu', required=True)
    parser.add_argument('--as', required=True, dest='assembler')
    options, rest = parser.parse_known_args()
    Paths.qemu, Paths.assembler = options.qemu, options.assembler
    program = unittest.main(argv=sys.argv[:1] + rest, exit=False)
    result = program.result
    bad = len(result.failures) + len(result.errors)
    print(f'{result.testsRun - bad} passed, {bad} failed')
    return bad != 0


if __name__ == '__main__':
    sys.exit(main())
