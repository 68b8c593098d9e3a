/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO scalar floating point unit (FSU).
 *
 * Two arithmetics behind one set of helpers, chosen by the CPU model's
 * profile: IEEE 754, or integer arithmetic on raw carriers as in the
 * executable reference profile.  Comparison, minimum, maximum and sign rules
 * do not depend on the profile.  softfloat computes what it has; the numeric
 * engine of the tile core does exponentials and all other formats.
 *
 * Numeric status is sticky in CORE_STATE[36:32] as NV, DZ, OF, UF, NX from
 * low to high (PTO-NUMERIC-STATUS-STICKY-001), the order of softfloat's
 * first five exception flags and of PTO_FLAG_*.
 */
#include "qemu/osdep.h"
#include "internals.h"
#include "fpu.h"
#include "sysreg.h"
#include "exec/helper-proto.h"
#include "fpu/softfloat.h"

#define FP_FLAGS_MASK   0x1f

/* Bits of a floating result (FCVT, SCVTF, UCVTF) by destination code. */
static const uint8_t fp_result_bits[PTO_FP_DST_CODES] = {
    64, 32, 19, 32, 16, 16, 8, 8, 8, 6, 6, 4, 4, 8, 9,
};

/* Integer results (FCVTx); codes from 8 on are signed. */
static const uint8_t int_result_bits[PTO_FP_DST_CODES] = {
    64, 32, 16, 8, 4, 2, 1, 1, 64, 32, 16, 8, 4, 2, 1,
};

#define FIRST_SIGNED_CODE   8

static uint64_t fp_source(uint64_t value, PtoFpSrc src)
{
    return src == PTO_FP_SRC_FP32 ? (uint32_t)value : value;
}

static void record_flags(CPUPTOState *env, uint32_t flags)
{
    env->sys.core_state |=
        (uint64_t)(flags & FP_FLAGS_MASK) << PTO_CS_FLAGS_SHIFT;
}

static PtoRound active_mode(CPUPTOState *env)
{
    return pto_fpu_active_mode(extract64(env->sys.core_state,
                                         PTO_CS_FRM_SHIFT, 3));
}

/*
 * A float_status for one operation.  Old sticky flags are loaded into it:
 * accumulating on top of them is what CORE_STATE wants, and softfloat can
 * use the host FPU once NX is set.
 */
static float_status fp_begin(CPUPTOState *env)
{
    static const FloatRoundMode mode[] = {
        [PTO_ROUND_RNE] = float_round_nearest_even,
        [PTO_ROUND_RTZ] = float_round_to_zero,
        [PTO_ROUND_RDN] = float_round_down,
        [PTO_ROUND_RUP] = float_round_up,
    };
    float_status s = {
        .float_rounding_mode = mode[active_mode(env)],
        .tininess_before_rounding = false,
        .default_nan_mode = true,
        .default_nan_pattern = 0x40,
        .float_2nan_prop_rule = float_2nan_prop_s_ab,
        .float_3nan_prop_rule = float_3nan_prop_s_abc,
        .float_infzeronan_rule = float_infzeronan_dnan_always,
    };

    s.float_exception_flags =
        extract64(env->sys.core_state, PTO_CS_FLAGS_SHIFT, 5);
    return s;
}

static uint64_t fp_end(CPUPTOState *env, const float_status *s, uint64_t r)
{
    record_flags(env, s->float_exception_flags);
    return r;
}

/* ---- arithmetic ---- */

static uint64_t raw_divide(CPUPTOState *env, uint64_t a, uint64_t b,
                           PtoFpSrc src)
{
    if (src == PTO_FP_SRC_FP32 ? float32_is_zero(b) : float64_is_zero(b)) {
        record_flags(env, float_flag_divbyzero);
        return UINT64_MAX;
    }
    return a / b;
}

static uint64_t raw_binary(CPUPTOState *env, unsigned op, PtoFpSrc src,
                           uint64_t a, uint64_t b)
{
    switch (op) {
    case PTO_FPU_ADD:
        return a + b;
    case PTO_FPU_SUB:
        return a - b;
    case PTO_FPU_MUL:
        return a * b;
    default:
        return raw_divide(env, a, b, src);
    }
}

