// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto
// smp: 4
// Every PE runs, on its own stack, and knows its number.
HAVE_PE_MAIN = 1
.include "test.inc"
.bss
.align 64
seen: .space 32
.text
TEST_BEGIN
1:  la seen, ->a1
    ldi [a1, 8], ->a2
    ldi [a1, 16], ->a3
    ldi [a1, 24], ->a4
    and a2, a3, ->a2
    and a2, a4, ->a2
    BRI eq, a2, 0, 1b
    CHECK_WORD seen + 8, 1 | 0x10
    CHECK_WORD seen + 16, 2 | 0x10
    CHECK_WORD seen + 24, 3 | 0x10
TEST_END
pe_main:
    GETSR a1, THREAD_ID
    la seen, ->a2
    slli a1, 3, ->a3
    add a2, a3, ->a2
    ori a1, 0x10, ->a1
    sdi a1, [a2, 0]
    RETURN
