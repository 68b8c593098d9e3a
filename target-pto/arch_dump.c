/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: ELF notes of dump-guest-memory.
 */
#include "qemu/osdep.h"
#include "internals.h"
#include "elf.h"
#include "system/dump.h"
#include "identity.h"

/* pr_reg of NT_PRSTATUS: GPRs, TPC, then the block registers. */
typedef struct PtoDumpRegs {
    uint64_t gpr[PTO_NUM_GPR];
    uint64_t pc;
    uint64_t bpc;
    uint64_t bpcn;
    uint64_t return_address;
    uint64_t block;             /* BST fields */
    uint64_t core_state;
    uint64_t t[PTO_QUEUE_DEPTH];
    uint64_t u[PTO_QUEUE_DEPTH];
} PtoDumpRegs;

typedef struct QEMU_PACKED PtoDumpNote {
    Elf64_Nhdr hdr;
    char name[8];               /* "CORE", padded to a multiple of 4 */
    char pad1[32];              /* to pr_pid of struct elf_prstatus */
    uint32_t pr_pid;
    char pad2[76];              /* to pr_reg */
    PtoDumpRegs regs;
    uint32_t pr_fpvalid;
    char pad3[4];
} PtoDumpNote;

static void put_words(DumpState *s, uint64_t *to, const uint64_t *from, int n)
{
    int i;

    for (i = 0; i < n; i++) {
        to[i] = cpu_to_dump64(s, from[i]);
    }
}

int pto_cpu_write_elf64_note(WriteCoreDumpFunction f, CPUState *cs, int cpuid,
                             DumpState *s)
{
    CPUPTOState *env = cpu_env(cs);
    g_autofree PtoDumpNote *note = g_new0(PtoDumpNote, 1);
    PtoDumpRegs regs = { 0 };

    note->hdr.n_namesz = cpu_to_dump32(s, sizeof("CORE"));
    note->hdr.n_descsz = cpu_to_dump32(s, sizeof(*note) -
                                       offsetof(PtoDumpNote, pad1));
    note->hdr.n_type = cpu_to_dump32(s, NT_PRSTATUS);
    memcpy(note->name, "CORE", sizeof("CORE"));
    note->pr_pid = cpu_to_dump32(s, cpuid);
    put_words(s, regs.gpr, env->scalar.gpr, PTO_NUM_GPR);
    put_words(s, regs.t, env->scalar.t, PTO_QUEUE_DEPTH);
    put_words(s, regs.u, env->scalar.u, PTO_QUEUE_DEPTH);
    regs.pc = cpu_to_dump64(s, env->pc);
    regs.bpc = cpu_to_dump64(s, env->block.bpc);
    regs.bpcn = cpu_to_dump64(s, env->block.bpcn);
    regs.return_address = cpu_to_dump64(s, env->block.return_address);
    regs.block = cpu_to_dump64(s, env->block.st);
    regs.core_state = cpu_to_dump64(s, env->sys.core_state);
    note->regs = regs;
    return f(note, sizeof(*note), s) < 0 ? -1 : 0;
}

int cpu_get_dump_info(ArchDumpInfo *info,
                      const GuestPhysBlockList *guest_phys_blocks)
{
    info->d_machine = PTO_EM_PTO;
    info->d_endian = ELFDATA2LSB;
    info->d_class = ELFCLASS64;
    return 0;
}

ssize_t cpu_get_note_size(int class, int machine, int nr_cpus)
{
    return class == ELFCLASS64 ? sizeof(PtoDumpNote) * (size_t)nr_cpus : 0;
}
