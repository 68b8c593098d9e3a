// SPDX-License-Identifier: GPL-2.0-or-later
// Copy of 4 KiB, eight bytes a round, over and over.
.text
.globl _start
_start:
    li ROUNDS / 512, ->a4
outer:
    la source, ->a0
    la destination, ->a1
    li 512, ->a2
loop:
    C.BSTART COND, loop
    ldi [a0, 0], ->a3
    sdi a3, [a1, 0]
    addi a0, 8, ->a0
    addi a1, 8, ->a1
    subi a2, 1, ->a2
    setc.ne a2, zero
    C.BSTOP
    C.BSTART COND, outer
    subi a4, 1, ->a4
    setc.ne a4, zero
    C.BSTOP
.include "finish.inc"
.bss
.align 8
source:
    .space 4096
destination:
    .space 4096
