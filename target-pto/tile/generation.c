/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Range modifiers of Local tiles: views of sources, generations of destinations.
 */
#include "tile/plan.h"

PtoFaultInfo pto_check_assemble(PtoTileCtx *ctx, PtoPlan *plan)
{
    (void)ctx;
    (void)plan;
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
    (void)ctx; (void)plan; (void)fault; (void)restart_valid; (void)restart_pc;
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
