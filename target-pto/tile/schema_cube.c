/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The twelve CUBE operations: operand roles, legality, destinations.
 *
 * One preflight serves TMATMUL and TGEMV in all forms. Its checks run in the
 * order of delta 5.3: common and Shared rules first, then (for a PE that owns
 * rows) everything Local, so that a PE without rows touches no Local state.
 */
#include "tile/cube.h"
#include "tile/rendezvous.h"
#include "tile/kernels/matrix.h"
#include "tile/kernels/postprocess.h"

/* Form bits of a CUBE function number. */
static bool form_bias(const PtoTileOp *op)
{
    return (op->code & 3) == 1;
}

static bool form_acc(const PtoTileOp *op)
{
    return (op->code & 3) == 2;
}

static bool form_mx(const PtoTileOp *op)
{
    return op->code & 4;
}

static bool form_gemv(const PtoTileOp *op)
{
    return op->code & 16;
}

/* ---- types --------------------------------------------------------------- */

static bool ordinary_input(PtoDataType t)
{
    switch (t) {
    case PTO_FP32: case PTO_TF32: case PTO_HF32: case PTO_FP16: case PTO_BF16:
    case PTO_HIF8: case PTO_E4M3: case PTO_E5M2: case PTO_E3M2: case PTO_E2M3:
    case PTO_E2M1X2: case PTO_E1M2X2:
    case PTO_S16: case PTO_S8: case PTO_S4X2:
    case PTO_U16: case PTO_U8: case PTO_U4X2:
        return true;
    default:
        return false;
    }
}

static bool mx_input(PtoDataType t)
{
    switch (t) {
    case PTO_FP16: case PTO_BF16: case PTO_E4M3: case PTO_E5M2:
    case PTO_E2M1X2: case PTO_E1M2X2: case PTO_HIF4X2:
        return true;
    default:
        return false;
    }
}

static bool needs_scale(const PtoCubePlan *cp, PtoDataType t)
{
    return cp->mx && t != PTO_FP16 && t != PTO_BF16;
}

static PtoDataType scale_type(PtoDataType primary)
{
    return primary == PTO_HIF4X2 ? PTO_U32 : PTO_E8M0;
}

static PtoDataType accumulator_type(PtoDataType left)
{
    return pto_type_is_float(left) ? PTO_FP32 :
           pto_type_is_signed(left) ? PTO_S32 : PTO_U32;
}

static bool types_legal(const PtoCubePlan *cp)
{
    if (cp->mx) {
        return mx_input(cp->left) && mx_input(cp->right);
    }
    return ordinary_input(cp->left) && ordinary_input(cp->right) &&
           accumulator_type(cp->left) == accumulator_type(cp->right);
}

/* ---- operand roles ------------------------------------------------------- */

/*
 * Number the Local sources (C, A, A scale, B, B scale, bias, C scale, RowMaxIn,
 * quantization vector, activation vector) and the Shared ones (A, A scale, B,
 * B scale). Returns the number of Local sources, or -1 if the number of B.IOS
 * is neither the right group nor both groups.
 */
static int assign_roles(PtoCubePlan *cp, const PtoTileOp *op,
                        const PtoFpatr *fp, unsigned shared)
{
    unsigned right = 1 + needs_scale(cp, cp->right);
    unsigned left = 1 + needs_scale(cp, cp->left);
    int local = 0, ios = 0;

    if (shared && (form_gemv(op) ||
                   (shared != right && shared != right + left))) {
        return -1;
    }
    cp->left_shared = shared == right + left;
    cp->right_shared = shared != 0;
    cp->c = form_acc(op) ? local++ : -1;
    cp->a = cp->left_shared ? ios++ : local++;
    cp->sa = !needs_scale(cp, cp->left) ? -1 :
             cp->left_shared ? ios++ : local++;
    cp->b = cp->right_shared ? ios++ : local++;
    cp->sb = !needs_scale(cp, cp->right) ? -1 :
             cp->right_shared ? ios++ : local++;
    cp->bias = form_bias(op) ? local++ : -1;
    cp->cscale = fp->c_scale_en ? local++ : -1;
    cp->row_max = fp->row_max_en && fp->row_max_init ? local++ : -1;
    cp->quant = pto_post_mode(fp->pre_quant_mode)->param ==
                PTO_POST_PARAM_VECTOR ? local++ : -1;
    cp->alpha = fp->relu_mode == 3 ? local++ : -1;
    return local;
}

