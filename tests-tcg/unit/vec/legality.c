/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Generated legality test: every VEC and SFU operation with every element
 * type, every B.DATR field and a list of structural mutations of a legal block.
 * Legal blocks execute, illegal ones give the specified fault and leave the
 * tile state as it was.
 */
#include "env.h"

/* Type sets, independent of the tables of the tile core. */
#define T(t) (1u << PTO_##t)
#define INT8S (T(S64) | T(S32) | T(S16) | T(S8) | \
               T(U64) | T(U32) | T(U16) | T(U8))
#define FLT8 (T(FP64) | T(FP32) | T(TF32) | T(HF32) | T(FP16) | T(BF16) | \
              T(E4M3) | T(E5M2))
#define VEC16 (INT8S | FLT8)
#define A9 (T(FP32) | T(FP16) | T(BF16) | T(S32) | T(S16) | T(S8) | T(U32) | \
            T(U16) | T(U8))
#define PACKED (T(E2M1X2) | T(E1M2X2) | T(HIF4X2) | T(S4X2) | T(U4X2))
#define ALL25 (VEC16 | PACKED | T(HIF8) | T(E3M2) | T(E2M3) | T(E8M0))
#define MOVE24 (ALL25 & ~T(HIF4X2))
#define WHOLE (ALL25 & ~PACKED)
#define CUBE21 (ALL25 & ~(T(FP64) | T(S64) | T(U64) | T(HIF4X2)))
#define EXPDIF3 (T(FP32) | T(FP16) | T(BF16))
#define TCI4 (T(S32) | T(S16) | T(U32) | T(U16))
#define TTRI6 (TCI4 | T(FP32) | T(FP16))

typedef struct Spec {
    PtoTileOpId op;
    uint32_t types;
    unsigned datr;              /* fields that may be nonzero */
    unsigned flags;
} Spec;

enum {
    OPEN = 1,                   /* dimensions may be missing */
    OPEN_REF = 32,              /* ... in the reference model */
    CELL = 2,                   /* CUBE_M16 operands */
    CUBE_TOO = 4,               /* takes CUBE_M16 besides row-major */
    BY_SOURCE = 8,              /* the block's own type is not looked at */
    NO_DIMS = 16,
};

#define P PTO_DATR_PAD
#define ELEM(n, t) { PTO_OP_##n, t, P, CUBE_TOO }
#define LOGIC(n) { PTO_OP_##n, INT8S, P, CUBE_TOO | OPEN_REF }
#define SFU(n) { PTO_OP_##n, FLT8, P, CUBE_TOO | OPEN_REF }
#define ROWCOL(n, t, d) { PTO_OP_TROW##n, t, d, 0 }, { PTO_OP_TCOL##n, t, d, 0 }

