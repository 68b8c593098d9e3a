/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TPERMUTE, TSHUF, TPACK, TUNPACK: byte and word movement inside the rows of
 * CUBE_M16 and CUBE_M32 tiles (ADR-0103).
 *
 * A row is a sequence of logical bytes; a 4-bit element pair shares one, even
 * column low.
 */
#include "tile/port.h"
#include "tile/kernels/rowio.h"
#include "tile/kernels/vec.h"

/* Bytes that one CELL contributes to a row. */
static uint32_t run_bytes(const PtoTile *t)
{
    return t->layout == PTO_LAYOUT_M16 ? 8 : 4;
}

/* First column of the elements in logical byte @b. */
static uint32_t byte_column(const PtoTile *t, uint32_t b)
{
    return b * 8 / pto_type_bits(t->type);
}

/* Payload offset of logical byte @b of a row. */
static uint32_t byte_offset(const PtoTile *t, uint32_t row, uint32_t b)
{
    unsigned bits = pto_type_bits(t->type);
    uint32_t index = pto_tile_index(t, row, byte_column(t, b));

    return bits == 4 ? index / 2 : index * (bits / 8) + b % (bits / 8);
}

/* One row: its runs lie at a constant distance, one in each CELL. */
typedef struct CellRow {
    uint8_t *at;
    uint32_t step;
} CellRow;

static CellRow cell_row(const PtoTile *t, uint32_t row)
{
    uint32_t first = byte_offset(t, row, 0), run = run_bytes(t);
    bool more = pto_cell_row_bytes(t) > run;

    return (CellRow) {
        .at = pto_tile_data(t) + first,
        .step = more ? byte_offset(t, row, run) - first : 0,
    };
}

/* Place of byte @b in its run: 4-bit M16 CELLs exchange the middle pairs. */
static uint32_t place(bool exchanged, uint32_t b)
{
    return exchanged ? (b & 1) | (b & 2) << 1 | (b & 4) >> 1 : b;
}

static bool is_exchanged(const PtoTile *t)
{
    return pto_type_is_4bit(t->type) && t->layout == PTO_LAYOUT_M16;
}

/* Byte whose high nibble is outside the valid region and reads as zero. */
static uint32_t half_byte(const PtoTile *t)
{
    return pto_type_is_4bit(t->type) && t->vcols % 2 ? t->vcols / 2
                                                     : UINT32_MAX;
}

/* Is the byte inside the valid region with all its valid elements defined? */
static bool byte_defined(const PtoTile *t, uint32_t row, uint32_t b)
{
    uint32_t col = byte_column(t, b);

    return col < t->vcols && pto_tile_elem_defined(t, row, col) &&
           (!pto_type_is_4bit(t->type) || col + 1 >= t->vcols ||
            pto_tile_elem_defined(t, row, col + 1));
}

uint32_t pto_cell_row_bytes(const PtoTile *t)
{
    return (t->vcols * pto_type_bits(t->type) + 7) / 8;
}

/* Source of byte @b; false: out of range or undefined. */
static bool permute_defined(const PtoPlan *plan, uint32_t row, uint32_t b,
                            uint32_t i, uint32_t run)
{
    return i < 2 * run && byte_defined(plan->src[i < run ? 0 : 1].tile, row,
                                       b / run * run + i % run);
}

static bool valid_is_defined(const PtoTile *t)
{
    return t->defined == PTO_DEF_VALID || t->defined == PTO_DEF_ALL;
}

bool pto_cell_permute_legal(const PtoPlan *plan)
{
    const PtoTile *t = plan->src[0].tile, *index = plan->src[2].tile;
    uint32_t run = run_bytes(t), n = pto_cell_row_bytes(t);
    bool whole = valid_is_defined(t) && valid_is_defined(plan->src[1].tile);

    for (uint32_t row = 0; row < t->vrows; row++) {
        CellRow x = cell_row(index, row);

        for (uint32_t b = 0; b < n; b += run, x.at += x.step) {
            uint32_t inside = MIN(run, n - b), bad = 0;

            for (uint32_t k = 0; k < inside; k++) {
                uint32_t i = x.at[k];

                bad |= i >= 2 * run || (i & (run - 1)) >= inside;
                bad |= !whole && !permute_defined(plan, row, b, i, run);
            }
            if (bad) {
                return false;
            }
        }
    }
    return true;
}

void pto_kernel_permute(PtoPlan *plan)
{
    PtoTile *dst = &plan->dst[0].tile;
    uint32_t n = pto_cell_row_bytes(dst), run = run_bytes(dst);
    uint32_t half = half_byte(plan->src[0].tile);
    bool exchanged = is_exchanged(dst);

    pto_vec_begin(dst);
    for (uint32_t row = 0; row < dst->vrows; row++) {
        CellRow d = cell_row(dst, row), x = cell_row(plan->src[2].tile, row);
        CellRow lo = cell_row(plan->src[0].tile, row);
        CellRow hi = cell_row(plan->src[1].tile, row);

        for (uint32_t b = 0; b < n; b += run) {
            for (uint32_t k = 0; k < MIN(run, n - b); k++) {
                uint32_t i = x.at[k], byte = i & (run - 1);
                uint8_t v = (i < run ? lo.at : hi.at)[place(exchanged, byte)];

                d.at[place(exchanged, k)] = b + byte == half ? v & 15 : v;
            }
            d.at += d.step;
            x.at += x.step;
            lo.at += lo.step;
            hi.at += hi.step;
        }
    }
    pto_vec_end(dst, PTO_PAD_NULL);
}

