/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Disassembler callback: reads the bytes, the table of forms does the rest. */
#include "qemu/osdep.h"
#include "disas/dis-asm.h"
#include "internals.h"
#include "forms.h"

int pto_print_insn(bfd_vma addr, disassemble_info *info)
{
    char text[160];
    bfd_byte b[8];
    size_t have = 0;
    unsigned n;
    int status;

    /* Two halfwords decide about the length; the second may not exist. */
    status = info->read_memory_func(addr, b, 2, info);
    if (status) {
        info->memory_error_func(status, addr, info);
        return -1;
    }
    have = 2;
    while (have < 8 && !info->read_memory_func(addr + have, b + have, 2, info)) {
        have += 2;
    }
    n = pto_disassemble(b, have, addr, text, sizeof(text));
    info->fprintf_func(info->stream, "%s", text);
    return n;
}
