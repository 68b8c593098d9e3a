/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fast row paths against the element reference: bits and flags, over
 * special and random operands, row lengths, splats and strides.
 */
#include "tile/kernels/rows.h"

#define MAX_COLS 300
#define MAX_ROWS 3
#define ELEMENTS (MAX_COLS * MAX_ROWS)

typedef struct Random {
    uint64_t state;
} Random;

static uint64_t next_random(Random *r)
{
    r->state ^= r->state << 13;
    r->state ^= r->state >> 7;
    r->state ^= r->state << 17;
    return r->state;
}

/*
 * An operand: often near the edges of the format, sometimes close to its
 * partner, so that cancellation, ties, tiny and huge results all occur.
 */
static uint64_t operand(Random *r, PtoDataType type, unsigned recipe)
{
    const PtoFormat *fmt = pto_format(type);
    uint64_t bits = next_random(r) & pto_type_mask(type);
    uint64_t low = (UINT64_C(1) << fmt->carrier_shift) - 1;

    if (fmt->kind != PTO_FMT_BINARY) {
        return recipe % 3 == 0 ? (bits & 7) - 3 : bits;
    }
    if (recipe % 4) {
        /* Exponents near a centre chosen by the recipe; NaNs stay rare. */
        unsigned range = 1u << fmt->exp_bits;
        unsigned centre = recipe % 4 == 1 ? (unsigned)fmt->bias
                          : recipe % 4 == 2 ? 2 : range - 3;
        unsigned exp = (centre + next_random(r) % 7 - 3) % range;
        uint64_t frac = next_random(r) & ((UINT64_C(1) << fmt->frac_bits) - 1);

        if (next_random(r) % 4 == 0) {
            frac &= frac << (next_random(r) % (fmt->frac_bits + 1));
        }
        bits = (next_random(r) & 1) << (fmt->frac_bits + fmt->exp_bits) |
               (uint64_t)exp << fmt->frac_bits | frac;
        bits <<= fmt->carrier_shift;
    }
    if (next_random(r) % 64 == 0) {
        bits = next_random(r) & 1 ? 0 : fmt->inf ? fmt->inf : fmt->max_finite;
        bits |= (next_random(r) & 1) << (fmt->elem_bits - 1);
    }
    return bits & ~low & pto_type_mask(type);
}

static void fill(Random *r, PtoDataType type, void *row, size_t n,
                 unsigned recipe)
{
    for (size_t i = 0; i < n; i++) {
        pto_elem_store(type, row, i, operand(r, type, recipe));
    }
}

typedef struct Shape {
    size_t rows, cols;
    bool splat_a, splat_b;
    unsigned recipe;
} Shape;

static Shape random_shape(Random *r)
{
    static const size_t lengths[] = { 1, 2, 3, 7, 8, 16, 17, 33, 64, 130, 300 };
    unsigned pick = next_random(r) % 16;

    return (Shape) {
        .rows = 1 + next_random(r) % MAX_ROWS,
        .cols = lengths[next_random(r) % ARRAY_SIZE(lengths)],
        .splat_a = pick == 0, .splat_b = pick == 1 || pick == 2,
        .recipe = next_random(r) % 64,
    };
}

typedef struct Buffers {
    uint64_t a[ELEMENTS], b[ELEMENTS], c[ELEMENTS];
    uint64_t fast[ELEMENTS], want[ELEMENTS];
    unsigned covered;           /* rounds that had a fast path */
} Buffers;

static int failures;

static void report(const char *what, int op, PtoDataType type, PtoDataType dst,
                   size_t index, uint64_t got, uint64_t want)
{
    if (failures++ < 20) {
        printf("%s %d %s %s [%zu]: 0x%" PRIx64 ", expected 0x%" PRIx64 "\n",
               what, op, pto_format(type)->name, pto_format(dst)->name, index,
               got, want);
    }
}

static size_t element(bool splat, const Shape *s, size_t i)
{
    return splat ? i / s->cols * s->cols : i;
}

