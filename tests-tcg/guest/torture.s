// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto
// smp: 4
// timeout: 300
// Four PEs add to shared counters through LR/SC, read-modify-write and
// compare-and-swap, 10 million updates in all: none may be lost.
HAVE_PE_MAIN = 1
ROUNDS = 800000
.include "test.inc"
.bss
.align 64
count_lr:  .space 64            // each counter has a line of its own
count_lrb: .space 64            // but this one shares it with others' stores
count_add: .space 64
count_cas: .space 64
done:      .space 64
.text
TEST_BEGIN
    mv ra, ->s7
    CALL work
1:  la done, ->a0
    ldi [a0, 0], ->a0
    BRI ne, a0, 4, 1b
    la count_lr, ->a0
    ldi [a0, 0], ->a0
    CHECK a0, ROUNDS * 4
    la count_lrb, ->a0
    lwui [a0, 0], ->a0
    CHECK a0, ROUNDS / 8 * 4
    la count_add, ->a0
    ldi [a0, 0], ->a0
    CHECK a0, ROUNDS * 4
    la count_cas, ->a0
    ldi [a0, 0], ->a0
    CHECK a0, ROUNDS * 4
    mv s7, ->ra
TEST_END

work:
    la count_lr, ->s0
    la count_add, ->s1
    la count_cas, ->s2
    la count_lrb, ->s3
    li ROUNDS, ->s4
    c.movi 1, ->s5
loop:
lr_again:
    lr.d [s0], ->a0
    addi a0, 1, ->a0
    sc.d a0, [s0], ->a1
    BRI ne, a1, 0, lr_again
    sd.add [s1], s5
cas_again:
    ldi [s2, 0], ->a0
    addi a0, 1, ->a1
    casd [s2], a0, a1, ->a2
    BR ne, a2, a0, cas_again
    // one in eight: a line where other words change all the time
    andi s4, 7, ->a0
    BRI ne, a0, 0, next
lrb_again:
    lr.w [s3], ->a0
    addi a0, 1, ->a0
    sc.w a0, [s3], ->a1
    sdi s4, [s3, 8]
    BRI ne, a1, 0, lrb_again
next:
    subi s4, 1, ->s4
    BRI ne, s4, 0, loop
    la done, ->a0
    sd.add [a0], s5
    RETURN

pe_main:
    mv ra, ->s7
    CALL work
    mv s7, ->ra
    RETURN
