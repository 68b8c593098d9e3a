/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Matrix blocks on the tile core in profile `pto`: four PEs at a cooperative
 * product, and rejection rules that the golden vectors cannot show.
 */
#include "tile/commit.h"
#include "tile/formats.h"

typedef struct Pe {
    PtoLocalTiles local;
    uint64_t gpr[32];
} Pe;

static PtoTileCore core;
static Pe pes[PTO_PES];
static unsigned failures;

#define CHECK(condition, ...) do {                                       \
        if (!(condition)) {                                              \
            printf("line %d: ", __LINE__);                               \
            printf(__VA_ARGS__);                                         \
            printf("\n");                                                \
            failures++;                                                  \
        }                                                                \
    } while (0)

static uint64_t read_scalar(void *opaque, unsigned pe, unsigned selector)
{
    (void)opaque;
    return pes[pe].gpr[selector % 32];
}

static const PtoAccess access_table = { .read_scalar = read_scalar };

static void reset(void)
{
    pto_core_reset(&core);
    for (unsigned i = 0; i < PTO_PES; i++) {
        pto_local_reset(&pes[i].local);
        memset(pes[i].gpr, 0, sizeof(pes[i].gpr));
    }
}

static void fill(PtoTile *t, uint64_t (*value)(unsigned r, unsigned c))
{
    pto_tile_new_payload(t, true);
    for (unsigned r = 0; r < t->vrows; r++) {
        for (unsigned c = 0; c < t->vcols; c++) {
            pto_tile_put(t, r, c, value(r, c));
        }
    }
    pto_tile_define_valid(t);
}

/* A Local CUBE tile as the newest of @hand. */
static PtoTile *cube_tile(unsigned pe, unsigned hand, PtoLayout layout,
                          unsigned rows, unsigned cols, PtoDataType type,
                          uint64_t (*value)(unsigned r, unsigned c))
{
    PtoLocalTiles *l = &pes[pe].local;
    unsigned slot = hand * 16;
    PtoTile *t;

    while (l->tile[slot].allocated) {
        slot++;
    }
    t = &l->tile[slot];
    if (!pto_tile_configure_cube(t, 8192, rows, cols, type, layout, 15)) {
        printf("test tile does not fit\n");
        exit(2);
    }
    fill(t, value);
    l->seq[slot] = ++l->next_seq;
    return t;
}

static void shared_tile(unsigned id, unsigned rows, unsigned cols,
                        PtoDataType type,
                        uint64_t (*value)(unsigned r, unsigned c))
{
    PtoSharedTile *s = &core.shared[id];

    pto_tile_configure(&s->tile, 65536, cols, rows, cols, type, PTO_LAYOUT_ROW,
                       PTO_LOC_ANY, 8);
    fill(&s->tile, value);
    s->valid = s->ready = s->published = true;
    s->alloc_mask = s->init_mask = 8;
}

static PtoBundle block(unsigned function, PtoDataType type, unsigned m,
                       unsigned n, unsigned k)
{
    PtoBundle b;

    pto_bundle_clear(&b);
    b.op = (PtoBundleOp) {
        .valid = true, .op_class = PTO_OPCLASS_CUBE, .selector_valid = true,
        .selector = function, .dtype_valid = true, .dtype = type,
    };
    b.dim[0] = m;
    b.dim[1] = n;
    b.dim[2] = k;
    b.dim_present[0] = b.dim_present[1] = b.dim_present[2] = true;
    b.fpatr.valid = true;
    return b;
}

/* One B.IOT: @src0 and @src1 are codes or -1; @size 0 means no destination. */
static void bind_tile(PtoBundle *b, int src0, int src1, unsigned hand,
                      unsigned size)
{
    PtoBindTile *t = &b->iot[b->iot_count++];

    t->valid = true;
    t->mask = 15;
    t->src_valid[0] = src0 >= 0;
    t->src_valid[1] = src1 >= 0;
    t->src[0] = src0 >= 0 ? src0 : 0;
    t->src[1] = src1 >= 0 ? src1 : 0;
    t->dst_valid = size != 0;
    t->hand = hand;
    t->size = size;
    t->last = size != 0;
}

static void bind_shared(PtoBundle *b, unsigned id)
{
    b->ios[b->ios_count++] = (PtoBindShared) {
        .valid = true, .id = id, .mask = 15,
    };
}

