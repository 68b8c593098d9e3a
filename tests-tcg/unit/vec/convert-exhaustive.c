/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TCVT of every value of every type up to 16 bits to every destination type,
 * rounding selector and Sat, as whole blocks: single elements for the exact
 * flags (up to 8 bits), full rows for the row kernels.  The expected result comes from the exact value as a double, rounded here by
 * rules N02..N06, N16, N17, N20 and N22 of the numeric profile.
 *
 * Left out: the destination E8M0, which rounds a logarithm, and
 * Canonicalize=1, which no source of these widths can have.
 */
#include <math.h>
#include "env.h"

enum { NV = 1, DZ = 2, OF = 4, UF = 8, NX = 16 };

/* How the top of the code space is used. */
typedef enum Special { IEEE, ONE_NAN, FINITE, HIF8, E8M0, INTEGER } Special;

/* @shift: zero bits below the fraction.  Integers: ebits is the width. */
typedef struct Fmt {
    PtoDataType type;
    Special special;
    int ebits, fbits, bias, shift;
    bool is_signed;
    uint64_t nan;
} Fmt;

static const Fmt fmts[] = {
    { PTO_FP64, IEEE, 11, 52, 1023, 0, true, 0x7ff8000000000000 },
    { PTO_FP32, IEEE, 8, 23, 127, 0, true, 0x7fc00000 },
    { PTO_TF32, IEEE, 8, 10, 127, 13, true, 0x7fc00000 },
    { PTO_HF32, IEEE, 8, 11, 127, 12, true, 0x7fc00000 },
    { PTO_FP16, IEEE, 5, 10, 15, 0, true, 0x7e00 },
    { PTO_BF16, IEEE, 8, 7, 127, 0, true, 0x7fc0 },
    { PTO_HIF8, HIF8, 0, 0, 0, 0, true, 0x80 },
    { PTO_E4M3, ONE_NAN, 4, 3, 7, 0, true, 0x7f },
    { PTO_E5M2, IEEE, 5, 2, 15, 0, true, 0x7e },
    { PTO_E3M2, FINITE, 3, 2, 3, 0, true, 0 },
    { PTO_E2M3, FINITE, 2, 3, 1, 0, true, 0 },
    { PTO_E2M1X2, FINITE, 2, 1, 1, 0, true, 0 },
    { PTO_E1M2X2, FINITE, 1, 2, 1, 0, true, 0 },
    { PTO_E8M0, E8M0, 8, 0, 127, 0, false, 0xff },
    { PTO_HIF4X2, FINITE, 1, 2, 1, 0, true, 0 },
    { PTO_S64, INTEGER, 64, .is_signed = true },
    { PTO_S32, INTEGER, 32, .is_signed = true },
    { PTO_S16, INTEGER, 16, .is_signed = true },
    { PTO_S8, INTEGER, 8, .is_signed = true },
    { PTO_S4X2, INTEGER, 4, .is_signed = true },
    { PTO_U64, INTEGER, 64 },
    { PTO_U32, INTEGER, 32 },
    { PTO_U16, INTEGER, 16 },
    { PTO_U8, INTEGER, 8 },
    { PTO_U4X2, INTEGER, 4 },
};

typedef struct Value {
    double v;                   /* exact; any NaN when @nan */
    bool nan, snan;
} Value;

typedef struct Result {
    uint64_t bits;
    uint8_t flags;
} Result;

/* The 127 finite magnitudes of HiF8 in ascending order. */
static struct { double v; uint8_t code; } hif8[127];

static unsigned checks, failures;

static unsigned width(const Fmt *f)
{
    switch (f->special) {
    case HIF8: case E8M0:
        return 8;
    case INTEGER:
        return f->ebits;
    default:
        return 1 + f->ebits + f->fbits;
    }
}

static uint64_t sign_bit(const Fmt *f)
{
    return f->special == HIF8 ? 0x80
           : UINT64_C(1) << (f->ebits + f->fbits + f->shift);
}

/* ---- exact decoding ------------------------------------------------------ */

static double hif8_magnitude(unsigned x)
{
    unsigned ebits, fbits, m;
    int e = 0;

    if (x < 8) {
        return x ? ldexp(1, (int)x - 23) : 0;
    }
    ebits = x >= 0x60 ? 4 : x >= 0x40 ? 3 : x >= 0x20 ? 2 : x >= 0x10 ? 1 : 0;
    fbits = ebits < 3 ? 3 : 5 - ebits;
    if (ebits) {
        m = x >> fbits & ((1u << ebits) - 1);
        e = 1 << (ebits - 1) | (m & ((1u << (ebits - 1)) - 1));
        e = m >> (ebits - 1) ? -e : e;
    }
    m = x & ((1u << fbits) - 1);
    return ldexp(1 + ldexp(m, -(int)fbits), e);
}

