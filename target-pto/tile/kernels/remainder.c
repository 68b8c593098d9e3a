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

/* Sign of a zero result, and the elements left out. */
static void finish(PtoDataType type, void *d, const void *a, const void *b,
                   const uint32_t *hard, uint32_t any_hard, size_t n,
                   uint32_t *flags)
{
    unsigned bytes = pto_strip_bytes(type);
    uint64_t sign = UINT64_C(1) << (pto_type_bits(type) - 1);

    for (size_t i = 0; i < n; i++) {
        uint64_t r = pto_strip_get(d, bytes, i);
        uint64_t y = pto_strip_get(b, bytes, i);

        if (any_hard && hard[i]) {
            r = pto_elem_binary(PTO_ELEM_REM, type, pto_strip_get(a, bytes, i),
                                y, PTO_ROUND_RNE, flags);
        } else if (!(r & ~sign)) {
            r = y & sign;
        }
        pto_strip_put(d, bytes, i, r);
    }
}

static void rem_chunk(PtoDataType type, void *d, const void *a, const void *b,
                      size_t n, uint32_t *flags)
{
    bool same = type == PTO_FP32 || type == PTO_TF32 || type == PTO_HF32;
    float x[CHUNK], y[CHUNK];
    uint32_t t[CHUNK], addend[CHUNK], hard[CHUNK];
    uint64_t left[CHUNK / 2], right[CHUNK / 2], result[CHUNK / 2];
    uint32_t ignored = 0, any;

    if (same) {
        any = split(t, addend, hard, a, b, n);
        pto_rows_binary(PTO_ELEM_ADD, type, (PtoRowsOut) { result }, row_of(t),
                        row_of(addend), 1, n, flags);
    } else {
        /* Exact in both directions; signaling NaNs are reported below. */
        pto_rows_convert(type, PTO_FP32, (PtoRowsOut) { x }, row_of(a), 1, n,
                         PTO_ROUND_RNE, false, false, &ignored);
        pto_rows_convert(type, PTO_FP32, (PtoRowsOut) { y }, row_of(b), 1, n,
                         PTO_ROUND_RNE, false, false, &ignored);
        any = split(t, addend, hard, x, y, n);
        pto_rows_convert(PTO_FP32, type, (PtoRowsOut) { left }, row_of(t), 1,
                         n, PTO_ROUND_RNE, false, false, &ignored);
        pto_rows_convert(PTO_FP32, type, (PtoRowsOut) { right },
                         row_of(addend), 1, n, PTO_ROUND_RNE, false, false,
                         &ignored);
        pto_rows_binary(PTO_ELEM_ADD, type, (PtoRowsOut) { result },
                        row_of(left), row_of(right), 1, n, flags);
    }
    finish(type, result, a, b, hard, any, n, flags);
    memcpy(d, result, n * pto_strip_bytes(type));
}

static void rem_double(double *d, const double *x, const double *y, size_t n,
                       uint32_t *flags)
{
    double t[CHUNK], addend[CHUNK], result[CHUNK];
    uint32_t hard[CHUNK], any = 0;

    for (size_t i = 0; i < n; i++) {
        bool easy = x[i] - x[i] == 0 && y[i] - y[i] == 0 && y[i] != 0;

        t[i] = easy ? fmod(x[i], y[i]) : 0;
        addend[i] = easy && t[i] != 0 && (t[i] < 0) != (y[i] < 0) ? y[i] : 0;
        hard[i] = !easy;
        any |= !easy;
    }
    pto_rows_binary(PTO_ELEM_ADD, PTO_FP64, (PtoRowsOut) { result }, row_of(t),
                    row_of(addend), 1, n, flags);
    finish(PTO_FP64, result, x, y, hard, any, n, flags);
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
