/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Run the matrix and post-processing vectors (JSON Lines) on every kernel set
 * of the host, on the element-wise reference, and in every operand layout.
 */
#include "../numeric/case-main.h"
#include "operand.h"
#include "tile/kernels/postprocess.h"

typedef struct Product {
    unsigned m, n, k;
    PtoDataType acc;
    TestMatrix a, b, sa, sb, c, bias;
    uint64_t *want;
} Product;

/* ---- reading ------------------------------------------------------------- */

static int hex_digit(char ch)
{
    return ch >= '0' && ch <= '9' ? ch - '0' : (ch | 32) - 'a' + 10;
}

static TestMatrix read_matrix(const NumericCase *c, const char *key,
                              PtoDataType type, unsigned rows, unsigned cols)
{
    const char *text = case_text(c, key);
    unsigned digits = pto_type_bits(type) / 4;
    TestMatrix m = { .type = type, .rows = rows, .cols = cols };

    if (!text) {
        return m;
    }
    if (strlen(text) != (size_t)digits * rows * cols) {
        printf("%s: %s has the wrong length\n", case_text(c, "id"), key);
        exit(2);
    }
    m.v = calloc((size_t)rows * cols, sizeof(*m.v));
    for (size_t i = 0; i < (size_t)rows * cols; i++) {
        for (unsigned d = 0; d < digits; d++) {
            m.v[i] = m.v[i] << 4 | hex_digit(*text++);
        }
    }
    return m;
}

static Product read_product(const NumericCase *c)
{
    PtoDataType at = case_type(c, "atype"), bt = case_type(c, "btype");
    Product p = {
        .m = case_number(c, "M", 0), .n = case_number(c, "N", 0),
        .k = case_number(c, "K", 0), .acc = case_type(c, "acctype"),
    };
    unsigned groups = (p.k + 31) / 32;

    p.a = read_matrix(c, "A", at, p.m, p.k);
    p.b = read_matrix(c, "B", bt, p.k, p.n);
    p.sa = read_matrix(c, "SA", PTO_E8M0, p.m, groups);
    p.sb = read_matrix(c, "SB", PTO_E8M0, groups, p.n);
    p.c = read_matrix(c, "C", p.acc, p.m, p.n);
    p.bias = read_matrix(c, "bias", p.acc, 1, p.n);
    p.want = read_matrix(c, "D", p.acc, p.m, p.n).v;
    return p;
}

static TestMatrix transposed(const TestMatrix *m)
{
    TestMatrix t = { .type = m->type, .rows = m->cols, .cols = m->rows };

    if (m->v) {
        t.v = calloc((size_t)t.rows * t.cols, sizeof(*t.v));
        for (unsigned r = 0; r < m->rows; r++) {
            for (unsigned c = 0; c < m->cols; c++) {
                t.v[c * t.cols + r] = m->v[r * m->cols + c];
            }
        }
    }
    return t;
}

/* ---- products ------------------------------------------------------------ */

typedef struct Variant {
    PtoLayout a_layout, b_layout, d_layout;
    bool a_trans, b_trans;
} Variant;

static const Variant variants[] = {
    { PTO_LAYOUT_M16, PTO_LAYOUT_N8, PTO_LAYOUT_M16, false, false },
    { PTO_LAYOUT_M32, PTO_LAYOUT_N8, PTO_LAYOUT_M32, false, false },
    { PTO_LAYOUT_ROW, PTO_LAYOUT_ROW, PTO_LAYOUT_M16, false, false },
    { PTO_LAYOUT_ROW, PTO_LAYOUT_ROW, PTO_LAYOUT_M32, true, true },
};

static void run_product(NumericCase *c, const Product *p, const Variant *v,
                        PtoMatPath path, const PtoMatKernels *kernels)
{
    TestMatrix by_column = transposed(&p->sb);
    TestStored a = stored_make(&p->a, v->a_layout, v->a_trans);
    TestStored b = stored_make(&p->b, v->b_layout, v->b_trans);
    TestStored sa = stored_make(&p->sa, PTO_LAYOUT_M32, false);
    TestStored sb = stored_make(&by_column, PTO_LAYOUT_M32, false);
    TestStored acc = stored_make(&p->c, v->d_layout, false);
    TestStored bias = stored_make(&p->bias, PTO_LAYOUT_ROW, false);
    unsigned lda = v->d_layout == PTO_LAYOUT_M32 ? 32 : 16;
    uint32_t *d = aligned_alloc(64, (size_t)p->n * lda * sizeof(*d));
    PtoMatProblem problem = {
        .m = p->m, .n = p->n, .k = p->k, .acc = p->acc, .path = path,
        .kernels = kernels, .a = a.view, .b = b.view, .sa = sa.view,
        .sb = sb.view, .sb_by_column = true, .c = acc.view, .bias = bias.view,
        .lda = lda, .d = d,
    };
    char what[64];

    snprintf(what, sizeof(what), "D (%s, variant %zu)",
             path == PTO_MAT_REFERENCE ? "reference" : kernels->name,
             (size_t)(v - variants));
    pto_mat_product(&problem);
    for (unsigned r = 0; r < p->m; r++) {
        for (unsigned j = 0; j < p->n; j++) {
            case_expect(c, what, r * p->n + j, d[(size_t)j * lda + r],
                        p->want[r * p->n + j]);
        }
    }
    stored_free(&a);
    stored_free(&b);
    stored_free(&sa);
    stored_free(&sb);
    stored_free(&acc);
    stored_free(&bias);
    free(by_column.v);
    free(d);
}

