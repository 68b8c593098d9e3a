/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Speed of the VEC and SFU operations: whole tile operations of the pto
 * profile, header checks and allocation included, in million elements per
 * second, beside the same loop compiled by the C compiler for this machine.
 *
 *   bench-vec [operation name]...
 */
#include <time.h>
#include "../unit/vec/env.h"
#include "bench-vec.h"

#define RUNS 7

typedef struct Row {
    PtoTileOpId op;
    PtoDataType type;
    const char *loop;           /* yardstick, or NULL */
    double least;               /* wanted ratio to it */
} Row;

#define R(o, t, l, r) { PTO_OP_##o, PTO_##t, l, r }
#define S(o, t) { PTO_OP_##o, PTO_##t, NULL, 0 }

static const Row rows[] = {
    R(TADD, FP32, "add_f32", 0.5), R(TMUL, FP32, "mul_f32", 0.5),
    R(TFMA, FP32, "fma_f32", 0.5), R(TDIV, FP32, "div_f32", 0),
    R(TMAX, FP32, "max_f32", 0), R(TADD, FP64, "add_f64", 0),
    R(TADD, S32, "add_s32", 0.5), R(TMUL, S32, "mul_s32", 0.5),
    R(TMAX, S32, "max_s32", 0.5), R(TADD, S16, "add_s16", 0.5),
    R(TADD, S8, "add_s8", 0.5), R(TAND, U32, "and_u32", 0.5),
    R(TSHL, U32, "shl_u32", 0.5), R(TSHR, S16, "shr_s16", 0.5),
    R(TFMA, S32, "fma_s32", 0.5), R(TABS, S32, "abs_s32", 0.5),
    R(TNOT, U8, "not_u8", 0.5),
    R(TEXP, FP32, "exp_f32", 0.25), R(TLOG, FP32, "log_f32", 0.25),
    R(TRECIP, FP32, "rec_f32", 0),
    S(TADD, FP16), S(TMUL, BF16), S(TFMA, FP16), S(TFMA, BF16), S(TDIV, S32),
    S(TREM, U16), S(TREM, FP32), S(TDIV, FP16), S(TADD, E4M3), S(TADD, TF32),
    S(TMAX, FP16), S(TEXP, FP16), S(TEXP, BF16), S(TSQRT, FP32),
    S(TRSQRT, FP32), S(TEXP, FP64), S(TLOG, FP64), S(TRSQRT, FP64),
    S(TNEG, FP32), S(TRELU, BF16), S(TADDS, FP32), S(TMULS, S16),
    S(TCMP, FP32), S(TCMP, S8), S(TCMPS, FP16), S(TSEL, FP32), S(TSELS, U8),
    S(TEXPANDS, FP32), S(TROWSUM, FP32), S(TROWSUM, S32), S(TROWMAX, FP16),
    S(TROWARGMAX, FP32), S(TCOLSUM, FP32), S(TCOLMAX, BF16),
    S(TCOLARGMIN, S16), S(TROWEXPAND, FP32), S(TROWEXPANDADD, FP32),
    S(TCOLEXPANDMUL, FP32), S(TROWEXPANDEXPDIF, FP32),
    S(TCOLEXPANDEXPDIF, FP16), S(TCVT, FP32), S(TCVT, FP16), S(TCVT, S32),
    S(TQUANT, FP32), S(TDEQUANT, S8), S(TGATHER, FP32), S(TSCATTER, FP32),
    S(TCI, S32), S(TTRI, FP32), S(TCONCAT, FP32), S(TEXTRACT, FP16),
    S(TINSERT, FP32), S(THISTOGRAM, U16), S(TSORT, FP32), S(TMRGSORT, FP32),
};

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

/* Operands and header for one operation on n x n tiles. */
static bool prepare(VecEnv *e, const Row *row, uint32_t n)
{
    const PtoTileOp *o = &pto_tile_ops[row->op];
    PtoDataType type = row->type, out = type;
    uint32_t out_rows = n, out_cols = n;
    bool dims = true, pair = false;
    unsigned nsrc = o->sources;

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
        vec_ior(e, 1, 1, 0, 0);
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

static bool once(VecEnv *e, const Row *row)
{
    PtoCommit r = vec_commit(e);

    if (r.status != PTO_COMMIT_DONE) {
        printf("%-18s %-5s rejected: %s\n", pto_tile_ops[row->op].name,
               pto_type_info[row->type].name,
               r.fault.rule ? r.fault.rule : "?");
        return false;
    }
    pto_local_free(&e->local, 48);
    pto_local_free(&e->local, 49);
    return true;
}

static double time_ours(VecEnv *e, const Row *row, unsigned times)
{
    double start = now();

    for (unsigned i = 0; i < times; i++) {
        once(e, row);
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

static void bench(VecEnv *e, const Row *row, uint32_t n, void *out)
{
    const BenchLoop *l = loop_by_name(row->loop);
    double ours = 1e9, theirs = 1e9, t;
    double elements = (double)n * n;
    unsigned times = 1;

    if (!prepare(e, row, n) || !once(e, row)) {
        return;
    }
    while ((t = time_ours(e, row, times)) < 0.004) {
        times *= 2;
    }
    for (unsigned i = 0; i < RUNS; i++) {
        t = time_ours(e, row, times) / times;
        ours = MIN(ours, t);
        if (l) {
            t = time_loop(l, e, out, n * n, times) / times;
            theirs = MIN(theirs, t);
        }
    }
    printf("%-18s %-5s %3ux%-3u %9.1f M/s", pto_tile_ops[row->op].name,
           pto_type_info[row->type].name, n, n, elements / ours * 1e-6);
    if (l) {
        printf("   C loop %9.1f M/s   ratio %5.2f%s", elements / theirs * 1e-6,
               theirs / ours, theirs / ours < row->least ? "  LOW" : "");
    } else if (elements / ours < 50e6) {
        printf("   LOW");
    }
    printf("\n");
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

int main(int argc, char **argv)
{
    VecEnv *e = pto_alloc0(sizeof(*e));
    void *out = pto_alloc(128 * 128 * 8);

    print_cpu();
    vec_env_init(e, &pto_tile_profile_pto);
    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
        bool wanted = argc == 1;

        for (int k = 1; k < argc; k++) {
            wanted |= !strcmp(argv[k], pto_tile_ops[rows[i].op].name);
        }
        for (uint32_t n = 64; wanted && n <= 128; n *= 2) {
            unsigned bytes = pto_type_bits(rows[i].type) / 8;

            if (n * n * bytes <= 65536) {
                bench(e, &rows[i], n, out);
            }
        }
    }
    vec_env_done(e);
    pto_free(out);
    pto_free(e);
    return 0;
}
