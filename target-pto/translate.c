/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: translation to TCG.
 *
 * The TB flags are the packed block state (state.h), so nearly every
 * applicability check of the ISA is decided here and costs nothing when the
 * code runs.
 */
#include "qemu/osdep.h"
#include "translate.h"
#include "tcg/tcg-op.h"
#include "exec/cpu_ldst.h"
#include "exec/exec-all.h"
#include "exec/translation-block.h"
#include "exec/helper-proto.h"
#include "exec/helper-gen.h"
#include "exec/log.h"

#define HELPER_H "helper.h"
#include "exec/helper-info.c.inc"
#undef  HELPER_H

static TCGv_i64 cpu_pc;
static TCGv_i64 cpu_gpr[PTO_NUM_GPR];   /* [0] stays NULL */
static TCGv_i64 cpu_t[PTO_QUEUE_DEPTH];
static TCGv_i64 cpu_u[PTO_QUEUE_DEPTH];
static TCGv_i64 cpu_taken;
static TCGv_i64 cpu_bpcn;
static TCGv_i64 cpu_return_address;
static TCGv_i64 cpu_cycle;

void helper_raise_fault_pc(CPUPTOState *env, uint32_t fault)
{
    pto_raise_fault_pc(env, fault, GETPC());
}

void helper_raise_fault(CPUPTOState *env, uint32_t fault, uint64_t addr)
{
    pto_raise_fault(env, fault, addr, GETPC());
}

/* ---- state across instructions ---- */

static uint64_t insn_word(const DisasContext *ctx)
{
    uint64_t w = ctx->st;

    w = FIELD_DP64(w, INSN, ATTEMPTS, ctx->attempts);
    if (ctx->lazy) {
        w = FIELD_DP64(w, INSN, LAZY, 1);
        w = FIELD_DP64(w, INSN, BPCN_CONST, ctx->bpcn_const);
        w = FIELD_DP64(w, INSN, SEQ_OFS, ctx->seq_ofs);
        w = FIELD_DP64(w, INSN, RET_OFS, ctx->ret_ofs);
        w = FIELD_DP64(w, INSN, BPC_OFS, (ctx->base.pc_next - ctx->bpc) / 2);
    }
    return w;
}

void pto_restore_state_to_opc(CPUState *cs, const TranslationBlock *tb,
                              const uint64_t *data)
{
    CPUPTOState *env = cpu_env(cs);
    uint64_t w = data[1];

    env->pc = data[0];
    env->block.st = FIELD_EX64(w, INSN, ST);
    env->sys.cycle += FIELD_EX64(w, INSN, ATTEMPTS);
    if (FIELD_EX64(w, INSN, LAZY)) {
        uint64_t bpc = data[0] - FIELD_EX64(w, INSN, BPC_OFS) * 2;

        env->block.bpc = bpc;
        env->block.sequential = bpc + FIELD_EX64(w, INSN, SEQ_OFS) * 2;
        env->block.frame_target = bpc + FIELD_EX64(w, INSN, RET_OFS) * 2;
        if (FIELD_EX64(w, INSN, BPCN_CONST)) {
            env->block.bpcn = data[2];
        }
        env->block.st = FIELD_DP32(env->block.st, BST, BARG_LIVE, 1);
    }
}

/* ---- leaving ---- */

static void gen_fault(DisasContext *ctx, PtoFault fault)
{
    gen_helper_raise_fault_pc(tcg_env, tcg_constant_i32(fault));
    ctx->base.is_jmp = DISAS_NORETURN;
}

static void gen_illegal(DisasContext *ctx)
{
    gen_fault(ctx, PTO_FAULT_ILLEGAL_INSTRUCTION);
}

/* Account for all attempts up to and including the current one. */
static void gen_account(DisasContext *ctx)
{
    tcg_gen_addi_i64(cpu_cycle, cpu_cycle, ctx->attempts);
}

static void gen_store_st(uint32_t st)
{
    tcg_gen_st_i32(tcg_constant_i32(st), tcg_env,
                   offsetof(CPUPTOState, block.st));
}

/* Go to the constant address @dest in block state @st. */
static void gen_goto_tb(DisasContext *ctx, int n, uint64_t dest, uint32_t st)
{
    if (translator_use_goto_tb(&ctx->base, dest)) {
        tcg_gen_goto_tb(n);
        tcg_gen_movi_i64(cpu_pc, dest);
        gen_store_st(st);
        tcg_gen_exit_tb(ctx->base.tb, n);
    } else {
        tcg_gen_movi_i64(cpu_pc, dest);
        gen_store_st(st);
        tcg_gen_lookup_and_goto_ptr();
    }
}

/* ---- translator hooks ---- */

static void pto_tr_init_disas_context(DisasContextBase *base, CPUState *cs)
{
    DisasContext *ctx = container_of(base, DisasContext, base);

    ctx->env = cpu_env(cs);
    ctx->profile = ctx->env->profile;
    ctx->st = base->tb->flags;
    ctx->mem_idx = FIELD_EX32(ctx->st, BST, RING) >= 2 ? PTO_MMU_APP
                                                       : PTO_MMU_SYSTEM;
    ctx->attempts = 0;
    ctx->lazy = false;
    ctx->bpcn_const = false;
    ctx->bpcn_even = false;
}

static void pto_tr_tb_start(DisasContextBase *base, CPUState *cs)
{
}

