// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto
// smp: 4
// timeout: 300
// Independent reads of independent writes: PE 0 and PE 1 write, PE 2 reads x
// then y, PE 3 reads y then x. The readers agree on the order of the writes.
.include "perpetual.inc"
.macro P0
    sdi s3, [s0, 0]
.endm
.macro P1
    sdi s3, [s1, 0]
.endm
.macro P2
    ldi [s0, 0], ->a0
    ldi [s1, 0], ->a1
.endm
.macro P3
    ldi [s1, 0], ->a0
    ldi [s0, 0], ->a1
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
.endm
.macro F3
    ldi [s1, 0], ->a0
    FENCE
    ldi [s0, 0], ->a1
.endm
// What a PE reads never decreases, so for each row of PE 2 the row to compare
// is the last one of PE 3 (at s5, number a7) whose x is older.
.macro AGREE
    la seen_3, ->s5
    c.movi 0, ->a7
    FOR_ROWS seen_2, row\@
    ldi [s2, 0], ->a0           // x
    ldi [s2, 8], ->a1           // y
further\@:
    BR geu, a7, s4, found\@
    ldi [s5, 24], ->a2          // x in the next row of PE 3
    BR geu, a2, a0, found\@
    addi s5, 16, ->s5
    addi a7, 1, ->a7
    GOTO further\@
found\@:
    BRI eq, a7, 0, skip\@
    ldi [s5, 0], ->a3           // y in that row
    BR ltu, a1, a3, forbidden
skip\@:
    NEXT_ROW row\@
.endm
PERPETUAL AGREE, AGREE
