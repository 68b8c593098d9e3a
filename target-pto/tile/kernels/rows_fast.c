/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Choice of a host fast path for a rectangle.
 *
 * Direct loops exist for integers, orders, FP32, FP64 and the common FP16 and
 * BF16 operations.  The other floating operations widen chunks to FP64, where
 * one operation keeps at least twice the bits of the narrow type, and round
 * the result once more; the sticky (odd) step between keeps that exact.
 */
#include "tile/port.h"
#include "tile/kernels/fast.h"
#include "tile/kernels/narrow.h"
#include "tile/kernels/rows.h"

#pragma GCC optimize ("O3")

#define CHUNK 256

/* Tests build this file once per level with PTO_FAST_LEVEL 0, 1 or 2. */
#ifndef PTO_FAST_LEVEL
#define PTO_FAST_LEVEL 2
#endif

const PtoFastTable *pto_fast_table(void)
{
#if defined(__x86_64__)
    if (PTO_FAST_LEVEL > 1 && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma")) {
        return &pto_fast_avx512;
    }
    if (PTO_FAST_LEVEL > 0 && __builtin_cpu_supports("avx2") &&
        __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c")) {
        return &pto_fast_avx2;
    }
#endif
    return &pto_fast_portable;
}

static const void *row_at(const PtoRows *v, size_t row)
{
    return (const uint8_t *)v->base + row * v->stride;
}

static size_t elem_bytes(PtoDataType type)
{
    return pto_type_bits(type) / 8;
}

/* Part of a row: @n elements from column @col on. */
static const void *part_at(const PtoRows *v, PtoDataType type, size_t row,
                           size_t col)
{
    return (const uint8_t *)row_at(v, row) +
           (v->splat ? 0 : col * elem_bytes(type));
}

/* Rows that follow each other without gaps are one long row. */
static void merge_rows(size_t bytes, const PtoRowsOut *dst, const PtoRows *in[],
                       unsigned count, size_t *rows, size_t *cols)
{
    size_t row_bytes = *cols * bytes;
    bool packed = *rows > 1 && dst->stride == row_bytes;

    for (unsigned i = 0; i < count; i++) {
        const PtoRows *v = in[i];

        packed = packed && v->stride == (v->splat ? 0 : row_bytes);
    }
    if (packed) {
        *cols *= *rows;
        *rows = 1;
    }
}

/* An operand whose kernel wants whole rows: a splat is written out. */
static const void *whole_row(const PtoRows *v, PtoDataType type, size_t row,
                             size_t col, size_t n, void *buffer)
{
    size_t bytes = elem_bytes(type);
    const uint8_t *at = part_at(v, type, row, col);

    if (!v->splat) {
        return at;
    }
    for (size_t i = 0; i < n; i++) {
        memcpy((uint8_t *)buffer + i * bytes, at, bytes);
    }
    return buffer;
}

/* ---- narrow types through FP64 ------------------------------------------- */

/* One chunk of a narrow type as FP64; NV of signaling NaNs. */
static uint32_t widen_chunk(const PtoFastTable *t, PtoDataType type,
                            const PtoRows *v, size_t row, size_t col, size_t n,
                            double *out)
{
    uint32_t words[CHUNK];
    size_t count = v->splat ? 1 : n;
    uint32_t flags;

    flags = pto_widen_words(t, type, part_at(v, type, row, col), count, words);
    t->widen_fp64(out, words, count);
    for (size_t i = count; i < n; i++) {
        out[i] = out[0];
    }
    return flags;
}

/* Flags of an FP64 operation on narrow operands that the profile sees. */
#define WIDE_FLAGS (PTO_FLAG_NV | PTO_FLAG_DZ | PTO_FLAG_NX)

static uint32_t store_chunk(const PtoFastTable *t, PtoDataType type, void *to,
                            const double *value, size_t n,
                            const PtoNarrow *plan)
{
    PtoFast1 *direct = type == PTO_FP16 ? t->odd_fp16
                       : type == PTO_BF16 ? t->odd_bf16 : NULL;
    uint32_t words[CHUNK];

    if (direct) {
        return direct(to, value, n);
    }
    t->odd32(words, value, n);
    return pto_narrow_words(t, type, to, words, n, plan);
}

static bool wide_type(PtoDataType type)
{
    switch (type) {
    case PTO_TF32:
    case PTO_HF32:
    case PTO_FP16:
    case PTO_BF16:
    case PTO_E4M3:
    case PTO_E5M2:
        return true;
    default:
        return false;
    }
}

static void *out_part(const PtoRowsOut *dst, PtoDataType type, size_t row,
                      size_t col)
{
    return (uint8_t *)dst->base + row * dst->stride + col * elem_bytes(type);
}

