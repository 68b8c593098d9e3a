/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operands: the inverse of formprint.c, kind by kind. */
#include "as.h"
#include <strings.h>

/* ---- registers ---- */

static int absolute_reg(const char *s, size_t len)
{
    for (unsigned i = 0; i < 24; i++) {
        if (name_eq(pto_gpr_name(i), s, len)) {
            return i;
        }
    }
    if (len >= 2 && len <= 3 && (s[0] == 'r' || s[0] == 'R')) {
        unsigned n = 0;

        for (size_t i = 1; i < len; i++) {
            if (s[i] < '0' || s[i] > '9') {
                return -1;
            }
            n = n * 10 + s[i] - '0';
        }
        return n < 32 && !(len == 3 && s[1] == '0') ? (int)n : -1;
    }
    return -1;
}

bool is_register_name(const char *s, size_t len)
{
    return absolute_reg(s, len) >= 0;
}

/* t#n or u#n behind an accepted name: 24 to 31, or -1 */
static int queue_reg(As *as)
{
    const Token *t = peek(as);
    int base = name_eq("t", t->p, t->len) ? 24 :
               name_eq("u", t->p, t->len) ? 28 : -1;
    const Token *n = t + 2;

    if (base < 0 || !is_punct(t + 1, "#")) {
        return -1;
    }
    if (n->kind != TOK_NUMBER || n->value < 1 || n->value > 4) {
        as_error(as, n, "queue entries are numbered 1 to 4");
        return -2;
    }
    as->pos += 3;
    return base + n->value - 1;
}

static bool parse_reg(As *as, unsigned limit, unsigned *code)
{
    const Token *t = peek(as);
    int r;

    if (t->kind == TOK_NAME) {
        r = limit > 24 ? queue_reg(as) : -1;
        if (r == -2) {
            return false;
        }
        if (r < 0) {
            r = absolute_reg(t->p, t->len);
            as->pos += r >= 0;
        }
        if (r >= 0) {
            *code = r;
            return true;
        }
    }
    as_error(as, t, limit > 24 ? "expected a register, t#n or u#n" :
             "expected an absolute register");
    return false;
}

bool parse_source_reg(As *as, unsigned *code)
{
    return parse_reg(as, 32, code);
}

bool parse_gpr(As *as, unsigned *code)
{
    return parse_reg(as, 24, code);
}

bool parse_dest_reg(As *as, unsigned *code)
{
    const Token *t = peek(as);

    if (t->kind == TOK_NAME && !is_punct(t + 1, "#")) {
        if (name_eq("t", t->p, t->len) || name_eq("u", t->p, t->len)) {
            *code = (*t->p | 0x20) == 't' ? 31 : 30;
            as->pos++;
            return true;
        }
    }
    return parse_reg(as, 32, code);
}

/* ---- numbers ---- */

/* Put @v into a field after checking that it fits. */
static bool set_number(As *as, Insn *in, const PtoSyn *s, const Token *t,
                       int64_t v, bool unknown)
{
    const PtoFormField *f = pto_form_field(in->form, s->field);
    unsigned bits = pto_field_bits(f);
    int64_t lo = f->is_signed ? -(INT64_C(1) << (bits - 1)) : 0;
    int64_t hi = (INT64_C(1) << (bits - f->is_signed)) - 1;

    if (unknown) {
        return true;
    }
    if (v % s->scale) {
        as_error(as, t, "%" PRId64 " is not a multiple of %u", v, s->scale);
        return false;
    }
    v /= s->scale;
    if (v < lo || v > hi) {
        as_error(as, t, "%" PRId64 " is out of range %" PRId64 "..%" PRId64,
                 v * s->scale, lo * s->scale, hi * s->scale);
        return false;
    }
    pto_field_set(in->form, &in->bits, s->field, v);
    return true;
}

static bool parse_number_item(As *as, Insn *in, const PtoSyn *s, int64_t bias)
{
    const Token *t = peek(as);
    Value v;

    if (!parse_expr(as, &v)) {
        return false;
    }
    return set_number(as, in, s, t, value_address(&v) - bias,
                      v.unknown || (v.sec && as->pass == 1));
}

/* A place in the code, at @unit bytes a step from @from. */
static bool set_distance(As *as, Insn *in, const PtoSyn *s, const Token *t,
                         const Value *v, uint64_t from, unsigned unit)
{
    int64_t d = value_address(v) - from;

    if (v->unknown || as->pass == 1) {
        return true;
    }
    if (d % (int64_t)unit) {
        as_error(as, t, "distance %" PRId64 " is not a multiple of %u", d,
                 unit);
        return false;
    }
    d /= (int64_t)unit;
    /* @d counts units and the field does, too */
    return set_number(as, in, s, t, d, false);
}

