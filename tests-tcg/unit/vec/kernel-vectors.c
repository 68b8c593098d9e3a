/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numeric vectors through whole tile operations of the pto profile: header
 * checks, allocation, kernel. (The numeric suite runs the same vectors on the
 * numeric engine element by element.)
 *
 * Long vectors are cut into tiles; flags are compared for each tile.
 */
#include "../numeric/case-main.h"
#include "env.h"

/* Columns of the tiles that hold a vector. */
#define COLS 64

enum { SRC = 0, OUT_HAND = 3, OUT = 48 };

typedef struct Piece {
    size_t first, n;            /* vector elements in the tile */
    uint32_t vrows, vcols, cols;
} Piece;

/* The next piece of a vector of @total elements of at most @bytes bytes. */
static bool next_piece(Piece *p, size_t total, unsigned bytes, bool one_row)
{
    size_t room = one_row ? 4096 : 65536 / bytes;

    p->first += p->n;
    if (p->first >= total) {
        return false;
    }
    p->n = MIN(room, total - p->first);
    if (one_row || p->n < COLS) {
        p->vrows = 1;
        p->vcols = p->n;
        p->cols = pto_pow2_cols(p->n);
    } else {
        p->vrows = (p->n + COLS - 1) / COLS;
        p->vcols = p->cols = COLS;
    }
    return true;
}

static unsigned bytes_of(PtoDataType type)
{
    return (pto_type_bits(type) + 7) / 8;
}

static void put(VecEnv *e, unsigned slot, PtoDataType type, const Piece *p,
                CaseValues v)
{
    PtoTile *t = vec_tile(e, slot, type, vec_size_code(type, p->vrows, p->cols),
                          p->cols, p->vrows, p->vcols);

    if (v.n == 1) {
        vec_tile_set(t, v.v, 1);
    } else {
        vec_tile_set(t, v.v + p->first, p->n);
    }
}

/* OR of the element flags of a piece; elements beyond it repeat the last. */
static uint32_t want_flags(const Piece *p, CaseValues ef, size_t total)
{
    uint32_t flags = 0;

    for (size_t i = p->first; i < p->first + p->n && i < total; i++) {
        flags |= i < ef.n ? ef.v[i] : 0;
    }
    return flags;
}

static void check_done(NumericCase *c, const PtoCommit *r)
{
    if (r->status != PTO_COMMIT_DONE && !c->failed && !c->quiet) {
        printf("%s: rejected: %s\n", case_text(c, "id"),
               r->fault.rule ? r->fault.rule : "?");
    }
    c->failed |= r->status != PTO_COMMIT_DONE;
}

static void check_result(NumericCase *c, VecEnv *e, const PtoCommit *r,
                         const Piece *p, CaseValues want, uint32_t flags)
{
    const PtoTile *t = &e->local.tile[OUT];

    check_done(c, r);
    if (!c->failed) {
        for (size_t i = 0; i < p->n; i++) {
            case_expect(c, "r", p->first + i,
                        pto_tile_get(t, i / p->vcols, i % p->vcols),
                        want.v[p->first + i]);
        }
        case_expect(c, "flags of tile at", p->first, r->flags, flags);
        if (!t->contents_defined) {
            case_expect(c, "defined", 0, 0, 1);
        }
    }
    pto_local_free(&e->local, OUT);
}

static PtoTileOpId op_by_name(const char *name)
{
    for (unsigned i = 0; i < PTO_OP_COUNT; i++) {
        if (!strcmp(pto_tile_ops[i].name, name)) {
            return i;
        }
    }
    return PTO_OP_COUNT;
}

/* Tile-scalar and row / column expand form of a two-operand operation. */
static PtoTileOpId sibling(const char *name, const char *prefix,
                           const char *suffix)
{
    char text[40];

    snprintf(text, sizeof(text), "%s%s%s", prefix, name, suffix);
    return op_by_name(text);
}

static void dims_of(VecEnv *e, const Piece *p)
{
    vec_dims(e, p->vcols, p->vrows, p->cols);
}

static void check_elementwise(NumericCase *c, VecEnv *e, PtoTileOpId op)
{
    static const char *const names[] = { "a", "b", "c" };
    PtoDataType type = case_type(c, "type");
    unsigned nsrc = pto_tile_ops[op].sources;
    CaseValues r = case_values(c, "r"), ef = case_values(c, "ef");
    Piece p = { 0 };

    while (next_piece(&p, r.n, bytes_of(type), false)) {
        unsigned code = vec_size_code(type, p.vrows, p.cols);
        PtoCommit done;

        for (unsigned i = 0; i < nsrc; i++) {
            put(e, SRC + i, type, &p, case_values(c, names[i]));
        }
        vec_block(e, op, type);
        dims_of(e, &p);
        if (nsrc == 3) {
            vec_iot(e, -1, 0, 2, SRC, SRC + 1, false);
            vec_iot(e, OUT_HAND, code, 1, SRC + 2, 0, true);
        } else {
            vec_iot(e, OUT_HAND, code, nsrc, SRC, SRC + 1, true);
        }
        done = vec_commit(e);
        check_result(c, e, &done, &p, r, want_flags(&p, ef, r.n));
    }
}

