/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters of completed blocks, which the tile unit shows.
 */
#include "tile/plan.h"

/* Operations per valid element of floating arithmetic; 0: none are counted. */
static const uint8_t element_flops[PTO_SCHEMA_COUNT] = {
    [PTO_SCHEMA_BINARY] = 1,
    [PTO_SCHEMA_UNARY] = 1,
    [PTO_SCHEMA_FMA] = 2,
    [PTO_SCHEMA_SCALAR] = 1,
    [PTO_SCHEMA_COMPARE] = 1,
    [PTO_SCHEMA_COMPARE_SCALAR] = 1,
    [PTO_SCHEMA_CONVERT] = 1,
    [PTO_SCHEMA_QUANT] = 1,
    [PTO_SCHEMA_REDUCE_ROW] = 1,
    [PTO_SCHEMA_REDUCE_COL] = 1,
    [PTO_SCHEMA_EXPAND_ROW] = 1,
    [PTO_SCHEMA_EXPAND_COL] = 1,
};

static uint64_t valid_elements(const PtoTile *t)
{
    return (uint64_t)t->vrows * t->vcols;
}

/* Valid elements of the largest operand: what a reduction or broadcast visits. */
static uint64_t elements(const PtoPlan *plan)
{
    uint64_t n = plan->ndst ? valid_elements(&plan->dst[0].tile) : 0;

    for (unsigned i = 0; i < plan->nsrc; i++) {
        n = MAX(n, valid_elements(plan->src[i].tile));
    }
    return n;
}

static void count_shared(const PtoPlan *plan, PtoTileCounters *c)
{
    const PtoBundle *b = plan->bundle;

    for (unsigned i = 0; i < b->ios_count; i++) {
        const PtoBindShared *s = &b->ios[i];

        if (s->size) {
            c->shared_written += pto_size_code_bytes(s->size);
        } else if (s->subview.valid) {
            c->shared_read += pto_size_code_bytes(s->subview.size);
        } else {
            c->shared_read += pto_shared_source(plan->ctx, s->id)->capacity;
        }
    }
}

void pto_count_commit(const PtoPlan *plan)
{
    PtoLocalTiles *l = plan->ctx->local;
    unsigned flops = element_flops[plan->op->schema];

    l->ops++;
    l->count.engine[plan->op->engine]++;
    if (flops && plan->op->sub != PTO_SUB_EXP_COPY &&
        pto_type_is_float(plan->type)) {
        l->count.flops += flops * elements(plan);
    }
    if (plan->bundle->ios_count) {
        count_shared(plan, &l->count);
    }
}

void pto_count_rect(const PtoPlan *plan, const PtoRect *r, bool store)
{
    PtoTileCounters *c = &plan->ctx->local->count;
    uint64_t bytes = r->rows * pto_row_bytes(r->cols, r->type);

    if (store) {
        c->stored += bytes;
    } else {
        c->loaded += bytes;
    }
}