static bool parse_place(As *as, Insn *in, const PtoSyn *s)
{
    const Token *t = peek(as);
    Value v;

    if (!parse_expr(as, &v)) {
        return false;
    }
    switch (s->kind) {
    case PTO_K_PC:
        return set_distance(as, in, s, t, &v, in->pc, 2);
    case PTO_K_PCR:
        return set_distance(as, in, s, t, &v, in->pc & ~UINT64_C(3), 4);
    case PTO_K_RT:
        return set_distance(as, in, s, t, &v, in->pc + 2, 2);
    default:
        break;
    }
    /* RET and PAGE: a number is the field itself, a label is a target. */
    if (!v.sec) {
        return set_number(as, in, s, t, v.v, v.unknown);
    }
    return set_distance(as, in, s, t, &v, in->pc,
                        s->kind == PTO_K_RET ? 2 : 4096);
}

/* ---- names ---- */

static int find_name(PtoKind kind, const Token *t)
{
    const PtoNames *n = pto_kind_names(kind);

    for (unsigned i = 0; n && t->kind == TOK_NAME && i < n->count; i++) {
        if (n->names[i] && name_eq(n->names[i], t->p, t->len)) {
            return i;
        }
    }
    return -1;
}

static bool parse_name_item(As *as, Insn *in, const PtoSyn *s)
{
    const Token *t = peek(as);
    int v = find_name(s->kind, t);
    Symbol *sym;

    if (v >= 0) {
        as->pos++;
        pto_field_set(in->form, &in->bits, s->field, v);
        return true;
    }
    sym = t->kind == TOK_NAME ? symbol_get(as, t->p, t->len, false) : NULL;
    if (t->kind != TOK_NUMBER && !is_punct(t, "(") && !sym) {
        as_error(as, t, "unknown name");
        return false;
    }
    return parse_number_item(as, in, s, 0);
}

/* A modifier is a name token that starts with a dot, or nothing. */
static bool parse_modifier(As *as, Insn *in, const PtoSyn *s)
{
    const Token *t = peek(as);
    bool present = t->kind == TOK_NAME && *t->p == '.';
    const PtoNames *n = pto_kind_names(s->kind);

    for (unsigned i = 0; i < n->count; i++) {
        const char *name = n->names[i];

        if (name && (present ? *name && name_eq(name, t->p, t->len)
                             : !*name)) {
            as->pos += present;
            pto_field_set(in->form, &in->bits, s->field, i);
            return true;
        }
    }
    as_error(as, t, "modifier does not exist here");
    return false;
}

static bool parse_shift(As *as, Insn *in, const PtoSyn *s)
{
    Value v;
    const Token *t;

    if (s->kind == PTO_K_SH) {
        if (!is_punct(peek(as), ",")) {
            return true;
        }
        as->pos++;
        if (!expect(as, "<<")) {
            return false;
        }
    } else if (!accept(as, "<<")) {
        return true;
    }
    t = peek(as);
    return parse_primary(as, &v) &&
           set_number(as, in, s, t, value_address(&v), v.unknown);
}

static bool parse_ssr(As *as, Insn *in, const PtoSyn *s)
{
    const Token *t = peek(as);
    unsigned len = t->len;
    int id, ring = 0;

    if (t->kind == TOK_NAME && !symbol_get(as, t->p, t->len, false)) {
        const char *acr = NULL;

        for (unsigned i = 1; i + 4 < len; i++) {
            if (!strncasecmp(t->p + i, "_ACR", 4)) {
                acr = t->p + i;
            }
        }
        if (acr) {
            ring = strtol(acr + 4, NULL, 10);
            len = acr - t->p;
        }
        id = pto_ssr_find(t->p, len);
        if (id < 0 || ring > 15) {
            as_error(as, t, "unknown system register");
            return false;
        }
        as->pos++;
        return set_number(as, in, s, t, id | ring << 12, false);
    }
    return parse_number_item(as, in, s, 0);
}

/* ---- block operands ---- */

