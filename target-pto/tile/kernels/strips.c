/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Choice of strip functions. IEEE floating types go to the row operations of
 * the numeric engine, the raw-carrier arithmetic is a plain loop.
 */
#include "tile/port.h"
#include "tile/kernels/raw.h"
#include "tile/kernels/rows.h"
#include "tile/kernels/strips.h"

static int log2_bytes(PtoDataType type)
{
    return __builtin_ctz(pto_strip_bytes(type));
}

/* GENERIC(name, expr): loop whose expr computes an element from x, y, z. */
#define GENERIC(name, nsrc, expr)                                       \
    static uint32_t name(const PtoStripOp *k, void *d, const void *a,   \
                         const void *b, const void *c, size_t n)        \
    {                                                                   \
        unsigned in = pto_strip_bytes(k->type);                         \
        unsigned out = pto_strip_bytes(k->dst_type);                    \
        uint32_t flags = 0;                                             \
                                                                        \
        for (size_t i = 0; i < n; i++) {                                \
            uint64_t x = pto_strip_get(a, in, i);                       \
            uint64_t y = nsrc > 1 ? pto_strip_get(b, in, i) : 0;        \
            uint64_t z = nsrc > 2 ? pto_strip_get(c, in, i) : 0;        \
                                                                        \
            (void)k, (void)b, (void)c, (void)y, (void)z;                \
            pto_strip_put(d, out, i, expr);                             \
        }                                                               \
        return flags;                                                   \
    }

/* Whole strips of the numeric engine. */
static PtoRows one_row(const void *base)
{
    return (PtoRows) { .base = base };
}

static uint32_t ieee_binary(const PtoStripOp *k, void *d, const void *a,
                            const void *b, const void *c, size_t n)
{
    uint32_t flags = 0;

    (void)c;
    pto_rows_binary(k->op, k->type, (PtoRowsOut) { d }, one_row(a), one_row(b),
                    1, n, &flags);
    return flags;
}

static uint32_t ieee_unary(const PtoStripOp *k, void *d, const void *a,
                           const void *b, const void *c, size_t n)
{
    uint32_t flags = 0;

    (void)b, (void)c;
    pto_rows_unary(k->op, k->type, (PtoRowsOut) { d }, one_row(a), 1, n,
                   &flags);
    return flags;
}

static uint32_t ieee_fma(const PtoStripOp *k, void *d, const void *a,
                         const void *b, const void *c, size_t n)
{
    uint32_t flags = 0;

    pto_rows_fma(k->type, (PtoRowsOut) { d }, one_row(a), one_row(b),
                 one_row(c), 1, n, &flags);
    return flags;
}

static uint32_t ieee_convert(const PtoStripOp *k, void *d, const void *a,
                             const void *b, const void *c, size_t n)
{
    uint32_t flags = 0;

    (void)b, (void)c;
    pto_rows_convert(k->type, k->dst_type, (PtoRowsOut) { d }, one_row(a), 1,
                     n, k->mode, k->sat, k->canon, &flags);
    return flags;
}

static uint32_t ieee_expdif(const PtoStripOp *k, void *d, const void *a,
                            const void *b, const void *c, size_t n)
{
    uint32_t flags = 0;

    (void)c;
    pto_rows_expdif(k->type, k->dst_type, (PtoRowsOut) { d }, one_row(a),
                    one_row(b), 1, n, &flags);
    return flags;
}

GENERIC(ieee_compare, 2, pto_elem_compare(k->op, k->type, x, y, &flags))
/* Packed 4-bit types have a byte per element here. */
GENERIC(ieee_convert_4bit, 1,
        pto_elem_convert(k->type, k->dst_type, x, k->mode, k->sat, k->canon,
                         &flags))
GENERIC(ieee_quant, 1,
        pto_elem_quant(k->dst_type, x, k->scale, k->zero_point, k->mode,
                       k->sat, &flags))
GENERIC(ieee_dequant, 1,
        pto_elem_dequant(k->type, x, k->scale, k->zero_point, k->mode,
                         &flags))
