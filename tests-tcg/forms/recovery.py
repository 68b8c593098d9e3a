# SPDX-License-Identifier: GPL-2.0-or-later
"""Every reason for which ACRE refuses a saved context: the handler of a first
trap damages it, ACRE must then trap with number 0 (EXEC_STATE_CHECK)."""
from program import Program

# name: what the handler does to the context
DAMAGE = {
    'not-valid': ('EBARG0', 'bic x0, 4, 1, ->x0'),
    'reserved': ('EBARG0', 'bis x0, 20, 1, ->x0'),
    'ring-mismatch': ('ECSTATE', 'bis x0, 1, 1, ->x0'),
    'odd-bpc': ('EBARG_BPC_CUR', 'bis x0, 0, 1, ->x0'),
    'odd-tpc': ('EBARG_TPC', 'bis x0, 0, 1, ->x0'),
    # no damage: the handler steps over the EBREAK, the program goes on
    'whole': ('EBARG_TPC', 'addi x0, 4, ->x0'),
}

HANDLERS = """
.align 4
first:
    C.BSTART.SYS FALL
{damage}
    la second, ->x0
    ssrset x0, EVBASE
    acre 0
    C.BSTOP
.align 4
second:
    C.BSTART.SYS FALL
    ssrget TRAPNO, ->x0
    C.BSTOP
    bxu x0, 0, 6, ->x0
    c.movi 1, ->s8              // the status of a failure
    BRI ne, x0, 0, test_failed
    li 0x5555, ->x0
    li FINISHER, ->x1
    swi x0, [x1, 0]
1:  j 1b
"""


class Recovery(Program):
    damage = ''

    def text(self):
        return super().text() + '.text\n' + HANDLERS.format(damage=self.damage)


def programs():
    p = Recovery('recovery-none')
    p.put('la second, ->x0', 'SETSR EVBASE, x0', 'C.BSTART.SYS FALL',
          'acre 0', 'C.BSTOP', 'FAIL')
    yield p
    for name, change in DAMAGE.items():
        p = Recovery('recovery-' + name)
        p.put('la first, ->x0', 'SETSR EVBASE, x0', 'C.BSTART.SYS FALL',
              'ebreak 1', 'C.BSTOP')
        register, line = change
        p.damage = (f'    ssrget {register}, ->x0\n    {line}\n'
                    f'    ssrset x0, {register}')
        if name != 'whole':
            p.put('FAIL')
        yield p
