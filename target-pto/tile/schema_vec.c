/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Schemas of the element-wise, tile-scalar, compare, select, conversion,
 * reduction and expansion operations.
 *
 * A "closed" schema checks bindings, dimensions and type before allocation, an
 * "open" one (logic and shift operations, SFU functions) leaves everything to
 * the operand check after it, so that its faults can be TileAllocation first.
 */
#include "tile/port.h"
#include "tile/schema_vec.h"

/* ---- shared predicates ---------------------------------------------------- */

bool pto_vec_shape_is_dims(const PtoBundle *b, const PtoTile *t)
{
    return t->vcols == b->dim[0] &&
           t->vrows == (b->dim_present[1] ? b->dim[1] : 1) &&
           t->cols == (b->dim_present[2] ? b->dim[2] : b->dim[0]);
}

bool pto_vec_numeric(const PtoTile *t, PtoDataType type)
{
    return pto_tile_source_defined(t) && t->storage == PTO_STORE_NUMERIC &&
           t->type == type && t->layout == PTO_LAYOUT_ROW;
}

bool pto_vec_source(const PtoTile *t, PtoDataType type)
{
    return pto_vec_numeric(t, type) && pto_tile_encodings_valid(t);
}

bool pto_vec_predicate(const PtoTile *t)
{
    return pto_tile_source_defined(t) && t->storage == PTO_STORE_PREDICATE;
}

bool pto_vec_cell_source(const PtoTile *t)
{
    return pto_vec_is_cell(t) && pto_tile_cube_legal(t) && t->contents_defined;
}

void pto_vec_request(PtoPlan *plan, unsigned i, PtoDataType type,
                     uint32_t vrows, uint32_t vcols, uint32_t cols)
{
    PtoDest *d = &plan->dst[i];

    d->storage = PTO_STORE_NUMERIC;
    d->type = type;
    d->layout = PTO_LAYOUT_ROW;
    d->location = PTO_LOC_ANY;
    d->vrows = vrows;
    d->vcols = vcols;
    d->cols = cols;
}

void pto_vec_request_cell(PtoPlan *plan, const PtoTile *like, PtoDataType type)
{
    pto_vec_request(plan, 0, type, like->vrows, like->vcols, like->cols);
    plan->dst[0].layout = like->layout;
    plan->dst[0].location = PTO_LOC_MATRIX;
}

/* ---- binding and dimension rules by schema -------------------------------- */

/* How the B.IOT of a closed schema look. */
typedef enum PtoVecBind {
    PTO_BIND_OPEN,      /* counts only, checked by the pipeline */
    PTO_BIND_SINGLE,    /* one B.IOT with everything */
    PTO_BIND_PAIR,      /* (s0, s1), then (s2 -> d, last) */
} PtoVecBind;

typedef struct PtoVecRule {
    uint8_t bind;       /* PtoVecBind */
    bool dims;          /* LB0 required, LB1 and LB2 in range when present */
    bool no_ior;        /* not even an all-zero B.IOR */
    bool type;          /* the block's type must be in the operation's set */
} PtoVecRule;

static const PtoVecRule rules[PTO_SCHEMA_COUNT] = {
    [PTO_SCHEMA_BINARY] =         { PTO_BIND_SINGLE, true, false, true },
    [PTO_SCHEMA_UNARY] =          { PTO_BIND_SINGLE, true, false, true },
    [PTO_SCHEMA_FMA] =            { PTO_BIND_PAIR,   true, true,  true },
    [PTO_SCHEMA_COMPARE] =        { PTO_BIND_SINGLE, true, true,  true },
    [PTO_SCHEMA_COMPARE_SCALAR] = { PTO_BIND_SINGLE, true, false, true },
    [PTO_SCHEMA_SELECT] =         { PTO_BIND_PAIR,   true, true,  true },
    [PTO_SCHEMA_SELECT_SCALAR] =  { PTO_BIND_SINGLE, true, false, true },
    [PTO_SCHEMA_SCALAR] =         { PTO_BIND_SINGLE, true, false, true },
    [PTO_SCHEMA_FILL] =           { PTO_BIND_SINGLE, true, false, true },
    [PTO_SCHEMA_CONVERT] =        { PTO_BIND_SINGLE, true, true,  true },
    [PTO_SCHEMA_QUANT] =          { PTO_BIND_SINGLE, true, false, false },
    [PTO_SCHEMA_REDUCE_ROW] =     { PTO_BIND_SINGLE, true, true,  true },
    [PTO_SCHEMA_REDUCE_COL] =     { PTO_BIND_SINGLE, true, true,  true },
    [PTO_SCHEMA_EXPAND_ROW] =     { PTO_BIND_SINGLE, true, true,  false },
    [PTO_SCHEMA_EXPAND_COL] =     { PTO_BIND_SINGLE, true, true,  false },
};

