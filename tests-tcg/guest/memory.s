// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto pto-ref
// Loads and stores of all sizes: immediate, register, pair, indexed, PC.
.include "test.inc"
.data
.align 8
bytes: .byte 0x80, 0x7f, 0xff, 0x01
half:  .half 0x8001
       .half 0x1234
word:  .word 0x80000001
word2: .word 7
quad:  .dword 0x1122334455667788, -2
.bss
.align 16
room:  .space 64
.text
TEST_BEGIN
    la bytes, ->s0
    lbi [s0, 0], ->a0
    CHECK a0, -128
    lbui [s0, 0], ->a0
    CHECK a0, 128
    lhi [s0, 4], ->a0
    CHECK a0, 0x8001 - 0x10000
    lhui.u [s0, 6], ->a0
    CHECK a0, 0x1234
    lwi [s0, 8], ->a0
    CHECK a0, 1 - 0x80000000
    lwui [s0, 8], ->a0
    CHECK a0, 0x80000001
    ldi [s0, 16], ->a0
    CHECK a0, 0x1122334455667788
    c.movi 2, ->a1
    ld [s0, a1<<3], ->a0
    CHECK a0, 0x1122334455667788
    li -2, ->a1
    addi s0, 12, ->a2
    lw [a2, a1.neg<<1], ->a3
    CHECK a3, 0x55667788
    hl.ldip [s0, 16], ->a0, a1
    CHECK a0, 0x1122334455667788
    CHECK a1, -2
    hl.lwi.po [s0, 8], ->a0, a1
    lw.pcr [anchor], ->a0
    CHECK a0, 0x13572468
    la room, ->s1
    li 0x0102030405060708, ->a0
    sdi a0, [s1, 0]
    shi a0, [s1, 10]
    sbi a0, [s1, 9]
    lwui [s1, 8], ->a1
    CHECK a1, 0x07080800
    c.movi 3, ->a2
    sd a0, [s1, a2<<3]
    ldi [s1, 24], ->a1
    CHECK_REG a1, a0
    hl.sdip a0, s1, [s1, 32]
    ldi [s1, 40], ->a1
    CHECK_REG a1, s1
    hl.swi.pr a0, [s1, 48], ->a1
    addi s1, 48, ->a2
    CHECK_REG a1, a2
    lwui [a2, 0], ->a1
    CHECK a1, 0x05060708
TEST_END
.align 4
anchor: .word 0x13572468
