/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * B.FPATR post-processing.
 *
 * A product of an accumulator (24 or 32 significant bits) and an FP19
 * parameter (11 bits) has at most 43 significant bits and an exponent far
 * inside the range of a double, so all intermediate values here are exact
 * doubles and each conversion rounds exactly once.
 */
#include "tile/port.h"
#include "tile/kernels/postprocess.h"

#include <math.h>

/* The build of QEMU asks for less; contraction would drop a rounding. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize ("O3", "fp-contract=off")
#endif

#define OVERFLOW_FLAGS (PTO_FLAG_OF | PTO_FLAG_NX)
#define UNDERFLOW_FLAGS (PTO_FLAG_UF | PTO_FLAG_NX)

#define S32_ (true)
#define F32_ (false)
#define MODE(code, s32_, param_, width_, out_) \
    [code] = { .assigned = true, .s32 = s32_, .param = PTO_POST_PARAM_##param_, \
               .offset_width = width_, .out = PTO_##out_ }
#define MODE_FIXED(code, s32_, param_, out_, round_) \
    [code] = { .assigned = true, .s32 = s32_, .param = PTO_POST_PARAM_##param_, \
               .out = PTO_##out_, .fixed_round = true, \
               .round = PTO_ROUND_##round_ }
#define MODE_SHIFT(code, param_) \
    [code] = { .assigned = true, .s32 = true, .shift = true, \
               .param = PTO_POST_PARAM_##param_, .out = PTO_S16 }

static const PtoPostMode post_modes[64] = {
    MODE(0, F32_, NONE, 0, FP32),
    MODE_FIXED(1, F32_, NONE, FP16, RNE),
    MODE(2, S32_, VECTOR, 9, S8),
    MODE(3, S32_, SCALAR, 9, S8),
    MODE(4, S32_, VECTOR, 0, FP16),
    MODE(5, S32_, SCALAR, 0, FP16),
    MODE_SHIFT(12, VECTOR),
    MODE_SHIFT(13, SCALAR),
    MODE_FIXED(16, F32_, NONE, BF16, RNE),
    MODE(17, S32_, SCALAR, 5, S4X2),
    MODE(18, S32_, VECTOR, 5, S4X2),
    MODE(19, S32_, SCALAR, 17, S16),
    MODE(20, S32_, VECTOR, 17, S16),
    MODE(23, F32_, VECTOR, 9, S8),
    MODE(24, F32_, SCALAR, 9, S8),
    MODE_FIXED(25, F32_, SCALAR, HIF8, RHB),
    MODE_FIXED(26, F32_, SCALAR, E4M3, RNE),
    MODE(27, F32_, SCALAR, 0, FP32),
    MODE_FIXED(28, F32_, VECTOR, HIF8, RHB),
    MODE_FIXED(32, F32_, SCALAR, FP16, RNE),
    MODE_FIXED(33, F32_, VECTOR, FP16, RNE),
    MODE_FIXED(34, F32_, SCALAR, BF16, RNE),
    MODE(35, S32_, SCALAR, 0, BF16),
    MODE_FIXED(36, F32_, VECTOR, BF16, RNE),
    MODE_FIXED(37, F32_, VECTOR, E4M3, RNE),
    MODE(38, F32_, VECTOR, 0, FP32),
    MODE(39, S32_, VECTOR, 0, BF16),
};

const PtoPostMode *pto_post_mode(unsigned mode)
{
    return &post_modes[mode & 63];
}

bool pto_post_accumulator_ok(unsigned mode, PtoDataType acc)
{
    const PtoPostMode *row = pto_post_mode(mode);

    if (!row->assigned) {
        return false;
    }
    if (mode == 0) {
        return acc == PTO_FP32 || acc == PTO_S32 || acc == PTO_U32;
    }
    return acc == (row->s32 ? PTO_S32 : PTO_FP32);
}

unsigned pto_post_group_n(unsigned code)
{
    static const uint8_t columns[] = { 0, 8, 16, 32, 48, 64, 80, 96, 112, 128 };

    return code < ARRAY_SIZE(columns) ? columns[code] : 0;
}

/* ---- parameters ---------------------------------------------------------- */

