/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Matrix kernels for x86 hosts with AVX-512 (F, BW, VL, DQ) or AVX2 + FMA +
 * F16C.  Chosen at run time; the rest of the tile core stays baseline code.
 *
 * One host FMA is the one rounding of one K step and every output keeps its
 * own accumulator from the first step to the last, so that the results equal
 * the element-wise chain bit for bit.  Blocking is over outputs only.
 */
#include "tile/port.h"
#include "tile/kernels/matrix_panel.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

/* Round to nearest, no exceptions, no flushing: what rule N21 asks for. */
#define PTO_MXCSR_DEFAULT 0x1f80

#define UNROLL _Pragma("GCC unroll 16")
#define INLINE static inline __attribute__((always_inline))

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq,fma,f16c")

INLINE __m512 step512(__m512 acc, __m512 a, __m512 b, bool integer)
{
    if (integer) {
        __m512i x = _mm512_madd_epi16(_mm512_castps_si512(a),
                                      _mm512_castps_si512(b));

        return _mm512_castsi512_ps(
            _mm512_add_epi32(_mm512_castps_si512(acc), x));
    }
    return _mm512_fmadd_ps(a, b, acc);
}

INLINE __m512 finish512(__m512 acc, const uint32_t *bias, bool integer)
{
    if (integer) {
        if (bias) {
            acc = _mm512_castsi512_ps(
                _mm512_add_epi32(_mm512_castps_si512(acc),
                                 _mm512_set1_epi32(*bias)));
        }
        return acc;
    }
    if (bias) {
        acc = _mm512_add_ps(acc, _mm512_castsi512_ps(_mm512_set1_epi32(*bias)));
    }
    return _mm512_castsi512_ps(
        _mm512_mask_set1_epi32(_mm512_castps_si512(acc),
                               _mm512_cmp_ps_mask(acc, acc, _CMP_UNORD_Q),
                               PTO_F32_CANONICAL_NAN));
}

/*
 * @cols columns from @j0 on, @nv vectors of rows: cols * nv accumulators in
 * registers.  @cr is a constant after inlining unless it is 0.
 */
INLINE void block512(const PtoMatPanels *p, unsigned j0, unsigned cr,
                     unsigned cols, unsigned nv, bool integer)
{
    unsigned run = cr ? cr : p->cr;
    unsigned live = MIN(cols, p->n - j0);
    const float *cell[2], *a = p->a;
    __m512 acc[16];

    cell[0] = (const float *)p->b + j0 / PTO_PANEL_COLUMNS * p->panel;
    cell[1] = live > 8 ? cell[0] + p->panel : cell[0];
    UNROLL
    for (unsigned j = 0; j < cols; j++) {
        UNROLL
        for (unsigned v = 0; v < nv; v++) {
            acc[j * nv + v] = p->c && j < live ?
                _mm512_loadu_ps(p->c + (size_t)(j0 + j) * p->lda + 16 * v) :
                _mm512_setzero_ps();
        }
    }
    for (unsigned s = 0; s < p->steps; s += run) {
        unsigned end = MIN(run, p->steps - s);

        for (unsigned i = 0; i < end; i++, a += p->lda) {
            __m512 row[2];

            UNROLL
            for (unsigned v = 0; v < nv; v++) {
                row[v] = _mm512_loadu_ps(a + 16 * v);
            }
            UNROLL
            for (unsigned j = 0; j < cols; j++) {
                __m512 x = _mm512_set1_ps(cell[j / 8][(j % 8) * run + i]);

                UNROLL
                for (unsigned v = 0; v < nv; v++) {
                    acc[j * nv + v] = step512(acc[j * nv + v], row[v], x,
                                              integer);
                }
            }
        }
        cell[0] += PTO_PANEL_COLUMNS * run;
        cell[1] += PTO_PANEL_COLUMNS * run;
    }
    UNROLL
    for (unsigned j = 0; j < cols; j++) {
        if (j < live) {
            const uint32_t *bias = p->bias ? p->bias + j0 + j : NULL;
            uint32_t *d = p->d + (size_t)(j0 + j) * p->lda;

            UNROLL
            for (unsigned v = 0; v < nv; v++) {
                unsigned rows = MIN(16, p->m - MIN(p->m, 16 * v));
                __mmask16 keep = (1u << rows) - 1;

                _mm512_storeu_ps(d + 16 * v, _mm512_maskz_mov_ps(keep,
                    finish512(acc[j * nv + v], bias, integer)));
            }
            if (nv == 1 && p->lda == 32) {
                _mm512_storeu_ps(d + 16, _mm512_setzero_ps());
            }
        }
    }
}

