/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scalar floating point of the IEEE profile: thin views of the element
 * operations on 64-bit registers.
 */
#include "tile/port.h"
#include "tile/scalarfp.h"

static PtoDataType source_type(PtoFpSrc src)
{
    return src == PTO_FP_SRC_FP32 ? PTO_FP32 : PTO_FP64;
}

static uint64_t source_bits(PtoFpSrc src, uint64_t v)
{
    return src == PTO_FP_SRC_FP32 ? (uint32_t)v : v;
}

static uint64_t sign_bit(PtoFpSrc src)
{
    return UINT64_C(1) << (src == PTO_FP_SRC_FP32 ? 31 : 63);
}

PtoRound pto_fpu_active_mode(unsigned code)
{
    switch (code) {
    case 1:
        return PTO_ROUND_RDN;
    case 2:
        return PTO_ROUND_RUP;
    case 3:
        return PTO_ROUND_RTZ;
    default:
        return PTO_ROUND_RNE;
    }
}

uint64_t pto_fpu_binary(PtoFpuBinary op, PtoFpSrc src, uint64_t a, uint64_t b,
                        PtoRound mode, uint32_t *flags)
{
    static const PtoElemBinary map[] = {
        [PTO_FPU_ADD] = PTO_ELEM_ADD, [PTO_FPU_SUB] = PTO_ELEM_SUB,
        [PTO_FPU_MUL] = PTO_ELEM_MUL, [PTO_FPU_DIV] = PTO_ELEM_DIV,
        [PTO_FPU_MIN] = PTO_ELEM_MIN, [PTO_FPU_MAX] = PTO_ELEM_MAX,
    };

    return pto_elem_binary(map[op], source_type(src), source_bits(src, a),
                           source_bits(src, b), mode, flags);
}

uint64_t pto_fpu_unary(PtoFpuUnary op, PtoFpSrc src, uint64_t a, PtoRound mode,
                       uint32_t *flags)
{
    static const PtoElemUnary map[] = {
        [PTO_FPU_ABS] = PTO_ELEM_ABS, [PTO_FPU_SQRT] = PTO_ELEM_SQRT,
        [PTO_FPU_EXP] = PTO_ELEM_EXP, [PTO_FPU_RECIP] = PTO_ELEM_RECIP,
    };

    return pto_elem_unary(map[op], source_type(src), source_bits(src, a), mode,
                          flags);
}

uint64_t pto_fpu_fused(PtoFpuFused op, PtoFpSrc src, uint64_t a, uint64_t b,
                       uint64_t c, PtoRound mode, uint32_t *flags)
{
    if (op == PTO_FPU_NMADD || op == PTO_FPU_NMSUB) {
        a ^= sign_bit(src);
    }
    if (op == PTO_FPU_MSUB || op == PTO_FPU_NMADD) {
        c ^= sign_bit(src);
    }
    return pto_elem_fma(source_type(src), source_bits(src, a),
                        source_bits(src, b), source_bits(src, c), mode, flags);
}

uint64_t pto_fpu_compare(PtoFpuCompare op, PtoFpSrc src, uint64_t a, uint64_t b,
                         uint32_t *flags)
{
    static const PtoCompare map[] = {
        PTO_CMP_EQ, PTO_CMP_NE, PTO_CMP_LT, PTO_CMP_GE,
        PTO_CMP_EQ, PTO_CMP_NE, PTO_CMP_LT, PTO_CMP_GE,
    };
    PtoDataType type = source_type(src);

    a = source_bits(src, a);
    b = source_bits(src, b);
    if (pto_elem_nan(type, a) || pto_elem_nan(type, b)) {
        if (op >= PTO_FPU_EQS || pto_elem_snan(type, a) ||
            pto_elem_snan(type, b)) {
            *flags |= PTO_FLAG_NV;
        }
        return 0;
    }
    return pto_elem_compare(map[op], type, a, b, flags);
}

/* Round to scalar floating destination code @dst (N15). */
static uint64_t round_to_code(unsigned dst, const PtoNum *n, PtoRound mode,
                              uint32_t *flags)
{
    const PtoFormat *fmt = dst == 2 ? &pto_format_fp19 : pto_format(dst);

    return pto_num_round(fmt, n, mode, false, flags);
}

uint64_t pto_fpu_convert(PtoFpSrc src, unsigned dst_code, uint64_t a,
                         PtoRound mode, uint32_t *flags)
{
    PtoNum n = pto_num_unpack(source_type(src), source_bits(src, a));

    if (dst_code > 12) {
        return a & (dst_code == 13 ? 0xff : 0x1ff);
    }
    return round_to_code(dst_code, &n, mode, flags);
}

uint64_t pto_fpu_to_int(PtoFpSrc src, unsigned dst_code, uint64_t a,
                        PtoRound mode, uint32_t *flags)
{
    bool is_signed = dst_code >= 8;
    unsigned step = is_signed ? dst_code - 8 : dst_code;
    unsigned bits = step >= 6 ? 1 : 64u >> step;
    const PtoFormat fmt = {
        .kind = is_signed ? PTO_FMT_SIGNED : PTO_FMT_UNSIGNED,
        .elem_bits = bits,
    };
    PtoNum n = pto_num_unpack(source_type(src), source_bits(src, a));
    uint64_t r = pto_num_round(&fmt, &n, mode, false, flags);

    return is_signed ? (uint64_t)((int64_t)(r << (64 - bits)) >> (64 - bits))
                     : r;
}

uint64_t pto_fpu_from_int(bool is_signed, unsigned src_code, unsigned dst_code,
                          uint64_t a, PtoRound mode, uint32_t *flags)
{
    __int128 value;
    PtoNum n;

    if (src_code == 1) {
        value = is_signed ? (__int128)(int32_t)a : (__int128)(uint32_t)a;
    } else {
        value = is_signed ? (__int128)(int64_t)a : (__int128)a;
    }
    if (dst_code > 12) {
        return a & (dst_code == 13 ? 0xff : 0x1ff);
    }
    n = pto_num_from_int(value);
    return round_to_code(dst_code, &n, mode, flags);
}
