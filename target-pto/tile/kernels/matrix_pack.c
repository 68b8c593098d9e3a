/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packing of matrix operands into panels: decoding of contiguous storage,
 * transposition of A, scale factors. Operands whose storage already is a panel
 * are used in place.
 */
#include "tile/port.h"
#include "tile/kernels/matrix_pack.h"
#include "tile/kernels/matrix_tables.h"

/* The build of QEMU asks for less; contraction would drop a rounding. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize ("O3", "fp-contract=off")
#endif

static unsigned round_up(unsigned v, unsigned to)
{
    return (v + to - 1) / to * to;
}

/* Element widths are powers of two; a division would show in small products. */
unsigned pto_mat_cell_rows(PtoLayout layout, unsigned bits)
{
    return layout == PTO_LAYOUT_M16 ? 16 :
           layout == PTO_LAYOUT_M32 ? 32 : 128u >> __builtin_ctz(bits);
}

unsigned pto_mat_cell_cols(PtoLayout layout, unsigned bits)
{
    return layout == PTO_LAYOUT_M16 ? 64u >> __builtin_ctz(bits) :
           layout == PTO_LAYOUT_M32 ? 32u >> __builtin_ctz(bits) : 8;
}

/* ---- decoding of contiguous storage -------------------------------------- */

static void decode_float(const PtoMatKernels *kern, PtoDataType type,
                         uint32_t *dst, const uint8_t *src, size_t count)
{
    switch (type) {
    case PTO_FP16:
        kern->widen_fp16(dst, (const uint16_t *)src, count);
        break;
    case PTO_BF16:
        kern->widen_bf16(dst, (const uint16_t *)src, count);
        break;
    case PTO_HIF8:
        kern->widen_byte(dst, src, count, table_hif8);
        break;
    case PTO_E4M3:
        kern->widen_byte(dst, src, count, table_e4m3);
        break;
    case PTO_E5M2:
        kern->widen_byte(dst, src, count, table_e5m2);
        break;
    case PTO_E3M2:
        kern->widen_byte(dst, src, count, table_e3m2);
        break;
    case PTO_E2M3:
        kern->widen_byte(dst, src, count, table_e2m3);
        break;
    case PTO_E2M1X2:
        kern->widen_nibble(dst, src, count / 2, table_e2m1);
        break;
    case PTO_E1M2X2:
    case PTO_HIF4X2:
        kern->widen_nibble(dst, src, count / 2, table_e1m2);
        break;
    default:
        memcpy(dst, src, count * sizeof(*dst));
        break;
    }
}

/* U16 becomes value - 32768, which the start values make up for. */
static void decode_int(const PtoMatKernels *kern, PtoDataType type,
                       uint16_t *dst, const uint8_t *src, size_t count)
{
    bool is_signed = pto_type_is_signed(type);

    switch (pto_type_bits(type)) {
    case 4:
        kern->extend_nibble(dst, src, count / 2, is_signed);
        break;
    case 8:
        kern->extend_byte(dst, src, count, is_signed);
        break;
    default:
        if (is_signed) {
            memcpy(dst, src, count * sizeof(*dst));
        } else {
            kern->flip_half(dst, (const uint16_t *)src, count);
        }
        break;
    }
}

static void decode(const PtoMatPacker *pk, PtoDataType type, void *dst,
                   const uint8_t *src, size_t count)
{
    if (pk->integer) {
        decode_int(pk->kern, type, dst, src, count);
    } else {
        decode_float(pk->kern, type, dst, src, count);
    }
}

/* Decode elements [col0, col0 + count) of stored row @row of a row-major tile. */
static void decode_row(const PtoMatPacker *pk, const PtoMatView *v, void *dst,
                       uint32_t row, uint32_t col0, unsigned count)
{
    unsigned bits = pto_type_bits(v->type);
    uint64_t first = (uint64_t)row * v->stride + col0;

    if (bits == 4 && (first % 2 || count % 2)) {
        /* Not on byte boundaries: one element at a time through a byte. */
        for (unsigned i = 0; i < count; i++) {
            uint8_t nibble[8] = {
                v->data[(first + i) / 2] >> ((first + i) % 2 * 4)
            };
            uint32_t pair[2];
            size_t size = pk->integer ? sizeof(uint16_t) : sizeof(uint32_t);

            decode(pk, v->type, pair, nibble, 2);
            memcpy((uint8_t *)dst + i * size, pair, size);
        }
        return;
    }
    decode(pk, v->type, dst, v->data + first * bits / 8, count);
}

