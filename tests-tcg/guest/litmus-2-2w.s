// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto
// smp: 2
// timeout: 300
// Two PEs write two locations in opposite order: not both first stores win.
PES = 2
.include "litmus.inc"
.macro P0
    c.movi 1, ->a0
    c.movi 2, ->a1
    sdi a0, [s0, 0]
    sdi a1, [s1, 0]
.endm
.macro P1
    c.movi 1, ->a0
    c.movi 2, ->a1
    sdi a0, [s1, 0]
    sdi a1, [s0, 0]
.endm
.macro P2
.endm
.macro P3
.endm
.macro F0
    c.movi 1, ->a0
    c.movi 2, ->a1
    sdi a0, [s0, 0]
    FENCE
    sdi a1, [s1, 0]
.endm
.macro F1
    c.movi 1, ->a0
    c.movi 2, ->a1
    sdi a0, [s1, 0]
    FENCE
    sdi a1, [s0, 0]
.endm
.macro F2
.endm
.macro F3
.endm
.macro FORBIDDEN
    c.movi 1, ->a0
    cmp.eq a4, a0, ->a1
    cmp.eq a5, a0, ->a2
    and a1, a2, ->a1
    BRI ne, a1, 0, seen
.endm
.macro F_FORBIDDEN
    FORBIDDEN
.endm
LITMUS
