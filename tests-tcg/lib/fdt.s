// SPDX-License-Identifier: GPL-2.0-or-later
// What the flattened device tree at a0 says: fdt_read sets fdt_memory (bytes
// of the first memory node) and fdt_pes (cpu nodes).

FDT_BEGIN = 1
FDT_END_NODE = 2
FDT_PROP = 3
FDT_NOP = 4

// a0 = the big-endian word at a1, and a1 moves behind it
.macro NEXT_WORD
    lwui [a1, 0], ->a0
    addi a1, 4, ->a1
    rev a0, 0, 32, ->a0
.endm

.macro ALIGN_A1
    addi a1, 3, ->a1
    andi a1, -4, ->a1
.endm

fdt_read:
    mv a0, ->a2
    addi a2, 8, ->a1
    NEXT_WORD                   // offset of the structure
    mv a0, ->a3
    NEXT_WORD                   // offset of the strings
    add a0, a2, ->a4
    add a3, a2, ->a1
    c.movi 0, ->a5              // memory seen
    c.movi 0, ->a6              // PEs seen
    c.movi 0, ->a7              // inside the memory node
1:  NEXT_WORD
    BRI eq, a0, FDT_BEGIN, 2f
    BRI eq, a0, FDT_PROP, 4f
    BRI eq, a0, FDT_NOP, 1b
    c.movi 0, ->a7
    BRI eq, a0, FDT_END_NODE, 1b
    la fdt_memory, ->x0
    sdi a5, [x0, 0]
    sdi a6, [x0, 8]
    RETURN

2:  lwui.u [a1, 0], ->x0        // the first four letters of the name
    li 'm' | 'e' << 8 | 'm' << 16 | 'o' << 24, ->x1
    cmp.eq x0, x1, ->a7
    li 'c' | 'p' << 8 | 'u' << 16 | '@' << 24, ->x1
    cmp.eq x0, x1, ->x0
    add a6, x0, ->a6
3:  lbui [a1, 0], ->x0
    addi a1, 1, ->a1
    BRI ne, x0, 0, 3b
    ALIGN_A1
    GOTO 1b

4:  NEXT_WORD                   // length of the value
    mv a0, ->a3
    NEXT_WORD                   // offset of the name
    add a0, a4, ->a0
    lbui [a0, 0], ->x0          // names of properties are not aligned
    lbui [a0, 1], ->x1
    lbui [a0, 2], ->x2
    lbui [a0, 3], ->x3
    or x0, x1<<8, ->a0
    or a0, x2<<16, ->a0
    or a0, x3<<24, ->a0
    li 'r' | 'e' << 8 | 'g' << 16, ->x0
    cmp.eq a0, x0, ->x0
    and x0, a7, ->x0
    BRI eq, x0, 0, 5f
    lwui [a1, 8], ->a5          // size: the second 64-bit cell pair
    lwui [a1, 12], ->x1
    rev a5, 0, 32, ->a5
    rev x1, 0, 32, ->x1
    slli a5, 32, ->a5
    or a5, x1, ->a5
5:  add a1, a3, ->a1
    ALIGN_A1
    GOTO 1b

.bss
.align 8
fdt_memory:
    .space 8
fdt_pes:
    .space 8
.text
