/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rectangles of guest memory: probing and copies between memory rows and the
 * storage order of a tile.
 */
#include "tile/plan.h"

/* Rows closer together than this are reached through one host pointer. */
#define PTO_SPAN_MAX (1u << 22)

uint64_t pto_row_bytes(uint32_t cols, PtoDataType type)
{
    unsigned bits = pto_type_bits(type);

    return bits == 4 ? (cols + 1) / 2 : (uint64_t)cols * (bits / 8);
}

static unsigned access_bytes(PtoDataType type)
{
    unsigned bits = pto_type_bits(type);

    return bits == 4 ? 1 : bits / 8;
}

/* Span of all rows when the stride is forward and dense enough, else 0. */
static uint64_t rect_span(const PtoRect *r)
{
    uint64_t row = pto_row_bytes(r->cols, r->type);

    if (r->rows > 1 && (r->stride < row || r->stride > 4 * row + 256)) {
        return 0;
    }
    if (r->rows > 1 && r->stride * (r->rows - 1) + row > PTO_SPAN_MAX) {
        return 0;
    }
    return r->stride * (r->rows - 1) * (r->rows > 1) + row;
}

PtoFaultInfo pto_memory_fault(PtoFault code, uint64_t addr)
{
    return pto_reject_at(code == PTO_FAULT_DATA_ALIGNMENT
                         ? PTO_RULE_MEM_ALIGNMENT : PTO_RULE_MEM_PAGE, addr);
}

/* First fault of one row, element by element. */
static PtoFaultInfo probe_row_elements(PtoTileCtx *ctx, const PtoRect *r,
                                       uint64_t row_base, bool write)
{
    unsigned n = access_bytes(r->type);
    uint64_t steps = pto_row_bytes(r->cols, r->type) / n;

    for (uint64_t i = 0; i < steps; i++) {
        uint64_t addr = row_base + i * n, where = addr;
        PtoFault code = ctx->access->probe(ctx->opaque, addr, n, write, n,
                                           &where);

        if (code) {
            return pto_memory_fault(code, addr);
        }
    }
    return PTO_OK;
}

PtoFaultInfo pto_rect_probe(PtoTileCtx *ctx, const PtoRect *r, bool write)
{
    unsigned n = access_bytes(r->type);
    uint64_t row = pto_row_bytes(r->cols, r->type);
    uint64_t span = rect_span(r), where = 0;

    if (!r->rows || !r->cols) {
        return PTO_OK;
    }
    if (span && r->stride % n == 0 &&
        !ctx->access->probe(ctx->opaque, r->base, span, write, n, &where)) {
        return PTO_OK;
    }
    for (uint32_t i = 0; i < r->rows; i++) {
        uint64_t base = r->base + i * r->stride;
        PtoFaultInfo f;

        if (!ctx->access->probe(ctx->opaque, base, row, write, n, &where)) {
            continue;
        }
        f = probe_row_elements(ctx, r, base, write);
        if (f.code) {
            return f;
        }
    }
    return PTO_OK;
}

/* --- rows in memory order <-> storage order --- */


static void row_elements(PtoTile *t, uint32_t row, uint32_t from, uint32_t to,
                         uint8_t *mem, bool store)
{
    unsigned bits = pto_type_bits(t->type);

    for (uint32_t c = from; c < to; c++) {
        uint32_t i = pto_tile_index(t, row, c);

        if (bits == 4) {
            unsigned sh = c % 2 * 4;

            if (store) {
                mem[c / 2] = (mem[c / 2] & ~(15u << sh)) |
                             pto_tile_get_at(t, i) << sh;
            } else {
                pto_tile_put_at(t, i, mem[c / 2] >> sh & 15);
            }
        } else if (store) {
            memcpy(mem + c * (bits / 8), t->buf->data + i * (bits / 8), bits / 8);
        } else {
            memcpy(t->buf->data + i * (bits / 8), mem + c * (bits / 8), bits / 8);
        }
    }
}

/* Row-major: the row itself. Returns the columns done, as all of these do. */
static uint32_t row_plain(PtoTile *t, uint32_t row, uint8_t *mem, bool store)
{
    unsigned bits = pto_type_bits(t->type);
    uint32_t n = t->vcols;
    uint8_t *p;

    if (t->cols * bits % 8) {
        return 0;
    }
    n -= n * bits % 8 != 0;                 /* an odd last nibble is left over */
    p = t->buf->data + (size_t)row * t->cols * bits / 8;
    memcpy(store ? mem : p, store ? p : mem, (size_t)n * bits / 8);
    return n;
}

