// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto
// A BSTART that closes an open block transfers to that block's target
// (PTO-BARG-CONTINUATION-001).
.include "test.inc"
TEST_BEGIN
    BSTART.STD DIRECT, 1f
    c.movi 7, ->s0
    C.BSTART.STD FALL
    c.movi 8, ->s0
    C.BSTOP
    FAIL
1:  CHECK s0, 7
    C.BSTART COND, 2f
    setc.eqi s0, 7
    C.BSTART.STD FALL
    FAIL
2:  CHECK s0, 7
TEST_END
