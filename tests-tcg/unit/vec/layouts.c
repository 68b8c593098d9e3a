/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operations on CUBE_M16 / CUBE_M32 tiles and padding:
 *  - element-wise operations and TCVT give by logical coordinate what they give
 *    on row-major tiles;
 *  - PadValue fills everything outside the valid region, Null leaves it
 *    undefined;
 *  - TPERMUTE, TSHUF, TPACK, TUNPACK against byte-array models of their own.
 */
#include "env.h"

static unsigned checks, failures;

static uint64_t seed = 0x9e3779b97f4a7c15u;

static uint64_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

#define CHECK(ok, ...)              \
    do {                            \
        checks++;                   \
        if (!(ok)) {                \
            failures++;             \
            printf(__VA_ARGS__);    \
            printf("\n");           \
        }                           \
    } while (0)

static void release_all(VecEnv *e)
{
    for (unsigned slot = 0; slot < PTO_TILE_SLOTS; slot++) {
        pto_local_free(&e->local, slot);
    }
}

static uint64_t random_element(PtoDataType type)
{
    uint64_t v = next_random() & pto_type_mask(type);

    while (!pto_encoding_valid(type, v) ||
           (pto_type_is_integer(type) && !v)) {
        v = next_random() & pto_type_mask(type);
        if (type == PTO_TF32 || type == PTO_HF32) {
            v &= ~UINT64_C(0x1fff);
        }
    }
    return v;
}

/* ---- element-wise --------------------------------------------------------- */

static void header(VecEnv *e, PtoTileOpId op, PtoDataType type, bool cube,
                   uint32_t vrows, uint32_t vcols, unsigned code)
{
    const PtoTileOp *o = &pto_tile_ops[op];

    vec_block(e, op, type);
    vec_dims(e, vcols, vrows, cube ? -1 : (int)pto_pow2_cols(vcols));
    if (o->gprs) {
        vec_ior(e, 1, 3, 0, 0);
    }
    if (o->sources == 3) {
        vec_iot(e, -1, 0, 2, 0, 1, false);
        vec_iot(e, 3, code, 1, 2, 0, true);
    } else {
        vec_iot(e, 3, code, o->sources, 0, 1, true);
    }
}

static void fill_sources(VecEnv *e, const PtoTileOp *o, PtoDataType type,
                         PtoLayout layout, uint32_t vrows, uint32_t vcols,
                         unsigned code, const uint64_t *v)
{
    for (unsigned i = 0; i < o->sources; i++) {
        PtoTile *t = layout == PTO_LAYOUT_ROW
                     ? vec_tile(e, i, type, code, pto_pow2_cols(vcols), vrows,
                                vcols)
                     : vec_cube_tile(e, i, type, code, layout, vrows, vcols);

        vec_tile_set(t, v + i * vrows * vcols, vrows * vcols);
    }
}

static void compare_layouts(VecEnv *e, PtoTileOpId op, PtoDataType type,
                            PtoLayout layout, uint32_t vrows, uint32_t vcols)
{
    const PtoTileOp *o = &pto_tile_ops[op];
    size_t n = vrows * vcols;
    uint64_t *v = pto_alloc(3 * n * 8), *want = pto_alloc(n * 8);
    PtoCommit r;
    unsigned flags;

    for (size_t i = 0; i < 3 * n; i++) {
        v[i] = random_element(type);
    }
    fill_sources(e, o, type, PTO_LAYOUT_ROW, vrows, vcols, 8, v);
    header(e, op, type, false, vrows, vcols, 8);
    r = vec_commit(e);
    flags = r.flags;
    CHECK(r.status == PTO_COMMIT_DONE, "%s row-major: %s", o->name,
          r.fault.rule);
    for (size_t i = 0; i < n; i++) {
        want[i] = pto_tile_get(&e->local.tile[48], i / vcols, i % vcols);
    }
    release_all(e);
    fill_sources(e, o, type, layout, vrows, vcols, 8, v);
    header(e, op, type, true, vrows, vcols, 9);
    vec_datr(e)->pad = PTO_PAD_MAX;
    r = vec_commit(e);
    CHECK(r.status == PTO_COMMIT_DONE, "%s CUBE: %s", o->name, r.fault.rule);
    CHECK(r.flags == flags, "%s: flags %x and %x", o->name, r.flags, flags);
    if (r.status == PTO_COMMIT_DONE) {
        const PtoTile *d = &e->local.tile[48];

        CHECK(d->layout == layout && pto_tile_cube_legal(d),
              "%s: result layout", o->name);
        for (size_t i = 0; i < n; i++) {
            uint64_t got = pto_tile_get(d, i / vcols, i % vcols);

            CHECK(got == want[i], "%s %s [%zu]: %" PRIx64 " and %" PRIx64,
                  o->name, pto_type_info[type].name, i, got, want[i]);
        }
        for (uint32_t row = 0; row < d->rows; row++) {
            for (uint32_t col = 0; col < d->cols; col++) {
                if (row >= vrows || col >= vcols) {
                    CHECK(pto_tile_get(d, row, col) ==
                          pto_pad_value(PTO_PAD_MAX, type) &&
                          pto_tile_elem_defined(d, row, col),
                          "%s: CUBE padding", o->name);
                }
            }
        }
    }
    release_all(e);
    pto_free(v);
    pto_free(want);
}