static bool fp19_positive_normal(uint32_t fp19)
{
    unsigned exponent = fp19 >> 10 & 255;

    return fp19 >> 18 == 0 && exponent != 0 && exponent != 255;
}

bool pto_post_quant_word_ok(unsigned mode, uint64_t word)
{
    const PtoPostMode *row = pto_post_mode(mode);
    uint64_t used;

    if (row->param == PTO_POST_PARAM_NONE) {
        return false;
    }
    if (row->shift) {
        return (word & ~(UINT64_C(15) << 32)) == 0;
    }
    used = UINT64_C(0x7ffff) << 13;
    used |= ((UINT64_C(1) << row->offset_width) - 1) << 37;
    return (word & ~used) == 0 && fp19_positive_normal(word >> 13 & 0x7ffff);
}

bool pto_post_relu_word_ok(uint64_t word)
{
    return word == 0 || (word >> 19 == 0 && fp19_positive_normal(word));
}

/* Value of a legal (zero or positive normal) FP19 parameter. */
static double fp19_value(uint32_t fp19)
{
    unsigned exponent = fp19 >> 10 & 255;

    return exponent == 0 ? 0.0 :
           ldexp(1024 + (fp19 & 1023), (int)exponent - 127 - 10);
}

static int64_t quant_offset(uint64_t word, unsigned width)
{
    uint64_t sign, field;

    if (width == 0) {
        return 0;
    }
    sign = UINT64_C(1) << (width - 1);
    field = word >> 37 & (2 * sign - 1);
    return (int64_t)(field ^ sign) - (int64_t)sign;
}

/* ---- rounding ------------------------------------------------------------ */

/*
 * Round magnitude @x to an integer; @negative is the sign of the value. Works
 * on the magnitude because there x - floor(x) is exact.
 */
static double round_magnitude(double x, bool negative, PtoRound mode)
{
    double lower = floor(x), fraction = x - lower;
    bool odd, up;

    if (fraction == 0) {
        return lower;
    }
    odd = fmod(lower, 2) != 0;
    switch (mode) {
    case PTO_ROUND_RTZ:
        up = false;
        break;
    case PTO_ROUND_RDN:
        up = negative;
        break;
    case PTO_ROUND_RUP:
        up = !negative;
        break;
    case PTO_ROUND_RNA:
        up = fraction >= 0.5;
        break;
    case PTO_ROUND_RTO:
        up = !odd;
        break;
    case PTO_ROUND_RHB:
        up = negative ? fraction > 0.5 : fraction >= 0.5;
        break;
    default:
        up = fraction > 0.5 || (fraction == 0.5 && odd);
        break;
    }
    return lower + up;
}

static double round_value(double x, PtoRound mode)
{
    return x < 0 ? -round_magnitude(-x, true, mode)
                 : round_magnitude(x, false, mode);
}

/* ---- encoding ------------------------------------------------------------ */

static double int_min_of(PtoDataType type)
{
    return pto_type_is_signed(type) ? -ldexp(1, (int)pto_type_bits(type) - 1)
                                    : 0;
}

static double int_max_of(PtoDataType type)
{
    return ldexp(1, (int)pto_type_bits(type) - pto_type_is_signed(type)) - 1;
}

/* Low bits of an integral double of any size, two's complement. */
static uint64_t wrap_integer(double x, unsigned bits)
{
    double modulus = ldexp(1, (int)bits);
    double low = fmod(x, modulus);

    return (uint64_t)(low < 0 ? low + modulus : low);
}

static uint64_t encode_int(double x, PtoDataType type, PtoRound mode, bool sat,
                           unsigned *flags)
{
    double rounded = round_value(x, mode);
    double min = int_min_of(type), max = int_max_of(type);

    if (rounded < min || rounded > max) {
        *flags |= OVERFLOW_FLAGS;
        if (sat) {
            rounded = rounded < min ? min : max;
        }
    } else if (rounded != x) {
        *flags |= PTO_FLAG_NX;
    }
    return wrap_integer(rounded, pto_type_bits(type));
}

