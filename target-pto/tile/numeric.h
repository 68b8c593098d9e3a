/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The numeric engine: every result of profile
 * pto-hardware-numeric-0.58.3-ieee-v1 for one element.
 *
 * Operands are unpacked to PtoNum, an operation yields an exact (or
 * sticky-extended) PtoNum, and pto_num_round() turns it into an encoding of
 * any format with the IEEE flags (PTO_FLAG_*) of that one rounding.  Row kernels must give
 * the same bits and flags as these functions.
 */
#ifndef PTO_TILE_NUMERIC_H
#define PTO_TILE_NUMERIC_H

#include "tile/formats.h"

/* Rounding selectors with the codes of the B.DATR RMode field. */
typedef enum PtoRound {
    PTO_ROUND_NONE = 0, /* operation default, which is RNE */
    PTO_ROUND_RNE = 1,  /* nearest, ties to even */
    PTO_ROUND_RTZ = 2,  /* toward zero */
    PTO_ROUND_RDN = 3,  /* toward negative infinity (RTM) */
    PTO_ROUND_RUP = 4,  /* toward positive infinity (RTP) */
    PTO_ROUND_RNA = 5,  /* nearest, ties away from zero */
    PTO_ROUND_RTO = 6,  /* to odd when inexact */
    PTO_ROUND_RHB = 7,  /* nearest, ties toward positive infinity */
} PtoRound;

typedef enum PtoNumClass {
    PTO_NUM_ZERO,
    PTO_NUM_FINITE,     /* nonzero */
    PTO_NUM_INF,
    PTO_NUM_QNAN,
    PTO_NUM_SNAN,
} PtoNumClass;

typedef unsigned __int128 PtoU128;

/*
 * An unpacked number.  FINITE: (-1)^sign * sig * 2^(exp - 127) with bit 127 of
 * sig set; sticky says that the true magnitude lies strictly between sig and
 * sig + 1 in units of the last place of sig.
 */
typedef struct PtoNum {
    uint8_t cls;        /* PtoNumClass */
    bool sign;
    bool sticky;
    int32_t exp;
    PtoU128 sig;
} PtoNum;

static inline bool pto_num_is_nan(const PtoNum *n)
{
    return n->cls >= PTO_NUM_QNAN;
}

/* ---- unpack and round ---------------------------------------------------- */

/**
 * pto_num_unpack: exact value of one logical element of any type.
 * @type: floating, scale or integer type
 * @bits: logical element; bits above the element width are ignored
 */
PtoNum pto_num_unpack(PtoDataType type, uint64_t bits);

/**
 * pto_num_unpack_fmt: the same for a format row (FP19 included).
 */
PtoNum pto_num_unpack_fmt(const PtoFormat *fmt, uint64_t bits);

/**
 * pto_num_from_int: exact value of a two's complement integer.
 */
PtoNum pto_num_from_int(__int128 value);

/**
 * pto_num_round: round once and encode.
 * @fmt: destination row (BINARY, HIF8, E8M0, SIGNED or UNSIGNED)
 * @num: value; a SNAN class raises NV here, a QNAN does not
 * @mode: rounding selector
 * @sat: Sat of B.DATR: overflow gives the largest finite value, NaN gives zero
 * @flags: PTO_FLAG_* are ORed in
 *
 * Returns: the logical element.  Rules N03-N06, N16, N17, N20 of the numeric
 * profile decide overflow, missing infinities and NaNs, and integers.
 */
uint64_t pto_num_round(const PtoFormat *fmt, const PtoNum *num, PtoRound mode,
                       bool sat, uint32_t *flags);

/* ---- exact arithmetic on unpacked numbers -------------------------------- */

/*
 * Each returns the exact result, at most shortened to 128 bits plus sticky.
 * Invalid operations set NV and return QNAN; a signaling operand sets NV.
 * @mode is needed for the sign of an exact zero sum only.
 * Operands of div, sqrt and rsqrt must have at most 64 significant bits.
 */
