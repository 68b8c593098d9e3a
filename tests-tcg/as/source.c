/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source files, macros, repetition and conditions. */
#include "as.h"
#include <ctype.h>

#define MAX_DEPTH       64
#define MAX_WORK        (1u << 24)      /* lines and repetitions of a pass */
#define MAX_LINE        1000            /* bytes of an expanded line */
#define MAX_FILE        (UINT64_C(1) << 26)

enum { COND_OFF, COND_ON, COND_DONE };

static void add_line(Lines *l, Line line)
{
    l->v = xgrow(l->v, &l->cap, l->n + 1, sizeof(Line));
    l->v[l->n++] = line;
}

/* ---- files ---- */

static char *slurp(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    char *p = NULL;
    size_t n = 0, cap = 0, got;

    if (!f) {
        return NULL;
    }
    do {
        p = xgrow(p, &cap, n + 65536 + 1, 1);
        got = fread(p + n, 1, 65536, f);
        n += got;
    } while (got && n <= MAX_FILE);
    if (ferror(f) || n > MAX_FILE) {    /* a folder, a device without end */
        fclose(f);
        free(p);
        return NULL;
    }
    fclose(f);
    p[n] = '\0';
    *size = n;
    return p;
}

/* Next to the including file, then in the -I folders. */
static char *find_file(As *as, const char *name, char **path, size_t *size)
{
    const char *slash = as->line ? strrchr(as->line->file, '/') : NULL;
    size_t dir = slash ? slash + 1 - as->line->file : 0;
    char *text;

    *path = xalloc(dir + strlen(name) + 1);
    if (*name != '/') {
        memcpy(*path, as->line ? as->line->file : "", dir);
    }
    strcat(*path, name);
    text = slurp(*path, size);
    for (unsigned i = 0; !text && *name != '/' && i < as->ninclude; i++) {
        const char *d = as->include_dirs[i];

        free(*path);
        *path = xalloc(strlen(d) + strlen(name) + 2);
        sprintf(*path, "%s/%s", d, name);
        text = slurp(*path, size);
    }
    return text;
}

uint8_t *read_binary(As *as, const Token *name, size_t *size)
{
    char *file = xstrndup(name->p + 1, name->len - 2);
    char *path;
    char *text = find_file(as, file, &path, size);

    if (!text) {
        as_error(as, name, "cannot read %s", file);
    }
    free(file);
    free(path);
    return (uint8_t *)text;
}

unsigned file_number(As *as, const char *file)
{
    for (unsigned i = 0; i < as->nfiles; i++) {
        if (!strcmp(as->files[i], file)) {
            return i + 1;
        }
    }
    as->files = realloc(as->files, (as->nfiles + 1) * sizeof(*as->files));
    if (!as->files) {
        exit(2);
    }
    as->files[as->nfiles] = file;
    return ++as->nfiles;
}

/*
 * Replace comments by spaces; the text stays in memory for messages. Returns
 * the place of a comment that does not end, or NULL.
 */
static char *blank_comments(char *p)
{
    char quote = 0;

    for (; *p; p++) {
        if (quote) {
            if (*p == '\\' && p[1]) {
                p++;
            } else if (*p == quote || *p == '\n') {
                quote = 0;
            }
        } else if (*p == '"') {
            quote = *p;
        } else if (p[0] == '/' && p[1] == '*') {
            char *start = p;

            while (*p && !(p[0] == '*' && p[1] == '/')) {
                *p = *p == '\n' ? '\n' : ' ';
                p++;
            }
            if (!*p) {
                return start;
            }
            p[0] = p[1] = ' ';
        } else if (p[0] == '/' && p[1] == '/') {
            while (p[1] && p[1] != '\n') {
                p++;
            }
        }
    }
    return NULL;
}

static bool bad_text(As *as, const char *path, const char *text,
                     const char *at, const char *what)
{
    unsigned line = 1;

    for (const char *p = text; p < at; p++) {
        line += *p == '\n';
    }
    fprintf(stderr, "%s:%u: error: %s\n", path, line, what);
    as->errors++;
    return false;
}

