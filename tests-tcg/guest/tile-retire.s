// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto
// A loop may load more tiles than a hand holds: the oldest ones retire, and
// T#1 is always the newest.
.include "test.inc"
.include "tile.inc"
.bss
.align 64
cell: .space 16
.text
TEST_BEGIN
    la cell, ->a0
    li 16, ->a1
    c.movi 0, ->s0
1:  swi s0, [a0, 0]
    TILE_LOAD S32, T, 1, 1, 4, a0, a1
    addi s0, 1, ->s0
    BRI lt, s0, 40, 1b
    TILE_STORE S32, T#1, 1, 4, a0, a1
    CHECK_WORD cell, 39
    TILE_STORE S32, T#3, 1, 4, a0, a1
    CHECK_WORD cell, 37
TEST_END