static Value decode_binary(const Fmt *f, uint32_t x)
{
    uint32_t mag = x & (sign_bit(f) - 1);
    uint32_t m = mag & ((1u << f->fbits) - 1), e = mag >> f->fbits;
    Value r = { 0 };

    if (f->special == IEEE && e == (1u << f->ebits) - 1) {
        r.v = INFINITY;
        r.nan = m;
        r.snan = m && !(m >> (f->fbits - 1));
    } else {
        r.v = ldexp(e ? m + (1 << f->fbits) : m,
                    (e ? (int)e : 1) - f->bias - f->fbits);
        r.nan = f->special == ONE_NAN && mag == f->nan;
    }
    r.v = x & sign_bit(f) ? -r.v : r.v;
    return r;
}

static Value decode(const Fmt *f, uint32_t x)
{
    Value r = { 0 };

    switch (f->special) {
    case E8M0:
        r.v = ldexp(1, (int)x - f->bias);
        r.nan = x == f->nan;
        return r;
    case HIF8:
        r.nan = x == f->nan;
        r.v = (x & 0x7f) == 0x6f ? INFINITY : hif8_magnitude(x & 0x7f);
        r.v = x & 0x80 ? -r.v : r.v;
        return r;
    case INTEGER:
        r.v = f->is_signed && x >> (f->ebits - 1) ? (double)x - (1 << f->ebits)
                                                  : x;
        return r;
    default:
        return decode_binary(f, x);
    }
}

/* ---- rounding ------------------------------------------------------------ */

/*
 * Whether a magnitude strictly between two candidates takes the upper one:
 * @side is negative, 0 or positive below, at or above their middle.
 */
static bool upper(PtoRound mode, bool neg, bool lower_odd, double side)
{
    switch (mode) {
    case PTO_ROUND_RTZ:
        return false;
    case PTO_ROUND_RDN:
        return neg;
    case PTO_ROUND_RUP:
        return !neg;
    case PTO_ROUND_RTO:
        return !lower_odd;
    case PTO_ROUND_RNA:
        return side >= 0;
    case PTO_ROUND_RHB:
        return side > 0 || (side == 0 && !neg);
    default:
        return side > 0 || (side == 0 && lower_odd);
    }
}

/* Magnitude @q to an integer. */
static double to_integer(double q, PtoRound mode, bool neg)
{
    double low = floor(q);

    return q == low ? q
           : low + upper(mode, neg, fmod(low, 2) != 0, q - low - 0.5);
}

static uint64_t largest(const Fmt *f)
{
    uint64_t codes = UINT64_C(1) << (f->ebits + f->fbits);

    switch (f->special) {
    case HIF8:
        return 0x6e;
    case IEEE:
        return (codes - 1 - (UINT64_C(1) << f->fbits)) << f->shift;
    case ONE_NAN:
        return codes - 2;
    default:
        return codes - 1;
    }
}

/* What is beyond the finite range, and infinity itself: N03, N06. */
static Result beyond(const Fmt *f, bool neg, bool to_inf, bool sat)
{
    uint64_t sign = neg ? sign_bit(f) : 0;

    if (!sat && to_inf && f->special == ONE_NAN) {
        return (Result) { f->nan, OF | NX };
    }
    if (!sat && to_inf && f->special != FINITE) {
        return (Result) { sign | (largest(f) + (UINT64_C(1) << f->shift)),
                          OF | NX };
    }
    return (Result) { sign | largest(f), OF | NX };
}

static bool overflows_to_inf(PtoRound mode, bool neg)
{
    return mode == PTO_ROUND_RDN ? neg : mode == PTO_ROUND_RUP ? !neg
           : mode != PTO_ROUND_RTZ && mode != PTO_ROUND_RTO;
}

/* Rounded to @digits significant bits as if the exponent had no limits. */
static double unbounded(double v, int digits, PtoRound mode, bool neg)
{
    int e;

    frexp(v, &e);
    return ldexp(to_integer(ldexp(v, digits - e), mode, neg), e - digits);
}

