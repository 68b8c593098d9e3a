// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto pto-ref
// System registers in SYS blocks.
.include "test.inc"
TEST_BEGIN
    li 0x1234, ->a0
    SETSR THREAD_PTR, a0
    GETSR a1, THREAD_PTR
    CHECK a1, 0x1234
    GETSR a1, THREAD_ID
    CHECK a1, 0
    C.BSTART.SYS FALL
    c.movi 7, ->a0
    ssrswap a0, ETEMP, ->a1
    ssrget ETEMP, ->a2
    C.BSTOP
    CHECK a2, 7
    GETSR a0, CYCLE
    GETSR a1, CYCLE
    cmp.ltu a0, a1, ->a2
    CHECK a2, 1
    GETSR a0, TILE_CAPACITY
    CHECK a0, 262144
TEST_END
