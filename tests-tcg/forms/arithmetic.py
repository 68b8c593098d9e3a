# SPDX-License-Identifier: GPL-2.0-or-later
"""ALU and compare forms with the results that arithmetic gives."""
from program import M64, Program, extend, signed

PAIRS = [(5, 3), (-7, 2), (0x123456789abcdef0, -0x10), (1 << 63, -1),
         (0x7fffffff, 0x80000001), (-1, 0), (0xffffffff00000000, 0x1ffffffff)]

LOGIC = {'and': lambda a, b: a & b, 'or': lambda a, b: a | b,
         'xor': lambda a, b: a ^ b}
SUMS = {'add': lambda a, b: a + b, 'sub': lambda a, b: a - b}


def right(value, modifier, shift=0):
    value = {'': value, '.sw': extend(value, 32),
             '.uw': value & 0xffffffff, '.neg': -value,
             '.not': ~value}[modifier]
    return value << shift & M64


def divide(a, b):
    """Quotient toward zero and remainder; by zero: 0 and the dividend."""
    if b == 0:
        return 0, a
    q = abs(a) // abs(b)
    q = -q if (a < 0) != (b < 0) else q
    return q, a - q * b


def two_operands(p):
    for a, b in PAIRS:
        p.load(a0=a, a1=b)
        a, b = a & M64, b & M64
        for name, fn in {**SUMS, **LOGIC}.items():
            for modifier in ('', '.sw', '.uw',
                             '.neg' if name in SUMS else '.not'):
                for shift in (0, 5, 31):
                    operand = f'a1{modifier}' + (f'<<{shift}' if shift else '')
                    value = fn(a, right(b, modifier, shift))
                    p.result(f'{name} a0, {operand}, ->a6', value)
                    p.result(f'{name}w a0, {operand}, ->a6',
                             extend(value, 32))


def immediates(p):
    for a in (5, -7, 0x123456789abcdef0, 0x7fffffff):
        p.load(a0=a)
        for name, fn in {**SUMS, **LOGIC}.items():
            small = (0, 1, 2047) if name in SUMS else (0, 1, -1, -2048, 2047)
            large = (70000, 0xffffff) if name in SUMS else \
                (70000, -8388608, 8388607)
            for prefix, numbers in (('', small), ('hl.', small + large)):
                for n in numbers:
                    value = fn(a & M64, n & M64)
                    p.result(f'{prefix}{name}i a0, {n}, ->a6', value)
                    p.result(f'{prefix}{name}iw a0, {n}, ->a6',
                             extend(value, 32))


def shifts(p):
    for a in (0x123456789abcdef0, -5, 1 << 63, 0x80000000):
        u = a & M64
        for n in (0, 1, 31, 32, 63, 64, 97):
            p.load(a0=a, a1=n)
            k, w = n & 63, n & 31
            rows = {'sll': u << k, 'srl': u >> k, 'sra': signed(u) >> k,
                    'sllw': extend(u << w, 32),
                    'srlw': extend((u & 0xffffffff) >> w, 32),
                    'sraw': signed(u, 32) >> w}
            for name, value in rows.items():
                p.result(f'{name} a0, a1, ->a6', value)
                limit = 32 if name.endswith('w') else 64
                if n < limit:
                    p.result(f'{name[:3]}i{name[3:]} a0, {n}, ->a6', value)