static bool parse_tile(As *as, Insn *in, const PtoSyn *s)
{
    const Token *t = peek(as);
    const char *hands = "TUMN";
    const char *h = t->kind == TOK_NAME && t->len == 1
                  ? strchr(hands, *t->p & ~0x20) : NULL;
    const Token *n = t + 2;

    if (!h || !*h || !is_punct(t + 1, "#")) {
        as_error(as, t, "expected a tile: T#n, U#n, M#n or N#n");
        return false;
    }
    if (n->kind != TOK_NUMBER || n->value < 1 || n->value > 16) {
        as_error(as, n, "tiles of a hand are numbered 1 to 16");
        return false;
    }
    as->pos += 3;
    pto_field_set(in->form, &in->bits, s->field,
                  (h - hands) * 16 + n->value - 1);
    return true;
}

static bool parse_mask(As *as, Insn *in)
{
    const Token *t = peek(as);

    if (t->kind != TOK_NAME || !name_eq("mask", t->p, t->len)) {
        as_error(as, t, "expected mask=");
        return false;
    }
    as->pos++;
    if (!expect(as, "=")) {
        return false;
    }
    t = peek(as);
    for (unsigned i = 0; i < 8; i++) {
        if (t->kind == TOK_NUMBER && name_eq(pto_pe_mask(i), t->p, t->len)) {
            as->pos++;
            pto_field_set(in->form, &in->bits, PTO_F_PEMODE, i);
            return true;
        }
    }
    as_error(as, t, "not an encodable mask: 0000, one PE, 0011, 0111, 1111 "
             "(PE 0 rightmost)");
    return false;
}

static bool parse_size_code(As *as, Insn *in)
{
    PtoSyn s = { .field = PTO_F_SIZE, .scale = 1 };
    const Token *t;
    Value v;

    if (!expect(as, "<")) {
        return false;
    }
    t = peek(as);
    return parse_primary(as, &v) &&
           set_number(as, in, &s, t, value_address(&v), v.unknown) &&
           expect(as, ">");
}

static bool parse_dest_tile(As *as, Insn *in)
{
    const Token *t = peek(as);
    const char *hands = "TUMN";
    const char *h = t->kind == TOK_NAME && t->len == 1
                  ? strchr(hands, *t->p & ~0x20) : NULL;

    if (!h || !*h) {
        as_error(as, t, "expected a hand: T, U, M or N");
        return false;
    }
    as->pos++;
    pto_field_set(in->form, &in->bits, PTO_F_DST, h - hands);
    return parse_size_code(as, in);
}

/* ", last" or ", <last>", on either side of the destination */
static bool parse_last(As *as, Insn *in)
{
    const Token *t = peek(as);
    bool angle = is_punct(t, ",") && is_punct(t + 1, "<");
    const Token *n = t + 1 + angle;

    if (is_punct(t, ",") && n->kind == TOK_NAME &&
        name_eq("last", n->p, n->len)) {
        as->pos += 2 + angle;
        pto_field_set(in->form, &in->bits, PTO_F_LAST, 1);
        return !angle || expect(as, ">");
    }
    return true;
}

static bool parse_shared(As *as, Insn *in)
{
    const Token *t = peek(as);
    char *end;
    unsigned long id;

    if (t->kind != TOK_NAME || (*t->p & ~0x20) != 'S' || t->len < 2) {
        as_error(as, t, "expected a Shared register S0 to S63");
        return false;
    }
    id = strtoul(t->p + 1, &end, 10);
    if (end != t->p + t->len || id > 63) {
        as_error(as, t, "Shared registers are S0 to S63");
        return false;
    }
    as->pos++;
    pto_field_set(in->form, &in->bits, PTO_F_SID, id);
    return true;
}

static bool parse_ios(As *as, Insn *in)
{
    const Token *t = peek(as);

    if (t->kind == TOK_NAME && name_eq("mask", t->p, t->len)) {
        return parse_mask(as, in) && expect(as, ",") && expect(as, "->") &&
               parse_shared(as, in) && parse_size_code(as, in);
    }
    return parse_shared(as, in) && expect(as, ",") && parse_mask(as, in);
}

static bool parse_ior(As *as, Insn *in)
{
    static const uint8_t sources[] = { PTO_F_RS0, PTO_F_RS1, PTO_F_RS2 };
    unsigned n = 0, reg;

    do {
        if (accept(as, "->")) {
            if (!parse_gpr(as, &reg)) {
                return false;
            }
            pto_field_set(in->form, &in->bits, PTO_F_RD, reg);
            return true;
        }
        if (n == ARRAY_SIZE(sources)) {
            as_error(as, NULL, "at most three sources");
            return false;
        }
        if (!parse_gpr(as, &reg)) {
            return false;
        }
        pto_field_set(in->form, &in->bits, sources[n++], reg);
    } while (accept(as, ","));
    return true;
}

