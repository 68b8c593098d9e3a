/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every rule that rejects a completed matrix block, one row for each way to
 * break it: a legal block of the row's form is spoiled in one place, must fault
 * with that rule and must leave everything as it was.
 *
 * What header commands reject is in ../tile/test-rules.c, what differs between
 * PEs in ../tile/test-cooperative.c.
 */
#include "../tile/core-env.h"

enum { MATMUL = 0, BIAS = 1, ACC = 2, MX = 4, GEMV_BIAS = 17 };

/* Operands in the order of their binders. */
typedef enum Role {
    R_C, R_A, R_SA, R_B, R_SB, R_BIAS, R_CSCALE, R_ROW_MAX, R_QUANT, R_ALPHA,
    R_COUNT,
} Role;

#define ROWS 4u
#define COLS 8u
#define DEPTH 8u
#define SRC_HAND 2
#define D_HAND 1
#define MAX_HAND 3

/* FP19 1.0 as a quantization word and as an activation word. */
#define QUANT_ONE 0x3f800000
#define ALPHA_ONE (0x3f800000 >> 13)

typedef struct World {
    Core *core;
    PtoBundle b;
    PtoTile *tile[R_COUNT];     /* NULL: not an operand, or Shared */
    unsigned m, fn;
    PtoDataType acc;
} World;

typedef struct Case {
    const char *name;
    PtoRule rule;
    uint8_t fn;
    uint8_t type;
    uint8_t shared;             /* B.IOS: 0, 1 (B) or 2 (A and B) */
    PtoFpatr fp;
    void (*spoil)(World *w);
} Case;

/* ---- a legal block ------------------------------------------------------- */

static PtoTile *new_tile(World *w, unsigned hand)
{
    PtoLocalTiles *l = &w->core->local[0];
    unsigned slot = hand * 16;

    while (l->tile[slot].allocated) {
        slot++;
    }
    l->seq[slot] = ++l->next_seq;
    return &l->tile[slot];
}

static void fill(PtoTile *t, uint64_t value)
{
    pto_tile_new_payload(t, true);
    for (unsigned r = 0; r < t->vrows; r++) {
        for (unsigned c = 0; c < t->vcols; c++) {
            pto_tile_put(t, r, c, value);
        }
    }
    pto_tile_define_valid(t);
}

static void cube(PtoTile *t, unsigned rows, unsigned cols, PtoDataType type,
                 PtoLayout layout, uint64_t value)
{
    if (!pto_tile_configure_cube(t, 1024, rows, cols, type, layout, 1)) {
        printf("a test tile does not fit\n");
        exit(2);
    }
    fill(t, value);
}

static void plain(PtoTile *t, unsigned rows, unsigned cols, PtoDataType type,
                  uint64_t value)
{
    pto_tile_configure(t, 1024, cols, rows, cols, type, PTO_LAYOUT_ROW,
                       PTO_LOC_ANY, 1);
    fill(t, value);
}

static void make(World *w, Role role, unsigned hand, PtoDataType type)
{
    PtoTile *t = w->tile[role] = new_tile(w, hand);

    switch (role) {
    case R_A:
        cube(t, w->m, DEPTH, type, PTO_LAYOUT_M16, 0);
        break;
    case R_B:
        cube(t, DEPTH, COLS, type, PTO_LAYOUT_N8, 0);
        break;
    case R_C:
        cube(t, w->m, COLS, w->acc, PTO_LAYOUT_M16, 0);
        break;
    case R_SA:
        cube(t, w->m, 1, PTO_E8M0, PTO_LAYOUT_M32, 127);
        break;
    case R_SB:
        cube(t, COLS, 1, PTO_E8M0, PTO_LAYOUT_M32, 127);
        break;
    case R_CSCALE:
        cube(t, w->m, 1, PTO_U8, PTO_LAYOUT_M32, 1);
        break;
    case R_BIAS:
        plain(t, 1, COLS, w->acc, 0);
        break;
    case R_ROW_MAX:
        plain(t, w->m, 1, w->acc, 0);
        break;
    case R_QUANT:
        plain(t, 1, COLS, PTO_U64, QUANT_ONE);
        break;
    default:
        plain(t, 1, COLS, PTO_U64, ALPHA_ONE);
        break;
    }
}

