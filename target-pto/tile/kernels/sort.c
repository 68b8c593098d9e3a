/* SPDX-License-Identifier: GPL-2.0-or-later */
/* TSORT and TMRGSORT: stable, NaNs last in both directions, zeros equal. */
#include "tile/port.h"
#include "tile/kernels/rowio.h"
#include "tile/kernels/vec.h"

/*
 * Position of an element in the order: smaller comes first. 32 bits hold every
 * sortable type.
 */
static uint32_t sort_key(PtoDataType type, bool descending, uint32_t v)
{
    uint32_t sign = 1u << (pto_type_bits(type) - 1), key;

    if (pto_elem_nan(type, v)) {
        return UINT32_MAX;
    }
    if (!(v & ~sign)) {
        v = 0;                  /* both zeros */
    }
    key = v & sign ? ~v & (sign | (sign - 1)) : v | sign;
    return descending ? (sign | (sign - 1)) - key : key;
}

static unsigned signaling(PtoDataType type, const void *row, unsigned bytes,
                          uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (pto_elem_snan(type, pto_strip_get(row, bytes, i))) {
            return PTO_FLAG_NV;
        }
    }
    return 0;
}

/* Sort @n <= 64 keys with their positions; equal keys keep their order. */
static void sort_group(uint64_t *e, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        uint64_t v = e[i];
        uint32_t j = i;

        for (; j > 0 && e[j - 1] > v; j--) {
            e[j] = e[j - 1];
        }
        e[j] = v;
    }
}

/* LB0 is the group width; omitted or zero means 32 (PTO-TSORT-CONTRACT-001). */
static uint32_t group_width(const PtoBundle *b)
{
    return pto_dim_or(b, 0, 32);
}

void pto_kernel_sort(PtoPlan *plan)
{
    PtoTile *values = &plan->dst[0].tile, *indices = &plan->dst[1].tile;
    const PtoTile *src = plan->src[0].tile;
    bool descending = plan->flag0;
    uint32_t width = group_width(plan->bundle), n = src->vcols;
    PtoRowAccess s, d, x;
    uint64_t e[64];

    pto_vec_begin(values);
    pto_vec_begin(indices);
    pto_row_open(&s, src, n);
    pto_row_open(&d, values, n);
    pto_row_open(&x, indices, n);
    for (uint32_t row = 0; row < src->vrows; row++) {
        const uint8_t *sp = pto_row_read(&s, row);
        uint8_t *dp = pto_row_write(&d, row);
        uint32_t *xp = pto_row_write(&x, row);

        plan->flags |= signaling(src->type, sp, s.bytes, n);
        for (uint32_t g = 0; g < n; g += width) {
            uint32_t count = MIN(width, n - g);

            for (uint32_t i = 0; i < count; i++) {
                e[i] = (uint64_t)sort_key(src->type, descending,
                                          pto_strip_get(sp, s.bytes, g + i))
                       << 32 | i;
            }
            sort_group(e, count);
            for (uint32_t i = 0; i < count; i++) {
                xp[g + i] = (uint32_t)e[i];
                pto_strip_put(dp, d.bytes, g + i,
                            pto_strip_get(sp, s.bytes, g + (uint32_t)e[i]));
            }
        }
        pto_row_write_end(&d, row);
        pto_row_write_end(&x, row);
    }
    pto_row_done(&x);
    pto_row_done(&d);
    pto_row_done(&s);
    pto_vec_end(values, PTO_PAD_NULL);
    pto_vec_end(indices, PTO_PAD_NULL);
}

bool pto_sort_ordered(const PtoTile *t, bool descending)
{
    PtoRowAccess s;
    uint32_t last = 0;
    bool ok = true;
    const void *row;

    pto_row_open(&s, t, t->vcols);
    row = pto_row_read(&s, 0);
    for (uint32_t i = 0; i < t->vcols && ok; i++) {
        uint32_t key = sort_key(t->type, descending,
                                pto_strip_get(row, s.bytes, i));

        ok = key >= last;
        last = key;
    }
    pto_row_done(&s);
    return ok;
}

void pto_kernel_merge(PtoPlan *plan)
{
    PtoTile *dst = &plan->dst[0].tile;
    const PtoTile *lt = plan->src[0].tile, *rt = plan->src[1].tile;
    bool descending = plan->flag0;
    PtoDataType type = lt->type;
    uint32_t i = 0, j = 0;
    const void *lp, *rp;
    PtoRowAccess l, r, d;
    void *dp;

    pto_vec_begin(dst);
    pto_row_open(&l, lt, lt->vcols);
    pto_row_open(&r, rt, rt->vcols);
    pto_row_open(&d, dst, dst->vcols);
    lp = pto_row_read(&l, 0);
    rp = pto_row_read(&r, 0);
    dp = pto_row_write(&d, 0);
    plan->flags |= signaling(type, lp, l.bytes, lt->vcols) |
                   signaling(type, rp, r.bytes, rt->vcols);
    for (uint32_t n = 0; n < dst->vcols; n++) {
        bool left = j >= rt->vcols;

        if (!left && i < lt->vcols) {
            left = sort_key(type, descending, pto_strip_get(lp, l.bytes, i)) <=
                   sort_key(type, descending, pto_strip_get(rp, r.bytes, j));
        }
        pto_strip_put(dp, d.bytes, n,
                    left ? pto_strip_get(lp, l.bytes, i++)
                         : pto_strip_get(rp, r.bytes, j++));
    }
    pto_row_write_end(&d, 0);
    pto_row_done(&d);
    pto_row_done(&r);
    pto_row_done(&l);
    pto_vec_end(dst, PTO_PAD_NULL);
}
