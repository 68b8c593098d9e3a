/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Internal to the row operations: host floating-point status and the tables
 * of row loops, one table per instruction-set level of the host.
 */
#ifndef PTO_TILE_KERNELS_FAST_H
#define PTO_TILE_KERNELS_FAST_H

#include "tile/numeric.h"


/*
 * Row loops return the flags they compute themselves.  Loops listed as
 * host-flag users add what the host's floating-point unit recorded.
 */
#define PTO_FAST_AGAIN 0x100    /* not a flag: this loop does not apply */

typedef uint32_t PtoFast1(void *dst, const void *a, size_t n);

/* @step: 1, or 0 when b is one element for the whole row. */
typedef uint32_t PtoFast2(void *dst, const void *a, const void *b, size_t step,
                          size_t n);
typedef uint32_t PtoFast3(void *dst, const void *a, const void *b,
                          const void *c, size_t n);

/* One byte 0 or 1 per element. */
typedef uint32_t PtoFastCompare(uint8_t *dst, const void *a, const void *b,
                                size_t step, size_t n);

/* Constants of one FP32-to-narrow rounding; see pto_narrow_plan(). */
typedef struct PtoNarrow {
    uint32_t frac_bits;
    uint32_t emin_field;        /* FP32 exponent field of the smallest binade */
    uint32_t shift_out;         /* carrier zeros below the fraction */
    uint32_t sign_shift;        /* the FP32 sign bit moves right by this */
    uint32_t max_code;          /* largest finite code, without carrier zeros */
    uint32_t add_mask[2];       /* by sign: add all of the cut-off part */
    uint32_t add_half[2];       /* by sign: add half a unit */
    uint32_t minus_one[2];      /* by sign: and one less */
    uint32_t add_even;          /* 1: plus the last kept bit (ties to even) */
    uint32_t to_odd;            /* 1: set the last bit when inexact */
    uint32_t tiny_below[2];     /* by sign: FP32 magnitudes below stay tiny */
    uint32_t overflow[2];       /* by sign: encoding of an overflow */
    uint32_t infinity[2];       /* by sign: encoding of an infinity */
    uint32_t inf_flags;         /* raised by an infinity */
    uint32_t nan_code;
    uint32_t nan_flags;         /* raised by every NaN */
    uint32_t snan_flags;        /* raised by a signaling NaN */
    uint32_t uf_flags;          /* PTO_FLAG_UF or 0 */
} PtoNarrow;

/* Round FP32 words into 8-, 16- or 32-bit containers. */
typedef uint32_t PtoFastNarrow(void *dst, const uint32_t *a, size_t n,
                               const PtoNarrow *plan);

typedef struct PtoFastTable {
    PtoFast2 *binary[PTO_ELEM_BINARY_COUNT][PTO_DTYPE_CODES];
    PtoFast1 *unary[PTO_ELEM_UNARY_COUNT][PTO_DTYPE_CODES];
    PtoFast3 *fma[PTO_DTYPE_CODES];
    PtoFastCompare *compare[6][PTO_DTYPE_CODES];
    /* FP16 to FP32 words, sNaN kept; FP32 to FP64; FP64 to FP32 odd-rounded */
    PtoFast1 *widen_fp16, *widen_fp64, *odd32;
    /* FP64 to FP16 and BF16 by one RNE rounding with all flags, or NULL */
    PtoFast1 *odd_fp16, *odd_bf16;
    PtoFastNarrow *narrow8, *narrow16, *narrow32;
    /* the operations in FP64; EXP and LOG return flags, others leave host flags */
    PtoFast2 *wide_binary[PTO_ELEM_BINARY_COUNT];
    PtoFast1 *wide_unary[PTO_ELEM_UNARY_COUNT];
    PtoFast3 *wide_fma;
} PtoFastTable;

extern const PtoFastTable pto_fast_portable;
extern const PtoFastTable pto_fast_avx2;
extern const PtoFastTable pto_fast_avx512;

/**
 * pto_fast_table: the loops for this host.
 */
const PtoFastTable *pto_fast_table(void);

/* ---- host floating-point status ------------------------------------------ */

#if defined(__x86_64__)
#include <xmmintrin.h>

#define PTO_HOST_IEEE 1
#define PTO_MXCSR_DEFAULT 0x1f80

/* Round to nearest, no flush to zero, exceptions masked and clear. */
static inline unsigned pto_host_begin(void)
{
    unsigned saved = _mm_getcsr();

    _mm_setcsr(PTO_MXCSR_DEFAULT);
    __asm__ volatile("" ::: "memory");
    return saved;
}

/* Tininess of SSE is detected after rounding, as the profile asks. */
static inline uint32_t pto_host_flags(void)
{
    unsigned csr;

    __asm__ volatile("" ::: "memory");
    csr = _mm_getcsr();
    return (csr & 1 ? PTO_FLAG_NV : 0) | (csr & 4 ? PTO_FLAG_DZ : 0) |
           (csr & 8 ? PTO_FLAG_OF : 0) | (csr & 16 ? PTO_FLAG_UF : 0) |
           (csr & 32 ? PTO_FLAG_NX : 0);
}

static inline void pto_host_clear(void)
{
    __asm__ volatile("" ::: "memory");
    _mm_setcsr(PTO_MXCSR_DEFAULT);
    __asm__ volatile("" ::: "memory");
}

/*
 * Rounding of the following host operations; false when the host lacks the
 * mode.  @mode is a PtoRound.
 */
static inline bool pto_host_round(unsigned mode)
{
    static const uint16_t control[] = {
        [PTO_ROUND_NONE] = 0, [PTO_ROUND_RNE] = 0,
        [PTO_ROUND_RTZ] = 0x6000, [PTO_ROUND_RDN] = 0x2000,
        [PTO_ROUND_RUP] = 0x4000,
    };

    if (mode > PTO_ROUND_RUP) {
        return false;
    }
    __asm__ volatile("" ::: "memory");
    _mm_setcsr(PTO_MXCSR_DEFAULT | control[mode]);
    __asm__ volatile("" ::: "memory");
    return true;
}

static inline void pto_host_end(unsigned saved)
{
    __asm__ volatile("" ::: "memory");
    _mm_setcsr(saved);
}
#else
/* Other hosts detect tininess differently: integers and orders only. */
#define PTO_HOST_IEEE 0
static inline unsigned pto_host_begin(void) { return 0; }
static inline uint32_t pto_host_flags(void) { return 0; }
static inline void pto_host_clear(void) { }
static inline bool pto_host_round(unsigned mode) { (void)mode; return false; }
static inline void pto_host_end(unsigned saved) { (void)saved; }
#endif

#endif /* PTO_TILE_KERNELS_FAST_H */
