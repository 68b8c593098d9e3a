/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PTO_BENCH_VEC_H
#define PTO_BENCH_VEC_H

#include <stddef.h>

typedef void BenchLoopFn(void *restrict d, const void *restrict a,
                         const void *restrict b, const void *restrict c,
                         size_t n);

typedef struct BenchLoop {
    const char *name;
    BenchLoopFn *run;
} BenchLoop;

/* Ends with a NULL name. */
extern const BenchLoop bench_loops[];

#endif
