/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words for the round-trip test: every form with each field at its smallest,
 * largest and middle values and some with random fields; one "HEX TEXT" line
 * per word, laid out from the address in argv[1].
 */
#include "forms.h"

/* Values that the text cannot tell from others. */
static bool is_alias(const PtoForm *f, uint64_t insn)
{
    unsigned srt = pto_field_get(f, insn, PTO_F_SRT);

    if (!strncmp(f->name, "prf", 3)) {
        return pto_field_get(f, insn, PTO_F_RD) != 0;   /* ignored */
    }
    if (!strcmp(f->name, "csel")) {
        return srt == 1 || srt == 2;
    }
    if (!strcmp(f->name, "b_hint")) {
        return !pto_field_get(f, insn, PTO_F_VALID) &&
               pto_field_get(f, insn, PTO_F_LIKELY);
    }
    return false;
}

static unsigned show(const PtoForm *f, uint64_t insn, uint64_t pc)
{
    char text[160];

    if (pto_form_find(insn, f->bytes) != f || is_alias(f, insn) ||
        !pto_form_print(f, insn, pc, text, sizeof(text))) {
        return 0;
    }
    for (unsigned i = 0; i < f->bytes; i++) {
        printf("%02x", (unsigned)(insn >> i * 8 & 0xff));
    }
    printf(" %s\n", text);
    return f->bytes;
}

static uint64_t next_random(void)
{
    static uint64_t x = 88172645463325252;

    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return x;
}

/* A plain word of the form, so that each form occurs. */
static uint64_t start_word(const PtoForm *f)
{
    uint64_t insn = f->match;

    for (unsigned v = 0; v < 32 && pto_form_find(insn, f->bytes) != f; v++) {
        pto_field_set(f, &insn, PTO_F_RD, v);
        pto_field_set(f, &insn, PTO_F_SIZE, v);
        pto_field_set(f, &insn, PTO_F_BR, v);
    }
    if (pto_form_field(f, PTO_F_BR)) {
        pto_field_set(f, &insn, PTO_F_BR, 5);
    }
    return insn;
}

static uint64_t show_form(const PtoForm *f, uint64_t pc)
{
    uint64_t start = start_word(f), all = start, insn;

    pc += show(f, start, pc);
    for (unsigned i = 0; i < f->nfields; i++) {
        const PtoFormField *field = &f->fields[i];
        unsigned bits = pto_field_bits(field);
        uint64_t top = (UINT64_C(1) << bits) - 1;
        uint64_t values[] = {
            0, 1, 5, 7, 10, 24, 29, 30, top / 2, top / 2 + 1, top - 1, top,
        };

        for (unsigned k = 0; k < ARRAY_SIZE(values); k++) {
            insn = start;
            pto_field_set(f, &insn, field->id, values[k]);
            pc += values[k] <= top ? show(f, insn, pc) : 0;
        }
        pto_field_set(f, &all, field->id, top / 2);
    }
    pc += show(f, all, pc);
    for (unsigned k = 0; k < 8; k++) {
        insn = start;
        for (unsigned i = 0; i < f->nfields; i++) {
            pto_field_set(f, &insn, f->fields[i].id, next_random() >> 7);
        }
        pc += show(f, insn, pc);
    }
    return pc;
}

int main(int argc, char **argv)
{
    uint64_t pc = argc > 1 ? strtoull(argv[1], NULL, 0) : 0;

    for (unsigned i = 0; i < pto_form_count; i++) {
        uint64_t next = show_form(&pto_forms[i], pc);

        if (next == pc) {
            fprintf(stderr, "no word for %s\n", pto_forms[i].name);
            return 1;
        }
        pc = next;
    }
    return 0;
}
