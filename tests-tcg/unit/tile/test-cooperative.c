/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cooperative TMATMUL (section 5 of the revision's description): rows per PE,
 * shapes of Shared operands, order of the checks, PEs without rows.
 */
#include "core-env.h"

enum { TMATMUL = 0, ACC = 2, GEMV = 16 };

/* --- a block from a description that tests change field by field --- */

#define MAX_IOS 5

typedef struct Spec {
    unsigned function;
    PtoDataType type;
    uint64_t group_m, n, k;
    bool fpatr, trans_a, trans_b;
    unsigned relu;              /* 2: with a scalar parameter in r8 */
    unsigned datr_pad;
    unsigned ior2;              /* third B.IOR source */
    unsigned mode;              /* PEMode of all binders */
    unsigned ios, id[MAX_IOS];  /* Shared sources A, B */
    int local[2];               /* Local source codes, -1: none */
    int extra;                  /* one Local source too many */
    unsigned view_offset, view_size;    /* of the first Local source */
    unsigned hand, size;        /* D */
} Spec;

static const Spec plain = {
    .type = PTO_S8, .group_m = 40, .n = 8, .k = 16, .fpatr = true, .mode = ALL,
    .ios = 2, .id = { 1, 2 }, .local = { -1, -1 }, .extra = -1, .hand = 3,
    .size = 4,
};

static void local_sources(PtoBundle *b, const Spec *s)
{
    PtoRange *slot;
    unsigned n = (s->local[0] >= 0) + (s->local[1] >= 0);

    if (s->extra >= 0) {
        pto_bundle_iot(b, true, false, 1, 0, 0, s->mode, s->extra, 0, false);
    }
    pto_bundle_iot(b, true, true, n, s->hand, s->size, s->mode,
                   MAX(s->local[0], 0), MAX(s->local[1], 0), true);
    if (s->view_size &&
        !pto_bundle_subview(b, 0, 0, s->view_size, &slot).code) {
        pto_bundle_range_set(b, slot, false, false, 0, s->view_size,
                             s->view_offset, 0);
    }
}

static PtoBundle block(const Spec *s)
{
    PtoBundleOp op = { .valid = true, .op_class = PTO_OPCLASS_CUBE,
                       .selector_valid = true, .selector = s->function,
                       .dtype_valid = true, .dtype = s->type };
    PtoBundle b;

    pto_bundle_clear(&b);
    pto_bundle_install(&b, &op, 0x1000);
    pto_bundle_dim(&b, true, 0, s->group_m);
    pto_bundle_dim(&b, true, 1, s->n);
    pto_bundle_dim(&b, true, 2, s->k);
    if (s->fpatr) {
        pto_bundle_fpatr(&b, true, &(PtoFpatr) { .trans_a = s->trans_a,
                                                 .trans_b = s->trans_b,
                                                 .relu_mode = s->relu });
    }
    if (s->datr_pad) {
        pto_bundle_datr(&b, true, &(PtoDatr) { .dtype = s->type,
                                               .pad = s->datr_pad });
    }
    if (s->relu == 2 || s->ior2) {
        pto_bundle_ior(&b, true, 0, s->relu == 2 ? 8 : 0, 0, s->ior2);
    }
    for (unsigned i = 0; i < s->ios; i++) {
        pto_bundle_ios(&b, true, s->id[i], 0, s->mode);
    }
    local_sources(&b, s);
    return b;
}

/* --- operands --- */

#define A_BASE 0x10000
#define B_BASE 0x20000

/* Publish S[@id] = S8 rows x cols from @addr. */
static void shared_operand(Core *c, unsigned id, unsigned rows, unsigned cols,
                           uint64_t addr)
{
    unsigned size = 1;
    Step load[] = {
        ON_PE(0), GPR(1, addr), GPR(2, cols), TLSU(0, S8), DIM(0, cols),
        DIM(1, rows), DIM(2, cols), IOR(0, 1, 2, 0), IOS(id, 0, ONE(0)), STOP(),
        { S_END, { 0 } },
    };

    while ((64u << size) < rows * cols) {
        size++;
    }
    load[8].v[1] = size;
    CHECK(stream_run(c, "operand", load, NULL));
}

/* Element (r, k) of A and (k, j) of B as the block means them. */
static int32_t product(const Core *c, const Spec *s, unsigned r, unsigned j)
{
    int32_t sum = 0;

    for (unsigned k = 0; k < s->k; k++) {
        int8_t a = c->mem[A_BASE + (s->trans_a ? k * s->group_m + r
                                               : r * s->k + k)];
        int8_t b = c->mem[B_BASE + (s->trans_b ? j * s->k + k : k * s->n + j)];

        sum += a * b;
    }
    return sum;
}

static void operands(Core *c, const Spec *s)
{
    shared_operand(c, s->id[0], s->trans_a ? s->k : s->group_m,
                   s->trans_a ? s->group_m : s->k, A_BASE);
    shared_operand(c, s->id[1], s->trans_b ? s->n : s->k,
                   s->trans_b ? s->k : s->n, B_BASE);
}

static const PtoTile *result(Core *c, unsigned pe, const Spec *s)
{
    int slot = pto_local_resolve(&c->local[pe], s->hand * 16, true);

    return slot < 0 ? NULL : &c->local[pe].tile[slot];
}

/* All PEs run the block until each has completed it. */
static void all_run(Core *c, const Spec *s)
{
    PtoBundle b = block(s);
    bool done[PTO_PES] = { false };

    for (unsigned round = 0; round < 2; round++) {
        for (unsigned pe = 0; pe < c->pes; pe++) {
            PtoCommit r = { .status = PTO_COMMIT_DONE };

            if (!done[pe]) {
                r = core_commit(c, pe, &b);
            }
            if (r.status == PTO_COMMIT_FAULT) {
                printf("%s\n", r.fault.rule);
            }
            CHECK(r.status != PTO_COMMIT_FAULT);
            /* Nobody completes before the last one has come. */
            CHECK(round || pe == c->pes - 1u || r.status == PTO_COMMIT_WAIT);
            done[pe] = r.status == PTO_COMMIT_DONE;
        }
    }
    for (unsigned pe = 0; pe < c->pes; pe++) {
        CHECK(done[pe]);
    }
}

static bool rows_right(Core *c, unsigned pe, const Spec *s, unsigned first,
                       unsigned rows)
{
    const PtoTile *d = result(c, pe, s);
    bool good = d ? d->vrows == rows && d->vcols == s->n : rows == 0;

    for (unsigned r = 0; good && r < rows; r++) {
        for (unsigned j = 0; j < s->n; j++) {
            good &= (int32_t)pto_tile_get(d, r, j) == product(c, s, first + r, j);
        }
    }
    return good;
}

/* --- 5.1 distribution of rows --- */

static void distribution(void)
{
    static const struct {
        uint8_t group_m, per_pe, rows[PTO_PES];
    } table[] = {
        { 1, 16, { 1, 0, 0, 0 } },
        { 16, 16, { 16, 0, 0, 0 } },
        { 17, 16, { 16, 1, 0, 0 } },
        { 40, 16, { 16, 16, 8, 0 } },
        { 64, 16, { 16, 16, 16, 16 } },
        { 65, 32, { 32, 32, 1, 0 } },
        { 96, 32, { 32, 32, 32, 0 } },
        { 100, 32, { 32, 32, 32, 4 } },
        { 128, 32, { 32, 32, 32, 32 } },
    };

    for (unsigned i = 0; i < ARRAY_SIZE(table); i++) {
        Core *c = core_new(4);
        Spec s = plain;

        s.group_m = table[i].group_m;
        operands(c, &s);
        all_run(c, &s);
        for (unsigned pe = 0; pe < PTO_PES; pe++) {
            const PtoTile *d = result(c, pe, &s);
            PtoLayout layout = table[i].rows[pe] <= 16 ? PTO_LAYOUT_M16
                                                       : PTO_LAYOUT_M32;

            if (!rows_right(c, pe, &s, pe * table[i].per_pe, table[i].rows[pe])) {
                printf("5.1 group_M %u: PE %u\n", table[i].group_m, pe);
                checks_failed++;
            }
            /* 5.2: all operands Shared, no accumulator */
            CHECK(!d || d->layout == layout);
            CHECK(!d || d->mask == pto_pe_bit(pe));
        }
        core_free(c);
    }
}

/* --- 5.2 shapes --- */

static void shapes(void)
{
    for (unsigned trans = 0; trans < 4; trans++) {
        Core *c = core_new(4);
        Spec s = plain;

        s.group_m = 64;
        s.trans_a = trans & 1;
        s.trans_b = trans & 2;
        operands(c, &s);
        all_run(c, &s);
        for (unsigned pe = 0; pe < PTO_PES; pe++) {
            if (!rows_right(c, pe, &s, pe * 16, 16)) {
                printf("5.2 transposes %u: PE %u\n", trans, pe);
                checks_failed++;
            }
        }
        core_free(c);
    }
}

/* --- 5.1, 5.3: one violation after the other --- */

static void no_fpatr(Core *c, Spec *s)
{
    (void)c;
    s->fpatr = false;
}

static void wrong_type(Core *c, Spec *s)
{
    (void)c;
    s->type = PTO_FP64;
}

static void extra_source(Core *c, Spec *s)
{
    (void)c;
    s->extra = 0;
}

static void surplus_ior(Core *c, Spec *s)
{
    (void)c;
    s->ior2 = 5;
}

static void surplus_datr(Core *c, Spec *s)
{
    (void)c;
    s->datr_pad = 1;
}

static void group_of_129(Core *c, Spec *s)
{
    (void)c;
    s->group_m = 129;
}

static void one_pe_mask(Core *c, Spec *s)
{
    (void)c;
    s->mode = ONE(0);
}

static void unready(Core *c, Spec *s)
{
    c->shared.shared[s->id[1]].ready = false;
}

static void other_k(Core *c, Spec *s)
{
    (void)c;
    s->k = 32;
}

static void view_outside(Core *c, Spec *s)
{
    (void)c;
    s->view_size = 1;
    s->view_offset = 100;
}

static void bad_parameter(Core *c, Spec *s)
{
    s->relu = 2;
    c->gpr[0][8] = UINT64_MAX;
}

static void undefined_c(Core *c, Spec *s)
{
    int slot = pto_local_resolve(&c->local[0], s->local[0], true);

    c->local[0].tile[slot].contents_defined = false;
}

/* The code of C is T#1 = 0, the number of hand T. */
static void alias(Core *c, Spec *s)
{
    (void)c;
    s->hand = 0;
}

static void no_room(Core *c, Spec *s)
{
    (void)s;
    c->local[0].pool_limit = c->local[0].pool_used[0];
}

static const struct Violation {
    const char *name;
    void (*make)(Core *c, Spec *s);
    PtoRule rule;               /* NONE: the block waits */
} order[] = {
    { "2: no B.FPATR", no_fpatr, PTO_RULE_MAT_FPATR },
    { "4: input type", wrong_type, PTO_RULE_MAT_TYPES },
    { "4: number of binders", extra_source, PTO_RULE_MAT_OPERANDS },
    { "4: B.IOR", surplus_ior, PTO_RULE_MAT_IOR },
    { "4: B.DATR", surplus_datr, PTO_RULE_MAT_DATR },
    { "4: group_M", group_of_129, PTO_RULE_MAT_DIM },
    { "4: mask", one_pe_mask, PTO_RULE_MAT_MASK },
    { "6: readiness", unready, PTO_RULE_NONE },
    { "6: Shared shape", other_k, PTO_RULE_MAT_SHARED },
    { "8: Local view", view_outside, PTO_RULE_VIEW_OFFSET },
    { "9: scalar parameter", bad_parameter, PTO_RULE_POST_ACT_SCALAR },
    { "12: Local source", undefined_c, PTO_RULE_MAT_C },
    { "13: C and D", alias, PTO_RULE_MAT_C_ALIAS },
    { "16: allocation", no_room, PTO_RULE_ALLOC_POOL },
};

/* C of 16 rows in hand T: a product of the same operands without C. */
static Core *accumulating(Spec *s)
{
    Core *c = core_new(1);
    Spec first = plain;

    first.group_m = 16;
    first.hand = 0;
    operands(c, &first);
    all_run(c, &first);
    *s = first;
    s->function = ACC;
    s->local[0] = 0;
    s->hand = 3;
    return c;
}

static void check_violations(unsigned i, unsigned j)
{
    Spec s;
    Core *c = accumulating(&s);
    PtoBundle b;
    PtoCommit r;
    bool good;

    order[i].make(c, &s);
    order[j].make(c, &s);
    b = block(&s);
    r = core_commit(c, 0, &b);
    good = order[i].rule ? r.fault.rule_id == order[i].rule
                         : r.status == PTO_COMMIT_WAIT;
    if (!good) {
        printf("5.3 %s before %s: %s\n", order[i].name, order[j].name,
               r.fault.rule ? r.fault.rule : "no fault");
    }
    CHECK(good);
    core_free(c);
}

static void order_of_checks(void)
{
    Spec s;
    Core *c = accumulating(&s);

    all_run(c, &s);
    core_free(c);
    for (unsigned i = 0; i < ARRAY_SIZE(order); i++) {
        for (unsigned j = i; j < ARRAY_SIZE(order); j++) {
            check_violations(i, j);
        }
    }
}

/* 5.1: every other nonzero mask, dimension limits. */
static void masks_and_limits(void)
{
    for (unsigned mode = 0; mode < 8; mode++) {
        Core *c = core_new(1);
        Spec s = plain;
        PtoBundle b;
        PtoCommit r;

        s.group_m = 16;
        operands(c, &s);
        s.mode = mode;
        b = block(&s);
        r = core_commit(c, 0, &b);
        CHECK(mode == 0 ? r.status == PTO_COMMIT_NOOP
              : mode == ALL ? r.status == PTO_COMMIT_DONE
              : r.fault.rule_id == PTO_RULE_MAT_MASK);
        s.mode = ALL;
        s.group_m = 0;
        b = block(&s);
        CHECK(core_commit(c, 0, &b).fault.rule_id == PTO_RULE_MAT_DIM);
        s.function = GEMV;
        s.group_m = 1;
        b = block(&s);
        CHECK(core_commit(c, 0, &b).fault.rule_id == PTO_RULE_MAT_GROUPS);
        core_free(c);
    }
}

/* --- 5.4 a PE without rows --- */

/*
 * PE 3 of group_M 16 completes with any Local operands; a bad Shared operand
 * still rejects, an unready one makes it wait.
 */
static void without_rows(void)
{
    Core *c = core_new(1);          /* nobody to meet */
    Spec s;
    PtoBundle b;
    PtoLocalTiles *l = &c->local[3];

    s = plain;
    s.group_m = 16;
    operands(c, &s);
    s.function = ACC;
    s.local[0] = 63;                /* no such tile */
    s.size = 1;                     /* too small */
    s.view_size = 1;
    s.view_offset = 2047;
    b = block(&s);
    CHECK(core_commit(c, 3, &b).status == PTO_COMMIT_DONE);
    CHECK(l->ops == 0 && l->pool_used[0] == 0 && !result(c, 3, &s));
    s.k = 32;
    b = block(&s);
    CHECK(core_commit(c, 3, &b).fault.rule_id == PTO_RULE_MAT_SHARED);
    c->shared.shared[2].ready = false;
    CHECK(core_commit(c, 3, &b).status == PTO_COMMIT_WAIT);
    core_free(c);
}

/* A PE whose own operands are bad faults alone; the others go on waiting. */
static void fault_of_one(void)
{
    Core *c = core_new(4);
    Spec s = plain;
    PtoBundle b;

    s.group_m = 64;
    operands(c, &s);
    c->local[2].pool_limit = 0;
    b = block(&s);
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned pe = 0; pe < PTO_PES; pe++) {
            PtoCommit r = core_commit(c, pe, &b);

            CHECK(pe == 2 ? r.fault.rule_id == PTO_RULE_ALLOC_POOL
                          : r.status == PTO_COMMIT_WAIT);
            CHECK(!result(c, pe, &s));
        }
    }
    c->local[2].pool_limit = PTO_POOL_BYTES;
    CHECK(core_commit(c, 2, &b).status == PTO_COMMIT_DONE);
    CHECK(rows_right(c, 2, &s, 32, 16));
    core_free(c);
}

int main(void)
{
    distribution();
    shapes();
    order_of_checks();
    masks_and_limits();
    without_rows();
    fault_of_one();
    return checks_done();
}
