# SPDX-License-Identifier: GPL-2.0-or-later
"""Loads, stores and atomics with the results that a byte array gives."""
import itertools

from program import M64, Program, extend, signed

BYTES = {'b': 1, 'h': 2, 'w': 4, 'd': 8}
FILL = bytes((i * 37 + 0x81) & 255 for i in range(256))


def loaded(memory, at, size, unsigned):
    value = int.from_bytes(memory[at:at + size], 'little')
    return value if unsigned else extend(value, size * 8)


class Memory(Program):
    """s1 holds the address of the area, s2 of the middle of it."""

    def __init__(self, name):
        super().__init__(name)
        self.put('la area, ->s1', 'addi s1, 128, ->s2')
        self.memory = bytearray(256)
        for at in range(0, 256, 8):
            self.put(f'li {signed(int.from_bytes(FILL[at:at + 8], "little"))},'
                     f' ->x0', f'sdi x0, [s1, {at}]')
        self.memory[:] = FILL

    def stored(self, at, size, value):
        self.memory[at:at + size] = (value & ((1 << size * 8) - 1)).to_bytes(
            size, 'little')
        base = at & ~7
        self.put(f'ldi [s1, {base}], ->a6')
        self.check('a6', int.from_bytes(self.memory[base:base + 8], 'little'))

    def pair_stored(self, at, size, first, second):
        mask = (1 << size * 8) - 1
        self.memory[at:at + size] = (first & mask).to_bytes(size, 'little')
        self.stored(at + size, size, second)
        self.put(f'ldi [s1, {at & ~7}], ->a6')
        self.check('a6', int.from_bytes(self.memory[at & ~7:(at & ~7) + 8],
                                        'little'))

    def base(self, register, at):
        """Check a register that holds area + @at."""
        self.put(f'addi s1, {at}, ->x2', f'CHECK_REG {register}, x2')


def letters():
    for letter, size in BYTES.items():
        for unsigned in (False, True):
            if letter == 'd' and unsigned:
                continue
            yield letter + ('u' if unsigned else ''), size, unsigned


def indexes(p, size):
    """Index operands: text, byte offset."""
    for modifier, shift in (('', 0), ('.sw', 3), ('.uw', 4)):
        n = 8 if modifier == '.uw' else -8 if shift == 0 else -2
        yield n, f'a1{modifier}' + (f'<<{shift}' if shift else ''), n << shift


def register_loads(p):
    for name, size, unsigned in letters():
        for n, operand, offset in indexes(p, size):
            p.load(a1=n)
            at = 128 + offset
            value = loaded(p.memory, at, size, unsigned)
            second = loaded(p.memory, at + size, size, unsigned)
            p.result(f'l{name} [s2, {operand}], ->a6', value)
            p.result(f'hl.l{name}p [s2, {operand}], ->a6, a7', value)
            p.check('a7', second)
            p.result(f'hl.l{name}.pr [s2, {operand}], ->a6, a7', value)
            p.base('a7', at)
            p.result(f'hl.l{name}.po [s2, {operand}], ->a6, a7',
                     loaded(p.memory, 128, size, unsigned))
            p.base('a7', at)


def immediate_loads(p):
    for name, size, unsigned in letters():
        for offset in (-16, 0, 24):
            at = 128 + offset
            value = loaded(p.memory, at, size, unsigned)
            second = loaded(p.memory, at + size, size, unsigned)
            here = loaded(p.memory, 128, size, unsigned)
            for u in ('', 'u') if size > 1 else ('',):
                dot = '.u' if u else ''
                p.result(f'l{name}i{dot} [s2, {offset}], ->a6', value)
                p.result(f'hl.l{name}i{dot} [s2, {offset}], ->a6', value)
                p.result(f'hl.l{name}ip{dot} [s2, {offset}], ->a6, a7', value)
                p.check('a7', second)
                p.result(f'hl.l{name}i.{u}pr [s2, {offset}], ->a6, a7', value)
                p.base('a7', at)
                p.result(f'hl.l{name}i.{u}po [s2, {offset}], ->a6, a7', here)
                p.base('a7', at)
    p.put('addi s1, 64, ->a2')
    p.pushed('c.ldi [a2, 8], ->t', loaded(p.memory, 72, 8, False))
    p.pushed('c.lwi [a2, 12], ->t', loaded(p.memory, 76, 4, False))


def near_loads(p):
    p.put('la near, ->a2')
    p.load(a3=0x8182838485868788)
    p.put('sdi a3, [a2, 8]')
    for name, size, unsigned in letters():
        value = loaded((0x8182838485868788).to_bytes(8, 'little'), 0, size,
                       unsigned)
        for prefix in ('', 'hl.'):
            p.result(f'{prefix}l{name}.pcr [near + 8], ->a6', value)
    for i, (letter, size) in enumerate(BYTES.items()):
        for prefix in ('', 'hl.'):
            p.load(a3=0x7172737475767778 + i)
            p.put('sdi zero, [a2, 16]',
                  f'{prefix}s{letter}.pcr a3, [near + 16]')
            p.result('ldi [a2, 16], ->a6',
                     0x7172737475767778 + i & ((1 << 8 * size) - 1))


