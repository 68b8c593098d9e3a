/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exact arithmetic on unpacked numbers.  A result that does not fit 128 bits
 * is shortened and marked sticky, which keeps the one later rounding correct:
 * every format keeps at most 64 bits.
 */
#include "tile/port.h"
#include "tile/numeric.h"

#define SIG_TOP ((PtoU128)1 << 127)

static PtoNum num_special(PtoNumClass cls, bool sign)
{
    return (PtoNum) { .cls = cls, .sign = sign };
}

static PtoNum num_invalid(uint32_t *flags)
{
    *flags |= PTO_FLAG_NV;
    return num_special(PTO_NUM_QNAN, false);
}

static int leading_zeros(PtoU128 v)
{
    uint64_t hi = v >> 64;

    return hi ? __builtin_clzll(hi) : 64 + __builtin_clzll((uint64_t)v);
}

static PtoNum num_normalise(bool sign, PtoU128 sig, int exp, bool sticky)
{
    int shift = leading_zeros(sig);

    return (PtoNum) { .cls = PTO_NUM_FINITE, .sign = sign, .sticky = sticky,
                      .exp = exp - shift, .sig = sig << shift };
}

/* True when an operand is a NaN; a signaling one raises NV. */
static bool nan_operand(const PtoNum *n, uint32_t *flags)
{
    if (n->cls == PTO_NUM_SNAN) {
        *flags |= PTO_FLAG_NV;
    }
    return n->cls >= PTO_NUM_QNAN;
}

/* Add @low plus a part below one unit (@sticky) to the larger magnitude. */
static PtoNum add_magnitudes(const PtoNum *a, PtoU128 low, bool sticky)
{
    PtoU128 sum = a->sig + low;

    sticky |= a->sticky;
    if (sum < low) {
        sticky |= sum & 1;
        return (PtoNum) { .cls = PTO_NUM_FINITE, .sign = a->sign,
                          .sticky = sticky, .exp = a->exp + 1,
                          .sig = SIG_TOP | sum >> 1 };
    }
    return (PtoNum) { .cls = PTO_NUM_FINITE, .sign = a->sign,
                      .sticky = sticky, .exp = a->exp, .sig = sum };
}

/* Finite nonzero operands. */
static PtoNum add_finite(PtoNum a, PtoNum b, PtoRound mode)
{
    unsigned distance;
    PtoU128 low;
    bool sticky;

    if (b.exp > a.exp || (b.exp == a.exp && b.sig > a.sig)) {
        PtoNum t = a;

        a = b;
        b = t;
    }
    distance = a.exp - b.exp;
    low = distance < 128 ? b.sig >> distance : 0;
    sticky = b.sticky || distance >= 128 ||
             (distance && (b.sig << (128 - distance)) != 0);
    if (a.sign == b.sign) {
        return add_magnitudes(&a, low, sticky);
    }
    if (sticky) {
        /* a - (low + part): one less, and something remains. */
        return num_normalise(a.sign, a.sig - low - 1, a.exp, true);
    }
    if (a.sig == low) {
        return num_special(PTO_NUM_ZERO, mode == PTO_ROUND_RDN);
    }
    return num_normalise(a.sign, a.sig - low, a.exp, a.sticky);
}

PtoNum pto_num_add(const PtoNum *a, const PtoNum *b, PtoRound mode,
                   uint32_t *flags)
{
    bool nan = nan_operand(a, flags);

    nan |= nan_operand(b, flags);
    if (nan) {
        return num_special(PTO_NUM_QNAN, false);
    }
    if (a->cls == PTO_NUM_INF) {
        return b->cls == PTO_NUM_INF && a->sign != b->sign ? num_invalid(flags)
                                                           : *a;
    }
    if (b->cls == PTO_NUM_INF) {
        return *b;
    }
    if (a->cls == PTO_NUM_ZERO && b->cls == PTO_NUM_ZERO) {
        return num_special(PTO_NUM_ZERO, a->sign == b->sign
                           ? a->sign : mode == PTO_ROUND_RDN);
    }
    if (a->cls == PTO_NUM_ZERO) {
        return *b;
    }
    return b->cls == PTO_NUM_ZERO ? *a : add_finite(*a, *b, mode);
}

