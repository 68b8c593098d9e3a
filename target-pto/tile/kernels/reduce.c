/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Row and column reductions. Elements are folded in increasing index order with
 * one rounding each step; many independent folds run side by side, so that the
 * two-operand row kernels do the work.
 */
#include "tile/port.h"
#include "tile/kernels/raw.h"
#include "tile/kernels/rowio.h"
#include "tile/kernels/vec.h"

static bool is_arg(PtoSub sub)
{
    return sub == PTO_SUB_RED_ARGMIN || sub == PTO_SUB_RED_ARGMAX;
}

static PtoElemBinary step_of(PtoSub sub)
{
    switch (sub) {
    case PTO_SUB_RED_SUM:
        return PTO_ELEM_ADD;
    case PTO_SUB_RED_PRODUCT:
        return PTO_ELEM_MUL;
    case PTO_SUB_RED_MIN:
    case PTO_SUB_RED_ARGMIN:
        return PTO_ELEM_MIN;
    default:
        return PTO_ELEM_MAX;
    }
}

static uint64_t one_of(PtoDataType type)
{
    const PtoFormat *f = pto_format(type);

    return pto_type_is_integer(type) ? 1
           : (uint64_t)f->bias << (f->frac_bits + f->carrier_shift);
}

/* What one reduction works on. Lanes are the independent folds. */
typedef struct Fold {
    PtoPlan *plan;
    PtoStripOp k;
    PtoSub sub;
    PtoDataType type;
    unsigned bytes;
    uint32_t lanes;
    uint8_t *acc;           /* lanes elements */
    uint64_t *key;          /* argument forms: order key of acc */
    uint32_t *index;        /* argument forms: index of acc */
} Fold;

/*
 * Order key of a VEC element: unsigned comparison of keys is numeric order, -0
 * just below +0 (which is what the zero preference of maximum and minimum
 * wants), NaN below everything so that any number replaces it.
 */
static uint64_t order_key(PtoDataType type, uint64_t v, bool maximum)
{
    unsigned bits = pto_type_bits(type);
    uint64_t mask = pto_type_mask(type), sign = UINT64_C(1) << (bits - 1);
    uint64_t key;

    if (pto_type_is_integer(type)) {
        key = pto_type_is_signed(type) ? v ^ sign : v;
    } else if (pto_elem_nan(type, v)) {
        return 0;
    } else {
        key = v & sign ? ~v & mask : v | sign;
    }
    key = maximum ? key : mask - key;
    /*
     * No number of a format with NaNs has key 0 (that is a NaN encoding on
     * either end), and an integer needs no room below its keys.
     */
    return key;
}

static void note_signaling(Fold *f, const void *row)
{
    if (!pto_type_is_float(f->type)) {
        return;
    }
    for (uint32_t i = 0; i < f->lanes; i++) {
        if (pto_elem_snan(f->type, pto_strip_get(row, f->bytes, i))) {
            f->plan->flags |= PTO_FLAG_NV;
            return;
        }
    }
}

static void arg_step(Fold *f, const void *row, uint32_t index)
{
    bool maximum = f->sub == PTO_SUB_RED_ARGMAX;

    for (uint32_t i = 0; i < f->lanes; i++) {
        uint64_t key = order_key(f->type, pto_strip_get(row, f->bytes, i),
                                 maximum);

        if (index == 0 || key > f->key[i]) {
            f->key[i] = key;
            f->index[i] = index;
        }
    }
    note_signaling(f, row);
}

/*
 * The reference model takes an element as selected when the maximum or minimum
 * equals it but not the accumulator, as encodings (N12: NaNs can move it).
 */
static void arg_step_raw(Fold *f, const void *row, uint32_t index)
{
    for (uint32_t i = 0; i < f->lanes; i++) {
        uint64_t v = pto_strip_get(row, f->bytes, i);
        uint32_t flags = 0;
        uint64_t next;

        if (index == 0) {
            f->key[i] = v;
            f->index[i] = 0;
            continue;
        }
        next = pto_raw_binary(f->k.op, f->type, f->key[i], v, &flags) &
               pto_type_mask(f->type);
        if (next == v && next != f->key[i]) {
            f->index[i] = index;
        }
        f->key[i] = next;
        f->plan->flags |= flags;
    }
}

