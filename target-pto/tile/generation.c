/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Range modifiers of Local tiles: views of sources, generations of destinations.
 */
#include "tile/plan.h"

/* Operations whose effects cannot be rolled back or that have no destination. */
static bool may_assemble(const PtoTileOp *op)
{
    switch (op->id) {
    case PTO_OP_MGATHER_CAS:
    case PTO_OP_MSCATTER:
    case PTO_OP_MSCATTER_MASK:
    case PTO_OP_TPREFETCH:
    case PTO_OP_TSCATTER:
    case PTO_OP_TSTORE:
        return false;
    default:
        return true;
    }
}

PtoFaultInfo pto_check_assemble(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoBundle *b = plan->bundle;
    bool assemble = false;

    (void)ctx;
    for (unsigned i = 0; i < b->iot_count; i++) {
        assemble |= b->iot[i].assemble.valid;
    }
    for (unsigned i = 0; i < b->ios_count; i++) {
        assemble |= b->ios[i].assemble.valid;
    }
    if (assemble && !may_assemble(plan->op)) {
        return pto_reject(PTO_RULE_ASM_OPERATION);
    }
    for (unsigned i = 0; i < b->ios_count; i++) {
        unsigned mask = b->ios[i].mask;

        if (b->ios[i].size && (mask & (mask - 1)) && !b->ios[i].assemble.valid) {
            return pto_reject(PTO_RULE_ASM_NEEDED);
        }
    }
    return PTO_OK;
}

/* --- views of Local sources (delta 3.3) --- */

typedef struct ViewRegion {
    uint32_t row, col;          /* origin in the parent */
    uint32_t vrows, vcols;
    uint32_t cells;             /* available in the parent */
} ViewRegion;

static PtoFaultInfo view_region(const PtoTile *t, const PtoRange *r,
                                ViewRegion *v)
{
    PtoCubeGeom g;
    uint32_t k, limit;

    if (!pto_tile_cube_legal(t)) {
        return pto_reject(PTO_RULE_VIEW_LAYOUT);
    }
    pto_cube_geometry(t->layout, t->vrows, t->vcols, t->type, &g);
    if (r->offset >= t->cells) {
        return pto_reject(PTO_RULE_VIEW_OFFSET);
    }
    v->cells = MIN(pto_size_code_bytes(r->size) / PTO_CELL_BYTES,
                   t->cells - r->offset);
    if (t->layout == PTO_LAYOUT_N8) {
        /* CELLs run along K first; a view stays inside one K column. */
        k = r->offset % t->k_repeat;
        v->row = k * g.cell_rows;
        v->col = r->offset / t->k_repeat * 8;
        v->cells = MIN(v->cells, t->k_repeat - k);
        limit = v->cells * g.cell_rows;
    } else {
        v->row = 0;
        v->col = r->offset * g.cell_cols;
        limit = t->vrows;
    }
    if (v->row >= t->vrows || v->col >= t->vcols) {
        return pto_reject(PTO_RULE_VIEW_ORIGIN);
    }
    v->vrows = MIN(t->vrows - v->row, limit);
    v->vcols = MIN(t->vcols - v->col, t->layout == PTO_LAYOUT_N8
                                      ? 8 : v->cells * g.cell_cols);
    return PTO_OK;
}

static void view_copy(const PtoTile *t, const ViewRegion *v, PtoTile *view)
{
    pto_tile_new_payload(view, true);
    for (uint32_t r = 0; r < MIN(view->rows, t->rows - v->row); r++) {
        for (uint32_t c = 0; c < MIN(view->cols, t->cols - v->col); c++) {
            if (pto_tile_elem_defined(t, v->row + r, v->col + c)) {
                pto_tile_put(view, r, c,
                             pto_tile_get(t, v->row + r, v->col + c));
            }
        }
    }
    if (t->contents_defined) {
        pto_tile_define_valid(view);
    }
}

/* Temporary tile of a view: the parent's CUBE layout, or row-major. */
static PtoFaultInfo make_view(const PtoTile *t, const PtoRange *r, bool row_major,
                              PtoTile *view)
{
    ViewRegion v = { 0 };
    PtoCubeGeom g;
    PtoFaultInfo f = view_region(t, r, &v);

    if (f.code) {
        return f;
    }
    if (!pto_cube_geometry(t->layout, v.vrows, v.vcols, t->type, &g) ||
        g.cells > v.cells) {
        return pto_reject(PTO_RULE_VIEW_CELLS);
    }
    if (row_major) {
        pto_tile_configure(view, g.bytes, g.cols, v.vrows, v.vcols, t->type,
                           PTO_LAYOUT_ROW, PTO_LOC_ANY, t->mask);
        view->rows = g.rows;    /* kept when cols is no power of two */
    } else {
        pto_tile_configure_cube(view, g.bytes, v.vrows, v.vcols, t->type,
                                t->layout, t->mask);
    }
    view_copy(t, &v, view);
    return PTO_OK;
}

