/* SPDX-License-Identifier: GPL-2.0-or-later */
/* TCI, TTRI and THISTOGRAM. */
#include "tile/port.h"
#include "tile/kernels/rowio.h"
#include "tile/kernels/vec.h"

void pto_kernel_ci(PtoPlan *plan)
{
    PtoTile *dst = &plan->dst[0].tile;
    uint64_t step = plan->flag0 ? UINT64_MAX : 1, value = plan->scalar0;
    PtoRowAccess d;
    void *row;

    pto_vec_begin(dst);
    pto_row_open(&d, dst, dst->vcols);
    row = pto_row_write(&d, 0);
    if (d.bytes == 2) {
        for (uint32_t i = 0; i < dst->vcols; i++) {
            pto_strip_put(row, 2, i, value + step * i);
        }
    } else {
        for (uint32_t i = 0; i < dst->vcols; i++) {
            pto_strip_put(row, 4, i, value + step * i);
        }
    }
    pto_row_write_end(&d, 0);
    pto_row_done(&d);
    pto_vec_end(dst, PTO_PAD_NULL);
}

void pto_kernel_tri(PtoPlan *plan)
{
    PtoTile *dst = &plan->dst[0].tile;
    const PtoFormat *f = pto_format(dst->type);
    uint64_t one = pto_type_is_integer(dst->type) ? 1
                   : (uint64_t)f->bias << f->frac_bits;
    int64_t n = dst->vcols;
    PtoRowAccess d;

    pto_vec_begin(dst);
    pto_row_open(&d, dst, dst->vcols);
    for (uint32_t r = 0; r < dst->vrows; r++) {
        uint8_t *row = pto_row_write(&d, r);
        int64_t edge = (int64_t)r + (int64_t)plan->diagonal;
        /* upper: ones from column edge on; lower: ones up to column edge */
        int64_t split = plan->flag0 ? edge : edge + 1;

        split = MIN(MAX(split, 0), n);
        pto_strip_fill(row, d.bytes, plan->flag0 ? 0 : one, split);
        pto_strip_fill(row + split * d.bytes, d.bytes, plan->flag0 ? one : 0,
                     n - split);
        pto_row_write_end(&d, r);
    }
    pto_row_done(&d);
    pto_vec_end(dst, PTO_PAD_NULL);
}

/*
 * Bytes above the counted one must equal the filter: U16 compares with the
 * filter of the row, U32 with filter rows 0, 1, 2 from the top byte down.
 * Returns the mask and the value an element must have under it.
 */
static uint32_t filter_of(const PtoPlan *plan, uint32_t row, uint32_t *value)
{
    const PtoTile *src = plan->src[0].tile, *filter = plan->src[1].tile;
    uint32_t mask = 0;

    *value = 0;
    if (src->type == PTO_U16) {
        if (plan->byte_id == 0) {
            *value = (uint32_t)pto_tile_get(filter, row, 0) << 8;
            mask = 0xff00;
        }
        return mask;
    }
    for (int byte = 3; byte > plan->byte_id; byte--) {
        *value |= (uint32_t)pto_tile_get(filter, 3 - byte, 0) << (byte * 8);
        mask |= 0xffu << (byte * 8);
    }
    return mask;
}

void pto_kernel_histogram(PtoPlan *plan)
{
    PtoTile *dst = &plan->dst[0].tile;
    const PtoTile *src = plan->src[0].tile;
    unsigned shift = plan->byte_id * 8;
    PtoRowAccess s, d;

    pto_vec_begin(dst);
    pto_row_open(&s, src, src->vcols);
    pto_row_open(&d, dst, dst->vcols);
    for (uint32_t r = 0; r < src->vrows; r++) {
        const void *sp = pto_row_read(&s, r);
        uint32_t *dp = pto_row_write(&d, r);
        uint32_t counts[256] = { 0 }, sum = 0, want;
        uint32_t mask = filter_of(plan, r, &want);

        for (uint32_t i = 0; i < src->vcols; i++) {
            uint32_t v = pto_strip_get(sp, s.bytes, i);

            counts[v >> shift & 255] += (v & mask) == want;
        }
        for (unsigned bin = 0; bin < 256; bin++) {
            sum += counts[bin];
            dp[bin] = sum;
        }
        pto_row_write_end(&d, r);
    }
    pto_row_done(&d);
    pto_row_done(&s);
    pto_vec_end(dst, PTO_PAD_NULL);
}
