#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Turn golden tile vectors (.jsonl or .jsonl.xz) into the text form that the
tile-vectors program reads.  Superseded cases and model artefacts are left out.

One case:
    case ID / op NAME / ram N / acr N / agent N / pc X / steps N / stop X X ...
    gpr PE REG X / mem X HEX          initial state
    evbase X                          trap target of ring 0
    want pc X / want steps N / want fault NAME ADDR / want flags X
    want mem X HEX / want head TEXT / want tile TEXT / groups / only-faults
    end
"""

import json
import lzma
import sys


def num(v):
    return int(v, 0) if isinstance(v, str) else int(v)


def range_text(tag, r):
    return '%s %d %d %d %x %d %d' % (
        tag, r['reg'], r['uimm11'], r['size'], num(r['offset']),
        r.get('init', False), r.get('last', False))


def none_or(v):
    return -1 if v is None else v


def header_lines(final):
    h = final.get('header', {})
    for n, v in sorted(h.get('dim', {}).items()):
        yield 'dim %s %x' % (n, num(v))
    if 'ior' in h:
        yield 'ior %d %d %d %d' % (h['ior']['dst'], *h['ior']['src'])
    for i, t in enumerate(h.get('iot', [])):
        yield 'iot %d %d %d %x %d %d %d' % (
            i, none_or(t['dst']), t['size'] if t['dst'] is not None else 0,
            num(t['pe_mask']), none_or(t['src0']), none_or(t['src1']),
            t['last'])
        for key in ('subview0', 'subview1', 'assemble'):
            if key in t:
                yield range_text('iot %d %s' % (i, key), t[key])
    for i, s in enumerate(h.get('ios', [])):
        yield 'ios %d %d %d %x' % (i, num(s['id']), s['size'],
                                   num(s['pe_mask']))
        for key in ('subview', 'assemble'):
            if key in s:
                yield range_text('ios %d %s' % (i, key), s[key])
    if 'catr' in h:
        c = h['catr']
        yield 'catr %d %d %d %d %d %d' % tuple(
            c[k] for k in ('trap', 'atomic', 'aq', 'rl', 'far', 'dr'))
    if 'datr' in h:
        d = h['datr']
        yield 'datr %d %d %d %d %d %d %d' % (
            num(d['data_type']), num(d['layout']), num(d['pad']),
            num(d['cmode']), num(d['rmode']), d['sat'], d['canonicalize'])
    if 'fpatr' in h:
        f = h['fpatr']
        yield 'fpatr %d %d %d %d %d %d %d %d %d %d' % (
            num(f['pre_quant']), num(f['relu']), num(f['group_n']),
            f['row_max_en'], f['group_max_en'], f['row_max_init'],
            f['max_abs_en'], f['trans_a'], f['trans_b'],
            f.get('c_scale', False))
    if 'range_group' in final:
        g = final['range_group']
        if g['zero_mode']:
            yield 'group zero'
        else:
            yield 'group %s %d%d%d %d%d%d' % (
                (g['kind'],) + tuple(g['allowed']) + tuple(g['seen']))


def mask_of(text):
    return num(text) if text.startswith('0x') else int(text, 2)


def tile_lines(final):
    for t in final.get('tiles', []):
        yield 'L%d %x %s %d %dx%d %dx%d %s %s %s %d' % (
            t[0], mask_of(t[1]), t[2], *t[3:8], *t[8:11], t[11])
    for s in final.get('shared', []):
        yield 'S%d %x %x %d%d %d %dx%d %dx%d %s %s %d' % (
            s[0], mask_of(s[1]), mask_of(s[2]), s[3], s[4], *s[5:12], s[12])


def convert(c, out):
    f = c['final']
    p = lambda *a: print(*a, file=out)
    p('case', c['id'])
    p('op', c.get('op', '-'))
    p('ram', c.get('ram', 4096))
    p('acr', c.get('acr', 0))
    p('agent', c.get('agent', 0))
    p('pc %x' % num(c['pc']))
    p('steps', c['max_steps'])
    p('stop', *('%x' % num(s) for s in c['stop']))
    ring = 0 if c.get('acr', 0) == 0 else 1
    p('evbase %x' % num(c['sysreg'].get('0x%d%s' % (ring, 'f01'), 0)))
    for pe, regs in c['gpr'].items():
        for r, v in regs.items():
            p('gpr', pe, r, '%x' % num(v))
    for a, h in c['mem']:
        p('mem %x %s' % (num(a), h))
    p('want pc %x' % num(f['pc']))
    p('want steps', f['steps'])
    for r in f.get('rejected', [])[:1]:
        p('want fault', r['fault'], '%x' % num(r['address']))
    p('want flags %x' % num(f['numeric_flags']))
    if 'basis' in c:
        p('groups')
    if c.get('compare') == 'faults':
        p('only-faults')
    else:
        for a, h in f.get('mem', []):
            p('want mem %x %s' % (num(a), h))
        for line in header_lines(f):
            p('want head', line)
        for line in tile_lines(f):
            p('want tile', line)
    p('end')


def main():
    out = sys.stdout
    for name in sys.argv[1:]:
        opener = lzma.open if name.endswith('.xz') else open
        with opener(name, 'rt') as f:
            for line in f:
                c = json.loads(line)
                if c.get('superseded') or c.get('model_artifact'):
                    continue
                convert(c, out)


if __name__ == '__main__':
    main()