static uint64_t ieee_binary(unsigned op, PtoFpSrc src, uint64_t a, uint64_t b,
                            float_status *s)
{
    static float32 (* const op32[])(float32, float32, float_status *) = {
        [PTO_FPU_ADD] = float32_add, [PTO_FPU_SUB] = float32_sub,
        [PTO_FPU_MUL] = float32_mul, [PTO_FPU_DIV] = float32_div,
    };
    static float64 (* const op64[])(float64, float64, float_status *) = {
        [PTO_FPU_ADD] = float64_add, [PTO_FPU_SUB] = float64_sub,
        [PTO_FPU_MUL] = float64_mul, [PTO_FPU_DIV] = float64_div,
    };

    return src == PTO_FP_SRC_FP32 ? op32[op](a, b, s) : op64[op](a, b, s);
}

/* FADD, FSUB, FMUL, FDIV */
uint64_t HELPER(fp_binary)(CPUPTOState *env, uint64_t a, uint64_t b,
                           uint32_t desc)
{
    PtoFpSrc src = PTO_FP_DESC_SRC(desc);
    unsigned op = PTO_FP_DESC_OP(desc);
    float_status s;

    if (!env->profile->ieee_fp) {
        a = raw_binary(env, op, src, fp_source(a, src), fp_source(b, src));
        return fp_source(a, src);
    }
    s = fp_begin(env);
    return fp_end(env, &s, ieee_binary(op, src, a, b, &s));
}

static uint64_t raw_unary(CPUPTOState *env, unsigned op, PtoFpSrc src,
                          uint64_t a)
{
    switch (op) {
    case PTO_FPU_EXP:
        return a + 1;
    case PTO_FPU_RECIP:
        return raw_divide(env, UINT64_MAX, a, src);
    default:
        return a;
    }
}

/* FSQRT, FEXP, FRECIP */
uint64_t HELPER(fp_unary)(CPUPTOState *env, uint64_t a, uint32_t desc)
{
    PtoFpSrc src = PTO_FP_DESC_SRC(desc);
    unsigned op = PTO_FP_DESC_OP(desc);
    uint32_t flags = 0;

    if (!env->profile->ieee_fp) {
        a = raw_unary(env, op, src, fp_source(a, src));
        return fp_source(a, src);
    }
    if (op == PTO_FPU_SQRT) {
        float_status s = fp_begin(env);

        a = src == PTO_FP_SRC_FP32 ? float32_sqrt(a, &s) : float64_sqrt(a, &s);
        return fp_end(env, &s, a);
    }
    a = pto_fpu_unary(op, src, a, active_mode(env), &flags);
    record_flags(env, flags);
    return a;
}

static uint64_t raw_fused(unsigned op, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t product = a * b;

    switch (op) {
    case PTO_FPU_MADD:
        return product + c;
    case PTO_FPU_MSUB:
        return product - c;
    case PTO_FPU_NMADD:
        return -(product + c);
    default:
        return -(product - c);
    }
}

/* The sign is inside the single rounding: FNMADD is (-a)*b - c (N08). */
uint64_t HELPER(fp_fused)(CPUPTOState *env, uint64_t a, uint64_t b,
                          uint64_t c, uint32_t desc)
{
    static const uint8_t negate[] = {
        [PTO_FPU_MADD] = 0,
        [PTO_FPU_MSUB] = float_muladd_negate_c,
        [PTO_FPU_NMADD] = float_muladd_negate_product | float_muladd_negate_c,
        [PTO_FPU_NMSUB] = float_muladd_negate_product,
    };
    PtoFpSrc src = PTO_FP_DESC_SRC(desc);
    unsigned op = PTO_FP_DESC_OP(desc);
    float_status s;

    if (!env->profile->ieee_fp) {
        a = raw_fused(op, fp_source(a, src), fp_source(b, src),
                      fp_source(c, src));
        return fp_source(a, src);
    }
    s = fp_begin(env);
    a = src == PTO_FP_SRC_FP32 ? float32_muladd(a, b, c, negate[op], &s)
                               : float64_muladd(a, b, c, negate[op], &s);
    return fp_end(env, &s, a);
}

/* ---- the same in both profiles (ADR-0028) ---- */

/*
 * One NaN yields the other operand, two NaNs the canonical NaN, and -0 is
 * less than +0; a signaling NaN records NV.
 */
