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

void pto_vec_offsets(const PtoPlan *plan, uint64_t *row, uint64_t *col)
{
    if (!plan->profile->window_ior) {
        *row = pto_dim_or(plan->bundle, 0, 0);
        *col = pto_dim_or(plan->bundle, 1, 0);
    } else if (plan->op->id == PTO_OP_TIMG2COL) {
        *row = plan->scalar0 & 0xffff;
        *col = plan->scalar1 & 0xffff;
    } else {
        *row = plan->scalar0;
        *col = plan->scalar1;
    }
}

void pto_kernel_extract(PtoPlan *plan)
{
    PtoTile *dst = &plan->dst[0].tile;
    uint64_t row0, col0;
    PtoRowAccess d, s;

    pto_vec_offsets(plan, &row0, &col0);
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
    uint64_t row0, col0, width;
    PtoRowAccess d, s;

    pto_vec_offsets(plan, &row0, &col0);
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
    uint64_t m, k;

    pto_vec_offsets(plan, &m, &k);
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

/*
 * Rows named by index elements; a negative or large one becomes UINT32_MAX.
 */
void pto_index_rows(const PtoTile *index, const void *row, uint32_t n,
                    uint32_t *to)
{
    unsigned bytes = pto_strip_bytes(index->type);
    bool is_signed = pto_type_is_signed(index->type);

    switch (bytes) {
    case 2:
        for (uint32_t i = 0; i < n; i++) {
            uint32_t v = pto_strip_get(row, 2, i);

            to[i] = is_signed && v >> 15 ? UINT32_MAX : v;
        }
        break;
    case 4:
        for (uint32_t i = 0; i < n; i++) {
            uint32_t v = pto_strip_get(row, 4, i);

            to[i] = is_signed && v >> 31 ? UINT32_MAX : v;
        }
        break;
    default:
        for (uint32_t i = 0; i < n; i++) {
            uint64_t v = pto_strip_get(row, 8, i);

            to[i] = v >> 32 ? UINT32_MAX : v;
        }
        break;
    }
}

/* d[col] = element (rows[col], col) of a tile with @stride columns. */
#define GATHER(name, T)                                                 \
    static void name(void *d, const void *data, const uint32_t *rows,   \
                     size_t stride, uint32_t n)                         \
    {                                                                   \
        T *dt = d;                                                      \
        const T *s = data;                                              \
                                                                        \
        for (uint32_t col = 0; col < n; col++) {                        \
            dt[col] = s[rows[col] * stride + col];                      \
        }                                                               \
    }

GATHER(gather_1, uint8_t)
GATHER(gather_2, uint16_t)
GATHER(gather_4, uint32_t)
GATHER(gather_8, uint64_t)

static void gather_row(const PtoTile *src, unsigned bytes,
                       const uint32_t *rows, void *d, uint32_t n)
{
    const void *data = pto_tile_data(src);

    if (src->layout != PTO_LAYOUT_ROW) {
        for (uint32_t col = 0; col < n; col++) {
            pto_strip_put(d, bytes, col, pto_tile_get(src, rows[col], col));
        }
        return;
    }
    switch (bytes) {
    case 1:
        gather_1(d, data, rows, src->cols, n);
        break;
    case 2:
        gather_2(d, data, rows, src->cols, n);
        break;
    case 4:
        gather_4(d, data, rows, src->cols, n);
        break;
    default:
        gather_8(d, data, rows, src->cols, n);
        break;
    }
}

void pto_kernel_gather(PtoPlan *plan)
{
    PtoTile *dst = &plan->dst[0].tile;
    const PtoTile *index = plan->src[1].tile;
    uint32_t n = dst->vcols, *rows = pto_alloc(n * sizeof(*rows));
    PtoRowAccess d, x;

    pto_vec_begin(dst);
    pto_row_open(&d, dst, n);
    pto_row_open(&x, index, n);
    for (uint32_t row = 0; row < dst->vrows; row++) {
        pto_index_rows(index, pto_row_read(&x, row), n, rows);
        gather_row(plan->src[0].tile, d.bytes, rows, pto_row_write(&d, row),
                   n);
        pto_row_write_end(&d, row);
    }
    pto_row_done(&x);
    pto_row_done(&d);
    pto_free(rows);
    pto_vec_end(dst, PTO_PAD_NULL);
}

/* Element (rows[col], col) of @dst = s[col]. */
static void scatter_row(PtoTile *dst, unsigned bytes, const uint32_t *rows,
                        const void *s, uint32_t n)
{
    uint8_t *data = pto_tile_data(dst);

    for (uint32_t col = 0; col < n; col++) {
        size_t at = dst->layout == PTO_LAYOUT_ROW
                    ? (size_t)rows[col] * dst->cols + col
                    : pto_tile_index(dst, rows[col], col);

        pto_strip_put(data, bytes, at, pto_strip_get(s, bytes, col));
    }
}

void pto_kernel_scatter(PtoPlan *plan)
{
    PtoTile *dst = &plan->dst[0].tile;
    const PtoTile *src = plan->src[0].tile, *index = plan->src[1].tile;
    uint32_t n = src->vcols, *rows = pto_alloc(n * sizeof(*rows));
    PtoRowAccess s, x;

    /* Elements that no index names are zero, in the padding too. */
    pto_tile_new_payload(dst, true);
    pto_row_open(&s, src, n);
    pto_row_open(&x, index, n);
    for (uint32_t row = 0; row < src->vrows; row++) {
        pto_index_rows(index, pto_row_read(&x, row), n, rows);
        scatter_row(dst, s.bytes, rows, pto_row_read(&s, row), n);
    }
    pto_row_done(&x);
    pto_row_done(&s);
    pto_free(rows);
    pto_tile_define_all(dst);
}