static PtoBindTile *bind(World *w)
{
    PtoBindTile *t = &w->b.iot[w->b.iot_count++];

    t->valid = true;
    t->mask = w->b.ios_count ? 15 : 1;
    return t;
}

static void bind_destination(World *w, unsigned hand)
{
    PtoBindTile *t = bind(w);

    t->dst_valid = true;
    t->hand = hand;
    t->size = 4;
}

static void bind_shared(World *w, unsigned rows, unsigned cols,
                        PtoDataType type)
{
    unsigned id = w->b.ios_count;
    PtoSharedTile *s = &w->core->shared.shared[id];

    pto_tile_configure(&s->tile, 65536, cols, rows, cols, type, PTO_LAYOUT_ROW,
                       PTO_LOC_ANY, 8);
    fill(&s->tile, 0);
    s->valid = s->ready = s->published = true;
    s->alloc_mask = s->init_mask = 8;
    w->b.ios[w->b.ios_count++] = (PtoBindShared) {
        .valid = true, .id = id, .mask = 15,
    };
}

static bool vector_mode(unsigned mode)
{
    return mode == 2 || mode == 23;
}

static bool has_role(const Case *t, Role role)
{
    const PtoFpatr *fp = &t->fp;

    switch (role) {
    case R_C:
        return (t->fn & 3) == 2;
    case R_A:
        return t->shared < 2;
    case R_B:
        return t->shared < 1;
    case R_SA: case R_SB:
        return t->fn & MX;
    case R_BIAS:
        return (t->fn & 3) == 1;
    case R_CSCALE:
        return fp->c_scale_en;
    case R_ROW_MAX:
        return fp->row_max_en && fp->row_max_init;
    case R_QUANT:
        return vector_mode(fp->pre_quant_mode);
    default:
        return fp->relu_mode == 3;
    }
}

static void bind_sources(World *w, const Case *t)
{
    unsigned count = 0;

    for (Role role = 0; role < R_COUNT; role++) {
        if (has_role(t, role)) {
            make(w, role, SRC_HAND, t->type);
            count++;
        }
    }
    for (; count > 0; count--) {
        PtoBindTile *s = bind(w);

        /* The newest tile has the lowest code. */
        s->src_valid[0] = true;
        s->src[0] = SRC_HAND * 16 + count - 1;
    }
}

static void world_make(World *w, const Case *t)
{
    *w = (World) {
        .core = core_new(1), .fn = t->fn, .m = t->fn & 16 ? 1 : ROWS,
        .acc = t->type == PTO_S8 ? PTO_S32 : PTO_FP32,
    };
    w->core->mem_used = 0;
    pto_bundle_clear(&w->b);
    w->b.op = (PtoBundleOp) {
        .valid = true, .op_class = PTO_OPCLASS_CUBE, .selector_valid = true,
        .selector = t->fn, .dtype_valid = true, .dtype = t->type,
    };
    w->b.dim[0] = w->m;
    w->b.dim[1] = COLS;
    w->b.dim[2] = DEPTH;
    w->b.dim_present[0] = w->b.dim_present[1] = w->b.dim_present[2] = true;
    w->b.fpatr = t->fp;
    w->b.fpatr.valid = true;
    w->core->gpr[0][4] = QUANT_ONE;
    w->core->gpr[0][5] = ALPHA_ONE;
    if (t->fp.pre_quant_mode == 24 || t->fp.relu_mode == 2) {
        bool quant = t->fp.pre_quant_mode == 24;

        w->b.ior = (PtoBindScalar) {
            .valid = true,
            .src = { quant ? 4 : 5, quant && t->fp.relu_mode == 2 ? 5 : 0 },
        };
    }
    if (t->shared == 2) {
        bind_shared(w, w->m, DEPTH, t->type);
    }
    if (t->shared) {
        bind_shared(w, DEPTH, COLS, t->type);
    }
    bind_sources(w, t);
    bind_destination(w, D_HAND);
    for (int i = t->fp.row_max_en + t->fp.group_max_en; i > 0; i--) {
        bind_destination(w, MAX_HAND);
    }
    w->b.iot[w->b.iot_count - 1].last = true;
}