/* Encoding facts of the floating destinations. */
typedef struct PostFormat {
    int frac_bits;
    int bias;
    int emax;
    unsigned sign_shift;
    uint32_t inf;           /* result of an overflow without Sat */
    uint32_t max;           /* largest finite magnitude */
} PostFormat;

static const PostFormat *post_format(PtoDataType type)
{
    static const PostFormat fp32 = { 23, 127, 127, 31, 0x7f800000, 0x7f7fffff };
    static const PostFormat fp16 = { 10, 15, 15, 15, 0x7c00, 0x7bff };
    static const PostFormat bf16 = { 7, 127, 127, 15, 0x7f80, 0x7f7f };
    static const PostFormat e4m3 = { 3, 7, 8, 7, 0x7f, 0x7e };
    static const PostFormat hif8 = { 3, 0, 15, 7, 0x6f, 0x6e };

    switch (type) {
    case PTO_FP16:
        return &fp16;
    case PTO_BF16:
        return &bf16;
    case PTO_E4M3:
        return &e4m3;
    case PTO_HIF8:
        return &hif8;
    default:
        return &fp32;
    }
}

static uint32_t signed_code(PtoDataType type, bool negative, uint32_t magnitude)
{
    /* E4M3 has one NaN in place of both infinities. */
    if (type == PTO_E4M3 && magnitude == 0x7f) {
        return magnitude;
    }
    return magnitude | (uint32_t)negative << post_format(type)->sign_shift;
}

static uint32_t overflow_code(PtoDataType type, bool negative, bool sat)
{
    const PostFormat *f = post_format(type);

    return signed_code(type, negative, sat ? f->max : f->inf);
}

/* FP32, FP16, BF16. */
static uint32_t encode_binary(double x, PtoDataType type, PtoRound mode,
                              bool sat, unsigned *flags)
{
    const PostFormat *f = post_format(type);
    bool negative = x < 0;
    double magnitude = fabs(x), scaled, rounded;
    int exponent = ilogb(magnitude), emin = 1 - f->bias;
    int unit = MAX(exponent, emin) - f->frac_bits;
    uint64_t code;

    if (exponent > f->emax) {
        *flags |= OVERFLOW_FLAGS;
        return overflow_code(type, negative, sat);
    }
    scaled = ldexp(magnitude, -unit);
    rounded = round_magnitude(scaled, negative, mode);
    code = ((uint64_t)(MAX(exponent, emin) - emin) << f->frac_bits) +
           (uint64_t)rounded;
    if (code >= f->inf) {
        *flags |= OVERFLOW_FLAGS;
        return overflow_code(type, negative, sat);
    }
    if (rounded != scaled) {
        /* Tininess is judged before rounding here (N23). */
        *flags |= exponent < emin ? UNDERFLOW_FLAGS : PTO_FLAG_NX;
    }
    return signed_code(type, negative, code);
}

/* Fraction bits of a HiF8 binade. */
static int hif8_fraction_bits(int exponent)
{
    int magnitude = abs(exponent);

    return exponent < -15 ? 0 : magnitude < 4 ? 3 : magnitude < 8 ? 2 : 1;
}

/* Code of the nonzero HiF8 magnitude fraction * 2^(exponent - bits). */
static uint32_t hif8_code(int exponent, uint32_t significand)
{
    int bits = hif8_fraction_bits(exponent), magnitude;
    uint32_t fraction, sign = exponent < 0;

    if (exponent < -15) {
        return exponent + 23;
    }
    if (significand >> (bits + 1)) {
        return hif8_code(exponent + 1,
                         1u << hif8_fraction_bits(exponent + 1));
    }
    fraction = significand & ((1u << bits) - 1);
    magnitude = abs(exponent);
    if (magnitude == 0) {
        return 8 | fraction;
    }
    if (magnitude == 1) {
        return 16 | sign << 3 | fraction;
    }
    if (magnitude < 4) {
        return 32 | sign << 4 | (magnitude & 1) << 3 | fraction;
    }
    if (magnitude < 8) {
        return 64 | sign << 4 | (magnitude & 3) << 2 | fraction;
    }
    return 96 | sign << 4 | (magnitude & 7) << 1 | fraction;
}