static const Spec specs[] = {
    ELEM(TADD, VEC16), ELEM(TSUB, VEC16), ELEM(TMUL, VEC16),
    ELEM(TDIV, VEC16), ELEM(TREM, VEC16), ELEM(TMAX, VEC16),
    ELEM(TMIN, VEC16), LOGIC(TAND), LOGIC(TOR), LOGIC(TXOR), LOGIC(TSHL),
    LOGIC(TSHR), ELEM(TABS, VEC16), ELEM(TNOT, INT8S), ELEM(TNEG, VEC16),
    ELEM(TRELU, VEC16), SFU(TEXP), SFU(TLOG), SFU(TSQRT), SFU(TRSQRT),
    { PTO_OP_TRECIP, FLT8, P, OPEN_REF },
    ELEM(TFMA, VEC16), ELEM(TADDS, VEC16), ELEM(TSUBS, VEC16),
    ELEM(TMULS, VEC16), ELEM(TDIVS, VEC16), ELEM(TREMS, VEC16),
    ELEM(TMAXS, VEC16), ELEM(TMINS, VEC16), ELEM(TANDS, INT8S),
    ELEM(TORS, INT8S), ELEM(TXORS, INT8S), ELEM(TSHLS, INT8S),
    ELEM(TSHRS, INT8S),
    { PTO_OP_TCMP, VEC16, P | PTO_DATR_CMODE, 0 },
    { PTO_OP_TCMPS, VEC16, P | PTO_DATR_CMODE, 0 },
    { PTO_OP_TSEL, VEC16, P, 0 }, { PTO_OP_TSELS, VEC16, P, 0 },
    { PTO_OP_TEXPANDS, VEC16, P, 0 },
    /* a type to itself, which E8M0 does not take */
    { PTO_OP_TCVT, ALL25 & ~T(E8M0), P | PTO_DATR_SAT | PTO_DATR_TYPE | PTO_DATR_RMODE |
      PTO_DATR_LAYOUT, 0 },
    ROWCOL(SUM, VEC16, P), ROWCOL(MAX, VEC16, P), ROWCOL(MIN, VEC16, P),
    ROWCOL(PROD, VEC16, P), ROWCOL(ARGMAX, A9, P), ROWCOL(ARGMIN, A9, P),
    ROWCOL(EXPAND, VEC16, P), ROWCOL(EXPANDADD, VEC16, P),
    ROWCOL(EXPANDSUB, VEC16, P), ROWCOL(EXPANDMUL, VEC16, P),
    ROWCOL(EXPANDDIV, VEC16, P), ROWCOL(EXPANDMAX, VEC16, P),
    ROWCOL(EXPANDMIN, VEC16, P),
    ROWCOL(EXPANDEXPDIF, EXPDIF3, P | PTO_DATR_TYPE),
    { PTO_OP_TCONCAT, MOVE24, PTO_DATR_LAYOUT, OPEN },
    { PTO_OP_TEXTRACT, MOVE24, PTO_DATR_LAYOUT, OPEN },
    { PTO_OP_TINSERT, MOVE24, 0, OPEN },
    { PTO_OP_TCI, TCI4, 0, 0 }, { PTO_OP_TTRI, TTRI6, 0, 0 },
    { PTO_OP_THISTOGRAM, T(U16) | T(U32), P | PTO_DATR_TYPE, NO_DIMS },
    { PTO_OP_TQUANT, T(FP32), PTO_DATR_SAT | PTO_DATR_TYPE | PTO_DATR_RMODE,
      0 },
    { PTO_OP_TDEQUANT, T(S8) | T(U8), PTO_DATR_TYPE | PTO_DATR_RMODE, 0 },
    { PTO_OP_TSORT, T(FP32) | T(FP16) | T(BF16), 0, NO_DIMS },
    { PTO_OP_TMRGSORT, T(FP32) | T(FP16) | T(BF16), 0, NO_DIMS },
    { PTO_OP_TGATHER, WHOLE, PTO_DATR_LAYOUT, OPEN },
    { PTO_OP_TSCATTER, WHOLE, PTO_DATR_LAYOUT, OPEN },
    { PTO_OP_TPERMUTE, CUBE21, PTO_DATR_LAYOUT, CELL | OPEN | BY_SOURCE },
    { PTO_OP_TSHUF, CUBE21, PTO_DATR_LAYOUT, CELL | OPEN | BY_SOURCE },
    { PTO_OP_TPACK, T(U32), PTO_DATR_LAYOUT, CELL | OPEN | BY_SOURCE },
    { PTO_OP_TUNPACK, T(U32), PTO_DATR_LAYOUT, CELL | OPEN | BY_SOURCE },
};

static unsigned checks, failures;

static const char *fault_name(PtoFault f)
{
    switch (f) {
    case PTO_FAULT_NONE:
        return "executed";
    case PTO_FAULT_TILE_LEGALITY:
        return "TileLegality";
    case PTO_FAULT_TILE_ALLOCATION:
        return "TileAllocation";
    case PTO_FAULT_BUNDLE_CONTROL:
        return "BundleControl";
    default:
        return "another fault";
    }
}

/* ---- a legal block -------------------------------------------------------- */

/* Shape of most operands; 16 storage columns keep every type above 4 rows. */
#define ROWS 4
#define COLS 6
#define STORE 16

/* An element that every operation accepts: one. */
static uint64_t one(PtoDataType type)
{
    const PtoFormat *f = pto_format(type);

    return f->kind == PTO_FMT_BINARY
           ? (uint64_t)f->bias << (f->frac_bits + f->carrier_shift) : 1;
}

