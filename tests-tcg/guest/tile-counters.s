// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto
// smp: 2
// The counters of the tile unit, seen by the PE that did the work and by the
// other one; the pool of each PE is its own.
HAVE_PE_MAIN = 1
.include "test.inc"
.include "tile.inc"

.macro CHECK_UNIT offset, value
    li TILE_UNIT + \offset, ->x1
    ldi [x1, 0], ->x1
    CHECK x1, \value
.endm

.data
.align 64
left:  .word 0x3f800000, 0x40000000, 0x40400000, 0x40800000
       .word 0x3f800000, 0x40000000, 0x40400000, 0x40800000
.bss
.align 64
result: .space 64
ready:  .space 16
.text
TEST_BEGIN
    li TILE_UNIT, ->a1
    lwui [a1, 4], ->a2          // version of the map
    CHECK a2, 2
1:  la ready, ->a1              // PE 1 has a tile of 256 bytes
    ldi [a1, 0], ->a2
    BRI eq, a2, 0, 1b

    la left, ->a0
    la result, ->a2
    li 16, ->a3
    TILE_LOAD FP32, T, 1, 2, 4, a0, a3
    BSTART.VEC TADD, FP32
    B.DIM LB0, 4
    B.DIM LB1, 2
    B.IOT T#1, T#1, mask=1111, ->M<1>, last
    C.BSTOP
    TILE_STORE FP32, M#1, 2, 4, a2, a3
    BSTART.TLOAD FP32
    B.DIM LB0, 4
    B.DIM LB1, 2
    B.DIM LB2, 4
    B.IOR a0, a3
    B.IOS mask=0001, ->S3<1>
    C.BSTOP
    CHECK_WORD result + 4, 0x40800000

    CHECK_UNIT 0x40, 4          // operations
    CHECK_UNIT 0x48, 64         // loaded
    CHECK_UNIT 0x50, 32         // stored
    CHECK_UNIT 0x58, 8          // floating operations
    CHECK_UNIT 0xc0, 1          // VEC
    CHECK_UNIT 0xc8, 0          // SFU
    CHECK_UNIT 0xd0, 3          // TLSU
    CHECK_UNIT 0xd8, 0          // CUBE
    CHECK_UNIT 0xe0, 0          // gathered
    CHECK_UNIT 0xf0, 0          // read from Shared
    CHECK_UNIT 0xf8, 128        // written to Shared
    li TILE_UNIT + 0x60, ->a1
    lwui [a1, 0], ->a2
    CHECK a2, 256               // two tiles of 128 bytes
    lwui [a1, 4], ->a2
    CHECK a2, 128               // S3

    li TILE_UNIT + TU_SELECT, ->a1
    li 1, ->a2
    swi a2, [a1, 0]
    CHECK_UNIT 0x40, 1
    li TILE_UNIT + 0x60, ->a1
    lwui [a1, 0], ->a2
    CHECK a2, 256               // the tile of PE 1
TEST_END

pe_main:
    la left, ->a0
    li 16, ->a3
    TILE_LOAD FP32, T, 2, 2, 4, a0, a3
    la ready, ->a1
    li 1, ->a2
    sdi a2, [a1, 0]
2:  j 2b