bool assemble_file(As *as, const char *name, const Token *from)
{
    Lines lines = { 0 };
    unsigned number = 0;
    const Line *line = as->line;
    char *path, *text, *open;
    size_t size;

    text = find_file(as, name, &path, &size);
    if (!text) {
        if (from) {
            as_error(as, from, "cannot read %s", name);
        } else {
            fprintf(stderr, "pto-as: cannot read %s\n", name);
            as->errors++;
        }
        return false;
    }
    if (strlen(text) != size) {
        return bad_text(as, path, text, text + strlen(text),
                        "a zero byte: this is no text");
    }
    open = blank_comments(text);
    if (open) {
        return bad_text(as, path, text, open, "this comment does not end");
    }
    for (char *p = text, *next; p; p = next) {
        next = strchr(p, '\n');
        if (next) {
            *next++ = '\0';
        }
        p[strcspn(p, "\r")] = '\0';
        add_line(&lines, (Line) { p, path, ++number, NULL });
    }
    assemble_lines(as, &lines);
    as->line = line;
    return true;
}

/* ---- bodies ---- */

static bool first_is(As *as, const char *word)
{
    const Token *t = &as->tok[0];

    return t->kind == TOK_NAME && name_eq(word, t->p, t->len);
}

/*
 * The lines up to the matching end word; nested bodies stay inside. Returns
 * the index of the line with the end word.
 */
static size_t collect(As *as, const Lines *lines, size_t i, const char *open,
                      const char *close, Lines *body)
{
    const Line *start = as->line;
    unsigned depth = 1;

    for (i++; i < lines->n; i++) {
        const char *p = lines->v[i].text;
        size_t n;

        p += strspn(p, " \t");
        n = strcspn(p, " \t;");
        if (name_eq(open, p, n)) {
            depth++;
        } else if (name_eq(close, p, n) && --depth == 0) {
            return i;
        }
        if (body) {
            add_line(body, lines->v[i]);
        }
    }
    as->line = start;
    as->pos = 0;
    as_error(as, NULL, "no %s for this %s", close, open);
    return lines->n - 1;
}

static Macro *parse_macro(As *as)
{
    const Token *name;
    Macro *m = xalloc(sizeof(*m));

    as->pos = 1;
    name = peek(as);
    if (name->kind != TOK_NAME) {
        as_error(as, name, "expected the name of the macro");
        return NULL;
    }
    m->name = xstrndup(name->p, name->len);
    as->pos++;
    while (!at_end(as)) {
        const Token *p = peek(as);
        const char *value = "";
        size_t len = 0;

        if (p->kind != TOK_NAME) {
            as_error(as, p, "expected the name of a parameter");
            return NULL;
        }
        as->pos++;
        if (accept(as, "=")) {
            value = peek(as)->p;
            while (!at_end(as) && !is_punct(peek(as), ",")) {
                len = peek(as)->p + peek(as)->len - value;
                as->pos++;
            }
        }
        accept(as, ",");
        m->params = realloc(m->params, (m->nparams + 1) * sizeof(char *));
        m->defaults = realloc(m->defaults, (m->nparams + 1) * sizeof(char *));
        m->params[m->nparams] = xstrndup(p->p, p->len);
        m->defaults[m->nparams++] = xstrndup(value, len);
    }
    return m;
}

static size_t define_macro(As *as, const Lines *lines, size_t i)
{
    Macro *m = parse_macro(as);

    if (m) {
        Token at = as->tok[1];

        if (macro_find(as, m->name, strlen(m->name))) {
            as_error(as, &at, "macro %s is already defined", m->name);
        }
        m->next = as->macros;
        as->macros = m;
    }
    return collect(as, lines, i, ".macro", ".endm", m ? &m->body : NULL);
}

Macro *macro_find(As *as, const char *name, size_t len)
{
    for (Macro *m = as->macros; m; m = m->next) {
        if (name_eq(m->name, name, len)) {
            return m;
        }
    }
    return NULL;
}

typedef struct Arg {
    const char *p;
    size_t len;
} Arg;

/* \name and \@ of one body line */
static char *substitute(As *as, const Macro *m, const Arg *args,
                        unsigned serial, const char *text)
{
    Buffer b = { 0 };

    (void)as;
    while (*text) {
        bool done = false;

        if (text[0] == '\\' && text[1] == '@') {
            char num[16];

            buf_put(&b, num, sprintf(num, "%u", serial));
            text += 2;
            continue;
        }
        /* \() ends a parameter's name */
        if (text[0] == '\\' && text[1] == '(' && text[2] == ')') {
            text += 3;
            continue;
        }
        for (unsigned i = 0; text[0] == '\\' && i < m->nparams; i++) {
            size_t n = strlen(m->params[i]);

            if (!strncmp(text + 1, m->params[i], n) &&
                !isalnum((unsigned char)text[1 + n]) && text[1 + n] != '_') {
                buf_put(&b, args[i].p, args[i].len);
                text += n + 1;
                done = true;
                break;
            }
        }
        if (!done) {
            buf_put(&b, text++, 1);
        }
    }
    buf_put(&b, "", 1);
    return (char *)b.p;
}

