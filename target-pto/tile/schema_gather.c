/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MGATHER, MSCATTER, their MASK forms, MGATHER_CAS: one memory access per lane.
 *
 * Every lane is probed in row-major order before the first access. Lanes are
 * performed in row-major order, so that of two lanes with one address the later
 * wins (the architecture leaves the winner to the implementation).
 */
#include "tile/plan.h"

/* Roles of plan->src[] by operation; -1: the operation has no such operand. */
typedef struct GatherForm {
    uint8_t op;
    int8_t indices, mask, data, expected;   /* data: scatter source, CAS new */
    uint8_t bindings;                       /* number of B.IOT */
} GatherForm;

static const GatherForm forms[] = {
    { PTO_OP_MGATHER, 0, -1, -1, -1, 1 },
    { PTO_OP_MSCATTER, 1, -1, 0, -1, 1 },
    { PTO_OP_MGATHER_MASK, 0, 1, -1, -1, 1 },
    { PTO_OP_MSCATTER_MASK, 1, 2, 0, -1, 2 },
    { PTO_OP_MGATHER_CAS, 0, -1, 2, 1, 2 },
};

typedef struct GatherPlan {
    const GatherForm *form;
    const PtoTile *indices, *mask, *data, *expected;
    uint32_t vrows, vcols;
    uint64_t base;
    PtoDataType type;
    bool write, cas;
} GatherPlan;

static const PtoTile *role(const PtoPlan *plan, int n)
{
    return n < 0 ? NULL : plan->src[n].tile;
}

static bool lane_active(const GatherPlan *g, uint32_t r, uint32_t c)
{
    return !g->mask || pto_tile_get(g->mask, r, c);
}

/* Byte displacement of a lane: the index, extended by its own type. */
static uint64_t lane_address(const GatherPlan *g, uint32_t r, uint32_t c)
{
    unsigned bits = pto_type_bits(g->indices->type);
    uint64_t v = pto_tile_get(g->indices, r, c);

    if (pto_type_is_signed(g->indices->type) && bits < 64) {
        v = (uint64_t)((int64_t)(v << (64 - bits)) >> (64 - bits));
    }
    return g->base + v;
}

static PtoFaultInfo probe_lanes(PtoTileCtx *ctx, const GatherPlan *g)
{
    unsigned n = pto_type_bits(g->type) / 8;

    for (uint32_t r = 0; r < g->vrows; r++) {
        for (uint32_t c = 0; c < g->vcols; c++) {
            uint64_t addr, where;
            PtoFault f = PTO_FAULT_NONE;

            if (!lane_active(g, r, c)) {
                continue;
            }
            addr = lane_address(g, r, c);
            if (!g->write || g->cas) {
                f = ctx->access->probe(ctx->opaque, addr, n, false, n, &where);
            }
            if (!f && g->write) {
                f = ctx->access->probe(ctx->opaque, addr, n, true, n, &where);
            }
            if (f) {
                return pto_memory_fault(f, addr);
            }
        }
    }
    return PTO_OK;
}

/* --- kernels --- */

static uint64_t lane_load(PtoTileCtx *ctx, uint64_t addr, unsigned n)
{
    const uint8_t *p = ctx->access->host(ctx->opaque, addr, n, false);
    uint8_t buf[8];

    if (!p) {
        ctx->access->read(ctx->opaque, addr, buf, n);
        p = buf;
    }
    return pto_ld_le(p, n);
}

static void lane_store(PtoTileCtx *ctx, uint64_t addr, unsigned n, uint64_t v)
{
    uint8_t *p = ctx->access->host(ctx->opaque, addr, n, true);
    uint8_t buf[8];

    pto_st_le(p ? p : buf, n, v);
    if (!p) {
        ctx->access->write(ctx->opaque, addr, buf, n);
    }
}

static void kernel_gather(PtoPlan *plan)
{
    GatherPlan *g = pto_plan_priv(plan, sizeof(*g));
    PtoTile *t = &plan->dst[0].tile;
    unsigned n = pto_type_bits(g->type) / 8;
    uint64_t pad = pto_pad_value(plan->pad, g->type);
    PtoTileCounters *count = &plan->ctx->local->count;

    uint64_t before = count->gathered;

    /* Masked-off lanes read as padding; the whole storage becomes defined. */
    pto_tile_new_payload(t, true);
    pto_tile_pad(t, plan->pad);
    for (uint32_t r = 0; r < g->vrows; r++) {
        for (uint32_t c = 0; c < g->vcols; c++) {
            uint64_t v = pad;

            if (lane_active(g, r, c)) {
                uint64_t addr = lane_address(g, r, c);

                count->gathered += n;
                v = g->cas ? plan->ctx->access->cas(plan->ctx->opaque, addr, n,
                                                    pto_tile_get(g->expected, r, c),
                                                    pto_tile_get(g->data, r, c))
                           : lane_load(plan->ctx, addr, n);
            }
            pto_tile_put(t, r, c, v);
        }
    }
    pto_tile_define_all(t);
    count->loaded += count->gathered - before;
}

static void kernel_scatter(PtoPlan *plan)
{
    GatherPlan *g = pto_plan_priv(plan, sizeof(*g));
    unsigned n = pto_type_bits(g->type) / 8;
    uint64_t bytes = 0;

    for (uint32_t r = 0; r < g->vrows; r++) {
        for (uint32_t c = 0; c < g->vcols; c++) {
            if (lane_active(g, r, c)) {
                lane_store(plan->ctx, lane_address(g, r, c), n,
                           pto_tile_get(g->data, r, c));
                bytes += n;
            }
        }
    }
    plan->ctx->local->count.scattered += bytes;
    plan->ctx->local->count.stored += bytes;
}