/* Take the next element of every lane. */
static void fold(Fold *f, const void *row, uint32_t index)
{
    bool raw = f->plan->profile->raw_carrier;
    bool identity = f->sub == PTO_SUB_RED_SUM ||
                    f->sub == PTO_SUB_RED_PRODUCT;

    if (is_arg(f->sub)) {
        (raw ? arg_step_raw : arg_step)(f, row, index);
        return;
    }
    if (index == 0 && identity) {
        pto_strip_fill(f->acc, f->bytes,
                     f->sub == PTO_SUB_RED_SUM ? 0 : one_of(f->type),
                     f->lanes);
    } else if (index == 0) {
        /*
         * N12: NaNs only give the canonical NaN, also a single one, which the
         * first element combined with itself is. The model keeps it as it is.
         */
        memcpy(f->acc, row, (size_t)f->lanes * f->bytes);
        if (raw) {
            return;
        }
    }
    f->plan->flags |= f->k.run(&f->k, f->acc, f->acc, row, NULL, f->lanes);
}

static void fold_open(Fold *f, PtoPlan *plan, uint32_t lanes)
{
    PtoDataType type = plan->src[0].tile->type;

    *f = (Fold) {
        .plan = plan,
        .k = pto_strip_binary(step_of(plan->op->sub), type,
                            plan->profile->raw_carrier),
        .sub = plan->op->sub,
        .type = type,
        .bytes = pto_strip_bytes(type),
        .lanes = lanes,
    };
    f->acc = pto_alloc((size_t)lanes * 8);
    if (is_arg(f->sub)) {
        f->key = pto_alloc((size_t)lanes * 8);
        f->index = pto_alloc((size_t)lanes * 4);
    }
}

static void fold_done(Fold *f)
{
    pto_free(f->acc);
    pto_free(f->key);
    pto_free(f->index);
}

static uint64_t fold_result(const Fold *f, uint32_t lane)
{
    return is_arg(f->sub) ? f->index[lane]
                          : pto_strip_get(f->acc, f->bytes, lane);
}

void pto_kernel_reduce_col(PtoPlan *plan)
{
    PtoTile *dst = &plan->dst[0].tile;
    const PtoTile *src = plan->src[0].tile;
    PtoRowAccess s;
    Fold f;

    fold_open(&f, plan, src->vcols);
    pto_row_open(&s, src, src->vcols);
    for (uint32_t row = 0; row < src->vrows; row++) {
        fold(&f, pto_row_read(&s, row), row);
    }
    pto_vec_begin(dst);
    for (uint32_t col = 0; col < src->vcols; col++) {
        pto_tile_put(dst, 0, col, fold_result(&f, col));
    }
    pto_vec_end(dst, plan->pad);
    pto_row_done(&s);
    fold_done(&f);
}

/* Rows folded side by side. */
#define ROW_LANES 64

/* column[lane] = element @col of each row of a block of rows. */
#define COLUMN(name, T)                                                 \
    static void name(void *column, const uint8_t *const *rows,          \
                     uint32_t lanes, uint32_t col)                      \
    {                                                                   \
        for (uint32_t i = 0; i < lanes; i++) {                          \
            ((T *)column)[i] = ((const T *)rows[i])[col];               \
        }                                                               \
    }

COLUMN(column_1, uint8_t)
COLUMN(column_2, uint16_t)
COLUMN(column_4, uint32_t)
COLUMN(column_8, uint64_t)

typedef void ColumnFn(void *column, const uint8_t *const *rows,
                      uint32_t lanes, uint32_t col);

static ColumnFn *column_fn(unsigned bytes)
{
    return bytes == 1 ? column_1 : bytes == 2 ? column_2
           : bytes == 4 ? column_4 : column_8;
}

void pto_kernel_reduce_row(PtoPlan *plan)
{
    PtoTile *dst = &plan->dst[0].tile;
    const PtoTile *src = plan->src[0].tile;
    const uint8_t *rows[ROW_LANES];
    uint64_t column[ROW_LANES];
    ColumnFn *load;
    PtoRowAccess s;
    Fold f;

    /* The schema admits row-major sources only, so rows can stay in place. */
    pto_row_open(&s, src, src->vcols);
    fold_open(&f, plan, ROW_LANES);
    load = column_fn(f.bytes);
    pto_vec_begin(dst);
    for (uint32_t first = 0; first < src->vrows; first += ROW_LANES) {
        f.lanes = MIN(ROW_LANES, src->vrows - first);
        for (uint32_t i = 0; i < f.lanes; i++) {
            rows[i] = pto_row_read(&s, first + i);
        }
        for (uint32_t col = 0; col < src->vcols; col++) {
            load(column, rows, f.lanes, col);
            fold(&f, column, col);
        }
        for (uint32_t i = 0; i < f.lanes; i++) {
            pto_tile_put(dst, first + i, 0, fold_result(&f, i));
        }
    }
    pto_vec_end(dst, plan->pad);
    fold_done(&f);
    pto_row_done(&s);
}
