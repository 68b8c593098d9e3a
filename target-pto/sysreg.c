/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO system registers: one table of address, access class, scope, reset
 * value and side effects.
 *
 * Every register of the base range is open to all rings; the context family
 * (low 12 bits from 0xf00) belongs to ring 0, whichever bank is named.
 */
#include "qemu/osdep.h"
#include "qemu/log.h"
#include "internals.h"
#include "irq.h"
#include "sysreg.h"
#include "exec/exec-all.h"
#include "exec/helper-proto.h"
#include "trace.h"

#define PTO_TILE_CAPACITY   262144
#define PTO_VERSION         1

/* ---- TRAPNO: [63] asynchronous, [62] argument valid, [47:24] cause, [5:0] */

uint64_t pto_trap_status(const PtoTrapBank *bank)
{
    uint64_t w = bank->number;

    w = deposit64(w, 24, 24, bank->cause);
    w = deposit64(w, 62, 1, bank->arg_valid);
    return deposit64(w, 63, 1, bank->asynchronous);
}

void pto_set_trap_status(PtoTrapBank *bank, uint64_t value)
{
    bank->asynchronous = value >> 63;
    bank->arg_valid = extract64(value, 62, 1);
    bank->cause = extract64(value, 24, 24);
    bank->number = extract64(value, 0, 6);
}

static uint64_t read_trapno(CPUPTOState *env, unsigned ring)
{
    return pto_trap_status(&env->bank[ring]);
}

static void write_trapno(CPUPTOState *env, unsigned ring, uint64_t value)
{
    pto_set_trap_status(&env->bank[ring], value);
    pto_irq_update(env);
}

static uint64_t read_traparg0(CPUPTOState *env, unsigned ring)
{
    return env->bank[ring].arg0;
}

static void write_traparg0(CPUPTOState *env, unsigned ring, uint64_t value)
{
    env->bank[ring].arg0 = value;
}

/* ---- registers with a meaning of their own */

static uint64_t read_time(CPUPTOState *env, unsigned ring)
{
    return pto_time(env);
}

static uint64_t read_cycle(CPUPTOState *env, unsigned ring)
{
    return env->sys.cycle;
}

static void write_core_state(CPUPTOState *env, unsigned ring, uint64_t value)
{
    pto_write_core_state(env, value);
    pto_irq_update(env);
}

static uint64_t read_core_id(CPUPTOState *env, unsigned ring)
{
    return env_archcpu(env)->core;
}

static uint64_t read_pe(CPUPTOState *env, unsigned ring)
{
    return env_archcpu(env)->pe;
}

static uint64_t read_version(CPUPTOState *env, unsigned ring)
{
    return PTO_VERSION;
}

static uint64_t read_zero(CPUPTOState *env, unsigned ring)
{
    return 0;
}

static uint64_t read_tile_capacity(CPUPTOState *env, unsigned ring)
{
    return PTO_TILE_CAPACITY;
}

static uint64_t read_ipending(CPUPTOState *env, unsigned ring)
{
    pto_irq_refresh_timer(env, ring);
    return env->sys.ctx[ring][PTO_CTX_IPENDING];
}

static uint64_t read_topei(CPUPTOState *env, unsigned ring)
{
    pto_irq_refresh_timer(env, ring);
    return env->sys.ctx[ring][PTO_CTX_TOPEI];
}

static void write_eoiei(CPUPTOState *env, unsigned ring, uint64_t value)
{
    pto_irq_end(env, ring, value);
}

/* ECONFIG and EBARG0 decide whether an interrupt can be taken. */
static void write_econfig(CPUPTOState *env, unsigned ring, uint64_t value)
{
    env->sys.ctx[ring][PTO_CTX_ECONFIG] = value;
    pto_irq_update(env);
}

static void write_ebarg0(CPUPTOState *env, unsigned ring, uint64_t value)
{
    env->sys.ctx[ring][PTO_CTX_EBARG0] = value;
    pto_irq_update(env);
}

static void write_timecmp(CPUPTOState *env, unsigned ring, uint64_t value)
{
    env->sys.ctx[ring][PTO_CTX_TIMECMP] = value;
    pto_irq_refresh_timer(env, ring);
    pto_irq_arm_timer(env);
    pto_irq_update(env);
}

/* ---- the table */

#define BASE_STORED(name_, addr_, acc_, field_) \
    { .name = name_, .addr = addr_, .access = PTO_SYSREG_##acc_, \
      .scope = PTO_SYSREG_BASE, .offset = offsetof(PtoSysregState, field_) }
#define BASE_READ(name_, addr_, read_) \
    { .name = name_, .addr = addr_, .access = PTO_SYSREG_RO, \
      .scope = PTO_SYSREG_BASE, .read = read_ }
#define BANKED(name_, low_, acc_, ...) \
    { .name = name_, .addr = low_, .access = PTO_SYSREG_##acc_, \
      .scope = PTO_SYSREG_BANKED, __VA_ARGS__ }
#define FIXED(name_, addr_) \
    { .name = name_, .addr = addr_, .access = PTO_SYSREG_RW, \
      .scope = PTO_SYSREG_FIXED }

