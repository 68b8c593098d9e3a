/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Behaviour of the tile core that the golden vectors do not reach: relative
 * names, retiring, several PEs with programs of their own, saved state.
 */
#include "core-env.h"
#include "tile/rendezvous.h"

/* --- bundles --- */

static PtoBundle tlsu(unsigned function, PtoDataType type)
{
    PtoBundle b;
    PtoBundleOp op = { .valid = true, .op_class = PTO_OPCLASS_TLSU,
                       .selector_valid = true, .selector = function,
                       .dtype_valid = true, .dtype = type };

    pto_bundle_clear(&b);
    pto_bundle_install(&b, &op, 0x1000);
    return b;
}

static void dims(PtoBundle *b, unsigned cols, unsigned rows, unsigned phys)
{
    pto_bundle_dim(b, true, 0, cols);
    pto_bundle_dim(b, true, 1, rows);
    pto_bundle_dim(b, true, 2, phys);
}

static void dst(PtoBundle *b, unsigned hand, unsigned size, unsigned mode)
{
    pto_bundle_iot(b, true, true, 0, hand, size, mode, 0, 0, true);
}

/* TLOAD U8 of rows x 16 from r1 with dense rows into a tile of @hand. */
static PtoBundle load16(unsigned rows, unsigned hand, unsigned size, unsigned mode)
{
    PtoBundle b = tlsu(0, PTO_U8);

    dims(&b, 16, rows, 16);
    pto_bundle_ior(&b, true, 0, 1, 2, 0);
    dst(&b, hand, size, mode);
    return b;
}

static PtoFault load_at(Core *c, unsigned pe, uint64_t addr, unsigned hand,
                        unsigned size)
{
    PtoBundle b = load16(8, hand, size, ONE(pe));

    c->gpr[pe][1] = addr;
    c->gpr[pe][2] = 16;
    return core_commit(c, pe, &b).fault.code;
}

/* Bytes of the tile that source code @code names equal memory at @addr. */
static bool same_tile(Core *c, unsigned pe, unsigned code, uint64_t addr)
{
    int slot = pto_local_resolve(&c->local[pe], code, true);

    return slot >= 0 && c->local[pe].tile[slot].buf &&
           !memcmp(c->local[pe].tile[slot].buf->data, c->mem + addr, 128);
}

/* --- tests --- */

static void test_relative_names(void)
{
    Core *c = core_new(1);

    for (unsigned i = 0; i < 3; i++) {
        CHECK(load_at(c, 0, 0x1000 * (i + 1), 1, 1) == PTO_FAULT_NONE);
    }
    CHECK(same_tile(c, 0, 16, 0x3000));
    CHECK(same_tile(c, 0, 17, 0x2000));
    CHECK(same_tile(c, 0, 18, 0x1000));
    CHECK(pto_local_resolve(&c->local[0], 19, true) < 0);
    CHECK(pto_local_resolve(&c->local[0], 0, true) < 0);
    core_free(c);
}

static unsigned tiles_in(const PtoLocalTiles *l, unsigned hand)
{
    unsigned n = 0;

    for (unsigned i = hand * 16; i < hand * 16 + 16; i++) {
        n += l->tile[i].allocated;
    }
    return n;
}

static void test_ring_by_names(void)
{
    Core *c = core_new(1);

    for (unsigned i = 0; i < 100; i++) {
        CHECK(load_at(c, 0, 0x400 * i, 2, 1) == PTO_FAULT_NONE);
    }
    CHECK(tiles_in(&c->local[0], 2) == 16);
    CHECK(c->local[0].pool_used[0] == 16 * 128);
    for (unsigned k = 0; k < 16; k++) {
        CHECK(same_tile(c, 0, 32 + k, 0x400 * (99 - k)));
    }
    core_free(c);
}

static void test_ring_by_pool(void)
{
    Core *c = core_new(1);
    PtoBundle move;

    for (unsigned i = 0; i < 9; i++) {
        CHECK(load_at(c, 0, 0x1000 * i, 0, 10) == PTO_FAULT_NONE);
    }
    CHECK(tiles_in(&c->local[0], 0) == 4);
    CHECK(c->local[0].pool_used[0] == PTO_POOL_BYTES);
    /* The oldest tile is the source: the next oldest has to go. */
    move = tlsu(2, PTO_U8);
    pto_bundle_iot(&move, true, true, 1, 0, 10, ONE(0), 3, 0, true);
    CHECK(core_commit(c, 0, &move).status == PTO_COMMIT_DONE);
    CHECK(same_tile(c, 0, 0, 0x5000) && same_tile(c, 0, 3, 0x5000));
    CHECK(same_tile(c, 0, 2, 0x7000));
    /* Another hand has nothing to retire. */
    CHECK(load_at(c, 0, 0, 1, 1) == PTO_FAULT_TILE_ALLOCATION);
    c->profile.retire = PTO_RETIRE_NEVER;
    CHECK(load_at(c, 0, 0, 0, 10) == PTO_FAULT_TILE_ALLOCATION);
    core_free(c);
}

