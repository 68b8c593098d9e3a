/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: interrupt lines, timers, events and the suspending instructions.
 *
 * A rising line sets its bit in IPENDING of the ring that manages the ring
 * then executing; the bit stays until EOIEI names it, and comes back at once
 * while the line is still high.  An interrupt is taken at an instruction
 * boundary when ECONFIG of that bank enables it and the bank holds no
 * unconsumed saved context, which an entry would overwrite (ADR-0016).
 */
#include "qemu/osdep.h"
#include "qemu/atomic.h"
#include "qemu/main-loop.h"
#include "qemu/timer.h"
#include "internals.h"
#include "irq.h"
#include "sysreg.h"
#include "exec/exec-all.h"
#include "exec/helper-proto.h"
#include "trace.h"

/* Banks that interrupts are routed to: the root and the system manager. */
#define PTO_IRQ_BANKS       2

/*
 * Shortest distance of a host timer to a deadline given in attempts: how
 * fast a running PE gets there is only an estimate, so the timer may come
 * early and is set again.
 */
#define PTO_TIMER_STEP_NS   20000

static int64_t virtual_ns(void)
{
    return qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
}

static bool suspended(CPUPTOState *env)
{
    return env->wait.kind != PTO_WAIT_NONE;
}

/* ------------------------------------------------------------------ */
/* Time.                                                                */

uint64_t pto_time(CPUPTOState *env)
{
    if (env_archcpu(env)->time_ns) {
        return virtual_ns();
    }
    if (suspended(env)) {
        return env->sys.cycle + (virtual_ns() - env->wait.since);
    }
    return env->sys.cycle;
}

static unsigned timer_id(unsigned ring)
{
    return ring == 0 ? PTO_IRQ_TIMER_ROOT : PTO_IRQ_TIMER_MANAGED;
}

static void set_pending(CPUPTOState *env, unsigned ring, uint64_t pending)
{
    env->sys.ctx[ring][PTO_CTX_IPENDING] = pending;
    env->sys.ctx[ring][PTO_CTX_TOPEI] = pending ? ctz64(pending) : 0;
}

void pto_irq_refresh_timer(CPUPTOState *env, unsigned ring)
{
    uint64_t compare = env->sys.ctx[ring][PTO_CTX_TIMECMP];
    bool reached = compare != 0 && pto_time(env) >= compare;

    set_pending(env, ring,
                deposit64(env->sys.ctx[ring][PTO_CTX_IPENDING],
                          timer_id(ring), 1, reached));
}

/* Ticks until the next deadline that is still ahead; UINT64_MAX for none. */
static uint64_t ticks_to_deadline(CPUPTOState *env, uint64_t now)
{
    uint64_t best = UINT64_MAX;

    for (unsigned ring = 0; ring < PTO_IRQ_BANKS; ring++) {
        uint64_t compare = env->sys.ctx[ring][PTO_CTX_TIMECMP];

        if (compare > now) {
            best = MIN(best, compare - now);
        }
    }
    if (env->wait.kind == PTO_WAIT_TIMEOUT && env->wait.deadline > now) {
        best = MIN(best, env->wait.deadline - now);
    }
    return best;
}

void pto_irq_arm_timer(CPUPTOState *env)
{
    PTOCPU *cpu = env_archcpu(env);
    uint64_t ticks = ticks_to_deadline(env, pto_time(env));

    if (ticks == UINT64_MAX) {
        timer_del(cpu->timer);
        return;
    }
    /* No deadline lies further ahead than the clock can count. */
    ticks = MIN(ticks, INT64_MAX / 2);
    if (!cpu->time_ns && !suspended(env)) {
        ticks = MAX(ticks, PTO_TIMER_STEP_NS);
    }
    timer_mod(cpu->timer, virtual_ns() + ticks);
}

static bool any_deadline_reached(CPUPTOState *env)
{
    uint64_t now = pto_time(env);

    for (unsigned ring = 0; ring < PTO_IRQ_BANKS; ring++) {
        uint64_t compare = env->sys.ctx[ring][PTO_CTX_TIMECMP];

        if (compare != 0 && now >= compare) {
            return true;
        }
    }
    return env->wait.kind == PTO_WAIT_TIMEOUT && now >= env->wait.deadline;
}

