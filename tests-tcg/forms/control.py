# SPDX-License-Identifier: GPL-2.0-or-later
"""Block starts and transfers, system and queue forms."""
from program import Program


class Flow(Program):
    """Each step leaves a number in s0 on the path that must be taken."""

    def step(self, *lines):
        self.put('c.movi 0, ->s0', *lines)
        self.check('s0', 7)

    def fresh(self):
        return f'.Lat{next(self.serial)}'


def direct(p):
    for start in ('BSTART DIRECT,', 'C.BSTART DIRECT,', 'BSTART.STD DIRECT,',
                  'BSTART.FP DIRECT,'):
        there = p.fresh()
        p.step(f'{start} {there}', 'c.movi 7, ->s0', 'C.BSTOP', 'FAIL',
               f'{there}:')
    for start in ('BSTART COND,', 'C.BSTART COND,', 'BSTART.STD COND,',
                  'BSTART.FP COND,'):
        there = p.fresh()
        p.step(f'{start} {there}', 'c.movi 7, ->s0', 'setc.eqi zero, 0',
               'C.BSTOP', 'FAIL', f'{there}:')
        p.step(f'{start} test_failed', 'c.movi 7, ->s0', 'setc.nei zero, 0',
               'BSTOP')
    for start in ('BSTART.STD FALL', 'BSTART.FP FALL', 'BSTART.SYS FALL',
                  'C.BSTART.STD FALL', 'C.BSTART.FP FALL',
                  'C.BSTART.SYS FALL'):
        for stop in ('C.BSTOP', 'BSTOP', 'L.BSTOP'):
            p.step(start, 'c.movi 7, ->s0', stop)


def indirect(p):
    """The target is set in the block before."""
    for start in ('BSTART.STD IND', 'BSTART.FP IND', 'C.BSTART.STD IND',
                  'C.BSTART.FP IND'):
        for target in ('setc.tgt', 'c.setc.tgt'):
            there = p.fresh()
            p.step(f'la {there}, ->a0', 'C.BSTART.STD FALL', f'{target} a0',
                   start, 'c.movi 7, ->s0', 'C.BSTOP', 'FAIL', f'{there}:')


def returns(p):
    for start in ('BSTART.STD RET', 'BSTART.FP RET', 'C.BSTART.STD RET',
                  'C.BSTART.FP RET'):
        for setret in ('setret', 'hl.setret', 'c.setret'):
            sub, back = p.fresh(), p.fresh()
            p.step(f'BSTART DIRECT, {sub}', f'{setret} {back}, ->ra',
                   'C.BSTOP', f'{back}:', f'GOTO {back}done', f'{sub}:',
                   start, 'c.movi 7, ->s0', 'c.setc.tgt ra', 'C.BSTOP',
                   'FAIL', f'{back}done:')


def calls(p):
    sub, back = p.fresh(), p.fresh()
    p.step(f'BSTART.CALL {sub}, {back}, ->ra', 'C.BSTOP', f'{back}:',
           f'GOTO {back}done', f'{sub}:', 'c.movi 7, ->s0', 'RETURN',
           f'{back}done:')
    sub, back = p.fresh(), p.fresh()
    p.step(f'la {sub}, ->a0', 'C.BSTART.STD FALL', 'setc.tgt a0',
           f'BSTART.ICALL {back}, ->ra', 'C.BSTOP', f'{back}:', f'GOTO {back}done', f'{sub}:',
           'c.movi 7, ->s0', 'RETURN', f'{back}done:')


def registers(p):
    p.load(a0=0x1234)
    for get in ('ssrget THREAD_PTR, ->a6', 'hl.ssrget THREAD_PTR, ->a6'):
        p.put('C.BSTART.SYS FALL', 'ssrset a0, THREAD_PTR', 'C.BSTOP',
              'c.movi 0, ->a6', 'C.BSTART.SYS FALL', get, 'C.BSTOP')
        p.check('a6', 0x1234)
    p.put('C.BSTART.SYS FALL', 'hl.ssrset zero, THREAD_PTR', 'C.BSTOP',
          'C.BSTART.SYS FALL', 'c.ssrget THREAD_PTR, ->t', 'mv t#1, ->a6',
          'C.BSTOP')
    p.check('a6', 0)
    p.put('C.BSTART.SYS FALL', 'ssrswap a0, THREAD_PTR, ->a6',
          'ssrget THREAD_PTR, ->a7', 'C.BSTOP')
    p.check('a6', 0)
    p.check('a7', 0x1234)
    here = p.fresh()
    p.put(f'{here}:', 'C.BSTART.STD FALL', 'c.movi 0, ->a7', 'lsrget 0, ->a6',
          'C.BSTOP', f'la {here}, ->a1', 'CHECK_REG a6, a1')


