/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "env.h"

static uint64_t read_scalar(void *opaque, unsigned pe, unsigned selector)
{
    (void)pe;
    return selector ? ((VecEnv *)opaque)->reg[selector & 31] : 0;
}

static const PtoAccess access_table = { .read_scalar = read_scalar };

void vec_env_init(VecEnv *e, const PtoTileProfile *profile)
{
    memset(e, 0, sizeof(*e));
    e->profile = *profile;
    e->profile.relative_sources = false;
    pto_local_init(&e->local);
    pto_core_init(&e->core);
    e->ctx = (PtoTileCtx) {
        .profile = &e->profile, .access = &access_table, .opaque = e,
        .pe_count = 1, .local = &e->local, .core = &e->core, .bundle = &e->b,
    };
}

void vec_env_done(VecEnv *e)
{
    pto_local_reset(&e->local);
    pto_core_reset(&e->core);
}

unsigned vec_size_code(PtoDataType type, uint32_t vrows, uint32_t cols)
{
    for (unsigned code = 1; code <= 10; code++) {
        if (pto_derived_rows(pto_size_code_bytes(code), cols, type) >= vrows) {
            return code;
        }
    }
    return 0;
}

static PtoTile *publish(VecEnv *e, unsigned slot)
{
    PtoTile *t = &e->local.tile[slot];

    pto_tile_new_payload(t, true);
    pto_tile_define_valid(t);
    pto_local_charge(&e->local, t->mask, t->capacity);
    e->local.seq[slot] = ++e->local.next_seq;
    return t;
}

PtoTile *vec_tile(VecEnv *e, unsigned slot, PtoDataType type, unsigned code,
                  uint32_t cols, uint32_t vrows, uint32_t vcols)
{
    pto_local_free(&e->local, slot);
    pto_tile_configure(&e->local.tile[slot], pto_size_code_bytes(code), cols,
                       vrows, vcols, type, PTO_LAYOUT_ROW, PTO_LOC_ANY, 15);
    return publish(e, slot);
}

PtoTile *vec_cube_tile(VecEnv *e, unsigned slot, PtoDataType type,
                       unsigned code, PtoLayout layout, uint32_t vrows,
                       uint32_t vcols)
{
    pto_local_free(&e->local, slot);
    if (!pto_tile_configure_cube(&e->local.tile[slot],
                                 pto_size_code_bytes(code), vrows, vcols, type,
                                 layout, 15)) {
        return NULL;
    }
    return publish(e, slot);
}

PtoTile *vec_predicate(VecEnv *e, unsigned slot, const PtoTile *like)
{
    pto_local_free(&e->local, slot);
    pto_tile_configure_predicate(&e->local.tile[slot],
                                 MAX(like->capacity, 128u), like->rows,
                                 like->cols, like->vrows, like->vcols, 15);
    return publish(e, slot);
}

void vec_tile_set(PtoTile *t, const uint64_t *v, size_t n)
{
    size_t i = 0;

    for (uint32_t row = 0; row < t->vrows; row++) {
        for (uint32_t col = 0; col < t->vcols; col++, i++) {
            pto_tile_put(t, row, col, v[i < n ? i : n - 1]);
        }
    }
}

void vec_block(VecEnv *e, PtoTileOpId op, PtoDataType type)
{
    const PtoTileOp *o = &pto_tile_ops[op];
    PtoBundleOp start = {
        .valid = true,
        .op_class = o->family == PTO_FAMILY_TEPL ? PTO_OPCLASS_TEPL
                    : o->family == PTO_FAMILY_TLSU ? PTO_OPCLASS_TLSU
                    : PTO_OPCLASS_CUBE,
        .selector_valid = true,
        .selector = o->code & 31,
        .dtype_valid = true,
        .dtype = type,
        .mode_valid = o->family == PTO_FAMILY_TEPL,
        .mode = o->code >> 5,
    };

    pto_bundle_clear(&e->b);
    pto_bundle_install(&e->b, &start, 0x1000);
}

void vec_iot(VecEnv *e, int hand, unsigned size, unsigned nsrc, unsigned s0,
             unsigned s1, bool last)
{
    pto_bundle_iot(&e->b, true, hand >= 0, nsrc, hand < 0 ? 0 : hand, size, 7,
                   s0, s1, last);
}

void vec_dims(VecEnv *e, int lb0, int lb1, int lb2)
{
    const int v[3] = { lb0, lb1, lb2 };

    for (unsigned i = 0; i < 3; i++) {
        if (v[i] >= 0) {
            pto_bundle_dim(&e->b, true, i, v[i]);
        }
    }
}

void vec_ior(VecEnv *e, unsigned n, uint64_t v0, uint64_t v1, uint64_t v2)
{
    e->reg[2] = v0;
    e->reg[3] = v1;
    e->reg[4] = v2;
    pto_bundle_ior(&e->b, true, 0, n > 0 ? 2 : 0, n > 1 ? 3 : 0,
                   n > 2 ? 4 : 0);
}

PtoDatr *vec_datr(VecEnv *e)
{
    e->b.datr = (PtoDatr) { .present = true };
    return &e->b.datr;
}

PtoCommit vec_commit(VecEnv *e)
{
    return pto_tile_commit(&e->ctx);
}