/*
 * Row whose word lane @lane takes, with control @ctl: mode in 7:0, log2 of the
 * segment width minus one in 15:8. -1: outside the segment.
 */
static int shuffle_lane(uint32_t ctl, uint32_t lane, uint32_t b)
{
    uint32_t width = 2u << (ctl >> 8 & 255);
    uint32_t base = lane & ~(width - 1), at = lane - base;

    b &= 31;
    switch (ctl & 255) {
    case 0:     /* UP */
        return b > at ? -1 : (int)(lane - b);
    case 1:     /* DOWN */
        return at + b >= width ? -1 : (int)(lane + b);
    case 2:     /* BFLY */
        return (at ^ b) >= width ? -1 : (int)(base + (at ^ b));
    default:    /* IDX */
        return base + b % width;
    }
}

void pto_kernel_shuffle(PtoPlan *plan)
{
    PtoTile *dst = &plan->dst[0].tile;
    const PtoTile *src = plan->src[0].tile, *ctl = plan->src[1].tile;
    uint32_t control = plan->scalar0, n = pto_cell_row_bytes(dst);
    uint32_t lanes = dst->layout == PTO_LAYOUT_M16 ? 16 : 32;
    uint32_t run = run_bytes(dst), half = half_byte(src);
    bool zero = control >> 16 & 255, exchanged = is_exchanged(dst);

    pto_vec_begin(dst);
    for (uint32_t row = 0; row < dst->vrows; row++) {
        CellRow d = cell_row(dst, row), s = cell_row(src, row);
        CellRow c = cell_row(ctl, row);
        uint32_t at = row % lanes;

        for (uint32_t b = 0; b < n; b += 4) {
            uint32_t in = b % run, skip = b / run;
            const uint8_t *c4 = c.at + (size_t)skip * c.step + in;
            const uint8_t *sp = s.at + (size_t)skip * s.step;
            uint8_t *dp = d.at + (size_t)skip * d.step;
            int lane = shuffle_lane(control, at, pto_ld_le(c4, 4));
            bool ok = lane >= 0 && row - at + lane < dst->vrows;

            if (!ok && zero) {
                continue;
            }
            /* A run of the next row follows in the same CELL. */
            sp += ok ? (lane - (int)at) * (int)run : 0;
            for (uint32_t k = 0; k < MIN(4, n - b); k++) {
                uint32_t to = place(exchanged, in + k);

                dp[to] = b + k == half ? sp[to] & 15 : sp[to];
            }
        }
    }
    pto_vec_end(dst, PTO_PAD_NULL);
}

static uint32_t low_bytes(uint32_t v, unsigned n)
{
    return n >= 4 ? v : v & ((1u << (8 * n)) - 1);
}

/* Word @col of a row of 32-bit elements. */
static uint8_t *word_at(const CellRow *r, uint32_t run, uint32_t col)
{
    return r->at + (size_t)(4 * col / run) * r->step + 4 * col % run;
}

void pto_kernel_pack(PtoPlan *plan)
{
    PtoTile *dst = &plan->dst[0].tile;
    unsigned n0 = plan->scalar0 & 255, n1 = plan->scalar0 >> 8 & 255;
    uint32_t run = run_bytes(dst);

    pto_vec_begin(dst);
    for (uint32_t row = 0; row < dst->vrows; row++) {
        CellRow d = cell_row(dst, row);
        CellRow s0 = cell_row(plan->src[0].tile, row);
        CellRow s1 = cell_row(plan->src[1].tile, row);

        for (uint32_t col = 0; col < dst->vcols; col++) {
            uint32_t lo = pto_ld_le(word_at(&s0, run, col), 4);
            uint32_t hi = pto_ld_le(word_at(&s1, run, col), 4);

            pto_st_le(word_at(&d, run, col), 4,
                      low_bytes(lo, n0) | low_bytes(hi, n1) << (8 * n0));
        }
    }
    pto_vec_end(dst, PTO_PAD_NULL);
}

void pto_kernel_unpack(PtoPlan *plan)
{
    PtoTile *dst = &plan->dst[0].tile;
    unsigned offset = plan->scalar0 & 255, count = plan->scalar0 >> 8 & 255;
    uint32_t run = run_bytes(dst);

    pto_vec_begin(dst);
    for (uint32_t row = 0; row < dst->vrows; row++) {
        CellRow d = cell_row(dst, row);
        CellRow s = cell_row(plan->src[0].tile, row);

        for (uint32_t col = 0; col < dst->vcols; col++) {
            uint32_t v = pto_ld_le(word_at(&s, run, col), 4);

            pto_st_le(word_at(&d, run, col), 4,
                      low_bytes(v >> (8 * offset), count));
        }
    }
    pto_vec_end(dst, PTO_PAD_NULL);
}
