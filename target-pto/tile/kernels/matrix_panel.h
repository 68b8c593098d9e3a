/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Panels: the form in which the matrix kernels see their operands.
 *
 * A is k-major: step s holds @lda 32-bit lanes, one per row.  B is cut into
 * panels of eight columns; a panel is a row of cells of 8 x @cr units, the
 * step fastest inside a column, exactly as a CUBE_N8 CELL stores 32-bit
 * elements.  The result is column-major with @lda lanes per column, which is
 * how CUBE_M32 stores 32-bit elements, so that no operand of an FP32 product
 * in those layouts is copied.
 *
 * A unit is a float, or for integers a pair of int16 values of two successive
 * steps.  An odd K has a zero as the last value of A.
 */
#ifndef PTO_TILE_MATRIX_PANEL_H
#define PTO_TILE_MATRIX_PANEL_H

#include "tile/port.h"

#define PTO_PANEL_COLUMNS 8u

typedef struct PtoMatPanels {
    unsigned m;             /* valid rows, 1..32 */
    unsigned n;             /* columns */
    unsigned steps;         /* K, or half of it rounded up for integers */
    unsigned lda;           /* lanes of a step of A and of a column: 16 or 32 */
    unsigned cr;            /* steps of one B cell */
    size_t panel;           /* units between two panels of B */
    const void *a;
    const void *b;
    const uint32_t *c;      /* start values, column-major, or NULL for +0 */
    const uint32_t *bias;   /* one value per column, or NULL */
    uint32_t *d;            /* n columns; lanes m..lda-1 become zero */
} PtoMatPanels;

/* One implementation of the whole-matrix loops and of the widening loops. */
typedef struct PtoMatKernels {
    const char *name;

    /*
     * FP32 product: each output takes its K terms in increasing order with one
     * fused rounding each, then the bias; NaNs leave canonical (rule N21).
     */
    void (*product_f32)(const PtoMatPanels *p);

    /* Product modulo 2^32 of int16 pairs (rule N11). */
    void (*product_s16)(const PtoMatPanels *p);

    /* @count FP16 or BF16 elements to FP32 bits. */
    void (*widen_fp16)(uint32_t *dst, const uint16_t *src, size_t count);
    void (*widen_bf16)(uint32_t *dst, const uint16_t *src, size_t count);

    /*
     * Bytes to FP32 bits: BF16 values of codes 0..127, sign in code bit 7,
     * except code 0x80, which is entry 128.
     */
    void (*widen_byte)(uint32_t *dst, const uint8_t *src, size_t count,
                       const uint16_t table[129]);

    /* 2 * @count nibbles, low first, through a 16-entry BF16 table. */
    void (*widen_nibble)(uint32_t *dst, const uint8_t *src, size_t count,
                         const uint16_t table[16]);

    /* Bytes and nibbles to int16, sign or zero extended. */
    void (*extend_byte)(uint16_t *dst, const uint8_t *src, size_t count,
                        bool is_signed);
    void (*extend_nibble)(uint16_t *dst, const uint8_t *src, size_t count,
                          bool is_signed);

    /*
     * dst[c * lda + r] = src[r * cols + c] for @lda rows (16 or 32) and cols
     * 1, 2, 4, 8 or 16 units of 32 bits.
     */
    void (*transpose_cell)(uint32_t *dst, const uint32_t *src, unsigned lda,
                           unsigned cols);

    /* The inverse of transpose_cell. */
    void (*untranspose_cell)(uint32_t *dst, const uint32_t *src, unsigned lda,
                             unsigned cols);

    /*
     * v[i] *= scale over @count FP32 values.  Returns true if a finite value
     * became an infinity, that is if the product was not exact.
     */
    bool (*scale)(uint32_t *v, size_t count, uint32_t scale);

    /* v[i] *= scale[i], same result. */
    bool (*scale_each)(uint32_t *v, const uint32_t *scale, size_t count);
} PtoMatKernels;

extern const PtoMatKernels pto_mat_kernels_portable;

/* Members of the portable set that vector sets reuse. */
void pto_mat_portable_widen_byte(uint32_t *dst, const uint8_t *src,
                                 size_t count, const uint16_t table[129]);
void pto_mat_portable_widen_nibble(uint32_t *dst, const uint8_t *src,
                                   size_t count, const uint16_t table[16]);
void pto_mat_portable_extend_nibble(uint16_t *dst, const uint8_t *src,
                                    size_t count, bool is_signed);
void pto_mat_portable_transpose_cell(uint32_t *dst, const uint32_t *src,
                                     unsigned lda, unsigned cols);
void pto_mat_portable_untranspose_cell(uint32_t *dst, const uint32_t *src,
                                       unsigned lda, unsigned cols);
bool pto_mat_portable_scale(uint32_t *v, size_t count, uint32_t scale);
bool pto_mat_portable_scale_each(uint32_t *v, const uint32_t *scale,
                                 size_t count);

/**
 * pto_mat_kernels_best: the fastest kernels the host can run.
 */
const PtoMatKernels *pto_mat_kernels_best(void);

/**
 * pto_mat_kernels_list: kernels runnable on the host, slowest first.
 * @index: position
 *
 * Returns: NULL behind the last one.
 */
const PtoMatKernels *pto_mat_kernels_list(unsigned index);

#define PTO_F32_CANONICAL_NAN 0x7fc00000u

#endif
