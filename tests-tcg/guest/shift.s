// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto pto-ref
// Shifts and bit fields; fields wrap from bit 63 to bit 0.
.include "test.inc"
TEST_BEGIN
    li 0x8000000000000001, ->a0
    srai a0, 63, ->a1
    CHECK a1, -1
    srli a0, 63, ->a1
    CHECK a1, 1
    slli a0, 1, ->a1
    CHECK a1, 2
    sraiw a0, 0, ->a1
    CHECK a1, 1
    li 0x1f, ->a2
    sllw a2, a2, ->a1
    CHECK a1, -0x80000000
    li 0xf00000000000000a, ->a0
    bxu a0, 60, 8, ->a1
    CHECK a1, 0xaf
    bxs a0, 60, 4, ->a1
    CHECK a1, -1
    bis zero, 4, 8, ->a1
    CHECK a1, 0xff0
    bic a1, 4, 4, ->a1
    CHECK a1, 0xf00
    clz a1, 0, 64, ->a2
    CHECK a2, 52
    ctz a1, 0, 64, ->a2
    CHECK a2, 8
    bcnt a1, 0, 64, ->a2
    CHECK a2, 4
    li 0x01020304, ->a1
    rev a1, 0, 32, ->a2
    CHECK a2, 0x04030201
    li 0xab, ->a2
    hl.bfi zero, a2, 8, 15, ->a1
    CHECK a1, 0xab00
TEST_END