static const PtoTileOpId cube_ops[] = {
    PTO_OP_TADD, PTO_OP_TAND, PTO_OP_TDIV, PTO_OP_TMAX, PTO_OP_TMIN,
    PTO_OP_TMUL, PTO_OP_TOR, PTO_OP_TREM, PTO_OP_TSHL, PTO_OP_TSHR,
    PTO_OP_TSUB, PTO_OP_TXOR, PTO_OP_TABS, PTO_OP_TEXP, PTO_OP_TLOG,
    PTO_OP_TNEG, PTO_OP_TNOT, PTO_OP_TRELU, PTO_OP_TRSQRT, PTO_OP_TSQRT,
    PTO_OP_TADDS, PTO_OP_TANDS, PTO_OP_TDIVS, PTO_OP_TMAXS, PTO_OP_TMINS,
    PTO_OP_TMULS, PTO_OP_TORS, PTO_OP_TREMS, PTO_OP_TSHLS, PTO_OP_TSHRS,
    PTO_OP_TSUBS, PTO_OP_TXORS, PTO_OP_TFMA,
};

static void check_elementwise(VecEnv *e)
{
    static const PtoDataType types[] = {
        PTO_FP32, PTO_FP16, PTO_E5M2, PTO_S32, PTO_U16, PTO_S8,
    };
    static const uint32_t shapes[][2] = { { 1, 1 }, { 16, 8 }, { 13, 21 } };

    for (unsigned i = 0; i < ARRAY_SIZE(cube_ops); i++) {
        const PtoTileOp *o = &pto_tile_ops[cube_ops[i]];

        for (unsigned t = 0; t < ARRAY_SIZE(types); t++) {
            for (unsigned s = 0; s < ARRAY_SIZE(shapes); s++) {
                if (!pto_type_in(o->types, types[t])) {
                    continue;
                }
                compare_layouts(e, cube_ops[i], types[t], PTO_LAYOUT_M16,
                                shapes[s][0], shapes[s][1]);
                compare_layouts(e, cube_ops[i], types[t], PTO_LAYOUT_M32,
                                shapes[s][0] + 15, shapes[s][1]);
            }
        }
    }
}