static uint32_t encode_hif8(double magnitude, bool negative, PtoRound mode,
                            bool *inexact)
{
    int exponent = MAX(ilogb(magnitude), -22);
    int unit = exponent - hif8_fraction_bits(exponent);
    double scaled = ldexp(magnitude, -unit);
    double rounded = floor(scaled), fraction = scaled - rounded;

    *inexact = fraction != 0;
    if (exponent >= -15) {
        rounded = round_magnitude(scaled, negative, mode);
        return hif8_code(exponent, (uint32_t)rounded);
    }
    /*
     * Here every code is a power of two (or zero): the code number carries the
     * parity, so round the position in the list of codes.
     */
    rounded = round_magnitude(rounded == 0 ? fraction : exponent + 23 + fraction,
                              negative, mode);
    return (uint32_t)rounded <= 7 ? (uint32_t)rounded : hif8_code(-15, 2);
}

/* E4M3 and HiF8; a result of zero has no sign (N23). */
static uint32_t encode_byte(double x, PtoDataType type, PtoRound mode, bool sat,
                            unsigned *flags)
{
    bool negative = x < 0, inexact;
    double magnitude = fabs(x);
    bool hif8 = type == PTO_HIF8;
    double min_normal = hif8 ? 0x1p-15 : 0x1p-6;
    uint32_t code;

    if (magnitude > (hif8 ? 32768.0 : 448.0)) {
        *flags |= OVERFLOW_FLAGS;
        return overflow_code(type, negative, sat);
    }
    if (hif8) {
        code = encode_hif8(magnitude, negative, mode, &inexact);
    } else {
        int exponent = MAX(ilogb(magnitude), -6);
        double scaled = ldexp(magnitude, 3 - exponent);
        double rounded = round_magnitude(scaled, negative, mode);

        inexact = rounded != scaled;
        code = ((uint32_t)(exponent + 6) << 3) + (uint32_t)rounded;
    }
    if (inexact) {
        *flags |= magnitude < min_normal ? UNDERFLOW_FLAGS : PTO_FLAG_NX;
    }
    return code == 0 ? 0 : signed_code(type, negative, code);
}

static uint64_t encode(double x, PtoDataType type, PtoRound mode, bool sat,
                       unsigned *flags)
{
    if (pto_type_is_integer(type)) {
        return encode_int(x, type, mode, sat, flags);
    }
    if (x == 0) {
        return 0;
    }
    if (type == PTO_E4M3 || type == PTO_HIF8) {
        return encode_byte(x, type, mode, sat, flags);
    }
    return encode_binary(x, type, mode, sat, flags);
}

/* ---- special values ------------------------------------------------------ */

static uint64_t indefinite(PtoDataType type)
{
    return wrap_integer(int_min_of(type), pto_type_bits(type));
}

static uint64_t nan_result(uint32_t x, PtoDataType type, bool sat,
                           unsigned *flags)
{
    bool signaling = !(x & 0x400000);

    if (pto_type_is_integer(type)) {
        *flags |= PTO_FLAG_NV;
        return sat ? 0 : indefinite(type);
    }
    *flags |= signaling ? PTO_FLAG_NV : 0;
    return sat ? 0 : pto_format(type)->canonical_nan;
}

