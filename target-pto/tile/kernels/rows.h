/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Element operations over rectangles of rows: what the tile kernels call.
 *
 * Every function gives, bit for bit and flag for flag, what the matching
 * pto_elem_* function gives element by element (rounding RNE where there is no
 * mode argument); a host fast path is used where one exists.  Rows are packed
 * elements that begin at a byte boundary; strides are in bytes.  A destination
 * must not overlap an operand unless it is the very same rectangle.
 */
#ifndef PTO_TILE_KERNELS_ROWS_H
#define PTO_TILE_KERNELS_ROWS_H

#include "tile/numeric.h"

/* Operand: a rectangle, one row for all rows, or one element per row. */
typedef struct PtoRows {
    const void *base;
    size_t stride;      /* bytes from row to row; 0 repeats the first row */
    bool splat;         /* a row is one element, repeated over the columns */
} PtoRows;

/* Destination rectangle. */
typedef struct PtoRowsOut {
    void *base;
    size_t stride;
} PtoRowsOut;

/**
 * pto_rows_binary: dst = a op b.
 * @rows, @cols: size of the rectangle in elements
 */
void pto_rows_binary(PtoElemBinary op, PtoDataType type, PtoRowsOut dst,
                     PtoRows a, PtoRows b, size_t rows, size_t cols,
                     uint32_t *flags);

/**
 * pto_rows_unary: dst = op a.
 */
void pto_rows_unary(PtoElemUnary op, PtoDataType type, PtoRowsOut dst,
                    PtoRows a, size_t rows, size_t cols, uint32_t *flags);

/**
 * pto_rows_fma: dst = a * b + c.
 */
void pto_rows_fma(PtoDataType type, PtoRowsOut dst, PtoRows a, PtoRows b,
                  PtoRows c, size_t rows, size_t cols, uint32_t *flags);

/**
 * pto_rows_compare: predicate bits of a rel b.
 * @bits: predicate payload, bit 0 of byte 0 first
 * @bit_stride: bits from row to row; other bits are left unchanged
 */
void pto_rows_compare(PtoCompare rel, PtoDataType type, uint8_t *bits,
                      size_t bit_stride, PtoRows a, PtoRows b, size_t rows,
                      size_t cols, uint32_t *flags);

/**
 * pto_rows_convert: TCVT of a rectangle, see pto_elem_convert().
 */
void pto_rows_convert(PtoDataType src, PtoDataType dst, PtoRowsOut out,
                      PtoRows in, size_t rows, size_t cols, PtoRound mode,
                      bool sat, bool canon, uint32_t *flags);

/**
 * pto_row_convert_loose: TCVT of one row in which a 4-bit element takes the low
 * half of a byte of its own.
 */
void pto_row_convert_loose(PtoDataType src, PtoDataType dst, void *out,
                           const void *in, size_t n, PtoRound mode, bool sat,
                           bool canon, uint32_t *flags);

/**
 * pto_row_encodings_valid: are all @n elements encodings their type allows?
 *
 * See pto_encoding_valid().
 */
bool pto_row_encodings_valid(PtoDataType type, const void *row, size_t n);

/**
 * pto_row_compare_bytes: a rel b of one row, one byte 0 or 1 per element.
 */
void pto_row_compare_bytes(PtoCompare rel, PtoDataType type, uint8_t *truth,
                           const void *a, const void *b, size_t n,
                           uint32_t *flags);

/**
 * pto_rows_expdif: dst = exp(a - b), see pto_elem_expdif().
 */
void pto_rows_expdif(PtoDataType src, PtoDataType dst, PtoRowsOut out,
                     PtoRows a, PtoRows b, size_t rows, size_t cols,
                     uint32_t *flags);

/*
 * The fast paths alone: false, with nothing written, when there is none for
 * this operation, type and host.  The functions above try these first.
 */
bool pto_rows_binary_fast(PtoElemBinary op, PtoDataType type, PtoRowsOut dst,
                          PtoRows a, PtoRows b, size_t rows, size_t cols,
                          uint32_t *flags);
bool pto_rows_unary_fast(PtoElemUnary op, PtoDataType type, PtoRowsOut dst,
                         PtoRows a, size_t rows, size_t cols, uint32_t *flags);
bool pto_rows_fma_fast(PtoDataType type, PtoRowsOut dst, PtoRows a, PtoRows b,
                       PtoRows c, size_t rows, size_t cols, uint32_t *flags);
bool pto_rows_compare_fast(PtoCompare rel, PtoDataType type, uint8_t *bits,
                           size_t bit_stride, PtoRows a, PtoRows b, size_t rows,
                           size_t cols, uint32_t *flags);
bool pto_rows_convert_fast(PtoDataType src, PtoDataType dst, PtoRowsOut out,
                           PtoRows in, size_t rows, size_t cols, PtoRound mode,
                           bool sat, bool canon, uint32_t *flags);

/* ---- one row ------------------------------------------------------------- */

static inline void pto_row_binary(PtoElemBinary op, PtoDataType type, void *dst,
                                  const void *a, const void *b, size_t n,
                                  uint32_t *flags)
{
    pto_rows_binary(op, type, (PtoRowsOut) { dst, 0 }, (PtoRows) { a, 0, false },
                    (PtoRows) { b, 0, false }, 1, n, flags);
}

static inline void pto_row_unary(PtoElemUnary op, PtoDataType type, void *dst,
                                 const void *a, size_t n, uint32_t *flags)
{
    pto_rows_unary(op, type, (PtoRowsOut) { dst, 0 }, (PtoRows) { a, 0, false },
                   1, n, flags);
}

static inline void pto_row_convert(PtoDataType src, PtoDataType dst, void *out,
                                   const void *in, size_t n, PtoRound mode,
                                   bool sat, bool canon, uint32_t *flags)
{
    pto_rows_convert(src, dst, (PtoRowsOut) { out, 0 },
                     (PtoRows) { in, 0, false }, 1, n, mode, sat, canon, flags);
}

#endif /* PTO_TILE_KERNELS_ROWS_H */