const PtoSysreg pto_sysregs[] = {
    BASE_STORED("THREAD_PTR", 0x0000, RW, thread_ptr),
    BASE_STORED("GLOBAL_PTR", 0x0001, RW, global_ptr),
    BASE_READ("TIME", 0x0010, read_time),
    { .name = "CORE_STATE", .addr = 0x0020, .access = PTO_SYSREG_RW,
      .scope = PTO_SYSREG_BASE, .write = write_core_state,
      .offset = offsetof(PtoSysregState, core_state) },
    BASE_READ("CORE_ID", 0x0021, read_core_id),
    BASE_READ("VENDOR", 0x0022, read_zero),
    BASE_READ("VERSION", 0x0023, read_version),
    BASE_READ("CORE_FEATURE", 0x0024, read_zero),
    BASE_STORED("CORE_FEATURE_ENABLE", 0x0025, RW, core_feature_enable),
    BASE_READ("THREAD_ID", 0x0026, read_pe),
    BASE_READ("TILE_CAPACITY", 0x0027, read_tile_capacity),
    BASE_STORED("BLOCKNUM", 0x0050, RO, blocknum),
    BASE_STORED("BLOCKID", 0x0051, RO, blockid),
    BASE_READ("PEID", PTO_SYSREG_PEID, read_pe),
    BASE_READ("CYCLE", 0x0c00, read_cycle),

    BANKED("ECSTATE", 0xf00, RW),
    BANKED("EVBASE", 0xf01, RW),
    BANKED("TRAPNO", 0xf02, RW, .read = read_trapno, .write = write_trapno),
    BANKED("TRAPARG0", 0xf03, RW, .read = read_traparg0,
           .write = write_traparg0),
    BANKED("ETEMP", 0xf05, RW),
    BANKED("ETEMP0", 0xf06, RW),
    BANKED("ECONFIG", 0xf07, RW, .reset = PTO_ECONFIG_RESET,
           .write = write_econfig),
    BANKED("IPENDING", 0xf08, RO, .read = read_ipending),
    BANKED("TOPEI", 0xf09, RO, .read = read_topei),
    BANKED("EOIEI", 0xf0a, WO, .write = write_eoiei),

    /* Translation is identity: these only store. */
    FIXED("TTBR0_ACR1", 0x1f10),
    FIXED("TTBR1_ACR1", 0x1f11),
    FIXED("TCR_ACR1", 0x1f12),
    FIXED("MAIR_ACR1", 0x1f13),
    FIXED("IOTTBR_ACR1", 0x1f14),
    FIXED("IOTCR_ACR1", 0x1f15),
    FIXED("IOMAIR_ACR1", 0x1f16),

    BANKED("TIMER_TIME", 0xf20, RO, .read = read_time),
    BANKED("TIMER_TIMECMP", 0xf21, RW, .write = write_timecmp),
    BANKED("XBINFO", 0xf30, RW),
    BANKED("ACR_PARAM", 0xf31, RW),

    BANKED("EBARG0", 0xf40, RW, .write = write_ebarg0),
    BANKED("EBARG_BPC_CUR", 0xf41, RW),
    BANKED("EBARG_BPC_TGT", 0xf42, RW),
    BANKED("EBARG_TPC", 0xf43, RW),
    BANKED("EBARG_LRA", 0xf44, RW),
    BANKED("EBARG_TQ0", 0xf45, RW),
    BANKED("EBARG_TQ1", 0xf46, RW),
    BANKED("EBARG_TQ2", 0xf47, RW),
    BANKED("EBARG_TQ3", 0xf48, RW),
    BANKED("EBARG_UQ0", 0xf49, RW),
    BANKED("EBARG_UQ1", 0xf4a, RW),
    BANKED("EBARG_UQ2", 0xf4b, RW),
    BANKED("EBARG_UQ3", 0xf4c, RW),
    BANKED("EBARG_LB", 0xf4d, RW),
    BANKED("EBARG_LC", 0xf4e, RW),
    BANKED("EBARG_EXTCTX_PTR", 0xf4f, RW),
    BANKED("EBARG_EXTCTX_META", 0xf50, RW),
    BANKED("EBARG_TPLFLAGS", 0xf51, RW),

    /* Debug matching is not active: storage. */
    BANKED("DBGID", 0xf80, RO),
    BANKED("DBCR0", 0xf90, RW),
    BANKED("DBVR0", 0xf91, RW),
    BANKED("DBCR1", 0xf92, RW),
    BANKED("DBVR1", 0xf93, RW),
    BANKED("DBCR2", 0xf94, RW),
    BANKED("DBVR2", 0xf95, RW),
    BANKED("DBCR3", 0xf96, RW),
    BANKED("DBVR3", 0xf97, RW),
    BANKED("DCCR0", 0xfa0, RW),
    BANKED("DCVR0", 0xfa1, RW),
    BANKED("DWCR0", 0xfb0, RW),
    BANKED("DWVR0", 0xfb1, RW),
    BANKED("DWCR1", 0xfb2, RW),
    BANKED("DWVR1", 0xfb3, RW),
    BANKED("DWCR2", 0xfb4, RW),
    BANKED("DWVR2", 0xfb5, RW),
    BANKED("DWCR3", 0xfb6, RW),
    BANKED("DWVR3", 0xfb7, RW),
};

