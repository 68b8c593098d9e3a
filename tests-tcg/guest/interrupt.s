// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto
// A doorbell of the tile unit interrupts: the handler sees trap 44, turns
// the line off and returns to the loop by ACRE.
.include "test.inc"
.bss
.align 8
count: .space 8
.text
TEST_BEGIN
    la handler, ->x0
    SETSR EVBASE, x0
    li TILE_UNIT + TU_DOORBELL, ->s0
    c.movi 1, ->a0
    swi a0, [s0, 0]
    li 10000000, ->a1
1:  la count, ->a0
    ldi [a0, 0], ->a0
    BRI ne, a0, 0, 2f
    subi a1, 1, ->a1
    BRI ne, a1, 0, 1b
    FAIL
2:  CHECK a0, 44
TEST_END
.align 4
handler:                        // uses s1 to s4 only
    C.BSTART.SYS FALL
    ssrget TRAPNO, ->s1
    li TILE_UNIT + TU_DOORBELL, ->s2
    swi zero, [s2, 0]
    ssrget TOPEI, ->s3
    ssrset s3, EOIEI
    bxu s1, 0, 6, ->s1
    la count, ->s2
    sdi s1, [s2, 0]
    acre 0
    C.BSTOP