/* Two sources of different layouts, N8, LB2 given, TRECIP: all rejected. */
static void check_cube_faults(VecEnv *e)
{
    PtoCommit r;

    vec_cube_tile(e, 0, PTO_FP32, 5, PTO_LAYOUT_M16, 4, 4);
    vec_cube_tile(e, 1, PTO_FP32, 5, PTO_LAYOUT_M32, 4, 4);
    header(e, PTO_OP_TADD, PTO_FP32, true, 4, 4, 5);
    r = vec_commit(e);
    CHECK(r.fault.code == PTO_FAULT_TILE_LEGALITY, "mixed CUBE layouts");
    vec_cube_tile(e, 1, PTO_FP32, 5, PTO_LAYOUT_M16, 4, 4);
    r = vec_commit(e);
    CHECK(r.status == PTO_COMMIT_DONE, "same CUBE layouts");
    vec_dims(e, -1, -1, 4);
    r = vec_commit(e);
    CHECK(r.fault.code == PTO_FAULT_TILE_LEGALITY, "LB2 with CUBE operands");
    header(e, PTO_OP_TADD, PTO_FP32, true, 4, 5, 5);
    r = vec_commit(e);
    CHECK(r.fault.code == PTO_FAULT_TILE_LEGALITY, "LB0 differs");
    vec_cube_tile(e, 0, PTO_FP32, 5, PTO_LAYOUT_N8, 4, 4);
    header(e, PTO_OP_TABS, PTO_FP32, true, 4, 4, 5);
    r = vec_commit(e);
    CHECK(r.fault.code == PTO_FAULT_TILE_LEGALITY, "CUBE_N8");
    vec_cube_tile(e, 0, PTO_FP32, 5, PTO_LAYOUT_M16, 4, 4);
    header(e, PTO_OP_TRECIP, PTO_FP32, true, 4, 4, 5);
    r = vec_commit(e);
    CHECK(r.fault.code == PTO_FAULT_TILE_LEGALITY, "TRECIP on CUBE_M16");
    header(e, PTO_OP_TEXP, PTO_FP32, true, 4, 4, 1);
    r = vec_commit(e);
    CHECK(r.fault.code == PTO_FAULT_TILE_ALLOCATION, "too few CELLs");
    e->profile.recip_cube = true;
    header(e, PTO_OP_TRECIP, PTO_FP32, true, 4, 4, 5);
    r = vec_commit(e);
    CHECK(r.status == PTO_COMMIT_DONE, "TRECIP by the profile switch");
    e->profile.recip_cube = false;
    release_all(e);
}

/* ---- TCVT ----------------------------------------------------------------- */

static void check_convert(VecEnv *e)
{
    static const PtoDataType types[] = {
        PTO_FP32, PTO_FP16, PTO_E4M3, PTO_S8, PTO_E2M1X2, PTO_S4X2, PTO_HIF8,
    };

    for (unsigned i = 0; i < ARRAY_SIZE(types) * ARRAY_SIZE(types) * 2; i++) {
        PtoDataType src = types[i / 2 % ARRAY_SIZE(types)];
        PtoDataType dst = types[i / 2 / ARRAY_SIZE(types)];
        PtoLayout layout = i % 2 ? PTO_LAYOUT_M32 : PTO_LAYOUT_M16;
        PtoTile *s = vec_cube_tile(e, 0, src, 7, layout, 9, 19);
        PtoCommit r;

        for (uint32_t k = 0; k < 9 * 19; k++) {
            pto_tile_put(s, k / 19, k % 19, random_element(src));
        }
        vec_block(e, PTO_OP_TCVT, src);
        vec_dims(e, 19, 9, -1);
        vec_datr(e)->dtype = dst;
        vec_iot(e, 3, 8, 1, 0, 0, true);
        r = vec_commit(e);
        CHECK(r.status == PTO_COMMIT_DONE, "TCVT %s to %s: %s",
              pto_type_info[src].name, pto_type_info[dst].name, r.fault.rule);
        for (uint32_t k = 0; k < 9 * 19 && r.status == PTO_COMMIT_DONE; k++) {
            PtoRound mode = pto_type_is_float(src) && !pto_type_is_float(dst)
                            ? PTO_ROUND_RTZ : PTO_ROUND_RNE;
            uint32_t flags = 0;
            uint64_t want = pto_elem_convert(
                src, dst, pto_tile_get(s, k / 19, k % 19), mode, false, false,
                &flags);

            CHECK(pto_tile_get(&e->local.tile[48], k / 19, k % 19) == want,
                  "TCVT %s to %s [%u]", pto_type_info[src].name,
                  pto_type_info[dst].name, k);
        }
        CHECK(e->local.tile[48].layout == layout, "TCVT keeps the layout");
        release_all(e);
    }
}

/* ---- padding -------------------------------------------------------------- */

