/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Matrix product: brings the operands into panels (matrix_pack.c), once per
 * operand, and runs the whole-matrix kernels on them.
 */
#include "tile/port.h"
#include "tile/kernels/matrix_pack.h"

static uint64_t view_index(const PtoMatView *v, uint32_t row, uint32_t col)
{
    unsigned bits = pto_type_bits(v->type);
    unsigned cr, cc;

    if (v->layout == PTO_LAYOUT_ROW) {
        return (uint64_t)row * v->stride + col;
    }
    cr = pto_mat_cell_rows(v->layout, bits);
    cc = pto_mat_cell_cols(v->layout, bits);
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

/* ---- scratch --------------------------------------------------------------*/

/* All temporary arrays of one product, carved from one block. */
typedef struct Scratch {
    uint8_t *block;
    size_t used;
} Scratch;

static size_t rounded(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

static uint32_t *scratch_take(Scratch *s, size_t units)
{
    void *p = s->block + s->used;

    s->used += rounded(units * sizeof(uint32_t));
    return p;
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

/* C as columns of lda lanes, scaled; room for whole CELLs. */
static unsigned pack_c(const PtoMatProblem *p, const PtoMatKernels *kern,
                       uint32_t *c)
{
    unsigned cols = 32 / p->lda, cells = (p->n + cols - 1) / cols;

    if (pto_mat_columns_native()) {
        kern->transpose_cells(c, (const uint32_t *)p->c.data, p->lda, cols,
                              cells);
    } else {
        for (unsigned j = 0; j < p->n; j++) {
            for (unsigned r = 0; r < p->m; r++) {
                c[(size_t)j * p->lda + r] = pto_mat_view_get(&p->c, r, j);
            }
        }
    }
    return p->cscale.data ? scale_c(p, c) : 0;
}

/* ---- U16: offset operands ------------------------------------------------ */

static uint32_t int_offset(PtoDataType type)
{
    return type == PTO_U16 ? 32768 : 0;
}

static bool has_offsets(const PtoMatProblem *p)
{
    return int_offset(p->a.type) || int_offset(p->b.type);
}

/*
 * With a = a' + oa and b = b' + ob the kernels sum a' * b'; the rest of the
 * product is oa * sum(b') + ob * sum(a') + K * oa * ob. A product with a row of
 * ones gives the column sums.
 */
typedef struct Offsets {
    uint32_t sum_a[32];
    uint32_t *ones;         /* steps x 16 */
    uint32_t *sum_b;        /* n x 16, lane 0 counts */
    uint32_t *c;            /* start values */
} Offsets;

static void offsets_start(Offsets *o, const PtoMatPacker *pk,
                          const PtoMatPanels *panels)
{
    memset(o->sum_a, 0, sizeof(o->sum_a));
    for (unsigned s = 0; s < pk->steps; s++) {
        const uint32_t *row = (const uint32_t *)panels->a +
                              (size_t)s * panels->lda;

        for (unsigned r = 0; r < pk->p->m; r++) {
            o->sum_a[r] += (int16_t)row[r] + (int16_t)(row[r] >> 16);
        }
    }
    for (size_t i = 0; i < (size_t)pk->steps * 16; i++) {
        o->ones[i] = i / 16 * 2 + 1 < pk->p->k ? 0x00010001 : 1;
    }
}

/* Replace the start values of the columns of @panels. */
static void offsets_apply(const Offsets *o, const PtoMatPacker *pk,
                          PtoMatPanels *panels)
{
    const PtoMatProblem *p = pk->p;
    uint32_t oa = int_offset(p->a.type), ob = int_offset(p->b.type);
    PtoMatPanels sums = *panels;

    sums.m = 1;
    sums.a = o->ones;
    sums.lda = sums.ldd = 16;
    sums.c = sums.bias = NULL;
    sums.d = o->sum_b;
    pk->kern->product_s16(&sums);
    for (unsigned j = 0; j < panels->n; j++) {
        uint32_t column = oa * o->sum_b[j * 16] + p->k * oa * ob;

        for (unsigned r = 0; r < p->lda; r++) {
            o->c[j * p->lda + r] = (panels->c ? panels->c[j * p->lda + r] : 0) +
                                   column + ob * o->sum_a[r];
        }
    }
    panels->c = o->c;
}

/* ---- entry --------------------------------------------------------------- */

bool pto_mat_columns_native(void)
{
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}

void pto_mat_store_columns(uint8_t *dst, const uint32_t *d, unsigned lda,
                           unsigned n)
{
    unsigned cols = 32 / lda, cells = (n + cols - 1) / cols;

    if (pto_mat_columns_native()) {
        pto_mat_kernels_best()->untranspose_cells((uint32_t *)dst, d, lda, cols,
                                                  cells);
        return;
    }
    for (size_t i = 0; i < (size_t)n * lda; i++) {
        size_t cell = i / 32, inner = i % 32;

        pto_st_le(dst + cell * PTO_CELL_BYTES +
                  (inner % lda * cols + inner / lda) * 4, 4, d[i]);
    }
}

static bool fast_possible(const PtoMatProblem *p)
{
    return p->path == PTO_MAT_FAST && !p->raw_carrier &&
           pto_mat_columns_native();
}

/*
 * Run the kernels on @panels, which describe the whole C and D; false if an
 * operand is out of their reach. No copy of the record is made: reading it back
 * right after it was written costs a small product a tenth of its time.
 */
static bool product_fast(const PtoMatPacker *pk, PtoMatPanels *panels,
                         Offsets *offsets)
{
    const PtoMatProblem *p = pk->p;
    unsigned chunk = pto_mat_b_chunked(pk) ? PTO_MAT_CHUNK : p->n;
    const uint32_t *c = panels->c, *bias = panels->bias;
    uint32_t *d = panels->d;

    if (!pto_mat_pack_a(pk, panels)) {
        return false;
    }
    if (offsets) {
        offsets_start(offsets, pk, panels);
    }
    for (unsigned j = 0; j < p->n; j += chunk) {
        panels->n = MIN(chunk, p->n - j);
        panels->c = c ? c + (size_t)j * p->lda : NULL;
        panels->bias = bias ? bias + j : NULL;
        panels->d = d + (size_t)j * p->lda;
        if (!pto_mat_pack_b(pk, panels, j, panels->n)) {
            return false;
        }
        if (offsets) {
            offsets_apply(offsets, pk, panels);
        }
        if (pk->integer) {
            pk->kern->product_s16(panels);
        } else {
            pk->kern->product_f32(panels);
        }
    }
    return true;
}

static bool product_packed(const PtoMatProblem *p, const PtoMatKernels *kern,
                           const uint32_t *c)
{
    bool integer = pto_type_is_integer(p->acc);
    PtoMatPacker pk = {
        .p = p, .kern = kern, .integer = integer, .unit = integer ? 2 : 1,
        .steps = integer ? (p->k + 1) / 2 : p->k,
    };
    PtoMatPanels panels = {
        .m = p->m, .n = p->n, .steps = pk.steps, .ldd = p->lda, .c = c,
        .bias = (const uint32_t *)p->bias.data, .d = p->d,
    };
    PtoMatRoom room = pto_mat_room(&pk);
    bool shifted = has_offsets(p);
    size_t ones = shifted ? (size_t)pk.steps * 16 : 0;
    size_t sums = shifted ? (size_t)p->n * 16 : 0;
    size_t start = shifted ? (size_t)p->n * p->lda : 0;
    size_t bytes = rounded(room.a * 4) + rounded(room.b * 4) +
                   rounded(room.rows * 4) + rounded(room.words * 4) +
                   rounded(ones * 4) + rounded(sums * 4) + rounded(start * 4);
    uint8_t small[16384] __attribute__((aligned(64))) PTO_UNINITIALIZED;
    void *heap = bytes > sizeof(small) ? pto_alloc(bytes + 64) : NULL;
    Scratch scratch = {
        .block = heap ? (uint8_t *)rounded((uintptr_t)heap) : small,
    };
    Offsets offsets;
    bool done;

    pk.a = scratch_take(&scratch, room.a);
    pk.b = scratch_take(&scratch, room.b);
    pk.rows = scratch_take(&scratch, room.rows);
    pk.words = scratch_take(&scratch, room.words);
    offsets.ones = scratch_take(&scratch, ones);
    offsets.sum_b = scratch_take(&scratch, sums);
    offsets.c = scratch_take(&scratch, start);
    done = product_fast(&pk, &panels, shifted ? &offsets : NULL);
    if (heap) {
        pto_free(heap);
    }
    return done;
}

/* Is the stored C already column-major? */
static bool c_in_place(const PtoMatProblem *p)
{
    return p->c.layout == PTO_LAYOUT_M32 && p->lda == 32 && !p->cscale.data &&
           pto_mat_columns_native();
}

unsigned pto_mat_product(const PtoMatProblem *p)
{
    const PtoMatKernels *kern = p->kernels ? p->kernels
                                           : pto_mat_kernels_best();
    uint32_t *own_c = NULL;
    const uint32_t *c = NULL;
    unsigned flags = 0;

    if (p->c.data && c_in_place(p)) {
        c = (const uint32_t *)p->c.data;
    } else if (p->c.data) {
        own_c = pto_alloc((size_t)(p->n + 1) * p->lda * sizeof(*own_c));
        flags = pack_c(p, kern, own_c);
        c = own_c;
    }
    if (p->raw_carrier) {
        pto_mat_product_raw(p, c);
    } else if (!fast_possible(p) || !product_packed(p, kern, c)) {
        pto_mat_product_reference(p, c);
    }
    if (own_c) {
        pto_free(own_c);
    }
    return flags;
}
