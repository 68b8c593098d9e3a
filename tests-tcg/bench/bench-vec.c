/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Speed of the VEC and SFU operations: whole tile operations of the pto
 * profile, header checks and allocation included, in million elements per
 * second.  Every operation runs with every type of a list it accepts, at 64x64
 * and 128x128, and is measured against the bars:
 *
 *   - a named loop, compiled by the C compiler for this machine, times a ratio;
 *   - FP16 and BF16 reach half of the rate of FP32;
 *   - everything reaches 50 million elements per second, but sorts and
 *     histograms.
 *
 * Misses are marked LOW and listed again at the end.
 *
 *   bench-vec [operation name]...
 */
#include <time.h>
#include "../unit/vec/env.h"
#include "bench-vec.h"

#define RUNS 5
#define SIDES 2
#define LEAST_RATE 50.0

/* A loop that does the same, and the wanted ratio to it. */
typedef struct Yardstick {
    PtoTileOpId op;
    PtoDataType type;
    const char *loop;
    double least;
} Yardstick;

#define R(o, t, l, r) { PTO_OP_##o, PTO_##t, l, r }

static const Yardstick yardsticks[] = {
    R(TADD, FP32, "add_f32", 0.5), R(TMUL, FP32, "mul_f32", 0.5),
    R(TFMA, FP32, "fma_f32", 0.5), R(TDIV, FP32, "div_f32", 0),
    R(TMAX, FP32, "max_f32", 0), R(TADD, FP64, "add_f64", 0),
    R(TADD, S32, "add_s32", 0.5), R(TMUL, S32, "mul_s32", 0.5),
    R(TMAX, S32, "max_s32", 0.5), R(TADD, S16, "add_s16", 0.5),
    R(TADD, S8, "add_s8", 0.5), R(TAND, U32, "and_u32", 0.5),
    R(TSHL, U32, "shl_u32", 0.5), R(TSHR, S16, "shr_s16", 0.5),
    R(TFMA, S32, "fma_s32", 0.5), R(TABS, S32, "abs_s32", 0.5),
    R(TNOT, U8, "not_u8", 0.5), R(TEXP, FP32, "exp_f32", 0.25),
    R(TLOG, FP32, "log_f32", 0.25), R(TRECIP, FP32, "rec_f32", 0),
};

/* FP32 first: FP16 and BF16 are compared with it. */
static const PtoDataType types[] = {
    PTO_FP32, PTO_FP16, PTO_BF16, PTO_FP64, PTO_TF32, PTO_HF32, PTO_E4M3,
    PTO_E5M2, PTO_S64, PTO_S32, PTO_S16, PTO_S8, PTO_U64, PTO_U32, PTO_U16,
    PTO_U8,
};

typedef struct Row {
    PtoTileOpId op;
    PtoDataType type;
} Row;

typedef struct Result {
    Row row;
    uint32_t n;
    double rate;                /* million elements per second */
    double loop_rate, least;    /* yardstick; 0: none */
    double half_of;             /* FP32 rate to reach half of; 0: none */
} Result;

/* CPU time: other work on the machine must not count. */
static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static uint64_t next_random(uint64_t *s)
{
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    return *s;
}

/* Ordinary values: floats in 0.5 .. 4, small nonzero integers. */
static void fill(PtoTile *t, uint64_t *s)
{
    const PtoFormat *f = pto_format(t->type);

    for (uint32_t r = 0; r < t->vrows; r++) {
        for (uint32_t c = 0; c < t->vcols; c++) {
            uint64_t v = next_random(s);
            unsigned low = f->frac_bits + f->carrier_shift;

            if (f->kind == PTO_FMT_BINARY) {
                v = ((uint64_t)(f->bias - 1 + v % 3) << low) |
                    ((v >> 8 & ((1ull << f->frac_bits) - 1))
                     << f->carrier_shift);
            } else {
                v = v % 100 + 1;
            }
            pto_tile_put(t, r, c, v);
        }
    }
}

/* A scalar that every type accepts: one. */
static uint64_t one(PtoDataType type)
{
    const PtoFormat *f = pto_format(type);

    return f->kind == PTO_FMT_BINARY
           ? (uint64_t)f->bias << (f->frac_bits + f->carrier_shift) : 1;
}

static unsigned code_for(PtoDataType type, uint32_t vrows, uint32_t cols)
{
    return vec_size_code(type, vrows, cols);
}

