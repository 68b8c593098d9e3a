/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Table of all instruction forms with their spelling, made from the decode
 * files and forms.def. Shared by the disassembler and the assembler; knows
 * neither CPU state nor QEMU.
 */
#ifndef PTO_FORMS_H
#define PTO_FORMS_H

#include "tile/port.h"

/* Encoded fields, by their names in the decode files. */
typedef enum PtoFieldId {
    PTO_F_NONE,
    PTO_F_RD, PTO_F_RD1, PTO_F_SL, PTO_F_SR, PTO_F_SA, PTO_F_SP, PTO_F_SD,
    PTO_F_SD1, PTO_F_SRT, PTO_F_ST, PTO_F_DT, PTO_F_SHAMT, PTO_F_IMM,
    PTO_F_POS, PTO_F_WM1, PTO_F_FIRST, PTO_F_LAST, PTO_F_AQ, PTO_F_RL,
    PTO_F_FAR, PTO_F_ID, PTO_F_TYPE, PTO_F_PRED, PTO_F_SUCC, PTO_F_LEVEL,
    PTO_F_E, PTO_F_H, PTO_F_I, PTO_F_R, PTO_F_S,
    PTO_F_RS, PTO_F_RS0, PTO_F_RS1, PTO_F_RS2,
    PTO_F_BR, PTO_F_LB, PTO_F_RET, PTO_F_DTYPE, PTO_F_MODE, PTO_F_FUNC,
    PTO_F_DR, PTO_F_TRAP, PTO_F_ATOM,
    PTO_F_CMODE, PTO_F_PAD, PTO_F_SAT, PTO_F_CANON, PTO_F_RMODE,
    PTO_F_LAYOUT,
    PTO_F_PREQUANT, PTO_F_RELU, PTO_F_GROUPN, PTO_F_ROWMAX, PTO_F_GROUPMAX,
    PTO_F_ROWINIT, PTO_F_MAXABS, PTO_F_CSCALE, PTO_F_TRANSA, PTO_F_TRANSB,
    PTO_F_PREFETCH, PTO_F_TEMP, PTO_F_LIKELY, PTO_F_VALID, PTO_F_END,
    PTO_F_SRC0, PTO_F_SRC1, PTO_F_SIZE, PTO_F_PEMODE, PTO_F_DST, PTO_F_SID,
    PTO_F_SEL, PTO_F_INIT, PTO_F_ACR, PTO_F_BID,
} PtoFieldId;

/* Kinds of operand text; forms.def describes them. */
typedef enum PtoKind {
    PTO_K_LIT,
    PTO_K_SRC, PTO_K_DST, PTO_K_GPR, PTO_K_NUM, PTO_K_WM1, PTO_K_ZERO,
    PTO_K_PC, PTO_K_PCR, PTO_K_RT, PTO_K_RET, PTO_K_PAGE,
    PTO_K_BNEG, PTO_K_BNOT, PTO_K_CNEG, PTO_K_CNOT, PTO_K_SNEG,
    PTO_K_LSL, PTO_K_SH,
    PTO_K_FP, PTO_K_CVTFF, PTO_K_CVTFI, PTO_K_CVTSF, PTO_K_CVTUF,
    PTO_K_ORDER, PTO_K_LEVEL, PTO_K_QMT, PTO_K_QPOP, PTO_K_QPUSH,
    PTO_K_QMTR, PTO_K_SSR, PTO_K_LSR,
    PTO_K_BR, PTO_K_LB, PTO_K_DTYPE, PTO_K_TEPL,
    PTO_K_LAYOUT, PTO_K_PAD, PTO_K_CMODE, PTO_K_RMODE,
    PTO_K_PREQUANT, PTO_K_RELU, PTO_K_CATR, PTO_K_BRANCH, PTO_K_TEMP,
    PTO_K_TRACE,
    PTO_K_TILE, PTO_K_MASK, PTO_K_DTILE, PTO_K_LAST, PTO_K_LASTPRE,
    PTO_K_IOS, PTO_K_IOR,
} PtoKind;

/* A field of a form; segments from the most significant down. */
typedef struct PtoFormField {
    uint8_t id;
    uint8_t nseg;
    bool is_signed;
    struct {
        uint8_t lsb, len;
    } seg[3];
} PtoFormField;

