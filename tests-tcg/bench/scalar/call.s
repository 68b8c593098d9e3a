// SPDX-License-Identifier: GPL-2.0-or-later
// Call and return of a leaf function.
.text
.globl _start
_start:
    li ROUNDS, ->a2
loop:
    BSTART.CALL leaf, 1f, ->ra
    C.BSTOP
1:  C.BSTART COND, loop
    subi a2, 1, ->a2
    setc.ne a2, zero
    C.BSTOP
    C.BSTART DIRECT, finish
    C.BSTOP
leaf:
    C.BSTART.STD RET
    addi a0, 1, ->a0
    C.BSTOP
.include "finish.inc"