INLINE void product512(const PtoMatPanels *p, unsigned cr, bool integer)
{
    if (p->m > 16) {
        for (unsigned j = 0; j < p->n; j += 8) {
            block512(p, j, cr, 8, 2, integer);
        }
    } else {
        unsigned j = 0;

        for (; j + 8 < p->n; j += 16) {
            block512(p, j, cr, 16, 1, integer);
        }
        for (; j < p->n; j += 8) {
            block512(p, j, cr, 8, 1, integer);
        }
    }
}

static void __attribute__((noinline))
product_f32_avx512(const PtoMatPanels *p)
{
    unsigned saved = _mm_getcsr();

    _mm_setcsr(PTO_MXCSR_DEFAULT);
    switch (p->cr) {
    case 1:
        product512(p, 1, false);
        break;
    case 4:
        product512(p, 4, false);
        break;
    case 8:
        product512(p, 8, false);
        break;
    case 16:
        product512(p, 16, false);
        break;
    case 32:
        product512(p, 32, false);
        break;
    default:
        product512(p, 0, false);
        break;
    }
    _mm_setcsr(saved);
}

static void __attribute__((noinline))
product_s16_avx512(const PtoMatPanels *p)
{
    switch (p->cr) {
    case 1:
        product512(p, 1, true);
        break;
    case 4:
        product512(p, 4, true);
        break;
    case 8:
        product512(p, 8, true);
        break;
    case 16:
        product512(p, 16, true);
        break;
    default:
        product512(p, 0, true);
        break;
    }
}

static void widen_fp16_avx512(uint32_t *dst, const uint16_t *src, size_t count)
{
    size_t i = 0;

    for (; i + 16 <= count; i += 16) {
        __m256i h = _mm256_loadu_si256((const __m256i *)(src + i));

        _mm512_storeu_ps(dst + i, _mm512_cvtph_ps(h));
    }
    pto_mat_kernels_portable.widen_fp16(dst + i, src + i, count - i);
}

static void widen_bf16_avx512(uint32_t *dst, const uint16_t *src, size_t count)
{
    size_t i = 0;

    for (; i + 16 <= count; i += 16) {
        __m256i h = _mm256_loadu_si256((const __m256i *)(src + i));

        _mm512_storeu_si512(dst + i, _mm512_slli_epi32(
                                _mm512_cvtepu16_epi32(h), 16));
    }
    pto_mat_kernels_portable.widen_bf16(dst + i, src + i, count - i);
}

INLINE void store_bf16x32(uint32_t *dst, __m512i h)
{
    __m256i lo = _mm512_castsi512_si256(h);
    __m256i hi = _mm512_extracti64x4_epi64(h, 1);

    _mm512_storeu_si512(dst, _mm512_slli_epi32(_mm512_cvtepu16_epi32(lo), 16));
    _mm512_storeu_si512(dst + 16,
                        _mm512_slli_epi32(_mm512_cvtepu16_epi32(hi), 16));
}

static void widen_byte_avx512(uint32_t *dst, const uint8_t *src, size_t count,
                              const uint16_t table[129])
{
    __m512i t0 = _mm512_loadu_si512(table);
    __m512i t1 = _mm512_loadu_si512(table + 32);
    __m512i t2 = _mm512_loadu_si512(table + 64);
    __m512i t3 = _mm512_loadu_si512(table + 96);
    __m512i last = _mm512_set1_epi16((short)table[128]);
    size_t i = 0;

    for (; i + 32 <= count; i += 32) {
        __m512i x = _mm512_cvtepu8_epi16(
            _mm256_loadu_si256((const __m256i *)(src + i)));
        __m512i lo = _mm512_permutex2var_epi16(t0, x, t1);
        __m512i hi = _mm512_permutex2var_epi16(t2, x, t3);
        __mmask32 high = _mm512_test_epi16_mask(x, _mm512_set1_epi16(64));
        __m512i sign = _mm512_and_si512(_mm512_slli_epi16(x, 8),
                                        _mm512_set1_epi16((short)0x8000));

        __mmask32 code80 = _mm512_cmpeq_epi16_mask(x, _mm512_set1_epi16(128));

        x = _mm512_or_si512(_mm512_mask_blend_epi16(high, lo, hi), sign);
        store_bf16x32(dst + i, _mm512_mask_blend_epi16(code80, x, last));
    }
    pto_mat_portable_widen_byte(dst + i, src + i, count - i, table);
}