/* Does storage hold panel units as they are? */
static bool exact_storage(PtoDataType type)
{
    return type == PTO_FP32 || type == PTO_TF32 || type == PTO_HF32 ||
           type == PTO_S16;
}

/* ---- scale factors ------------------------------------------------------- */

static unsigned group_count(const PtoMatPacker *pk, PtoDataType type)
{
    return (pk->p->k + pto_mat_group(type) - 1) / pto_mat_group(type);
}

/*
 * Products with a scale must be exact, which they are unless they leave the
 * range of FP32 at its upper end: the lower end has room for all significant
 * bits of these types. The limit keeps the largest finite value below 2^128.
 */
static unsigned factor_limit(PtoDataType type)
{
    return type == PTO_E5M2 ? 238 : type == PTO_E4M3 ? 245 : 251;
}

static bool factor_exact(PtoDataType type, uint32_t word)
{
    return word <= factor_limit(type) || word == 0xff;
}

/* K values that share one factor: HiF4 refines its groups down to four. */
static unsigned factor_run(PtoDataType type)
{
    return type == PTO_HIF4X2 ? 4 : 32;
}

/* Factors of one row or column. */
static unsigned factor_count(const PtoMatPacker *pk, PtoDataType type)
{
    return group_count(pk, type) * (type == PTO_HIF4X2 ? 16 : 1);
}

/*
 * Scale words of group @g of rows of A or columns of B [first, first + count),
 * which lie in one row block of 32.
 */
static void fetch_group(const PtoMatPacker *pk, bool right, unsigned first,
                        unsigned count, unsigned g, uint32_t *words)
{
    const PtoMatProblem *p = pk->p;
    const PtoMatView *v = right ? &p->sb : &p->sa;
    bool hif4 = (right ? p->b.type : p->a.type) == PTO_HIF4X2;
    bool by_row = !right || p->sb_by_column;

    if (v->layout == PTO_LAYOUT_M32 && by_row && pto_mat_columns_native()) {
        const uint8_t *src = v->data + first % 32 * 4 + PTO_CELL_BYTES *
            ((size_t)(first / 32) * v->stride + (hif4 ? g : g / 4));
        unsigned shift = hif4 ? 0 : g % 4 * 8;
        uint32_t keep = hif4 ? UINT32_MAX : 0xff;

        memcpy(words, src, count * sizeof(*words));
        for (unsigned i = 0; i < count; i++) {
            words[i] = words[i] >> shift & keep;
        }
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        words[i] = by_row ? pto_mat_view_get(v, first + i, g)
                          : pto_mat_view_get(v, g, first + i);
    }
}

/* Factors of one column of B in K order; false if one is not exact. */
static bool fetch_factors(const PtoMatPacker *pk, unsigned index,
                          uint32_t *factor)
{
    const PtoMatProblem *p = pk->p;
    PtoDataType type = p->b.type;
    unsigned groups = group_count(pk, type);
    bool hif4 = type == PTO_HIF4X2;
    /* HiF4 words wait at the end of the array they expand into. */
    uint32_t *words = hif4 ? factor + (size_t)15 * groups : factor;
    bool exact = true;

    for (unsigned g = 0; g < groups; g++) {
        fetch_group(pk, true, index, 1, g, words + g);
        exact = exact && (hif4 || factor_exact(type, words[g]));
    }
    if (hif4) {
        pk->kern->hif4_factors(factor, words, groups);
        return true;
    }
    for (unsigned g = 0; g < groups; g++) {
        factor[g] = pto_mat_e8m0_factor(words[g]);
    }
    return exact;
}

/* E8M0 words to factors; false if one is not exact. */
static bool e8m0_factors(PtoDataType type, uint32_t *words, unsigned count)
{
    uint32_t limit = factor_limit(type), inexact = 0;

    for (unsigned i = 0; i < count; i++) {
        uint32_t w = words[i];

        inexact |= (w > limit) & (w != 0xff);
        words[i] = pto_mat_e8m0_factor(w);
    }
    return !inexact;
}

