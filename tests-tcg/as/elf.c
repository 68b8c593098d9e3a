/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The executable: ELF64, little-endian, EM_PTO, with the ISA identity note. */
#include "as.h"
#include "identity.h"

#define EHDR_SIZE 64
#define PHDR_SIZE 56
#define PAGE      UINT64_C(4096)

enum { SHT_PROGBITS = 1, SHT_SYMTAB, SHT_STRTAB, SHT_NOTE = 7, SHT_NOBITS };
enum { SHF_WRITE = 1, SHF_ALLOC = 2, SHF_EXEC = 4 };
enum { PT_LOAD = 1, PT_NOTE = 4 };

void buf_put(Buffer *b, const void *p, size_t n)
{
    b->p = xgrow(b->p, &b->cap, b->n + n, 1);
    memcpy(b->p + b->n, p, n);
    b->n += n;
}

void buf_int(Buffer *b, uint64_t v, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        uint8_t c = v >> i * 8;

        buf_put(b, &c, 1);
    }
}

void buf_str(Buffer *b, const char *s)
{
    buf_put(b, s, strlen(s) + 1);
}

void buf_align(Buffer *b, size_t align)
{
    while (b->n & (align - 1)) {
        buf_int(b, 0, 1);
    }
}

/* Names are collected first, then written behind the section contents. */
typedef struct Header {
    const char *name;
    uint32_t type, link, info;
    uint64_t flags, addr, offset, size, align, entsize;
} Header;

typedef struct Writer {
    Buffer file;
    Header headers[64];
    unsigned n;
} Writer;

static Header *add_section(Writer *w, const char *name, uint32_t type,
                           const Buffer *data, uint64_t align)
{
    Header *h = &w->headers[w->n++];

    buf_align(&w->file, align);
    *h = (Header) { .name = name, .type = type, .align = align,
                    .offset = w->file.n, .size = data->n };
    buf_put(&w->file, data->p, data->n);
    return h;
}

/* ---- loadable sections ---- */

static uint64_t section_flags(const Section *s)
{
    return SHF_ALLOC | (s->write ? SHF_WRITE : 0) | (s->exec ? SHF_EXEC : 0);
}

static void add_loadable(Writer *w, const Section *s)
{
    Header *h = &w->headers[w->n++];

    while ((w->file.n ^ s->addr) & (PAGE - 1) && !s->bss) {
        buf_int(&w->file, 0, 1);
    }
    *h = (Header) {
        .name = s->name, .type = s->bss ? SHT_NOBITS : SHT_PROGBITS,
        .flags = section_flags(s), .addr = s->addr, .offset = w->file.n,
        .size = s->size, .align = MAX(s->align, UINT64_C(1)),
    };
    if (!s->bss) {
        buf_put(&w->file, s->data, s->size);
    }
}

static void put_phdr(Buffer *b, uint32_t type, uint32_t flags, uint64_t offset,
                     uint64_t addr, uint64_t filesz, uint64_t memsz,
                     uint64_t align)
{
    buf_int(b, type, 4);
    buf_int(b, flags, 4);
    buf_int(b, offset, 8);
    buf_int(b, addr, 8);
    buf_int(b, addr, 8);
    buf_int(b, filesz, 8);
    buf_int(b, memsz, 8);
    buf_int(b, align, 8);
}

static uint32_t segment_flags(const Header *h)
{
    return 4 | (h->flags & SHF_WRITE ? 2 : 0) | (h->flags & SHF_EXEC ? 1 : 0);
}

/* ---- note, symbols, headers ---- */

static void add_note(Writer *w)
{
    Buffer b = { 0 };

    buf_int(&b, sizeof(PTO_ISA_NOTE_NAME), 4);
    buf_int(&b, strlen(PTO_ISA_NOTE_DESC), 4);
    buf_int(&b, PTO_ISA_NOTE_TYPE, 4);
    buf_str(&b, PTO_ISA_NOTE_NAME);
    buf_align(&b, 4);
    buf_put(&b, PTO_ISA_NOTE_DESC, strlen(PTO_ISA_NOTE_DESC));
    buf_align(&b, 4);
    add_section(w, ".note.pto.isa", SHT_NOTE, &b, 4);
}

