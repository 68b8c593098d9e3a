// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto
// smp: 4
// A cooperative TMATMUL: four PEs share A and B, each computes and stores its
// 16 rows of the 64-row product.
HAVE_PE_MAIN = 1
.include "test.inc"
.include "tile.inc"

K = 4
N = 8

.data
.align 64
right:  .byte 1, 2, 3, 4, 5, 6, 7, 8
        .space 24
.bss
.align 64
left:   .space 64 * K
result: .space 64 * N * 4
done:   .space 32
.text
TEST_BEGIN
.ifdef RESET_ONCE
    RESET_FIRST                 // see reset-waiting.s
.endif
    la left, ->a0               // A[i][0] = i, zeros elsewhere
    c.movi 0, ->a1
1:  sbi a1, [a0, 0]
    addi a0, K, ->a0
    addi a1, 1, ->a1
    BRI lt, a1, 64, 1b

    la left, ->a0
    li K, ->a1
    BSTART.TLOAD S8
    B.DIM LB0, K
    B.DIM LB1, 64
    B.DIM LB2, K
    B.IOR a0, a1
    B.IOS mask=0001, ->S1<2>
    C.BSTOP
    la right, ->a0
    li N, ->a1
    BSTART.TLOAD S8
    B.DIM LB0, N
    B.DIM LB1, K
    B.DIM LB2, N
    B.IOR a0, a1
    B.IOS mask=0001, ->S2<1>
    C.BSTOP
    CALL product
    la done, ->a1
2:  ldi [a1, 0], ->a2
    ldi [a1, 8], ->a3
    ldi [a1, 16], ->a4
    ldi [a1, 24], ->a5
    and a2, a3, ->a2
    and a4, a5, ->a4
    and a2, a4, ->a2
    BRI eq, a2, 0, 2b

    la result, ->a0             // D[i][n] = i * (n + 1)
    c.movi 0, ->a1
3:  c.movi 1, ->a2
4:  mul a1, a2, ->a3
    lwui [a0, 0], ->a4
    CHECK_REG a3, a4
    addi a0, 4, ->a0
    addi a2, 1, ->a2
    BRI lt, a2, N + 1, 4b
    addi a1, 1, ->a1
    BRI lt, a1, 64, 3b
TEST_END

pe_main:
product:
    GETSR s0, THREAD_ID
    BSTART.TMATMUL S8
    B.FPATR None, None, 0, 0, 0, 0, 0, 0, 0, 0
    B.DIM LB0, 64
    B.DIM LB1, N
    B.DIM LB2, K
    B.IOS S1, mask=1111
    B.IOS S2, mask=1111
    B.IOT mask=1111, ->M<3>, last
    C.BSTOP
    la result, ->a0
    slli s0, 9, ->a1            // 16 rows of 32 bytes
    add a0, a1, ->a0
    li N * 4, ->a1
    // a product's tile belongs to its own PE only
    BRI eq, s0, 1, 1f
    BRI eq, s0, 2, 2f
    BRI eq, s0, 3, 3f
    CUBE_STORE S32, M162ND, M#1, 16, N, a0, a1, 0001
    GOTO 4f
1:  CUBE_STORE S32, M162ND, M#1, 16, N, a0, a1, 0010
    GOTO 4f
2:  CUBE_STORE S32, M162ND, M#1, 16, N, a0, a1, 0100
    GOTO 4f
3:  CUBE_STORE S32, M162ND, M#1, 16, N, a0, a1, 1000
4:
    la done, ->a0
    add a0, s0<<3, ->a0
    c.movi 1, ->a1
    sdi a1, [a0, 0]
    RETURN