PtoNum pto_num_add(const PtoNum *a, const PtoNum *b, PtoRound mode,
                   uint32_t *flags);
PtoNum pto_num_sub(const PtoNum *a, const PtoNum *b, PtoRound mode,
                   uint32_t *flags);
PtoNum pto_num_mul(const PtoNum *a, const PtoNum *b, uint32_t *flags);
PtoNum pto_num_div(const PtoNum *a, const PtoNum *b, uint32_t *flags);
PtoNum pto_num_fma(const PtoNum *a, const PtoNum *b, const PtoNum *c,
                   PtoRound mode, uint32_t *flags);
PtoNum pto_num_floor_rem(const PtoNum *a, const PtoNum *b, uint32_t *flags);
PtoNum pto_num_sqrt(const PtoNum *a, uint32_t *flags);
PtoNum pto_num_rsqrt(const PtoNum *a, uint32_t *flags);

/* exp and natural log, truncated to 128 bits with an exact sticky bit. */
PtoNum pto_num_exp(const PtoNum *a, uint32_t *flags);
PtoNum pto_num_log(const PtoNum *a, uint32_t *flags);

/**
 * pto_num_compare: order of two numbers, zeros equal.
 *
 * Returns: -1, 0, 1, or 2 when an operand is a NaN.  Raises no flags.
 */
int pto_num_compare(const PtoNum *a, const PtoNum *b);

/* ---- one element of the tile operations ---------------------------------- */

typedef enum PtoElemBinary {
    PTO_ELEM_ADD,
    PTO_ELEM_SUB,
    PTO_ELEM_MUL,
    PTO_ELEM_DIV,
    PTO_ELEM_REM,       /* floor modulo, sign of the divisor (N07, N18) */
    PTO_ELEM_MIN,
    PTO_ELEM_MAX,
    PTO_ELEM_AND,       /* the logic and shift rows take integers only */
    PTO_ELEM_OR,
    PTO_ELEM_XOR,
    PTO_ELEM_SHL,
    PTO_ELEM_SHR,
    PTO_ELEM_BINARY_COUNT,
} PtoElemBinary;

typedef enum PtoElemUnary {
    PTO_ELEM_ABS,
    PTO_ELEM_NEG,
    PTO_ELEM_RELU,
    PTO_ELEM_NOT,       /* integers only */
    PTO_ELEM_EXP,       /* the rest floating types only, correctly rounded */
    PTO_ELEM_LOG,
    PTO_ELEM_SQRT,
    PTO_ELEM_RSQRT,
    PTO_ELEM_RECIP,
    PTO_ELEM_UNARY_COUNT,
} PtoElemUnary;

/**
 * pto_elem_binary: one element of a two-operand operation.
 * @op: operation
 * @type: type of both operands and of the result
 * @a: left logical element (dividend, value to shift)
 * @b: right logical element (divisor, shift count)
 * @mode: rounding selector, ignored by integers
 * @flags: PTO_FLAG_* are ORed in
 */
uint64_t pto_elem_binary(PtoElemBinary op, PtoDataType type, uint64_t a,
                         uint64_t b, PtoRound mode, uint32_t *flags);

/**
 * pto_elem_unary: one element of a one-operand operation.
 */
uint64_t pto_elem_unary(PtoElemUnary op, PtoDataType type, uint64_t a,
                        PtoRound mode, uint32_t *flags);

/**
 * pto_elem_fma: a * b + c with one rounding; integers wrap.
 */
uint64_t pto_elem_fma(PtoDataType type, uint64_t a, uint64_t b, uint64_t c,
                      PtoRound mode, uint32_t *flags);

/**
 * pto_elem_compare: a relation between two elements.
 *
 * NaN makes every relation false but NE; a signaling NaN raises NV.
 */
bool pto_elem_compare(PtoCompare rel, PtoDataType type, uint64_t a, uint64_t b,
                      uint32_t *flags);