static unsigned scalar_params(const PtoFpatr *fp)
{
    return (pto_post_mode(fp->pre_quant_mode)->param ==
            PTO_POST_PARAM_SCALAR) + (fp->relu_mode == 2);
}

static bool scalar_schema_legal(const PtoBundle *b)
{
    unsigned inputs = scalar_params(&b->fpatr);

    if (!b->ior.valid) {
        return true;
    }
    return !b->ior.src[2] && (inputs > 1 || !b->ior.src[1]) &&
           (inputs > 0 || !b->ior.src[0]) && !b->ior.dst;
}

/* ---- step 4: structure --------------------------------------------------- */

static bool power_of_two(uint32_t v)
{
    return v && !(v & (v - 1));
}

/* Omitted dimensions are 1; 0 stands for an illegal value. */
static uint32_t dimension(const PtoBundle *b, unsigned n)
{
    return !b->dim_present[n] ? 1 : b->dim[n] <= 65535 ? b->dim[n] : 0;
}

static bool dimensions_legal(PtoCubePlan *cp, const PtoBundle *b)
{
    cp->group_m = dimension(b, 0);
    cp->n = dimension(b, 1);
    cp->k = dimension(b, 2);
    if (!cp->right_shared) {
        return cp->group_m && cp->n && cp->k;
    }
    return cp->group_m >= 1 && cp->group_m <= 128 && power_of_two(cp->n) &&
           power_of_two(cp->k);
}

static PtoFaultInfo check_structure(PtoPlan *plan, PtoCubePlan *cp)
{
    const PtoBundle *b = plan->bundle;
    const PtoDatr *datr = &b->datr;
    int sources;
    unsigned mask;

    if (!types_legal(cp)) {
        return pto_reject(PTO_RULE_MAT_TYPES);
    }
    sources = assign_roles(cp, plan->op, &b->fpatr, b->ios_count);
    if (sources < 0) {
        return pto_reject(PTO_RULE_MAT_GROUPS);
    }
    if (pto_bundle_local_sources(b) != (unsigned)sources ||
        pto_bundle_local_destinations(b) !=
        1u + b->fpatr.row_max_en + b->fpatr.group_max_en ||
        !pto_bundle_terminated(b)) {
        return pto_reject(PTO_RULE_MAT_OPERANDS);
    }
    if (!scalar_schema_legal(b)) {
        return pto_reject(PTO_RULE_MAT_IOR);
    }
    if (datr->present && (datr->layout || datr->pad || datr->cmode ||
                          datr->canon)) {
        return pto_reject(PTO_RULE_MAT_DATR);
    }
    if (!dimensions_legal(cp, b)) {
        return pto_reject(PTO_RULE_MAT_DIM);
    }
    if (!pto_bundle_mask(b, &mask)) {
        return pto_reject(PTO_RULE_MASKS);
    }
    if (cp->right_shared && mask != 15) {
        return pto_reject(PTO_RULE_MAT_MASK);
    }
    if (form_gemv(plan->op) && cp->group_m != 1) {
        return pto_reject(PTO_RULE_MAT_GEMV);
    }
    return PTO_OK;
}

/* ---- step 6: Shared operands --------------------------------------------- */

/*
 * Tile behind B.IOS @ordinal as this PE sees it. A view lives in plan->view[]
 * behind those of the Local sources.
 */
static PtoFaultInfo shared_tile(PtoTileCtx *ctx, PtoPlan *plan, int ordinal,
                                const PtoTile **tile)
{
    const PtoBindShared *bind = &plan->bundle->ios[ordinal];

    if (bind->size) {
        return pto_reject(PTO_RULE_MAT_SHARED_DST);
    }
    if (!bind->subview.valid) {
        *tile = pto_shared_source(ctx, bind->id);
        return PTO_OK;
    }
    *tile = &plan->view[plan->nsrc + ordinal];
    return pto_shared_view(ctx, ctx->pe, bind->id, &bind->subview,
                           &plan->view[plan->nsrc + ordinal]);
}

/* Is @t a row-major rows x cols tile, its columns packed, with all defined? */
static bool shared_shape(const PtoTile *t, uint32_t rows, uint32_t cols,
                         PtoDataType type, bool trans, bool view)
{
    if (trans) {
        uint32_t swap = rows;

        rows = cols;
        cols = swap;
    }
    if (!pto_tile_legal(t) || t->type != type || t->layout != PTO_LAYOUT_ROW ||
        t->cols != cols || !t->contents_defined) {
        return false;
    }
    /* A register may hold more rows than the block reads, a view may not. */
    return view ? t->vrows == rows && t->vcols == cols
                : t->vrows >= rows && t->vcols >= cols;
}

