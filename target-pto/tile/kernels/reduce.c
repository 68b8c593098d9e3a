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
 * Order of an argument form as unsigned keys: -0 just below +0, which is what
 * the zero preference of maximum and minimum wants, and NaN below everything,
 * so that any number replaces it (N12).
 */
typedef struct ArgOrder {
    uint32_t sign;
    uint32_t flip;          /* all ones for minimum */
    uint32_t magnitude;     /* mask without the sign; 0 for integers */
    uint32_t nan_above;     /* NaN when the magnitude is larger */
    uint32_t quiet;         /* quiet bit of a NaN */
    bool is_float;
} ArgOrder;

static ArgOrder arg_order(PtoDataType type, bool maximum)
{
    const PtoFormat *f = pto_format(type);
    ArgOrder o = {
        .sign = 1u << (pto_type_bits(type) - 1),
        .flip = maximum ? 0 : pto_type_mask(type),
        .is_float = pto_type_is_float(type),
    };

    if (o.is_float) {
        o.magnitude = o.sign - 1;
        o.nan_above = f->inf;
        o.quiet = 1u << (f->frac_bits - 1);
    } else if (!pto_type_is_signed(type)) {
        o.sign = 0;
    }
    return o;
}

/*
 * One step over lanes that keep their best key and its index; sources are FP32,
 * FP16, BF16 and integers up to 32 bits. Returns whether a NaN signals.
 */
#define ARG_STEP(name, T)                                               \
    PTO_STRIP_LOOP                                                      \
    static bool name(T *key, uint32_t *at, const T *x, const ArgOrder *order, \
                     uint32_t index, uint32_t n)                        \
    {                                                                   \
        const T sign = order->sign, flip = order->flip;                 \
        const T magnitude = order->magnitude, above = order->nan_above; \
        const T quiet = order->quiet, first = index == 0;               \
        const bool is_float = order->is_float;                          \
        T signaling = 0;                                                \
                                                                        \
        for (uint32_t i = 0; i < n; i++) {                              \
            T v = x[i], k = v ^ sign;                                   \
            T nan = is_float && (T)(v & magnitude) > above;             \
            T better;                                                   \
                                                                        \
            k = is_float && (v & sign) ? (T)~v : k;                     \
            k = nan ? 0 : (T)(k ^ flip);                                \
            signaling |= nan && !(v & quiet);                           \
            better = first | (k > key[i]);                              \
            key[i] = better ? k : key[i];                               \
            at[i] = better ? index : at[i];                             \
        }                                                               \
        return signaling;                                               \
    }

ARG_STEP(arg_step_1, uint8_t)
ARG_STEP(arg_step_2, uint16_t)
ARG_STEP(arg_step_4, uint32_t)

static void arg_step(Fold *f, const void *row, uint32_t index)
{
    ArgOrder o = arg_order(f->type, f->sub == PTO_SUB_RED_ARGMAX);
    bool signaling;

    switch (f->bytes) {
    case 1:
        signaling = arg_step_1((uint8_t *)f->key, f->index, row, &o, index,
                               f->lanes);
        break;
    case 2:
        signaling = arg_step_2((uint16_t *)f->key, f->index, row, &o, index,
                               f->lanes);
        break;
    default:
        signaling = arg_step_4((uint32_t *)f->key, f->index, row, &o, index,
                               f->lanes);
        break;
    }
    f->plan->flags |= signaling ? PTO_FLAG_NV : 0;
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
