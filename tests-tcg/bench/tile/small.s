// SPDX-License-Identifier: GPL-2.0-or-later
// The smallest operation: TADD of two 1x4 tiles.
.macro PREPARE
    la operands, ->a0
    li 16, ->a1
    TILE_LOAD FP32, T, 1, 1, 4, a0, a1
    TILE_LOAD FP32, U, 1, 1, 4, a0, a1
.endm
.macro ROUND
    BSTART.VEC TADD, FP32
    B.DIM LB0, 4
    B.DIM LB1, 1
    B.IOT T#1, U#1, mask=1111, ->M<1>, last
    C.BSTOP
.endm
.include "loop.inc"
