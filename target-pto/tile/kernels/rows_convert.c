/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fast TCVT, TQUANT and TDEQUANT of rows.
 *
 * Chunks go through one of three intermediates that hold every source value
 * exactly (or odd-rounded, which the last rounding cannot tell apart): FP32
 * words, FP64, and 64-bit integers.  What none of them covers is left to the
 * element reference.
 */
#include "tile/port.h"
#include <stdatomic.h>
#include "tile/kernels/narrow.h"
#include "tile/kernels/rows.h"

#pragma GCC optimize ("O3", "no-trapping-math", "fp-contract=off")

#define CHUNK 256

/* One conversion; 4-bit elements take a byte each when @loose is set. */
typedef struct Conversion {
    const PtoFastTable *t;
    PtoDataType src, dst;
    PtoRound mode;
    bool sat, canon, loose;
    PtoNarrow plan;
} Conversion;

typedef uint16_t __attribute__((may_alias)) alias16;
typedef uint32_t __attribute__((may_alias)) alias32;
typedef uint64_t __attribute__((may_alias)) alias64;

static size_t row_bytes(PtoDataType type, bool loose, size_t n)
{
    return pto_type_is_4bit(type) ? (loose ? n : n / 2)
                                  : n * (pto_type_bits(type) / 8);
}

/* ---- integer containers -------------------------------------------------- */

#define LOAD(T) for (size_t i = 0; i < n; i++) { v[i] = ((const T *)row)[i]; }

typedef int8_t __attribute__((may_alias)) alias_s8;
typedef int16_t __attribute__((may_alias)) alias_s16;
typedef int32_t __attribute__((may_alias)) alias_s32;

/* Values of an integer type, extended to 64 bits. */
static void load_integers(PtoDataType type, bool loose, const void *row,
                          int64_t *v, size_t n)
{
    const uint8_t *p = row;

    switch (type) {
    case PTO_S8:
        LOAD(alias_s8)
        break;
    case PTO_U8:
        LOAD(uint8_t)
        break;
    case PTO_S16:
        LOAD(alias_s16)
        break;
    case PTO_U16:
        LOAD(alias16)
        break;
    case PTO_S32:
        LOAD(alias_s32)
        break;
    case PTO_U32:
        LOAD(alias32)
        break;
    case PTO_S64:
    case PTO_U64:
        memcpy(v, row, n * sizeof(v[0]));
        break;
    default:
        for (size_t i = 0; i < n; i++) {
            unsigned nibble = loose ? p[i] : p[i / 2] >> (i % 2 * 4);

            nibble &= 15;
            v[i] = type == PTO_S4X2 ? (int64_t)(nibble ^ 8) - 8 : nibble;
        }
        break;
    }
}

#define STORE(T) for (size_t i = 0; i < n; i++) { ((T *)row)[i] = (T)v[i]; }

static void store_words(PtoDataType type, bool loose, void *row,
                        const int64_t *v, size_t n)
{
    uint8_t *p = row;

    switch (pto_type_bits(type)) {
    case 64:
        memcpy(row, v, n * sizeof(v[0]));
        break;
    case 32:
        STORE(alias32)
        break;
    case 16:
        STORE(alias16)
        break;
    case 8:
        STORE(uint8_t)
        break;
    default:
        for (size_t i = 0; i < n; i++) {
            if (loose) {
                p[i] = v[i] & 15;
            } else {
                pto_elem_store(type, row, i, v[i]);
            }
        }
        break;
    }
}

typedef struct IntRange {
    uint64_t max;           /* largest value */
    uint64_t min_magnitude; /* of the smallest value */
    uint64_t indefinite;
} IntRange;

static IntRange int_range(PtoDataType type)
{
    unsigned bits = pto_type_bits(type);
    uint64_t ones = pto_type_mask(type), top = UINT64_C(1) << (bits - 1);

    return pto_type_is_signed(type)
           ? (IntRange) { top - 1, top, top }
           : (IntRange) { ones, 0, ones };
}

/* Clamp; wrapping needs nothing, because stores cut to the element width. */
static void clamp_integers(PtoDataType src, PtoDataType dst, int64_t *v,
                           size_t n)
{
    IntRange r = int_range(dst);
    int64_t min = -r.min_magnitude;

    if (src == PTO_U64) {
        for (size_t i = 0; i < n; i++) {
            v[i] = (uint64_t)v[i] > r.max ? r.max : (uint64_t)v[i];
        }
        return;
    }
    for (size_t i = 0; i < n; i++) {
        int64_t x = v[i] < min ? min : v[i];

        v[i] = x >= 0 && (uint64_t)x > r.max ? (int64_t)r.max : x;
    }
}

