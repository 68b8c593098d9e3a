/* SPDX-License-Identifier: GPL-2.0-or-later */
/* TCONCAT, TEXTRACT, TINSERT, TIMG2COL, TGATHER, TSCATTER. */
#include "tile/port.h"
#include "tile/kernels/rowio.h"
#include "tile/kernels/vec.h"

void pto_kernel_concat(PtoPlan *plan)
{
    PtoTile *dst = &plan->dst[0].tile;
    const PtoTile *lt = plan->src[0].tile, *rt = plan->src[1].tile;
    PtoRowAccess d, l, r;

    pto_vec_begin(dst);
    pto_row_open(&d, dst, dst->vcols);
    pto_row_open(&l, lt, lt->vcols);
    pto_row_open(&r, rt, rt->vcols);
    for (uint32_t row = 0; row < dst->vrows; row++) {
        uint8_t *dp = pto_row_write(&d, row);
        size_t left = (size_t)lt->vcols * d.bytes;

        memcpy(dp, pto_row_read(&l, row), left);
        memcpy(dp + left, pto_row_read(&r, row), (size_t)rt->vcols * d.bytes);
        pto_row_write_end(&d, row);
    }
    pto_row_done(&r);
    pto_row_done(&l);
    pto_row_done(&d);
    pto_vec_end(dst, PTO_PAD_NULL);
}

/* LB0 and LB1 are the row and column offsets of TEXTRACT and TINSERT. */
static void offsets(const PtoPlan *plan, uint32_t *row, uint32_t *col)
{
    *row = pto_dim_or(plan->bundle, 0, 0);
    *col = pto_dim_or(plan->bundle, 1, 0);
}

void pto_kernel_extract(PtoPlan *plan)
{
    PtoTile *dst = &plan->dst[0].tile;
    uint32_t row0, col0;
    PtoRowAccess d, s;

    offsets(plan, &row0, &col0);
    pto_vec_begin(dst);
    pto_row_open(&d, dst, dst->vcols);
    pto_row_open(&s, plan->src[0].tile, col0 + dst->vcols);
    for (uint32_t row = 0; row < dst->vrows; row++) {
        const uint8_t *sp = pto_row_read(&s, row0 + row);

        memcpy(pto_row_write(&d, row), sp + (size_t)col0 * s.bytes,
               (size_t)dst->vcols * s.bytes);
        pto_row_write_end(&d, row);
    }
    pto_row_done(&s);
    pto_row_done(&d);
    pto_vec_end(dst, plan->pad);
}

void pto_kernel_insert(PtoPlan *plan)
{
    PtoTile *dst = &plan->dst[0].tile;
    const PtoTile *old = plan->src[0].tile, *part = plan->src[1].tile;
    uint32_t row0, col0, width;
    PtoRowAccess d, s;

    offsets(plan, &row0, &col0);
    width = col0 + part->vcols;
    /* Everything else, padding and its definedness too, is the old tile's. */
    dst->buf = old->buf;
    pto_buf_ref(dst->buf);
    dst->defined = old->defined;
    dst->contents_defined = old->contents_defined;
    pto_tile_own_payload(dst);
    pto_row_open(&d, dst, width);
    pto_row_open(&s, part, part->vcols);
    for (uint32_t row = 0; row < part->vrows; row++) {
        uint8_t *dp = d.kind == PTO_ROWS_DIRECT
                      ? pto_row_write(&d, row0 + row)
                      : (uint8_t *)pto_row_read(&d, row0 + row);

        memcpy(dp + (size_t)col0 * d.bytes, pto_row_read(&s, row),
               (size_t)part->vcols * d.bytes);
        pto_row_write_end(&d, row0 + row);
    }
    pto_row_done(&s);
    pto_row_done(&d);
}

/*
 * Source element of output element (m, k) of an image-to-column transform, or
 * -1 for padding.
 */
int64_t pto_img2col_index(const PtoFeatureMap *f, uint64_t m, uint64_t k)
{
    uint64_t oh, ow, batch, depth, orow, ocol, group, frow, fcol, channel;
    int64_t irow, icol;

    pto_img2col_output(f, &oh, &ow);
    ocol = m % ow;
    orow = m / ow % oh;
    depth = m / (ow * oh) % f->depth;
    batch = m / (ow * oh * f->depth);
    channel = k % f->channels_per_group;
    k /= f->channels_per_group;
    fcol = k % f->filter_w;
    frow = k / f->filter_w % f->filter_h;
    group = k / ((uint64_t)f->filter_w * f->filter_h);
    irow = (int64_t)(orow * f->stride_h + frow * f->dilation_h) - f->pad_top;
    icol = (int64_t)(ocol * f->stride_w + fcol * f->dilation_w) - f->pad_left;
    if (group * f->channels_per_group + channel >= f->logical_channels ||
        irow < 0 || irow >= f->height || icol < 0 || icol >= f->width) {
        return -1;
    }
    return ((((batch * f->depth + depth) * f->channel_groups + group) *
             f->height + irow) * f->width + icol) *
           f->channels_per_group + channel;
}

