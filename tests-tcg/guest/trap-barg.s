// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto pto-ref
// BARG words in a trap: of a fault in the first instruction of a body, and
// around a block that the handler gives up (EBARG0 written without ACTIVE).
.include "test.inc"
TEST_BEGIN
    la handler, ->x0
    SETSR EVBASE, x0
    li -1, ->s4                 // mask of EBARG0
    la 1f, ->s2
    la 2f, ->s3
1:  BSTART COND, 2f
    .word 0x00000003
    addi s5, 1, ->s5
    C.BSTOP
2:  CHECK_REG s0, s2            // BPC: the BSTART itself
    CHECK_REG s1, s3            // BPCN
    CHECK s5, 1                 // the block went on

    li -97, ->s4                // ACTIVE and BODY off
    BSTART.STD FALL
    B.DIM LB0, 4
    .word 0x00000003
    li -1, ->s4
    BSTART.STD FALL             // an empty header again
    B.DIM LB0, 4
    addi s5, 1, ->s5
    C.BSTOP
    CHECK s5, 2
    .word 0x00000003            // no block: no words of any block
    CHECK s0, 0
    CHECK s1, 0
    CHECK s6, 3                 // traps, none by a second B.DIM
TEST_END
.align 4
handler:
    C.BSTART.SYS FALL
    ssrget EBARG_TPC, ->x0
    addi x0, 4, ->x0
    ssrset x0, EBARG_TPC
    ssrget EBARG_BPC_CUR, ->s0
    ssrget EBARG_BPC_TGT, ->s1
    ssrget EBARG0, ->x0
    and x0, s4, ->x0
    ssrset x0, EBARG0
    addi s6, 1, ->s6
    acre 0
    C.BSTOP
