# SPDX-License-Identifier: GPL-2.0-or-later
"""Tile blocks and header commands with small matrices that Python knows.

Every operand is the newest tile of a hand of its own: #1, as `pto` counts.
"""
import random
import re
import struct

from program import Program

WIDTH = {'S8': 'b', 'U8': 'B', 'S16': 'h', 'S32': 'i', 'U32': 'I', 'FP32': 'f',
         'FP16': 'e', 'S64': 'q'}


def size_of(kind):
    return struct.calcsize(WIDTH[kind])


def binding(match):
    sources = [s for s in match[1].split(', ') if s]
    rest = [s for s in match[2].split(', ') if s]
    return 'B.IOT ' + ', '.join(sources + ['mask=1111'] + rest)


class Tiles(Program):
    def __init__(self, name):
        super().__init__(name)
        self.random = random.Random(name)
        self.models = ('pto',)
        self.data = []

    def put(self, *lines):
        """B.IOT needs a mask: all PEs."""
        super().put(*[re.sub(r'^B\.IOT ((?:[TUMN]#1(?:, )?)*)(.*)', binding,
                             line) for line in lines])

    def matrix(self, rows, cols, low=-9, high=9):
        return [[self.random.randint(low, high) for _ in range(cols)]
                for _ in range(rows)]

    def place(self, kind, matrix):
        """Label of the matrix in memory, rows without gaps."""
        name = f'matrix{next(self.serial)}'
        raw = b''.join(struct.pack('<' + WIDTH[kind], v)
                       for row in matrix for v in row)
        self.data += [f'.align 8', f'{name}:'] + [
            '    .byte ' + ', '.join(map(str, raw[i:i + 16]))
            for i in range(0, len(raw), 16)]
        return name

    def load_tile(self, kind, hand, matrix, code=1, layout=None):
        rows, cols = len(matrix), len(matrix[0])
        self.put(f'la {self.place(kind, matrix)}, ->a0',
                 f'li {cols * size_of(kind)}, ->a1', f'BSTART.TLOAD {kind}')
        if layout:
            self.put(f'B.DATR {{{layout}, DTYPE_NONE, Null, EQ, Default, 0, 0}}')
        self.put(f'C.B.DIMI {cols}, ->LB0', f'B.DIM zero, {rows}, ->LB1')
        if not layout:
            self.put(f'B.DIM zero, {self.columns(cols)}, ->LB2')
        self.put('B.IOR a0, a1', f'B.IOT ->{hand}<{code}>, last', 'C.BSTOP')

    @staticmethod
    def columns(cols):
        return 1 << (cols - 1).bit_length()

    def store_tile(self, kind, hand, rows, cols, at, layout=None):
        """To area + @at, rows without gaps."""
        self.put(f'la area + {at}, ->a0', f'li {cols * size_of(kind)}, ->a1',
                 f'BSTART.TSTORE {kind}')
        if layout:
            self.put(f'B.DATR {{{layout}, DTYPE_NONE, Zero, EQ, Default, 0, 0}}')
        self.put(f'C.B.DIMI {cols}, ->LB0', f'B.DIM zero, {rows}, ->LB1',
                 'B.IOR a0, a1', f'B.IOT {hand}#1, last', 'C.BSTOP')

    def check_area(self, kind, at, values):
        """Elements from area + @at on."""
        raw = b''.join(struct.pack('<' + WIDTH[kind], v) for v in values)
        raw += bytes(-len(raw) % 4)
        self.put(f'la area + {at}, ->a0')
        for i in range(0, len(raw), 4):
            self.result(f'lwi [a0, {i}], ->a6',
                        int.from_bytes(raw[i:i + 4], 'little', signed=True))

    def clear_area(self):
        self.put('la area, ->a0', 'la area + 512, ->a1')
        again = f'.Lagain{next(self.serial)}'
        self.label(again)
        self.put('sdi zero, [a0, 0]', 'addi a0, 8, ->a0',
                 f'BR ltu, a0, a1, {again}')

    def text(self):
        return super().text() + '.data\n' + '\n'.join(self.data) + '\n'


def flat(matrix):
    return [v for row in matrix for v in row]


def product(a, b):
    return [[sum(x * y for x, y in zip(row, col)) for col in zip(*b)]
            for row in a]


def plus(a, b):
    return [[x + y for x, y in zip(r, s)] for r, s in zip(a, b)]


