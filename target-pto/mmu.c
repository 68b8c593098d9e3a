/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: address translation is identity; what is checked is that something is
 * mapped there and that rings 2..15 stay inside the application window.
 */
#include "qemu/osdep.h"
#include "internals.h"
#include "exec/cputlb.h"
#include "exec/exec-all.h"
#include "exec/page-protection.h"
#include "exec/memory.h"
#include "trace.h"

static PtoFault access_fault(MMUAccessType access_type)
{
    return access_type == MMU_INST_FETCH ? PTO_FAULT_INSTRUCTION_PAGE
                                         : PTO_FAULT_DATA_PAGE;
}

/* Instructions are fetched through the system index: no restriction. */
static bool inside_window(const PTOCPU *cpu, vaddr addr, int size, int mmu_idx)
{
    if (mmu_idx != PTO_MMU_APP || cpu->app_window == 0) {
        return true;
    }
    return addr < cpu->app_window && size <= cpu->app_window - addr;
}

/*
 * A page that the window cuts gets an entry of one byte's size, so that the
 * softmmu comes back here for every access to it.
 */
static hwaddr entry_size(const PTOCPU *cpu, vaddr addr, int mmu_idx)
{
    vaddr page = addr & TARGET_PAGE_MASK;

    if (mmu_idx == PTO_MMU_APP && cpu->app_window != 0 &&
        page + TARGET_PAGE_SIZE > cpu->app_window) {
        return 1;
    }
    return TARGET_PAGE_SIZE;
}

bool pto_cpu_tlb_fill(CPUState *cs, vaddr addr, int size,
                      MMUAccessType access_type, int mmu_idx,
                      bool probe, uintptr_t ra)
{
    PTOCPU *cpu = PTO_CPU(cs);
    int bytes = MAX(size, 1);
    bool write = access_type == MMU_DATA_STORE;

    if (inside_window(cpu, addr, bytes, mmu_idx) &&
        address_space_access_valid(cs->as, addr, bytes, write,
                                   MEMTXATTRS_UNSPECIFIED)) {
        hwaddr length = entry_size(cpu, addr, mmu_idx);
        vaddr start = length == 1 ? addr : addr & TARGET_PAGE_MASK;

        tlb_set_page(cs, start, start, PAGE_READ | PAGE_WRITE | PAGE_EXEC,
                     mmu_idx, length);
        return true;
    }
    if (probe) {
        return false;
    }
    pto_raise_fault(&cpu->env, access_fault(access_type), addr, ra);
}

void pto_cpu_transaction_failed(CPUState *cs, hwaddr physaddr, vaddr addr,
                                unsigned size, MMUAccessType access_type,
                                int mmu_idx, MemTxAttrs attrs,
                                MemTxResult response, uintptr_t ra)
{
    pto_raise_fault(cpu_env(cs), access_fault(access_type), addr, ra);
}

void pto_cpu_unaligned_access(CPUState *cs, vaddr addr,
                              MMUAccessType access_type,
                              int mmu_idx, uintptr_t ra)
{
    pto_raise_fault(cpu_env(cs), PTO_FAULT_DATA_ALIGNMENT, addr, ra);
}

hwaddr pto_cpu_get_phys_page_debug(CPUState *cs, vaddr addr)
{
    return addr & TARGET_PAGE_MASK;
}
