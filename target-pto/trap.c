/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO traps: fault raising, trap entry, service requests and recovery.
 *
 * A trap saves the PE's block and queue state twice: into the editable
 * EBARG/ECSTATE registers of the target ring and, for everything those words
 * cannot hold, into the ring's hidden context (ADR-0011).  Entry leaves the
 * live block state as it is; ACRE puts the saved state back.
 */
#include "qemu/osdep.h"
#include "qemu/log.h"
#include "internals.h"
#include "irq.h"
#include "sysreg.h"
#include "exec/exec-all.h"
#include "exec/helper-proto.h"
#include "exec/log.h"
#include "trace.h"

#define PTO_TRAP_SERVICE    6
#define PTO_TRAP_INTERRUPT  44

/* One row per fault: number in TRAPNO and name in logs and traces. */
static const struct {
    uint8_t number;
    const char *name;
} trap_of_fault[] = {
    [PTO_FAULT_NONE] = { 0, "none" },
    [PTO_FAULT_EXECUTION_STATE_CHECK] = { 0, "execution state check" },
    [PTO_FAULT_ILLEGAL_INSTRUCTION] = { 4, "illegal instruction" },
    [PTO_FAULT_INSTRUCTION_PC] = { 32, "instruction PC" },
    [PTO_FAULT_INSTRUCTION_PAGE] = { 33, "instruction page" },
    [PTO_FAULT_DATA_ALIGNMENT] = { 34, "data alignment" },
    [PTO_FAULT_DATA_PAGE] = { 35, "data page" },
    [PTO_FAULT_SOFTWARE_BREAKPOINT] = { 50, "software breakpoint" },
    [PTO_FAULT_HARDWARE_BREAKPOINT] = { 49, "hardware breakpoint" },
    [PTO_FAULT_HARDWARE_WATCHPOINT] = { 51, "hardware watchpoint" },
    [PTO_FAULT_ASSERT] = { 52, "assert" },
    [PTO_FAULT_TILE_LEGALITY] = { 5, "tile legality" },
    [PTO_FAULT_TILE_ALLOCATION] = { 5, "tile allocation" },
    [PTO_FAULT_BUNDLE_CONTROL] = { 5, "bundle control" },
    [PTO_FAULT_BUNDLE_POST_COMMIT] = { 5, "bundle post-commit" },
    [PTO_FAULT_SERVICE_REQUEST] = { PTO_TRAP_SERVICE, "service request" },
};

/* ------------------------------------------------------------------ */
/* Routing.                                                             */

/* Ring 0 manages itself, ring 1 all other rings (ADR-0010). */
unsigned pto_trap_target(unsigned source)
{
    return source == 0 ? 0 : 1;
}

/* ACRC: which request a ring may make and who serves it (ADR-0012). */
static bool service_permitted(unsigned ring, unsigned request)
{
    switch (ring) {
    case 0:
        return false;
    case 1:
        return request == 0 || request == 2;
    default:
        return request <= 2;
    }
}

static unsigned service_target(unsigned request)
{
    return request == 1 ? 1 : 0;
}

/* ------------------------------------------------------------------ */
/* Saving.                                                              */

static void save_hidden(CPUPTOState *env, PtoTrapContext *c, unsigned source,
                        uint64_t tpc)
{
    c->valid = true;
    c->source_ring = source;
    c->tpc = tpc;
    c->core_state = env->sys.core_state;
    c->block = env->block;
    c->bundle = env->bundle;
    c->mcopy = env->mcopy;
    c->frame = env->frame;
    memcpy(c->t, env->scalar.t, sizeof(c->t));
    memcpy(c->u, env->scalar.u, sizeof(c->u));
    memcpy(c->pred, env->scalar.pred, sizeof(c->pred));
}

