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

/* GCC 12 takes its own "undefined" registers for a mistake (GCC PR 105593). */
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

/* Round to nearest, no exceptions, no flushing: what rule N21 asks for. */
#define PTO_MXCSR_DEFAULT 0x1f80
#define PTO_MXCSR_FLAGS 0x3f

/* Set the control register if the host program has changed it. */
static unsigned mxcsr_enter(void)
{
    unsigned saved = _mm_getcsr();

    if ((saved & ~PTO_MXCSR_FLAGS) != PTO_MXCSR_DEFAULT) {
        _mm_setcsr(PTO_MXCSR_DEFAULT);
    }
    return saved;
}

static void mxcsr_leave(unsigned saved)
{
    if ((saved & ~PTO_MXCSR_FLAGS) != PTO_MXCSR_DEFAULT) {
        _mm_setcsr(saved);
    }
}

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

/* One step of @cols columns: @i is the step inside the cell. */
INLINE void columns512(__m512 *acc, const float *a, const float *cell0,
                       const float *cell1, size_t run, size_t i, unsigned cols,
                       unsigned nv, bool integer)
{
    __m512 row[2];

    UNROLL
    for (unsigned v = 0; v < nv; v++) {
        row[v] = _mm512_loadu_ps(a + 16 * v);
    }
    UNROLL
    for (unsigned j = 0; j < cols; j++) {
        const float *cell = j < 8 ? cell0 : cell1;
        __m512 x = _mm512_set1_ps(cell[(j % 8) * run + i]);

        UNROLL
        for (unsigned v = 0; v < nv; v++) {
            acc[j * nv + v] = step512(acc[j * nv + v], row[v], x, integer);
        }
    }
}

/*
 * @cols columns from @j0 on, @nv vectors of rows: cols * nv accumulators in
 * registers.  @cr is a constant after inlining unless it is 0.
 */