/* The 32 nibbles of 16 bytes, low first, as 16-bit lanes. */
INLINE __m512i nibbles512(const uint8_t *src)
{
    __m128i x = _mm_loadu_si128((const __m128i *)src);
    __m128i low = _mm_and_si128(x, _mm_set1_epi8(15));
    __m128i high = _mm_and_si128(_mm_srli_epi16(x, 4), _mm_set1_epi8(15));
    __m256i both = _mm256_set_m128i(_mm_unpackhi_epi8(low, high),
                                    _mm_unpacklo_epi8(low, high));

    return _mm512_cvtepu8_epi16(both);
}

static void widen_nibble_avx512(uint32_t *dst, const uint8_t *src,
                                size_t count, const uint16_t table[16])
{
    __m512i t = _mm512_broadcast_i64x4(
        _mm256_loadu_si256((const __m256i *)table));
    size_t i = 0;

    for (; i + 16 <= count; i += 16) {
        store_bf16x32(dst + 2 * i,
                      _mm512_permutexvar_epi16(nibbles512(src + i), t));
    }
    pto_mat_portable_widen_nibble(dst + 2 * i, src + i, count - i,
                                          table);
}

static void extend_byte_avx512(uint16_t *dst, const uint8_t *src, size_t count,
                               bool is_signed)
{
    size_t i = 0;

    for (; i + 32 <= count; i += 32) {
        __m256i x = _mm256_loadu_si256((const __m256i *)(src + i));

        _mm512_storeu_si512(dst + i, is_signed ? _mm512_cvtepi8_epi16(x) :
                                                 _mm512_cvtepu8_epi16(x));
    }
    pto_mat_kernels_portable.extend_byte(dst + i, src + i, count - i,
                                         is_signed);
}

static void extend_nibble_avx512(uint16_t *dst, const uint8_t *src,
                                 size_t count, bool is_signed)
{
    __m512i flip = _mm512_set1_epi16(is_signed ? 8 : 0);
    size_t i = 0;

    for (; i + 16 <= count; i += 16) {
        __m512i x = _mm512_xor_si512(nibbles512(src + i), flip);

        _mm512_storeu_si512(dst + 2 * i, _mm512_sub_epi16(x, flip));
    }
    pto_mat_portable_extend_nibble(dst + 2 * i, src + i, count - i,
                                           is_signed);
}

/* Separate the even and odd lanes of @count vectors (@count even). */
INLINE void split512(__m512i *v, unsigned count)
{
    const __m512i even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16,
                                          14, 12, 10, 8, 6, 4, 2, 0);
    const __m512i odd = _mm512_set_epi32(31, 29, 27, 25, 23, 21, 19, 17,
                                         15, 13, 11, 9, 7, 5, 3, 1);
    __m512i t[16];

    UNROLL
    for (unsigned i = 0; i < count / 2; i++) {
        t[i] = _mm512_permutex2var_epi32(v[2 * i], even, v[2 * i + 1]);
        t[count / 2 + i] = _mm512_permutex2var_epi32(v[2 * i], odd,
                                                     v[2 * i + 1]);
    }
    UNROLL
    for (unsigned i = 0; i < count; i++) {
        v[i] = t[i];
    }
}

/* Undo split512. */
INLINE void merge512(__m512i *v, unsigned count)
{
    const __m512i low = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4,
                                         19, 3, 18, 2, 17, 1, 16, 0);
    const __m512i high = _mm512_set_epi32(31, 15, 30, 14, 29, 13, 28, 12,
                                          27, 11, 26, 10, 25, 9, 24, 8);
    __m512i t[16];

    UNROLL
    for (unsigned i = 0; i < count / 2; i++) {
        t[2 * i] = _mm512_permutex2var_epi32(v[i], low, v[count / 2 + i]);
        t[2 * i + 1] = _mm512_permutex2var_epi32(v[i], high, v[count / 2 + i]);
    }
    UNROLL
    for (unsigned i = 0; i < count; i++) {
        v[i] = t[i];
    }
}

