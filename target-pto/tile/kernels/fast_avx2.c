/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Row loops for x86 hosts with AVX2, FMA and F16C.
 */
#include "tile/port.h"
#include "tile/kernels/exp_table.h"
#include "tile/kernels/fast.h"

#if defined(__x86_64__)
#include <immintrin.h>

#pragma GCC optimize ("O3", "no-math-errno", "fp-contract=off")

#define PTO_TARGET __attribute__((target("avx2,fma,f16c")))
#define PTO_HAVE_FMA 1
#define PTO_HAVE_F16C 1
#define PTO_TABLE pto_fast_avx2

#define LANES32 8
#define load32 _mm256_loadu_ps
#define store32 _mm256_storeu_ps
#define sqrt32 _mm256_sqrt_ps
#define LANES64 4
#define load64 _mm256_loadu_pd
#define store64 _mm256_storeu_pd
#define sqrt64 _mm256_sqrt_pd

#define HALF_LANES 8
#define HALF_FLOATS __m256
#define HALF_ADD _mm256_add_ps
#define HALF_SUB _mm256_sub_ps
#define HALF_MUL _mm256_mul_ps
#define HALF_DIV _mm256_div_ps

static inline PTO_TARGET __m256 half_load(const uint8_t *p)
{
    return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p));
}

static inline PTO_TARGET __m256 half_words(const uint32_t *p)
{
    return _mm256_loadu_ps((const float *)p);
}

static inline PTO_TARGET __m256 half_splat(uint16_t v)
{
    return _mm256_cvtph_ps(_mm_set1_epi16((short)v));
}

/* The canonical FP32 NaN narrows to the canonical FP16 NaN. */
static inline PTO_TARGET void half_store(uint8_t *p, __m256 r)
{
    __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fc00000));

    r = _mm256_blendv_ps(r, nan, _mm256_cmp_ps(r, r, _CMP_UNORD_Q));
    _mm_storeu_si128((__m128i *)p,
                     _mm256_cvtps_ph(r, _MM_FROUND_TO_NEAREST_INT));
}

#include "fast_loops.c.inc"
#endif