static PtoFaultInfo shared_operand(PtoTileCtx *ctx, PtoPlan *plan, int ordinal,
                                   uint32_t rows, uint32_t cols,
                                   PtoDataType type, bool trans,
                                   const PtoTile **tile)
{
    PtoFaultInfo f = shared_tile(ctx, plan, ordinal, tile);

    if (!f.code && !shared_shape(*tile, rows, cols, type, trans,
                                 plan->bundle->ios[ordinal].subview.valid)) {
        f = pto_reject(PTO_RULE_MAT_SHARED);
    }
    return f;
}

static uint32_t groups(const PtoCubePlan *cp, PtoDataType type)
{
    return (cp->k + pto_mat_group(type) - 1) / pto_mat_group(type);
}

static PtoFaultInfo check_shared(PtoTileCtx *ctx, PtoPlan *plan,
                                 PtoCubePlan *cp)
{
    const PtoFpatr *fp = &plan->bundle->fpatr;
    PtoFaultInfo f = PTO_OK;

    if ((fp->trans_a && !cp->left_shared) ||
        (fp->trans_b && !cp->right_shared)) {
        return pto_reject(PTO_RULE_MAT_TRANSPOSE);
    }
    if (cp->left_shared) {
        f = shared_operand(ctx, plan, cp->a, cp->group_m, cp->k, cp->left,
                           fp->trans_a, &cp->a_tile);
        if (!f.code && cp->sa >= 0) {
            f = shared_operand(ctx, plan, cp->sa, cp->group_m,
                               groups(cp, cp->left), scale_type(cp->left),
                               fp->trans_a, &cp->sa_tile);
        }
    }
    if (!f.code && cp->right_shared) {
        f = shared_operand(ctx, plan, cp->b, cp->k, cp->n, cp->right,
                           fp->trans_b, &cp->b_tile);
        if (!f.code && cp->sb >= 0) {
            f = shared_operand(ctx, plan, cp->sb, groups(cp, cp->right), cp->n,
                               scale_type(cp->right), fp->trans_b,
                               &cp->sb_tile);
        }
    }
    return f;
}

/* Rows of the executing PE (PTO-CUBE-GROUP-M-DISTRIBUTION-001). */
static void distribute_rows(PtoTileCtx *ctx, PtoCubePlan *cp)
{
    uint32_t per_pe = cp->group_m <= 64 ? 16 : 32;

    cp->m = cp->group_m;
    if (cp->right_shared) {
        cp->row0 = ctx->pe * per_pe;
        cp->m = cp->group_m <= cp->row0 ? 0 :
                MIN(cp->group_m - cp->row0, per_pe);
    }
}

/* ---- steps 9 to 11: post-processing operands ----------------------------- */

static PtoFaultInfo scalar_values(PtoTileCtx *ctx, PtoPlan *plan,
                                  PtoCubePlan *cp)
{
    const PtoBundle *b = plan->bundle;
    const PtoFpatr *fp = &b->fpatr;
    bool check = b->ior.valid || !plan->profile->post_params_optional;
    unsigned slot = 0;

    if (pto_post_mode(fp->pre_quant_mode)->param == PTO_POST_PARAM_SCALAR) {
        cp->quant_scalar = pto_ctx_reg(ctx, b->ior.src[slot++]);
        if (check && !pto_post_quant_word_ok(fp->pre_quant_mode,
                                             cp->quant_scalar)) {
            return pto_reject(PTO_RULE_POST_QUANT_SCALAR);
        }
    }
    if (fp->relu_mode == 2) {
        cp->alpha_scalar = pto_ctx_reg(ctx, b->ior.src[slot]);
        if (check && !pto_post_relu_word_ok(cp->alpha_scalar)) {
            return pto_reject(PTO_RULE_POST_ACT_SCALAR);
        }
    }
    return PTO_OK;
}

static bool auxiliary_legal(const PtoTile *t, uint32_t rows, uint32_t cols,
                            PtoDataType type)
{
    return pto_tile_source_defined(t) && t->storage == PTO_STORE_NUMERIC &&
           t->vrows == rows && t->vcols == cols && t->type == type &&
           t->layout == PTO_LAYOUT_ROW && t->location == PTO_LOC_ANY;
}

