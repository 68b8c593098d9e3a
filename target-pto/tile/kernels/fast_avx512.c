/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Row loops for x86 hosts with AVX-512 F, BW, DQ and VL.
 */
#include "tile/port.h"
#include "tile/kernels/exp_table.h"
#include "tile/kernels/fast.h"

#if defined(__x86_64__)
/* GCC 12 takes its own "undefined" registers for a mistake (GCC PR 105593). */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#pragma GCC optimize ("O3", "no-math-errno", "fp-contract=off")

#define PTO_TARGET \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,fma,f16c")))
#define PTO_HAVE_FMA 1
#define PTO_HAVE_F16C 1
#define PTO_TABLE pto_fast_avx512

#define LANES32 16
#define load32 _mm512_loadu_ps
#define store32 _mm512_storeu_ps
#define sqrt32 _mm512_sqrt_ps
#define LANES64 8
#define load64 _mm512_loadu_pd
#define store64 _mm512_storeu_pd
#define sqrt64 _mm512_sqrt_pd

#define HALF_LANES 16
#define HALF_FLOATS __m512
#define HALF_ADD _mm512_add_ps
#define HALF_SUB _mm512_sub_ps
#define HALF_MUL _mm512_mul_ps
#define HALF_DIV _mm512_div_ps

static inline PTO_TARGET __m512 half_load(const uint8_t *p)
{
    return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)p));
}

static inline PTO_TARGET __m512 half_words(const uint32_t *p)
{
    return _mm512_loadu_ps((const float *)p);
}

static inline PTO_TARGET __m512 half_splat(uint16_t v)
{
    return _mm512_cvtph_ps(_mm256_set1_epi16((short)v));
}

/* The canonical FP32 NaN narrows to the canonical FP16 NaN. */
static inline PTO_TARGET void half_store(uint8_t *p, __m512 r)
{
    __m512 nan = _mm512_castsi512_ps(_mm512_set1_epi32(0x7fc00000));
    __mmask16 unordered = _mm512_cmp_ps_mask(r, r, _CMP_UNORD_Q);

    r = _mm512_mask_mov_ps(r, unordered, nan);
    _mm256_storeu_si256((__m256i *)p,
                        _mm512_cvtps_ph(r, _MM_FROUND_TO_NEAREST_INT));
}

#include "fast_loops.c.inc"
#endif