/* ---- ways to spoil it ---------------------------------------------------- */

#define SPOIL(name, ...) static void name(World *w) { __VA_ARGS__; }

SPOIL(no_fpatr, w->b.fpatr.valid = false)
SPOIL(type_fp64, w->b.op.dtype = PTO_FP64)
SPOIL(type_e8m0, w->b.op.dtype = PTO_E8M0)
SPOIL(type_hif4, w->b.op.dtype = PTO_HIF4X2)
SPOIL(right_fp64, w->b.datr = ((PtoDatr) { .present = true,
                                           .dtype = PTO_FP64 }))
SPOIL(right_s8, w->b.datr = ((PtoDatr) { .present = true, .dtype = PTO_S8 }))
SPOIL(right_u8, w->b.datr = ((PtoDatr) { .present = true, .dtype = PTO_U8 }))
SPOIL(right_fp32, w->b.datr = ((PtoDatr) { .present = true,
                                           .dtype = PTO_FP32 }))

/* B.DATR that changes one field of its defaults. */
static PtoDatr *datr(World *w)
{
    w->b.datr = (PtoDatr) { .present = true, .dtype = w->b.op.dtype };
    return &w->b.datr;
}

SPOIL(datr_layout, datr(w)->layout = 1)
SPOIL(datr_pad, datr(w)->pad = 1)
SPOIL(datr_cmode, datr(w)->cmode = 1)
SPOIL(datr_canon, datr(w)->canon = true)

SPOIL(surplus_shared, bind_shared(w, 1, 1, PTO_FP32);
      bind_shared(w, 1, 1, PTO_FP32); bind_shared(w, 1, 1, PTO_FP32))
SPOIL(one_shared, bind_shared(w, DEPTH, COLS, PTO_FP32))
SPOIL(shared_destination, w->b.ios[0].size = 4;
      w->b.ios[0].assemble = ((PtoRange) { .valid = true, .init = true,
                                           .last = true, .size = 4 }))
SPOIL(shared_rows, w->core->shared.shared[0].tile.vrows--)
SPOIL(shared_columns, w->b.ios_count = 0; bind_shared(w, DEPTH, 2 * COLS,
                                                     PTO_FP32))
SPOIL(shared_type, w->core->shared.shared[0].tile.type = PTO_S32)
SPOIL(shared_right, w->core->shared.shared[1].tile.vrows--)
SPOIL(shared_n, w->b.dim[1] = 7)
SPOIL(shared_m, w->b.dim[0] = 129)
SPOIL(shared_mask, w->b.ios[0].mask = 1;
      for (unsigned i = 0; i < w->b.iot_count; i++) { w->b.iot[i].mask = 1; })

SPOIL(missing_source, w->b.iot[0].src_valid[0] = false)
SPOIL(surplus_source, w->b.iot[0].src_valid[1] = true;
      w->b.iot[0].src[1] = SRC_HAND * 16)
SPOIL(missing_destination, w->b.iot[w->b.iot_count - 1].dst_valid = false)
SPOIL(surplus_destination, w->b.iot[w->b.iot_count - 1].last = false;
      bind_destination(w, MAX_HAND); w->b.iot[w->b.iot_count - 1].last = true)