/*
 * The model keeps a view in a free slot of the parent's hand for the length of
 * the block; where nothing is retired, that slot and its bytes must exist.
 */
static PtoFaultInfo reserve_view(PtoTileCtx *ctx, PtoPlan *plan, unsigned slot,
                                 const PtoTile *view)
{
    PtoLocalTiles *l = ctx->local;
    uint32_t none[PTO_PES] = { 0 };

    if (plan->profile->retire != PTO_RETIRE_NEVER) {
        return PTO_OK;
    }
    plan->view_bytes += view->capacity;
    for (unsigned i = slot & 0x30; i < (slot & 0x30) + 16; i++) {
        if (!l->tile[i].allocated && !(plan->view_slots >> i & 1)) {
            plan->view_slots |= 1ull << i;
            return pto_local_fits(l, view->mask, plan->view_bytes, none)
                   ? PTO_OK : pto_reject(PTO_RULE_VIEW_POOL);
        }
    }
    return pto_reject(PTO_RULE_VIEW_NAME);
}

/* Local source that the BIAS forms read row-major: the last mathematical one. */
static int bias_source(const PtoPlan *plan)
{
    switch (plan->op->id) {
    case PTO_OP_TMATMUL_BIAS:
    case PTO_OP_TMATMUL_MX_BIAS:
    case PTO_OP_TGEMV_BIAS:
    case PTO_OP_TGEMV_MX_BIAS:
        return plan->op->sources - 1 - plan->bundle->ios_count;
    default:
        return -1;
    }
}

PtoFaultInfo pto_plan_views(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoBundle *b = plan->bundle;
    unsigned n = 0;

    for (unsigned i = 0; i < b->iot_count; i++) {
        for (unsigned s = 0; s < 2; s++) {
            const PtoRange *r = &b->iot[i].subview[s];
            PtoSource *src = &plan->src[n];
            PtoFaultInfo f;

            if (!b->iot[i].src_valid[s] || n >= plan->nsrc) {
                continue;
            }
            n++;
            if (!r->valid) {
                continue;
            }
            f = make_view(src->tile, r, plan->op->family != PTO_FAMILY_CUBE ||
                                        (int)n - 1 == bias_source(plan),
                          &plan->view[n - 1]);
            if (!f.code) {
                f = reserve_view(ctx, plan, src->slot, &plan->view[n - 1]);
            }
            if (f.code) {
                return f;
            }
            src->tile = &plan->view[n - 1];
            src->is_view = true;
        }
    }
    return PTO_OK;
}

/* --- Local generations (delta 3.5) --- */

static PtoGeneration **generation_of(PtoTileCtx *ctx, const PtoBindTile *t)
{
    return &ctx->local->generation[t->hand * 16 + t->mask];
}

static bool hand_open(PtoTileCtx *ctx, unsigned hand)
{
    for (unsigned m = 0; m < 16; m++) {
        if (ctx->local->generation[hand * 16 + m]) {
            return true;
        }
    }
    return false;
}

static uint32_t writer_cells(const PtoBindTile *t)
{
    return pto_size_code_bytes(t->size) / PTO_CELL_BYTES;
}

/* Cells of the range that an earlier writer covers already. */
static uint32_t overlap(const PtoGeneration *g, uint64_t first, uint32_t cells)
{
    uint32_t n = 0;

    for (uint32_t i = first; i < first + cells; i++) {
        n += g->covered[i / 64] >> (i % 64) & 1;
    }
    return n;
}

/* The same block executed again over the same range. */
static bool is_replay(const PtoGeneration *g, uint64_t bpc, uint64_t first,
                      uint32_t cells)
{
    for (unsigned i = 0; i < MIN(g->writers, PTO_GEN_WRITERS); i++) {
        if (g->writer[i].bpc == bpc && g->writer[i].first == first &&
            g->writer[i].cells == cells) {
            return true;
        }
    }
    return false;
}

static bool working_tile_intact(PtoTileCtx *ctx, const PtoGeneration *g)
{
    const PtoTile *a = &g->work, *b = &ctx->local->tile[g->slot];

    return b->allocated && a->storage == b->storage && a->type == b->type &&
           a->layout == b->layout && a->location == b->location &&
           a->mask == b->mask && a->capacity == b->capacity &&
           a->rows == b->rows && a->cols == b->cols && a->vrows == b->vrows &&
           a->vcols == b->vcols && a->cells == b->cells;
}

