/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expressions: 64-bit integers and places in sections. */
#include "as.h"

static bool is_local_suffix(const Token *t)
{
    return t->kind == TOK_NAME && t->len == 1 &&
           (*t->p == 'f' || *t->p == 'b');
}

static bool parse_number(As *as, Value *out)
{
    Token *t = peek(as);

    as->pos++;
    /* 1f and 1b: the suffix follows without a space */
    if (is_local_suffix(peek(as)) && peek(as)->p == t->p + t->len) {
        bool forward = *peek(as)->p == 'f';

        as->pos++;
        if (!local_find(as, t->value, forward, out)) {
            as_error(as, t, "no local label %" PRIu64 " %s this line",
                     t->value, forward ? "behind" : "before");
            return false;
        }
        return true;
    }
    *out = (Value) { .v = t->value };
    return true;
}

static bool parse_symbol(As *as, Value *out)
{
    Token *t = peek(as);
    Symbol *s;

    as->pos++;
    if (t->len == 1 && *t->p == '.') {
        *out = here(as);
        return true;
    }
    s = symbol_get(as, t->p, t->len, false);
    if (s && s->pass) {
        if (as->pass == 2 && s->pass == 1 && s->variable &&
            s->value.unknown) {
            as_error(as, t, "%s is used here before its value is known",
                     s->name);
            return false;
        }
        *out = s->value;
        return true;
    }
    if (as->pass == 1) {
        *out = (Value) { .unknown = true };
        return true;
    }
    if (is_register_name(t->p, t->len)) {
        as_error(as, t, "register %.*s where a number is expected",
                 (int)t->len, t->p);
    } else {
        as_error(as, t, "undefined symbol %.*s", (int)t->len, t->p);
    }
    return false;
}

bool parse_primary(As *as, Value *out)
{
    Token *t = peek(as);

    switch (t->kind) {
    case TOK_NUMBER:
        return parse_number(as, out);
    case TOK_CHAR:
        as->pos++;
        *out = (Value) { .v = t->value };
        return true;
    case TOK_NAME:
        return parse_symbol(as, out);
    default:
        break;
    }
    if (accept(as, "(")) {
        return parse_expr(as, out) && expect(as, ")");
    }
    if (accept(as, "+")) {
        return parse_primary(as, out);
    }
    if (is_punct(t, "-") || is_punct(t, "~") || is_punct(t, "!")) {
        as->pos++;
        if (!parse_primary(as, out)) {
            return false;
        }
        if (out->sec) {
            as_error(as, t, "operator needs a plain number");
            return false;
        }
        out->v = *t->p == '-' ? (int64_t)-(uint64_t)out->v :
                 *t->p == '~' ? ~out->v : !out->v;
        return true;
    }
    as_error(as, t, "expected a number, a label or '('");
    return false;
}

int64_t value_address(const Value *v)
{
    return v->sec ? v->sec->addr + v->v : (uint64_t)v->v;
}

static const struct {
    const char *text;
    int level;
} operators[] = {
    { "||", 1 }, { "&&", 2 }, { "|", 3 }, { "^", 4 }, { "&", 5 },
    { "==", 6 }, { "!=", 6 }, { "<", 7 }, { "<=", 7 }, { ">", 7 },
    { ">=", 7 }, { "<<", 8 }, { ">>", 8 }, { "+", 9 }, { "-", 9 },
    { "*", 10 }, { "/", 10 }, { "%", 10 },
};

static int find_operator(const Token *t)
{
    for (size_t i = 0; i < ARRAY_SIZE(operators); i++) {
        if (is_punct(t, operators[i].text)) {
            return i;
        }
    }
    return -1;
}

static bool divide(As *as, const Token *op, uint64_t b, Value *a)
{
    if (b == 0) {
        if (a->unknown) {
            return true;
        }
        as_error(as, op, "division by zero");
        return false;
    }
    if (*op->p == '/') {
        a->v = (int64_t)b == -1 ? (int64_t)-(uint64_t)a->v
                                : a->v / (int64_t)b;
    } else {
        a->v = (int64_t)b == -1 ? 0 : a->v % (int64_t)b;
    }
    return true;
}

/* Operators of two characters. */
static int64_t combine_two(const char *o, int64_t x, int64_t y)
{
    bool shift = o[1] == o[0] && (*o == '<' || *o == '>');
    uint64_t u = x;

    if (shift) {
        return y < 0 || y > 63 ? 0 : *o == '<' ? u << y : u >> y;
    }
    switch (*o) {
    case '<':
        return x <= y;
    case '>':
        return x >= y;
    case '=':
        return x == y;
    case '!':
        return x != y;
    case '&':
        return x && y;
    default:
        return x || y;
    }
}

static bool combine(As *as, const Token *op, Value *a, Value b)
{
    const char *o = op->p;
    bool two = op->len == 2;
    int64_t x, y;

    a->unknown |= b.unknown;
    if (!two && *o == '+' && !(a->sec && b.sec)) {
        a->v += (uint64_t)b.v;
        a->sec = a->sec ? a->sec : b.sec;
        return true;
    }
    if (!two && *o == '-' && !b.sec) {
        a->v -= (uint64_t)b.v;
        return true;
    }
    if (a->sec != b.sec) {
        /* the places of sections are known in the second pass only */
        a->unknown |= as->pass == 1;
    }
    x = a->sec == b.sec ? a->v : value_address(a);
    y = a->sec == b.sec ? b.v : value_address(&b);
    a->sec = NULL;
    if (two) {
        a->v = combine_two(o, x, y);
        return true;
    }
    a->v = x;
    switch (*o) {
    case '+':
        a->v = (uint64_t)x + y;
        return true;
    case '-':
        a->v = (uint64_t)x - y;
        return true;
    case '*':
        a->v = (uint64_t)x * y;
        return true;
    case '|':
        a->v = x | y;
        return true;
    case '^':
        a->v = x ^ y;
        return true;
    case '&':
        a->v = x & y;
        return true;
    case '<':
        a->v = x < y;
        return true;
    case '>':
        a->v = x > y;
        return true;
    default:
        return divide(as, op, y, a);
    }
}

static bool parse_level(As *as, int level, Value *out)
{
    if (!parse_primary(as, out)) {
        return false;
    }
    for (;;) {
        const Token *op = peek(as);
        int i = find_operator(op);
        Value right;

        if (i < 0 || operators[i].level < level) {
            return true;
        }
        as->pos++;
        if (!parse_level(as, operators[i].level + 1, &right) ||
            !combine(as, op, out, right)) {
            return false;
        }
    }
}

bool parse_expr(As *as, Value *out)
{
    return parse_level(as, 1, out);
}

bool parse_const(As *as, int64_t *out)
{
    const Token *t = peek(as);
    Value v;

    if (!parse_expr(as, &v)) {
        return false;
    }
    if (v.unknown || v.sec) {
        as_error(as, t, "this number has to be known here");
        return false;
    }
    *out = v.v;
    return true;
}
