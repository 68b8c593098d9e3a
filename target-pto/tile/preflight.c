/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Generic pipeline: operands, checks in architectural order, allocation.
 */
#include "tile/plan.h"

static const PtoTile unallocated = { .type = PTO_U8 };

bool pto_plan_acts(PtoTileCtx *ctx, unsigned mask)
{
    return ctx->profile->single_program || ctx->pe_count <= 1 ||
           (mask & pto_pe_bit(ctx->pe));
}

static void bind_source(PtoTileCtx *ctx, PtoPlan *plan, unsigned code)
{
    PtoSource *s = &plan->src[plan->nsrc++];
    int slot = pto_local_resolve(ctx->local, code,
                                 plan->profile->relative_sources);

    s->slot = slot;
    s->shared_id = -1;
    s->is_view = false;
    s->tile = slot >= 0 ? &ctx->local->tile[slot] : &unallocated;
}

void pto_plan_bind(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoBundle *b = plan->bundle;

    plan->nsrc = 0;
    plan->ndst = 0;
    for (unsigned i = 0; i < b->iot_count; i++) {
        const PtoBindTile *t = &b->iot[i];

        for (unsigned s = 0; s < 2; s++) {
            if (t->src_valid[s] && plan->nsrc < PTO_MAX_SRC) {
                bind_source(ctx, plan, t->src[s]);
            }
        }
        if (t->dst_valid && plan->ndst < PTO_MAX_DST) {
            PtoDest *d = &plan->dst[plan->ndst++];

            d->hand = t->hand;
            d->binding = i;
            d->capacity = pto_size_code_bytes(t->size);
            d->slot = -1;
            d->shared_id = -1;
        }
    }
}

/* --- allocation --- */

typedef struct PtoAlloc {
    uint64_t taken;             /* slots given to this block's destinations */
    uint64_t keep;              /* slots that may not be retired */
    bool kept;                  /* keep has the working tiles of generations */
    uint32_t freed[PTO_PES];
    uint32_t wanted[PTO_PES];
} PtoAlloc;

static bool slot_free(const PtoTileCtx *ctx, const PtoPlan *plan,
                      const PtoAlloc *a, unsigned slot)
{
    return !(a->taken >> slot & 1) &&
           (!ctx->local->tile[slot].allocated || (plan->retire >> slot & 1));
}

static void keep_generations(const PtoLocalTiles *l, PtoAlloc *a)
{
    uintptr_t any = 0;

    a->kept = true;
    for (unsigned i = 0; i < ARRAY_SIZE(l->generation); i++) {
        any |= (uintptr_t)l->generation[i];
    }
    if (!any) {
        return;
    }
    for (unsigned i = 0; i < ARRAY_SIZE(l->generation); i++) {
        const PtoGeneration *g = l->generation[i];

        if (g && g->open && g->slot < PTO_TILE_SLOTS) {
            a->keep |= 1ull << g->slot;
        }
    }
}

/* Retire the oldest tile of @hand that the block does not read. */
static bool retire_one(PtoTileCtx *ctx, PtoPlan *plan, PtoAlloc *a,
                       unsigned hand)
{
    PtoLocalTiles *l = ctx->local;
    int oldest = -1;

    if (plan->profile->retire != PTO_RETIRE_RING) {
        return false;
    }
    if (!a->kept) {
        keep_generations(l, a);
    }
    for (unsigned i = hand * 16; i < hand * 16 + 16; i++) {
        if (l->tile[i].allocated && !((plan->retire | a->keep) >> i & 1) &&
            (oldest < 0 || l->seq[i] < l->seq[oldest])) {
            oldest = i;
        }
    }
    if (oldest < 0) {
        return false;
    }
    plan->retire |= 1ull << oldest;
    for (unsigned pe = 0; pe < PTO_PES; pe++) {
        if (l->own_pool ? pe == 0 : l->tile[oldest].mask & pto_pe_bit(pe)) {
            a->freed[pe] += l->tile[oldest].capacity;
        }
    }
    return true;
}

static int find_slot(PtoTileCtx *ctx, PtoPlan *plan, PtoAlloc *a, unsigned hand)
{
    do {
        for (unsigned i = hand * 16; i < hand * 16 + 16; i++) {
            if (slot_free(ctx, plan, a, i)) {
                return i;
            }
        }
    } while (retire_one(ctx, plan, a, hand));
    return -1;
}

static bool pool_fits(PtoTileCtx *ctx, PtoPlan *plan, PtoAlloc *a,
                      uint32_t total)
{
    return pto_local_fits(ctx->local, plan->mask, total, a->freed);
}

