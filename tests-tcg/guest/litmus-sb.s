// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto
// smp: 2
// timeout: 300
// Store buffering: x = i, read y against y = j, read x. Both reads may miss
// the other's store, unless a fence orders the store before the load.
PES = 2
.include "perpetual.inc"
.macro P0
    sdi s3, [s0, 0]
    ldi [s1, 0], ->a0
.endm
.macro P1
    sdi s3, [s1, 0]
    ldi [s0, 0], ->a0
.endm
.macro P2
.endm
.macro P3
.endm
.macro F0
    sdi s3, [s0, 0]
    FENCE
    ldi [s1, 0], ->a0
.endm
.macro F1
    sdi s3, [s1, 0]
    FENCE
    ldi [s0, 0], ->a0
.endm
.macro F2
.endm
.macro F3
.endm
.macro ANYTHING
.endm
// PE 0 read v in iteration i, so it missed y = v + 1; did PE 1 in its
// iteration v + 1 miss x = i?
.macro NOT_BOTH
    FOR_ROWS seen_0, row\@
    ldi [s2, 0], ->a0
    addi a0, 1, ->a0
    BR ltu, s4, a0, skip\@
    la seen_1, ->a1
    slli a0, 4, ->a2
    add a1, a2, ->a1
    ldi [a1, 0], ->a1
    BR ltu, a1, s3, forbidden
skip\@:
    NEXT_ROW row\@
.endm
PERPETUAL ANYTHING, NOT_BOTH