static PtoFaultInfo check_post_sources(PtoPlan *plan, const PtoCubePlan *cp)
{
    unsigned mode = plan->bundle->fpatr.pre_quant_mode;
    const PtoTile *t;

    if (!pto_post_accumulator_ok(mode, cp->acc)) {
        return pto_reject(PTO_RULE_POST_MODE);
    }
    if (cp->row_max >= 0 &&
        !auxiliary_legal(plan->src[cp->row_max].tile, cp->m, 1, cp->acc)) {
        return pto_reject(PTO_RULE_POST_ROW_MAX);
    }
    if (cp->quant >= 0) {
        t = plan->src[cp->quant].tile;
        if (!auxiliary_legal(t, 1, cp->n, PTO_U64)) {
            return pto_reject(PTO_RULE_POST_QUANT_TILE);
        }
        for (uint32_t j = 0; j < cp->n; j++) {
            if (!pto_post_quant_word_ok(mode, pto_tile_get(t, 0, j))) {
                return pto_reject(PTO_RULE_POST_QUANT_ELEMENT);
            }
        }
    }
    if (cp->alpha >= 0) {
        t = plan->src[cp->alpha].tile;
        if (!auxiliary_legal(t, 1, cp->n, PTO_U64)) {
            return pto_reject(PTO_RULE_POST_ACT_TILE);
        }
        for (uint32_t j = 0; j < cp->n; j++) {
            if (!pto_post_relu_word_ok(pto_tile_get(t, 0, j))) {
                return pto_reject(PTO_RULE_POST_ACT_ELEMENT);
            }
        }
    }
    return PTO_OK;
}

/* ---- step 12: Local mathematical sources --------------------------------- */

/* One row block of CUBE_M16 or CUBE_M32 that holds @m rows. */
static bool m_layout_legal(PtoLayout layout, uint32_t m)
{
    return (layout == PTO_LAYOUT_M16 && m <= 16) ||
           (layout == PTO_LAYOUT_M32 && m <= 32);
}

static bool cube_source(const PtoTile *t, uint32_t rows, uint32_t cols,
                        PtoDataType type, PtoLayout layout)
{
    return pto_tile_cube_legal(t) && t->contents_defined && t->vrows == rows &&
           t->vcols == cols && t->type == type && t->layout == layout;
}

/* A sits where C and D take their layout from. */
static PtoLayout primary_layout(const PtoPlan *plan, const PtoCubePlan *cp)
{
    if (!cp->left_shared) {
        return plan->src[cp->a].tile->layout;
    }
    if (cp->c >= 0) {
        return plan->src[cp->c].tile->layout;
    }
    return cp->m <= 16 ? PTO_LAYOUT_M16 : PTO_LAYOUT_M32;
}

static PtoFaultInfo check_left(PtoPlan *plan, PtoCubePlan *cp)
{
    cp->a_tile = plan->src[cp->a].tile;
    if (!m_layout_legal(cp->a_tile->layout, cp->m) ||
        !cube_source(cp->a_tile, cp->m, cp->k, cp->left, cp->a_tile->layout)) {
        return pto_reject(PTO_RULE_MAT_A);
    }
    if (cp->sa >= 0) {
        cp->sa_tile = plan->src[cp->sa].tile;
        if (!cube_source(cp->sa_tile, cp->m, groups(cp, cp->left),
                         scale_type(cp->left), PTO_LAYOUT_M32)) {
            return pto_reject(PTO_RULE_MAT_A_SCALE);
        }
    }
    return PTO_OK;
}

static PtoFaultInfo check_right(PtoPlan *plan, PtoCubePlan *cp)
{
    cp->b_tile = plan->src[cp->b].tile;
    if (!cube_source(cp->b_tile, cp->k, cp->n, cp->right, PTO_LAYOUT_N8)) {
        return pto_reject(PTO_RULE_MAT_B);
    }
    if (cp->sb >= 0) {
        cp->sb_tile = plan->src[cp->sb].tile;
        if (!cube_source(cp->sb_tile, cp->n, groups(cp, cp->right),
                         scale_type(cp->right), PTO_LAYOUT_M32)) {
            return pto_reject(PTO_RULE_MAT_B_SCALE);
        }
    }
    return PTO_OK;
}