/* Factors of A, one row of @lda for every run of K values. */
static bool scale_a(const PtoMatPacker *pk, uint32_t *a)
{
    const PtoMatProblem *p = pk->p;
    PtoDataType type = p->a.type;
    unsigned group = pto_mat_group(type), run = factor_run(type);
    uint32_t words[32] = { 0 }, factor[32] = { 0 };

    for (unsigned k = 0; k < p->k; k += run) {
        if (k % group == 0) {
            fetch_group(pk, false, 0, p->m, k / group, words);
            if (type != PTO_HIF4X2 && !e8m0_factors(type, words, p->m)) {
                return false;
            }
        }
        for (unsigned r = 0; r < p->lda; r++) {
            factor[r] = type == PTO_HIF4X2 ?
                        pto_mat_hif4_factor(words[r], k % 64) : words[r];
        }
        pk->kern->scale_lanes(a + (size_t)k * p->lda, factor, p->lda,
                              MIN(run, p->k - k));
    }
    return true;
}

/* ---- A ------------------------------------------------------------------- */

/* Cells of M16 4-bit storage keep columns 4..7 behind columns 8..11. */
static void unswap_columns(uint32_t *cell, unsigned lda, unsigned unit)
{
    unsigned half = 4 / unit * lda;

    for (unsigned i = 0; i < half; i++) {
        uint32_t t = cell[half + i];

        cell[half + i] = cell[2 * half + i];
        cell[2 * half + i] = t;
    }
}

/* Elements that are decoded at a time: 4 KiB of FP32. */
#define DECODE_ELEMENTS 1024u

static void pack_a_cube(const PtoMatPacker *pk)
{
    const PtoMatProblem *p = pk->p;
    unsigned bits = pto_type_bits(p->a.type);
    unsigned rows = pto_mat_cell_rows(p->a.layout, bits);
    unsigned cols = pto_mat_cell_cols(p->a.layout, bits);
    unsigned cells = (p->k + cols - 1) >> __builtin_ctz(cols);
    unsigned units = pk->integer ? cols / 2 : cols;
    unsigned batch = DECODE_ELEMENTS / (PTO_CELL_BYTES * 8) * bits;
    uint32_t wide[DECODE_ELEMENTS] __attribute__((aligned(64))) PTO_UNINITIALIZED;

    if (exact_storage(p->a.type)) {
        pk->kern->transpose_cells(pk->a, (const uint32_t *)p->a.data, rows,
                                  units, cells);
        return;
    }
    for (unsigned i = 0; i < cells; i += batch) {
        unsigned count = MIN(batch, cells - i);
        uint32_t *out = pk->a + (size_t)i * units * rows;

        decode(pk, p->a.type, wide,
               p->a.data + (size_t)i * PTO_CELL_BYTES, count * rows * cols);
        pk->kern->transpose_cells(out, wide, rows, units, count);
        if (p->a.layout == PTO_LAYOUT_M16 && bits == 4) {
            for (unsigned c = 0; c < count; c++) {
                unswap_columns(out + c * units * rows, rows, pk->unit);
            }
        }
    }
}

static void pack_a_rows(const PtoMatPacker *pk)
{
    const PtoMatProblem *p = pk->p;
    unsigned width = round_up(pk->steps, 16);

    for (unsigned r0 = 0; r0 < p->lda; r0 += 16) {
        memset(pk->rows, 0, (size_t)16 * width * sizeof(*pk->rows));
        for (unsigned r = r0; r < MIN(r0 + 16, p->m); r++) {
            decode_row(pk, &p->a, pk->rows + (size_t)(r - r0) * width,
                       r + p->a.row0, 0, p->k);
        }
        for (unsigned s = 0; s < width; s += 16) {
            pk->kern->transpose_block(pk->a + (size_t)s * p->lda + r0, p->lda,
                                      pk->rows + s, width);
        }
    }
}