def products(p):
    for a, b in PAIRS:
        p.load(a0=a, a1=b, a2=-11)
        sa, sb, ua, ub = signed(a), signed(b), a & M64, b & M64
        wa, wb = signed(a, 32), signed(b, 32)
        p.result('mul a0, a1, ->a6', sa * sb)
        p.result('mulu a0, a1, ->a6', ua * ub)
        p.result('mulw a0, a1, ->a6', extend(wa * wb, 32))
        p.result('muluw a0, a1, ->a6', extend(wa * wb, 32))
        p.result('madd a0, a1, a2, ->a6', sa * sb - 11)
        p.result('maddw a0, a1, a2, ->a6', extend(wa * wb - 11, 32))
        for name, full in (('mul', sa * sb), ('mulu', ua * ub)):
            p.result(f'hl.{name} a0, a1, ->a6, a7', full)
            p.check('a7', full >> 64)
        full = sa * sb - 11
        p.result('hl.madd a0, a1, a2, ->a6, a7', full)
        p.check('a7', full >> 64)
        full = wa * wb - 11
        p.result('hl.maddw a0, a1, a2, ->a6, a7', extend(full, 32))
        p.check('a7', extend(full >> 32, 32))
        p.result('hl.miadd a0, a1, 100, ->a6', sa + sb * 100)
        p.result('hl.misub a0, a1, 100, ->a6', sa - sb * 100)


def quotients(p):
    for a, b in PAIRS:
        p.load(a0=a, a1=b)
        for suffix, x, y, bits in (
                ('', signed(a), signed(b), 64), ('u', a & M64, b & M64, 64),
                ('w', signed(a, 32), signed(b, 32), 32),
                ('uw', a & 0xffffffff, b & 0xffffffff, 32)):
            q, r = (extend(v, bits) for v in divide(x, y))
            p.result(f'div{suffix} a0, a1, ->a6', q)
            p.result(f'rem{suffix} a0, a1, ->a6', r)
            p.result(f'hl.div{suffix} a0, a1, ->a6, a7', q)
            p.check('a7', r)
            p.result(f'hl.rem{suffix} a0, a1, ->a6, a7', r)
            p.check('a7', q)


def rotate(value, n):
    return (value >> n | value << (64 - n)) & M64 if n else value


