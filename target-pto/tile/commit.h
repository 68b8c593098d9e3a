/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry point of the tile core: execute the tile operation of a completed block.
 */
#ifndef PTO_TILE_COMMIT_H
#define PTO_TILE_COMMIT_H

#include "tile/plan.h"

typedef enum PtoCommitStatus {
    PTO_COMMIT_DONE,            /* effects are visible */
    PTO_COMMIT_NOOP,            /* nothing to do for this PE */
    PTO_COMMIT_WAIT,            /* a Shared source is not ready: retry the block */
    PTO_COMMIT_FAULT,           /* rejected; no effect */
} PtoCommitStatus;

typedef struct PtoCommit {
    PtoCommitStatus status;
    PtoFaultInfo fault;         /* valid with status FAULT */
    uint8_t flags;              /* PTO_FLAG_* to OR into CORE_STATE */
    int8_t wait_shared;         /* WAIT: the S register waited for, -1 rendezvous */
    bool restart_valid;         /* fault dropped a Local generation: ... */
    uint64_t restart_pc;        /* ... saved TPC is its INIT block's start */
    const PtoTileOp *op;        /* NULL when decode failed */
} PtoCommit;

/*
 * Run the tile operation of ctx->bundle. A bundle without a tile operation gives
 * NOOP. Memory of the guest changes only with status DONE.
 */
PtoCommit pto_tile_commit(PtoTileCtx *ctx);

#endif
