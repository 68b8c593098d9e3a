/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one rounding step: a number of any precision to an encoding of any
 * format, in all seven rounding modes, with saturation and IEEE flags.
 */
#include "tile/port.h"
#include "tile/numeric.h"

/* What was cut off, relative to one unit of the kept part. */
typedef enum Residue {
    RESIDUE_ZERO,
    RESIDUE_BELOW_HALF,
    RESIDUE_HALF,
    RESIDUE_ABOVE_HALF,
} Residue;

#define SIG_TOP ((PtoU128)1 << 127)

/* Residue of a fraction given as a left-aligned 128-bit word plus sticky. */
static Residue residue_of(PtoU128 fraction, bool sticky)
{
    if (!fraction) {
        return sticky ? RESIDUE_BELOW_HALF : RESIDUE_ZERO;
    }
    if (fraction < SIG_TOP) {
        return RESIDUE_BELOW_HALF;
    }
    return fraction == SIG_TOP && !sticky ? RESIDUE_HALF : RESIDUE_ABOVE_HALF;
}

/*
 * Split a normalised significand after its @keep leading bits.  @keep may be
 * zero or negative: the kept part is then 0.
 */
static PtoU128 split(const PtoNum *n, int keep, Residue *residue)
{
    if (keep >= 128) {
        *residue = residue_of(0, n->sticky);
        return n->sig;
    }
    if (keep > 0) {
        *residue = residue_of(n->sig << keep, n->sticky);
        return n->sig >> (128 - keep);
    }
    *residue = keep == 0 ? residue_of(n->sig, n->sticky) : RESIDUE_BELOW_HALF;
    return 0;
}

/* Does the magnitude move to the next candidate? @odd: the lower one is odd. */
static bool rounds_up(PtoRound mode, bool sign, bool odd, Residue residue)
{
    switch (mode) {
    case PTO_ROUND_RTZ:
        return false;
    case PTO_ROUND_RDN:
        return sign && residue != RESIDUE_ZERO;
    case PTO_ROUND_RUP:
        return !sign && residue != RESIDUE_ZERO;
    case PTO_ROUND_RNA:
        return residue >= RESIDUE_HALF;
    case PTO_ROUND_RTO:
        return residue != RESIDUE_ZERO && !odd;
    case PTO_ROUND_RHB:
        return residue == RESIDUE_ABOVE_HALF ||
               (residue == RESIDUE_HALF && !sign);
    default:
        return residue == RESIDUE_ABOVE_HALF ||
               (residue == RESIDUE_HALF && odd);
    }
}

static uint64_t with_sign(const PtoFormat *fmt, uint64_t magnitude, bool sign)
{
    unsigned top = fmt->kind == PTO_FMT_HIF8 ? 7
                   : fmt->exp_bits + fmt->frac_bits + fmt->carrier_shift;

    return magnitude | (uint64_t)sign << top;
}

/* Does a result beyond the finite range become an infinity in this mode? */
static bool overflow_to_inf(PtoRound mode, bool sign)
{
    switch (mode) {
    case PTO_ROUND_RTZ:
    case PTO_ROUND_RTO:
        return false;
    case PTO_ROUND_RDN:
        return sign;
    case PTO_ROUND_RUP:
        return !sign;
    default:
        return true;
    }
}

/* Finite overflow of a floating destination: N03. */
static uint64_t float_overflow(const PtoFormat *fmt, bool sign, PtoRound mode,
                               bool sat, uint32_t *flags)
{
    *flags |= PTO_FLAG_OF | PTO_FLAG_NX;
    if (!sat && overflow_to_inf(mode, sign)) {
        if (fmt->flags & PTO_FMT_HAS_INF) {
            return with_sign(fmt, fmt->inf, sign);
        }
        if (fmt->flags & PTO_FMT_HAS_NAN) {
            return fmt->canonical_nan;
        }
    }
    return with_sign(fmt, fmt->max_finite, sign);
}

/* Zero, infinity and NaN to a floating destination: N05, N06. */
static uint64_t float_special(const PtoFormat *fmt, const PtoNum *n, bool sat,
                              uint32_t *flags)
{
    bool has_nan = fmt->flags & PTO_FMT_HAS_NAN;

    if (n->cls == PTO_NUM_ZERO) {
        return fmt->kind == PTO_FMT_HIF8 ? 0 : with_sign(fmt, 0, n->sign);
    }
    if (n->cls == PTO_NUM_INF) {
        if (!sat && (fmt->flags & PTO_FMT_HAS_INF)) {
            return with_sign(fmt, fmt->inf, n->sign);
        }
        *flags |= PTO_FLAG_OF | PTO_FLAG_NX;
        return !sat && has_nan ? fmt->canonical_nan
                               : with_sign(fmt, fmt->max_finite, n->sign);
    }
    if (n->cls == PTO_NUM_SNAN || !has_nan) {
        *flags |= PTO_FLAG_NV;
    }
    return sat || !has_nan ? 0 : fmt->canonical_nan;
}