/* ---- FP64 to integers ----------------------------------------------------- */

/*
 * Round magnitudes in @mode, then the range rules of N04.  @x holds every
 * source value exactly.
 */
static uint32_t double_to_int(const Conversion *c, const double *x, int64_t *v,
                              size_t n)
{
    const IntRange r = int_range(c->dst);
    bool even = c->mode == PTO_ROUND_RNE, to_odd = c->mode == PTO_ROUND_RTO;
    bool nearest = even || c->mode == PTO_ROUND_RNA ||
                   c->mode == PTO_ROUND_RHB;
    uint64_t outward[2] = { c->mode == PTO_ROUND_RUP,
                            c->mode == PTO_ROUND_RDN };
    uint64_t tie[2] = { nearest && !even,
                        c->mode == PTO_ROUND_RNA };
    uint64_t nx = 0, invalid = 0, clamped = 0;

    for (size_t i = 0; i < n; i++) {
        bool neg = x[i] < 0, nan = x[i] != x[i];
        double mag = neg ? -x[i] : x[i];
        bool huge = mag >= 0x1p64;
        double safe = huge || nan ? 0 : mag;
        uint64_t q = (uint64_t)safe;
        double part = safe - (double)q;
        uint64_t inexact = part != 0, half = part == 0.5, above = part > 0.5;
        uint64_t up, limit = neg ? r.min_magnitude : r.max;
        bool out;

        up = (inexact & outward[neg]) |
             (nearest & (above | (half & (tie[neg] | (even & q))))) |
             (to_odd & inexact & ~q & 1);
        q += up & 1;
        out = huge || q > limit;
        q = neg ? 0 - q : q;
        if (c->sat) {
            q = out ? (neg ? 0 - r.min_magnitude : r.max) : q;
            q = nan ? 0 : q;
        } else {
            q = out || nan ? r.indefinite : q;
        }
        v[i] = q;
        nx |= inexact & !out;
        invalid |= nan || (out && !c->sat);
        clamped |= out && c->sat && !nan;
    }
    return (nx & 1 ? PTO_FLAG_NX : 0) | (invalid ? PTO_FLAG_NV : 0) |
           (clamped ? PTO_FLAG_OF | PTO_FLAG_NX : 0);
}

/* ---- sources to FP64 ------------------------------------------------------ */

/*
 * 64-bit integers to FP64 rounded to odd: high and low half are exact, and the
 * error of their sum is too.
 */
static void integers_to_double(PtoDataType src, const int64_t *v, double *x,
                               size_t n)
{
    bool wide_unsigned = src == PTO_U64;

    if (pto_type_bits(src) < 64) {
        for (size_t i = 0; i < n; i++) {
            x[i] = (double)(int32_t)(v[i] >> 16) * 0x1p16 + (v[i] & 0xffff);
        }
        return;
    }
    for (size_t i = 0; i < n; i++) {
        union { double f; uint64_t u; } sum;
        uint64_t u = v[i];
        double high = wide_unsigned ? (double)(uint32_t)(u >> 32)
                                    : (double)(int32_t)(u >> 32);
        double low = (double)(uint32_t)u, err;

        high *= 0x1p32;
        sum.f = high + low;
        err = low - (sum.f - high);
        if (err != 0 && !(sum.u & 1)) {
            sum.u += (err > 0) == (sum.f > 0) ? 1 : -1;
        }
        x[i] = sum.f;
    }
}

/* NV of the signaling NaNs of an FP64 row. */
static uint32_t double_snan(const alias64 *bits, size_t n)
{
    uint64_t found = 0;

    for (size_t i = 0; i < n; i++) {
        uint64_t mag = bits[i] & INT64_MAX;

        found |= (mag > UINT64_C(0x7ff0000000000000)) &
                 !(mag & UINT64_C(0x0008000000000000));
    }
    return found ? PTO_FLAG_NV : 0;
}

static uint32_t load_words(const Conversion *c, const void *in, uint32_t *words,
                           size_t n)
{
    uint8_t packed[CHUNK / 2];

    if (c->loose && pto_type_is_4bit(c->src)) {
        memset(packed, 0, sizeof(packed));
        for (size_t i = 0; i < n; i++) {
            packed[i / 2] |= (((const uint8_t *)in)[i] & 15) << (i % 2 * 4);
        }
        in = packed;
    }
    return pto_widen_words(c->t, c->src, in, n, words);
}

