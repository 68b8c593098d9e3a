/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Execution of a planned CUBE operation.
 */
#include "tile/cube.h"
#include "tile/kernels/matrix.h"
#include "tile/kernels/postprocess.h"

static PtoMatView view_of(const PtoTile *t, bool trans, uint32_t row0)
{
    PtoMatView v = { 0 };

    if (t) {
        v.data = pto_tile_data(t);
        v.type = t->type;
        v.layout = t->layout;
        v.trans = trans;
        v.row0 = row0;
        v.stride = t->layout == PTO_LAYOUT_ROW ? t->cols : t->k_repeat;
    }
    return v;
}

static const PtoTile *local_source(const PtoPlan *plan, int role)
{
    return role >= 0 ? plan->src[role].tile : NULL;
}

static unsigned run_product(const PtoPlan *plan, const PtoCubePlan *cp,
                            uint32_t *d, unsigned lda)
{
    const PtoFpatr *fp = &plan->bundle->fpatr;
    uint32_t row0 = cp->left_shared ? cp->row0 : 0;
    PtoMatProblem p = {
        .m = cp->m, .n = cp->n, .k = cp->k, .acc = cp->acc,
        .raw_carrier = plan->profile->raw_carrier,
        .a = view_of(cp->a_tile, fp->trans_a, row0),
        .b = view_of(cp->b_tile, fp->trans_b, 0),
        .sa = view_of(cp->sa_tile, fp->trans_a, row0),
        .sb = view_of(cp->sb_tile, fp->trans_b, 0),
        .sb_by_column = !cp->right_shared,
        .c = view_of(local_source(plan, cp->c), false, 0),
        .cscale = view_of(local_source(plan, cp->cscale), false, 0),
        .bias = view_of(local_source(plan, cp->bias), false, 0),
        .lda = lda, .d = d,
    };

    return pto_mat_product(&p);
}

static void start_output(PtoTile *t)
{
    pto_tile_new_payload(t, true);
    pto_tile_define_valid(t);
}

/* RowMaxOut and GroupMaxOut, from the accumulators before conversion. */
static unsigned run_maxima(PtoPlan *plan, const PtoCubePlan *cp,
                           const uint32_t *d, unsigned lda)
{
    const PtoFpatr *fp = &plan->bundle->fpatr;
    const PtoTile *init = local_source(plan, cp->row_max);
    unsigned next = 1, flags = 0;

    if (fp->row_max_en) {
        PtoTile *out = &plan->dst[next++].tile;

        start_output(out);
        for (unsigned r = 0; r < cp->m; r++) {
            uint32_t v = pto_post_max(cp->acc, fp->max_abs_en, d, lda, r, 0,
                                      cp->n, &flags);

            if (init) {
                v = pto_post_max_step(cp->acc, fp->max_abs_en,
                                      pto_tile_get(init, r, 0), v, &flags);
            }
            pto_tile_put(out, r, 0, v);
        }
    }
    if (fp->group_max_en) {
        PtoTile *out = &plan->dst[next].tile;
        unsigned group = pto_post_group_n(fp->group_n_code);

        start_output(out);
        for (unsigned r = 0; r < cp->m; r++) {
            for (unsigned j = 0; j < cp->n; j += group) {
                pto_tile_put(out, r, j / group,
                             pto_post_max(cp->acc, fp->max_abs_en, d, lda, r, j,
                                          MIN(group, cp->n - j), &flags));
            }
        }
    }
    return flags;
}

/* Parameters of every column, or the one scalar. */
static uint64_t *parameters(const PtoPlan *plan, int role, uint64_t scalar,
                            uint32_t n)
{
    const PtoTile *t = local_source(plan, role);
    uint64_t *v = pto_alloc((t ? n : 1) * sizeof(*v));

    v[0] = scalar;
    for (uint32_t j = 0; t && j < n; j++) {
        v[j] = pto_tile_get(t, 0, j);
    }
    return v;
}

static unsigned run_conversion(const PtoPlan *plan, const PtoCubePlan *cp,
                               uint32_t *d, unsigned lda)
{
    const PtoFpatr *fp = &plan->bundle->fpatr;
    PtoPost post = {
        .mode = fp->pre_quant_mode, .relu = fp->relu_mode,
        .rmode = plan->rmode, .sat = plan->sat, .acc = cp->acc,
    };
    uint64_t *quant, *alpha;
    unsigned flags;

    if (post.mode == 0 && post.relu == 0) {
        return 0;
    }
    quant = parameters(plan, cp->quant, cp->quant_scalar, cp->n);
    alpha = parameters(plan, cp->alpha, cp->alpha_scalar, cp->n);
    flags = pto_post_matrix(&post, d, lda, cp->m, cp->n, quant, cp->quant >= 0,
                            alpha, cp->alpha >= 0);
    pto_free(quant);
    pto_free(alpha);
    return flags;
}

/* Store columns of @lda lanes in the CELLs of D. */
static void store_columns(PtoTile *t, const uint32_t *d, unsigned lda,
                          unsigned n)
{
    if (pto_type_bits(t->type) == 32) {
        pto_mat_store_columns(pto_tile_data(t), d, lda, n);
        return;
    }
    for (unsigned j = 0; j < n; j++) {
        for (unsigned r = 0; r < t->vrows; r++) {
            pto_tile_put(t, r, j, d[(size_t)j * lda + r]);
        }
    }
}

void pto_cube_execute(PtoPlan *plan)
{
    const PtoCubePlan *cp = pto_plan_priv(plan, sizeof(*cp));
    PtoTile *out = &plan->dst[0].tile;
    unsigned lda = cp->layout == PTO_LAYOUT_M32 ? 32 : 16;
    /* 32-bit CUBE_M32 storage is the form in which the product arrives. */
    bool direct = lda == 32 && pto_type_bits(out->type) == 32 &&
                  pto_mat_columns_native();
    uint32_t *d;

    start_output(out);
    d = direct ? (uint32_t *)pto_tile_data(out)
               : pto_alloc((size_t)(cp->n + 1) * lda * sizeof(*d));
    plan->flags |= run_product(plan, cp, d, lda);
    plan->flags |= run_maxima(plan, cp, d, lda);
    plan->flags |= run_conversion(plan, cp, d, lda);
    if (!direct) {
        store_columns(out, d, lda, cp->n);
        pto_free(d);
    }
    plan->ctx->local->count.flops += 2ull * cp->m * cp->n * cp->k;
}
