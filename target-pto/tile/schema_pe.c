/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TLSU operations that concern all PEs of the core: TPREFETCH and GMOV.
 */
#include "tile/plan.h"
#include "tile/rendezvous.h"

/* --- TPREFETCH --- */

static PtoFaultInfo prefetch_pe(PtoTileCtx *ctx, PtoPlan *plan, unsigned pe,
                                uint32_t vrows, uint32_t vcols, uint32_t cols)
{
    const PtoBundle *b = plan->bundle;
    unsigned bits = pto_type_bits(plan->type);
    uint64_t base = 0, stride = cols;

    if (b->ior.valid) {
        base = pto_ctx_reg_of(ctx, pe, b->ior.src[0]);
        stride = pto_ctx_reg_of(ctx, pe, b->ior.src[1]);
    }
    /* The stride counts elements; packed rows may start at a high nibble. */
    for (uint32_t r = 0; r < vrows; r++) {
        uint64_t first = r * stride;
        PtoRect row = {
            .base = base + (bits == 4 ? first / 2 : first * (bits / 8)),
            .rows = 1, .cols = vcols + (bits == 4 ? first % 2 : 0),
            .type = plan->type,
        };
        PtoFaultInfo f = pto_rect_probe(ctx, &row, false);

        if (f.code) {
            return f;
        }
    }
    return PTO_OK;
}

static PtoFaultInfo prefetch_preflight(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoBundle *b = plan->bundle;
    uint32_t vcols = pto_dim_or(b, 0, 1), vrows = pto_dim_or(b, 1, 1);
    uint32_t cols = pto_dim_or(b, 2, vcols);
    PtoFaultInfo f;

    if (pto_type_bits(plan->type) == 64) {
        return pto_reject(PTO_RULE_PREFETCH_TYPE);
    }
    if (b->iot_count || b->ios_count || pto_check_bindings(ctx, plan).code ||
        pto_check_gpr_values(ctx, plan).code) {
        return pto_reject(PTO_RULE_PREFETCH_BINDERS);
    }
    for (unsigned i = 0; i < 3; i++) {
        if (b->dim_present[i] && !pto_dim_ok(b, i)) {
            return pto_reject(PTO_RULE_PREFETCH_DIM);
        }
    }
    if (vcols > cols || (cols & (cols - 1)) ||
        (plan->profile->prefetch_elements &&
         (uint64_t)vcols * vrows > plan->profile->prefetch_elements)) {
        return pto_reject(PTO_RULE_PREFETCH_SHAPE);
    }
    f = pto_check_datr(ctx, plan);
    for (unsigned pe = 0; !f.code && pe < PTO_PES; pe++) {
        if (ctx->profile->single_program || pe == ctx->pe) {
            f = prefetch_pe(ctx, plan, pe, vrows, vcols, cols);
        }
    }
    return f;
}

/* Probed and otherwise without effect: guest memory has no modelled cache. */
const PtoSchema pto_schema_prefetch = {
    .preflight = prefetch_preflight,
};

/* --- GMOV --- */

/* What a PE brings to the collective; the payload follows. */
typedef struct GmovContribution {
    PtoTile tile;
    uint64_t peer;
} GmovContribution;

static bool gmov_type_ok(PtoDataType t)
{
    return pto_type_bits(t) != 64;
}

static PtoFaultInfo gmov_check(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoBundle *b = plan->bundle;
    const PtoTile *s;
    PtoFaultInfo f;
    unsigned mask;

    if (b->ios_count || pto_check_bindings(ctx, plan).code ||
        pto_check_gpr_values(ctx, plan).code || !pto_bundle_mask(b, &mask) ||
        b->iot_count != 1) {
        return pto_reject(PTO_RULE_GMOV_BINDERS);
    }
    f = pto_check_datr(ctx, plan);
    if (f.code) {
        return f;
    }
    s = plan->src[0].tile;
    if (!pto_bind_single(b, 1) || !pto_tile_source_defined(s) ||
        (ctx->profile->single_program && s->mask != 15) ||
        plan->dst[0].capacity != s->capacity || !gmov_type_ok(plan->type) ||
        s->type != plan->type ||
        s->layout != pto_layout_of_code(plan->layout_code)) {
        return pto_reject(PTO_RULE_GMOV_SOURCE);
    }
    for (unsigned i = 0; i < 3; i++) {
        if (b->dim_present[i]) {
            return pto_reject(PTO_RULE_GMOV_DIM);
        }
    }
    for (unsigned pe = 0; pe < PTO_PES; pe++) {
        if ((ctx->profile->single_program || pe == ctx->pe) && b->ior.valid &&
            pto_ctx_reg_of(ctx, pe, b->ior.src[0]) >= PTO_PES) {
            return pto_reject(PTO_RULE_GMOV_PEER);
        }
    }
    return PTO_OK;
}

