/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strips of TQUANT and TDEQUANT (rule N13), with the bits and flags of
 * pto_elem_quant() and of the chosen dequantization.
 */
#include "tile/port.h"
#include "tile/kernels/raw.h"
#include "tile/kernels/strips.h"

/*
 * Which part of the way to the next integer rounds up, as masks that select by
 * the integer below: always, when it is odd, even, negative, not negative.
 */
typedef struct QuantRound {
    int above_half;         /* more than half way: -1 or 0 */
    int half_odd, half_positive, half;
    int any, any_negative, any_even;
} QuantRound;

static QuantRound quant_round(PtoRound mode)
{
    switch (mode) {
    case PTO_ROUND_RTZ:
        return (QuantRound) { .any_negative = -1 };
    case PTO_ROUND_RDN:
        return (QuantRound) { 0 };
    case PTO_ROUND_RUP:
        return (QuantRound) { .any = -1 };
    case PTO_ROUND_RNA:
        return (QuantRound) { .above_half = -1, .half_positive = -1 };
    case PTO_ROUND_RTO:
        return (QuantRound) { .any_even = -1 };
    case PTO_ROUND_RHB:
        return (QuantRound) { .above_half = -1, .half = -1 };
    default:
        return (QuantRound) { .above_half = -1, .half_odd = -1 };
    }
}

/* FP64 encoding of 2^30; beyond it the engine takes over. */
#define QUANT_LIMIT UINT64_C(0x41d0000000000000)
#define HALF_BITS   UINT64_C(0x3fe0000000000000)

static uint64_t quant_easy(double p)
{
    return (pto_double_bits(p) & INT64_MAX) < QUANT_LIMIT;
}

/*
 * The product of two FP32 numbers is exact in FP64 and splits exactly into an
 * integer and a fraction. Returns NX; *@hard becomes nonzero when an element
 * was out of reach.
 */
PTO_STRIP_LOOP
static uint32_t quant_loop(uint8_t *d, const float *x, double scale, int zp,
                           const QuantRound *round, int low, int high,
                           size_t n, uint32_t *hard)
{
    const QuantRound r = *round;
    uint32_t out = 0, inexact = 0;

    for (size_t i = 0; i < n; i++) {
        double p = (double)x[i] * scale;
        uint64_t easy = quant_easy(p);
        double e = pto_bits_double(pto_double_bits(p) & -easy);
        int whole = (int)e;
        double part = e - whole + 0.0;          /* never -0 */
        int below = -(int)(pto_double_bits(part) >> 63);
        uint64_t f = pto_double_bits(part - below);
        int some = -(f != 0), half = -(f == HALF_BITS), more = -(f > HALF_BITS);
        int v = whole + below + zp;
        int odd = -(v & 1), negative = v >> 31;
        int up = (more & r.above_half) |
                 (half & (r.half | (odd & r.half_odd) |
                          (~negative & r.half_positive))) |
                 (some & (r.any | (negative & r.any_negative) |
                          (~odd & r.any_even)));

        v -= up;
        v = v < low ? low : v;
        v = v > high ? high : v;
        d[i] = v;
        out |= (uint32_t)easy - 1;
        inexact |= some;
    }
    *hard = out;
    return inexact ? PTO_FLAG_NX : 0;
}

uint32_t pto_strip_quantize(const PtoStripOp *k, void *d, const void *a,
                            const void *b, const void *c, size_t n)
{
    bool is_signed = k->dst_type == PTO_S8;
    QuantRound round = quant_round(k->mode);
    int low = k->sat ? (is_signed ? -128 : 0) : INT32_MIN;
    int high = k->sat ? (is_signed ? 127 : 255) : INT32_MAX;
    uint32_t bits = k->scale, flags, hard;
    const float *x = a;
    float scale;

    (void)b, (void)c;
    memcpy(&scale, &bits, 4);
    flags = quant_loop(d, x, scale, k->zero_point, &round, low, high, n,
                       &hard);
    for (size_t i = 0; hard && i < n; i++) {
        if (!quant_easy((double)x[i] * scale)) {
            ((uint8_t *)d)[i] = pto_elem_quant(k->dst_type,
                                               pto_strip_get(a, 4, i),
                                               k->scale, k->zero_point,
                                               k->mode, k->sat, &flags);
        }
    }
    return flags;
}

/* There are 256 results; each is computed when it is first needed. */
static uint32_t dequantize(const PtoStripOp *k, void *d, const uint8_t *q,
                           size_t n, bool raw)
{
    uint32_t value[256], flags = 0;
    bool known[256] = { false };

    for (size_t i = 0; i < n; i++) {
        unsigned v = q[i];

        if (!known[v]) {
            value[v] = (raw ? pto_raw_dequant : pto_elem_dequant)(
                k->type, v, k->scale, k->zero_point, k->mode, &flags);
            known[v] = true;
        }
        pto_strip_put(d, 4, i, value[v]);
    }
    return flags;
}

uint32_t pto_strip_dequantize(const PtoStripOp *k, void *d, const void *a,
                              const void *b, const void *c, size_t n)
{
    (void)b, (void)c;
    return dequantize(k, d, a, n, false);
}

uint32_t pto_strip_dequantize_raw(const PtoStripOp *k, void *d, const void *a,
                                  const void *b, const void *c, size_t n)
{
    (void)b, (void)c;
    return dequantize(k, d, a, n, true);
}