static bool check(const char *what, int op, PtoDataType type, PtoDataType dst,
                  const Buffers *m, const Shape *s, uint32_t flags,
                  uint32_t want_flags)
{
    for (size_t i = 0; i < s->rows * s->cols; i++) {
        uint64_t got = pto_elem_load(dst, m->fast, i);
        uint64_t want = pto_elem_load(dst, m->want, i);

        if (got != want) {
            report(what, op, type, dst, i, got, want);
            printf("    a 0x%" PRIx64 " b 0x%" PRIx64 " c 0x%" PRIx64 "\n",
                   pto_elem_load(type, m->a, element(s->splat_a, s, i)),
                   pto_elem_load(type, m->b, element(s->splat_b, s, i)),
                   pto_elem_load(type, m->c, i));
            return false;
        }
    }
    if (flags != want_flags) {
        report(what, op, type, dst, s->rows * s->cols, flags, want_flags);
    }
    return flags == want_flags;
}

/* Views of the operand buffers; rows are packed, so they may be merged. */
static PtoRows view(const void *base, PtoDataType type, const Shape *s,
                    bool splat)
{
    return (PtoRows) { base, s->cols * pto_type_bits(type) / 8, splat };
}

static PtoRowsOut output(void *base, PtoDataType type, const Shape *s)
{
    return (PtoRowsOut) { base, s->cols * pto_type_bits(type) / 8 };
}

static bool binary_round(Random *r, Buffers *m, int op, PtoDataType type)
{
    Shape s = random_shape(r);
    size_t n = s.rows * s.cols;
    uint32_t fast = 0, want = 0;

    fill(r, type, m->a, n, s.recipe);
    fill(r, type, m->b, n, s.recipe / 4 + s.recipe % 4);
    if (!pto_rows_binary_fast(op, type, output(m->fast, type, &s),
                              view(m->a, type, &s, s.splat_a),
                              view(m->b, type, &s, s.splat_b), s.rows, s.cols,
                              &fast)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t x = pto_elem_load(type, m->a, element(s.splat_a, &s, i));
        uint64_t y = pto_elem_load(type, m->b, element(s.splat_b, &s, i));

        pto_elem_store(type, m->want, i, pto_elem_binary(
                           op, type, x, y, PTO_ROUND_RNE, &want));
    }
    return check("binary", op, type, type, m, &s, fast, want);
}

static bool unary_round(Random *r, Buffers *m, int op, PtoDataType type)
{
    Shape s = random_shape(r);
    size_t n = s.rows * s.cols;
    uint32_t fast = 0, want = 0;

    s.splat_a = s.splat_b = false;
    fill(r, type, m->a, n, s.recipe);
    if (!pto_rows_unary_fast(op, type, output(m->fast, type, &s),
                             view(m->a, type, &s, false), s.rows, s.cols,
                             &fast)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        pto_elem_store(type, m->want, i, pto_elem_unary(
                           op, type, pto_elem_load(type, m->a, i),
                           PTO_ROUND_RNE, &want));
    }
    return check("unary", op, type, type, m, &s, fast, want);
}

/* Every operand of the 8- and 16-bit types, one at a time: bits and flags. */
static unsigned unary_exhaustive(int op, PtoDataType type)
{
    unsigned bits = pto_type_bits(type);
    uint64_t from = 0, to = 0;

    if (bits != 8 && bits != 16) {
        return 0;
    }
    for (uint32_t i = 0; i < 1u << bits; i++) {
        uint32_t fast = 0, want = 0;
        uint64_t expected, got;

        pto_elem_store(type, &from, 0, i);
        if (!pto_rows_unary_fast(op, type, (PtoRowsOut) { &to, 0 },
                                 (PtoRows) { &from, 0, false }, 1, 1, &fast)) {
            return 0;
        }
        expected = pto_elem_unary(op, type, i, PTO_ROUND_RNE, &want);
        got = pto_elem_load(type, &to, 0);
        if (got != expected) {
            report("all of unary", op, type, type, i, got, expected);
        }
        if (fast != want) {
            report("flags of unary", op, type, type, i, fast, want);
        }
    }
    return 1;
}

