// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto
// smp: 2
// accel: multi single icount
// BSE wakes a PE in BWE; an event that comes first is remembered.
HAVE_PE_MAIN = 1
.include "test.inc"
.bss
.align 64
turn:  .space 64
ready: .space 64
.text
TEST_BEGIN
    la turn, ->s0
    la ready, ->s1
    c.movi 0, ->s2
again:
    addi s2, 1, ->s2
    sdi s2, [s0, 0]
    C.BSTART.SYS FALL
    bse zero
    C.BSTOP
1:  C.BSTART.SYS FALL
    bwe zero
    C.BSTOP
    ldi [s1, 0], ->a0
    BR ne, a0, s2, 1b
    BRI ne, s2, 1000, again
    CHECK s2, 1000
TEST_END
pe_main:
    la turn, ->s0
    la ready, ->s1
    c.movi 0, ->s2
echo:
    addi s2, 1, ->s2
2:  C.BSTART.SYS FALL
    bwe zero
    C.BSTOP
    ldi [s0, 0], ->a0
    BR ne, a0, s2, 2b
    sdi s2, [s1, 0]
    C.BSTART.SYS FALL
    bse zero
    C.BSTOP
    GOTO echo
