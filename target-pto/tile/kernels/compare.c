/* SPDX-License-Identifier: GPL-2.0-or-later */
/* TCMP and TCMPS: a predicate tile of one bit per element. */
#include "tile/port.h"
#include "tile/kernels/rowio.h"
#include "tile/kernels/vec.h"

/* Put @n 0 / 1 bytes as bits at bit @bit of @bits, which are clear. */
static void put_bits(uint8_t *bits, uint32_t bit, const uint8_t *m, uint32_t n)
{
    uint32_t i = 0;

    for (; i < n && (bit & 7); i++, bit++) {
        bits[bit / 8] |= m[i] << (bit % 8);
    }
    for (; i + 8 <= n; i += 8, bit += 8) {
        uint64_t v;

        memcpy(&v, m + i, 8);
        /* Collect bit 0 of every byte; byte 0 becomes bit 0 (little-endian). */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        v = __builtin_bswap64(v);
#endif
        bits[bit / 8] = (v * UINT64_C(0x0102040810204080)) >> 56;
    }
    for (; i < n; i++, bit++) {
        bits[bit / 8] |= m[i] << (bit % 8);
    }
}

static void compare(PtoPlan *plan, PtoRowAccess *b)
{
    PtoTile *dst = &plan->dst[0].tile;
    const PtoTile *src = plan->src[0].tile;
    PtoStripOp k = pto_strip_compare(plan->cmode, src->type);
    uint8_t m[PTO_STRIP_MAX];
    PtoRowAccess a;

    pto_tile_new_payload(dst, true);
    pto_row_open(&a, src, src->vcols);
    for (uint32_t row = 0; row < src->vrows; row++) {
        const uint8_t *ap = pto_row_read(&a, row);
        const uint8_t *bp = pto_row_read(b, row);

        for (uint32_t i = 0; i < src->vcols; i += PTO_STRIP_MAX) {
            uint32_t n = MIN(src->vcols - i, PTO_STRIP_MAX);
            size_t off = (size_t)i * a.bytes;

            plan->flags |= k.run(&k, m, ap + off,
                                 b->kind == PTO_ROWS_CONST ? bp : bp + off,
                                 NULL, n);
            put_bits(pto_tile_data(dst), row * dst->cols + i, m, n);
        }
    }
    pto_row_done(&a);
    pto_vec_end(dst, plan->pad);
}

void pto_kernel_compare(PtoPlan *plan)
{
    PtoRowAccess b;

    pto_row_open(&b, plan->src[1].tile, plan->src[0].tile->vcols);
    compare(plan, &b);
    pto_row_done(&b);
}

void pto_kernel_compare_scalar(PtoPlan *plan)
{
    PtoRowAccess b;

    pto_row_const(&b, plan->src[0].tile->type, plan->scalar0);
    compare(plan, &b);
    pto_row_done(&b);
}
