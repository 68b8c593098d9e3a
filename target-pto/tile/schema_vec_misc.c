/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Schemas of generation, histogram, sort, rearrangement, indexed and CELL
 * operations.
 */
#include "tile/port.h"
#include "tile/schema_vec.h"

/* ---- TCI, TTRI ------------------------------------------------------------ */

static bool generate_type(const PtoTileOp *op, PtoDataType type)
{
    switch (type) {
    case PTO_S32:
    case PTO_S16:
    case PTO_U32:
    case PTO_U16:
        return true;
    case PTO_FP32:
    case PTO_FP16:
        return op->id == PTO_OP_TTRI;
    default:
        return false;
    }
}

/* LB2 >= LB0; TCI makes one row. */
static bool generate_dims(const PtoTileOp *op, const PtoBundle *b)
{
    if (!pto_dim_ok(b, 0) ||
        (b->dim_present[2] && (b->dim[2] < b->dim[0] || b->dim[2] > 65535))) {
        return false;
    }
    return !b->dim_present[1] ||
           (op->id == PTO_OP_TCI ? b->dim[1] == 1 : pto_dim_ok(b, 1));
}

static PtoFaultInfo generate_check(PtoTileCtx *ctx, PtoPlan *plan)
{
    (void)ctx;
    if (!pto_bind_single(plan->bundle, 0)) {
        return pto_reject(PTO_RULE_VEC_BINDING);
    }
    if (!generate_dims(plan->op, plan->bundle)) {
        return pto_reject(PTO_RULE_VEC_DIM_RANGE);
    }
    if (!generate_type(plan->op, plan->type)) {
        return pto_reject(PTO_RULE_VEC_TYPE);
    }
    plan->kernel = plan->op->id == PTO_OP_TCI ? pto_kernel_ci : pto_kernel_tri;
    return PTO_OK;
}

static PtoFaultInfo generate_legal(PtoTileCtx *ctx, PtoPlan *plan)
{
    (void)ctx;
    if (!generate_type(plan->op, plan->dst[0].tile.type)) {
        return pto_reject(PTO_RULE_VEC_DST_TYPE);
    }
    return PTO_OK;
}

const PtoSchema pto_schema_generate = {
    .check = generate_check,
    .shape = pto_shape_from_dims,
    .legal = generate_legal,
};

/* ---- THISTOGRAM ----------------------------------------------------------- */

/* Filter rows whose first element the operation compares with. */
static uint32_t filter_rows(const PtoPlan *plan, const PtoTile *src)
{
    if (src->type == PTO_U32) {
        return 3 - plan->byte_id;
    }
    return plan->byte_id ? 0 : src->vrows;
}

static bool histogram_inputs(const PtoPlan *plan)
{
    const PtoTile *s = plan->src[0].tile, *f = plan->src[1].tile;
    uint32_t rows;

    if (!pto_tile_source_defined(s) || s->storage != PTO_STORE_NUMERIC ||
        s->layout != PTO_LAYOUT_ROW || !pto_tile_legal(f) ||
        f->storage != PTO_STORE_NUMERIC || f->type != PTO_U8 ||
        (s->type != PTO_U32 && (s->type != PTO_U16 || plan->byte_id > 1))) {
        return false;
    }
    rows = filter_rows(plan, s);
    if (rows && (f->vrows < rows || f->vcols < 1)) {
        return false;
    }
    for (uint32_t row = 0; row < rows; row++) {
        if (!pto_tile_elem_defined(f, row, 0)) {
            return false;
        }
    }
    return true;
}

static PtoFaultInfo histogram_check(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoBundle *b = plan->bundle;

    (void)ctx;
    if (!pto_bind_single(b, 2)) {
        return pto_reject(PTO_RULE_VEC_BINDING);
    }
    if (b->dim_present[0] || b->dim_present[1] || b->dim_present[2]) {
        return pto_reject(PTO_RULE_VEC_DIM_NONE);
    }
    if (!b->datr.present || plan->dtype2 != PTO_U32 ||
        (plan->type != PTO_U16 && plan->type != PTO_U32)) {
        return pto_reject(PTO_RULE_VEC_HISTOGRAM_TYPE);
    }
    if (!histogram_inputs(plan)) {
        return pto_reject(PTO_RULE_VEC_HISTOGRAM);
    }
    return PTO_OK;
}

