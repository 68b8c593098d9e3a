// SPDX-License-Identifier: GPL-2.0-or-later
// A matrix header of six commands whose binder selects no PE: nothing but
// the header and an empty commit.
.macro PREPARE
.endm
.macro ROUND
    MATMUL FP32, T#1, U#1, M, 8, 32, 128, 128, mask=0000
.endm
.include "loop.inc"
