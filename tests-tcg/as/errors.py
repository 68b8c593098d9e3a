#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the assembler refuses, at which column, and with which words.

usage: errors.py PTO_AS

A row is source text (the line at fault last), the column of the caret from
1, and a part of the message.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

CASES = [
    ('frob a0, a1', 1, 'unknown instruction'),
    ('.frob 1', 1, 'unknown directive'),
    ('add a0, a1', 11, "expected ', ->'"),
    ('add a0, a1, a2', 13, "expected '->"),
    ('add a0, 5, ->a2', 9, 'expected a register'),
    ('add a0, a1, ->a2, a3', 17, 'nothing more'),
    ('add a0, t#5, ->a2', 11, 'numbered 1 to 4'),
    ('add a0, a1.not, ->a2', 11, 'modifier'),
    ('addi a0, 4096, ->a0', 10, 'out of range 0..4095'),
    ('addi a0, -1, ->a0', 10, 'out of range'),
    ('andi a0, 2048, ->a0', 10, 'out of range -2048..2047'),
    ('addi a0, a1, ->a0', 10, 'register a1 where a number'),
    ('addi a0, nowhere, ->a0', 10, 'undefined symbol nowhere'),
    ('ldi [a0, 12], ->a1', 10, 'multiple of 8'),
    ('ldi [a0, 16384], ->a1', 10, 'out of range -16384..16376'),
    ('ldi a0, ->a1', 5, "expected '['"),
    ('c.movi 16, ->a0', 8, 'out of range -16..15'),
    ('j 0x80000003', 3, 'not a multiple of 2'),
    ('J 0x180000000', 3, 'out of range'),
    ('fadd.fx a0, a1, ->a2', 1, 'unknown instruction'),
    ('casw.f [a0], a1, a2, ->a3', 1, 'unknown instruction'),
    ('ssrget NOSUCH, ->a0', 8, 'unknown system register'),
    ('BSTART.TLOAD FP31', 14, 'unknown name'),
    ('BSTART.VEC TNOSUCH, FP32', 12, 'unknown tile operation'),
    ('B.IOT T#17, mask=1111', 9, 'numbered 1 to 16'),
    ('B.IOT Q#1, mask=1111', 7, 'expected a tile'),
    ('B.IOT T#1, mask=0101', 17, 'not an encodable mask'),
    ('B.IOT T#1, mask=1111, ->U<16>', 27, 'out of range 0..15'),
    ('B.IOS S64, mask=1111', 7, 'S0 to S63'),
    ('B.IOR a0, a1, a2, a3', 19, 'at most three'),
    ('B.IOR t#1', 7, 'expected an absolute register'),
    ('B.DIM LB0, 131072', 12, 'out of range 0..131071'),
    ('B.CATR {fast}', 9, 'expected trap'),
    ('B.SUBVIEW 0, a0, 2048, 1', 18, 'out of range 0..2047'),
    ('li 1 << 40', 11, "expected ','"),
    ('a = a + 1\n.dword a', 5, 'before its value is known'),
    ('.equ a, b\n.equ b, a', 9, 'before its value is known'),
    ('.include "/"', 10, 'cannot read /'),
    ('.incbin "/dev/zero"', 9, 'cannot read'),
    ('.macro m x\n m \\x\\x\n.endm\n m yy', 2, 'longer than'),
    ('x: nop\nx: nop', 1, 'already defined'),
    ('a0: nop', 1, 'is a register'),
    ('j 1f', 3, 'no local label 1'),
    ('.data\nnop', 1, 'instruction in section .data'),
    ('.bss\n.word 1', 8, 'only zeros'),
    ('.byte 256', 7, 'does not fit 1 bytes'),
    ('.align 3', 8, 'power of two'),
    ('.space -1', 8, 'negative size'),
    ('.word 1/0', 8, 'division by zero'),
    ('.word 0x', 7, 'malformed number'),
    ('.word 99999999999999999999', 7, 'does not fit 64 bits'),
    ('.ascii "abc', 8, 'missing closing'),
    ('.word 1 ?', 9, 'unexpected character'),
    ('.if 1\nnop', 1, 'no .endif'),
    ('.endif', 1, 'no .if'),
    ('.macro m a\nnop', 1, 'no .endm'),
    ('.macro m a\nnop\n.endm\nm 1, 2', 6, 'has 1 parameters'),
    ('.macro m\nm\n.endm\nm', 1, 'nest deeper'),
    ('.include "no-such-file.s"', 10, 'cannot read'),
    ('.byte 1\nnop', 1, 'odd address'),
    ('.space later\nlater = 4', 8, 'has to be known'),
]


def check(assembler, folder, source, column, words):
    path = pathlib.Path(folder, 'case.s')
    path.write_text(source + '\n')
    run = subprocess.run([assembler, '-o', pathlib.Path(folder, 'a.elf'),
                          path], capture_output=True, text=True)
    m = re.search(r':(\d+):(\d+): error: (.*)\n(.*)\n( *)\^', run.stderr)
    if run.returncode != 1 or not m:
        return f'status {run.returncode}, {run.stderr!r}'
    if int(m[2]) != column or words not in m[3]:
        return f'column {m[2]}, {m[3]}'
    if len(m[5]) - 2 != column - 1:
        return f'caret at {len(m[5]) - 1}'
    return None


def main():
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for source, column, words in CASES:
            problem = check(sys.argv[1], folder, source, column, words)
            if problem:
                print(f'{source!r}: {problem}')
                bad += 1
    print(f'{len(CASES) - bad} passed, {bad} failed')
    return bad != 0


if __name__ == '__main__':
    sys.exit(main())