static PtoFaultInfo histogram_shape(PtoTileCtx *ctx, PtoPlan *plan)
{
    (void)ctx;
    pto_vec_request(plan, 0, PTO_U32, plan->src[0].tile->vrows, 256, 256);
    return PTO_OK;
}

const PtoSchema pto_schema_histogram = {
    .check = histogram_check,
    .shape = histogram_shape,
    .kernel = pto_kernel_histogram,
};

/* ---- TSORT, TMRGSORT ------------------------------------------------------ */

/* BF16 is in the contract but not in the table of the reference model (N26). */
static bool sort_type(const PtoPlan *plan)
{
    return plan->type == PTO_FP32 || plan->type == PTO_FP16 ||
           (plan->type == PTO_BF16 && plan->profile->sort_bf16);
}

static bool sort_dims(const PtoPlan *plan)
{
    const PtoBundle *b = plan->bundle;

    if (b->dim_present[1] || b->dim_present[2]) {
        return false;
    }
    return plan->op->id == PTO_OP_TSORT
           ? !b->dim_present[0] || b->dim[0] <= 64 : !b->dim_present[0];
}

static bool sort_source(const PtoPlan *plan, const PtoTile *t)
{
    return pto_vec_source(t, plan->type) && t->vrows && t->vcols;
}

static bool merge_sources(const PtoPlan *plan)
{
    const PtoTile *l = plan->src[0].tile, *r = plan->src[1].tile;

    return sort_source(plan, r) && l->vrows == 1 && r->vrows == 1 &&
           (uint32_t)l->vcols + r->vcols <= 32768 &&
           pto_sort_ordered(l, plan->flag0) && pto_sort_ordered(r, plan->flag0);
}

static PtoFaultInfo sort_check(PtoTileCtx *ctx, PtoPlan *plan)
{
    bool merge = plan->op->id == PTO_OP_TMRGSORT;

    (void)ctx;
    if (plan->bundle->ios_count || !sort_dims(plan)) {
        return pto_reject(PTO_RULE_VEC_BINDING_DIM);
    }
    if (!sort_type(plan)) {
        return pto_reject(PTO_RULE_VEC_TYPE);
    }
    if (!sort_source(plan, plan->src[0].tile)) {
        return pto_reject(PTO_RULE_VEC_SOURCE);
    }
    if (merge && !merge_sources(plan)) {
        return pto_reject(PTO_RULE_VEC_MERGE);
    }
    plan->kernel = merge ? pto_kernel_merge : pto_kernel_sort;
    return PTO_OK;
}

static PtoFaultInfo sort_shape(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoTile *l = plan->src[0].tile;

    (void)ctx;
    if (plan->op->id == PTO_OP_TSORT) {
        pto_vec_request(plan, 0, l->type, l->vrows, l->vcols, l->cols);
        pto_vec_request(plan, 1, PTO_U32, l->vrows, l->vcols, l->cols);
    } else {
        uint32_t n = l->vcols + plan->src[1].tile->vcols;

        pto_vec_request(plan, 0, l->type, 1, n, pto_pow2_cols(n));
    }
    return PTO_OK;
}

static PtoFaultInfo sort_legal(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoTile *s = plan->src[0].tile;

    (void)ctx;
    if (plan->op->id == PTO_OP_TSORT &&
        (!pto_tile_shape_match(&plan->dst[0].tile, s) ||
         !pto_tile_shape_match(&plan->dst[1].tile, s))) {
        return pto_reject(PTO_RULE_VEC_MATCH_SHAPE);
    }
    return PTO_OK;
}

const PtoSchema pto_schema_sort = {
    .check = sort_check,
    .shape = sort_shape,
    .legal = sort_legal,
};

/* ---- TCONCAT, TEXTRACT, TINSERT ------------------------------------------- */

/* Legal numeric source with everything defined, of the destination's type. */
static bool move_source(const PtoTile *t, const PtoTile *dst)
{
    return pto_tile_source_defined(t) && t->storage == PTO_STORE_NUMERIC &&
           t->type == dst->type && pto_tile_encodings_valid(t);
}

static bool concat_legal(const PtoPlan *plan, const PtoTile *dst)
{
    const PtoTile *l = plan->src[0].tile, *r = plan->src[1].tile;

    return move_source(l, dst) && move_source(r, dst) && l->vrows > 0 &&
           l->vrows == r->vrows && dst->vrows == l->vrows &&
           dst->vcols == (uint32_t)l->vcols + r->vcols;
}

