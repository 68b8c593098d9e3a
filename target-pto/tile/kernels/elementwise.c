/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Element-wise tile kernels: two-, one- and three-operand forms, tile-scalar
 * forms, fill and select.
 */
#include "tile/port.h"
#include "tile/kernels/rowio.h"
#include "tile/kernels/vec.h"

PtoElemBinary pto_vec_binary_of(PtoSub sub)
{
    switch (sub) {
    case PTO_SUB_BIN_SUB:
    case PTO_SUB_EXP_SUB:
        return PTO_ELEM_SUB;
    case PTO_SUB_BIN_MUL:
    case PTO_SUB_EXP_MUL:
        return PTO_ELEM_MUL;
    case PTO_SUB_BIN_DIV:
    case PTO_SUB_EXP_DIV:
        return PTO_ELEM_DIV;
    case PTO_SUB_BIN_REM:
        return PTO_ELEM_REM;
    case PTO_SUB_BIN_AND:
        return PTO_ELEM_AND;
    case PTO_SUB_BIN_OR:
        return PTO_ELEM_OR;
    case PTO_SUB_BIN_XOR:
        return PTO_ELEM_XOR;
    case PTO_SUB_BIN_SHL:
        return PTO_ELEM_SHL;
    case PTO_SUB_BIN_SHR:
        return PTO_ELEM_SHR;
    case PTO_SUB_BIN_MAX:
    case PTO_SUB_EXP_MAX:
        return PTO_ELEM_MAX;
    case PTO_SUB_BIN_MIN:
    case PTO_SUB_EXP_MIN:
        return PTO_ELEM_MIN;
    default:
        return PTO_ELEM_ADD;
    }
}

PtoElemUnary pto_vec_unary_of(PtoSub sub)
{
    switch (sub) {
    case PTO_SUB_UN_NOT:
        return PTO_ELEM_NOT;
    case PTO_SUB_UN_NEG:
        return PTO_ELEM_NEG;
    case PTO_SUB_UN_RELU:
        return PTO_ELEM_RELU;
    case PTO_SUB_UN_EXP:
        return PTO_ELEM_EXP;
    case PTO_SUB_UN_LOG:
        return PTO_ELEM_LOG;
    case PTO_SUB_UN_RECIP:
        return PTO_ELEM_RECIP;
    case PTO_SUB_UN_SQRT:
        return PTO_ELEM_SQRT;
    case PTO_SUB_UN_RSQRT:
        return PTO_ELEM_RSQRT;
    default:
        return PTO_ELEM_ABS;
    }
}

/* d = op(sources...) over the valid region, all of one shape and type. */
static uint32_t apply(PtoPlan *plan, const PtoStripOp *k, unsigned nsrc)
{
    PtoTile *dst = &plan->dst[0].tile;
    PtoRowAccess d, s[3];
    uint32_t flags;

    pto_vec_begin(dst);
    pto_row_open(&d, dst, dst->vcols);
    for (unsigned i = 0; i < nsrc; i++) {
        pto_row_open(&s[i], plan->src[i].tile, dst->vcols);
    }
    flags = pto_row_apply(k, &d, &s[0], nsrc > 1 ? &s[1] : NULL,
                           nsrc > 2 ? &s[2] : NULL, dst->vrows);
    for (unsigned i = 0; i < nsrc; i++) {
        pto_row_done(&s[i]);
    }
    pto_row_done(&d);
    pto_vec_end(dst, plan->pad);
    return flags;
}

void pto_kernel_binary(PtoPlan *plan)
{
    PtoStripOp k = pto_strip_binary(pto_vec_binary_of(plan->op->sub),
                                plan->dst[0].tile.type,
                                plan->profile->raw_carrier);
    uint32_t flags = apply(plan, &k, 2);

    if (plan->profile->binary_flags) {
        plan->flags |= flags;
    }
}

void pto_kernel_unary(PtoPlan *plan)
{
    PtoStripOp k = pto_strip_unary(pto_vec_unary_of(plan->op->sub),
                               plan->dst[0].tile.type,
                               plan->profile->raw_carrier);

    plan->flags |= apply(plan, &k, 1);
}

void pto_kernel_fma(PtoPlan *plan)
{
    PtoStripOp k = pto_strip_fma(plan->dst[0].tile.type,
                             plan->profile->raw_carrier);

    plan->flags |= apply(plan, &k, 3);
}

