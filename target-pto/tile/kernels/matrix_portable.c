/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Matrix kernels in plain C, for hosts without a vector version and as the
 * twin that the vector versions are tested against.
 */
#include "tile/port.h"
#include "tile/kernels/matrix.h"

#include <math.h>

/* The build of QEMU asks for less; contraction would drop a rounding. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize ("O3", "fp-contract=off")
#endif

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
        const float *column = b + column_base(p, j);
        const uint32_t *c = p->c ? p->c + (size_t)j * p->ldd : NULL;
        uint32_t *d = p->d + (size_t)j * p->ldd;
        float acc[32];

        for (unsigned r = 0; r < p->m; r++) {
            acc[r] = c ? as_float(c[r]) : 0.0f;
        }
        for (unsigned s = 0; s < p->steps; s++) {
            const float *row = a + (size_t)s * p->lda;
            float x = column[s / p->cr * p->cell + s % p->cr];

            for (unsigned r = 0; r < p->m; r++) {
                acc[r] = fmaf(row[r], x, acc[r]);
            }
        }
        for (unsigned r = 0; r < p->ldd; r++) {
            float v = r < p->m ? acc[r] : 0.0f;

            d[r] = canonical(p->bias && r < p->m ? v + as_float(p->bias[j])
                                                 : v);
        }
    }
}

static void portable_product_s16(const PtoMatPanels *p)
{
    const uint32_t *a = p->a, *b = p->b;

    for (unsigned j = 0; j < p->n; j++) {
        const uint32_t *column = b + column_base(p, j);
        const uint32_t *c = p->c ? p->c + (size_t)j * p->ldd : NULL;
        uint32_t *d = p->d + (size_t)j * p->ldd;
        uint32_t acc[32];

        for (unsigned r = 0; r < p->m; r++) {
            acc[r] = (c ? c[r] : 0) + (p->bias ? p->bias[j] : 0);
        }
        for (unsigned s = 0; s < p->steps; s++) {
            const uint32_t *row = a + (size_t)s * p->lda;
            uint32_t x = column[s / p->cr * p->cell + s % p->cr];
            int32_t x0 = (int16_t)x, x1 = (int16_t)(x >> 16);

            for (unsigned r = 0; r < p->m; r++) {
                acc[r] += (uint32_t)((int16_t)row[r] * x0) +
                          (uint32_t)((int16_t)(row[r] >> 16) * x1);
            }
        }
        for (unsigned r = 0; r < p->ldd; r++) {
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

void pto_mat_portable_flip_half(uint16_t *dst, const uint16_t *src,
                                size_t count)
{
    for (size_t i = 0; i < count; i++) {
        dst[i] = src[i] ^ 0x8000;
    }
}

void pto_mat_portable_transpose_cells(uint32_t *dst, const uint32_t *src,
                                      unsigned lda, unsigned cols,
                                      unsigned count)
{
    for (; count > 0; count--, src += lda * cols, dst += lda * cols) {
        for (unsigned r = 0; r < lda; r++) {
            for (unsigned c = 0; c < cols; c++) {
                dst[c * lda + r] = src[r * cols + c];
            }
        }
    }
}

void pto_mat_portable_untranspose_cells(uint32_t *dst, const uint32_t *src,
                                        unsigned lda, unsigned cols,
                                        unsigned count)
{
    for (; count > 0; count--, src += lda * cols, dst += lda * cols) {
        for (unsigned r = 0; r < lda; r++) {
            for (unsigned c = 0; c < cols; c++) {
                dst[r * cols + c] = src[c * lda + r];
            }
        }
    }
}

void pto_mat_portable_transpose_block(uint32_t *dst, size_t ldd,
                                      const uint32_t *src, size_t lds)
{
    for (unsigned r = 0; r < 16; r++) {
        for (unsigned c = 0; c < 16; c++) {
            dst[c * ldd + r] = src[r * lds + c];
        }
    }
}

void pto_mat_portable_interleave(uint32_t *dst, const uint16_t *lo,
                                 const uint16_t *hi, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        dst[i] = lo[i] | (uint32_t)hi[i] << 16;
    }
}

static inline uint32_t product_bits(uint32_t a, uint32_t b)
{
    return as_bits(as_float(a) * as_float(b));
}

void pto_mat_portable_scale_lanes(uint32_t *v, const uint32_t *factor,
                                  unsigned lanes, unsigned steps)
{
    for (; steps > 0; steps--, v += lanes) {
        for (unsigned i = 0; i < lanes; i++) {
            v[i] = product_bits(v[i], factor[i]);
        }
    }
}

void pto_mat_portable_scale_runs(uint32_t *v, const uint32_t *factor,
                                 unsigned run, unsigned count)
{
    for (unsigned i = 0; i < count; i++, v += run) {
        for (unsigned s = 0; s < run; s++) {
            v[s] = product_bits(v[s], factor[i]);
        }
    }
}

void pto_mat_portable_hif4_factors(uint32_t *dst, const uint32_t *words,
                                   unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        uint32_t word = words[i];   /* dst may reach it */

        for (unsigned lane = 0; lane < 64; lane += 4) {
            *dst++ = pto_mat_hif4_factor(word, lane);
        }
    }
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
    .flip_half = pto_mat_portable_flip_half,
    .transpose_cells = pto_mat_portable_transpose_cells,
    .untranspose_cells = pto_mat_portable_untranspose_cells,
    .transpose_block = pto_mat_portable_transpose_block,
    .interleave = pto_mat_portable_interleave,
    .scale_lanes = pto_mat_portable_scale_lanes,
    .scale_runs = pto_mat_portable_scale_runs,
    .hif4_factors = pto_mat_portable_hif4_factors,
};
