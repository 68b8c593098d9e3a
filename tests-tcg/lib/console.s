// SPDX-License-Identifier: GPL-2.0-or-later
// Text on the UART. Functions change a0-a7 and x0-x3 only.

// putc: the character in a0
putc:
    li UART, ->x0
1:  lbui [x0, 5], ->a7          // line status: transmitter empty
    andi a7, 0x20, ->a7
    BRI eq, a7, 0, 1b
    sbi a0, [x0, 0]
    RETURN

// puts: the zero-terminated text at a0
puts:
    li UART, ->x0
1:  lbui [a0, 0], ->a6
    BRI eq, a6, 0, 3f
2:  lbui [x0, 5], ->a7
    andi a7, 0x20, ->a7
    BRI eq, a7, 0, 2b
    sbi a6, [x0, 0]
    addi a0, 1, ->a0
    GOTO 1b
3:  RETURN

// print_dec: a0 as an unsigned decimal number
print_dec:
    la digits_end, ->a1
    sbi zero, [a1, 0]
    li 10, ->a2
1:  remu a0, a2, ->a3
    divu a0, a2, ->a0
    addi a3, '0', ->a3
    subi a1, 1, ->a1
    sbi a3, [a1, 0]
    BRI ne, a0, 0, 1b
    mv a1, ->a0
    GOTO puts

// print_hex: a0 as 0x and a1 digits
print_hex:
    la digits_end, ->a2
    sbi zero, [a2, 0]
    la hex_digits, ->a5
1:  andi a0, 15, ->a3
    lbu [a5, a3], ->a3
    subi a2, 1, ->a2
    sbi a3, [a2, 0]
    srli a0, 4, ->a0
    subi a1, 1, ->a1
    BRI ne, a1, 0, 1b
    li 'x', ->a3
    subi a2, 1, ->a2
    sbi a3, [a2, 0]
    li '0', ->a3
    subi a2, 1, ->a2
    sbi a3, [a2, 0]
    mv a2, ->a0
    GOTO puts

.rodata
hex_digits:
    .ascii "0123456789abcdef"
.bss
    .space 31
digits_end:
    .space 1
.text