static unsigned section_index(const As *as, const Section *want)
{
    unsigned i = 1;

    for (const Section *s = as->sections; s; s = s->next) {
        if (s->size) {
            if (s == want) {
                return i;
            }
            i++;
        }
    }
    return 0xfff1;              /* SHN_ABS */
}

static int by_address(const void *a, const void *b)
{
    const Symbol *x = *(Symbol *const *)a, *y = *(Symbol *const *)b;
    uint64_t p = value_address(&x->value), q = value_address(&y->value);

    return p != q ? (p < q ? -1 : 1) : strcmp(x->name, y->name);
}

static void put_symbol(As *as, Buffer *sym, Buffer *str, const Symbol *s)
{
    const Section *sec = s->value.sec;
    unsigned type = !sec ? 0 : sec->exec ? 2 : 1;

    buf_int(sym, str->n, 4);
    buf_int(sym, (s->global ? 0x10 : 0) | type, 1);
    buf_int(sym, 0, 1);
    buf_int(sym, sec ? section_index(as, sec) : 0xfff1, 2);
    buf_int(sym, value_address(&s->value), 8);
    buf_int(sym, 0, 8);
    buf_str(str, s->name);
}

/* Labels of the program; .equ values only if they are global. */
static void add_symbols(As *as, Writer *w)
{
    Buffer sym = { 0 }, str = { 0 };
    Symbol **list = NULL;
    size_t n = 0, cap = 0;
    unsigned nlocal = 1;
    Header *h;

    for (unsigned i = 0; i < SYMBOL_BUCKETS; i++) {
        for (Symbol *s = as->symbols[i]; s; s = s->next) {
            if (s->pass && (s->label || s->global) &&
                strncmp(s->name, ".L", 2)) {
                list = xgrow(list, &cap, n + 1, sizeof(*list));
                list[n++] = s;
            }
        }
    }
    if (n) {
        qsort(list, n, sizeof(*list), by_address);
    }
    buf_int(&str, 0, 1);
    for (unsigned i = 0; i < 24; i++) {
        buf_int(&sym, 0, 1);
    }
    for (unsigned global = 0; global < 2; global++) {
        for (size_t i = 0; i < n; i++) {
            if (list[i]->global == global) {
                put_symbol(as, &sym, &str, list[i]);
                nlocal += !global;
            }
        }
    }
    free(list);
    h = add_section(w, ".symtab", SHT_SYMTAB, &sym, 8);
    h->link = w->n;             /* the section behind this one, counted from 1 */
    h->link++;
    h->info = nlocal;
    h->entsize = 24;
    add_section(w, ".strtab", SHT_STRTAB, &str, 1);
}

static void add_debug(As *as, Writer *w)
{
    Buffer line = { 0 }, info = { 0 }, abbrev = { 0 }, frame = { 0 };

    dwarf_frames(as, &frame);
    if (frame.n) {
        add_section(w, ".debug_frame", SHT_PROGBITS, &frame, 8);
    }
    dwarf_build(as, &line, &info, &abbrev);
    if (line.n) {
        add_section(w, ".debug_line", SHT_PROGBITS, &line, 1);
        add_section(w, ".debug_info", SHT_PROGBITS, &info, 1);
        add_section(w, ".debug_abbrev", SHT_PROGBITS, &abbrev, 1);
    }
}

