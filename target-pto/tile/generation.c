/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Range modifiers of Local tiles: views of sources, generations of destinations.
 */
#include "tile/plan.h"

/* Operations whose effects cannot be rolled back or that have no destination. */
static bool may_assemble(const PtoTileOp *op)
{
    switch (op->id) {
    case PTO_OP_MGATHER_CAS:
    case PTO_OP_MSCATTER:
    case PTO_OP_MSCATTER_MASK:
    case PTO_OP_TPREFETCH:
    case PTO_OP_TSCATTER:
    case PTO_OP_TSTORE:
        return false;
    default:
        return true;
    }
}

PtoFaultInfo pto_check_assemble(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoBundle *b = plan->bundle;
    bool assemble = false;

    (void)ctx;
    for (unsigned i = 0; i < b->iot_count; i++) {
        assemble |= b->iot[i].assemble.valid;
    }
    for (unsigned i = 0; i < b->ios_count; i++) {
        assemble |= b->ios[i].assemble.valid;
    }
    if (assemble && !may_assemble(plan->op)) {
        return PTO_LEGALITY("B.ASSEMBLE on an operation that cannot assemble");
    }
    for (unsigned i = 0; i < b->ios_count; i++) {
        unsigned mask = b->ios[i].mask;

        if (b->ios[i].size && (mask & (mask - 1)) && !b->ios[i].assemble.valid) {
            return PTO_LEGALITY("Shared destination of several PEs needs B.ASSEMBLE");
        }
    }
    return PTO_OK;
}

PtoFaultInfo pto_plan_views(PtoTileCtx *ctx, PtoPlan *plan)
{
    (void)ctx;
    (void)plan;
    return PTO_OK;
}

PtoFaultInfo pto_plan_generations(PtoTileCtx *ctx, PtoPlan *plan)
{
    (void)ctx;
    (void)plan;
    return PTO_OK;
}

void pto_generation_abort(PtoTileCtx *ctx, PtoPlan *plan, PtoFaultInfo *fault,
                          bool *restart_valid, uint64_t *restart_pc)
{
    (void)fault; (void)restart_valid; (void)restart_pc;
    pto_shared_generation_abort(ctx, plan->bundle);
}

void pto_plan_publish(PtoTileCtx *ctx, PtoPlan *plan)
{
    PtoLocalTiles *l = ctx->local;

    for (unsigned i = 0; i < PTO_TILE_SLOTS; i++) {
        if (plan->retire >> i & 1) {
            pto_local_free(l, i);
        }
    }
    for (unsigned i = 0; i < plan->ndst; i++) {
        PtoDest *d = &plan->dst[i];

        if (d->slot < 0) {
            continue;
        }
        pto_local_free(l, d->slot);
        pto_local_charge(l, d->tile.mask, d->tile.capacity);
        l->tile[d->slot] = d->tile;
        memset(&d->tile, 0, sizeof(d->tile));
        l->seq[d->slot] = l->next_seq++;
    }
}
