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

/* Elements per run that is contiguous both in a memory row and in storage. */
static uint32_t run_length(const PtoTile *t)
{
    switch (t->layout) {
    case PTO_LAYOUT_ROW:
        return t->cols;
    case PTO_LAYOUT_NZ:
        return 256 / pto_type_bits(t->type);
    default:
        return 1;
    }
}

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

/* Contiguous runs of a row; returns the columns done. */
static uint32_t row_runs(PtoTile *t, uint32_t row, uint8_t *mem, bool store)
{
    unsigned bits = pto_type_bits(t->type);
    uint32_t run = run_length(t), c = 0;

    if (run * bits < 16 || (bits == 4 && run % 2)) {
        return 0;
    }
    while (c < t->vcols) {
        uint32_t n = MIN(run, t->vcols - c);
        uint8_t *p = t->buf->data + (size_t)pto_tile_index(t, row, c) * bits / 8;
        uint8_t *m = mem + (size_t)c * bits / 8;

        n -= n * bits % 8 != 0;             /* an odd last nibble is left over */
        memcpy(store ? m : p, store ? p : m, (size_t)n * bits / 8);
        c += n;
        if (n < run) {
            break;
        }
    }
    return c;
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
    uint8_t *p = t->buf->data + row * bytes;

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

/* Move the valid part of row @row between storage and @mem (one memory row). */
static void move_row(PtoTile *t, uint32_t row, uint8_t *mem, bool store)
{
    unsigned bits = pto_type_bits(t->type);
    uint32_t done;

    if (t->layout == PTO_LAYOUT_M16 || t->layout == PTO_LAYOUT_M32) {
        done = row_cells_m(t, row, mem, store);
    } else if (t->layout == PTO_LAYOUT_N8) {
        done = bits == 8 ? row_cells_n8_1(t, row, mem, store)
               : bits == 16 ? row_cells_n8_2(t, row, mem, store)
               : bits == 32 ? row_cells_n8_4(t, row, mem, store) : 0;
    } else {
        done = row_runs(t, row, mem, store);
    }
    row_elements(t, row, done, t->vcols, mem, store);
}

static void rect_move(PtoTileCtx *ctx, const PtoRect *r, PtoTile *t, bool store)
{
    uint64_t row = pto_row_bytes(r->cols, r->type), span = rect_span(r);
    uint8_t *host = span ? ctx->access->host(ctx->opaque, r->base, span, store)
                         : NULL;
    uint8_t *bounce = NULL;

    for (uint32_t i = 0; i < r->rows; i++) {
        uint64_t addr = r->base + i * r->stride;
        uint8_t *p = host ? host + i * r->stride
                          : ctx->access->host(ctx->opaque, addr, row, store);

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