static Result to_hif8(const Fmt *f, double v, bool neg, PtoRound mode, bool sat)
{
    unsigned i = ARRAY_SIZE(hif8) - 1;
    double next;
    bool up = false;
    Result r = { 0 };

    while (hif8[i].v > v) {
        i--;
    }
    next = i + 1 < ARRAY_SIZE(hif8) ? hif8[i + 1].v : 1.5 * hif8[i].v;
    if (v >= next) {
        return beyond(f, neg, overflows_to_inf(mode, neg), sat);
    }
    if (v != hif8[i].v) {
        up = upper(mode, neg, hif8[i].code & 1, v - (hif8[i].v + next) / 2);
        if (up && i + 1 == ARRAY_SIZE(hif8)) {
            return beyond(f, neg, overflows_to_inf(mode, neg), sat);
        }
        r.flags = NX | (unbounded(v, 2, mode, neg) < ldexp(1, -15) ? UF : 0);
    }
    r.bits = hif8[i + up].code;
    r.bits |= r.bits && neg ? 0x80 : 0;
    return r;
}

static Result to_binary(const Fmt *f, double v, bool neg, PtoRound mode,
                        bool sat)
{
    int e, emin = 1 - f->bias;
    double q, r;
    uint64_t code;
    Result out = { 0 };

    frexp(v, &e);
    e = MAX(e - 1, emin);
    q = ldexp(v, f->fbits - e);
    r = to_integer(q, mode, neg);
    /* A carry out of the fraction moves on to the next exponent code. */
    code = ((uint64_t)r + ((uint64_t)(e - emin) << f->fbits)) << f->shift;
    if (code > largest(f)) {
        return beyond(f, neg, overflows_to_inf(mode, neg), sat);
    }
    if (r != q) {
        bool tiny = unbounded(v, f->fbits + 1, mode, neg) < ldexp(1, emin);

        /* The formats of 4 bits have no underflow: N17. */
        out.flags = NX | (tiny && width(f) > 4 ? UF : 0);
    }
    out.bits = code | (neg ? sign_bit(f) : 0);
    return out;
}

static Result to_float(const Fmt *f, const Value *x, PtoRound mode, bool sat)
{
    bool neg = signbit(x->v), no_nan = f->special == FINITE;
    Result r;

    if (x->nan) {
        return (Result) { sat ? 0 : f->nan, x->snan || no_nan ? NV : 0 };
    }
    if (isinf(x->v)) {
        r = beyond(f, neg, true, sat);
        if (!sat && (f->special == IEEE || f->special == HIF8)) {
            r.flags = 0;
        }
        return r;
    }
    if (x->v == 0) {
        return (Result) { neg && f->special != HIF8 ? sign_bit(f) : 0, 0 };
    }
    return f->special == HIF8 ? to_hif8(f, fabs(x->v), neg, mode, sat)
                              : to_binary(f, fabs(x->v), neg, mode, sat);
}

static Result to_int(const Fmt *f, const Value *x, PtoRound mode, bool sat,
                     bool from_int)
{
    double low = f->is_signed ? -ldexp(1, f->ebits - 1) : 0;
    double end = ldexp(1, f->is_signed ? f->ebits - 1 : f->ebits), r;
    uint64_t mask = UINT64_MAX >> (64 - f->ebits);
    uint64_t min = f->is_signed ? UINT64_C(1) << (f->ebits - 1) : 0;
    uint64_t max = f->is_signed ? min - 1 : mask;
    bool neg = signbit(x->v);

    if (x->nan) {
        return (Result) { sat ? 0 : f->is_signed ? min : mask, NV };
    }
    r = isinf(x->v) ? fabs(x->v) : to_integer(fabs(x->v), mode, neg);
    r = neg ? -r : r;
    if (r >= low && r < end) {
        uint64_t m = fabs(r);

        return (Result) { (neg ? -m : m) & mask, r != x->v ? NX : 0 };
    }
    if (sat) {
        return (Result) { neg ? min : max, from_int ? 0 : OF | NX };
    }
    if (from_int) {
        return (Result) { (int64_t)r & mask, 0 };
    }
    return (Result) { f->is_signed ? min : mask, NV };
}

static Result convert(const Fmt *from, const Fmt *to, const Value *x,
                      PtoRound mode, bool sat)
{
    if (to->special != INTEGER) {
        return to_float(to, x, mode, sat);
    }
    if (mode == PTO_ROUND_NONE && from->special != INTEGER) {
        mode = PTO_ROUND_RTZ;
    }
    return to_int(to, x, mode, sat, from->special == INTEGER);
}

/* ---- blocks -------------------------------------------------------------- */

#define COLS 256u

