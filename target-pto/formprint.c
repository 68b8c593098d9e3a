/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text of instructions, item by item as forms.def spells them. */
#include "tile/port.h"
#include <stdarg.h>
#include "forms.h"

typedef struct Printer {
    const PtoForm *form;
    uint64_t insn;
    uint64_t pc;
    char *buf;
    size_t size;
    size_t len;
    bool ok;
} Printer;

static void put(Printer *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static int64_t get(const Printer *p, unsigned id)
{
    return pto_field_get(p->form, p->insn, id);
}

static void put(Printer *p, const char *fmt, ...)
{
    va_list ap;
    int n;

    if (p->len >= p->size) {
        return;
    }
    va_start(ap, fmt);
    n = vsnprintf(p->buf + p->len, p->size - p->len, fmt, ap);
    va_end(ap);
    p->len += n > 0 ? n : 0;
}

static void put_number(Printer *p, int64_t v)
{
    if (v > -4096 && v < 4096) {
        put(p, "%" PRId64, v);
    } else if (v < 0) {
        put(p, "-0x%" PRIx64, -(uint64_t)v);
    } else {
        put(p, "0x%" PRIx64, v);
    }
}

/* The name of value @v of @kind, or the number itself. */
static void put_name(Printer *p, PtoKind kind, unsigned v)
{
    const PtoNames *n = pto_kind_names(kind);

    if (n && v < n->count && n->names[v]) {
        put(p, "%s", n->names[v]);
    } else {
        put(p, "%u", v);
    }
}

static void put_modifier(Printer *p, PtoKind kind, unsigned v)
{
    const char *s = pto_kind_names(kind)->names[v & 3];

    put(p, "%s", s ? s : "");
}

static void put_ssr(Printer *p, uint64_t id)
{
    const char *name = pto_ssr_name(id & 0xfff);

    if (name && id < 0x1000) {
        put(p, "%s", name);
    } else if (name && (id & 0xf00) == 0xf00 && id < 0x10000) {
        put(p, "%s_ACR%u", name, (unsigned)(id >> 12));
    } else {
        put(p, "0x%" PRIx64, id);
    }
}

/* ---- suffixes ---- */

static const char *const fp_types[15] = {
    "fd", "fs", "ftf32", "fhf32", "fh", "fbf", "fhif8", "fe4m3",
    "fe5m2", "fe3m2", "fe2m3", "fe2m1", "fe1m2", "f13", "f14",
};
static const char *const int_types[15] = {
    "ud", "uw", "uh", "ub", "u4", "u2", "u1", "ux",
    "sd", "sw", "sh", "sb", "s4", "s2", "s1",
};

const char *pto_scalar_type_name(bool floating, unsigned code)
{
    return code > 14 ? NULL : floating ? fp_types[code] : int_types[code];
}

static void put_scalar_type(Printer *p, bool floating, unsigned code)
{
    const char *s = pto_scalar_type_name(floating, code);

    if (s) {
        put(p, "%s", s);
    } else {
        put(p, "c%u", code);
    }
}

static void put_convert(Printer *p, PtoKind kind)
{
    bool from_fp = kind == PTO_K_CVTFF || kind == PTO_K_CVTFI;
    unsigned st = get(p, PTO_F_ST);

    put(p, ".");
    if (st > 1) {
        put(p, "c%u", st);
    } else {
        put_scalar_type(p, from_fp, st + (kind == PTO_K_CVTSF ? 8 : 0));
    }
    put(p, "2");
    put_scalar_type(p, kind != PTO_K_CVTFI, get(p, PTO_F_DT));
}

/* The letters of @flags whose one-bit field is set, behind one dot. */
static void put_flags(Printer *p, const PtoSuffixFlag *flags)
{
    const char *dot = ".";

    for (; flags->text; flags++) {
        if (get(p, flags->field)) {
            put(p, "%s%s", dot, flags->text);
            dot = "";
        }
    }
}

const PtoSuffixFlag *pto_suffix_flags(PtoKind kind)
{
    static const PtoSuffixFlag order[] = {
        { "aq", PTO_F_AQ }, { "rl", PTO_F_RL }, { "f", PTO_F_FAR }, { NULL },
    };
    static const PtoSuffixFlag qmt[] = {
        { "i", PTO_F_I }, { "e", PTO_F_E }, { "s", PTO_F_S },
        { "r", PTO_F_R }, { NULL },
    };
    static const PtoSuffixFlag queue[] = {
        { "h", PTO_F_H }, { "e", PTO_F_E }, { "r", PTO_F_R }, { NULL },
    };

    switch (kind) {
    case PTO_K_ORDER:
        return order;
    case PTO_K_QMT:
        return qmt;
    case PTO_K_QPOP:
    case PTO_K_QPUSH:
        return queue;
    default:
        return NULL;
    }
}

/* ---- block operands ---- */

static void put_catr(Printer *p)
{
    static const struct {
        uint8_t field;
        const char *text;
    } one[] = {
        { PTO_F_TRAP, "trap" }, { PTO_F_ATOM, "atomic" },
        { PTO_F_NONE, NULL },
        { PTO_F_FAR, "far" }, { PTO_F_DR, "dr" },
    };
    const char *sep = "";

    put(p, "{");
    for (size_t i = 0; i < ARRAY_SIZE(one); i++) {
        if (one[i].text && get(p, one[i].field)) {
            put(p, "%s%s", sep, one[i].text);
            sep = ", ";
        } else if (!one[i].text && (get(p, PTO_F_AQ) || get(p, PTO_F_RL))) {
            put(p, "%s%s%s", sep, get(p, PTO_F_AQ) ? "aq" : "",
                get(p, PTO_F_RL) ? "rl" : "");
            sep = ", ";
        }
    }
    put(p, "}");
}

static void put_tile(Printer *p, unsigned code)
{
    put(p, "%c#%u", "TUMN"[code >> 4 & 3], (code & 15) + 1);
}

static void put_ios(Printer *p)
{
    unsigned size = get(p, PTO_F_SIZE);
    unsigned sid = get(p, PTO_F_SID);
    const char *mask = pto_pe_mask(get(p, PTO_F_PEMODE));

    if (size) {
        put(p, "mask=%s, ->S%u<%u>", mask, sid, size);
    } else {
        put(p, "S%u, mask=%s", sid, mask);
    }
}

static void put_tepl(Printer *p)
{
    unsigned mode = get(p, PTO_F_MODE), func = get(p, PTO_F_FUNC);
    const char *engine;
    const char *name = pto_tepl_name(mode * 32 + func, &engine);

    /* The engine's name replaces TEPL for every assigned operation. */
    if (name) {
        p->len = 0;
        put(p, "BSTART.%s %s, ", engine, name);
    } else {
        put(p, "%u, %u, ", mode, func);
    }
    put_name(p, PTO_K_DTYPE, get(p, PTO_F_DTYPE));
}

static void put_branch(Printer *p)
{
    if (!get(p, PTO_F_VALID)) {
        put(p, "BR.none");
    } else {
        put(p, "BR.%s", get(p, PTO_F_LIKELY) ? "likely" : "unlikely");
    }
}

/* ---- one item ---- */

static void put_address(Printer *p, const PtoSyn *s, int64_t v)
{
    switch (s->kind) {
    case PTO_K_PC:
        put(p, "0x%" PRIx64, p->pc + v * 2);
        break;
    case PTO_K_PCR:
        put(p, "0x%" PRIx64, (p->pc & ~UINT64_C(3)) + v * 4);
        break;
    default:
        put(p, "0x%" PRIx64, p->pc + 2 + v * 2);
        break;
    }
}

static void put_block_item(Printer *p, const PtoSyn *s, int64_t v)
{
    switch (s->kind) {
    case PTO_K_TEPL:
        put_tepl(p);
        break;
    case PTO_K_CATR:
        put_catr(p);
        break;
    case PTO_K_BRANCH:
        put_branch(p);
        break;
    case PTO_K_TILE:
        put_tile(p, v);
        break;
    case PTO_K_MASK:
        put(p, "mask=%s", pto_pe_mask(v));
        break;
    case PTO_K_DTILE:
        put(p, "%c<%u>", "TUMN"[v & 3], (unsigned)get(p, PTO_F_SIZE));
        break;
    case PTO_K_LAST:
        put(p, "%s", v ? ", last" : "");
        break;
    case PTO_K_IOS:
        put_ios(p);
        break;
    case PTO_K_IOR:
        put(p, "%s, %s, %s, ->%s", pto_gpr_name(get(p, PTO_F_RS0)),
            pto_gpr_name(get(p, PTO_F_RS1)), pto_gpr_name(get(p, PTO_F_RS2)),
            pto_gpr_name(get(p, PTO_F_RD)));
        break;
    case PTO_K_BR:
    {
        const PtoNames *n = pto_kind_names(PTO_K_BR);

        p->ok &= n->names[v & 7] != NULL;
        put_name(p, s->kind, v);
        break;
    }
    default:
        put_name(p, s->kind, v);
        break;
    }
}

static void put_item(Printer *p, const PtoSyn *s)
{
    int64_t v = get(p, s->field);

    switch (s->kind) {
    case PTO_K_LIT:
        put(p, "%s", s->text);
        break;
    case PTO_K_SRC:
        put(p, "%s", pto_source_name(v));
        break;
    case PTO_K_DST:
        put(p, "%s", pto_dest_name(v));
        break;
    case PTO_K_GPR:
        put(p, "%s", pto_gpr_name(v));
        break;
    case PTO_K_NUM:
        put_number(p, v * s->scale);
        break;
    case PTO_K_RET:
    case PTO_K_PAGE:
        put_number(p, v);
        break;
    case PTO_K_WM1:
        put_number(p, v + 1);
        break;
    case PTO_K_ZERO:
        p->ok &= v == 0;
        break;
    case PTO_K_PC:
    case PTO_K_PCR:
    case PTO_K_RT:
        put_address(p, s, v);
        break;
    case PTO_K_BNEG:
    case PTO_K_BNOT:
    case PTO_K_CNEG:
    case PTO_K_CNOT:
    case PTO_K_SNEG:
        put_modifier(p, s->kind, v);
        break;
    case PTO_K_LSL:
        if (v) {
            put(p, "<<%u", (unsigned)v);
        }
        break;
    case PTO_K_SH:
        if (v) {
            put(p, ", <<%u", (unsigned)v);
        }
        break;
    case PTO_K_FP:
        put(p, v > 1 ? ".c%u" : v ? ".fs" : ".fd", (unsigned)v);
        break;
    case PTO_K_CVTFF:
    case PTO_K_CVTFI:
    case PTO_K_CVTSF:
    case PTO_K_CVTUF:
        put_convert(p, s->kind);
        break;
    case PTO_K_ORDER:
    case PTO_K_QMT:
    case PTO_K_QPOP:
    case PTO_K_QPUSH:
        put_flags(p, pto_suffix_flags(s->kind));
        break;
    case PTO_K_QMTR:
        if (get(p, PTO_F_I)) {
            put(p, ", %s", pto_source_name(v));
        } else {
            p->ok &= v == 0;
        }
        break;
    case PTO_K_LEVEL:
        put(p, ".l%u", (unsigned)v + 1);
        break;
    case PTO_K_SSR:
        put_ssr(p, v);
        break;
    case PTO_K_LSR:
        put_number(p, v);
        break;
    case PTO_K_LASTPRE:
        break;
    default:
        put_block_item(p, s, v);
        break;
    }
}

bool pto_form_print(const PtoForm *form, uint64_t insn, uint64_t pc,
                    char *buf, size_t size)
{
    Printer p = {
        .form = form, .insn = insn, .pc = pc,
        .buf = buf, .size = size, .ok = true,
    };

    put(&p, "%s", form->mnemonic);
    for (unsigned i = 0; i < form->nsyn; i++) {
        put_item(&p, &form->syn[i]);
    }
    return p.ok;
}

static void print_data(const uint8_t *p, unsigned n, char *buf, size_t size)
{
    uint64_t v = 0;

    for (unsigned i = 0; i < n; i++) {
        v |= (uint64_t)p[i] << i * 8;
    }
    switch (n) {
    case 1:
        snprintf(buf, size, ".byte 0x%02x", (unsigned)v);
        break;
    case 2:
        snprintf(buf, size, ".half 0x%04x", (unsigned)v);
        break;
    case 4:
        snprintf(buf, size, ".word 0x%08x", (unsigned)v);
        break;
    case 6:
        snprintf(buf, size, ".half 0x%04x, 0x%04x, 0x%04x",
                 (unsigned)(v & 0xffff), (unsigned)(v >> 16 & 0xffff),
                 (unsigned)(v >> 32));
        break;
    default:
        snprintf(buf, size, ".dword 0x%016" PRIx64, v);
        break;
    }
}

unsigned pto_disassemble(const uint8_t *p, size_t avail, uint64_t pc,
                         char *buf, size_t size)
{
    uint64_t insn = 0;
    const PtoForm *form;
    unsigned n;

    if (avail < 2) {
        if (avail) {
            print_data(p, 1, buf, size);
        }
        return avail;
    }
    n = pto_insn_bytes(p[0] | p[1] << 8, avail < 4 ? 0 : p[2] | p[3] << 8);
    if (n > avail) {
        print_data(p, 2, buf, size);
        return 2;
    }
    for (unsigned i = 0; i < n; i++) {
        insn |= (uint64_t)p[i] << i * 8;
    }
    form = pto_form_find(insn, n);
    if (!form || !pto_form_print(form, insn, pc, buf, size)) {
        print_data(p, n, buf, size);
    }
    return n;
}
