// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto pto-ref
// accel: multi icount
// A long loop of everything that can be cut off half-way: large MCOPY,
// MSET, frames, reservations, queues, T and U values across blocks. Run alone
// it shows that they work; migrating it at any moment must not change that.
.include "test.inc"

LENGTH = 1 << 20
LOOPS  = 200

.bss
.align 64
one:    .space LENGTH
two:    .space LENGTH
cell:   .space 64
.text
TEST_BEGIN
    li LOOPS, ->s0
    c.movi 0, ->s1              // sum of what was seen
loop:
    la one, ->a0
    addi s0, 3, ->a1
    li 32, ->a2
    MSET [a0, a1, a2]
double:                         // what is there once more behind it
    la one, ->a1
    add a1, a2, ->a0
    MCOPY [a0, a1, a2]
    slli a2, 1, ->a2
    li LENGTH, ->a3
    BR lt, a2, a3, double
    la two, ->a0
    la one, ->a1
    li LENGTH, ->a2
    MCOPY [a0, a1, a2]
    li LENGTH - 8, ->a3
    add a0, a3, ->a0
    ldi [a0, 0], ->a4
    addi s0, 3, ->a1            // eight times the byte
    andi a1, 255, ->a1
    li 0x0101010101010101, ->a2
    mul a1, a2, ->a1
    CHECK_REG a4, a1
    la cell, ->a0
again:
    lr.d [a0], ->a1
    addi a1, 1, ->a1
    sc.d a1, [a0], ->a2
    BRI ne, a2, 0, again
    c.movi 3, ->a2
    hl.qmt.i a0, a2, ->a3
    hl.qpush a0, s0, ->a3
    hl.qpush a0, a1, ->a3
    hl.qpop a0, ->a4, a3
    CHECK_REG a4, s0
    c.movr s0, ->t
    c.movr a1, ->u
    CALL framed
    add s1, s0, ->s1
    subi s0, 1, ->s0
    BRI ne, s0, 0, loop
    CHECK s1, LOOPS * (LOOPS + 1) / 2
    la cell, ->a0
    ldi [a0, 0], ->a1
    CHECK a1, LOOPS
    PRINT "the work is done\n"
TEST_END

framed:
    FENTRY [ra ~ s3], sp!, 64
    li 77, ->s0
    li 78, ->s1
    FRET.STK [ra ~ s3], sp!, 64