/* Arguments: separated by commas outside brackets; or NAME=TEXT. */
static bool parse_args(As *as, const Macro *m, Arg *args)
{
    unsigned n = 0;

    for (unsigned i = 0; i < m->nparams; i++) {
        args[i] = (Arg) { m->defaults[i], strlen(m->defaults[i]) };
    }
    while (!at_end(as)) {
        const Token *start = peek(as);
        unsigned slot = n++;
        int depth = 0;
        const char *end = start->p;

        for (unsigned i = 0; i < m->nparams && start->kind == TOK_NAME; i++) {
            if (is_punct(start + 1, "=") &&
                name_eq(m->params[i], start->p, start->len)) {
                slot = i;
                as->pos += 2;
                start = peek(as);
                break;
            }
        }
        while (!at_end(as) && (depth > 0 || !is_punct(peek(as), ","))) {
            const Token *t = peek(as);

            depth += t->len == 1 && strchr("([{", *t->p) != NULL;
            depth -= t->len == 1 && strchr(")]}", *t->p) != NULL;
            end = t->p + t->len;
            as->pos++;
        }
        if (slot >= m->nparams) {
            as_error(as, start, "macro %s has %u parameters", m->name,
                     m->nparams);
            return false;
        }
        args[slot] = (Arg) { start->p, end - start->p };
        accept(as, ",");
    }
    return true;
}

static bool deeper(As *as)
{
    if (as->depth >= MAX_DEPTH) {
        as_error(as, &as->tok[0], "expansions nest deeper than %u", MAX_DEPTH);
        return false;
    }
    as->depth++;
    return true;
}

void macro_expand(As *as, const Macro *m)
{
    const Line *call = as->line;
    Arg args[32];
    Lines lines = { 0 };
    unsigned serial = ++as->expansions;
    unsigned end;

    as->pos++;
    if (m->nparams > ARRAY_SIZE(args) || !parse_args(as, m, args) ||
        !deeper(as)) {
        return;
    }
    for (size_t i = 0; i < m->body.n; i++) {
        const Line *l = &m->body.v[i];
        char *text = substitute(as, m, args, serial, l->text);

        if (strlen(text) > MAX_LINE) {
            as_error(as, &as->tok[0], "a line of the expansion of %s is "
                     "longer than %u bytes", m->name, MAX_LINE);
            as->depth--;
            return;
        }
        add_line(&lines, (Line) { text, l->file, l->line, call });
    }
    end = as->pos;
    assemble_lines(as, &lines);
    lex_line(as, call);
    as->pos = end;
    as->depth--;
}

/* Macros and repetitions could go on for ever; says so once. */
static bool overworked(As *as, const Line *line)
{
    if (as->work < MAX_WORK && ++as->work == MAX_WORK) {
        as->line = line;
        as_error(as, NULL, "more than %u lines by expansion", MAX_WORK);
    }
    return as->work >= MAX_WORK;
}

static size_t repeat(As *as, const Lines *lines, size_t i)
{
    const Line *line = as->line;
    Lines body = { 0 };
    int64_t n = 0;

    as->pos = 1;
    if (!parse_const(as, &n)) {
        n = 0;
    } else if (n < 0 || n > 1 << 20) {
        as_error(as, &as->tok[1], "count out of range");
        n = 0;
    }
    i = collect(as, lines, i, ".rept", ".endr", &body);
    if (deeper(as)) {
        while (n-- > 0 && !overworked(as, line)) {
            assemble_lines(as, &body);
        }
        as->depth--;
    }
    as->line = line;
    free(body.v);
    return i;
}

/* ---- conditions ---- */

static bool evaluate_condition(As *as)
{
    const Token *word = &as->tok[0];
    int64_t v = 0;

    as->pos = 1;
    if (name_eq(".ifdef", word->p, word->len) ||
        name_eq(".ifndef", word->p, word->len)) {
        const Token *t = peek(as);
        Symbol *s = symbol_get(as, t->p, t->len, false);

        return (s && s->pass == as->pass) == (word->len == 6);
    }
    return parse_const(as, &v) && v != 0;
}