static PtoTile *operand(VecEnv *e, unsigned slot, PtoDataType type, uint32_t n,
                        uint32_t vrows, uint32_t vcols)
{
    static uint64_t seed = 88172645463325252u;
    uint32_t cols = vcols == 1 ? 1 : n;
    PtoTile *t = vec_tile(e, slot, type, code_for(type, n, cols), cols, vrows,
                          vcols);

    fill(t, &seed);
    return t;
}

static void set_indices(PtoTile *t, uint32_t n)
{
    for (uint32_t r = 0; r < n; r++) {
        for (uint32_t c = 0; c < n; c++) {
            pto_tile_put(t, r, c, (r * 7 + c) % n);
        }
    }
}

/* CELL operations: n x n elements in 16 rows. */
static void prepare_cell(VecEnv *e, const Row *row, uint32_t n)
{
    unsigned bits = pto_type_bits(row->type);
    unsigned code = vec_size_code(row->type, n, n);
    uint32_t cols = n * n / 16;
    uint64_t zero = 0;

    for (unsigned i = 0; i < 2; i++) {
        vec_cube_tile(e, i, row->type, code, PTO_LAYOUT_M16, 16, cols);
    }
    vec_block(e, row->op, row->type);
    if (row->op == PTO_OP_TPERMUTE) {
        vec_cube_tile(e, 2, PTO_U8, code, PTO_LAYOUT_M16, 16,
                      cols * bits / 8);
        vec_tile_set(&e->local.tile[2], &zero, 1);
        vec_iot(e, -1, 0, 2, 0, 1, false);
        vec_iot(e, 3, code, 1, 2, 0, true);
    } else if (row->op == PTO_OP_TSHUF) {
        vec_cube_tile(e, 1, PTO_U32, code, PTO_LAYOUT_M16, 16,
                      cols * bits / 32);
        vec_ior(e, 1, 0, 0, 0);
        vec_iot(e, 3, code, 2, 0, 1, true);
    } else {
        bool pack = row->op == PTO_OP_TPACK;

        vec_ior(e, 1, pack ? 0x0202 : 0x0201, 0, 0);
        vec_iot(e, 3, code, pack ? 2 : 1, 0, 1, true);
    }
}

/* Operands and header for one operation on n x n tiles. */
static bool prepare(VecEnv *e, const Row *row, uint32_t n)
{
    const PtoTileOp *o = &pto_tile_ops[row->op];
    PtoDataType type = row->type, out = type;
    uint32_t out_rows = n, out_cols = n;
    bool dims = true, pair = false;
    unsigned nsrc = o->sources;

    if (o->schema == PTO_SCHEMA_CELL) {
        prepare_cell(e, row, n);
        return true;
    }
    for (unsigned i = 0; i < nsrc; i++) {
        operand(e, i, type, n, n, n);
    }
    vec_block(e, row->op, type);
    switch (o->schema) {
    case PTO_SCHEMA_FMA:
        pair = true;
        break;
    case PTO_SCHEMA_SELECT:
        pair = true;
        /* fall through */
    case PTO_SCHEMA_SELECT_SCALAR:
        vec_predicate(e, 0, &e->local.tile[1]);
        break;
    case PTO_SCHEMA_COMPARE:
    case PTO_SCHEMA_COMPARE_SCALAR:
        out = PTO_U8;
        break;
    case PTO_SCHEMA_EXPAND_ROW:
        operand(e, nsrc - 1, type, n, n, 1);
        break;
    case PTO_SCHEMA_EXPAND_COL:
        operand(e, nsrc - 1, type, n, 1, n);
        break;
    case PTO_SCHEMA_REDUCE_ROW:
        out_cols = 1;
        /* fall through */
    case PTO_SCHEMA_REDUCE_COL:
        if (o->sub == PTO_SUB_RED_ARGMAX || o->sub == PTO_SUB_RED_ARGMIN) {
            out = PTO_U32;
        }
        break;
    case PTO_SCHEMA_CONVERT:
        out = type == PTO_FP32 ? PTO_FP16 : PTO_FP32;
        vec_datr(e)->dtype = out;
        break;
    case PTO_SCHEMA_QUANT:
        out = row->op == PTO_OP_TQUANT ? PTO_S8 : PTO_FP32;
        vec_datr(e)->dtype = out;
        break;
    case PTO_SCHEMA_HISTOGRAM:
        operand(e, 1, PTO_U8, n, n, n);
        vec_datr(e)->dtype = out = PTO_U32;
        e->b.datr.pad = 1;
        out_cols = 256;
        dims = false;
        break;
    case PTO_SCHEMA_INDEXED:
        set_indices(vec_tile(e, 1, PTO_U32, code_for(PTO_U32, n, n), n, n, n),
                    n);
        break;
    case PTO_SCHEMA_SORT:
        dims = false;
        break;
    default:
        break;
    }
    if (row->op == PTO_OP_TMRGSORT) {
        /* Two ordered rows: constants. */
        for (unsigned i = 0; i < 2; i++) {
            uint64_t v = 0x3f800000;

            vec_tile_set(vec_tile(e, i, type, code_for(type, 1, n * n / 2),
                                  n * n / 2, 1, n * n / 2), &v, 1);
        }
        out_rows = 1;
        out_cols = n * n;
    }
    if (row->op == PTO_OP_TCI) {
        out_rows = 1;
        out_cols = n * n;
    }
    if (row->op == PTO_OP_TCONCAT) {
        operand(e, 0, type, n, n, n / 2);
        operand(e, 1, type, n, n, n / 2);
    }
    if (row->op == PTO_OP_TEXTRACT) {
        /* a window of a quarter */
        vec_dims(e, n / 2, n / 2, n);
        dims = false;
    }
    if (row->op == PTO_OP_TINSERT) {
        operand(e, 1, type, n, n - 1, n);
        vec_dims(e, -1, -1, n);
        dims = false;
    }
    if (dims) {
        vec_dims(e, out_cols == 1 ? n : out_cols, out_rows,
                 out_cols == 1 ? n : out_cols);
    }
    if (o->gprs && o->schema != PTO_SCHEMA_QUANT &&
        o->schema != PTO_SCHEMA_SORT) {
        vec_ior(e, 1, one(type), 0, 0);
    }
    if (pair) {
        vec_iot(e, -1, 0, 2, 0, 1, false);
        vec_iot(e, 3, code_for(out, out_rows, out_cols), 1, 2, 0, true);
    } else if (row->op == PTO_OP_TSORT) {
        vec_iot(e, 3, code_for(out, n, n), 1, 0, 0, false);
        vec_iot(e, 3, code_for(PTO_U32, n, n), 0, 0, 0, true);
    } else {
        vec_iot(e, 3, code_for(out, out_rows, out_cols), nsrc, 0, 1, true);
    }
    return e->b.iot_count > 0;
}

