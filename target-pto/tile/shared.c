/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared registers S0..S63 of a core: readiness, range views, updates, and the
 * generations that B.ASSEMBLE writers build up (delta 3.4, 3.6, 4.1, 4.2).
 *
 * With one program per PE everything here runs under the core lock.
 */
#include "tile/plan.h"

const PtoTile *pto_shared_source(PtoTileCtx *ctx, unsigned id)
{
    return &ctx->core->shared[id % PTO_SHARED_COUNT].tile;
}

static bool usable(const PtoSharedTile *s)
{
    return s->valid && s->ready && s->published && pto_tile_legal(&s->tile) &&
           s->tile.contents_defined;
}

bool pto_shared_ready(PtoTileCtx *ctx, const PtoBundle *b)
{
    for (unsigned i = 0; i < b->ios_count; i++) {
        if (!b->ios[i].size && !usable(&ctx->core->shared[b->ios[i].id])) {
            return false;
        }
    }
    return true;
}

/* --- views --- */

static uint64_t range_offset(PtoTileCtx *ctx, unsigned pe, const PtoRange *r)
{
    return pe == ctx->pe ? r->offset
                         : pto_ctx_reg_of(ctx, pe, r->reg) + r->uimm11;
}

static uint32_t cut(uint32_t limit, uint32_t origin, uint32_t extent)
{
    return origin >= limit ? 0 : MIN(limit - origin, extent);
}

PtoFaultInfo pto_shared_view(PtoTileCtx *ctx, unsigned pe, unsigned id,
                             const PtoRange *range, PtoTile *view)
{
    const PtoTile *t = pto_shared_source(ctx, id);
    uint64_t offset = range_offset(ctx, pe, range);
    uint32_t bytes = pto_size_code_bytes(range->size);
    unsigned bits = pto_type_bits(t->type);
    uint32_t first, count, row, col, rows, cols;

    if (!pto_tile_legal(t) || t->layout != PTO_LAYOUT_ROW) {
        return pto_reject(PTO_RULE_VIEW_SHARED_LAYOUT);
    }
    if (offset >= PTO_GEN_CELLS ||
        offset * PTO_CELL_BYTES + bytes > t->capacity) {
        return pto_reject(PTO_RULE_VIEW_SHARED_RANGE);
    }
    first = offset * 1024 / bits;
    count = bytes * 8u / bits;
    row = first / t->cols;
    col = first % t->cols;
    if (col + count <= t->cols) {
        rows = 1;
        cols = count;
    } else if (col == 0 && count % t->cols == 0) {
        rows = count / t->cols;
        cols = t->cols;
    } else {
        return pto_reject(PTO_RULE_VIEW_SHARED_ROWS);
    }
    pto_tile_configure(view, bytes, cols, cut(t->vrows, row, rows),
                       cut(t->vcols, col, cols), t->type, t->layout,
                       PTO_LOC_ANY, t->mask);
    pto_tile_new_payload(view, !t->buf);
    if (t->buf) {
        memcpy(view->buf->data, t->buf->data + offset * PTO_CELL_BYTES, bytes);
    }
    pto_tile_define_valid(view);
    return PTO_OK;
}

/* --- updates --- */

bool pto_shared_compatible(PtoTileCtx *ctx, unsigned id, const PtoTile *t,
                           unsigned mask)
{
    const PtoSharedTile *s = &ctx->core->shared[id];
    const PtoTile *o = &s->tile;

    if (pto_layout_is_cube(t->layout) || !pto_tile_legal(t) ||
        t->storage != PTO_STORE_NUMERIC) {
        return false;
    }
    if (!s->valid) {
        return ctx->core->pool_used + t->capacity <= ctx->core->pool_limit;
    }
    return !(mask & ~s->alloc_mask) && o->capacity == t->capacity &&
           o->rows == t->rows && o->cols == t->cols && o->vrows == t->vrows &&
           o->vcols == t->vcols && o->type == t->type && o->layout == t->layout;
}

