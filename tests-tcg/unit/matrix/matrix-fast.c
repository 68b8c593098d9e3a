/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The whole-matrix kernels against the element-wise chain of the numeric
 * engine: random and special operands, every type pair, every kernel set of
 * the host, all operand layouts.
 *
 *   matrix-fast [TERMS [SEED [FIRST [LAST]]]]
 *
 * TERMS K terms (default 100000) for each type pair, or only for those with
 * the numbers FIRST to LAST, which are then listed one by one.
 */
#include "operand.h"
#include "tile/formats.h"

typedef struct Random {
    uint64_t state;
} Random;

static uint32_t next(Random *r)
{
    r->state = r->state * 6364136223846793005ull + 1442695040888963407ull;
    return r->state >> 32;
}

static unsigned below(Random *r, unsigned limit)
{
    return next(r) % limit;
}

/* Clear what the format forbids. */
static uint64_t legal(PtoDataType type, uint64_t bits)
{
    switch (type) {
    case PTO_TF32:
        return bits & ~0x1fffull;
    case PTO_HF32:
        return bits & ~0xfffull;
    case PTO_E3M2: case PTO_E2M3:
        return bits & 0x3f;
    default:
        return bits & pto_type_mask(type);
    }
}

/*
 * @mix 0: any encoding; 1: many zeros, extremes, infinities and NaNs; 2: near
 * one, so that sums cancel and round in every way.
 */
static uint64_t element(Random *r, PtoDataType type, unsigned mix)
{
    const PtoFormat *f = pto_format(type);
    uint64_t bits = (uint64_t)next(r) << 32 | next(r);
    uint64_t mask = pto_type_mask(type), sign = mask ^ (mask >> 1);
    const uint64_t special[] = {
        0, sign, 1, sign | 1, f->inf, f->inf | sign, f->canonical_nan,
        f->max_finite, f->max_finite | sign, mask, mask >> 1,
    };

    if (mix == 1 && below(r, 3) == 0) {
        return legal(type, special[below(r, ARRAY_SIZE(special))]);
    }
    if (mix == 2 && f->kind == PTO_FMT_BINARY && f->exp_bits > 4) {
        unsigned shift = f->frac_bits + f->carrier_shift;
        uint64_t exponent = f->bias - 3 + below(r, 6);

        bits = (bits & (sign | ((1ull << shift) - 1))) | exponent << shift;
    }
    return legal(type, bits);
}

static TestMatrix matrix(Random *r, PtoDataType type, unsigned rows,
                         unsigned cols, unsigned mix)
{
    TestMatrix m = { .type = type, .rows = rows, .cols = cols };

    m.v = calloc((size_t)rows * cols, sizeof(*m.v));
    for (size_t i = 0; i < (size_t)rows * cols; i++) {
        m.v[i] = element(r, type, mix);
    }
    return m;
}

/* Scale words: mostly moderate, sometimes any. */
static TestMatrix scales(Random *r, PtoDataType primary, unsigned rows,
                         unsigned k)
{
    bool hif4 = primary == PTO_HIF4X2;
    unsigned group = pto_mat_group(primary);
    TestMatrix m = matrix(r, hif4 ? PTO_U32 : PTO_E8M0, rows,
                          (k + group - 1) / group, 0);

    for (size_t i = 0; i < (size_t)m.rows * m.cols; i++) {
        if (below(r, 16)) {
            m.v[i] = hif4 ? (m.v[i] & ~0xffull) | (180 + below(r, 30))
                          : 120 + below(r, 16);
        }
    }
    return m;
}

typedef struct Pair {
    PtoDataType a, b, acc;
    bool mx;
} Pair;

typedef struct Trial {
    Pair pair;
    unsigned m, n, k;
    bool shared, trans;
    TestStored a, b, sa, sb, c, bias;
    PtoMatProblem problem;
} Trial;

static TestStored store(TestMatrix m, PtoLayout layout, bool trans)
{
    TestStored s = stored_make(&m, layout, trans);

    free(m.v);
    return s;
}

static bool scaled(const Pair *pair, PtoDataType type)
{
    return pair->mx && type != PTO_FP16 && type != PTO_BF16;
}

static void trial_make(Trial *t, Random *r, const Pair *pair)
{
    unsigned mix = below(r, 3);
    bool tall = below(r, 2);
    PtoLayout layout = tall ? PTO_LAYOUT_M32 : PTO_LAYOUT_M16;

    memset(t, 0, sizeof(*t));
    t->pair = *pair;
    t->m = 1 + below(r, tall ? 32 : 16);
    t->n = 1 + below(r, 40);
    t->k = 1 + below(r, below(r, 4) ? 40 : 300);
    t->shared = below(r, 3) == 0;
    t->trans = t->shared && below(r, 2);
    t->a = store(matrix(r, pair->a, t->m, t->k, mix),
                 t->shared ? PTO_LAYOUT_ROW : layout, t->trans);
    t->b = store(matrix(r, pair->b, t->k, t->n, mix),
                 t->shared ? PTO_LAYOUT_ROW : PTO_LAYOUT_N8, t->trans);
    if (scaled(pair, pair->a)) {
        t->sa = store(scales(r, pair->a, t->m, t->k), PTO_LAYOUT_M32, false);
    }
    if (scaled(pair, pair->b)) {
        t->sb = store(scales(r, pair->b, t->n, t->k), PTO_LAYOUT_M32, false);
    }
    if (below(r, 2)) {
        t->c = store(matrix(r, pair->acc, t->m, t->n, mix), layout, false);
    }
    if (below(r, 2)) {
        t->bias = store(matrix(r, pair->acc, 1, t->n, mix), PTO_LAYOUT_ROW,
                        false);
    }
    t->problem = (PtoMatProblem) {
        .m = t->m, .n = t->n, .k = t->k, .acc = pair->acc, .a = t->a.view,
        .b = t->b.view, .sa = t->sa.view, .sb = t->sb.view,
        .sb_by_column = true, .c = t->c.view, .bias = t->bias.view,
        .lda = tall ? 32 : 16,
    };
}