static PtoTile *source(VecEnv *e, unsigned slot, PtoDataType type,
                       uint32_t cols, uint32_t vrows, uint32_t vcols)
{
    uint64_t v = one(type);
    PtoTile *t = vec_tile(e, slot, type, 4, cols, vrows, vcols);

    vec_tile_set(t, &v, 1);
    return t;
}

static bool is_sub(const PtoTileOp *o, PtoSub from, PtoSub to)
{
    return o->sub >= from && o->sub <= to;
}

/* Destination size code that holds the storage rows of source 0. */
static unsigned size_for(const VecEnv *e, PtoDataType type, uint32_t cols)
{
    return vec_size_code(type, e->local.tile[0].rows, cols);
}

static void build_cell(VecEnv *e, PtoTileOpId op, PtoDataType type)
{
    uint64_t zero = 0;
    uint32_t words = (COLS * pto_type_bits(type) + 31) / 32;
    uint32_t bytes = (COLS * pto_type_bits(type) + 7) / 8;

    for (unsigned i = 0; i < 2; i++) {
        vec_cube_tile(e, i, type, 5, PTO_LAYOUT_M16, ROWS, COLS);
    }
    vec_block(e, op, type);
    if (op == PTO_OP_TPERMUTE) {
        vec_cube_tile(e, 2, PTO_U8, 5, PTO_LAYOUT_M16, ROWS, bytes);
        vec_tile_set(&e->local.tile[2], &zero, 1);
        vec_iot(e, -1, 0, 2, 0, 1, false);
        vec_iot(e, 3, 5, 1, 2, 0, true);
    } else if (op == PTO_OP_TSHUF) {
        vec_cube_tile(e, 1, PTO_U32, 5, PTO_LAYOUT_M16, ROWS, words);
        vec_ior(e, 1, 0, 0, 0);
        vec_iot(e, 3, 5, 2, 0, 1, true);
    } else {
        vec_ior(e, 1, op == PTO_OP_TPACK ? 0x0202 : 0x0201, 0, 0);
        vec_iot(e, 3, 5, op == PTO_OP_TPACK ? 2 : 1, 0, 1, true);
    }
}

static void build_expand(VecEnv *e, const PtoTileOp *o, PtoDataType type)
{
    bool row = o->schema == PTO_SCHEMA_EXPAND_ROW;
    bool copy = o->sub == PTO_SUB_EXP_COPY;

    source(e, 0, type, STORE, ROWS, COLS);
    source(e, copy ? 0 : 1, type, row ? 1 : STORE, row ? ROWS : 1,
           row ? 1 : COLS);
    vec_block(e, o->id, type);
    vec_dims(e, COLS, ROWS, STORE);
    vec_iot(e, 3, copy ? vec_size_code(type, ROWS, STORE)
                       : size_for(e, type, STORE), copy ? 1 : 2, 0, 1, true);
}

