// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto
// smp: 2
// timeout: 300
// Load buffering: read x, y = i against read y, x = j. A store is not visible
// before an older load has read.
PES = 2
.include "perpetual.inc"
.macro P0
    ldi [s0, 0], ->a0
    sdi s3, [s1, 0]
.endm
.macro P1
    ldi [s1, 0], ->a0
    sdi s3, [s0, 0]
.endm
.macro P2
.endm
.macro P3
.endm
.macro F0
    ldi [s0, 0], ->a0
    FENCE
    sdi s3, [s1, 0]
.endm
.macro F1
    ldi [s1, 0], ->a0
    FENCE
    sdi s3, [s0, 0]
.endm
.macro F2
.endm
.macro F3
.endm
// PE 0 in iteration i saw x = j; PE 1 must have read y in its iteration j
// before y = i.
.macro NOT_BOTH
    FOR_ROWS seen_0, row\@
    ldi [s2, 0], ->a0
    BRI eq, a0, 0, skip\@
    la seen_1, ->a1
    slli a0, 4, ->a2
    add a1, a2, ->a1
    ldi [a1, 0], ->a1
    BR geu, a1, s3, forbidden
skip\@:
    NEXT_ROW row\@
.endm
PERPETUAL NOT_BOTH, NOT_BOTH