static void pto_tr_insn_start(DisasContextBase *base, CPUState *cs)
{
    DisasContext *ctx = container_of(base, DisasContext, base);

    tcg_gen_insn_start(base->pc_next, insn_word(ctx),
                       ctx->lazy && ctx->bpcn_const ? ctx->bpcn : 0);
}

/* Bytes of the instruction whose first halfwords are @h and @h2. */
static unsigned insn_length(uint16_t h, uint16_t h2)
{
    if ((h & 0xf) == 0xe) {
        return 6;
    }
    if ((h & 0x7f) == 0x0f || (h & 0x7f) == 0x7f) {
        return 8;
    }
    if ((h & 1) || ((h & 0xf) == 2 && (h2 & 0xf83f) == 0x5016)) {
        return 4;
    }
    return 2;
}

/*
 * The second halfword decides the length of one encoding only.  It is not
 * part of every instruction that looks at it, so it must not fault.
 */
static uint16_t peek_halfword(DisasContext *ctx, CPUState *cs, uint64_t addr)
{
    void *host;

    if (!((ctx->pc ^ addr) & TARGET_PAGE_MASK)) {
        return translator_lduw(ctx->env, &ctx->base, addr);
    }
    if (probe_access_flags(ctx->env, addr, 2, MMU_INST_FETCH,
                           cpu_mmu_index(cs, true), true, &host, 0)
        & TLB_INVALID_MASK) {
        return 0;
    }
    return cpu_lduw_code(ctx->env, addr);
}

static void fetch(DisasContext *ctx, CPUState *cs)
{
    uint16_t h = translator_lduw(ctx->env, &ctx->base, ctx->pc);
    uint16_t h2 = (h & 0xf) == 2 ? peek_halfword(ctx, cs, ctx->pc + 2) : 0;
    unsigned i;

    ctx->len = insn_length(h, h2);
    ctx->opcode = h;
    for (i = 2; i < ctx->len; i += 2) {
        uint64_t part = translator_lduw(ctx->env, &ctx->base, ctx->pc + i);

        ctx->opcode |= part << (i * 8);
    }
}

static void pto_tr_translate_insn(DisasContextBase *base, CPUState *cs)
{
    DisasContext *ctx = container_of(base, DisasContext, base);

    ctx->pc = base->pc_next;
    fetch(ctx, cs);
    gen_illegal(ctx);
    ctx->attempts++;
    base->pc_next = ctx->pc + ctx->len;
}

static void pto_tr_tb_stop(DisasContextBase *base, CPUState *cs)
{
    DisasContext *ctx = container_of(base, DisasContext, base);

    switch (base->is_jmp) {
    case DISAS_NEXT:
    case DISAS_TOO_MANY:
        gen_account(ctx);
        gen_goto_tb(ctx, 0, base->pc_next, ctx->st);
        break;
    case DISAS_EXIT_LOOKUP:
        tcg_gen_lookup_and_goto_ptr();
        break;
    case DISAS_EXIT_LOOP:
        tcg_gen_exit_tb(NULL, 0);
        break;
    case DISAS_NORETURN:
        break;
    default:
        g_assert_not_reached();
    }
}

static const TranslatorOps pto_tr_ops = {
    .init_disas_context = pto_tr_init_disas_context,
    .tb_start           = pto_tr_tb_start,
    .insn_start         = pto_tr_insn_start,
    .translate_insn     = pto_tr_translate_insn,
    .tb_stop            = pto_tr_tb_stop,
};

void pto_translate_code(CPUState *cs, TranslationBlock *tb,
                        int *max_insns, vaddr pc, void *host_pc)
{
    DisasContext ctx;

    translator_loop(cs, tb, max_insns, pc, host_pc, &pto_tr_ops, &ctx.base);
}

static TCGv_i64 new_global(size_t offset, const char *name)
{
    return tcg_global_mem_new_i64(tcg_env, offset, name);
}

void pto_tcg_init(void)
{
    static const char gpr_name[PTO_NUM_GPR][5] = {
        "zero", "sp", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "ra",
        "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8",
        "x0", "x1", "x2", "x3",
    };
    static const char queue_name[2][PTO_QUEUE_DEPTH][3] = {
        { "t1", "t2", "t3", "t4" }, { "u1", "u2", "u3", "u4" },
    };
    int i;

    cpu_pc = new_global(offsetof(CPUPTOState, pc), "tpc");
    for (i = 1; i < PTO_NUM_GPR; i++) {
        cpu_gpr[i] = new_global(offsetof(CPUPTOState, scalar.gpr[i]),
                                gpr_name[i]);
    }
    for (i = 0; i < PTO_QUEUE_DEPTH; i++) {
        cpu_t[i] = new_global(offsetof(CPUPTOState, scalar.t[i]),
                              queue_name[0][i]);
        cpu_u[i] = new_global(offsetof(CPUPTOState, scalar.u[i]),
                              queue_name[1][i]);
    }
    cpu_taken = new_global(offsetof(CPUPTOState, block.taken), "taken");
    cpu_bpcn = new_global(offsetof(CPUPTOState, block.bpcn), "bpcn");
    cpu_return_address = new_global(offsetof(CPUPTOState,
                                             block.return_address), "retaddr");
    cpu_cycle = new_global(offsetof(CPUPTOState, sys.cycle), "cycle");
}