static PtoBundle shared_move(unsigned id, unsigned hand, unsigned mode)
{
    PtoBundle b = tlsu(2, PTO_U8);

    dst(&b, hand, 1, mode);
    pto_bundle_ios(&b, true, id, 0, mode);
    return b;
}

static void test_shared_between_pes(void)
{
    Core *c = core_new(4);
    PtoBundle move = shared_move(9, 0, ALL), load = tlsu(0, PTO_U8);
    PtoCommit r;

    for (unsigned pe = 1; pe < 4; pe++) {
        r = core_commit(c, pe, &move);
        CHECK(r.status == PTO_COMMIT_WAIT && r.wait_shared == 9);
    }
    dims(&load, 16, 8, 16);
    pto_bundle_ior(&load, true, 0, 1, 2, 0);
    pto_bundle_ios(&load, true, 9, 1, ONE(0));
    c->gpr[0][1] = 0x2000;
    c->gpr[0][2] = 16;
    CHECK(core_commit(c, 1, &load).status == PTO_COMMIT_NOOP);
    CHECK(core_commit(c, 0, &load).status == PTO_COMMIT_DONE);
    for (unsigned pe = 0; pe < 4; pe++) {
        CHECK(core_commit(c, pe, &move).status == PTO_COMMIT_DONE);
        CHECK(same_tile(c, pe, 0, 0x2000));
        CHECK(c->local[pe].pool_used[0] == 128);
    }
    core_free(c);
}

/* Four PEs write their quarters of one Shared parent; the last one publishes. */
static void test_shared_generation_of_four(void)
{
    Core *c = core_new(4);
    PtoBundle move = shared_move(5, 0, ONE(2));
    const PtoSharedTile *s = &c->shared.shared[5];

    for (unsigned pe = 0; pe < 4; pe++) {
        PtoBundle b = tlsu(0, PTO_U8);
        PtoRange *slot;

        dims(&b, 16, 8, 16);
        pto_bundle_ior(&b, true, 0, 1, 2, 0);
        pto_bundle_ios(&b, true, 5, 1, ALL);
        CHECK(!pto_bundle_assemble(&b, pe == 0, pe == 3, 0, pe ? 0 : 3,
                                   &slot).code);
        pto_bundle_range_set(&b, slot, pe == 0, pe == 3, 0, pe ? 0 : 3, pe, 0);
        c->gpr[pe][1] = 0x6000 + 128 * pe;
        c->gpr[pe][2] = 16;
        CHECK(core_commit(c, 2, &move).status == PTO_COMMIT_WAIT);
        CHECK(core_commit(c, pe, &b).status == PTO_COMMIT_DONE);
        CHECK(s->published == (pe == 3));
    }
    CHECK(s->tile.capacity == 512 && s->tile.vrows == 32);
    CHECK(!memcmp(s->tile.buf->data, c->mem + 0x6000, 512));
    CHECK(c->shared.pool_used == 512);
    core_free(c);
}

static void test_gmov_rendezvous(void)
{
    Core *c = core_new(4);
    PtoBundle b = tlsu(13, PTO_U8);
    bool done[4] = { false };

    pto_bundle_ior(&b, true, 0, 7, 0, 0);
    pto_bundle_iot(&b, true, true, 1, 1, 1, ALL, 0, 0, true);
    for (unsigned pe = 0; pe < 4; pe++) {
        CHECK(load_at(c, pe, 0x1000 * (pe + 1), 0, 1) == PTO_FAULT_NONE);
        c->gpr[pe][7] = (pe + 1) % 4;
    }
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned pe = 0; pe < 4; pe++) {
            if (!done[pe]) {
                PtoCommit r = core_commit(c, pe, &b);

                CHECK(r.status == PTO_COMMIT_WAIT ||
                      r.status == PTO_COMMIT_DONE);
                done[pe] = r.status == PTO_COMMIT_DONE;
            }
        }
    }
    for (unsigned pe = 0; pe < 4; pe++) {
        CHECK(done[pe]);
        CHECK(same_tile(c, pe, 16, 0x1000 * ((pe + 1) % 4 + 1)));
    }
    CHECK(!c->shared.rendezvous.arrived && !c->shared.rendezvous.collecting);
    core_free(c);
}

/* Two writers of 128 bytes build one Local parent of 256 bytes. */
static void local_writer(Core *c, unsigned i, PtoFault want)
{
    PtoBundle b = load16(8, 3, 1, ONE(0));
    PtoRange *slot;

    b.bpc = 0x1000 + 0x20 * i;
    CHECK(!pto_bundle_assemble(&b, !i, i, 0, i ? 0 : 2, &slot).code);
    pto_bundle_range_set(&b, slot, !i, i, 0, i ? 0 : 2, i, 0);
    c->gpr[0][1] = 0x7000 + 128 * i;
    c->gpr[0][2] = 16;
    CHECK(core_commit(c, 0, &b).fault.code == want);
}

