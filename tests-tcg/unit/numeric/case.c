/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reader of numeric vector lines.
 */
#include "case.h"

static void *case_alloc(NumericCase *c, size_t size)
{
    void *p = pto_alloc0(size);

    if (c->memory_count < ARRAY_SIZE(c->memory)) {
        c->memory[c->memory_count++] = p;
    }
    return p;
}

void case_free(NumericCase *c)
{
    while (c->memory_count) {
        pto_free(c->memory[--c->memory_count]);
    }
}

static char *skip_space(char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n') {
        p++;
    }
    return p;
}

/*
 * Take a string or bare word at *@p and end it in place.  A bare word's
 * terminator is one of the structural characters, which is returned in *@stop
 * because ending the word overwrites it; 0 after a string.
 */
static const char *take_scalar(char **p, char *stop)
{
    char *start = *p, *end;

    *stop = 0;
    if (*start == '"') {
        start++;
        end = strchr(start, '"');
        if (!end) {
            return NULL;
        }
        *end = 0;
        *p = end + 1;
        return start;
    }
    end = start + strcspn(start, ",]}");
    *stop = *end;
    *end = 0;
    *p = end + (*stop != 0);
    return start;
}

/* Next structural character: the overwritten one or the one at *@p. */
static char next_mark(char **p, char stop)
{
    if (stop) {
        return stop;
    }
    *p = skip_space(*p);
    return **p ? *(*p)++ : 0;
}

static bool parse_array(NumericCase *c, CaseMember *m, char **p)
{
    size_t room = 1;
    char mark = ',';

    for (char *q = *p; *q && *q != ']'; q++) {
        room += *q == ',';
    }
    m->items = case_alloc(c, room * sizeof(m->items[0]));
    *p = skip_space(*p);
    if (**p == ']') {
        (*p)++;
        return true;
    }
    while (mark == ',') {
        char stop;

        *p = skip_space(*p);
        m->items[m->item_count++] = take_scalar(p, &stop);
        mark = next_mark(p, stop);
    }
    return mark == ']';
}

static const char *join_key(NumericCase *c, const char *outer, const char *key)
{
    char *joined;

    if (!outer) {
        return key;
    }
    joined = case_alloc(c, strlen(outer) + strlen(key) + 2);
    sprintf(joined, "%s.%s", outer, key);
    return joined;
}

/* Members after '{'; ends after the matching '}'. */
static bool parse_members(NumericCase *c, char **p, const char *outer)
{
    char mark = ',';

    while (mark == ',') {
        CaseMember *m;
        char stop = 0;
        const char *key;

        *p = skip_space(*p);
        key = take_scalar(p, &stop);
        if (!key || stop || next_mark(p, 0) != ':' ||
            c->member_count == CASE_MEMBERS) {
            return false;
        }
        *p = skip_space(*p);
        key = join_key(c, outer, key);
        if (**p == '{') {
            (*p)++;
            if (!parse_members(c, p, key)) {
                return false;
            }
            mark = next_mark(p, 0);
            continue;
        }
        m = &c->members[c->member_count++];
        m->key = key;
        if (**p == '[') {
            (*p)++;
            if (!parse_array(c, m, p)) {
                return false;
            }
        } else {
            m->text = take_scalar(p, &stop);
        }
        mark = next_mark(p, stop);
    }
    return mark == '}';
}

bool case_parse(NumericCase *c, char *line)
{
    *c = (NumericCase) { .quiet = c->quiet };
    line = skip_space(line);
    if (*line != '{') {
        return false;
    }
    line++;
    return parse_members(c, &line, NULL);
}

const CaseMember *case_member(const NumericCase *c, const char *key)
{
    for (size_t i = 0; i < c->member_count; i++) {
        if (!strcmp(c->members[i].key, key)) {
            return &c->members[i];
        }
    }
    return NULL;
}

const char *case_text(const NumericCase *c, const char *key)
{
    const CaseMember *m = case_member(c, key);

    return m ? m->text : NULL;
}

