/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reductions in increasing index order, and the order relation of the sorts.
 */
#include "tile/port.h"
#include "tile/numeric.h"

/* Sums start from +0 and products from one; every step rounds (RNE). */
static uint64_t start_value(PtoReduceOp op, PtoDataType type)
{
    uint32_t unused = 0;
    PtoNum one = pto_num_from_int(1);

    return op == PTO_REDUCE_PROD
           ? pto_num_round(pto_format(type), &one, PTO_ROUND_RNE, false, &unused)
           : 0;
}

void pto_reduce_start(PtoReduce *r, PtoReduceOp op, PtoDataType type)
{
    *r = (PtoReduce) { .op = op, .type = type, .acc = start_value(op, type) };
}

/* Is @x preferred over the accumulated number? Mixed zeros count as ordered. */
static bool better(const PtoReduce *r, uint64_t x)
{
    bool want_max = r->op == PTO_REDUCE_MAX || r->op == PTO_REDUCE_ARGMAX;
    PtoNum new = pto_num_unpack(r->type, x);
    PtoNum old = pto_num_unpack(r->type, r->acc);
    int order = pto_num_compare(&new, &old);

    if (order == 0 && new.cls == PTO_NUM_ZERO) {
        order = (int)old.sign - (int)new.sign;
    }
    return want_max ? order > 0 : order < 0;
}

/* Maximum and minimum ignore NaNs while a number exists (N12). */
static void select_step(PtoReduce *r, uint64_t x, uint32_t *flags)
{
    bool nan = pto_elem_nan(r->type, x);

    if (nan && pto_elem_snan(r->type, x)) {
        *flags |= PTO_FLAG_NV;
    }
    if (nan) {
        if (!r->numeric) {
            r->acc = pto_format(r->type)->canonical_nan;
        }
    } else if (!r->numeric || better(r, x)) {
        r->acc = x;
        r->index = r->count;
        r->numeric = true;
    }
}

void pto_reduce_step(PtoReduce *r, uint64_t x, uint32_t *flags)
{
    switch (r->op) {
    case PTO_REDUCE_SUM:
        r->acc = pto_elem_binary(PTO_ELEM_ADD, r->type, r->acc, x,
                                 PTO_ROUND_RNE, flags);
        break;
    case PTO_REDUCE_PROD:
        r->acc = pto_elem_binary(PTO_ELEM_MUL, r->type, r->acc, x,
                                 PTO_ROUND_RNE, flags);
        break;
    default:
        select_step(r, x, flags);
        break;
    }
    r->count++;
}

uint64_t pto_reduce_finish(const PtoReduce *r)
{
    return r->op == PTO_REDUCE_ARGMAX || r->op == PTO_REDUCE_ARGMIN ? r->index
                                                                    : r->acc;
}

bool pto_sort_before(PtoDataType type, bool descending, uint64_t a, uint64_t b)
{
    PtoNum x = pto_num_unpack(type, a), y = pto_num_unpack(type, b);
    int order;

    if (pto_num_is_nan(&x)) {
        return false;
    }
    if (pto_num_is_nan(&y)) {
        return true;
    }
    order = pto_num_compare(&x, &y);
    return descending ? order > 0 : order < 0;
}