/* Runs in the main loop; the PE's own thread does everything else. */
static void deadline_timer(void *opaque)
{
    CPUState *cs = opaque;
    CPUPTOState *env = cpu_env(cs);

    if (any_deadline_reached(env)) {
        cpu_interrupt(cs, CPU_INTERRUPT_HARD);
    }
    pto_irq_arm_timer(env);
}

/* ------------------------------------------------------------------ */
/* Pending interrupts.                                                  */

void pto_cpu_set_irq(void *opaque, int irq, int level)
{
    CPUState *cs = opaque;
    CPUPTOState *env = cpu_env(cs);
    uint64_t bit = 1ull << irq;

    if (!level) {
        qatomic_and(&env->irq_level, ~bit);
        return;
    }
    if (!(qatomic_fetch_or(&env->irq_level, bit) & bit)) {
        trace_pto_irq_line(cs->cpu_index, irq);
        qatomic_or(&env->irq_raised, bit);
        cpu_interrupt(cs, CPU_INTERRUPT_HARD);
    }
}

/* Bank that interrupts go to, with lines and timers brought up to date. */
static unsigned refresh(CPUPTOState *env)
{
    unsigned bank = pto_trap_target(pto_ring(env));
    uint64_t raised = qatomic_xchg(&env->irq_raised, 0);

    if (raised) {
        set_pending(env, bank, env->sys.ctx[bank][PTO_CTX_IPENDING] | raised);
    }
    for (unsigned ring = 0; ring < PTO_IRQ_BANKS; ring++) {
        if (env->sys.ctx[ring][PTO_CTX_TIMECMP]) {
            pto_irq_refresh_timer(env, ring);
        }
    }
    return bank;
}

/* Interrupt to take now, lowest number first, or -1. */
static int deliverable(CPUPTOState *env)
{
    unsigned bank = refresh(env);
    const uint64_t *ctx = env->sys.ctx[bank];
    uint64_t timer = 1ull << timer_id(bank);
    uint64_t enabled = 0;

    if (env->context[bank].valid && FIELD_EX64(ctx[PTO_CTX_EBARG0], EBARG0, VALID)) {
        return -1;
    }
    if (ctx[PTO_CTX_ECONFIG] & PTO_ECONFIG_EXTERNAL) {
        enabled |= ~timer;
    }
    if (ctx[PTO_CTX_ECONFIG] & PTO_ECONFIG_TIMER) {
        enabled |= timer;
    }
    enabled &= ctx[PTO_CTX_IPENDING];
    return enabled ? ctz64(enabled) : -1;
}

void pto_irq_update(CPUPTOState *env)
{
    CPUState *cs = env_cpu(env);
    bool set = cs->interrupt_request & CPU_INTERRUPT_HARD;

    if ((deliverable(env) >= 0) == set) {
        return;
    }
    BQL_LOCK_GUARD();
    /* Again: a line may have risen before the lock was taken. */
    if (deliverable(env) >= 0) {
        cpu_interrupt(cs, CPU_INTERRUPT_HARD);
    } else {
        cpu_reset_interrupt(cs, CPU_INTERRUPT_HARD);
    }
}

void pto_irq_end(CPUPTOState *env, unsigned ring, uint64_t value)
{
    if (value < PTO_NUM_IRQ) {
        uint64_t bit = 1ull << value;
        uint64_t pending = env->sys.ctx[ring][PTO_CTX_IPENDING] & ~bit;

        set_pending(env, ring, pending | (qatomic_read(&env->irq_level) & bit));
    }
    env->bank[ring].asynchronous = false;
    env->bank[ring].arg_valid = false;
    pto_irq_update(env);
}

bool pto_cpu_exec_interrupt(CPUState *cs, int interrupt_request)
{
    CPUPTOState *env = cpu_env(cs);
    int irq;

    if (!(interrupt_request & CPU_INTERRUPT_HARD)) {
        return false;
    }
    irq = deliverable(env);
    if (irq >= 0) {
        pto_trap_enter_interrupt(env, irq);
    }
    pto_irq_update(env);
    return irq >= 0;
}

