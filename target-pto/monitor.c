/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: registers in expressions of the monitor ("p $a0").
 */
#include "qemu/osdep.h"
#include "cpu.h"
#include "monitor/hmp-target.h"

#define GPR(name, n) { name, offsetof(CPUPTOState, scalar.gpr[n]) }
#define WORD(name, member) { name, offsetof(CPUPTOState, member) }

static target_long get_ring(Monitor *mon, const struct MonitorDef *md, int val)
{
    return pto_ring(mon_get_cpu_env(mon));
}

static const MonitorDef monitor_defs[] = {
    GPR("r0|zero", 0), GPR("r1|sp", 1), GPR("r2|a0", 2), GPR("r3|a1", 3),
    GPR("r4|a2", 4), GPR("r5|a3", 5), GPR("r6|a4", 6), GPR("r7|a5", 7),
    GPR("r8|a6", 8), GPR("r9|a7", 9), GPR("r10|ra", 10), GPR("r11|s0|fp", 11),
    GPR("r12|s1", 12), GPR("r13|s2", 13), GPR("r14|s3", 14),
    GPR("r15|s4", 15), GPR("r16|s5", 16), GPR("r17|s6", 17),
    GPR("r18|s7", 18), GPR("r19|s8", 19), GPR("r20|x0", 20),
    GPR("r21|x1", 21), GPR("r22|x2", 22), GPR("r23|x3", 23),
    WORD("pc|tpc", pc),
    WORD("tq1", scalar.t[0]), WORD("tq2", scalar.t[1]),
    WORD("tq3", scalar.t[2]), WORD("tq4", scalar.t[3]),
    WORD("uq1", scalar.u[0]), WORD("uq2", scalar.u[1]),
    WORD("uq3", scalar.u[2]), WORD("uq4", scalar.u[3]),
    WORD("bpc", block.bpc), WORD("bpcn", block.bpcn),
    WORD("lra", block.return_address),
    WORD("lb0", bundle.dim[0]), WORD("lb1", bundle.dim[1]),
    WORD("lb2", bundle.dim[2]),
    WORD("core_state", sys.core_state), WORD("cycle", sys.cycle),
    WORD("thread_ptr", sys.thread_ptr), WORD("global_ptr", sys.global_ptr),
    { "acr", 0, get_ring },
    { NULL },
};

const MonitorDef *target_monitor_defs(void)
{
    return monitor_defs;
}
