// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto
// smp: 4
// timeout: 300
// Store buffering: each PE stores one location and reads the other. Both may
// read the old value, unless a fence orders the store before the load.
.include "litmus.inc"
.macro P0
    c.movi 1, ->a0
    sdi a0, [s0, 0]
    ldi [s1, 0], ->a1
    sdi a1, [s2, 0]
.endm
.macro P1
    c.movi 1, ->a0
    sdi a0, [s1, 0]
    ldi [s0, 0], ->a1
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
    ldi [s1, 0], ->a1
    sdi a1, [s2, 0]
.endm
.macro F1
    c.movi 1, ->a0
    sdi a0, [s1, 0]
    FENCE
    ldi [s0, 0], ->a1
    sdi a1, [s2, 8]
.endm
.macro F2
.endm
.macro F3
.endm
.macro FORBIDDEN
.endm
.macro F_FORBIDDEN
    or a0, a1, ->a0
    BRI eq, a0, 0, seen
.endm
LITMUS