def multiply(p, name, m, kind, out, extra=None):
    """One product of kind @kind; @extra: bias (1 x n) or accumulator."""
    n, k = 4, 8
    a, b = p.matrix(m, k), p.matrix(k, n)
    p.load_tile(kind, 'T', a, 3, 'ND2M16')
    p.load_tile(kind, 'U', b, 3, 'ND2N8')
    want = product(a, b)
    first, second = 'T#1, U#1', None
    if extra == 'bias':
        bias = p.matrix(1, n)
        p.load_tile(out, 'N', bias, 1)
        want = plus(want, bias * m)
        second = 'N#1'
    elif extra == 'acc':
        c = p.matrix(m, n)
        p.load_tile(out, 'N', c, 3, 'ND2M16')
        want = plus(want, c)
        first, second = 'N#1, T#1', 'U#1'
    p.put(f'BSTART.{name} {kind}',
          'B.FPATR None, None, 0, 0, 0, 0, 0, 0, 0, 0',
          f'B.DIM zero, {m}, ->LB0', f'C.B.DIMI {n}, ->LB1',
          f'C.B.DIMI {k}, ->LB2')
    if second:
        p.put(f'B.IOT {first}', f'B.IOT {second}, ->M<3>, last')
    else:
        p.put(f'B.IOT {first}, ->M<3>, last')
    p.put('C.BSTOP')
    p.store_tile(out, 'M', m, n, 0, 'M162ND')
    p.check_area(out, 0, flat(want))


def products(p):
    for extra, suffix in ((None, ''), ('bias', '.BIAS'), ('acc', '.ACC')):
        multiply(p, 'TMATMUL' + suffix, 4, 'S8', 'S32', extra)
        multiply(p, 'TGEMV' + suffix, 1, 'S8', 'S32', extra)


def floating_products(p):
    for extra, suffix in ((None, ''), ('bias', '.BIAS'), ('acc', '.ACC')):
        for name, m in (('TMATMULMX', 4), ('TGEMVMX', 1), ('TMATMUL', 4)):
            multiply(p, name + suffix, m, 'FP16', 'FP32', extra)


def moves(p):
    """TMOV copies; GMOV takes the tile of the PE that a register names."""
    a = p.matrix(4, 8)
    p.load_tile('S32', 'T', a)
    p.put('BSTART.TMOV S32', 'C.B.DIMI 8, ->LB0', 'B.DIM zero, 4, ->LB1', 'B.DIM zero, 8, ->LB2',
          'B.IOT T#1, ->U<1>, last', 'C.BSTOP')
    p.store_tile('S32', 'U', 4, 8, 0)
    p.check_area('S32', 0, flat(a))
    p.put('BSTART.GMOV S32', 'B.IOR zero, zero', 'B.IOT T#1, ->M<1>, last',
          'C.BSTOP')
    p.store_tile('S32', 'M', 4, 8, 128)
    p.check_area('S32', 128, flat(a))
    p.put('la area, ->a0', 'li 64, ->a1', 'BSTART.TPREFETCH S32',
          'B.DIM zero, 4, ->LB0', 'B.DIM zero, 4, ->LB2', 'B.IOR a0, a1',
          'C.BSTOP')
    p.check_area('S32', 0, flat(a))


def offsets(p, rows, cols):
    """Distinct byte offsets of words in the upper half of the area."""
    places = p.random.sample(range(64, 128), rows * cols)
    return [[4 * places[r * cols + c] for c in range(cols)]
            for r in range(rows)]


def predicate(p, hand, chosen):
    """A predicate tile in @hand from a matrix of 0 and 1."""
    p.load_tile('U8', hand, chosen)
    p.put('BSTART.VEC TCMPS, U8', 'B.DATR {NORM, FP64, Zero, NE, Default, 0, 0}',
          'B.DIM zero, 8, ->LB2', f'B.DIM zero, {len(chosen)}, ->LB1',
          f'C.B.DIMI {len(chosen[0])}, ->LB0', 'B.IOR zero, zero',
          f'B.IOT {hand}#1, ->{hand}<1>, last', 'C.BSTOP')


def dims(p, rows, cols):
    p.put(f'C.B.DIMI {cols}, ->LB0', f'B.DIM zero, {rows}, ->LB1',
          f'B.DIM zero, {p.columns(cols)}, ->LB2')


def indexed(p):
    rows, cols = 3, 6
    chosen = p.matrix(rows, cols, 0, 1)
    chosen[0][:2] = [0, 1]
    where, values = offsets(p, rows, cols), p.matrix(rows, cols)
    more = p.matrix(rows, cols, 100, 200)
    p.clear_area()
    memory = {}
    # scatter under a mask, then gather the same words with and without it
    p.load_tile('S32', 'T', values)
    p.load_tile('S32', 'U', where)
    predicate(p, 'M', chosen)
    p.put('la area, ->a2', 'BSTART.MSCATTER.MASK S32')
    dims(p, rows, cols)
    p.put('B.IOR a2', 'B.IOT T#1, U#1', 'B.IOT M#1, last', 'C.BSTOP')
    for at, value, on in zip(flat(where), flat(values), flat(chosen)):
        memory[at] = value if on else 0
    p.put('BSTART.MGATHER S32', 'B.DATR {NORM, FP64, Zero, EQ, Default, 0, 0}')
    dims(p, rows, cols)
    p.put('B.IOR a2', 'B.IOT U#1, ->N<1>, last', 'C.BSTOP')
    p.store_tile('S32', 'N', rows, cols, 0)
    p.check_area('S32', 0, [memory[at] for at in flat(where)])
    # every word, then only the chosen ones: the others are the pad value
    p.load_tile('S32', 'T', more)
    p.put('la area, ->a2', 'BSTART.MSCATTER S32')
    dims(p, rows, cols)
    p.put('B.IOR a2', 'B.IOT T#1, U#1, last', 'C.BSTOP')
    p.put('BSTART.MGATHER.MASK S32',
          'B.DATR {NORM, FP64, Zero, EQ, Default, 0, 0}')
    dims(p, rows, cols)
    p.put('B.IOR a2', 'B.IOT U#1, M#1, ->N<1>, last', 'C.BSTOP')
    p.store_tile('S32', 'N', rows, cols, 0)
    p.check_area('S32', 0, [v if on else 0 for v, on in
                            zip(flat(more), flat(chosen))])