static uint64_t inf_result(bool negative, PtoDataType type, bool sat,
                           unsigned *flags)
{
    if (pto_type_is_integer(type)) {
        *flags |= sat ? OVERFLOW_FLAGS : PTO_FLAG_NV;
        return sat && !negative ?
               wrap_integer(int_max_of(type), pto_type_bits(type)) :
               indefinite(type);
    }
    if (sat || type == PTO_E4M3) {
        *flags |= OVERFLOW_FLAGS;
    }
    return overflow_code(type, negative, sat);
}

/* ---- one element --------------------------------------------------------- */

static uint64_t shift_s16(uint32_t x, uint64_t quant, unsigned *flags)
{
    int64_t shifted = (int64_t)(int32_t)x >> ((quant >> 32 & 15) + 1);

    if (shifted < INT16_MIN || shifted > INT16_MAX) {
        *flags |= OVERFLOW_FLAGS;
        shifted = shifted < 0 ? INT16_MIN : INT16_MAX;
    }
    return (uint16_t)shifted;
}

/* Scale, round to @width bits, add the offset, then the final conversion. */
static uint64_t quantize(double scaled, int64_t offset, unsigned width,
                         PtoDataType out, PtoRound mode, bool sat,
                         unsigned *flags)
{
    double rounded = round_value(scaled, mode);
    double max = ldexp(1, (int)width - 1) - 1, min = -max - 1;

    if (rounded < min || rounded > max) {
        *flags |= OVERFLOW_FLAGS;
        rounded = rounded < min ? min : max;
    } else if (rounded != scaled) {
        *flags |= PTO_FLAG_NX;
    }
    return encode_int(rounded + (double)offset, out, mode, sat, flags);
}

/* Parameters of a column, decoded. */
typedef struct PostColumn {
    const PtoPostMode *row;
    PtoDataType source, out;
    PtoRound round;
    uint64_t quant;
    double scale, negative_scale;
    int64_t offset;
} PostColumn;

static PostColumn post_column(const PtoPost *post, uint64_t quant,
                              uint64_t alpha)
{
    const PtoPostMode *row = pto_post_mode(post->mode);
    PostColumn col = {
        .row = row,
        .out = pto_post_output(post->mode, post->acc),
        .round = row->fixed_round ? row->round : post->rmode,
        .quant = quant,
        .scale = 1.0,
    };

    col.source = post->mode == 0 ? col.out : row->s32 ? PTO_S32 : PTO_FP32;
    if (row->param != PTO_POST_PARAM_NONE && !row->shift) {
        col.scale = fp19_value(quant >> 13 & 0x7ffff);
        col.offset = quant_offset(quant, row->offset_width);
    }
    col.negative_scale = post->relu == 0 ? col.scale :
                         post->relu == 1 ? 0.0 : fp19_value(alpha & 0x7ffff);
    return col;
}

static uint64_t post_value(const PtoPost *post, const PostColumn *col,
                           double value, bool negative, unsigned *flags)
{
    double scaled = value * (negative ? col->negative_scale : col->scale);

    if (col->row->offset_width) {
        return quantize(scaled, col->offset, col->row->offset_width, col->out,
                        col->round, post->sat, flags);
    }
    return encode(scaled, col->out, col->round, post->sat, flags);
}

static uint64_t post_fp32(const PtoPost *post, const PostColumn *col,
                          uint32_t x, unsigned *flags)
{
    bool negative = x >> 31;
    uint32_t magnitude = x & 0x7fffffff;
    double multiplier = negative ? col->negative_scale : col->scale;
    float value;

    if (magnitude > 0x7f800000) {
        return nan_result(x, col->out, post->sat, flags);
    }
    if (magnitude == 0x7f800000) {
        if (!negative || multiplier != 0) {
            return inf_result(negative, col->out, post->sat, flags);
        }
        /* ReLU of minus infinity counts as zero. */
        return post_value(post, col, 0.0, true, flags);
    }
    if (x == 0x80000000 && multiplier != 0 && col->offset == 0 &&
        !pto_type_is_integer(col->out)) {
        return signed_code(col->out, col->out != PTO_HIF8, 0);
    }
    memcpy(&value, &x, sizeof(value));
    return post_value(post, col, value, negative, flags);
}