/* Operations with shapes of their own; false: not one of them. */
static bool build_special(VecEnv *e, const PtoTileOp *o, PtoDataType type)
{
    uint64_t index[COLS * 2];

    switch (o->id) {
    case PTO_OP_TCONCAT:
        source(e, 0, type, STORE, ROWS, COLS);
        source(e, 1, type, STORE, ROWS, COLS);
        vec_block(e, o->id, type);
        vec_dims(e, 2 * COLS, ROWS, STORE);
        vec_iot(e, 3, 4, 2, 0, 1, true);
        return true;
    case PTO_OP_TEXTRACT:
        source(e, 0, type, STORE, ROWS, COLS);
        vec_block(e, o->id, type);
        /* pto-ref: LB0, LB1 are offsets and the valid shape at once. */
        vec_dims(e, 2, 2, STORE);
        if (e->profile.window_ior) {
            vec_ior(e, 2, 2, 4, 0);
        }
        vec_iot(e, 3, 4, 1, 0, 0, true);
        return true;
    case PTO_OP_TINSERT:
        source(e, 0, type, STORE, 2, 3);
        source(e, 1, type, STORE, 1, 1);
        vec_block(e, o->id, type);
        vec_dims(e, -1, 2, STORE);
        if (e->profile.window_ior) {
            vec_ior(e, 2, 1, 2, 0);
        }
        vec_iot(e, 3, 4, 2, 0, 1, true);
        return true;
    case PTO_OP_TCI:
    case PTO_OP_TTRI:
        vec_block(e, o->id, type);
        vec_dims(e, COLS, -1, STORE);
        vec_ior(e, 2, 1, 1, 0);
        vec_iot(e, 3, 4, 0, 0, 0, true);
        return true;
    case PTO_OP_THISTOGRAM:
        source(e, 0, type, STORE, ROWS, COLS);
        source(e, 1, PTO_U8, STORE, ROWS, COLS);
        vec_block(e, o->id, type);
        vec_datr(e)->dtype = PTO_U32;
        vec_iot(e, 3, 10, 2, 0, 1, true);
        return true;
    case PTO_OP_TQUANT:
    case PTO_OP_TDEQUANT:
        source(e, 0, type, STORE, ROWS, COLS);
        vec_block(e, o->id, type);
        vec_dims(e, COLS, ROWS, STORE);
        vec_datr(e)->dtype = o->id == PTO_OP_TQUANT ? PTO_S8 : PTO_FP32;
        vec_iot(e, 3, 5, 1, 0, 0, true);
        return true;
    case PTO_OP_TSORT:
        source(e, 0, type, STORE, ROWS, COLS);
        vec_block(e, o->id, type);
        vec_iot(e, 3, size_for(e, type, STORE), 1, 0, 0, false);
        vec_iot(e, 3, size_for(e, PTO_U32, STORE), 0, 0, 0, true);
        return true;
    case PTO_OP_TMRGSORT:
        source(e, 0, type, STORE, 1, COLS);
        source(e, 1, type, STORE, 1, COLS);
        vec_block(e, o->id, type);
        vec_iot(e, 3, 4, 2, 0, 1, true);
        return true;
    case PTO_OP_TGATHER:
    case PTO_OP_TSCATTER:
        for (unsigned i = 0; i < 2 * COLS; i++) {
            index[i] = i / COLS;
        }
        source(e, 0, type, STORE, 2, COLS);
        vec_tile_set(vec_tile(e, 1, PTO_U32, 4, STORE, 2, COLS), index,
                     2 * COLS);
        vec_block(e, o->id, type);
        vec_dims(e, COLS, 2, STORE);
        vec_iot(e, 3, 4, 2, 0, 1, true);
        return true;
    default:
        return false;
    }
}

static void build_masked(VecEnv *e, const PtoTileOp *o, PtoDataType type)
{
    source(e, 1, type, STORE, ROWS, COLS);
    vec_predicate(e, 0, &e->local.tile[1]);
    vec_block(e, o->id, type);
    vec_dims(e, COLS, ROWS, STORE);
    if (o->id == PTO_OP_TSEL) {
        source(e, 2, type, STORE, ROWS, COLS);
        vec_iot(e, -1, 0, 2, 0, 1, false);
        vec_iot(e, 3, size_for(e, type, STORE), 1, 2, 0, true);
        /* storage rows of the selected tiles, which the mask copies */
    } else {
        vec_iot(e, 3, size_for(e, type, STORE), 2, 0, 1, true);
    }
}

/* A legal block of operation @o with type @type, in @e. */
static void build(VecEnv *e, const PtoTileOp *o, PtoDataType type)
{
    PtoDataType out = type;
    unsigned size;

    if (o->schema == PTO_SCHEMA_CELL) {
        build_cell(e, o->id, type);
        return;
    }
    if (is_sub(o, PTO_SUB_EXP_COPY, PTO_SUB_EXP_EXPDIF)) {
        build_expand(e, o, type);
        return;
    }
    if (o->id == PTO_OP_TSEL || o->id == PTO_OP_TSELS) {
        build_masked(e, o, type);
        return;
    }
    if (build_special(e, o, type)) {
        return;
    }
    for (unsigned i = 0; i < MAX(o->sources, 1); i++) {
        source(e, i, type, STORE, ROWS, COLS);
    }
    vec_block(e, o->id, type);
    vec_dims(e, COLS, ROWS, STORE);
    if (o->gprs) {
        vec_ior(e, 1, one(type), 0, 0);
    }
    if (is_sub(o, PTO_SUB_RED_ARGMIN, PTO_SUB_RED_ARGMAX)) {
        out = PTO_U32;
    }
    size = o->id == PTO_OP_TCMP || o->id == PTO_OP_TCMPS ? 8
           : size_for(e, out, STORE);
    if (o->id == PTO_OP_TFMA) {
        vec_iot(e, -1, 0, 2, 0, 1, false);
        vec_iot(e, 3, size, 1, 2, 0, true);
    } else {
        vec_iot(e, 3, size, o->sources, 0, 1, true);
    }
}

