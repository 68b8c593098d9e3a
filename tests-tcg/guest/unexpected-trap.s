// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto pto-ref
// expect: unexpected trap
// status: 127
// The start-up code's trap vector reports a trap and leaves.
.include "crt0.s"
main:
    .word 0x00000003
    RETURN