static void save_visible(CPUPTOState *env, unsigned target, unsigned source,
                         uint64_t tpc)
{
    uint64_t *ctx = env->sys.ctx[target];
    uint64_t state = env->sys.core_state;
    uint64_t w = 0;

    state = deposit64(state, 0, 4, source);
    state = deposit64(state, 4, 1, pto_block_body(env));
    ctx[PTO_CTX_ECSTATE] = state;

    w = FIELD_DP64(w, EBARG0, RING, source);
    w = FIELD_DP64(w, EBARG0, VALID, 1);
    w = FIELD_DP64(w, EBARG0, ACTIVE, pto_block_active(env));
    w = FIELD_DP64(w, EBARG0, BODY, pto_block_body(env));
    w = FIELD_DP64(w, EBARG0, KIND, pto_block_kind(env));
    w = FIELD_DP64(w, EBARG0, TRANSFER, pto_block_transfer(env));
    w = FIELD_DP64(w, EBARG0, TAKEN, pto_barg_taken(env));
    ctx[PTO_CTX_EBARG0] = w;
    ctx[PTO_CTX_EBARG_BPC_CUR] = env->block.bpc;
    ctx[PTO_CTX_EBARG_BPC_TGT] = env->block.bpcn;
    ctx[PTO_CTX_EBARG_TPC] = tpc;
    ctx[PTO_CTX_EBARG_LRA] = env->block.return_address;
    for (int i = 0; i < PTO_QUEUE_DEPTH; i++) {
        ctx[PTO_CTX_EBARG_TQ0 + i] = env->scalar.t[i];
        ctx[PTO_CTX_EBARG_UQ0 + i] = env->scalar.u[i];
    }
    ctx[PTO_CTX_EBARG_LB] = 0;
    ctx[PTO_CTX_EBARG_LC] = 0;
}

/*
 * Enter a trap handler of ring @target that resumes at @tpc.  Without a
 * vector base execution continues at @fallback, as the model does.
 */
static void enter_trap(CPUPTOState *env, unsigned target, uint64_t tpc,
                       const PtoTrapBank *bank, uint64_t fallback,
                       bool keep_context)
{
    unsigned source = pto_ring(env);
    uint64_t vector = env->sys.ctx[target][PTO_CTX_EVBASE];

    save_visible(env, target, source, tpc);
    if (!keep_context) {
        save_hidden(env, &env->context[target], source, tpc);
    }
    if (env->profile->trap_closes_block) {
        pto_block_close(env, 0);
        env->mcopy.active = false;
        env->frame.active = false;
    }
    env->bank[target] = *bank;
    pto_set_ring(env, target);
    env->pc = vector ? vector : fallback;
    trace_pto_trap_enter(bank->number, bank->cause, bank->arg0, source,
                         target, tpc, env->pc);
}

/* ------------------------------------------------------------------ */
/* Faults.                                                              */

static void enter_service(CPUPTOState *env)
{
    unsigned request = env->fault.cause;
    PtoTrapBank bank = {
        .arg_valid = true,
        .number = PTO_TRAP_SERVICE,
        .cause = request,
        .arg0 = env->pc,
    };

    enter_trap(env, service_target(request), env->pc + 4, &bank, env->pc,
               false);
}

static void enter_fault(CPUPTOState *env)
{
    PtoTrapBank bank = {
        .arg_valid = true,
        .number = trap_of_fault[env->fault.code].number,
        .cause = env->fault.cause,
        .arg0 = env->fault.address,
    };
    unsigned source = pto_ring(env);
    unsigned target = pto_trap_target(source);
    /* A rejected ACRE does not consume the context it failed to restore. */
    bool keep = env->acre_pending && target == source &&
                env->context[target].valid;

    enter_trap(env, target, env->pc, &bank, env->fault.address, keep);
}

void pto_cpu_do_interrupt(CPUState *cs)
{
    CPUPTOState *env = cpu_env(cs);

    if (cs->exception_index != PTO_EXCP_FAULT) {
        return;
    }
    qemu_log_mask(CPU_LOG_INT,
                  "PE %d: %s fault at pc 0x%016" PRIx64 ", address 0x%016"
                  PRIx64 ", ring %u%s%s\n", cs->cpu_index,
                  trap_of_fault[env->fault.code].name, env->pc,
                  env->fault.address, pto_ring(env),
                  env->fault.rule ? ", rule " : "",
                  env->fault.rule ? env->fault.rule : "");
    if (env->fault.code == PTO_FAULT_SERVICE_REQUEST) {
        enter_service(env);
    } else {
        enter_fault(env);
    }
    env->acre_pending = false;
    cs->exception_index = -1;
}

static G_NORETURN void raise_fault(CPUPTOState *env, PtoFault fault,
                                   uint64_t addr, uint32_t cause,
                                   const char *rule, uintptr_t ra)
{
    CPUState *cs = env_cpu(env);

    if (ra) {
        cpu_restore_state(cs, ra);
    }
    env->sys.cycle++;
    env->fault.code = fault;
    env->fault.cause = cause;
    env->fault.address = addr;
    env->fault.cycle = env->sys.cycle;
    env->fault.rule = rule;
    cs->exception_index = PTO_EXCP_FAULT;
    cpu_loop_exit(cs);
}

