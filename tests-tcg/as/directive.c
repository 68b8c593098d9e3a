/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directives that put data, move or define. */
#include "as.h"

static void put_value(As *as, uint64_t v, unsigned bytes)
{
    uint8_t b[8];

    for (unsigned i = 0; i < 8; i++) {
        b[i] = v >> i * 8;
    }
    emit(as, b, bytes);
}

static void data(As *as, unsigned bytes)
{
    do {
        const Token *t = peek(as);
        Value v;
        int64_t n;

        if (!parse_expr(as, &v)) {
            return;
        }
        n = value_address(&v);
        if (bytes < 8 && !v.unknown && !(v.sec && as->pass == 1) &&
            (n >= INT64_C(1) << bytes * 8 ||
             n < -(INT64_C(1) << (bytes * 8 - 1)))) {
            as_error(as, t, "%" PRId64 " does not fit %u bytes", n, bytes);
        }
        put_value(as, n, bytes);
    } while (accept(as, ","));
}

static void do_byte(As *as)
{
    data(as, 1);
}

static void do_half(As *as)
{
    data(as, 2);
}

static void do_word(As *as)
{
    data(as, 4);
}

static void do_dword(As *as)
{
    data(as, 8);
}

/* @single: the number is rounded once, to binary32 */
static bool parse_real(As *as, bool single, double *out)
{
    bool minus = accept(as, "-");
    Token *t = peek(as);
    int64_t n;

    if (t->kind == TOK_FLOAT) {
        *out = single ? strtof(t->p, NULL) : t->real;
        as->pos++;
    } else if (t->kind == TOK_NUMBER && t->len) {
        *out = t->value;
        as->pos++;
    } else if (t->kind == TOK_NAME && name_eq("inf", t->p, t->len)) {
        *out = __builtin_inf();
        as->pos++;
    } else if (t->kind == TOK_NAME && name_eq("nan", t->p, t->len)) {
        *out = __builtin_nan("");
        as->pos++;
    } else if (parse_const(as, &n)) {
        *out = n;
    } else {
        return false;
    }
    *out = minus ? -*out : *out;
    return true;
}

static void do_float(As *as)
{
    double d;

    do {
        float f;
        uint32_t bits;

        if (!parse_real(as, true, &d)) {
            return;
        }
        f = d;
        memcpy(&bits, &f, 4);
        put_value(as, bits, 4);
    } while (accept(as, ","));
}

static void do_double(As *as)
{
    double d;

    do {
        uint64_t bits;

        if (!parse_real(as, false, &d)) {
            return;
        }
        memcpy(&bits, &d, 8);
        put_value(as, bits, 8);
    } while (accept(as, ","));
}

static void put_string(As *as, bool nul)
{
    do {
        const Token *t = peek(as);
        uint8_t *b;
        size_t n;

        if (t->kind != TOK_STRING) {
            as_error(as, t, "expected a string");
            return;
        }
        as->pos++;
        b = xalloc(t->len + 1);
        n = unescape(t, b);
        b[n] = 0;
        emit(as, b, n + nul);
        free(b);
    } while (accept(as, ","));
}

static void do_ascii(As *as)
{
    put_string(as, false);
}

static void do_asciz(As *as)
{
    put_string(as, true);
}

static void do_incbin(As *as)
{
    const Token *t = peek(as);
    uint8_t *p;
    size_t n;

    if (t->kind != TOK_STRING) {
        as_error(as, t, "expected a file name");
        return;
    }
    p = read_binary(as, t, &n);
    as->pos++;
    if (p) {
        emit(as, p, n);
        free(p);
    }
}

static void align_to(As *as, const Token *t, int64_t n)
{
    if (n < 1 || n > 1 << 20 || (n & (n - 1))) {
        as_error(as, t, "alignment is a power of two up to 1 MiB");
    } else {
        emit_align(as, n);
    }
}