/* TAND..TSHR and the SFU functions have open schemas in the model. */
static bool is_open(const PtoPlan *plan)
{
    const PtoTileOp *op = plan->op;

    return plan->profile->open_schemas &&
           ((op->schema == PTO_SCHEMA_BINARY && op->types == PTO_TYPES_INT) ||
            (op->schema == PTO_SCHEMA_UNARY && op->types == PTO_TYPES_FLOAT));
}

static bool bind_pair(const PtoBundle *b)
{
    const PtoBindTile *in = &b->iot[0], *out = &b->iot[1];

    return b->iot_count == 2 && b->ios_count == 0 && !in->dst_valid &&
           in->src_valid[0] && in->src_valid[1] && !in->last &&
           out->dst_valid && out->src_valid[0] && !out->src_valid[1] &&
           out->last;
}

static PtoFaultInfo check_rule(PtoPlan *plan)
{
    const PtoVecRule *r = &rules[plan->op->schema];
    const PtoBundle *b = plan->bundle;

    if (r->bind == PTO_BIND_SINGLE
        ? !pto_bind_single(b, plan->op->sources)
        : r->bind == PTO_BIND_PAIR && !bind_pair(b)) {
        return pto_reject(PTO_RULE_VEC_BINDING);
    }
    if (r->no_ior && b->ior.valid) {
        return pto_reject(PTO_RULE_VEC_IOR);
    }
    if (r->dims && !pto_dims_closed(b)) {
        return pto_reject(PTO_RULE_VEC_DIM);
    }
    if (r->type && !pto_type_in(plan->op->types, plan->type)) {
        return pto_reject(PTO_RULE_VEC_TYPE);
    }
    return PTO_OK;
}

/* ---- element-wise --------------------------------------------------------- */

/*
 * Does the operation take CUBE_M16 / CUBE_M32 operands (ADR-0103)? The contract
 * of TRECIP still says row-major; a profile switch decides.
 */
static bool cube_allowed(const PtoPlan *plan)
{
    return plan->op->id != PTO_OP_TRECIP || plan->profile->recip_cube;
}

static bool cube_operands(const PtoPlan *plan)
{
    return plan->nsrc && cube_allowed(plan) &&
           pto_vec_is_cell(plan->src[0].tile) &&
           pto_tile_cube_legal(plan->src[0].tile);
}

static PtoFaultInfo elementwise_check(PtoTileCtx *ctx, PtoPlan *plan)
{
    (void)ctx;
    return is_open(plan) ? PTO_OK : check_rule(plan);
}

static PtoFaultInfo elementwise_shape(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoTile *s = plan->nsrc ? plan->src[0].tile : NULL;
    const PtoBundle *b = plan->bundle;

    if (cube_operands(plan)) {
        pto_vec_request_cell(plan, s, plan->etype);
        plan->dst[0].vcols = pto_dim_or(b, 0, s->vcols);
        plan->dst[0].vrows = pto_dim_or(b, 1, is_open(plan) ? s->vrows : 1);
        return PTO_OK;
    }
    return is_open(plan) ? pto_shape_from_source(ctx, plan)
                             : pto_shape_from_dims(ctx, plan);
}

/* Same object geometry in one CUBE layout, all of it defined. */
static bool cell_match(const PtoTile *a, const PtoTile *b)
{
    return pto_tile_cube_legal(a) && pto_tile_cube_legal(b) &&
           a->layout == b->layout && a->vrows == b->vrows &&
           a->vcols == b->vcols && a->type == b->type;
}

static bool operands_match(const PtoPlan *plan, const PtoTile *a,
                           const PtoTile *b)
{
    return pto_vec_is_cell(&plan->dst[0].tile) ? cell_match(a, b)
                                               : pto_tile_match(a, b);
}