/* Bit reversal of @c in log2(@cols) bits: where split512 puts column @c. */
INLINE unsigned reversed(unsigned c, unsigned cols)
{
    unsigned r = 0;

    for (unsigned b = 1; b < cols; b <<= 1) {
        r = r << 1 | ((c & b) != 0);
    }
    return r;
}

/*
 * @nv vectors per column.  Splitting log2(cols) times inside ever smaller
 * groups leaves column c in group reversed(c).
 */
INLINE void transpose512(uint32_t *dst, const uint32_t *src, unsigned nv,
                         unsigned cols)
{
    unsigned count = nv * cols;
    __m512i v[16];

    UNROLL
    for (unsigned i = 0; i < count; i++) {
        v[i] = _mm512_loadu_si512(src + 16 * i);
    }
    for (unsigned group = count; group > nv; group /= 2) {
        for (unsigned i = 0; i < count; i += group) {
            split512(v + i, group);
        }
    }
    UNROLL
    for (unsigned i = 0; i < count; i++) {
        _mm512_storeu_si512(dst + 16 * (reversed(i / nv, cols) * nv + i % nv),
                            v[i]);
    }
}

INLINE void untranspose512(uint32_t *dst, const uint32_t *src, unsigned nv,
                           unsigned cols)
{
    unsigned count = nv * cols;
    __m512i v[16];

    UNROLL
    for (unsigned i = 0; i < count; i++) {
        v[i] = _mm512_loadu_si512(
            src + 16 * (reversed(i / nv, cols) * nv + i % nv));
    }
    for (unsigned group = 2 * nv; group <= count; group *= 2) {
        for (unsigned i = 0; i < count; i += group) {
            merge512(v + i, group);
        }
    }
    UNROLL
    for (unsigned i = 0; i < count; i++) {
        _mm512_storeu_si512(dst + 16 * i, v[i]);
    }
}

static void transpose_cell_avx512(uint32_t *dst, const uint32_t *src,
                                  unsigned lda, unsigned cols)
{
    switch (lda * cols) {
    case 16 * 1:
        memcpy(dst, src, 64);
        break;
    case 16 * 2:
        if (lda == 16) {
            transpose512(dst, src, 1, 2);
        } else {
            memcpy(dst, src, 128);
        }
        break;
    case 16 * 4:
        if (lda == 16) {
            transpose512(dst, src, 1, 4);
        } else {
            transpose512(dst, src, 2, 2);
        }
        break;
    case 16 * 8:
        if (lda == 16) {
            transpose512(dst, src, 1, 8);
        } else {
            transpose512(dst, src, 2, 4);
        }
        break;
    case 16 * 16:
        if (lda == 16) {
            transpose512(dst, src, 1, 16);
        } else {
            transpose512(dst, src, 2, 8);
        }
        break;
    default:
        pto_mat_portable_transpose_cell(dst, src, lda, cols);
        break;
    }
}

static void untranspose_cell_avx512(uint32_t *dst, const uint32_t *src,
                                    unsigned lda, unsigned cols)
{
    if (lda == 16 && cols == 2) {
        untranspose512(dst, src, 1, 2);
    } else if (cols == 1) {
        memcpy(dst, src, lda * sizeof(*dst));
    } else {
        pto_mat_portable_untranspose_cell(dst, src, lda, cols);
    }
}

INLINE __mmask16 infinite512(__m512 v)
{
    return _mm512_fpclass_ps_mask(v, 0x18);
}

static bool scale_avx512(uint32_t *v, size_t count, uint32_t scale)
{
    __m512 s = _mm512_castsi512_ps(_mm512_set1_epi32(scale));
    unsigned overflow = 0;
    size_t i = 0;

    for (; i + 16 <= count; i += 16) {
        __m512 x = _mm512_loadu_ps(v + i), y = _mm512_mul_ps(x, s);

        overflow |= infinite512(y) & ~infinite512(x);
        _mm512_storeu_ps(v + i, y);
    }
    return pto_mat_portable_scale(v + i, count - i, scale) || overflow;
}

