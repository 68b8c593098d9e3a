/* SPDX-License-Identifier: GPL-2.0-or-later */
/* TCMP and TCMPS: a predicate tile of one bit per element. */
#include "tile/port.h"
#include "tile/kernels/rowio.h"
#include "tile/kernels/rows.h"
#include "tile/kernels/vec.h"

/* Sources are row-major by the schema, so rows can be compared in place. */
static PtoRows rows_of(const PtoTile *t)
{
    return (PtoRows) {
        .base = pto_tile_data(t),
        .stride = (size_t)t->cols * pto_strip_bytes(t->type),
    };
}

static void compare(PtoPlan *plan, PtoRows b)
{
    PtoTile *dst = &plan->dst[0].tile;
    const PtoTile *src = plan->src[0].tile;
    uint32_t flags = 0;

    pto_tile_new_payload(dst, true);
    pto_rows_compare(plan->cmode, src->type, pto_tile_data(dst), dst->cols,
                     rows_of(src), b, src->vrows, src->vcols, &flags);
    plan->flags |= flags;
    pto_vec_end(dst, plan->pad);
}

void pto_kernel_compare(PtoPlan *plan)
{
    compare(plan, rows_of(plan->src[1].tile));
}

void pto_kernel_compare_scalar(PtoPlan *plan)
{
    uint64_t scalar;

    pto_strip_put(&scalar, pto_strip_bytes(plan->src[0].tile->type), 0,
                  plan->scalar0);
    compare(plan, (PtoRows) { .base = &scalar, .splat = true });
}
