/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Integer row kernels, shared by both numeric profiles. */
#include "tile/port.h"
#include "tile/kernels/strips.h"

/*
 * ROW2(name, T, W, expr): one two-operand loop over elements of type T; expr
 * sees x and y converted to W, an unsigned type at least as wide as int (so
 * that narrow products do not overflow int) or, where the sign matters, T's
 * own promotion.  The loop carries no dependence even when d is a or b.
 */
#define ROW2(name, T, W, expr)                                          \
    PTO_STRIP_LOOP                                                      \
    static uint32_t name(const PtoStripOp *k, void *d, const void *a,   \
                         const void *b, const void *c, size_t n)        \
    {                                                                   \
        T *dt = d;                                                      \
        const T *at = a, *bt = b;                                       \
        (void)k, (void)c;                                               \
        _Pragma("GCC ivdep")                                            \
        for (size_t i = 0; i < n; i++) {                                \
            W x = (W)at[i], y = (W)bt[i];                               \
            dt[i] = (T)(expr);                                          \
        }                                                               \
        return 0;                                                       \
    }

#define ROW1(name, T, W, expr)                                          \
    PTO_STRIP_LOOP                                                      \
    static uint32_t name(const PtoStripOp *k, void *d, const void *a,   \
                         const void *b, const void *c, size_t n)        \
    {                                                                   \
        T *dt = d;                                                      \
        const T *at = a;                                                \
        (void)k, (void)b, (void)c;                                      \
        _Pragma("GCC ivdep")                                            \
        for (size_t i = 0; i < n; i++) {                                \
            W x = (W)at[i];                                             \
            dt[i] = (T)(expr);                                          \
        }                                                               \
        return 0;                                                       \
    }

#define ROWCMP(name, T, rel)                                            \
    PTO_STRIP_LOOP                                                      \
    static uint32_t name(const PtoStripOp *k, void *d, const void *a,   \
                         const void *b, const void *c, size_t n)        \
    {                                                                   \
        uint8_t *dt = d;                                                \
        const T *at = a, *bt = b;                                       \
        (void)k, (void)c;                                               \
        _Pragma("GCC ivdep")                                            \
        for (size_t i = 0; i < n; i++) {                                \
            dt[i] = at[i] rel bt[i];                                    \
        }                                                               \
        return 0;                                                       \
    }

