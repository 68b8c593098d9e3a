/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Behaviour of the tile core that the golden vectors do not reach: relative
 * names, retiring, several PEs with programs of their own, faults at every
 * element, saved state.
 */
#include "tile/commit.h"
#include "tile/rendezvous.h"

#define MEM_BYTES (1u << 20)

typedef struct Core {
    uint8_t mem[MEM_BYTES];
    uint64_t bad;               /* address that faults, UINT64_MAX: none */
    PtoTileProfile profile;
    PtoTileCore shared;
    unsigned pes;
    PtoLocalTiles local[PTO_PES];
    uint64_t gpr[PTO_PES][24];
} Core;

typedef struct Pe {
    Core *core;
    unsigned n;
} Pe;

static unsigned failures;

#define CHECK(cond) \
    do { \
        if (!(cond)) { \
            printf("%s:%d: %s\n", __func__, __LINE__, #cond); \
            failures++; \
        } \
    } while (0)

static uint64_t read_scalar(void *opaque, unsigned pe, unsigned sel)
{
    Pe *p = opaque;

    return sel ? p->core->gpr[pe][sel] : 0;
}

static PtoFault probe(void *opaque, uint64_t addr, uint64_t len, bool write,
                      unsigned align, uint64_t *fault_addr)
{
    Core *c = ((Pe *)opaque)->core;

    (void)write;
    *fault_addr = addr;
    if (addr % align) {
        return PTO_FAULT_DATA_ALIGNMENT;
    }
    if (addr > MEM_BYTES || len > MEM_BYTES - addr ||
        (c->bad >= addr && c->bad < addr + len)) {
        return PTO_FAULT_DATA_PAGE;
    }
    return PTO_FAULT_NONE;
}

static void *host(void *opaque, uint64_t addr, uint64_t len, bool write)
{
    (void)len;
    (void)write;
    return ((Pe *)opaque)->core->mem + addr;
}

static void mem_read(void *opaque, uint64_t addr, void *buf, uint64_t len)
{
    memcpy(buf, ((Pe *)opaque)->core->mem + addr, len);
}

static void mem_write(void *opaque, uint64_t addr, const void *buf, uint64_t len)
{
    memcpy(((Pe *)opaque)->core->mem + addr, buf, len);
}

static const PtoAccess access_table = {
    .read_scalar = read_scalar, .probe = probe, .host = host,
    .read = mem_read, .write = mem_write,
};

static Core *core_new(unsigned pes)
{
    Core *c = pto_alloc0(sizeof(*c));

    c->bad = UINT64_MAX;
    c->profile = pto_tile_profile_pto;
    c->pes = pes;
    pto_core_init(&c->shared);
    for (unsigned i = 0; i < PTO_PES; i++) {
        pto_local_init(&c->local[i]);
        c->local[i].own_pool = true;
    }
    for (unsigned i = 0; i < MEM_BYTES; i++) {
        c->mem[i] = i * 7 + i / 251;
    }
    return c;
}

static void core_free(Core *c)
{
    for (unsigned i = 0; i < PTO_PES; i++) {
        pto_local_reset(&c->local[i]);
    }
    pto_core_reset(&c->shared);
    pto_free(c);
}

static PtoCommit commit(Core *c, unsigned pe, const PtoBundle *b)
{
    Pe me = { c, pe };
    PtoTileCtx ctx = {
        .profile = &c->profile, .access = &access_table, .opaque = &me,
        .pe = pe, .pe_count = c->pes, .local = &c->local[pe],
        .core = &c->shared, .bundle = b,
    };

    return pto_tile_commit(&ctx);
}

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

/* PEMode of one PE, or of all four. */
#define ONE(pe) ((pe) + 1)
#define ALL 7

static void dst(PtoBundle *b, unsigned hand, unsigned size, unsigned mode)
{
    pto_bundle_iot(b, true, true, 0, hand, size, mode, 0, 0, true);
}

static void src(PtoBundle *b, unsigned code, unsigned mode)
{
    pto_bundle_iot(b, true, false, 1, 0, 0, mode, code, 0, true);
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

static PtoBundle store(unsigned code, unsigned mode)
{
    PtoBundle b = tlsu(1, PTO_U8);

    pto_bundle_ior(&b, true, 0, 3, 2, 0);
    src(&b, code, mode);
    return b;
}

static PtoFault load_at(Core *c, unsigned pe, uint64_t addr, unsigned hand,
                        unsigned size)
{
    PtoBundle b = load16(8, hand, size, ONE(pe));

    c->gpr[pe][1] = addr;
    c->gpr[pe][2] = 16;
    return commit(c, pe, &b).fault.code;
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
    CHECK(commit(c, 0, &move).status == PTO_COMMIT_DONE);
    CHECK(same_tile(c, 0, 0, 0x5000) && same_tile(c, 0, 3, 0x5000));
    CHECK(same_tile(c, 0, 2, 0x7000));
    /* Another hand has nothing to retire. */
    CHECK(load_at(c, 0, 0, 1, 1) == PTO_FAULT_TILE_ALLOCATION);
    c->profile.retire = PTO_RETIRE_NEVER;
    CHECK(load_at(c, 0, 0, 0, 10) == PTO_FAULT_TILE_ALLOCATION);
    core_free(c);
}

static uint8_t *image(Core *c, size_t *n)
{
    return pto_local_save(&c->local[0], n);
}

static bool unchanged(Core *c, const uint8_t *old, size_t n)
{
    size_t m;
    uint8_t *now = image(c, &m);
    bool same = m == n && !memcmp(old, now, n);

    pto_free(now);
    return same;
}

/* Every element position of a load or store in turn is inaccessible. */
static void fault_everywhere(Core *c, const PtoBundle *b, uint64_t base,
                             unsigned bytes)
{
    uint8_t *mem = pto_alloc(MEM_BYTES);
    uint8_t *old;
    size_t n;

    memcpy(mem, c->mem, MEM_BYTES);
    old = image(c, &n);
    for (unsigned i = 0; i < bytes; i++) {
        PtoCommit r;

        c->bad = base + i;
        r = commit(c, 0, b);
        CHECK(r.status == PTO_COMMIT_FAULT);
        CHECK(r.fault.code == PTO_FAULT_DATA_PAGE && r.fault.addr_valid);
        CHECK(r.fault.addr == base + i);
        CHECK(r.flags == 0 && unchanged(c, old, n));
        CHECK(!memcmp(mem, c->mem, MEM_BYTES));
    }
    c->bad = UINT64_MAX;
    CHECK(commit(c, 0, b).status == PTO_COMMIT_DONE);
    pto_free(old);
    pto_free(mem);
}

static void test_faults_at_every_element(void)
{
    Core *c = core_new(1);
    PtoBundle b;
    uint64_t offsets[16];

    c->gpr[0][1] = 0x4000;
    c->gpr[0][2] = 16;
    c->gpr[0][3] = 0x8000;
    b = load16(8, 0, 1, ONE(0));
    fault_everywhere(c, &b, 0x4000, 128);
    b = store(0, ONE(0));
    fault_everywhere(c, &b, 0x8000, 128);
    CHECK(!memcmp(c->mem + 0x8000, c->mem + 0x4000, 128));

    /* Sixteen 64-bit displacements, then gather and scatter through them. */
    for (unsigned i = 0; i < 16; i++) {
        offsets[i] = 15 - i;
        pto_st_le(c->mem + 0x9000 + 8 * i, 8, offsets[i]);
    }
    b = tlsu(0, PTO_U64);
    dims(&b, 16, 1, 16);
    pto_bundle_ior(&b, true, 0, 4, 0, 0);
    dst(&b, 1, 1, ONE(0));
    c->gpr[0][4] = 0x9000;
    CHECK(commit(c, 0, &b).status == PTO_COMMIT_DONE);
    b = tlsu(4, PTO_U8);
    dims(&b, 16, 1, 16);
    pto_bundle_ior(&b, true, 0, 5, 0, 0);
    pto_bundle_iot(&b, true, true, 1, 2, 1, ONE(0), 16, 0, true);
    c->gpr[0][5] = 0xa000;
    fault_everywhere(c, &b, 0xa000, 16);
    b = tlsu(5, PTO_U8);
    dims(&b, 16, 1, 16);
    pto_bundle_ior(&b, true, 0, 6, 0, 0);
    pto_bundle_iot(&b, true, false, 2, 0, 0, ONE(0), 32, 16, true);
    c->gpr[0][6] = 0xb000;
    fault_everywhere(c, &b, 0xb000, 16);
    CHECK(!memcmp(c->mem + 0xb000, c->mem + 0xa000, 16));
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
        r = commit(c, pe, &move);
        CHECK(r.status == PTO_COMMIT_WAIT && r.wait_shared == 9);
    }
    dims(&load, 16, 8, 16);
    pto_bundle_ior(&load, true, 0, 1, 2, 0);
    pto_bundle_ios(&load, true, 9, 1, ONE(0));
    c->gpr[0][1] = 0x2000;
    c->gpr[0][2] = 16;
    CHECK(commit(c, 1, &load).status == PTO_COMMIT_NOOP);
    CHECK(commit(c, 0, &load).status == PTO_COMMIT_DONE);
    for (unsigned pe = 0; pe < 4; pe++) {
        CHECK(commit(c, pe, &move).status == PTO_COMMIT_DONE);
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
        CHECK(commit(c, 2, &move).status == PTO_COMMIT_WAIT);
        CHECK(commit(c, pe, &b).status == PTO_COMMIT_DONE);
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
                PtoCommit r = commit(c, pe, &b);

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
    CHECK(commit(c, 0, &b).fault.code == want);
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
    CHECK(commit(c, 0, &plain).fault.code == PTO_FAULT_BUNDLE_CONTROL);
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
        r = commit(c, 0, &b);
    }
    CHECK(r.fault.code == PTO_FAULT_DATA_PAGE);
    CHECK(r.restart_valid && r.restart_pc == 0x1000);
    CHECK(c->local[0].pool_used[0] == 256);
    core_free(c);
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
        pto_local_load(&c->local[2], one, n);
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
    CHECK(commit(c, 0, &load).status == PTO_COMMIT_DONE);
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
    test_faults_at_every_element();
    test_shared_between_pes();
    test_shared_generation_of_four();
    test_gmov_rendezvous();
    test_local_generation();
    test_save_and_load();
    printf("%u failures\n", failures);
    return failures != 0;
}
