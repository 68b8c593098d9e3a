/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Row loops for any host.
 */
#include "tile/port.h"
#include "tile/kernels/exp_table.h"
#include "tile/kernels/fast.h"

#pragma GCC optimize ("O3", "no-math-errno", "fp-contract=off")

#if defined(__x86_64__)
#include <emmintrin.h>

#define LANES32 4
#define load32 _mm_loadu_ps
#define store32 _mm_storeu_ps
#define sqrt32 _mm_sqrt_ps
#define LANES64 2
#define load64 _mm_loadu_pd
#define store64 _mm_storeu_pd
#define sqrt64 _mm_sqrt_pd
#endif

#define PTO_TARGET
#define PTO_HAVE_FMA 0
#define PTO_HAVE_F16C 0
#define PTO_TABLE pto_fast_portable

#include "fast_loops.c.inc"
