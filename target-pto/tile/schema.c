/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Services shared by all schemas: dimensions, types, layouts, binding counts,
 * B.DATR fields and raw B.IOR values.
 */
#include "tile/plan.h"

#define PTO_DIM_MAX 65535u

uint64_t pto_ctx_reg(PtoTileCtx *ctx, unsigned selector)
{
    return ctx->access->read_scalar(ctx->opaque, ctx->pe, selector);
}

uint64_t pto_ctx_reg_of(PtoTileCtx *ctx, unsigned pe, unsigned selector)
{
    return ctx->access->read_scalar(ctx->opaque, pe, selector);
}

static bool in_domain(uint64_t v)
{
    return v >= 1 && v <= PTO_DIM_MAX;
}

bool pto_dim_ok(const PtoBundle *b, unsigned n)
{
    return b->dim_present[n] && in_domain(b->dim[n]);
}

bool pto_dims_closed(const PtoBundle *b)
{
    return pto_dim_ok(b, 0) && (!b->dim_present[1] || in_domain(b->dim[1])) &&
           (!b->dim_present[2] || in_domain(b->dim[2]));
}

uint32_t pto_dim_or(const PtoBundle *b, unsigned n, uint32_t fallback)
{
    return in_domain(b->dim[n]) ? b->dim[n] : fallback;
}

PtoLayout pto_layout_of_code(unsigned code)
{
    switch (code) {
    case 1: case 18: case 28:
        return PTO_LAYOUT_COL;
    case 3: case 8: case 30:
        return PTO_LAYOUT_ZN;
    case 4: case 9: case 20:
        return PTO_LAYOUT_NZ;
    case 21: case 24:
        return PTO_LAYOUT_M32;
    case 22: case 25:
        return PTO_LAYOUT_M16;
    case 23: case 26:
        return PTO_LAYOUT_N8;
    default:
        return PTO_LAYOUT_ROW;
    }
}

bool pto_bind_single(const PtoBundle *b, unsigned srcs)
{
    const PtoBindTile *t = &b->iot[0];

    return b->iot_count == 1 && b->ios_count == 0 && t->dst_valid && t->last &&
           t->src_valid[0] == (srcs > 0) && t->src_valid[1] == (srcs > 1);
}

/* TMOV may leave its type to the source (DataType 31 everywhere). */
static bool type_of_move_source(PtoPlan *plan, PtoDataType *type)
{
    const PtoBundle *b = plan->bundle;

    for (unsigned i = 0; i < plan->nsrc; i++) {
        if (plan->src[i].shared_id < 0 && pto_tile_configured(plan->src[i].tile)) {
            *type = plan->src[i].tile->type;
            return true;
        }
    }
    for (unsigned i = 0; i < b->ios_count; i++) {
        if (!b->ios[i].size) {
            const PtoTile *t = pto_shared_source(plan->ctx, b->ios[i].id);

            if (pto_tile_legal(t)) {
                *type = t->type;
                return true;
            }
        }
    }
    return false;
}

bool pto_effective_type(PtoPlan *plan, PtoDataType *type)
{
    const PtoBundle *b = plan->bundle;
    bool own = plan->profile->datr_zero_is_fp64 ||
               (plan->op->datr & PTO_DATR_TYPE);

    if (b->datr.present && own && pto_type_concrete(b->datr.dtype)) {
        *type = b->datr.dtype;
        return true;
    }
    if (b->op.dtype_valid && pto_type_concrete(b->op.dtype)) {
        *type = b->op.dtype;
        return true;
    }
    return plan->op->id == PTO_OP_TMOV && type_of_move_source(plan, type);
}

static void request_all(PtoPlan *plan, uint32_t vrows, uint32_t vcols,
                        uint32_t cols)
{
    for (unsigned i = 0; i < plan->ndst; i++) {
        PtoDest *d = &plan->dst[i];

        d->storage = PTO_STORE_NUMERIC;
        d->type = i ? PTO_U32 : plan->etype;
        d->layout = pto_layout_of_code(plan->layout_code);
        d->location = PTO_LOC_ANY;
        d->cols = cols;
        d->vrows = vrows;
        d->vcols = vcols;
    }
}

PtoFaultInfo pto_shape_from_dims(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoBundle *b = plan->bundle;
    uint32_t vcols = b->dim[0];

    (void)ctx;
    request_all(plan, b->dim_present[1] ? b->dim[1] : 1, vcols,
                b->dim_present[2] ? b->dim[2] : vcols);
    return PTO_OK;
}

