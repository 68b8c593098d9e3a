/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reference semantics of one element of the tile operations: unpack, exact
 * operation, one rounding.  The row kernels are measured against this file.
 */
#include "tile/port.h"
#include "tile/numeric.h"

/*
 * Encode the result of an arithmetic operation.  An exact infinity in a format
 * without one (E4M3 division by zero) is the canonical NaN and adds no flag.
 */
static uint64_t pack_result(const PtoFormat *fmt, const PtoNum *n,
                            PtoRound mode, uint32_t *flags)
{
    if (n->cls == PTO_NUM_INF && !(fmt->flags & PTO_FMT_HAS_INF)) {
        return fmt->canonical_nan;
    }
    return pto_num_round(fmt, n, mode, false, flags);
}

static uint64_t sign_mask(const PtoFormat *fmt)
{
    return UINT64_C(1) << (fmt->elem_bits - 1);
}

/* ---- integers ------------------------------------------------------------ */

static int64_t sign_extend(const PtoFormat *fmt, uint64_t v)
{
    unsigned shift = 64 - fmt->elem_bits;

    return (int64_t)(v << shift) >> shift;
}

/* Division and floor modulo (N18); the caller rejects a zero divisor. */
static uint64_t int_div_rem(bool rem, bool is_signed, uint64_t a, uint64_t b)
{
    int64_t sa = a, sb = b, r;

    if (!b) {
        return 0;
    }
    if (!is_signed) {
        return rem ? a % b : a / b;
    }
    if (sb == -1) {
        return rem ? 0 : -a;
    }
    r = sa % sb;
    if (!rem) {
        return sa / sb;
    }
    return r && (r < 0) != (sb < 0) ? r + sb : r;
}

static uint64_t int_binary(PtoElemBinary op, const PtoFormat *fmt, uint64_t a,
                           uint64_t b)
{
    bool is_signed = fmt->kind == PTO_FMT_SIGNED;
    unsigned count = b & (fmt->elem_bits - 1);
    bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;

    switch (op) {
    case PTO_ELEM_ADD:
        return a + b;
    case PTO_ELEM_SUB:
        return a - b;
    case PTO_ELEM_MUL:
        return a * b;
    case PTO_ELEM_DIV:
    case PTO_ELEM_REM:
        return int_div_rem(op == PTO_ELEM_REM, is_signed, a, b);
    case PTO_ELEM_MIN:
        return less ? a : b;
    case PTO_ELEM_MAX:
        return less ? b : a;
    case PTO_ELEM_AND:
        return a & b;
    case PTO_ELEM_OR:
        return a | b;
    case PTO_ELEM_XOR:
        return a ^ b;
    case PTO_ELEM_SHL:
        return a << count;
    case PTO_ELEM_SHR:
        return is_signed ? (uint64_t)((int64_t)a >> count) : a >> count;
    default:
        return 0;
    }
}

/* Operand at 64 bits: extended by the signedness of its type. */
static uint64_t int_operand(const PtoFormat *fmt, PtoDataType type, uint64_t v)
{
    return fmt->kind == PTO_FMT_SIGNED ? (uint64_t)sign_extend(fmt, v)
                                       : v & pto_type_mask(type);
}

/* ---- floating ------------------------------------------------------------ */

/* IEEE number operand preferred over a NaN; mixed zeros by sign (N12). */
static uint64_t float_min_max(bool max, const PtoFormat *fmt, uint64_t a,
                              uint64_t b, uint32_t *flags)
{
    PtoNum x = pto_num_unpack_fmt(fmt, a), y = pto_num_unpack_fmt(fmt, b);
    int order;

    if (x.cls == PTO_NUM_SNAN || y.cls == PTO_NUM_SNAN) {
        *flags |= PTO_FLAG_NV;
    }
    if (pto_num_is_nan(&x)) {
        return pto_num_is_nan(&y) ? fmt->canonical_nan : b;
    }
    if (pto_num_is_nan(&y)) {
        return a;
    }
    order = pto_num_compare(&x, &y);
    if (order == 0) {
        return x.sign == max ? b : a;
    }
    return (order > 0) == max ? a : b;
}

static uint64_t float_binary(PtoElemBinary op, const PtoFormat *fmt, uint64_t a,
                             uint64_t b, PtoRound mode, uint32_t *flags)
{
    PtoNum x, y, r;

    if (op == PTO_ELEM_MIN || op == PTO_ELEM_MAX) {
        return float_min_max(op == PTO_ELEM_MAX, fmt, a, b, flags);
    }
    x = pto_num_unpack_fmt(fmt, a);
    y = pto_num_unpack_fmt(fmt, b);
    switch (op) {
    case PTO_ELEM_ADD:
        r = pto_num_add(&x, &y, mode, flags);
        break;
    case PTO_ELEM_SUB:
        r = pto_num_sub(&x, &y, mode, flags);
        break;
    case PTO_ELEM_MUL:
        r = pto_num_mul(&x, &y, flags);
        break;
    case PTO_ELEM_DIV:
        r = pto_num_div(&x, &y, flags);
        break;
    case PTO_ELEM_REM:
        r = pto_num_floor_rem(&x, &y, flags);
        break;
    default:
        return 0;
    }
    return pack_result(fmt, &r, mode, flags);
}

