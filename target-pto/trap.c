/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: rejection of an attempt and trap entry.
 */
#include "qemu/osdep.h"
#include "qemu/log.h"
#include "internals.h"
#include "exec/exec-all.h"
#include "exec/helper-proto.h"
#include "trace.h"

void pto_raise_fault_cause(CPUPTOState *env, PtoFault fault, uint64_t addr,
                           uint32_t cause, uintptr_t ra)
{
    CPUState *cs = env_cpu(env);

    cpu_restore_state(cs, ra);
    env->sys.cycle++;
    env->fault.code = fault;
    env->fault.cause = cause;
    env->fault.address = addr;
    env->fault.cycle = env->sys.cycle;
    cs->exception_index = PTO_EXCP_FAULT;
    cpu_loop_exit(cs);
}

void pto_raise_fault(CPUPTOState *env, PtoFault fault, uint64_t addr,
                     uintptr_t ra)
{
    pto_raise_fault_cause(env, fault, addr, 0, ra);
}

void pto_raise_fault_pc(CPUPTOState *env, PtoFault fault, uintptr_t ra)
{
    cpu_restore_state(env_cpu(env), ra);
    pto_raise_fault_cause(env, fault, env->pc, 0, 0);
}

void pto_cpu_do_interrupt(CPUState *cs)
{
    CPUPTOState *env = cpu_env(cs);
    unsigned ring = pto_ring(env) == 0 ? 0 : 1;
    uint64_t vector = env->sys.ctx[ring][1];

    if (cs->exception_index == PTO_EXCP_FAULT) {
        env->bank[ring].number = env->fault.code;
        env->bank[ring].arg0 = env->fault.address;
        pto_set_ring(env, ring);
        env->pc = vector ? vector : env->fault.address;
    }
    cs->exception_index = -1;
}

bool pto_cpu_exec_interrupt(CPUState *cs, int interrupt_request)
{
    return false;
}

bool pto_cpu_has_work(CPUState *cs)
{
    return cs->interrupt_request & CPU_INTERRUPT_HARD;
}

void helper_reservation_store(CPUPTOState *env, uint64_t addr, uint32_t len)
{
    uint64_t line = env->reserve.address & ~63ull;

    if (env->reserve.valid && addr < line + 64 && line < addr + len) {
        env->reserve.valid = false;
    }
}
