// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto
// Code that is written while it runs: the next fetch sees it, with every
// instruction that makes code visible and without one.
.include "test.inc"
.macro PATCH from
    la \from, ->a1
    lhui [a1, 0], ->a1
    la patched, ->a2
    shi a1, [a2, 0]
.endm
.macro SYNC insn
    C.BSTART.SYS FALL
    \insn
    C.BSTOP
.endm
TEST_BEGIN
    la patched, ->s0
    CALL function
    CHECK a0, 1
    PATCH two
    SYNC fence.i
    CALL function
    CHECK a0, 2
    PATCH three
    SYNC ic.iva s0
    CALL function
    CHECK a0, 3
    PATCH two
    SYNC ic.iall
    CALL function
    CHECK a0, 2
    PATCH three
    SYNC bc.iall
    CALL function
    CHECK a0, 3
    PATCH two
    C.BSTART.SYS FALL
    fence.d 2, 8
    C.BSTOP
    CALL function
    CHECK a0, 2
    PATCH three
    SYNC tlb.iall
    SYNC dc.iall
    CALL function
    CHECK a0, 3
    PATCH two
    CALL function
    CHECK a0, 2
TEST_END
function:
patched:
    c.movi 1, ->a0
    RETURN
two:
    c.movi 2, ->a0
three:
    c.movi 3, ->a0