def fields(p):
    for a in (0x123456789abcdef0, -1, 0x00ff00ff):
        p.load(a0=a, a1=0x5a5a)
        u = a & M64
        for pos, width in ((0, 8), (4, 16), (0, 64), (60, 8), (8, 32)):
            field = rotate(u, pos) & ((1 << width) - 1)
            mask = rotate((1 << width) - 1, 64 - pos if pos else 0)
            bits = f'{field:0{width}b}'
            rows = {
                'bxu': field, 'bxs': extend(field, width),
                'bcnt': bits.count('1'),
                'clz': len(bits) - len(bits.lstrip('0')),
                'ctz': len(bits) - len(bits.rstrip('0')),
                'bic': u & ~mask, 'bis': u | mask,
                'rev': int.from_bytes(field.to_bytes(width // 8, 'little'),
                                      'big')}
            for name, value in rows.items():
                p.result(f'{name} a0, {pos}, {width}, ->a6', value)
            last = (pos + width - 1) & 63
            p.result(f'hl.bfi a0, a1, {pos}, {last}, ->a6',
                     u & ~mask | rotate(0x5a5a, 64 - pos if pos else 0) & mask)
        for n in (0, 5, 32, 63):
            value = (u << 64 | 0x5a5a) >> n
            p.result(f'hl.ccat a0, a1, {n}, ->a6, a7', value)
            p.check('a7', value >> 64)
            value = ((u & 0xffffffff) << 32 | 0x5a5a) >> n
            p.result(f'hl.ccatw a0, a1, {n}, ->a6, a7', extend(value, 32))
            p.check('a7', extend(value >> 32, 32))


def choices(p):
    for a, b in PAIRS:
        p.load(a0=a, a1=b)
        ua, ub = a & M64, b & M64
        rows = {'max': max(signed(a), signed(b)), 'maxu': max(ua, ub),
                'min': min(signed(a), signed(b)), 'minu': min(ua, ub),
                'csel a0,': a if ua else a, }
        rows.pop('csel a0,')
        for name, value in rows.items():
            p.result(f'{name} a0, a1, ->a6', value)
        p.result('csel a1, a0, a1.neg, ->a6', a if ub else -b)


def constants(p):
    p.result('lui -5, ->a6', -5 << 12)
    p.result('hl.lui 0x12345678, ->a6', 0x12345678 << 32)
    p.result('hl.lis -7, ->a6', -7)
    p.result('hl.liu 0xfedcba98, ->a6', 0xfedcba98)
    p.result('c.movi -16, ->a6', -16)
    p.load(a0=-77)
    p.result('c.movr a0, ->a6', -77)
    p.label('.Lhere')
    p.put('addtpc 1, ->a6', 'hl.addtpc 1, ->a7',
          'la .Lhere + 4096, ->a1', 'CHECK_REG a6, a1',
          'addi a1, 4, ->a1', 'CHECK_REG a7, a1')


def short(p):
    for a, b in PAIRS:
        p.load(a0=a, a1=b)
        ua, ub = a & M64, b & M64
        for name, fn in {**SUMS, 'and': LOGIC['and'],
                         'or': LOGIC['or']}.items():
            p.pushed(f'c.{name} a0, a1, ->t', fn(ua, ub))
        p.pushed('c.addi a0, -3, ->t', a - 3)
        for bits, name in ((8, 'b'), (16, 'h'), (32, 'w')):
            p.pushed(f'c.sext.{name} a0, ->t', extend(a, bits))
            p.pushed(f'c.zext.{name} a0, ->t', ua & ((1 << bits) - 1))
        p.put('c.movr a0, ->t')
        p.pushed('c.slli t#1, 5, ->t', ua << 5)
        p.put('c.movr a0, ->t')
        p.pushed('c.srli t#1, 7, ->t', ua >> 7)
        p.put('c.movr a0, ->t')
        p.pushed('c.cmp.eqi t#1, 5, ->t', signed(a) == 5)
        p.put('c.movr a0, ->t')
        p.pushed('c.cmp.nei t#1, 5, ->t', signed(a) != 5)


def relations(a, b):
    sa, sb, ua, ub = signed(a), signed(b), a & M64, b & M64
    return {'eq': ua == ub, 'ne': ua != ub, 'lt': sa < sb, 'ge': sa >= sb,
            'ltu': ua < ub, 'geu': ua >= ub, 'and': ua & ub != 0,
            'or': ua | ub != 0}


def compares(p):
    for a, b in PAIRS + [(9, 9)]:
        p.load(a0=a, a1=b)
        for modifier in ('', '.sw', '.uw'):
            operand = right(b & M64, modifier)
            for name, value in relations(a, operand).items():
                p.result(f'cmp.{name} a0, a1{modifier}, ->a6', value)
                p.condition(f'setc.{name} a0, a1{modifier}', value)
        for name in ('and', 'or'):
            value = relations(a, ~b)[name]
            p.result(f'cmp.{name} a0, a1.not, ->a6', value)
            p.condition(f'setc.{name} a0, a1.not', value)
        for name in ('eq', 'ne'):
            p.condition(f'c.setc.{name} a0, a1', relations(a, b)[name])


def compare_immediates(p):
    for a in (5, -7, 0, 0x123456789abcdef0):
        p.load(a0=a)
        for name in relations(0, 0):
            unsigned = name.endswith('u')
            numbers = (0, 5, 2047) if unsigned else (0, 5, -7, -2048)
            wide = numbers + ((0x7fffff,) if unsigned else (-8388608,))
            for prefix, list_ in (('', numbers), ('hl.', wide)):
                for n in list_:
                    p.result(f'{prefix}cmp.{name}i a0, {n}, ->a6',
                             relations(a, n)[name])
            for prefix in ('', 'hl.'):
                for n in (0, 5, 10):
                    p.condition(f'{prefix}setc.{name}i a0, {n}',
                                relations(a, n)[name])


def programs():
    for parts in ((two_operands,), (immediates,), (shifts, products),
                  (quotients, fields), (choices, constants, short),
                  (compares,), (compare_immediates,)):
        p = Program('-'.join(part.__name__ for part in parts))
        for part in parts:
            part(p)
        yield p
