/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Widening to FP32 words and the plans of the roundings from them.
 */
#include "tile/port.h"
#include <stdatomic.h>
#include "tile/kernels/narrow.h"
#include "tile/kernels/rows.h"

#pragma GCC optimize ("O3")

/* Number 2^1000 or infinity through the reference, for the special results. */
static uint32_t special_code(const PtoFormat *fmt, PtoNumClass cls, bool sign,
                             PtoRound mode, bool sat, uint32_t *flags)
{
    PtoNum n = { .cls = cls, .sign = sign, .exp = 1000,
                 .sig = (PtoU128)1 << 127 };

    return pto_num_round(fmt, &n, mode, sat, flags);
}

/* FP32 magnitude from which rounding in @mode reaches the normal range. */
static uint32_t tiny_bound(const PtoFormat *fmt, PtoRound mode, bool sign)
{
    uint32_t field = fmt->emin + 127;
    uint32_t normal = field << 23;
    uint32_t unit = 1u << ((field >= 2 ? 23 : 22) - MIN(fmt->frac_bits, 21));

    if (fmt->frac_bits >= 22) {
        return normal;      /* FP32 itself: never inexact */
    }
    switch (mode) {
    case PTO_ROUND_RTZ:
    case PTO_ROUND_RTO:
        return normal;
    case PTO_ROUND_RUP:
        return sign ? normal : normal - unit + 1;
    case PTO_ROUND_RDN:
        return sign ? normal - unit + 1 : normal;
    case PTO_ROUND_RHB:
        return normal - unit / 2 + sign;
    default:
        return normal - unit / 2;
    }
}

static void set_increment(PtoNarrow *p, PtoRound mode, bool sign)
{
    bool outward = mode == (sign ? PTO_ROUND_RDN : PTO_ROUND_RUP);
    bool nearest = mode == PTO_ROUND_RNE || mode == PTO_ROUND_NONE ||
                   mode == PTO_ROUND_RNA || mode == PTO_ROUND_RHB;
    bool even = mode == PTO_ROUND_RNE || mode == PTO_ROUND_NONE;

    p->add_mask[sign] = outward ? UINT32_MAX : 0;
    p->add_half[sign] = nearest ? UINT32_MAX : 0;
    p->minus_one[sign] = even || (mode == PTO_ROUND_RHB && sign);
    p->add_even = even;
    p->to_odd = mode == PTO_ROUND_RTO;
}

PtoNarrow pto_narrow_plan(PtoDataType type, PtoRound mode, bool sat, bool canon)
{
    const PtoFormat *fmt = pto_format(type);
    PtoNarrow p = {
        .frac_bits = fmt->frac_bits,
        .emin_field = fmt->emin + 127,
        .shift_out = fmt->carrier_shift,
        .sign_shift = 31 - (fmt->exp_bits + fmt->frac_bits + fmt->carrier_shift),
        .max_code = fmt->max_finite >> fmt->carrier_shift,
        .snan_flags = canon ? 0 : PTO_FLAG_NV,
        .uf_flags = fmt->flags & PTO_FMT_NO_UF ? 0 : PTO_FLAG_UF,
    };
    uint32_t unused = 0;

    for (int sign = 0; sign < 2; sign++) {
        set_increment(&p, mode, sign);
        p.tiny_below[sign] = tiny_bound(fmt, mode, sign);
        p.overflow[sign] = special_code(fmt, PTO_NUM_FINITE, sign, mode, sat,
                                        &unused);
        p.infinity[sign] = special_code(fmt, PTO_NUM_INF, sign, mode, sat,
                                        &p.inf_flags);
    }
    p.nan_code = special_code(fmt, PTO_NUM_QNAN, false, mode, sat,
                              &p.nan_flags);
    return p;
}

PtoNarrow pto_narrow_plan_arith(PtoDataType type)
{
    PtoNarrow p = pto_narrow_plan(type, PTO_ROUND_RNE, false, true);

    p.inf_flags = 0;
    return p;
}

