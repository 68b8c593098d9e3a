# SPDX-License-Identifier: GPL-2.0-or-later
"""A guest program under construction: instructions and what they must give."""
import itertools

M64 = (1 << 64) - 1


def signed(value, bits=64):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def extend(value, bits):
    """Sign-extend the low @bits of @value into a 64-bit register."""
    return signed(value, bits) & M64


class Program:
    """Lines of assembly.  Inputs live in a0-a5, results in a6, a7 and s0."""

    def __init__(self, name):
        self.name = name
        self.models = ("pto", "pto-ref")
        self.lines = []
        self.serial = itertools.count()

    def put(self, *lines):
        self.lines += ['    ' + line for line in lines]

    def label(self, name):
        self.lines.append(name + ':')

    def load(self, **registers):
        """Registers and their values: a0=5."""
        for name, value in registers.items():
            self.put(f'li {signed(value)}, ->{name}')

    def check(self, register, value):
        self.put(f'CHECK {register}, {signed(value)}')

    def result(self, line, value, register='a6'):
        """@line writes @register, which then holds @value."""
        self.put(line)
        self.check(register, value)

    def pushed(self, line, value):
        """@line pushes @value on T."""
        self.put(line, 'mv t#1, ->a6')
        self.check('a6', value)

    def condition(self, line, holds):
        """@line sets the commit condition of a conditional block."""
        there = f'.Lthere{next(self.serial)}'
        self.put('addi s8, 1, ->s8')
        if holds:
            self.put(f'BSTART COND, {there}', line, 'C.BSTOP', 'FAIL')
            self.label(there)
        else:
            self.put('BSTART COND, test_failed', line, 'C.BSTOP')

    def text(self):
        head = ['.include "test.inc"', '.data', '.align 64',
                'area: .space 512', '.text', 'TEST_BEGIN']
        tail = ['TEST_END', '.align 64', 'near: .space 64']
        return '\n'.join(head + self.lines + tail) + '\n'
