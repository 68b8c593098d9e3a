#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Make the table of forms from insn{16,32,48,64}.decode and forms.def.

usage: gen-forms.py OUTPUT FORMS_DEF INSN16 INSN32 INSN48 INSN64

The decode files give masks, matches and fields; forms.def the spelling.
Every pattern that is not reserved needs exactly one row and every row a
pattern.
"""

import re
import sys

WIDTHS = (16, 32, 48, 64)

# Kind of a field that forms.def does not name one for.
DEFAULT_KIND = {
    'sl': 'src', 'sr': 'src', 'sa': 'src', 'sp': 'src', 'sd': 'src',
    'sd1': 'src', 'rd': 'dst', 'rd1': 'dst',
    'rs': 'gpr', 'rs0': 'gpr', 'rs1': 'gpr', 'rs2': 'gpr',
    'wm1': 'wm1', 'level': 'level', 'dtype': 'dtype', 'br': 'br', 'lb': 'lb',
    'layout': 'layout', 'pad': 'pad', 'cmode': 'cmode', 'rmode': 'rmode',
    'prequant': 'prequant', 'relu': 'relu', 'temp': 'temp', 'last': 'last',
}
NUMBERS = ('imm shamt pos first type pred succ sat canon prefetch sel size '
           'init acr bid groupn rowmax groupmax rowinit maxabs transa transb '
           'cscale').split()


class Form:
    def __init__(self, name, width):
        self.name = name
        self.width = width
        self.mask = 0
        self.match = 0
        self.fields = {}        # name -> (signed, [(lsb, len)...])
        self.mnemonic = None
        self.items = None


def parse_bits(tokens, width):
    """Fixed bits and inline fields of a row of bit tokens."""
    mask = match = 0
    pos = total_width(tokens)
    top = pos
    fields = {}
    for tok in tokens:
        m = re.fullmatch(r'(\w+):(s?)(\d+)', tok)
        if m:
            pos -= int(m[3])
            fields[m[1]] = (bool(m[2]), [(pos, int(m[3]))])
            continue
        for ch in tok:
            pos -= 1
            if ch in '01':
                mask |= 1 << pos
                match |= int(ch) << pos
    if top and top != (64 if width == 48 else width):
        raise SystemExit(f'{tokens}: {top} bits')
    return mask, match, fields


def total_width(tokens):
    n = 0
    for tok in tokens:
        m = re.fullmatch(r'\w+:s?(\d+)', tok)
        n += int(m[1]) if m else len(tok)
    return n


def is_bits(tok):
    return re.fullmatch(r'[01.\-]+|\w+:s?\d+', tok) is not None


def read_decode(path, width):
    """The patterns of one decode file in order of precedence."""
    multi, formats, forms = {}, {}, []
    for line in open(path, encoding='utf-8'):
        words = line.split('#')[0].split()
        if not words or words[0] in '{}' or words[0].startswith('&'):
            continue
        if words[0].startswith('%'):
            pieces = [p.split(':') for p in words[1:]]
            multi[words[0]] = (pieces[0][1].startswith('s'),
                               [(int(p), int(n.lstrip('s')))
                                for p, n in pieces])
            continue
        name = words[0]
        form = Form(name.lstrip('@'), width)
        form.mask, form.match, form.fields = parse_bits(
            [w for w in words[1:] if is_bits(w)], width)
        for word in words[1:]:
            if word.startswith('@'):
                form.fields = formats[word].fields
            elif '=%' in word:
                arg, field = word.split('=')
                form.fields[arg] = multi[field]
        if name.startswith('@'):
            formats[name] = form
        elif not name.startswith('reserved_'):
            forms.append(form)
    return forms


def parse_syntax(form, text):
    """Split a template into mnemonic and items (kind, scale, field, text)."""
    head, _, rest = text.partition(' ')
    parts = re.split(r'%([a-z]\w*(?::[a-z]\w*)?)', head)
    form.mnemonic = parts[0]
    items = [operand(form, p) for p in parts[1::2]]
    if any(parts[2::2]):
        raise SystemExit(f'{form.name}: text behind a suffix')
    if rest:
        items.append(('LIT', 1, None, ' '))
        for i, part in enumerate(
                re.split(r'%([a-z]\w*(?::[a-z]\w*)?)', rest)):
            if i % 2:
                items.append(operand(form, part))
            elif part:
                items.append(('LIT', 1, None, part))
    form.items = items


def operand(form, spec):
    field, _, kind = spec.partition(':')
    if field not in form.fields:
        raise SystemExit(f'{form.name}: no field {field}')
    scale = 1
    if not kind:
        kind = 'num' if field in NUMBERS else DEFAULT_KIND.get(field)
        if kind == 'last' and form.name in ('hl_bfi', 'b_assemble'):
            kind = 'num'
    elif re.fullmatch(r'x\d+', kind):
        kind, scale = 'num', int(kind[1:])
    if not kind:
        raise SystemExit(f'{form.name}: no kind for {field}')
    return (kind.upper(), scale, field, None)


def read_syntax(path, forms):
    by_name = {f.name: f for f in forms}
    if len(by_name) != len(forms):
        raise SystemExit('pattern names are not unique')
    for line in open(path, encoding='utf-8'):
        if line.startswith('#') or not line.strip():
            continue
        name, text = line.split(None, 1)
        if name not in by_name or by_name[name].items is not None:
            raise SystemExit(f'{path}: {name}: unknown or twice')
        parse_syntax(by_name[name], text.rstrip())
    missing = [f.name for f in forms if f.items is None]
    if missing:
        raise SystemExit(f'{path}: no syntax for {missing}')


def emit(out, forms):
    out.write('/* Made by gen-forms.py; do not edit. */\n')
    for f in forms:
        if f.fields:
            out.write(f'static const PtoFormField fields_{f.name}[] = {{\n')
            for name, (signed, segs) in f.fields.items():
                seg = ', '.join('{ %d, %d }' % s for s in segs)
                out.write(f'    {{ PTO_F_{name.upper()}, {len(segs)}, '
                          f'{int(signed)}, {{ {seg} }} }},\n')
            out.write('};\n')
        if f.items:
            out.write(f'static const PtoSyn syn_{f.name}[] = {{\n')
            for kind, scale, field, text in f.items:
                what = f'PTO_F_{field.upper()}' if field else '0'
                lit = f'"{text}"' if text else 'NULL'
                out.write(f'    {{ PTO_K_{kind}, {scale}, {what}, {lit} }},\n')
            out.write('};\n')
    out.write('const PtoForm pto_forms[] = {\n')
    for f in forms:
        syn = f'syn_{f.name}' if f.items else 'NULL'
        fld = f'fields_{f.name}' if f.fields else 'NULL'
        out.write(f'    {{ "{f.name}", "{f.mnemonic}", {f.width // 8}, '
                  f'{len(f.items)}, {len(f.fields)}, {syn}, {fld}, '
                  f'{f.mask:#x}, {f.match:#x} }},\n')
    out.write('};\n')
    out.write(f'const unsigned pto_form_count = {len(forms)};\n')


def main():
    output, syntax, *decode = sys.argv[1:]
    forms = [f for path, w in zip(decode, WIDTHS)
             for f in read_decode(path, w)]
    read_syntax(syntax, forms)
    with open(output, 'w', encoding='utf-8') as out:
        emit(out, forms)


if __name__ == '__main__':
    main()