/* A constant right operand: the tile-scalar form and the expand forms too. */
static void check_constant(NumericCase *c, VecEnv *e, const char *name)
{
    PtoTileOpId op = sibling(name, "", "S");
    PtoDataType type = case_type(c, "type");
    CaseValues a = case_values(c, "a"), b = case_values(c, "b");
    CaseValues r = case_values(c, "r"), ef = case_values(c, "ef");

    if (op == PTO_OP_COUNT) {
        return;
    }
    for (size_t i = 0; i < r.n && i < 24; i++) {
        Piece p = { .vrows = 1, .vcols = 1, .cols = 1, .first = i, .n = 1 };
        PtoCommit done;

        put(e, SRC, type, &p, a);
        vec_block(e, op, type);
        dims_of(e, &p);
        vec_ior(e, 1, case_at(b, i), 0, 0);
        vec_iot(e, OUT_HAND, 1, 1, SRC, 0, true);
        done = vec_commit(e);
        check_result(c, e, &done, &p, r, want_flags(&p, ef, r.n));
    }
}

/* Rows (or columns) of one element each: every pair meets in a broadcast. */
static void check_expand(NumericCase *c, VecEnv *e, PtoTileOpId op,
                         PtoDataType type, PtoDataType dst, bool row)
{
    CaseValues a = case_values(c, "a"), b = case_values(c, "b");
    CaseValues r = case_values(c, "r"), ef = case_values(c, "ef");
    Piece p = { 0 };

    if (op == PTO_OP_COUNT) {
        return;
    }
    while (next_piece(&p, r.n, 16, true)) {
        PtoDatr *d;
        PtoCommit done;

        if (row) {
            p.vrows = p.vcols;
            p.vcols = p.cols = 1;
        }
        put(e, SRC, type, &p, a);
        put(e, SRC + 1, type, &p, b);
        vec_block(e, op, type);
        dims_of(e, &p);
        if (dst != type) {
            d = vec_datr(e);
            d->dtype = dst;
            d->pad = PTO_PAD_NULL;
        }
        /* Source and destination must agree in storage rows. */
        vec_iot(e, OUT_HAND,
                vec_size_code(dst, e->local.tile[SRC].rows, p.cols), 2, SRC,
                SRC + 1, true);
        done = vec_commit(e);
        check_result(c, e, &done, &p, r, want_flags(&p, ef, r.n));
    }
}

static void check_compare(NumericCase *c, VecEnv *e)
{
    static const char *const names[] = { "EQ", "NE", "LT", "GT", "LE", "GE" };
    PtoDataType type = case_type(c, "type");
    CaseValues a = case_values(c, "a"), b = case_values(c, "b");
    CaseValues ef = case_values(c, "ef");

    for (unsigned rel = 0; rel < ARRAY_SIZE(names); rel++) {
        char key[8];
        const char *text;
        Piece p = { 0 };

        snprintf(key, sizeof(key), "r.%s", names[rel]);
        text = case_text(c, key);
        while (text && next_piece(&p, strlen(text), 8, false)) {
            unsigned code = vec_size_code(type, p.vrows, p.cols);
            PtoCommit done;

            put(e, SRC, type, &p, a);
            put(e, SRC + 1, type, &p, b);
            vec_block(e, PTO_OP_TCMP, type);
            dims_of(e, &p);
            vec_datr(e)->cmode = rel;
            vec_iot(e, OUT_HAND, MAX(code, 7), 2, SRC, SRC + 1, true);
            done = vec_commit(e);
            check_done(c, &done);
            for (size_t i = 0; i < p.n && !c->failed; i++) {
                case_expect(c, names[rel], p.first + i,
                            pto_tile_get(&e->local.tile[OUT], i / p.vcols,
                                         i % p.vcols),
                            text[p.first + i] - '0');
            }
            case_expect(c, "flags", rel, done.flags,
                        want_flags(&p, ef, strlen(text)));
            pto_local_free(&e->local, OUT);
        }
    }
}

