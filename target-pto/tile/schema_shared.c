/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TLOAD, TSTORE and TMOV with a Shared operand (delta 4.4 to 4.6).
 *
 * Checks before the waiting gate: binder count, operation, B.IOR shape, B.DATR
 * fields and, for TSTORE, roles; a source that is not ready then makes the block
 * wait, before anything that looks at its descriptor.
 */
#include "tile/plan.h"
#include "tile/tlsu.h"

static PtoFaultInfo common_checks(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoBundle *b = plan->bundle;
    unsigned inputs = __builtin_popcount(plan->op->gprs);
    PtoFaultInfo f = pto_check_shared_generation(ctx, plan);

    if (f.code) {
        return f;
    }
    if (b->ios_count != 1) {
        return pto_reject(PTO_RULE_SHARED_COUNT);
    }
    if (b->ior.valid &&
        (b->ior.dst || b->ior.src[2] || (inputs < 2 && b->ior.src[1]) ||
         (inputs < 1 && b->ior.src[0]))) {
        return pto_reject(PTO_RULE_IOR_OPERANDS);
    }
    return pto_check_datr(ctx, plan);
}

static bool gate(PtoTileCtx *ctx, PtoPlan *plan)
{
    if (pto_shared_ready(ctx, plan->bundle)) {
        return true;
    }
    plan->wait = true;
    plan->wait_shared = plan->bundle->ios[0].id;
    return false;
}

/* PEs whose registers and memory this attempt uses. */
static unsigned acting_pes(PtoTileCtx *ctx, const PtoPlan *plan)
{
    return ctx->profile->single_program ? plan->mask : pto_pe_bit(ctx->pe);
}

static PtoRect rect_of_pe(PtoTileCtx *ctx, PtoPlan *plan, unsigned pe,
                          uint32_t rows, uint32_t vcols, uint32_t cols)
{
    const PtoBindScalar *ior = &plan->bundle->ior;
    PtoRect r = { .rows = rows, .cols = vcols, .type = plan->type,
                  .stride = pto_row_bytes(cols, plan->type) };

    if (ior->valid) {
        r.base = pto_ctx_reg_of(ctx, pe, ior->src[0]);
        r.stride = pto_ctx_reg_of(ctx, pe, ior->src[1]);
    }
    return r;
}

/*
 * A collective block is complete but some PE has not run its part yet: that PE
 * still reads the Shared operands, so a writer of a whole register waits. (A
 * writer of a generation changes nothing readable before LAST, and waiting
 * would drop the generation.)
 */
static bool readers_pending(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoBindShared *bind = &plan->bundle->ios[0];

    plan->wait = bind->size && !bind->assemble.valid &&
                 !ctx->profile->single_program &&
                 ctx->core->rendezvous.collecting != 0;
    return plan->wait;
}

/* --- TLOAD --- */

/* Quarter of the fragment that an element lies in: its PE in a multi-PE load. */
static unsigned quarter_of(const PtoTile *t, uint32_t r, uint32_t c)
{
    uint64_t byte = (uint64_t)pto_tile_index(t, r, c) * pto_type_bits(t->type) / 8;

    return byte * 4 / t->capacity;
}

static PtoRect element_rect(const PtoRect *r, uint32_t row, uint32_t col)
{
    PtoRect e = *r;

    e.base += row * r->stride + pto_row_bytes(col + 1, r->type) -
              pto_row_bytes(1, r->type);
    e.rows = e.cols = 1;
    return e;
}

/* One program loading for several PEs: each PE's registers serve its quarter. */
static PtoFaultInfo quarters_probe(PtoTileCtx *ctx, const TlsuPlan *p,
                                   const PtoTile *t, unsigned pes)
{
    for (uint32_t r = 0; r < t->vrows; r++) {
        for (uint32_t c = 0; c < t->vcols; c++) {
            unsigned pe = quarter_of(t, r, c);
            PtoRect e = element_rect(&p->pe[pe], r, c);

            if (pes & pto_pe_bit(pe)) {
                PtoFaultInfo f = pto_rect_probe(ctx, &e, false);

                if (f.code) {
                    return f;
                }
            }
        }
    }
    return PTO_OK;
}