static void test_local_generation(void)
{
    Core *c = core_new(1);
    PtoBundle plain = load16(8, 3, 1, ONE(0));
    const PtoTile *t = &c->local[0].tile[48];
    PtoCommit r;

    local_writer(c, 0, PTO_FAULT_NONE);
    CHECK(c->local[0].pool_used[0] == 256);
    CHECK(pto_local_resolve(&c->local[0], 48, true) < 0);
    CHECK(core_commit(c, 0, &plain).fault.code == PTO_FAULT_BUNDLE_CONTROL);
    local_writer(c, 1, PTO_FAULT_NONE);
    CHECK(pto_local_resolve(&c->local[0], 48, true) == 48);
    CHECK(t->capacity == 256 && t->vrows == 16 && t->contents_defined);
    CHECK(!memcmp(t->buf->data, c->mem + 0x7000, 256));
    /* A failing writer drops the generation and restarts at INIT. */
    local_writer(c, 0, PTO_FAULT_NONE);
    c->gpr[0][1] = MEM_BYTES;
    {
        PtoBundle b = load16(8, 3, 1, ONE(0));
        PtoRange *slot;

        pto_bundle_assemble(&b, false, true, 0, 0, &slot);
        pto_bundle_range_set(&b, slot, false, true, 0, 0, 1, 0);
        r = core_commit(c, 0, &b);
    }
    CHECK(r.fault.code == PTO_FAULT_DATA_PAGE);
    CHECK(r.restart_valid && r.restart_pc == 0x1000);
    CHECK(c->local[0].pool_used[0] == 256);
    core_free(c);
}

/* Blocks that read and write whatever an image has made of the PE's state. */
static void use_all(Core *c, unsigned pe)
{
    static const uint8_t functions[] = { 1, 2, 0 };

    c->gpr[pe][1] = c->gpr[pe][3] = 0x7000;
    c->gpr[pe][2] = 64;
    for (unsigned i = 0; i < ARRAY_SIZE(functions); i++) {
        for (unsigned hand = 0; hand < 4; hand++) {
            PtoBundle b = tlsu(functions[i], PTO_U8);
            PtoRange *slot;

            pto_bundle_ior(&b, true, 0, functions[i] == 2 ? 0 : 1,
                           functions[i] == 2 ? 0 : 2, 0);
            if (functions[i] == 0) {
                dims(&b, 16, 8, 16);
            }
            pto_bundle_iot(&b, true, functions[i] != 1, functions[i] != 0, hand,
                           functions[i] != 1 ? 1 : 0, ONE(pe), hand * 16, 0, true);
            if (functions[i] == 0 && hand == 3) {
                pto_bundle_assemble(&b, false, true, 0, 0, &slot);
                pto_bundle_range_set(&b, slot, false, true, 0, 0, 1, 0);
            }
            core_commit(c, pe, &b);
        }
    }
}

static void test_save_and_load(void)
{
    Core *c = core_new(4);
    PtoFeatureMap fm = { .valid = true, .height = 7, .padding = 3 };
    PtoBundle load = tlsu(0, PTO_U8);
    uint8_t *one, *two;
    size_t n, m;

    load_at(c, 0, 0x1000, 0, 4);
    load_at(c, 0, 0x2000, 1, 1);
    local_writer(c, 0, PTO_FAULT_NONE);
    pto_local_set_feature_map(&c->local[0], 1, &fm);
    one = pto_local_save(&c->local[0], &n);
    CHECK(pto_local_load(&c->local[1], one, n));
    two = pto_local_save(&c->local[1], &m);
    CHECK(n == m && !memcmp(one, two, n));
    CHECK(c->local[1].pool_used[0] == c->local[0].pool_used[0]);
    pto_free(two);
    for (size_t i = 0; i < n; i += 13) {
        CHECK(!pto_local_load(&c->local[2], one, i));
        CHECK(tiles_in(&c->local[2], 0) == 0);
    }
    for (size_t i = 0; i < n; i++) {    /* must not crash, whatever it means */
        one[i] ^= 0x55;
        if (pto_local_load(&c->local[2], one, n)) {
            use_all(c, 2);
        }
        one[i] ^= 0x55;
    }
    pto_free(one);
    /* The open generation goes on in the copy. */
    pto_local_reset(&c->local[0]);
    one = pto_local_save(&c->local[1], &n);
    CHECK(pto_local_load(&c->local[0], one, n));
    pto_free(one);
    local_writer(c, 1, PTO_FAULT_NONE);

    dims(&load, 16, 8, 16);
    pto_bundle_ior(&load, true, 0, 1, 2, 0);
    pto_bundle_ios(&load, true, 63, 1, ONE(0));
    CHECK(core_commit(c, 0, &load).status == PTO_COMMIT_DONE);
    one = pto_core_save(&c->shared, &n);
    pto_core_reset(&c->shared);
    CHECK(pto_core_load(&c->shared, one, n));
    CHECK(c->shared.pool_used == 128 && c->shared.shared[63].published);
    two = pto_core_save(&c->shared, &m);
    CHECK(n == m && !memcmp(one, two, n));
    pto_free(one);
    pto_free(two);
    core_free(c);
}

int main(void)
{
    test_relative_names();
    test_ring_by_names();
    test_ring_by_pool();
    test_shared_between_pes();
    test_shared_generation_of_four();
    test_gmov_rendezvous();
    test_local_generation();
    test_save_and_load();
    return checks_done();
}
