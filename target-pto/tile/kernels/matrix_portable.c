/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Matrix kernels in plain C, for hosts without a vector version and as the
 * twin that the vector versions are tested against.
 */
#include "tile/port.h"
#include "tile/kernels/matrix_panel.h"

#include <math.h>

static inline float as_float(uint32_t bits)
{
    float f;

    memcpy(&f, &bits, sizeof(f));
    return f;
}

static inline uint32_t as_bits(float f)
{
    uint32_t bits;

    memcpy(&bits, &f, sizeof(bits));
    return bits;
}

static inline uint32_t canonical(float f)
{
    return f == f ? as_bits(f) : PTO_F32_CANONICAL_NAN;
}

/* First unit of column @j at step 0; a step further is one unit further. */
static size_t column_base(const PtoMatPanels *p, unsigned j)
{
    return j / PTO_PANEL_COLUMNS * p->panel +
           (size_t)(j % PTO_PANEL_COLUMNS) * p->cr;
}

static void portable_product_f32(const PtoMatPanels *p)
{
    const float *a = p->a, *b = p->b;

    for (unsigned j = 0; j < p->n; j++) {
        const float *cell = b + column_base(p, j);
        uint32_t *d = p->d + (size_t)j * p->lda;
        float acc[32];

        for (unsigned r = 0; r < p->lda; r++) {
            acc[r] = p->c ? as_float(p->c[(size_t)j * p->lda + r]) : 0.0f;
        }
        for (unsigned s = 0; s < p->steps; s++) {
            const float *row = a + (size_t)s * p->lda;
            float x = cell[(size_t)(s / p->cr) * PTO_PANEL_COLUMNS * p->cr +
                           s % p->cr];

            for (unsigned r = 0; r < p->m; r++) {
                acc[r] = fmaf(row[r], x, acc[r]);
            }
        }
        for (unsigned r = 0; r < p->lda; r++) {
            if (p->bias) {
                acc[r] += as_float(p->bias[j]);
            }
            d[r] = r < p->m ? canonical(acc[r]) : 0;
        }
    }
}

static void portable_product_s16(const PtoMatPanels *p)
{
    const uint32_t *a = p->a, *b = p->b;

    for (unsigned j = 0; j < p->n; j++) {
        const uint32_t *cell = b + column_base(p, j);
        uint32_t *d = p->d + (size_t)j * p->lda;
        uint32_t acc[32];

        for (unsigned r = 0; r < p->lda; r++) {
            acc[r] = (p->c ? p->c[(size_t)j * p->lda + r] : 0) +
                     (p->bias ? p->bias[j] : 0);
        }
        for (unsigned s = 0; s < p->steps; s++) {
            const uint32_t *row = a + (size_t)s * p->lda;
            uint32_t x = cell[(size_t)(s / p->cr) * PTO_PANEL_COLUMNS * p->cr +
                              s % p->cr];
            int32_t x0 = (int16_t)x, x1 = (int16_t)(x >> 16);

            for (unsigned r = 0; r < p->m; r++) {
                acc[r] += (uint32_t)((int16_t)row[r] * x0) +
                          (uint32_t)((int16_t)(row[r] >> 16) * x1);
            }
        }
        for (unsigned r = 0; r < p->lda; r++) {
            d[r] = r < p->m ? acc[r] : 0;
        }
    }
}

static uint32_t fp16_to_fp32(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16;
    uint32_t mag = (uint32_t)(h & 0x7fff) << 13;

    if (mag >= 0x0f800000) {
        return sign | 0x70000000 | mag;
    }
    /* A subnormal FP32 times 2^112 is exact for every finite FP16 value. */
    return sign | as_bits(as_float(mag) * 0x1p112f);
}

static void portable_widen_fp16(uint32_t *dst, const uint16_t *src, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        dst[i] = fp16_to_fp32(src[i]);
    }
}