/* Decoded rows @k and, for integers, @k + 1 as one step of @count units. */
static void decode_step(const PtoMatPacker *pk, const PtoMatView *v,
                        uint32_t *dst, unsigned k, unsigned col0,
                        unsigned count)
{
    uint16_t *lo = (uint16_t *)pk->rows;
    uint16_t *hi = lo + round_up(count, 32) + 32;

    if (!pk->integer) {
        decode_row(pk, v, dst, k, col0, count);
        return;
    }
    decode_row(pk, v, lo, k, col0, count);
    if (k + 1 < pk->p->k) {
        decode_row(pk, v, hi, k + 1, col0, count);
    } else {
        memset(hi, 0, count * sizeof(*hi));
    }
    pk->kern->interleave(dst, lo, hi, count);
}

/* Stored [K, M]: every stored row is one step. */
static void pack_a_transposed(const PtoMatPacker *pk)
{
    const PtoMatProblem *p = pk->p;

    memset(pk->a, 0, (size_t)pk->steps * p->lda * sizeof(*pk->a));
    for (unsigned s = 0; s < pk->steps; s++) {
        decode_step(pk, &p->a, pk->a + (size_t)s * p->lda, s * pk->unit,
                    p->a.row0, p->m);
    }
}

static void clear_odd_step(const PtoMatPacker *pk)
{
    if (pk->p->k % pk->unit) {
        uint32_t *last = pk->a + (size_t)(pk->steps - 1) * pk->p->lda;

        for (unsigned r = 0; r < pk->p->lda; r++) {
            last[r] &= 0xffff;
        }
    }
}

static bool a_in_place(const PtoMatPacker *pk, PtoMatPanels *panels)
{
    const PtoMatProblem *p = pk->p;

    if (p->sa.data || !exact_storage(p->a.type) || p->k % pk->unit) {
        return false;
    }
    panels->a = p->a.data;
    panels->lda = p->lda;
    if (p->a.layout == PTO_LAYOUT_M32) {
        return p->lda == 32;
    }
    if (p->a.layout == PTO_LAYOUT_ROW && p->a.trans && !pk->integer &&
        p->a.row0 + p->lda <= p->a.stride) {
        panels->a = (const uint32_t *)p->a.data + p->a.row0;
        panels->lda = p->a.stride;
        return true;
    }
    return false;
}

bool pto_mat_pack_a(const PtoMatPacker *pk, PtoMatPanels *panels)
{
    const PtoMatProblem *p = pk->p;

    if (a_in_place(pk, panels)) {
        return true;
    }
    panels->a = pk->a;
    panels->lda = p->lda;
    if (p->a.layout != PTO_LAYOUT_ROW) {
        pack_a_cube(pk);
    } else if (p->a.trans) {
        pack_a_transposed(pk);
    } else {
        pack_a_rows(pk);
    }
    clear_odd_step(pk);
    return !p->sa.data || scale_a(pk, pk->a);
}

/* ---- B ------------------------------------------------------------------- */

bool pto_mat_b_chunked(const PtoMatPacker *pk)
{
    const PtoMatProblem *p = pk->p;

    return p->b.layout == PTO_LAYOUT_N8 &&
           (p->sb.data || !exact_storage(p->b.type));
}

/*
 * E8M0 factors of one panel of CUBE_N8 storage; a CELL column of 16 or 32 K
 * values has one factor. @n of the eight columns exist.
 */
static bool scale_panel_e8m0(const PtoMatPacker *pk, uint32_t *v, unsigned cr,
                             unsigned j0, unsigned n)
{
    PtoDataType type = pk->p->b.type;
    unsigned groups = group_count(pk, type), cells = pk->p->b.stride;
    uint32_t factor[PTO_PANEL_COLUMNS] = { 0 };

    for (unsigned cell = 0; cell < cells; cell++) {
        /* Storage behind K has no factor of its own. */
        unsigned g = MIN(cell * cr / 32, groups - 1);

        if (cell * cr % 32 == 0) {
            fetch_group(pk, true, j0, n, g, factor);
            if (!e8m0_factors(type, factor, n)) {
                return false;
            }
        }
        pk->kern->scale_runs(v, factor, cr, PTO_PANEL_COLUMNS);
        v += PTO_PANEL_COLUMNS * cr;
    }
    return true;
}

