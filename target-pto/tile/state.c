/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Payload buffers, definedness, Local names and pools.
 */
#include "tile/state.h"

/* --- payload buffers --- */

/*
 * Aligned by hand: aligned allocation splits a larger chunk each time and
 * merges it again, which costs more than a small tile's operation.
 */
PtoTileBuf *pto_buf_new(uint32_t size, bool zero)
{
    char *raw = pto_alloc(sizeof(PtoTileBuf) + size + 63);
    PtoTileBuf *b = (PtoTileBuf *)(((uintptr_t)raw + 63) & ~(uintptr_t)63);

    b->raw = raw;
    if (zero) {
        memset(b->data, 0, size);
    }
    b->refs = 1;
    b->size = size;
    b->defined = NULL;
    return b;
}

void pto_buf_ref(PtoTileBuf *b)
{
    __atomic_fetch_add(&b->refs, 1, __ATOMIC_RELAXED);
}

void pto_buf_unref(PtoTileBuf *b)
{
    if (b && __atomic_sub_fetch(&b->refs, 1, __ATOMIC_ACQ_REL) == 0) {
        pto_free(b->defined);
        pto_free(b->raw);
    }
}

void pto_tile_clear(PtoTile *t)
{
    pto_buf_unref(t->buf);
    memset(t, 0, sizeof(*t));
    t->type = PTO_U8;
}

void pto_tile_copy(PtoTile *dst, const PtoTile *src)
{
    *dst = *src;
    if (dst->buf) {
        pto_buf_ref(dst->buf);
    }
}

void pto_tile_new_payload(PtoTile *t, bool zero)
{
    pto_buf_unref(t->buf);
    t->buf = pto_buf_new(t->capacity, zero);
    t->defined = PTO_DEF_NONE;
    t->contents_defined = false;
}

static uint32_t storage_elements(const PtoTile *t)
{
    return (uint32_t)t->rows * t->cols;
}

void pto_tile_own_payload(PtoTile *t)
{
    PtoTileBuf *old = t->buf;

    if (!old) {
        t->buf = pto_buf_new(t->capacity, true);
        return;
    }
    if (__atomic_load_n(&old->refs, __ATOMIC_ACQUIRE) == 1) {
        return;
    }
    t->buf = pto_buf_new(old->size, false);
    memcpy(t->buf->data, old->data, old->size);
    if (old->defined) {
        size_t bytes = (storage_elements(t) + 7) / 8;

        t->buf->defined = pto_alloc(bytes);
        memcpy(t->buf->defined, old->defined, bytes);
    }
    pto_buf_unref(old);
}

/* --- definedness --- */

bool pto_tile_elem_defined(const PtoTile *t, uint32_t row, uint32_t col)
{
    uint32_t i;

    switch (t->defined) {
    case PTO_DEF_VALID:
        return row < t->vrows && col < t->vcols;
    case PTO_DEF_ALL:
        return true;
    case PTO_DEF_BITMAP:
        i = pto_tile_index(t, row, col);
        return t->buf->defined[i / 8] >> (i % 8) & 1;
    default:
        return false;
    }
}

void pto_tile_define_valid(PtoTile *t)
{
    t->defined = PTO_DEF_VALID;
    t->contents_defined = true;
}

void pto_tile_define_all(PtoTile *t)
{
    t->defined = PTO_DEF_ALL;
    t->contents_defined = true;
}

static void to_bitmap(PtoTile *t)
{
    uint8_t *map;

    if (t->defined == PTO_DEF_BITMAP) {
        return;
    }
    map = pto_alloc0((storage_elements(t) + 7) / 8);
    for (uint32_t r = 0; t->defined != PTO_DEF_NONE && r < t->rows; r++) {
        for (uint32_t c = 0; c < t->cols; c++) {
            if (pto_tile_elem_defined(t, r, c)) {
                uint32_t i = pto_tile_index(t, r, c);

                map[i / 8] |= 1u << (i % 8);
            }
        }
    }
    pto_free(t->buf->defined);
    t->buf->defined = map;
    t->defined = PTO_DEF_BITMAP;
}

void pto_tile_define_elem(PtoTile *t, uint32_t row, uint32_t col)
{
    uint32_t i = pto_tile_index(t, row, col);

    to_bitmap(t);
    t->buf->defined[i / 8] |= 1u << (i % 8);
}

void pto_tile_define_done(PtoTile *t)
{
    bool all = true;

    for (uint32_t r = 0; all && r < t->vrows; r++) {
        for (uint32_t c = 0; all && c < t->vcols; c++) {
            all = pto_tile_elem_defined(t, r, c);
        }
    }
    t->contents_defined = all;
}