G_NORETURN void pto_raise_fault_cause(CPUPTOState *env, PtoFault fault,
                                      uint64_t addr, uint32_t cause,
                                      uintptr_t ra)
{
    raise_fault(env, fault, addr, cause, NULL, ra);
}

G_NORETURN void pto_raise_fault_rule(CPUPTOState *env, PtoFault fault,
                                     uint64_t addr, const char *rule,
                                     uintptr_t ra)
{
    raise_fault(env, fault, addr, 0, rule, ra);
}

G_NORETURN void pto_raise_fault(CPUPTOState *env, PtoFault fault,
                                uint64_t addr, uintptr_t ra)
{
    pto_raise_fault_cause(env, fault, addr, 0, ra);
}

G_NORETURN void pto_raise_fault_pc(CPUPTOState *env, PtoFault fault,
                                   uintptr_t ra)
{
    if (ra) {
        cpu_restore_state(env_cpu(env), ra);
    }
    pto_raise_fault_cause(env, fault, env->pc, 0, 0);
}

/* ------------------------------------------------------------------ */
/* Interrupts.                                                          */

void pto_trap_enter_interrupt(CPUPTOState *env, unsigned irq)
{
    PtoTrapBank bank = {
        .asynchronous = true,
        .arg_valid = true,
        .number = PTO_TRAP_INTERRUPT,
        .arg0 = irq,
    };

    enter_trap(env, pto_trap_target(pto_ring(env)), env->pc, &bank, env->pc,
               false);
}

/* ------------------------------------------------------------------ */
/* ACRC and ACRE.                                                       */

/*
 * The request is the last scalar operation of its block: the marker is set
 * before the context is saved, so that it survives the round trip.
 */
void HELPER(acrc)(CPUPTOState *env, uint32_t request)
{
    uintptr_t ra = GETPC();

    if (!service_permitted(pto_ring(env), request)) {
        pto_raise_fault_pc(env, PTO_FAULT_ILLEGAL_INSTRUCTION, ra);
    }
    cpu_restore_state(env_cpu(env), ra);
    env->block.st = FIELD_DP32(env->block.st, BST, TERMINAL, 1);
    pto_raise_fault_cause(env, PTO_FAULT_SERVICE_REQUEST, env->pc, request, 0);
}

/* EBREAK and C.EBREAK: the tag is the trap cause. */
void HELPER(breakpoint)(CPUPTOState *env, uint32_t tag)
{
    cpu_restore_state(env_cpu(env), GETPC());
    pto_raise_fault_cause(env, PTO_FAULT_SOFTWARE_BREAKPOINT, env->pc, tag, 0);
}

static bool ebarg0_legal(uint64_t w)
{
    unsigned kind = FIELD_EX64(w, EBARG0, KIND);

    return w >> 15 == 0 &&
           (kind <= PTO_KIND_SYS ||
            (kind >= PTO_KIND_TEPL && kind <= PTO_KIND_FRAME)) &&
           FIELD_EX64(w, EBARG0, TRANSFER) <= PTO_XFER_ICALL &&
           (!FIELD_EX64(w, EBARG0, BODY) || FIELD_EX64(w, EBARG0, ACTIVE));
}

/* Why the context of @ring cannot be recovered, NULL if it can. */
static const char *recovery_refusal(CPUPTOState *env, unsigned ring)
{
    const uint64_t *ctx = env->sys.ctx[ring];
    uint64_t control = ctx[PTO_CTX_EBARG0];

    if (!env->context[ring].valid) {
        return "acre-no-saved-context";
    }
    if (!FIELD_EX64(control, EBARG0, VALID)) {
        return "acre-ebarg0-not-valid";
    }
    if (!ebarg0_legal(control)) {
        return "acre-ebarg0-reserved-encoding";
    }
    if (FIELD_EX64(control, EBARG0, RING) !=
        extract64(ctx[PTO_CTX_ECSTATE], 0, 4)) {
        return "acre-ring-mismatch";
    }
    if (ctx[PTO_CTX_EBARG_BPC_CUR] & 1) {
        return "acre-odd-bpc";
    }
    if (ctx[PTO_CTX_EBARG_TPC] & 1) {
        return "acre-odd-tpc";
    }
    return NULL;
}

