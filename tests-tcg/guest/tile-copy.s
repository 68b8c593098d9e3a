// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto pto-ref
// TLOAD and TSTORE move a rectangle, rows apart by the byte stride.
.include "test.inc"
.include "tile.inc"
.data
.align 64
matrix:
    value = 0
.rept 64
    .word value
    value = value + 1
.endr
.bss
.align 64
result: .space 256
.text
TEST_BEGIN
    la matrix, ->a0
    li 32, ->a1
    la result, ->a2
    li 16, ->a3
    TILE_LOAD S32, T, 1, 3, 4, a0, a1
    TILE_STORE S32, T#1, 3, 4, a2, a3
    CHECK_WORD result, 0
    CHECK_WORD result + 12, 3
    CHECK_WORD result + 16, 8
    CHECK_WORD result + 44, 19
    CHECK_WORD result + 48, 0
TEST_END
