/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collective blocks of PEs that run programs of their own (GMOV, cooperative
 * TMATMUL): every populated PE of the core arrives with a contribution; when all
 * are there, each one collects all contributions.
 */
#ifndef PTO_TILE_RENDEZVOUS_H
#define PTO_TILE_RENDEZVOUS_H

#include "tile/plan.h"

/*
 * Arrive at (or return to) the collective @key with @bytes of data, which are
 * copied. True: complete; all[pe] points at the contribution of each PE (NULL:
 * not populated) until pto_rendezvous_done(). False: not complete; the block
 * must be retried (plan->wait) and its next attempt replaces the contribution.
 * Takes the core lock itself unless the block has Shared operands (the commit
 * holds it then).
 */
bool pto_rendezvous(PtoTileCtx *ctx, unsigned key, const void *data, size_t bytes,
                    const void *all[PTO_PES]);

/* This PE has used the contributions of the completed collective. */
void pto_rendezvous_done(PtoTileCtx *ctx);

/* Forget what PE @pe brought (its reset). */
void pto_rendezvous_leave(PtoTileCore *core, unsigned pe);

#endif
