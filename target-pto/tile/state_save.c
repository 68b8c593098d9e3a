/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Flat images of tile state for migration, snapshots and trap contexts: a magic
 * number, then fixed little-endian records; only allocated tiles carry payload.
 */
#include "tile/state.h"

#define LOCAL_MAGIC 0x324c5450u     /* "PTL2" */
#define CORE_MAGIC  0x31435450u     /* "PTC1" */

/* --- byte streams --- */

typedef struct Out {
    uint8_t *data;
    size_t size, room;
} Out;

static void put_bytes(Out *o, const void *p, size_t n)
{
    if (o->size + n > o->room) {
        size_t room = (o->size + n) * 2;
        uint8_t *grown = pto_alloc(room);

        if (o->size) {
            memcpy(grown, o->data, o->size);
        }
        pto_free(o->data);
        o->data = grown;
        o->room = room;
    }
    if (n) {
        memcpy(o->data + o->size, p, n);
    }
    o->size += n;
}

static void put(Out *o, unsigned bytes, uint64_t v)
{
    uint8_t b[8];

    pto_st_le(b, bytes, v);
    put_bytes(o, b, bytes);
}

typedef struct In {
    const uint8_t *data;
    size_t left;
    bool bad;
} In;

static const uint8_t *get_bytes(In *in, size_t n)
{
    const uint8_t *p = in->data;

    if (in->bad || n > in->left) {
        in->bad = true;
        return NULL;
    }
    in->data += n;
    in->left -= n;
    return p;
}

static uint64_t get(In *in, unsigned bytes)
{
    const uint8_t *p = get_bytes(in, bytes);

    return p ? pto_ld_le(p, bytes) : 0;
}

/* --- tiles --- */

static void put_tile(Out *o, const PtoTile *t)
{
    bool map = t->buf && t->defined == PTO_DEF_BITMAP;

    put(o, 1, t->storage);
    put(o, 1, t->type);
    put(o, 1, t->layout);
    put(o, 1, t->location);
    put(o, 1, t->mask);
    put(o, 1, t->defined);
    put(o, 1, t->contents_defined);
    put(o, 1, t->buf != NULL);
    put(o, 4, t->capacity);
    put(o, 2, t->rows);
    put(o, 2, t->cols);
    put(o, 2, t->vrows);
    put(o, 2, t->vcols);
    put(o, 4, t->k_repeat);
    put(o, 4, t->n_repeat);
    put(o, 4, t->cells);
    if (t->buf) {
        put_bytes(o, t->buf->data, t->capacity);
    }
    if (map) {
        put_bytes(o, t->buf->defined, ((size_t)t->rows * t->cols + 7) / 8);
    }
}

/* Would indexing this tile stay inside its payload? */
static bool shape_sane(const PtoTile *t)
{
    if (t->capacity > PTO_SHARED_MAX_BYTES || !pto_type_concrete(t->type) ||
        t->layout >= PTO_LAYOUT_COUNT || t->defined > PTO_DEF_BITMAP) {
        return false;
    }
    if (t->storage == PTO_STORE_PREDICATE) {
        return t->vrows <= t->rows && t->vcols <= t->cols &&
               (uint64_t)t->rows * t->cols <= (uint64_t)t->capacity * 8;
    }
    return pto_layout_is_cube(t->layout) ? pto_tile_cube_legal(t)
                                         : pto_tile_legal(t);
}

static void get_payload(In *in, PtoTile *t)
{
    size_t map = ((size_t)t->rows * t->cols + 7) / 8;
    uint8_t kind = t->defined;
    bool contents = t->contents_defined;
    const uint8_t *p = get_bytes(in, t->capacity);

    if (!p) {
        return;
    }
    pto_tile_new_payload(t, false);
    memcpy(t->buf->data, p, t->capacity);
    if (kind == PTO_DEF_BITMAP) {
        p = get_bytes(in, map);
        if (!p) {
            return;
        }
        t->buf->defined = pto_alloc(map);
        memcpy(t->buf->defined, p, map);
    }
    t->defined = kind;
    t->contents_defined = contents;
}

static void get_tile(In *in, PtoTile *t)
{
    bool payload;

    t->allocated = true;
    t->storage = get(in, 1) != 0;
    t->type = get(in, 1);
    t->layout = get(in, 1);
    t->location = get(in, 1);
    t->mask = get(in, 1) & 15;
    t->defined = get(in, 1);
    t->contents_defined = get(in, 1);
    payload = get(in, 1);
    t->capacity = get(in, 4);
    t->rows = get(in, 2);
    t->cols = get(in, 2);
    t->vrows = get(in, 2);
    t->vcols = get(in, 2);
    t->k_repeat = get(in, 4);
    t->n_repeat = get(in, 4);
    t->cells = get(in, 4);
    t->buf = NULL;
    if (in->bad || t->type >= PTO_DTYPE_CODES || !shape_sane(t) ||
        (t->defined == PTO_DEF_BITMAP && !payload)) {
        in->bad = true;
        t->defined = PTO_DEF_NONE;
        return;
    }
    if (payload) {
        get_payload(in, t);
    }
}

