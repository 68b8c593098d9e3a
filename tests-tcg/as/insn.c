/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions: choose the form of a mnemonic by its operands. */
#include "as.h"
#include <stdarg.h>
#include <strings.h>

static bool is_suffix(const PtoSyn *s)
{
    return s->kind != PTO_K_LIT && s->kind != PTO_K_ZERO;
}

/* Does @word name @form? Sets the suffix fields. */
static bool match_mnemonic(As *as, Insn *in, const Token *word)
{
    const PtoForm *f = in->form;
    size_t n = strlen(f->mnemonic);
    const char *rest = word->p + n;

    if (word->len < n || strncasecmp(f->mnemonic, word->p, n)) {
        return false;
    }
    if (f->nsyn && is_suffix(&f->syn[0])) {
        return (word->len == n || *rest == '.') &&
               parse_suffix(as, in, &f->syn[0], rest, word->len - n);
    }
    return word->len == n;
}

static bool parse_operands(As *as, Insn *in)
{
    const PtoForm *f = in->form;

    for (unsigned i = 0; i < f->nsyn; i++) {
        if (i == 0 && is_suffix(&f->syn[0])) {
            continue;
        }
        if (!parse_item(as, in, &f->syn[i])) {
            return false;
        }
    }
    if (!at_end(as)) {
        as_error(as, NULL, "nothing more is expected here");
        return false;
    }
    return true;
}

static void add_line_entry(As *as)
{
    Section *s = as->cur;
    const Line *l = as->line;
    LineEntry e;

    if (as->pass == 1) {
        return;
    }
    /* A debugger shows the line that the user wrote. */
    while (l->caller) {
        l = l->caller;
    }
    e = (LineEntry) { s->size, file_number(as, l->file), l->line };
    if (s->nlines && s->lines[s->nlines - 1].file == e.file &&
        s->lines[s->nlines - 1].line == e.line) {
        return;
    }
    s->lines = xgrow(s->lines, &s->lines_cap, s->nlines + 1, sizeof(e));
    s->lines[s->nlines++] = e;
}

static void emit_insn(As *as, const Insn *in)
{
    uint8_t b[8];

    if (as->cur->size & 1) {
        as_error(as, &as->tok[0], "instruction at an odd address");
        return;
    }
    as->cur->align = MAX(as->cur->align, UINT64_C(2));
    add_line_entry(as);
    for (unsigned i = 0; i < in->form->bytes; i++) {
        b[i] = in->bits >> i * 8;
    }
    emit(as, b, in->form->bytes);
}

void emit_form(As *as, const char *name, unsigned nfields, ...)
{
    Insn in = { 0 };
    va_list ap;

    for (unsigned i = 0; i < pto_form_count && !in.form; i++) {
        if (!strcmp(pto_forms[i].name, name)) {
            in.form = &pto_forms[i];
        }
    }
    in.bits = in.form->match;
    va_start(ap, nfields);
    while (nfields--) {
        unsigned field = va_arg(ap, int);

        pto_field_set(in.form, &in.bits, field, va_arg(ap, int64_t));
    }
    va_end(ap);
    emit_insn(as, &in);
}

/*
 * Try every form of the mnemonic; of those that fail the one that got
 * furthest tells the error. Names of engines stand for BSTART.TEPL.
 */
void assemble_insn(As *as)
{
    Token word = *peek(as);
    const Token *at = peek(as);
    unsigned start = as->pos + 1;
    bool known = false;
    char best[sizeof(as->message)] = "";
    const Token *best_tok = at;

    if (assemble_pseudo(as, at)) {
        return;
    }
    if (name_eq("BSTART.VEC", word.p, word.len) ||
        name_eq("BSTART.SFU", word.p, word.len)) {
        word.p = "BSTART.TEPL";
        word.len = 11;
    }
    for (unsigned i = 0; i < pto_form_count; i++) {
        Insn in = { .form = &pto_forms[i], .bits = pto_forms[i].match };

        if (!match_mnemonic(as, &in, &word)) {
            continue;
        }
        known = true;
        in.pc = as->cur->addr + as->cur->size;
        as->pos = start;
        as->quiet = true;
        as->message[0] = '\0';
        if (parse_operands(as, &in)) {
            as->quiet = false;
            emit_insn(as, &in);
            return;
        }
        as->quiet = false;
        if (!best[0] || as->message_tok->p > best_tok->p) {
            memcpy(best, as->message, sizeof(best));
            best_tok = as->message_tok;
        }
    }
    if (known) {
        as_error(as, best_tok, "%s", best);
    } else {
        as_error(as, at, "unknown instruction %.*s", (int)word.len, word.p);
    }
}