PtoNum pto_num_sub(const PtoNum *a, const PtoNum *b, PtoRound mode,
                   uint32_t *flags)
{
    PtoNum minus_b = *b;

    minus_b.sign = !b->sign;
    return pto_num_add(a, &minus_b, mode, flags);
}

static PtoNum mul_finite(const PtoNum *a, const PtoNum *b)
{
    PtoU128 product = (PtoU128)(uint64_t)(a->sig >> 64) *
                      (uint64_t)(b->sig >> 64);

    return num_normalise(a->sign ^ b->sign, product, a->exp + b->exp + 1,
                         a->sticky || b->sticky);
}

/* Product without the NaN rules of the caller. */
static PtoNum mul_number(const PtoNum *a, const PtoNum *b, uint32_t *flags)
{
    bool sign = a->sign ^ b->sign;

    if (a->cls == PTO_NUM_INF || b->cls == PTO_NUM_INF) {
        if (a->cls == PTO_NUM_ZERO || b->cls == PTO_NUM_ZERO) {
            return num_invalid(flags);
        }
        return num_special(PTO_NUM_INF, sign);
    }
    if (a->cls == PTO_NUM_ZERO || b->cls == PTO_NUM_ZERO) {
        return num_special(PTO_NUM_ZERO, sign);
    }
    return mul_finite(a, b);
}

PtoNum pto_num_mul(const PtoNum *a, const PtoNum *b, uint32_t *flags)
{
    bool nan = nan_operand(a, flags);

    nan |= nan_operand(b, flags);
    return nan ? num_special(PTO_NUM_QNAN, false) : mul_number(a, b, flags);
}

PtoNum pto_num_fma(const PtoNum *a, const PtoNum *b, const PtoNum *c,
                   PtoRound mode, uint32_t *flags)
{
    bool nan = nan_operand(a, flags);
    PtoNum product;

    nan |= nan_operand(b, flags);
    if (nan) {
        nan_operand(c, flags);
        return num_special(PTO_NUM_QNAN, false);
    }
    /* Zero times infinity is invalid whatever the addend is (N24). */
    product = mul_number(a, b, flags);
    return pto_num_add(&product, c, mode, flags);
}

PtoNum pto_num_div(const PtoNum *a, const PtoNum *b, uint32_t *flags)
{
    bool sign = a->sign ^ b->sign;
    bool nan = nan_operand(a, flags);
    PtoU128 dividend;
    uint64_t divisor;

    nan |= nan_operand(b, flags);
    if (nan) {
        return num_special(PTO_NUM_QNAN, false);
    }
    if (a->cls == b->cls && a->cls != PTO_NUM_FINITE) {
        return num_invalid(flags);      /* 0/0, inf/inf */
    }
    if (a->cls == PTO_NUM_INF || b->cls == PTO_NUM_ZERO) {
        if (a->cls != PTO_NUM_INF) {
            *flags |= PTO_FLAG_DZ;
        }
        return num_special(PTO_NUM_INF, sign);
    }
    if (a->cls == PTO_NUM_ZERO || b->cls == PTO_NUM_INF) {
        return num_special(PTO_NUM_ZERO, sign);
    }
    /* Both significands have at most 64 bits: a 63- or 64-bit quotient. */
    dividend = a->sig >> 1;
    divisor = b->sig >> 64;
    return num_normalise(sign, dividend / divisor, a->exp - b->exp + 64,
                         dividend % divisor != 0);
}

/* Floor square root of a 128-bit integer, one result bit per step. */
static uint64_t isqrt128(PtoU128 v, bool *exact)
{
    PtoU128 rest = v, root = 0;

    for (int bit = 126; bit >= 0; bit -= 2) {
        PtoU128 trial = root + ((PtoU128)1 << bit);

        root >>= 1;
        if (rest >= trial) {
            rest -= trial;
            root += (PtoU128)1 << bit;
        }
    }
    *exact = rest == 0;
    return root;
}

/* sqrt(2^127 * m), m in [1, 4) by making the exponent even. */
PtoNum pto_num_sqrt(const PtoNum *a, uint32_t *flags)
{
    bool exact, odd = a->exp & 1;
    uint64_t root;

    if (nan_operand(a, flags)) {
        return num_special(PTO_NUM_QNAN, false);
    }
    if (a->cls == PTO_NUM_ZERO) {
        return *a;
    }
    if (a->sign) {
        return num_invalid(flags);
    }
    if (a->cls == PTO_NUM_INF) {
        return *a;
    }
    root = isqrt128(odd ? a->sig : a->sig >> 1, &exact);
    return num_normalise(false, (PtoU128)root << 64, (a->exp - odd) / 2,
                         !exact || a->sticky);
}

