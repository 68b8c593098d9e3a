// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto
// A Shared tile assembled from two parts, with a long pause while its
// generation is open; then read as a whole. Many times: a migration is likely
// to meet the open generation.
.include "test.inc"
.include "tile.inc"

ROUNDS = 3000
HALF   = 512                    // bytes: 64 rows of 8

.bss
.align 64
parts:  .space HALF * 2
result: .space HALF * 2
.text
TEST_BEGIN
    la parts, ->a0              // byte i of the sources is i * 7
    c.movi 0, ->a1
1:  sbi a1, [a0, 0]
    addi a0, 1, ->a0
    addi a1, 7, ->a1
    li HALF * 14, ->a2
    BR lt, a1, a2, 1b
    li ROUNDS, ->s0
loop:
    c.movi 8, ->a1
    la parts + HALF, ->a0
    TILE_LOAD U8, N, 3, 64, 8, a0, a1, 0001
    BSTART.TMOV U8
    B.IOT N#1, mask=0001, last
    B.IOS mask=0001, ->S9<3>
    B.ASSEMBLE 1, 0, zero, 4, 4
    C.BSTOP
    li 20000, ->a2
2:  subi a2, 1, ->a2
    BRI ne, a2, 0, 2b
    la parts, ->a0
    TILE_LOAD U8, N, 3, 64, 8, a0, a1, 0001
    BSTART.TMOV U8
    B.IOT N#1, mask=0001, last
    B.IOS mask=0001, ->S9<3>
    B.ASSEMBLE 0, 1, zero, 0, 0
    C.BSTOP
    la result, ->a0
    BSTART.TSTORE U8
    B.IOR a0, a1
    B.IOS S9, mask=0001
    C.BSTOP
    la parts, ->a2              // both halves are there, in their order
    li HALF * 2 / 8, ->a3
3:  ldi [a0, 0], ->a4
    ldi [a2, 0], ->a5
    CHECK_REG a4, a5
    sdi zero, [a0, 0]
    addi a0, 8, ->a0
    addi a2, 8, ->a2
    subi a3, 1, ->a3
    BRI ne, a3, 0, 3b
    subi s0, 1, ->s0
    BRI ne, s0, 0, loop
    PRINT "assembled\n"
TEST_END