static void run_exhaustive(void)
{
    unsigned covered = 0;

    for (unsigned op = 0; op < PTO_ELEM_UNARY_COUNT; op++) {
        for (unsigned type = 0; type < PTO_DTYPE_CODES; type++) {
            if (pto_type_concrete(type)) {
                covered += unary_exhaustive(op, type);
            }
        }
    }
    printf("all operands of unary: %u fast paths\n", covered);
}

static bool fma_round(Random *r, Buffers *m, int op, PtoDataType type)
{
    Shape s = random_shape(r);
    size_t n = s.rows * s.cols;
    uint32_t fast = 0, want = 0;

    (void)op;
    fill(r, type, m->a, n, s.recipe);
    fill(r, type, m->b, n, 1);
    fill(r, type, m->c, n, s.recipe / 8);
    if (!pto_rows_fma_fast(type, output(m->fast, type, &s),
                           view(m->a, type, &s, s.splat_a),
                           view(m->b, type, &s, s.splat_b),
                           view(m->c, type, &s, false), s.rows, s.cols,
                           &fast)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t x = pto_elem_load(type, m->a, element(s.splat_a, &s, i));
        uint64_t y = pto_elem_load(type, m->b, element(s.splat_b, &s, i));

        pto_elem_store(type, m->want, i, pto_elem_fma(
                           type, x, y, pto_elem_load(type, m->c, i),
                           PTO_ROUND_RNE, &want));
    }
    return check("fma", op, type, type, m, &s, fast, want);
}

static bool compare_round(Random *r, Buffers *m, int op, PtoDataType type)
{
    Shape s = random_shape(r);
    size_t n = s.rows * s.cols, stride = s.cols + next_random(r) % 9;
    uint32_t fast = 0, want = 0;
    uint8_t *bits = (uint8_t *)m->fast;

    fill(r, type, m->a, n, s.recipe);
    fill(r, type, m->b, n, s.recipe);
    for (size_t i = 0; i < n; i += 3) {
        pto_elem_store(type, m->b, i, pto_elem_load(type, m->a, i));
    }
    memset(bits, 0xa5, ELEMENTS);
    if (!pto_rows_compare_fast(op, type, bits, stride,
                               view(m->a, type, &s, s.splat_a),
                               view(m->b, type, &s, s.splat_b), s.rows, s.cols,
                               &fast)) {
        return false;
    }
    for (size_t i = 0; i < s.rows * stride; i++) {
        size_t row = i / stride, col = i % stride;
        bool got = bits[i / 8] >> (i % 8) & 1, expected;
        size_t at = row * s.cols + col;

        expected = col >= s.cols ? 0xa5 >> (i % 8) & 1
            : pto_elem_compare(op, type,
                  pto_elem_load(type, m->a, element(s.splat_a, &s, at)),
                  pto_elem_load(type, m->b, element(s.splat_b, &s, at)), &want);
        if (got != expected) {
            report("compare", op, type, type, i, got, expected);
            return false;
        }
    }
    if (fast != want) {
        report("compare flags", op, type, type, 0, fast, want);
    }
    return fast == want;
}

static bool convert_round(Random *r, Buffers *m, PtoDataType src,
                          PtoDataType dst)
{
    Shape s = random_shape(r);
    PtoRound mode = next_random(r) % 8;
    bool sat = next_random(r) & 1, canon = next_random(r) & 1;
    size_t n;
    uint32_t fast = 0, want = 0;

    s.splat_a = s.splat_b = false;
    if (pto_type_is_4bit(src) || pto_type_is_4bit(dst)) {
        s.cols += s.cols & 1;
    }
    n = s.rows * s.cols;
    fill(r, src, m->a, n, s.recipe);
    if (!pto_rows_convert_fast(src, dst, output(m->fast, dst, &s),
                               view(m->a, src, &s, false), s.rows, s.cols, mode,
                               sat, canon, &fast)) {
        return true;
    }
    m->covered++;
    for (size_t i = 0; i < n; i++) {
        pto_elem_store(dst, m->want, i, pto_elem_convert(
                           src, dst, pto_elem_load(src, m->a, i), mode, sat,
                           canon, &want));
    }
    return check(sat ? "convert sat" : "convert", mode, src, dst, m, &s, fast,
                 want);
}