/*
 * 1 / sqrt(x) = sqrt(1 / x): the quotient to 127 bits, then its root.  Only a
 * power of four is exact, so a nonzero remainder anywhere means sticky.
 */
PtoNum pto_num_rsqrt(const PtoNum *a, uint32_t *flags)
{
    PtoU128 quotient;
    uint64_t divisor, rest, root;
    bool exact, odd = a->exp & 1;

    if (nan_operand(a, flags)) {
        return num_special(PTO_NUM_QNAN, false);
    }
    if (a->cls == PTO_NUM_ZERO) {
        *flags |= PTO_FLAG_DZ;
        return num_special(PTO_NUM_INF, a->sign);
    }
    if (a->sign) {
        return num_invalid(flags);
    }
    if (a->cls == PTO_NUM_INF) {
        return num_special(PTO_NUM_ZERO, false);
    }
    if (a->sig == SIG_TOP && !odd) {
        return num_normalise(false, SIG_TOP, -a->exp / 2, false);
    }
    /* x = m * 2^e, e even, m in [1, 4): quotient = 2^126 / m. */
    divisor = a->sig >> 64;             /* m * 2^63, or m * 2^62 for odd e */
    quotient = SIG_TOP / divisor;
    rest = SIG_TOP % divisor;
    quotient = (quotient << 62) + ((PtoU128)rest << 62) / divisor;
    /* floor(2^189 / divisor) */
    if (odd) {
        quotient >>= 1;
    }
    root = isqrt128(quotient, &exact);
    return num_normalise(false, (PtoU128)root << 64,
                         -(a->exp - odd) / 2, true);
}

/* Remainder of a * 2^distance by b, both with bit 127 set. */
static PtoU128 rem_scaled(PtoU128 a, PtoU128 b, unsigned distance)
{
    a %= b;
    while (distance--) {
        bool carry = a >> 127;

        a <<= 1;
        if (carry || a >= b) {
            a -= b;
        }
    }
    return a;
}

PtoNum pto_num_floor_rem(const PtoNum *a, const PtoNum *b, uint32_t *flags)
{
    bool nan = nan_operand(a, flags);
    PtoNum rest = *a;

    nan |= nan_operand(b, flags);
    if (nan) {
        return num_special(PTO_NUM_QNAN, false);
    }
    if (a->cls == PTO_NUM_INF || b->cls == PTO_NUM_ZERO) {
        return num_invalid(flags);
    }
    if (a->cls == PTO_NUM_ZERO) {
        return num_special(PTO_NUM_ZERO, b->sign);
    }
    if (b->cls == PTO_NUM_INF) {
        return a->sign == b->sign ? *a : *b;
    }
    if (a->exp >= b->exp) {
        PtoU128 r = rem_scaled(a->sig, b->sig, a->exp - b->exp);

        if (!r) {
            return num_special(PTO_NUM_ZERO, b->sign);
        }
        rest = num_normalise(a->sign, r, b->exp, false);
    }
    return a->sign == b->sign ? rest
                              : pto_num_add(&rest, b, PTO_ROUND_RNE, flags);
}

int pto_num_compare(const PtoNum *a, const PtoNum *b)
{
    bool a_zero = a->cls == PTO_NUM_ZERO, b_zero = b->cls == PTO_NUM_ZERO;
    int larger;

    if (pto_num_is_nan(a) || pto_num_is_nan(b)) {
        return 2;
    }
    if (a_zero || b_zero) {
        return a_zero ? (b_zero ? 0 : b->sign ? 1 : -1) : (a->sign ? -1 : 1);
    }
    if (a->sign != b->sign) {
        return a->sign ? -1 : 1;
    }
    if (a->cls != b->cls) {
        larger = a->cls == PTO_NUM_INF ? 1 : -1;
    } else if (a->cls == PTO_NUM_INF) {
        return 0;
    } else if (a->exp != b->exp) {
        larger = a->exp > b->exp ? 1 : -1;
    } else {
        larger = a->sig == b->sig ? 0 : a->sig > b->sig ? 1 : -1;
    }
    return a->sign ? -larger : larger;
}
