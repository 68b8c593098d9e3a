/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * FP64 exponential, logarithm and reciprocal square root by rows against the
 * numeric engine: operands of every size, near zero and near one, and special
 * ones; bits and flags.
 *
 *   sfu64 [rounds of 64 elements for each operation]
 */
#include <stdlib.h>
#include "tile/kernels/rows.h"

#define N 64

static uint64_t seed = 0x9e3779b97f4a7c15u;

static uint64_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static uint64_t operand(void)
{
    static const uint64_t special[] = {
        0, UINT64_C(1) << 63, 1, UINT64_C(0x3ff0000000000000),
        UINT64_C(0x3ff0000000000001), UINT64_C(0x3fefffffffffffff),
        UINT64_C(0x7ff0000000000000), UINT64_C(0xfff0000000000000),
        UINT64_C(0x7ff8000000000000), UINT64_C(0x7ff0000000000001),
        UINT64_C(0x40862e42fefa39ef), UINT64_C(0xc0874910d52d3051),
        UINT64_C(0x0010000000000000), UINT64_C(0x7fefffffffffffff),
    };
    uint64_t r = next_random(), frac = r >> 12, exponent;

    switch (next_random() % 16) {
    case 0:
        return next_random() % 8 ? r : special[r % ARRAY_SIZE(special)];
    case 1:
    case 2:
    case 3:
        /* One plus or minus 2^-1 .. 2^-52. */
        return UINT64_C(0x3ff0000000000000) +
               (r & 1 ? frac >> next_random() % 52
                      : -(frac >> next_random() % 52));
    case 4:
    case 5:
        exponent = 1023 - r % 80;
        break;
    default:
        exponent = 1020 + r % 13;
        break;
    }
    return (r & 2) << 62 | exponent << 52 | frac;
}

static unsigned check(PtoElemUnary op, const char *name, bool single)
{
    uint64_t a[N], d[N];
    uint32_t got = 0, want = 0;
    size_t n = single ? 1 : N;
    unsigned failures = 0;

    for (size_t i = 0; i < n; i++) {
        a[i] = operand();
    }
    pto_row_unary(op, PTO_FP64, d, a, n, &got);
    for (size_t i = 0; i < n; i++) {
        uint64_t r = pto_elem_unary(op, PTO_FP64, a[i], PTO_ROUND_RNE, &want);

        if (r != d[i]) {
            printf("%s 0x%" PRIx64 ": 0x%" PRIx64 ", engine 0x%" PRIx64 "\n",
                   name, a[i], d[i], r);
            failures++;
        }
    }
    if (got != want) {
        printf("%s 0x%" PRIx64 "...: flags 0x%x, engine 0x%x\n", name, a[0],
               got, want);
        failures++;
    }
    return failures;
}

int main(int argc, char **argv)
{
    static const struct {
        PtoElemUnary op;
        const char *name;
    } ops[] = {
        { PTO_ELEM_EXP, "TEXP" }, { PTO_ELEM_LOG, "TLOG" },
        { PTO_ELEM_RSQRT, "TRSQRT" },
    };
    unsigned rounds = argc > 1 ? strtoul(argv[1], NULL, 0) : 4000;
    unsigned failures = 0;

    for (unsigned i = 0; i < ARRAY_SIZE(ops); i++) {
        for (unsigned k = 0; k < rounds; k++) {
            failures += check(ops[i].op, ops[i].name, k % 4 == 0);
        }
    }
    printf("%u passed, %u failed\n", 3 * rounds - MIN(failures, 3 * rounds),
           failures);
    return failures != 0;
}