/* Is the value still below 2^emin when rounded to @keep bits? (N02) */
static bool tiny_after_rounding(const PtoNum *n, int emin, int keep,
                                PtoRound mode)
{
    Residue residue;
    PtoU128 kept;

    if (n->exp != emin - 1) {
        return n->exp < emin;
    }
    kept = split(n, keep, &residue);
    kept += rounds_up(mode, n->sign, kept & 1, residue);
    return !(kept >> keep);
}

static uint64_t round_binary(const PtoFormat *fmt, const PtoNum *n,
                             PtoRound mode, bool sat, uint32_t *flags)
{
    int keep = fmt->frac_bits + 1;
    bool below = n->exp < fmt->emin;
    Residue residue;
    uint64_t code;

    if (n->exp > fmt->emax) {
        return float_overflow(fmt, n->sign, mode, sat, flags);
    }
    code = split(n, below ? keep - (fmt->emin - n->exp) : keep, &residue);
    code += rounds_up(mode, n->sign, code & 1, residue);
    if (!below) {
        /* The leading bit adds one to the exponent field. */
        code += (uint64_t)(n->exp + fmt->bias - 1) << fmt->frac_bits;
    }
    code <<= fmt->carrier_shift;
    if (code > fmt->max_finite) {
        return float_overflow(fmt, n->sign, mode, sat, flags);
    }
    if (residue != RESIDUE_ZERO) {
        *flags |= PTO_FLAG_NX;
        if (!(fmt->flags & PTO_FMT_NO_UF) &&
            tiny_after_rounding(n, fmt->emin, keep, mode)) {
            *flags |= PTO_FLAG_UF;
        }
    }
    return with_sign(fmt, code, n->sign);
}

/* Fraction bits of a HiF8 binade. */
static int hif8_frac_bits(int exp)
{
    int magnitude = exp < 0 ? -exp : exp;

    return magnitude >= 8 ? 1 : magnitude >= 4 ? 2 : 3;
}

static uint64_t hif8_code(int exp, unsigned frac)
{
    unsigned magnitude = exp < 0 ? -exp : exp;
    unsigned bits, field;
    static const uint8_t prefix[] = { 0x08, 0x10, 0x20, 0x40, 0x60 };

    if (exp < -15) {
        return exp + 23;
    }
    if (!magnitude) {
        return prefix[0] | frac;
    }
    bits = 31 - __builtin_clz(magnitude);
    field = (unsigned)(exp < 0) << bits | (magnitude & ((1u << bits) - 1));
    return prefix[bits + 1] | field << hif8_frac_bits(exp) | frac;
}

/* HiF8 has one code sequence of powers of two below 2^-15 (N16). */
static uint64_t round_hif8(const PtoFormat *fmt, const PtoNum *n,
                           PtoRound mode, bool sat, uint32_t *flags)
{
    int exp = n->exp, frac_bits = 0;
    Residue residue;
    uint64_t code = 0;

    if (exp > fmt->emax) {
        return float_overflow(fmt, n->sign, mode, sat, flags);
    }
    if (exp < -22) {
        /* Between zero and the smallest magnitude 2^-22. */
        split(n, exp + 23, &residue);
        code = rounds_up(mode, n->sign, false, residue);
    } else {
        unsigned kept;

        frac_bits = exp < fmt->emin ? 0 : hif8_frac_bits(exp);
        kept = split(n, frac_bits + 1, &residue);
        code = hif8_code(exp, kept & ((1u << frac_bits) - 1));
        if (rounds_up(mode, n->sign, code & 1, residue)) {
            kept++;
            exp += kept >> (frac_bits + 1);
            code = exp > fmt->emax ? fmt->inf
                   : hif8_code(exp, kept >> (frac_bits + 1) ? 0
                               : kept & ((1u << frac_bits) - 1));
        }
    }
    if (code == fmt->inf) {
        return float_overflow(fmt, n->sign, mode, sat, flags);
    }
    if (residue != RESIDUE_ZERO) {
        *flags |= PTO_FLAG_NX;
        if (tiny_after_rounding(n, fmt->emin, 2, mode)) {
            *flags |= PTO_FLAG_UF;
        }
    }
    return code ? with_sign(fmt, code, n->sign) : 0;
}