static void install(PtoTileCtx *ctx, unsigned id, unsigned mask, PtoTile *t)
{
    PtoSharedTile *s = &ctx->core->shared[id];

    ctx->core->pool_used += t->capacity - s->tile.capacity;
    pto_tile_clear(&s->tile);
    s->tile = *t;
    s->tile.location = PTO_LOC_ANY;
    memset(t, 0, sizeof(*t));
    s->valid = s->ready = s->published = true;
    s->alloc_mask = mask;
    s->init_mask = mask;
    s->tile.mask = mask;
    ctx->core->publications++;
    if (ctx->access->published) {
        ctx->access->published(ctx->opaque, id);
    }
}

/* --- generations --- */

static void generation_drop(PtoGeneration **g)
{
    if (*g) {
        pto_tile_clear(&(*g)->work);
        pto_free(*g);
        *g = NULL;
    }
}

static uint32_t writer_cells(const PtoBindShared *s)
{
    return pto_size_code_bytes(s->size) / PTO_CELL_BYTES;
}

static bool covered(const PtoGeneration *g, uint64_t first, uint32_t cells)
{
    for (uint32_t i = first; i < first + cells; i++) {
        if (g->covered[i / 64] >> (i % 64) & 1) {
            return true;
        }
    }
    return false;
}

static PtoFaultInfo check_writer(PtoTileCtx *ctx, const PtoBindShared *s)
{
    const PtoRange *r = &s->assemble;
    const PtoGeneration *g = ctx->core->generation[s->id];
    uint32_t cells = writer_cells(s), parent;

    if (r->init ? g != NULL : !g || g->mask != s->mask) {
        return pto_reject(r->init ? PTO_RULE_ASM_SHARED_OPEN
                                  : PTO_RULE_ASM_SHARED_CLOSED);
    }
    parent = r->init ? pto_size_code_bytes(r->size) / PTO_CELL_BYTES
                     : g->parent_cells;
    if (r->offset >= PTO_GEN_CELLS || r->offset + cells > parent) {
        return pto_reject(PTO_RULE_ASM_SHARED_RANGE);
    }
    if (g && covered(g, r->offset, cells)) {
        return pto_reject(PTO_RULE_ASM_OVERLAP);
    }
    if (r->last && (g ? g->covered_count : 0) + cells != parent) {
        return pto_reject(PTO_RULE_ASM_LAST);
    }
    return PTO_OK;
}

PtoFaultInfo pto_check_shared_generation(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoBundle *b = plan->bundle;

    for (unsigned i = 0; i < b->ios_count; i++) {
        if (b->ios[i].assemble.valid) {
            PtoFaultInfo f = check_writer(ctx, &b->ios[i]);

            if (f.code) {
                return f;
            }
        }
    }
    return PTO_OK;
}

/* Parent that a writer tile @t belongs to; false: no such shape exists. */
static bool parent_shape(PtoTileCtx *ctx, const PtoBindShared *s,
                         const PtoTile *t)
{
    const PtoGeneration *g = ctx->core->generation[s->id];
    uint32_t bytes = s->assemble.init ? pto_size_code_bytes(s->assemble.size)
                                      : g->work.capacity;

    if (t->layout != PTO_LAYOUT_ROW) {
        return false;           /* ranges are linear in row-major storage */
    }
    if (!s->assemble.init) {
        return g->work.cols == t->cols && g->work.type == t->type &&
               g->work.layout == t->layout;
    }
    return pto_derived_rows(bytes, t->cols, t->type) != 0;
}

PtoFaultInfo pto_check_shared_writer(PtoTileCtx *ctx, const PtoBindShared *s,
                                     const PtoTile *t)
{
    const PtoSharedTile *old = &ctx->core->shared[s->id];
    const PtoGeneration *g = ctx->core->generation[s->id];
    uint32_t bytes;

    if (!s->assemble.valid) {
        return pto_shared_compatible(ctx, s->id, t, s->mask) ? PTO_OK
               : pto_reject(PTO_RULE_SHARED_OBJECT);
    }
    if (!parent_shape(ctx, s, t)) {
        return pto_reject(PTO_RULE_ASM_WRITER);
    }
    bytes = g ? g->work.capacity : pto_size_code_bytes(s->assemble.size);
    if (s->assemble.last && ctx->core->pool_used - old->tile.capacity + bytes >
                            ctx->core->pool_limit) {
        return pto_reject(PTO_RULE_SHARED_POOL);
    }
    return PTO_OK;
}

