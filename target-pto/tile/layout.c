/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shapes, element index maps and CUBE CELL geometry of tiles.
 */
#include "tile/state.h"

#define PTO_DIM_MAX 65535u

static bool is_pow2(uint32_t v)
{
    return v && !(v & (v - 1)) && v <= 32768;
}

uint32_t pto_derived_rows(uint32_t capacity, uint32_t cols, PtoDataType type)
{
    uint64_t cap_bits = (uint64_t)capacity * 8;
    unsigned bits = pto_type_bits(type), shift;

    if (!capacity || !bits || !is_pow2(cols)) {
        return 0;
    }
    /* Element widths are powers of two as well. */
    shift = __builtin_ctz(cols) + __builtin_ctz(bits);
    if (cap_bits & ((UINT64_C(1) << shift) - 1) ||
        cap_bits >> shift > PTO_DIM_MAX) {
        return 0;
    }
    return cap_bits >> shift;
}

bool pto_shape_legal(uint32_t capacity, uint32_t cols, uint32_t vrows,
                     uint32_t vcols, PtoDataType type)
{
    uint32_t rows = pto_derived_rows(capacity, cols, type);

    return rows && vrows <= rows && vcols <= cols;
}

uint32_t pto_min_capacity(uint32_t cols, uint32_t vrows, uint32_t vcols,
                          PtoDataType type)
{
    for (unsigned code = 1; code <= 12; code++) {
        if (pto_shape_legal(pto_size_code_bytes(code), cols, vrows, vcols,
                            type)) {
            return pto_size_code_bytes(code);
        }
    }
    return 0;
}

uint32_t pto_pow2_cols(uint32_t cols)
{
    uint32_t c = 1;

    while (c < cols && c <= 32768) {
        c *= 2;
    }
    return c <= 32768 ? c : 0;
}

bool pto_cube_type_ok(PtoDataType type)
{
    unsigned bits = pto_type_bits(type);

    return bits && bits != 64;
}

static uint32_t align_extent(uint32_t v, uint32_t quantum)
{
    uint32_t a = (v + quantum - 1) / quantum * quantum;

    return v && a <= PTO_DIM_MAX ? a : 0;
}

bool pto_cube_geometry(PtoLayout layout, uint32_t vrows, uint32_t vcols,
                       PtoDataType type, PtoCubeGeom *g)
{
    unsigned bits = pto_type_bits(type);

    memset(g, 0, sizeof(*g));
    if (!pto_layout_is_cube(layout) || !pto_cube_type_ok(type) || !vrows ||
        !vcols) {
        return false;
    }
    /* A CELL holds 1024 bits: 16 x 64, 32 x 32 or (bits * 8) x K of them. */
    if (layout == PTO_LAYOUT_N8) {
        g->cell_cols = 8;
        g->cell_rows = 128 / bits;
    } else {
        g->cell_rows = layout == PTO_LAYOUT_M16 ? 16 : 32;
        g->cell_cols = 1024 / bits / g->cell_rows;
    }
    /* CUBE_M32 repeats in blocks of 32 rows, for matrix scales (delta 6.3). */
    if (layout != PTO_LAYOUT_M16) {
        g->rows = align_extent(vrows, g->cell_rows);
    } else {
        g->rows = vrows <= g->cell_rows ? g->cell_rows : 0;
    }
    g->cols = align_extent(vcols, g->cell_cols);
    if (!g->rows || !g->cols) {
        return false;
    }
    if (layout == PTO_LAYOUT_N8) {
        g->k_repeat = g->rows / g->cell_rows;
        g->n_repeat = g->cols / 8;
    } else {
        g->k_repeat = g->cols / g->cell_cols;
        g->n_repeat = g->rows / g->cell_rows;
    }
    if ((uint64_t)g->k_repeat * g->n_repeat > PTO_SHARED_MAX_BYTES /
                                              PTO_CELL_BYTES) {
        return false;
    }
    g->cells = g->k_repeat * g->n_repeat;
    g->bytes = g->cells * PTO_CELL_BYTES;
    return true;
}