/* Source chunk as FP64, exact or odd-rounded; NV of signaling NaNs. */
static uint32_t load_doubles(const Conversion *c, const void *in, double *x,
                             size_t n)
{
    int64_t v[CHUNK];
    uint32_t words[CHUNK], flags;

    if (pto_type_is_integer(c->src)) {
        load_integers(c->src, c->loose, in, v, n);
        integers_to_double(c->src, v, x, n);
        return 0;
    }
    if (c->src == PTO_FP64) {
        memcpy(x, in, n * sizeof(x[0]));
        return double_snan(in, n);
    }
    flags = load_words(c, in, words, n);
    c->t->widen_fp64(x, words, n);
    return flags;
}

/* ---- FP32 words to the formats without a plan ----------------------------- */

/*
 * HiF8 keeps at most three fraction bits, so a sign, the FP32 exponent and
 * seven fraction bits with the rest in the last one decide the result: a table
 * of code and flags for each (mode, sat), built on first use.
 */
static const uint16_t *hif8_table(PtoRound mode, bool sat)
{
    static _Atomic(uint16_t *) tables[16];
    unsigned slot = (unsigned)mode * 2 + sat;
    uint16_t *table = atomic_load(&tables[slot]), *none = NULL;

    if (table) {
        return table;
    }
    table = pto_alloc(65536 * sizeof(table[0]));
    for (unsigned key = 0; key < 65536; key++) {
        uint32_t flags = 0;
        uint64_t code = pto_elem_convert(PTO_BF16, PTO_HIF8, key, mode, sat,
                                         true, &flags);

        table[key] = code | flags << 8;
    }
    if (!atomic_compare_exchange_strong(&tables[slot], &none, table)) {
        pto_free(table);
        table = none;
    }
    return table;
}

static uint32_t words_to_hif8(const Conversion *c, const uint32_t *words,
                              uint8_t *out, size_t n)
{
    const uint16_t *table = hif8_table(c->mode, c->sat);
    unsigned flags = 0;

    for (size_t i = 0; i < n; i++) {
        uint32_t key = words[i] >> 16 | ((words[i] & 0xffff) != 0);
        unsigned entry;

        entry = table[key];
        out[i] = entry;
        flags |= entry;
    }
    return flags >> 8;
}

/* E8M0: the exponent, rounded at the square root of two (round_e8m0()). */
static uint32_t words_to_e8m0(const Conversion *c, const uint32_t *words,
                              uint8_t *out, size_t n)
{
    uint32_t flags = 0;

    for (size_t i = 0; i < n; i++) {
        uint32_t w = words[i], field = w >> 23, frac = w & 0x7fffff;
        bool up = frac > 0x3504f3;

        if (field == 0 && (w & 0x400000)) {
            frac = w << 1 & 0x7fffff;       /* 2^-127 .. 2^-126 */
            up = frac > 0x3504f3;
        } else if (field == 0 || field >= 254) {
            out[i] = pto_elem_convert(PTO_FP32, PTO_E8M0, w, c->mode, c->sat,
                                      true, &flags);
            continue;
        }
        switch (c->mode) {
        case PTO_ROUND_RDN:
            up = false;
            break;
        case PTO_ROUND_RUP:
            up = true;
            break;
        case PTO_ROUND_RTZ:
            up = field < 127;
            break;
        case PTO_ROUND_RTO:
            up = field & 1;
            break;
        default:
            break;
        }
        out[i] = field + (up && frac);
        flags |= frac ? PTO_FLAG_NX : 0;
    }
    return flags;
}

static uint32_t store_narrow(const Conversion *c, void *out,
                             const uint32_t *words, size_t n)
{
    if (c->dst == PTO_HIF8) {
        return words_to_hif8(c, words, out, n);
    }
    if (c->dst == PTO_E8M0) {
        return words_to_e8m0(c, words, out, n);
    }
    if (c->loose && pto_type_is_4bit(c->dst)) {
        return c->t->narrow8(out, words, n, &c->plan);
    }
    return pto_narrow_words(c->t, c->dst, out, words, n, &c->plan);
}

/* ---- FP64 as the destination, or to FP32 ---------------------------------- */

