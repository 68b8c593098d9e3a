// SPDX-License-Identifier: GPL-2.0-or-later
// Start-up: first file of a program. Each PE gets a stack; PE 0 calls main
// with the device tree in a0 and its result is the exit status. The other PEs
// call pe_main with their number in a0 where the program says HAVE_PE_MAIN = 1
// before it includes this file; otherwise they stop.
.include "pto.inc"

.ifndef STACK_SIZE
STACK_SIZE = 16384
.endif
MAX_PES    = 16

.text
.globl _start
_start:
    la trap_entry, ->x0
    SETSR EVBASE, x0
    la stacks + STACK_SIZE, ->sp
    li STACK_SIZE, ->x0
    mul a0, x0, ->x0
    add sp, x0, ->sp
    BRI ne, a0, 0, secondary
    mv a1, ->a0
    CALL main
    GOTO exit

secondary:
.ifdef HAVE_PE_MAIN
    CALL pe_main
.endif
parked:
    C.BSTART.SYS FALL
    bwi zero
    C.BSTOP
    GOTO parked

// exit: leave QEMU with status a0
.globl exit
exit:
    li FINISHER, ->x1
    BRI ne, a0, 0, 1f
    li 0x5555, ->x0
    GOTO 2f
1:  slli a0, 16, ->x0
    li 0x3333, ->x2
    or x0, x2, ->x0
2:  swi x0, [x1, 0]
    GOTO exit

// A trap that no test expects. The interrupted block is still open here, so
// nothing below starts one: a loop without a block is a selected address.
.align 4
.globl trap_entry
trap_entry:
    la trap_text, ->a0
    li UART, ->a1
    la 1f, ->a2
    la 2f, ->a3
1:  lbui [a0, 0], ->a4
    sbi a4, [a1, 0]
    addi a0, 1, ->a0
    csel a4, a2, a3, ->a5
    jr a5, 0
2:  li 0x3333 | 127 << 16, ->a0
    li FINISHER, ->a1
    swi a0, [a1, 0]
3:  j 3b

.rodata
trap_text:
    .asciz "unexpected trap\n"
.bss
.align 16
stacks:
    .space STACK_SIZE * MAX_PES
.text