static void configure_common(PtoTile *t, uint32_t capacity, uint32_t vrows,
                             uint32_t vcols, unsigned mask)
{
    memset(t, 0, sizeof(*t));
    t->allocated = true;
    t->capacity = capacity;
    t->vrows = vrows;
    t->vcols = vcols;
    t->mask = mask;
}

void pto_tile_configure(PtoTile *t, uint32_t capacity, uint32_t cols,
                        uint32_t vrows, uint32_t vcols, PtoDataType type,
                        PtoLayout layout, PtoLocation loc, unsigned mask)
{
    configure_common(t, capacity, vrows, vcols, mask);
    t->type = type;
    t->layout = layout;
    t->location = loc;
    t->rows = pto_derived_rows(capacity, cols, type);
    t->cols = cols;
}

bool pto_tile_configure_cube(PtoTile *t, uint32_t capacity, uint32_t vrows,
                             uint32_t vcols, PtoDataType type, PtoLayout layout,
                             unsigned mask)
{
    PtoCubeGeom g;

    if (!pto_cube_geometry(layout, vrows, vcols, type, &g) ||
        g.bytes > capacity) {
        return false;
    }
    configure_common(t, capacity, vrows, vcols, mask);
    t->type = type;
    t->layout = layout;
    t->location = PTO_LOC_MATRIX;
    t->rows = g.rows;
    t->cols = g.cols;
    t->k_repeat = g.k_repeat;
    t->n_repeat = g.n_repeat;
    t->cells = g.cells;
    return true;
}

void pto_tile_configure_predicate(PtoTile *t, uint32_t capacity, uint32_t rows,
                                  uint32_t cols, uint32_t vrows,
                                  uint32_t vcols, unsigned mask)
{
    configure_common(t, capacity, vrows, vcols, mask);
    t->storage = PTO_STORE_PREDICATE;
    t->type = PTO_U8;
    t->rows = rows;
    t->cols = cols;
}

/* 16 x 32-byte fractals: ZN keeps rows innermost, NZ columns. */
static uint32_t fractal_index(const PtoTile *t, uint32_t row, uint32_t col)
{
    uint32_t inner = 256 / pto_type_bits(t->type);
    uint32_t brow = row / 16, bcol = col / inner;
    uint32_t irow = row % 16, icol = col % inner;
    uint32_t block = 16 * inner;

    if (t->layout == PTO_LAYOUT_ZN) {
        return (brow * (t->cols / inner) + bcol) * block + icol * 16 + irow;
    }
    return (bcol * (t->rows / 16) + brow) * block + irow * inner + icol;
}

static uint32_t cube_index(const PtoTile *t, uint32_t row, uint32_t col)
{
    unsigned bits = pto_type_bits(t->type);
    uint32_t cell_elems = 1024 / bits;

    if (t->layout == PTO_LAYOUT_N8) {
        uint32_t cell_rows = 128 / bits;
        uint32_t cell = col / 8 * t->k_repeat + row / cell_rows;

        return cell * cell_elems + col % 8 * cell_rows + row % cell_rows;
    } else {
        uint32_t cell_rows = t->layout == PTO_LAYOUT_M16 ? 16 : 32;
        uint32_t cell_cols = cell_elems / cell_rows;
        uint32_t ic = col % cell_cols;

        /* 4-bit M16 CELLs exchange the middle groups of four columns. */
        if (t->layout == PTO_LAYOUT_M16 && bits == 4) {
            ic = (ic & 3) | (ic & 4) << 1 | (ic & 8) >> 1;
        }
        return (row / cell_rows * t->k_repeat + col / cell_cols) * cell_elems +
               row % cell_rows * cell_cols + ic;
    }
}

