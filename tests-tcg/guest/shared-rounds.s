// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto
// smp: 4
// accel: multi single icount
// PE 0 loads 64 Shared tiles one after the other; all four PEs wait for each,
// copy it, compute on it and store the result. Nobody is told when to start.
HAVE_PE_MAIN = 1
.include "test.inc"
.include "tile.inc"

ROUNDS = 64
ROWS   = 4
COLS   = 8
BYTES  = ROWS * COLS * 4

.bss
.align 64
source: .space BYTES * ROUNDS
result: .space BYTES * ROUNDS * 4
done:   .space 64
.text
TEST_BEGIN
    la source, ->a0             // word i is i * i
    c.movi 0, ->a1
1:  mul a1, a1, ->a2
    swi a2, [a0, 0]
    addi a0, 4, ->a0
    addi a1, 1, ->a1
    li BYTES * ROUNDS / 4, ->a3
    BR lt, a1, a3, 1b
    CALL rounds0
2:  la done, ->a1               // all four
    ldi [a1, 8], ->a2
    ldi [a1, 16], ->a3
    ldi [a1, 24], ->a4
    and a2, a3, ->a2
    and a2, a4, ->a2
    BRI eq, a2, 0, 2b
    la result, ->a0             // PE p has p + 2 times the word
    c.movi 0, ->s0
    c.movi 0, ->s3              // of everything that was stored
3:  c.movi 0, ->s1
4:  mul s1, s1, ->a2
    addi s0, 2, ->a3
    mul a2, a3, ->a2
    addw a2, zero, ->a2
    lwi [a0, 0], ->a4
    CHECK_REG a2, a4
    slli s3, 5, ->a5
    sub a5, s3, ->s3
    add s3, a4, ->s3
    addi a0, 4, ->a0
    addi s1, 1, ->s1
    li BYTES * ROUNDS / 4, ->a3
    BR lt, s1, a3, 4b
    addi s0, 1, ->s0
    BRI lt, s0, 4, 3b
    PRINT "sum of the results "
    mv s3, ->a0
    li 16, ->a1
    CALL print_hex
    PRINT "\n"
TEST_END

// Store p + 2 times Shared tile n, unrolled over n because the number of a
// Shared tile stands in the instruction.
.macro TAKE n, pe, mask
    BSTART.TMOV S32
    B.IOS S\n, mask=\mask
    B.IOT mask=\mask, ->T<1>, last
    C.BSTOP
    BSTART.VEC TADD, S32
    B.DIM LB0, COLS
    B.DIM LB1, ROWS
    B.DIM LB2, COLS
    B.IOT T#1, T#1, mask=\mask, ->U<1>, last
    C.BSTOP
.rept \pe
    BSTART.VEC TADD, S32
    B.DIM LB0, COLS
    B.DIM LB1, ROWS
    B.DIM LB2, COLS
    B.IOT U#1, T#1, mask=\mask, ->U<1>, last
    C.BSTOP
.endr
    TILE_STORE S32, U#1, ROWS, COLS, s1, s2, \mask
    addi s1, BYTES, ->s1
.endm

.macro GIVE n
    li 40000 * (\n & 7), ->a0     // let the others come to wait
.Lpause\@:
    subi a0, 1, ->a0
    BRI ge, a0, 0, .Lpause\@
    BSTART.TLOAD S32
    B.DIM LB0, COLS
    B.DIM LB1, ROWS
    B.DIM LB2, COLS
    B.IOR s0, s2
    B.IOS mask=0001, ->S\n<1>
    C.BSTOP
    addi s0, BYTES, ->s0
.endm

.macro STEP pe, mask, n
.if \pe == 0
    GIVE \n
.endif
    TAKE \n, \pe, \mask
.endm

.macro STEPS pe, mask, tens
    STEP \pe, \mask, \tens\()0
    STEP \pe, \mask, \tens\()1
    STEP \pe, \mask, \tens\()2
    STEP \pe, \mask, \tens\()3
    STEP \pe, \mask, \tens\()4
    STEP \pe, \mask, \tens\()5
    STEP \pe, \mask, \tens\()6
    STEP \pe, \mask, \tens\()7
    STEP \pe, \mask, \tens\()8
    STEP \pe, \mask, \tens\()9
.endm

.macro ROUNDS_OF pe, mask
    la source, ->s0
    la result + \pe * BYTES * ROUNDS, ->s1
    li COLS * 4, ->s2
    STEP \pe, \mask, 0
    STEP \pe, \mask, 1
    STEP \pe, \mask, 2
    STEP \pe, \mask, 3
    STEP \pe, \mask, 4
    STEP \pe, \mask, 5
    STEP \pe, \mask, 6
    STEP \pe, \mask, 7
    STEP \pe, \mask, 8
    STEP \pe, \mask, 9
    STEPS \pe, \mask, 1
    STEPS \pe, \mask, 2
    STEPS \pe, \mask, 3
    STEPS \pe, \mask, 4
    STEPS \pe, \mask, 5
    STEP \pe, \mask, 60
    STEP \pe, \mask, 61
    STEP \pe, \mask, 62
    STEP \pe, \mask, 63
    la done + 8 * \pe, ->a0
    li -1, ->a1
    sdi a1, [a0, 0]
    RETURN
.endm

pe_main:
    GETSR a0, THREAD_ID
    BRI eq, a0, 1, rounds1
    BRI eq, a0, 2, rounds2
    GOTO rounds3
rounds0:
    ROUNDS_OF 0, 0001
rounds1:
    ROUNDS_OF 1, 0010
rounds2:
    ROUNDS_OF 2, 0100
rounds3:
    ROUNDS_OF 3, 1000
