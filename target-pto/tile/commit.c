/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commit of a tile block: decode, class rules, preflight, compute, publish.
 */
#include "tile/commit.h"

static const PtoSchema *const schemas[PTO_SCHEMA_COUNT] = {
#define PTO_SCHEMA(name, symbol) [PTO_SCHEMA_##name] = &symbol,
#include "tile/schemas.def"
#undef PTO_SCHEMA
};

static void plan_start(PtoTileCtx *ctx, PtoPlan *plan, const PtoTileOp *op)
{
    const PtoBundle *b = ctx->bundle;

    /* No VEC or SFU family has plan data of its own. */
    memset(plan, 0, op->family == PTO_FAMILY_TEPL ? offsetof(PtoPlan, priv)
                                                  : sizeof(*plan));
    plan->ctx = ctx;
    plan->profile = ctx->profile;
    plan->bundle = b;
    plan->op = op;
    plan->schema = schemas[op->schema];
    plan->type = b->op.dtype;
    plan->dtype2 = b->datr.present ? b->datr.dtype : PTO_DTYPE_NONE;
    plan->pad = b->datr.present ? b->datr.pad : PTO_PAD_NULL;
    plan->byte_id = b->datr.pad;
    plan->cmode = b->datr.cmode;
    plan->rmode = b->datr.rmode;
    plan->sat = b->datr.sat;
    plan->canon = b->datr.canon;
    plan->layout_code = b->datr.layout;
    plan->kernel = plan->schema->kernel;
    for (unsigned i = 0; i < PTO_MAX_DST; i++) {
        plan->dst[i].tile.type = PTO_U8;
        plan->dst[i].slot = -1;
        plan->dst[i].shared_id = -1;
    }
}

static PtoFaultInfo preflight(PtoTileCtx *ctx, PtoPlan *plan)
{
    PtoFaultInfo f;

    f = pto_check_assemble(ctx, plan);
    if (f.code) {
        return f;
    }
    if (pto_layout_code_is_cube(plan->layout_code) &&
        plan->op->id != PTO_OP_TLOAD && plan->op->id != PTO_OP_TSTORE) {
        return pto_reject(PTO_RULE_OP_CUBE_LAYOUT);
    }
    pto_plan_bind(ctx, plan);
    return plan->schema->preflight ? plan->schema->preflight(ctx, plan)
                                   : pto_preflight_generic(ctx, plan);
}

static PtoCommit run(PtoTileCtx *ctx, PtoPlan *plan)
{
    PtoCommit c = { .status = PTO_COMMIT_DONE, .wait_shared = -1,
                    .op = plan->op };

    c.fault = preflight(ctx, plan);
    if (c.fault.code || plan->wait) {
        c.status = c.fault.code ? PTO_COMMIT_FAULT : PTO_COMMIT_WAIT;
        c.wait_shared = plan->wait_shared;
        pto_generation_abort(ctx, plan, &c.fault, &c.restart_valid,
                             &c.restart_pc);
        return c;
    }
    if (!plan->consume_only) {
        if (plan->kernel) {
            plan->kernel(plan);
        }
        pto_count_commit(plan);
        pto_plan_publish(ctx, plan);
    }
    c.flags = plan->flags;
    return c;
}

PtoCommit pto_tile_commit(PtoTileCtx *ctx)
{
    const PtoBundle *b = ctx->bundle;
    const PtoTileOp *op = pto_bundle_tile_op(b);
    PtoCommit c = { .status = PTO_COMMIT_NOOP, .wait_shared = -1, .op = op };
    bool shared = b->ios_count != 0;
    PtoPlan plan PTO_UNINITIALIZED;
    unsigned mask;

    if (!b->op.valid || b->op.op_class == PTO_OPCLASS_CONTROL ||
        (b->zero_seen && !b->iot_count && !b->ios_count)) {
        return c;
    }
    if (!op) {
        c.status = PTO_COMMIT_FAULT;
        c.fault = pto_reject(PTO_RULE_START_SELECTOR);
        return c;
    }
    if (pto_bundle_mask(b, &mask) && mask && !pto_plan_acts(ctx, mask)) {
        return c;
    }
    ctx->local->own_pool = !ctx->profile->single_program;
    plan_start(ctx, &plan, op);
    plan.mask = mask;
    plan.wait_shared = -1;
    if (shared && ctx->access->core_lock) {
        ctx->access->core_lock(ctx->opaque);
    }
    c = run(ctx, &plan);
    if (shared && ctx->access->core_unlock) {
        ctx->access->core_unlock(ctx->opaque);
    }
    pto_plan_release(&plan);
    return c;
}