const unsigned pto_sysreg_count = ARRAY_SIZE(pto_sysregs);

/* ---- access */

static bool row_matches(const PtoSysreg *r, uint32_t addr)
{
    return r->scope == PTO_SYSREG_BANKED
        ? addr >> 16 == 0 && (addr & 0xfff) == r->addr : addr == r->addr;
}

const PtoSysreg *pto_sysreg_find(CPUPTOState *env, uint32_t addr)
{
    for (unsigned i = 0; i < pto_sysreg_count; i++) {
        const PtoSysreg *r = &pto_sysregs[i];

        if (row_matches(r, addr)) {
            return r->addr == PTO_SYSREG_PEID && !env_archcpu(env)->peid
                ? NULL : r;
        }
    }
    return NULL;
}

/* Storage of a register whose value is not computed. */
static uint64_t *storage(CPUPTOState *env, const PtoSysreg *r, unsigned ring)
{
    return r->scope == PTO_SYSREG_BASE
        ? (uint64_t *)((char *)&env->sys + r->offset)
        : &env->sys.ctx[ring][(r->addr & 0xfff) - PTO_CTX_BASE];
}

uint64_t pto_sysreg_read(CPUPTOState *env, const PtoSysreg *r, unsigned ring)
{
    return r->read ? r->read(env, ring) : *storage(env, r, ring);
}

void pto_sysreg_write(CPUPTOState *env, const PtoSysreg *r, unsigned ring,
                      uint64_t value)
{
    if (r->write) {
        r->write(env, ring, value);
    } else {
        *storage(env, r, ring) = value;
    }
}

uint64_t pto_sysreg_peek(CPUPTOState *env, const PtoSysreg *r, unsigned ring)
{
    if (r->read == read_ipending || r->read == read_topei) {
        return *storage(env, r, ring);
    }
    return pto_sysreg_read(env, r, ring);
}

void pto_sysreg_reset(CPUPTOState *env)
{
    for (unsigned i = 0; i < pto_sysreg_count; i++) {
        const PtoSysreg *r = &pto_sysregs[i];

        if (r->scope == PTO_SYSREG_BANKED && r->reset) {
            for (unsigned ring = 0; ring < PTO_NUM_RINGS; ring++) {
                *storage(env, r, ring) = r->reset;
            }
        }
    }
}

/* ---- instructions */

/*
 * Register of an instruction that reads and/or writes it, or an illegal
 * instruction: unknown address, denied ring and wrong access class all
 * reject before any side effect.
 */
static const PtoSysreg *checked(CPUPTOState *env, uint32_t addr, bool read,
                                bool write, uintptr_t ra)
{
    const PtoSysreg *r = pto_sysreg_find(env, addr);
    const char *why = NULL;

    if (!r) {
        why = "unknown system register";
    } else if ((addr & 0xfff) >= PTO_CTX_BASE && pto_ring(env) != 0) {
        why = "system register of ring 0";
    } else if (read && r->access == PTO_SYSREG_WO) {
        why = "read of a write-only system register";
    } else if (write && r->access == PTO_SYSREG_RO) {
        why = "write to a read-only system register";
    }
    if (why) {
        qemu_log_mask(LOG_GUEST_ERROR, "PTO: %s 0x%04x from ring %u\n",
                      why, addr, pto_ring(env));
        pto_raise_fault_pc(env, PTO_FAULT_ILLEGAL_INSTRUCTION, ra);
    }
    return r;
}

static unsigned bank_of(uint32_t addr)
{
    return (addr >> 12) & 15;
}

/*
 * env is in sync, but CYCLE does not count the current attempt before it
 * ends; the register sees it counted.
 */
uint64_t HELPER(sysreg_get)(CPUPTOState *env, uint32_t addr)
{
    const PtoSysreg *r = checked(env, addr, true, false, GETPC());
    uint64_t value;

    env->sys.cycle++;
    value = pto_sysreg_read(env, r, bank_of(addr));
    env->sys.cycle--;
    trace_pto_sysreg_read(r->name, addr, value);
    return value;
}

void HELPER(sysreg_set)(CPUPTOState *env, uint32_t addr, uint64_t value)
{
    const PtoSysreg *r = checked(env, addr, false, true, GETPC());

    trace_pto_sysreg_write(r->name, addr, value);
    env->sys.cycle++;
    pto_sysreg_write(env, r, bank_of(addr), value);
    env->sys.cycle--;
}

/* Both permissions are checked before the read side has any effect. */
uint64_t HELPER(sysreg_swap)(CPUPTOState *env, uint32_t addr, uint64_t value)
{
    const PtoSysreg *r = checked(env, addr, true, true, GETPC());
    uint64_t old;

    trace_pto_sysreg_write(r->name, addr, value);
    env->sys.cycle++;
    old = pto_sysreg_read(env, r, bank_of(addr));
    pto_sysreg_write(env, r, bank_of(addr), value);
    env->sys.cycle--;
    return old;
}