static void check_padding(VecEnv *e)
{
    for (unsigned pad = PTO_PAD_ZERO; pad <= PTO_PAD_NULL; pad++) {
        for (unsigned type = 0; type < PTO_DTYPE_CODES; type++) {
            const PtoTile *d = &e->local.tile[48];
            PtoCommit r;

            if (!pto_type_in(PTO_TYPES_VEC, type)) {
                continue;
            }
            vec_block(e, PTO_OP_TEXPANDS, type);
            vec_dims(e, 3, 2, 8);
            vec_ior(e, 1, 0, 0, 0);
            vec_datr(e)->pad = pad;
            vec_iot(e, 3, 4, 0, 0, 0, true);
            r = vec_commit(e);
            CHECK(r.status == PTO_COMMIT_DONE, "TEXPANDS: %s", r.fault.rule);
            for (uint32_t k = 0; k < 8u * d->rows; k++) {
                bool inside = k / 8 < 2 && k % 8 < 3;

                CHECK(pto_tile_get(d, k / 8, k % 8) ==
                      (inside ? 0 : pto_pad_value(pad, type)) &&
                      pto_tile_elem_defined(d, k / 8, k % 8) ==
                      (inside || pad != PTO_PAD_NULL),
                      "pad %u of %s at %u", pad, pto_type_info[type].name, k);
            }
            release_all(e);
        }
    }
}

/* A predicate's padding bits: 1 for Max, 0 for Zero and Min. */
static void check_predicate_padding(VecEnv *e)
{
    for (unsigned pad = PTO_PAD_ZERO; pad <= PTO_PAD_NULL; pad++) {
        PtoTile *s = vec_tile(e, 0, PTO_FP32, 2, 8, 3, 5);
        const PtoTile *d = &e->local.tile[48];
        PtoCommit r;

        for (uint32_t k = 0; k < 15; k++) {
            pto_tile_put(s, k / 5, k % 5, k % 3 ? 0x3f800000 : 0);
        }
        vec_block(e, PTO_OP_TCMPS, PTO_FP32);
        vec_dims(e, 5, 3, 8);
        vec_ior(e, 1, 0, 0, 0);
        vec_datr(e)->pad = pad;
        e->b.datr.cmode = PTO_CMP_GT;
        vec_iot(e, 3, 2, 1, 0, 0, true);
        r = vec_commit(e);
        CHECK(r.status == PTO_COMMIT_DONE, "TCMPS: %s", r.fault.rule);
        for (uint32_t k = 0; k < 8u * d->rows; k++) {
            bool inside = k / 8 < 3 && k % 8 < 5;
            uint64_t want = inside ? ((k / 8) * 5 + k % 8) % 3 != 0
                                   : pad == PTO_PAD_MAX;

            CHECK(pto_tile_get(d, k / 8, k % 8) == want, "predicate %u pad %u",
                  k, pad);
        }
        release_all(e);
    }
}

/* ---- CELL operations ------------------------------------------------------ */

/* Logical bytes of a tile row, by element arithmetic alone. */
static void row_to_bytes(const PtoTile *t, uint32_t row, uint8_t *out)
{
    unsigned bits = pto_type_bits(t->type);

    memset(out, 0, 256);
    for (uint32_t col = 0; col < t->vcols; col++) {
        uint64_t v = pto_tile_get(t, row, col);

        if (bits == 4) {
            out[col / 2] |= v << (col % 2 * 4);
        } else {
            memcpy(out + col * bits / 8, &v, bits / 8);
        }
    }
}

static PtoTile *random_cell(VecEnv *e, unsigned slot, PtoDataType type,
                            PtoLayout layout, uint32_t vrows, uint32_t vcols)
{
    PtoTile *t = vec_cube_tile(e, slot, type, 8, layout, vrows, vcols);

    for (uint32_t row = 0; row < vrows; row++) {
        for (uint32_t col = 0; col < vcols; col++) {
            pto_tile_put(t, row, col, next_random());
        }
    }
    return t;
}

static void check_rows(VecEnv *e, const char *what, uint32_t vrows,
                       const uint8_t want[][256], uint32_t bytes)
{
    PtoCommit r = vec_commit(e);
    uint8_t got[256];

    CHECK(r.status == PTO_COMMIT_DONE, "%s: %s", what, r.fault.rule);
    for (uint32_t row = 0; row < vrows && r.status == PTO_COMMIT_DONE; row++) {
        row_to_bytes(&e->local.tile[48], row, got);
        CHECK(!memcmp(got, want[row], bytes), "%s row %u", what, row);
    }
    release_all(e);
}