/* .align and .balign count bytes, .p2align is the exponent. */
static void do_align(As *as)
{
    const Token *t = peek(as);
    int64_t n;

    if (parse_const(as, &n)) {
        align_to(as, t, n);
    }
}

static void do_p2align(As *as)
{
    const Token *t = peek(as);
    int64_t n;

    if (parse_const(as, &n)) {
        align_to(as, t, n >= 0 && n <= 20 ? 1 << n : 0);
    }
}

static void do_space(As *as)
{
    const Token *t = peek(as);
    int64_t n, v = 0;

    if (!parse_const(as, &n) || (accept(as, ",") && !parse_const(as, &v))) {
        return;
    }
    if (n < 0) {
        as_error(as, t, "negative size");
        return;
    }
    emit_fill(as, n, v);
}

/* .fill COUNT, SIZE, VALUE */
static void do_fill(As *as)
{
    const Token *t = peek(as);
    int64_t n, size = 1, v = 0;

    if (!parse_const(as, &n) || (accept(as, ",") && !parse_const(as, &size)) ||
        (accept(as, ",") && !parse_const(as, &v))) {
        return;
    }
    if (n < 0 || n > 1 << 24 || size < 1 || size > 8) {
        as_error(as, t, "count or size out of range");
        return;
    }
    while (n--) {
        put_value(as, v, size);
    }
}

static void do_section(As *as)
{
    const Token *t = peek(as);

    if (t->kind == TOK_STRING && t->len > 2) {
        as->cur = section_get(as, t->p + 1, t->len - 2);
    } else if (t->kind == TOK_NAME) {
        as->cur = section_get(as, t->p, t->len);
    } else {
        as_error(as, t, "expected the name of a section");
        return;
    }
    as->pos++;
}

static void do_equ(As *as)
{
    const Token *t = peek(as);
    Value v;

    if (t->kind != TOK_NAME) {
        as_error(as, t, "expected a name");
        return;
    }
    as->pos++;
    if (expect(as, ",") && parse_expr(as, &v)) {
        symbol_define(as, t, v, true);
    }
}

static void do_globl(As *as)
{
    do {
        const Token *t = peek(as);

        if (t->kind != TOK_NAME) {
            as_error(as, t, "expected a name");
            return;
        }
        symbol_get(as, t->p, t->len, true)->global = true;
        as->pos++;
    } while (accept(as, ","));
}

static void do_error(As *as)
{
    const Token *t = peek(as);

    if (t->kind == TOK_STRING) {
        as_error(as, t, "%.*s", (int)t->len - 2, t->p + 1);
        as->pos++;
    } else {
        as_error(as, t, ".error");
    }
}

bool assemble_directive(As *as, const Token *name)
{
    static const struct {
        const char *name;
        void (*fn)(As *as);
    } table[] = {
        { ".byte", do_byte }, { ".half", do_half }, { ".word", do_word },
        { ".dword", do_dword }, { ".float", do_float },
        { ".double", do_double }, { ".ascii", do_ascii },
        { ".asciz", do_asciz }, { ".string", do_asciz },
        { ".incbin", do_incbin }, { ".align", do_align },
        { ".balign", do_align }, { ".p2align", do_p2align },
        { ".space", do_space }, { ".zero", do_space }, { ".skip", do_space },
        { ".fill", do_fill }, { ".section", do_section }, { ".equ", do_equ },
        { ".set", do_equ }, { ".globl", do_globl }, { ".global", do_globl },
        { ".error", do_error },
    };

    if (name_eq(".text", name->p, name->len) ||
        name_eq(".data", name->p, name->len) ||
        name_eq(".rodata", name->p, name->len) ||
        name_eq(".bss", name->p, name->len)) {
        as->cur = section_get(as, name->p, name->len);
        as->pos++;
        return true;
    }
    for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
        if (name_eq(table[i].name, name->p, name->len)) {
            as->pos++;
            table[i].fn(as);
            return true;
        }
    }
    return false;
}