/* ---- checking ------------------------------------------------------------- */

/* Descriptors, pools and payload bytes of the PE, folded into one number. */
static uint64_t fingerprint(const VecEnv *e)
{
    const uint8_t *raw = (const uint8_t *)&e->local;
    uint64_t h = 14695981039346656037u;

    for (size_t i = 0; i < sizeof(e->local); i++) {
        h = (h ^ raw[i]) * 1099511628211u;
    }
    for (unsigned slot = 0; slot < PTO_TILE_SLOTS; slot++) {
        const PtoTile *t = &e->local.tile[slot];

        for (uint32_t i = 0; t->buf && i < t->buf->size; i += 8) {
            h = (h ^ pto_ld_le(t->buf->data + i, 8)) * 1099511628211u;
        }
    }
    return h;
}

/* Commit the block in @e, compare, and take its results away. */
static void expect(VecEnv *e, PtoFault want, const char *what, int detail)
{
    const PtoTileOp *o = pto_bundle_tile_op(&e->b);
    uint64_t before = fingerprint(e);
    PtoCommit r = vec_commit(e);
    PtoFault got = r.status == PTO_COMMIT_DONE ? PTO_FAULT_NONE : r.fault.code;

    checks++;
    if (got != want) {
        printf("%s type %s, %s %d: %s [%s], expected %s\n", o->name,
               pto_type_info[e->b.op.dtype].name, what, detail,
               fault_name(got), r.fault.rule ? r.fault.rule : "",
               fault_name(want));
        failures++;
    }
    if (got != PTO_FAULT_NONE && fingerprint(e) != before) {
        printf("%s, %s %d: rejected, but tiles changed\n", o->name, what,
               detail);
        failures++;
    }
    for (unsigned slot = 0; slot < PTO_TILE_SLOTS; slot++) {
        pto_local_free(&e->local, slot);
    }
}

static PtoDataType base_type(const Spec *s)
{
    static const PtoDataType order[] = { PTO_FP32, PTO_U32, PTO_S16, PTO_S8 };

    for (unsigned i = 0; i < ARRAY_SIZE(order); i++) {
        if (s->types >> order[i] & 1) {
            return order[i];
        }
    }
    return PTO_FP32;
}

static void check_types(VecEnv *e, const Spec *s)
{
    for (unsigned t = 0; t < PTO_DTYPE_CODES; t++) {
        uint32_t types = s->types;

        if (!pto_type_concrete(t) ||
            ((s->flags & CELL) && !(CUBE21 >> t & 1))) {
            continue;           /* no such tile can exist */
        }
        if (e->profile.raw_carrier) {
            types &= s->op == PTO_OP_TSORT || s->op == PTO_OP_TMRGSORT
                     ? ~T(BF16) : ~0u;
        }
        build(e, &pto_tile_ops[s->op], t);
        expect(e, types >> t & 1 ? PTO_FAULT_NONE : PTO_FAULT_TILE_LEGALITY,
               "type", t);
    }
}

/* Source tile of one type, block of another. */
static void check_wrong_source(VecEnv *e, const Spec *s)
{
    const PtoTileOp *o = &pto_tile_ops[s->op];

    if (!o->sources || (s->flags & BY_SOURCE) ||
        s->op == PTO_OP_THISTOGRAM) {
        return;
    }
    build(e, o, base_type(s));
    e->b.op.dtype = base_type(s) == PTO_FP32 ? PTO_FP16 : PTO_FP32;
    expect(e, PTO_FAULT_TILE_LEGALITY, "block type differs", 0);
}

