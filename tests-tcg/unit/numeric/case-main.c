/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The main loop of the programs that run numeric vectors.
 */
#include "case-main.h"

typedef struct Totals {
    size_t passed, failed, skipped;
    size_t line;                /* of all files together */
    bool verdicts;
} Totals;

/* Differences of this many cases are printed where verdicts are not wanted. */
#define REPORT_LIMIT 20

static const char *run_case(char *line, CaseChecker *check, void *opaque,
                            Totals *t)
{
    NumericCase c = { .quiet = !t->verdicts && t->failed >= REPORT_LIMIT };
    const char *op, *verdict = "passed";

    if (!case_parse(&c, line) || !(op = case_text(&c, "op"))) {
        printf("not a vector: %.60s\n", line);
        verdict = "failed";
        t->failed++;
    } else if (!check(&c, op, opaque)) {
        verdict = "skipped";
        t->skipped++;
    } else if (c.failed) {
        verdict = "failed";
        t->failed++;
    } else {
        t->passed++;
    }
    case_free(&c);
    return verdict;
}

static void run_stream(FILE *f, CaseChecker *check, void *opaque, Totals *t)
{
    char *line = NULL;
    size_t room = 0;

    while (getline(&line, &room, f) > 0) {
        t->line++;
        if (line[0] != '\n') {
            const char *verdict = run_case(line, check, opaque, t);

            if (t->verdicts) {
                printf("verdict %zu %s\n", t->line, verdict);
            }
        }
    }
    free(line);
}

int case_main(int argc, char **argv, CaseChecker *check, void *opaque)
{
    Totals t = { 0 };
    int first = 1;

    if (argc > 1 && !strcmp(argv[1], "--verdicts")) {
        t.verdicts = true;
        first = 2;
    }
    if (argc == first) {
        run_stream(stdin, check, opaque, &t);
    }
    for (int i = first; i < argc; i++) {
        FILE *f = strcmp(argv[i], "-") ? fopen(argv[i], "r") : stdin;

        if (!f) {
            perror(argv[i]);
            return 2;
        }
        run_stream(f, check, opaque, &t);
        if (f != stdin) {
            fclose(f);
        }
    }
    printf("%zu passed, %zu failed, %zu skipped\n", t.passed, t.failed,
           t.skipped);
    return t.failed || !(t.passed + t.skipped);
}