/* FP32 word of one element of a narrow floating type, NaN class kept. */
static uint32_t widen_element(PtoDataType type, uint64_t bits)
{
    PtoNum n = pto_num_unpack(type, bits);
    uint32_t unused = 0;

    if (n.cls == PTO_NUM_SNAN) {
        return 0x7fa00000;
    }
    return pto_num_round(pto_format(PTO_FP32), &n, PTO_ROUND_RNE, false,
                         &unused);
}

/*
 * FP32 words of all encodings of a type of at most eight bits.  The table is
 * built on first use; when two threads build it at once one copy is dropped.
 */
static const uint32_t *small_table(PtoDataType type)
{
    static _Atomic(uint32_t *) tables[PTO_DTYPE_CODES];
    unsigned codes = 1u << pto_type_bits(type);
    uint32_t *table = atomic_load(&tables[type]), *none = NULL;

    if (table) {
        return table;
    }
    table = pto_alloc(codes * sizeof(table[0]));
    for (unsigned c = 0; c < codes; c++) {
        table[c] = widen_element(type, c);
    }
    if (!atomic_compare_exchange_strong(&tables[type], &none, table)) {
        pto_free(table);
        table = none;
    }
    return table;
}

static void widen_small(PtoDataType type, const void *row, size_t n,
                        uint32_t *words)
{
    const uint32_t *table = small_table(type);
    const uint8_t *p = row;

    if (pto_type_is_4bit(type)) {
        for (size_t i = 0; i < n; i++) {
            words[i] = table[p[i / 2] >> (i % 2 * 4) & 15];
        }
    } else {
        for (size_t i = 0; i < n; i++) {
            words[i] = table[p[i]];
        }
    }
}

static uint32_t snan_flag(const uint32_t *words, size_t n)
{
    uint32_t found = 0;

    for (size_t i = 0; i < n; i++) {
        uint32_t mag = words[i] & 0x7fffffff;

        found |= (mag > 0x7f800000) & !(mag & 0x400000);
    }
    return found ? PTO_FLAG_NV : 0;
}

uint32_t pto_widen_words(const PtoFastTable *t, PtoDataType type,
                         const void *row, size_t n, uint32_t *words)
{
    const uint16_t *half = row;

    switch (type) {
    case PTO_FP32:
    case PTO_TF32:
    case PTO_HF32:
        memcpy(words, row, n * sizeof(words[0]));
        break;
    case PTO_FP16:
        t->widen_fp16(words, row, n);
        break;
    case PTO_BF16:
        for (size_t i = 0; i < n; i++) {
            words[i] = (uint32_t)half[i] << 16;
        }
        break;
    default:
        widen_small(type, row, n, words);
        break;
    }
    return snan_flag(words, n);
}

uint32_t pto_narrow_words(const PtoFastTable *t, PtoDataType type, void *row,
                          const uint32_t *words, size_t n,
                          const PtoNarrow *plan)
{
    uint8_t codes[512];
    uint8_t *p = row;
    uint32_t flags = 0;

    switch (pto_type_bits(type)) {
    case 32:
        return t->narrow32(row, words, n, plan);
    case 16:
        return t->narrow16(row, words, n, plan);
    case 8:
        return t->narrow8(row, words, n, plan);
    default:
        break;
    }
    for (size_t base = 0; base < n; base += sizeof(codes)) {
        size_t count = MIN(n - base, sizeof(codes));

        flags |= t->narrow8(codes, words + base, count, plan);
        for (size_t i = 0; i < count; i++) {
            pto_elem_store(type, p, base + i, codes[i]);
        }
    }
    return flags;
}

bool pto_row_encodings_valid(PtoDataType type, const void *row, size_t n)
{
    const uint32_t __attribute__((may_alias)) *words = row;
    const uint8_t *bytes = row;
    uint32_t stray = 0;

    switch (type) {
    case PTO_TF32:
    case PTO_HF32:
        for (size_t i = 0; i < n; i++) {
            stray |= words[i];
        }
        return !(stray & ((1u << pto_format(type)->carrier_shift) - 1));
    case PTO_E3M2:
    case PTO_E2M3:
        for (size_t i = 0; i < n; i++) {
            stray |= bytes[i];
        }
        return !(stray & 0xc0);
    default:
        return true;
    }
}