/* NaN and infinity rules N05 and N06 of a wide destination. */
static uint32_t double_specials(const Conversion *c, alias64 *bits, size_t n)
{
    const uint64_t inf = UINT64_C(0x7ff0000000000000);
    uint64_t nan_code = c->sat ? 0 : UINT64_C(0x7ff8000000000000);
    uint64_t clamped = 0;

    for (size_t i = 0; i < n; i++) {
        uint64_t mag = bits[i] & INT64_MAX, r = bits[i];

        r = mag > inf ? nan_code : r;
        r = c->sat && mag == inf ? r - 1 : r;
        clamped |= c->sat && mag == inf;
        bits[i] = r;
    }
    return clamped ? PTO_FLAG_OF | PTO_FLAG_NX : 0;
}

/* The same for FP32 words. */
static uint32_t word_specials(const Conversion *c, uint32_t *words,
                              const double *x, size_t n)
{
    uint32_t nan_code = c->sat ? 0 : 0x7fc00000, clamped = 0;

    for (size_t i = 0; i < n; i++) {
        uint32_t mag = words[i] & 0x7fffffff, r = words[i];

        r = mag > 0x7f800000 ? nan_code : r;
        r = c->sat && mag == 0x7f800000 ? r - 1 : r;
        clamped |= c->sat && (x[i] - x[i] != 0) && mag == 0x7f800000;
        words[i] = r;
    }
    return clamped ? PTO_FLAG_OF | PTO_FLAG_NX : 0;
}

/*
 * To FP32 by the host's own conversion, in the modes that it has: the FP64
 * value is exact or odd-rounded with more than twice the bits.
 */
static uint32_t host_to_fp32(const Conversion *c, void *out, const double *x,
                             size_t n)
{
    union { float f[CHUNK]; uint32_t u[CHUNK]; } r;
    uint32_t flags;

    pto_host_round(c->mode);
    for (size_t i = 0; i < n; i++) {
        r.f[i] = (float)x[i];
    }
    flags = pto_host_flags() & ~PTO_FLAG_NV;
    pto_host_clear();
    flags |= word_specials(c, r.u, x, n);
    memcpy(out, r.u, n * sizeof(r.u[0]));
    return flags;
}

/* 64-bit integers to FP64 by the host, in the modes that it has. */
static uint32_t host_to_fp64(const Conversion *c, void *out, const int64_t *v,
                             size_t n)
{
    double x[CHUNK];
    uint32_t flags;

    pto_host_round(c->mode);
    if (c->src == PTO_U64) {
        for (size_t i = 0; i < n; i++) {
            x[i] = (double)(uint64_t)v[i];
        }
    } else {
        for (size_t i = 0; i < n; i++) {
            x[i] = (double)v[i];
        }
    }
    flags = pto_host_flags();
    pto_host_clear();
    memcpy(out, x, n * sizeof(x[0]));
    return flags;
}

/* Any finite FP64 magnitude from 2^128 on, where the odd step would hide OF? */
static bool any_huge(const double *x, size_t n)
{
    bool found = false;

    for (size_t i = 0; i < n; i++) {
        double mag = x[i] < 0 ? -x[i] : x[i];

        found |= mag >= 0x1p128 && mag < __builtin_inf();
    }
    return found;
}

/* ---- one chunk ------------------------------------------------------------ */

static uint64_t load_element(PtoDataType type, bool loose, const void *row,
                             size_t i)
{
    return loose && pto_type_is_4bit(type) ? ((const uint8_t *)row)[i]
                                           : pto_elem_load(type, row, i);
}

static void store_element(PtoDataType type, bool loose, void *row, size_t i,
                          uint64_t v)
{
    if (loose && pto_type_is_4bit(type)) {
        ((uint8_t *)row)[i] = v;
    } else {
        pto_elem_store(type, row, i, v);
    }
}

static uint32_t reference_chunk(const Conversion *c, void *out, const void *in,
                                size_t n)
{
    uint32_t flags = 0;

    for (size_t i = 0; i < n; i++) {
        uint64_t x = load_element(c->src, c->loose, in, i);

        x = pto_elem_convert(c->src, c->dst, x, c->mode, c->sat, c->canon,
                             &flags);
        store_element(c->dst, c->loose, out, i, x);
    }
    return flags;
}

