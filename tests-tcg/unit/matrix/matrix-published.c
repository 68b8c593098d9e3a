/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The matrix, MX, post-processing and E8M0 vectors that the ISA publishes with
 * its numeric profile (release 0.58.3, groups matrix, matrix_postprocess,
 * low_precision_encoding, packed_lane_order, tcvt_e8m0), on every path.
 */
#include "operand.h"
#include "tile/formats.h"
#include "tile/kernels/postprocess.h"

static unsigned passed, failed;

static void check(const char *id, const char *path, uint64_t got, uint64_t want)
{
    if (got == want) {
        passed++;
    } else {
        printf("%s (%s): %" PRIx64 ", published %" PRIx64 "\n", id, path, got,
               want);
        failed++;
    }
}

/* ---- products ------------------------------------------------------------ */

#define ONE 0x3f800000
#define MAX_K 33

typedef struct Product {
    const char *id;
    PtoDataType left, right;
    unsigned m, n, k;
    uint32_t a[MAX_K], b[MAX_K];
    uint32_t sa[2], sb[2];      /* E8M0; all 0: not scaled */
    uint32_t c[4], bias[2];     /* 0: the operand is absent */
    uint32_t want[4];           /* FP32, row-major */
} Product;

/* FP32 encodings of small integers. */
#define F(i) FLOAT_##i
#define FLOAT_1 0x3f800000
#define FLOAT_2 0x40000000
#define FLOAT_3 0x40400000
#define FLOAT_4 0x40800000
#define FLOAT_5 0x40a00000
#define FLOAT_6 0x40c00000
#define FLOAT_7 0x40e00000
#define FLOAT_8 0x41000000
#define FLOAT_10 0x41200000
#define FLOAT_19 0x41980000
#define FLOAT_20 0x41a00000
#define FLOAT_22 0x41b00000
#define FLOAT_29 0x41e80000
#define FLOAT_40 0x42200000
#define FLOAT_42 0x42280000
#define FLOAT_43 0x422c0000
#define FLOAT_50 0x42480000
#define FLOAT_m2 0xc0000000

#define K33(x) { [0 ... 32] = x }
/* 33 ones; the scales of the last one are 2 and 4. */
#define MX33 PTO_E4M3, PTO_E5M2, 1, 1, 33, K33(0x38), K33(0x3c), \
             { 0x7f, 0x80 }, { 0x7f, 0x81 }

static const Product products[] = {
    { "fp32-matmul-2x2", PTO_FP32, PTO_FP32, 2, 2, 2,
      { F(1), F(2), F(3), F(4) }, { F(5), F(6), F(7), F(8) }, { 0 }, { 0 },
      { 0 }, { 0 }, { F(19), F(22), F(43), F(50) } },
    { "fp32-matmul-bias", PTO_FP32, PTO_FP32, 1, 2, 2,
      { F(1), F(2) }, { F(5), F(6), F(7), F(8) }, { 0 }, { 0 }, { 0 },
      { F(1), F(m2) }, { F(20), F(20) } },
    { "fp32-matmul-acc", PTO_FP32, PTO_FP32, 1, 2, 2,
      { F(1), F(2) }, { F(5), F(6), F(7), F(8) }, { 0 }, { 0 },
      { F(10), F(20) }, { 0 }, { F(29), F(42) } },
    { "mx-e8m0-scale", PTO_E4M3, PTO_E4M3, 1, 1, 1, { 0x3c }, { 0x38 },
      { 0x80 }, { 0x7f }, { 0 }, { 0 }, { F(3) } },
    { "mx-k-block-33", MX33, { 0 }, { 0 }, { F(40) } },
    { "mx-k-block-33 bias", MX33, { 0 }, { F(2) }, { F(42) } },
    { "mx-k-block-33 acc", MX33, { F(3) }, { 0 }, { F(43) } },
};

static TestStored operand(PtoDataType type, unsigned rows, unsigned cols,
                          const uint32_t *v, PtoLayout layout)
{
    uint64_t wide[MAX_K];
    TestMatrix m = { .type = type, .rows = rows, .cols = cols, .v = wide };

    for (unsigned i = 0; i < rows * cols; i++) {
        wide[i] = v[i];
    }
    return stored_make(&m, layout, false);
}