INLINE void block512(const PtoMatPanels *p, unsigned j0, unsigned cr,
                     unsigned cols, unsigned nv, bool integer)
{
    size_t run = cr ? cr : p->cr, lda = p->lda, ldd = p->ldd;
    size_t steps = p->steps, next = p->cell;
    unsigned live = MIN(cols, p->n - j0);
    unsigned rows0 = MIN(16, p->m), rows1 = p->m - rows0;
    const __mmask16 keep[2] = { (1u << rows0) - 1, (1u << rows1) - 1 };
    const float *a = p->a;
    const float *cell0 = (const float *)p->b + j0 / PTO_PANEL_COLUMNS * p->panel;
    const float *cell1 = live > 8 ? cell0 + p->panel : cell0;
    const uint32_t *c = p->c ? p->c + j0 * ldd : NULL;
    const uint32_t *bias = p->bias ? p->bias + j0 : NULL;
    uint32_t *d = p->d + j0 * ldd;
    __m512 acc[16];

    UNROLL
    for (unsigned j = 0; j < cols * nv; j++) {
        acc[j] = _mm512_setzero_ps();
    }
    if (c) {
        UNROLL
        for (unsigned j = 0; j < cols; j++) {
            UNROLL
            for (unsigned v = 0; v < nv && j < live; v++) {
                acc[j * nv + v] = _mm512_loadu_ps(c + j * ldd + 16 * v);
            }
        }
    }
    for (; steps >= run; steps -= run) {
        if (run == 1) {
            columns512(acc, a, cell0, cell1, run, 0, cols, nv, integer);
            a += lda;
        } else if (cr) {
            /* Two steps at a time: every cell has an even number of them. */
            for (size_t i = 0; i < run; i += 2, a += 2 * lda) {
                columns512(acc, a, cell0, cell1, run, i, cols, nv, integer);
                columns512(acc, a + lda, cell0, cell1, run, i + 1, cols, nv,
                           integer);
            }
        } else {
            for (size_t i = 0; i < run; i++, a += lda) {
                columns512(acc, a, cell0, cell1, run, i, cols, nv, integer);
            }
        }
        cell0 += next;
        cell1 += next;
    }
    for (size_t i = 0; i < steps; i++, a += lda) {
        columns512(acc, a, cell0, cell1, run, i, cols, nv, integer);
    }
    UNROLL
    for (unsigned j = 0; j < cols; j++) {
        if (j < live) {
            UNROLL
            for (unsigned v = 0; v < nv; v++) {
                _mm512_storeu_ps(d + j * ldd + 16 * v,
                    _mm512_maskz_mov_ps(keep[v],
                        finish512(acc[j * nv + v], bias ? bias + j : NULL,
                                  integer)));
            }
            if (nv == 1 && ldd == 32) {
                _mm512_storeu_ps(d + j * ldd + 16, _mm512_setzero_ps());
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
    unsigned saved = mxcsr_enter();

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
    mxcsr_leave(saved);
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

static void flip_half_avx512(uint16_t *dst, const uint16_t *src, size_t count)
{
    const __m512i flip = _mm512_set1_epi16((short)0x8000);
    size_t i = 0;

    for (; i + 32 <= count; i += 32) {
        _mm512_storeu_si512(dst + i, _mm512_xor_si512(
                                _mm512_loadu_si512(src + i), flip));
    }
    pto_mat_portable_flip_half(dst + i, src + i, count - i);
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
 * Splitting log2(cols) times inside ever smaller groups leaves column c in
 * group reversed(c); @nv vectors per column.
 */
INLINE void split_all512(__m512i *v, unsigned nv, unsigned cols)
{
    unsigned count = nv * cols;

    if (cols >= 2) {
        split512(v, count);
    }
    if (cols >= 4) {
        split512(v, count / 2);
        split512(v + count / 2, count / 2);
    }
    if (cols >= 8) {
        UNROLL
        for (unsigned i = 0; i < count; i += count / 4) {
            split512(v + i, count / 4);
        }
    }
    if (cols >= 16) {
        UNROLL
        for (unsigned i = 0; i < count; i += count / 8) {
            split512(v + i, count / 8);
        }
    }
}

INLINE void transpose512(uint32_t *dst, const uint32_t *src, unsigned nv,
                         unsigned cols, unsigned cells)
{
    unsigned count = nv * cols;

    for (; cells > 0; cells--, dst += 16 * count, src += 16 * count) {
        __m512i v[16];

        UNROLL
        for (unsigned i = 0; i < count; i++) {
            v[i] = _mm512_loadu_si512(src + 16 * i);
        }
        split_all512(v, nv, cols);
        UNROLL
        for (unsigned i = 0; i < count; i++) {
            _mm512_storeu_si512(
                dst + 16 * (reversed(i / nv, cols) * nv + i % nv), v[i]);
        }
    }
}

static void transpose_cells_avx512(uint32_t *dst, const uint32_t *src,
                                   unsigned lda, unsigned cols, unsigned count)
{
    switch (lda / 16 << 8 | cols) {
    case 1 << 8 | 2:
        transpose512(dst, src, 1, 2, count);
        break;
    case 1 << 8 | 4:
        transpose512(dst, src, 1, 4, count);
        break;
    case 1 << 8 | 8:
        transpose512(dst, src, 1, 8, count);
        break;
    case 1 << 8 | 16:
        transpose512(dst, src, 1, 16, count);
        break;
    case 2 << 8 | 2:
        transpose512(dst, src, 2, 2, count);
        break;
    case 2 << 8 | 4:
        transpose512(dst, src, 2, 4, count);
        break;
    case 2 << 8 | 8:
        transpose512(dst, src, 2, 8, count);
        break;
    default:
        memcpy(dst, src, (size_t)lda * cols * count * sizeof(*dst));
        break;
    }
}

/* 32-bit CUBE_M16 CELLs have two columns, CUBE_M32 CELLs one. */
static void untranspose_cells_avx512(uint32_t *dst, const uint32_t *src,
                                     unsigned lda, unsigned cols,
                                     unsigned count)
{
    if (cols == 1) {
        memcpy(dst, src, (size_t)lda * count * sizeof(*dst));
    } else if (lda != 16 || cols != 2) {
        pto_mat_portable_untranspose_cells(dst, src, lda, cols, count);
    } else {
        for (; count > 0; count--, dst += 32, src += 32) {
            __m512i v[2] = { _mm512_loadu_si512(src),
                             _mm512_loadu_si512(src + 16) };

            merge512(v, 2);
            _mm512_storeu_si512(dst, v[0]);
            _mm512_storeu_si512(dst + 16, v[1]);
        }
    }
}

static void transpose_block_avx512(uint32_t *dst, size_t ldd,
                                   const uint32_t *src, size_t lds)
{
    __m512i v[16];

    UNROLL
    for (unsigned i = 0; i < 16; i++) {
        v[i] = _mm512_loadu_si512(src + i * lds);
    }
    split_all512(v, 1, 16);
    UNROLL
    for (unsigned i = 0; i < 16; i++) {
        _mm512_storeu_si512(dst + reversed(i, 16) * ldd, v[i]);
    }
}

static void interleave_avx512(uint32_t *dst, const uint16_t *lo,
                              const uint16_t *hi, size_t count)
{
    size_t i = 0;

    for (; i + 16 <= count; i += 16) {
        __m512i l = _mm512_cvtepu16_epi32(
            _mm256_loadu_si256((const __m256i *)(lo + i)));
        __m512i h = _mm512_cvtepu16_epi32(
            _mm256_loadu_si256((const __m256i *)(hi + i)));

        _mm512_storeu_si512(dst + i,
                            _mm512_or_si512(l, _mm512_slli_epi32(h, 16)));
    }
    pto_mat_portable_interleave(dst + i, lo + i, hi + i, count - i);
}

INLINE void scale512(uint32_t *v, __m512 factor)
{
    _mm512_storeu_ps(v, _mm512_mul_ps(_mm512_loadu_ps(v), factor));
}

static void scale_lanes_avx512(uint32_t *v, const uint32_t *factor,
                               unsigned lanes, unsigned steps)
{
    __m512 low = _mm512_loadu_ps(factor);
    __m512 high = lanes > 16 ? _mm512_loadu_ps(factor + 16) : low;

    for (; steps > 0; steps--, v += lanes) {
        scale512(v, low);
        if (lanes > 16) {
            scale512(v + 16, high);
        }
    }
}

static void scale_runs_avx512(uint32_t *v, const uint32_t *factor, unsigned run,
                              unsigned count)
{
    const __m512i quarter = _mm512_set_epi32(3, 3, 3, 3, 2, 2, 2, 2,
                                             1, 1, 1, 1, 0, 0, 0, 0);
    unsigned i = 0;

    if (run == 4) {
        for (; i + 4 <= count; i += 4, v += 16) {
            __m512i f = _mm512_castsi128_si512(
                _mm_loadu_si128((const __m128i *)(factor + i)));

            scale512(v, _mm512_castsi512_ps(
                         _mm512_permutexvar_epi32(quarter, f)));
        }
    } else if (run % 16 == 0) {
        for (; i < count; i++) {
            __m512 f = _mm512_castsi512_ps(_mm512_set1_epi32(factor[i]));

            for (unsigned s = 0; s < run; s += 16, v += 16) {
                scale512(v, f);
            }
        }
    }
    pto_mat_portable_scale_runs(v, factor + i, run, count - i);
}

static void hif4_factors_avx512(uint32_t *dst, const uint32_t *words,
                                unsigned count)
{
    const __m512i one = _mm512_set1_epi32(1);
    const __m512i shift16 = _mm512_set_epi32(31, 30, 29, 28, 27, 26, 25, 24,
                                             23, 22, 21, 20, 19, 18, 17, 16);
    const __m512i shift8 = _mm512_set_epi32(15, 15, 14, 14, 13, 13, 12, 12,
                                            11, 11, 10, 10, 9, 9, 8, 8);

    for (unsigned i = 0; i < count; i++) {
        __m512i w = _mm512_set1_epi32(words[i]);
        /* Exponent and fraction of the base, with the bias of FP32. */
        uint32_t base = ((words[i] & 0xff) << 21) + ((127u - 48) << 23);
        __m512i e = _mm512_add_epi32(
            _mm512_and_si512(_mm512_srlv_epi32(w, shift16), one),
            _mm512_and_si512(_mm512_srlv_epi32(w, shift8), one));

        e = _mm512_add_epi32(_mm512_slli_epi32(e, 23), _mm512_set1_epi32(base));
        if ((words[i] & 0xff) == 0xff) {
            e = _mm512_set1_epi32(PTO_F32_CANONICAL_NAN);
        }
        _mm512_storeu_si512(dst + 16 * i, e);
    }
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
    .flip_half = flip_half_avx512,
    .transpose_cells = transpose_cells_avx512,
    .untranspose_cells = untranspose_cells_avx512,
    .transpose_block = transpose_block_avx512,
    .interleave = interleave_avx512,
    .scale_lanes = scale_lanes_avx512,
    .scale_runs = scale_runs_avx512,
    .hif4_factors = hif4_factors_avx512,
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
    size_t run = p->cr, lda = p->lda;
    unsigned live = MIN(4, p->n - j0);
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
                                (size_t)(j0 + j) * p->ldd + r0 + 8 * v) :
                _mm256_setzero_ps();
        }
    }
    for (size_t s = 0; s < p->steps; s += run) {
        size_t end = MIN(run, p->steps - s);

        for (size_t i = 0; i < end; i++, a += lda) {
            __m256 row0 = _mm256_loadu_ps(a), row1 = _mm256_loadu_ps(a + 8);

            UNROLL
            for (unsigned j = 0; j < 4; j++) {
                __m256 x = _mm256_set1_ps(cell[j * run + i]);

                acc[2 * j] = step256(acc[2 * j], row0, x, integer);
                acc[2 * j + 1] = step256(acc[2 * j + 1], row1, x, integer);
            }
        }
        cell += p->cell;
    }
    UNROLL
    for (unsigned j = 0; j < 4; j++) {
        if (j < live) {
            const uint32_t *bias = p->bias ? p->bias + j0 + j : NULL;
            unsigned rows = MIN(16, p->m - MIN(p->m, r0));
            uint32_t *d = p->d + (size_t)(j0 + j) * p->ldd + r0;

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
    unsigned saved = mxcsr_enter();

    for (unsigned j = 0; j < p->n; j += 4) {
        for (unsigned r = 0; r < p->ldd; r += 16) {
            block256(p, j, r, false);
        }
    }
    mxcsr_leave(saved);
}

static void __attribute__((noinline)) product_s16_avx2(const PtoMatPanels *p)
{
    for (unsigned j = 0; j < p->n; j += 4) {
        for (unsigned r = 0; r < p->ldd; r += 16) {
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
    .flip_half = pto_mat_portable_flip_half,
    .transpose_cells = pto_mat_portable_transpose_cells,
    .untranspose_cells = pto_mat_portable_untranspose_cells,
    .transpose_block = pto_mat_portable_transpose_block,
    .interleave = pto_mat_portable_interleave,
    .scale_lanes = pto_mat_portable_scale_lanes,
    .scale_runs = pto_mat_portable_scale_runs,
    .hif4_factors = pto_mat_portable_hif4_factors,
};

static bool have_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("f16c");
}

static bool have_avx512(void)
{
#if !defined(__clang__) && __GNUC__ >= 12
    /* One test for all; it also asks for what every such host has. */
    if (__builtin_cpu_supports("x86-64-v4")) {
        return true;
    }
#endif
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