/* 4-bit elements in bytes of their own. */
static bool loose_round(Random *r, Buffers *m, int op, PtoDataType type)
{
    PtoDataType src = op ? type : PTO_E2M1X2, dst = op ? PTO_S4X2 : type;
    size_t n = 1 + next_random(r) % MAX_COLS;
    PtoRound mode = next_random(r) % 8;
    bool sat = next_random(r) & 1;
    uint32_t fast = 0, want = 0;
    uint8_t *bytes = (uint8_t *)m->b;

    if (dst == PTO_E8M0) {
        return false;
    }
    fill(r, src, m->a, n, next_random(r) % 8);
    for (size_t i = 0; i < n; i++) {
        bytes[i] = pto_elem_load(src, m->a, i);
    }
    pto_row_convert_loose(src, dst, m->fast,
                          pto_type_is_4bit(src) ? m->b : m->a, n, mode, sat,
                          false, &fast);
    for (size_t i = 0; i < n; i++) {
        uint64_t x = pto_elem_convert(src, dst, pto_elem_load(src, m->a, i),
                                      mode, sat, false, &want);
        uint64_t got = pto_type_is_4bit(dst) ? ((uint8_t *)m->fast)[i]
                                             : pto_elem_load(dst, m->fast, i);

        if (got != x) {
            report("loose", mode, src, dst, i, got, x);
            return false;
        }
    }
    if (fast != want) {
        report("loose flags", mode, src, dst, n, fast, want);
    }
    return fast == want;
}

typedef bool RoundFunction(Random *r, Buffers *m, int op, PtoDataType type);

/* Number of (operation, type) pairs that have a fast path. */
static unsigned run_all(const char *name, RoundFunction *function, int ops,
                        unsigned rounds, Random *r, Buffers *m)
{
    unsigned covered = 0;

    for (int op = 0; op < ops; op++) {
        for (unsigned type = 0; type < PTO_DTYPE_CODES; type++) {
            bool any = false;

            if (!pto_type_concrete(type)) {
                continue;
            }
            for (unsigned i = 0; i < rounds; i++) {
                bool good = function(r, m, op, type);

                any |= good;
                if (!good) {
                    break;
                }
            }
            covered += any;
        }
    }
    printf("%s: %u fast paths\n", name, covered);
    return covered;
}

static void run_conversions(unsigned rounds, Random *r, Buffers *m)
{
    unsigned covered = 0;

    for (unsigned src = 0; src < PTO_DTYPE_CODES; src++) {
        for (unsigned dst = 0; dst < PTO_DTYPE_CODES; dst++) {
            unsigned i = 0;

            m->covered = 0;
            if (!pto_type_concrete(src) || !pto_type_concrete(dst) ||
                (dst == PTO_E8M0 && src != PTO_FP16 && src != PTO_BF16 &&
                 src != PTO_FP32)) {
                continue;
            }
            while (i < rounds && convert_round(r, m, src, dst)) {
                i++;
            }
            covered += i == rounds && m->covered > rounds / 4;
        }
    }
    printf("convert: %u fast paths\n", covered);
}

int main(int argc, char **argv)
{
    static Buffers m;
    unsigned rounds = argc > 1 ? strtoul(argv[1], NULL, 0) : 60;
    Random r = { .state = argc > 2 ? strtoull(argv[2], NULL, 0)
                                   : 0x9e3779b97f4a7c15 };

    run_all("binary", binary_round, PTO_ELEM_BINARY_COUNT, rounds, &r, &m);
    run_all("unary", unary_round, PTO_ELEM_UNARY_COUNT, rounds, &r, &m);
    run_exhaustive();
    run_all("fma", fma_round, 1, rounds, &r, &m);
    run_all("compare", compare_round, 6, rounds, &r, &m);
    run_all("4-bit conversions", loose_round, 2, rounds, &r, &m);
    run_conversions(rounds, &r, &m);
    printf("%d differences\n", failures);
    return failures != 0;
}