static void check_datr(VecEnv *e, const Spec *s)
{
    for (unsigned field = 1; field <= PTO_DATR_LAYOUT; field <<= 1) {
        bool ok = s->datr & field;
        PtoDatr keep;

        build(e, &pto_tile_ops[s->op], base_type(s));
        keep = e->b.datr;
        if (!keep.present) {
            vec_datr(e);
        }
        e->b.datr.cmode |= field == PTO_DATR_CMODE ? 5 : 0;
        e->b.datr.pad |= field == PTO_DATR_PAD ? 1 : 0;
        e->b.datr.sat |= field == PTO_DATR_SAT;
        e->b.datr.canon |= field == PTO_DATR_CANON;
        e->b.datr.rmode |= field == PTO_DATR_RMODE ? 2 : 0;
        e->b.datr.layout |= field == PTO_DATR_LAYOUT ? 1 : 0;
        if (s->datr & PTO_DATR_TYPE ? !keep.present
                                    : field == PTO_DATR_TYPE) {
            e->b.datr.dtype = base_type(s);
        }
        expect(e, ok ? PTO_FAULT_NONE : PTO_FAULT_TILE_LEGALITY, "datr field",
               field);
    }
    if (s->datr & PTO_DATR_CMODE) {
        for (unsigned cmode = 0; cmode < 8; cmode++) {
            build(e, &pto_tile_ops[s->op], base_type(s));
            vec_datr(e)->cmode = cmode;
            expect(e, cmode > 5 ? PTO_FAULT_TILE_LEGALITY : PTO_FAULT_NONE,
                   "cmode", cmode);
        }
    }
}

typedef struct Mutation {
    const char *name;
    PtoFault want;
    void (*apply)(VecEnv *e);
} Mutation;

static void drop_last(VecEnv *e)
{
    e->b.iot[e->b.iot_count - 1].last = false;
}

static void drop_binding(VecEnv *e)
{
    e->b.iot[--e->b.iot_count].valid = false;
}

static void drop_destination(VecEnv *e)
{
    e->b.iot[e->b.iot_count - 1].dst_valid = false;
}

static void add_fpatr(VecEnv *e)
{
    e->b.fpatr.valid = true;
}

static void ior_destination(VecEnv *e)
{
    e->b.ior.valid = true;
    e->b.ior.dst = 5;
}

static void ior_surplus(VecEnv *e)
{
    e->b.ior.valid = true;
    e->b.ior.src[2] = 5;
}

static void other_mask(VecEnv *e)
{
    e->b.iot[0].mask ^= 7;
}

static void undefined_source(VecEnv *e)
{
    PtoTile *t = &e->local.tile[e->b.iot[0].src[0]];

    t->defined = PTO_DEF_NONE;
    t->contents_defined = false;
}

static void missing_source(VecEnv *e)
{
    pto_local_free(&e->local, e->b.iot[0].src[0]);
}

static void zero_dim0(VecEnv *e)
{
    e->b.dim[0] = 0;
    e->b.dim_present[0] = true;
}

static void no_dim0(VecEnv *e)
{
    e->b.dim[0] = 0;
    e->b.dim_present[0] = false;
}

static void big_dim1(VecEnv *e)
{
    e->b.dim[1] = 65536;
    e->b.dim_present[1] = true;
}

static void odd_columns(VecEnv *e)
{
    e->b.dim[2] = 12;
    e->b.dim_present[2] = true;
}

static void tiny_destination(VecEnv *e)
{
    for (unsigned i = 0; i < e->b.iot_count; i++) {
        e->b.iot[i].size = e->b.iot[i].dst_valid ? 1 : 0;
    }
}

static void cube_source(VecEnv *e)
{
    PtoTile *t = &e->local.tile[e->b.iot[0].src[0]];

    vec_cube_tile(e, e->b.iot[0].src[0], t->type, 5, PTO_LAYOUT_M16, ROWS,
                  COLS);
}

static void full_hand(VecEnv *e)
{
    for (unsigned i = 48; i < 64; i++) {
        vec_tile(e, i, PTO_U8, 1, 16, 1, 1);
    }
}

static void full_pool(VecEnv *e)
{
    e->local.pool_limit = 128;
}