/* ------------------------------------------------------------------ */
/* Suspending.                                                          */

static bool wait_over(CPUPTOState *env)
{
    unsigned bank = refresh(env);

    if (env->sys.ctx[bank][PTO_CTX_IPENDING]) {
        return true;
    }
    switch (env->wait.kind) {
    case PTO_WAIT_TIMEOUT:
        return pto_time(env) >= env->wait.deadline ||
               qatomic_read(&env->wait.event);
    case PTO_WAIT_EVENT:
        return qatomic_read(&env->wait.event);
    default:
        return false;
    }
}

bool pto_cpu_has_work(CPUState *cs)
{
    CPUPTOState *env = cpu_env(cs);

    if (suspended(env)) {
        return wait_over(env);
    }
    return (cs->interrupt_request & CPU_INTERRUPT_HARD) ||
           qatomic_read(&env->wait.tile_wake);
}

/* Called to leave the halted state; true if the PE runs again. */
bool pto_cpu_exec_halt(CPUState *cs)
{
    CPUPTOState *env = cpu_env(cs);

    if (!pto_cpu_has_work(cs)) {
        return false;
    }
    if (suspended(env)) {
        uint64_t now = pto_time(env);

        if (!env_archcpu(env)->time_ns) {
            env->sys.cycle = now;
        }
        if (env->wait.kind != PTO_WAIT_INTERRUPT) {
            qatomic_set(&env->wait.event, false);
        }
        env->wait.kind = PTO_WAIT_NONE;
        pto_irq_arm_timer(env);
        pto_irq_update(env);
        trace_pto_resume(cs->cpu_index, now);
    }
    qatomic_set(&env->wait.tile_wake, false);
    return true;
}

void pto_wake(CPUState *cs)
{
    CPUPTOState *env = cpu_env(cs);

    qatomic_set(&env->wait.tile_wake, true);
    qemu_cpu_kick(cs);
}

void pto_send_event(CPUPTOState *env)
{
    CPUState *self = env_cpu(env);
    CPUState *cs;

    BQL_LOCK_GUARD();
    CPU_FOREACH(cs) {
        if (cs != self) {
            qatomic_set(&cpu_env(cs)->wait.event, true);
            qemu_cpu_kick(cs);
        }
    }
}

/*
 * BSE reaches every other PE; a PE that does not wait yet remembers the event
 * for its next BWE or BWT.  BWI waits for a pending interrupt, enabled or
 * not, which also ends the other waits.  BWT counts its operand in ticks of
 * TIME.  The operand of the other requests is a hint.
 */
void HELPER(control_request)(CPUPTOState *env, uint32_t request,
                             uint64_t operand)
{
    static const uint8_t wait_kind[] = {
        [PTO_REQ_WAIT_EVENT] = PTO_WAIT_EVENT,
        [PTO_REQ_WAIT_INTERRUPT] = PTO_WAIT_INTERRUPT,
        [PTO_REQ_WAIT_TIMEOUT] = PTO_WAIT_TIMEOUT,
    };
    CPUState *cs = env_cpu(env);
    uint64_t now;

    trace_pto_control_request(cs->cpu_index, request, operand);
    if (!env->profile->waits_suspend) {
        return;
    }
    if (request == PTO_REQ_SEND_EVENT) {
        pto_send_event(env);
        return;
    }
    now = pto_time(env);
    env->wait.kind = wait_kind[request];
    env->wait.since = virtual_ns();
    env->wait.deadline = now + operand < now ? UINT64_MAX : now + operand;
    pto_irq_arm_timer(env);
    cs->halted = 1;
    cs->exception_index = EXCP_HLT;
    cpu_loop_exit(cs);
}

/* ------------------------------------------------------------------ */

void pto_irq_reset(CPUPTOState *env)
{
    PTOCPU *cpu = env_archcpu(env);

    if (cpu->timer) {
        timer_del(cpu->timer);
    }
}

void pto_irq_realize(CPUState *cs)
{
    PTO_CPU(cs)->timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, deadline_timer, cs);
}

void pto_irq_post_load(CPUPTOState *env)
{
    pto_irq_arm_timer(env);
    pto_irq_update(env);
}
