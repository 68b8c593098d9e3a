/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TLOAD, TSTORE and TMOV of Local tiles: ordinary layouts by the generic
 * sequence, CUBE transport (B.DATR layouts 21..26) by its own.
 */
#include "tile/plan.h"
#include "tile/tlsu.h"

/* --- kernels --- */

static void kernel_load(PtoPlan *plan)
{
    TlsuPlan *p = pto_plan_priv(plan, sizeof(*p));
    PtoTile *t = &plan->dst[0].tile;
    bool whole = t->vrows == t->rows && t->vcols == t->cols &&
                 !pto_layout_is_cube(t->layout);
    /* Row-major tails are few bytes: only they are zeroed. */
    bool tails = !whole && t->layout == PTO_LAYOUT_ROW &&
                 !pto_type_is_4bit(t->type);

    pto_tile_new_payload(t, !whole && !tails);
    if (tails) {
        pto_tile_pad(t, PTO_PAD_ZERO);
    }
    pto_rect_load(plan->ctx, &p->rect, t);
    if (pto_layout_is_cube(t->layout) && plan->pad != PTO_PAD_NULL) {
        if (pto_pad_value(plan->pad, t->type)) {
            pto_tile_pad(t, plan->pad);
        }
        pto_tile_define_all(t);         /* a fresh payload is zero already */
    } else {
        pto_tile_define_valid(t);
    }
    pto_count_rect(plan, &p->rect, false);
}

static void kernel_store(PtoPlan *plan)
{
    TlsuPlan *p = pto_plan_priv(plan, sizeof(*p));

    pto_rect_store(plan->ctx, &p->rect, plan->src[0].tile);
    pto_count_rect(plan, &p->rect, true);
}

/* Same shape and type: the copy shares the payload. */
static void kernel_move(PtoPlan *plan)
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

/* --- rectangles --- */

static void set_rect(TlsuPlan *p, uint64_t base, uint64_t stride,
                     const PtoTile *t)
{
    p->rect = (PtoRect) {
        .base = base, .stride = stride, .rows = t->vrows, .cols = t->vcols,
        .type = t->type,
    };
}

/* --- ordinary TLOAD / TSTORE --- */

static PtoFaultInfo load_legal(PtoTileCtx *ctx, PtoPlan *plan)
{
    TlsuPlan *p = pto_plan_priv(plan, sizeof(*p));
    PtoTile *t = &plan->dst[0].tile;
    uint64_t stride = plan->bundle->ior.valid ? plan->scalar0
                      : pto_row_bytes(t->cols, plan->type);

    if (!pto_tile_legal(t)) {
        return pto_reject(PTO_RULE_TLSU_LAYOUT);
    }
    set_rect(p, plan->address, stride, t);
    return pto_rect_probe(ctx, &p->rect, false);
}

static PtoFaultInfo store_legal(PtoTileCtx *ctx, PtoPlan *plan)
{
    TlsuPlan *p = pto_plan_priv(plan, sizeof(*p));
    const PtoTile *t = plan->src[0].tile;
    uint64_t stride = plan->scalar0;

    if (!pto_tile_legal(t) || (t->storage != PTO_STORE_NUMERIC &&
                               !plan->profile->predicate_store)) {
        return pto_reject(PTO_RULE_STORE_SOURCE);
    }
    if (!t->contents_defined) {
        return pto_reject(PTO_RULE_STORE_UNDEFINED);
    }
    if (!plan->bundle->ior.valid) {
        stride = pto_row_bytes(pto_dim_or(plan->bundle, 2, t->cols), plan->type);
    }
    set_rect(p, plan->address, stride, t);
    return pto_rect_probe(ctx, &p->rect, true);
}

/* --- CUBE transport --- */

static PtoFaultInfo cube_header(PtoTileCtx *ctx, PtoPlan *plan, bool load)
{
    const PtoBundle *b = plan->bundle;
    bool to_cube = plan->layout_code <= 23;
    unsigned mask;

    if (!pto_dim_ok(b, 0) || !pto_dim_ok(b, 1) || b->dim_present[2]) {
        return pto_reject(PTO_RULE_CUBE_MOVE_DIM);
    }
    if (b->datr.dtype != PTO_DTYPE_NONE || b->datr.cmode || b->datr.rmode ||
        b->datr.sat || b->datr.canon || to_cube != load) {
        return pto_reject(PTO_RULE_CUBE_MOVE_DATR);
    }
    if (b->ios_count || b->iot_count != 1 || b->fpatr.valid ||
        pto_check_bindings(ctx, plan).code || !pto_bundle_mask(b, &mask)) {
        return pto_reject(PTO_RULE_CUBE_MOVE_BINDERS);
    }
    if (!pto_type_concrete(b->op.dtype) || !pto_cube_type_ok(b->op.dtype) ||
        (b->op.dtype == PTO_HIF4X2 && !plan->profile->cube_scale_grid)) {
        return pto_reject(PTO_RULE_CUBE_MOVE_TYPE);
    }
    return pto_check_gpr_values(ctx, plan);
}

