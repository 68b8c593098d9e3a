/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The strip functions of TREM, TQUANT and TDEQUANT against the numeric engine,
 * element by element, on random and special operands; flags included.
 */
#include "tile/kernels/strips.h"

#define N 64

static unsigned checks, failures;
static uint64_t seed = 0x2545f4914f6cdd1du;

static uint64_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* Mostly near one, often special, sometimes anything. */
static uint64_t random_element(PtoDataType type)
{
    const PtoFormat *f = pto_format(type);
    uint64_t sign = UINT64_C(1) << (pto_type_bits(type) - 1), v;
    unsigned low = f->frac_bits + f->carrier_shift;

    switch (next_random() % 8) {
    case 0:
        v = 0;
        break;
    case 1:
        v = f->inf ? f->inf : f->max_finite;
        break;
    case 2:
        v = f->canonical_nan;
        break;
    case 3:
        v = next_random() % 4 << f->carrier_shift;
        break;
    case 4:
        v = next_random();
        break;
    default:
        v = (uint64_t)(f->bias - 3 + next_random() % 7) << low |
            (next_random() & ((UINT64_C(1) << low) - 1));
        break;
    }
    v ^= next_random() & 1 ? sign : 0;
    v &= pto_type_mask(type) & ~((UINT64_C(1) << f->carrier_shift) - 1);
    return v;
}

static void compare(const char *what, PtoDataType type, size_t i, uint64_t got,
                    uint64_t want)
{
    checks++;
    if (got != want && failures++ < 20) {
        printf("%s %s [%zu]: 0x%" PRIx64 ", engine 0x%" PRIx64 "\n", what,
               pto_type_info[type].name, i, got, want);
    }
}

/*
 * A dividend next to a multiple of divisor @y: the quotient rounds to an
 * integer from both sides.
 */
static uint64_t near_multiple(PtoDataType type, uint64_t y)
{
    uint64_t factor = next_random() >> (11 + next_random() % 52);
    uint32_t flags = 0;
    uint64_t k, x;

    k = pto_elem_convert(PTO_U64, type, factor, PTO_ROUND_RNE, false, false,
                         &flags);
    x = pto_elem_binary(PTO_ELEM_MUL, type, k, y, PTO_ROUND_RNE, &flags);
    return (x + next_random() % 3 - 1) & pto_type_mask(type);
}

static void check_remainder(PtoDataType type)
{
    PtoStripOp k = pto_strip_binary(PTO_ELEM_REM, type, false);
    unsigned bytes = pto_strip_bytes(type);
    uint64_t a[N], b[N], d[N];

    for (unsigned round = 0; round < 20000; round++) {
        /* Single elements now and then, so that flags are told apart. */
        size_t n = round % 4 ? 1 : N;
        uint32_t flags = 0, got;

        for (size_t i = 0; i < n; i++) {
            uint64_t y = random_element(type);
            bool near = (type == PTO_FP64 || type == PTO_FP32) &&
                        next_random() & 1;

            pto_strip_put(a, bytes, i, near ? near_multiple(type, y)
                                            : random_element(type));
            pto_strip_put(b, bytes, i, y);
        }
        got = k.run(&k, d, a, b, NULL, n);
        for (size_t i = 0; i < n; i++) {
            uint64_t want = pto_elem_binary(
                PTO_ELEM_REM, type, pto_strip_get(a, bytes, i),
                pto_strip_get(b, bytes, i), PTO_ROUND_RNE, &flags);

            compare("TREM", type, i, pto_strip_get(d, bytes, i), want);
        }
        compare("TREM flags", type, n, got, flags);
    }
}

static void check_quant(PtoDataType type)
{
    for (unsigned round = 0; round < 8000; round++) {
        uint64_t scale = 0x3f800000;
        int64_t zp = (int64_t)(next_random() % 256) -
                     (type == PTO_S8 ? 128 : 0);
        PtoRound mode = next_random() % 7 + 1;
        bool sat = next_random() & 1;
        size_t n = round % 4 ? 1 : N;
        uint32_t x[N], flags = 0, got;
        uint8_t d[N];
        PtoStripOp k;

        if (round % 3) {
            scale = random_element(PTO_FP32) & INT32_MAX;
            scale = scale && scale < 0x7f800000 ? scale : 0x40000000;
        }
        for (size_t i = 0; i < n; i++) {
            /* Many ties: eighths of small integers. */
            float f = (int)(next_random() % 4096 - 2048) / 8.0f;

            x[i] = next_random() & 1 ? random_element(PTO_FP32)
                                     : pto_float_bits(f);
        }
        k = pto_strip_quant(type, scale, zp, mode, sat);
        got = k.run(&k, d, x, NULL, NULL, n);
        for (size_t i = 0; i < n; i++) {
            compare("TQUANT", type, i, d[i],
                    pto_elem_quant(type, x[i], scale, zp, mode, sat, &flags) &
                    255);
        }
        compare("TQUANT flags", type, n, got, flags);
    }
}

static void check_dequant(PtoDataType type)
{
    for (unsigned round = 0; round < 500; round++) {
        uint64_t scale = random_element(PTO_FP32) & INT32_MAX;
        int64_t zp = (int64_t)(next_random() % 256) -
                     (type == PTO_S8 ? 128 : 0);
        PtoRound mode = next_random() % 7 + 1;
        uint32_t d[N], flags = 0, got;
        uint8_t q[N];
        PtoStripOp k;

        scale = scale && scale < 0x7f800000 ? scale : 1;
        for (size_t i = 0; i < N; i++) {
            q[i] = next_random();
        }
        k = pto_strip_dequant(type, scale, zp, mode, false);
        got = k.run(&k, d, q, NULL, NULL, N);
        for (size_t i = 0; i < N; i++) {
            compare("TDEQUANT", type, i, d[i],
                    pto_elem_dequant(type, q[i], scale, zp, mode, &flags));
        }
        compare("TDEQUANT flags", type, N, got, flags);
    }
}

int main(void)
{
    static const PtoDataType floats[] = {
        PTO_FP64, PTO_FP32, PTO_TF32, PTO_HF32, PTO_FP16, PTO_BF16, PTO_E4M3,
        PTO_E5M2,
    };

    for (unsigned i = 0; i < ARRAY_SIZE(floats); i++) {
        check_remainder(floats[i]);
    }
    check_quant(PTO_S8);
    check_quant(PTO_U8);
    check_dequant(PTO_S8);
    check_dequant(PTO_U8);
    printf("%u checks, %u failures\n", checks, failures);
    return failures != 0;
}
