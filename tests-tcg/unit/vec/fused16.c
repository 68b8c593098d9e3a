/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fused FP16 and BF16 multiply-add by rows against the numeric engine: few
 * significant bits, so that exact and inexact ties are frequent; bits and
 * flags.
 */
#include "tile/kernels/rows.h"

#define N 64
#define ROUNDS 20000

static uint64_t seed = 0x2545f4914f6cdd1du;

static uint64_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static uint16_t operand(PtoDataType type)
{
    const PtoFormat *f = pto_format(type);
    unsigned cut = next_random() % (f->frac_bits + 1);
    uint64_t r = next_random(), frac = (r >> 1 & 0x3ff) >> cut << cut;

    if (next_random() % 64 == 0) {
        return r;
    }
    return (r & 1) << 15 |
           (uint64_t)(f->bias + (int)(r >> 16 & 15) - 8) << f->frac_bits |
           (frac & ((1u << f->frac_bits) - 1));
}

static unsigned check(PtoDataType type, size_t n)
{
    uint16_t a[N], b[N], c[N], d[N];
    uint32_t got = 0, want = 0;
    unsigned failures = 0;

    for (size_t i = 0; i < n; i++) {
        a[i] = operand(type);
        b[i] = operand(type);
        c[i] = operand(type);
    }
    pto_rows_fma(type, (PtoRowsOut) { d, 0 }, (PtoRows) { a, 0, false },
                 (PtoRows) { b, 0, false }, (PtoRows) { c, 0, false }, 1, n,
                 &got);
    for (size_t i = 0; i < n; i++) {
        uint16_t r = pto_elem_fma(type, a[i], b[i], c[i], PTO_ROUND_RNE, &want);

        if (r != d[i]) {
            printf("%s 0x%x * 0x%x + 0x%x: 0x%x, engine 0x%x\n",
                   pto_type_info[type].name, a[i], b[i], c[i], d[i], r);
            failures++;
        }
    }
    if (got != want) {
        printf("%s 0x%x * 0x%x + 0x%x...: flags 0x%x, engine 0x%x\n",
               pto_type_info[type].name, a[0], b[0], c[0], got, want);
        failures++;
    }
    return failures;
}

int main(void)
{
    unsigned failed = 0;

    for (unsigned k = 0; k < ROUNDS && failed < 20; k++) {
        failed += check(k & 1 ? PTO_FP16 : PTO_BF16, k % 4 < 2 ? N : 1);
    }
    printf("%u passed, %u failed\n", ROUNDS - failed, failed);
    return failed != 0;
}
