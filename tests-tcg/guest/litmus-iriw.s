// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto
// smp: 4
// timeout: 300
// Independent reads of independent writes: two readers agree on the order of
// two writers' stores.
.include "litmus.inc"
.macro P0
    c.movi 1, ->a0
    sdi a0, [s0, 0]
.endm
.macro P1
    c.movi 1, ->a0
    sdi a0, [s1, 0]
.endm
.macro P2
    ldi [s0, 0], ->a0
    ldi [s1, 0], ->a1
    sdi a0, [s2, 0]
    sdi a1, [s2, 8]
.endm
.macro P3
    ldi [s1, 0], ->a0
    ldi [s0, 0], ->a1
    sdi a0, [s2, 16]
    sdi a1, [s2, 24]
.endm
.macro F0
    P0
.endm
.macro F1
    P1
.endm
.macro F2
    ldi [s0, 0], ->a0
    FENCE
    ldi [s1, 0], ->a1
    sdi a0, [s2, 0]
    sdi a1, [s2, 8]
.endm
.macro F3
    ldi [s1, 0], ->a0
    FENCE
    ldi [s0, 0], ->a1
    sdi a0, [s2, 16]
    sdi a1, [s2, 24]
.endm
.macro FORBIDDEN
    cmp.ltu a1, a0, ->a0        // x before y
    cmp.ltu a3, a2, ->a2        // y before x
    and a0, a2, ->a0
    BRI ne, a0, 0, seen
.endm
.macro F_FORBIDDEN
    FORBIDDEN
.endm
LITMUS