static bool parse_catr(As *as, Insn *in)
{
    static const struct {
        const char *text;
        uint8_t field, field2;
    } names[] = {
        { "trap", PTO_F_TRAP, 0 }, { "atomic", PTO_F_ATOM, 0 },
        { "aq", PTO_F_AQ, 0 }, { "rl", PTO_F_RL, 0 },
        { "aqrl", PTO_F_AQ, PTO_F_RL }, { "far", PTO_F_FAR, 0 },
        { "dr", PTO_F_DR, 0 },
    };

    if (!expect(as, "{")) {
        return false;
    }
    while (!accept(as, "}")) {
        const Token *t = peek(as);
        size_t i = 0;

        while (i < ARRAY_SIZE(names) && !(t->kind == TOK_NAME &&
               name_eq(names[i].text, t->p, t->len))) {
            i++;
        }
        if (i == ARRAY_SIZE(names)) {
            as_error(as, t, "expected trap, atomic, aq, rl, aqrl, far or dr");
            return false;
        }
        as->pos++;
        pto_field_set(in->form, &in->bits, names[i].field, 1);
        pto_field_set(in->form, &in->bits, names[i].field2, 1);
        if (!is_punct(peek(as), "}") && !expect(as, ",")) {
            return false;
        }
    }
    return true;
}

static bool parse_branch(As *as, Insn *in)
{
    static const char *const names[] = {
        "BR.none", "BR.unlikely", "BR.likely",
    };
    const Token *t = peek(as);

    for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
        if (t->kind == TOK_NAME && name_eq(names[i], t->p, t->len)) {
            as->pos++;
            pto_field_set(in->form, &in->bits, PTO_F_VALID, i > 0);
            pto_field_set(in->form, &in->bits, PTO_F_LIKELY, i > 1);
            return true;
        }
    }
    as_error(as, t, "expected BR.likely, BR.unlikely or BR.none");
    return false;
}

/* "TADD, FP32", or "mode, function, FP32" */
static bool parse_tepl(As *as, Insn *in)
{
    const Token *t = peek(as);
    const PtoSyn mode = { .field = PTO_F_MODE, .scale = 1 };
    const PtoSyn func = { .field = PTO_F_FUNC, .scale = 1 };
    const PtoSyn type = { .kind = PTO_K_DTYPE, .scale = 1,
                          .field = PTO_F_DTYPE };
    const char *engine;
    int sel = t->kind == TOK_NAME ? pto_tepl_find(t->p, t->len, &engine) : -1;

    if (sel >= 0) {
        as->pos++;
        pto_field_set(in->form, &in->bits, PTO_F_MODE, sel / 32);
        pto_field_set(in->form, &in->bits, PTO_F_FUNC, sel % 32);
    } else if (t->kind != TOK_NUMBER) {
        as_error(as, t, "unknown tile operation");
        return false;
    } else if (!parse_number_item(as, in, &mode, 0) || !expect(as, ",") ||
               !parse_number_item(as, in, &func, 0)) {
        return false;
    }
    return expect(as, ",") && parse_name_item(as, in, &type);
}

/* ---- suffixes ---- */

static int scalar_type(bool floating, const char *s, size_t len)
{
    int code = 0;

    for (unsigned i = 0; i < 15; i++) {
        if (name_eq(pto_scalar_type_name(floating, i), s, len)) {
            return i;
        }
    }
    /* reserved codes: c and one or two digits */
    if (len < 2 || len > 3 || s[0] != 'c') {
        return -1;
    }
    for (size_t i = 1; i < len; i++) {
        if (s[i] < '0' || s[i] > '9') {
            return -1;
        }
        code = code * 10 + s[i] - '0';
    }
    return code < 32 ? code : -1;
}

static bool parse_convert(Insn *in, PtoKind kind, const char *s, size_t len)
{
    bool from_fp = kind == PTO_K_CVTFF || kind == PTO_K_CVTFI;
    const char *two = len > 4 ? memchr(s + 3, '2', len - 3) : NULL;
    int st, dt;

    if (!two) {
        return false;
    }
    st = scalar_type(from_fp, s + 1, two - s - 1);
    dt = scalar_type(kind != PTO_K_CVTFI, two + 1, s + len - two - 1);
    if (kind == PTO_K_CVTSF && st >= 8) {
        st -= 8;
    }
    if (st < 0 || st > 3 || dt < 0) {
        return false;
    }
    pto_field_set(in->form, &in->bits, PTO_F_ST, st);
    pto_field_set(in->form, &in->bits, PTO_F_DT, dt);
    return true;
}