static void quarters_load(PtoTileCtx *ctx, const TlsuPlan *p, PtoTile *t,
                          unsigned pes)
{
    for (uint32_t r = 0; r < t->vrows; r++) {
        for (uint32_t c = 0; c < t->vcols; c++) {
            unsigned pe = quarter_of(t, r, c), n = pto_type_bits(t->type) / 8;
            PtoRect e = element_rect(&p->pe[pe], r, c);
            uint8_t buf[8];

            if (!(pes & pto_pe_bit(pe))) {
                continue;
            }
            ctx->access->read(ctx->opaque, e.base, buf, n ? n : 1);
            pto_tile_put(t, r, c, n ? pto_ld_le(buf, n)
                                    : (uint64_t)buf[0] >> (c % 2 * 4));
            pto_tile_define_elem(t, r, c);
        }
    }
    pto_tile_define_done(t);
}

static void kernel_shared_load(PtoPlan *plan)
{
    TlsuPlan *p = pto_plan_priv(plan, sizeof(*p));
    PtoTileCtx *ctx = plan->ctx;
    PtoTile *t = &plan->dst[0].tile;
    unsigned pes = acting_pes(ctx, plan);

    pto_tile_new_payload(t, true);
    pto_count_rect(plan, &p->rect, false);
    if (pes & (pes - 1)) {
        quarters_load(ctx, p, t, pes);
    } else {
        pto_rect_load(ctx, &p->rect, t);
        pto_tile_define_valid(t);
    }
    pto_shared_publish(ctx, p->shared, t);
}

static PtoFaultInfo load_shape(PtoTileCtx *ctx, PtoPlan *plan, PtoTile *t)
{
    const PtoBundle *b = plan->bundle;
    uint32_t bytes = pto_size_code_bytes(b->ios[0].size);

    (void)ctx;
    if (!b->ios[0].size || b->iot_count) {
        return pto_reject(PTO_RULE_SHARED_LOAD_BINDERS);
    }
    for (unsigned i = 0; i < 3; i++) {
        if (!pto_dim_or(b, i, 0)) {
            return pto_reject(PTO_RULE_SHARED_LOAD_DIM);
        }
    }
    if (!pto_shape_legal(bytes, b->dim[2], b->dim[1], b->dim[0], plan->type)) {
        return pto_reject(PTO_RULE_SHARED_LOAD_SHAPE);
    }
    pto_tile_configure(t, bytes, b->dim[2], b->dim[1], b->dim[0], plan->type,
                       pto_layout_of_code(plan->layout_code), PTO_LOC_ANY,
                       b->ios[0].mask);
    if (!pto_tile_legal(t)) {
        return pto_reject(PTO_RULE_TLSU_LAYOUT);
    }
    return PTO_OK;
}

PtoFaultInfo pto_shared_load_preflight(PtoTileCtx *ctx, PtoPlan *plan)
{
    TlsuPlan *p = pto_plan_priv(plan, sizeof(*p));
    const PtoBundle *b = plan->bundle;
    PtoTile *t = &plan->dst[0].tile;
    PtoFaultInfo f = common_checks(ctx, plan);
    unsigned pes = acting_pes(ctx, plan);

    if (!f.code) {
        f = load_shape(ctx, plan, t);
    }
    if (!f.code) {
        f = pto_check_shared_writer(ctx, &b->ios[0], t);
    }
    if (f.code || readers_pending(ctx, plan)) {
        return f;
    }
    p->shared = &b->ios[0];
    plan->kernel = kernel_shared_load;
    for (unsigned pe = 0; pe < PTO_PES; pe++) {
        if (pes & pto_pe_bit(pe)) {
            p->pe[pe] = rect_of_pe(ctx, plan, pe, t->vrows, t->vcols, t->cols);
            p->rect = p->pe[pe];
        }
    }
    return pes & (pes - 1) ? quarters_probe(ctx, p, t, pes)
                           : pto_rect_probe(ctx, &p->rect, false);
}

/* --- TSTORE --- */