static PtoFaultInfo cube_transport(PtoTileCtx *ctx, PtoPlan *plan, bool load)
{
    TlsuPlan *p = pto_plan_priv(plan, sizeof(*p));
    const PtoBundle *b = plan->bundle;
    PtoLayout layout = pto_layout_of_code(plan->layout_code);
    PtoFaultInfo f = cube_header(ctx, plan, load);
    const PtoTile *t;
    uint64_t stride;

    if (f.code) {
        return f;
    }
    stride = b->ior.valid ? plan->scalar0
                          : pto_row_bytes(b->dim[0], plan->type);
    if (load) {
        PtoDest *d = &plan->dst[0];

        d->type = plan->type;
        d->layout = layout;
        d->vcols = b->dim[0];
        d->vrows = b->dim[1];
        if (layout == PTO_LAYOUT_M32 && d->vrows > 32 &&
            !plan->profile->cube_scale_grid) {
            return pto_reject(PTO_RULE_CUBE_MOVE_ROWS);
        }
        f = pto_plan_allocate(ctx, plan);
        t = &d->tile;
    } else {
        t = plan->src[0].tile;
        if (!pto_tile_cube_legal(t) || !t->contents_defined ||
            t->type != plan->type || t->layout != layout ||
            t->vrows != b->dim[1] || t->vcols != b->dim[0] ||
            (plan->mask & ~t->mask)) {
            f = pto_reject(PTO_RULE_CUBE_STORE_SOURCE);
        }
    }
    if (f.code) {
        return f;
    }
    set_rect(p, plan->address, stride, t);
    return pto_rect_probe(ctx, &p->rect, !load);
}

static PtoFaultInfo local_ranges(PtoTileCtx *ctx, PtoPlan *plan)
{
    PtoFaultInfo f = pto_plan_views(ctx, plan);

    return f.code ? f : pto_plan_generations(ctx, plan);
}

static PtoFaultInfo load_preflight(PtoTileCtx *ctx, PtoPlan *plan)
{
    PtoFaultInfo f;

    if (pto_layout_code_is_cube(plan->layout_code)) {
        f = local_ranges(ctx, plan);
        return f.code ? f : cube_transport(ctx, plan, true);
    }
    if (plan->bundle->ios_count) {
        return pto_shared_load_preflight(ctx, plan);
    }
    return pto_preflight_generic(ctx, plan);
}

static PtoFaultInfo store_preflight(PtoTileCtx *ctx, PtoPlan *plan)
{
    PtoFaultInfo f;

    if (pto_layout_code_is_cube(plan->layout_code)) {
        f = local_ranges(ctx, plan);
        return f.code ? f : cube_transport(ctx, plan, false);
    }
    if (plan->bundle->ios_count) {
        return pto_shared_store_preflight(ctx, plan);
    }
    return pto_preflight_generic(ctx, plan);
}

const PtoSchema pto_schema_load = {
    .preflight = load_preflight,
    .shape = pto_shape_from_source,
    .legal = load_legal,
    .kernel = kernel_load,
};

const PtoSchema pto_schema_store = {
    .preflight = store_preflight,
    .legal = store_legal,
    .kernel = kernel_store,
};

/* --- TMOV --- */

static PtoFaultInfo move_preflight(PtoTileCtx *ctx, PtoPlan *plan)
{
    return plan->bundle->ios_count ? pto_shared_move_preflight(ctx, plan)
                                   : pto_preflight_generic(ctx, plan);
}

static PtoFaultInfo move_legal(PtoTileCtx *ctx, PtoPlan *plan)
{
    (void)ctx;
    if (!pto_tile_match(&plan->dst[0].tile, plan->src[0].tile)) {
        return pto_reject(PTO_RULE_MOVE_MATCH);
    }
    return PTO_OK;
}

const PtoSchema pto_schema_move = {
    .preflight = move_preflight,
    .shape = pto_shape_from_source,
    .legal = move_legal,
    .kernel = kernel_move,
};