static bool check_product(NumericCase *c)
{
    Product p = read_product(c);

    for (size_t i = 0; i < ARRAY_SIZE(variants); i++) {
        const PtoMatKernels *kernels;

        for (unsigned k = 0; (kernels = pto_mat_kernels_list(k)); k++) {
            run_product(c, &p, &variants[i], PTO_MAT_FAST, kernels);
        }
        run_product(c, &p, &variants[i], PTO_MAT_REFERENCE, NULL);
    }
    free(p.a.v);
    free(p.b.v);
    free(p.sa.v);
    free(p.sb.v);
    free(p.c.v);
    free(p.bias.v);
    free(p.want);
    return true;
}

/* ---- post-processing ----------------------------------------------------- */

static bool check_conversion(NumericCase *c)
{
    PtoPost post = {
        .mode = case_number(c, "mode", 0), .relu = case_number(c, "relu", 0),
        .rmode = round_by_name(case_text(c, "rmode")),
        .sat = case_number(c, "sat", 0), .acc = case_type(c, "acc"),
    };
    CaseValues x = case_values(c, "x"), q = case_values(c, "qparam");
    CaseValues alpha = case_values(c, "alpha");
    CaseValues r = case_values(c, "r"), ef = case_values(c, "ef");

    case_expect(c, "output type", 0, pto_post_output(post.mode, post.acc),
                case_type(c, "dst"));
    case_expect(c, "accumulator accepted", 0,
                pto_post_accumulator_ok(post.mode, post.acc), 1);
    for (size_t i = 0; i < x.n; i++) {
        uint32_t flags = 0;
        uint64_t got;

        if (pto_post_mode(post.mode)->param != PTO_POST_PARAM_NONE) {
            case_expect(c, "parameter accepted", i,
                        pto_post_quant_word_ok(post.mode, case_at(q, i)), 1);
        }
        got = pto_post_element(&post, x.v[i], case_at(q, i), case_at(alpha, i),
                               &flags);
        case_expect_element(c, i, got, flags, r, ef);
    }
    return true;
}

static bool check_maximum(NumericCase *c, bool grouped)
{
    CaseValues x = case_values(c, "x"), r = case_values(c, "r");
    CaseValues init = case_values(c, "init");
    PtoDataType acc = case_type(c, "acc");
    bool max_abs = case_number(c, "max_abs", 0);
    unsigned group = grouped ? case_number(c, "group_n", 1) : x.n;
    uint32_t *row = calloc(x.n, sizeof(*row));
    unsigned flags = 0;

    for (size_t i = 0; i < x.n; i++) {
        row[i] = x.v[i];
    }
    for (unsigned first = 0; first < x.n; first += group) {
        uint32_t got = pto_post_max(acc, max_abs, row, 1, 0, first,
                                    MIN(group, x.n - first), &flags);

        if (init.n) {
            got = pto_post_max_step(acc, max_abs, init.v[0], got, &flags);
        }
        case_expect(c, "maximum", first / group, got, r.v[first / group]);
    }
    case_expect(c, "flags", 0, flags, case_flags(c, "flags"));
    free(row);
    return true;
}

static bool check_case(NumericCase *c, const char *op, void *opaque)
{
    (void)opaque;
    if (!strncmp(op, "TMATMUL", 7)) {
        return check_product(c);
    }
    if (!strcmp(op, "FPATR")) {
        return check_conversion(c);
    }
    if (!strcmp(op, "FPATR_ROWMAX") || !strcmp(op, "FPATR_GROUPMAX")) {
        return check_maximum(c, op[6] == 'G');
    }
    return false;
}

int main(int argc, char **argv)
{
    return case_main(argc, argv, check_case, NULL);
}