static void kernel_shared_store(PtoPlan *plan)
{
    TlsuPlan *p = pto_plan_priv(plan, sizeof(*p));
    unsigned pes = acting_pes(plan->ctx, plan);

    for (unsigned pe = 0; pe < PTO_PES; pe++) {
        if (pes & pto_pe_bit(pe)) {
            PtoTile t = plan->view[pe];

            t.vrows = p->pe[pe].rows;
            t.vcols = p->pe[pe].cols;
            pto_rect_store(plan->ctx, &p->pe[pe], &t);
            pto_count_rect(plan, &p->pe[pe], true);
        }
    }
}

/* The part of the Shared source that PE @pe works on, in plan->view[pe]. */
static PtoFaultInfo source_of_pe(PtoTileCtx *ctx, PtoPlan *plan, unsigned pe)
{
    const PtoBindShared *s = &plan->bundle->ios[0];

    if (s->subview.valid) {
        return pto_shared_view(ctx, pe, s->id, &s->subview, &plan->view[pe]);
    }
    pto_tile_copy(&plan->view[pe], pto_shared_source(ctx, s->id));
    return PTO_OK;
}

static PtoFaultInfo store_of_pe(PtoTileCtx *ctx, PtoPlan *plan, unsigned pe)
{
    TlsuPlan *p = pto_plan_priv(plan, sizeof(*p));
    const PtoBundle *b = plan->bundle;
    PtoFaultInfo f = source_of_pe(ctx, plan, pe);
    const PtoTile *t = &plan->view[pe];
    uint64_t dim[3];

    if (f.code) {
        return f;
    }
    dim[0] = b->dim_present[0] ? b->dim[0] : t->vcols;
    dim[1] = b->dim_present[1] ? b->dim[1] : t->vrows;
    dim[2] = b->dim_present[2] ? b->dim[2] : t->cols;
    for (unsigned i = 0; i < 3; i++) {
        if (b->dim_present[i] && !pto_dim_ok(b, i)) {
            return pto_reject(PTO_RULE_SHARED_STORE_DIM);
        }
    }
    if (dim[0] > t->vcols || dim[1] > t->vrows || dim[2] != t->cols ||
        t->type != plan->type ||
        t->layout != pto_layout_of_code(plan->layout_code)) {
        return pto_reject(PTO_RULE_SHARED_STORE_SOURCE);
    }
    p->pe[pe] = rect_of_pe(ctx, plan, pe, dim[1], dim[0], dim[2]);
    return PTO_OK;
}

PtoFaultInfo pto_shared_store_preflight(PtoTileCtx *ctx, PtoPlan *plan)
{
    TlsuPlan *p = pto_plan_priv(plan, sizeof(*p));
    const PtoBundle *b = plan->bundle;
    PtoFaultInfo f = common_checks(ctx, plan);
    unsigned pes = acting_pes(ctx, plan);

    if (!f.code && (b->ios[0].size || b->iot_count)) {
        f = pto_reject(PTO_RULE_SHARED_STORE_BINDERS);
    }
    if (f.code || !gate(ctx, plan)) {
        return f;
    }
    plan->kernel = kernel_shared_store;
    for (unsigned pe = 0; pe < PTO_PES && !f.code; pe++) {
        if (pes & pto_pe_bit(pe)) {
            f = store_of_pe(ctx, plan, pe);
        }
    }
    for (unsigned pe = 0; pe < PTO_PES && !f.code; pe++) {
        if (pes & pto_pe_bit(pe)) {
            f = pto_rect_probe(ctx, &p->pe[pe], true);
        }
    }
    return f;
}

/* --- TMOV Local to Shared --- */

static void kernel_local_to_shared(PtoPlan *plan)
{
    PtoTile t;

    pto_tile_copy(&t, plan->src[0].tile);
    if (!t.buf) {
        t.buf = pto_buf_new(t.capacity, true);
    }
    t.location = PTO_LOC_ANY;
    pto_shared_publish(plan->ctx, &plan->bundle->ios[0], &t);
}