static uint32_t convert_chunk(const Conversion *c, void *out, const void *in,
                              size_t n)
{
    bool src_int = pto_type_is_integer(c->src);
    uint32_t words[CHUNK], flags = 0;
    double x[CHUNK];
    int64_t v[CHUNK];

    if (src_int && pto_type_is_integer(c->dst)) {
        load_integers(c->src, c->loose, in, v, n);
        if (c->sat) {
            clamp_integers(c->src, c->dst, v, n);
        }
        store_words(c->dst, c->loose, out, v, n);
        return 0;
    }
    if (!src_int && c->src != PTO_FP64 && c->dst != PTO_FP64 &&
        !pto_type_is_integer(c->dst)) {
        flags = load_words(c, in, words, n);
        flags = c->canon ? 0 : flags;
        return flags | store_narrow(c, out, words, n);
    }
    if (c->dst == PTO_FP64 && src_int && pto_type_bits(c->src) == 64) {
        load_integers(c->src, c->loose, in, v, n);
        return host_to_fp64(c, out, v, n);
    }
    flags = load_doubles(c, in, x, n);
    flags = c->canon ? 0 : flags;
    if (c->dst == PTO_FP32) {
        return flags | host_to_fp32(c, out, x, n);
    }
    if (pto_type_is_integer(c->dst)) {
        flags |= double_to_int(c, x, v, n);
        store_words(c->dst, c->loose, out, v, n);
        return flags;
    }
    if (c->dst == PTO_FP64) {
        memcpy(out, x, n * sizeof(x[0]));
        return flags | double_specials(c, out, n);
    }
    if (c->src == PTO_FP64 && any_huge(x, n)) {
        return reference_chunk(c, out, in, n);
    }
    c->t->odd32(words, x, n);
    return flags | store_narrow(c, out, words, n);
}

/* Pairs and modes that one of the intermediates covers. */
static bool covered(const Conversion *c)
{
    bool from_int = pto_type_is_integer(c->src);
    bool from_wide = from_int || c->src == PTO_FP64;

    if (!PTO_HOST_IEEE) {
        return from_int && pto_type_is_integer(c->dst);
    }
    if ((c->dst == PTO_FP32 && from_wide) ||
        (c->dst == PTO_FP64 && from_int && pto_type_bits(c->src) == 64)) {
        return c->mode <= PTO_ROUND_RUP;    /* by the host's own rounding */
    }
    return true;
}

static bool start(Conversion *c)
{
    if (!covered(c)) {
        return false;
    }
    if (c->mode == PTO_ROUND_NONE) {
        c->mode = pto_type_is_integer(c->dst) ? PTO_ROUND_RTZ : PTO_ROUND_RNE;
    }
    if (pto_format(c->dst)->kind == PTO_FMT_BINARY && c->dst != PTO_FP64) {
        c->plan = pto_narrow_plan(c->dst, c->mode, c->sat, c->canon);
    }
    return true;
}

static uint32_t convert_row(const Conversion *c, uint8_t *out,
                            const uint8_t *in, size_t n)
{
    uint32_t flags = 0;

    for (size_t k = 0; k < n; k += CHUNK) {
        flags |= convert_chunk(c, out + row_bytes(c->dst, c->loose, k),
                               in + row_bytes(c->src, c->loose, k),
                               MIN(n - k, (size_t)CHUNK));
    }
    return flags;
}

bool pto_rows_convert_fast(PtoDataType src, PtoDataType dst, PtoRowsOut out,
                           PtoRows in, size_t rows, size_t cols, PtoRound mode,
                           bool sat, bool canon, uint32_t *flags)
{
    Conversion c = { .t = pto_fast_table(), .src = src, .dst = dst,
                     .mode = mode, .sat = sat, .canon = canon };
    unsigned saved;

    if (in.splat || !start(&c)) {
        return false;
    }
    saved = pto_host_begin();
    for (size_t i = 0; i < rows; i++) {
        *flags |= convert_row(&c, (uint8_t *)out.base + i * out.stride,
                              (const uint8_t *)in.base + i * in.stride, cols);
    }
    pto_host_end(saved);
    return true;
}

void pto_row_convert_loose(PtoDataType src, PtoDataType dst, void *out,
                           const void *in, size_t n, PtoRound mode, bool sat,
                           bool canon, uint32_t *flags)
{
    Conversion c = { .t = pto_fast_table(), .src = src, .dst = dst,
                     .mode = mode, .sat = sat, .canon = canon, .loose = true };
    unsigned saved;

    if (!start(&c)) {
        *flags |= reference_chunk(&c, out, in, n);
        return;
    }
    saved = pto_host_begin();
    *flags |= convert_row(&c, out, in, n);
    pto_host_end(saved);
}
