// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto pto-ref
// Multiplication and division, with the defined results of division by zero.
.include "test.inc"
TEST_BEGIN
    li -7, ->a0
    li 2, ->a1
    mul a0, a1, ->a2
    CHECK a2, -14
    div a0, a1, ->a2
    CHECK a2, -3
    rem a0, a1, ->a2
    CHECK a2, -1
    divu a0, a1, ->a2
    CHECK a2, 0x7ffffffffffffffc
    remu a0, a1, ->a2
    CHECK a2, 1
    madd a0, a1, a0, ->a2
    CHECK a2, -21
    hl.div a0, a1, ->a2, a3
    CHECK a2, -3
    CHECK a3, -1
    hl.mulu a0, a0, ->a2, a3
    CHECK a2, 49
    CHECK a3, -14
    max a0, a1, ->a2
    CHECK a2, 2
    maxu a0, a1, ->a2
    CHECK a2, -7
TEST_END
