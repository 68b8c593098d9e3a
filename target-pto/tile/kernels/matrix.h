/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The matrix product of the CUBE operations on logical operands:
 *
 *     D[m,n] = C[m,n] + sum over k of A[m,k] * B[k,n], then + bias[n]
 *
 * with K in increasing order and one rounding per term.  Post-processing,
 * layouts of D and legality are elsewhere.
 */
#ifndef PTO_TILE_KERNELS_MATRIX_H
#define PTO_TILE_KERNELS_MATRIX_H

#include "tile/types.h"
#include "tile/kernels/matrix_panel.h"

/*
 * A logical rows x cols matrix inside a payload.  Row-major payloads have
 * @stride elements per row, CUBE payloads @stride CELLs along K (k_repeat).
 * Logical row 0 is row @row0 of the untransposed operand.
 */
typedef struct PtoMatView {
    const uint8_t *data;    /* NULL: the operand is absent */
    uint8_t type;           /* PtoDataType */
    uint8_t layout;         /* PTO_LAYOUT_ROW, _M16, _M32 or _N8 */
    bool trans;             /* logical (r, c) is stored at (c, r) */
    uint32_t row0;
    uint32_t stride;
} PtoMatView;

typedef enum PtoMatPath {
    PTO_MAT_FAST,           /* kernels, the reference where they cannot serve */
    PTO_MAT_REFERENCE,      /* numeric engine, element by element */
} PtoMatPath;

typedef struct PtoMatProblem {
    unsigned m, n, k;       /* m 1..32, n and k at least 1 */
    PtoDataType acc;        /* FP32, S32 or U32 */
    bool raw_carrier;       /* arithmetic of the reference model, modulo 2^32 */
    PtoMatPath path;
    const PtoMatKernels *kernels;   /* NULL: the best ones */
    PtoMatView a;           /* m x k */
    PtoMatView b;           /* k x n */
    PtoMatView sa;          /* m x groups: E8M0, or U32 words for HiF4X2 */
    PtoMatView sb;          /* groups x n, or n x groups with sb_by_column */
    bool sb_by_column;
    PtoMatView c;           /* m x n of the accumulator type */
    PtoMatView cscale;      /* m x 1 of U8: C is divided by 2^value first */
    PtoMatView bias;        /* 1 x n of the accumulator type */
    /*
     * Lanes per column of d: 16 (m at most 16) or 32; the CELL rows of A and C
     * when they are in a CUBE layout.
     */
    unsigned lda;
    uint32_t *d;            /* n columns of lda lanes; lanes from m on are 0 */
} PtoMatProblem;

/**
 * pto_mat_product: compute the product.
 *
 * Returns: PTO_FLAG_* of the C scaling; the product itself raises none (N10).
 */
unsigned pto_mat_product(const PtoMatProblem *p);

/**
 * pto_mat_view_get: logical element of a view, right aligned.
 */
uint64_t pto_mat_view_get(const PtoMatView *v, uint32_t row, uint32_t col);

/**
 * pto_mat_group: K values that share one scale: 64 for HiF4X2, else 32.
 */
static inline unsigned pto_mat_group(PtoDataType type)
{
    return type == PTO_HIF4X2 ? 64 : 32;
}

/**
 * pto_mat_e8m0_factor: FP32 encoding of an E8M0 scale.
 * @word: scale byte
 *
 * Exact: 0x00 is the subnormal 2^-127; 0xFF is the canonical NaN.
 */
static inline uint32_t pto_mat_e8m0_factor(uint32_t word)
{
    return word == 0xff ? PTO_F32_CANONICAL_NAN : word ? word << 23 : 1u << 22;
}

/**
 * pto_mat_hif4_factor: FP32 encoding of the scale of one lane of a HiF4 group.
 * @word: E6M2 base in bits 7:0, E1_8 bits in 15:8, E1_16 bits in 31:16
 * @lane: 0..63
 *
 * Exact: the exponent is -48..17. A base of 0xFF is the NaN (delta 6.3).
 */
static inline uint32_t pto_mat_hif4_factor(uint32_t word, unsigned lane)
{
    uint32_t exponent = 127 - 48 + (word >> 2 & 63) +
                        (word >> (8 + lane / 8) & 1) +
                        (word >> (16 + lane / 4) & 1);

    return (word & 0xff) == 0xff ? PTO_F32_CANONICAL_NAN
                                 : exponent << 23 | (word & 3) << 21;
}

/**
 * pto_mat_factor: scale factor of one K value.
 * @type: element type of the scaled operand
 * @word: scale of its group
 * @k: K index
 */
static inline uint32_t pto_mat_factor(PtoDataType type, uint32_t word,
                                      unsigned k)
{
    return type == PTO_HIF4X2 ? pto_mat_hif4_factor(word, k % 64)
                              : pto_mat_e8m0_factor(word);
}

/**
 * pto_mat_columns_native: is a column-major result in host byte order at the
 * same time 32-bit CUBE_M32 storage (a little-endian host)?
 */
bool pto_mat_columns_native(void);

/**
 * pto_mat_store_columns: store a result as 32-bit CUBE_M16 or CUBE_M32 CELLs.
 * @dst: payload of a tile with @lda rows per CELL
 * @d: @n columns of @lda lanes, with room for one more
 */
void pto_mat_store_columns(uint8_t *dst, const uint32_t *d, unsigned lda,
                           unsigned n);

/* Element-wise twin of the fast path; same result (matrix_ref.c). */
void pto_mat_product_reference(const PtoMatProblem *p, const uint32_t *c);

/* Sums of zero or sign extended carriers modulo 2^32 (matrix_ref.c). */
void pto_mat_product_raw(const PtoMatProblem *p, const uint32_t *c);

#endif
