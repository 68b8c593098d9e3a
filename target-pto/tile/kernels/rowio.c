/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Row access to tiles of any layout, and whole-tile scans. */
#include "tile/port.h"
#include "tile/kernels/rowio.h"
#include "tile/kernels/rows.h"

void pto_strip_fill(void *strip, unsigned bytes, uint64_t v, size_t n)
{
    switch (bytes) {
    case 1:
        memset(strip, v, n);
        break;
    case 2:
        for (size_t i = 0; i < n; i++) {
            pto_strip_put(strip, 2, i, v);
        }
        break;
    case 4:
        for (size_t i = 0; i < n; i++) {
            pto_strip_put(strip, 4, i, v);
        }
        break;
    default:
        for (size_t i = 0; i < n; i++) {
            pto_strip_put(strip, 8, i, v);
        }
        break;
    }
}

void pto_row_open(PtoRowAccess *r, const PtoTile *tile, uint32_t cols)
{
    *r = (PtoRowAccess) {
        .kind = PTO_ROWS_DIRECT,
        .bytes = pto_strip_bytes(tile->type),
        .cols = cols,
        .tile = tile,
        .data = pto_tile_data(tile),
    };
    if (tile->layout != PTO_LAYOUT_ROW || pto_type_is_4bit(tile->type)) {
        r->kind = PTO_ROWS_BUFFER;
        r->buf = pto_alloc((size_t)cols * r->bytes);
    }
}

void pto_row_const(PtoRowAccess *r, PtoDataType type, uint64_t value)
{
    *r = (PtoRowAccess) {
        .kind = PTO_ROWS_CONST,
        .bytes = pto_strip_bytes(type),
        .buf = pto_alloc(PTO_STRIP_MAX * 8),
    };
    pto_row_set_const(r, value, PTO_STRIP_MAX);
}

void pto_row_set_const(PtoRowAccess *r, uint64_t value, uint32_t n)
{
    pto_strip_fill(r->buf, r->bytes, value, MIN(n, PTO_STRIP_MAX));
}

void pto_row_done(PtoRowAccess *r)
{
    pto_free(r->buf);
    r->buf = NULL;
}

/*
 * One row of a CUBE_M16 / CUBE_M32 tile of one row of CELLs is a run of bytes
 * in every CELL.
 */
static bool cell_runs(const PtoTile *t, uint32_t *run)
{
    if (pto_type_is_4bit(t->type)) {
        return false;
    }
    *run = t->layout == PTO_LAYOUT_M16 ? 8 : 4;
    return (t->layout == PTO_LAYOUT_M16 && t->rows == 16) ||
           (t->layout == PTO_LAYOUT_M32 && t->rows == 32);
}

static void gather_row(const PtoRowAccess *r, uint32_t row)
{
    const PtoTile *t = r->tile;
    uint32_t run;

    if (cell_runs(t, &run)) {
        const uint8_t *from = r->data + row * run;
        uint32_t bytes = r->cols * r->bytes;

        for (uint32_t at = 0; at < bytes; at += run, from += PTO_CELL_BYTES) {
            memcpy(r->buf + at, from, MIN(run, bytes - at));
        }
        return;
    }
    for (uint32_t col = 0; col < r->cols; col++) {
        pto_strip_put(r->buf, r->bytes, col, pto_tile_get(t, row, col));
    }
}

static void scatter_row(const PtoRowAccess *r, uint32_t row)
{
    const PtoTile *t = r->tile;
    uint32_t run;

    if (cell_runs(t, &run)) {
        uint8_t *to = r->data + row * run;
        uint32_t bytes = r->cols * r->bytes;

        for (uint32_t at = 0; at < bytes; at += run, to += PTO_CELL_BYTES) {
            memcpy(to, r->buf + at, MIN(run, bytes - at));
        }
        return;
    }
    for (uint32_t col = 0; col < r->cols; col++) {
        pto_tile_put((PtoTile *)t, row, col,
                     pto_strip_get(r->buf, r->bytes, col));
    }
}

const void *pto_row_read(PtoRowAccess *r, uint32_t row)
{
    if (r->first_row_only) {
        row = 0;
    }
    switch (r->kind) {
    case PTO_ROWS_DIRECT:
        return r->data + (size_t)row * r->tile->cols * r->bytes;
    case PTO_ROWS_BUFFER:
        gather_row(r, row);
        return r->buf;
    default:
        return r->buf;
    }
}

void *pto_row_write(PtoRowAccess *r, uint32_t row)
{
    return r->kind == PTO_ROWS_DIRECT
           ? r->data + (size_t)row * r->tile->cols * r->bytes : r->buf;
}

