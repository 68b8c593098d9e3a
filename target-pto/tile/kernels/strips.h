/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strips: the inner loops of the VEC and SFU operations in either profile.
 *
 * A strip is n contiguous elements, part of a tile row or a run of rows; a
 * strip function knows nothing of tiles. It is chosen once per operation from
 * (operation, type, profile); the tile kernels then only walk the tile. In a
 * strip an element takes its storage bytes, a 4-bit element one byte.
 */
#ifndef PTO_TILE_KERNELS_STRIPS_H
#define PTO_TILE_KERNELS_STRIPS_H

#include "tile/numeric.h"

typedef struct PtoStripOp PtoStripOp;

/*
 * Compute d[i] from a[i], b[i], c[i] (as many as the operation has) for
 * i < n. Returns the OR of the elements' PTO_FLAG_*. @d may be the same array
 * as an input but must not overlap one otherwise.
 */
typedef uint32_t PtoStripFn(const PtoStripOp *k, void *d, const void *a,
                          const void *b, const void *c, size_t n);

/* A chosen strip function with the parameters that generic ones need. */
struct PtoStripOp {
    PtoStripFn *run;
    uint8_t op;             /* PtoElemBinary or PtoElemUnary */
    uint8_t type;           /* operand type */
    uint8_t dst_type;       /* result type of conversions */
    uint8_t mode;           /* PtoRound */
    bool sat, canon;
    uint64_t scale;         /* TQUANT, TDEQUANT: FP32 bits */
    int64_t zero_point;
};

/* Bytes of one element in a strip. */
static inline unsigned pto_strip_bytes(PtoDataType type)
{
    return (pto_type_bits(type) + 7) / 8;
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define PTO_STRIP_SWAP(bits, v) __builtin_bswap##bits(v)
#else
#define PTO_STRIP_SWAP(bits, v) (v)
#endif

/* Element @i of a strip. */
static inline uint64_t pto_strip_get(const void *strip, unsigned bytes,
                                     size_t i)
{
    switch (bytes) {
    case 1:
        return ((const uint8_t *)strip)[i];
    case 2:
        return PTO_STRIP_SWAP(16, ((const uint16_t *)strip)[i]);
    case 4:
        return PTO_STRIP_SWAP(32, ((const uint32_t *)strip)[i]);
    default:
        return PTO_STRIP_SWAP(64, ((const uint64_t *)strip)[i]);
    }
}

static inline void pto_strip_put(void *strip, unsigned bytes, size_t i,
                                 uint64_t v)
{
    switch (bytes) {
    case 1:
        ((uint8_t *)strip)[i] = v;
        break;
    case 2:
        ((uint16_t *)strip)[i] = PTO_STRIP_SWAP(16, (uint16_t)v);
        break;
    case 4:
        ((uint32_t *)strip)[i] = PTO_STRIP_SWAP(32, (uint32_t)v);
        break;
    default:
        ((uint64_t *)strip)[i] = PTO_STRIP_SWAP(64, v);
        break;
    }
}

/* Fill a strip of @n elements with @v. */
void pto_strip_fill(void *strip, unsigned bytes, uint64_t v, size_t n);

/*
 * Choose the function of an operation. @raw selects the raw-carrier arithmetic
 * of the executable reference model for the floating types (pto-ref), else
 * IEEE. The operation must be legal for the type.
 */
PtoStripOp pto_strip_binary(PtoElemBinary op, PtoDataType type, bool raw);
PtoStripOp pto_strip_unary(PtoElemUnary op, PtoDataType type, bool raw);
PtoStripOp pto_strip_fma(PtoDataType type, bool raw);
PtoStripOp pto_strip_convert(PtoDataType src, PtoDataType dst, PtoRound mode,
                         bool sat, bool canon, bool raw);
PtoStripOp pto_strip_expdif(PtoDataType src, PtoDataType dst, bool raw);
PtoStripOp pto_strip_quant(PtoDataType dst, uint64_t scale, int64_t zero_point,
                       PtoRound mode, bool sat);
PtoStripOp pto_strip_dequant(PtoDataType src, uint64_t scale, int64_t zero_point,
                         PtoRound mode, bool raw);

static inline uint32_t pto_float_bits(float v)
{
    uint32_t bits;

    memcpy(&bits, &v, 4);
    return bits;
}

static inline uint64_t pto_double_bits(double v)
{
    uint64_t bits;

    memcpy(&bits, &v, 8);
    return bits;
}

static inline double pto_bits_double(uint64_t bits)
{
    double v;

    memcpy(&v, &bits, 8);
    return v;
}

/* Strip functions with a file of their own: remainder.c, quant.c. */
PtoStripFn pto_strip_remainder;
PtoStripFn pto_strip_quantize;
PtoStripFn pto_strip_dequantize;
PtoStripFn pto_strip_dequantize_raw;

/*
 * Loops that the compiler shall vectorise for the widest unit of the machine
 * that runs them; the choice is made once at load time. Such
 * loops select by masks, not by conditions.
 */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && \
    !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define PTO_STRIP_LOOP \
    __attribute__((optimize("O3"), \
                   target_clones("arch=skylake-avx512", "avx2", "default")))
#elif defined(__GNUC__) && !defined(__clang__)
#define PTO_STRIP_LOOP __attribute__((optimize("O3")))
#else
#define PTO_STRIP_LOOP
#endif

#endif
