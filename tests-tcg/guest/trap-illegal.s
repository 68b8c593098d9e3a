// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto pto-ref
// A reserved encoding traps to EVBASE.
.include "test.inc"
TEST_BEGIN
    EXPECT_TRAP
    .word 0x00000003            // reserved B.TEXT
    FAIL
TEST_END