/* One commit and its undoing; the rule that refused it, or NULL. */
static const char *once(VecEnv *e)
{
    PtoCommit r = vec_commit(e);

    if (r.status != PTO_COMMIT_DONE) {
        return r.fault.rule ? r.fault.rule : "no fault";
    }
    pto_local_free(&e->local, 48);
    pto_local_free(&e->local, 49);
    return NULL;
}

static double time_ours(VecEnv *e, unsigned times)
{
    double start = now();

    for (unsigned i = 0; i < times; i++) {
        once(e);
    }
    return now() - start;
}

static double time_loop(const BenchLoop *l, const VecEnv *e, void *out,
                        size_t n, unsigned times)
{
    double start = now();

    for (unsigned i = 0; i < times; i++) {
        l->run(out, pto_tile_data(&e->local.tile[0]),
               pto_tile_data(&e->local.tile[1]),
               pto_tile_data(&e->local.tile[2]), n);
        __asm__ volatile("" : : : "memory");
    }
    return now() - start;
}

static const BenchLoop *loop_by_name(const char *name)
{
    for (const BenchLoop *l = bench_loops; name && l->name; l++) {
        if (!strcmp(l->name, name)) {
            return l;
        }
    }
    return NULL;
}

static const Yardstick *yardstick_of(const Row *row)
{
    for (unsigned i = 0; i < ARRAY_SIZE(yardsticks); i++) {
        if (yardsticks[i].op == row->op && yardsticks[i].type == row->type) {
            return &yardsticks[i];
        }
    }
    return NULL;
}

/* The two sides in turns; the best of each.  The rule that refused, or NULL. */
static const char *bench(VecEnv *e, Result *r, void *out)
{
    const Yardstick *y = yardstick_of(&r->row);
    const BenchLoop *l = y ? loop_by_name(y->loop) : NULL;
    double ours = 1e9, theirs = 1e9, t;
    double elements = (double)r->n * r->n * 1e-6;
    unsigned times = 1;

    const char *rule;

    rule = prepare(e, &r->row, r->n) ? once(e) : "header";
    if (rule) {
        return rule;
    }
    while ((t = time_ours(e, times)) < 0.001 && times < 1u << 16) {
        times *= 2;
    }
    for (unsigned i = 0; i < RUNS; i++) {
        t = time_ours(e, times) / times;
        ours = MIN(ours, t);
        if (l) {
            t = time_loop(l, e, out, r->n * r->n, times) / times;
            theirs = MIN(theirs, t);
        }
    }
    r->rate = elements / ours;
    r->loop_rate = l ? elements / theirs : 0;
    r->least = l ? y->least : 0;
    return NULL;
}