static void mutate(VecEnv *e, const Spec *s, const char *name, PtoFault want,
                   void (*apply)(VecEnv *e))
{
    build(e, &pto_tile_ops[s->op], base_type(s));
    apply(e);
    expect(e, want, name, 0);
    e->local.pool_limit = PTO_POOL_BYTES;
}

static void check_structure(VecEnv *e, const Spec *s)
{
    static const Mutation always[] = {
        { "no last", PTO_FAULT_BUNDLE_CONTROL, drop_last },
        { "no destination", PTO_FAULT_BUNDLE_CONTROL, drop_destination },
        { "B.FPATR", PTO_FAULT_BUNDLE_CONTROL, add_fpatr },
        { "B.IOR destination", PTO_FAULT_BUNDLE_CONTROL, ior_destination },
        { "B.IOR surplus", PTO_FAULT_BUNDLE_CONTROL, ior_surplus },
        { "hand full", PTO_FAULT_TILE_ALLOCATION, full_hand },
        { "pool full", PTO_FAULT_TILE_ALLOCATION, full_pool },
    };
    const PtoTileOp *o = &pto_tile_ops[s->op];
    bool pair = o->sources == 3 || s->op == PTO_OP_TSORT;

    for (unsigned i = 0; i < ARRAY_SIZE(always); i++) {
        mutate(e, s, always[i].name, always[i].want, always[i].apply);
    }
    if (pair) {
        mutate(e, s, "binding dropped", PTO_FAULT_BUNDLE_CONTROL,
               drop_binding);
        mutate(e, s, "masks differ", PTO_FAULT_TILE_LEGALITY, other_mask);
    }
    if (o->sources) {
        mutate(e, s, "undefined source", PTO_FAULT_TILE_LEGALITY,
               undefined_source);
        mutate(e, s, "missing source", PTO_FAULT_TILE_LEGALITY,
               missing_source);
    }
    if (!(s->flags & (OPEN | NO_DIMS)) &&
        !((s->flags & OPEN_REF) && e->profile.open_schemas)) {
        mutate(e, s, "LB0 zero", PTO_FAULT_TILE_LEGALITY, zero_dim0);
        mutate(e, s, "no LB0", PTO_FAULT_TILE_LEGALITY, no_dim0);
        mutate(e, s, "LB1 above 65535", PTO_FAULT_TILE_LEGALITY, big_dim1);
    }
    if (s->flags & NO_DIMS) {
        mutate(e, s, "a dimension", PTO_FAULT_TILE_LEGALITY, odd_columns);
    }
    if (o->sources && !(s->flags & CELL) && s->op != PTO_OP_TSEL &&
        s->op != PTO_OP_TSELS) {
        bool ok = (s->flags & CUBE_TOO) && o->sources == 1;

        build(e, o, base_type(s));
        cube_source(e);
        if (ok) {
            e->b.dim_present[2] = false;
        }
        expect(e, ok ? PTO_FAULT_NONE : PTO_FAULT_TILE_LEGALITY,
               "CUBE source", 0);
    }
}

/* A window that leaves the source, by rows and by columns. */
static void check_windows(VecEnv *e)
{
    static const struct {
        PtoTileOpId op;
        uint64_t row, col;
        bool ok;
    } cases[] = {
        { PTO_OP_TEXTRACT, 0, 0, true }, { PTO_OP_TEXTRACT, 2, 4, true },
        { PTO_OP_TEXTRACT, 3, 4, false }, { PTO_OP_TEXTRACT, 2, 5, false },
        { PTO_OP_TEXTRACT, UINT64_MAX, 0, false },
        { PTO_OP_TEXTRACT, 0, UINT64_C(1) << 32, false },
        { PTO_OP_TINSERT, 1, 2, true }, { PTO_OP_TINSERT, 2, 2, false },
        { PTO_OP_TINSERT, 1, 3, false },
    };

    for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
        build(e, &pto_tile_ops[cases[i].op], PTO_U16);
        e->b.ior.valid = false;
        vec_ior(e, 2, cases[i].row, cases[i].col, 0);
        expect(e, cases[i].ok ? PTO_FAULT_NONE : PTO_FAULT_TILE_LEGALITY,
               "window", i);
    }
}