/* An item of the spelling: literal text, or a field shown by its kind. */
typedef struct PtoSyn {
    uint8_t kind;
    uint8_t scale;
    uint8_t field;
    const char *text;
} PtoSyn;

typedef struct PtoForm {
    const char *name;           /* of the decode pattern */
    const char *mnemonic;       /* without suffixes */
    uint8_t bytes;
    uint8_t nsyn;
    uint8_t nfields;
    const PtoSyn *syn;
    const PtoFormField *fields;
    uint64_t mask;
    uint64_t match;
} PtoForm;

/* In order of precedence: the first form that matches is the right one. */
extern const PtoForm pto_forms[];
extern const unsigned pto_form_count;

/**
 * pto_insn_bytes: length of the instruction that starts with halfword @h0
 * @h1: the halfword behind it (BSTART.CALL is told from C.BSTART by it); 0
 *      if there is none
 */
unsigned pto_insn_bytes(uint16_t h0, uint16_t h1);

/**
 * pto_form_find: the form of an instruction, or NULL
 * @insn: little-endian value of its @bytes bytes
 */
const PtoForm *pto_form_find(uint64_t insn, unsigned bytes);

/** pto_form_field: the field @id of @form, or NULL */
const PtoFormField *pto_form_field(const PtoForm *form, unsigned id);

/** pto_field_bits: number of bits of a field */
unsigned pto_field_bits(const PtoFormField *field);

/**
 * pto_field_get: value of field @id in @insn, extended as the decode file
 * says; 0 if @form does not have the field
 */
int64_t pto_field_get(const PtoForm *form, uint64_t insn, unsigned id);

/**
 * pto_field_set: put the low bits of @value into field @id of @insn; does
 * nothing if @form does not have the field
 */
void pto_field_set(const PtoForm *form, uint64_t *insn, unsigned id,
                   int64_t value);

/**
 * pto_form_print: write the text of an instruction
 * @pc: its address
 * Returns false if a field that the text leaves out has a reserved value.
 */
bool pto_form_print(const PtoForm *form, uint64_t insn, uint64_t pc,
                    char *buf, size_t size);

/**
 * pto_disassemble: text of the instruction at @p, of which @avail bytes exist
 * Encodings without a form become a .half, .word or .byte directive. Returns
 * the number of bytes consumed, 0 only if @avail is 0.
 */
unsigned pto_disassemble(const uint8_t *p, size_t avail, uint64_t pc,
                         char *buf, size_t size);

/* A letter group of a mnemonic's suffix and the one-bit field it sets. */
typedef struct PtoSuffixFlag {
    const char *text;
    uint8_t field;
} PtoSuffixFlag;

/** pto_suffix_flags: flags of a suffix kind in their order, or NULL */
const PtoSuffixFlag *pto_suffix_flags(PtoKind kind);

/**
 * pto_scalar_type_name: name of a scalar conversion type, or NULL
 * @code: DstType code 0..14
 */
const char *pto_scalar_type_name(bool floating, unsigned code);

/* ---- names (formnames.c) ---- */

typedef struct PtoNames {
    const char *const *names;   /* NULL entries are unassigned */
    unsigned count;
} PtoNames;

/** pto_kind_names: the names of the values of a kind, or NULL */
const PtoNames *pto_kind_names(PtoKind kind);

/** pto_gpr_name: canonical name of absolute register 0..23 */
const char *pto_gpr_name(unsigned reg);

/** pto_source_name, pto_dest_name: text of a five-bit register code */
const char *pto_source_name(unsigned code);
const char *pto_dest_name(unsigned code);

/** pto_ssr_name: name of a system register by canonical index, or NULL */
const char *pto_ssr_name(unsigned id);

/** pto_ssr_find: index of a system register name (any case), or -1 */
int pto_ssr_find(const char *name, size_t len);

/** pto_pe_mask: the four PEs of a PEMode as text, PE 0 rightmost */
const char *pto_pe_mask(unsigned pemode);

/**
 * pto_tepl_name: operation of a TEPL selector (mode * 32 + function), or NULL
 * @engine: set to "VEC" or "SFU"
 */
const char *pto_tepl_name(unsigned selector, const char **engine);

/** pto_tepl_find: selector of an operation name (any case), or -1 */
int pto_tepl_find(const char *name, size_t len, const char **engine);

#endif
