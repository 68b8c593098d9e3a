// SPDX-License-Identifier: GPL-2.0-or-later
// FP32 TMATMUL of 32x128 by 128x128, header and commit included.
.macro PREPARE
    la operands, ->a0
    li 512, ->a1
    CUBE_LOAD FP32, ND2M32, T, 8, 32, 128, a0, a1
    CUBE_LOAD FP32, ND2N8, U, 10, 128, 128, a0, a1
.endm
.macro ROUND
    MATMUL FP32, T#1, U#1, M, 8, 32, 128, 128
.endm
.include "loop.inc"