static void pad_row(PtoTile *t, uint32_t row, uint32_t from, uint64_t value)
{
    unsigned bits = pto_type_bits(t->type);

    if (t->layout == PTO_LAYOUT_ROW && t->storage == PTO_STORE_NUMERIC &&
        value == 0 && bits >= 8) {
        size_t n = bits / 8;

        memset(pto_tile_data(t) + ((size_t)row * t->cols + from) * n, 0,
               (t->cols - from) * n);
        return;
    }
    for (uint32_t c = from; c < t->cols; c++) {
        pto_tile_put(t, row, c, value);
    }
}

void pto_tile_pad(PtoTile *t, PtoPad pad)
{
    uint64_t value = t->storage == PTO_STORE_PREDICATE ? pad == PTO_PAD_MAX
                     : pto_pad_value(pad, t->type);

    for (uint32_t r = 0; r < t->rows; r++) {
        pad_row(t, r, r < t->vrows ? t->vcols : 0, value);
    }
    if (pad == PTO_PAD_NULL) {
        pto_tile_define_valid(t);
    } else {
        pto_tile_define_all(t);
    }
}

/* --- Local tiles --- */

void pto_local_init(PtoLocalTiles *l)
{
    memset(l, 0, sizeof(*l));
    for (unsigned i = 0; i < PTO_TILE_SLOTS; i++) {
        l->tile[i].type = PTO_U8;
    }
    l->next_seq = 1;
    l->pool_limit = PTO_POOL_BYTES;
}

static void generation_free(PtoGeneration **g)
{
    if (*g) {
        pto_tile_clear(&(*g)->work);
        pto_free(*g);
        *g = NULL;
    }
}

void pto_local_reset(PtoLocalTiles *l)
{
    for (unsigned i = 0; i < PTO_TILE_SLOTS; i++) {
        pto_tile_clear(&l->tile[i]);
        pto_free(l->feature_map[i]);
    }
    for (unsigned i = 0; i < ARRAY_SIZE(l->generation); i++) {
        generation_free(&l->generation[i]);
    }
    pto_local_init(l);
}

void pto_core_init(PtoTileCore *c)
{
    memset(c, 0, sizeof(*c));
    for (unsigned i = 0; i < PTO_SHARED_COUNT; i++) {
        c->shared[i].tile.type = PTO_U8;
    }
    c->pool_limit = PTO_POOL_BYTES;
}

void pto_core_reset(PtoTileCore *c)
{
    for (unsigned i = 0; i < PTO_SHARED_COUNT; i++) {
        pto_tile_clear(&c->shared[i].tile);
        generation_free(&c->generation[i]);
    }
    for (unsigned i = 0; i < PTO_PES; i++) {
        pto_free(c->rendezvous.data[i]);
    }
    pto_core_init(c);
}

int pto_local_resolve(const PtoLocalTiles *l, unsigned code, bool relative)
{
    unsigned base = code & 0x30, k = code & 15;
    uint64_t below = UINT64_MAX;
    int slot = -1;

    if (!relative) {
        return code & 63;
    }
    for (unsigned n = 0; n <= k; n++) {
        uint64_t best = 0;

        slot = -1;
        for (unsigned i = base; i < base + 16; i++) {
            if (l->tile[i].allocated && l->seq[i] < below && l->seq[i] > best) {
                best = l->seq[i];
                slot = i;
            }
        }
        if (slot < 0) {
            return -1;
        }
        below = best;
    }
    return slot;
}

void pto_local_charge(PtoLocalTiles *l, unsigned mask, int32_t bytes)
{
    unsigned pes = l->own_pool ? pto_pe_bit(0) : mask;

    for (unsigned pe = 0; pe < PTO_PES; pe++) {
        if (pes & pto_pe_bit(pe)) {
            l->pool_used[pe] += bytes;
        }
    }
}

bool pto_local_fits(const PtoLocalTiles *l, unsigned mask, uint32_t bytes,
                    const uint32_t freed[PTO_PES])
{
    unsigned pes = l->own_pool ? pto_pe_bit(0) : mask;

    for (unsigned pe = 0; pe < PTO_PES; pe++) {
        if ((pes & pto_pe_bit(pe)) &&
            l->pool_used[pe] - freed[pe] + bytes > l->pool_limit) {
            return false;
        }
    }
    return true;
}

void pto_local_free(PtoLocalTiles *l, unsigned slot)
{
    PtoTile *t = &l->tile[slot];

    if (t->allocated) {
        pto_local_charge(l, t->mask, -(int32_t)t->capacity);
    }
    pto_tile_clear(t);
    l->seq[slot] = 0;
    pto_local_set_feature_map(l, slot, NULL);
}

void pto_local_set_feature_map(PtoLocalTiles *l, unsigned slot,
                               const PtoFeatureMap *fm)
{
    pto_free(l->feature_map[slot]);
    l->feature_map[slot] = NULL;
    if (fm) {
        l->feature_map[slot] = pto_alloc(sizeof(*fm));
        *l->feature_map[slot] = *fm;
    }
}
