/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Floating TREM (rule N07): x - y * floor(x / y), rounded once.
 *
 * The truncated remainder t of two elements is exact in their own format. It is
 * the result when it is zero or has the divisor's sign; otherwise the result is
 * t + y with one rounding, which is a row addition. Zeros get the divisor's
 * sign afterwards. Elements with NaN, infinity, zero divisor or a large
 * quotient go to the numeric engine one by one.
 */
#include "tile/port.h"
#include <math.h>
#include "tile/kernels/fast.h"
#include "tile/kernels/narrow.h"
#include "tile/kernels/rows.h"
#include "tile/kernels/strips.h"

#define CHUNK 256

/*
 * FP64 encoding of 2^27. Quotients below are exact after truncation: for
 * operands of 24 bits the distance of x / y from an integer is at least 2^-24,
 * and FP64 numbers near 2^27 lie closer.
 */
#define QUOTIENT_LIMIT UINT64_C(0x41a0000000000000)

/*
 * FP32 encodings of t and of the addend (y or 0); hard[i] is nonzero for an
 * element that is not handled here. Returns nonzero if there is one.
 */
PTO_STRIP_LOOP
static uint32_t split(uint32_t *t, uint32_t *addend, uint32_t *hard,
                      const float *x, const float *y, size_t n)
{
    uint32_t any = 0;

    for (size_t i = 0; i < n; i++) {
        float yi = y[i];
        double a = x[i], b = yi, q = a / b;
        uint64_t small = (pto_double_bits(q) & INT64_MAX) < QUOTIENT_LIMIT;
        double e = pto_bits_double(pto_double_bits(q) & -small);
        uint32_t r = pto_float_bits(a - (double)(int)e * b);
        uint32_t yb = pto_float_bits(yi);
        uint32_t finite = (yb & INT32_MAX) < 0x7f800000;
        uint32_t ok = -((uint32_t)small & finite);
        uint32_t opposite = -((r ^ yb) >> 31) & -(uint32_t)((r << 1) != 0);

        t[i] = r & ok;
        addend[i] = yb & ok & opposite;
        hard[i] = ~ok;
        any |= ~ok;
    }
    return any;
}

static PtoRows row_of(const void *base)
{
    return (PtoRows) { .base = base };
}

/* A zero result has the divisor's sign. */
PTO_STRIP_LOOP
static void zero_signs(uint32_t *r, const float *y, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t zero = -(uint32_t)((r[i] << 1) == 0);

        r[i] = (r[i] & ~zero) | (pto_float_bits(y[i]) & zero & 0x80000000);
    }
}

/* The elements left out. */
static void engine(PtoDataType type, void *d, const void *a, const void *b,
                   const uint32_t *hard, size_t n, uint32_t *flags)
{
    unsigned bytes = pto_strip_bytes(type);

    for (size_t i = 0; i < n; i++) {
        if (hard[i]) {
            pto_strip_put(d, bytes, i, pto_elem_binary(
                              PTO_ELEM_REM, type, pto_strip_get(a, bytes, i),
                              pto_strip_get(b, bytes, i), PTO_ROUND_RNE,
                              flags));
        }
    }
}

/*
 * A narrow type adds in FP32 and rounds again: 24 bits are twice those of
 * FP16 and two more, so that the second rounding gives what one would, and a
 * sum below the normal range is exact. The result lies within the divisor.
 */
static void rem_chunk(PtoDataType type, void *d, const void *a, const void *b,
                      size_t n, uint32_t *flags)
{
    bool same = type == PTO_FP32 || type == PTO_TF32 || type == PTO_HF32;
    const PtoFastTable *fast = pto_fast_table();
    union {
        uint32_t word[CHUNK];
        float value[CHUNK];
    } x, y;
    uint32_t t[CHUNK], addend[CHUNK], hard[CHUNK], sum[CHUNK];
    uint64_t result[CHUNK / 2];
    const float *xp = a, *yp = b;
    uint32_t any;

    if (!same) {
        /* Exact; signaling NaNs are reported by the engine. */
        pto_widen_words(fast, type, a, n, x.word);
        pto_widen_words(fast, type, b, n, y.word);
        xp = x.value;
        yp = y.value;
    }
    any = split(t, addend, hard, xp, yp, n);
    pto_rows_binary(PTO_ELEM_ADD, same ? type : PTO_FP32,
                    (PtoRowsOut) { sum }, row_of(t), row_of(addend), 1, n,
                    flags);
    zero_signs(sum, yp, n);
    if (!same) {
        pto_rows_convert(PTO_FP32, type, (PtoRowsOut) { result }, row_of(sum),
                         1, n, PTO_ROUND_RNE, false, false, flags);
    }
    if (any) {
        engine(type, same ? (void *)sum : result, a, b, hard, n, flags);
    }
    memcpy(d, same ? (void *)sum : result, n * pto_strip_bytes(type));
}

