#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The decode files against a list of the ISA's encodings.

usage: encodings.py ENCODINGS_TXT TARGET_DIR

Checks: same (mnemonic, width, match, mask) on both sides; names unique; the
first pattern that takes a match word is the form itself or a special form
with a larger mask; reserved encodings have no form.
"""

import collections
import importlib.util
import pathlib
import sys

# Spelled differently than in the form catalog.
SPELLING = {'C.BREAK': 'C.EBREAK'}


def load_generator(target):
    spec = importlib.util.spec_from_file_location(
        'gen_forms', target / 'gen-forms.py')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read_forms(target):
    gen = load_generator(target)
    forms = [f for w in gen.WIDTHS
             for f in gen.read_decode(target / f'insn{w}.decode', w)]
    gen.read_syntax(target / 'forms.def', forms)
    return forms


def key(form):
    name = form.mnemonic.upper()
    return (SPELLING.get(name, name), form.width, form.match, form.mask)


def first(forms, width, word):
    return next((f for f in forms if f.width == width and
                 word & f.mask == f.match), None)


def main():
    listing, target = sys.argv[1], pathlib.Path(sys.argv[2])
    sys.dont_write_bytecode = True
    forms = read_forms(target)
    want, reserved, bad = collections.Counter(), [], 0
    for line in open(listing, encoding='utf-8'):
        if line.startswith('#'):
            continue
        name, width, match, mask = line.split()
        row = (name, int(width), int(match, 16), int(mask, 16))
        if name == '-':
            reserved.append(row)
        else:
            want[row] += 1
    have = collections.Counter(key(f) for f in forms)
    for row in (want - have) + (have - want):
        print('only on one side:', row[0], row[1], hex(row[2]), hex(row[3]))
        bad += 1
    for f in forms:
        hit = first(forms, f.width, f.match)
        if hit is not f and hit.mask & f.mask != f.mask:
            print(f'{f.name}: its match word is {hit.name}')
            bad += 1
    for _, width, match, _ in reserved:
        hit = first(forms, width, match)
        if hit:
            print(f'reserved {match:x} is {hit.name}')
            bad += 1
    total = len(forms) + len(reserved)
    print(f'{total - bad} passed, {bad} failed')
    return bad != 0


if __name__ == '__main__':
    sys.exit(main())