static void check_tcvt(NumericCase *c, VecEnv *e)
{
    PtoDataType src = case_type(c, "src"), dst = case_type(c, "dst");
    const CaseMember *modes = case_member(c, "rmodes");
    bool canon = case_number(c, "canon", 0);
    CaseValues a = case_values(c, "a");
    CaseValues r = case_values(c, "r"), ef = case_values(c, "ef");

    for (size_t m = 0; modes && m < modes->item_count; m++) {
        Piece p = { 0 };

        while (next_piece(&p, r.n, MAX(bytes_of(src), bytes_of(dst)), false)) {
            unsigned rows, code;
            PtoDatr *d;
            PtoCommit done;

            /* Source and destination must agree in storage rows. */
            code = MAX(vec_size_code(src, p.vrows, p.cols),
                       vec_size_code(dst, p.vrows, p.cols));
            rows = MAX(128 * 8 / (p.cols * pto_type_bits(src)),
                       128 * 8 / (p.cols * pto_type_bits(dst)));
            code = vec_size_code(src, MAX(rows, p.vrows), p.cols);
            vec_tile_set(vec_tile(e, SRC, src, code, p.cols, p.vrows, p.vcols),
                         a.v + (a.n == 1 ? 0 : p.first), a.n == 1 ? 1 : p.n);
            if (canon) {
                e->local.tile[SRC].location = PTO_LOC_MATRIX;
            }
            vec_block(e, PTO_OP_TCVT, src);
            dims_of(e, &p);
            d = vec_datr(e);
            d->dtype = dst;
            d->rmode = round_by_name(modes->items[m]);
            d->sat = case_number(c, "sat", 0);
            d->canon = canon;
            d->pad = PTO_PAD_NULL;
            vec_iot(e, OUT_HAND,
                    vec_size_code(dst, e->local.tile[SRC].rows, p.cols), 1,
                    SRC, 0, true);
            done = vec_commit(e);
            check_result(c, e, &done, &p, r, want_flags(&p, ef, r.n));
        }
    }
}

static void check_quant(NumericCase *c, VecEnv *e, PtoTileOpId op)
{
    PtoDataType src = case_type(c, "src"), dst = case_type(c, "dst");
    uint64_t zp = case_number(c, "zp", 0);
    PtoDataType narrow = op == PTO_OP_TQUANT ? dst : src;
    CaseValues r = case_values(c, "r"), ef = case_values(c, "ef");
    Piece p = { 0 };

    zp = narrow == PTO_S8 ? (uint64_t)(int8_t)zp : (uint8_t)zp;
    while (next_piece(&p, r.n, 4, false)) {
        PtoDatr *d;
        PtoCommit done;

        put(e, SRC, src, &p, case_values(c, "a"));
        vec_block(e, op, src);
        dims_of(e, &p);
        vec_ior(e, 2, case_number(c, "scale", 0), zp, 0);
        d = vec_datr(e);
        d->dtype = dst;
        d->rmode = round_by_name(case_text(c, "rmode"));
        d->sat = case_number(c, "sat", 0);
        vec_iot(e, OUT_HAND, vec_size_code(dst, p.vrows, p.cols), 1, SRC, 0,
                true);
        done = vec_commit(e);
        check_result(c, e, &done, &p, r, want_flags(&p, ef, r.n));
    }
}

static void check_reduce(NumericCase *c, VecEnv *e, const char *what, bool row)
{
    PtoTileOpId op = sibling(what, row ? "TROW" : "TCOL", "");
    PtoDataType type = case_type(c, "type");
    CaseValues x = case_values(c, "x"), r = case_values(c, "r");
    bool index = !strncmp(what, "ARG", 3);
    uint32_t n = x.n, cols = row ? pto_pow2_cols(n) : 1;
    PtoDataType out = index ? PTO_U32 : type;
    PtoCommit done;

    if (index && !pto_type_in(PTO_TYPES_A9, type)) {
        return;
    }
    vec_tile_set(vec_tile(e, SRC, type, vec_size_code(type, row ? 1 : n, cols),
                          cols, row ? 1 : n, row ? n : 1), x.v, n);
    vec_block(e, op, type);
    vec_dims(e, row ? n : 1, row ? 1 : n, cols);
    vec_iot(e, OUT_HAND, vec_size_code(out, 1, 1), 1, SRC, 0, true);
    done = vec_commit(e);
    check_done(c, &done);
    if (!c->failed) {
        case_expect(c, pto_tile_ops[op].name, 0,
                    pto_tile_get(&e->local.tile[OUT], 0, 0),
                    r.n ? r.v[0] : case_number(c, "index", UINT64_MAX));
        case_expect(c, "flags", row, done.flags, case_flags(c, "flags"));
    }
    pto_local_free(&e->local, OUT);
}

