// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto pto-ref
// A block that names tiles which do not exist faults at its end.
.include "test.inc"
TEST_BEGIN
    EXPECT_TRAP
    BSTART.VEC TADD, FP32
    B.DIM LB0, 8
    B.DIM LB1, 8
    B.IOT T#1, U#1, mask=1111, ->M<2>, last
    C.BSTOP
    FAIL
TEST_END