static bool scale_each_avx512(uint32_t *v, const uint32_t *scale, size_t count)
{
    unsigned overflow = 0;
    size_t i = 0;

    for (; i + 16 <= count; i += 16) {
        __m512 x = _mm512_loadu_ps(v + i);
        __m512 y = _mm512_mul_ps(x, _mm512_loadu_ps(scale + i));

        overflow |= infinite512(y) & ~infinite512(x);
        _mm512_storeu_ps(v + i, y);
    }
    return pto_mat_portable_scale_each(v + i, scale + i, count - i) ||
           overflow;
}

#pragma GCC pop_options

static const PtoMatKernels kernels_avx512 = {
    .name = "avx512",
    .product_f32 = product_f32_avx512,
    .product_s16 = product_s16_avx512,
    .widen_fp16 = widen_fp16_avx512,
    .widen_bf16 = widen_bf16_avx512,
    .widen_byte = widen_byte_avx512,
    .widen_nibble = widen_nibble_avx512,
    .extend_byte = extend_byte_avx512,
    .extend_nibble = extend_nibble_avx512,
    .transpose_cell = transpose_cell_avx512,
    .untranspose_cell = untranspose_cell_avx512,
    .scale = scale_avx512,
    .scale_each = scale_each_avx512,
};

#pragma GCC push_options
#pragma GCC target("avx2,fma,f16c")

INLINE __m256 step256(__m256 acc, __m256 a, __m256 b, bool integer)
{
    if (integer) {
        __m256i x = _mm256_madd_epi16(_mm256_castps_si256(a),
                                      _mm256_castps_si256(b));

        return _mm256_castsi256_ps(
            _mm256_add_epi32(_mm256_castps_si256(acc), x));
    }
    return _mm256_fmadd_ps(a, b, acc);
}

INLINE __m256 finish256(__m256 acc, const uint32_t *bias, bool integer)
{
    __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(PTO_F32_CANONICAL_NAN));

    if (integer) {
        if (bias) {
            acc = _mm256_castsi256_ps(
                _mm256_add_epi32(_mm256_castps_si256(acc),
                                 _mm256_set1_epi32(*bias)));
        }
        return acc;
    }
    if (bias) {
        acc = _mm256_add_ps(acc, _mm256_castsi256_ps(_mm256_set1_epi32(*bias)));
    }
    return _mm256_blendv_ps(acc, nan, _mm256_cmp_ps(acc, acc, _CMP_UNORD_Q));
}

/* Four columns from @j0 on and 16 rows from @r0 on: eight accumulators. */
INLINE void block256(const PtoMatPanels *p, unsigned j0, unsigned r0,
                     bool integer)
{
    unsigned live = MIN(4, p->n - j0), run = p->cr;
    const float *a = (const float *)p->a + r0;
    const float *cell = (const float *)p->b +
                        j0 / PTO_PANEL_COLUMNS * p->panel +
                        (size_t)(j0 % PTO_PANEL_COLUMNS) * run;
    uint32_t out[16];
    __m256 acc[8];

    UNROLL
    for (unsigned j = 0; j < 4; j++) {
        UNROLL
        for (unsigned v = 0; v < 2; v++) {
            acc[j * 2 + v] = p->c && j < live ?
                _mm256_loadu_ps((const float *)p->c +
                                (size_t)(j0 + j) * p->lda + r0 + 8 * v) :
                _mm256_setzero_ps();
        }
    }
    for (unsigned s = 0; s < p->steps; s += run) {
        unsigned end = MIN(run, p->steps - s);

        for (unsigned i = 0; i < end; i++, a += p->lda) {
            __m256 row0 = _mm256_loadu_ps(a), row1 = _mm256_loadu_ps(a + 8);

            UNROLL
            for (unsigned j = 0; j < 4; j++) {
                __m256 x = _mm256_set1_ps(cell[j * run + i]);

                acc[2 * j] = step256(acc[2 * j], row0, x, integer);
                acc[2 * j + 1] = step256(acc[2 * j + 1], row1, x, integer);
            }
        }
        cell += PTO_PANEL_COLUMNS * run;
    }
    UNROLL
    for (unsigned j = 0; j < 4; j++) {
        if (j < live) {
            const uint32_t *bias = p->bias ? p->bias + j0 + j : NULL;
            unsigned rows = MIN(16, p->m - MIN(p->m, r0));
            uint32_t *d = p->d + (size_t)(j0 + j) * p->lda + r0;

            _mm256_storeu_ps((float *)out, finish256(acc[2 * j], bias, integer));
            _mm256_storeu_ps((float *)out + 8,
                             finish256(acc[2 * j + 1], bias, integer));
            memset(out + rows, 0, (16 - rows) * sizeof(*out));
            memcpy(d, out, sizeof(out));
        }
    }
}