/* LB2 gives storage columns of a row-major tile; CELLs have their own. */
static bool cube_dims_ok(const PtoPlan *plan)
{
    return !pto_vec_is_cell(&plan->dst[0].tile) ||
           !plan->bundle->dim_present[2];
}

static bool integer_divides(const PtoPlan *plan)
{
    return (plan->op->sub == PTO_SUB_BIN_DIV ||
            plan->op->sub == PTO_SUB_BIN_REM) &&
           pto_type_is_integer(plan->src[0].tile->type);
}

/* All sources and the destination alike; type, definedness, encodings. */
static PtoFaultInfo elementwise_legal(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoTile *dst = &plan->dst[0].tile, *first = plan->src[0].tile;
    /* The model checks TADD..TREM and logic operands for bits only. */
    bool encodings = pto_type_is_float(first->type) &&
                     (plan->op->schema != PTO_SCHEMA_BINARY ||
                      plan->op->sub == PTO_SUB_BIN_MAX ||
                      plan->op->sub == PTO_SUB_BIN_MIN ||
                      !plan->profile->raw_carrier);

    (void)ctx;
    for (unsigned i = 1; i < plan->nsrc; i++) {
        if (!operands_match(plan, first, plan->src[i].tile)) {
            return pto_reject(PTO_RULE_VEC_SOURCES);
        }
    }
    if (!operands_match(plan, dst, first) || !cube_dims_ok(plan)) {
        return pto_reject(PTO_RULE_VEC_MATCH);
    }
    if (first->storage != PTO_STORE_NUMERIC ||
        !pto_type_in(plan->op->types, first->type)) {
        return pto_reject(PTO_RULE_VEC_TYPE);
    }
    if (first->layout != PTO_LAYOUT_ROW && !pto_vec_is_cell(first)) {
        return pto_reject(PTO_RULE_VEC_LAYOUT);
    }
    for (unsigned i = 0; i < plan->nsrc; i++) {
        if (!plan->src[i].tile->contents_defined) {
            return pto_reject(PTO_RULE_VEC_UNDEFINED);
        }
        if (encodings && !pto_tile_encodings_valid(plan->src[i].tile)) {
            return pto_reject(PTO_RULE_VEC_ENCODING);
        }
    }
    if (plan->op->schema == PTO_SCHEMA_BINARY && integer_divides(plan) &&
        !pto_tile_nonzero(plan->src[1].tile)) {
        return pto_reject(PTO_RULE_VEC_DIVISOR);
    }
    return PTO_OK;
}

const PtoSchema pto_schema_binary = {
    .check = elementwise_check,
    .shape = elementwise_shape,
    .legal = elementwise_legal,
    .kernel = pto_kernel_binary,
};

const PtoSchema pto_schema_unary = {
    .check = elementwise_check,
    .shape = elementwise_shape,
    .legal = elementwise_legal,
    .kernel = pto_kernel_unary,
};

const PtoSchema pto_schema_fma = {
    .check = elementwise_check,
    .shape = elementwise_shape,
    .legal = elementwise_legal,
    .kernel = pto_kernel_fma,
};

/* ---- tile-scalar ---------------------------------------------------------- */

static uint64_t scalar_element(const PtoPlan *plan)
{
    return plan->scalar0 & pto_type_mask(plan->type);
}

/* Source against the header's shape: row-major, or CELLs without LB2. */
static bool scalar_source(const PtoPlan *plan, const PtoTile *t)
{
    const PtoBundle *b = plan->bundle;

    if (plan->op->schema == PTO_SCHEMA_SCALAR && pto_vec_is_cell(t)) {
        return pto_vec_cell_source(t) && t->type == plan->type &&
               !b->dim_present[2] && t->vcols == b->dim[0] &&
               t->vrows == pto_dim_or(b, 1, 1) && pto_tile_encodings_valid(t);
    }
    return pto_vec_source(t, plan->type) && pto_vec_shape_is_dims(b, t);
}