/*
 * E8M0 rounds the base-two logarithm (PTO-TCVT-E8M0-PROFILE-001).  Halfway is
 * the square root of two, which no finite binary value reaches.
 */
static uint64_t round_e8m0(const PtoFormat *fmt, const PtoNum *n,
                           PtoRound mode, bool sat, uint32_t *flags)
{
    bool exact = n->sig == SIG_TOP && !n->sticky;
    int exp = n->exp;
    bool up, above_half;
    uint64_t top = n->sig >> 64;

    if (n->cls == PTO_NUM_INF && !n->sign) {
        *flags |= PTO_FLAG_OF | PTO_FLAG_NX;
        return sat ? fmt->max_finite : fmt->canonical_nan;
    }
    if (n->cls != PTO_NUM_FINITE || n->sign) {
        *flags |= PTO_FLAG_NV;
        return fmt->canonical_nan;
    }
    if (exp < fmt->emin) {
        *flags |= PTO_FLAG_UF | PTO_FLAG_NX;
        return sat ? 0 : fmt->canonical_nan;
    }
    if (exp > fmt->emax || (exp == fmt->emax && !exact)) {
        *flags |= PTO_FLAG_OF | PTO_FLAG_NX;
        return sat ? fmt->max_finite : fmt->canonical_nan;
    }
    if (exact) {
        return exp + fmt->bias;
    }
    above_half = (PtoU128)top * top >= SIG_TOP;
    switch (mode) {
    case PTO_ROUND_RDN:
        up = false;
        break;
    case PTO_ROUND_RUP:
        up = true;
        break;
    case PTO_ROUND_RTZ:
        up = exp < 0;
        break;
    case PTO_ROUND_RTO:
        up = !(exp & 1);
        break;
    default:
        up = above_half;
        break;
    }
    *flags |= PTO_FLAG_NX;
    return exp + up + fmt->bias;
}

/* Integers: N04. */
static uint64_t round_integer(const PtoFormat *fmt, const PtoNum *n,
                              PtoRound mode, bool sat, uint32_t *flags)
{
    unsigned bits = fmt->elem_bits;
    bool is_signed = fmt->kind == PTO_FMT_SIGNED;
    uint64_t ones = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    uint64_t top = UINT64_C(1) << (bits - 1);
    uint64_t indefinite = is_signed ? top : ones;
    uint64_t max = is_signed ? top - 1 : ones;
    uint64_t limit = n->sign ? (is_signed ? top : 0) : max;
    Residue residue = RESIDUE_ZERO;
    bool out = n->cls == PTO_NUM_INF;
    PtoU128 q = 0;

    if (pto_num_is_nan(n)) {
        *flags |= PTO_FLAG_NV;
        return sat ? 0 : indefinite;
    }
    if (n->cls == PTO_NUM_FINITE) {
        out = n->exp >= 64;
        if (!out) {
            q = split(n, n->exp + 1, &residue);
            q += rounds_up(mode, n->sign, q & 1, residue);
            out = q > limit;
        }
    }
    if (out) {
        if (!sat) {
            *flags |= PTO_FLAG_NV;
            return indefinite;
        }
        *flags |= PTO_FLAG_OF | PTO_FLAG_NX;
        return n->sign ? (is_signed ? top : 0) : max;
    }
    if (residue != RESIDUE_ZERO) {
        *flags |= PTO_FLAG_NX;
    }
    return (n->sign ? -(uint64_t)q : (uint64_t)q) & ones;
}

uint64_t pto_num_round(const PtoFormat *fmt, const PtoNum *num, PtoRound mode,
                       bool sat, uint32_t *flags)
{
    switch (fmt->kind) {
    case PTO_FMT_BINARY:
        return num->cls == PTO_NUM_FINITE
               ? round_binary(fmt, num, mode, sat, flags)
               : float_special(fmt, num, sat, flags);
    case PTO_FMT_HIF8:
        return num->cls == PTO_NUM_FINITE
               ? round_hif8(fmt, num, mode, sat, flags)
               : float_special(fmt, num, sat, flags);
    case PTO_FMT_E8M0:
        return round_e8m0(fmt, num, mode, sat, flags);
    case PTO_FMT_SIGNED:
    case PTO_FMT_UNSIGNED:
        return round_integer(fmt, num, mode, sat, flags);
    default:
        return 0;
    }
}