static bool conditions_on(const As *as)
{
    for (unsigned i = 0; i < as->nconds; i++) {
        if (as->conds[i] != COND_ON) {
            return false;
        }
    }
    return true;
}

/* True if the line is one of .if .elseif .else .endif. */
static bool condition_line(As *as)
{
    if (first_is(as, ".if") || first_is(as, ".ifdef") ||
        first_is(as, ".ifndef")) {
        unsigned char c = COND_DONE;

        if (as->nconds == ARRAY_SIZE(as->conds)) {
            as_error(as, &as->tok[0], "conditions nest too deep");
            return true;
        }
        if (conditions_on(as)) {
            c = evaluate_condition(as) ? COND_ON : COND_OFF;
        }
        as->conds[as->nconds++] = c;
        return true;
    }
    if (!first_is(as, ".else") && !first_is(as, ".elseif") &&
        !first_is(as, ".endif")) {
        return false;
    }
    if (!as->nconds) {
        as_error(as, &as->tok[0], "no .if before this");
    } else if (first_is(as, ".endif")) {
        as->nconds--;
    } else {
        unsigned char *c = &as->conds[as->nconds - 1];

        if (*c == COND_ON) {
            *c = COND_DONE;
        } else if (*c == COND_OFF &&
                   (first_is(as, ".else") || evaluate_condition(as))) {
            *c = COND_ON;
        }
    }
    return true;
}

/* ---- statements ---- */

static bool label(As *as)
{
    const Token *t = peek(as);

    if (!is_punct(t + 1, ":") ||
        (t->kind != TOK_NAME && t->kind != TOK_NUMBER)) {
        return false;
    }
    if (t->kind == TOK_NUMBER) {
        local_define(as, t->value);
    } else {
        symbol_define(as, t, here(as), false);
    }
    as->pos += 2;
    return true;
}

static void statement(As *as)
{
    const Token *t = peek(as);
    Value v;
    Macro *m;

    if (t->kind != TOK_NAME) {
        as_error(as, t, "expected an instruction, a directive or a label");
        return;
    }
    m = macro_find(as, t->p, t->len);
    if (m) {
        macro_expand(as, m);
        return;
    }
    if (is_punct(t + 1, "=")) {
        as->pos += 2;
        if (parse_expr(as, &v)) {
            symbol_define(as, t, v, true);
        }
        return;
    }
    if (name_eq(".include", t->p, t->len)) {
        const Token *f = t + 1;

        if (f->kind != TOK_STRING) {
            as_error(as, f, "expected a file name");
        } else if (deeper(as)) {
            const Line *line = as->line;
            unsigned end = as->pos + 2;

            assemble_file(as, xstrndup(f->p + 1, f->len - 2), f);
            as->depth--;
            lex_line(as, line);
            as->pos = end;
        }
        return;
    }
    if (assemble_directive(as, t)) {
        return;
    }
    if (*t->p == '.') {
        as_error(as, t, "unknown directive %.*s", (int)t->len, t->p);
        return;
    }
    if (!as->cur->exec) {
        as_error(as, t, "instruction in section %s", as->cur->name);
        return;
    }
    assemble_insn(as);
}

static void statements(As *as)
{
    while (peek(as)->kind != TOK_END) {
        unsigned errors = as->errors;

        if (peek(as)->kind == TOK_SEMI) {
            as->pos++;
            continue;
        }
        if (label(as)) {
            continue;
        }
        statement(as);
        if (errors == as->errors && !at_end(as)) {
            as_error(as, NULL, "nothing more is expected here");
        }
        while (!at_end(as)) {
            as->pos++;
        }
    }
}

void assemble_lines(As *as, const Lines *lines)
{
    unsigned conds = as->nconds;

    for (size_t i = 0; i < lines->n && as->errors < 20; i++) {
        const Line *line = &lines->v[i];
        bool ok;

        if (overworked(as, line)) {
            break;
        }

        as->quiet = !conditions_on(as);
        ok = lex_line(as, line);
        as->quiet = false;
        if (as->ntok == 0 || condition_line(as) || !conditions_on(as) || !ok) {
            continue;
        }
        if (first_is(as, ".macro")) {
            i = define_macro(as, lines, i);
        } else if (first_is(as, ".rept")) {
            i = repeat(as, lines, i);
        } else {
            statements(as);
        }
    }
    if (as->nconds > conds) {
        as->nconds = conds;
        as_error(as, NULL, "no .endif for an .if");
    }
}