uint64_t pto_elem_binary(PtoElemBinary op, PtoDataType type, uint64_t a,
                         uint64_t b, PtoRound mode, uint32_t *flags)
{
    const PtoFormat *fmt = pto_format(type);

    if (!pto_type_is_integer(type)) {
        return float_binary(op, fmt, a, b, mode, flags);
    }
    return int_binary(op, fmt, int_operand(fmt, type, a),
                      int_operand(fmt, type, b)) & pto_type_mask(type);
}

/* Negative numbers become +0; a NaN becomes canonical. */
static uint64_t float_relu(const PtoFormat *fmt, uint64_t a, uint32_t *flags)
{
    PtoNum x = pto_num_unpack_fmt(fmt, a);

    if (pto_num_is_nan(&x)) {
        *flags |= x.cls == PTO_NUM_SNAN ? PTO_FLAG_NV : 0;
        return fmt->canonical_nan;
    }
    return x.sign ? 0 : a;
}

uint64_t pto_elem_unary(PtoElemUnary op, PtoDataType type, uint64_t a,
                        PtoRound mode, uint32_t *flags)
{
    const PtoFormat *fmt = pto_format(type);
    bool is_int = pto_type_is_integer(type);
    PtoNum x, r, one;

    switch (op) {
    case PTO_ELEM_ABS:
        if (!is_int) {
            return a & ~sign_mask(fmt);
        }
        return fmt->kind == PTO_FMT_SIGNED && sign_extend(fmt, a) < 0
               ? -a & pto_type_mask(type) : a;
    case PTO_ELEM_NEG:
        return is_int ? -a & pto_type_mask(type) : a ^ sign_mask(fmt);
    case PTO_ELEM_RELU:
        if (!is_int) {
            return float_relu(fmt, a, flags);
        }
        return fmt->kind == PTO_FMT_SIGNED && sign_extend(fmt, a) < 0 ? 0 : a;
    case PTO_ELEM_NOT:
        return ~a & pto_type_mask(type);
    default:
        break;
    }
    x = pto_num_unpack_fmt(fmt, a);
    switch (op) {
    case PTO_ELEM_EXP:
        r = pto_num_exp(&x, flags);
        break;
    case PTO_ELEM_LOG:
        r = pto_num_log(&x, flags);
        break;
    case PTO_ELEM_SQRT:
        r = pto_num_sqrt(&x, flags);
        break;
    case PTO_ELEM_RSQRT:
        r = pto_num_rsqrt(&x, flags);
        break;
    default:
        one = pto_num_from_int(1);
        r = pto_num_div(&one, &x, flags);
        break;
    }
    return pack_result(fmt, &r, mode, flags);
}

uint64_t pto_elem_fma(PtoDataType type, uint64_t a, uint64_t b, uint64_t c,
                      PtoRound mode, uint32_t *flags)
{
    const PtoFormat *fmt = pto_format(type);
    PtoNum x, y, z, r;

    if (pto_type_is_integer(type)) {
        return (a * b + c) & pto_type_mask(type);
    }
    x = pto_num_unpack_fmt(fmt, a);
    y = pto_num_unpack_fmt(fmt, b);
    z = pto_num_unpack_fmt(fmt, c);
    r = pto_num_fma(&x, &y, &z, mode, flags);
    return pack_result(fmt, &r, mode, flags);
}

/* Truth of a relation for order -1, 0, 1 or 2 (unordered). */
static bool relation_holds(PtoCompare rel, int order)
{
    switch (rel) {
    case PTO_CMP_EQ:
        return order == 0;
    case PTO_CMP_NE:
        return order != 0;
    case PTO_CMP_LT:
        return order == -1;
    case PTO_CMP_GT:
        return order == 1;
    case PTO_CMP_LE:
        return order <= 0;
    case PTO_CMP_GE:
        return order == 0 || order == 1;
    default:
        return false;
    }
}

bool pto_elem_compare(PtoCompare rel, PtoDataType type, uint64_t a, uint64_t b,
                      uint32_t *flags)
{
    PtoNum x = pto_num_unpack(type, a), y = pto_num_unpack(type, b);

    if (x.cls == PTO_NUM_SNAN || y.cls == PTO_NUM_SNAN) {
        *flags |= PTO_FLAG_NV;
    }
    return relation_holds(rel, pto_num_compare(&x, &y));
}

uint64_t pto_elem_expdif(PtoDataType src, PtoDataType dst, uint64_t a,
                         uint64_t b, uint32_t *flags)
{
    PtoNum x = pto_num_unpack(src, a), y = pto_num_unpack(src, b);
    PtoNum difference = pto_num_sub(&x, &y, PTO_ROUND_RNE, flags);
    uint64_t rounded = pack_result(pto_format(dst), &difference, PTO_ROUND_RNE,
                                   flags);

    return pto_elem_unary(PTO_ELEM_EXP, dst, rounded, PTO_ROUND_RNE, flags);
}
