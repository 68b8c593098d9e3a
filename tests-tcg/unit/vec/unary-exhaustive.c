/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every input of the SFU functions and integer unary operations of 8 and
 * 16 bits, as whole blocks: single elements for the exact flags, then full
 * rows for the row kernels.  The expected results come from long double
 * functions of the C library, 64 bits wide, rounded once to at most 11 bits.
 */
#include <math.h>
#include "env.h"

enum { NV = 1, DZ = 2, OF = 4, UF = 8, NX = 16 };

typedef struct Fmt {
    PtoDataType type;
    int ebits, fbits;
    bool inf;
    uint32_t nan;
} Fmt;

static const Fmt fmts[] = {
    { PTO_FP16, 5, 10, true, 0x7e00 }, { PTO_BF16, 8, 7, true, 0x7fc0 },
    { PTO_E5M2, 5, 2, true, 0x7e }, { PTO_E4M3, 4, 3, false, 0x7f },
};

typedef struct Result {
    uint32_t bits;
    uint8_t flags;
} Result;

static unsigned checks, failures;

static int bias(const Fmt *f)
{
    return (1 << (f->ebits - 1)) - 1;
}

static uint32_t sign_bit(const Fmt *f)
{
    return 1u << (f->ebits + f->fbits);
}

static uint32_t inf_code(const Fmt *f)
{
    return ((1u << f->ebits) - 1) << f->fbits;
}

static bool is_nan(const Fmt *f, uint32_t x)
{
    uint32_t mag = x & (sign_bit(f) - 1);

    return f->inf ? mag > inf_code(f) : mag == f->nan;
}

static bool is_snan(const Fmt *f, uint32_t x)
{
    return f->inf && is_nan(f, x) && !(x >> (f->fbits - 1) & 1);
}

static long double value(const Fmt *f, uint32_t x)
{
    uint32_t mag = x & (sign_bit(f) - 1);
    int e = mag >> f->fbits;
    long double m = mag & ((1u << f->fbits) - 1);

    if (f->inf && mag == inf_code(f)) {
        m = INFINITY;
    } else {
        m = ldexpl(e ? m + (1 << f->fbits) : m,
                   (e ? e : 1) - bias(f) - f->fbits);
    }
    return x & sign_bit(f) ? -m : m;
}

/* Nearest even of @v, or of a value next to it when not @exact. */
static Result round_once(const Fmt *f, long double v, bool exact)
{
    uint32_t sign = signbit(v) ? sign_bit(f) : 0;
    uint32_t last = f->inf ? inf_code(f) - 1 : f->nan - 1;
    int e, emin = 1 - bias(f);
    long double q, r, wide;
    Result out = { sign, 0 };

    v = fabsl(v);
    if (v == 0) {
        return out;
    }
    frexpl(v, &e);
    e--;
    wide = ldexpl(rintl(ldexpl(v, f->fbits - e)), e - f->fbits);
    q = ldexpl(v, f->fbits - MAX(e, emin));
    r = rintl(q);
    if (!exact || r != q) {
        out.flags = NX | (wide < ldexpl(1, emin) ? UF : 0);
    }
    if (wide > value(f, last)) {
        out.flags = OF | NX;
        out.bits = f->inf ? sign | inf_code(f) : f->nan;
        return out;
    }
    /* A carry out of the fraction moves on to the next exponent code. */
    out.bits |= (uint32_t)r + ((uint32_t)(MAX(e, emin) - emin) << f->fbits);
    return out;
}

static Result infinity(const Fmt *f, bool negative, uint8_t flags)
{
    return (Result) { f->inf ? inf_code(f) | (negative ? sign_bit(f) : 0)
                             : f->nan, flags };
}

static bool power_of(int radix_log, long double x)
{
    int e;

    return frexpl(x, &e) == 0.5L && (e - 1) % radix_log == 0;
}

static Result sfu(const Fmt *f, PtoTileOpId op, uint32_t x)
{
    long double v = value(f, x), r;
    bool neg = x & sign_bit(f);
    Result nan = { f->nan, NV };

    if (is_nan(f, x)) {
        nan.flags = is_snan(f, x) ? NV : 0;
        return nan;
    }
    if (op == PTO_OP_TEXP) {
        if (isinf(v)) {
            return neg ? (Result) { 0, 0 } : infinity(f, false, 0);
        }
        return round_once(f, expl(fmaxl(fminl(v, 11000), -11000)), v == 0);
    }
    if (v == 0 && op != PTO_OP_TSQRT) {
        return infinity(f, neg || op == PTO_OP_TLOG, DZ);
    }
    if (op == PTO_OP_TRECIP) {
        return round_once(f, 1 / v, isinf(v) || power_of(1, fabsl(v)));
    }
    if (neg && v != 0) {
        return nan;
    }
    if (isinf(v)) {
        return op == PTO_OP_TRSQRT ? (Result) { 0, 0 } : infinity(f, false, 0);
    }
    if (op == PTO_OP_TLOG) {
        return round_once(f, logl(v), v == 1);
    }
    r = sqrtl(v);
    return op == PTO_OP_TSQRT ? round_once(f, r, r * r == v)
                              : round_once(f, 1 / r, power_of(2, v));
}

