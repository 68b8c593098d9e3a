// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto pto-ref
// TMATMUL of S8 matrices through CUBE layouts.
.include "test.inc"
.include "tile.inc"
.data
.align 64
left:  .byte 1, 2, 3, 4             // 2 x 4
       .byte -1, 0, 1, 2
right: .byte 1, 2                   // 4 x 2
       .byte 3, 4
       .byte 5, 6
       .byte 7, 8
.bss
.align 64
result: .space 64
.text
TEST_BEGIN
    la left, ->a0
    li 4, ->a1
    la right, ->a2
    li 2, ->a3
    CUBE_LOAD S8, ND2M16, T, 2, 2, 4, a0, a1
    CUBE_LOAD S8, ND2N8, U, 2, 4, 2, a2, a3
    MATMUL S8, T#1, U#1, M, 2, 2, 2, 4
    la result, ->a0
    li 8, ->a1
    CUBE_STORE S32, M162ND, M#1, 2, 2, a0, a1
    CHECK_WORD result, 50
    CHECK_WORD result + 4, 60
    CHECK_WORD result + 8, 18
    CHECK_WORD result + 12, 20
TEST_END