static bool window_fits(const PtoPlan *plan, const PtoTile *window,
                        const PtoTile *whole)
{
    uint64_t row, col;

    pto_vec_offsets(plan, &row, &col);
    return row <= 65535 && col <= 65535 &&
           row + window->vrows <= whole->vrows &&
           col + window->vcols <= whole->vcols;
}

static bool extract_legal(const PtoPlan *plan, const PtoTile *dst)
{
    const PtoTile *s = plan->src[0].tile;

    return move_source(s, dst) && window_fits(plan, dst, s);
}

static bool insert_legal(const PtoPlan *plan, const PtoTile *dst)
{
    const PtoTile *old = plan->src[0].tile, *s = plan->src[1].tile;

    return move_source(old, dst) && move_source(s, dst) &&
           pto_tile_match(dst, old) && window_fits(plan, s, dst);
}

static PtoFaultInfo rearrange_legal(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoTile *dst = &plan->dst[0].tile;
    bool ok;

    (void)ctx;
    switch (plan->op->id) {
    case PTO_OP_TCONCAT:
        ok = concat_legal(plan, dst);
        plan->kernel = pto_kernel_concat;
        break;
    case PTO_OP_TEXTRACT:
        ok = extract_legal(plan, dst);
        plan->kernel = pto_kernel_extract;
        break;
    default:
        ok = insert_legal(plan, dst);
        plan->kernel = pto_kernel_insert;
        break;
    }
    if (!ok || !pto_tile_legal(dst) ||
        !pto_type_in(PTO_TYPES_MOVE24, dst->type)) {
        return pto_reject(PTO_RULE_VEC_WINDOW);
    }
    return PTO_OK;
}

const PtoSchema pto_schema_rearrange = {
    .shape = pto_shape_from_source,
    .legal = rearrange_legal,
};

/* ---- TIMG2COL ------------------------------------------------------------- */

static bool feature_map_legal(const PtoFeatureMap *f, const PtoTile *t)
{
    uint64_t elements = (uint64_t)f->batches * f->depth;

    if (!f->valid || f->transposed || (!f->ndc1hwc0 && f->depth != 1) ||
        f->logical_channels > (uint32_t)f->channel_groups *
                              f->channels_per_group) {
        return false;
    }
    /* Six 16-bit factors overflow 64 bits: stop at the first excess. */
    for (unsigned i = 0; i < 4; i++) {
        const uint16_t factor[4] = { f->channel_groups, f->height, f->width,
                                     f->channels_per_group };

        elements *= factor[i];
        if (elements > (uint64_t)t->rows * t->cols) {
            return false;
        }
    }
    return true;
}

static bool references_defined(const PtoFeatureMap *f, const PtoTile *s,
                               const PtoTile *dst, uint64_t m, uint64_t k)
{
    for (uint32_t row = 0; row < dst->vrows; row++) {
        for (uint32_t col = 0; col < dst->vcols; col++) {
            int64_t i = pto_img2col_index(f, m + row, k + col);

            if (i >= 0 && !pto_tile_elem_defined(s, i / s->cols, i % s->cols)) {
                return false;
            }
        }
    }
    return true;
}

static bool img2col_legal(PtoTileCtx *ctx, const PtoPlan *plan)
{
    const PtoTile *s = plan->src[0].tile, *dst = &plan->dst[0].tile;
    const PtoFeatureMap *f = plan->src[0].slot < 0 ? NULL
                             : ctx->local->feature_map[plan->src[0].slot];
    uint64_t m, k, oh, ow;

    pto_vec_offsets(plan, &m, &k);
    if (!plan->profile->img2col_from_tile || plan->src[0].is_view || !f ||
        !pto_tile_legal(s) || s->storage != PTO_STORE_NUMERIC ||
        !feature_map_legal(f, s) || pto_type_bits(s->type) == 64 ||
        pto_type_is_4bit(s->type) || dst->type != s->type ||
        s->layout != PTO_LAYOUT_ROW || s->location != PTO_LOC_MATRIX) {
        return false;
    }
    pto_img2col_output(f, &oh, &ow);
    return oh && ow &&
           m + dst->vrows <= f->batches * f->depth * oh * ow &&
           k + dst->vcols <= (uint64_t)f->channel_groups * f->filter_h *
                             f->filter_w * f->channels_per_group &&
           references_defined(f, s, dst, m, k);
}

static PtoFaultInfo img2col_operands(PtoTileCtx *ctx, PtoPlan *plan)
{
    return img2col_legal(ctx, plan) ? PTO_OK
           : pto_reject(PTO_RULE_VEC_FEATURE_MAP);
}

