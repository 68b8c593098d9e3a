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

/* Logical byte; a nibble outside the valid region reads as zero. */
static uint8_t read_byte(const PtoTile *t, uint32_t row, uint32_t b)
{
    uint8_t v = pto_tile_data(t)[byte_offset(t, row, b)];

    return pto_type_is_4bit(t->type) && 2 * b + 1 >= t->vcols ? v & 15 : v;
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

bool pto_cell_permute_source(const PtoPlan *plan, uint32_t row, uint32_t b,
                             const PtoTile **from, uint32_t *byte)
{
    uint32_t run = run_bytes(plan->src[0].tile);
    uint32_t i = pto_tile_get(plan->src[2].tile, row, b);

    *from = plan->src[i < run ? 0 : 1].tile;
    *byte = b / run * run + i % run;
    return i < 2 * run && byte_defined(*from, row, *byte);
}

void pto_kernel_permute(PtoPlan *plan)
{
    PtoTile *dst = &plan->dst[0].tile;
    uint32_t n = pto_cell_row_bytes(dst);

    pto_vec_begin(dst);
    for (uint32_t row = 0; row < dst->vrows; row++) {
        for (uint32_t b = 0; b < n; b++) {
            const PtoTile *from;
            uint32_t byte;

            pto_cell_permute_source(plan, row, b, &from, &byte);
            pto_tile_data(dst)[byte_offset(dst, row, b)] =
                read_byte(from, row, byte);
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
    bool zero = control >> 16 & 255;

    pto_vec_begin(dst);
    for (uint32_t row = 0; row < dst->vrows; row++) {
        for (uint32_t b = 0; b < n; b++) {
            int lane = shuffle_lane(control, row % lanes,
                                    pto_tile_get(ctl, row, b / 4));
            uint32_t from = row - row % lanes + lane;
            bool ok = lane >= 0 && from < dst->vrows;

            if (ok || !zero) {
                pto_tile_data(dst)[byte_offset(dst, row, b)] =
                    read_byte(src, ok ? from : row, b);
            }
        }
    }
    pto_vec_end(dst, PTO_PAD_NULL);
}

static uint32_t low_bytes(uint32_t v, unsigned n)
{
    return n >= 4 ? v : v & ((1u << (8 * n)) - 1);
}

void pto_kernel_pack(PtoPlan *plan)
{
    PtoTile *dst = &plan->dst[0].tile;
    unsigned n0 = plan->scalar0 & 255, n1 = plan->scalar0 >> 8 & 255;

    pto_vec_begin(dst);
    for (uint32_t row = 0; row < dst->vrows; row++) {
        for (uint32_t col = 0; col < dst->vcols; col++) {
            uint32_t lo = pto_tile_get(plan->src[0].tile, row, col);
            uint32_t hi = pto_tile_get(plan->src[1].tile, row, col);

            pto_tile_put(dst, row, col, low_bytes(lo, n0) |
                                        low_bytes(hi, n1) << (8 * n0));
        }
    }
    pto_vec_end(dst, PTO_PAD_NULL);
}

void pto_kernel_unpack(PtoPlan *plan)
{
    PtoTile *dst = &plan->dst[0].tile;
    unsigned offset = plan->scalar0 & 255, count = plan->scalar0 >> 8 & 255;

    pto_vec_begin(dst);
    for (uint32_t row = 0; row < dst->vrows; row++) {
        for (uint32_t col = 0; col < dst->vcols; col++) {
            uint32_t v = pto_tile_get(plan->src[0].tile, row, col);

            pto_tile_put(dst, row, col, low_bytes(v >> (8 * offset), count));
        }
    }
    pto_vec_end(dst, PTO_PAD_NULL);
}