static bool parse_flags(Insn *in, const PtoSuffixFlag *flags, const char *s,
                        size_t len)
{
    size_t pos = 1;

    if (len == 0) {
        return true;
    }
    for (; flags->text; flags++) {
        size_t n = strlen(flags->text);

        if (pos + n <= len && !strncasecmp(s + pos, flags->text, n) &&
            pto_form_field(in->form, flags->field)) {
            pto_field_set(in->form, &in->bits, flags->field, 1);
            pos += n;
        }
    }
    return pos > 1 && pos == len;
}

bool parse_suffix(As *as, Insn *in, const PtoSyn *syn, const char *s,
                  size_t len)
{
    const PtoSuffixFlag *flags = pto_suffix_flags(syn->kind);
    int v;

    (void)as;
    if (flags) {
        return parse_flags(in, flags, s, len);
    }
    switch (syn->kind) {
    case PTO_K_FP:
        v = len > 1 ? scalar_type(true, s + 1, len - 1) : -1;
        if (v < 0 || v > 3 || (v > 1 && s[1] != 'c')) {
            return false;
        }
        break;
    case PTO_K_LEVEL:
        if (len == 0) {
            return true;
        }
        v = len > 2 && (s[1] | 0x20) == 'l' ? strtol(s + 2, NULL, 10) - 1 : -1;
        if (v < 0 || v > 31) {
            return false;
        }
        break;
    default:
        return parse_convert(in, syn->kind, s, len);
    }
    pto_field_set(in->form, &in->bits, syn->field, v);
    return true;
}

/* ---- one item ---- */

/* Literal text: the same characters, whatever the spaces. */
static bool parse_literal(As *as, const char *text)
{
    const char *p = text + strspn(text, " ");

    while (*p) {
        const Token *t = peek(as);
        size_t n = t->len;

        if (!n || strncasecmp(p, t->p, n)) {
            as_error(as, t, "expected '%s'", p);
            return false;
        }
        as->pos++;
        p += n;
        p += strspn(p, " ");
    }
    return true;
}

static bool set_reg(As *as, Insn *in, const PtoSyn *s)
{
    unsigned reg;
    bool ok = s->kind == PTO_K_SRC ? parse_source_reg(as, &reg)
            : s->kind == PTO_K_DST ? parse_dest_reg(as, &reg)
            : parse_gpr(as, &reg);

    if (ok) {
        pto_field_set(in->form, &in->bits, s->field, reg);
    }
    return ok;
}

bool parse_item(As *as, Insn *in, const PtoSyn *s)
{
    switch (s->kind) {
    case PTO_K_LIT:
        return parse_literal(as, s->text);
    case PTO_K_SRC:
    case PTO_K_DST:
    case PTO_K_GPR:
        return set_reg(as, in, s);
    case PTO_K_NUM:
    case PTO_K_LSR:
        return parse_number_item(as, in, s, 0);
    case PTO_K_WM1:
        return parse_number_item(as, in, s, 1);
    case PTO_K_ZERO:
        return true;
    case PTO_K_PC:
    case PTO_K_PCR:
    case PTO_K_RT:
    case PTO_K_RET:
    case PTO_K_PAGE:
        return parse_place(as, in, s);
    case PTO_K_BNEG:
    case PTO_K_BNOT:
    case PTO_K_CNEG:
    case PTO_K_CNOT:
    case PTO_K_SNEG:
        return parse_modifier(as, in, s);
    case PTO_K_LSL:
    case PTO_K_SH:
        return parse_shift(as, in, s);
    case PTO_K_QMTR:
        if (!pto_field_get(in->form, in->bits, PTO_F_I)) {
            return true;
        }
        return expect(as, ",") &&
               set_reg(as, in, &(PtoSyn) { PTO_K_SRC, 1, s->field, NULL });
    case PTO_K_SSR:
        return parse_ssr(as, in, s);
    case PTO_K_TILE:
        return parse_tile(as, in, s);
    case PTO_K_MASK:
        return parse_mask(as, in);
    case PTO_K_DTILE:
        return parse_dest_tile(as, in);
    case PTO_K_LAST:
    case PTO_K_LASTPRE:
        return parse_last(as, in);
    case PTO_K_IOS:
        return parse_ios(as, in);
    case PTO_K_IOR:
        return parse_ior(as, in);
    case PTO_K_CATR:
        return parse_catr(as, in);
    case PTO_K_BRANCH:
        return parse_branch(as, in);
    case PTO_K_TEPL:
        return parse_tepl(as, in);
    default:
        return parse_name_item(as, in, s);
    }
}