/* The tile whose shape stands in for omitted dimensions, or NULL. */
static const PtoTile *shape_source(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoBundle *b = plan->bundle;

    for (unsigned i = 0; i < plan->nsrc; i++) {
        if (plan->src[i].shared_id < 0) {
            if (pto_tile_configured(plan->src[i].tile)) {
                return plan->src[i].tile;
            }
            break;
        }
    }
    if (b->ios_count == 1) {
        const PtoTile *t = pto_shared_source(ctx, b->ios[0].id);

        return pto_tile_legal(t) ? t : NULL;
    }
    return NULL;
}

PtoFaultInfo pto_shape_from_source(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoBundle *b = plan->bundle;
    const PtoTile *s = shape_source(ctx, plan);
    uint32_t vcols = pto_dim_or(b, 0, s ? s->vcols : 1);

    request_all(plan, pto_dim_or(b, 1, s ? s->vrows : 1), vcols,
                pto_dim_or(b, 2, s ? s->cols : vcols));
    return PTO_OK;
}

/* Scalar inputs of the operation, in the profile's view. */
static unsigned gprs_of(const PtoPlan *plan)
{
    if (plan->op->sub == PTO_SUB_WINDOW && plan->profile->window_ior) {
        return PTO_GPR_SCALAR0 | PTO_GPR_SCALAR1;
    }
    return plan->op->gprs;
}

PtoFaultInfo pto_check_bindings(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoBundle *b = plan->bundle;
    unsigned inputs = __builtin_popcount(gprs_of(plan));

    (void)ctx;
    if (b->fpatr.valid) {
        return pto_reject(PTO_RULE_FPATR_BLOCK);
    }
    if (pto_bundle_local_destinations(b) != plan->op->destinations ||
        pto_bundle_local_sources(b) != plan->op->sources) {
        return pto_reject(PTO_RULE_OP_OPERANDS);
    }
    if (b->iot_count && !pto_bundle_terminated(b)) {
        return pto_reject(PTO_RULE_OP_LAST);
    }
    if (b->ior.valid &&
        ((inputs < 3 && b->ior.src[2]) || (inputs < 2 && b->ior.src[1]) ||
         (inputs < 1 && b->ior.src[0]) || b->ior.dst)) {
        return pto_reject(PTO_RULE_IOR_OPERANDS);
    }
    return PTO_OK;
}

PtoFaultInfo pto_check_gpr_values(PtoTileCtx *ctx, PtoPlan *plan)
{
    struct {
        unsigned bit;
        uint64_t *value;
    } const inputs[] = {
        { PTO_GPR_ADDRESS, &plan->address },
        { PTO_GPR_SCALAR0, &plan->scalar0 },
        { PTO_GPR_SCALAR1, &plan->scalar1 },
        { PTO_GPR_DIAGONAL, &plan->diagonal },
        { PTO_GPR_FLAG0, &plan->flag0 },
    };
    unsigned slot = 0, gprs = gprs_of(plan);

    if (!plan->bundle->ior.valid) {
        return PTO_OK;
    }
    for (unsigned i = 0; i < ARRAY_SIZE(inputs); i++) {
        if ((gprs & inputs[i].bit) && slot < 3) {
            *inputs[i].value = pto_ctx_reg(ctx, plan->bundle->ior.src[slot++]);
        }
    }
    if (plan->flag0 > 1) {
        return pto_reject(PTO_RULE_IOR_FLAG);
    }
    if ((int64_t)plan->diagonal < -65535 || (int64_t)plan->diagonal > 65535) {
        return pto_reject(PTO_RULE_IOR_DIAGONAL);
    }
    return PTO_OK;
}

PtoFaultInfo pto_check_datr(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoDatr *d = &plan->bundle->datr;
    const PtoTileOp *op = plan->op;
    unsigned nonzero;

    (void)ctx;
    if (!d->present) {
        return PTO_OK;
    }
    nonzero = (d->cmode ? PTO_DATR_CMODE : 0) | (d->pad ? PTO_DATR_PAD : 0) |
              (d->sat ? PTO_DATR_SAT : 0) | (d->canon ? PTO_DATR_CANON : 0) |
              (d->dtype ? PTO_DATR_TYPE : 0) | (d->rmode ? PTO_DATR_RMODE : 0) |
              (d->layout ? PTO_DATR_LAYOUT : 0);
    if (nonzero & ~op->datr) {
        return pto_reject(PTO_RULE_DATR_UNUSED);
    }
    if (d->pad && (op->id == PTO_OP_TLOAD || op->id == PTO_OP_TSTORE) &&
        !pto_layout_code_is_cube(d->layout)) {
        return pto_reject(PTO_RULE_DATR_PAD_ORDINARY);
    }
    return PTO_OK;
}
