/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A memory fault at every element of every kind of transfer: it is reported
 * with the address of the first element that it hits, leaves memory, tiles,
 * pools and flags alone, and the repeated block ends in the same state as one
 * that never faulted.
 */
#include "core-env.h"

#define MEM_USED (128u << 10)
#define POSITIONS 4096

/* Accesses of a transfer in the order in which they are checked. */
typedef struct Footprint {
    unsigned n, bytes;
    uint64_t addr[POSITIONS];
    bool idle[POSITIONS];       /* masked-off lane: must not be accessed */
} Footprint;

typedef struct Transfer {
    char name[96];
    void (*setup)(Core *c, const struct Transfer *t);
    PtoBundle block;
    PtoDataType type;
    unsigned layout;            /* index into layouts */
    uint64_t stride;
    bool slow;
    PtoDataType index_type;
    Footprint at;
} Transfer;

/* --- bundles --- */

static PtoBundle start(unsigned op_class, unsigned selector, PtoDataType type)
{
    PtoBundle b;
    PtoBundleOp op = { .valid = true, .op_class = op_class,
                       .selector_valid = true, .selector = selector & 31,
                       .mode_valid = op_class == PTO_OPCLASS_TEPL,
                       .mode = selector >> 5,
                       .dtype_valid = true, .dtype = type };

    pto_bundle_clear(&b);
    pto_bundle_install(&b, &op, 0x1000);
    return b;
}

static void run(Core *c, const PtoBundle *b)
{
    PtoCommit r = core_commit(c, 0, b);

    if (r.status != PTO_COMMIT_DONE) {
        printf("setup: %s\n", r.fault.rule);
    }
    CHECK(r.status == PTO_COMMIT_DONE);
}

static void dims(PtoBundle *b, unsigned vcols, unsigned vrows, unsigned cols)
{
    pto_bundle_dim(b, true, 0, vcols);
    pto_bundle_dim(b, true, 1, vrows);
    if (cols) {
        pto_bundle_dim(b, true, 2, cols);
    }
}

static void datr(PtoBundle *b, PtoDataType type, unsigned layout, unsigned pad)
{
    pto_bundle_datr(b, true, &(PtoDatr) { .dtype = type, .layout = layout,
                                          .pad = pad });
}

#define ROW_BASE (0x9000 - 40)      /* rows lie on both sides of a page end */
#define INPUT 0x1000

static const struct Layout {
    const char *name;
    uint8_t load, store;        /* B.DATR codes */
    bool cube;
} layouts[] = {
    { "RM", 0, 0, false }, { "CM", 1, 0, false }, { "ZN", 3, 0, false },
    { "NZ", 4, 0, false }, { "M32", 21, 24, true }, { "M16", 22, 25, true },
    { "N8", 23, 26, true },
};

/* One 32-byte row of a fractal, the last element and five rows not valid. */
static unsigned phys_cols(PtoDataType t)
{
    return 256 / pto_type_bits(t);
}

#define VALID_ROWS 11

static PtoBundle rect_load(PtoDataType type, unsigned layout, unsigned hand)
{
    PtoBundle b = start(PTO_OPCLASS_TLSU, 0, type);
    const struct Layout *l = &layouts[layout];

    dims(&b, phys_cols(type) - 1, VALID_ROWS, l->cube ? 0 : phys_cols(type));
    if (l->load) {
        datr(&b, l->cube ? PTO_DTYPE_NONE : PTO_FP64, l->load, l->cube ? 3 : 0);
    }
    pto_bundle_ior(&b, true, 0, 1, 2, 0);
    pto_bundle_iot(&b, true, true, 0, hand, 4, ONE(0), 0, 0, true);
    return b;
}

static PtoBundle rect_store(PtoDataType type, unsigned layout)
{
    PtoBundle b = start(PTO_OPCLASS_TLSU, 1, type);
    const struct Layout *l = &layouts[layout];

    if (l->cube) {
        dims(&b, phys_cols(type) - 1, VALID_ROWS, 0);
        datr(&b, PTO_DTYPE_NONE, l->store, 3);
    }
    pto_bundle_ior(&b, true, 0, 1, 2, 0);
    pto_bundle_iot(&b, true, false, 1, 0, 0, ONE(0), 0, 0, true);
    return b;
}