/*
 * Quotients below 2^51, rounded to the nearest integer q: x - q * y is below
 * 3/4 |y| and a multiple of y's last place (or, for q = 1, of x's with x within
 * |y| / 2 .. |y|), so it is exact, as is one more y where the sign is not x's.
 * far[i]: not handled here.
 */
PTO_STRIP_LOOP
static uint64_t split_double(double *t, double *addend, uint64_t *far,
                             const double *x, const double *y, size_t n)
{
    const double shifter = 0x1.8p52;
    uint64_t any = 0;

    for (size_t i = 0; i < n; i++) {
        double a = x[i], b = y[i], q = a / b;
        uint64_t yb = pto_double_bits(b), xb = pto_double_bits(a);
        uint64_t near = -(uint64_t)((pto_double_bits(q) & INT64_MAX) <
                                    UINT64_C(0x4320000000000000));
        uint64_t finite = -(uint64_t)((yb & INT64_MAX) <
                                      UINT64_C(0x7ff0000000000000));
        uint64_t ok = near & finite, r, over, opposite;
        double whole = pto_bits_double(pto_double_bits(q) & ok) + shifter;

        r = pto_double_bits(__builtin_fma(shifter - whole, b, a));
        over = -((r ^ xb) >> 63) & -(uint64_t)((r << 1) != 0);
        r = pto_double_bits(pto_bits_double(r) + pto_bits_double(
                ((yb & INT64_MAX) | (xb & ~(uint64_t)INT64_MAX)) & over));
        opposite = -((r ^ yb) >> 63) & -(uint64_t)((r << 1) != 0);
        t[i] = pto_bits_double(r & ok);
        addend[i] = pto_bits_double(yb & ok & opposite);
        far[i] = ~ok;
        any |= ~ok;
    }
    return any;
}

/* Large quotients of finite elements; the rest is for the engine. */
static bool far_double(double *t, double *addend, uint64_t *far,
                       const double *x, const double *y, size_t n)
{
    bool any = false;

    for (size_t i = 0; i < n; i++) {
        if (far[i] && x[i] - x[i] == 0 && y[i] - y[i] == 0 && y[i] != 0) {
            t[i] = fmod(x[i], y[i]);
            addend[i] = t[i] != 0 && (t[i] < 0) != (y[i] < 0) ? y[i] : 0;
            far[i] = 0;
        }
        any |= far[i] != 0;
    }
    return any;
}

static void rem_double(double *d, const double *x, const double *y, size_t n,
                       uint32_t *flags)
{
    double t[CHUNK], addend[CHUNK], result[CHUNK];
    uint64_t far[CHUNK];
    uint32_t hard[CHUNK];
    bool any = split_double(t, addend, far, x, y, n) &&
               far_double(t, addend, far, x, y, n);

    pto_rows_binary(PTO_ELEM_ADD, PTO_FP64, (PtoRowsOut) { result }, row_of(t),
                    row_of(addend), 1, n, flags);
    for (size_t i = 0; i < n; i++) {
        result[i] = result[i] == 0 ? copysign(0, y[i]) : result[i];
        hard[i] = far[i] != 0;
    }
    if (any) {
        engine(PTO_FP64, result, x, y, hard, n, flags);
    }
    memcpy(d, result, n * sizeof(double));
}

uint32_t pto_strip_remainder(const PtoStripOp *k, void *d, const void *a,
                             const void *b, const void *c, size_t n)
{
    unsigned bytes = pto_strip_bytes(k->type);
    uint32_t flags = 0;

    (void)c;
    for (size_t i = 0; i < n; i += CHUNK) {
        uint8_t *dp = (uint8_t *)d + i * bytes;
        const uint8_t *ap = (const uint8_t *)a + i * bytes;
        const uint8_t *bp = (const uint8_t *)b + i * bytes;
        size_t count = MIN(n - i, CHUNK);

        if (k->type == PTO_FP64) {
            rem_double((double *)dp, (const double *)ap, (const double *)bp,
                       count, &flags);
        } else {
            rem_chunk(k->type, dp, ap, bp, count, &flags);
        }
    }
    return flags;
}
