// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto pto-ref
// A handler reads the cause, moves the saved PC and returns by ACRE.
.include "test.inc"
TEST_BEGIN
    la handler, ->x0
    SETSR EVBASE, x0
    c.movi 0, ->s0
    ebreak_here:
    .word 0x00000003
    CHECK s0, 4                 // trap number of an illegal instruction
TEST_END
.align 4
handler:
    C.BSTART.SYS FALL
    ssrget TRAPNO, ->s0
    ssrget EBARG_TPC, ->x0
    addi x0, 4, ->x0
    ssrset x0, EBARG_TPC
    bxu s0, 0, 6, ->s0
    acre 0
    C.BSTOP
