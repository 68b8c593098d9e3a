/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pseudo instructions; each has one length that both passes agree on:
 *   nop                  C.MOVR zero, ->zero
 *   mv REG, ->REG        C.MOVR
 *   li EXPR, ->REG       shortest sequence for a number known in pass 1
 *   la LABEL, ->REG      HL.LIU: the address, below 4 GiB
 *   B.DIM LBn, EXPR      B.DIM zero, EXPR, ->LBn (also LBn=EXPR)
 */
#include "as.h"

static bool parse_arrow_dest(As *as, unsigned *rd)
{
    if (!expect(as, ",") || !expect(as, "->") || !parse_dest_reg(as, rd)) {
        return false;
    }
    if (!at_end(as)) {
        as_error(as, NULL, "nothing more is expected here");
        return false;
    }
    return true;
}

/* 64 bits in pieces of 32, 24 and 8, through the destination only. */
static void load_wide(As *as, uint64_t v, unsigned rd)
{
    int64_t r = rd;

    emit_form(as, "hl_lis", 2, PTO_F_RD, r,
              PTO_F_IMM, (int64_t)(int32_t)(v >> 32));
    emit_form(as, "slli", 3, PTO_F_RD, r, PTO_F_SL, r,
              PTO_F_SHAMT, INT64_C(24));
    emit_form(as, "hl_addi", 3, PTO_F_RD, r, PTO_F_SL, r,
              PTO_F_IMM, (int64_t)(v >> 8 & 0xffffff));
    emit_form(as, "slli", 3, PTO_F_RD, r, PTO_F_SL, r,
              PTO_F_SHAMT, INT64_C(8));
    emit_form(as, "addi", 3, PTO_F_RD, r, PTO_F_SL, r,
              PTO_F_IMM, (int64_t)(v & 0xff));
}

/* Was the number unknown when pass 1 was here? */
static bool is_late(As *as, bool unknown)
{
    if (as->pass == 1) {
        as->late = xgrow(as->late, &as->late_cap, as->nlate + 1, 1);
        as->late[as->nlate++] = unknown;
    }
    return as->late[as->late_seen++];
}

static void load_late(As *as, const Token *t, int64_t n, unsigned rd)
{
    if (n == (int32_t)n) {
        emit_form(as, "hl_lis", 2, PTO_F_RD, (int64_t)rd, PTO_F_IMM, n);
        return;
    }
    if ((uint64_t)n > UINT32_MAX) {
        as_error(as, t, "a number defined later has to fit 32 bits");
    }
    emit_form(as, "hl_liu", 2, PTO_F_RD, (int64_t)rd, PTO_F_IMM, n);
}

static void pseudo_li(As *as)
{
    const Token *t = peek(as);
    unsigned rd;
    Value v;
    int64_t n;

    if (!parse_expr(as, &v) || !parse_arrow_dest(as, &rd)) {
        return;
    }
    n = value_address(&v);
    if (v.sec) {
        as_error(as, t, "an address: use la");
    } else if (is_late(as, v.unknown)) {
        load_late(as, t, n, rd);
    } else if (n >= -16 && n < 16 && rd != 10) {
        /* C.MOVI with destination ra is C.SETRET */
        emit_form(as, "c_movi", 2, PTO_F_RD, (int64_t)rd, PTO_F_IMM, n);
    } else if (n >= 0 && n < 4096) {
        emit_form(as, "addi", 2, PTO_F_RD, (int64_t)rd, PTO_F_IMM, n);
    } else if (n == (int32_t)n) {
        emit_form(as, "hl_lis", 2, PTO_F_RD, (int64_t)rd, PTO_F_IMM, n);
    } else if ((uint64_t)n <= UINT32_MAX) {
        emit_form(as, "hl_liu", 2, PTO_F_RD, (int64_t)rd, PTO_F_IMM, n);
    } else if (!(n & 0xffffffff)) {
        emit_form(as, "hl_lui", 2, PTO_F_RD, (int64_t)rd,
                  PTO_F_IMM, (int64_t)((uint64_t)n >> 32));
    } else if (rd >= 24) {
        as_error(as, t, "a 64-bit number needs a register as destination");
    } else {
        load_wide(as, n, rd);
    }
}

static void pseudo_la(As *as)
{
    const Token *t = peek(as);
    unsigned rd;
    Value v;
    uint64_t n;

    if (!parse_expr(as, &v) || !parse_arrow_dest(as, &rd)) {
        return;
    }
    n = as->pass == 1 ? 0 : value_address(&v);
    if (n > UINT32_MAX) {
        as_error(as, t, "address is above 4 GiB");
    }
    emit_form(as, "hl_liu", 2, PTO_F_RD, (int64_t)rd, PTO_F_IMM, (int64_t)n);
}

static void pseudo_mv(As *as)
{
    unsigned sl, rd;

    if (parse_source_reg(as, &sl) && parse_arrow_dest(as, &rd)) {
        emit_form(as, "c_movr", 2, PTO_F_RD, (int64_t)rd,
                  PTO_F_SL, (int64_t)sl);
    }
}

static void pseudo_dim(As *as)
{
    static const char *const names[] = {
        "b_dim_lb0", "b_dim_lb1", "b_dim_lb2",
    };
    const Token *lb = peek(as), *t;
    Value v;

    as->pos++;
    if (!accept(as, "=") && !expect(as, ",")) {
        return;
    }
    t = peek(as);
    if (!parse_expr(as, &v)) {
        return;
    }
    if (v.unknown) {
        v.v = 0;
    }
    if (v.sec || v.v < 0 || v.v >= 1 << 17) {
        as_error(as, t, "%" PRId64 " is out of range 0..131071", v.v);
        return;
    }
    emit_form(as, names[lb->p[2] - '0'], 1, PTO_F_IMM, v.v);
}

static bool is_lb(const Token *t)
{
    return t->kind == TOK_NAME && t->len == 3 &&
           (t->p[0] | 0x20) == 'l' && (t->p[1] | 0x20) == 'b' &&
           t->p[2] >= '0' && t->p[2] <= '2';
}

bool assemble_pseudo(As *as, const Token *mnemonic)
{
    static const struct {
        const char *name;
        void (*fn)(As *as);
    } table[] = {
        { "li", pseudo_li }, { "la", pseudo_la }, { "mv", pseudo_mv },
    };

    if (name_eq("B.DIM", mnemonic->p, mnemonic->len) && is_lb(mnemonic + 1)) {
        as->pos++;
        pseudo_dim(as);
        return true;
    }
    if (name_eq("nop", mnemonic->p, mnemonic->len)) {
        as->pos++;
        emit_form(as, "c_movr", 0);
        return true;
    }
    for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
        if (name_eq(table[i].name, mnemonic->p, mnemonic->len)) {
            as->pos++;
            table[i].fn(as);
            return true;
        }
    }
    return false;
}