uint32_t pto_tile_index(const PtoTile *t, uint32_t row, uint32_t col)
{
    switch (t->layout) {
    case PTO_LAYOUT_ROW:
        return row * t->cols + col;
    case PTO_LAYOUT_COL:
        return col * t->rows + row;
    case PTO_LAYOUT_ZN:
    case PTO_LAYOUT_NZ:
        return fractal_index(t, row, col);
    default:
        return cube_index(t, row, col);
    }
}

uint64_t pto_tile_get_at(const PtoTile *t, uint32_t index)
{
    const uint8_t *p = pto_tile_data(t);
    unsigned bits = pto_type_bits(t->type);

    if (!p) {
        return 0;
    }
    if (t->storage == PTO_STORE_PREDICATE) {
        return p[index / 8] >> (index % 8) & 1;
    }
    if (bits == 4) {
        return p[index / 2] >> (index % 2 * 4) & 15;
    }
    return pto_ld_le(p + (size_t)index * (bits / 8), bits / 8);
}

void pto_tile_put_at(PtoTile *t, uint32_t index, uint64_t value)
{
    uint8_t *p = pto_tile_data(t);
    unsigned bits = pto_type_bits(t->type);

    if (t->storage == PTO_STORE_PREDICATE) {
        uint8_t bit = 1u << (index % 8);

        p[index / 8] = value & 1 ? p[index / 8] | bit : p[index / 8] & ~bit;
    } else if (bits == 4) {
        unsigned sh = index % 2 * 4;

        p[index / 2] = (p[index / 2] & ~(15u << sh)) | (value & 15) << sh;
    } else {
        pto_st_le(p + (size_t)index * (bits / 8), bits / 8, value);
    }
}

static bool layout_shape_legal(const PtoTile *t)
{
    if (t->layout == PTO_LAYOUT_ROW || t->layout == PTO_LAYOUT_COL) {
        return true;
    }
    return t->rows % 16 == 0 && t->cols % (256 / pto_type_bits(t->type)) == 0;
}

bool pto_tile_configured(const PtoTile *t)
{
    if (!t->allocated || t->capacity < PTO_CELL_BYTES ||
        t->capacity % PTO_CELL_BYTES) {
        return false;
    }
    if (t->storage == PTO_STORE_PREDICATE) {
        if (!t->rows || !t->cols ||
            ((uint32_t)t->rows * t->cols + 7) / 8 > t->capacity) {
            return false;
        }
    } else if (!t->rows ||
               t->rows != pto_derived_rows(t->capacity, t->cols, t->type)) {
        return false;
    }
    return t->vrows <= t->rows && t->vcols <= t->cols;
}

bool pto_tile_legal(const PtoTile *t)
{
    return pto_tile_configured(t) &&
           (t->storage == PTO_STORE_PREDICATE ||
            (!pto_layout_is_cube(t->layout) && layout_shape_legal(t)));
}

bool pto_tile_cube_legal(const PtoTile *t)
{
    PtoCubeGeom g;

    return t->allocated && t->storage == PTO_STORE_NUMERIC &&
           t->location == PTO_LOC_MATRIX &&
           pto_cube_geometry(t->layout, t->vrows, t->vcols, t->type, &g) &&
           g.bytes <= t->capacity && t->rows == g.rows && t->cols == g.cols &&
           t->k_repeat == g.k_repeat && t->cells == g.cells;
}

bool pto_tile_source_defined(const PtoTile *t)
{
    return pto_tile_legal(t) && t->contents_defined;
}

bool pto_tile_shape_match(const PtoTile *a, const PtoTile *b)
{
    return pto_tile_legal(a) && pto_tile_legal(b) && a->rows == b->rows &&
           a->cols == b->cols && a->vrows == b->vrows && a->vcols == b->vcols &&
           a->layout == b->layout;
}

bool pto_tile_match(const PtoTile *a, const PtoTile *b)
{
    return pto_tile_shape_match(a, b) && a->storage == b->storage &&
           a->type == b->type;
}
