/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One-operand operations on every FP16 and BF16 encoding: rows of all
 * encodings, and one-element rows for the flags, against the numeric engine.
 */
#include "tile/kernels/rows.h"

#define CODES 65536

static const char *const names[] = {
    [PTO_ELEM_ABS] = "TABS", [PTO_ELEM_NEG] = "TNEG", [PTO_ELEM_RELU] = "TRELU",
    [PTO_ELEM_EXP] = "TEXP", [PTO_ELEM_LOG] = "TLOG", [PTO_ELEM_SQRT] = "TSQRT",
    [PTO_ELEM_RSQRT] = "TRSQRT", [PTO_ELEM_RECIP] = "TRECIP",
};

static unsigned passed, failed;

static void expect(const char *what, unsigned op, PtoDataType type, unsigned a,
                   uint32_t got, uint32_t want)
{
    if (got == want) {
        passed++;
    } else if (failed++ < 20) {
        printf("%s %s 0x%x: %s 0x%x, engine 0x%x\n", names[op],
               pto_type_info[type].name, a, what, got, want);
    }
}

static void check(unsigned op, PtoDataType type, uint16_t *all, uint16_t *out)
{
    uint32_t flags = 0, engine = 0;

    pto_row_unary(op, type, out, all, CODES, &flags);
    for (unsigned a = 0; a < CODES; a++) {
        uint32_t got = 0, want = 0, r;
        uint16_t one;

        pto_row_unary(op, type, &one, &all[a], 1, &got);
        r = pto_elem_unary(op, type, a, PTO_ROUND_RNE, &want);
        engine |= want;
        expect("result", op, type, a, out[a], r);
        expect("single result", op, type, a, one, r);
        expect("flags", op, type, a, got, want);
    }
    expect("flags of all", op, type, 0, flags, engine);
}

int main(void)
{
    uint16_t *all = pto_alloc(CODES * sizeof(*all));
    uint16_t *out = pto_alloc(CODES * sizeof(*out));

    for (unsigned a = 0; a < CODES; a++) {
        all[a] = a;
    }
    for (unsigned op = 0; op < PTO_ELEM_UNARY_COUNT; op++) {
        if (op < ARRAY_SIZE(names) && names[op]) {
            check(op, PTO_FP16, all, out);
            check(op, PTO_BF16, all, out);
        }
    }
    pto_free(all);
    pto_free(out);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