static PtoGeneration *generation_open(PtoTileCtx *ctx, const PtoBindShared *s,
                                      const PtoTile *t)
{
    PtoGeneration *g = pto_alloc0(sizeof(*g));
    uint32_t bytes = pto_size_code_bytes(s->assemble.size);

    g->open = true;
    g->mask = s->mask;
    g->parent_size = s->assemble.size;
    g->parent_cells = bytes / PTO_CELL_BYTES;
    g->init_bpc = ctx->bundle->bpc;
    pto_tile_configure(&g->work, bytes, t->cols, 0, 0, t->type, t->layout,
                       PTO_LOC_ANY, s->mask);
    pto_tile_new_payload(&g->work, true);
    /* Elements nobody writes read as register number XOR element number. */
    for (uint32_t i = 0; i < (uint32_t)g->work.rows * g->work.cols; i++) {
        pto_tile_put_at(&g->work, i, s->id ^ i);
    }
    ctx->core->generation[s->id] = g;
    return g;
}

/* Copy the writer's defined elements to the parent's element @first and on. */
static void copy_elements(PtoTile *parent, uint32_t first, const PtoTile *t)
{
    bool whole = t->vrows == t->rows && t->vcols == t->cols &&
                 t->contents_defined;

    if (whole) {
        memcpy(parent->buf->data + (size_t)first * pto_type_bits(t->type) / 8,
               t->buf->data, t->capacity);
        return;
    }
    for (uint32_t r = 0; r < t->rows; r++) {
        for (uint32_t c = 0; c < t->cols; c++) {
            if (pto_tile_elem_defined(t, r, c)) {
                uint32_t i = r * t->cols + c;

                pto_tile_put_at(parent, first + i, pto_tile_get_at(t, i));
            }
        }
    }
}

/* Enter a writer at CELL @cell; the parent's valid region grows over it. */
static void generation_write(PtoGeneration *g, uint32_t cell, const PtoTile *t)
{
    PtoTile *w = &g->work;
    uint32_t first = cell * (1024 / pto_type_bits(t->type));

    copy_elements(w, first, t);
    if (t->vrows && t->vcols) {
        uint32_t end = first + (t->vrows - 1) * t->cols + t->vcols - 1;

        w->vrows = MAX(w->vrows, end / w->cols + 1);
        w->vcols = MAX(w->vcols, t->vcols);
    }
}

void pto_shared_publish(PtoTileCtx *ctx, const PtoBindShared *s, PtoTile *t)
{
    PtoGeneration *g;
    uint32_t cells = writer_cells(s);

    if (!s->assemble.valid) {
        install(ctx, s->id, ctx->core->shared[s->id].valid
                            ? ctx->core->shared[s->id].alloc_mask : s->mask, t);
        return;
    }
    g = s->assemble.init ? generation_open(ctx, s, t)
                         : ctx->core->generation[s->id];
    generation_write(g, s->assemble.offset, t);
    pto_tile_clear(t);
    for (uint32_t i = s->assemble.offset; i < s->assemble.offset + cells; i++) {
        g->covered[i / 64] |= 1ull << (i % 64);
    }
    g->covered_count += cells;
    g->writers++;
    if (s->assemble.last) {
        /* Gaps between partially valid writers count as defined. */
        pto_tile_define_valid(&g->work);
        install(ctx, s->id, g->mask, &g->work);
        generation_drop(&ctx->core->generation[s->id]);
    }
}

void pto_shared_generation_abort(PtoTileCtx *ctx, const PtoBundle *b)
{
    for (unsigned i = 0; i < b->ios_count; i++) {
        if (b->ios[i].assemble.valid) {
            generation_drop(&ctx->core->generation[b->ios[i].id]);
        }
    }
}