/* Operations whose low bits do not depend on the sign. */
#define ROW2_ANY(name, expr)                                            \
    ROW2(name##_8, uint8_t, uint32_t, expr)                             \
    ROW2(name##_16, uint16_t, uint32_t, expr)                           \
    ROW2(name##_32, uint32_t, uint32_t, expr)                           \
    ROW2(name##_64, uint64_t, uint64_t, expr)

#define ROW2_BOTH(name, uexpr, sexpr)                                   \
    ROW2(name##_u8, uint8_t, uint8_t, uexpr)                            \
    ROW2(name##_u16, uint16_t, uint16_t, uexpr)                         \
    ROW2(name##_u32, uint32_t, uint32_t, uexpr)                         \
    ROW2(name##_u64, uint64_t, uint64_t, uexpr)                         \
    ROW2(name##_s8, int8_t, int8_t, sexpr)                              \
    ROW2(name##_s16, int16_t, int16_t, sexpr)                           \
    ROW2(name##_s32, int32_t, int32_t, sexpr)                           \
    ROW2(name##_s64, int64_t, int64_t, sexpr)

#define WIDTH_MASK(T) (sizeof(T) * 8 - 1)

ROW2_ANY(add, x + y)
ROW2_ANY(sub, x - y)
ROW2_ANY(mul, x * y)
ROW2_ANY(and, x & y)
ROW2_ANY(or, x | y)
ROW2_ANY(xor, x ^ y)
ROW2_ANY(shl, x << (y & WIDTH_MASK(*dt)))
ROW2_BOTH(shr, x >> (y & WIDTH_MASK(*dt)), x >> (y & WIDTH_MASK(*dt)))
ROW2_BOTH(max, x > y ? x : y, x > y ? x : y)
ROW2_BOTH(min, x < y ? x : y, x < y ? x : y)

static inline int64_t div_trunc(int64_t x, int64_t y)
{
    return y == -1 ? (int64_t)(0 - (uint64_t)x) : x / y;
}

static inline int64_t mod_floor(int64_t x, int64_t y)
{
    int64_t r = y == -1 ? 0 : x % y;

    return r && (r ^ y) < 0 ? r + y : r;
}

ROW2_BOTH(div, x / y, div_trunc(x, y))
ROW2_BOTH(rem, x % y, mod_floor(x, y))

#define TAB_ANY(name)                                                   \
    { { name##_8, name##_16, name##_32, name##_64 },                    \
      { name##_8, name##_16, name##_32, name##_64 } }
#define TAB_BOTH(name)                                                  \
    { { name##_u8, name##_u16, name##_u32, name##_u64 },                \
      { name##_s8, name##_s16, name##_s32, name##_s64 } }

PtoStripFn *pto_strip_int_binary(PtoElemBinary op, bool is_signed, int log2_bytes)
{
    static PtoStripFn *const table[PTO_ELEM_BINARY_COUNT][2][4] = {
        [PTO_ELEM_ADD] = TAB_ANY(add),
        [PTO_ELEM_SUB] = TAB_ANY(sub),
        [PTO_ELEM_MUL] = TAB_ANY(mul),
        [PTO_ELEM_DIV] = TAB_BOTH(div),
        [PTO_ELEM_REM] = TAB_BOTH(rem),
        [PTO_ELEM_MAX] = TAB_BOTH(max),
        [PTO_ELEM_MIN] = TAB_BOTH(min),
        [PTO_ELEM_AND] = TAB_ANY(and),
        [PTO_ELEM_OR] = TAB_ANY(or),
        [PTO_ELEM_XOR] = TAB_ANY(xor),
        [PTO_ELEM_SHL] = TAB_ANY(shl),
        [PTO_ELEM_SHR] = TAB_BOTH(shr),
    };

    return table[op][is_signed][log2_bytes];
}

ROW1(not_8, uint8_t, uint32_t, ~x)
ROW1(not_16, uint16_t, uint32_t, ~x)
ROW1(not_32, uint32_t, uint32_t, ~x)
ROW1(not_64, uint64_t, uint64_t, ~x)
ROW1(neg_8, uint8_t, uint32_t, 0 - x)
ROW1(neg_16, uint16_t, uint32_t, 0 - x)
ROW1(neg_32, uint32_t, uint32_t, 0 - x)
ROW1(neg_64, uint64_t, uint64_t, 0 - x)
ROW1(same_8, uint8_t, uint8_t, x)
ROW1(same_16, uint16_t, uint16_t, x)
ROW1(same_32, uint32_t, uint32_t, x)
ROW1(same_64, uint64_t, uint64_t, x)
/* The most negative value is its own absolute value. */
ROW1(abs_8, int8_t, int8_t, x < 0 ? 0u - (uint8_t)x : (uint8_t)x)
ROW1(abs_16, int16_t, int16_t, x < 0 ? 0u - (uint16_t)x : (uint16_t)x)
ROW1(abs_32, int32_t, int32_t, x < 0 ? 0u - (uint32_t)x : (uint32_t)x)
ROW1(abs_64, int64_t, int64_t, x < 0 ? 0u - (uint64_t)x : (uint64_t)x)
ROW1(relu_8, int8_t, int8_t, x < 0 ? 0 : x)
ROW1(relu_16, int16_t, int16_t, x < 0 ? 0 : x)
ROW1(relu_32, int32_t, int32_t, x < 0 ? 0 : x)
ROW1(relu_64, int64_t, int64_t, x < 0 ? 0 : x)

#define TAB_W(name) { name##_8, name##_16, name##_32, name##_64 }

PtoStripFn *pto_strip_int_unary(PtoElemUnary op, bool is_signed, int log2_bytes)
{
    static PtoStripFn *const table[PTO_ELEM_NOT + 1][2][4] = {
        [PTO_ELEM_ABS] = { TAB_W(same), TAB_W(abs) },
        [PTO_ELEM_NOT] = { TAB_W(not), TAB_W(not) },
        [PTO_ELEM_NEG] = { TAB_W(neg), TAB_W(neg) },
        [PTO_ELEM_RELU] = { TAB_W(same), TAB_W(relu) },
    };

    return table[op][is_signed][log2_bytes];
}

#define ROW3(name, T, W)                                                \
    PTO_STRIP_LOOP                                                      \
    static uint32_t name(const PtoStripOp *k, void *d, const void *a,   \
                         const void *b, const void *c, size_t n)        \
    {                                                                   \
        T *dt = d;                                                      \
        const T *at = a, *bt = b, *ct = c;                              \
        (void)k;                                                        \
        _Pragma("GCC ivdep")                                            \
        for (size_t i = 0; i < n; i++) {                                \
            dt[i] = (T)((W)at[i] * bt[i] + ct[i]);                      \
        }                                                               \
        return 0;                                                       \
    }

ROW3(fma_8, uint8_t, uint32_t)
ROW3(fma_16, uint16_t, uint32_t)
ROW3(fma_32, uint32_t, uint32_t)
ROW3(fma_64, uint64_t, uint64_t)

PtoStripFn *pto_strip_int_fma(int log2_bytes)
{
    static PtoStripFn *const table[4] = TAB_W(fma);

    return table[log2_bytes];
}

#define ROWCMP_ALL(name, rel)                                           \
    ROWCMP(name##_u8, uint8_t, rel)                                     \
    ROWCMP(name##_u16, uint16_t, rel)                                   \
    ROWCMP(name##_u32, uint32_t, rel)                                   \
    ROWCMP(name##_u64, uint64_t, rel)                                   \
    ROWCMP(name##_s8, int8_t, rel)                                      \
    ROWCMP(name##_s16, int16_t, rel)                                    \
    ROWCMP(name##_s32, int32_t, rel)                                    \
    ROWCMP(name##_s64, int64_t, rel)

ROWCMP_ALL(eq, ==)
ROWCMP_ALL(ne, !=)
ROWCMP_ALL(lt, <)
ROWCMP_ALL(gt, >)
ROWCMP_ALL(le, <=)
ROWCMP_ALL(ge, >=)

PtoStripFn *pto_strip_int_compare(PtoCompare cmp, bool is_signed,
                               int log2_bytes)
{
    static PtoStripFn *const table[PTO_CMP_GE + 1][2][4] = {
        [PTO_CMP_EQ] = TAB_BOTH(eq),
        [PTO_CMP_NE] = TAB_BOTH(ne),
        [PTO_CMP_LT] = TAB_BOTH(lt),
        [PTO_CMP_GT] = TAB_BOTH(gt),
        [PTO_CMP_LE] = TAB_BOTH(le),
        [PTO_CMP_GE] = TAB_BOTH(ge),
    };

    return table[cmp][is_signed][log2_bytes];
}