static PtoFaultInfo scalar_check(PtoTileCtx *ctx, PtoPlan *plan)
{
    PtoFaultInfo f = check_rule(plan);

    (void)ctx;
    if (f.code) {
        return f;
    }
    if (!scalar_source(plan, plan->src[0].tile)) {
        return pto_reject(PTO_RULE_VEC_SOURCE);
    }
    if (!pto_encoding_valid(plan->type, scalar_element(plan))) {
        return pto_reject(PTO_RULE_VEC_SCALAR_ENCODING);
    }
    if (integer_divides(plan) && !scalar_element(plan)) {
        return pto_reject(PTO_RULE_VEC_DIVISOR);
    }
    if (plan->op->schema == PTO_SCHEMA_COMPARE_SCALAR &&
        plan->cmode > PTO_CMP_GE) {
        return pto_reject(PTO_RULE_VEC_COMPARE);
    }
    return PTO_OK;
}

static PtoFaultInfo scalar_legal(PtoTileCtx *ctx, PtoPlan *plan)
{
    (void)ctx;
    if (!operands_match(plan, &plan->dst[0].tile, plan->src[0].tile)) {
        return pto_reject(PTO_RULE_VEC_MATCH);
    }
    return PTO_OK;
}

const PtoSchema pto_schema_scalar = {
    .check = scalar_check,
    .shape = elementwise_shape,
    .legal = scalar_legal,
    .kernel = pto_kernel_scalar,
};

static PtoFaultInfo fill_check(PtoTileCtx *ctx, PtoPlan *plan)
{
    (void)ctx;
    return check_rule(plan);
}

const PtoSchema pto_schema_fill = {
    .check = fill_check,
    .shape = pto_shape_from_dims,
    .kernel = pto_kernel_fill,
};

/* ---- compare and select --------------------------------------------------- */

/* The predicate copies the source's storage shape. */
static PtoFaultInfo predicate_shape(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoTile *s = plan->src[0].tile;
    PtoDest *d = &plan->dst[0];

    (void)ctx;
    d->storage = PTO_STORE_PREDICATE;
    d->type = PTO_U8;
    d->layout = PTO_LAYOUT_ROW;
    d->location = PTO_LOC_ANY;
    d->rows = s->rows;
    d->cols = s->cols;
    d->vrows = s->vrows;
    d->vcols = s->vcols;
    return PTO_OK;
}

static PtoFaultInfo compare_check(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoTile *l = plan->src[0].tile, *r = plan->src[1].tile;
    PtoFaultInfo f = check_rule(plan);

    (void)ctx;
    if (f.code) {
        return f;
    }
    if (plan->cmode > PTO_CMP_GE) {
        return pto_reject(PTO_RULE_VEC_COMPARE);
    }
    if (!pto_tile_match(l, r) || !pto_vec_source(l, plan->type) ||
        !pto_vec_source(r, plan->type) ||
        !pto_vec_shape_is_dims(plan->bundle, l)) {
        return pto_reject(PTO_RULE_VEC_SOURCES_HEADER);
    }
    return PTO_OK;
}

/*
 * The model holds a predicate descriptor to the element count that its
 * capacity has in bytes; the contract asks for packed capacity only.
 */
static PtoFaultInfo predicate_legal(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoTile *d = &plan->dst[0].tile;

    (void)ctx;
    if (plan->profile->predicate_bytes &&
        (uint32_t)d->rows * d->cols > d->capacity) {
        return pto_reject(PTO_RULE_VEC_PREDICATE);
    }
    return PTO_OK;
}

const PtoSchema pto_schema_compare = {
    .check = compare_check,
    .shape = predicate_shape,
    .legal = predicate_legal,
    .kernel = pto_kernel_compare,
};

const PtoSchema pto_schema_compare_scalar = {
    .check = scalar_check,
    .shape = predicate_shape,
    .legal = predicate_legal,
    .kernel = pto_kernel_compare_scalar,
};

static PtoFaultInfo select_check(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoTile *mask = plan->src[0].tile, *t = plan->src[1].tile;
    bool scalar = plan->op->schema == PTO_SCHEMA_SELECT_SCALAR;
    PtoFaultInfo f = check_rule(plan);

    (void)ctx;
    if (f.code) {
        return f;
    }
    if (!pto_vec_predicate(mask)) {
        return pto_reject(PTO_RULE_VEC_MASK);
    }
    if (!(scalar ? pto_vec_source : pto_vec_numeric)(t, plan->type) ||
        !pto_vec_shape_is_dims(plan->bundle, t) ||
        !pto_tile_shape_match(mask, t)) {
        return pto_reject(PTO_RULE_VEC_SOURCES_HEADER);
    }
    if (!scalar && (!pto_tile_match(t, plan->src[2].tile) ||
                    !pto_tile_source_defined(plan->src[2].tile))) {
        return pto_reject(PTO_RULE_VEC_SELECT);
    }
    return PTO_OK;
}

