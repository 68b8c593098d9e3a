/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: the block's bundle record and its commit.  The only place where the
 * CPU side calls the tile core.
 */
#include "qemu/osdep.h"
#include "qemu/log.h"
#include "internals.h"
#include "exec/cpu_ldst.h"
#include "exec/exec-all.h"
#include "exec/helper-proto.h"
#include "hw/pto/core.h"
#include "irq.h"
#include "tile/commit.h"
#include "tile/formats.h"
#include "trace.h"

/* ---- the record ---- */

static bool in_header(uint32_t st)
{
    return FIELD_EX32(st, BST, ACTIVE) && !FIELD_EX32(st, BST, BODY);
}

static uint8_t branch_code(PtoTransfer transfer)
{
    switch (transfer) {
    case PTO_XFER_IND:
        return 5;
    case PTO_XFER_ICALL:
        return 6;
    case PTO_XFER_RET:
        return 7;
    default:
        return 1;
    }
}

static void sync_op(CPUPTOState *env, uint32_t st)
{
    PtoBundleOp *op = &env->bundle.op;

    if (FIELD_EX32(st, BST, OP) && !op->valid) {
        op->valid = true;
        op->op_class = PTO_OPCLASS_CONTROL;
        op->branch_valid = FIELD_EX32(st, BST, OP_BR);
        op->branch = op->branch_valid
            ? branch_code(FIELD_EX32(st, BST, TRANSFER)) : 0;
    }
}

/* A record that is not in its cleared state is flagged in the block state. */
static void flag_header(CPUPTOState *env)
{
    if (env->bundle.op.valid) {
        env->block.st = FIELD_DP32(env->block.st, BST, HEADER, 1);
    }
}

void pto_sync_bundle(CPUPTOState *env)
{
    sync_op(env, env->block.st);
    flag_header(env);
}

/* A rejected command or commit; faults without an address name the TPC. */
static G_NORETURN void reject(CPUPTOState *env, PtoFaultInfo info,
                              uintptr_t ra)
{
    const PtoTileOp *op = pto_bundle_tile_op(&env->bundle);

    cpu_restore_state(env_cpu(env), ra);
    flag_header(env);
    qemu_log_mask(LOG_GUEST_ERROR, "PE %d: 0x%016" PRIx64 " in a %s block: "
                  "%s\n", env_cpu(env)->cpu_index, env->pc,
                  op ? op->name : "plain", info.rule);
    pto_raise_fault_rule(env, info.code,
                         info.addr_valid ? info.addr : env->pc, info.rule, 0);
}

static void check(CPUPTOState *env, PtoFaultInfo info, uintptr_t ra)
{
    if (unlikely(info.code != PTO_FAULT_NONE)) {
        reject(env, info, ra);
    }
}

void helper_bundle_clear(CPUPTOState *env)
{
    pto_bundle_recycle(&env->bundle);
}

void helper_bundle_dim(CPUPTOState *env, uint32_t st, uint32_t n,
                       uint64_t value)
{
    sync_op(env, st);
    check(env, pto_bundle_dim(&env->bundle, in_header(st), n, value),
           GETPC());
}

void helper_bundle_command(CPUPTOState *env, uint32_t st, uint32_t command,
                           uint32_t bits)
{
    sync_op(env, st);
    check(env, pto_header_command(&env->bundle, in_header(st), command, bits),
          GETPC());
}

void helper_bundle_trace(CPUPTOState *env, uint32_t end)
{
    pto_bundle_recycle(&env->bundle);
    env->bundle.hint.present = true;
    env->bundle.hint.trace = true;
    env->bundle.hint.trace_end = end;
}

/* B.SUBVIEW and B.ASSEMBLE: bit 0 of @bits tells which. */
void helper_bundle_range(CPUPTOState *env, uint32_t st, uint32_t bits,
                         uint32_t operand, uint64_t base)
{
    bool assemble = bits & 1;
    bool init = extract32(bits, 2, 1);
    bool last = extract32(bits, 3, 1);
    unsigned size = extract32(bits, 4, 4);
    unsigned reg = operand & 31;
    PtoRange *slot = NULL;

    check(env, assemble
           ? pto_bundle_assemble(&env->bundle, init, last, reg, size, &slot)
           : pto_bundle_subview(&env->bundle, extract32(bits, 1, 1), reg, size,
                                &slot), GETPC());
    if (slot) {
        pto_bundle_range_set(&env->bundle, slot, init, last, reg, size,
                             operand >> 5, base);
    }
}

/* ---- access of the tile core to this PE ---- */

typedef struct TileAccess {
    CPUPTOState *env;
    uintptr_t ra;
    bool published;             /* waiting PEs have to be woken */
} TileAccess;

