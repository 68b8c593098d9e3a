#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""check-deviations.py ROOT: is every profile field in docs/deviations.rst?

The reverse as well: a row of one of the two tables names a field that exists.
"""

import os
import re
import sys

RECORDS = {
    'PTOProfile': 'target-pto/profile.h',
    'PtoTileProfile': 'target-pto/tile/profile.h',
}


def read(root, path):
    with open(os.path.join(root, path), encoding='utf-8') as f:
        return f.read()


def fields(text, record):
    """Member names of a structure without nested ones."""
    body = re.search(r'typedef struct %s \{(.*?)^\} %s;' % (record, record),
                     text, re.S | re.M).group(1)
    body = re.sub(r'/\*.*?\*/', '', body, flags=re.S)
    return re.findall(r'(\w+);', body)


def rows(text, record):
    """Names in the first cells of the section about @record."""
    section = text.split('Fields of ``%s``\n' % record, 1)[1]
    section = re.split(r'^-{4,}$', section, maxsplit=2, flags=re.M)[1]
    cells = re.findall(r'^   \* - (.*)$', section, re.M)
    return [n for c in cells for n in re.findall(r'``(\w+)``', c)]


def main():
    root = sys.argv[1]
    doc = read(root, 'docs/deviations.rst')
    passed = failed = 0
    for record, path in RECORDS.items():
        have = fields(read(root, path), record)
        listed = rows(doc, record)
        for name in sorted(set(have) | set(listed)):
            good = name in have and listed.count(name) == 1
            passed += good
            failed += not good
            if not good:
                print('%s.%s: %s' % (record, name,
                                     'no such field' if name not in have else
                                     '%d rows' % listed.count(name)))
    print('%d passed, %d failed' % (passed, failed))
    return failed != 0


sys.exit(main())
