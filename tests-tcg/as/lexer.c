/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tokens of one source line. */
#include "as.h"
#include <ctype.h>
#include <errno.h>

static bool name_start(char c)
{
    return isalpha((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

static bool name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* Length of a name; a register name ends at its modifier's dot. */
static unsigned name_length(const char *p)
{
    unsigned n = 1;

    while (name_char(p[n])) {
        if (p[n] == '.' && is_register_name(p, n)) {
            break;
        }
        n++;
    }
    return n;
}

static int escape(const char **p)
{
    const char *s = *p;
    int c = *s++;

    if (c == '\\') {
        c = *s++;
        switch (c) {
        case 'n':
            c = '\n';
            break;
        case 'r':
            c = '\r';
            break;
        case 't':
            c = '\t';
            break;
        case '0':
            c = '\0';
            break;
        case 'e':
            c = 27;
            break;
        case 'x':
            c = strtoul((char[]) { s[0], s[0] ? s[1] : 0, 0 }, NULL, 16);
            s += s[0] && s[1] ? 2 : 0;
            break;
        default:
            break;
        }
    }
    *p = s;
    return c & 0xff;
}

size_t unescape(const Token *t, uint8_t *out)
{
    const char *p = t->p + 1, *end = t->p + t->len - 1;
    size_t n = 0;

    while (p < end) {
        out[n++] = escape(&p);
    }
    return n;
}

static bool lex_number(As *as, Token *t)
{
    const char *p = t->p;
    char *end;
    int base = 10;

    if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
        base = 16;
        p += 2;
    } else if (p[0] == '0' && (p[1] == 'b' || p[1] == 'B') &&
               (p[2] == '0' || p[2] == '1')) {
        base = 2;
        p += 2;
    }
    errno = 0;
    t->kind = TOK_NUMBER;
    t->value = strtoull(p, &end, base);
    if (base == 10 && end[0] == '.' && isdigit((unsigned char)end[1])) {
        t->kind = TOK_FLOAT;
        t->real = strtod(t->p, &end);
    } else if (base == 10 && (end[0] == 'e' || end[0] == 'E') &&
               (isdigit((unsigned char)end[1]) || end[1] == '-')) {
        t->kind = TOK_FLOAT;
        t->real = strtod(t->p, &end);
    }
    t->len = end - t->p;
    if (end == p || errno == ERANGE) {
        t->len = MAX(t->len, 1u);
        as_error(as, t, errno ? "number does not fit 64 bits" :
                 "malformed number");
        return false;
    }
    return true;
}

static bool lex_quoted(As *as, Token *t)
{
    char quote = t->p[0];
    const char *p = t->p + 1;

    t->kind = quote == '"' ? TOK_STRING : TOK_CHAR;
    while (*p && *p != quote) {
        p += *p == '\\' && p[1] ? 2 : 1;
    }
    if (!*p) {
        t->len = 1;
        as_error(as, t, "missing closing %c", quote);
        return false;
    }
    t->len = p + 1 - t->p;
    if (quote == '\'') {
        const char *s = t->p + 1;

        t->value = escape(&s);
        if (s != p) {
            as_error(as, t, "not one character");
            return false;
        }
    }
    return true;
}

static unsigned punct_length(const char *p)
{
    static const char *const two[] = {
        "->", "<<", ">>", "==", "!=", "<=", ">=", "&&", "||",
    };

    for (size_t i = 0; i < ARRAY_SIZE(two); i++) {
        if (p[0] == two[i][0] && p[1] == two[i][1]) {
            return 2;
        }
    }
    return 1;
}

static bool lex_token(As *as, Token *t)
{
    char c = *t->p;

    if (name_start(c)) {
        t->kind = TOK_NAME;
        t->len = name_length(t->p);
        return true;
    }
    if (isdigit((unsigned char)c)) {
        return lex_number(as, t);
    }
    if (c == '"' || c == '\'') {
        return lex_quoted(as, t);
    }
    if (c == '\0' || !strchr("#<>=!&|^~+-*/%()[]{},:\\@", c)) {
        if (c != ';') {
            t->len = 1;
            as_error(as, t, "unexpected character");
            return false;
        }
        t->kind = TOK_SEMI;
        t->len = 1;
        return true;
    }
    t->kind = TOK_PUNCT;
    t->len = punct_length(t->p);
    return true;
}

bool lex_line(As *as, const Line *line)
{
    const char *p = line->text;
    bool ok = true;

    as->line = line;
    as->ntok = as->pos = 0;
    p += strspn(p, " \t");
    while (ok && *p && !(p[0] == '/' && p[1] == '/') &&
           !(*p == '#' && as->ntok == 0)) {
        Token *t = &as->tok[as->ntok];

        memset(t, 0, sizeof(*t));
        t->p = p;
        if (as->ntok >= MAX_TOKENS - 1) {
            t->len = 1;
            as_error(as, t, "line has too many parts");
            ok = false;
            break;
        }
        ok = lex_token(as, t);
        p += t->len;
        p += strspn(p, " \t\r");
        as->ntok++;
    }
    as->tok[as->ntok] = (Token) { .kind = TOK_END, .p = p };
    return ok;
}

Token *peek(As *as)
{
    return &as->tok[as->pos < as->ntok ? as->pos : as->ntok];
}

bool at_end(As *as)
{
    return peek(as)->kind == TOK_END || peek(as)->kind == TOK_SEMI;
}

bool is_punct(const Token *t, const char *text)
{
    return t->kind == TOK_PUNCT && t->len == strlen(text) &&
           !memcmp(t->p, text, t->len);
}

bool accept(As *as, const char *punct)
{
    if (is_punct(peek(as), punct)) {
        as->pos++;
        return true;
    }
    return false;
}

bool expect(As *as, const char *punct)
{
    if (!accept(as, punct)) {
        as_error(as, NULL, "expected '%s'", punct);
        return false;
    }
    return true;
}