static uint64_t row_bytes(PtoDataType type)
{
    return ((phys_cols(type) - 1) * pto_type_bits(type) + 7) / 8;
}

static void rect_footprint(Transfer *t)
{
    unsigned n = MAX(pto_type_bits(t->type) / 8, 1);

    t->at.n = 0;
    t->at.bytes = n;
    for (unsigned r = 0; r < VALID_ROWS; r++) {
        for (unsigned i = 0; i < row_bytes(t->type) / n; i++) {
            t->at.addr[t->at.n] = ROW_BASE + r * t->stride + i * n;
            t->at.idle[t->at.n++] = false;
        }
    }
}

static void setup_load(Core *c, const Transfer *t)
{
    c->gpr[0][1] = ROW_BASE;
    c->gpr[0][2] = t->stride;
}

static void setup_store(Core *c, const Transfer *t)
{
    PtoBundle b = rect_load(t->type, t->layout, 0);

    c->gpr[0][1] = INPUT;
    c->gpr[0][2] = 64;
    run(c, &b);
    setup_load(c, t);
}

/* --- the sweep --- */

/* Is byte @at inside access @i? */
static bool hits(const Footprint *f, unsigned i, uint64_t at)
{
    return !f->idle[i] && at - f->addr[i] < f->bytes;
}

static void refused_at(Core *c, const Transfer *t, const Snapshot *before,
                       uint64_t want)
{
    PtoCommit r = core_commit(c, 0, &t->block);
    bool good = r.status == PTO_COMMIT_FAULT && r.flags == 0 &&
                r.fault.code == PTO_FAULT_DATA_PAGE && r.fault.addr_valid &&
                r.fault.addr == want && snapshot_equal(c, before);

    if (!good) {
        printf("%s: fault at %" PRIx64 ": status %d, %s, address %" PRIx64 "\n",
               t->name, want, r.status, r.fault.rule ? r.fault.rule : "",
               r.fault.addr);
    }
    CHECK(good);
}

static void sweep_bytes(Core *c, const Transfer *t, const Snapshot *before)
{
    const Footprint *f = &t->at;

    for (unsigned i = 0; i < f->n; i++) {
        unsigned first = 0;

        if (f->idle[i]) {
            continue;
        }
        c->bad = f->addr[i] + i % f->bytes;
        while (!hits(f, first, c->bad)) {
            first++;
        }
        refused_at(c, t, before, f->addr[first]);
    }
    c->bad = UINT64_MAX;
}

static void sweep_pages(Core *c, const Transfer *t, const Snapshot *before)
{
    const Footprint *f = &t->at;
    uint64_t done[64], n = 0;

    for (unsigned i = 0; i < f->n; i++) {
        uint64_t page = f->addr[i] / PAGE_BYTES;
        bool old = f->idle[i] || n == ARRAY_SIZE(done);

        for (unsigned j = 0; j < n; j++) {
            old |= done[j] == page;
        }
        if (!old) {
            done[n++] = page;
            c->bad_page = page;
            refused_at(c, t, before, f->addr[i]);
        }
    }
    c->bad_page = UINT64_MAX;
}

/* A masked-off lane's address that no active lane shares. */
static uint64_t idle_address(const Footprint *f)
{
    for (unsigned i = 0; i < f->n; i++) {
        bool shared = false;

        for (unsigned j = 0; j < f->n; j++) {
            shared |= hits(f, j, f->addr[i]);
        }
        if (f->idle[i] && !shared) {
            return f->addr[i];
        }
    }
    return UINT64_MAX;
}

static Core *prepared(const Transfer *t)
{
    Core *c = core_new(1);

    c->mem_used = MEM_USED;
    c->slow = t->slow;
    t->setup(c, t);
    return c;
}

static void sweep(const Transfer *t)
{
    Core *c = prepared(t), *untroubled = prepared(t);
    Snapshot before = snapshot_take(c), after;
    PtoCommit a, b;

    sweep_bytes(c, t, &before);
    sweep_pages(c, t, &before);
    c->bad = idle_address(&t->at);
    a = core_commit(c, 0, &t->block);
    b = core_commit(untroubled, 0, &t->block);
    after = snapshot_take(untroubled);
    if (a.status != PTO_COMMIT_DONE || !snapshot_equal(c, &after)) {
        printf("%s: resumed: %s\n", t->name, a.fault.rule ? a.fault.rule : "");
    }
    CHECK(a.status == PTO_COMMIT_DONE && b.status == PTO_COMMIT_DONE);
    CHECK(a.flags == b.flags && snapshot_equal(c, &after));
    snapshot_free(&before);
    snapshot_free(&after);
    core_free(c);
    core_free(untroubled);
}