static void check_permute(VecEnv *e, PtoDataType type, PtoLayout layout,
                          uint32_t vrows, uint32_t vcols)
{
    uint32_t run = layout == PTO_LAYOUT_M16 ? 8 : 4;
    uint32_t n = (vcols * pto_type_bits(type) + 7) / 8;
    static uint8_t a[256], b[256], want[32][256];
    PtoTile *s0 = random_cell(e, 0, type, layout, vrows, vcols);
    PtoTile *s1 = random_cell(e, 1, type, layout, vrows, vcols);
    PtoTile *x = vec_cube_tile(e, 2, PTO_U8, 8, layout, vrows, n);

    for (uint32_t row = 0; row < vrows; row++) {
        row_to_bytes(s0, row, a);
        row_to_bytes(s1, row, b);
        for (uint32_t k = 0; k < n; k++) {
            uint32_t base = k / run * run, left = MIN(run, n - base);
            uint32_t pick = next_random() % left;
            bool second = next_random() & 1;

            pto_tile_put(x, row, k, pick + (second ? run : 0));
            want[row][k] = second ? b[base + pick] : a[base + pick];
        }
        if (pto_type_is_4bit(type) && vcols % 2) {
            want[row][n - 1] &= 15;
        }
    }
    vec_block(e, PTO_OP_TPERMUTE, type);
    vec_iot(e, -1, 0, 2, 0, 1, false);
    vec_iot(e, 3, 8, 1, 2, 0, true);
    check_rows(e, "TPERMUTE", vrows, want, n);
}

static void check_shuffle(VecEnv *e, PtoDataType type, PtoLayout layout,
                          uint32_t vrows, uint32_t vcols, unsigned mode,
                          unsigned segment, unsigned boundary)
{
    uint32_t n = (vcols * pto_type_bits(type) + 7) / 8, words = (n + 3) / 4;
    static uint8_t a[32][256], want[32][256];
    int width = 2 << segment;
    PtoTile *s = random_cell(e, 0, type, layout, vrows, vcols);
    PtoTile *x = random_cell(e, 1, PTO_U32, layout, vrows, words);

    for (uint32_t row = 0; row < vrows; row++) {
        row_to_bytes(s, row, a[row]);
    }
    for (uint32_t row = 0; row < vrows; row++) {
        for (uint32_t w = 0; w < words; w++) {
            int b = pto_tile_get(x, row, w) & 31, lane = row;
            int base = lane / width * width, at = lane - base, from = -1;
            static const uint8_t zeros[4];

            switch (mode) {
            case 0:
                from = at >= b ? lane - b : -1;
                break;
            case 1:
                from = at + b < width ? lane + b : -1;
                break;
            case 2:
                from = (at ^ b) < width ? base + (at ^ b) : -1;
                break;
            default:
                from = base + b % width;
                break;
            }
            if (from >= (int)vrows) {
                from = -1;
            }
            memcpy(want[row] + 4 * w, from >= 0 ? a[from] + 4 * w
                   : boundary ? zeros : a[row] + 4 * w, 4);
        }
    }
    vec_block(e, PTO_OP_TSHUF, type);
    vec_ior(e, 1, mode | segment << 8 | boundary << 16, 0, 0);
    vec_iot(e, 3, 8, 2, 0, 1, true);
    check_rows(e, "TSHUF", vrows, want, n);
}

static void check_pack(VecEnv *e, PtoLayout layout, unsigned n0, unsigned n1)
{
    static uint8_t a[256], b[256], want[32][256];
    PtoTile *s0 = random_cell(e, 0, PTO_U32, layout, 11, 5);
    PtoTile *s1 = random_cell(e, 1, PTO_U32, layout, 11, 5);

    memset(want, 0, sizeof(want));
    for (uint32_t row = 0; row < 11; row++) {
        row_to_bytes(s0, row, a);
        row_to_bytes(s1, row, b);
        for (uint32_t w = 0; w < 5; w++) {
            memcpy(want[row] + 4 * w, a + 4 * w, n0);
            memcpy(want[row] + 4 * w + n0, b + 4 * w, n1);
        }
    }
    vec_block(e, PTO_OP_TPACK, PTO_U32);
    vec_ior(e, 1, n0 | n1 << 8, 0, 0);
    vec_iot(e, 3, 8, 2, 0, 1, true);
    check_rows(e, "TPACK", 11, want, 20);
}