static void trial_free(Trial *t)
{
    stored_free(&t->a);
    stored_free(&t->b);
    stored_free(&t->sa);
    stored_free(&t->sb);
    stored_free(&t->c);
    stored_free(&t->bias);
}

static void report(const Trial *t, const char *kernels, size_t at,
                   uint32_t got, uint32_t want)
{
    printf("%s x %s%s, %ux%ux%u%s%s%s%s, kernels %s: column %zu row %zu is "
           "%08x, reference %08x\n",
           pto_format(t->pair.a)->name, pto_format(t->pair.b)->name,
           t->pair.mx ? " MX" : "", t->m, t->n, t->k,
           t->shared ? " row-major" : "", t->trans ? " transposed" : "",
           t->c.data ? " C" : "", t->bias.data ? " bias" : "", kernels,
           at / t->problem.lda, at % t->problem.lda, got, want);
}

/* One product on all kernel sets; true if they agree with the reference. */
static bool trial_run(Trial *t)
{
    size_t count = (size_t)t->n * t->problem.lda;
    uint32_t *want = aligned_alloc(64, count * sizeof(*want));
    uint32_t *got = aligned_alloc(64, count * sizeof(*got));
    const PtoMatKernels *kernels;
    bool ok = true;

    t->problem.path = PTO_MAT_REFERENCE;
    t->problem.d = want;
    pto_mat_product(&t->problem);
    t->problem.path = PTO_MAT_FAST;
    t->problem.d = got;
    for (unsigned i = 0; (kernels = pto_mat_kernels_list(i)); i++) {
        t->problem.kernels = kernels;
        memset(got, 0x5a, count * sizeof(*got));
        pto_mat_product(&t->problem);
        for (size_t j = 0; j < count; j++) {
            if (got[j] != want[j]) {
                report(t, kernels->name, j, got[j], want[j]);
                ok = false;
                break;
            }
        }
    }
    free(want);
    free(got);
    return ok;
}

static unsigned run_pair(Random *r, const Pair *pair, uint64_t terms)
{
    unsigned failed = 0;

    for (uint64_t done = 0; done < terms && failed < 3;) {
        Trial t;

        trial_make(&t, r, pair);
        failed += !trial_run(&t);
        done += (uint64_t)t.m * t.n * t.k;
        trial_free(&t);
    }
    return failed;
}

#define FLOATS 12u
#define MX_TYPES 7u
#define PAIRS (FLOATS * FLOATS + MX_TYPES * MX_TYPES + 2 * 9)

/* Type pair number @i: ordinary floats, MX, signed and unsigned integers. */
static Pair pair_of(unsigned i)
{
    static const PtoDataType floats[FLOATS] = {
        PTO_FP32, PTO_TF32, PTO_HF32, PTO_FP16, PTO_BF16, PTO_HIF8, PTO_E4M3,
        PTO_E5M2, PTO_E3M2, PTO_E2M3, PTO_E2M1X2, PTO_E1M2X2,
    };
    static const PtoDataType mx[MX_TYPES] = {
        PTO_FP16, PTO_BF16, PTO_E4M3, PTO_E5M2, PTO_E2M1X2, PTO_E1M2X2,
        PTO_HIF4X2,
    };
    static const PtoDataType ints[2][3] = {
        { PTO_S16, PTO_S8, PTO_S4X2 }, { PTO_U16, PTO_U8, PTO_U4X2 },
    };

    if (i < FLOATS * FLOATS) {
        return (Pair) { floats[i / FLOATS], floats[i % FLOATS], PTO_FP32,
                        false };
    }
    i -= FLOATS * FLOATS;
    if (i < MX_TYPES * MX_TYPES) {
        return (Pair) { mx[i / MX_TYPES], mx[i % MX_TYPES], PTO_FP32, true };
    }
    i -= MX_TYPES * MX_TYPES;
    return (Pair) { ints[i / 9][i % 9 / 3], ints[i / 9][i % 3],
                    i / 9 ? PTO_U32 : PTO_S32, false };
}

int main(int argc, char **argv)
{
    uint64_t terms = argc > 1 ? strtoull(argv[1], NULL, 0) : 100000;
    Random r = { argc > 2 ? strtoull(argv[2], NULL, 0) : 1 };
    unsigned first = argc > 3 ? strtoul(argv[3], NULL, 0) : 0;
    unsigned last = argc > 4 ? strtoul(argv[4], NULL, 0) : PAIRS - 1;
    unsigned failed = 0, pairs = 0;

    for (unsigned i = first; i <= last && i < PAIRS; i++, pairs++) {
        Pair pair = pair_of(i);
        unsigned differ = run_pair(&r, &pair, terms);

        failed += differ;
        if (argc > 3) {
            printf("%3u %s x %s%s: %s\n", i, pto_format(pair.a)->name,
                   pto_format(pair.b)->name, pair.mx ? " MX" : "",
                   differ ? "differs" : "equal");
            fflush(stdout);
        }
    }
    printf("%u type pairs, %" PRIu64 " terms each: %u products differ\n",
           pairs, terms, failed);
    return failed != 0;
}