/* The product of the reference and of every kernel set; @want is row-major. */
static void product_check(const char *id, PtoMatProblem *p,
                          const uint32_t *want)
{
    const PtoMatKernels *kernels = NULL;
    uint32_t d[16 * 16] __attribute__((aligned(64)));
    unsigned i = 0;

    p->path = PTO_MAT_REFERENCE;
    p->lda = 16;
    p->d = d;
    do {
        const char *path = kernels ? kernels->name : "reference";

        p->kernels = kernels;
        pto_mat_product(p);
        for (unsigned at = 0; at < p->m * p->n; at++) {
            check(id, path, d[at % p->n * 16 + at / p->n], want[at]);
        }
        p->path = PTO_MAT_FAST;
        kernels = pto_mat_kernels_list(i++);
    } while (kernels);
}

static void test_product(const Product *t)
{
    bool mx = t->sa[0];
    unsigned groups = (t->k + 31) / 32;
    TestStored a = operand(t->left, t->m, t->k, t->a, PTO_LAYOUT_M16);
    TestStored b = operand(t->right, t->k, t->n, t->b, PTO_LAYOUT_N8);
    TestStored sa = operand(PTO_E8M0, t->m, groups, t->sa, PTO_LAYOUT_M32);
    TestStored sb = operand(PTO_E8M0, t->n, groups, t->sb, PTO_LAYOUT_M32);
    TestStored c = operand(PTO_FP32, t->m, t->n, t->c, PTO_LAYOUT_M16);
    TestStored bias = operand(PTO_FP32, 1, t->n, t->bias, PTO_LAYOUT_ROW);
    PtoMatProblem p = {
        .m = t->m, .n = t->n, .k = t->k, .acc = PTO_FP32, .a = a.view,
        .b = b.view, .sb_by_column = true,
    };

    if (mx) {
        p.sa = sa.view;
        p.sb = sb.view;
    }
    if (t->c[0]) {
        p.c = c.view;
    }
    if (t->bias[0]) {
        p.bias = bias.view;
    }
    product_check(t->id, &p, t->want);
    stored_free(&a);
    stored_free(&b);
    stored_free(&sa);
    stored_free(&sb);
    stored_free(&c);
    stored_free(&bias);
}

/* ---- encodings: A times one ---------------------------------------------- */

#define INF 0x7f800000
#define NAN_ PTO_F32_CANONICAL_NAN
#define POWER(e) ((uint32_t)(127 + (e)) << 23)

static const struct {
    PtoDataType type;
    uint8_t raw;
    uint32_t want;
} encodings[] = {
    { PTO_HIF8, 0x00, 0 }, { PTO_HIF8, 0x01, POWER(-22) },
    { PTO_HIF8, 0x07, POWER(-16) }, { PTO_HIF8, 0x08, ONE },
    { PTO_HIF8, 0x6e, POWER(15) }, { PTO_HIF8, 0x6f, INF },
    { PTO_HIF8, 0x80, NAN_ }, { PTO_HIF8, 0xef, INF | 0x80000000 },
    { PTO_E4M3, 0x01, POWER(-9) }, { PTO_E4M3, 0x7e, 0x43e00000 },
    { PTO_E4M3, 0x7f, NAN_ },
    { PTO_E5M2, 0x01, POWER(-16) }, { PTO_E5M2, 0x7b, 0x47600000 },
    { PTO_E5M2, 0x7c, INF }, { PTO_E5M2, 0x7e, NAN_ },
    { PTO_E3M2, 0x01, POWER(-4) }, { PTO_E3M2, 0x1f, 0x41e00000 },
    { PTO_E2M3, 0x01, POWER(-3) }, { PTO_E2M3, 0x1f, 0x40f00000 },
    /* packed lanes: 0x91 is lane 0 = 1, lane 1 = 9 */
    { PTO_E1M2X2, 1, POWER(-2) }, { PTO_E1M2X2, 9, POWER(-2) | 0x80000000 },
    { PTO_E2M1X2, 1, POWER(-1) }, { PTO_E2M1X2, 9, POWER(-1) | 0x80000000 },
};