static bool free_of_rate(PtoTileOpId op)
{
    return op == PTO_OP_TSORT || op == PTO_OP_TMRGSORT ||
           op == PTO_OP_THISTOGRAM;
}

static bool below_loop(const Result *r)
{
    return r->loop_rate && r->rate < r->loop_rate * r->least;
}

static bool below_half(const Result *r)
{
    return r->half_of && r->rate < r->half_of / 2;
}

static bool below_rate(const Result *r)
{
    return r->rate < LEAST_RATE && !free_of_rate(r->row.op);
}

static bool is_low(const Result *r)
{
    return below_loop(r) || below_half(r) || below_rate(r);
}

static void print_result(const Result *r)
{
    printf("%-18s %-5s %3ux%-3u %9.1f M/s", pto_tile_ops[r->row.op].name,
           pto_type_info[r->row.type].name, r->n, r->n, r->rate);
    if (r->loop_rate) {
        printf("   C loop %9.1f M/s   ratio %5.2f", r->loop_rate,
               r->rate / r->loop_rate);
    }
    if (r->half_of) {
        printf("   of FP32 %5.2f", r->rate / r->half_of);
    }
    printf("%s%s%s\n", below_loop(r) ? "   LOW (loop)" : "",
           below_half(r) ? "   LOW (FP32)" : "",
           below_rate(r) ? "   LOW (rate)" : "");
}

/* Both sizes of one operation with every type; counts what was refused. */
static unsigned bench_operation(VecEnv *e, const PtoTileOp *o, Result *results,
                                unsigned *refused, void *out)
{
    unsigned count = 0;

    for (uint32_t n = 64; n <= 64 * SIDES; n += 64) {
        double fp32 = 0;

        for (unsigned i = 0; i < ARRAY_SIZE(types); i++) {
            PtoDataType t = types[i];
            Result r = { .row = { o->id, t }, .n = n };
            const char *rule;

            if (!pto_type_in(o->types, t) ||
                n * n * pto_type_bits(t) / 8 > 65536) {
                continue;
            }
            rule = bench(e, &r, out);
            if (rule) {
                ++*refused;
                printf("%-18s %-5s %3ux%-3u refused: %s\n", o->name,
                       pto_type_info[t].name, n, n, rule);
                continue;
            }
            fp32 = t == PTO_FP32 ? r.rate : fp32;
            r.half_of = t == PTO_FP16 || t == PTO_BF16 ? fp32 : 0;
            print_result(&r);
            results[count++] = r;
        }
    }
    return count;
}

static void print_summary(const Result *results, unsigned count,
                          unsigned refused)
{
    unsigned low = 0;

    printf("\nBelow a bar:\n");
    for (unsigned i = 0; i < count; i++) {
        if (is_low(&results[i])) {
            low++;
            print_result(&results[i]);
        }
    }
    printf("%u cases, %u below a bar, %u refused (no such type or shape)\n",
           count, low, refused);
}

static void print_cpu(void)
{
    char line[200];
    FILE *f = fopen("/proc/cpuinfo", "r");

    while (f && fgets(line, sizeof(line), f)) {
        if (!strncmp(line, "model name", 10)) {
            printf("%s", line);
            break;
        }
    }
    if (f) {
        fclose(f);
    }
}

static bool wanted(const PtoTileOp *o, int argc, char **argv)
{
    bool named = argc == 1;

    for (int k = 1; k < argc; k++) {
        named |= !strcmp(argv[k], o->name);
    }
    return named && o->family == PTO_FAMILY_TEPL;
}

int main(int argc, char **argv)
{
    VecEnv *e = pto_alloc0(sizeof(*e));
    void *out = pto_alloc(128 * 128 * 8);
    Result *results = pto_alloc0(PTO_OP_COUNT * ARRAY_SIZE(types) * SIDES *
                                 sizeof(*results));
    unsigned count = 0, refused = 0;

    print_cpu();
    vec_env_init(e, &pto_tile_profile_pto);
    for (unsigned i = 0; i < PTO_OP_COUNT; i++) {
        const PtoTileOp *o = &pto_tile_ops[i];

        if (wanted(o, argc, argv)) {
            count += bench_operation(e, o, results + count, &refused, out);
        }
    }
    print_summary(results, count, refused);
    vec_env_done(e);
    pto_free(results);
    pto_free(out);
    pto_free(e);
    return 0;
}