static void wide_binary(const PtoFastTable *t, PtoFast2 *op, PtoDataType type,
                        PtoRowsOut dst, PtoRows a, PtoRows b, size_t rows,
                        size_t cols, uint32_t *flags)
{
    PtoNarrow plan = pto_narrow_plan_arith(type);
    double x[CHUNK], y[CHUNK];

    for (size_t i = 0; i < rows; i++) {
        for (size_t k = 0; k < cols; k += CHUNK) {
            size_t n = MIN(cols - k, (size_t)CHUNK);

            *flags |= widen_chunk(t, type, &a, i, k, n, x);
            *flags |= widen_chunk(t, type, &b, i, k, n, y);
            pto_host_clear();
            op(x, x, y, 1, n);
            *flags |= pto_host_flags() & WIDE_FLAGS;
            *flags |= store_chunk(t, type, out_part(&dst, type, i, k), x, n,
                                  &plan);
        }
    }
}

static void wide_unary(const PtoFastTable *t, PtoElemUnary op, PtoDataType type,
                       PtoRowsOut dst, PtoRows a, size_t rows, size_t cols,
                       uint32_t *flags)
{
    PtoNarrow plan = pto_narrow_plan_arith(type);
    bool elementary = op == PTO_ELEM_EXP || op == PTO_ELEM_LOG;
    double x[CHUNK];

    for (size_t i = 0; i < rows; i++) {
        for (size_t k = 0; k < cols; k += CHUNK) {
            size_t n = MIN(cols - k, (size_t)CHUNK);

            *flags |= widen_chunk(t, type, &a, i, k, n, x);
            pto_host_clear();
            *flags |= t->wide_unary[op](x, x, n);
            if (!elementary) {
                *flags |= pto_host_flags() & WIDE_FLAGS;
            }
            *flags |= store_chunk(t, type, out_part(&dst, type, i, k), x, n,
                                  &plan);
        }
    }
}

static void wide_fma(const PtoFastTable *t, PtoDataType type, PtoRowsOut dst,
                     PtoRows a, PtoRows b, PtoRows c, size_t rows, size_t cols,
                     uint32_t *flags)
{
    PtoNarrow plan = pto_narrow_plan_arith(type);
    double x[CHUNK], y[CHUNK], z[CHUNK], r[CHUNK];

    for (size_t i = 0; i < rows; i++) {
        for (size_t k = 0; k < cols; k += CHUNK) {
            size_t n = MIN(cols - k, (size_t)CHUNK);

            *flags |= widen_chunk(t, type, &a, i, k, n, x);
            *flags |= widen_chunk(t, type, &b, i, k, n, y);
            *flags |= widen_chunk(t, type, &c, i, k, n, z);
            pto_host_clear();
            *flags |= t->wide_fma(r, x, y, z, n) & WIDE_FLAGS;
            *flags |= store_chunk(t, type, out_part(&dst, type, i, k), r, n,
                                  &plan);
        }
    }
}

/* ---- tables of the 16-bit types ------------------------------------------- */

#define TABLE_SIZE 65536

/*
 * Result and flags (from bit 16 on) for every FP16 and BF16 operand of an
 * operation without a direct loop.  A table is made at its first use and is
 * never changed; of two threads that make one at a time, one keeps its own.
 */
static const uint32_t *unary_tables[PTO_ELEM_UNARY_COUNT][2];

static const uint32_t *make_table(const PtoFastTable *t, PtoElemUnary op,
                                  PtoDataType type)
{
    uint32_t *table = pto_alloc(TABLE_SIZE * sizeof(*table));

    for (uint32_t i = 0; i < TABLE_SIZE; i++) {
        uint8_t x[2], r[2];
        uint32_t flags = 0;

        pto_st_le(x, 2, i);
        wide_unary(t, op, type, (PtoRowsOut) { r, 0 },
                   (PtoRows) { x, 0, false }, 1, 1, &flags);
        table[i] = pto_ld_le(r, 2) | flags << 16;
    }
    return table;
}

