/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Choice of strip functions. Integers and IEEE floating types go to the row
 * operations of the numeric engine, the raw-carrier arithmetic is a plain loop.
 */
#include "tile/port.h"
#include "tile/kernels/raw.h"
#include "tile/kernels/rows.h"
#include "tile/kernels/strips.h"

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

static uint32_t engine_binary(const PtoStripOp *k, void *d, const void *a,
                            const void *b, const void *c, size_t n)
{
    uint32_t flags = 0;

    (void)c;
    pto_rows_binary(k->op, k->type, (PtoRowsOut) { d }, one_row(a), one_row(b),
                    1, n, &flags);
    return flags;
}

static uint32_t engine_unary(const PtoStripOp *k, void *d, const void *a,
                           const void *b, const void *c, size_t n)
{
    uint32_t flags = 0;

    (void)b, (void)c;
    pto_rows_unary(k->op, k->type, (PtoRowsOut) { d }, one_row(a), 1, n,
                   &flags);
    return flags;
}

static uint32_t engine_fma(const PtoStripOp *k, void *d, const void *a,
                         const void *b, const void *c, size_t n)
{
    uint32_t flags = 0;

    pto_rows_fma(k->type, (PtoRowsOut) { d }, one_row(a), one_row(b),
                 one_row(c), 1, n, &flags);
    return flags;
}

static uint32_t engine_convert(const PtoStripOp *k, void *d, const void *a,
                             const void *b, const void *c, size_t n)
{
    uint32_t flags = 0;

    (void)b, (void)c;
    pto_rows_convert(k->type, k->dst_type, (PtoRowsOut) { d }, one_row(a), 1,
                     n, k->mode, k->sat, k->canon, &flags);
    return flags;
}

static uint32_t engine_expdif(const PtoStripOp *k, void *d, const void *a,
                            const void *b, const void *c, size_t n)
{
    uint32_t flags = 0;

    (void)c;
    pto_rows_expdif(k->type, k->dst_type, (PtoRowsOut) { d }, one_row(a),
                    one_row(b), 1, n, &flags);
    return flags;
}

/* Packed 4-bit types have a byte per element here. */
static uint32_t engine_convert_4bit(const PtoStripOp *k, void *d, const void *a,
                                    const void *b, const void *c, size_t n)
{
    uint32_t flags = 0;

    (void)b, (void)c;
    pto_row_convert_loose(k->type, k->dst_type, d, a, n, k->mode, k->sat,
                          k->canon, &flags);
    return flags;
}

GENERIC(raw_binary, 2, pto_raw_binary(k->op, k->type, x, y, &flags))
GENERIC(raw_unary, 1, pto_raw_unary(k->op, k->type, x, &flags))
GENERIC(raw_fma, 3, pto_raw_fma(k->type, x, y, z, &flags))
GENERIC(raw_convert, 1,
        pto_raw_convert(k->type, k->dst_type, x, k->mode, k->sat, &flags))
GENERIC(raw_expdif, 2, pto_raw_expdif(k->type, k->dst_type, x, y, &flags))
/* Raw-carrier arithmetic is for the floating types only. */
static PtoStripFn *choose(PtoDataType type, bool raw, PtoStripFn *raw_fn,
                          PtoStripFn *engine)
{
    return raw && pto_type_is_float(type) ? raw_fn : engine;
}

PtoStripOp pto_strip_binary(PtoElemBinary op, PtoDataType type, bool raw)
{
    return (PtoStripOp) {
        .run = choose(type, raw, raw_binary,
                      op == PTO_ELEM_REM && pto_type_is_float(type)
                      ? pto_strip_remainder : engine_binary),
        .op = op, .type = type, .dst_type = type,
    };
}

PtoStripOp pto_strip_unary(PtoElemUnary op, PtoDataType type, bool raw)
{
    return (PtoStripOp) {
        .run = choose(type, raw, raw_unary, engine_unary),
        .op = op, .type = type, .dst_type = type,
    };
}

PtoStripOp pto_strip_fma(PtoDataType type, bool raw)
{
    return (PtoStripOp) {
        .run = choose(type, raw, raw_fma, engine_fma),
        .type = type, .dst_type = type,
    };
}

PtoStripOp pto_strip_convert(PtoDataType src, PtoDataType dst, PtoRound mode,
                         bool sat, bool canon, bool raw)
{
    bool packed = pto_type_is_4bit(src) || pto_type_is_4bit(dst);

    return (PtoStripOp) {
        .run = raw ? raw_convert : packed ? engine_convert_4bit : engine_convert,
        .type = src, .dst_type = dst,
        .mode = mode, .sat = sat, .canon = canon,
    };
}

PtoStripOp pto_strip_expdif(PtoDataType src, PtoDataType dst, bool raw)
{
    return (PtoStripOp) {
        .run = raw ? raw_expdif : engine_expdif,
        .type = src, .dst_type = dst,
    };
}

PtoStripOp pto_strip_quant(PtoDataType dst, uint64_t scale, int64_t zero_point,
                       PtoRound mode, bool sat)
{
    return (PtoStripOp) {
        .run = pto_strip_quantize, .type = PTO_FP32, .dst_type = dst,
        .mode = mode, .sat = sat, .scale = scale, .zero_point = zero_point,
    };
}

PtoStripOp pto_strip_dequant(PtoDataType src, uint64_t scale, int64_t zero_point,
                         PtoRound mode, bool raw)
{
    return (PtoStripOp) {
        .run = raw ? pto_strip_dequantize_raw : pto_strip_dequantize,
        .type = src, .dst_type = PTO_FP32,
        .mode = mode, .scale = scale, .zero_point = zero_point,
    };
}