static PtoFaultInfo check_local_writer(PtoTileCtx *ctx, const PtoBindTile *t)
{
    const PtoGeneration *g = *generation_of(ctx, t);
    const PtoRange *r = &t->assemble;
    uint32_t cells = writer_cells(t), parent, lap;

    if (r->init && g) {
        return pto_reject(PTO_RULE_ASM_OPEN);
    }
    if (!r->init && !g) {
        return hand_open(ctx, t->hand)
               ? pto_reject(PTO_RULE_ASM_MASK)
               : pto_reject(PTO_RULE_ASM_CLOSED);
    }
    if (r->offset >= PTO_GEN_CELLS) {
        return pto_reject(PTO_RULE_ASM_OFFSET);
    }
    parent = r->init ? pto_size_code_bytes(r->size) / PTO_CELL_BYTES
                     : g->parent_cells;
    if (r->offset + cells > parent) {
        return pto_reject(PTO_RULE_ASM_RANGE);
    }
    lap = g ? overlap(g, r->offset, cells) : 0;
    if (lap && !is_replay(g, ctx->bundle->bpc, r->offset, cells)) {
        return pto_reject(PTO_RULE_ASM_OVERLAP);
    }
    if (r->last && (g ? g->covered_count : 0) + cells - lap != parent) {
        return pto_reject(PTO_RULE_ASM_LAST);
    }
    if (g && !working_tile_intact(ctx, g)) {
        return pto_reject(PTO_RULE_ASM_WORKING);
    }
    return PTO_OK;
}

PtoFaultInfo pto_plan_generations(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoBundle *b = plan->bundle;
    PtoFaultInfo f;

    for (unsigned i = 0; i < b->iot_count; i++) {
        if (b->iot[i].dst_valid && !b->iot[i].assemble.valid &&
            hand_open(ctx, b->iot[i].hand)) {
            return pto_reject(PTO_RULE_ASM_PLAIN);
        }
    }
    for (unsigned i = 0; i < b->iot_count; i++) {
        if (b->iot[i].assemble.valid) {
            f = check_local_writer(ctx, &b->iot[i]);
            if (f.code) {
                return f;
            }
        }
    }
    for (unsigned i = 0; i < plan->ndst; i++) {
        const PtoBindTile *t = &b->iot[plan->dst[i].binding];

        plan->dst[i].assemble = t->assemble.valid ? &t->assemble : NULL;
        plan->gen[i] = t->assemble.valid ? *generation_of(ctx, t) : NULL;
    }
    return PTO_OK;
}

/*
 * Can the writer's tile @d be a part of its parent? The parent takes type, layout
 * and columns (row-major) or rows (CUBE) from its first writer.
 */
PtoFaultInfo pto_check_local_parent(const PtoPlan *plan, unsigned i)
{
    const PtoDest *d = &plan->dst[i];
    const PtoTile *t = &d->tile, *w = plan->gen[i] ? &plan->gen[i]->work : NULL;
    uint64_t offset = d->assemble->offset;
    bool cube = pto_layout_is_cube(t->layout);

    if (t->storage != PTO_STORE_NUMERIC ||
        (!cube && t->layout != PTO_LAYOUT_ROW)) {
        return pto_reject(PTO_RULE_ASM_LAYOUT);
    }
    if (t->layout == PTO_LAYOUT_N8 && offset % t->k_repeat) {
        return pto_reject(PTO_RULE_ASM_SPLIT);
    }
    if (w) {
        return w->type == t->type && w->layout == t->layout &&
               (cube ? w->vrows == t->vrows : w->cols == t->cols) ? PTO_OK
               : pto_reject(PTO_RULE_ASM_WRITER);
    }
    if (!cube && !pto_derived_rows(pto_size_code_bytes(d->assemble->size),
                                   t->cols, t->type)) {
        return pto_reject(PTO_RULE_ASM_PARENT);
    }
    return PTO_OK;
}

/* Valid region of the parent after writer @t at CELL @cell. */
static void grow_parent(PtoTile *w, uint32_t cell, const PtoTile *t)
{
    PtoCubeGeom g;

    if (pto_layout_is_cube(t->layout)) {
        uint32_t col;

        pto_cube_geometry(t->layout, t->vrows, t->vcols, t->type, &g);
        col = t->layout == PTO_LAYOUT_N8 ? cell / g.k_repeat * 8
                                         : cell * g.cell_cols;
        w->vrows = t->vrows;
        w->vcols = MAX(w->vcols, col + t->vcols);
        pto_cube_geometry(t->layout, w->vrows, w->vcols, t->type, &g);
        w->rows = g.rows;
        w->cols = g.cols;
        w->k_repeat = g.k_repeat;
        w->n_repeat = g.n_repeat;
        w->cells = g.cells;
    } else if (t->vrows && t->vcols) {
        uint32_t first = cell * (1024 / pto_type_bits(t->type));
        uint32_t end = first + (t->vrows - 1) * t->cols + t->vcols - 1;

        w->vrows = MAX(w->vrows, end / w->cols + 1);
        w->vcols = MAX(w->vcols, t->vcols);
    }
}

