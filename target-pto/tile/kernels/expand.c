/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Row and column expansion: combine each element with the broadcast element of
 * its row (a one-column tile) or of its column (a one-row tile).
 */
#include "tile/port.h"
#include "tile/kernels/rowio.h"
#include "tile/kernels/vec.h"

static PtoStripOp choose(const PtoPlan *plan)
{
    PtoDataType type = plan->dst[0].tile.type;
    bool raw = plan->profile->raw_carrier;

    if (plan->op->sub == PTO_SUB_EXP_EXPDIF) {
        return pto_strip_expdif(plan->src[0].tile->type, type, raw);
    }
    return pto_strip_binary(pto_vec_binary_of(plan->op->sub), type, raw);
}

static void copy_rows(PtoTile *dst, PtoRowAccess *d, PtoRowAccess *one)
{
    for (uint32_t row = 0; row < dst->vrows; row++) {
        memcpy(pto_row_write(d, row), pto_row_read(one, 0),
               (size_t)dst->vcols * d->bytes);
        pto_row_write_end(d, row);
    }
}

void pto_kernel_expand_col(PtoPlan *plan)
{
    PtoTile *dst = &plan->dst[0].tile;
    bool copy = plan->op->sub == PTO_SUB_EXP_COPY;
    PtoRowAccess d, a, b;

    pto_vec_begin(dst);
    pto_row_open(&d, dst, dst->vcols);
    pto_row_open(&b, plan->src[copy ? 0 : 1].tile, dst->vcols);
    b.first_row_only = true;
    if (copy) {
        copy_rows(dst, &d, &b);
    } else {
        PtoStripOp k = choose(plan);

        pto_row_open(&a, plan->src[0].tile, dst->vcols);
        plan->flags |= pto_row_apply(&k, &d, &a, &b, NULL, dst->vrows);
        pto_row_done(&a);
    }
    pto_row_done(&b);
    pto_row_done(&d);
    pto_vec_end(dst, plan->pad);
}

static void expand_rows(PtoPlan *plan, PtoRowAccess *d, PtoRowAccess *b,
                        const PtoTile *broadcast)
{
    PtoTile *dst = &plan->dst[0].tile;
    PtoStripOp k = choose(plan);
    uint32_t n = dst->vcols;
    PtoRowAccess a;

    pto_row_open(&a, plan->src[0].tile, n);
    for (uint32_t row = 0; row < dst->vrows; row++) {
        uint8_t *dp = pto_row_write(d, row);
        const uint8_t *ap = pto_row_read(&a, row);

        pto_row_set_const(b, pto_tile_get(broadcast, row, 0), n);
        for (uint32_t i = 0; i < n; i += PTO_STRIP_MAX) {
            plan->flags |= k.run(&k, dp + (size_t)i * d->bytes,
                                 ap + (size_t)i * a.bytes, b->buf, NULL,
                                 MIN(n - i, PTO_STRIP_MAX));
        }
        pto_row_write_end(d, row);
    }
    pto_row_done(&a);
}

void pto_kernel_expand_row(PtoPlan *plan)
{
    PtoTile *dst = &plan->dst[0].tile;
    bool copy = plan->op->sub == PTO_SUB_EXP_COPY;
    const PtoTile *broadcast = plan->src[copy ? 0 : 1].tile;
    PtoRowAccess d, b;

    pto_vec_begin(dst);
    pto_row_open(&d, dst, dst->vcols);
    if (copy) {
        for (uint32_t row = 0; row < dst->vrows; row++) {
            pto_strip_fill(pto_row_write(&d, row), d.bytes,
                         pto_tile_get(broadcast, row, 0), dst->vcols);
            pto_row_write_end(&d, row);
        }
    } else {
        pto_row_const(&b, broadcast->type, 0);
        expand_rows(plan, &d, &b, broadcast);
        pto_row_done(&b);
    }
    pto_row_done(&d);
    pto_vec_end(dst, plan->pad);
}