static uint64_t access_read_scalar(void *opaque, unsigned pe,
                                   unsigned selector)
{
    CPUPTOState *env = ((TileAccess *)opaque)->env;
    uint64_t *gpr;

    if (selector >= 28) {
        return env->scalar.u[selector - 28];
    }
    if (selector >= 24) {
        return env->scalar.t[selector - 24];
    }
    gpr = pto_pe_gpr(env, pe, selector);
    return gpr ? *gpr : 0;
}

static PtoFault access_probe(void *opaque, uint64_t addr, uint64_t len,
                             bool write, unsigned align, uint64_t *fault_addr)
{
    TileAccess *t = opaque;
    CPUState *cs = env_cpu(t->env);
    MMUAccessType type = write ? MMU_DATA_STORE : MMU_DATA_LOAD;
    int idx = cpu_mmu_index(cs, false);
    uint64_t end = addr + len;
    uint64_t at;

    *fault_addr = addr;
    if (align > 1 && addr & (align - 1)) {
        return PTO_FAULT_DATA_ALIGNMENT;
    }
    for (at = addr; at - addr < len; at = (at | ~TARGET_PAGE_MASK) + 1) {
        uint64_t n = MIN(end - at, TARGET_PAGE_SIZE - (at & ~TARGET_PAGE_MASK));
        void *host;

        if (probe_access_flags(t->env, at, n, type, idx, true, &host, t->ra)
            & TLB_INVALID_MASK) {
            return PTO_FAULT_DATA_PAGE;
        }
    }
    return PTO_FAULT_NONE;
}

static void *access_host(void *opaque, uint64_t addr, uint64_t len, bool write)
{
    TileAccess *t = opaque;
    MMUAccessType type = write ? MMU_DATA_STORE : MMU_DATA_LOAD;
    int idx = cpu_mmu_index(env_cpu(t->env), false);
    uint8_t *first = NULL;
    uint64_t done = 0;

    while (done < len) {
        uint64_t at = addr + done;
        uint64_t n = MIN(len - done,
                         TARGET_PAGE_SIZE - (at & ~TARGET_PAGE_MASK));
        uint8_t *host = probe_access(t->env, at, n, type, idx, t->ra);

        if (!host || (done && host != first + done)) {
            return NULL;
        }
        if (!done) {
            first = host;
        }
        done += n;
    }
    return first;
}

static void access_read(void *opaque, uint64_t addr, void *buf, uint64_t len)
{
    TileAccess *t = opaque;
    uint8_t *p = buf;
    uint64_t i;

    for (i = 0; i < len; i++) {
        p[i] = cpu_ldub_data_ra(t->env, addr + i, t->ra);
    }
}

static void access_write(void *opaque, uint64_t addr, const void *buf,
                         uint64_t len)
{
    TileAccess *t = opaque;
    const uint8_t *p = buf;
    uint64_t i;

    for (i = 0; i < len; i++) {
        cpu_stb_data_ra(t->env, addr + i, p[i], t->ra);
    }
}

static uint64_t access_cas(void *opaque, uint64_t addr, unsigned bytes,
                           uint64_t expected, uint64_t desired)
{
    TileAccess *t = opaque;
    unsigned idx = cpu_mmu_index(env_cpu(t->env), false);
    MemOp mop = size_memop(bytes) | MO_LE;
    MemOpIdx oi = make_memop_idx(mop, idx);

    switch (bytes) {
    case 1:
        return cpu_atomic_cmpxchgb_mmu(t->env, addr, expected, desired, oi,
                                       t->ra);
    case 2:
        return cpu_atomic_cmpxchgw_le_mmu(t->env, addr, expected, desired, oi,
                                          t->ra);
    case 4:
        return cpu_atomic_cmpxchgl_le_mmu(t->env, addr, expected, desired, oi,
                                          t->ra);
    default:
        return cpu_atomic_cmpxchgq_le_mmu(t->env, addr, expected, desired, oi,
                                          t->ra);
    }
}

static void access_core_lock(void *opaque)
{
    TileAccess *t = opaque;

    qemu_mutex_lock(&env_archcpu(t->env)->shared_core->lock);
}

static void access_core_unlock(void *opaque)
{
    TileAccess *t = opaque;

    qemu_mutex_unlock(&env_archcpu(t->env)->shared_core->lock);
}

/* The waiting PEs are woken once the lock is free. */
static void access_published(void *opaque, unsigned shared_id)
{
    TileAccess *t = opaque;

    t->published = true;
}

/* Several PEs share the core. */
static const PtoAccess shared_access = {
    .read_scalar = access_read_scalar,
    .probe = access_probe,
    .host = access_host,
    .read = access_read,
    .write = access_write,
    .cas = access_cas,
    .core_lock = access_core_lock,
    .core_unlock = access_core_unlock,
    .published = access_published,
};

static const PtoAccess cpu_access = {
    .read_scalar = access_read_scalar,
    .probe = access_probe,
    .host = access_host,
    .read = access_read,
    .write = access_write,
    .cas = access_cas,
};

/* ---- commit ---- */