static PtoFaultInfo check_local_sources(PtoPlan *plan, PtoCubePlan *cp)
{
    bool converted = plan->bundle->fpatr.pre_quant_mode != 0;
    PtoFaultInfo f = PTO_OK;

    cp->layout = primary_layout(plan, cp);
    if (cp->c >= 0) {
        const PtoTile *c = plan->src[cp->c].tile;

        if (!cube_source(c, cp->m, cp->n, cp->acc, cp->layout) ||
            (!converted && c->capacity != plan->dst[0].capacity)) {
            return pto_reject(PTO_RULE_MAT_C);
        }
    }
    if (!cp->left_shared) {
        f = check_left(plan, cp);
    }
    if (!f.code && !cp->right_shared) {
        f = check_right(plan, cp);
    }
    if (!f.code && cp->bias >= 0) {
        const PtoTile *bias = plan->src[cp->bias].tile;

        if (!pto_tile_source_defined(bias) || bias->vrows != 1 ||
            bias->vcols != cp->n || bias->type != cp->acc ||
            bias->layout != PTO_LAYOUT_ROW) {
            f = pto_reject(PTO_RULE_MAT_BIAS);
        }
    }
    if (!f.code && cp->cscale >= 0 &&
        !cube_source(plan->src[cp->cscale].tile, cp->m, 1, PTO_U8,
                     PTO_LAYOUT_M32)) {
        f = pto_reject(PTO_RULE_MAT_CSCALE);
    }
    return f;
}

/* Forbidden TF32, HF32, E3M2, E2M3 encodings in the valid region (N25). */
static bool encodings_valid(const PtoTile *t, uint32_t rows, uint32_t cols,
                            bool trans)
{
    switch (t->type) {
    case PTO_TF32: case PTO_HF32: case PTO_E3M2: case PTO_E2M3:
        break;
    default:
        return true;
    }
    for (uint32_t r = 0; r < rows; r++) {
        for (uint32_t c = 0; c < cols; c++) {
            uint64_t e = trans ? pto_tile_get(t, c, r) : pto_tile_get(t, r, c);

            if (!pto_encoding_valid(t->type, e)) {
                return false;
            }
        }
    }
    return true;
}

static PtoFaultInfo check_encodings(PtoPlan *plan, const PtoCubePlan *cp)
{
    const PtoFpatr *fp = &plan->bundle->fpatr;

    if (!plan->profile->raw_carrier &&
        (!encodings_valid(cp->a_tile, cp->left_shared ? cp->group_m : cp->m,
                          cp->k, fp->trans_a) ||
         !encodings_valid(cp->b_tile, cp->k, cp->n, fp->trans_b))) {
        return pto_reject(PTO_RULE_MAT_ENCODING);
    }
    return PTO_OK;
}

/* ---- steps 13 to 16: aliases and destinations ---------------------------- */

/* B.IOT source code number @ordinal, as encoded. */
static unsigned source_code(const PtoBundle *b, int ordinal)
{
    for (unsigned i = 0; i < b->iot_count; i++) {
        for (unsigned s = 0; s < 2; s++) {
            if (b->iot[i].src_valid[s] && ordinal-- == 0) {
                return b->iot[i].src[s];
            }
        }
    }
    return 0;
}

/* The encoded selector may not equal the hand number of a destination. */
static bool distinct(const PtoPlan *plan, int ordinal, unsigned destinations)
{
    unsigned code = source_code(plan->bundle, ordinal);

    for (unsigned i = 0; i < destinations; i++) {
        if (code == plan->dst[i].hand) {
            return false;
        }
    }
    return true;
}

static void request_auxiliary(PtoDest *d, const PtoCubePlan *cp, uint32_t cols)
{
    d->storage = PTO_STORE_NUMERIC;
    d->type = cp->acc;
    d->layout = PTO_LAYOUT_ROW;
    d->location = PTO_LOC_ANY;
    d->cols = cols;
    d->vrows = cp->m;
    d->vcols = cols;
}

static void request_destinations(PtoPlan *plan, PtoCubePlan *cp)
{
    const PtoFpatr *fp = &plan->bundle->fpatr;
    unsigned next = 1;
    PtoDest *d = &plan->dst[0];

    d->storage = PTO_STORE_NUMERIC;
    d->type = pto_post_output(fp->pre_quant_mode, cp->acc);
    d->layout = cp->layout;
    d->location = PTO_LOC_MATRIX;
    d->vrows = cp->m;
    d->vcols = cp->n;
    if (fp->row_max_en) {
        request_auxiliary(&plan->dst[next++], cp, 1);
    }
    if (fp->group_max_en) {
        uint32_t columns = pto_post_group_n(fp->group_n_code);

        request_auxiliary(&plan->dst[next], cp,
                          (cp->n + columns - 1) / columns);
    }
}