/* The source tile holds the codes @first .. @first + @n - 1 as one row. */
static void run(VecEnv *e, const Fmt *from, const Fmt *to, PtoRound mode,
                bool sat, uint32_t first, unsigned n, const Result *want)
{
    uint8_t flags = 0;
    PtoDatr *d;
    PtoCommit r;

    for (unsigned i = 0; i < n; i++) {
        flags |= want[i].flags;
    }
    vec_block(e, PTO_OP_TCVT, from->type);
    vec_dims(e, n, 1, COLS);
    d = vec_datr(e);
    d->dtype = to->type;
    d->rmode = mode;
    d->sat = sat;
    d->pad = PTO_PAD_NULL;
    vec_iot(e, 3, vec_size_code(to->type, 1, COLS), 1, 0, 0, true);
    r = vec_commit(e);
    checks++;
    if (r.status != PTO_COMMIT_DONE || r.flags != flags) {
        failures++;
        printf("%s to %s mode %d sat %d 0x%x+%u: status %d flags %x, "
               "expected %x\n", pto_type_info[from->type].name,
               pto_type_info[to->type].name, mode, sat, first, n, r.status,
               r.flags, flags);
    }
    for (unsigned i = 0; r.status == PTO_COMMIT_DONE && i < n; i++) {
        uint64_t got = pto_tile_get(&e->local.tile[48], 0, i);

        checks++;
        if (got != want[i].bits) {
            failures++;
            printf("%s to %s mode %d sat %d 0x%x: 0x%" PRIx64 ", expected 0x%"
                   PRIx64 "\n", pto_type_info[from->type].name,
                   pto_type_info[to->type].name, mode, sat, first + i, got,
                   want[i].bits);
        }
    }
    pto_local_free(&e->local, 48);
}

static void source(VecEnv *e, const Fmt *from, uint32_t first, unsigned n)
{
    uint64_t in[COLS];

    for (unsigned i = 0; i < n; i++) {
        in[i] = first + i;
    }
    vec_tile_set(vec_tile(e, 0, from->type, vec_size_code(from->type, 1, COLS),
                          COLS, 1, n), in, n);
}

/* All selectors for one run of codes. */
static void all_controls(VecEnv *e, const Fmt *from, const Fmt *to,
                         const Value *x, uint32_t first, unsigned n)
{
    Result want[COLS];

    source(e, from, first, n);
    for (int control = 0; control < 16; control++) {
        PtoRound mode = control >> 1;
        bool sat = control & 1;

        for (unsigned i = 0; i < n; i++) {
            want[i] = convert(from, to, &x[i], mode, sat);
        }
        run(e, from, to, mode, sat, first, n, want);
    }
    pto_local_free(&e->local, 0);
}

static void sweep(VecEnv *e, const Fmt *from, const Fmt *to)
{
    uint32_t codes = 1u << width(from);
    unsigned n = MIN(codes, COLS);
    Value x[COLS];

    for (uint32_t first = 0; first < codes && failures < 50; first += n) {
        for (unsigned i = 0; i < n; i++) {
            x[i] = decode(from, first + i);
        }
        all_controls(e, from, to, x, first, n);
        /* The exact flags of a single element, where there are few codes. */
        for (unsigned i = 0; i < n && codes <= COLS; i++) {
            all_controls(e, from, to, &x[i], i, 1);
        }
    }
}

static void sort_hif8(void)
{
    for (unsigned k = 0; k < ARRAY_SIZE(hif8); k++) {
        unsigned code = k < 0x6f ? k : k + 1;   /* 0x6f is infinity */
        double v = hif8_magnitude(code);
        unsigned i = k;

        for (; i && hif8[i - 1].v > v; i--) {
            hif8[i] = hif8[i - 1];
        }
        hif8[i].v = v;
        hif8[i].code = code;
    }
}

/* usage: convert-exhaustive [BITS]: sources of up to 8 bits, or of BITS */
int main(int argc, char **argv)
{
    unsigned bits = argc > 1 ? atoi(argv[1]) : 0;
    VecEnv *e = pto_alloc0(sizeof(*e));

    sort_hif8();
    vec_env_init(e, &pto_tile_profile_pto);
    for (unsigned s = 0; s < ARRAY_SIZE(fmts); s++) {
        unsigned w = width(&fmts[s]);

        for (unsigned d = 0; (bits ? w == bits : w <= 8) &&
             d < ARRAY_SIZE(fmts); d++) {
            if (fmts[d].special != E8M0) {
                sweep(e, &fmts[s], &fmts[d]);
            }
        }
    }
    vec_env_done(e);
    pto_free(e);
    printf("%u passed, %u failed\n", checks - failures, failures);
    return failures != 0;
}
