// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto pto-ref
// Compares into registers.
.include "test.inc"
TEST_BEGIN
    li -1, ->a0
    li 1, ->a1
    cmp.lt a0, a1, ->a2
    CHECK a2, 1
    cmp.ltu a0, a1, ->a2
    CHECK a2, 0
    cmp.ge a0, a1.sw, ->a2
    CHECK a2, 0
    cmp.geu a0, a1, ->a2
    CHECK a2, 1
    cmp.eqi a0, -1, ->a2
    CHECK a2, 1
    cmp.nei a0, -1, ->a2
    CHECK a2, 0
    cmp.ltui a1, 4095, ->a2
    CHECK a2, 1
    hl.cmp.gei a0, -8388608, ->a2
    CHECK a2, 1
    c.movr a1, ->t
    c.cmp.eqi t#1, 1, ->t
    mv t#1, ->a2
    CHECK a2, 1
TEST_END
