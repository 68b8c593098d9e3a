// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto pto-ref
// Transfers of blocks that end by BSTOP.
.include "test.inc"
TEST_BEGIN
    c.movi 0, ->s0
    C.BSTART.STD FALL           // goes on behind the block
    addi s0, 1, ->s0
    C.BSTOP
    CHECK s0, 1

    C.BSTART COND, 1f           // condition holds
    setc.eqi s0, 1
    C.BSTOP
    FAIL
1:  C.BSTART COND, 1f           // condition does not hold
    setc.eqi s0, 2
    C.BSTOP
    addi s0, 1, ->s0
1:  CHECK s0, 2

    C.BSTART COND, 1f           // no condition set: not taken
    addi s0, 1, ->s0
    C.BSTOP
    GOTO 2f
1:  FAIL
2:  CHECK s0, 3

    BSTART.STD DIRECT, 1f       // the body runs before the transfer
    addi s0, 1, ->s0
    BSTOP
    FAIL
1:  CHECK s0, 4

    BSTART.CALL 1f, 2f, ->ra    // fused call
    addi s0, 1, ->s0
    C.BSTOP
    FAIL
2:  GOTO 3f
1:  CHECK s0, 5
    C.BSTART.STD RET
    C.BSTOP
    FAIL
3:  c.movi 0, ->a0              // a loop
    C.BSTART.STD FALL
    c.movi 10, ->a1
    C.BSTOP
4:  C.BSTART COND, 4b
    add a0, a1, ->a0
    subi a1, 1, ->a1
    setc.ne a1, zero
    C.BSTOP
    CHECK a0, 55
    la 5f, ->a2                 // indirect
    C.BSTART.STD FALL
    c.setc.tgt a2
    C.BSTART.STD IND
    C.BSTOP
    FAIL
5:  CALL leaf
    CHECK a0, 77
TEST_END
leaf:
    li 77, ->a0
    RETURN
