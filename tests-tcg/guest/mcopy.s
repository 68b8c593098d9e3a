// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto pto-ref
// MCOPY and MSET.
.include "test.inc"
.data
source: .ascii "0123456789abcdefghij"
.bss
target: .space 32
.text
TEST_BEGIN
    la target, ->a0
    la source, ->a1
    li 19, ->a2
    MCOPY [a0, a1, a2]
    lbui [a0, 18], ->a3
    CHECK a3, 'i'
    lbui [a0, 19], ->a3
    CHECK a3, 0
    li 0x5a, ->a1
    c.movi 4, ->a2
    MSET [a0, a1, a2]
    lwui.u [a0, 0], ->a3
    CHECK a3, 0x5a5a5a5a
    lbui [a0, 4], ->a3
    CHECK a3, '4'
TEST_END
