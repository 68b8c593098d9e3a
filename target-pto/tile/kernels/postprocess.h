/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * B.FPATR post-processing of a matrix result: activation, scaling, conversion
 * and the row and group maxima, bit exact in both profiles
 * (PTO-MATRIX-POSTPROCESS-BITEXACT-001, PTO-MATRIX-QUANT-BITEXACT-001).
 */
#ifndef PTO_TILE_KERNELS_POSTPROCESS_H
#define PTO_TILE_KERNELS_POSTPROCESS_H

#include "tile/types.h"
#include "tile/numeric.h"

/* Where the parameter of a PreQuantMode comes from. */
typedef enum PtoPostParam {
    PTO_POST_PARAM_NONE,
    PTO_POST_PARAM_SCALAR,      /* B.IOR */
    PTO_POST_PARAM_VECTOR,      /* 1 x N U64 tile */
} PtoPostParam;

/* One row of the PreQuantMode table. */
typedef struct PtoPostMode {
    bool assigned;
    bool s32;                   /* takes an S32 accumulator, else FP32 */
    bool shift;                 /* arithmetic shift right, saturate to S16 */
    bool fixed_round;           /* RMode must be NONE */
    uint8_t param;              /* PtoPostParam */
    uint8_t offset_width;       /* bits of the signed offset, 0 = none */
    uint8_t out;                /* PtoDataType; mode 0 keeps the accumulator */
    uint8_t round;              /* PtoRound when fixed */
} PtoPostMode;

/**
 * pto_post_mode: table row of a PreQuantMode.
 * @mode: six-bit field
 *
 * Returns: a row with @assigned false for a reserved code.
 */
const PtoPostMode *pto_post_mode(unsigned mode);

/**
 * pto_post_accumulator_ok: may @mode follow an accumulator of type @acc?
 */
bool pto_post_accumulator_ok(unsigned mode, PtoDataType acc);

/**
 * pto_post_output: type of D.
 */
static inline PtoDataType pto_post_output(unsigned mode, PtoDataType acc)
{
    return mode == 0 ? acc : (PtoDataType)pto_post_mode(mode)->out;
}

/**
 * pto_post_quant_word_ok: is a quantization parameter word legal for @mode?
 */
bool pto_post_quant_word_ok(unsigned mode, uint64_t word);

/**
 * pto_post_relu_word_ok: is an activation parameter word legal?
 */
bool pto_post_relu_word_ok(uint64_t word);

/**
 * pto_post_group_n: columns of one group maximum, 0 for code 0.
 * @code: GroupNCode 0..9
 */
unsigned pto_post_group_n(unsigned code);

/* Conversion controls of one block. */
typedef struct PtoPost {
    uint8_t mode;               /* PreQuantMode */
    uint8_t relu;               /* 0 none, 1 ReLU, 2 scalar, 3 vector alpha */
    uint8_t rmode;              /* raw RMode field */
    bool sat;
    PtoDataType acc;
} PtoPost;

/**
 * pto_post_element: convert one accumulator element.
 * @post: controls
 * @x: accumulator element
 * @quant: parameter word of the column (unused without a parameter)
 * @alpha: FP19 activation parameter of the column
 * @flags: PTO_FLAG_* are ORed in
 *
 * Returns: element of type pto_post_output().
 */
uint64_t pto_post_element(const PtoPost *post, uint32_t x, uint64_t quant,
                          uint64_t alpha, unsigned *flags);

/**
 * pto_post_matrix: convert a column-major result in place.
 * @d: @n columns of @lda lanes; lanes 0..@m-1 are converted
 * @quant: one word per column, or one word with @quant_vector false
 * @alpha: likewise
 *
 * Returns: OR of the element flags.
 */
unsigned pto_post_matrix(const PtoPost *post, uint32_t *d, unsigned lda,
                         unsigned m, unsigned n,
                         const uint64_t *quant, bool quant_vector,
                         const uint64_t *alpha, bool alpha_vector);

/**
 * pto_post_max_step: one step of a row or group maximum.
 * @acc: accumulator type
 * @max_abs: compare magnitudes
 */
uint32_t pto_post_max_step(PtoDataType acc, bool max_abs, uint32_t current,
                           uint32_t candidate, unsigned *flags);

/**
 * pto_post_max: maximum of columns [first, first + count) of row @row.
 */
uint32_t pto_post_max(PtoDataType acc, bool max_abs, const uint32_t *d,
                      unsigned lda, unsigned row, unsigned first,
                      unsigned count, unsigned *flags);

#endif