/* NZ: runs of 32 bytes, one in each column of fractals. */
static uint32_t row_fractals(PtoTile *t, uint32_t row, uint8_t *mem, bool store)
{
    uint32_t inner = 256 / pto_type_bits(t->type), runs = t->vcols / inner;
    size_t next = (size_t)(t->rows / 16) * 512;
    uint8_t *p = t->buf->data + (size_t)row * 32;

    for (uint32_t i = 0; i < runs; i++, p += next, mem += 32) {
        memcpy(store ? mem : p, store ? p : mem, 32);
    }
    return runs * inner;
}

/*
 * Column-major and ZN: the elements of a row lie @step apart, from element
 * @first on.
 */
#define ROW_STRIDED(name, type)                                               \
    static uint32_t name(PtoTile *t, size_t first, size_t step, uint8_t *mem, \
                         bool store)                                          \
    {                                                                         \
        uint8_t *p = t->buf->data + first * sizeof(type);                     \
        size_t next = step * sizeof(type);                                    \
        uint32_t n = t->vcols;                                                \
                                                                              \
        for (uint32_t c = 0; store && c < n; c++) {                           \
            memcpy(mem + c * sizeof(type), p + c * next, sizeof(type));       \
        }                                                                     \
        for (uint32_t c = 0; !store && c < n; c++) {                          \
            memcpy(p + c * next, mem + c * sizeof(type), sizeof(type));       \
        }                                                                     \
        return n;                                                             \
    }

ROW_STRIDED(row_strided_1, uint8_t)
ROW_STRIDED(row_strided_2, uint16_t)
ROW_STRIDED(row_strided_4, uint32_t)
ROW_STRIDED(row_strided_8, uint64_t)

static void put_nibble(uint8_t *p, unsigned shift, unsigned value)
{
    *p = (*p & ~(15u << shift)) | (value & 15) << shift;
}

/* Nibbles @next bytes apart in storage, always in the half @high. */
static void move_nibbles(uint8_t *p, size_t next, bool high, uint32_t n,
                         uint8_t *mem, bool store)
{
    unsigned shift = high * 4;

    for (uint32_t c = 0; c < n; c++, p += next) {
        unsigned at = c % 2 * 4;

        if (store) {
            put_nibble(mem + c / 2, at, *p >> shift);
        } else {
            put_nibble(p, shift, mem[c / 2] >> at);
        }
    }
}

static uint32_t row_strided(PtoTile *t, uint32_t row, uint8_t *mem, bool store)
{
    bool zn = t->layout == PTO_LAYOUT_ZN;
    size_t step = zn ? 16 : t->rows;
    size_t first = zn ? (size_t)(row / 16) * t->cols * 16 + row % 16 : row;

    switch (pto_type_bits(t->type)) {
    case 8:
        return row_strided_1(t, first, step, mem, store);
    case 16:
        return row_strided_2(t, first, step, mem, store);
    case 32:
        return row_strided_4(t, first, step, mem, store);
    case 64:
        return row_strided_8(t, first, step, mem, store);
    default:
        if (step % 2) {
            return 0;
        }
        move_nibbles(t->buf->data + first / 2, step / 2, first % 2, t->vcols,
                     mem, store);
        return t->vcols;
    }
}

/* 4-bit CUBE_M16 rows of a CELL exchange their middle groups of four columns. */
static uint64_t swap_middle(uint64_t v)
{
    return (v & 0xffff00000000ffffull) | (v >> 16 & 0xffff0000u) |
           (v & 0xffff0000u) << 16;
}

/* CUBE_M16 and CUBE_M32: a row is 8 or 4 bytes of every CELL. */
static uint32_t row_cells_m(PtoTile *t, uint32_t row, uint8_t *mem, bool store)
{
    unsigned bits = pto_type_bits(t->type);
    unsigned bytes = t->layout == PTO_LAYOUT_M16 ? 8 : 4;
    uint32_t per_cell = bytes * 8 / bits, cells = t->vcols / per_cell;
    unsigned block = t->layout == PTO_LAYOUT_M16 ? 16 : 32;
    uint8_t *p = t->buf->data + row % block * bytes +
                 (size_t)(row / block) * t->k_repeat * PTO_CELL_BYTES;

    if (bytes == 4) {
        for (uint32_t i = 0; i < cells; i++) {
            memcpy(store ? mem + i * 4 : p + (size_t)i * PTO_CELL_BYTES,
                   store ? p + (size_t)i * PTO_CELL_BYTES : mem + i * 4, 4);
        }
        return cells * per_cell;
    }
    for (uint32_t i = 0; i < cells; i++) {
        uint8_t *q = p + (size_t)i * PTO_CELL_BYTES, *m = mem + i * 8;
        uint64_t v = pto_ld_le(store ? q : m, 8);

        pto_st_le(store ? m : q, 8, bits == 4 ? swap_middle(v) : v);
    }
    return cells * per_cell;
}

