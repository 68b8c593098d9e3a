/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The numeric formats of the PTO ISA as table rows.
 *
 * One row describes one format completely: decoding, rounding and encoding
 * are generic and take the row as their parameter.  A "logical element" is a
 * right-aligned bit pattern in a uint64_t; the two lanes of a packed byte are
 * two logical elements of four bits each.
 */
#ifndef PTO_TILE_FORMATS_H
#define PTO_TILE_FORMATS_H

#include "tile/types.h"

typedef enum PtoFormatKind {
    PTO_FMT_NONE,        /* reserved type code */
    PTO_FMT_BINARY,      /* sign, biased exponent, fraction */
    PTO_FMT_HIF8,        /* tapered: the exponent prefix sets the fraction width */
    PTO_FMT_E8M0,        /* unsigned power of two */
    PTO_FMT_SIGNED,      /* two's complement integer */
    PTO_FMT_UNSIGNED,
} PtoFormatKind;

/* Properties of a format; unset bits mean the property is absent. */
enum {
    PTO_FMT_HAS_INF = 1 << 0,
    PTO_FMT_HAS_NAN = 1 << 1,
    /* The all-ones exponent holds finite values except the all-ones code. */
    PTO_FMT_NAN_ALL_ONES = 1 << 2,
    /* The format has no subnormals by contract: no tininess, never UF (N17). */
    PTO_FMT_NO_UF = 1 << 3,
};

typedef struct PtoFormat {
    const char *name;
    uint8_t kind;           /* PtoFormatKind */
    uint8_t flags;          /* PTO_FMT_HAS_INF ... */
    uint8_t elem_bits;      /* bits of one logical element in storage: 4..64 */
    uint8_t lanes;          /* logical elements in one storage unit: 1 or 2 */
    uint8_t exp_bits;
    uint8_t frac_bits;      /* BINARY: stored fraction bits; HiF8: widest */
    uint8_t carrier_shift;  /* zero bits below the fraction (TF32, HF32) */
    int16_t bias;
    int16_t emin;           /* exponent of the smallest normal binade */
    int16_t emax;           /* exponent of the largest finite binade */
    uint64_t max_finite;    /* encoding of the largest finite magnitude */
    uint64_t inf;           /* encoding of +infinity, 0 when absent */
    uint64_t canonical_nan; /* encoding, 0 when the format has no NaN */
} PtoFormat;

/* Rows by type code. */
extern const PtoFormat pto_formats[PTO_DTYPE_CODES];

/* The B.FPATR parameter carrier: s1 e8 m10, right aligned (TF32's payload). */
extern const PtoFormat pto_format_fp19;

/**
 * pto_format: row of a data type.
 * @type: five-bit type code
 *
 * Returns: the row; its kind is PTO_FMT_NONE for a reserved code.
 */
static inline const PtoFormat *pto_format(PtoDataType type)
{
    return &pto_formats[(unsigned)type % PTO_DTYPE_CODES];
}

/**
 * pto_type_mask: all ones in the width of one logical element.
 */
static inline uint64_t pto_type_mask(PtoDataType type)
{
    unsigned bits = pto_type_bits(type);

    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/**
 * pto_encoding_valid: does the format allow this element encoding?
 * @type: data type
 * @bits: logical element, right aligned
 *
 * TF32 needs zero bits 12:0, HF32 zero bits 11:0, E3M2 and E2M3 zero bits 7:6
 * (rule N25); everything else has no forbidden encoding.
 */
bool pto_encoding_valid(PtoDataType type, uint64_t bits);

/**
 * pto_elem_load: read logical element @index of a packed row.
 * @type: data type
 * @row: little-endian elements without gaps; 4-bit types low nibble first
 * @index: logical element index
 */
uint64_t pto_elem_load(PtoDataType type, const void *row, size_t index);

/**
 * pto_elem_store: write logical element @index of a packed row.
 *
 * A 4-bit store leaves the other nibble of the byte unchanged.
 */
void pto_elem_store(PtoDataType type, void *row, size_t index, uint64_t bits);

#endif /* PTO_TILE_FORMATS_H */
