// SPDX-License-Identifier: GPL-2.0-or-later
// FP32 TADD of two 64x64 tiles.
.macro PREPARE
    la operands, ->a0
    li 256, ->a1
    TILE_LOAD FP32, T, 8, 64, 64, a0, a1
    TILE_LOAD FP32, U, 8, 64, 64, a0, a1
.endm
.macro ROUND
    BSTART.VEC TADD, FP32
    B.DIM LB0, 64
    B.DIM LB1, 64
    B.IOT T#1, U#1, mask=1111, ->M<8>, last
    C.BSTOP
.endm
.include "loop.inc"
