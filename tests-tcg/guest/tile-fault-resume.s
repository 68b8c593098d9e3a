// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto
// TLOAD and TSTORE that fault at their row k, MGATHER and MSCATTER at the lane
// that begins row k, for every k: nothing was written or loaded, the handler
// moves the base address and ACRE completes the block.
.include "test.inc"
.include "tile.inc"

RAM_END = 0x80000000 + (128 << 20)
ROWS    = 8
COLS    = 8
STRIDE  = 32

.bss
.align 64
good: .space ROWS * STRIDE
copy: .space ROWS * STRIDE
where: .space ROWS * STRIDE
.text
// The copy equals the source.
.macro SAME
    la good, ->a2
    la copy, ->a3
    li ROWS * STRIDE / 8, ->a4
.Lsame\@:
    ldi [a2, 0], ->a5
    ldi [a3, 0], ->a6
    CHECK_REG a5, a6
    addi a2, 8, ->a2
    addi a3, 8, ->a3
    subi a4, 1, ->a4
    BRI ne, a4, 0, .Lsame\@
.endm

TEST_BEGIN
    la handler, ->x0
    SETSR EVBASE, x0
    la good, ->a0               // word i is i + 1
    c.movi 1, ->a1
1:  swi a1, [a0, 0]
    addi a0, 4, ->a0
    addi a1, 1, ->a1
    BRI lt, a1, ROWS * COLS + 1, 1b
    la where, ->a0              // lane i is at byte 4 * i
    c.movi 0, ->a1
6:  swi a1, [a0, 0]
    addi a0, 4, ->a0
    addi a1, 4, ->a1
    BRI lt, a1, ROWS * STRIDE, 6b
    c.movi 0, ->s0              // k: rows that are inside memory
loop:
    // load: T#1 is the tile that the fault must not have changed
    la good, ->a0
    li STRIDE, ->a1
    TILE_LOAD S32, T, 2, ROWS, COLS, a0, a1
    CALL edge
    c.movi 0, ->s1
    la good, ->s2               // where the handler moves the base to
    TILE_LOAD S32, U, 2, ROWS, COLS, a0, a1
    CHECK s1, 1
    CHECK s3, 35                // data page fault
    la copy, ->s2
    CALL clear
    CALL edge
    c.movi 0, ->s1
    TILE_STORE S32, U#1, ROWS, COLS, a0, a1
    CHECK s1, 1
    CHECK s3, 35
    SAME
    CALL clear
    la where, ->a0
    TILE_LOAD S32, N, 2, ROWS, COLS, a0, a1
    CALL edge
    c.movi 0, ->s1
    la good, ->s2
    BSTART.MGATHER S32
    B.DIM LB0, COLS
    B.DIM LB1, ROWS
    B.DIM LB2, COLS
    B.IOR a0
    B.IOT N#1, mask=1111, ->M<2>, last
    C.BSTOP
    CHECK s1, 1
    CHECK s3, 35
    CALL edge
    c.movi 0, ->s1
    la copy, ->s2
    BSTART.MSCATTER S32
    B.DIM LB0, COLS
    B.DIM LB1, ROWS
    B.DIM LB2, COLS
    B.IOR a0
    B.IOT M#1, N#1, mask=1111, last
    C.BSTOP
    CHECK s1, 1
    CHECK s3, 35
    SAME
    addi s0, 1, ->s0
    BRI lt, s0, ROWS, loop
TEST_END

// a0: k rows below the end of memory, which are zero
edge:
    li RAM_END, ->a0
    slli s0, 5, ->a2
    sub a0, a2, ->a0
    mv a0, ->s4
    li STRIDE, ->a1
    RETURN

clear:
    la copy, ->a2
    li ROWS * STRIDE / 8, ->a3
1:  sdi zero, [a2, 0]
    addi a2, 8, ->a2
    subi a3, 1, ->a3
    BRI ne, a3, 0, 1b
    RETURN

.align 4
handler:
    C.BSTART.SYS FALL
    ssrget TRAPNO, ->s3
    bxu s3, 0, 6, ->s3
    addi s1, 1, ->s1
    mv s2, ->a0
    C.BSTOP
    // rows that lie inside memory must not have been stored
    li RAM_END, ->x3
3:  BR geu, s4, x3, 4f
    ldi [s4, 0], ->x2
    BRI ne, x2, 0, 5f
    addi s4, 8, ->s4
    GOTO 3b
5:  li 99, ->s3
4:  C.BSTART.SYS FALL
    acre 0
    C.BSTOP