static void test_encodings(void)
{
    for (size_t i = 0; i < ARRAY_SIZE(encodings); i++) {
        PtoDataType type = encodings[i].type;
        uint32_t raw = encodings[i].raw, one = ONE;
        TestStored a = operand(type, 1, 1, &raw, PTO_LAYOUT_M16);
        TestStored b = operand(PTO_FP32, 1, 1, &one, PTO_LAYOUT_N8);
        PtoMatProblem p = {
            .m = 1, .n = 1, .k = 1, .acc = PTO_FP32, .a = a.view, .b = b.view,
        };

        product_check(pto_format(type)->name, &p, &encodings[i].want);
        stored_free(&a);
        stored_free(&b);
    }
}

/* Both lanes of a byte, as storage, for HiF4X2 under a scale of one. */
static void test_packed_lanes(void)
{
    static const uint8_t packed[PTO_CELL_BYTES] = { 0x91 };
    static const uint32_t word = 48 << 2;
    TestStored scale = operand(PTO_U32, 1, 1, &word, PTO_LAYOUT_M32);
    static const PtoDataType types[] = { PTO_E1M2X2, PTO_HIF4X2 };

    for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
        PtoMatView v = {
            .data = packed, .type = types[i], .layout = PTO_LAYOUT_ROW,
            .stride = 2,
        };

        check("packed lane 0", "view", pto_mat_view_get(&v, 0, 0), 1);
        check("packed lane 1", "view", pto_mat_view_get(&v, 0, 1), 9);
    }
    for (unsigned lane = 0; lane < 2; lane++) {
        uint32_t raw[2] = { lane ? 0 : 1, lane ? 9 : 0 };
        uint32_t half[2] = { 0x3c00, 0x3c00 };
        uint32_t want = POWER(-2) | (lane ? 0x80000000 : 0);
        TestStored a = operand(PTO_HIF4X2, 1, 2, raw, PTO_LAYOUT_M16);
        TestStored b = operand(PTO_FP16, 2, 1, half, PTO_LAYOUT_N8);
        PtoMatProblem p = {
            .m = 1, .n = 1, .k = 2, .acc = PTO_FP32, .a = a.view, .b = b.view,
            .sa = scale.view, .sb_by_column = true,
        };

        product_check("HiF4X2 lane", &p, &want);
        stored_free(&a);
        stored_free(&b);
    }
    stored_free(&scale);
}

static void test_scales(void)
{
    static const uint32_t vectors[][2] = {
        { 0x00, 1u << 22 }, { 0x7f, ONE }, { 0x80, POWER(1) },
        { 0xfe, POWER(127) }, { 0xff, NAN_ },
    };

    for (size_t i = 0; i < ARRAY_SIZE(vectors); i++) {
        check("E8M0", "factor", pto_mat_e8m0_factor(vectors[i][0]),
              vectors[i][1]);
    }
}

/* ---- post-processing ----------------------------------------------------- */

#define SCALE(fp32) ((uint64_t)(fp32))
#define OFFSET(v) ((uint64_t)((v) & 0x1ff) << 37)
#define ALPHA_HALF (0x3f000000 >> 13)
#define OVERFLOW (PTO_FLAG_OF | PTO_FLAG_NX)

