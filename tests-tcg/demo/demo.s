// SPDX-License-Identifier: GPL-2.0-or-later
// Demo: C = A x B for 64 x 64 FP32 matrices in memory, as 32 x 32 tiles on the
// matrix unit; every element is checked, bit for bit, against a scalar chain of
// fused multiply-adds. Exit status 0 if all agree.
.include "crt0.s"
.include "tile.inc"

N      = 64                     // rows and columns
TILE   = 32
ROW    = N * 4                  // bytes of a row
SIZE   = 6                      // size code of a 4 KiB tile

.text
main:
    mv ra, ->s7
    CALL fdt_read
    CALL banner
    GETSR s5, CYCLE
    CALL fill
    CALL multiply
    CALL verify
    mv a0, ->s4
    CALL report
    mv s4, ->a0
    RETURN s7

banner:
    mv ra, ->s0
    PRINT "PTO ISA "
    li TILE_UNIT, ->s1
    lwui [s1, TU_ISA], ->s2
    srli s2, 16, ->a0
    CALL print_dec
    PRINT "."
    bxu s2, 8, 8, ->a0
    CALL print_dec
    PRINT "."
    andi s2, 255, ->a0
    CALL print_dec
    PRINT ", "
    la fdt_pes, ->a0
    ldi [a0, 0], ->a0
    CALL print_dec
    PRINT " PE, RAM "
    la fdt_memory, ->a0
    ldi [a0, 0], ->a0
    srli a0, 20, ->a0
    CALL print_dec
    PRINT " MiB\n64x64 FP32 product, 32x32 tiles: TLOAD TMATMUL TSTORE\n"
    RETURN s0

// Numbers -8..8 in steps of 2^-12, from a linear congruential generator
fill:
    la matrix_a, ->a0
    li 2 * N * N, ->a1
    li 12345, ->a2
    li 1103515245, ->a3
    li 0x39800000, ->a4         // 2^-12
1:  mul a2, a3, ->a2
    addi a2, 1013, ->a2
    bxs a2, 16, 16, ->a5
    scvtf.sw2fs a5, ->a5
    fmul.fs a5, a4, ->a5
    swi a5, [a0, 0]
    addi a0, 4, ->a0
    subi a1, 1, ->a1
    BRI ne, a1, 0, 1b
    RETURN

// Tile (row a3, column a4) of a matrix at a2: address in a5
.macro TILE_AT base, row, column
    la \base, ->a5
    slli \row, 13, ->a6         // 32 rows of 256 bytes
    add a5, a6, ->a5
    slli \column, 7, ->a6       // 32 columns of 4 bytes
    add a5, a6, ->a5
.endm

multiply:
    li ROW, ->a0
    c.movi 0, ->a1              // tile row
1:  c.movi 0, ->a2              // tile column
2:  c.movi 0, ->a3
    TILE_AT matrix_a, a1, a3
    CUBE_LOAD FP32, ND2M32, T, SIZE, TILE, TILE, a5, a0
    TILE_AT matrix_b, a3, a2
    CUBE_LOAD FP32, ND2N8, U, SIZE, TILE, TILE, a5, a0
    MATMUL FP32, T#1, U#1, M, SIZE, TILE, TILE, TILE
    c.movi 1, ->a3
    TILE_AT matrix_a, a1, a3
    CUBE_LOAD FP32, ND2M32, T, SIZE, TILE, TILE, a5, a0
    TILE_AT matrix_b, a3, a2
    CUBE_LOAD FP32, ND2N8, U, SIZE, TILE, TILE, a5, a0
    MATMUL_ACC FP32, M#1, T#1, U#1, N, SIZE, TILE, TILE, TILE
    TILE_AT matrix_c, a1, a2
    CUBE_STORE FP32, M322ND, N#1, TILE, TILE, a5, a0
    addi a2, 1, ->a2
    BRI lt, a2, 2, 2b
    addi a1, 1, ->a1
    BRI lt, a1, 2, 1b
    RETURN

// a0 = elements that differ from the scalar product, checksum in s6
verify:
    c.movi 0, ->s6
    c.movi 0, ->a0
    c.movi 0, ->a1              // row
1:  c.movi 0, ->a2              // column
2:  la matrix_a, ->a3
    slli a1, 8, ->a4
    add a3, a4, ->a3
    la matrix_b, ->a4
    add a4, a2<<2, ->a4
    c.movi 0, ->a5
    li N, ->a6
3:  lwui [a3, 0], ->x0
    lwui [a4, 0], ->x1
    fmadd.fs x0, x1, a5, ->a5
    addi a3, 4, ->a3
    addi a4, ROW, ->a4
    subi a6, 1, ->a6
    BRI ne, a6, 0, 3b
    la matrix_c, ->a3
    slli a1, 8, ->a4
    add a3, a4, ->a3
    add a3, a2<<2, ->a3
    lwui [a3, 0], ->a3
    cmp.ne a3, a5, ->x0
    add a0, x0, ->a0
    bxu s6, 31, 32, ->x0        // checksum: rotate left by one, exclusive or
    slli s6, 1, ->s6
    bxu x0, 0, 1, ->x0
    or s6, x0, ->s6
    xor s6, a3, ->s6
    bxu s6, 0, 32, ->s6
    addi a2, 1, ->a2
    BRI lt, a2, N, 2b
    addi a1, 1, ->a1
    BRI lt, a1, N, 1b
    BRI eq, a0, 0, 4f
    c.movi 1, ->a0
4:  RETURN

report:
    mv ra, ->s0
    GETSR s1, CYCLE
    BRI ne, s4, 0, 1f
    PRINT "all 4096 elements equal the scalar result\n"
    GOTO 2f
1:  PRINT "MISMATCH with the scalar result\n"
2:  PRINT "checksum "
    mv s6, ->a0
    c.movi 8, ->a1
    CALL print_hex
    PRINT "\ninstructions "
    sub s1, s5, ->a0
    CALL print_dec
    PRINT ", tile operations "
    li TILE_UNIT, ->s1
    ldi [s1, TU_OPS], ->a0
    CALL print_dec
    PRINT ", arithmetic in tiles "
    ldi [s1, TU_FLOPS], ->a0
    CALL print_dec
    PRINT "\n"
    RETURN s0

.include "console.s"
.include "fdt.s"

.bss
.align 64
matrix_a:
    .space N * ROW
matrix_b:
    .space N * ROW
matrix_c:
    .space N * ROW
