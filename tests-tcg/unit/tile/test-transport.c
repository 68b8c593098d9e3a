/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TLOAD and TSTORE in every type, layout and a set of shapes, element by element
 * against the index map of the layout: what is loaded, what padding holds, what
 * is stored, and that nothing else in memory changes.
 */
#include "core-env.h"

#define IN 0x4000
#define OUT 0x20000
#define OUT_BYTES 0x18000

static const struct Layout {
    const char *name;
    uint8_t load, store;
    PtoLayout layout;
} layouts[] = {
    { "RM", 0, 0, PTO_LAYOUT_ROW }, { "CM", 1, 0, PTO_LAYOUT_COL },
    { "ZN", 3, 0, PTO_LAYOUT_ZN }, { "NZ", 4, 0, PTO_LAYOUT_NZ },
    { "M32", 21, 24, PTO_LAYOUT_M32 }, { "M16", 22, 25, PTO_LAYOUT_M16 },
    { "N8", 23, 26, PTO_LAYOUT_N8 },
};

/* Valid and physical columns (not CUBE), valid rows, gap between rows. */
static const struct Shape {
    uint16_t vcols, cols, vrows, gap;
} shapes[] = {
    { 64, 64, 16, 0 }, { 64, 64, 32, 8 }, { 63, 64, 13, 8 }, { 33, 64, 16, 0 },
    { 1, 64, 31, 64 }, { 7, 8, 9, 8 }, { 1, 1, 1, 0 }, { 2, 2, 15, 24 },
    { 65, 128, 33, 8 }, { 24, 32, 64, 8 }, { 9, 16, 96, 0 }, { 128, 128, 1, 0 },
};

typedef struct Move {
    PtoDataType type;
    const struct Layout *l;
    const struct Shape *s;
    uint64_t stride;
    PtoPad pad;
} Move;

static PtoBundle start(unsigned function, const Move *m)
{
    PtoBundle b;
    PtoBundleOp op = { .valid = true, .op_class = PTO_OPCLASS_TLSU,
                       .selector_valid = true, .selector = function,
                       .dtype_valid = true, .dtype = m->type };

    pto_bundle_clear(&b);
    pto_bundle_install(&b, &op, 0x1000);
    return b;
}

static PtoBundle load_block(const Move *m, unsigned size)
{
    PtoBundle b = start(0, m);
    bool cube = pto_layout_is_cube(m->l->layout);

    pto_bundle_dim(&b, true, 0, m->s->vcols);
    pto_bundle_dim(&b, true, 1, m->s->vrows);
    if (!cube) {
        pto_bundle_dim(&b, true, 2, m->s->cols);
    }
    if (m->l->load) {
        pto_bundle_datr(&b, true, &(PtoDatr) {
            .dtype = cube ? PTO_DTYPE_NONE : 0, .layout = m->l->load,
            .pad = cube ? m->pad : 0 });
    }
    pto_bundle_ior(&b, true, 0, 1, 2, 0);
    pto_bundle_iot(&b, true, true, 0, 0, size, ONE(0), 0, 0, true);
    return b;
}

static PtoBundle store_block(const Move *m)
{
    PtoBundle b = start(1, m);

    if (m->l->store) {
        pto_bundle_dim(&b, true, 0, m->s->vcols);
        pto_bundle_dim(&b, true, 1, m->s->vrows);
        pto_bundle_datr(&b, true, &(PtoDatr) { .dtype = PTO_DTYPE_NONE,
                                               .layout = m->l->store,
                                               .pad = 3 });
    }
    pto_bundle_ior(&b, true, 0, 3, 2, 0);
    pto_bundle_iot(&b, true, false, 1, 0, 0, ONE(0), 0, 0, true);
    return b;
}

static uint64_t element(const uint8_t *row, PtoDataType type, unsigned c)
{
    unsigned bits = pto_type_bits(type);

    return bits == 4 ? row[c / 2] >> (c % 2 * 4) & 15
                     : pto_ld_le(row + c * bits / 8, bits / 8);
}

