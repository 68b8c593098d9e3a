// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto
// smp: 4
// accel: multi single icount
// Three PEs wait in a cooperative product when PE 0 resets the machine; after
// the reset the same product completes.
RESET_ONCE = 1
KEPT = 0x87000000               // a reset leaves this memory as it is

.macro RESET_FIRST
    li KEPT, ->a0
    ldi [a0, 0], ->a1
    li 0x12345678, ->a2
    BR eq, a1, a2, .Lsecond
    sdi a2, [a0, 0]
    li 200000, ->a3             // the others come to wait
.Lpause:
    subi a3, 1, ->a3
    BRI ne, a3, 0, .Lpause
    li 0x7777, ->x0
    li FINISHER, ->x1
    swi x0, [x1, 0]
.Lstopping:
    GOTO .Lstopping
.Lsecond:
.endm

.include "../guest/cooperative.s"
