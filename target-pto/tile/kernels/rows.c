/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rectangles of elements: the fast path where one exists, else the reference
 * element by element.
 */
#include "tile/port.h"
#include "tile/kernels/rows.h"

static const void *row_at(const PtoRows *v, size_t row)
{
    return (const uint8_t *)v->base + row * v->stride;
}

static void *out_at(const PtoRowsOut *v, size_t row)
{
    return (uint8_t *)v->base + row * v->stride;
}

static uint64_t load_at(const PtoRows *v, PtoDataType type, size_t row,
                        size_t col)
{
    return pto_elem_load(type, row_at(v, row), v->splat ? 0 : col);
}

void pto_rows_binary(PtoElemBinary op, PtoDataType type, PtoRowsOut dst,
                     PtoRows a, PtoRows b, size_t rows, size_t cols,
                     uint32_t *flags)
{
    if (pto_rows_binary_fast(op, type, dst, a, b, rows, cols, flags)) {
        return;
    }
    for (size_t i = 0; i < rows; i++) {
        for (size_t k = 0; k < cols; k++) {
            uint64_t r = pto_elem_binary(op, type, load_at(&a, type, i, k),
                                         load_at(&b, type, i, k),
                                         PTO_ROUND_RNE, flags);

            pto_elem_store(type, out_at(&dst, i), k, r);
        }
    }
}

void pto_rows_unary(PtoElemUnary op, PtoDataType type, PtoRowsOut dst,
                    PtoRows a, size_t rows, size_t cols, uint32_t *flags)
{
    if (pto_rows_unary_fast(op, type, dst, a, rows, cols, flags)) {
        return;
    }
    for (size_t i = 0; i < rows; i++) {
        for (size_t k = 0; k < cols; k++) {
            uint64_t r = pto_elem_unary(op, type, load_at(&a, type, i, k),
                                        PTO_ROUND_RNE, flags);

            pto_elem_store(type, out_at(&dst, i), k, r);
        }
    }
}

void pto_rows_fma(PtoDataType type, PtoRowsOut dst, PtoRows a, PtoRows b,
                  PtoRows c, size_t rows, size_t cols, uint32_t *flags)
{
    if (pto_rows_fma_fast(type, dst, a, b, c, rows, cols, flags)) {
        return;
    }
    for (size_t i = 0; i < rows; i++) {
        for (size_t k = 0; k < cols; k++) {
            uint64_t r = pto_elem_fma(type, load_at(&a, type, i, k),
                                      load_at(&b, type, i, k),
                                      load_at(&c, type, i, k),
                                      PTO_ROUND_RNE, flags);

            pto_elem_store(type, out_at(&dst, i), k, r);
        }
    }
}

static void store_bit(uint8_t *bits, size_t index, bool value)
{
    uint8_t mask = 1u << (index % 8);

    bits[index / 8] = (bits[index / 8] & ~mask) | (value ? mask : 0);
}

void pto_rows_compare(PtoCompare rel, PtoDataType type, uint8_t *bits,
                      size_t bit_stride, PtoRows a, PtoRows b, size_t rows,
                      size_t cols, uint32_t *flags)
{
    if (pto_rows_compare_fast(rel, type, bits, bit_stride, a, b, rows, cols,
                              flags)) {
        return;
    }
    for (size_t i = 0; i < rows; i++) {
        for (size_t k = 0; k < cols; k++) {
            store_bit(bits, i * bit_stride + k,
                      pto_elem_compare(rel, type, load_at(&a, type, i, k),
                                       load_at(&b, type, i, k), flags));
        }
    }
}

void pto_rows_convert(PtoDataType src, PtoDataType dst, PtoRowsOut out,
                      PtoRows in, size_t rows, size_t cols, PtoRound mode,
                      bool sat, bool canon, uint32_t *flags)
{
    if (pto_rows_convert_fast(src, dst, out, in, rows, cols, mode, sat, canon,
                              flags)) {
        return;
    }
    for (size_t i = 0; i < rows; i++) {
        for (size_t k = 0; k < cols; k++) {
            uint64_t r = pto_elem_convert(src, dst, load_at(&in, src, i, k),
                                          mode, sat, canon, flags);

            pto_elem_store(dst, out_at(&out, i), k, r);
        }
    }
}

/* Elements of the intermediate difference kept on the stack. */
#define EXPDIF_CHUNK 512

/* Exact widening never raises a flag but NV of a signaling NaN (N19). */
static const void *expdif_operand(PtoDataType src, PtoDataType dst,
                                  const PtoRows *v, size_t row, size_t col,
                                  size_t n, void *buffer, uint32_t *flags)
{
    size_t bytes = pto_type_bits(src) / 8;
    PtoRows at = { (const uint8_t *)row_at(v, row) +
                   (v->splat ? 0 : col * bytes), 0, v->splat };

    if (src == dst && !v->splat) {
        return at.base;
    }
    pto_rows_convert(src, dst, (PtoRowsOut) { buffer, 0 }, at, 1, n,
                     PTO_ROUND_RNE, false, false, flags);
    return buffer;
}

void pto_rows_expdif(PtoDataType src, PtoDataType dst, PtoRowsOut out,
                     PtoRows a, PtoRows b, size_t rows, size_t cols,
                     uint32_t *flags)
{
    uint64_t left[EXPDIF_CHUNK / 2], right[EXPDIF_CHUNK / 2];
    size_t dst_bytes = pto_type_bits(dst) / 8;

    for (size_t i = 0; i < rows; i++) {
        for (size_t k = 0; k < cols; k += EXPDIF_CHUNK) {
            size_t n = MIN(cols - k, (size_t)EXPDIF_CHUNK);
            uint8_t *to = (uint8_t *)out_at(&out, i) + k * dst_bytes;
            const void *x = expdif_operand(src, dst, &a, i, k, n, left, flags);
            const void *y = expdif_operand(src, dst, &b, i, k, n, right, flags);

            pto_row_binary(PTO_ELEM_SUB, dst, left, x, y, n, flags);
            pto_row_unary(PTO_ELEM_EXP, dst, to, left, n, flags);
        }
    }
}