SPOIL(not_terminated, w->b.iot[w->b.iot_count - 1].last = false)
SPOIL(surplus_ior, w->b.ior.valid = true; w->b.ior.src[0] = 4)
SPOIL(ior_destination, w->b.ior.valid = true; w->b.ior.dst = 4)
SPOIL(ior_third, w->b.ior.valid = true; w->b.ior.src[2] = 4)
SPOIL(zero_m, w->b.dim[0] = 0)
SPOIL(zero_n, w->b.dim[1] = 0)
SPOIL(zero_k, w->b.dim[2] = 0)
SPOIL(huge_n, w->b.dim[1] = 65536)
SPOIL(masks_differ, w->b.iot[0].mask = 3)
SPOIL(gemv_two_rows, w->b.dim[0] = 2)
SPOIL(transpose_a, w->b.fpatr.trans_a = true)
SPOIL(transpose_b, w->b.fpatr.trans_b = true)

/* An operand with other rows, columns, type, layout, or undefined. */
static void undefine(PtoTile *t)
{
    pto_tile_new_payload(t, true);
}

SPOIL(a_rows, cube(w->tile[R_A], w->m + 1, DEPTH, w->b.op.dtype,
                   PTO_LAYOUT_M16, 0))
SPOIL(a_columns, cube(w->tile[R_A], w->m, DEPTH + 1, w->b.op.dtype,
                      PTO_LAYOUT_M16, 0))
SPOIL(a_type, cube(w->tile[R_A], w->m, DEPTH, PTO_S32, PTO_LAYOUT_M16, 0))
SPOIL(a_n8, cube(w->tile[R_A], w->m, DEPTH, w->b.op.dtype, PTO_LAYOUT_N8, 0))
SPOIL(a_row_major, plain(w->tile[R_A], w->m, DEPTH, w->b.op.dtype, 0))
SPOIL(a_undefined, undefine(w->tile[R_A]))
SPOIL(m_over_layout, w->b.dim[0] = 17)
SPOIL(b_rows, cube(w->tile[R_B], DEPTH + 1, COLS, w->b.op.dtype,
                   PTO_LAYOUT_N8, 0))
SPOIL(b_columns, cube(w->tile[R_B], DEPTH, COLS - 1, w->b.op.dtype,
                      PTO_LAYOUT_N8, 0))
