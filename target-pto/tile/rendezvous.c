/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rendezvous of the PEs of a core. A round has two phases: PEs arrive until all
 * populated ones are there, then every PE collects once; a PE that is early for
 * the next round waits until the last one has collected.
 */
#include "tile/rendezvous.h"

static unsigned populated(const PtoTileCtx *ctx)
{
    return (1u << MIN(ctx->pe_count, PTO_PES)) - 1;
}

static void lock(PtoTileCtx *ctx)
{
    if (!ctx->bundle->ios_count && ctx->access->core_lock) {
        ctx->access->core_lock(ctx->opaque);
    }
}

static void unlock(PtoTileCtx *ctx)
{
    if (!ctx->bundle->ios_count && ctx->access->core_unlock) {
        ctx->access->core_unlock(ctx->opaque);
    }
}

static void wake(PtoTileCtx *ctx)
{
    ctx->core->publications++;
    if (ctx->access->published) {
        ctx->access->published(ctx->opaque, PTO_SHARED_COUNT);
    }
}

static void contribute(PtoRendezvous *r, unsigned pe, const void *data,
                       size_t bytes)
{
    pto_free(r->data[pe]);
    r->data[pe] = pto_alloc(bytes);
    memcpy(r->data[pe], data, bytes);
    r->bytes[pe] = bytes;
    r->arrived |= 1u << pe;
}

bool pto_rendezvous(PtoTileCtx *ctx, unsigned key, const void *data, size_t bytes,
                    const void *all[PTO_PES])
{
    PtoRendezvous *r = &ctx->core->rendezvous;
    unsigned me = 1u << ctx->pe;
    bool complete;

    lock(ctx);
    if (!r->collecting && (!r->arrived || r->key == key)) {
        r->key = key;
        contribute(r, ctx->pe, data, bytes);
        if ((r->arrived & populated(ctx)) == populated(ctx)) {
            r->collecting = populated(ctx);
            wake(ctx);
        }
    }
    complete = (r->collecting & me) && r->key == key;
    for (unsigned pe = 0; pe < PTO_PES; pe++) {
        /* Another size cannot agree: it counts as absent. */
        all[pe] = complete && r->bytes[pe] == bytes ? r->data[pe] : NULL;
    }
    unlock(ctx);
    return complete;
}

static void finish(PtoRendezvous *r)
{
    for (unsigned pe = 0; pe < PTO_PES; pe++) {
        pto_free(r->data[pe]);
        r->data[pe] = NULL;
        r->bytes[pe] = 0;
    }
    r->arrived = 0;
}

void pto_rendezvous_done(PtoTileCtx *ctx)
{
    PtoRendezvous *r = &ctx->core->rendezvous;

    lock(ctx);
    r->collecting &= ~(1u << ctx->pe);
    if (!r->collecting) {
        finish(r);
        wake(ctx);
    }
    unlock(ctx);
}

void pto_rendezvous_leave(PtoTileCore *core, unsigned pe)
{
    PtoRendezvous *r = &core->rendezvous;

    if (r->collecting) {
        r->collecting &= ~(1u << pe);
        if (!r->collecting) {
            finish(r);
        }
    } else {
        pto_free(r->data[pe]);
        r->data[pe] = NULL;
        r->bytes[pe] = 0;
        r->arrived &= ~(1u << pe);
    }
}