static void check_unpack(VecEnv *e, PtoLayout layout, unsigned from,
                         unsigned count)
{
    static uint8_t a[256], want[32][256];
    PtoTile *s = random_cell(e, 0, PTO_U32, layout, 11, 5);

    memset(want, 0, sizeof(want));
    for (uint32_t row = 0; row < 11; row++) {
        row_to_bytes(s, row, a);
        for (uint32_t w = 0; w < 5; w++) {
            memcpy(want[row] + 4 * w, a + 4 * w + from, count);
        }
    }
    vec_block(e, PTO_OP_TUNPACK, PTO_U32);
    vec_ior(e, 1, from | count << 8, 0, 0);
    vec_iot(e, 3, 8, 1, 0, 0, true);
    check_rows(e, "TUNPACK", 11, want, 20);
}

static void check_cells(VecEnv *e)
{
    static const PtoDataType types[] = {
        PTO_FP32, PTO_U16, PTO_S8, PTO_E2M1X2, PTO_S4X2,
    };

    for (unsigned t = 0; t < ARRAY_SIZE(types); t++) {
        for (unsigned big = 0; big < 2; big++) {
            PtoLayout layout = big ? PTO_LAYOUT_M32 : PTO_LAYOUT_M16;
            uint32_t vrows = big ? 27 : 13;

            check_permute(e, types[t], layout, vrows, 19);
            check_permute(e, types[t], layout, vrows, 16);
            for (unsigned m = 0; m < 4 * (4 + big) * 2; m++) {
                check_shuffle(e, types[t], layout, vrows, 18, m % 4,
                              m / 8, m / 4 % 2);
            }
        }
    }
    for (unsigned n0 = 1; n0 <= 3; n0++) {
        for (unsigned n1 = 1; n1 + n0 <= 4; n1++) {
            check_pack(e, PTO_LAYOUT_M16, n0, n1);
            check_pack(e, PTO_LAYOUT_M32, n0, n1);
        }
    }
    for (unsigned from = 0; from < 4; from++) {
        for (unsigned count = 1; count + from <= 4; count++) {
            check_unpack(e, PTO_LAYOUT_M16, from, count);
            check_unpack(e, PTO_LAYOUT_M32, from, count);
        }
    }
}

/* Controls and indices outside their range. */
static void check_cell_faults(VecEnv *e)
{
    static const struct {
        PtoTileOpId op;
        uint64_t control;
    } bad[] = {
        { PTO_OP_TSHUF, 4 }, { PTO_OP_TSHUF, 0x400 }, { PTO_OP_TSHUF, 0x20000 },
        { PTO_OP_TSHUF, UINT64_C(1) << 32 }, { PTO_OP_TPACK, 0x0100 },
        { PTO_OP_TPACK, 0x0302 }, { PTO_OP_TPACK, 0x0104 },
        { PTO_OP_TUNPACK, 0x0004 }, { PTO_OP_TUNPACK, 0x0000 },
        { PTO_OP_TUNPACK, 0x0203 }, { PTO_OP_TUNPACK, UINT64_C(1) << 40 },
    };
    PtoCommit r;

    for (unsigned i = 0; i < ARRAY_SIZE(bad); i++) {
        random_cell(e, 0, PTO_U32, PTO_LAYOUT_M16, 4, 4);
        random_cell(e, 1, PTO_U32, PTO_LAYOUT_M16, 4, 4);
        vec_block(e, bad[i].op, PTO_U32);
        vec_ior(e, 1, bad[i].control, 0, 0);
        vec_iot(e, 3, 8, bad[i].op == PTO_OP_TUNPACK ? 1 : 2, 0, 1, true);
        r = vec_commit(e);
        CHECK(r.fault.code == PTO_FAULT_TILE_LEGALITY, "control %" PRIx64,
              bad[i].control);
        e->b.ior.valid = false;
        r = vec_commit(e);
        CHECK(r.fault.code == PTO_FAULT_BUNDLE_CONTROL, "no control word");
        release_all(e);
    }
    random_cell(e, 0, PTO_U16, PTO_LAYOUT_M16, 4, 4);
    vec_cube_tile(e, 2, PTO_U8, 8, PTO_LAYOUT_M16, 4, 8);
    pto_tile_put(&e->local.tile[2], 1, 1, 16);
    vec_block(e, PTO_OP_TPERMUTE, PTO_U16);
    vec_iot(e, -1, 0, 2, 0, 0, false);
    vec_iot(e, 3, 8, 1, 2, 0, true);
    r = vec_commit(e);
    CHECK(r.fault.code == PTO_FAULT_TILE_LEGALITY, "TPERMUTE index 16");
    pto_tile_put(&e->local.tile[2], 1, 1, 15);
    r = vec_commit(e);
    CHECK(r.status == PTO_COMMIT_DONE, "TPERMUTE of a tile with itself: %s",
          r.fault.rule);
    release_all(e);
}