/* CUBE_N8: the eight columns of a CELL lie cell_rows elements apart. */
#define ROW_CELLS_N8(name, type)                                              \
    static uint32_t name(PtoTile *t, uint32_t row, uint8_t *mem, bool store)  \
    {                                                                         \
        const uint32_t cell_rows = 16 / sizeof(type);                         \
        const size_t next = (size_t)t->k_repeat * PTO_CELL_BYTES;             \
        uint8_t *p = t->buf->data +                                           \
                     (size_t)(row / cell_rows) * PTO_CELL_BYTES +             \
                     row % cell_rows * sizeof(type);                          \
        uint32_t c = 0;                                                       \
                                                                              \
        for (; c + 8 <= t->vcols; c += 8, p += next) {                        \
            uint8_t *m = mem + c * sizeof(type);                              \
                                                                              \
            for (unsigned i = 0; i < 8; i++) {                                \
                uint8_t *q = p + i * 16;                                      \
                                                                              \
                memcpy(store ? m + i * sizeof(type) : q,                      \
                       store ? q : m + i * sizeof(type), sizeof(type));       \
            }                                                                 \
        }                                                                     \
        return c;                                                             \
    }

ROW_CELLS_N8(row_cells_n8_1, uint8_t)
ROW_CELLS_N8(row_cells_n8_2, uint16_t)
ROW_CELLS_N8(row_cells_n8_4, uint32_t)

/* The same for nibbles: 32 rows in 16 bytes. */
static uint32_t row_cells_n8_nibbles(PtoTile *t, uint32_t row, uint8_t *mem,
                                     bool store)
{
    uint8_t *p = t->buf->data + (size_t)(row / 32) * PTO_CELL_BYTES +
                 row % 32 / 2;

    for (uint32_t c = 0; c < t->vcols; c += 8) {
        move_nibbles(p, 16, row % 2, MIN(8, t->vcols - c), mem + c / 2, store);
        p += (size_t)t->k_repeat * PTO_CELL_BYTES;
    }
    return t->vcols;
}

static uint32_t row_cells_n8(PtoTile *t, uint32_t row, uint8_t *mem, bool store)
{
    switch (pto_type_bits(t->type)) {
    case 4:
        return row_cells_n8_nibbles(t, row, mem, store);
    case 8:
        return row_cells_n8_1(t, row, mem, store);
    case 16:
        return row_cells_n8_2(t, row, mem, store);
    default:
        return row_cells_n8_4(t, row, mem, store);
    }
}

/* Move the valid part of row @row between storage and @mem (one memory row). */
static void move_row(PtoTile *t, uint32_t row, uint8_t *mem, bool store)
{
    static uint32_t (*const fast[PTO_LAYOUT_COUNT])(PtoTile *, uint32_t,
                                                    uint8_t *, bool) = {
        [PTO_LAYOUT_ROW] = row_plain, [PTO_LAYOUT_COL] = row_strided,
        [PTO_LAYOUT_ZN] = row_strided, [PTO_LAYOUT_NZ] = row_fractals,
        [PTO_LAYOUT_M16] = row_cells_m, [PTO_LAYOUT_M32] = row_cells_m,
        [PTO_LAYOUT_N8] = row_cells_n8,
    };
    uint32_t done = fast[t->layout](t, row, mem, store);

    row_elements(t, row, done, t->vcols, mem, store);
}

/*
 * An even and the next row of nibbles share their storage bytes, @next apart:
 * @n columns of both at once, two columns from each memory byte.
 */