static const uint32_t *unary_table(const PtoFastTable *t, PtoElemUnary op,
                                   PtoDataType type)
{
    const uint32_t **place = &unary_tables[op][type == PTO_BF16];
    const uint32_t *table = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    const uint32_t *made;

    if (table) {
        return table;
    }
    made = make_table(t, op, type);
    if (!__atomic_compare_exchange_n(place, &table, made, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        pto_free((void *)made);
        return table;
    }
    return made;
}

static uint32_t table_row(const uint32_t *table, uint8_t *dst,
                          const uint8_t *src, size_t n)
{
    uint32_t seen = 0;

    for (size_t i = 0; i < n; i++) {
        uint32_t entry = table[pto_ld_le(src + 2 * i, 2)];

        pto_st_le(dst + 2 * i, 2, entry & 0xffff);
        seen |= entry;
    }
    return seen >> 16;
}

/* ---- entry points --------------------------------------------------------- */

static bool host_flag_type(PtoElemBinary op, PtoDataType type)
{
    return !pto_type_is_integer(type) && op <= PTO_ELEM_DIV;
}

/* A BF16 product or quotient below the normal range was rounded twice. */
static bool rounded_twice(PtoElemBinary op, PtoDataType type, uint32_t host)
{
    return type == PTO_BF16 && (op == PTO_ELEM_MUL || op == PTO_ELEM_DIV) &&
           (host & PTO_FLAG_UF);
}

static bool overlaps(const PtoRowsOut *dst, const PtoRows *a, const PtoRows *b)
{
    return dst->base == a->base || dst->base == b->base;
}

static uint32_t direct_binary(PtoFast2 *op, PtoDataType type, PtoRowsOut dst,
                              PtoRows a, PtoRows b, size_t rows, size_t cols)
{
    uint64_t buffer[CHUNK];
    size_t step = a.splat ? CHUNK : MAX(cols, (size_t)1);
    uint32_t flags = 0;

    for (size_t i = 0; i < rows; i++) {
        for (size_t k = 0; k < cols; k += step) {
            size_t n = MIN(cols - k, step);
            const void *x = whole_row(&a, type, i, k, n, buffer);

            flags |= op(out_part(&dst, type, i, k), x,
                        part_at(&b, type, i, k), !b.splat, n);
        }
    }
    return flags;
}

bool pto_rows_binary_fast(PtoElemBinary op, PtoDataType type, PtoRowsOut dst,
                          PtoRows a, PtoRows b, size_t rows, size_t cols,
                          uint32_t *flags)
{
    const PtoFastTable *t = pto_fast_table();
    PtoFast2 *direct = t->binary[op][type];
    bool again = !direct;
    unsigned saved;

    if (!direct && !(wide_type(type) && t->wide_binary[op])) {
        return false;
    }
    merge_rows(elem_bytes(type), &dst, (const PtoRows *[]) { &a, &b }, 2, &rows,
               &cols);
    if (direct && !host_flag_type(op, type)) {
        *flags |= direct_binary(direct, type, dst, a, b, rows, cols);
        return true;
    }
    saved = pto_host_begin();
    if (direct && rounded_twice(op, type, PTO_FLAG_UF) &&
        overlaps(&dst, &a, &b)) {
        again = true;
    } else if (direct) {
        uint32_t raised = direct_binary(direct, type, dst, a, b, rows, cols);
        uint32_t host = pto_host_flags();

        again = rounded_twice(op, type, host);
        *flags |= again ? 0 : raised | host;
    }
    if (again) {
        wide_binary(t, t->wide_binary[op], type, dst, a, b, rows, cols, flags);
    }
    pto_host_end(saved);
    return true;
}

bool pto_rows_unary_fast(PtoElemUnary op, PtoDataType type, PtoRowsOut dst,
                         PtoRows a, size_t rows, size_t cols, uint32_t *flags)
{
    const PtoFastTable *t = pto_fast_table();
    PtoFast1 *direct = t->unary[op][type];
    bool host = op == PTO_ELEM_SQRT || op == PTO_ELEM_RECIP;
    unsigned saved;

    if (a.splat || (!direct && !(wide_type(type) && t->wide_unary[op]))) {
        return false;
    }
    merge_rows(elem_bytes(type), &dst, (const PtoRows *[]) { &a }, 1, &rows,
               &cols);
    saved = pto_host_begin();
    for (size_t i = 0; direct && i < rows; i++) {
        uint32_t raised = direct(out_part(&dst, type, i, 0), row_at(&a, i),
                                 cols);

        raised |= host ? pto_host_flags() : 0;
        if (raised & PTO_FAST_AGAIN) {
            /* This row and those after it by other means. */
            direct = NULL;
            dst.base = out_part(&dst, type, i, 0);
            a.base = row_at(&a, i);
            rows -= i;
        } else {
            *flags |= raised;
        }
    }
    if (!direct && (type == PTO_FP16 || type == PTO_BF16)) {
        const uint32_t *table = unary_table(t, op, type);

        for (size_t i = 0; i < rows; i++) {
            *flags |= table_row(table, out_part(&dst, type, i, 0),
                                row_at(&a, i), cols);
        }
    } else if (!direct) {
        wide_unary(t, op, type, dst, a, rows, cols, flags);
    }
    pto_host_end(saved);
    return true;
}

static uint32_t direct_fma(PtoFast3 *op, PtoDataType type, PtoRowsOut dst,
                           PtoRows a, PtoRows b, PtoRows c, size_t rows,
                           size_t cols)
{
    uint64_t buffer[3][CHUNK];
    bool splat = a.splat || b.splat || c.splat;
    size_t step = splat ? CHUNK : MAX(cols, (size_t)1);
    uint32_t flags = 0;

    for (size_t i = 0; i < rows; i++) {
        for (size_t k = 0; k < cols; k += step) {
            size_t n = MIN(cols - k, step);

            flags |= op(out_part(&dst, type, i, k),
                        whole_row(&a, type, i, k, n, buffer[0]),
                        whole_row(&b, type, i, k, n, buffer[1]),
                        whole_row(&c, type, i, k, n, buffer[2]), n);
            if (flags & PTO_FAST_AGAIN) {
                return flags;
            }
        }
    }
    return flags;
}

bool pto_rows_fma_fast(PtoDataType type, PtoRowsOut dst, PtoRows a, PtoRows b,
                       PtoRows c, size_t rows, size_t cols, uint32_t *flags)
{
    const PtoFastTable *t = pto_fast_table();
    PtoFast3 *direct = t->fma[type];
    uint32_t raised = PTO_FAST_AGAIN;
    unsigned saved;

    if (!direct && !(wide_type(type) && t->wide_fma)) {
        return false;
    }
    merge_rows(elem_bytes(type), &dst, (const PtoRows *[]) { &a, &b, &c }, 3,
               &rows, &cols);
    saved = pto_host_begin();
    if (direct && wide_type(type) && (overlaps(&dst, &a, &b) ||
                                      overlaps(&dst, &c, &c))) {
        direct = NULL;
    }
    if (direct) {
        raised = direct_fma(direct, type, dst, a, b, c, rows, cols);
        raised |= pto_type_is_integer(type) ? 0 : pto_host_flags();
    }
    if (raised & PTO_FAST_AGAIN) {
        wide_fma(t, type, dst, a, b, c, rows, cols, flags);
    } else {
        *flags |= raised;
    }
    pto_host_end(saved);
    return true;
}

/* Write @n truth bytes as bits from bit @index on. */
static void store_bits(uint8_t *bits, size_t index, const uint8_t *truth,
                       size_t n)
{
    size_t i = 0;

    for (; i < n && (index + i) % 8; i++) {
        uint8_t mask = 1u << ((index + i) % 8);

        bits[(index + i) / 8] = (bits[(index + i) / 8] & ~mask) |
                                (truth[i] ? mask : 0);
    }
    for (; i + 8 <= n; i += 8) {
        uint64_t eight = pto_ld_le(truth + i, 8);

        /* Gather the low bits of eight bytes, first byte in bit 0. */
        bits[(index + i) / 8] = eight * UINT64_C(0x0102040810204080) >> 56;
    }
    for (; i < n; i++) {
        uint8_t mask = 1u << ((index + i) % 8);

        bits[(index + i) / 8] = (bits[(index + i) / 8] & ~mask) |
                                (truth[i] ? mask : 0);
    }
}

bool pto_rows_compare_fast(PtoCompare rel, PtoDataType type, uint8_t *bits,
                           size_t bit_stride, PtoRows a, PtoRows b, size_t rows,
                           size_t cols, uint32_t *flags)
{
    const PtoFastTable *t = pto_fast_table();
    PtoFastCompare *compare = rel < 6 ? t->compare[rel][type] : NULL;
    uint64_t buffer[CHUNK];
    uint8_t truth[CHUNK];

    if (!compare) {
        return false;
    }
    for (size_t i = 0; i < rows; i++) {
        for (size_t k = 0; k < cols; k += CHUNK) {
            size_t n = MIN(cols - k, (size_t)CHUNK);
            const void *x = whole_row(&a, type, i, k, n, buffer);

            *flags |= compare(truth, x, part_at(&b, type, i, k), !b.splat, n);
            store_bits(bits, i * bit_stride + k, truth, n);
        }
    }
    return true;
}

void pto_row_compare_bytes(PtoCompare rel, PtoDataType type, uint8_t *truth,
                           const void *a, const void *b, size_t n,
                           uint32_t *flags)
{
    PtoFastCompare *compare = rel < 6 ? pto_fast_table()->compare[rel][type]
                                      : NULL;

    if (compare && n) {
        *flags |= compare(truth, a, b, 1, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        truth[i] = pto_elem_compare(rel, type, pto_elem_load(type, a, i),
                                    pto_elem_load(type, b, i), flags);
    }
}