/* --- generations --- */

static void put_generation(Out *o, const PtoGeneration *g)
{
    put(o, 1, g->open);
    put(o, 1, g->hand);
    put(o, 1, g->mask);
    put(o, 1, g->parent_size);
    put(o, 1, g->slot);
    put(o, 2, g->parent_cells);
    put(o, 2, g->covered_count);
    put(o, 2, g->writers);
    put(o, 8, g->init_bpc);
    for (unsigned i = 0; i < PTO_GEN_CELLS / 64; i++) {
        put(o, 8, g->covered[i]);
    }
    for (unsigned i = 0; i < MIN(g->writers, PTO_GEN_WRITERS); i++) {
        put(o, 8, g->writer[i].bpc);
        put(o, 2, g->writer[i].first);
        put(o, 2, g->writer[i].cells);
    }
    put_tile(o, &g->work);
}

static PtoGeneration *get_generation(In *in)
{
    PtoGeneration *g = pto_alloc0(sizeof(*g));

    g->open = get(in, 1);
    g->hand = get(in, 1) & 3;
    g->mask = get(in, 1) & 15;
    g->parent_size = get(in, 1);
    g->slot = get(in, 1) & (PTO_TILE_SLOTS - 1);
    g->parent_cells = get(in, 2);
    g->covered_count = get(in, 2);
    g->writers = get(in, 2);
    g->init_bpc = get(in, 8);
    for (unsigned i = 0; i < PTO_GEN_CELLS / 64; i++) {
        g->covered[i] = get(in, 8);
    }
    if (g->parent_cells > PTO_GEN_CELLS || g->writers > PTO_GEN_CELLS) {
        in->bad = true;
    }
    for (unsigned i = 0; i < MIN(g->writers, PTO_GEN_WRITERS); i++) {
        g->writer[i].bpc = get(in, 8);
        g->writer[i].first = get(in, 2);
        g->writer[i].cells = get(in, 2);
    }
    get_tile(in, &g->work);
    if (g->work.capacity != g->parent_cells * PTO_CELL_BYTES) {
        in->bad = true;
    }
    return g;
}

static void put_generations(Out *o, PtoGeneration *const *list, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        put(o, 1, list[i] != NULL);
        if (list[i]) {
            put_generation(o, list[i]);
        }
    }
}

static void get_generations(In *in, PtoGeneration **list, unsigned n)
{
    for (unsigned i = 0; i < n && !in->bad; i++) {
        if (get(in, 1)) {
            list[i] = get_generation(in);
        }
    }
}

/* --- Local tiles --- */

static void put_feature_map(Out *o, const PtoFeatureMap *f)
{
    const uint16_t dims[] = {
        f->batches, f->depth, f->channel_groups, f->height, f->width,
        f->channels_per_group, f->filter_h, f->filter_w, f->stride_h,
        f->stride_w, f->dilation_h, f->dilation_w, f->pad_left, f->pad_right,
        f->pad_top, f->pad_bottom, f->logical_channels,
    };

    put(o, 1, f->valid | f->ndc1hwc0 << 1 | f->transposed << 2);
    for (unsigned i = 0; i < ARRAY_SIZE(dims); i++) {
        put(o, 2, dims[i]);
    }
    put(o, 8, f->padding);
}

static void get_feature_map(In *in, PtoFeatureMap *f)
{
    uint16_t *const dims[] = {
        &f->batches, &f->depth, &f->channel_groups, &f->height, &f->width,
        &f->channels_per_group, &f->filter_h, &f->filter_w, &f->stride_h,
        &f->stride_w, &f->dilation_h, &f->dilation_w, &f->pad_left,
        &f->pad_right, &f->pad_top, &f->pad_bottom, &f->logical_channels,
    };
    unsigned bits = get(in, 1);

    f->valid = bits & 1;
    f->ndc1hwc0 = bits >> 1 & 1;
    f->transposed = bits >> 2 & 1;
    for (unsigned i = 0; i < ARRAY_SIZE(dims); i++) {
        *dims[i] = get(in, 2);
    }
    f->padding = get(in, 8);
}

/* The counters are words of one kind: they are saved in their order. */
#define COUNTER_WORDS (sizeof(PtoTileCounters) / sizeof(uint64_t))

static void put_counters(Out *o, const PtoTileCounters *c)
{
    uint64_t words[COUNTER_WORDS];

    memcpy(words, c, sizeof(words));
    for (unsigned i = 0; i < COUNTER_WORDS; i++) {
        put(o, 8, words[i]);
    }
}

static void get_counters(In *in, PtoTileCounters *c)
{
    uint64_t words[COUNTER_WORDS];

    for (unsigned i = 0; i < COUNTER_WORDS; i++) {
        words[i] = get(in, 8);
    }
    memcpy(c, words, sizeof(words));
}

