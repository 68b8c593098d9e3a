/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a C programmer would write; built with -O3 -march=native as the
 * yardstick of bench-vec.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include "bench-vec.h"

#define LOOP2(name, T, expr)                                            \
    static void name(void *restrict d, const void *restrict a,          \
                     const void *restrict b, const void *restrict c,    \
                     size_t n)                                          \
    {                                                                   \
        T *dt = d;                                                      \
        const T *x = a, *y = b, *z = c;                                 \
                                                                        \
        (void)y, (void)z;                                               \
        for (size_t i = 0; i < n; i++) {                                \
            dt[i] = expr;                                               \
        }                                                               \
    }

LOOP2(add_f32, float, x[i] + y[i])
LOOP2(mul_f32, float, x[i] * y[i])
LOOP2(div_f32, float, x[i] / y[i])
LOOP2(max_f32, float, x[i] > y[i] ? x[i] : y[i])
LOOP2(fma_f32, float, __builtin_fmaf(x[i], y[i], z[i]))
LOOP2(add_f64, double, x[i] + y[i])
LOOP2(add_s32, uint32_t, x[i] + y[i])
LOOP2(mul_s32, uint32_t, x[i] * y[i])
LOOP2(max_s32, int32_t, x[i] > y[i] ? x[i] : y[i])
LOOP2(add_s16, uint16_t, x[i] + y[i])
LOOP2(add_s8, uint8_t, x[i] + y[i])
LOOP2(and_u32, uint32_t, x[i] & y[i])
LOOP2(shl_u32, uint32_t, x[i] << (y[i] & 31))
LOOP2(shr_s16, int16_t, x[i] >> (y[i] & 15))
LOOP2(fma_s32, uint32_t, x[i] * y[i] + z[i])
LOOP2(abs_s32, int32_t, x[i] < 0 ? -(uint32_t)x[i] : (uint32_t)x[i])
LOOP2(not_u8, uint8_t, ~x[i])
LOOP2(exp_f32, float, expf(x[i]))
LOOP2(log_f32, float, logf(x[i]))
LOOP2(rec_f32, float, 1.0f / x[i])

const BenchLoop bench_loops[] = {
    { "add_f32", add_f32 }, { "mul_f32", mul_f32 }, { "div_f32", div_f32 },
    { "max_f32", max_f32 }, { "fma_f32", fma_f32 }, { "add_f64", add_f64 },
    { "add_s32", add_s32 }, { "mul_s32", mul_s32 }, { "max_s32", max_s32 },
    { "add_s16", add_s16 }, { "add_s8", add_s8 }, { "and_u32", and_u32 },
    { "shl_u32", shl_u32 }, { "shr_s16", shr_s16 }, { "fma_s32", fma_s32 },
    { "abs_s32", abs_s32 }, { "not_u8", not_u8 }, { "exp_f32", exp_f32 },
    { "log_f32", log_f32 }, { "rec_f32", rec_f32 }, { NULL, NULL },
};
