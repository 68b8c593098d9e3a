/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random blocks with hostile operands. usage: test-fuzz [count [seed [rules]]]
 *
 * With a third argument the rejections of each rule are counted
 *
 * Blocks are drawn from the table of operations with operands that mostly fit
 * and are then damaged, so that many get far into the pipeline and some succeed.
 * After each one the state has to be consistent; a rejected one may have changed
 * nothing. Meant to run under sanitizers as well.
 */
#include "core-env.h"

#define MEM_USED (128u << 10)
#define BLOCKS_PER_CORE 48

static uint64_t rng;

static uint64_t rnd(void)
{
    rng ^= rng << 13;
    rng ^= rng >> 7;
    rng ^= rng << 17;
    return rng * 0x2545f4914f6cdd1dull;
}

static unsigned below(unsigned n)
{
    return (rnd() >> 32) % n;
}

static bool one_in(unsigned n)
{
    return below(n) == 0;
}

#define PICK(a) ((a)[below(ARRAY_SIZE(a))])

/* --- operands --- */

/* What the blocks on one core prefer, so that tiles and operations meet. */
static struct {
    PtoDataType type;
    uint16_t dim[3];
    unsigned size;
    bool cube;                  /* transports make CUBE tiles */
} habit;

static uint64_t address(void)
{
    static const uint64_t edges[] = {
        0, 1, MEM_BYTES - 1, MEM_BYTES, MEM_BYTES - 64, UINT64_MAX,
        UINT64_MAX - 63, INT64_MAX, 1ull << 63, 0xffffffffull, 1ull << 32,
    };

    return one_in(10) ? PICK(edges)
                      : below(MEM_USED / 2) & ~(one_in(8) ? 0 : 63);
}

static uint64_t number(void)
{
    static const uint64_t edges[] = {
        0, 1, 2, 3, 4, 8, 16, 32, 64, 256, 4096, 65535, 65536, UINT64_MAX,
        UINT64_MAX - 15, INT64_MAX, 1ull << 63, 1ull << 32, 2047, 2048,
    };

    return one_in(8) ? rnd() : PICK(edges);
}

static uint64_t dimension(void)
{
    static const uint16_t common[] = { 1, 2, 4, 8, 8, 16, 16, 32, 64 };
    static const uint16_t odd[] = {
        0, 3, 5, 7, 17, 31, 33, 63, 100, 128, 256, 512, 1024, 32768, 65535,
    };

    return one_in(4) ? PICK(odd) : PICK(common);
}

static PtoDataType any_type(void)
{
    unsigned t;

    do {
        t = below(PTO_DTYPE_CODES);
    } while (!pto_type_concrete(t) && !one_in(50));
    return t;
}

static PtoDataType usual_type(void)
{
    return one_in(8) ? any_type() : habit.type;
}

static void new_habit(void)
{
    static const uint8_t types[] = {
        PTO_U8, PTO_U8, PTO_FP32, PTO_FP32, PTO_FP16, PTO_S32, PTO_U16,
        PTO_FP64, PTO_U4X2, PTO_E4M3, PTO_U32, PTO_S64, PTO_BF16, PTO_HIF4X2,
    };
    unsigned bytes;

    habit.type = one_in(4) ? any_type() : PICK(types);
    if (!pto_type_concrete(habit.type)) {
        habit.type = PTO_U8;
    }
    habit.cube = one_in(3);
    habit.dim[2] = 1 << below(7);
    habit.dim[0] = habit.dim[2] - (one_in(2) ? below(habit.dim[2]) : 0);
    habit.dim[1] = 1 + below(one_in(4) ? 64 : 16);
    bytes = habit.dim[1] * habit.dim[2] * pto_type_bits(habit.type) / 8;
    if (habit.cube && one_in(2)) {      /* operands of a product */
        habit.dim[0] = habit.dim[1] = habit.dim[2] = 16;
    }
    habit.size = 1 + below(2);
    while (habit.size < 10 && (128u << (habit.size - 1)) < bytes) {
        habit.size++;
    }
}

/* --- one block --- */

static unsigned mode_of(Core *c)
{
    return one_in(20) ? below(8) : one_in(4) ? ALL : ONE(c->pe);
}