SPOIL(b_type, cube(w->tile[R_B], DEPTH, COLS, PTO_S32, PTO_LAYOUT_N8, 0))
SPOIL(b_m16, cube(w->tile[R_B], DEPTH, COLS, w->b.op.dtype, PTO_LAYOUT_M16, 0))
SPOIL(b_row_major, plain(w->tile[R_B], DEPTH, COLS, w->b.op.dtype, 0))
SPOIL(b_undefined, undefine(w->tile[R_B]))
SPOIL(sa_type, cube(w->tile[R_SA], w->m, 1, PTO_U8, PTO_LAYOUT_M32, 0))
SPOIL(sa_layout, cube(w->tile[R_SA], w->m, 1, PTO_E8M0, PTO_LAYOUT_M16, 0))
SPOIL(sa_groups, cube(w->tile[R_SA], w->m, 2, PTO_E8M0, PTO_LAYOUT_M32, 0))
SPOIL(sb_rows, cube(w->tile[R_SB], 1, COLS, PTO_E8M0, PTO_LAYOUT_M32, 0))
SPOIL(sb_undefined, undefine(w->tile[R_SB]))
SPOIL(c_type, cube(w->tile[R_C], w->m, COLS, PTO_S32, PTO_LAYOUT_M16, 0))
SPOIL(c_layout, cube(w->tile[R_C], w->m, COLS, w->acc, PTO_LAYOUT_M32, 0))
SPOIL(c_undefined, undefine(w->tile[R_C]))
SPOIL(c_capacity, w->b.iot[w->b.iot_count - 1].size = 5)
SPOIL(bias_type, plain(w->tile[R_BIAS], 1, COLS, PTO_S32, 0))
SPOIL(bias_rows, plain(w->tile[R_BIAS], 2, COLS, w->acc, 0))
SPOIL(bias_columns, plain(w->tile[R_BIAS], 1, COLS - 1, w->acc, 0))
SPOIL(bias_cube, cube(w->tile[R_BIAS], 1, COLS, w->acc, PTO_LAYOUT_M16, 0))
SPOIL(bias_undefined, undefine(w->tile[R_BIAS]))
SPOIL(cscale_type, cube(w->tile[R_CSCALE], w->m, 1, PTO_S8, PTO_LAYOUT_M32, 0))
SPOIL(cscale_layout, plain(w->tile[R_CSCALE], w->m, 1, PTO_U8, 0))
SPOIL(row_max_rows, plain(w->tile[R_ROW_MAX], w->m + 1, 1, w->acc, 0))
SPOIL(row_max_type, plain(w->tile[R_ROW_MAX], w->m, 1, PTO_U32, 0))
SPOIL(quant_type, plain(w->tile[R_QUANT], 1, COLS, PTO_S64, QUANT_ONE))
SPOIL(quant_columns, plain(w->tile[R_QUANT], 1, COLS + 1, PTO_U64, QUANT_ONE))
SPOIL(quant_zero, pto_tile_put(w->tile[R_QUANT], 0, COLS - 1, 0))
SPOIL(quant_negative, pto_tile_put(w->tile[R_QUANT], 0, 0, 0xbf800000))
SPOIL(alpha_type, plain(w->tile[R_ALPHA], 1, COLS, PTO_U32, ALPHA_ONE))
SPOIL(alpha_rows, plain(w->tile[R_ALPHA], 2, COLS, PTO_U64, ALPHA_ONE))
SPOIL(alpha_wide, pto_tile_put(w->tile[R_ALPHA], 0, 1, 1 << 19))
SPOIL(quant_word, w->core->gpr[0][4] = QUANT_ONE | 1)
SPOIL(quant_word_zero, w->core->gpr[0][4] = 0)
SPOIL(alpha_word, w->core->gpr[0][5] = 0x7f800)
SPOIL(quant_s32, w->b.fpatr.pre_quant_mode = 2)
SPOIL(quant_fp32, w->b.fpatr.pre_quant_mode = 23)
SPOIL(forbidden_a, pto_tile_put(w->tile[R_A], 0, 1, 1))
SPOIL(forbidden_b, pto_tile_put(w->tile[R_B], 2, 1, 1))
SPOIL(pool, w->core->local[0].pool_limit = 0)

/* Source code 1 of hand 0 with the same tile, and D in hand 1. */
static void alias(World *w, Role role, unsigned binder)
{
    make(w, role, 0, w->b.op.dtype);
    make(w, role, 0, w->b.op.dtype);
    w->b.iot[binder].src[0] = D_HAND;
}

SPOIL(c_alias, alias(w, R_C, 0))
SPOIL(cscale_alias, alias(w, R_CSCALE, 3))
SPOIL(small_destination, w->b.iot[w->b.iot_count - 1].size = 1)

/* ---- the table ----------------------------------------------------------- */

