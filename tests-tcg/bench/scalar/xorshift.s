// SPDX-License-Identifier: GPL-2.0-or-later
// 64-bit xorshift: seven ALU operations and one conditional block a round.
.text
.globl _start
_start:
    li ROUNDS, ->a2
    li 88172645463325252, ->a0
loop:
    C.BSTART COND, loop
    slli a0, 13, ->a1
    xor a0, a1, ->a0
    srli a0, 7, ->a1
    xor a0, a1, ->a0
    slli a0, 17, ->a1
    xor a0, a1, ->a0
    subi a2, 1, ->a2
    setc.ne a2, zero
    C.BSTOP
.include "finish.inc"