static PtoGeneration *open_local(PtoTileCtx *ctx, const PtoDest *d)
{
    PtoLocalTiles *l = ctx->local;
    PtoGeneration *g = pto_alloc0(sizeof(*g));
    uint32_t bytes = pto_size_code_bytes(d->assemble->size);
    PtoTile *w = &l->tile[d->slot];

    g->open = true;
    g->hand = d->hand;
    g->mask = d->tile.mask;
    g->parent_size = d->assemble->size;
    g->parent_cells = bytes / PTO_CELL_BYTES;
    g->slot = d->slot;
    g->init_bpc = ctx->bundle->bpc;
    l->generation[d->hand * 16 + d->tile.mask] = g;

    pto_local_free(l, d->slot);
    pto_local_charge(l, d->tile.mask, bytes);
    if (pto_layout_is_cube(d->tile.layout)) {
        *w = d->tile;
        w->buf = NULL;
        w->capacity = bytes;
        w->vcols = 0;
    } else {
        pto_tile_configure(w, bytes, d->tile.cols, 0, 0, d->tile.type,
                           d->tile.layout, d->tile.location, d->tile.mask);
    }
    pto_tile_new_payload(w, true);
    return g;
}

static void publish_writer(PtoTileCtx *ctx, PtoPlan *plan, unsigned i)
{
    PtoLocalTiles *l = ctx->local;
    PtoDest *d = &plan->dst[i];
    PtoGeneration *g = plan->gen[i] ? plan->gen[i] : open_local(ctx, d);
    PtoTile *w = &l->tile[d->slot];
    uint32_t first = d->assemble->offset, cells = d->capacity / PTO_CELL_BYTES;
    uint32_t lap;

    pto_tile_own_payload(w);
    if (pto_tile_data(&d->tile)) {
        memcpy(w->buf->data + (size_t)first * PTO_CELL_BYTES,
               pto_tile_data(&d->tile), d->capacity);
    }
    grow_parent(w, first, &d->tile);
    lap = overlap(g, first, cells);
    g->covered_count += cells - lap;
    for (uint32_t c = first; c < first + cells; c++) {
        g->covered[c / 64] |= 1ull << (c % 64);
    }
    /* A replay is in the list already, so the list cannot run out of room. */
    if (lap == 0 && g->writers < PTO_GEN_WRITERS) {
        g->writer[g->writers++] = (PtoGenWriter) { ctx->bundle->bpc, first,
                                                   cells };
    }
    g->work = *w;
    g->work.buf = NULL;         /* only the descriptor is remembered */
    if (d->assemble->last) {
        pto_tile_define_valid(w);
        l->seq[d->slot] = l->next_seq++;
        pto_free(g);
        l->generation[d->hand * 16 + d->tile.mask] = NULL;
    }
}

/* A failed or waiting writer drops its generation (delta 3.5, 3.8). */
void pto_generation_abort(PtoTileCtx *ctx, PtoPlan *plan, PtoFaultInfo *fault,
                          bool *restart_valid, uint64_t *restart_pc)
{
    const PtoBundle *b = plan->bundle;

    for (unsigned i = 0; i < b->iot_count; i++) {
        PtoGeneration **g;

        if (!b->iot[i].dst_valid || !b->iot[i].assemble.valid) {
            continue;
        }
        g = generation_of(ctx, &b->iot[i]);
        if (*g) {
            if (fault->code && plan->profile->generation_restart) {
                *restart_valid = true;
                *restart_pc = (*g)->init_bpc;
            }
            pto_local_free(ctx->local, (*g)->slot);
            pto_free(*g);
            *g = NULL;
        }
    }
    pto_shared_generation_abort(ctx, b);
}

static void publish_plain(PtoLocalTiles *l, PtoDest *d)
{
    pto_local_free(l, d->slot);
    pto_local_charge(l, d->tile.mask, d->tile.capacity);
    l->tile[d->slot] = d->tile;
    memset(&d->tile, 0, sizeof(d->tile));
    l->seq[d->slot] = l->next_seq++;
}

void pto_plan_publish(PtoTileCtx *ctx, PtoPlan *plan)
{
    for (uint64_t left = plan->retire; left; left &= left - 1) {
        pto_local_free(ctx->local, __builtin_ctzll(left));
    }
    for (unsigned i = 0; i < plan->ndst; i++) {
        PtoDest *d = &plan->dst[i];

        if (d->slot >= 0 && d->assemble) {
            publish_writer(ctx, plan, i);
        } else if (d->slot >= 0) {
            publish_plain(ctx->local, d);
        }
    }
}
