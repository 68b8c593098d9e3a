/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scalar floating point of the IEEE profile on 64-bit register values.
 *
 * FP32 operands are the low words of their registers and FP32 results are
 * zero-extended.  All functions OR PTO_FLAG_* into *flags and never fail.
 */
#ifndef PTO_TILE_SCALARFP_H
#define PTO_TILE_SCALARFP_H

#include "tile/numeric.h"

/* SrcType of the scalar floating instructions: 0 FP64, 1 FP32. */
typedef enum PtoFpSrc {
    PTO_FP_SRC_FP64 = 0,
    PTO_FP_SRC_FP32 = 1,
} PtoFpSrc;

typedef enum PtoFpuBinary {
    PTO_FPU_ADD, PTO_FPU_SUB, PTO_FPU_MUL, PTO_FPU_DIV, PTO_FPU_MIN, PTO_FPU_MAX,
} PtoFpuBinary;

typedef enum PtoFpuUnary {
    PTO_FPU_ABS, PTO_FPU_SQRT, PTO_FPU_EXP, PTO_FPU_RECIP,
} PtoFpuUnary;

/* Fused forms with the negation on the product, rule N08. */
typedef enum PtoFpuFused {
    PTO_FPU_MADD,       /*  a * b + c */
    PTO_FPU_MSUB,       /*  a * b - c */
    PTO_FPU_NMADD,      /* -a * b - c */
    PTO_FPU_NMSUB,      /* -a * b + c */
} PtoFpuFused;

typedef enum PtoFpuCompare {
    PTO_FPU_EQ, PTO_FPU_NE, PTO_FPU_LT, PTO_FPU_GE,     /* quiet */
    PTO_FPU_EQS, PTO_FPU_NES, PTO_FPU_LTS, PTO_FPU_GES, /* signaling */
} PtoFpuCompare;

/**
 * pto_fpu_active_mode: rounding selector of CORE_STATE[39:37].
 * @code: 1 RDN, 2 RUP, 3 RTZ, everything else RNE
 */
PtoRound pto_fpu_active_mode(unsigned code);

uint64_t pto_fpu_binary(PtoFpuBinary op, PtoFpSrc src, uint64_t a, uint64_t b,
                        PtoRound mode, uint32_t *flags);
uint64_t pto_fpu_unary(PtoFpuUnary op, PtoFpSrc src, uint64_t a, PtoRound mode,
                       uint32_t *flags);

/**
 * pto_fpu_fused: @a = SrcL, @b = SrcR, @c = SrcA (the addend).
 */
uint64_t pto_fpu_fused(PtoFpuFused op, PtoFpSrc src, uint64_t a, uint64_t b,
                       uint64_t c, PtoRound mode, uint32_t *flags);

/**
 * pto_fpu_compare: 0 or 1; every relation with a NaN is false, FNE included.
 *
 * The signaling forms raise NV for every NaN, the quiet ones for a signaling
 * NaN.
 */
uint64_t pto_fpu_compare(PtoFpuCompare op, PtoFpSrc src, uint64_t a, uint64_t b,
                         uint32_t *flags);

/**
 * pto_fpu_convert: FCVT to scalar floating destination code 0..12 (N15).
 *
 * Codes 13 and 14 have no numeric meaning; they keep the low 8 or 9 bits.
 */
uint64_t pto_fpu_convert(PtoFpSrc src, unsigned dst_code, uint64_t a,
                         PtoRound mode, uint32_t *flags);

/**
 * pto_fpu_to_int: FCVTA/M/N/P/Z to scalar integer destination code 0..14.
 *
 * Out of range, NaN and infinity follow N04 with Sat=0; signed results are
 * sign-extended, all others zero-extended.
 */
uint64_t pto_fpu_to_int(PtoFpSrc src, unsigned dst_code, uint64_t a,
                        PtoRound mode, uint32_t *flags);

/**
 * pto_fpu_from_int: SCVTF and UCVTF.
 * @is_signed: SCVTF
 * @src_code: 0 is a 64-bit source, 1 a 32-bit source (the low word)
 * @dst_code: as in pto_fpu_convert()
 */
uint64_t pto_fpu_from_int(bool is_signed, unsigned src_code, unsigned dst_code,
                          uint64_t a, PtoRound mode, uint32_t *flags);

#endif /* PTO_TILE_SCALARFP_H */
