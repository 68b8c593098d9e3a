/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols, numeric labels and sections. */
#include "as.h"

static unsigned hash(const char *name, size_t len)
{
    unsigned h = 5381;

    while (len--) {
        h = h * 33 ^ (unsigned char)*name++;
    }
    return h % SYMBOL_BUCKETS;
}

Symbol *symbol_get(As *as, const char *name, size_t len, bool create)
{
    Symbol **bucket = &as->symbols[hash(name, len)];
    Symbol *s;

    for (s = *bucket; s; s = s->next) {
        if (!strncmp(s->name, name, len) && !s->name[len]) {
            return s;
        }
    }
    if (create) {
        s = xalloc(sizeof(*s));
        s->name = xstrndup(name, len);
        s->next = *bucket;
        *bucket = s;
    }
    return s;
}

bool is_symbol_name(const char *s, size_t len)
{
    bool ok = len && !(s[0] >= '0' && s[0] <= '9');

    for (size_t i = 0; i < len; i++) {
        ok &= (s[i] >= '0' && s[i] <= '9') || (s[i] >= 'a' && s[i] <= 'z') ||
              (s[i] >= 'A' && s[i] <= 'Z') || strchr("_.$", s[i]) != NULL;
    }
    return ok;
}

void symbol_define(As *as, const Token *tok, Value value, bool variable)
{
    Symbol *s = symbol_get(as, tok->p, tok->len, true);

    if (is_register_name(tok->p, tok->len)) {
        as_error(as, tok, "%s is a register", s->name);
        return;
    }
    if (s->pass == as->pass && !(s->variable && variable)) {
        as_error(as, tok, "%s is already defined at %s:%u", s->name,
                 s->where->file, s->where->line);
        return;
    }
    if (as->pass == 2 && !variable && !as->errors &&
        (s->value.sec != value.sec || s->value.v != value.v) &&
        !s->value.unknown) {
        as_error(as, tok, "%s moved between the passes: a size depends on "
                 "something that is defined later", s->name);
    }
    s->value = value;
    s->where = as->line;
    s->pass = as->pass;
    s->variable = variable;
    s->label = !variable;
}

void local_define(As *as, unsigned number)
{
    if (as->pass == 1) {
        as->locals = xgrow(as->locals, &as->locals_cap, as->nlocals + 1,
                           sizeof(Local));
        as->locals[as->nlocals++] = (Local) { number, here(as) };
    }
    as->locals_seen++;
}

bool local_find(As *as, unsigned number, bool forward, Value *out)
{
    if (!forward) {
        for (size_t i = as->locals_seen; i-- > 0; ) {
            if (as->locals[i].number == number) {
                *out = as->locals[i].value;
                return true;
            }
        }
        return false;
    }
    if (as->pass == 1) {
        *out = (Value) { .unknown = true };
        return true;
    }
    for (size_t i = as->locals_seen; i < as->nlocals; i++) {
        if (as->locals[i].number == number) {
            *out = as->locals[i].value;
            return true;
        }
    }
    return false;
}

/* ---- sections ---- */

static void section_flags(Section *s)
{
    const char *n = s->name;

    s->exec = !strncmp(n, ".text", 5);
    s->bss = !strncmp(n, ".bss", 4);
    s->write = !s->exec && strncmp(n, ".rodata", 7) != 0;
}

/* Executable, constant, data, zeroed: the order in the image. */
static int rank(const Section *s)
{
    return s->exec ? 0 : !s->write ? 1 : s->bss ? 3 : 2;
}

Section *section_get(As *as, const char *name, size_t len)
{
    Section **link = &as->sections;
    Section *s;

    for (s = *link; s; s = s->next) {
        if (!strncmp(s->name, name, len) && !s->name[len]) {
            return s;
        }
    }
    s = xalloc(sizeof(*s));
    s->name = xstrndup(name, len);
    s->align = 1;
    section_flags(s);
    while (*link && rank(*link) <= rank(s)) {
        link = &(*link)->next;
    }
    s->next = *link;
    *link = s;
    return s;
}

Value here(As *as)
{
    return (Value) { .v = as->cur->size, .sec = as->cur };
}

void emit(As *as, const void *data, size_t n)
{
    Section *s = as->cur;

    if (s->bss) {
        const uint8_t *p = data;

        for (size_t i = 0; i < n; i++) {
            if (p[i]) {
                as_error(as, NULL, "section %s holds only zeros", s->name);
                return;
            }
        }
    } else if (as->pass == 2) {
        s->data = xgrow(s->data, &s->cap, s->size + n, 1);
        memcpy(s->data + s->size, data, n);
    }
    s->size += n;
}

void emit_fill(As *as, uint64_t n, uint8_t value)
{
    Section *s = as->cur;

    if (n > UINT64_C(1) << 32) {
        as_error(as, NULL, "more than 4 GiB");
        return;
    }
    if (s->bss && value) {
        as_error(as, NULL, "section %s holds only zeros", s->name);
    } else if (!s->bss && as->pass == 2 && n) {
        s->data = xgrow(s->data, &s->cap, s->size + n, 1);
        memset(s->data + s->size, value, n);
    }
    s->size += n;
}

void emit_align(As *as, uint64_t align)
{
    Section *s = as->cur;

    s->align = MAX(s->align, align);
    /* Zero halfwords are C.BSTOP, also where code is aligned. */
    emit_fill(as, -s->size & (align - 1), 0);
}

void sections_reset(As *as)
{
    for (Section *s = as->sections; s; s = s->next) {
        s->size = 0;
    }
    as->cur = section_get(as, ".text", 5);
    as->locals_seen = 0;
    as->late_seen = 0;
}

/* One after the other; a change of access rights begins a new page. */
void sections_place(As *as)
{
    uint64_t addr = as->base;
    const Section *prev = NULL;

    for (Section *s = as->sections; s; s = s->next) {
        uint64_t align = MAX(s->align, UINT64_C(16));

        if (prev && prev->write != s->write) {
            align = MAX(align, UINT64_C(4096));
        }
        addr = (addr + align - 1) & -align;
        s->addr = addr;
        addr += s->size;
        prev = s->size ? s : prev;
    }
}
