/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Format rows and decoding of one element of any type to an exact number.
 */
#include "tile/port.h"
#include "tile/numeric.h"

/*
 * A binary row: sign, @e exponent bits, @f fraction bits, @shift carrier zeros
 * below the fraction.  The largest finite magnitude, infinity and canonical
 * NaN follow from the special-value rule.
 */
#define BINARY_IEEE(nm, bits, e, f, shift, nan)                         \
    { .name = nm, .kind = PTO_FMT_BINARY,                               \
      .flags = PTO_FMT_HAS_INF | PTO_FMT_HAS_NAN,                       \
      .elem_bits = bits, .lanes = 1, .exp_bits = e, .frac_bits = f,     \
      .carrier_shift = shift, .bias = (1 << ((e) - 1)) - 1,             \
      .emin = 2 - (1 << ((e) - 1)), .emax = (1 << ((e) - 1)) - 1,       \
      .inf = ((UINT64_C(1) << (e)) - 1) << ((f) + (shift)),             \
      .max_finite = ((((UINT64_C(1) << (e)) - 1) << (f)) - 1) << (shift), \
      .canonical_nan = nan }

/* A binary row without infinities; all exponents hold finite values. */
#define BINARY_FINITE(nm, bits, nlanes, e, f, b, fl, max, nan)          \
    { .name = nm, .kind = PTO_FMT_BINARY, .flags = fl,                  \
      .elem_bits = bits, .lanes = nlanes, .exp_bits = e, .frac_bits = f, \
      .bias = b, .emin = 1 - (b), .emax = (1 << (e)) - 1 - (b),         \
      .max_finite = max, .canonical_nan = nan }

#define INTEGER(nm, k, bits, nlanes)                                    \
    { .name = nm, .kind = k, .elem_bits = bits, .lanes = nlanes }

const PtoFormat pto_formats[PTO_DTYPE_CODES] = {
    [PTO_FP64] = BINARY_IEEE("FP64", 64, 11, 52, 0, 0x7ff8000000000000),
    [PTO_FP32] = BINARY_IEEE("FP32", 32, 8, 23, 0, 0x7fc00000),
    [PTO_TF32] = BINARY_IEEE("TF32", 32, 8, 10, 13, 0x7fc00000),
    [PTO_HF32] = BINARY_IEEE("HF32", 32, 8, 11, 12, 0x7fc00000),
    [PTO_FP16] = BINARY_IEEE("FP16", 16, 5, 10, 0, 0x7e00),
    [PTO_BF16] = BINARY_IEEE("BF16", 16, 8, 7, 0, 0x7fc0),
    [PTO_HIF8] = {
        .name = "HiF8", .kind = PTO_FMT_HIF8,
        .flags = PTO_FMT_HAS_INF | PTO_FMT_HAS_NAN, .elem_bits = 8, .lanes = 1,
        .frac_bits = 3, .emin = -15, .emax = 15,
        .max_finite = 0x6e, .inf = 0x6f, .canonical_nan = 0x80,
    },
    [PTO_E4M3] = BINARY_FINITE("E4M3", 8, 1, 4, 3, 7,
                               PTO_FMT_HAS_NAN | PTO_FMT_NAN_ALL_ONES,
                               0x7e, 0x7f),
    [PTO_E5M2] = BINARY_IEEE("E5M2", 8, 5, 2, 0, 0x7e),
    [PTO_E3M2] = BINARY_FINITE("E3M2", 8, 1, 3, 2, 3, 0, 0x1f, 0),
    [PTO_E2M3] = BINARY_FINITE("E2M3", 8, 1, 2, 3, 1, 0, 0x1f, 0),
    [PTO_E2M1X2] = BINARY_FINITE("E2M1X2", 4, 2, 2, 1, 1, PTO_FMT_NO_UF, 7, 0),
    [PTO_E1M2X2] = BINARY_FINITE("E1M2X2", 4, 2, 1, 2, 1, PTO_FMT_NO_UF, 7, 0),
    [PTO_E8M0] = {
        .name = "E8M0", .kind = PTO_FMT_E8M0, .flags = PTO_FMT_HAS_NAN,
        .elem_bits = 8, .lanes = 1, .exp_bits = 8, .bias = 127,
        .emin = -127, .emax = 127, .max_finite = 0xfe, .canonical_nan = 0xff,
    },
    [PTO_HIF4X2] = BINARY_FINITE("HiF4X2", 4, 2, 1, 2, 1, PTO_FMT_NO_UF, 7, 0),
    [PTO_S64] = INTEGER("S64", PTO_FMT_SIGNED, 64, 1),
    [PTO_S32] = INTEGER("S32", PTO_FMT_SIGNED, 32, 1),
    [PTO_S16] = INTEGER("S16", PTO_FMT_SIGNED, 16, 1),
    [PTO_S8] = INTEGER("S8", PTO_FMT_SIGNED, 8, 1),
    [PTO_S4X2] = INTEGER("S4X2", PTO_FMT_SIGNED, 4, 2),
    [PTO_U64] = INTEGER("U64", PTO_FMT_UNSIGNED, 64, 1),
    [PTO_U32] = INTEGER("U32", PTO_FMT_UNSIGNED, 32, 1),
    [PTO_U16] = INTEGER("U16", PTO_FMT_UNSIGNED, 16, 1),
    [PTO_U8] = INTEGER("U8", PTO_FMT_UNSIGNED, 8, 1),
    [PTO_U4X2] = INTEGER("U4X2", PTO_FMT_UNSIGNED, 4, 2),
};

