// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto
// FENTRY saves a range of registers below sp, FRET.STK restores and returns.
.include "test.inc"
TEST_BEGIN
    li 11, ->s0
    li 22, ->s1
    mv sp, ->s5
    CALL callee
    CHECK s0, 11
    CHECK s1, 22
    CHECK_REG sp, s5
    CHECK a0, 33
TEST_END
callee:
    FENTRY [ra ~ s1], sp!, 32
    c.movi 1, ->s0
    c.movi 2, ->s1
    li 33, ->a0
    CALL inner
    FRET.STK [ra ~ s1], sp!, 32
inner:
    RETURN