static PtoCommit commit(unsigned pe, unsigned pe_count, const PtoBundle *b)
{
    PtoTileCtx ctx = {
        .profile = &pto_tile_profile_pto, .access = &access_table, .pe = pe,
        .pe_count = pe_count, .local = &pes[pe].local, .core = &core,
        .bundle = b,
    };

    return pto_tile_commit(&ctx);
}

static const PtoTile *newest(unsigned pe, unsigned hand)
{
    int slot = pto_local_resolve(&pes[pe].local, hand * 16, true);

    return &pes[pe].local.tile[slot];
}

static uint64_t s8_row(unsigned r, unsigned c)
{
    return (r * 3 + c) & 0x1f;
}

static uint64_t s8_col(unsigned r, unsigned c)
{
    return (r + 2 * c) & 0x0f;
}

static uint64_t one_fp16(unsigned r, unsigned c)
{
    (void)r;
    (void)c;
    return 0x3c00;
}

static uint64_t one_fp32(unsigned r, unsigned c)
{
    (void)r;
    (void)c;
    return 0x3f800000;
}

static uint64_t one_hif4(unsigned r, unsigned c)
{
    (void)r;
    (void)c;
    return 4;
}

/* Base 2^0 (e = 48), lane pairs 1 and 3 doubled by E1_16. */
static uint64_t hif4_word(unsigned r, unsigned c)
{
    (void)r;
    (void)c;
    return 48 << 2 | 0x000a0000;
}

static uint32_t expected_s8(unsigned row, unsigned col, unsigned k)
{
    uint32_t sum = 0;

    for (unsigned i = 0; i < k; i++) {
        sum += s8_row(row, i) * s8_col(i, col);
    }
    return sum;
}

/* group_M 40 on four PEs: 16, 16, 8 and 0 rows; nobody finishes early. */
static void test_cooperative(void)
{
    PtoBundle b = block(0, PTO_S8, 40, 16, 32);
    static const unsigned rows[PTO_PES] = { 16, 16, 8, 0 };

    reset();
    shared_tile(0, 40, 32, PTO_S8, s8_row);
    shared_tile(1, 32, 16, PTO_S8, s8_col);
    bind_shared(&b, 0);
    bind_shared(&b, 1);
    bind_tile(&b, -1, -1, 1, 8);
    for (unsigned pe = 0; pe < 3; pe++) {
        CHECK(commit(pe, 4, &b).status == PTO_COMMIT_WAIT, "PE %u waits", pe);
    }
    for (unsigned i = 0; i < PTO_PES; i++) {
        unsigned pe = (i + 3) % PTO_PES;
        PtoCommit c = commit(pe, 4, &b);
        const PtoTile *d = newest(pe, 1);

        CHECK(c.status == PTO_COMMIT_DONE, "PE %u done, is %d", pe, c.status);
        for (unsigned r = 0; r < rows[pe]; r++) {
            for (unsigned j = 0; j < 16; j++) {
                CHECK(pto_tile_get(d, r, j) == expected_s8(pe * 16 + r, j, 32),
                      "PE %u row %u column %u", pe, r, j);
            }
        }
        if (!rows[pe]) {
            CHECK(!pes[pe].local.ops || !pes[pe].local.tile[16].allocated,
                  "PE without rows has no destination");
        }
    }
}

static void test_disagreement(void)
{
    PtoBundle a = block(0, PTO_S8, 40, 16, 32), b = block(0, PTO_S8, 20, 16, 32);
    PtoBundle *blocks[2] = { &a, &b };

    reset();
    shared_tile(0, 40, 32, PTO_S8, s8_row);
    shared_tile(1, 32, 16, PTO_S8, s8_col);
    for (unsigned i = 0; i < 2; i++) {
        bind_shared(blocks[i], 0);
        bind_shared(blocks[i], 1);
        bind_tile(blocks[i], -1, -1, 1, 8);
    }
    CHECK(commit(0, 2, &a).status == PTO_COMMIT_WAIT, "first waits");
    CHECK(commit(1, 2, &b).fault.code == PTO_FAULT_TILE_LEGALITY, "differs");
    CHECK(commit(0, 2, &a).fault.code == PTO_FAULT_TILE_LEGALITY, "differs");
}