/* The same for HiF4: a CELL column of 32 K values has half a scale word. */
static void scale_panel_hif4(const PtoMatPacker *pk, uint32_t *v, unsigned j0,
                             unsigned n)
{
    unsigned groups = group_count(pk, PTO_HIF4X2), cells = pk->p->b.stride;
    uint32_t words[PTO_PANEL_COLUMNS] = { 0 };
    uint32_t factor[PTO_PANEL_COLUMNS * 16];
    uint32_t half[PTO_PANEL_COLUMNS * 8];

    for (unsigned cell = 0; cell < cells; cell++) {
        if (cell % 2 == 0) {
            fetch_group(pk, true, j0, n, MIN(cell / 2, groups - 1), words);
            pk->kern->hif4_factors(factor, words, PTO_PANEL_COLUMNS);
        }
        for (unsigned i = 0; i < PTO_PANEL_COLUMNS; i++) {
            memcpy(half + i * 8, factor + i * 16 + cell % 2 * 8,
                   8 * sizeof(*half));
        }
        pk->kern->scale_runs(v, half, 4, PTO_PANEL_COLUMNS * 8);
        v += PTO_PANEL_COLUMNS * 32;
    }
}

/* Columns [j0, j0 + n) of CUBE_N8 storage. */
static bool scale_b_cells(const PtoMatPacker *pk, const PtoMatPanels *panels,
                          unsigned j0, unsigned n)
{
    for (unsigned j = 0; j < n; j += PTO_PANEL_COLUMNS) {
        uint32_t *v = pk->b + j / PTO_PANEL_COLUMNS * panels->panel;
        unsigned live = MIN(PTO_PANEL_COLUMNS, n - j);

        if (pk->p->b.type == PTO_HIF4X2) {
            scale_panel_hif4(pk, v, j0 + j, live);
        } else if (!scale_panel_e8m0(pk, v, panels->cr, j0 + j, live)) {
            return false;
        }
    }
    return true;
}

static bool pack_b_cube(const PtoMatPacker *pk, PtoMatPanels *panels,
                        unsigned j0, unsigned n)
{
    const PtoMatProblem *p = pk->p;
    unsigned bits = pto_type_bits(p->b.type);
    const uint8_t *src = p->b.data + (size_t)(j0 / PTO_PANEL_COLUMNS) *
                         p->b.stride * PTO_CELL_BYTES;

    panels->cr = pto_mat_cell_rows(PTO_LAYOUT_N8, bits);
    panels->cr = pk->integer ? panels->cr / 2 : panels->cr;
    panels->cell = (size_t)PTO_PANEL_COLUMNS * panels->cr;
    panels->panel = p->b.stride * panels->cell;
    if (!pto_mat_b_chunked(pk)) {
        panels->b = src;
        return true;
    }
    panels->b = pk->b;
    decode(pk, p->b.type, pk->b, src, round_up(n, PTO_PANEL_COLUMNS) /
           PTO_PANEL_COLUMNS * panels->panel * pk->unit);
    return !p->sb.data || scale_b_cells(pk, panels, j0, n);
}

/* Row-major B: a step is a row. */
static bool scale_b_rows(const PtoMatPacker *pk, const PtoMatPanels *panels)
{
    const PtoMatProblem *p = pk->p;
    unsigned run = factor_run(p->b.type), count = factor_count(pk, p->b.type);
    uint32_t *factor = pk->words + (size_t)p->n * count;

    for (unsigned j = 0; j < p->n; j++) {
        if (!fetch_factors(pk, j, pk->words + (size_t)j * count)) {
            return false;
        }
    }
    memset(factor, 0, panels->cell * sizeof(*factor));
    for (unsigned k = 0; k < p->k; k++) {
        uint32_t *v = pk->b + k * panels->cell;

        for (unsigned j = 0; k % run == 0 && j < p->n; j++) {
            factor[j] = pk->words[(size_t)j * count + k / run];
        }
        for (unsigned j = 0; j < panels->cell; j += 16) {
            pk->kern->scale_lanes(v + j, factor + j, 16, 1);
        }
    }
    return true;
}