static void modifiers(Core *c, PtoBundle *b, bool shared, bool dst)
{
    PtoRange *slot = NULL;
    unsigned reg = below(24), imm = one_in(3) ? below(2048) : below(4);
    unsigned size = 1 + below(shared ? 12 : 10);
    bool init = one_in(2), last = one_in(2);

    if (!one_in(habit.cube || shared ? 5 : 12)) {
        return;
    }
    if (one_in(2)) {
        reg = 0;
    }
    if (dst) {
        if (!init && !one_in(8)) {
            size = 0;
        }
        if (pto_bundle_assemble(b, init, last, reg, size, &slot).code) {
            return;
        }
    } else if (pto_bundle_subview(b, below(2), reg, size, &slot).code) {
        return;
    }
    if (slot) {
        pto_bundle_range_set(b, slot, dst && init, dst && last, reg, size, imm,
                             reg ? c->gpr[c->pe][reg] : 0);
    }
}

static unsigned source(void)
{
    return one_in(8) ? below(64) : below(4) * 16 + below(2);
}

/* CUBE tiles have their places, so that products find them: A in T, B in U. */
static unsigned destination(const PtoBundle *b)
{
    if (one_in(8) || !b->datr.present) {
        return below(4);
    }
    return b->datr.layout == 23 ? 1 : b->datr.layout == 22 ? 0 : 2 + below(2);
}

static void tile_binders(Core *c, PtoBundle *b, const PtoTileOp *op, unsigned mode)
{
    unsigned srcs = op->sources, dsts = op->destinations;
    unsigned size = one_in(12) ? 1 + below(10) : habit.size;

    if (b->ios_count && op->id == PTO_OP_TMOV) {    /* one side is Shared */
        srcs = b->ios[0].size != 0;
        dsts = !srcs;
    } else if (b->ios_count && op->family == PTO_FAMILY_CUBE) {
        srcs -= MIN(srcs, b->ios_count);
    }
    if (one_in(20)) {
        srcs = below(4);
        dsts = below(3);
    }
    do {
        unsigned now = MIN(srcs, 2);
        bool dst = dsts && (srcs <= 2 || one_in(6));
        bool product = op->family == PTO_FAMILY_CUBE && now == 2 && !one_in(4);

        srcs -= now;
        dsts -= dst;
        pto_bundle_iot(b, true, dst, now, destination(b), dst ? size : 0, mode,
                       product ? 0 : source(), product ? 16 : source(),
                       (!srcs && !dsts) ^ one_in(60));
        if (now && !dst) {
            modifiers(c, b, false, false);
        } else {
            modifiers(c, b, false, one_in(3) ? !dst : dst);
        }
    } while (srcs || dsts);
}

static void shared_binders(Core *c, PtoBundle *b, unsigned mode)
{
    bool cube = b->op.op_class == PTO_OPCLASS_CUBE;
    unsigned n = one_in(cube ? 2 : 12) ? 1 + below(4) : 1;

    while (n--) {
        bool dst = b->op.selector == 0 || (b->op.selector == 2 && one_in(2));

        dst = dst && !cube;
        dst ^= one_in(30);
        pto_bundle_ios(b, true, below(4), dst ? one_in(6) ? 1 + below(5) : habit.size
                                                : 0, mode);
        modifiers(c, b, true, dst);
    }
}

static void attributes(PtoBundle *b, const PtoTileOp *op)
{
    static const uint8_t layouts[] = {
        0, 1, 3, 4, 6, 8, 9, 17, 18, 20, 21, 22, 23, 24, 25, 26, 27, 28, 30,
    };
    bool transport = op->family == PTO_FAMILY_TLSU && op->code < 2 &&
                     habit.cube && !one_in(8);
    PtoDatr a = {
        .dtype = transport ? PTO_DTYPE_NONE
                 : (op->datr & PTO_DATR_TYPE) ? usual_type() : 0,
        .layout = transport ? 21 + 3 * (op->code ^ one_in(20)) + below(3) : one_in(8) ? PICK(layouts) : 0,
        .pad = transport || ((op->datr & PTO_DATR_PAD) &&
                             (op->family != PTO_FAMILY_TLSU || op->code > 1))
               ? below(4) : 0,
        .cmode = op->datr & PTO_DATR_CMODE ? below(6) : 0,
        .rmode = op->datr & PTO_DATR_RMODE ? below(8) : 0,
        .sat = op->datr & PTO_DATR_SAT ? one_in(2) : 0,
        .canon = op->datr & PTO_DATR_CANON ? one_in(4) : 0,
    };

    pto_bundle_datr(b, true, &a);
}