static bool tile_right(Core *c, const Move *m, const PtoTile *t)
{
    bool good = t->layout == m->l->layout && t->contents_defined;
    bool cube = pto_layout_is_cube(t->layout);
    uint64_t pad = pto_pad_value(m->pad, m->type);

    for (unsigned r = 0; good && r < t->rows; r++) {
        const uint8_t *row = c->mem + IN + r * m->stride;

        for (unsigned k = 0; k < t->cols; k++) {
            bool valid = r < t->vrows && k < t->vcols;

            if (valid) {
                good &= pto_tile_get(t, r, k) == element(row, m->type, k);
            } else if (cube && m->pad != PTO_PAD_NULL) {
                good &= pto_tile_get(t, r, k) == pad;
            }
            good &= pto_tile_elem_defined(t, r, k) ==
                    (valid || (cube && m->pad != PTO_PAD_NULL));
        }
    }
    return good;
}

/* A packed row may end in the middle of a byte: the other half stays. */
static bool memory_right(Core *c, const Move *m, const uint8_t *old)
{
    unsigned bits = pto_type_bits(m->type), whole = m->s->vcols * bits / 8;
    bool half = m->s->vcols * bits % 8;
    uint8_t *want = pto_alloc(OUT_BYTES);
    bool good;

    memcpy(want, old, OUT_BYTES);
    for (unsigned r = 0; r < m->s->vrows; r++) {
        const uint8_t *from = c->mem + IN + r * m->stride;
        uint8_t *to = want + r * m->stride;

        memcpy(to, from, whole);
        if (half) {
            to[whole] = (to[whole] & 0xf0) | (from[whole] & 15);
        }
    }
    good = !memcmp(want, c->mem + OUT, OUT_BYTES);
    pto_free(want);
    return good;
}

static unsigned moved;

static void run(const Move *m, bool slow)
{
    Core *c = core_new(1);
    uint8_t *old = pto_alloc(OUT_BYTES);
    PtoBundle b;
    PtoCommit r = { .status = PTO_COMMIT_FAULT };
    int slot;

    c->slow = slow;
    c->gpr[0][1] = IN;
    c->gpr[0][2] = m->stride;
    c->gpr[0][3] = OUT;
    memcpy(old, c->mem + OUT, OUT_BYTES);
    for (unsigned size = 1; size <= 10 && r.status != PTO_COMMIT_DONE; size++) {
        b = load_block(m, size);
        r = core_commit(c, 0, &b);
    }
    if (r.status == PTO_COMMIT_DONE) {      /* else the layout has no such shape */
        bool good;

        slot = pto_local_resolve(&c->local[0], 0, true);
        good = tile_right(c, m, &c->local[0].tile[slot]);
        b = store_block(m);
        r = core_commit(c, 0, &b);
        good = good && r.status == PTO_COMMIT_DONE && memory_right(c, m, old);
        if (!good) {
            printf("%s %s %u of %u x %u%s: wrong\n", pto_type_info[m->type].name,
                   m->l->name, m->s->vcols, m->s->cols, m->s->vrows,
                   slow ? ", copied" : "");
        }
        CHECK(good);
        moved++;
    }
    pto_free(old);
    core_free(c);
}

int main(void)
{
    for (unsigned type = 0; type < PTO_DTYPE_CODES; type++) {
        unsigned n = pto_type_concrete(type) ? ARRAY_SIZE(shapes) : 0;

        for (unsigned l = 0; l < ARRAY_SIZE(layouts); l++) {
            for (unsigned s = 0; s < n; s++) {
                unsigned row = (shapes[s].vcols * pto_type_bits(type) + 7) / 8;
                Move m = { .type = type, .l = &layouts[l], .s = &shapes[s],
                           .stride = row + shapes[s].gap,
                           .pad = (type + l + s) % 4 };

                m.stride = (m.stride + 7) & ~7;
                run(&m, (type + s) % 2);
            }
        }
    }
    /* No layout may have dropped out of the test. */
    CHECK(moved > 1500);
    return checks_done();
}
