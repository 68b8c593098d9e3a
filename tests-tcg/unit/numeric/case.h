/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One numeric vector: a JSON line with string, number and array members.
 */
#ifndef PTO_NUMERIC_CASE_H
#define PTO_NUMERIC_CASE_H

#include "tile/numeric.h"

#define CASE_MEMBERS 40

typedef struct CaseMember {
    const char *key;
    const char *text;       /* string or number text; NULL for an array */
    const char **items;     /* array items as text */
    size_t item_count;
} CaseMember;

typedef struct NumericCase {
    CaseMember members[CASE_MEMBERS];
    size_t member_count;
    void *memory[256];      /* released by case_free() */
    size_t memory_count;
    bool quiet;             /* count failures without printing them */
    bool failed;
} NumericCase;

typedef struct CaseValues {
    uint64_t *v;
    size_t n;
} CaseValues;

/**
 * case_parse: split one line in place.
 *
 * A nested object's members get the key "outer.inner".
 * Returns: false when the line is not such an object.
 */
bool case_parse(NumericCase *c, char *line);
void case_free(NumericCase *c);

const CaseMember *case_member(const NumericCase *c, const char *key);

/* Text of a member, or NULL. */
const char *case_text(const NumericCase *c, const char *key);

/* Decimal or 0x number of a member, or @fallback when absent. */
uint64_t case_number(const NumericCase *c, const char *key, uint64_t fallback);

/**
 * case_values: an operand or result array in any of the vector forms.
 *
 * Forms: array of "0x..", one string of "n" concatenated elements, RANGE:start,
 * ALL, and a single number.  Absent: n is 0.
 */
CaseValues case_values(NumericCase *c, const char *key);

/* Element @i of a possibly scalar operand (one value stands for all). */
static inline uint64_t case_at(CaseValues v, size_t i)
{
    return v.n == 1 ? v.v[0] : i < v.n ? v.v[i] : 0;
}

/* Type of that name in a member; PTO_DTYPE_NONE when absent or unknown. */
PtoDataType case_type(const NumericCase *c, const char *key);

/* Rounding selector by name, NONE when @name is NULL. */
PtoRound round_by_name(const char *name);

/* OR of the names in the "flags" array. */
uint32_t case_flags(const NumericCase *c, const char *key);

/**
 * case_expect: compare one value; prints the difference and marks the case.
 */
void case_expect(NumericCase *c, const char *what, size_t index, uint64_t got,
                 uint64_t want);

/**
 * case_expect_element: result and flags of element @i against "r" and "ef".
 */
void case_expect_element(NumericCase *c, size_t i, uint64_t got, uint32_t flags,
                         CaseValues r, CaseValues ef);

/* One checker: operations whose name it knows. Returns false for others. */
typedef bool NumericChecker(NumericCase *c, const char *op);

NumericChecker check_element_op;
NumericChecker check_conversion_op;
NumericChecker check_scalar_op;
NumericChecker check_sequence_op;

#endif