static uint64_t positions(uint64_t size, uint64_t pad0, uint64_t pad1,
                          uint64_t filter, uint64_t dilation, uint64_t stride)
{
    uint64_t reach = dilation * (filter - 1) + 1, padded = size + pad0 + pad1;

    return padded < reach ? 0 : (padded - reach) / stride + 1;
}

void pto_img2col_output(const PtoFeatureMap *f, uint64_t *height,
                        uint64_t *width)
{
    *height = positions(f->height, f->pad_top, f->pad_bottom, f->filter_h,
                        f->dilation_h, f->stride_h);
    *width = positions(f->width, f->pad_left, f->pad_right, f->filter_w,
                       f->dilation_w, f->stride_w);
}

void pto_kernel_img2col(PtoPlan *plan)
{
    PtoTile *dst = &plan->dst[0].tile;
    const PtoTile *src = plan->src[0].tile;
    const PtoFeatureMap *f =
        plan->ctx->local->feature_map[plan->src[0].slot];
    uint32_t m, k;

    offsets(plan, &m, &k);
    pto_vec_begin(dst);
    for (uint32_t row = 0; row < dst->vrows; row++) {
        for (uint32_t col = 0; col < dst->vcols; col++) {
            int64_t i = pto_img2col_index(f, m + row, k + col);

            pto_tile_put(dst, row, col,
                         i < 0 ? f->padding : pto_tile_get_at(src, i));
        }
    }
    pto_vec_end(dst, PTO_PAD_NULL);
    dst->location = PTO_LOC_MATRIX;
}

/* Copy element (row, col) of @s to place @i of a destination row. */
static inline void take(const PtoTile *s, const uint8_t *data, unsigned bytes,
                        bool row_major, uint32_t row, uint32_t col, void *to)
{
    size_t at = row_major ? (size_t)row * s->cols + col
                          : pto_tile_index(s, row, col);

    memcpy(to, data + at * bytes, bytes);
}

void pto_kernel_gather(PtoPlan *plan)
{
    PtoTile *dst = &plan->dst[0].tile;
    const PtoTile *src = plan->src[0].tile, *index = plan->src[1].tile;
    const uint8_t *data = pto_tile_data(src);
    bool row_major = src->layout == PTO_LAYOUT_ROW;
    PtoRowAccess d, x;

    pto_vec_begin(dst);
    pto_row_open(&d, dst, dst->vcols);
    pto_row_open(&x, index, dst->vcols);
    for (uint32_t row = 0; row < dst->vrows; row++) {
        const void *xp = pto_row_read(&x, row);
        uint8_t *dp = pto_row_write(&d, row);

        for (uint32_t col = 0; col < dst->vcols; col++) {
            take(src, data, d.bytes, row_major,
                 pto_strip_get(xp, x.bytes, col), col, dp + col * d.bytes);
        }
        pto_row_write_end(&d, row);
    }
    pto_row_done(&x);
    pto_row_done(&d);
    pto_vec_end(dst, PTO_PAD_NULL);
}

void pto_kernel_scatter(PtoPlan *plan)
{
    PtoTile *dst = &plan->dst[0].tile;
    const PtoTile *src = plan->src[0].tile, *index = plan->src[1].tile;
    PtoRowAccess s, x;

    /* Elements that no index names are zero, in the padding too. */
    pto_tile_new_payload(dst, true);
    pto_row_open(&s, src, src->vcols);
    pto_row_open(&x, index, src->vcols);
    for (uint32_t row = 0; row < src->vrows; row++) {
        const void *xp = pto_row_read(&x, row);
        const uint8_t *sp = pto_row_read(&s, row);

        for (uint32_t col = 0; col < src->vcols; col++) {
            size_t at = pto_tile_index(dst, pto_strip_get(xp, x.bytes, col),
                                       col);

            memcpy(pto_tile_data(dst) + at * s.bytes, sp + col * s.bytes,
                   s.bytes);
        }
    }
    pto_row_done(&x);
    pto_row_done(&s);
    pto_tile_define_all(dst);
}