static void portable_widen_bf16(uint32_t *dst, const uint16_t *src, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        dst[i] = (uint32_t)src[i] << 16;
    }
}

void pto_mat_portable_widen_byte(uint32_t *dst, const uint8_t *src,
                                 size_t count, const uint16_t table[129])
{
    for (size_t i = 0; i < count; i++) {
        uint32_t magnitude = table[src[i] == 128 ? 128 : src[i] & 127];

        dst[i] = (magnitude | (uint32_t)(src[i] & 128) << 8) << 16;
    }
}

void pto_mat_portable_widen_nibble(uint32_t *dst, const uint8_t *src,
                                   size_t count, const uint16_t table[16])
{
    for (size_t i = 0; i < count; i++) {
        dst[2 * i] = (uint32_t)table[src[i] & 15] << 16;
        dst[2 * i + 1] = (uint32_t)table[src[i] >> 4] << 16;
    }
}

static void portable_extend_byte(uint16_t *dst, const uint8_t *src,
                                 size_t count, bool is_signed)
{
    for (size_t i = 0; i < count; i++) {
        dst[i] = is_signed ? (uint16_t)(int8_t)src[i] : src[i];
    }
}

void pto_mat_portable_extend_nibble(uint16_t *dst, const uint8_t *src,
                                    size_t count, bool is_signed)
{
    unsigned flip = is_signed ? 8 : 0;

    for (size_t i = 0; i < count; i++) {
        dst[2 * i] = ((src[i] & 15) ^ flip) - flip;
        dst[2 * i + 1] = ((src[i] >> 4) ^ flip) - flip;
    }
}

void pto_mat_portable_transpose_cell(uint32_t *dst, const uint32_t *src,
                                     unsigned lda, unsigned cols)
{
    for (unsigned r = 0; r < lda; r++) {
        for (unsigned c = 0; c < cols; c++) {
            dst[c * lda + r] = src[r * cols + c];
        }
    }
}

void pto_mat_portable_untranspose_cell(uint32_t *dst, const uint32_t *src,
                                       unsigned lda, unsigned cols)
{
    for (unsigned r = 0; r < lda; r++) {
        for (unsigned c = 0; c < cols; c++) {
            dst[r * cols + c] = src[c * lda + r];
        }
    }
}

static inline bool is_inf(uint32_t bits)
{
    return (bits & 0x7fffffff) == 0x7f800000;
}

bool pto_mat_portable_scale(uint32_t *v, size_t count, uint32_t scale)
{
    float s = as_float(scale);
    bool overflow = false;

    for (size_t i = 0; i < count; i++) {
        uint32_t x = as_bits(as_float(v[i]) * s);

        overflow |= is_inf(x) & !is_inf(v[i]);
        v[i] = x;
    }
    return overflow;
}

bool pto_mat_portable_scale_each(uint32_t *v, const uint32_t *scale,
                                 size_t count)
{
    bool overflow = false;

    for (size_t i = 0; i < count; i++) {
        uint32_t x = as_bits(as_float(v[i]) * as_float(scale[i]));

        overflow |= is_inf(x) & !is_inf(v[i]);
        v[i] = x;
    }
    return overflow;
}

const PtoMatKernels pto_mat_kernels_portable = {
    .name = "portable",
    .product_f32 = portable_product_f32,
    .product_s16 = portable_product_s16,
    .widen_fp16 = portable_widen_fp16,
    .widen_bf16 = portable_widen_bf16,
    .widen_byte = pto_mat_portable_widen_byte,
    .widen_nibble = pto_mat_portable_widen_nibble,
    .extend_byte = portable_extend_byte,
    .extend_nibble = pto_mat_portable_extend_nibble,
    .transpose_cell = pto_mat_portable_transpose_cell,
    .untranspose_cell = pto_mat_portable_untranspose_cell,
    .scale = pto_mat_portable_scale,
    .scale_each = pto_mat_portable_scale_each,
};