static bool bpcn_selected(const CPUPTOState *env)
{
    PtoTransfer transfer = pto_block_transfer(env);

    return transfer != PTO_XFER_FALL &&
           (transfer != PTO_XFER_COND || pto_barg_taken(env));
}

uint64_t pto_block_close(CPUPTOState *env, uint64_t continuation)
{
    uint64_t next = bpcn_selected(env) ? env->block.bpcn : continuation;

    env->block.st &= R_BST_RING_MASK | R_BST_T_VALID_MASK |
                     R_BST_U_VALID_MASK | R_BST_RESERVED_MASK;
    env->block.bpc = 0;
    env->block.bpcn = 0;
    env->block.sequential = 0;
    env->block.frame_target = 0;
    pto_bundle_recycle(&env->bundle);
    return next;
}

/* The reduction attribute belongs to element and memory blocks only. */
static bool dr_allowed(PtoBlockKind kind)
{
    return kind == PTO_KIND_TEPL || kind == PTO_KIND_TLSU;
}

/*
 * The block stays active and is tried again.  A PE that can sleep does so
 * until the core's Shared state changes; @publications tells whether it
 * already has since the attempt began.
 */
static G_NORETURN void wait_for_shared(CPUPTOState *env, int shared_id,
                                       uint64_t publications)
{
    CPUState *cs = env_cpu(env);
    PTOCPU *cpu = env_archcpu(env);
    PtoCore *core = cpu->shared_core;

    env->sys.cycle++;
    /* An attempt that waits is one step for a debugger. */
    cs->exception_index = (cs->singlestep_enabled & SSTEP_ENABLE) ? EXCP_DEBUG : -1;
    if (core && env->profile->waits_suspend) {
        qemu_mutex_lock(&core->lock);
        if (core->tiles.publications == publications) {
            g_autofree char *what = shared_id < 0
                ? g_strdup("a collective block")
                : g_strdup_printf("S%d", shared_id);

            pto_core_wait(core, cpu->pe, what);
            cs->halted = 1;
            if (cs->exception_index < 0) {
                cs->exception_index = EXCP_HLT;
            }
        }
        qemu_mutex_unlock(&core->lock);
    }
    cpu_loop_exit(cs);
}

static void commit_tile(CPUPTOState *env, uintptr_t ra)
{
    PTOCPU *cpu = env_archcpu(env);
    bool single = env->profile->tile->single_program;
    PtoCore *core = cpu->shared_core;
    unsigned pes = core ? ctpop32(core->populated) : 1;
    uint64_t publications = qatomic_read(&env->tile_core->publications);
    TileAccess access = { .env = env, .ra = ra };
    PtoTileCtx ctx = {
        .profile = &cpu->tile_profile,
        .access = pes > 1 ? &shared_access : &cpu_access,
        .opaque = &access,
        .pe = single ? cpu->agent : cpu->pe,
        .pe_count = pes,
        .local = env->tiles,
        .core = env->tile_core,
        .bundle = &env->bundle,
    };
    PtoCommit done = pto_tile_commit(&ctx);

    if (trace_event_get_state_backends(TRACE_PTO_TILE_BLOCK)) {
        static const char *const how[] = {
            [PTO_COMMIT_DONE] = "done", [PTO_COMMIT_NOOP] = "no operation",
            [PTO_COMMIT_WAIT] = "waits", [PTO_COMMIT_FAULT] = "faults",
        };

        trace_pto_tile_block(ctx.pe, done.op ? done.op->name : "reserved",
                             pto_format(env->bundle.op.dtype)->name,
                             how[done.status], env->bundle.bpc);
    }
    if (access.published) {
        pto_core_wake(core);
    }
    switch (done.status) {
    case PTO_COMMIT_FAULT:
        cpu_restore_state(env_cpu(env), ra);
        if (done.restart_valid) {
            env->pc = done.restart_pc;
        }
        reject(env, done.fault, 0);
    case PTO_COMMIT_WAIT:
        cpu_restore_state(env_cpu(env), ra);
        wait_for_shared(env, done.wait_shared, publications);
    case PTO_COMMIT_DONE:
    case PTO_COMMIT_NOOP:
        env->sys.core_state |= (uint64_t)done.flags << 32;
        break;
    }
}

void helper_block_commit(CPUPTOState *env, uint64_t continuation,
                         uint32_t kind)
{
    PtoBundle *b = &env->bundle;

    if (b->catr.dr && !dr_allowed(kind)) {
        reject(env, pto_reject(PTO_RULE_CATR_DR),
               GETPC());
    }
    if (b->op.valid && b->op.op_class != PTO_OPCLASS_CONTROL) {
        commit_tile(env, GETPC());
    }
    if (b->catr.trap) {
        cpu_restore_state(env_cpu(env), GETPC());
        env->pc = pto_block_close(env, continuation);
        pto_raise_fault(env, PTO_FAULT_BUNDLE_POST_COMMIT, env->pc, 0);
    }
    pto_bundle_recycle(b);
}