static void matrix_attributes(PtoBundle *b)
{
    PtoFpatr a = { 0 };

    if (one_in(4)) {
        a.pre_quant_mode = below(64);
        a.relu_mode = below(4);
        a.row_max_en = one_in(2);
        a.row_max_init = a.row_max_en && one_in(2);
        a.group_max_en = one_in(3);
        a.group_n_code = a.group_max_en ? 1 + below(9) : 0;
        a.max_abs_en = (a.row_max_en || a.group_max_en) && one_in(2);
    }
    a.trans_a = one_in(12);
    a.trans_b = one_in(12);
    a.c_scale_en = one_in(12);
    pto_bundle_fpatr(b, true, &a);
}

/* One command with any field values that its encoding can hold. */
static void any_command(Core *c, PtoBundle *b)
{
    bool hdr = !one_in(8);
    PtoRange *slot = NULL;
    bool init = one_in(2), last = one_in(2);
    unsigned reg = below(32), size = below(16);

    switch (below(10)) {
    case 0:
        pto_bundle_dim(b, hdr, below(3), rnd() & 0xffff);
        break;
    case 1:
        pto_bundle_catr(b, hdr, &(PtoCatr) { .dr = one_in(2) });
        break;
    case 2:
        pto_bundle_datr(b, hdr, &(PtoDatr) {
            .dtype = below(32), .layout = below(32), .pad = below(4),
            .cmode = below(8), .rmode = below(8), .sat = one_in(2),
            .canon = one_in(2) });
        break;
    case 3:
        pto_bundle_fpatr(b, hdr, &(PtoFpatr) {
            .pre_quant_mode = below(64), .relu_mode = below(8),
            .group_n_code = below(16), .row_max_en = one_in(2),
            .group_max_en = one_in(2), .row_max_init = one_in(2),
            .max_abs_en = one_in(2), .trans_a = one_in(2),
            .trans_b = one_in(2), .c_scale_en = one_in(2) });
        break;
    case 4:
        pto_bundle_ior(b, hdr, below(32), below(32), below(32), below(32));
        break;
    case 5:
    case 6:
        pto_bundle_iot(b, hdr, one_in(2), below(3), below(4), size, below(8),
                       below(64), below(64), last);
        break;
    case 7:
        pto_bundle_ios(b, hdr, below(64), size, below(8));
        break;
    case 8:
        pto_bundle_subview(b, below(2), reg, size, &slot);
        break;
    default:
        pto_bundle_assemble(b, init, last, reg, size, &slot);
        break;
    }
    if (slot) {
        pto_bundle_range_set(b, slot, init, last, reg, size, below(2048),
                             reg ? c->gpr[c->pe][reg] : 0);
    }
}

/* Of the operations most draws are data movement: it makes all the operands. */
static const PtoTileOp *any_operation(void)
{
    static const uint8_t movement[] = {
        PTO_OP_TLOAD, PTO_OP_TLOAD, PTO_OP_TLOAD, PTO_OP_TLOAD, PTO_OP_TSTORE,
        PTO_OP_TMOV, PTO_OP_TMOV, PTO_OP_MGATHER, PTO_OP_MSCATTER,
    };

    return &pto_tile_ops[one_in(2) ? PICK(movement) : below(PTO_OP_COUNT)];
}

