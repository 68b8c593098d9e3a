/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared registers.
 */
#include "tile/plan.h"
#include "tile/tlsu.h"

const PtoTile *pto_shared_source(PtoTileCtx *ctx, unsigned id)
{
    return &ctx->core->shared[id % PTO_SHARED_COUNT].tile;
}

PtoFaultInfo pto_shared_load_preflight(PtoTileCtx *ctx, PtoPlan *plan)
{
    (void)ctx;
    (void)plan;
    return PTO_LEGALITY("Shared TLOAD");
}

PtoFaultInfo pto_shared_store_preflight(PtoTileCtx *ctx, PtoPlan *plan)
{
    (void)ctx;
    (void)plan;
    return PTO_LEGALITY("Shared TSTORE");
}

PtoFaultInfo pto_shared_move_preflight(PtoTileCtx *ctx, PtoPlan *plan)
{
    (void)ctx;
    (void)plan;
    return PTO_LEGALITY("Shared TMOV");
}