#define ROW(name, rule, fn, type, shared, spoil, ...) \
    { name, PTO_RULE_##rule, fn, PTO_##type, shared, { __VA_ARGS__ }, spoil }
/* The same for both seeds. */
#define BOTH(name, rule, type, spoil, ...) \
    ROW("TMATMUL: " name, rule, MATMUL, type, 0, spoil, __VA_ARGS__), \
    ROW("TGEMV_BIAS: " name, rule, GEMV_BIAS, type, 0, spoil, __VA_ARGS__)

static const Case cases[] = {
    BOTH("no B.FPATR", MAT_FPATR, FP32, no_fpatr, 0),
    BOTH("A type FP64", MAT_TYPES, FP32, type_fp64, 0),
    BOTH("A type E8M0", MAT_TYPES, FP32, type_e8m0, 0),
    BOTH("A type HiF4X2", MAT_TYPES, FP32, type_hif4, 0),
    BOTH("B type FP64", MAT_TYPES, FP32, right_fp64, 0),
    BOTH("float and integer", MAT_TYPES, FP32, right_s8, 0),
    BOTH("signed and unsigned", MAT_TYPES, S8, right_u8, 0),
    ROW("MX with FP32", MAT_TYPES, MX, E4M3, 0, right_fp32, 0),
    BOTH("three B.IOS", MAT_GROUPS, FP32, surplus_shared, 0),
    ROW("TGEMV_BIAS: B.IOS", MAT_GROUPS, GEMV_BIAS, FP32, 0, one_shared, 0),
    BOTH("source missing", MAT_OPERANDS, FP32, missing_source, 0),
    BOTH("source too many", MAT_OPERANDS, FP32, surplus_source, 0),
    BOTH("no destination", MAT_OPERANDS, FP32, missing_destination, 0),
    BOTH("destination too many", MAT_OPERANDS, FP32, surplus_destination, 0),
    BOTH("no last binder", MAT_OPERANDS, FP32, not_terminated, 0),
    BOTH("B.IOR source", MAT_IOR, FP32, surplus_ior, 0),
    BOTH("B.IOR destination", MAT_IOR, FP32, ior_destination, 0),
    BOTH("third B.IOR source", MAT_IOR, FP32, ior_third, 0),
    BOTH("B.DATR.Layout", MAT_DATR, FP32, datr_layout, 0),
    BOTH("B.DATR.PadValue", MAT_DATR, FP32, datr_pad, 0),
    BOTH("B.DATR.CMode", MAT_DATR, FP32, datr_cmode, 0),
    BOTH("B.DATR.Canonicalize", MAT_DATR, FP32, datr_canon, 0),
    BOTH("M = 0", MAT_DIM, FP32, zero_m, 0),
    BOTH("N = 0", MAT_DIM, FP32, zero_n, 0),
    BOTH("K = 0", MAT_DIM, FP32, zero_k, 0),
    BOTH("N = 65536", MAT_DIM, FP32, huge_n, 0),
    ROW("TGEMV_BIAS: M = 2", MAT_GEMV, GEMV_BIAS, FP32, 0, gemv_two_rows, 0),
    BOTH("masks", MASKS, FP32, masks_differ, 0),
    BOTH("TransA, Local A", MAT_TRANSPOSE, FP32, transpose_a, 0),
    BOTH("TransB, Local B", MAT_TRANSPOSE, FP32, transpose_b, 0),
    ROW("TransA, Shared B only", MAT_TRANSPOSE, MATMUL, FP32, 1, transpose_a, 0),
    ROW("Shared mask", MAT_MASK, MATMUL, FP32, 1, shared_mask, 0),
    ROW("Shared N = 7", MAT_DIM, MATMUL, FP32, 1, shared_n, 0),
    ROW("group_M = 129", MAT_DIM, MATMUL, FP32, 1, shared_m, 0),
    ROW("Shared destination", MAT_SHARED_DST, MATMUL, FP32, 1,
        shared_destination, 0),
    ROW("Shared B rows", MAT_SHARED, MATMUL, FP32, 1, shared_rows, 0),
    ROW("Shared B columns", MAT_SHARED, MATMUL, FP32, 1, shared_columns, 0),
    ROW("Shared A rows", MAT_SHARED, MATMUL, FP32, 2, shared_rows, 0),
    ROW("Shared A type", MAT_SHARED, MATMUL, FP32, 2, shared_type, 0),
    ROW("Shared B behind Shared A", MAT_SHARED, MATMUL, FP32, 2, shared_right,
        0),
    BOTH("rows of A", MAT_A, FP32, a_rows, 0),
    BOTH("columns of A", MAT_A, FP32, a_columns, 0),
    BOTH("type of A", MAT_A, FP32, a_type, 0),
    BOTH("A in CUBE_N8", MAT_A, FP32, a_n8, 0),
    BOTH("A row-major", MAT_A, FP32, a_row_major, 0),
    BOTH("A undefined", MAT_A, FP32, a_undefined, 0),
    ROW("M = 17 in CUBE_M16", MAT_A, MATMUL, FP32, 0, m_over_layout, 0),
    BOTH("rows of B", MAT_B, FP32, b_rows, 0),
    BOTH("columns of B", MAT_B, FP32, b_columns, 0),
    BOTH("type of B", MAT_B, FP32, b_type, 0),
    BOTH("B in CUBE_M16", MAT_B, FP32, b_m16, 0),
    BOTH("B row-major", MAT_B, FP32, b_row_major, 0),
    BOTH("B undefined", MAT_B, FP32, b_undefined, 0),
    ROW("A scale type", MAT_A_SCALE, MX, E4M3, 0, sa_type, 0),
    ROW("A scale layout", MAT_A_SCALE, MX, E4M3, 0, sa_layout, 0),
    ROW("A scale groups", MAT_A_SCALE, MX, E4M3, 0, sa_groups, 0),
    ROW("B scale shape", MAT_B_SCALE, MX, E4M3, 0, sb_rows, 0),
    ROW("B scale undefined", MAT_B_SCALE, MX, E4M3, 0, sb_undefined, 0),
    ROW("type of C", MAT_C, ACC, FP32, 0, c_type, 0),
    ROW("layout of C", MAT_C, ACC, FP32, 0, c_layout, 0),
    ROW("C undefined", MAT_C, ACC, FP32, 0, c_undefined, 0),
    ROW("size of C", MAT_C, ACC, FP32, 0, c_capacity, 0),
    ROW("C names D", MAT_C_ALIAS, ACC, FP32, 0, c_alias, 0),
    ROW("TGEMV_BIAS: bias type", MAT_BIAS, GEMV_BIAS, FP32, 0, bias_type, 0),
    ROW("TGEMV_BIAS: bias rows", MAT_BIAS, GEMV_BIAS, FP32, 0, bias_rows, 0),
    ROW("TGEMV_BIAS: bias columns", MAT_BIAS, GEMV_BIAS, FP32, 0, bias_columns,
        0),
    ROW("TGEMV_BIAS: bias in CELLs", MAT_BIAS, GEMV_BIAS, FP32, 0, bias_cube,
        0),
    ROW("TGEMV_BIAS: bias undefined", MAT_BIAS, GEMV_BIAS, FP32, 0,
        bias_undefined, 0),
    ROW("CScale type", MAT_CSCALE, ACC, FP32, 0, cscale_type,
        .c_scale_en = true),
    ROW("CScale layout", MAT_CSCALE, ACC, FP32, 0, cscale_layout,
        .c_scale_en = true),
    ROW("CScale names D", MAT_CSCALE_ALIAS, ACC, FP32, 0, cscale_alias,
        .c_scale_en = true),
    BOTH("CScale without C", MAT_CSCALE_FORM, FP32, NULL, .c_scale_en = true),
    ROW("CScale of S32", MAT_CSCALE_FORM, ACC, S8, 0, NULL,
        .c_scale_en = true),
    BOTH("forbidden A encoding", MAT_ENCODING, TF32, forbidden_a, 0),
    BOTH("forbidden B encoding", MAT_ENCODING, HF32, forbidden_b, 0),
    BOTH("RowMaxIn rows", POST_ROW_MAX, FP32, row_max_rows,
         .row_max_en = true, .row_max_init = true),
    BOTH("RowMaxIn type", POST_ROW_MAX, FP32, row_max_type,
         .row_max_en = true, .row_max_init = true),
    BOTH("mode 2 on FP32", POST_MODE, FP32, quant_s32, .pre_quant_mode = 23),
    BOTH("mode 23 on S32", POST_MODE, S8, quant_fp32, .pre_quant_mode = 2),
    BOTH("quantization type", POST_QUANT_TILE, FP32, quant_type,
         .pre_quant_mode = 23),
    BOTH("quantization columns", POST_QUANT_TILE, FP32, quant_columns,
         .pre_quant_mode = 23),
    BOTH("zero scale", POST_QUANT_ELEMENT, FP32, quant_zero,
         .pre_quant_mode = 23),
    BOTH("negative scale", POST_QUANT_ELEMENT, FP32, quant_negative,
         .pre_quant_mode = 23),
    BOTH("scalar scale", POST_QUANT_SCALAR, FP32, quant_word,
         .pre_quant_mode = 24),
    BOTH("zero scalar scale", POST_QUANT_SCALAR, FP32, quant_word_zero,
         .pre_quant_mode = 24),
    BOTH("activation type", POST_ACT_TILE, FP32, alpha_type, .relu_mode = 3),
    BOTH("activation rows", POST_ACT_TILE, FP32, alpha_rows, .relu_mode = 3),
    BOTH("activation element", POST_ACT_ELEMENT, FP32, alpha_wide,
         .relu_mode = 3),
    BOTH("activation scalar", POST_ACT_SCALAR, FP32, alpha_word,
         .relu_mode = 2),
    ROW("size of D", ALLOC_SHAPE, MATMUL, FP32, 0, small_destination, 0),
    ROW("TGEMV_BIAS: size of D", ALLOC_SHAPE, GEMV_BIAS, FP32, 0,
        small_destination, 0),
    BOTH("pool", ALLOC_POOL, FP32, pool, 0),
};

/* One row; a form that is illegal by itself has nothing to spoil. */
static void run_case(const Case *t)
{
    World w;
    Snapshot before;
    PtoCommit r;

    if (t->spoil) {
        world_make(&w, t);
        r = core_commit(w.core, 0, &w.b);
        if (r.status != PTO_COMMIT_DONE) {
            printf("%s, not spoiled: %s\n", t->name,
                   r.fault.rule ? r.fault.rule : "waits");
        }
        CHECK(r.status == PTO_COMMIT_DONE);
        core_free(w.core);
    }
    world_make(&w, t);
    if (t->spoil) {
        t->spoil(&w);
    }
    before = snapshot_take(w.core);
    r = core_commit(w.core, 0, &w.b);
    if (r.status != PTO_COMMIT_FAULT || r.fault.rule_id != t->rule) {
        printf("%s: status %d, %s\n", t->name, r.status,
               r.fault.rule ? r.fault.rule : "no fault");
    }
    CHECK(r.status == PTO_COMMIT_FAULT && r.fault.rule_id == t->rule);
    CHECK(r.fault.code == pto_rules[t->rule].fault && r.flags == 0);
    CHECK(snapshot_equal(w.core, &before));
    snapshot_free(&before);
    core_free(w.core);
}

/*
 * Has every rule of completed matrix blocks a row? MAT_LAYOUT is behind checks
 * that never let it through: A, or C of Shared operands, has the layout already.
 */
static void check_complete(void)
{
    for (unsigned rule = PTO_RULE_MAT_FPATR; rule < PTO_RULE_MAT_AGREE; rule++) {
        bool found = rule == PTO_RULE_MAT_LAYOUT;

        for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
            found = found || cases[i].rule == rule;
        }
        if (!found) {
            printf("no row for %s\n", pto_rules[rule].name);
        }
        CHECK(found);
    }
}

int main(void)
{
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        run_case(&cases[i]);
    }
    check_complete();
    return checks_done();
}