/* ---- sequence ------------------------------------------------------------ */

static PtoFaultInfo check_local(PtoTileCtx *ctx, PtoPlan *plan,
                                PtoCubePlan *cp)
{
    PtoFaultInfo f = pto_plan_views(ctx, plan);

    if (!f.code) {
        f = pto_plan_generations(ctx, plan);
    }
    if (!f.code) {
        f = scalar_values(ctx, plan, cp);
    }
    if (!f.code && cp->cscale >= 0 &&
        (cp->c < 0 || form_gemv(plan->op) || cp->acc != PTO_FP32)) {
        f = pto_reject(PTO_RULE_MAT_CSCALE_FORM);
    }
    if (!f.code) {
        f = check_post_sources(plan, cp);
    }
    if (!f.code) {
        f = check_local_sources(plan, cp);
    }
    if (!f.code) {
        f = check_encodings(plan, cp);
    }
    if (!f.code && cp->c >= 0 && !distinct(plan, cp->c, 1)) {
        f = pto_reject(PTO_RULE_MAT_C_ALIAS);
    }
    if (!f.code && cp->cscale >= 0 && !distinct(plan, cp->cscale, plan->ndst)) {
        f = pto_reject(PTO_RULE_MAT_CSCALE_ALIAS);
    }
    if (!f.code && !m_layout_legal(cp->layout, cp->m)) {
        f = pto_reject(PTO_RULE_MAT_LAYOUT);
    }
    return f;
}

/*
 * Arrival of the PEs of the core at a cooperative product (delta 5.4). Returns
 * a fault when their blocks differ; sets plan->wait until all have come.
 */
static PtoFaultInfo meet(PtoTileCtx *ctx, PtoPlan *plan, const PtoCubePlan *cp)
{
    uint32_t own[] = { plan->op->code, cp->group_m, cp->n, cp->k };
    const void *all[PTO_PES];
    bool agree = true;

    if (!cp->right_shared || plan->profile->single_program ||
        ctx->pe_count <= 1) {
        return PTO_OK;
    }
    if (!pto_rendezvous(ctx, PTO_OP_TMATMUL, own, sizeof(own), all)) {
        plan->wait = true;
        return PTO_OK;
    }
    for (unsigned pe = 0; pe < PTO_PES; pe++) {
        agree = agree && (!all[pe] || !memcmp(all[pe], own, sizeof(own)));
    }
    pto_rendezvous_done(ctx);
    return agree ? PTO_OK
                 : pto_reject(PTO_RULE_MAT_AGREE);
}

static PtoFaultInfo cube_preflight(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoBundle *b = plan->bundle;
    PtoCubePlan *cp = pto_plan_priv(plan, sizeof(*cp));
    PtoFaultInfo f;

    if (!b->fpatr.valid) {
        return pto_reject(PTO_RULE_MAT_FPATR);
    }
    cp->mx = form_mx(plan->op);
    cp->left = plan->type;
    cp->right = b->datr.present ? b->datr.dtype : plan->type;
    f = check_structure(plan, cp);
    if (f.code) {
        return f;
    }
    cp->acc = cp->mx ? PTO_FP32 : accumulator_type(cp->left);
    if (cp->right_shared && !pto_shared_ready(ctx, b)) {
        plan->wait = true;
        plan->wait_shared = b->ios[0].id;
        return PTO_OK;
    }
    f = check_shared(ctx, plan, cp);
    if (f.code) {
        return f;
    }
    distribute_rows(ctx, cp);
    if (cp->m) {
        f = check_local(ctx, plan, cp);
        if (!f.code) {
            if (cp->right_shared) {
                plan->mask = pto_pe_bit(ctx->pe);
            }
            request_destinations(plan, cp);
            f = pto_plan_allocate(ctx, plan);
        }
    } else {
        plan->consume_only = true;
    }
    return f.code ? f : meet(ctx, plan, cp);
}

const PtoSchema pto_schema_cube = {
    .preflight = cube_preflight,
    .kernel = pto_cube_execute,
};