/* --- checks --- */

static bool dims_legal(const PtoBundle *b)
{
    uint32_t vcols = b->dim[0];
    uint32_t cols = b->dim_present[2] ? b->dim[2] : vcols;

    return pto_dims_closed(b) && vcols <= cols && cols &&
           !(cols & (cols - 1));
}

static bool bindings_legal(const PtoBundle *b, const GatherForm *form)
{
    const PtoBindTile *t = b->iot;
    unsigned n = form->bindings;
    bool dst = pto_tile_ops[form->op].destinations;

    if (b->iot_count != n || !t[n - 1].last || t[n - 1].dst_valid != dst) {
        return false;
    }
    return n == 1 || (!t[0].dst_valid && t[0].src_valid[1] && !t[0].last &&
                      !t[1].src_valid[1]);
}

static bool same_region(const PtoTile *t, const GatherPlan *g)
{
    return !t || (t->vrows == g->vrows && t->vcols == g->vcols);
}

static bool defined_source(const PtoTile *t)
{
    return !t || (pto_tile_source_defined(t) && t->storage == PTO_STORE_NUMERIC);
}

static PtoFaultInfo check_sources(PtoPlan *plan, const GatherPlan *g)
{
    PtoLayout layout = pto_layout_of_code(plan->layout_code);
    bool layouts = g->write || g->mask;

    if (!pto_tile_source_defined(g->indices) ||
        !pto_type_is_integer(g->indices->type)) {
        return pto_reject(PTO_RULE_GATHER_INDEX);
    }
    if (pto_type_is_4bit(g->type)) {
        return pto_reject(PTO_RULE_GATHER_PACKED);
    }
    if (!defined_source(g->data) || !defined_source(g->expected) ||
        (g->data && g->data->type != g->type) ||
        (g->expected && g->expected->type != g->type)) {
        return pto_reject(PTO_RULE_GATHER_DATA);
    }
    if (g->mask && (!pto_tile_source_defined(g->mask) ||
                    g->mask->storage != PTO_STORE_PREDICATE)) {
        return pto_reject(PTO_RULE_GATHER_MASK);
    }
    if (!same_region(g->indices, g) || !same_region(g->mask, g) ||
        !same_region(g->data, g) || !same_region(g->expected, g)) {
        return pto_reject(PTO_RULE_GATHER_REGION);
    }
    if (!g->cas && layouts &&
        (g->indices->layout != layout || (g->mask && g->mask->layout != layout) ||
         (g->data && g->data->layout != layout))) {
        return pto_reject(PTO_RULE_GATHER_LAYOUT);
    }
    return PTO_OK;
}

static PtoFaultInfo allocate(PtoTileCtx *ctx, PtoPlan *plan, const GatherPlan *g,
                             uint32_t cols)
{
    PtoDest *d = &plan->dst[0];
    PtoFaultInfo f;

    if (!pto_effective_type(plan, &plan->etype)) {
        return pto_reject(PTO_RULE_ELEMENT_TYPE);
    }
    d->type = g->type;
    d->layout = pto_layout_of_code(plan->layout_code);
    d->cols = cols;
    d->vrows = g->vrows;
    d->vcols = g->vcols;
    f = pto_plan_allocate(ctx, plan);
    if (!f.code && !pto_tile_legal(&d->tile)) {
        f = pto_reject(PTO_RULE_TLSU_LAYOUT);
    }
    return f;
}

static PtoFaultInfo gather_preflight(PtoTileCtx *ctx, PtoPlan *plan)
{
    GatherPlan *g = pto_plan_priv(plan, sizeof(*g));
    const PtoBundle *b = plan->bundle;
    PtoFaultInfo f;
    unsigned mask;
    uint32_t cols;

    f = pto_plan_views(ctx, plan);
    if (!f.code) {
        f = pto_plan_generations(ctx, plan);
    }
    if (f.code) {
        return f;
    }
    for (unsigned i = 0; i < ARRAY_SIZE(forms); i++) {
        if (forms[i].op == plan->op->id) {
            g->form = &forms[i];
        }
    }
    if (b->ios_count || !b->ior.valid || pto_check_bindings(ctx, plan).code ||
        pto_check_gpr_values(ctx, plan).code || !pto_bundle_mask(b, &mask) ||
        !dims_legal(b) || !bindings_legal(b, g->form)) {
        return pto_reject(PTO_RULE_GATHER_HEADER);
    }
    f = pto_check_datr(ctx, plan);
    if (f.code) {
        return f;
    }
    g->indices = role(plan, g->form->indices);
    g->mask = role(plan, g->form->mask);
    g->data = role(plan, g->form->data);
    g->expected = role(plan, g->form->expected);
    g->vcols = b->dim[0];
    g->vrows = b->dim_present[1] ? b->dim[1] : 1;
    cols = b->dim_present[2] ? b->dim[2] : g->vcols;
    g->type = plan->type;
    g->cas = g->expected != NULL;
    g->write = g->data != NULL;
    g->base = plan->address;
    f = check_sources(plan, g);
    if (!f.code && !plan->ndst && g->data->cols != cols) {
        f = pto_reject(PTO_RULE_GATHER_COLUMNS);
    }
    if (!f.code && plan->ndst) {
        f = allocate(ctx, plan, g, cols);
    }
    return f.code ? f : probe_lanes(ctx, g);
}

const PtoSchema pto_schema_gather = {
    .preflight = gather_preflight,
    .kernel = kernel_gather,
};

const PtoSchema pto_schema_scatter = {
    .preflight = gather_preflight,
    .kernel = kernel_scatter,
};
