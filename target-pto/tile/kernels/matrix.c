/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Matrix product: brings the operands into panels, once per operand, and runs
 * the whole-matrix kernels on them.
 */
#include "tile/port.h"
#include "tile/kernels/matrix.h"
#include "tile/kernels/matrix_tables.h"

#define CELL_ROWS_M32 32u

/* CELL extent of a CUBE layout (PTO-CUBE-CELL-STATE-001). */
static unsigned cell_rows(PtoLayout layout, unsigned bits)
{
    return layout == PTO_LAYOUT_M16 ? 16 :
           layout == PTO_LAYOUT_M32 ? 32 : 128 / bits;
}

static unsigned cell_cols(PtoLayout layout, unsigned bits)
{
    return layout == PTO_LAYOUT_M16 ? 64 / bits :
           layout == PTO_LAYOUT_M32 ? 32 / bits : 8;
}

static uint64_t view_index(const PtoMatView *v, uint32_t row, uint32_t col)
{
    unsigned bits = pto_type_bits(v->type);
    unsigned cr, cc;

    if (v->layout == PTO_LAYOUT_ROW) {
        return (uint64_t)row * v->stride + col;
    }
    cr = cell_rows(v->layout, bits);
    cc = cell_cols(v->layout, bits);
    if (v->layout == PTO_LAYOUT_N8) {
        uint64_t cell = (uint64_t)(col / cc) * v->stride + row / cr;

        return cell * cr * cc + (col % cc) * cr + row % cr;
    } else {
        uint64_t cell = (uint64_t)(row / cr) * v->stride + col / cc;
        unsigned inner = col % cc;

        if (v->layout == PTO_LAYOUT_M16 && bits == 4 &&
            inner >= 4 && inner < 12) {
            inner ^= 12;
        }
        return cell * cr * cc + (row % cr) * cc + inner;
    }
}

uint64_t pto_mat_view_get(const PtoMatView *v, uint32_t row, uint32_t col)
{
    unsigned bits = pto_type_bits(v->type);
    uint64_t index;

    row += v->row0;
    index = v->trans ? view_index(v, col, row) : view_index(v, row, col);
    if (bits == 4) {
        return v->data[index / 2] >> (index % 2 * 4) & 15;
    }
    return pto_ld_le(v->data + index * (bits / 8), bits / 8);
}

uint32_t pto_mat_scale_bits(PtoDataType type, uint32_t word, unsigned k)
{
    unsigned lane = k % 64, exponent;

    if ((word & 0xff) == 0xff) {
        return PTO_F32_CANONICAL_NAN;
    }
    if (type != PTO_HIF4X2) {
        return word & 0xff ? (word & 0xff) << 23 : 1u << 22;
    }
    exponent = 127 - 48 + ((word >> 2) & 63) +
               ((word >> (8 + lane / 8)) & 1) + ((word >> (16 + lane / 4)) & 1);
    return exponent << 23 | (word & 3) << 21;
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
        memcpy(dst, src, count * sizeof(*dst));
        if (!is_signed) {
            for (size_t i = 0; i < count; i++) {
                dst[i] ^= 0x8000;
            }
        }
        break;
    }
}

static uint32_t int_offset(PtoDataType type)
{
    return type == PTO_U16 ? 32768 : 0;
}

/* Decode row @row, elements [0, count), of a stored row-major matrix. */
static void decode_row(const PtoMatKernels *kern, const PtoMatView *v,
                       bool integer, void *dst, uint32_t row, uint32_t col0,
                       unsigned count)
{
    unsigned bits = pto_type_bits(v->type);
    uint64_t first = (uint64_t)row * v->stride + col0;

    if (bits == 4 && (first % 2 || count % 2)) {
        /* Not on byte boundaries: one element at a time through a byte. */
        for (unsigned i = 0; i < count; i++) {
            uint8_t nibble = v->data[(first + i) / 2] >> ((first + i) % 2 * 4);
            uint32_t pair[2];

            if (integer) {
                decode_int(kern, v->type, (uint16_t *)pair, &nibble, 2);
                memcpy((uint16_t *)dst + i, pair, sizeof(uint16_t));
            } else {
                decode_float(kern, v->type, pair, &nibble, 2);
                memcpy((uint32_t *)dst + i, pair, sizeof(uint32_t));
            }
        }
        return;
    }
    if (integer) {
        decode_int(kern, v->type, dst, v->data + first * bits / 8, count);
    } else {
        decode_float(kern, v->type, dst, v->data + first * bits / 8, count);
    }
}

