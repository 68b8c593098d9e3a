/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instruction forms: length, lookup, fields. */
#include "tile/port.h"
#include "forms.h"

#include "forms.c.inc"

/* Length rule of instruction fetch; docs: "Instruction length". */
unsigned pto_insn_bytes(uint16_t h0, uint16_t h1)
{
    if ((h0 & 0xf) == 0xe) {
        return 6;
    }
    if ((h0 & 0x7f) == 0x0f || (h0 & 0x7f) == 0x7f) {
        return 8;
    }
    if (h0 & 1) {
        return 4;
    }
    return (h0 & 0xf) == 2 && (h1 & 0xf83f) == 0x5016 ? 4 : 2;
}

const PtoForm *pto_form_find(uint64_t insn, unsigned bytes)
{
    for (unsigned i = 0; i < pto_form_count; i++) {
        const PtoForm *f = &pto_forms[i];

        if (f->bytes == bytes && (insn & f->mask) == f->match) {
            return f;
        }
    }
    return NULL;
}

const PtoFormField *pto_form_field(const PtoForm *form, unsigned id)
{
    for (unsigned i = 0; i < form->nfields; i++) {
        if (form->fields[i].id == id) {
            return &form->fields[i];
        }
    }
    return NULL;
}

unsigned pto_field_bits(const PtoFormField *field)
{
    unsigned bits = 0;

    for (unsigned i = 0; i < field->nseg; i++) {
        bits += field->seg[i].len;
    }
    return bits;
}

static uint64_t ones(unsigned n)
{
    return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

int64_t pto_field_get(const PtoForm *form, uint64_t insn, unsigned id)
{
    const PtoFormField *f = pto_form_field(form, id);
    unsigned bits = 0;
    uint64_t v = 0;

    if (!f) {
        return 0;
    }
    for (unsigned i = 0; i < f->nseg; i++) {
        v = v << f->seg[i].len |
            (insn >> f->seg[i].lsb & ones(f->seg[i].len));
        bits += f->seg[i].len;
    }
    if (f->is_signed && (v >> (bits - 1) & 1)) {
        v |= ~ones(bits);
    }
    return v;
}

void pto_field_set(const PtoForm *form, uint64_t *insn, unsigned id,
                   int64_t value)
{
    const PtoFormField *f = pto_form_field(form, id);
    uint64_t v = value;

    for (unsigned i = f ? f->nseg : 0; i-- > 0; ) {
        uint64_t m = ones(f->seg[i].len);

        *insn = (*insn & ~(m << f->seg[i].lsb)) | (v & m) << f->seg[i].lsb;
        v >>= f->seg[i].len;
    }
}