static bool conversion_legal(PtoTileOpId op, PtoDataType src, PtoDataType dst)
{
    switch (op) {
    case PTO_OP_TCVT:
        return dst != PTO_E8M0 || (EXPDIF3 >> src & 1);
    case PTO_OP_TQUANT:
        return src == PTO_FP32 && (dst == PTO_S8 || dst == PTO_U8);
    case PTO_OP_TDEQUANT:
        return (src == PTO_S8 || src == PTO_U8) && dst == PTO_FP32;
    default:
        return (EXPDIF3 >> src & 1) && (dst == src || dst == PTO_FP32);
    }
}

/* Every pair of types of the operations with a destination type. */
static void check_pairs(VecEnv *e)
{
    static const PtoTileOpId ops[] = {
        PTO_OP_TCVT, PTO_OP_TQUANT, PTO_OP_TDEQUANT, PTO_OP_TROWEXPANDEXPDIF,
        PTO_OP_TCOLEXPANDEXPDIF,
    };

    for (unsigned i = 0; i < ARRAY_SIZE(ops) * 32 * 32; i++) {
        PtoTileOpId op = ops[i / 1024];
        unsigned src = i / 32 % 32, dst = i % 32;

        if (!pto_type_concrete(src) || !pto_type_concrete(dst)) {
            continue;
        }
        build(e, &pto_tile_ops[op], src);
        if (!e->b.datr.present) {
            vec_datr(e)->pad = PTO_PAD_NULL;
        }
        e->b.datr.dtype = dst;
        e->b.iot[0].size = vec_size_code(dst, e->local.tile[0].rows, STORE);
        if (pto_derived_rows(pto_size_code_bytes(e->b.iot[0].size), STORE,
                             dst) != e->local.tile[0].rows) {
            /* no size has the source's storage rows */
            for (unsigned slot = 0; slot < PTO_TILE_SLOTS; slot++) {
                pto_local_free(&e->local, slot);
            }
            continue;
        }
        expect(e, conversion_legal(op, src, dst) ? PTO_FAULT_NONE
                  : PTO_FAULT_TILE_LEGALITY, "destination type", dst);
    }
}

static void check_sizes(VecEnv *e, const Spec *s)
{
    build(e, &pto_tile_ops[s->op], base_type(s));
    tiny_destination(e);
    /* Too small, or other storage rows than the source has. */
    if (s->op == PTO_OP_THISTOGRAM || s->op == PTO_OP_TSORT ||
        (s->flags & CELL)) {
        expect(e, PTO_FAULT_TILE_ALLOCATION, "tiny destination", 0);
        return;
    }
    for (unsigned slot = 0; slot < PTO_TILE_SLOTS; slot++) {
        pto_local_free(&e->local, slot);
    }
}

int main(void)
{
    static const PtoTileProfile *const profiles[] = {
        &pto_tile_profile_ref, &pto_tile_profile_pto,
    };
    VecEnv *e = pto_alloc0(sizeof(*e));
    unsigned seen = 0;

    for (unsigned p = 0; p < ARRAY_SIZE(profiles); p++) {
        vec_env_init(e, profiles[p]);
        e->profile.retire = PTO_RETIRE_NEVER;
        for (unsigned i = 0; i < ARRAY_SIZE(specs); i++) {
            check_types(e, &specs[i]);
            check_wrong_source(e, &specs[i]);
            check_structure(e, &specs[i]);
            check_sizes(e, &specs[i]);
            if (!e->profile.datr_zero_is_fp64) {
                check_datr(e, &specs[i]);
            }
        }
        check_pairs(e);
        if (e->profile.window_ior) {
            check_windows(e);
        }
        vec_env_done(e);
    }
    for (unsigned i = 0; i < PTO_OP_COUNT; i++) {
        bool listed = false;

        for (unsigned k = 0; k < ARRAY_SIZE(specs); k++) {
            listed |= specs[k].op == i;
        }
        seen += listed;
        if (!listed && pto_tile_ops[i].family == PTO_FAMILY_TEPL &&
            i != PTO_OP_TIMG2COL) {
            printf("%s is not covered\n", pto_tile_ops[i].name);
            failures++;
        }
    }
    printf("%u operations, %u checks, %u failures\n", seen, checks, failures);
    pto_free(e);
    return failures != 0;
}