uint64_t HELPER(fp_minmax)(CPUPTOState *env, uint64_t a, uint64_t b,
                           uint32_t desc)
{
    float_status s = fp_begin(env);
    bool max = PTO_FP_DESC_OP(desc) == PTO_FPU_MAX;

    if (PTO_FP_DESC_SRC(desc) == PTO_FP_SRC_FP32) {
        a = max ? float32_maximum_number(a, b, &s)
                : float32_minimum_number(a, b, &s);
    } else {
        a = max ? float64_maximum_number(a, b, &s)
                : float64_minimum_number(a, b, &s);
    }
    return fp_end(env, &s, a);
}

/* Every comparison is ordered: any NaN gives 0, also for FNE and FNES. */
static bool relation_holds(unsigned op, FloatRelation rel)
{
    switch (op) {
    case PTO_FPU_EQ:
    case PTO_FPU_EQS:
        return rel == float_relation_equal;
    case PTO_FPU_NE:
    case PTO_FPU_NES:
        return rel == float_relation_less || rel == float_relation_greater;
    case PTO_FPU_LT:
    case PTO_FPU_LTS:
        return rel == float_relation_less;
    default:
        return rel == float_relation_greater || rel == float_relation_equal;
    }
}

uint64_t HELPER(fp_compare)(CPUPTOState *env, uint64_t a, uint64_t b,
                            uint32_t desc)
{
    unsigned op = PTO_FP_DESC_OP(desc);
    bool signaling = op >= PTO_FPU_EQS;
    float_status s = fp_begin(env);
    FloatRelation rel;

    if (PTO_FP_DESC_SRC(desc) == PTO_FP_SRC_FP32) {
        rel = signaling ? float32_compare(a, b, &s)
                        : float32_compare_quiet(a, b, &s);
    } else {
        rel = signaling ? float64_compare(a, b, &s)
                        : float64_compare_quiet(a, b, &s);
    }
    return fp_end(env, &s, relation_holds(op, rel));
}

/* ---- conversions ---- */

static uint64_t raw_fp_result(uint64_t value, unsigned code)
{
    return extract64(value, 0, fp_result_bits[code]);
}

/* FCVT */
uint64_t HELPER(fp_convert)(CPUPTOState *env, uint64_t a, uint32_t desc)
{
    PtoFpSrc src = PTO_FP_CVT_SRC(desc);
    unsigned code = PTO_FP_CVT_DST(desc);
    uint32_t flags = 0;

    if (!env->profile->ieee_fp) {
        return raw_fp_result(fp_source(a, src), code);
    }
    a = pto_fpu_convert(src, code, a, active_mode(env), &flags);
    record_flags(env, flags);
    return a;
}

/* FCVTA, FCVTM, FCVTN, FCVTP, FCVTZ: the mnemonic fixes the rounding. */
uint64_t HELPER(fp_to_int)(CPUPTOState *env, uint64_t a, uint32_t desc)
{
    PtoFpSrc src = PTO_FP_CVT_SRC(desc);
    unsigned code = PTO_FP_CVT_DST(desc);
    uint32_t flags = 0;

    if (!env->profile->ieee_fp) {
        unsigned bits = int_result_bits[code];

        a = fp_source(a, src);
        return code >= FIRST_SIGNED_CODE ? sextract64(a, 0, bits)
                                         : extract64(a, 0, bits);
    }
    a = pto_fpu_to_int(src, code, a, PTO_FP_CVT_EXTRA(desc), &flags);
    record_flags(env, flags);
    return a;
}

/* SCVTF, UCVTF */
uint64_t HELPER(fp_from_int)(CPUPTOState *env, uint64_t a, uint32_t desc)
{
    bool is_signed = PTO_FP_CVT_EXTRA(desc);
    unsigned src = PTO_FP_CVT_SRC(desc);
    unsigned code = PTO_FP_CVT_DST(desc);
    uint32_t flags = 0;

    if (!env->profile->ieee_fp) {
        if (src) {
            a = is_signed ? (int64_t)(int32_t)a : (uint32_t)a;
        }
        return raw_fp_result(a, code);
    }
    a = pto_fpu_from_int(is_signed, src, code, a, active_mode(env), &flags);
    record_flags(env, flags);
    return a;
}
