// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto
// smp: 2
// A PE that stores an unpublished Shared tile waits until another PE has
// loaded it; both then see the whole tile.
HAVE_PE_MAIN = 1
.include "test.inc"
.include "tile.inc"
.data
.align 64
source: .word 1, 2, 3, 4, 5, 6, 7, 8
.bss
.align 64
target: .space 64
ready:  .space 16
done:   .space 16
.text
TEST_BEGIN
1:  la ready, ->a1              // PE 1 is about to store
    ldi [a1, 0], ->a2
    BRI eq, a2, 0, 1b
    li 20000, ->a2              // give it time to wait
2:  subi a2, 1, ->a2
    BRI ne, a2, 0, 2b
    la done, ->a1
    ldi [a1, 0], ->a2
    CHECK a2, 0
    la source, ->a0
    li 16, ->a1
    BSTART.TLOAD S32
    B.DIM LB0, 4
    B.DIM LB1, 2
    B.DIM LB2, 4
    B.IOR a0, a1
    B.IOS mask=0001, ->S3<1>
    C.BSTOP
3:  la done, ->a1
    ldi [a1, 0], ->a2
    BRI eq, a2, 0, 3b
    CHECK_WORD target, 1
    CHECK_WORD target + 28, 8
TEST_END
pe_main:
    la target, ->a0
    li 16, ->a1
    la ready, ->a2
    sdi a2, [a2, 0]
    BSTART.TSTORE S32
    B.DIM LB0, 4
    B.DIM LB1, 2
    B.IOR a0, a1
    B.IOS S3, mask=0010
    C.BSTOP
    la done, ->a2
    sdi a2, [a2, 0]
    RETURN
