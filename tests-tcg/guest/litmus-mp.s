// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto
// smp: 4
// timeout: 300
// Message passing: who sees the flag sees the data.
.include "litmus.inc"
.macro P0
    c.movi 1, ->a0
    sdi a0, [s0, 0]
    sdi a0, [s1, 0]
.endm
.macro P1
    ldi [s1, 0], ->a0
    ldi [s0, 0], ->a1
    sdi a0, [s2, 0]
    sdi a1, [s2, 8]
.endm
.macro P2
.endm
.macro P3
.endm
.macro F0
    c.movi 1, ->a0
    sdi a0, [s0, 0]
    FENCE
    sdi a0, [s1, 0]
.endm
.macro F1
    ldi [s1, 0], ->a0
    FENCE
    ldi [s0, 0], ->a1
    sdi a0, [s2, 0]
    sdi a1, [s2, 8]
.endm
.macro F2
.endm
.macro F3
.endm
.macro FORBIDDEN
    cmp.ltu a1, a0, ->a0        // flag 1, data 0
    BRI ne, a0, 0, seen
.endm
.macro F_FORBIDDEN
    FORBIDDEN
.endm
LITMUS