static const struct {
    const char *id;
    uint8_t mode, relu;
    bool sat;
    PtoDataType acc;
    uint32_t x;
    uint64_t quant, alpha;
    uint8_t want, flags;
} posts[] = {
    { "req8-scalar-affine", 3, 0, false, PTO_S32, 3,
      SCALE(F(2)) | OFFSET(-1), 0, 0x05, 0 },
    { "req8-wrap", 3, 0, false, PTO_S32, 70, SCALE(F(2)), 0, 0x8c, OVERFLOW },
    { "req8-saturate", 3, 0, true, PTO_S32, 70, SCALE(F(2)), 0, 0x7f,
      OVERFLOW },
    { "f32-e4m3-exact", 26, 0, false, PTO_FP32, 0x3fc00000, SCALE(ONE), 0,
      0x3c, 0 },
    { "f32-hif8-exact", 25, 0, false, PTO_FP32, 0x3fc00000, SCALE(ONE), 0,
      0x0c, 0 },
    { "post-conversion-lrelu", 24, 2, false, PTO_FP32, 0xc0800000, SCALE(ONE),
      ALPHA_HALF, 0xfe, 0 },
    { "nan-indefinite", 24, 0, false, PTO_FP32, 0x7fc00000, SCALE(ONE), 0,
      0x80, PTO_FLAG_NV },
    { "nan-saturating-zero", 24, 0, true, PTO_FP32, 0x7fc00000, SCALE(ONE), 0,
      0x00, PTO_FLAG_NV },
};

static void test_posts(void)
{
    for (size_t i = 0; i < ARRAY_SIZE(posts); i++) {
        PtoPost post = {
            .mode = posts[i].mode, .relu = posts[i].relu,
            .sat = posts[i].sat, .acc = posts[i].acc,
        };
        uint32_t d[16] = { posts[i].x };
        unsigned flags = 0;

        check(posts[i].id, "element",
              pto_post_element(&post, posts[i].x, posts[i].quant,
                               posts[i].alpha, &flags) & 0xff, posts[i].want);
        check(posts[i].id, "element flags", flags, posts[i].flags);
        flags = pto_post_matrix(&post, d, 16, 1, 1, &posts[i].quant, false,
                                &posts[i].alpha, false);
        check(posts[i].id, "matrix", d[0] & 0xff, posts[i].want);
        check(posts[i].id, "matrix flags", flags, posts[i].flags);
    }
}

/* ---- conversion to E8M0 -------------------------------------------------- */

#define UNDERFLOW (PTO_FLAG_UF | PTO_FLAG_NX)

static const struct {
    PtoDataType src;
    uint32_t x;
    PtoRound mode;
    bool sat;
    uint8_t want, flags;
} conversions[] = {
    { PTO_BF16, 0x3f80, PTO_ROUND_RNE, false, 0x7f, 0 },
    { PTO_BF16, 0x3fc0, PTO_ROUND_RNE, false, 0x80, PTO_FLAG_NX },
    { PTO_BF16, 0x3fc0, PTO_ROUND_RDN, false, 0x7f, PTO_FLAG_NX },
    { PTO_FP32, 0x00400000, PTO_ROUND_RNE, false, 0x00, 0 },
    { PTO_FP32, 0x00200000, PTO_ROUND_RNE, false, 0xff, UNDERFLOW },
    { PTO_FP32, 0x00200000, PTO_ROUND_RNE, true, 0x00, UNDERFLOW },
    { PTO_FP32, 0x7f000000, PTO_ROUND_RNE, false, 0xfe, 0 },
    { PTO_FP32, 0x7f7fffff, PTO_ROUND_RNE, false, 0xff, OVERFLOW },
    { PTO_BF16, 0x0000, PTO_ROUND_RNE, false, 0xff, PTO_FLAG_NV },
    { PTO_BF16, 0x7f80, PTO_ROUND_RNE, true, 0xfe, OVERFLOW },
};

static void test_conversions(void)
{
    for (size_t i = 0; i < ARRAY_SIZE(conversions); i++) {
        uint32_t flags = 0;

        check("tcvt-e8m0", "value",
              pto_elem_convert(conversions[i].src, PTO_E8M0, conversions[i].x,
                               conversions[i].mode, conversions[i].sat, false,
                               &flags), conversions[i].want);
        check("tcvt-e8m0", "flags", flags, conversions[i].flags);
    }
}

int main(void)
{
    for (size_t i = 0; i < ARRAY_SIZE(products); i++) {
        test_product(&products[i]);
    }
    test_encodings();
    test_packed_lanes();
    test_scales();
    test_posts();
    test_conversions();
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