static uint64_t put_section_headers(Writer *w)
{
    Buffer names = { 0 };
    uint32_t offsets[64];
    uint64_t at;

    buf_int(&names, 0, 1);
    for (unsigned i = 0; i < w->n; i++) {
        offsets[i] = names.n;
        buf_str(&names, w->headers[i].name);
    }
    offsets[w->n] = names.n;
    buf_str(&names, ".shstrtab");
    add_section(w, ".shstrtab", SHT_STRTAB, &names, 1);
    buf_align(&w->file, 8);
    at = w->file.n;
    for (unsigned i = 0; i < 64; i++) {
        buf_int(&w->file, 0, 1);
    }
    for (unsigned i = 0; i < w->n; i++) {
        const Header *h = &w->headers[i];

        buf_int(&w->file, offsets[i], 4);
        buf_int(&w->file, h->type, 4);
        buf_int(&w->file, h->flags, 8);
        buf_int(&w->file, h->addr, 8);
        buf_int(&w->file, h->offset, 8);
        buf_int(&w->file, h->size, 8);
        buf_int(&w->file, h->link, 4);
        buf_int(&w->file, h->info, 4);
        buf_int(&w->file, h->align, 8);
        buf_int(&w->file, h->entsize, 8);
    }
    return at;
}

static uint64_t entry_address(As *as)
{
    Symbol *s = symbol_get(as, "_start", 6, false);

    return s && s->pass ? (uint64_t)value_address(&s->value)
                        : section_get(as, ".text", 5)->addr;
}

static Buffer file_header(As *as, const Writer *w, unsigned machine,
                          unsigned nload, uint64_t shoff)
{
    static const uint8_t ident[16] = { 0x7f, 'E', 'L', 'F', 2, 1, 1 };
    Buffer b = { 0 };

    buf_put(&b, ident, sizeof(ident));
    buf_int(&b, 2, 2);          /* ET_EXEC */
    buf_int(&b, machine, 2);
    buf_int(&b, 1, 4);
    buf_int(&b, entry_address(as), 8);
    buf_int(&b, EHDR_SIZE, 8);
    buf_int(&b, shoff, 8);
    buf_int(&b, 0, 4);
    buf_int(&b, EHDR_SIZE, 2);
    buf_int(&b, PHDR_SIZE, 2);
    buf_int(&b, nload + 1, 2);
    buf_int(&b, 64, 2);
    buf_int(&b, w->n + 1, 2);
    buf_int(&b, w->n, 2);       /* .shstrtab is the last one */
    for (unsigned i = 0; i < nload; i++) {
        const Header *h = &w->headers[i];

        put_phdr(&b, PT_LOAD, segment_flags(h), h->offset, h->addr,
                 h->type == SHT_NOBITS ? 0 : h->size, h->size,
                 h->type == SHT_NOBITS ? 16 : PAGE);
    }
    put_phdr(&b, PT_NOTE, 4, w->headers[nload].offset, 0,
             w->headers[nload].size, w->headers[nload].size, 4);
    return b;
}

static bool save(const Buffer *b, const char *path)
{
    FILE *f = fopen(path, "wb");
    bool ok = f && fwrite(b->p, 1, b->n, f) == b->n;

    return f ? fclose(f) == 0 && ok : false;
}

bool elf_write(As *as, const char *path, unsigned machine)
{
    Writer *w = xalloc(sizeof(*w));
    unsigned nload = 0;
    uint64_t shoff;
    Buffer head;

    for (Section *s = as->sections; s; s = s->next) {
        nload += s->size != 0;
    }
    if (nload > 40) {
        fprintf(stderr, "pto-as: more than 40 sections\n");
        return false;
    }
    for (unsigned i = 0; i < EHDR_SIZE + (nload + 1) * PHDR_SIZE; i++) {
        buf_int(&w->file, 0, 1);
    }
    for (Section *s = as->sections; s; s = s->next) {
        if (s->size) {
            add_loadable(w, s);
        }
    }
    add_note(w);
    add_symbols(as, w);
    add_debug(as, w);
    shoff = put_section_headers(w);
    head = file_header(as, w, machine, nload, shoff);
    memcpy(w->file.p, head.p, head.n);
    return save(&w->file, path);
}

bool binary_write(As *as, const char *path)
{
    Buffer b = { 0 };

    for (Section *s = as->sections; s; s = s->next) {
        if (s->size && !s->bss) {
            while (b.n < s->addr - as->base) {
                buf_int(&b, 0, 1);
            }
            buf_put(&b, s->data, s->size);
        }
    }
    return save(&b, path);
}
