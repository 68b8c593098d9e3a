// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto pto-ref
// TADD of two tiles of integers.
.include "test.inc"
.include "tile.inc"
.data
.align 64
left:  .word 1, 2, 3, 4, 5, 6, 7, 8
right: .word 10, 20, 30, 40, -5, -6, -7, 0x7fffffff
.bss
.align 64
result: .space 64
.text
TEST_BEGIN
    la left, ->a0
    la right, ->a1
    la result, ->a2
    li 16, ->a3
    TILE_LOAD S32, T, 1, 2, 4, a0, a3
    TILE_LOAD S32, U, 1, 2, 4, a1, a3
    BSTART.VEC TADD, S32
    B.DIM LB0, 4
    B.DIM LB1, 2
    B.IOT T#1, U#1, mask=1111, ->M<1>, last
    C.BSTOP
    TILE_STORE S32, M#1, 2, 4, a2, a3
    CHECK_WORD result, 11
    CHECK_WORD result + 12, 44
    CHECK_WORD result + 16, 0
    CHECK_WORD result + 28, 0x80000007
TEST_END
