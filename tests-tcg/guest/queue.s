// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto pto-ref
// The T and U queues: a push moves the older values, a read keeps them.
.include "test.inc"
TEST_BEGIN
    c.movi 1, ->t
    c.movi 2, ->t
    c.movi 3, ->t
    c.movi 9, ->u
    add t#1, t#3, ->a0
    CHECK a0, 4
    mv t#2, ->a0
    CHECK a0, 2
    add u#1, t#1, ->t
    mv t#1, ->a0
    CHECK a0, 12
    mv t#4, ->a0
    CHECK a0, 1
    c.addi t#1, -2, ->t
    mv t#1, ->a0
    CHECK a0, 10
    mv u#1, ->a0
    CHECK a0, 9
TEST_END