static uint64_t post_one(const PtoPost *post, const PostColumn *col, uint32_t x,
                         unsigned *flags)
{
    if (col->row->shift) {
        return shift_s16(x, col->quant, flags);
    }
    switch (col->source) {
    case PTO_S32:
        return post_value(post, col, (int32_t)x, (int32_t)x < 0, flags);
    case PTO_U32:
        return post_value(post, col, x, false, flags);
    default:
        return post_fp32(post, col, x, flags);
    }
}

uint64_t pto_post_element(const PtoPost *post, uint32_t x, uint64_t quant,
                          uint64_t alpha, unsigned *flags)
{
    PostColumn col;

    if (post->mode == 0 && post->relu == 0) {
        return x;
    }
    col = post_column(post, quant, alpha);
    return post_one(post, &col, x, flags);
}

unsigned pto_post_matrix(const PtoPost *post, uint32_t *d, unsigned lda,
                         unsigned m, unsigned n,
                         const uint64_t *quant, bool quant_vector,
                         const uint64_t *alpha, bool alpha_vector)
{
    unsigned flags = 0;

    if (post->mode == 0 && post->relu == 0) {
        return 0;
    }
    for (unsigned j = 0; j < n; j++) {
        PostColumn col = post_column(post, quant[quant_vector ? j : 0],
                                     alpha[alpha_vector ? j : 0]);
        uint32_t *v = d + (size_t)j * lda;

        for (unsigned r = 0; r < m; r++) {
            v[r] = post_one(post, &col, v[r], &flags);
        }
    }
    return flags;
}

/* ---- maxima -------------------------------------------------------------- */

static uint32_t max_abs_value(PtoDataType acc, uint32_t x, unsigned *flags)
{
    switch (acc) {
    case PTO_U32:
        return x;
    case PTO_S32:
        if (x == 0x80000000) {
            *flags |= PTO_FLAG_OF;
            return 0x7fffffff;
        }
        return x >> 31 ? -x : x;
    default:
        return x & 0x7fffffff;
    }
}

static bool is_nan(uint32_t x)
{
    return (x & 0x7fffffff) > 0x7f800000;
}

/* One NaN loses against a number, zeros prefer +0. */
static uint32_t max_fp32(uint32_t a, uint32_t b, unsigned *flags)
{
    bool nan_a = is_nan(a), nan_b = is_nan(b);

    if (nan_a || nan_b) {
        if ((nan_a && !(a & 0x400000)) || (nan_b && !(b & 0x400000))) {
            *flags |= PTO_FLAG_NV;
        }
        return !nan_a ? a : !nan_b ? b : 0x7fc00000;
    }
    if (((a | b) & 0x7fffffff) == 0) {
        return a & b;
    }
    if ((a ^ b) >> 31) {
        return a >> 31 ? b : a;
    }
    return (a > b) != (a >> 31) ? a : b;
}

uint32_t pto_post_max_step(PtoDataType acc, bool max_abs, uint32_t current,
                           uint32_t candidate, unsigned *flags)
{
    if (max_abs) {
        current = max_abs_value(acc, current, flags);
        candidate = max_abs_value(acc, candidate, flags);
    }
    switch (acc) {
    case PTO_U32:
        return MAX(current, candidate);
    case PTO_S32:
        return (int32_t)current >= (int32_t)candidate ? current : candidate;
    default:
        return max_fp32(current, candidate, flags);
    }
}

uint32_t pto_post_max(PtoDataType acc, bool max_abs, const uint32_t *d,
                      unsigned lda, unsigned row, unsigned first,
                      unsigned count, unsigned *flags)
{
    uint32_t value = d[(size_t)first * lda + row];

    if (max_abs) {
        value = pto_post_max_step(acc, true, value, value, flags);
    }
    for (unsigned j = first + 1; j < first + count; j++) {
        value = pto_post_max_step(acc, max_abs, value, d[(size_t)j * lda + row],
                                  flags);
    }
    return value;
}