static void check_sort(NumericCase *c, VecEnv *e)
{
    PtoDataType type = case_type(c, "type");
    CaseValues x = case_values(c, "x"), r = case_values(c, "r");
    CaseValues index = case_values(c, "index");
    uint32_t cols = pto_pow2_cols(x.n);
    unsigned code = vec_size_code(type, 1, cols), rows;
    PtoCommit done;

    vec_tile_set(vec_tile(e, SRC, type, code, cols, 1, x.n), x.v, x.n);
    rows = e->local.tile[SRC].rows;
    vec_block(e, PTO_OP_TSORT, type);
    vec_dims(e, case_number(c, "group", 32), -1, -1);
    vec_ior(e, 1, case_number(c, "descending", 0), 0, 0);
    vec_iot(e, OUT_HAND, code, 1, SRC, 0, false);
    vec_iot(e, OUT_HAND, vec_size_code(PTO_U32, rows, cols), 0, 0, 0, true);
    done = vec_commit(e);
    check_done(c, &done);
    for (uint32_t i = 0; i < x.n && !c->failed; i++) {
        case_expect(c, "r", i, pto_tile_get(&e->local.tile[OUT], 0, i),
                    r.v[i]);
        case_expect(c, "index", i, pto_tile_get(&e->local.tile[OUT + 1], 0, i),
                    index.v[i]);
    }
    case_expect(c, "flags", 0, done.flags, case_flags(c, "flags"));
    pto_local_free(&e->local, OUT);
    pto_local_free(&e->local, OUT + 1);
}

static void check_merge(NumericCase *c, VecEnv *e)
{
    PtoDataType type = case_type(c, "type");
    CaseValues v[2] = { case_values(c, "a"), case_values(c, "b") };
    CaseValues r = case_values(c, "r");
    PtoCommit done;

    for (unsigned i = 0; i < 2; i++) {
        uint32_t cols = pto_pow2_cols(v[i].n);

        vec_tile_set(vec_tile(e, SRC + i, type, vec_size_code(type, 1, cols),
                              cols, 1, v[i].n), v[i].v, v[i].n);
    }
    vec_block(e, PTO_OP_TMRGSORT, type);
    vec_ior(e, 1, case_number(c, "descending", 0), 0, 0);
    vec_iot(e, OUT_HAND, vec_size_code(type, 1, pto_pow2_cols(r.n)), 2, SRC,
            SRC + 1, true);
    done = vec_commit(e);
    check_done(c, &done);
    for (uint32_t i = 0; i < r.n && !c->failed; i++) {
        case_expect(c, "r", i, pto_tile_get(&e->local.tile[OUT], 0, i),
                    r.v[i]);
    }
    case_expect(c, "flags", 0, done.flags, case_flags(c, "flags"));
    pto_local_free(&e->local, OUT);
}

static void check_binary_family(NumericCase *c, VecEnv *e, const char *op)
{
    PtoDataType type = case_type(c, "type");

    check_elementwise(c, e, op_by_name(op));
    if (pto_tile_ops[op_by_name(op)].sources == 2) {
        check_constant(c, e, op);
        check_expand(c, e, sibling(op + 1, "TROWEXPAND", ""), type, type, true);
        check_expand(c, e, sibling(op + 1, "TCOLEXPAND", ""), type, type,
                     false);
    }
}

static bool check_case(NumericCase *c, const char *op, void *opaque)
{
    static const char prefix[] = "T{ROW,COL}";
    VecEnv *e = opaque;

    if (!strncmp(op, prefix, strlen(prefix))) {
        check_reduce(c, e, op + strlen(prefix), true);
        check_reduce(c, e, op + strlen(prefix), false);
    } else if (!strcmp(op, "TSORT")) {
        check_sort(c, e);
    } else if (!strcmp(op, "TMRGSORT")) {
        check_merge(c, e);
    } else if (!strcmp(op, "TCVT")) {
        check_tcvt(c, e);
    } else if (!strcmp(op, "TQUANT") || !strcmp(op, "TDEQUANT")) {
        check_quant(c, e, op_by_name(op));
    } else if (!strcmp(op, "TCMP")) {
        check_compare(c, e);
    } else if (!strcmp(op, "EXPDIF")) {
        PtoDataType src = case_type(c, "srctype");
        PtoDataType dst = case_type(c, "dsttype");

        check_expand(c, e, PTO_OP_TROWEXPANDEXPDIF, src, dst, true);
        check_expand(c, e, PTO_OP_TCOLEXPANDEXPDIF, src, dst, false);
    } else if (op_by_name(op) < PTO_OP_COUNT) {
        check_binary_family(c, e, op);
    } else {
        return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    VecEnv *e = pto_alloc0(sizeof(*e));
    int status;

    vec_env_init(e, &pto_tile_profile_pto);
    status = case_main(argc, argv, check_case, e);
    vec_env_done(e);
    pto_free(e);
    return status;
}