const PtoFormat pto_format_fp19 =
    BINARY_IEEE("FP19", 32, 8, 10, 0, 0x3fe00);

static uint64_t format_mask(const PtoFormat *fmt)
{
    return fmt->elem_bits >= 64 ? UINT64_MAX
                                : (UINT64_C(1) << fmt->elem_bits) - 1;
}

bool pto_encoding_valid(PtoDataType type, uint64_t bits)
{
    const PtoFormat *fmt = pto_format(type);
    uint64_t low = (UINT64_C(1) << fmt->carrier_shift) - 1;
    unsigned used;

    if (fmt->kind != PTO_FMT_BINARY) {
        return true;
    }
    used = 1 + fmt->exp_bits + fmt->frac_bits + fmt->carrier_shift;
    return !(bits & low) &&
           (used >= fmt->elem_bits || !((bits & format_mask(fmt)) >> used));
}

/* Nonzero finite value mantissa * 2^exp. */
static PtoNum num_finite(bool sign, PtoU128 mantissa, int exp)
{
    uint64_t hi = mantissa >> 64;
    int lead = hi ? __builtin_clzll(hi)
                  : 64 + __builtin_clzll((uint64_t)mantissa);

    return (PtoNum) { .cls = PTO_NUM_FINITE, .sign = sign,
                      .exp = exp + 127 - lead, .sig = mantissa << lead };
}

static PtoNum num_special(PtoNumClass cls, bool sign)
{
    return (PtoNum) { .cls = cls, .sign = sign };
}

static PtoNum unpack_binary(const PtoFormat *fmt, uint64_t bits)
{
    unsigned exp_ones = (1u << fmt->exp_bits) - 1;
    uint64_t frac_mask = (UINT64_C(1) << fmt->frac_bits) - 1;
    uint64_t payload = bits >> fmt->carrier_shift;
    uint64_t frac = payload & frac_mask;
    unsigned exp = (payload >> fmt->frac_bits) & exp_ones;
    bool sign = (payload >> (fmt->frac_bits + fmt->exp_bits)) & 1;

    if (exp == exp_ones) {
        if (fmt->flags & PTO_FMT_HAS_INF) {
            bool quiet = frac >> (fmt->frac_bits - 1);

            return num_special(!frac ? PTO_NUM_INF :
                               quiet ? PTO_NUM_QNAN : PTO_NUM_SNAN, sign);
        }
        if ((fmt->flags & PTO_FMT_NAN_ALL_ONES) && frac == frac_mask) {
            return num_special(PTO_NUM_QNAN, sign);
        }
    }
    if (exp) {
        return num_finite(sign, frac | (frac_mask + 1),
                          (int)exp - fmt->bias - fmt->frac_bits);
    }
    return frac ? num_finite(sign, frac, fmt->emin - fmt->frac_bits)
                : num_special(PTO_NUM_ZERO, sign);
}

