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
#include "fpu.h"
#include "irq.h"
#include "queue.h"
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
static TCGv_i64 cpu_bpcn;
static TCGv_i64 cpu_commit;             /* commit argument */
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
        w = FIELD_DP64(w, INSN, BPC_OFS, (ctx->pc - ctx->bpc) / 2);
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

/*
 * The header that was collected so far goes into the record of the PE, which
 * is empty: only words that differ from an empty record are stored.
 */
static void gen_flush_header(DisasContext *ctx)
{
    PtoBundle empty;
    unsigned i;

    QEMU_BUILD_BUG_ON(sizeof(PtoBundle) % 8);
    if (!ctx->header_static) {
        return;
    }
    ctx->header_static = false;
    pto_bundle_clear(&empty);
    for (i = 0; i < sizeof(PtoBundle); i += 8) {
        uint64_t old, word;

        memcpy(&old, (char *)&empty + i, 8);
        memcpy(&word, (char *)&ctx->header + i, 8);
        if (word != old) {
            tcg_gen_st_i64(tcg_constant_i64(word), tcg_env,
                           offsetof(CPUPTOState, bundle) + i);
        }
    }
}

static void gen_fault(DisasContext *ctx, PtoFault fault)
{
    gen_flush_header(ctx);
    gen_helper_raise_fault_pc(tcg_env, tcg_constant_i32(fault));
    ctx->base.is_jmp = DISAS_NORETURN;
}

static void gen_illegal(DisasContext *ctx)
{
    gen_fault(ctx, PTO_FAULT_ILLEGAL_INSTRUCTION);
}

