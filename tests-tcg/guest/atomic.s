// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto pto-ref
// Read-modify-write, compare and swap, reservations.
.include "test.inc"
.data
.align 8
cell: .dword 10
.text
TEST_BEGIN
    la cell, ->s0
    c.movi 5, ->a0
    ld.add [s0], a0, ->a1
    CHECK a1, 10
    ldi [s0, 0], ->a1
    CHECK a1, 15
    sd.xor [s0], a0
    ldi [s0, 0], ->a1
    CHECK a1, 10
    li -1, ->a0
    ld.umax.aqrl [s0], a0, ->a1
    ld.smax [s0], zero, ->a1
    CHECK a1, -1
    ldi [s0, 0], ->a1
    CHECK a1, 0
    c.movi 9, ->a0
    casd [s0], zero, a0, ->a1
    CHECK a1, 0
    ldi [s0, 0], ->a1
    CHECK a1, 9
    swapd [s0], zero, ->a1
    CHECK a1, 9
    lr.d [s0], ->a1
    sc.d a0, [s0], ->a2
    CHECK a2, 0
    ldi [s0, 0], ->a1
    CHECK a1, 9
    sc.d zero, [s0], ->a2
    CHECK a2, 1
TEST_END