def maintenance(p):
    """They keep memory and registers as they are, DC.ZVA too."""
    p.put('la area, ->s1', 'addi s1, 64, ->a0')
    p.load(a1=0x55aa)
    p.put('sdi a1, [a0, 8]', 'sdi a1, [s1, 8]')
    for name in ('bc.iva', 'dc.cisw', 'dc.civa', 'dc.csw', 'dc.cva', 'dc.isw',
                 'dc.iva', 'dc.zva', 'ic.iva', 'tlb.iav', 'tlb.iv'):
        p.put('C.BSTART.SYS FALL', f'{name} a0', 'C.BSTOP')
    p.put('C.BSTART.SYS FALL', 'tlb.ia a1', 'C.BSTOP')     # an ASID
    for name in ('bc.iall', 'dc.iall', 'ic.iall', 'tlb.iall', 'fence.i'):
        p.put('C.BSTART.SYS FALL', name, 'C.BSTOP')
    p.put('C.BSTART.SYS FALL', 'fence.d 3, 3', 'C.BSTOP')
    p.result('ldi [a0, 8], ->a6', 0x55aa)
    p.result('ldi [s1, 8], ->a6', 0x55aa)


FAIL, MISSING = 1 << 62, 2 << 62


def queues(p):
    """The answer is a count below, the status in the top two bits."""
    p.load(a0=0x9000, a1=3, a2=0x111, a3=0x222, a4=0x333)
    p.result('hl.qpush a0, a2, ->a6', MISSING)
    p.result('hl.qmt a0, ->a6', FAIL)
    p.result('hl.qmt.i a0, a1, ->a6', 3 * 8)     # bytes of the queue
    p.result('hl.qpush a0, a2, ->a6', 2)
    p.result('hl.qpush a0, a3, ->a6', 1)
    p.result('hl.qpush.h a0, a4, ->a6', 0)
    p.result('hl.qpush a0, a4, ->a6', FAIL)
    for count, value in ((2, 0x333), (1, 0x111)):
        p.result('hl.qpop a0, ->a7, a6', count)
        p.check('a7', value)
    p.result('hl.qmt.s a0, ->a6', 2)
    p.result('hl.qpush a0, a2, ->a6', FAIL | 2)
    p.result('hl.qpop a0, ->a7, a6', 0)
    p.check('a7', 0x222)
    p.result('hl.qpop a0, ->a7, a6', FAIL)
    p.check('a7', 0)
    p.result('hl.qmt.r a0, ->a6', 3)
    p.result('hl.qpush.e a0, a2, ->a6', 2)


def frames(p):
    """FEXIT only restores; FRET.RA returns to ra, which it does not load."""
    p.put('mv sp, ->s5')
    p.load(s0=11, s1=22, s2=33)
    p.put('FENTRY [s0 ~ s2], sp!, 64')
    p.load(s0=1, s1=2, s2=3)
    p.put('FEXIT [s0 ~ s2], sp!, 64')
    for name, value in (('s0', 11), ('s1', 22), ('s2', 33)):
        p.check(name, value)
    p.put('CHECK_REG sp, s5', 'CALL .Lleaf', 'GOTO .Lback', '.Lleaf:',
          'FENTRY [s0 ~ s2], sp!, 64')
    p.load(s0=1, s1=2, s2=3)
    p.put('FRET.RA [s0 ~ s2], sp!, 64', 'FAIL', '.Lback:')
    for name, value in (('s0', 11), ('s1', 22), ('s2', 33)):
        p.check(name, value)
    p.put('CHECK_REG sp, s5')
    p.models = ('pto',)


def traps(p, line):
    p.put('EXPECT_TRAP', line, 'FAIL')


REJECTED = {'c-break': 'c.break 3', 'ebreak': 'ebreak 5',
            'esave': 'ESAVE [a0, a1, a2]', 'ercov': 'ERCOV [a0, a1, a2]',
            'xb': 'XB 0, 0'}


def programs():
    for part in (direct, indirect, returns, calls, registers, maintenance,
                 queues, frames):
        p = Flow('control-' + part.__name__)
        part(p)
        yield p
    for name, line in REJECTED.items():
        p = Flow('trap-' + name)
        traps(p, line)
        yield p