uint64_t case_number(const NumericCase *c, const char *key, uint64_t fallback)
{
    const char *text = case_text(c, key);

    return text ? (text[0] == '-' ? (uint64_t)strtoll(text, NULL, 0)
                                  : strtoull(text, NULL, 0))
                : fallback;
}

static uint64_t hex_digits(const char *p, size_t digits)
{
    uint64_t v = 0;

    for (size_t i = 0; i < digits; i++) {
        unsigned d = p[i];

        v = v << 4 | (d <= '9' ? d - '0' : (d | 0x20) - 'a' + 10);
    }
    return v;
}

CaseValues case_values(NumericCase *c, const char *key)
{
    const CaseMember *m = case_member(c, key);
    size_t n = case_number(c, "n", 1);
    const char *text = m ? m->text : NULL;
    bool packed = case_member(c, "enc") && !(text && !strncmp(text, "0x", 2));
    CaseValues out = { 0 };

    if (!m) {
        return out;
    }
    if (m->items) {
        out.n = m->item_count;
    } else if (!packed) {
        out.n = 1;
    } else if (!strcmp(text, "ALL")) {
        out.n = 256;
    } else {
        out.n = !strcmp(key, "a") && case_member(c, "a_scalar") ? 1 : n;
    }
    out.v = case_alloc(c, (out.n + 1) * sizeof(out.v[0]));
    for (size_t i = 0; i < out.n; i++) {
        if (m->items) {
            out.v[i] = strtoull(m->items[i], NULL, 0);
        } else if (!packed) {
            out.v[i] = strtoull(text, NULL, 0);
        } else if (!strcmp(text, "ALL")) {
            out.v[i] = i;
        } else if (!strncmp(text, "RANGE:", 6)) {
            out.v[i] = strtoull(text + 6, NULL, 16) + i;
        } else {
            size_t digits = strlen(text) / out.n;

            out.v[i] = hex_digits(text + i * digits, digits);
        }
    }
    return out;
}

PtoDataType case_type(const NumericCase *c, const char *key)
{
    const char *name = case_text(c, key);

    for (unsigned t = 0; name && t < PTO_DTYPE_CODES; t++) {
        if (pto_formats[t].name && !strcmp(pto_formats[t].name, name)) {
            return t;
        }
    }
    return PTO_DTYPE_NONE;
}

PtoRound round_by_name(const char *name)
{
    static const char *const names[] = {
        "NONE", "RNE", "RTZ", "RDN", "RUP", "RNA", "RTO", "RHB",
    };

    for (size_t i = 0; name && i < ARRAY_SIZE(names); i++) {
        if (!strcmp(names[i], name)) {
            return i;
        }
    }
    return PTO_ROUND_NONE;
}

uint32_t case_flags(const NumericCase *c, const char *key)
{
    static const char *const names[] = { "NV", "DZ", "OF", "UF", "NX" };
    const CaseMember *m = case_member(c, key);
    uint32_t flags = 0;

    for (size_t i = 0; m && i < m->item_count; i++) {
        for (size_t k = 0; k < ARRAY_SIZE(names); k++) {
            flags |= !strcmp(names[k], m->items[i]) << k;
        }
    }
    return flags;
}

void case_expect(NumericCase *c, const char *what, size_t index, uint64_t got,
                 uint64_t want)
{
    if (got == want) {
        return;
    }
    if (!c->failed && !c->quiet) {
        printf("%s: %s[%zu] is 0x%" PRIx64 ", expected 0x%" PRIx64 "\n",
               case_text(c, "id"), what, index, got, want);
    }
    c->failed = true;
}

void case_expect_element(NumericCase *c, size_t i, uint64_t got, uint32_t flags,
                         CaseValues r, CaseValues ef)
{
    case_expect(c, "r", i, got, i < r.n ? r.v[i] : 0);
    case_expect(c, "ef", i, flags, i < ef.n ? ef.v[i] : 0);
}
