/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: translation maintenance (TLB.*).
 *
 * Translation is identity, but what the softmmu has cached about it is
 * dropped as the instruction asks.
 */
#include "qemu/osdep.h"
#include "internals.h"
#include "exec/cputlb.h"
#include "exec/exec-all.h"
#include "exec/helper-proto.h"

#define VIRTUAL_BITS    48
#define ASID_BITS       16

/* Privilege is checked before the operand; ring 0 manages translation. */
void HELPER(tlb_maintenance)(CPUPTOState *env, uint32_t op, uint64_t operand)
{
    CPUState *cs = env_cpu(env);
    uintptr_t ra = GETPC();

    if (pto_ring(env) != 0) {
        pto_raise_fault_pc(env, PTO_FAULT_ILLEGAL_INSTRUCTION, ra);
    }
    switch (op) {
    case PTO_TLB_IV:
    case PTO_TLB_IAV:
        if (sextract64(operand, 0, VIRTUAL_BITS) != operand) {
            pto_raise_fault(env, PTO_FAULT_DATA_PAGE, operand, ra);
        }
        tlb_flush_page(cs, operand & TARGET_PAGE_MASK);
        break;
    case PTO_TLB_IA:
        if (operand >> ASID_BITS) {
            pto_raise_fault_pc(env, PTO_FAULT_ILLEGAL_INSTRUCTION, ra);
        }
        tlb_flush(cs);
        break;
    default:
        tlb_flush(cs);
        break;
    }
}