uint8_t *pto_local_save(const PtoLocalTiles *l, size_t *size)
{
    Out o = { 0 };

    put(&o, 4, LOCAL_MAGIC);
    put(&o, 8, l->next_seq);
    put(&o, 4, l->pool_limit);
    put(&o, 1, l->own_pool);
    put(&o, 8, l->ops);
    put_counters(&o, &l->count);
    for (unsigned i = 0; i < PTO_TILE_SLOTS; i++) {
        put(&o, 1, l->tile[i].allocated | (l->feature_map[i] != NULL) << 1);
        if (l->tile[i].allocated) {
            put(&o, 8, l->seq[i]);
            put_tile(&o, &l->tile[i]);
        }
        if (l->feature_map[i]) {
            put_feature_map(&o, l->feature_map[i]);
        }
    }
    put_generations(&o, l->generation, ARRAY_SIZE(l->generation));
    *size = o.size;
    return o.data;
}

bool pto_local_load(PtoLocalTiles *l, const uint8_t *data, size_t size)
{
    In in = { data, size, false };

    pto_local_reset(l);
    in.bad = get(&in, 4) != LOCAL_MAGIC;
    l->next_seq = get(&in, 8);
    l->pool_limit = get(&in, 4);
    l->own_pool = get(&in, 1);
    l->ops = get(&in, 8);
    get_counters(&in, &l->count);
    for (unsigned i = 0; i < PTO_TILE_SLOTS && !in.bad; i++) {
        unsigned have = get(&in, 1);

        if (have & 1) {
            l->seq[i] = get(&in, 8);
            get_tile(&in, &l->tile[i]);
            in.bad |= !l->tile[i].buf;
            pto_local_charge(l, l->tile[i].mask, l->tile[i].capacity);
        }
        if (have & 2) {
            PtoFeatureMap f = { 0 };

            get_feature_map(&in, &f);
            pto_local_set_feature_map(l, i, &f);
        }
    }
    get_generations(&in, l->generation, ARRAY_SIZE(l->generation));
    if (in.bad || in.left) {
        pto_local_reset(l);
        return false;
    }
    return true;
}

/* --- Shared registers --- */

uint8_t *pto_core_save(const PtoTileCore *c, size_t *size)
{
    const PtoRendezvous *r = &c->rendezvous;
    Out o = { 0 };

    put(&o, 4, CORE_MAGIC);
    put(&o, 4, c->pool_limit);
    put(&o, 8, c->publications);
    for (unsigned i = 0; i < PTO_SHARED_COUNT; i++) {
        const PtoSharedTile *s = &c->shared[i];

        put(&o, 1, s->valid | s->ready << 1 | s->published << 2);
        put(&o, 1, s->alloc_mask);
        put(&o, 1, s->init_mask);
        if (s->valid) {
            put_tile(&o, &s->tile);
        }
    }
    put_generations(&o, c->generation, PTO_SHARED_COUNT);
    put(&o, 4, r->key);
    put(&o, 1, r->arrived);
    put(&o, 1, r->collecting);
    for (unsigned i = 0; i < PTO_PES; i++) {
        put(&o, 4, r->data[i] ? r->bytes[i] : 0);
        put_bytes(&o, r->data[i], r->data[i] ? r->bytes[i] : 0);
    }
    *size = o.size;
    return o.data;
}

static void get_rendezvous(In *in, PtoRendezvous *r)
{
    r->key = get(in, 4);
    r->arrived = get(in, 1) & 15;
    r->collecting = get(in, 1) & 15;
    for (unsigned i = 0; i < PTO_PES && !in->bad; i++) {
        size_t n = get(in, 4);
        const uint8_t *p = get_bytes(in, n);

        if (n && p) {
            r->data[i] = pto_alloc(n);
            memcpy(r->data[i], p, n);
            r->bytes[i] = n;
        }
    }
}

bool pto_core_load(PtoTileCore *c, const uint8_t *data, size_t size)
{
    In in = { data, size, false };

    pto_core_reset(c);
    in.bad = get(&in, 4) != CORE_MAGIC;
    c->pool_limit = get(&in, 4);
    c->publications = get(&in, 8);
    for (unsigned i = 0; i < PTO_SHARED_COUNT && !in.bad; i++) {
        PtoSharedTile *s = &c->shared[i];
        unsigned bits = get(&in, 1);

        s->valid = bits & 1;
        s->ready = bits >> 1 & 1;
        s->published = bits >> 2 & 1;
        s->alloc_mask = get(&in, 1) & 15;
        s->init_mask = get(&in, 1) & 15;
        if (s->valid) {
            get_tile(&in, &s->tile);
            in.bad |= !s->tile.buf;
            c->pool_used += s->tile.capacity;
        }
    }
    get_generations(&in, c->generation, PTO_SHARED_COUNT);
    for (unsigned i = 0; i < PTO_SHARED_COUNT; i++) {
        in.bad |= c->generation[i] && !c->generation[i]->work.buf;
    }
    get_rendezvous(&in, &c->rendezvous);
    if (in.bad || in.left) {
        pto_core_reset(c);
        return false;
    }
    return true;
}
