/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DWARF 4 line table with the one compilation unit that makes debuggers look
 * for it. Sources keep the names they were given on the command line. Call
 * frames are described by the calling convention: sp stays where the caller had
 * it and ra returns, which is exact at the entry of every function and in
 * every leaf.
 */
#include <unistd.h>
#include "as.h"

/* The debug stub presents itself as a riscv64: its numbers for ra and sp. */
enum { DWARF_RA = 1, DWARF_SP = 2 };

static void uleb(Buffer *b, uint64_t v)
{
    do {
        uint8_t c = v & 0x7f;

        v >>= 7;
        buf_int(b, c | (v ? 0x80 : 0), 1);
    } while (v);
}

static void sleb(Buffer *b, int64_t v)
{
    bool more = true;

    while (more) {
        uint8_t c = v & 0x7f;

        v >>= 7;
        more = !((v == 0 && !(c & 0x40)) || (v == -1 && (c & 0x40)));
        buf_int(b, c | (more ? 0x80 : 0), 1);
    }
}

static void patch_length(Buffer *b, size_t at)
{
    uint32_t n = b->n - at - 4;

    for (unsigned i = 0; i < 4; i++) {
        b->p[at + i] = n >> i * 8;
    }
}

static void line_header(As *as, Buffer *b)
{
    /* operands of the standard opcodes 1 to 12 */
    static const uint8_t lengths[12] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };
    size_t at;

    buf_int(b, 0, 4);
    buf_int(b, 4, 2);
    at = b->n;
    buf_int(b, 0, 4);
    buf_int(b, 2, 1);           /* shortest instruction */
    buf_int(b, 1, 1);
    buf_int(b, 1, 1);           /* default_is_stmt */
    buf_int(b, 0, 1);           /* line_base; no special opcodes are used */
    buf_int(b, 1, 1);
    buf_int(b, 13, 1);
    buf_put(b, lengths, sizeof(lengths));
    buf_int(b, 0, 1);           /* no folders: names are relative to comp_dir */
    for (unsigned i = 0; i < as->nfiles; i++) {
        buf_str(b, as->files[i]);
        buf_int(b, 0, 3);
    }
    buf_int(b, 0, 1);
    patch_length(b, at);
}

/* One sequence per executable section. */
static void line_sequence(Buffer *b, const Section *s)
{
    uint64_t at = 0;
    unsigned file = 1, line = 1;

    buf_int(b, 0, 1);
    uleb(b, 9);
    buf_int(b, 2, 1);           /* DW_LNE_set_address */
    buf_int(b, s->addr, 8);
    for (size_t i = 0; i < s->nlines; i++) {
        const LineEntry *e = &s->lines[i];

        buf_int(b, 2, 1);       /* DW_LNS_advance_pc, in units of 2 */
        uleb(b, (e->offset - at) / 2);
        if (e->file != file) {
            buf_int(b, 4, 1);
            uleb(b, e->file);
        }
        buf_int(b, 3, 1);
        sleb(b, (int64_t)e->line - line);
        buf_int(b, 1, 1);       /* DW_LNS_copy */
        at = e->offset;
        file = e->file;
        line = e->line;
    }
    buf_int(b, 2, 1);
    uleb(b, (s->size - at + 1) / 2);
    buf_int(b, 0, 1);
    uleb(b, 1);
    buf_int(b, 1, 1);           /* DW_LNE_end_sequence */
}

static void build_abbrev(Buffer *b)
{
    static const uint8_t unit[] = {
        1, 0x11, 0,             /* DW_TAG_compile_unit, no children */
        0x25, 0x08,             /* producer, string */
        0x13, 0x05,             /* language, data2 */
        0x03, 0x08,             /* name, string */
        0x1b, 0x08,             /* comp_dir, string */
        0x10, 0x17,             /* stmt_list, sec_offset */
        0x11, 0x01,             /* low_pc, addr */
        0x12, 0x07,             /* high_pc, data8: size */
        0, 0, 0,
    };

    buf_put(b, unit, sizeof(unit));
}

static void build_info(As *as, Buffer *b, uint64_t low, uint64_t high)
{
    char folder[4096];

    buf_int(b, 0, 4);
    buf_int(b, 4, 2);
    buf_int(b, 0, 4);           /* abbreviations */
    buf_int(b, 8, 1);           /* bytes of an address */
    uleb(b, 1);
    buf_str(b, "pto-as");
    buf_int(b, 0x8001, 2);      /* DW_LANG_Mips_Assembler, as GNU as says */
    buf_str(b, as->files[0]);
    buf_str(b, getcwd(folder, sizeof(folder)) ? folder : ".");
    buf_int(b, 0, 4);
    buf_int(b, low, 8);
    buf_int(b, high - low, 8);
    patch_length(b, 0);
}

void dwarf_frames(As *as, Buffer *b)
{
    size_t at = b->n;

    buf_int(b, 0, 4);
    buf_int(b, 0xffffffff, 4);
    buf_int(b, 1, 1);           /* version; no augmentation */
    buf_int(b, 0, 1);
    uleb(b, 2);                 /* unit of code */
    sleb(b, -8);                /* unit of data */
    buf_int(b, DWARF_RA, 1);
    buf_int(b, 0x0c, 1);        /* DW_CFA_def_cfa */
    uleb(b, DWARF_SP);
    uleb(b, 0);
    buf_align(b, 8);            /* zero bytes are DW_CFA_nop */
    patch_length(b, at);
    for (const Section *s = as->sections; s; s = s->next) {
        if (s->exec && s->size) {
            at = b->n;
            buf_int(b, 0, 4);
            buf_int(b, 0, 4);   /* the common entry above */
            buf_int(b, s->addr, 8);
            buf_int(b, s->size, 8);
            patch_length(b, at);
        }
    }
}

void dwarf_build(As *as, Buffer *line, Buffer *info, Buffer *abbrev)
{
    uint64_t low = UINT64_MAX, high = 0;

    if (!as->nfiles) {
        return;
    }
    line_header(as, line);
    for (const Section *s = as->sections; s; s = s->next) {
        if (s->nlines) {
            line_sequence(line, s);
            low = MIN(low, s->addr);
            high = MAX(high, s->addr + s->size);
        }
    }
    patch_length(line, 0);
    build_info(as, info, low, high);
    build_abbrev(abbrev);
}
