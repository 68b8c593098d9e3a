// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto
// accel: multi single icount
// The timer of ring 0 interrupts a running and a suspended PE; a disabled
// one stays pending; EOIEI and a cleared comparator end it.
.include "test.inc"
TEST_BEGIN
    la handler, ->x0
    SETSR EVBASE, x0
    c.movi 0, ->s0              // interrupts taken
    GETSR a0, TIME
    addi a0, 2000, ->a0
    SETSR TIMER_TIMECMP, a0
1:  BRI eq, s0, 0, 1b
    CHECK s0, 1
    CHECK s1, 44                // trap number
    CHECK s2, 3                 // asynchronous, argument valid
    CHECK s3, 1                 // interrupt id in TRAPARG0
    CHECK s4, 1                 // TOPEI
    GETSR a0, IPENDING
    CHECK a0, 0

    // asleep
    GETSR a0, TIME
    li 100000, ->a1
    add a0, a1, ->s5
    SETSR TIMER_TIMECMP, s5
    C.BSTART.SYS FALL
    bwi zero
    C.BSTOP
    CHECK s0, 2
    GETSR a0, TIME
    cmp.ltu a0, s5, ->a1
    CHECK a1, 0

    // disabled: BWI ends, nothing is taken
    c.movi 1, ->a0              // external only
    SETSR ECONFIG, a0
    GETSR a0, TIME
    addi a0, 2000, ->a0
    SETSR TIMER_TIMECMP, a0
    C.BSTART.SYS FALL
    bwi zero
    C.BSTOP
    CHECK s0, 2
    GETSR a0, IPENDING
    CHECK a0, 2
    // acknowledging alone does not help while the comparator is reached
    c.movi 1, ->a0
    SETSR EOIEI, a0
    GETSR a0, TOPEI
    CHECK a0, 1
    SETSR TIMER_TIMECMP, zero
    GETSR a0, IPENDING
    CHECK a0, 0

    // a time-out of BWT
    GETSR a0, TIME
    li 50000, ->a1
    add a0, a1, ->s5
    C.BSTART.SYS FALL
    bwt a1
    C.BSTOP
    GETSR a0, TIME
    cmp.ltu a0, s5, ->a1
    CHECK a1, 0
TEST_END
.align 4
handler:
    C.BSTART.SYS FALL
    ssrget TRAPNO, ->x0
    bxu x0, 0, 6, ->s1
    srli x0, 62, ->s2
    ssrget TRAPARG0, ->s3
    ssrget TOPEI, ->s4
    ssrset zero, TIMER_TIMECMP
    ssrset s4, EOIEI
    addi s0, 1, ->s0
    acre 0
    C.BSTOP
