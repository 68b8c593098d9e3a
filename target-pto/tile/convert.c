/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TCVT, TQUANT and TDEQUANT of one element.
 */
#include "tile/port.h"
#include "tile/numeric.h"

/* Integer to integer: wrap or clamp, never a flag (N22). */
static uint64_t convert_int(PtoDataType src, PtoDataType dst, uint64_t bits,
                            bool sat)
{
    PtoNum n = pto_num_unpack(src, bits);
    uint32_t ignored = 0;

    if (sat) {
        return pto_num_round(pto_format(dst), &n, PTO_ROUND_RTZ, true, &ignored);
    }
    if (pto_type_is_signed(src)) {
        unsigned shift = 64 - pto_type_bits(src);

        bits = (int64_t)(bits << shift) >> shift;
    } else {
        bits &= pto_type_mask(src);
    }
    return bits & pto_type_mask(dst);
}

uint64_t pto_elem_convert(PtoDataType src, PtoDataType dst, uint64_t bits,
                          PtoRound mode, bool sat, bool canon, uint32_t *flags)
{
    PtoNum n;

    if (pto_type_is_integer(src) && pto_type_is_integer(dst)) {
        return convert_int(src, dst, bits, sat);
    }
    if (mode == PTO_ROUND_NONE && pto_type_is_integer(dst)) {
        mode = PTO_ROUND_RTZ;   /* the default of float to integer */
    }
    n = pto_num_unpack(src, bits);
    if (canon && n.cls == PTO_NUM_SNAN) {
        n.cls = PTO_NUM_QNAN;
    }
    return pto_num_round(pto_format(dst), &n, mode, sat, flags);
}

/*
 * Wrap or clamp the rounded sum to the destination (N13).  From 2^64 on the
 * product, which has at most 48 significant bits, is a multiple of 2^16, so
 * that the wrapped sum is the zero point.
 */
static uint64_t quant_store(PtoDataType dst, const PtoNum *n, PtoRound mode,
                            bool sat, int64_t zero_point, uint32_t *flags)
{
    uint32_t ignored = 0, raised = 0;
    uint64_t sum;

    if (n->cls == PTO_NUM_FINITE && n->exp >= 62) {
        if (sat) {
            return pto_num_round(pto_format(dst), n, mode, true, &ignored);
        }
        sum = n->exp >= 64 ? (uint64_t)zero_point
                           : (uint64_t)(n->sig >> (127 - n->exp));
        if (n->exp < 64 && n->sign) {
            sum = -sum;
        }
        return sum & pto_type_mask(dst);
    }
    sum = pto_num_round(pto_format(PTO_S64), n, mode, false, &raised);
    *flags |= raised;
    return convert_int(PTO_S64, dst, sum, sat);
}

uint64_t pto_elem_quant(PtoDataType dst, uint32_t x, uint32_t scale,
                        int64_t zero_point, PtoRound mode, bool sat,
                        uint32_t *flags)
{
    PtoNum value = pto_num_unpack(PTO_FP32, x);
    PtoNum factor = pto_num_unpack(PTO_FP32, scale);
    PtoNum zero = pto_num_from_int(zero_point);
    uint32_t unused = 0;
    PtoNum n = pto_num_fma(&value, &factor, &zero, mode, &unused);

    if (pto_num_is_nan(&n)) {
        *flags |= PTO_FLAG_NV;
        return 0;
    }
    if (n.cls == PTO_NUM_INF) {
        return pto_num_round(pto_format(dst), &n, mode, true, flags);
    }
    return quant_store(dst, &n, mode, sat, zero_point, flags);
}

uint32_t pto_elem_dequant(PtoDataType src, uint64_t q, uint32_t scale,
                          int64_t zero_point, PtoRound mode, uint32_t *flags)
{
    PtoNum value = pto_num_unpack(src, q);
    PtoNum zero = pto_num_from_int(zero_point);
    PtoNum factor = pto_num_unpack(PTO_FP32, scale);
    PtoNum n = pto_num_sub(&value, &zero, PTO_ROUND_RNE, flags);

    if (n.cls == PTO_NUM_ZERO && factor.cls <= PTO_NUM_FINITE) {
        return 0;
    }
    n = pto_num_mul(&n, &factor, flags);
    return pto_num_round(pto_format(PTO_FP32), &n, mode, false, flags);
}