static void test_waits_for_publication(void)
{
    PtoBundle b = block(0, PTO_S8, 16, 16, 32);
    PtoCommit c;

    reset();
    shared_tile(0, 16, 32, PTO_S8, s8_row);
    bind_shared(&b, 0);
    bind_shared(&b, 1);
    bind_tile(&b, -1, -1, 1, 8);
    c = commit(0, 1, &b);
    CHECK(c.status == PTO_COMMIT_WAIT, "unpublished operand");
    shared_tile(1, 32, 16, PTO_S8, s8_col);
    c = commit(0, 1, &b);
    CHECK(c.status == PTO_COMMIT_DONE, "published operand: %s", c.fault.rule);
}

/* HiF4X2 times FP16, K = 64, N over the first row block of the scale tile. */
static void test_hif4(void)
{
    PtoBundle b = block(4, PTO_FP16, 3, 40, 64);
    PtoCommit c;

    reset();
    cube_tile(0, 0, PTO_LAYOUT_M16, 3, 64, PTO_FP16, one_fp16);
    cube_tile(0, 2, PTO_LAYOUT_N8, 64, 40, PTO_HIF4X2, one_hif4);
    cube_tile(0, 3, PTO_LAYOUT_M32, 40, 1, PTO_U32, hif4_word);
    b.datr = (PtoDatr) { .present = true, .dtype = PTO_HIF4X2 };
    bind_tile(&b, 0, 32, 0, 0);
    bind_tile(&b, 48, -1, 1, 8);
    c = commit(0, 1, &b);
    CHECK(c.status == PTO_COMMIT_DONE, "HiF4X2: %s", c.fault.rule);
    if (c.status == PTO_COMMIT_DONE) {
        /* 64 ones of which two groups of four count twice: 72. */
        CHECK(pto_tile_get(newest(0, 1), 2, 39) == 0x42900000, "HiF4X2 sum");
    }
}

static void test_rejections(void)
{
    PtoBundle b;
    PtoCommit c;

    reset();
    cube_tile(0, 0, PTO_LAYOUT_M16, 4, 8, PTO_FP32, one_fp32);
    cube_tile(0, 2, PTO_LAYOUT_N8, 8, 8, PTO_FP32, one_fp32);
    cube_tile(0, 3, PTO_LAYOUT_M16, 4, 8, PTO_FP32, one_fp32);

    b = block(0, PTO_FP32, 4, 8, 8);
    b.fpatr.pre_quant_mode = 26;
    bind_tile(&b, 0, 32, 1, 8);
    CHECK(commit(0, 1, &b).fault.code == PTO_FAULT_TILE_LEGALITY,
          "scalar parameter without B.IOR");

    b = block(2, PTO_FP32, 4, 8, 8);
    bind_tile(&b, 48, 0, 1, 0);
    bind_tile(&b, 32, -1, 0, 7);
    CHECK(commit(0, 1, &b).status == PTO_COMMIT_DONE, "C in hand N, D in T");
    b = block(2, PTO_FP32, 4, 8, 8);
    bind_tile(&b, 0, 1, 1, 0);
    bind_tile(&b, 32, -1, 0, 7);
    CHECK(commit(0, 1, &b).fault.code == PTO_FAULT_TILE_LEGALITY,
          "C names the hand number of D");

    b = block(0, PTO_FP32, 4, 8, 8);
    b.fpatr.valid = false;
    bind_tile(&b, 0, 32, 1, 8);
    CHECK(commit(0, 1, &b).fault.code == PTO_FAULT_BUNDLE_CONTROL, "no B.FPATR");

    cube_tile(0, 0, PTO_LAYOUT_M16, 4, 8, PTO_TF32, s8_row);
    b = block(0, PTO_TF32, 4, 8, 8);
    b.datr = (PtoDatr) { .present = true, .dtype = PTO_FP32 };
    bind_tile(&b, 0, 32, 1, 8);
    c = commit(0, 1, &b);
    CHECK(c.fault.code == PTO_FAULT_TILE_LEGALITY &&
          strstr(c.fault.rule, "forbidden encoding in a matrix operand"),
          "forbidden TF32 encoding: %s", c.fault.rule);
}

int main(void)
{
    pto_core_init(&core);
    for (unsigned i = 0; i < PTO_PES; i++) {
        pto_local_init(&pes[i].local);
    }
    test_cooperative();
    test_disagreement();
    test_waits_for_publication();
    test_hif4();
    test_rejections();
    printf("%u failures\n", failures);
    return failures != 0;
}
