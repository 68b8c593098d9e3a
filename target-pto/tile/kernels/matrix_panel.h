/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Panels: the form in which the matrix kernels see their operands.
 *
 * A is k-major: step s holds one 32-bit lane per row, @lda lanes after step
 * s - 1.  B is cut into panels of eight columns; a panel is a row of cells of
 * 8 x @cr units, the step fastest inside a column, exactly as a CUBE_N8 CELL
 * stores 32-bit elements.  A row-major B has cells of one step.  The result is
 * column-major with @ldd lanes per column, which is how CUBE_M32 stores 32-bit
 * elements, so that no operand of an FP32 product in those layouts is copied.
 *
 * A unit is a float, or for integers a pair of int16 values of two successive
 * steps.  An odd K has a zero as the last value of A.
 */
#ifndef PTO_TILE_MATRIX_PANEL_H
#define PTO_TILE_MATRIX_PANEL_H

#include "tile/port.h"

#define PTO_PANEL_COLUMNS 8u

typedef struct PtoMatPanels {
    unsigned m;             /* valid rows, 1..32; A has lanes up to 16 or 32 */
    unsigned n;             /* columns */
    unsigned steps;         /* K, or half of it rounded up for integers */
    unsigned lda;           /* lanes from one step of A to the next */
    unsigned ldd;           /* lanes of a column of C and D: 16 or 32 */
    unsigned cr;            /* steps of one B cell */
    size_t cell;            /* units between two cells of a panel of B */
    size_t panel;           /* units between two panels of B */
    const void *a;
    const void *b;
    const uint32_t *c;      /* start values, column-major, or NULL for +0 */
    const uint32_t *bias;   /* one value per column, or NULL */
    uint32_t *d;            /* n columns; lanes m..ldd-1 become zero */
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

    /* U16 to int16: value - 32768. */
    void (*flip_half)(uint16_t *dst, const uint16_t *src, size_t count);

    /*
     * For each of @count CELLs: dst[c * lda + r] = src[r * cols + c], @lda rows
     * (16 or 32) of 1, 2, 4, 8 or 16 units of 32 bits.
     */
    void (*transpose_cells)(uint32_t *dst, const uint32_t *src, unsigned lda,
                            unsigned cols, unsigned count);

    /* The inverse of transpose_cells. */
    void (*untranspose_cells)(uint32_t *dst, const uint32_t *src, unsigned lda,
                              unsigned cols, unsigned count);

    /*
     * dst[c * ldd + r] = src[r * lds + c] for 16 rows and 16 columns of 32-bit
     * units.
     */
    void (*transpose_block)(uint32_t *dst, size_t ldd, const uint32_t *src,
                            size_t lds);

    /* dst[i] = lo[i] | hi[i] << 16: two steps of a row-major integer B. */
    void (*interleave)(uint32_t *dst, const uint16_t *lo, const uint16_t *hi,
                       size_t count);

    /* v[s * lanes + i] *= factor[i], FP32, @steps rows of 16 or 32 lanes. */
    void (*scale_lanes)(uint32_t *v, const uint32_t *factor, unsigned lanes,
                        unsigned steps);

    /* v[i * run + s] *= factor[i], FP32, @count runs of 4, 8, 16 or 32. */
    void (*scale_runs)(uint32_t *v, const uint32_t *factor, unsigned run,
                       unsigned count);

    /*
     * The 16 factors of each of @count HiF4 scale words, one for every four
     * elements; FP32 encodings.
     */
    void (*hif4_factors)(uint32_t *dst, const uint32_t *words, unsigned count);
} PtoMatKernels;

extern const PtoMatKernels pto_mat_kernels_portable;

/* Members of the portable set that vector sets reuse. */
void pto_mat_portable_widen_byte(uint32_t *dst, const uint8_t *src,
                                 size_t count, const uint16_t table[129]);
void pto_mat_portable_widen_nibble(uint32_t *dst, const uint8_t *src,
                                   size_t count, const uint16_t table[16]);
void pto_mat_portable_extend_nibble(uint16_t *dst, const uint8_t *src,
                                    size_t count, bool is_signed);
void pto_mat_portable_flip_half(uint16_t *dst, const uint16_t *src,
                                size_t count);
void pto_mat_portable_transpose_cells(uint32_t *dst, const uint32_t *src,
                                      unsigned lda, unsigned cols,
                                      unsigned count);
void pto_mat_portable_untranspose_cells(uint32_t *dst, const uint32_t *src,
                                        unsigned lda, unsigned cols,
                                        unsigned count);
void pto_mat_portable_transpose_block(uint32_t *dst, size_t ldd,
                                      const uint32_t *src, size_t lds);
void pto_mat_portable_interleave(uint32_t *dst, const uint16_t *lo,
                                 const uint16_t *hi, size_t count);
void pto_mat_portable_scale_lanes(uint32_t *v, const uint32_t *factor,
                                  unsigned lanes, unsigned steps);
void pto_mat_portable_scale_runs(uint32_t *v, const uint32_t *factor,
                                 unsigned run, unsigned count);
void pto_mat_portable_hif4_factors(uint32_t *dst, const uint32_t *words,
                                   unsigned count);

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