def stores(p):
    serial = itertools.count(1)

    def number():
        return next(serial) * 0x0102030405060709 & M64

    for letter, size in BYTES.items():
        shift = size.bit_length() - 1
        # scaled and, where they differ, unscaled index
        for u, by in (('', shift), ('u', 0)) if shift else (('', 0),):
            dot = '.u' if u else ''
            for modifier, n in (('', 2 * size), ('.sw', -16), ('.uw', 16)):
                n = n >> by if modifier else n
                operand = f'a1{modifier}' + (f'<<{by}' if by else '')
                at = 128 + (n << by)
                v, w = number(), number()
                p.load(a0=v, a2=w, a1=n)
                p.put(f's{letter}{dot} a0, [s2, {operand}]')
                p.stored(at, size, v)
                p.put(f'hl.s{letter}p{dot} a2, a0, [s2, {operand}]')
                p.pair_stored(at, size, w, v)
                p.put(f'hl.s{letter}.{u}pr a0, [s2, {operand}], ->a7')
                p.stored(at, size, v)
                p.base('a7', at)
                p.put(f'hl.s{letter}.{u}po a2, [s2, {operand}], ->a7')
                p.stored(128, size, w)
                p.base('a7', at)
            for offset in (-16, 0, 32):
                at = 128 + offset
                v, w = number(), number()
                p.load(a0=v, a2=w)
                p.put(f's{letter}i{dot} a0, [s2, {offset}]')
                p.stored(at, size, v)
                p.put(f'hl.s{letter}i{dot} a2, [s2, {offset}]')
                p.stored(at, size, w)
                p.put(f'hl.s{letter}ip{dot} a0, a2, [s2, {offset}]')
                p.pair_stored(at, size, v, w)
                p.put(f'hl.s{letter}i.{u}pr a2, [s2, {offset}], ->a7')
                p.stored(at, size, w)
                p.base('a7', at)
                p.put(f'hl.s{letter}i.{u}po a0, [s2, {offset}], ->a7')
                p.stored(128, size, v)
                p.base('a7', at)
    v = number()
    p.load(a0=v)
    p.put('c.movr a0, ->t', 'addi s1, 64, ->a3', 'c.sdi t#1, [a3, 8]')
    p.stored(72, 8, v)
    p.put('c.movr a0, ->t', 'c.swi t#1, [a3, 16]')
    p.stored(80, 4, v)


def prefetches(p):
    """Nothing but the address that some of them give back."""
    p.load(a1=8)
    p.put('prf [s2, a1<<1]', 'prfi.u [s2, 24]', 'hl.prf.l1 [s2, a1]',
          'hl.prfi.u.l1 [s2, 40]')
    p.put('hl.prf.a.l1 [s2, a1<<2], ->a7')
    p.base('a7', 160)
    p.put('hl.prfi.ua.l1 [s2, 40], ->a7')
    p.base('a7', 168)


def old_value(value, bits):
    """Bytes and halfwords are zero-extended, words sign-extended."""
    return extend(value, bits) if bits >= 32 else value & ((1 << bits) - 1)


def combine(name, old, new, bits):
    so, sn = signed(old, bits), signed(new, bits)
    mask = (1 << bits) - 1
    old, new = old & mask, new & mask
    return {'add': old + new, 'and': old & new, 'or': old | new,
            'xor': old ^ new, 'smax': old if so >= sn else new,
            'smin': old if so <= sn else new, 'umax': max(old, new),
            'umin': min(old, new)}[name] & mask


def atomics(p):
    p.put('addi s1, 64, ->a2')
    for letter, bits in (('w', 32), ('d', 64)):
        for old, new in ((5, -3), (0x80000000, 0x7fffffff),
                         (0x123456789abcdef0, 0xf0f0)):
            for name in ('add', 'and', 'or', 'xor', 'smax', 'smin', 'umax',
                         'umin'):
                for load, order in ((True, ''), (True, '.aqrl'),
                                    (False, '.rl')):
                    p.load(a0=old, a1=new)
                    p.put('sdi a0, [a2, 0]')
                    if load:
                        p.result(f'l{letter}.{name}{order} [a2], a1, ->a6',
                                 old_value(old, bits))
                    else:
                        p.put(f's{letter}.{name}{order} [a2], a1')
                    low = combine(name, old, new, bits)
                    rest = (old & M64) >> bits << bits
                    p.result('ldi [a2, 0], ->a6', rest | low)


def exchanges(p):
    p.put('addi s1, 64, ->a2')
    old = 0x89abcdef81828384
    for letter, size in BYTES.items():
        bits = size * 8
        mask = (1 << bits) - 1
        new = 0x7172737475767778
        rest = old >> bits << bits
        for line, gives, memory in (
                (f'swap{letter} [a2], a1, ->a6', old, new),
                (f'swap{letter}.aqrl [a2], a1, ->a6', old, new),
                (f'cas{letter} [a2], a0, a1, ->a6', old, new),
                (f'cas{letter} [a2], a1, a0, ->a6', old, old),
                (f'hl.cas{letter}.aqrl [a2], a0, a1, ->a6', old, new),
                (f'hl.cas{letter} [a2], a1, a0, ->a6', old, old)):
            p.load(a0=old, a1=new)
            p.put('sdi a0, [a2, 0]')
            p.result(line, old_value(gives, bits))
            p.result('ldi [a2, 0], ->a6', rest | memory & mask)
        p.put('sdi a0, [a2, 0]')
        p.result(f'lr.{letter} [a2], ->a6', old_value(old, bits))
        p.result(f'sc.{letter} a1, [a2], ->a6', 0)
        p.result('ldi [a2, 0], ->a6', rest | new & mask)
        p.result(f'sc.{letter} a0, [a2], ->a6', 1)
        p.result('ldi [a2, 0], ->a6', rest | new & mask)


def programs():
    for part in (register_loads, immediate_loads, near_loads, stores,
                 prefetches, atomics, exchanges):
        p = Memory(part.__name__)
        part(p)
        yield p
