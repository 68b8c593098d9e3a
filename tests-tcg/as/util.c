/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory and messages. */
#include "as.h"
#include <stdarg.h>
#include <strings.h>

/* Sources, lines and symbols live until the process ends, as in any compiler. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

void *xalloc(size_t size)
{
    void *p = calloc(1, size ? size : 1);

    if (!p) {
        fprintf(stderr, "pto-as: out of memory\n");
        exit(2);
    }
    return p;
}

void *xgrow(void *p, size_t *cap, size_t need, size_t elem)
{
    size_t n = *cap ? *cap : 16;

    if (need <= *cap) {
        return p;
    }
    while (n < need) {
        n *= 2;
    }
    p = realloc(p, n * elem);
    if (!p) {
        fprintf(stderr, "pto-as: out of memory\n");
        exit(2);
    }
    memset((char *)p + *cap * elem, 0, (n - *cap) * elem);
    *cap = n;
    return p;
}

char *xstrndup(const char *s, size_t n)
{
    char *p = xalloc(n + 1);

    memcpy(p, s, n);
    return p;
}

bool name_eq(const char *known, const char *s, size_t len)
{
    return strncasecmp(known, s, len) == 0 && known[len] == '\0';
}

static void show_caret(const Line *line, unsigned column)
{
    fprintf(stderr, "  %s\n  ", line->text);
    for (unsigned i = 0; i < column; i++) {
        fputc(line->text[i] == '\t' ? '\t' : ' ', stderr);
    }
    fprintf(stderr, "^\n");
}

void as_error(As *as, const Token *tok, const char *fmt, ...)
{
    const Line *line = as->line;
    unsigned column;
    va_list ap;

    if (!tok) {
        tok = peek(as);
    }
    if (as->quiet) {
        if (!as->message[0]) {
            va_start(ap, fmt);
            vsnprintf(as->message, sizeof(as->message), fmt, ap);
            va_end(ap);
            as->message_tok = tok;
        }
        return;
    }
    column = tok->p - line->text;
    fprintf(stderr, "%s:%u:%u: error: ", line->file, line->line, column + 1);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    show_caret(line, column);
    for (const Line *l = line->caller; l; l = l->caller) {
        fprintf(stderr, "%s:%u: note: in this expansion\n", l->file, l->line);
    }
    as->errors++;
}