GENERIC(raw_binary, 2, pto_raw_binary(k->op, k->type, x, y, &flags))
GENERIC(raw_unary, 1, pto_raw_unary(k->op, k->type, x, &flags))
GENERIC(raw_fma, 3, pto_raw_fma(k->type, x, y, z, &flags))
GENERIC(raw_convert, 1,
        pto_raw_convert(k->type, k->dst_type, x, k->mode, k->sat, &flags))
GENERIC(raw_expdif, 2, pto_raw_expdif(k->type, k->dst_type, x, y, &flags))
GENERIC(raw_dequant, 1,
        pto_raw_dequant(k->type, x, k->scale, k->zero_point, k->mode, &flags))

PtoStripOp pto_strip_binary(PtoElemBinary op, PtoDataType type, bool raw)
{
    PtoStripOp k = { .op = op, .type = type, .dst_type = type };

    if (pto_type_is_integer(type)) {
        k.run = pto_strip_int_binary(op, pto_type_is_signed(type),
                                     log2_bytes(type));
    } else if (raw) {
        k.run = raw_binary;
    } else {
        k.run = ieee_binary;
    }
    return k;
}

PtoStripOp pto_strip_unary(PtoElemUnary op, PtoDataType type, bool raw)
{
    PtoStripOp k = { .op = op, .type = type, .dst_type = type };

    if (pto_type_is_integer(type)) {
        k.run = pto_strip_int_unary(op, pto_type_is_signed(type),
                                    log2_bytes(type));
    } else if (raw) {
        k.run = raw_unary;
    } else {
        k.run = ieee_unary;
    }
    return k;
}

PtoStripOp pto_strip_fma(PtoDataType type, bool raw)
{
    PtoStripOp k = { .type = type, .dst_type = type };

    if (pto_type_is_integer(type)) {
        k.run = pto_strip_int_fma(log2_bytes(type));
    } else if (raw) {
        k.run = raw_fma;
    } else {
        k.run = ieee_fma;
    }
    return k;
}

PtoStripOp pto_strip_compare(PtoCompare rel, PtoDataType type)
{
    PtoStripOp k = { .op = rel, .type = type, .dst_type = PTO_U8 };

    if (pto_type_is_integer(type)) {
        k.run = pto_strip_int_compare(rel, pto_type_is_signed(type),
                                      log2_bytes(type));
    } else {
        k.run = ieee_compare;
    }
    return k;
}

PtoStripOp pto_strip_convert(PtoDataType src, PtoDataType dst, PtoRound mode,
                         bool sat, bool canon, bool raw)
{
    bool packed = pto_type_is_4bit(src) || pto_type_is_4bit(dst);

    return (PtoStripOp) {
        .run = raw ? raw_convert : packed ? ieee_convert_4bit : ieee_convert,
        .type = src, .dst_type = dst,
        .mode = mode, .sat = sat, .canon = canon,
    };
}

PtoStripOp pto_strip_expdif(PtoDataType src, PtoDataType dst, bool raw)
{
    return (PtoStripOp) {
        .run = raw ? raw_expdif : ieee_expdif,
        .type = src, .dst_type = dst,
    };
}

PtoStripOp pto_strip_quant(PtoDataType dst, uint64_t scale, int64_t zero_point,
                       PtoRound mode, bool sat)
{
    return (PtoStripOp) {
        .run = ieee_quant, .type = PTO_FP32, .dst_type = dst,
        .mode = mode, .sat = sat, .scale = scale, .zero_point = zero_point,
    };
}

PtoStripOp pto_strip_dequant(PtoDataType src, uint64_t scale, int64_t zero_point,
                         PtoRound mode, bool raw)
{
    return (PtoStripOp) {
        .run = raw ? raw_dequant : ieee_dequant,
        .type = src, .dst_type = PTO_FP32,
        .mode = mode, .scale = scale, .zero_point = zero_point,
    };
}
