/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Run numeric vectors (JSON Lines on standard input or in files) on the
 * numeric engine.  The last line counts passed, failed and skipped cases; a
 * case is skipped when no checker knows its operation.
 */
#include "case.h"

static NumericChecker *const checkers[] = {
    check_element_op,
    check_conversion_op,
    check_sequence_op,
    check_scalar_op,
};

typedef struct Totals {
    size_t passed, failed, skipped;
    size_t report_limit;
} Totals;

static void run_case(char *line, Totals *t)
{
    NumericCase c = { .quiet = t->failed >= t->report_limit };
    const char *op;
    bool known = false;

    if (!case_parse(&c, line) || !(op = case_text(&c, "op"))) {
        printf("not a vector: %.60s\n", line);
        t->failed++;
        case_free(&c);
        return;
    }
    for (size_t i = 0; i < ARRAY_SIZE(checkers) && !known; i++) {
        known = checkers[i](&c, op);
    }
    if (!known) {
        t->skipped++;
    } else if (c.failed) {
        t->failed++;
    } else {
        t->passed++;
    }
    case_free(&c);
}

static void run_stream(FILE *f, Totals *t)
{
    char *line = NULL;
    size_t room = 0;

    while (getline(&line, &room, f) > 0) {
        if (line[0] != '\n') {
            run_case(line, t);
        }
    }
    free(line);
}

int main(int argc, char **argv)
{
    Totals t = { .report_limit = 20 };

    for (int i = 1; i < argc; i++) {
        FILE *f = strcmp(argv[i], "-") ? fopen(argv[i], "r") : stdin;

        if (!f) {
            perror(argv[i]);
            return 2;
        }
        run_stream(f, &t);
        if (f != stdin) {
            fclose(f);
        }
    }
    printf("%zu passed, %zu failed, %zu skipped\n", t.passed, t.failed,
           t.skipped);
    return t.failed || !(t.passed + t.skipped);
}