/*
 * Visible words decide where they exist; validity of the queues, headers,
 * templates and predicates come from the hidden context.
 */
static void recover(CPUPTOState *env, unsigned ring)
{
    uint64_t *ctx = env->sys.ctx[ring];
    uint64_t w = ctx[PTO_CTX_EBARG0];
    PtoTrapContext *c = &env->context[ring];
    uint32_t st = c->block.st;

    env->pc = ctx[PTO_CTX_EBARG_TPC];
    env->block = c->block;
    env->bundle = c->bundle;
    env->mcopy = c->mcopy;
    env->frame = c->frame;
    memcpy(env->scalar.pred, c->pred, sizeof(c->pred));

    st = FIELD_DP32(st, BST, ACTIVE, FIELD_EX64(w, EBARG0, ACTIVE));
    st = FIELD_DP32(st, BST, BODY, FIELD_EX64(w, EBARG0, BODY));
    st = FIELD_DP32(st, BST, KIND, FIELD_EX64(w, EBARG0, KIND));
    st = FIELD_DP32(st, BST, TRANSFER, FIELD_EX64(w, EBARG0, TRANSFER));
    st = FIELD_DP32(st, BST, RESERVED, env->reserve.valid);
    if (!FIELD_EX32(st, BST, ACTIVE)) {
        st &= ~(R_BST_OP_MASK | R_BST_OP_BR_MASK);
    }
    env->block.st = st;
    env->block.return_address = ctx[PTO_CTX_EBARG_LRA];
    pto_set_barg(env, ctx[PTO_CTX_EBARG_BPC_CUR], ctx[PTO_CTX_EBARG_BPC_TGT],
                 c->block.sequential, c->block.frame_target,
                 FIELD_EX64(w, EBARG0, TAKEN));
    for (int i = 0; i < PTO_QUEUE_DEPTH; i++) {
        env->scalar.t[i] = ctx[PTO_CTX_EBARG_TQ0 + i];
        env->scalar.u[i] = ctx[PTO_CTX_EBARG_UQ0 + i];
    }
    pto_write_core_state(env, ctx[PTO_CTX_ECSTATE]);
    ctx[PTO_CTX_EBARG0] = FIELD_DP64(w, EBARG0, VALID, 0);
    c->valid = false;
    c->source_ring = 0;
    trace_pto_trap_recover(ring, pto_ring(env), env->pc);
}

/*
 * Commit the SYS block that ACRE ends, with the checks of every block stop.
 * Does not return when the commit fails or traps behind itself.
 */
static void stop_sys_block(CPUPTOState *env)
{
    PtoTransfer transfer = pto_block_transfer(env);
    bool selects = transfer == PTO_XFER_COND ? pto_barg_taken(env)
                                             : transfer != PTO_XFER_FALL;
    uint64_t sequential = env->block.sequential;
    uint64_t next = selects ? env->block.bpcn : sequential;
    bool trap_behind = env->bundle.catr.trap;

    if ((next | sequential) & 1) {
        pto_raise_fault(env, PTO_FAULT_INSTRUCTION_PC, next, 0);
    }
    if (env->bundle.catr.dr) {
        pto_raise_fault_pc(env, PTO_FAULT_BUNDLE_CONTROL, 0);
    }
    next = pto_block_close(env, sequential);
    if (trap_behind) {
        env->pc = next;
        pto_raise_fault(env, PTO_FAULT_BUNDLE_POST_COMMIT, next, 0);
    }
}

/*
 * ACRE stops its own SYS block implicitly: validate, commit the block, then
 * consume the context (PTO-ACRE-IMPLICIT-STOP-001).
 */
void HELPER(acre)(CPUPTOState *env)
{
    uintptr_t ra = GETPC();
    unsigned ring = pto_ring(env);
    const char *refusal;

    cpu_restore_state(env_cpu(env), ra);
    env->acre_pending = true;
    refusal = recovery_refusal(env, ring);
    if (refusal) {
        qemu_log_mask(LOG_GUEST_ERROR, "ACRE at 0x%016" PRIx64 ": %s\n",
                      env->pc, refusal);
        pto_raise_fault_rule(env, PTO_FAULT_EXECUTION_STATE_CHECK, env->pc,
                             refusal, 0);
    }
    stop_sys_block(env);
    env->acre_pending = false;
    recover(env, ring);
    env->sys.cycle++;
    pto_irq_update(env);
}