static PtoBundle any_block(Core *c)
{
    const PtoTileOp *op = any_operation();
    static const uint8_t classes[] = {
        [PTO_FAMILY_TEPL] = PTO_OPCLASS_TEPL,
        [PTO_FAMILY_TLSU] = PTO_OPCLASS_TLSU,
        [PTO_FAMILY_CUBE] = PTO_OPCLASS_CUBE,
    };
    PtoBundleOp start = {
        .valid = true, .op_class = classes[op->family], .selector_valid = true,
        .selector = op->code, .dtype_valid = true, .dtype = usual_type(),
    };
    PtoBundle b;
    unsigned mode = mode_of(c);
    bool shared = op->family != PTO_FAMILY_TEPL && one_in(5);

    if (op->family == PTO_FAMILY_TEPL) {
        start.selector &= 31;
        start.mode_valid = true;
        start.mode = op->code / 32;
    }
    pto_bundle_clear(&b);
    if (pto_bundle_op_legal(&start).code) {
        start.dtype = PTO_U8;
    }
    pto_bundle_install(&b, &start, below(8) * 16);
    while (one_in(20)) {
        any_command(c, &b);
    }
    for (unsigned i = 0; i < 3; i++) {
        bool left_out = i == 2 && habit.cube && op->family == PTO_FAMILY_TLSU;

        if (!one_in(20) && (!left_out || one_in(20))) {
            pto_bundle_dim(&b, true, i, one_in(12) ? dimension() : habit.dim[i]);
        }
    }
    if ((habit.cube && op->family == PTO_FAMILY_TLSU && op->code < 2) ||
        one_in(op->datr & PTO_DATR_TYPE ? 2 : 4)) {
        attributes(&b, op);
    }
    if (op->family == PTO_FAMILY_CUBE) {
        matrix_attributes(&b);
    }
    if (op->gprs ? !one_in(8) : one_in(20)) {
        pto_bundle_ior(&b, true, one_in(40) ? below(24) : 0,
                       op->gprs || one_in(30) ? below(24) : 0,
                       op->gprs & (op->gprs - 1) || one_in(30) ? below(24) : 0,
                       one_in(40) ? below(24) : 0);
    }
    if (shared) {
        mode = op->family == PTO_FAMILY_CUBE && !one_in(20) ? ALL : mode;
        shared_binders(c, &b, mode);
    }
    if (!shared || op->family == PTO_FAMILY_CUBE || op->id == PTO_OP_TMOV ||
        one_in(12)) {
        tile_binders(c, &b, op, mode);
    }
    while (one_in(12)) {
        any_command(c, &b);
    }
    return b;
}

/* --- what has to hold --- */

static bool tile_consistent(const PtoTile *t)
{
    return !t->allocated ||
           (t->buf && t->buf->size == t->capacity && t->mask &&
            (pto_layout_is_cube(t->layout)
             ? t->cells * PTO_CELL_BYTES <= t->capacity && t->cells
             : t->rows && t->cols) &&
            t->vrows <= t->rows && t->vcols <= t->cols &&
            (t->defined != PTO_DEF_BITMAP || t->buf->defined));
}

static bool local_consistent(const PtoLocalTiles *l)
{
    uint32_t used[PTO_PES] = { 0 };
    uint64_t open = 0;

    for (unsigned i = 0; i < ARRAY_SIZE(l->generation); i++) {
        const PtoGeneration *g = l->generation[i];

        if (g) {
            open |= 1ull << g->slot;
            if (!g->open || g->covered_count > g->parent_cells ||
                g->writers > PTO_GEN_WRITERS) {
                return false;
            }
        }
    }
    for (unsigned i = 0; i < PTO_TILE_SLOTS; i++) {
        const PtoTile *t = &l->tile[i];

        /* The working tile of a generation may have no valid region yet. */
        if (!tile_consistent(t) ||
            (t->allocated && (l->seq[i] == 0) != (open >> i & 1)) ||
            (!t->allocated && l->seq[i])) {
            return false;
        }
        for (unsigned pe = 0; t->allocated && pe < PTO_PES; pe++) {
            if (l->own_pool ? pe == 0 : t->mask & pto_pe_bit(pe)) {
                used[pe] += t->capacity;
            }
        }
    }
    return !memcmp(used, l->pool_used, sizeof(used)) &&
           used[0] <= l->pool_limit;
}

static bool core_consistent(const Core *c)
{
    uint32_t used = 0;

    for (unsigned i = 0; i < PTO_SHARED_COUNT; i++) {
        const PtoSharedTile *s = &c->shared.shared[i];

        if (!tile_consistent(&s->tile) || s->valid != s->tile.allocated) {
            return false;
        }
        used += s->tile.capacity;
    }
    for (unsigned i = 0; i < c->pes; i++) {
        if (!local_consistent(&c->local[i])) {
            return false;
        }
    }
    return used == c->shared.pool_used && used <= c->shared.pool_limit;
}

