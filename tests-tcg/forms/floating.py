# SPDX-License-Identifier: GPL-2.0-or-later
"""Scalar floating point against Python's IEEE arithmetic."""
import fractions
import math
import struct

from program import Program, extend

VALUES = [1.5, -2.25, 3.0, 0.1, 1e300, -0.0, float('inf'), 7.0]


def bits(value, size='d'):
    return int.from_bytes(struct.pack('<' + size, value), 'little')


def single(value):
    """The FP32 value nearest to an exact one (exact: a double or a product,
    sum or quotient of two FP32 values in double is rounded innocuously)."""
    try:
        return struct.unpack('<f', struct.pack('<f', value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def safe(fn, *args):
    """None where Python raises instead of giving an IEEE result."""
    try:
        return fn(*args)
    except (ZeroDivisionError, OverflowError, ValueError):
        return None


def pairs(p, each):
    for a in VALUES:
        for b in VALUES[:6]:
            p.load(a0=bits(a), a1=bits(b))
            each(p, a, b)


def arithmetic(p):
    def each(p, a, b):
        rows = {'fadd': a + b, 'fsub': a - b, 'fmul': a * b,
                'fdiv': safe(lambda: a / b)}
        for name, value in rows.items():
            if value is not None and not math.isnan(value):
                p.result(f'{name}.fd a0, a1, ->a6', bits(value))
        if math.isfinite(a):
            p.load(a2=bits(0.75))
            x, y = fractions.Fraction(a), fractions.Fraction(b)
            for name, exact in (('fmadd', x * y + fractions.Fraction(3, 4)),
                                ('fmsub', x * y - fractions.Fraction(3, 4))):
                value = safe(float, exact)
                if value is not None and value:
                    p.result(f'{name}.fd a0, a1, a2, ->a6', bits(value))
                    p.result(f'fn{name[1:]}.fd a0, a1, a2, ->a6',
                             bits(-value))
    pairs(p, each)
    p.models = ('pto',)


def singles(p):
    values = [single(v) for v in VALUES if abs(v) < 1e30 or math.isinf(v)]
    for a in values:
        for b in values:
            p.load(a0=bits(a, 'f'), a1=bits(b, 'f'))
            rows = {'fadd': a + b, 'fsub': a - b, 'fmul': a * b,
                    'fdiv': safe(lambda: a / b)}
            for name, value in rows.items():
                if value is not None and not math.isnan(value):
                    p.result(f'{name}.fs a0, a1, ->a6',
                             bits(single(value), 'f'))
    p.models = ('pto',)


def functions(p):
    for value in (0.0, 2.0, 9.0, 0.5, 1e-3):
        p.load(a0=bits(value))
        p.result('fsqrt.fd a0, ->a6', bits(math.sqrt(value)))
        if value:
            p.result('frecip.fd a0, ->a6', bits(1 / value))
    for value, want in ((0.0, 0x3ff0000000000000), (1.0, 0x4005bf0a8b145769),
                        (-math.inf, 0), (math.inf, bits(math.inf)),
                        (1000.0, bits(math.inf)), (-2000.0, 0)):
        p.load(a0=bits(value))
        p.result('fexp.fd a0, ->a6', want)
    p.models = ('pto',)


def compares(p):
    """They do not depend on the numeric profile."""
    def each(p, a, b):
        for name, value in (('eq', a == b), ('ne', a != b), ('lt', a < b),
                            ('ge', a >= b)):
            p.result(f'f{name}.fd a0, a1, ->a6', value)
            p.result(f'f{name}s.fd a0, a1, ->a6', value)
        if a != b:
            p.result('fmax.fd a0, a1, ->a6', bits(max(a, b)))
            p.result('fmin.fd a0, a1, ->a6', bits(min(a, b)))
        p.result('fabs.fd a0, ->a6', bits(abs(a)))
    pairs(p, each)
    # every relation is false for a NaN, FNE too
    p.load(a0=bits(math.nan))
    for name, value in (('eq', 0), ('ne', 0), ('lt', 0), ('ge', 0)):
        p.result(f'f{name}.fd a0, a0, ->a6', value)


def toward_integer(value):
    """Mnemonic of the rounding and its result."""
    low = math.floor(value)
    half = abs(value) - math.floor(abs(value)) == 0.5
    away = int(math.copysign(math.floor(abs(value) + 0.5), value))
    return {'n': round(value), 'm': low, 'p': math.ceil(value),
            'z': math.trunc(value), 'a': away if half else round(value)}


def conversions(p):
    for value in (2.5, -2.5, 3.5, 0.49, -7.9, 1e10):
        p.load(a0=bits(value))
        for letter, number in toward_integer(value).items():
            p.result(f'fcvt{letter}.fd2sd a0, ->a6', number)
            if abs(number) < 1 << 31:
                p.result(f'fcvt{letter}.fd2sw a0, ->a6', number)
            if number >= 0:
                p.result(f'fcvt{letter}.fd2ud a0, ->a6', number)
    for n in (0, 5, -5, (1 << 63) - 1, 1 << 53 | 1):
        p.load(a0=n)
        p.result('scvtf.sd2fd a0, ->a6', bits(float(n)))
        p.result('scvtf.sw2fd a0, ->a6',
                 bits(float(n - (1 << 32) if extend(n, 32) >> 63 and n > 0
                            else n) if abs(n) < 1 << 31 else
                      float(extend(n, 32) - (1 << 64)
                            if extend(n, 32) >> 63 else extend(n, 32))))
        p.result('ucvtf.ud2fd a0, ->a6', bits(float(n & (1 << 64) - 1)))
    for value in (1.0, 0.1, 1e40, -2.5):
        p.load(a0=bits(value))
        p.result('fcvt.fd2fs a0, ->a6', bits(single(value), 'f'))
        p.load(a0=bits(single(value), 'f'))
        p.result('fcvt.fs2fd a0, ->a6', bits(single(value)))
    p.models = ('pto',)


def programs():
    for part in (arithmetic, singles, functions, compares, conversions):
        p = Program('floating-' + part.__name__)
        part(p)
        yield p
