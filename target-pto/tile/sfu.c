/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exponential and logarithm to 128 bits with an exact sticky bit, so that the
 * one later rounding is correct in every format and mode (N01).
 */
#include "tile/port.h"
#include <mpfr.h>
#include "tile/numeric.h"

#define SFU_PRECISION 128
#define SFU_LIMBS (SFU_PRECISION / GMP_NUMB_BITS)

/* Beyond these exponents every format overflows, underflows or gives one. */
#define EXP_ARGUMENT_HUGE 20
#define EXP_RESULT_HUGE (1 << 21)

/* A finite number in caller-provided limbs: no allocation, no copy. */
static void to_mpfr(mpfr_t x, mp_limb_t *limbs, const PtoNum *n)
{
    for (int i = 0; i < SFU_LIMBS; i++) {
        limbs[i] = (mp_limb_t)(n->sig >> (i * GMP_NUMB_BITS));
    }
    mpfr_custom_init_set(x, n->sign ? -MPFR_REGULAR_KIND : MPFR_REGULAR_KIND,
                         n->exp + 1, SFU_PRECISION, limbs);
}

static PtoNum from_mpfr(mpfr_t x, bool inexact)
{
    const mp_limb_t *limbs = mpfr_custom_get_significand(x);
    PtoNum n = { .cls = PTO_NUM_FINITE, .sign = mpfr_signbit(x) != 0,
                 .sticky = inexact, .exp = mpfr_get_exp(x) - 1 };

    if (mpfr_zero_p(x)) {
        return (PtoNum) { .cls = PTO_NUM_ZERO };
    }
    for (int i = SFU_LIMBS - 1; i >= 0; i--) {
        n.sig = (n.sig << (GMP_NUMB_BITS / 2) << (GMP_NUMB_BITS / 2)) | limbs[i];
    }
    return n;
}

typedef int MpfrFunction(mpfr_t, const mpfr_t, mpfr_rnd_t);

/* Truncated to 128 bits; the ternary value tells whether anything was lost. */
static PtoNum evaluate(MpfrFunction *function, const PtoNum *a)
{
    mp_limb_t in[SFU_LIMBS], out[SFU_LIMBS];
    mpfr_t x, y;
    int ternary;

    to_mpfr(x, in, a);
    mpfr_custom_init(out, SFU_PRECISION);
    mpfr_custom_init_set(y, MPFR_ZERO_KIND, 0, SFU_PRECISION, out);
    ternary = function(y, x, MPFR_RNDZ);
    return from_mpfr(y, ternary != 0);
}

static PtoNum special(PtoNumClass cls, bool sign)
{
    return (PtoNum) { .cls = cls, .sign = sign };
}

static PtoNum invalid(uint32_t *flags)
{
    *flags |= PTO_FLAG_NV;
    return special(PTO_NUM_QNAN, false);
}

PtoNum pto_num_exp(const PtoNum *a, uint32_t *flags)
{
    switch (a->cls) {
    case PTO_NUM_ZERO:
        return pto_num_from_int(1);
    case PTO_NUM_INF:
        return special(a->sign ? PTO_NUM_ZERO : PTO_NUM_INF, false);
    case PTO_NUM_SNAN:
        return invalid(flags);
    case PTO_NUM_QNAN:
        return special(PTO_NUM_QNAN, false);
    default:
        break;
    }
    if (a->exp >= EXP_ARGUMENT_HUGE) {
        return (PtoNum) { .cls = PTO_NUM_FINITE, .sticky = true,
                          .exp = a->sign ? -EXP_RESULT_HUGE : EXP_RESULT_HUGE,
                          .sig = (PtoU128)1 << 127 };
    }
    return evaluate(mpfr_exp, a);
}

PtoNum pto_num_log(const PtoNum *a, uint32_t *flags)
{
    switch (a->cls) {
    case PTO_NUM_ZERO:
        *flags |= PTO_FLAG_DZ;
        return special(PTO_NUM_INF, true);
    case PTO_NUM_SNAN:
        return invalid(flags);
    case PTO_NUM_QNAN:
        return special(PTO_NUM_QNAN, false);
    default:
        break;
    }
    if (a->sign) {
        return invalid(flags);
    }
    return a->cls == PTO_NUM_INF ? *a : evaluate(mpfr_log, a);
}