def exchange(p):
    """MGATHER.CAS replaces the words that hold the expected value."""
    rows, cols = 3, 6
    where, old = offsets(p, rows, cols), p.matrix(rows, cols)
    expected = [[v if (r + c) % 2 else v + 1 for c, v in enumerate(row)]
                for r, row in enumerate(old)]
    new = p.matrix(rows, cols, 50, 60)
    p.load_tile('S32', 'T', old)
    p.load_tile('S32', 'U', where)
    p.put('la area, ->a2', 'BSTART.MSCATTER S32')
    dims(p, rows, cols)
    p.put('B.IOR a2', 'B.IOT T#1, U#1, last', 'C.BSTOP')
    p.load_tile('S32', 'M', expected)
    p.load_tile('S32', 'N', new)
    p.put('la area, ->a2', 'BSTART.MGATHER.CAS S32')
    dims(p, rows, cols)
    p.put('B.IOR a2', 'B.IOT U#1, M#1', 'B.IOT N#1, ->T<1>, last', 'C.BSTOP')
    p.store_tile('S32', 'T', rows, cols, 0)
    p.check_area('S32', 0, flat(old))
    p.put('la area, ->a2', 'BSTART.MGATHER S32',
          'B.DATR {NORM, FP64, Zero, EQ, Default, 0, 0}')
    dims(p, rows, cols)
    p.put('B.IOR a2', 'B.IOT U#1, ->N<1>, last', 'C.BSTOP')
    p.store_tile('S32', 'N', rows, cols, 0)
    p.check_area('S32', 0, [n if o == e else o for o, e, n in
                            zip(flat(old), flat(expected), flat(new))])


def headers(p):
    """Hints and order attributes change no result; a view names a part of a
    tile; an assembled Shared tile is readable after its last part."""
    a = p.matrix(16, 2)
    p.load_tile('S32', 'T', a, 1, 'ND2M16')
    p.put('BSTART.VEC TABS, S32', 'B.HINT {BR.likely, TEMP.hot, 5}',
          'B.CATR {aqrl, far}')
    dims(p, 16, 2)
    p.put('B.IOT T#1, ->U<1>, last', 'B.SUBVIEW 0, zero, 0, 1', 'C.BSTOP',
          'C.BSTART.STD FALL', 'B.HINT TRACE.begin', 'C.BSTOP')
    p.store_tile('S32', 'U', 16, 2, 0)
    p.check_area('S32', 0, [abs(v) for v in flat(a)])
    a = p.matrix(4, 4)
    p.put(f'la {p.place("S16", a)}, ->a0', 'c.movi 8, ->a1',
          'BSTART.TLOAD S16', 'B.DIM zero, 4, ->LB0', 'B.DIM zero, 4, ->LB1',
          'B.DIM zero, 4, ->LB2', 'B.IOR a0, a1', 'B.IOS mask=0001, ->S6<1>',
          'B.ASSEMBLE 1, 1, zero, 0, 1', 'C.BSTOP',
          'la area + 256, ->a0', 'BSTART.TSTORE S16', 'B.IOR a0, a1',
          'B.IOS S6, mask=0001', 'C.BSTOP')
    p.check_area('S16', 256, flat(a))


def post_commit_trap(p):
    """B.CATR trap: the block has its effect, then the PE traps."""
    p.load_tile('S32', 'T', p.matrix(4, 8))
    p.put('la area, ->a0', 'li 32, ->a1', 'EXPECT_TRAP', 'BSTART.TSTORE S32',
          'B.CATR {trap}', 'C.B.DIMI 8, ->LB0', 'B.DIM zero, 4, ->LB1',
          'B.IOR a0, a1', 'B.IOT T#1, last', 'C.BSTOP', 'FAIL')


def programs():
    for part in (products, floating_products, moves, indexed, exchange,
                 headers, post_commit_trap):
        p = Tiles('tiles-' + part.__name__)
        part(p)
        yield p