static PtoFaultInfo select_legal(PtoTileCtx *ctx, PtoPlan *plan)
{
    (void)ctx;
    if (!pto_tile_match(&plan->dst[0].tile, plan->src[1].tile)) {
        return pto_reject(PTO_RULE_VEC_MATCH);
    }
    return PTO_OK;
}

const PtoSchema pto_schema_select = {
    .check = select_check,
    .shape = pto_shape_from_dims,
    .legal = select_legal,
    .kernel = pto_kernel_select,
};

const PtoSchema pto_schema_select_scalar = {
    .check = select_check,
    .shape = pto_shape_from_dims,
    .legal = select_legal,
    .kernel = pto_kernel_select_scalar,
};

/* ---- conversion ----------------------------------------------------------- */

/* PTO-TCVT-E8M0-PROFILE-001: E8M0 takes FP16, BF16 and FP32 only. */
static bool conversion_pair(PtoDataType src, PtoDataType dst)
{
    return dst != PTO_E8M0 || src == PTO_FP16 || src == PTO_BF16 ||
           src == PTO_FP32;
}

/* Layout that a Layout code demands of the source. */
static PtoLayout source_layout(unsigned code)
{
    switch (code) {
    case 6: case 8: case 9:
        return PTO_LAYOUT_COL;
    case 17: case 18: case 20:
        return PTO_LAYOUT_ZN;
    case 27: case 28: case 30:
        return PTO_LAYOUT_NZ;
    default:
        return PTO_LAYOUT_ROW;
    }
}

/* TCVT on CUBE_M16 / CUBE_M32 keeps the layout (ADR-0110). */
static bool convert_is_cell(const PtoPlan *plan)
{
    return pto_vec_is_cell(plan->src[0].tile) && !plan->canon;
}

static bool convert_source(const PtoPlan *plan, const PtoTile *s)
{
    const PtoBundle *b = plan->bundle;
    bool is_private = s->location == PTO_LOC_MATRIX;

    if (s->storage != PTO_STORE_NUMERIC || s->type != plan->type ||
        !s->contents_defined) {
        return false;
    }
    if (convert_is_cell(plan)) {
        return pto_tile_cube_legal(s) && plan->layout_code == 0 &&
               s->vcols == b->dim[0] && s->vrows == pto_dim_or(b, 1, 1) &&
               !b->dim_present[2];
    }
    if (!pto_tile_source_defined(s) || is_private != plan->canon) {
        return false;
    }
    return is_private ? plan->layout_code == 0 && s->layout == PTO_LAYOUT_ROW
                      : s->layout == source_layout(plan->layout_code);
}

static PtoFaultInfo convert_check(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoTile *s = plan->src[0].tile;
    PtoFaultInfo f = check_rule(plan);
    PtoDataType dst;

    (void)ctx;
    if (f.code) {
        return f;
    }
    if (!convert_source(plan, s)) {
        return pto_reject(PTO_RULE_VEC_SOURCE);
    }
    if (!pto_tile_encodings_valid(s)) {
        return pto_reject(PTO_RULE_VEC_ENCODING);
    }
    if (!pto_effective_type(plan, &dst) || !conversion_pair(plan->type, dst)) {
        return pto_reject(PTO_RULE_VEC_CONVERT);
    }
    return PTO_OK;
}

static PtoFaultInfo convert_shape(PtoTileCtx *ctx, PtoPlan *plan)
{
    if (convert_is_cell(plan)) {
        pto_vec_request_cell(plan, plan->src[0].tile, plan->etype);
        return PTO_OK;
    }
    return pto_shape_from_dims(ctx, plan);
}

static PtoFaultInfo convert_legal(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoTile *s = plan->src[0].tile, *d = &plan->dst[0].tile;

    (void)ctx;
    if (convert_is_cell(plan)) {
        return PTO_OK;
    }
    if (!pto_tile_legal(d) || d->rows != s->rows || d->cols != s->cols ||
        d->vrows != s->vrows || d->vcols != s->vcols) {
        return pto_reject(PTO_RULE_VEC_MATCH_SHAPE);
    }
    return PTO_OK;
}