/**
 * pto_elem_convert: one element of TCVT.
 * @src: source type
 * @dst: destination type; E8M0 uses its own value map, PTO-TCVT-E8M0-PROFILE-001
 * @bits: source logical element
 * @mode: rounding selector; NONE is RTZ from floating to integer, else RNE
 * @sat: Sat of B.DATR
 * @canon: Canonicalize of B.DATR: a source NaN becomes quiet first (N14)
 * @flags: PTO_FLAG_* are ORed in
 */
uint64_t pto_elem_convert(PtoDataType src, PtoDataType dst, uint64_t bits,
                          PtoRound mode, bool sat, bool canon, uint32_t *flags);

/**
 * pto_elem_quant: one element of TQUANT (rule N13).
 * @dst: S8 or U8
 * @x: FP32 element
 * @scale: FP32 multiplier
 * @zero_point: zero point as an integer of the destination's signedness
 */
uint64_t pto_elem_quant(PtoDataType dst, uint32_t x, uint32_t scale,
                        int64_t zero_point, PtoRound mode, bool sat,
                        uint32_t *flags);

/**
 * pto_elem_dequant: one element of TDEQUANT, (q - zero_point) * scale in FP32.
 * @src: S8 or U8
 */
uint32_t pto_elem_dequant(PtoDataType src, uint64_t q, uint32_t scale,
                          int64_t zero_point, PtoRound mode, uint32_t *flags);

/**
 * pto_elem_expdif: exp(a - b) of the row and column EXPDIF operations.
 * @src: FP16, BF16 or FP32
 * @dst: the same type, or FP32
 *
 * The difference is rounded to @dst, then the exponential (N19, N28).
 */
uint64_t pto_elem_expdif(PtoDataType src, PtoDataType dst, uint64_t a,
                         uint64_t b, uint32_t *flags);

/* ---- reductions ---------------------------------------------------------- */

typedef enum PtoReduceOp {
    PTO_REDUCE_SUM,
    PTO_REDUCE_PROD,
    PTO_REDUCE_MAX,
    PTO_REDUCE_MIN,
    PTO_REDUCE_ARGMAX,
    PTO_REDUCE_ARGMIN,
} PtoReduceOp;

/* A running reduction over elements in increasing index order. */
typedef struct PtoReduce {
    PtoReduceOp op;
    PtoDataType type;
    uint64_t acc;
    uint32_t count;     /* elements seen */
    uint32_t index;     /* of the element in acc (argument forms) */
    bool numeric;       /* acc is not a NaN (maximum and minimum) */
} PtoReduce;

/**
 * pto_reduce_start: begin a reduction; at least one step must follow.
 */
void pto_reduce_start(PtoReduce *r, PtoReduceOp op, PtoDataType type);

/**
 * pto_reduce_step: take the next element.
 */
void pto_reduce_step(PtoReduce *r, uint64_t x, uint32_t *flags);

/**
 * pto_reduce_finish: the reduced element, or the U32 index for ARGMAX/ARGMIN.
 */
uint64_t pto_reduce_finish(const PtoReduce *r);

/* ---- sort ---------------------------------------------------------------- */

/**
 * pto_sort_before: does @a sort strictly before @b?
 *
 * NaNs come after all numbers in both directions; zeros are equal.  Use it in
 * a stable sort (equal values keep their index order).  Raises no flags; the
 * caller reports pto_elem_snan() of each element.
 */
bool pto_sort_before(PtoDataType type, bool descending, uint64_t a, uint64_t b);

/**
 * pto_elem_snan: is the element a signaling NaN?
 */
bool pto_elem_snan(PtoDataType type, uint64_t bits);

/**
 * pto_elem_nan: is the element any NaN?
 */
bool pto_elem_nan(PtoDataType type, uint64_t bits);

#endif /* PTO_TILE_NUMERIC_H */
