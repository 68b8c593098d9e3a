// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto pto-ref
// status: 3
// The finisher hands the program's status to the caller of QEMU.
.include "crt0.s"
main:
    c.movi 3, ->a0
    RETURN
