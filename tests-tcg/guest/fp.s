// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto
// IEEE arithmetic of the scalar unit.
.include "test.inc"
.data
.align 8
one: .double 1.5, 2.25
two: .float 3.0, 0.1
.text
TEST_BEGIN
    la one, ->s0
    ldi [s0, 0], ->a0
    ldi [s0, 8], ->a1
    fadd.fd a0, a1, ->a2
    CHECK a2, 0x400e000000000000
    fmul.fd a0, a1, ->a2
    CHECK a2, 0x400b000000000000
    fmadd.fd a0, a1, a0, ->a2
    CHECK a2, 0x4013800000000000
    fsqrt.fd a1, ->a2
    CHECK a2, 0x3ff8000000000000
    fcvtz.fd2sd a1, ->a2
    CHECK a2, 2
    li -3, ->a3
    scvtf.sd2fd a3, ->a2
    CHECK a2, 0xc008000000000000
    flt.fd a0, a1, ->a2
    CHECK a2, 1
    lwui [s0, 16], ->a0
    lwui [s0, 20], ->a1
    fdiv.fs a1, a0, ->a2
    CHECK a2, 0x3d088889
    fcvt.fs2fd a0, ->a2
    CHECK a2, 0x4008000000000000
TEST_END