static const PtoDataType types[] = {
    PTO_U8, PTO_U16, PTO_FP32, PTO_FP64, PTO_U4X2,
};

static void rectangles(bool store)
{
    static Transfer t;

    for (unsigned i = 0; i < ARRAY_SIZE(types) * ARRAY_SIZE(layouts); i++) {
        PtoDataType type = types[i / ARRAY_SIZE(layouts)];
        unsigned layout = i % ARRAY_SIZE(layouts);
        uint64_t row = row_bytes(type);
        uint64_t strides[] = { row, row + 16, PAGE_BYTES, -(row + 16), 0 };

        if (layouts[layout].cube && pto_type_bits(type) == 64) {
            continue;
        }
        for (unsigned s = 0; s < ARRAY_SIZE(strides); s++) {
            t.type = type;
            t.layout = layout;
            t.stride = strides[s];
            t.slow = (i + s) % 3 == 0;
            t.setup = store ? setup_store : setup_load;
            t.block = store ? rect_store(type, layout)
                            : rect_load(type, layout, 0);
            snprintf(t.name, sizeof(t.name), "%s %s %s stride %" PRId64,
                     store ? "TSTORE" : "TLOAD", pto_type_info[type].name,
                     layouts[layout].name, (int64_t)t.stride);
            rect_footprint(&t);
            sweep(&t);
        }
    }
}

/* --- indexed transfers --- */

#define LANES 16
#define LANE_COLS 8
#define LANE_BASE 0x9000

enum { GATHER = 4, SCATTER = 5, GATHER_MASK = 6, SCATTER_MASK = 7, CAS = 8 };

/* Shuffled, on two pages, below the base for signed types; no lane twice. */
static int64_t displacement(const Transfer *t, unsigned lane)
{
    unsigned n = pto_type_bits(t->type) / 8;
    int64_t d = (int64_t)(lane * 7 % LANES) * n;

    if (lane % 2 && pto_type_bits(t->index_type) > 8) {
        d += PAGE_BYTES - 64;
    }
    return pto_type_is_signed(t->index_type) ? d - 8 * n : d;
}

static void load_lanes(Core *c, PtoDataType type, uint64_t addr, unsigned hand)
{
    PtoBundle b = start(PTO_OPCLASS_TLSU, 0, type);

    dims(&b, LANE_COLS, LANES / LANE_COLS, LANE_COLS);
    pto_bundle_ior(&b, true, 0, 1, 2, 0);
    pto_bundle_iot(&b, true, true, 0, hand, 2, ONE(0), 0, 0, true);
    c->gpr[0][1] = addr;
    c->gpr[0][2] = LANE_COLS * pto_type_bits(type) / 8;
    run(c, &b);
}

/* Hand T: data, U: indices (newest) and expected values, N: mask. */
static void setup_lanes(Core *c, const Transfer *t)
{
    unsigned n = pto_type_bits(t->index_type) / 8;
    unsigned op = t->block.op.selector;

    if (op == CAS) {                    /* every other lane finds its value */
        unsigned bytes = pto_type_bits(t->type) / 8;

        for (unsigned k = 0; k < LANES; k++) {
            memcpy(c->mem + 0x2000 + k * bytes,
                   c->mem + LANE_BASE + displacement(t, k), bytes);
            c->mem[0x2000 + k * bytes] += k % 2;
        }
        load_lanes(c, t->type, 0x2000, 1);
    }
    for (unsigned k = 0; k < LANES; k++) {
        pto_st_le(c->mem + 0x3000 + k * n, n, displacement(t, k));
    }
    load_lanes(c, t->index_type, 0x3000, 1);
    load_lanes(c, t->type, INPUT, 0);
    if (op == GATHER_MASK || op == SCATTER_MASK) {
        PtoBundle b = start(PTO_OPCLASS_TEPL, 0x2d, PTO_U8);

        load_lanes(c, PTO_U8, INPUT + 5, 2);
        dims(&b, LANE_COLS, LANES / LANE_COLS, LANE_COLS);
        pto_bundle_datr(&b, true, &(PtoDatr) { .cmode = PTO_CMP_LT });
        c->gpr[0][4] = 60;
        pto_bundle_ior(&b, true, 0, 4, 0, 0);
        pto_bundle_iot(&b, true, true, 1, 3, 1, ONE(0), 32, 0, true);
        run(c, &b);
    }
    c->gpr[0][5] = LANE_BASE;
}