const PtoSchema pto_schema_convert = {
    .check = convert_check,
    .shape = convert_shape,
    .legal = convert_legal,
    .kernel = pto_kernel_convert,
};

/* Positive, finite, nonzero FP32; bits above the encoding are ignored. */
static bool quant_scale_legal(uint64_t scale)
{
    uint32_t v = scale;

    return v > 0 && v < 0x7f800000;
}

static PtoDataType quant_type(const PtoPlan *plan)
{
    return plan->op->id == PTO_OP_TQUANT ? plan->dtype2 : plan->type;
}

static PtoFaultInfo quant_gpr_values(PtoTileCtx *ctx, PtoPlan *plan)
{
    PtoDataType type = quant_type(plan);
    uint64_t zp;

    (void)ctx;
    if (!plan->bundle->ior.valid) {
        plan->scalar0 = 0x3f800000;
        return PTO_OK;
    }
    zp = plan->scalar1;
    if (!quant_scale_legal(plan->scalar0)) {
        return pto_reject(PTO_RULE_VEC_QUANT_SCALE);
    }
    if ((type != PTO_S8 || zp != (uint64_t)(int64_t)(int8_t)zp) &&
        (type != PTO_U8 || zp != (uint8_t)zp)) {
        return pto_reject(PTO_RULE_VEC_QUANT_ZERO);
    }
    return PTO_OK;
}

static PtoFaultInfo quant_check(PtoTileCtx *ctx, PtoPlan *plan)
{
    bool quant = plan->op->id == PTO_OP_TQUANT;
    PtoDataType narrow = quant_type(plan);
    PtoDataType wide = quant ? plan->type : plan->dtype2;
    PtoFaultInfo f = check_rule(plan);

    (void)ctx;
    if (f.code) {
        return f;
    }
    if (!plan->bundle->datr.present || wide != PTO_FP32 ||
        (narrow != PTO_S8 && narrow != PTO_U8)) {
        return pto_reject(PTO_RULE_VEC_QUANT);
    }
    if (!pto_vec_source(plan->src[0].tile, plan->type) ||
        !pto_vec_shape_is_dims(plan->bundle, plan->src[0].tile)) {
        return pto_reject(PTO_RULE_VEC_SOURCE);
    }
    plan->kernel = quant ? pto_kernel_quant : pto_kernel_dequant;
    return PTO_OK;
}

const PtoSchema pto_schema_quant = {
    .gpr_values = quant_gpr_values,
    .check = quant_check,
    .shape = pto_shape_from_dims,
};

/* ---- reduction ------------------------------------------------------------ */

static bool reduces_to_index(const PtoTileOp *op)
{
    return op->sub == PTO_SUB_RED_ARGMIN || op->sub == PTO_SUB_RED_ARGMAX;
}

static PtoFaultInfo reduce_check(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoTile *s = plan->src[0].tile;
    PtoFaultInfo f = check_rule(plan);

    (void)ctx;
    if (f.code) {
        return f;
    }
    if (!pto_vec_source(s, plan->type) || !s->vrows || !s->vcols ||
        !pto_vec_shape_is_dims(plan->bundle, s)) {
        return pto_reject(PTO_RULE_VEC_SOURCE);
    }
    return PTO_OK;
}

static PtoFaultInfo reduce_shape(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoTile *s = plan->src[0].tile;
    PtoDataType type = reduces_to_index(plan->op) ? PTO_U32 : s->type;

    (void)ctx;
    if (plan->op->schema == PTO_SCHEMA_REDUCE_ROW) {
        pto_vec_request(plan, 0, type, s->vrows, 1, 1);
    } else {
        pto_vec_request(plan, 0, type, 1, s->vcols, s->cols);
    }
    return PTO_OK;
}

static PtoFaultInfo reduce_legal(PtoTileCtx *ctx, PtoPlan *plan)
{
    (void)ctx;
    if (reduces_to_index(plan->op) &&
        !pto_type_in(PTO_TYPES_A9, plan->src[0].tile->type)) {
        return pto_reject(PTO_RULE_VEC_TYPE);
    }
    return PTO_OK;
}

const PtoSchema pto_schema_reduce_row = {
    .check = reduce_check,
    .shape = reduce_shape,
    .legal = reduce_legal,
    .kernel = pto_kernel_reduce_row,
};