const PtoSchema pto_schema_img2col = {
    .shape = pto_shape_from_source,
    .legal = img2col_operands,
    .kernel = pto_kernel_img2col,
};

/* ---- TGATHER, TSCATTER ---------------------------------------------------- */

static bool index_type(PtoDataType type)
{
    return pto_type_is_integer(type) && pto_type_bits(type) >= 16;
}

static bool gather_references(const PtoTile *s, const PtoTile *index)
{
    uint32_t n = index->vcols, *rows = pto_alloc(n * sizeof(*rows));
    PtoRowAccess x;
    bool ok = true;

    pto_row_open(&x, index, n);
    for (uint32_t row = 0; row < index->vrows && ok; row++) {
        pto_index_rows(index, pto_row_read(&x, row), n, rows);
        for (uint32_t col = 0; col < n; col++) {
            ok &= rows[col] < s->vrows;
        }
        for (uint32_t col = 0; col < n && ok && !s->contents_defined; col++) {
            ok = pto_tile_elem_defined(s, rows[col], col);
        }
    }
    pto_row_done(&x);
    pto_free(rows);
    return ok;
}

/* Every destination element at most once. */
static bool scatter_references(const PtoTile *dst, const PtoTile *index)
{
    uint32_t n = index->vcols, *rows = pto_alloc(n * sizeof(*rows));
    uint8_t *seen = pto_alloc0((size_t)dst->vrows * n);
    PtoRowAccess x;
    bool ok = true;

    pto_row_open(&x, index, n);
    for (uint32_t row = 0; row < index->vrows && ok; row++) {
        pto_index_rows(index, pto_row_read(&x, row), n, rows);
        for (uint32_t col = 0; col < n && ok; col++) {
            ok = rows[col] < dst->vrows &&
                 !seen[(size_t)rows[col] * n + col]++;
        }
    }
    pto_row_done(&x);
    pto_free(seen);
    pto_free(rows);
    return ok;
}

static bool same_valid(const PtoTile *a, const PtoTile *b)
{
    return a->vrows == b->vrows && a->vcols == b->vcols;
}

static PtoFaultInfo indexed_legal(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoTile *dst = &plan->dst[0].tile;
    const PtoTile *s = plan->src[0].tile, *index = plan->src[1].tile;
    bool gather = plan->op->id == PTO_OP_TGATHER;

    (void)ctx;
    if (!pto_tile_legal(dst) || !pto_tile_legal(s) ||
        s->storage != PTO_STORE_NUMERIC || !pto_tile_source_defined(index) ||
        index->storage != PTO_STORE_NUMERIC || !index_type(index->type) ||
        dst->type != s->type || pto_type_is_4bit(s->type)) {
        return pto_reject(PTO_RULE_VEC_INDEX_TILE);
    }
    if (gather ? !same_valid(dst, index) || s->vcols < dst->vcols
               : !same_valid(s, index) || dst->vcols != s->vcols ||
                 !s->contents_defined) {
        return pto_reject(PTO_RULE_VEC_INDEX_SHAPE);
    }
    if (!(gather ? gather_references(s, index)
                 : scatter_references(dst, index))) {
        return pto_reject(PTO_RULE_VEC_INDEX);
    }
    plan->kernel = gather ? pto_kernel_gather : pto_kernel_scatter;
    return PTO_OK;
}

const PtoSchema pto_schema_indexed = {
    .shape = pto_shape_from_source,
    .legal = indexed_legal,
};

/* ---- TPERMUTE, TSHUF, TPACK, TUNPACK -------------------------------------- */

/* Sources in the single (last) binding; TPERMUTE has a pair before it. */
static bool cell_binding(const PtoPlan *plan)
{
    const PtoBundle *b = plan->bundle;
    const PtoBindTile *in = &b->iot[0], *out = &b->iot[1];

    if (plan->op->id != PTO_OP_TPERMUTE) {
        return pto_bind_single(b, plan->op->sources) && b->ior.valid &&
               !b->ior.src[1] && !b->ior.src[2] && !b->ior.dst;
    }
    return b->iot_count == 2 && !b->ios_count && !b->ior.valid &&
           !in->dst_valid && in->src_valid[0] && in->src_valid[1] &&
           !in->last && out->dst_valid && out->src_valid[0] &&
           !out->src_valid[1] && out->last;
}

