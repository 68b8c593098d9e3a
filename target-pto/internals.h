/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: what the files of the CPU side offer each other.
 */
#ifndef PTO_INTERNALS_H
#define PTO_INTERNALS_H

#include "cpu.h"

/* ---- trap.c ---- */

/**
 * pto_raise_fault: reject the current instruction attempt.
 * @fault: what went wrong
 * @addr: TRAPARG0 (the instruction's PC or the data address)
 * @ra: GETPC() of the calling helper, or 0 when env is already in sync
 *
 * Counts the attempt in CYCLE; the trap is entered by do_interrupt.
 */
G_NORETURN void pto_raise_fault(CPUPTOState *env, PtoFault fault,
                                uint64_t addr, uintptr_t ra);

/**
 * pto_raise_fault_pc: pto_raise_fault() whose address is the TPC.
 */
G_NORETURN void pto_raise_fault_pc(CPUPTOState *env, PtoFault fault,
                                   uintptr_t ra);

/**
 * pto_raise_fault_cause: pto_raise_fault() with a 24-bit trap cause.
 */
G_NORETURN void pto_raise_fault_cause(CPUPTOState *env, PtoFault fault,
                                      uint64_t addr, uint32_t cause,
                                      uintptr_t ra);

/**
 * pto_raise_fault_rule: pto_raise_fault() that names the violated rule.
 * @rule: static text, or NULL
 */
G_NORETURN void pto_raise_fault_rule(CPUPTOState *env, PtoFault fault,
                                     uint64_t addr, const char *rule,
                                     uintptr_t ra);

/**
 * pto_trap_target: ring that handles faults and interrupts of ring @source.
 */
unsigned pto_trap_target(unsigned source);

/**
 * pto_trap_enter_interrupt: save the context and enter the handler of
 * interrupt @irq (0..63).  Only between instructions.
 */
void pto_trap_enter_interrupt(CPUPTOState *env, unsigned irq);

void pto_cpu_do_interrupt(CPUState *cs);

/* ---- amo.c ---- */

/**
 * pto_reservation_store: a store of @len bytes at @addr by the own PE has
 * completed; it ends a reservation of an overlapping 64-byte line.
 */
void pto_reservation_store(CPUPTOState *env, uint64_t addr, uint64_t len);

/* ---- maint.c ---- */

typedef enum PtoTlbOp {
    PTO_TLB_IV,
    PTO_TLB_IAV,
    PTO_TLB_IA,
    PTO_TLB_IALL,
} PtoTlbOp;

/* ---- irq.c ---- */

bool pto_cpu_exec_interrupt(CPUState *cs, int interrupt_request);
bool pto_cpu_exec_halt(CPUState *cs);
bool pto_cpu_has_work(CPUState *cs);

/**
 * pto_cpu_set_irq: level of input line @irq (0..63) of the PE @opaque.
 */
void pto_cpu_set_irq(void *opaque, int irq, int level);

/* ---- mmu.c ---- */

bool pto_cpu_tlb_fill(CPUState *cs, vaddr addr, int size,
                      MMUAccessType access_type, int mmu_idx,
                      bool probe, uintptr_t ra);
void pto_cpu_transaction_failed(CPUState *cs, hwaddr physaddr, vaddr addr,
                                unsigned size, MMUAccessType access_type,
                                int mmu_idx, MemTxAttrs attrs,
                                MemTxResult response, uintptr_t ra);
G_NORETURN void pto_cpu_unaligned_access(CPUState *cs, vaddr addr,
                                         MMUAccessType access_type,
                                         int mmu_idx, uintptr_t ra);
hwaddr pto_cpu_get_phys_page_debug(CPUState *cs, vaddr addr);

/* ---- block.c ---- */

/**
 * pto_block_close: drop the open block's state, as a boundary does after the
 * commit.
 *
 * Returns the next PC: BPCN when BARG selects it, else @continuation.
 */
uint64_t pto_block_close(CPUPTOState *env, uint64_t continuation);

/* ---- header.c ---- */

typedef enum PtoHeaderCommand {
    PTO_HEADER_START,           /* tile operation of the BSTART */
    PTO_HEADER_CATR,
    PTO_HEADER_DATR,
    PTO_HEADER_FPATR,
    PTO_HEADER_HINT,
    PTO_HEADER_IOR,
    PTO_HEADER_IOT,
    PTO_HEADER_IOS,
} PtoHeaderCommand;

/**
 * pto_header_command: apply one command to a bundle record.
 *
 * @bits are the command's fields as trans_command.c.inc packs them.  Returns
 * PTO_OK, or the fault of the command, which then has changed nothing but the
 * open modifier group.  PTO_HEADER_START expects an empty record with its bpc.
 */
PtoFaultInfo pto_header_command(PtoBundle *b, bool in_header,
                                PtoHeaderCommand command, uint32_t bits);

/* ---- gdbstub.c ---- */

int pto_cpu_gdb_read_register(CPUState *cs, GByteArray *buf, int reg);
int pto_cpu_gdb_write_register(CPUState *cs, uint8_t *buf, int reg);
const char *pto_cpu_gdb_arch_name(CPUState *cs);

/**
 * pto_cpu_gdb_init: register features and queries of a new CPU.
 */
void pto_cpu_gdb_init(CPUState *cs);

/* ---- arch_dump.c ---- */

int pto_cpu_write_elf64_note(WriteCoreDumpFunction f, CPUState *cs, int cpuid,
                             DumpState *s);

/* ---- disas.c ---- */

int pto_print_insn(bfd_vma addr, disassemble_info *info);

/* ---- machine.c ---- */

extern const VMStateDescription vmstate_pto_cpu;

#endif