const PtoSchema pto_schema_reduce_col = {
    .check = reduce_check,
    .shape = reduce_shape,
    .legal = reduce_legal,
    .kernel = pto_kernel_reduce_col,
};

/* ---- expansion ------------------------------------------------------------ */

/* EXPDIF: same type, or FP16 / BF16 to FP32. */
static bool expdif_pair(PtoDataType src, PtoDataType dst)
{
    switch (src) {
    case PTO_FP16:
    case PTO_BF16:
        return dst == src || dst == PTO_FP32;
    default:
        return src == PTO_FP32 && dst == PTO_FP32;
    }
}

static bool is_expdif(const PtoPlan *plan)
{
    return plan->op->sub == PTO_SUB_EXP_EXPDIF;
}

static PtoDataType expdif_type(const PtoPlan *plan)
{
    return plan->dtype2 == PTO_DTYPE_NONE ? plan->type : plan->dtype2;
}

static const PtoTile *broadcast_of(const PtoPlan *plan)
{
    return plan->src[plan->op->sub == PTO_SUB_EXP_COPY ? 0 : 1].tile;
}

static bool broadcast_shape(const PtoPlan *plan, const PtoTile *t)
{
    const PtoBundle *b = plan->bundle;

    if (plan->op->schema == PTO_SCHEMA_EXPAND_ROW) {
        return t->vrows == (b->dim_present[1] ? b->dim[1] : 1) &&
               t->vcols == 1 && t->cols == 1;
    }
    return t->vrows == 1 && t->vcols == b->dim[0] &&
           t->cols == (b->dim_present[2] ? b->dim[2] : b->dim[0]);
}

static PtoFaultInfo expand_check(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoTile *bc = broadcast_of(plan), *s = plan->src[0].tile;
    PtoFaultInfo f = check_rule(plan);

    (void)ctx;
    if (f.code) {
        return f;
    }
    if (is_expdif(plan) ? !expdif_pair(plan->type, expdif_type(plan))
                        : !pto_type_in(PTO_TYPES_VEC, plan->type)) {
        return pto_reject(PTO_RULE_VEC_TYPE);
    }
    if (!pto_vec_source(bc, plan->type) || !broadcast_shape(plan, bc)) {
        return pto_reject(PTO_RULE_VEC_BROADCAST);
    }
    if (plan->op->sub == PTO_SUB_EXP_COPY) {
        return PTO_OK;
    }
    if (!pto_vec_source(s, plan->type) ||
        !pto_vec_shape_is_dims(plan->bundle, s)) {
        return pto_reject(PTO_RULE_VEC_SOURCE);
    }
    if (plan->op->sub == PTO_SUB_EXP_DIV && pto_type_is_integer(plan->type) &&
        !pto_tile_nonzero(bc)) {
        return pto_reject(PTO_RULE_VEC_DIVISOR);
    }
    return PTO_OK;
}

static PtoFaultInfo expand_shape(PtoTileCtx *ctx, PtoPlan *plan)
{
    PtoFaultInfo f = pto_shape_from_dims(ctx, plan);

    if (is_expdif(plan)) {
        plan->dst[0].type = expdif_type(plan);
    }
    return f;
}

static PtoFaultInfo expand_legal(PtoTileCtx *ctx, PtoPlan *plan)
{
    const PtoTile *d = &plan->dst[0].tile, *s = plan->src[0].tile;

    (void)ctx;
    if (!is_expdif(plan) && d->type != broadcast_of(plan)->type) {
        return pto_reject(PTO_RULE_VEC_BROADCAST_TYPE);
    }
    if (plan->op->sub != PTO_SUB_EXP_COPY &&
        !(is_expdif(plan) ? pto_tile_shape_match : pto_tile_match)(d, s)) {
        return pto_reject(PTO_RULE_VEC_MATCH);
    }
    return PTO_OK;
}

const PtoSchema pto_schema_expand_row = {
    .check = expand_check,
    .shape = expand_shape,
    .legal = expand_legal,
    .kernel = pto_kernel_expand_row,
};

const PtoSchema pto_schema_expand_col = {
    .check = expand_check,
    .shape = expand_shape,
    .legal = expand_legal,
    .kernel = pto_kernel_expand_col,
};