static Result integer(PtoTileOpId op, unsigned bits, bool is_signed, uint32_t x)
{
    uint32_t mask = (1u << bits) - 1;
    bool neg = is_signed && (x >> (bits - 1) & 1);

    switch (op) {
    case PTO_OP_TNOT:
        return (Result) { ~x & mask, 0 };
    case PTO_OP_TNEG:
        return (Result) { -x & mask, 0 };
    case PTO_OP_TABS:
        return (Result) { (neg ? -x : x) & mask, 0 };
    default:
        return (Result) { neg ? 0 : x, 0 };
    }
}

/* Inputs @first .. @first + @n - 1 as one row. */
static void run(VecEnv *e, PtoTileOpId op, PtoDataType type, uint32_t first,
                unsigned n, const Result *want)
{
    unsigned cols = MAX(n, 64u);
    unsigned code = vec_size_code(type, 4, cols);
    uint64_t in[256];
    uint8_t flags = 0;
    PtoCommit r;

    for (unsigned i = 0; i < n; i++) {
        in[i] = first + i;
        flags |= want[i].flags;
    }
    vec_tile_set(vec_tile(e, 0, type, code, cols, 1, n), in, n);
    vec_block(e, op, type);
    vec_dims(e, n, 1, cols);
    vec_iot(e, 3, vec_size_code(type, e->local.tile[0].rows, cols), 1, 0, 0,
            true);
    r = vec_commit(e);
    checks++;
    if (r.status != PTO_COMMIT_DONE || r.flags != flags) {
        failures++;
        printf("%s %s 0x%x+%u: status %d flags %x, expected %x\n",
               pto_tile_ops[op].name, pto_type_info[type].name, first, n,
               r.status, r.flags, flags);
    }
    for (unsigned i = 0; r.status == PTO_COMMIT_DONE && i < n; i++) {
        uint32_t got = pto_tile_get(&e->local.tile[48], 0, i);

        checks++;
        if (got != want[i].bits) {
            failures++;
            printf("%s %s 0x%x: 0x%x, expected 0x%x\n", pto_tile_ops[op].name,
                   pto_type_info[type].name, first + i, got, want[i].bits);
        }
    }
    pto_local_free(&e->local, 0);
    pto_local_free(&e->local, 48);
}

static void sweep(VecEnv *e, PtoTileOpId op, PtoDataType type, const Fmt *f)
{
    unsigned bits = pto_type_bits(type);
    bool is_signed = type == PTO_S8 || type == PTO_S16;
    Result want[256];

    for (uint32_t first = 0; first < 1u << bits && failures < 50;
         first += 256) {
        for (unsigned i = 0; i < 256; i++) {
            want[i] = f ? sfu(f, op, first + i)
                        : integer(op, bits, is_signed, first + i);
            run(e, op, type, first + i, 1, &want[i]);
        }
        run(e, op, type, first, 256, want);
    }
}

int main(void)
{
    static const PtoTileOpId sfus[] = {
        PTO_OP_TEXP, PTO_OP_TLOG, PTO_OP_TSQRT, PTO_OP_TRSQRT, PTO_OP_TRECIP,
    };
    static const PtoTileOpId ints[] = {
        PTO_OP_TABS, PTO_OP_TNOT, PTO_OP_TNEG, PTO_OP_TRELU,
    };
    static const PtoDataType types[] = { PTO_S8, PTO_U8, PTO_S16, PTO_U16 };
    VecEnv *e = pto_alloc0(sizeof(*e));

    vec_env_init(e, &pto_tile_profile_pto);
    for (unsigned i = 0; i < ARRAY_SIZE(sfus); i++) {
        for (unsigned t = 0; t < ARRAY_SIZE(fmts); t++) {
            sweep(e, sfus[i], fmts[t].type, &fmts[t]);
        }
    }
    for (unsigned i = 0; i < ARRAY_SIZE(ints); i++) {
        for (unsigned t = 0; t < ARRAY_SIZE(types); t++) {
            sweep(e, ints[i], types[t], NULL);
        }
    }
    vec_env_done(e);
    pto_free(e);
    printf("%u passed, %u failed\n", checks - failures, failures);
    return failures != 0;
}