static PtoFaultInfo gmov_preflight(PtoTileCtx *ctx, PtoPlan *plan)
{
    PtoFaultInfo f;

    f = pto_plan_views(ctx, plan);
    if (!f.code) {
        f = pto_plan_generations(ctx, plan);
    }
    if (!f.code) {
        f = gmov_check(ctx, plan);
    }
    if (!f.code && !pto_effective_type(plan, &plan->etype)) {
        f = pto_reject(PTO_RULE_ELEMENT_TYPE);
    }
    if (!f.code) {
        pto_shape_from_source(ctx, plan);
        f = pto_plan_allocate(ctx, plan);
    }
    if (!f.code && (!pto_tile_shape_match(&plan->dst[0].tile,
                                          plan->src[0].tile) ||
                    plan->dst[0].tile.type != plan->src[0].tile->type ||
                    plan->src[0].tile->location == PTO_LOC_MATRIX)) {
        f = pto_reject(PTO_RULE_GMOV_MATCH);
    }
    return f;
}

static void kernel_gmov(PtoPlan *plan)
{
    PtoTile *t = &plan->dst[0].tile;
    const PtoTile *s = plan->src[0].tile;

    t->buf = s->buf;
    if (t->buf) {
        pto_buf_ref(t->buf);
    }
    t->defined = s->defined;
    t->contents_defined = s->contents_defined;
}

/*
 * With one program per PE the block is a rendezvous: every PE brings its source
 * and takes the one of its peer.
 */
static PtoFaultInfo gmov_collective(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoTile *s = plan->src[0].tile;
    size_t bytes = sizeof(GmovContribution) + s->capacity;
    GmovContribution *mine = pto_alloc0(bytes);
    const void *all[PTO_PES];
    const GmovContribution *peer;
    PtoFaultInfo f = PTO_OK;

    pto_tile_copy(&mine->tile, s);
    pto_tile_own_payload(&mine->tile);
    memcpy(mine + 1, mine->tile.buf->data, s->capacity);
    pto_tile_clear(&mine->tile);
    mine->tile = *s;
    mine->tile.buf = NULL;
    mine->peer = plan->scalar0;
    if (!pto_rendezvous(ctx, PTO_OP_GMOV, mine, bytes, all)) {
        plan->wait = true;
        pto_free(mine);
        return PTO_OK;
    }
    pto_free(mine);
    peer = all[plan->scalar0];
    if (!peer || !pto_tile_match(&peer->tile, s)) {
        f = pto_reject(PTO_RULE_GMOV_ABSENT);
    } else {
        PtoTile *t = &plan->dst[0].tile;

        pto_tile_new_payload(t, false);
        memcpy(t->buf->data, peer + 1, t->capacity);
        pto_tile_define_valid(t);
        plan->kernel = NULL;
    }
    pto_rendezvous_done(ctx);
    return f;
}

static PtoFaultInfo gmov_run(PtoTileCtx *ctx, PtoPlan *plan)
{
    PtoFaultInfo f = gmov_preflight(ctx, plan);

    if (f.code || ctx->profile->single_program || ctx->pe_count <= 1) {
        return f;
    }
    return gmov_collective(ctx, plan);
}

const PtoSchema pto_schema_gmov = {
    .preflight = gmov_run,
    .kernel = kernel_gmov,
};