/* HiF8: the prefix length selects D, the number of exponent bits. */
static PtoNum unpack_hif8(uint64_t bits)
{
    static const struct { uint8_t below, exp_bits, frac_bits; } rows[] = {
        { 0x08, 0, 3 },     /* denormal */
        { 0x10, 0, 3 },     /* D = 0 */
        { 0x20, 1, 3 },
        { 0x40, 2, 3 },
        { 0x60, 3, 2 },
        { 0x80, 4, 1 },
    };
    unsigned code = bits & 0x7f;
    bool sign = bits & 0x80;
    unsigned d = 0, field, frac;
    int exp = 0;

    if (!code) {
        return num_special(sign ? PTO_NUM_QNAN : PTO_NUM_ZERO, false);
    }
    if (code == 0x6f) {
        return num_special(PTO_NUM_INF, sign);
    }
    while (code >= rows[d].below) {
        d++;
    }
    if (d == 0) {
        return num_finite(sign, 1, (int)code - 23);
    }
    frac = code & ((1u << rows[d].frac_bits) - 1);
    if (rows[d].exp_bits) {
        unsigned magnitude_bits = rows[d].exp_bits - 1;

        field = code >> rows[d].frac_bits;
        exp = (1u << magnitude_bits) | (field & ((1u << magnitude_bits) - 1));
        if ((field >> magnitude_bits) & 1) {
            exp = -exp;
        }
    }
    return num_finite(sign, frac | (1u << rows[d].frac_bits),
                      exp - rows[d].frac_bits);
}

PtoNum pto_num_from_int(__int128 value)
{
    PtoU128 magnitude = value < 0 ? -(PtoU128)value : (PtoU128)value;

    return value ? num_finite(value < 0, magnitude, 0)
                 : num_special(PTO_NUM_ZERO, false);
}

PtoNum pto_num_unpack_fmt(const PtoFormat *fmt, uint64_t bits)
{
    switch (fmt->kind) {
    case PTO_FMT_BINARY:
        return unpack_binary(fmt, bits);
    case PTO_FMT_HIF8:
        return unpack_hif8(bits);
    case PTO_FMT_E8M0:
        bits &= 0xff;
        return bits == 0xff ? num_special(PTO_NUM_QNAN, false)
                            : num_finite(false, 1, (int)bits - fmt->bias);
    case PTO_FMT_SIGNED:
        bits <<= 64 - fmt->elem_bits;
        return pto_num_from_int((int64_t)bits >> (64 - fmt->elem_bits));
    case PTO_FMT_UNSIGNED:
        return pto_num_from_int(bits & format_mask(fmt));
    default:
        return num_special(PTO_NUM_ZERO, false);
    }
}

PtoNum pto_num_unpack(PtoDataType type, uint64_t bits)
{
    return pto_num_unpack_fmt(pto_format(type), bits);
}

bool pto_elem_snan(PtoDataType type, uint64_t bits)
{
    const PtoFormat *fmt = pto_format(type);

    return fmt->kind == PTO_FMT_BINARY &&
           unpack_binary(fmt, bits).cls == PTO_NUM_SNAN;
}

bool pto_elem_nan(PtoDataType type, uint64_t bits)
{
    const PtoFormat *fmt = pto_format(type);

    return (fmt->flags & PTO_FMT_HAS_NAN) &&
           pto_num_unpack_fmt(fmt, bits).cls >= PTO_NUM_QNAN;
}

uint64_t pto_elem_load(PtoDataType type, const void *row, size_t index)
{
    const uint8_t *p = row;
    unsigned bits = pto_format(type)->elem_bits;

    if (bits == 4) {
        return (p[index / 2] >> (index % 2 * 4)) & 0xf;
    }
    return pto_ld_le(p + index * (bits / 8), bits / 8);
}

void pto_elem_store(PtoDataType type, void *row, size_t index, uint64_t bits)
{
    uint8_t *p = row;
    unsigned width = pto_format(type)->elem_bits;

    if (width == 4) {
        unsigned shift = index % 2 * 4;

        p += index / 2;
        *p = (*p & ~(0xf << shift)) | (bits & 0xf) << shift;
    } else {
        pto_st_le(p + index * (width / 8), width / 8, bits);
    }
}