static PtoBundle lanes_block(unsigned op, PtoDataType type)
{
    PtoBundle b = start(PTO_OPCLASS_TLSU, op, type);
    const unsigned m = ONE(0), data = 0, index = 16, expected = 17, mask = 48;

    dims(&b, LANE_COLS, LANES / LANE_COLS, LANE_COLS);
    pto_bundle_ior(&b, true, 0, 5, 0, 0);
    switch (op) {
    case GATHER:
        pto_bundle_iot(&b, true, true, 1, 2, 2, m, index, 0, true);
        break;
    case SCATTER:
        pto_bundle_iot(&b, true, false, 2, 0, 0, m, data, index, true);
        break;
    case GATHER_MASK:
        pto_bundle_iot(&b, true, true, 2, 2, 2, m, index, mask, true);
        break;
    case SCATTER_MASK:
        pto_bundle_iot(&b, true, false, 2, 0, 0, m, data, index, false);
        pto_bundle_iot(&b, true, false, 1, 0, 0, m, mask, 0, true);
        break;
    default:
        pto_bundle_iot(&b, true, false, 2, 0, 0, m, index, expected, false);
        pto_bundle_iot(&b, true, true, 1, 2, 2, m, data, 0, true);
        break;
    }
    return b;
}

static void lanes_footprint(Transfer *t)
{
    unsigned op = t->block.op.selector;
    Core *c = prepared(t);
    const PtoTile *mask = &c->local[0].tile[48];

    t->at.n = LANES;
    t->at.bytes = pto_type_bits(t->type) / 8;
    for (unsigned k = 0; k < LANES; k++) {
        t->at.addr[k] = LANE_BASE + displacement(t, k);
        t->at.idle[k] = (op == GATHER_MASK || op == SCATTER_MASK) &&
                        !pto_tile_get(mask, k / LANE_COLS, k % LANE_COLS);
    }
    core_free(c);
}

static void indexed(void)
{
    static const PtoDataType data[] = { PTO_U8, PTO_U16, PTO_FP32, PTO_FP64 };
    static const PtoDataType index[] = {
        PTO_U8, PTO_S8, PTO_U16, PTO_S16, PTO_U32, PTO_S32, PTO_U64, PTO_S64,
    };
    static Transfer t;

    for (unsigned op = GATHER; op <= CAS; op++) {
        for (unsigned i = 0; i < ARRAY_SIZE(data) * ARRAY_SIZE(index); i++) {
            t.type = data[i / ARRAY_SIZE(index)];
            t.index_type = index[i % ARRAY_SIZE(index)];
            t.slow = (op + i) % 3 == 0;
            t.setup = setup_lanes;
            t.block = lanes_block(op, t.type);
            snprintf(t.name, sizeof(t.name), "%s %s by %s",
                     pto_bundle_tile_op(&t.block)->name,
                     pto_type_info[t.type].name,
                     pto_type_info[t.index_type].name);
            lanes_footprint(&t);
            sweep(&t);
        }
    }
}

/* --- TPREFETCH: its stride counts elements --- */