static bool configure_dest(PtoPlan *plan, PtoDest *d)
{
    if (d->storage == PTO_STORE_PREDICATE) {
        if (!d->rows || !d->cols || d->vrows > d->rows || d->vcols > d->cols ||
            ((uint64_t)d->rows * d->cols + 7) / 8 > d->capacity) {
            return false;
        }
        pto_tile_configure_predicate(&d->tile, d->capacity, d->rows, d->cols,
                                     d->vrows, d->vcols, plan->mask);
        return true;
    }
    if (pto_layout_is_cube(d->layout)) {
        return pto_tile_configure_cube(&d->tile, d->capacity, d->vrows,
                                       d->vcols, d->type, d->layout,
                                       plan->mask);
    }
    if (!pto_shape_legal(d->capacity, d->cols, d->vrows, d->vcols, d->type)) {
        return false;
    }
    pto_tile_configure(&d->tile, d->capacity, d->cols, d->vrows, d->vcols,
                       d->type, d->layout, d->location, plan->mask);
    return true;
}

PtoFaultInfo pto_plan_allocate(PtoTileCtx *ctx, PtoPlan *plan)
{
    PtoAlloc a = { .taken = plan->view_slots };
    uint32_t total = plan->view_bytes;

    for (unsigned i = 0; i < plan->nsrc; i++) {
        if (plan->src[i].slot >= 0) {
            a.keep |= 1ull << plan->src[i].slot;
        }
    }
    for (unsigned i = 0; i < plan->ndst; i++) {
        PtoDest *d = &plan->dst[i];
        int slot;

        if (plan->gen[i]) {
            d->slot = plan->gen[i]->slot;       /* working tile exists */
            continue;
        }
        slot = find_slot(ctx, plan, &a, d->hand);
        if (slot < 0) {
            return pto_reject(PTO_RULE_ALLOC_NAME);
        }
        a.taken |= 1ull << slot;
        d->slot = slot;
        total += d->assemble ? pto_size_code_bytes(d->assemble->size)
                             : d->capacity;
    }
    for (unsigned i = 0; total && !pool_fits(ctx, plan, &a, total);) {
        a.keep |= a.taken;
        if (retire_one(ctx, plan, &a, plan->dst[i].hand)) {
            continue;
        }
        if (++i == plan->ndst) {
            return pto_reject(PTO_RULE_ALLOC_POOL);
        }
    }
    for (unsigned i = 0; i < plan->ndst; i++) {
        if (!configure_dest(plan, &plan->dst[i])) {
            return pto_reject(PTO_RULE_ALLOC_SHAPE);
        }
        if (plan->dst[i].assemble) {
            PtoFaultInfo f = pto_check_local_parent(plan, i);

            if (f.code) {
                return f;
            }
        }
    }
    return PTO_OK;
}

/* --- the generic sequence --- */

PtoFaultInfo pto_preflight_generic(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoSchema *s = plan->schema;
    PtoFaultInfo f;
    unsigned mask;

    f = pto_plan_views(ctx, plan);
    if (!f.code) {
        f = pto_plan_generations(ctx, plan);
    }
    if (!f.code && plan->bundle->ios_count) {
        f = pto_reject(PTO_RULE_OP_SHARED);
    }
    if (!f.code) {
        f = pto_check_bindings(ctx, plan);
    }
    if (!f.code) {
        f = pto_check_gpr_values(ctx, plan);
    }
    if (!f.code && s->gpr_values) {
        f = s->gpr_values(ctx, plan);
    }
    if (!f.code) {
        f = pto_check_datr(ctx, plan);
    }
    if (!f.code && s->check) {
        f = s->check(ctx, plan);
    }
    /* The commands keep them equal; a restored record may not. */
    if (!f.code && !pto_bundle_mask(plan->bundle, &mask)) {
        f = pto_reject(PTO_RULE_MASKS);
    }
    if (!f.code && plan->ndst && !pto_effective_type(plan, &plan->etype)) {
        f = pto_reject(PTO_RULE_ELEMENT_TYPE);
    }
    if (!f.code && plan->ndst && s->shape) {
        f = s->shape(ctx, plan);
    }
    if (!f.code && plan->ndst) {
        f = pto_plan_allocate(ctx, plan);
    }
    if (!f.code && s->legal) {
        f = s->legal(ctx, plan);
    }
    return f;
}

void pto_plan_release(PtoPlan *plan)
{
    for (unsigned i = 0; i < PTO_MAX_DST; i++) {
        if (plan->dst[i].tile.buf) {
            pto_tile_clear(&plan->dst[i].tile);
        }
    }
    for (unsigned i = 0; i < PTO_MAX_SRC; i++) {
        if (plan->view[i].buf) {
            pto_tile_clear(&plan->view[i]);
        }
    }
}