static void move_nibble_pairs(uint8_t *p, size_t next, uint32_t n,
                              uint8_t *even, uint8_t *odd, bool store)
{
    for (uint32_t c = 0; c + 2 <= n; c += 2, p += 2 * next) {
        if (store) {
            even[c / 2] = (p[0] & 15) | (p[next] & 15) << 4;
            odd[c / 2] = p[0] >> 4 | (p[next] & 0xf0);
        } else {
            p[0] = (even[c / 2] & 15) | (odd[c / 2] & 15) << 4;
            p[next] = even[c / 2] >> 4 | (odd[c / 2] & 0xf0);
        }
    }
    if (n % 2) {
        move_nibbles(p, next, false, 1, even + n / 2, store);
        move_nibbles(p, next, true, 1, odd + n / 2, store);
    }
}

/* Rows @row (even) and @row + 1 of a packed tile; false: one at a time. */
static bool move_row_pair(PtoTile *t, uint32_t row, uint8_t *even, uint8_t *odd,
                          bool store)
{
    uint8_t *p = t->buf->data;

    switch (t->layout) {
    case PTO_LAYOUT_COL:
        p += row / 2;
        move_nibble_pairs(p, t->rows / 2, t->vcols, even, odd, store);
        return true;
    case PTO_LAYOUT_ZN:
        p += (size_t)(row / 16) * t->cols * 8 + row % 16 / 2;
        move_nibble_pairs(p, 8, t->vcols, even, odd, store);
        return true;
    case PTO_LAYOUT_N8:
        p += (size_t)(row / 32) * PTO_CELL_BYTES + row % 32 / 2;
        for (uint32_t c = 0; c < t->vcols; c += 8) {
            move_nibble_pairs(p, 16, MIN(8, t->vcols - c), even + c / 2,
                              odd + c / 2, store);
            p += (size_t)t->k_repeat * PTO_CELL_BYTES;
        }
        return true;
    default:
        return false;
    }
}

static void rect_move(PtoTileCtx *ctx, const PtoRect *r, PtoTile *t, bool store)
{
    uint64_t row = pto_row_bytes(r->cols, r->type), span = rect_span(r);
    uint8_t *host = span ? ctx->access->host(ctx->opaque, r->base, span, store)
                         : NULL;
    uint8_t *bounce = NULL;
    bool pairs = host && pto_type_is_4bit(r->type);     /* rows do not overlap */

    for (uint32_t i = 0; i < r->rows; i++) {
        uint64_t addr = r->base + i * r->stride;
        uint8_t *p = host ? host + i * r->stride
                          : ctx->access->host(ctx->opaque, addr, row, store);

        if (pairs && i % 2 == 0 && i + 1 < r->rows &&
            move_row_pair(t, i, p, p + r->stride, store)) {
            i++;
            continue;
        }
        if (p) {
            move_row(t, i, p, store);
            continue;
        }
        if (!bounce) {
            bounce = pto_alloc(row);
        }
        if (!store || pto_type_is_4bit(r->type)) {
            ctx->access->read(ctx->opaque, addr, bounce, row);
        }
        move_row(t, i, bounce, store);
        if (store) {
            ctx->access->write(ctx->opaque, addr, bounce, row);
        }
    }
    pto_free(bounce);
}

/* Whole rows lie back to back in both places: one copy. */
static bool rect_is_flat(const PtoRect *r, const PtoTile *t)
{
    uint64_t row = pto_row_bytes(r->cols, r->type);

    return t->layout == PTO_LAYOUT_ROW && t->vcols == t->cols &&
           (t->cols * pto_type_bits(t->type)) % 8 == 0 &&
           (r->stride == row || r->rows == 1);
}

void pto_rect_load(PtoTileCtx *ctx, const PtoRect *r, PtoTile *t)
{
    if (rect_is_flat(r, t)) {
        uint64_t span = rect_span(r);
        void *host = span ? ctx->access->host(ctx->opaque, r->base, span, false)
                          : NULL;

        if (host) {
            memcpy(t->buf->data, host, span);
            return;
        }
    }
    rect_move(ctx, r, t, false);
}

void pto_rect_store(PtoTileCtx *ctx, const PtoRect *r, const PtoTile *t)
{
    PtoTile view = *t;          /* same payload, only read */

    if (!t->buf) {
        pto_tile_new_payload(&view, true);
    }
    if (rect_is_flat(r, t)) {
        uint64_t span = rect_span(r);
        void *host = span ? ctx->access->host(ctx->opaque, r->base, span, true)
                          : NULL;

        if (host) {
            memcpy(host, view.buf->data, span);
            goto out;
        }
    }
    rect_move(ctx, r, &view, true);
out:
    if (!t->buf) {
        pto_buf_unref(view.buf);
    }
}