static void __attribute__((noinline)) product_f32_avx2(const PtoMatPanels *p)
{
    unsigned saved = _mm_getcsr();

    _mm_setcsr(PTO_MXCSR_DEFAULT);
    for (unsigned j = 0; j < p->n; j += 4) {
        for (unsigned r = 0; r < p->lda; r += 16) {
            block256(p, j, r, false);
        }
    }
    _mm_setcsr(saved);
}

static void __attribute__((noinline)) product_s16_avx2(const PtoMatPanels *p)
{
    for (unsigned j = 0; j < p->n; j += 4) {
        for (unsigned r = 0; r < p->lda; r += 16) {
            block256(p, j, r, true);
        }
    }
}

static void widen_fp16_avx2(uint32_t *dst, const uint16_t *src, size_t count)
{
    size_t i = 0;

    for (; i + 8 <= count; i += 8) {
        __m128i h = _mm_loadu_si128((const __m128i *)(src + i));

        _mm256_storeu_ps((float *)dst + i, _mm256_cvtph_ps(h));
    }
    pto_mat_kernels_portable.widen_fp16(dst + i, src + i, count - i);
}

static void widen_bf16_avx2(uint32_t *dst, const uint16_t *src, size_t count)
{
    size_t i = 0;

    for (; i + 8 <= count; i += 8) {
        __m128i h = _mm_loadu_si128((const __m128i *)(src + i));

        _mm256_storeu_si256((__m256i *)(dst + i),
                            _mm256_slli_epi32(_mm256_cvtepu16_epi32(h), 16));
    }
    pto_mat_kernels_portable.widen_bf16(dst + i, src + i, count - i);
}

static void extend_byte_avx2(uint16_t *dst, const uint8_t *src, size_t count,
                             bool is_signed)
{
    size_t i = 0;

    for (; i + 16 <= count; i += 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(src + i));

        _mm256_storeu_si256((__m256i *)(dst + i),
                            is_signed ? _mm256_cvtepi8_epi16(x) :
                                        _mm256_cvtepu8_epi16(x));
    }
    pto_mat_kernels_portable.extend_byte(dst + i, src + i, count - i,
                                         is_signed);
}

#pragma GCC pop_options

/* The table look-ups and the permutations gain little from 256 bits. */
static const PtoMatKernels kernels_avx2 = {
    .name = "avx2",
    .product_f32 = product_f32_avx2,
    .product_s16 = product_s16_avx2,
    .widen_fp16 = widen_fp16_avx2,
    .widen_bf16 = widen_bf16_avx2,
    .widen_byte = pto_mat_portable_widen_byte,
    .widen_nibble = pto_mat_portable_widen_nibble,
    .extend_byte = extend_byte_avx2,
    .extend_nibble = pto_mat_portable_extend_nibble,
    .transpose_cell = pto_mat_portable_transpose_cell,
    .untranspose_cell = pto_mat_portable_untranspose_cell,
    .scale = pto_mat_portable_scale,
    .scale_each = pto_mat_portable_scale_each,
};

static bool have_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("f16c");
}

static bool have_avx512(void)
{
    return have_avx2() && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq");
}

const PtoMatKernels *pto_mat_kernels_list(unsigned index)
{
    switch (index) {
    case 0:
        return &pto_mat_kernels_portable;
    case 1:
        return have_avx2() ? &kernels_avx2 : NULL;
    case 2:
        return have_avx512() ? &kernels_avx512 : NULL;
    default:
        return NULL;
    }
}

const PtoMatKernels *pto_mat_kernels_best(void)
{
    return have_avx512() ? &kernels_avx512 :
           have_avx2() ? &kernels_avx2 : &pto_mat_kernels_portable;
}

#else

const PtoMatKernels *pto_mat_kernels_list(unsigned index)
{
    return index == 0 ? &pto_mat_kernels_portable : NULL;
}

const PtoMatKernels *pto_mat_kernels_best(void)
{
    return &pto_mat_kernels_portable;
}

#endif