static PtoFaultInfo cell_check(PtoTileCtx *ctx, PtoPlan *plan)
{
    (void)ctx;
    if (!cell_binding(plan)) {
        return pto_reject(PTO_RULE_CELL_BINDING);
    }
    if (plan->op->id == PTO_OP_TPERMUTE &&
        (plan->src[2].slot == plan->src[0].slot ||
         plan->src[2].slot == plan->src[1].slot)) {
        return pto_reject(PTO_RULE_CELL_INDEX);
    }
    return PTO_OK;
}

static bool cell_tile(const PtoTile *t)
{
    return pto_vec_is_cell(t) && pto_tile_cube_legal(t);
}

static PtoFaultInfo cell_shape(PtoTileCtx *ctx, PtoPlan *plan)
{
    (void)ctx;
    for (unsigned i = 0; i < plan->nsrc; i++) {
        if (!cell_tile(plan->src[i].tile)) {
            return pto_reject(PTO_RULE_VEC_CELL);
        }
    }
    pto_vec_request_cell(plan, plan->src[0].tile, plan->src[0].tile->type);
    return PTO_OK;
}

static bool cell_alike(const PtoTile *a, const PtoTile *b)
{
    return a->layout == b->layout && same_valid(a, b) && a->type == b->type;
}

/* An index or control tile next to @data: @cols columns of @type. */
static bool cell_companion(const PtoTile *data, const PtoTile *t,
                           PtoDataType type, uint32_t cols)
{
    return t->layout == data->layout && t->type == type &&
           t->vrows == data->vrows && t->vcols == cols &&
           t->cells == data->cells && t->contents_defined;
}

static bool permute_legal(const PtoPlan *plan)
{
    const PtoTile *t = plan->src[0].tile;
    uint32_t n = pto_cell_row_bytes(t);

    return cell_alike(t, plan->src[1].tile) &&
           cell_companion(t, plan->src[2].tile, PTO_U8, n) &&
           pto_cell_permute_legal(plan);
}

static bool shuffle_legal(const PtoPlan *plan)
{
    const PtoTile *t = plan->src[0].tile;
    uint64_t c = plan->scalar0;
    unsigned mode = c & 255, segment = c >> 8 & 255, boundary = c >> 16 & 255;

    return c >> 32 == 0 && mode <= 3 && boundary <= 1 && segment <= 4 &&
           (segment < 4 || t->layout == PTO_LAYOUT_M32) &&
           t->contents_defined &&
           cell_companion(t, plan->src[1].tile, PTO_U32,
                          (pto_cell_row_bytes(t) + 3) / 4);
}

static bool pack_legal(const PtoPlan *plan)
{
    const PtoTile *l = plan->src[0].tile, *r = plan->src[1].tile;
    uint64_t c = plan->scalar0;
    unsigned n0 = c & 255, n1 = c >> 8 & 255;

    return c >> 32 == 0 && n0 >= 1 && n0 <= 3 && n1 >= 1 && n1 <= 3 &&
           n0 + n1 <= 4 && l->type == PTO_U32 && cell_alike(l, r) &&
           l->contents_defined && r->contents_defined;
}

static bool unpack_legal(const PtoPlan *plan)
{
    uint64_t c = plan->scalar0;
    unsigned offset = c & 255, count = c >> 8 & 255;

    return c >> 32 == 0 && offset <= 3 && count >= 1 && offset + count <= 4 &&
           plan->src[0].tile->type == PTO_U32 &&
           plan->src[0].tile->contents_defined;
}

static PtoFaultInfo cell_legal(PtoTileCtx *ctx, PtoPlan *plan)
{
    bool ok;

    (void)ctx;
    switch (plan->op->id) {
    case PTO_OP_TPERMUTE:
        ok = permute_legal(plan);
        plan->kernel = pto_kernel_permute;
        break;
    case PTO_OP_TSHUF:
        ok = shuffle_legal(plan);
        plan->kernel = pto_kernel_shuffle;
        break;
    case PTO_OP_TPACK:
        ok = pack_legal(plan);
        plan->kernel = pto_kernel_pack;
        break;
    default:
        ok = unpack_legal(plan);
        plan->kernel = pto_kernel_unpack;
        break;
    }
    return ok ? PTO_OK : pto_reject(PTO_RULE_CELL_OPERAND);
}

const PtoSchema pto_schema_cell = {
    .check = cell_check,
    .shape = cell_shape,
    .legal = cell_legal,
};