static bool pack_b_rows(const PtoMatPacker *pk, PtoMatPanels *panels)
{
    const PtoMatProblem *p = pk->p;
    unsigned width = round_up(p->n, 16);

    panels->cr = 1;
    panels->panel = PTO_PANEL_COLUMNS;
    if (!pk->integer && exact_storage(p->b.type) &&
        p->b.stride % PTO_PANEL_COLUMNS == 0) {
        panels->b = p->b.data;
        panels->cell = p->b.stride;
        return true;
    }
    panels->b = pk->b;
    panels->cell = width;
    if (width != p->n) {
        memset(pk->b, 0, (size_t)pk->steps * width * sizeof(*pk->b));
    }
    for (unsigned s = 0; s < pk->steps; s++) {
        decode_step(pk, &p->b, pk->b + (size_t)s * width, s * pk->unit, 0,
                    p->n);
    }
    return !p->sb.data || scale_b_rows(pk, panels);
}

static bool scale_b_columns(const PtoMatPacker *pk, unsigned stride)
{
    const PtoMatProblem *p = pk->p;
    unsigned run = factor_run(p->b.type);
    unsigned whole = p->k / run, tail = p->k % run;

    for (unsigned j = 0; j < p->n; j++) {
        uint32_t *v = pk->b + (size_t)j * stride;

        if (!fetch_factors(pk, j, pk->words)) {
            return false;
        }
        pk->kern->scale_runs(v, pk->words, run, whole);
        if (tail) {
            pk->kern->scale_runs(v + whole * run, pk->words + whole, tail, 1);
        }
    }
    return true;
}

/* Stored [N, K]: every column is contiguous, one cell holds all of K. */
static bool pack_b_transposed(const PtoMatPacker *pk, PtoMatPanels *panels)
{
    const PtoMatProblem *p = pk->p;

    panels->cr = pk->steps;
    panels->cell = (size_t)PTO_PANEL_COLUMNS * pk->steps;
    panels->panel = panels->cell;
    if (exact_storage(p->b.type) && !p->sb.data && p->b.stride == p->k &&
        p->k % pk->unit == 0 && p->n % PTO_PANEL_COLUMNS == 0) {
        panels->b = p->b.data;
        return true;
    }
    panels->b = pk->b;
    memset(pk->b, 0, round_up(p->n, PTO_PANEL_COLUMNS) *
           (size_t)pk->steps * sizeof(*pk->b));
    for (unsigned j = 0; j < p->n; j++) {
        decode_row(pk, &p->b, pk->b + (size_t)j * pk->steps, j, 0, p->k);
    }
    return !p->sb.data || scale_b_columns(pk, pk->steps);
}

bool pto_mat_pack_b(const PtoMatPacker *pk, PtoMatPanels *panels, unsigned j0,
                    unsigned n)
{
    if (pk->p->b.layout == PTO_LAYOUT_N8) {
        return pack_b_cube(pk, panels, j0, n);
    }
    return pk->p->b.trans ? pack_b_transposed(pk, panels)
                          : pack_b_rows(pk, panels);
}

/* ---- room ---------------------------------------------------------------- */

PtoMatRoom pto_mat_room(const PtoMatPacker *pk)
{
    const PtoMatProblem *p = pk->p;
    bool rows = p->a.layout == PTO_LAYOUT_ROW || p->b.layout == PTO_LAYOUT_ROW;
    PtoMatRoom room = {
        /* A is written in whole CELLs or blocks of at most 16 columns. */
        .a = (size_t)(pk->steps + 16) * p->lda,
        .rows = rows ? MAX((size_t)16 * round_up(pk->steps, 16),
                           (size_t)p->n + p->m + 64) : 0,
    };

    if (pto_mat_b_chunked(pk)) {
        /* A decoded CELL column is at most 32 K values longer than K. */
        room.b = (size_t)PTO_MAT_CHUNK * (pk->steps + 32);
    } else if (p->b.layout == PTO_LAYOUT_ROW) {
        room.b = (size_t)pk->steps * round_up(p->n, 16);
    }
    if (p->sb.data && p->b.layout != PTO_LAYOUT_N8) {
        room.words = round_up(p->n, 16) * (factor_count(pk, p->b.type) + 1);
    }
    return room;
}