static void prefetches(void)
{
    static const PtoDataType prefetched[] = {
        PTO_U8, PTO_U16, PTO_FP32, PTO_U4X2,
    };
    static Transfer t;

    for (unsigned i = 0; i < ARRAY_SIZE(prefetched); i++) {
        unsigned bits = pto_type_bits(prefetched[i]), n = MAX(bits / 8, 1);
        unsigned cols = 256 / bits, vcols = cols - 2, stride = cols + 6;

        t.type = prefetched[i];
        t.setup = setup_load;
        t.stride = stride;
        t.block = start(PTO_OPCLASS_TLSU, 3, t.type);
        dims(&t.block, vcols, VALID_ROWS, cols);
        pto_bundle_ior(&t.block, true, 0, 1, 2, 0);
        snprintf(t.name, sizeof(t.name), "TPREFETCH %s",
                 pto_type_info[t.type].name);
        t.at.n = 0;
        t.at.bytes = n;
        for (unsigned r = 0; r < VALID_ROWS; r++) {
            for (unsigned k = 0; k < vcols * bits / 8 / n; k++) {
                t.at.addr[t.at.n] = ROW_BASE + r * stride * bits / 8 + k * n;
                t.at.idle[t.at.n++] = false;
            }
        }
        sweep(&t);
    }
}

/* --- Shared registers --- */

static PtoBundle shared_block(unsigned function, unsigned size)
{
    PtoBundle b = start(PTO_OPCLASS_TLSU, function, PTO_U8);

    dims(&b, phys_cols(PTO_U8) - 1, VALID_ROWS, phys_cols(PTO_U8));
    pto_bundle_ior(&b, true, 0, 1, 2, 0);
    pto_bundle_ios(&b, true, 7, size, ONE(0));
    return b;
}

static void setup_shared_store(Core *c, const Transfer *t)
{
    PtoBundle b = shared_block(0, 4);

    c->gpr[0][1] = INPUT;
    c->gpr[0][2] = 64;
    run(c, &b);
    setup_load(c, t);
}

static void shared(void)
{
    static Transfer t;

    for (unsigned store = 0; store < 2; store++) {
        t.type = PTO_U8;
        t.stride = 48;
        t.slow = store;
        t.setup = store ? setup_shared_store : setup_load;
        t.block = shared_block(store, store ? 0 : 4);
        snprintf(t.name, sizeof(t.name), "Shared %s",
                 store ? "TSTORE" : "TLOAD");
        rect_footprint(&t);
        sweep(&t);
    }
}

/* --- other reasons than pages --- */

/* A misaligned row: the first element of it is named, whatever comes later. */
static void misaligned(void)
{
    for (unsigned i = 1; i < 4; i++) {
        for (unsigned store = 0; store < 2; store++) {
            Transfer t = { .type = types[i], .stride = PAGE_BYTES };
            PtoBundle b = store ? rect_store(t.type, 0) : rect_load(t.type, 0, 1);
            Core *c = core_new(1);
            Snapshot before;
            PtoCommit r;

            c->mem_used = MEM_USED;
            setup_store(c, &t);
            /* The second row is the first bad one. */
            c->gpr[0][1] = 0x8000 - 2 * (pto_type_bits(t.type) / 8);
            c->gpr[0][2] = PAGE_BYTES + pto_type_bits(t.type) / 16;
            before = snapshot_take(c);
            r = core_commit(c, 0, &b);
            CHECK(r.fault.rule_id == PTO_RULE_MEM_ALIGNMENT &&
                  r.fault.addr == c->gpr[0][1] + c->gpr[0][2]);
            CHECK(snapshot_equal(c, &before));
            snapshot_free(&before);
            core_free(c);
        }
    }
}

/* Loads do not ask for writable memory, stores do; CAS needs both. */
static void read_only_memory(void)
{
    static Transfer t = { .type = PTO_U8, .index_type = PTO_U8, .stride = 32 };

    for (unsigned i = 0; i < 5; i++) {
        bool lanes = i >= 2, writes = i == 1 || i == 3 || i == 4;
        Core *c;

        t.setup = lanes ? setup_lanes : setup_store;
        t.block = i == 0 ? rect_load(PTO_U8, 0, 1) : i == 1 ? rect_store(PTO_U8, 0)
                  : lanes_block(i == 2 ? GATHER : i == 3 ? SCATTER : CAS, PTO_U8);
        c = prepared(&t);
        c->bad_page = 9;
        c->bad_write_only = true;
        CHECK((core_commit(c, 0, &t.block).status == PTO_COMMIT_FAULT) == writes);
        core_free(c);
    }
}

int main(void)
{
    rectangles(false);
    rectangles(true);
    indexed();
    prefetches();
    shared();
    misaligned();
    read_only_memory();
    return checks_done();
}
