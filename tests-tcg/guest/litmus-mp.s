// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto
// smp: 2
// timeout: 300
// Message passing: x = i, y = i against read y, read x. Who sees the flag
// sees the data.
PES = 2
.include "perpetual.inc"
.macro P0
    sdi s3, [s0, 0]
    sdi s3, [s1, 0]
.endm
.macro P1
    ldi [s1, 0], ->a0
    ldi [s0, 0], ->a1
.endm
.macro P2
.endm
.macro P3
.endm
.macro F0
    sdi s3, [s0, 0]
    FENCE
    sdi s3, [s1, 0]
.endm
.macro F1
    ldi [s1, 0], ->a0
    FENCE
    ldi [s0, 0], ->a1
.endm
.macro F2
.endm
.macro F3
.endm
.macro DATA_BEHIND table
    FOR_ROWS \table, row\@
    ldi [s2, 0], ->a0
    ldi [s2, 8], ->a1
    BR ltu, a1, a0, forbidden
    NEXT_ROW row\@
.endm
.macro IN_ORDER
    DATA_BEHIND seen_1
.endm
PERPETUAL IN_ORDER, IN_ORDER