void pto_row_write_end(PtoRowAccess *r, uint32_t row)
{
    if (r->kind == PTO_ROWS_BUFFER) {
        scatter_row(r, row);
    }
}

/* Rows follow each other without a gap: the tile can be taken as one row. */
static bool dense(const PtoRowAccess *r)
{
    return !r || r->kind == PTO_ROWS_CONST ||
           (r->kind == PTO_ROWS_DIRECT && r->cols == r->tile->cols &&
            !r->first_row_only);
}

static const void *at(const PtoRowAccess *r, const void *row, size_t i)
{
    return r && r->kind != PTO_ROWS_CONST
           ? (const uint8_t *)row + i * r->bytes : row;
}

static bool is_const(const PtoRowAccess *r)
{
    return r && r->kind == PTO_ROWS_CONST;
}

uint32_t pto_row_apply(const PtoStripOp *k, PtoRowAccess *d, PtoRowAccess *a,
                       PtoRowAccess *b, PtoRowAccess *c, uint32_t rows)
{
    size_t n = d->cols, step;
    uint32_t flags = 0;

    if (dense(d) && dense(a) && dense(b) && dense(c)) {
        n *= rows;
        rows = 1;
    }
    step = is_const(b) || is_const(c) ? PTO_STRIP_MAX : MAX(n, 1);
    for (uint32_t row = 0; row < rows; row++) {
        uint8_t *dp = pto_row_write(d, row);
        const void *ap = a ? pto_row_read(a, row) : NULL;
        const void *bp = b ? pto_row_read(b, row) : NULL;
        const void *cp = c ? pto_row_read(c, row) : NULL;

        for (size_t i = 0; i < n; i += step) {
            flags |= k->run(k, dp + i * d->bytes, at(a, ap, i), at(b, bp, i),
                            at(c, cp, i), MIN(n - i, step));
        }
        pto_row_write_end(d, row);
    }
    return flags;
}

static bool no_padding(const PtoTile *t)
{
    return t->storage == PTO_STORE_NUMERIC && t->layout == PTO_LAYOUT_ROW &&
           t->vrows == t->rows && t->vcols == t->cols;
}

void pto_vec_begin(PtoTile *t)
{
    pto_tile_new_payload(t, !no_padding(t));
}

void pto_vec_end(PtoTile *t, PtoPad pad)
{
    if (pad == PTO_PAD_NULL) {
        pto_tile_define_valid(t);       /* undefined padding stays zero */
    } else if (no_padding(t)) {
        pto_tile_define_all(t);
    } else {
        pto_tile_pad(t, pad);
    }
}

bool pto_tile_encodings_valid(const PtoTile *t)
{
    switch (t->type) {
    case PTO_TF32:
    case PTO_HF32:
    case PTO_E3M2:
    case PTO_E2M3:
        break;
    default:
        return true;
    }
    for (uint32_t row = 0; row < t->vrows; row++) {
        if (t->layout == PTO_LAYOUT_ROW) {
            const uint8_t *data = pto_tile_data(t);

            data += (size_t)row * t->cols * pto_strip_bytes(t->type);
            if (!pto_row_encodings_valid(t->type, data, t->vcols)) {
                return false;
            }
            continue;
        }
        for (uint32_t col = 0; col < t->vcols; col++) {
            if (!pto_encoding_valid(t->type, pto_tile_get(t, row, col))) {
                return false;
            }
        }
    }
    return true;
}

static bool row_nonzero(const uint8_t *row, unsigned bytes, uint32_t n)
{
    bool zero = false;

    switch (bytes) {
    case 1:
        return !memchr(row, 0, n);
    case 2:
        for (uint32_t i = 0; i < n; i++) {
            zero |= !((const uint16_t *)row)[i];
        }
        break;
    case 4:
        for (uint32_t i = 0; i < n; i++) {
            zero |= !((const uint32_t *)row)[i];
        }
        break;
    default:
        for (uint32_t i = 0; i < n; i++) {
            zero |= !((const uint64_t *)row)[i];
        }
        break;
    }
    return !zero;
}

bool pto_tile_nonzero(const PtoTile *t)
{
    PtoRowAccess r;
    bool ok = true;

    if (!pto_tile_data(t)) {
        return false;
    }
    pto_row_open(&r, t, t->vcols);
    for (uint32_t row = 0; row < t->vrows && ok; row++) {
        ok = row_nonzero(pto_row_read(&r, row), r.bytes, t->vcols);
    }
    pto_row_done(&r);
    return ok;
}
