/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: translation context and the words kept for every instruction.
 */
#ifndef PTO_TRANSLATE_H
#define PTO_TRANSLATE_H

#include "internals.h"
#include "exec/translator.h"

#define PTO_MAX_INSN_BYTES 8

/* TB ends; PC and block state are in env already. */
#define DISAS_EXIT_LOOKUP DISAS_TARGET_0
/* The same, through the main loop (interrupts may have become pending). */
#define DISAS_EXIT_LOOP   DISAS_TARGET_1
/* Go on behind this instruction; block state is in env, PC is not. */
#define DISAS_EXIT_NEXT   DISAS_TARGET_2

/*
 * Second insn_start word: packed block state, then how to recreate the BARG
 * words of a block that was started in this TB and is not in env (LAZY).
 * Distances are in halfwords.
 */
FIELD(INSN, ST, 0, 31)
FIELD(INSN, LAZY, 31, 1)
FIELD(INSN, BPCN_CONST, 32, 1)  /* BPCN is the third word */
FIELD(INSN, SEQ_OFS, 33, 3)     /* sequential - BPC */
FIELD(INSN, RET_OFS, 36, 6)     /* frame target - BPC */
FIELD(INSN, ATTEMPTS, 42, 10)   /* completed attempts not yet in CYCLE */
FIELD(INSN, BPC_OFS, 52, 12)    /* PC - BPC */

/**
 * DisasContext:
 * @st: BST fields as they are before (then after) the current instruction
 * @attempts: completed attempts of this TB that are not yet in CYCLE
 * @lazy: the BARG words below are not in env
 * @bpcn_const: @bpcn is the BPCN; otherwise it is in the TCG global
 * @bpcn_even: a BPCN that is not constant was checked to be even
 * @slot0_used: goto_tb slot 0 is taken
 * @strict_header: scalar instructions do not enter a block's body
 * @header_static: what @header has more than an empty record is not in env
 * @header: record of the tile block that was started in this TB
 * @counted: the current instruction is no further attempt
 */
typedef struct DisasContext {
    DisasContextBase base;
    const PTOProfile *profile;
    CPUPTOState *env;
    uint64_t pc;
    uint64_t opcode;
    unsigned len;
    int mem_idx;
    uint32_t st;
    unsigned attempts;
    bool lazy;
    bool bpcn_const;
    bool bpcn_even;
    bool slot0_used;
    bool counted;
    bool strict_header;
    bool header_static;
    PtoBundle header;
    uint64_t bpc;
    uint64_t bpcn;
    uint8_t seq_ofs;
    uint8_t ret_ofs;
} DisasContext;

#endif
