/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The main loop of the programs that run numeric vectors.
 */
#ifndef PTO_NUMERIC_CASE_MAIN_H
#define PTO_NUMERIC_CASE_MAIN_H

#include "case.h"

/* Check one case of operation @op. Returns: false for an unknown operation. */
typedef bool CaseChecker(NumericCase *c, const char *op, void *opaque);

/**
 * case_main: run all cases (JSON Lines) of the files named by the arguments, or
 * of standard input.
 *
 * With the first argument --verdicts there is a line "verdict LINE passed",
 * "failed" or "skipped" behind the differences of each case. The last line
 * counts the cases; a case is skipped when @check does not know its operation.
 *
 * Returns: the exit status, 0 when nothing failed.
 */
int case_main(int argc, char **argv, CaseChecker *check, void *opaque);

#endif