/* Add the attempts of this TB so far to CYCLE. */
static void gen_account(DisasContext *ctx)
{
    if (ctx->attempts) {
        tcg_gen_addi_i64(cpu_cycle, cpu_cycle, ctx->attempts);
    }
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
        n |= ctx->slot0_used;
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

/* Go to the address in @dest in block state @st. */
static void gen_goto_ptr(TCGv_i64 dest, uint32_t st)
{
    tcg_gen_mov_i64(cpu_pc, dest);
    gen_store_st(st);
    tcg_gen_lookup_and_goto_ptr();
}

/* ---- block state ---- */

#define BST_GET(ctx, FIELD) FIELD_EX32((ctx)->st, BST, FIELD)
#define BST_SET(ctx, FIELD, VALUE)                                      \
    ((ctx)->st = FIELD_DP32((ctx)->st, BST, FIELD, VALUE))

/* The recorded state of the current instruction becomes the present one. */
static void update_insn_start(DisasContext *ctx)
{
    tcg_set_insn_start_param(ctx->base.insn_start, 1, insn_word(ctx));
}

/*
 * Put the BARG words of the open block into env: before anything outside the
 * TB may look at them.
 */
static void gen_flush_barg(DisasContext *ctx)
{
    if (!ctx->lazy) {
        return;
    }
    tcg_gen_st_i64(tcg_constant_i64(ctx->bpc), tcg_env,
                   offsetof(CPUPTOState, block.bpc));
    tcg_gen_st_i64(tcg_constant_i64(ctx->bpc + ctx->seq_ofs * 2), tcg_env,
                   offsetof(CPUPTOState, block.sequential));
    tcg_gen_st_i64(tcg_constant_i64(ctx->bpc + ctx->ret_ofs * 2), tcg_env,
                   offsetof(CPUPTOState, block.frame_target));
    if (ctx->bpcn_const) {
        tcg_gen_movi_i64(cpu_bpcn, ctx->bpcn);
    }
    BST_SET(ctx, BARG_LIVE, 1);
    ctx->lazy = false;
}

/*
 * Make env the complete state before the current instruction, for a helper
 * that reads or changes any of it.  CYCLE then lacks only this attempt.
 */
static void gen_sync_state(DisasContext *ctx)
{
    gen_flush_barg(ctx);
    gen_account(ctx);
    ctx->attempts = 0;
    tcg_gen_movi_i64(cpu_pc, ctx->pc);
    gen_store_st(ctx->st);
    update_insn_start(ctx);
}

/* Fault when @target, selected if @cond is NULL or nonzero, is odd. */
static void gen_check_even(TCGv_i64 target, TCGv_i64 cond)
{
    TCGLabel *even = gen_new_label();
    TCGv_i64 t = tcg_temp_new_i64();

    tcg_gen_andi_i64(t, target, 1);
    if (cond) {
        tcg_gen_movcond_i64(TCG_COND_EQ, t, cond, tcg_constant_i64(0),
                            tcg_constant_i64(0), t);
    }
    tcg_gen_brcondi_i64(TCG_COND_EQ, t, 0, even);
    gen_helper_raise_fault(tcg_env,
                           tcg_constant_i32(PTO_FAULT_INSTRUCTION_PC), target);
    gen_set_label(even);
}

/* A scalar instruction, or a command, ends the open range-modifier group. */
static void gen_close_group(DisasContext *ctx)
{
    if (BST_GET(ctx, HEADER) && !BST_GET(ctx, BODY)) {
        tcg_gen_st8_i32(tcg_constant_i32(0), tcg_env,
                        offsetof(CPUPTOState, bundle.group.open));
    }
}

/*
 * Every scalar instruction starts here.  The first one of an active block
 * enters the body, even when it is then rejected; behind ACRC only a block
 * boundary is accepted.
 */
static bool scalar_begin(DisasContext *ctx)
{
    gen_flush_header(ctx);
    if (BST_GET(ctx, ACTIVE) && !BST_GET(ctx, BODY) && !ctx->strict_header) {
        gen_close_group(ctx);
        BST_SET(ctx, BODY, 1);
        update_insn_start(ctx);
    }
    if (BST_GET(ctx, TERMINAL)) {
        gen_fault(ctx, PTO_FAULT_BUNDLE_CONTROL);
        return false;
    }
    return true;
}

/* B.SUBVIEW and B.ASSEMBLE. */
static bool modifier_begin(DisasContext *ctx)
{
    gen_flush_header(ctx);
    if (BST_GET(ctx, TERMINAL)) {
        gen_fault(ctx, PTO_FAULT_BUNDLE_CONTROL);
        return false;
    }
    return true;
}

/* Every other command but BSTART and BSTOP. */
static bool command_begin(DisasContext *ctx)
{
    gen_flush_header(ctx);
    gen_close_group(ctx);
    return modifier_begin(ctx);
}

/* Commands that can be collected in ctx->header. */
static bool header_begin(DisasContext *ctx)
{
    return ctx->header_static || command_begin(ctx);
}

/*
 * trans_NAME runs FUNC(ctx, a, ...) once BEGIN has accepted the instruction.
 * FUNC returns false, before it emits anything, for an illegal instruction.
 */
#define TRANS_BEGIN(NAME, BEGIN, FUNC, ...)                             \
    static bool trans_ ## NAME(DisasContext *ctx, arg_ ## NAME *a)      \
    {                                                                   \
        if (BEGIN(ctx) && !FUNC(ctx, a, ## __VA_ARGS__)) {              \
            gen_illegal(ctx);                                           \
        }                                                               \
        return true;                                                    \
    }

#define TRANS(NAME, FUNC, ...)                                          \
    TRANS_BEGIN(NAME, scalar_begin, FUNC, ## __VA_ARGS__)
#define TRANS_CMD(NAME, FUNC, ...)                                      \
    TRANS_BEGIN(NAME, command_begin, FUNC, ## __VA_ARGS__)
#define TRANS_HEADER(NAME, FUNC, ...)                                   \
    TRANS_BEGIN(NAME, header_begin, FUNC, ## __VA_ARGS__)

/* Reserved encodings. */
#define RESERVED(NAME)                                                  \
    static bool trans_ ## NAME(DisasContext *ctx, arg_ ## NAME *a)      \
    {                                                                   \
        return false;                                                   \
    }

/* ---- operands ---- */

/* Five-bit register codes beyond the GPRs. */
enum {
    REG_T1 = 24,                /* sources: T#1 .. T#4, U#1 .. U#4 */
    REG_U1 = 28,
    PTO_DST_PUSH_U = 30,        /* destinations; 24..29 discard */
    PTO_DST_PUSH_T = 31,
};

/* May @sel be read?  Queue entries must have been pushed. */
static bool have_src(DisasContext *ctx, unsigned sel)
{
    if (sel >= REG_U1) {
        return BST_GET(ctx, U_VALID) >> (sel - REG_U1) & 1;
    }
    if (sel >= REG_T1) {
        return BST_GET(ctx, T_VALID) >> (sel - REG_T1) & 1;
    }
    return true;
}

static TCGv_i64 get_src(DisasContext *ctx, unsigned sel)
{
    if (sel >= REG_U1) {
        return cpu_u[sel - REG_U1];
    }
    if (sel >= REG_T1) {
        return cpu_t[sel - REG_T1];
    }
    return sel ? cpu_gpr[sel] : tcg_constant_i64(0);
}

/* Where to compute a result that put_dst() then delivers. */
static TCGv_i64 dst_for(DisasContext *ctx, unsigned rd)
{
    return rd && rd < PTO_NUM_GPR ? cpu_gpr[rd] : tcg_temp_new_i64();
}

static void push(TCGv_i64 *queue, TCGv_i64 value)
{
    TCGv_i64 t = tcg_temp_new_i64();
    int i;

    /* The value may be one of the entries that move. */
    tcg_gen_mov_i64(t, value);
    for (i = PTO_QUEUE_DEPTH - 1; i > 0; i--) {
        tcg_gen_mov_i64(queue[i], queue[i - 1]);
    }
    tcg_gen_mov_i64(queue[0], t);
}

static void put_dst(DisasContext *ctx, unsigned rd, TCGv_i64 value)
{
    if (rd == PTO_DST_PUSH_T) {
        push(cpu_t, value);
        BST_SET(ctx, T_VALID, BST_GET(ctx, T_VALID) << 1 | 1);
    } else if (rd == PTO_DST_PUSH_U) {
        push(cpu_u, value);
        BST_SET(ctx, U_VALID, BST_GET(ctx, U_VALID) << 1 | 1);
    } else if (rd && rd < PTO_NUM_GPR && cpu_gpr[rd] != value) {
        tcg_gen_mov_i64(cpu_gpr[rd], value);
    }
}

/* The 32-bit decoder declares the argument sets of all four. */
#include "decode-insn32.c.inc"
#include "decode-insn16.c.inc"
#include "decode-insn48.c.inc"
#include "decode-insn64.c.inc"
#include "trans_alu.c.inc"
#include "trans_bru.c.inc"
#include "trans_agu.c.inc"
#include "trans_block.c.inc"
#include "trans_command.c.inc"
#include "trans_template.c.inc"
#include "trans_amo.c.inc"
#include "trans_fsu.c.inc"
#include "trans_sys.c.inc"
#include "trans_reserved.c.inc"

/* ---- translator hooks ---- */

static void pto_tr_init_disas_context(DisasContextBase *base, CPUState *cs)
{
    DisasContext *ctx = container_of(base, DisasContext, base);

    ctx->env = cpu_env(cs);
    ctx->profile = ctx->env->profile;
    ctx->strict_header = PTO_CPU(cs)->strict_header;
    ctx->st = base->tb->flags;
    ctx->mem_idx = FIELD_EX32(ctx->st, BST, RING) >= 2 ? PTO_MMU_APP
                                                       : PTO_MMU_SYSTEM;
    ctx->attempts = 0;
    ctx->lazy = false;
    ctx->bpcn_const = false;
    ctx->bpcn_even = false;
    ctx->slot0_used = false;
    ctx->header_static = false;
}

static void pto_tr_tb_start(DisasContextBase *base, CPUState *cs)
{
}

static void pto_tr_insn_start(DisasContextBase *base, CPUState *cs)
{
    DisasContext *ctx = container_of(base, DisasContext, base);

    ctx->pc = base->pc_next;
    tcg_gen_insn_start(ctx->pc, insn_word(ctx),
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
 * part of every instruction that looks at it, so it must neither fault nor be
 * recorded as fetched.
 */
static uint16_t peek_halfword(DisasContext *ctx, CPUState *cs, uint64_t addr)
{
    bool same_page = !((ctx->pc ^ addr) & TARGET_PAGE_MASK);
    void *host;

    if (!same_page &&
        probe_access_flags(ctx->env, addr, 2, MMU_INST_FETCH,
                           cpu_mmu_index(cs, true), true, &host, 0)
        & TLB_INVALID_MASK) {
        return 0;
    }
    return cpu_lduw_code(ctx->env, addr);
}

static void fetch(DisasContext *ctx, CPUState *cs)
{
    uint16_t h = translator_lduw(ctx->env, &ctx->base, ctx->pc);
    bool peeked = (h & 0xf) == 2;
    uint16_t h2 = peeked ? peek_halfword(ctx, cs, ctx->pc + 2) : 0;
    unsigned i = peeked ? 4 : 2;

    ctx->len = insn_length(h, h2);
    ctx->opcode = h;
    if (peeked && ctx->len == 4) {
        ctx->opcode |= (uint64_t)h2 << 16;
    }
    for (; i < ctx->len; i += 2) {
        uint64_t part = translator_lduw(ctx->env, &ctx->base, ctx->pc + i);

        ctx->opcode |= part << (i * 8);
    }
}

static bool decode(DisasContext *ctx)
{
    switch (ctx->len) {
    case 2:
        return decode_insn16(ctx, ctx->opcode);
    case 4:
        return decode_insn32(ctx, ctx->opcode);
    case 6:
        return decode_insn48(ctx, ctx->opcode);
    default:
        return decode_insn64(ctx, ctx->opcode);
    }
}

/* An instruction that starts on this page but reaches the next gets its TB. */
static bool next_crosses_page(DisasContext *ctx)
{
    uint64_t next = ctx->base.pc_next;

    return (next ^ ctx->base.pc_first) & TARGET_PAGE_MASK ||
           (next & ~TARGET_PAGE_MASK) > TARGET_PAGE_SIZE - PTO_MAX_INSN_BYTES;
}

static void pto_tr_translate_insn(DisasContextBase *base, CPUState *cs)
{
    DisasContext *ctx = container_of(base, DisasContext, base);

    ctx->counted = false;
    fetch(ctx, cs);
    base->pc_next = ctx->pc + ctx->len;
    if (!decode(ctx)) {
        gen_illegal(ctx);
    }
    if (!ctx->counted) {
        ctx->attempts++;
    }
    if (base->is_jmp == DISAS_NEXT &&
        (next_crosses_page(ctx) || ctx->slot0_used)) {
        base->is_jmp = DISAS_TOO_MANY;
    }
}

static void pto_tr_tb_stop(DisasContextBase *base, CPUState *cs)
{
    DisasContext *ctx = container_of(base, DisasContext, base);

    switch (base->is_jmp) {
    case DISAS_NEXT:
    case DISAS_TOO_MANY:
        gen_flush_header(ctx);
        gen_flush_barg(ctx);
        gen_account(ctx);
        gen_goto_tb(ctx, 0, base->pc_next, ctx->st);
        break;
    case DISAS_EXIT_NEXT:
        gen_account(ctx);
        tcg_gen_movi_i64(cpu_pc, base->pc_next);
        tcg_gen_lookup_and_goto_ptr();
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
    DisasContext ctx PTO_UNINITIALIZED;

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
    cpu_commit = new_global(offsetof(CPUPTOState, block.commit_argument),
                            "commit");
    cpu_bpcn = new_global(offsetof(CPUPTOState, block.bpcn), "bpcn");
    cpu_return_address = new_global(offsetof(CPUPTOState,
                                             block.return_address), "retaddr");
    cpu_cycle = new_global(offsetof(CPUPTOState, sys.cycle), "cycle");
}
