/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internal to the TLSU schemas: their private plan data and Shared variants. */
#ifndef PTO_TILE_TLSU_H
#define PTO_TILE_TLSU_H

#include "tile/plan.h"

/* One memory rectangle per PE: Local forms use rect, Shared forms pe[]. */
typedef struct TlsuPlan {
    PtoRect rect;
    PtoRect pe[PTO_PES];
    const PtoBindShared *shared;
    PtoTile view[PTO_PES];      /* Shared sources: what each PE sees */
} TlsuPlan;

PtoFaultInfo pto_shared_load_preflight(PtoTileCtx *ctx, PtoPlan *plan);
PtoFaultInfo pto_shared_store_preflight(PtoTileCtx *ctx, PtoPlan *plan);
PtoFaultInfo pto_shared_move_preflight(PtoTileCtx *ctx, PtoPlan *plan);

#endif
