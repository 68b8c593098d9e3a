// SPDX-License-Identifier: GPL-2.0-or-later
// TLOAD of a 64x64 FP32 tile.
.macro PREPARE
    la operands, ->a0
    li 256, ->a1
.endm
.macro ROUND
    TILE_LOAD FP32, T, 8, 64, 64, a0, a1
.endm
.include "loop.inc"