void pto_kernel_scalar(PtoPlan *plan)
{
    PtoTile *dst = &plan->dst[0].tile;
    PtoStripOp k = pto_strip_binary(pto_vec_binary_of(plan->op->sub), dst->type,
                                plan->profile->raw_carrier);
    PtoRowAccess d, a, b;

    pto_vec_begin(dst);
    pto_row_open(&d, dst, dst->vcols);
    pto_row_open(&a, plan->src[0].tile, dst->vcols);
    pto_row_const(&b, dst->type, plan->scalar0);
    plan->flags |= pto_row_apply(&k, &d, &a, &b, NULL, dst->vrows);
    pto_row_done(&b);
    pto_row_done(&a);
    pto_row_done(&d);
    pto_vec_end(dst, plan->pad);
}

void pto_kernel_fill(PtoPlan *plan)
{
    PtoTile *dst = &plan->dst[0].tile;
    PtoRowAccess d;

    pto_vec_begin(dst);
    pto_row_open(&d, dst, dst->vcols);
    for (uint32_t row = 0; row < dst->vrows; row++) {
        pto_strip_fill(pto_row_write(&d, row), d.bytes, plan->scalar0,
                     dst->vcols);
        pto_row_write_end(&d, row);
    }
    pto_row_done(&d);
    pto_vec_end(dst, plan->pad);
}

/* d = m ? t : f by element; m holds a 0 / 1 byte for each element. */
#define SELECT(name, T)                                                 \
    PTO_STRIP_LOOP                                                      \
    static void name(void *d, const void *t, const void *f,             \
                     const uint8_t *m, size_t n)                        \
    {                                                                   \
        T *dt = d;                                                      \
        const T *tt = t, *ft = f;                                       \
        _Pragma("GCC ivdep")                                            \
        for (size_t i = 0; i < n; i++) {                                \
            T mask = (T)0 - (T)m[i];                                    \
            dt[i] = (tt[i] & mask) | (ft[i] & (T)~mask);                \
        }                                                               \
    }

SELECT(select_1, uint8_t)
SELECT(select_2, uint16_t)
SELECT(select_4, uint32_t)
SELECT(select_8, uint64_t)

static void select_row(void *d, const void *t, const void *f,
                       const uint8_t *m, unsigned bytes, size_t n)
{
    switch (bytes) {
    case 1:
        select_1(d, t, f, m, n);
        break;
    case 2:
        select_2(d, t, f, m, n);
        break;
    case 4:
        select_4(d, t, f, m, n);
        break;
    default:
        select_8(d, t, f, m, n);
        break;
    }
}

static void load_mask(const PtoTile *t, uint32_t row, uint8_t *m, uint32_t n)
{
    const uint8_t *bits = pto_tile_data(t);
    uint32_t bit = row * t->cols;

    for (uint32_t i = 0; i < n; i++, bit++) {
        m[i] = bits[bit / 8] >> (bit % 8) & 1;
    }
}

/* d = mask ? t : f; a constant @f is one element repeated. */
static void select_tile(PtoPlan *plan, const PtoTile *mask,
                        const PtoTile *on_true, PtoRowAccess *f)
{
    PtoTile *dst = &plan->dst[0].tile;
    uint32_t n = dst->vcols;
    PtoRowAccess d, t;
    uint8_t *m = pto_alloc(n);

    pto_vec_begin(dst);
    pto_row_open(&d, dst, n);
    pto_row_open(&t, on_true, n);
    for (uint32_t row = 0; row < dst->vrows; row++) {
        uint8_t *dp = pto_row_write(&d, row);
        const uint8_t *tp = pto_row_read(&t, row);
        const uint8_t *fp = pto_row_read(f, row);
        bool fixed = f->kind == PTO_ROWS_CONST;

        load_mask(mask, row, m, n);
        for (uint32_t i = 0; i < n; i += PTO_STRIP_MAX) {
            size_t off = (size_t)i * d.bytes;

            select_row(dp + off, tp + off, fixed ? fp : fp + off, m + i,
                       d.bytes, MIN(n - i, PTO_STRIP_MAX));
        }
        pto_row_write_end(&d, row);
    }
    pto_row_done(&t);
    pto_row_done(&d);
    pto_free(m);
    pto_vec_end(dst, plan->pad);
}

void pto_kernel_select(PtoPlan *plan)
{
    PtoRowAccess f;

    pto_row_open(&f, plan->src[2].tile, plan->dst[0].tile.vcols);
    select_tile(plan, plan->src[0].tile, plan->src[1].tile, &f);
    pto_row_done(&f);
}

void pto_kernel_select_scalar(PtoPlan *plan)
{
    PtoRowAccess f;

    pto_row_const(&f, plan->dst[0].tile.type, plan->scalar0);
    select_tile(plan, plan->src[0].tile, plan->src[1].tile, &f);
    pto_row_done(&f);
}
