// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto
// smp: 2
// accel: multi single
// SC elsewhere in the reserved line stores; behind an own store to the line,
// a fence or a DMA into it, it does not.
HAVE_PE_MAIN = 1
.include "test.inc"
.data
.align 64
line:  .dword 1, 2, 3, 4, 5, 6, 7, 8
other: .dword 0, 0, 0, 0, 0, 0, 0, 0
.text
TEST_BEGIN
    la line, ->s0
    la other, ->s1
    addi s0, 12, ->s2
    c.movi 9, ->a0
    lr.d [s0], ->a1
    sc.w a0, [s2], ->a2
    CHECK a2, 0
    lwui [s0, 12], ->a1
    CHECK a1, 9
    lr.d [s0], ->a1
    sdi a0, [s0, 56]
    sc.d a0, [s0], ->a2
    CHECK a2, 1
    lr.d [s0], ->a1
    sdi a0, [s1, 0]
    sc.d a0, [s0], ->a2
    CHECK a2, 0
    lr.d [s0], ->a1
    C.BSTART.SYS FALL
    fence.d 0, 0
    C.BSTOP
    sc.d a0, [s0], ->a2
    CHECK a2, 1
    lr.d [s0], ->a1
    dma [s1], s0
    sc.d a0, [s0], ->a2
    CHECK a2, 1
    ldi [s0, 0], ->a1
    CHECK a1, 9
    // a mismatch of compare and swap keeps the reservation
    lr.d [s0], ->a1
    casd [s0], zero, a0, ->a2
    sc.d zero, [s0], ->a2
    CHECK a2, 0
    lr.d [s0], ->a1
    casd [s0], zero, a0, ->a2
    sc.d zero, [s0], ->a2
    CHECK a2, 1
TEST_END
pe_main:
    RETURN