/* ---- scratch --------------------------------------------------------------*/

/* All temporary arrays of one product, carved from one block. */
typedef struct Scratch {
    uint8_t *block;
    size_t used;
    uint8_t small[16384] __attribute__((aligned(64)));
} Scratch;

static size_t rounded(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

static void *scratch_take(Scratch *s, size_t bytes)
{
    void *p = s->block + s->used;

    s->used += rounded(bytes);
    return p;
}

/* ---- packing ------------------------------------------------------------- */

typedef struct Packer {
    const PtoMatProblem *p;
    const PtoMatKernels *kern;
    bool integer;
    unsigned unit;          /* K values per panel unit: 1, or 2 for integers */
    unsigned steps;
    Scratch *scratch;
    uint8_t *row_buf;       /* one decoded row of a Shared operand */
    uint32_t *a, *b, *c;    /* room, if needed */
} Packer;

static bool exact_storage(PtoDataType type)
{
    return type == PTO_FP32 || type == PTO_TF32 || type == PTO_HF32 ||
           type == PTO_S16;
}

/* Is the stored A already a panel? */
static bool a_in_place(const Packer *pk)
{
    const PtoMatProblem *p = pk->p;

    return p->a.layout == PTO_LAYOUT_M32 && p->lda == 32 && !p->sa.data &&
           exact_storage(p->a.type) && p->k % pk->unit == 0;
}

static bool b_in_place(const Packer *pk)
{
    return pk->p->b.layout == PTO_LAYOUT_N8 && !pk->p->sb.data &&
           exact_storage(pk->p->b.type);
}

static bool c_in_place(const Packer *pk)
{
    const PtoMatProblem *p = pk->p;

    return p->c.layout == PTO_LAYOUT_M32 && p->lda == 32 && !p->cscale.data &&
           pto_mat_columns_native();
}

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

static void pack_a_cube(const Packer *pk, uint32_t *dst)
{
    const PtoMatProblem *p = pk->p;
    unsigned bits = pto_type_bits(p->a.type);
    unsigned rows = cell_rows(p->a.layout, bits);
    unsigned cols = cell_cols(p->a.layout, bits);
    unsigned cells = (p->k + cols - 1) / cols, units = cols / pk->unit;
    bool swapped = p->a.layout == PTO_LAYOUT_M16 && bits == 4;
    uint32_t wide[256] __attribute__((aligned(64)));

    for (unsigned i = 0; i < cells; i++) {
        const uint8_t *src = p->a.data + (size_t)i * PTO_CELL_BYTES;
        uint32_t *cell = dst + (size_t)i * units * rows;

        if (pk->integer) {
            decode_int(pk->kern, p->a.type, (uint16_t *)wide, src, rows * cols);
        } else {
            decode_float(pk->kern, p->a.type, wide, src, rows * cols);
        }
        pk->kern->transpose_cell(cell, wide, rows, units);
        if (swapped) {
            unswap_columns(cell, rows, pk->unit);
        }
    }
}

static void pack_a_rows(const Packer *pk, uint32_t *dst)
{
    const PtoMatProblem *p = pk->p;

    memset(dst, 0, (size_t)pk->steps * p->lda * sizeof(*dst));
    for (unsigned r = 0; r < p->m; r++) {
        decode_row(pk->kern, &p->a, pk->integer, pk->row_buf, r + p->a.row0, 0,
                   p->k);
        if (pk->integer) {
            const uint16_t *row = (const uint16_t *)pk->row_buf;
            uint16_t *out = (uint16_t *)(dst + r);

            for (unsigned k = 0; k < p->k; k++) {
                out[(size_t)(k / 2) * p->lda * 2 + k % 2] = row[k];
            }
        } else {
            const uint32_t *row = (const uint32_t *)pk->row_buf;

            for (unsigned k = 0; k < p->k; k++) {
                dst[(size_t)k * p->lda + r] = row[k];
            }
        }
    }
}

/* Stored [K, M]: every stored row is one step. */
static void pack_a_transposed(const Packer *pk, uint32_t *dst)
{
    const PtoMatProblem *p = pk->p;

    memset(dst, 0, (size_t)pk->steps * p->lda * sizeof(*dst));
    for (unsigned k = 0; k < p->k; k++) {
        uint32_t *out = dst + (size_t)(k / pk->unit) * p->lda;

        if (pk->integer) {
            const uint16_t *row = (const uint16_t *)pk->row_buf;

            decode_row(pk->kern, &p->a, true, pk->row_buf, k, p->a.row0, p->m);
            for (unsigned r = 0; r < p->m; r++) {
                ((uint16_t *)(out + r))[k % 2] = row[r];
            }
        } else {
            decode_row(pk->kern, &p->a, false, out, k, p->a.row0, p->m);
        }
    }
}

static void clear_odd_step(const Packer *pk, uint32_t *a)
{
    if (pk->p->k % pk->unit) {
        uint32_t *last = a + (size_t)(pk->steps - 1) * pk->p->lda;

        for (unsigned r = 0; r < pk->p->lda; r++) {
            ((uint16_t *)(last + r))[1] = 0;
        }
    }
}

static bool scale_a(const Packer *pk, uint32_t *a)
{
    const PtoMatProblem *p = pk->p;
    unsigned group = pto_mat_group(p->a.type);
    unsigned run = p->a.type == PTO_HIF4X2 ? 4 : group;
    uint32_t words[32] = { 0 }, factor[32] = { 0 };
    bool overflow = false;

    for (unsigned k = 0; k < p->k; k += run) {
        for (unsigned r = 0; r < p->m; r++) {
            if (k % group == 0) {
                words[r] = pto_mat_view_get(&p->sa, r, k / group);
            }
            factor[r] = pto_mat_scale_bits(p->a.type, words[r], k);
        }
        for (unsigned i = k; i < MIN(k + run, p->k); i++) {
            overflow |= pk->kern->scale_each(a + (size_t)i * p->lda, factor,
                                             p->lda);
        }
    }
    return overflow;
}

static bool pack_a(const Packer *pk, PtoMatPanels *panels)
{
    const PtoMatProblem *p = pk->p;

    if (a_in_place(pk)) {
        panels->a = p->a.data;
        return true;
    }
    panels->a = pk->a;
    if (p->a.layout != PTO_LAYOUT_ROW) {
        pack_a_cube(pk, pk->a);
    } else if (p->a.trans) {
        pack_a_transposed(pk, pk->a);
    } else {
        pack_a_rows(pk, pk->a);
    }
    clear_odd_step(pk, pk->a);
    return !p->sa.data || !scale_a(pk, pk->a);
}

/* Units of B room and the cell form it will have. */
static size_t b_shape(const Packer *pk, PtoMatPanels *panels)
{
    const PtoMatProblem *p = pk->p;
    unsigned count = (p->n + PTO_PANEL_COLUMNS - 1) / PTO_PANEL_COLUMNS;

    if (p->b.layout == PTO_LAYOUT_N8) {
        panels->cr = cell_rows(PTO_LAYOUT_N8, pto_type_bits(p->b.type)) /
                     pk->unit;
        panels->panel = (size_t)p->b.stride * PTO_PANEL_COLUMNS * panels->cr;
    } else {
        panels->cr = p->b.trans ? pk->steps : 1;
        panels->panel = (size_t)pk->steps * PTO_PANEL_COLUMNS;
    }
    return count * panels->panel;
}

static void pack_b_rows(const Packer *pk, const PtoMatPanels *panels)
{
    const PtoMatProblem *p = pk->p;

    for (unsigned k = 0; k < p->k; k++) {
        uint32_t *step = pk->b + (size_t)(k / pk->unit) * PTO_PANEL_COLUMNS;

        decode_row(pk->kern, &p->b, pk->integer, pk->row_buf, k, 0, p->n);
        for (unsigned j = 0; j < p->n; j += PTO_PANEL_COLUMNS) {
            uint32_t *out = step + j / PTO_PANEL_COLUMNS * panels->panel;
            unsigned live = MIN(PTO_PANEL_COLUMNS, p->n - j);

            if (pk->integer) {
                for (unsigned i = 0; i < live; i++) {
                    ((uint16_t *)(out + i))[k % 2] =
                        ((uint16_t *)pk->row_buf)[j + i];
                }
            } else {
                memcpy(out, (uint32_t *)pk->row_buf + j, live * sizeof(*out));
            }
        }
    }
}

static void pack_b_transposed(const Packer *pk, const PtoMatPanels *panels)
{
    const PtoMatProblem *p = pk->p;

    for (unsigned j = 0; j < p->n; j++) {
        uint32_t *out = pk->b + j / PTO_PANEL_COLUMNS * panels->panel +
                        (size_t)(j % PTO_PANEL_COLUMNS) * panels->cr;

        decode_row(pk->kern, &p->b, pk->integer, out, j, 0, p->k);
    }
}

static bool scale_b(const Packer *pk, const PtoMatPanels *panels)
{
    const PtoMatProblem *p = pk->p;
    unsigned group = pto_mat_group(p->b.type);
    unsigned run = p->b.type == PTO_HIF4X2 ? 4 : MIN(panels->cr, group);
    bool overflow = false;

    for (unsigned j = 0; j < p->n; j++) {
        uint32_t *column = pk->b + j / PTO_PANEL_COLUMNS * panels->panel +
                           (size_t)(j % PTO_PANEL_COLUMNS) * panels->cr;
        uint32_t word = 0;

        for (unsigned k = 0; k < p->k; k += run) {
            uint32_t *v = column + (size_t)(k / panels->cr) *
                          PTO_PANEL_COLUMNS * panels->cr + k % panels->cr;

            if (k % group == 0) {
                word = p->sb_by_column ? pto_mat_view_get(&p->sb, j, k / group)
                                       : pto_mat_view_get(&p->sb, k / group, j);
            }
            overflow |= pk->kern->scale(v, MIN(run, p->k - k),
                pto_mat_scale_bits(p->b.type, word, k));
        }
    }
    return overflow;
}

static bool pack_b(const Packer *pk, PtoMatPanels *panels)
{
    const PtoMatProblem *p = pk->p;

    if (b_in_place(pk)) {
        panels->b = p->b.data;
        return true;
    }
    panels->b = pk->b;
    if (p->b.layout != PTO_LAYOUT_ROW) {
        size_t count = b_shape(pk, panels) * pk->unit;

        if (pk->integer) {
            decode_int(pk->kern, p->b.type, (uint16_t *)pk->b, p->b.data,
                       count);
        } else {
            decode_float(pk->kern, p->b.type, pk->b, p->b.data, count);
        }
    } else {
        memset(pk->b, 0, b_shape(pk, panels) * sizeof(*pk->b));
        if (p->b.trans) {
            pack_b_transposed(pk, panels);
        } else {
            pack_b_rows(pk, panels);
        }
    }
    return !p->sb.data || !scale_b(pk, panels);
}

/* ---- start values -------------------------------------------------------- */

/* C * 2^-shift with one rounding; a double holds every intermediate exactly. */
static uint32_t scale_c_value(uint32_t bits, unsigned shift, unsigned *flags)
{
    float in, out;
    double exact;
    uint32_t result;

    memcpy(&in, &bits, sizeof(in));
    if (in != in) {
        *flags |= bits & 0x400000 ? 0 : PTO_FLAG_NV;
        return PTO_F32_CANONICAL_NAN;
    }
    exact = (double)in;
    for (; shift > 0; shift--) {
        exact *= 0.5;
    }
    out = (float)exact;
    if ((double)out != exact) {
        /* Inexact only below the normal range; N02 judges after rounding. */
        float unbounded = (float)(exact * 0x1p64);

        *flags |= PTO_FLAG_NX;
        if ((unbounded < 0 ? -unbounded : unbounded) < 0x1p-62f) {
            *flags |= PTO_FLAG_UF;
        }
    }
    memcpy(&result, &out, sizeof(result));
    return result;
}

static unsigned scale_c(const PtoMatProblem *p, uint32_t *c)
{
    unsigned flags = 0;

    for (unsigned r = 0; r < p->m; r++) {
        unsigned shift = pto_mat_view_get(&p->cscale, r, 0);

        for (unsigned j = 0; shift && j < p->n; j++) {
            uint32_t *v = c + (size_t)j * p->lda + r;

            *v = scale_c_value(*v, shift, &flags);
        }
    }
    return flags;
}

/* C as columns of lda lanes, scaled. */
static unsigned pack_c(const PtoMatProblem *p, const PtoMatKernels *kern,
                       uint32_t *c)
{
    unsigned rows = cell_rows(p->c.layout, 32);
    unsigned cols = cell_cols(p->c.layout, 32);
    uint32_t cell[32], columns[32];

    for (unsigned j = 0; j < p->n; j += cols) {
        const uint8_t *src = p->c.data + (size_t)(j / cols) * PTO_CELL_BYTES;
        unsigned live = MIN(cols, p->n - j);

        for (unsigned i = 0; i < 32; i++) {
            cell[i] = pto_ld_le(src + 4 * i, 4);
        }
        kern->transpose_cell(columns, cell, rows, cols);
        memcpy(c + (size_t)j * rows, columns, live * rows * sizeof(*c));
    }
    return p->cscale.data ? scale_c(p, c) : 0;
}

/*
 * With a = a' + oa and b = b' + ob the kernels sum a' * b'; the rest of the
 * product is oa * sum(b') + ob * sum(a') + K * oa * ob.
 */
static void add_offsets(const Packer *pk, const PtoMatPanels *panels,
                        uint32_t *c, bool fresh)
{
    const PtoMatProblem *p = pk->p;
    uint32_t oa = int_offset(p->a.type), ob = int_offset(p->b.type);
    uint32_t sum_a[32] = { 0 };

    for (unsigned s = 0; s < pk->steps; s++) {
        const uint32_t *row = (const uint32_t *)panels->a + (size_t)s * p->lda;

        for (unsigned r = 0; r < p->lda; r++) {
            sum_a[r] += (int16_t)row[r] + (int16_t)(row[r] >> 16);
        }
    }
    for (unsigned j = 0; j < p->n; j++) {
        uint32_t sum_b = 0;

        for (unsigned k = 0; k < p->k; k++) {
            size_t unit = j / PTO_PANEL_COLUMNS * panels->panel +
                          (size_t)(k / 2 / panels->cr) * PTO_PANEL_COLUMNS *
                          panels->cr + (j % PTO_PANEL_COLUMNS) * panels->cr +
                          k / 2 % panels->cr;

            sum_b += ((const int16_t *)panels->b)[2 * unit + k % 2];
        }
        for (unsigned r = 0; r < p->lda; r++) {
            uint32_t *v = c + (size_t)j * p->lda + r;

            *v = (fresh ? 0 : *v) + oa * sum_b + ob * sum_a[r] + p->k * oa * ob;
        }
    }
}

/* ---- entry --------------------------------------------------------------- */

static size_t scratch_needs(const Packer *pk, size_t b_units, size_t c_units)
{
    const PtoMatProblem *p = pk->p;
    size_t row = MAX(MAX(p->k, p->n), p->m) + 2;

    /* A is written in whole CELLs of at most 16 columns. */
    return rounded((pk->steps + 16) * p->lda * 4) + rounded(b_units * 4) +
           rounded(c_units * 4) + rounded(row * 4);
}

bool pto_mat_columns_native(void)
{
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}

void pto_mat_store_columns(uint8_t *dst, const uint32_t *d, unsigned lda,
                           unsigned n)
{
    unsigned cols = 32 / lda;

    if (!pto_mat_columns_native()) {
        for (size_t i = 0; i < (size_t)n * lda; i++) {
            size_t cell = i / 32, inner = i % 32;

            pto_st_le(dst + cell * PTO_CELL_BYTES +
                      (inner % lda * cols + inner / lda) * 4, 4, d[i]);
        }
        return;
    }
    for (unsigned j = 0; j < n; j += cols) {
        uint32_t last[32] = { 0 };
        const uint32_t *src = d + (size_t)j * lda;

        if (n - j < cols) {
            memcpy(last, src, lda * sizeof(*last));
            src = last;
        }
        pto_mat_kernels_best()->untranspose_cell(
            (uint32_t *)(dst + (size_t)(j / cols) * PTO_CELL_BYTES), src, lda,
            cols);
    }
}

static bool fast_possible(const PtoMatProblem *p)
{
    return p->path == PTO_MAT_FAST && !p->raw_carrier &&
           pto_mat_columns_native();
}

/* Returns false if an operand is out of reach of the kernels. */
static bool product_fast(Packer *pk, PtoMatPanels *panels, const uint32_t *c)
{
    const PtoMatProblem *p = pk->p;

    if (!pack_a(pk, panels) || !pack_b(pk, panels)) {
        return false;
    }
    panels->c = c;
    if (int_offset(p->a.type) || int_offset(p->b.type)) {
        if (c && c != pk->c) {
            memcpy(pk->c, c, (size_t)p->n * p->lda * sizeof(*c));
        }
        add_offsets(pk, panels, pk->c, !c);
        panels->c = pk->c;
    }
    if (pk->integer) {
        pk->kern->product_s16(panels);
    } else {
        pk->kern->product_f32(panels);
    }
    return true;
}

unsigned pto_mat_product(const PtoMatProblem *p)
{
    bool integer = pto_type_is_integer(p->acc);
    Scratch scratch;
    Packer pk = {
        .p = p,
        .kern = p->kernels ? p->kernels : pto_mat_kernels_best(),
        .integer = integer,
        .unit = integer ? 2 : 1,
        .steps = integer ? (p->k + 1) / 2 : p->k,
        .scratch = &scratch,
    };
    PtoMatPanels panels = {
        .m = p->m, .n = p->n, .steps = pk.steps, .lda = p->lda,
        .bias = (const uint32_t *)p->bias.data, .d = p->d,
    };
    bool fast = fast_possible(p);
    bool offsets = int_offset(p->a.type) || int_offset(p->b.type);
    size_t b_units = fast ? b_shape(&pk, &panels) : 0;
    size_t c_units = p->c.data || offsets ? (size_t)p->n * p->lda : 0;
    size_t bytes = scratch_needs(&pk, b_units, c_units);
    void *heap = bytes > sizeof(scratch.small) ? pto_alloc(bytes + 64) : NULL;
    const uint32_t *c = NULL;
    unsigned flags = 0;

    scratch.used = 0;
    scratch.block = heap ? (uint8_t *)rounded((uintptr_t)heap) : scratch.small;
    pk.a = scratch_take(&scratch, (pk.steps + 16) * p->lda * 4);
    pk.b = scratch_take(&scratch, b_units * 4);
    pk.c = scratch_take(&scratch, c_units * 4);
    pk.row_buf = scratch_take(&scratch, 0);
    if (p->c.data && c_in_place(&pk)) {
        c = (const uint32_t *)p->c.data;
    } else if (p->c.data) {
        flags = pack_c(p, pk.kern, pk.c);
        c = pk.c;
    }
    if (p->raw_carrier) {
        pto_mat_product_raw(p, c);
    } else if (!fast || !product_fast(&pk, &panels, c)) {
        pto_mat_product_reference(p, c);
    }
    pto_free(heap);
    return flags;
}
