// SPDX-License-Identifier: GPL-2.0-or-later
// cpu: pto pto-ref
// expect: numbers 0 18446744073709551615 0x0badcafe
// The UART and the number printers of the library.
.include "test.inc"
TEST_BEGIN
    PRINT "numbers "
    li 0, ->a0
    CALL print_dec
    PRINT " "
    li -1, ->a0
    CALL print_dec
    PRINT " "
    li 0x0badcafe, ->a0
    c.movi 8, ->a1
    CALL print_hex
    PRINT "\n"
TEST_END
