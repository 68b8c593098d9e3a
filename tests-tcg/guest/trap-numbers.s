// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto
// Every synchronous trap: number, argument, cause, saved TPC, and resuming
// where the handler says; service requests between the rings.
//
// The handler leaves the trap number in s1, the argument in s2, the cause in
// s3 and the saved TPC in s4, and resumes in ring 0 at the address in s0.
.include "test.inc"
BAD_ADDRESS = 0x50000000
.macro RESUME_AT label
    la \label, ->s0
    li 0x77, ->s1
.endm
.macro CHECK_TRAP number, address
    CHECK s1, \number
    la \address, ->x0
    CHECK_REG s2, x0
    CHECK_REG s4, x0
    CHECK s3, 0
.endm
TEST_BEGIN
    la handler, ->x0
    SETSR EVBASE, x0
    la manager, ->x0
    C.BSTART.SYS FALL
    hl.ssrset x0, 0x1f01
    C.BSTOP

    // 0: ACRE without a saved context
    RESUME_AT 1f
    C.BSTART.SYS FALL
acre_here:
    acre 0
1:  C.BSTOP
    CHECK_TRAP 0, acre_here

    // 4: illegal instruction
    RESUME_AT 1f
illegal_here:
    .word 0x00000003
1:  CHECK_TRAP 4, illegal_here

    // 5: a system instruction without its block
    RESUME_AT 1f
placement_here:
    fence.i
1:  CHECK_TRAP 5, placement_here

    // 32: an odd target is refused where it is selected
    RESUME_AT 1f
    la odd_target + 1, ->a0
    C.BSTART.STD FALL
    c.setc.tgt a0
odd_here:
    C.BSTART.STD IND
1:  CHECK s1, 32
    la odd_target + 1, ->a0
    CHECK_REG s2, a0
    la odd_here, ->a0
    CHECK_REG s4, a0
odd_target:

    // 33: nothing to fetch
    RESUME_AT 1f
    li BAD_ADDRESS, ->a0
    RETURN a0
1:  CHECK s1, 33
    CHECK s2, BAD_ADDRESS
    CHECK s4, BAD_ADDRESS

    // 34: alignment, before the address is looked at
    RESUME_AT 1f
    li BAD_ADDRESS + 1, ->a0
align_here:
    ldi [a0, 0], ->a1
1:  CHECK s1, 34
    CHECK s2, BAD_ADDRESS + 1
    la align_here, ->x0
    CHECK_REG s4, x0

    // 35: no memory there
    RESUME_AT 1f
    li BAD_ADDRESS, ->a0
page_here:
    sdi zero, [a0, 8]
1:  CHECK s1, 35
    CHECK s2, BAD_ADDRESS + 8
    la page_here, ->x0
    CHECK_REG s4, x0

    // 50: breakpoint, with its tag as the cause
    RESUME_AT 1f
    C.BSTART.SYS FALL
break_here:
    ebreak 5
1:  C.BSTOP
    CHECK s1, 50
    CHECK s3, 5
    la break_here, ->x0
    CHECK_REG s2, x0
    CHECK_REG s4, x0

    // 52: assertion
    RESUME_AT 1f
    C.BSTART.SYS FALL
assert_here:
    assert zero
1:  C.BSTOP
    CHECK_TRAP 52, assert_here

    // 6: ring 2 asks the system manager (ring 1), which just returns, then
    // the machine manager (ring 0)
    RESUME_AT 1f
    c.movi 0, ->s5
    c.movi 2, ->a0
    SETSR CORE_STATE, a0
    C.BSTART.SYS FALL
    acrc 1
    C.BSTOP
    C.BSTART.SYS FALL
call_here:
    acrc 2
behind_call:
1:  C.BSTOP
    CHECK s5, 1
    CHECK s1, 6
    CHECK s3, 2
    la call_here, ->x0
    CHECK_REG s2, x0
    la behind_call, ->x0
    CHECK_REG s4, x0
    GETSR a0, CORE_STATE
    andi a0, 15, ->a0
    CHECK a0, 0
TEST_END
.align 4
handler:
    C.BSTART.SYS FALL
    ssrget TRAPNO, ->x0
    bxu x0, 0, 6, ->s1
    bxu x0, 24, 24, ->s3
    ssrget TRAPARG0, ->s2
    ssrget EBARG_TPC, ->s4
    ssrset s0, EBARG_TPC
    ssrget ECSTATE, ->x0
    li -16, ->x1
    and x0, x1, ->x0
    ssrset x0, ECSTATE
    ssrget EBARG0, ->x0
    and x0, x1, ->x0
    ssrset x0, EBARG0
    acre 0
.align 4
manager:
    C.BSTART.SYS FALL
    addi s5, 1, ->s5
    acre 1
