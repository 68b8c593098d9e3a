// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto pto-ref
// Addition, subtraction and logic with extended and shifted right operands.
.include "test.inc"
TEST_BEGIN
    li 5, ->a0
    li -3, ->a1
    add a0, a1, ->a2
    CHECK a2, 2
    add a0, a1.uw, ->a2
    CHECK a2, 0x100000002
    add a0, a1.neg, ->a2
    CHECK a2, 8
    add a0, a1.sw<<4, ->a2
    CHECK a2, 5 - 48
    sub a0, a1, ->a2
    CHECK a2, 8
    and a0, a1.not, ->a2
    CHECK a2, 0
    or a0, a1.not<<1, ->a2
    CHECK a2, 5
    xor a0, a1, ->a2
    CHECK a2, -8
    li 0x7fffffff, ->a0
    c.movi 1, ->a1
    addw a0, a1, ->a2
    CHECK a2, -0x80000000
    addi a0, 4095, ->a2
    CHECK a2, 0x80000ffe
    subi a1, 2, ->a2
    CHECK a2, -1
    andi a2, -16, ->a2
    CHECK a2, -16
    hl.addi zero, 0xffffff, ->a2
    CHECK a2, 0xffffff
    lui -1, ->a2
    CHECK a2, -4096
    hl.lui 5, ->a2
    CHECK a2, 5 << 32
    li 0x0123456789abcdef, ->a3
    li 0x89abcdef, ->a2
    CHECK_REG a2, a2
    srli a3, 32, ->a2
    CHECK a2, 0x01234567
    csel zero, a0, a1, ->a2
    CHECK a2, 1
    csel a1, a0, a1, ->a2
    CHECK a2, 0x7fffffff
    csel zero, a0, a1.neg, ->a2
    CHECK a2, -1
TEST_END