static PtoFaultInfo local_to_shared(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoBundle *b = plan->bundle;
    const PtoBindTile *bind = &b->iot[0];
    PtoFaultInfo f;
    const PtoTile *t;

    if (b->iot_count != 1 || bind->dst_valid || !bind->src_valid[0] ||
        bind->src_valid[1] || !bind->last || bind->mask != b->ios[0].mask) {
        return pto_reject(PTO_RULE_SHARED_PUT_BINDERS);
    }
    f = pto_plan_views(ctx, plan);
    if (f.code) {
        return f;
    }
    t = plan->src[0].tile;
    if (!pto_tile_source_defined(t) ||
        t->capacity != pto_size_code_bytes(b->ios[0].size)) {
        return pto_reject(PTO_RULE_SHARED_PUT_SOURCE);
    }
    if (b->ios[0].assemble.valid && ctx->profile->assemble_move_checks_old &&
        !pto_shared_compatible(ctx, b->ios[0].id, t, b->ios[0].mask)) {
        return pto_reject(PTO_RULE_SHARED_OBJECT);
    }
    plan->kernel = kernel_local_to_shared;
    return pto_check_shared_writer(ctx, &b->ios[0], t);
}

/* --- TMOV Shared to Local --- */

static void kernel_shared_to_local(PtoPlan *plan)
{
    PtoTile *t = &plan->dst[0].tile;
    unsigned pes = acting_pes(plan->ctx, plan);
    unsigned pe = plan->ctx->pe;

    /* One Local object: the executing PE's view, or that of the first PE. */
    if (!(pes & pto_pe_bit(pe))) {
        pe = __builtin_clz(pes) - (31 - 3);
    }
    t->buf = plan->view[pe].buf;
    if (t->buf) {
        pto_buf_ref(t->buf);
    }
    pto_tile_define_valid(t);
}

static PtoFaultInfo match_local(const PtoPlan *plan, const PtoTile *s,
                                uint32_t vrows, uint32_t vcols, uint32_t cols)
{
    bool view = plan->bundle->ios[0].subview.valid;

    if (s->capacity != plan->dst[0].capacity || s->cols != cols ||
        s->type != plan->etype ||
        s->layout != pto_layout_of_code(plan->layout_code) ||
        vcols > cols || vrows > s->vrows || vcols > s->vcols ||
        (view && (vrows != s->vrows || vcols != s->vcols))) {
        return pto_reject(PTO_RULE_SHARED_GET_MATCH);
    }
    return PTO_OK;
}

static PtoFaultInfo shared_to_local(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoBundle *b = plan->bundle;
    const PtoBindTile *bind = &b->iot[0];
    unsigned pes = acting_pes(ctx, plan);
    PtoDest *d = &plan->dst[0];
    PtoFaultInfo f = PTO_OK;

    if (b->iot_count != 1 || !bind->dst_valid || bind->src_valid[0] ||
        bind->src_valid[1] || !bind->last || bind->mask != b->ios[0].mask) {
        return pto_reject(PTO_RULE_SHARED_GET_BINDERS);
    }
    f = pto_plan_generations(ctx, plan);
    if (f.code) {
        return f;
    }
    plan->etype = plan->type;
    if (plan->type == PTO_DTYPE_NONE) {
        plan->etype = pto_shared_source(ctx, b->ios[0].id)->type;
    }
    pto_shape_from_source(ctx, plan);
    for (unsigned pe = 0; pe < PTO_PES && !f.code; pe++) {
        if (pes & pto_pe_bit(pe)) {
            f = source_of_pe(ctx, plan, pe);
            if (!f.code) {
                f = match_local(plan, &plan->view[pe], d->vrows, d->vcols,
                                d->cols);
            }
        }
    }
    if (!f.code && (!pto_effective_type(plan, &plan->etype))) {
        f = pto_reject(PTO_RULE_ELEMENT_TYPE);
    }
    if (!f.code) {
        d->type = plan->etype;
        f = pto_plan_allocate(ctx, plan);
    }
    if (!f.code && d->tile.type != pto_shared_source(ctx, b->ios[0].id)->type) {
        f = pto_reject(PTO_RULE_SHARED_GET_TYPE);
    }
    plan->kernel = kernel_shared_to_local;
    return f;
}

PtoFaultInfo pto_shared_move_preflight(PtoTileCtx *ctx, PtoPlan *plan)
{
    PtoFaultInfo f = common_checks(ctx, plan);

    if (f.code || readers_pending(ctx, plan)) {
        return f;
    }
    if (plan->bundle->ios[0].size) {
        return local_to_shared(ctx, plan);
    }
    return gate(ctx, plan) ? shared_to_local(ctx, plan) : PTO_OK;
}