static bool assembles(const PtoBundle *b)
{
    bool any = false;

    for (unsigned i = 0; i < b->iot_count; i++) {
        any |= b->iot[i].assemble.valid;
    }
    for (unsigned i = 0; i < b->ios_count; i++) {
        any |= b->ios[i].assemble.valid;
    }
    return any;
}

/* An image of every PE's state loads and gives the same image again. */
static bool saves(Core *c)
{
    PtoLocalTiles copy;
    size_t n, m;
    uint8_t *one = pto_local_save(&c->local[c->pe], &n), *two;
    bool same;

    pto_local_init(&copy);
    same = pto_local_load(&copy, one, n);
    two = pto_local_save(&copy, &m);
    same = same && n == m && !memcmp(one, two, n);
    pto_local_reset(&copy);
    pto_free(one);
    pto_free(two);
    return same;
}

static unsigned outcomes[4], rules[PTO_RULE_COUNT];

static bool run_block(Core *c, const PtoBundle *b)
{
    bool look = one_in(32), good;
    Snapshot before;
    PtoCommit r;

    if (look) {
        before = snapshot_take(c);
    }
    r = core_commit(c, c->pe, b);
    outcomes[r.status]++;
    rules[r.fault.rule_id]++;
    good = core_consistent(c) &&
           (r.status == PTO_COMMIT_FAULT) == (r.fault.code != PTO_FAULT_NONE) &&
           (r.status != PTO_COMMIT_FAULT ||
            (r.flags == 0 && r.fault.rule && r.fault.rule_id));
    if (look) {
        /* A waiting collective leaves its contribution with the core. */
        if (r.status == PTO_COMMIT_FAULT && !assembles(b) &&
            !c->shared.rendezvous.arrived) {
            good = good && snapshot_equal(c, &before);
        }
        snapshot_free(&before);
    }
    if (!good) {
        printf("%s, %s: inconsistent\n", r.op ? r.op->name : "?",
               r.fault.rule ? r.fault.rule : "accepted");
    }
    return good && (!one_in(64) || saves(c));
}

static Core *any_core(void)
{
    static const uint8_t pes[] = { 1, 1, 2, 4 };
    Core *c = core_new(PICK(pes));

    new_habit();
    c->mem_used = MEM_USED;
    c->slow = one_in(3);
    if (one_in(4)) {
        core_free(c);
        c = core_new(1);
        c->profile = pto_tile_profile_ref;
        c->local[0].own_pool = false;
    } else if (one_in(3)) {
        c->profile.retire = PTO_RETIRE_NEVER;
    }
    for (unsigned pe = 0; pe < PTO_PES; pe++) {
        for (unsigned r = 1; r < 24; r++) {
            c->gpr[pe][r] = r % 2 ? address() : number();
        }
        if (one_in(6)) {
            c->local[pe].pool_limit = 512 << below(8);
        }
    }
    if (one_in(6)) {
        c->shared.pool_limit = 512 << below(6);
    }
    if (one_in(2)) {            /* mostly small numbers: good indices */
        for (unsigned i = 0; i < MEM_USED; i += 4) {
            pto_st_le(c->mem + i, 4, below(64) * 4);
        }
    }
    return c;
}

int main(int argc, char **argv)
{
    unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 0) : 20000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;

    for (unsigned long n = 0; n < count && !checks_failed; seed++) {
        Core *c;

        rng = seed * 0x9e3779b97f4a7c15ull | 1;
        c = any_core();
        for (unsigned i = 0; i < BLOCKS_PER_CORE && !checks_failed; i++, n++) {
            PtoBundle b;

            c->pe = below(c->pes);
            b = any_block(c);
            if (!run_block(c, &b)) {
                printf("seed %" PRIu64 ", block %u\n", seed, i);
                checks_failed++;
            }
            checks_passed++;
        }
        core_free(c);
    }
    printf("%u done, %u no-ops, %u waiting, %u rejected\n",
           outcomes[PTO_COMMIT_DONE], outcomes[PTO_COMMIT_NOOP],
           outcomes[PTO_COMMIT_WAIT], outcomes[PTO_COMMIT_FAULT]);
    if (argc > 3) {
        for (unsigned i = 1; i < PTO_RULE_COUNT; i++) {
            printf("%8u %s\n", rules[i], pto_rules[i].name);
        }
    }
    return checks_done();
}