/* ---- TIMG2COL ------------------------------------------------------------- */

/* A 2 x 5 x 4 map of two channel groups of 3, against direct indexing. */
static void check_img2col(VecEnv *e)
{
    PtoFeatureMap f = {
        .valid = true, .batches = 2, .depth = 1, .channel_groups = 2,
        .height = 5, .width = 4, .channels_per_group = 3, .filter_h = 3,
        .filter_w = 2, .stride_h = 2, .stride_w = 1, .dilation_h = 1,
        .dilation_w = 2, .pad_left = 1, .pad_right = 1, .pad_top = 1,
        .pad_bottom = 0, .logical_channels = 5, .padding = 77,
    };
    /* (5 + 1 - 3) / 2 + 1 = 2 rows, (4 + 2 - 3) / 1 + 1 = 4 columns */
    const uint32_t oh = 2, ow = 4, m0 = 3, k0 = 4, rows = 11, cols = 13;
    PtoTile *s = vec_tile(e, 0, PTO_U16, 3, 256, 1, 240);
    PtoCommit r;

    for (uint32_t i = 0; i < 240; i++) {
        pto_tile_put(s, 0, i, 1000 + i);
    }
    s->location = PTO_LOC_MATRIX;
    pto_local_set_feature_map(&e->local, 0, &f);
    vec_block(e, PTO_OP_TIMG2COL, PTO_U16);
    vec_dims(e, cols, rows, 16);
    vec_ior(e, 2, m0, k0, 0);
    vec_iot(e, 3, 3, 1, 0, 0, true);
    r = vec_commit(e);
    CHECK(r.status == PTO_COMMIT_DONE, "TIMG2COL: %s", r.fault.rule);
    for (uint32_t i = 0; i < rows * cols && r.status == PTO_COMMIT_DONE; i++) {
        uint32_t m = m0 + i / cols, k = k0 + i % cols;
        int row = (int)(m / ow % oh * 2 + k / 6 % 3) - 1;
        int col = (int)(m % ow + k / 3 % 2 * 2) - 1;
        uint32_t group = k / 18, channel = k % 3;
        uint64_t want = 77;

        if (group * 3 + channel < 5 && row >= 0 && row < 5 && col >= 0 &&
            col < 4) {
            want = 1000 + (((m / (oh * ow) * 2 + group) * 5 + row) * 4 + col) *
                          3 + channel;
        }
        CHECK(pto_tile_get(&e->local.tile[48], i / cols, i % cols) ==
              want,
              "TIMG2COL (%u, %u)", m, k);
    }
    pto_local_free(&e->local, 48);
    f.logical_channels = 7;
    pto_local_set_feature_map(&e->local, 0, &f);
    r = vec_commit(e);
    CHECK(r.fault.code == PTO_FAULT_TILE_LEGALITY, "more channels than stored");
    pto_local_set_feature_map(&e->local, 0, NULL);
    r = vec_commit(e);
    CHECK(r.fault.code == PTO_FAULT_TILE_LEGALITY, "no feature map");
    release_all(e);
}

int main(void)
{
    VecEnv *e = pto_alloc0(sizeof(*e));

    vec_env_init(e, &pto_tile_profile_pto);
    check_elementwise(e);
    check_cube_faults(e);
    check_convert(e);
    check_padding(e);
    check_predicate_padding(e);
    check_cells(e);
    check_cell_faults(e);
    check_img2col(e);
    vec_env_done(e);
    pto_free(e);
    printf("%u checks, %u failures\n", checks, failures);
    return failures != 0;
}
