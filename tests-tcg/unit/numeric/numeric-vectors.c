/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Run numeric vectors (JSON Lines on standard input or in files) on the
 * numeric engine.
 */
#include "case-main.h"

static NumericChecker *const checkers[] = {
    check_element_op,
    check_conversion_op,
    check_sequence_op,
    check_scalar_op,
};

static bool check_case(NumericCase *c, const char *op, void *opaque)
{
    (void)opaque;
    for (size_t i = 0; i < ARRAY_SIZE(checkers); i++) {
        if (checkers[i](c, op)) {
            return true;
        }
    }
    return false;
}

int main(int argc, char **argv)
{
    return case_main(argc, argv, check_case, NULL);
}
