/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Vectors of the element operations, conversions and scalar operations.
 */
#include "case.h"
#include "tile/scalarfp.h"

typedef struct NamedCode {
    const char *name;
    int code;
} NamedCode;

/* Code of @name in a table ended by a NULL name, or -1. */
static int find_code(const NamedCode *table, const char *name)
{
    for (; table->name; table++) {
        if (!strcmp(table->name, name)) {
            return table->code;
        }
    }
    return -1;
}

static void check_binary(NumericCase *c, PtoElemBinary op)
{
    PtoDataType type = case_type(c, "type");
    PtoRound mode = round_by_name(case_text(c, "rmode"));
    CaseValues a = case_values(c, "a"), b = case_values(c, "b");
    CaseValues r = case_values(c, "r"), ef = case_values(c, "ef");

    for (size_t i = 0; i < r.n; i++) {
        uint32_t flags = 0;
        uint64_t got = pto_elem_binary(op, type, case_at(a, i), case_at(b, i),
                                       mode, &flags);

        case_expect_element(c, i, got, flags, r, ef);
    }
}

static void check_unary(NumericCase *c, PtoElemUnary op)
{
    PtoDataType type = case_type(c, "type");
    PtoRound mode = round_by_name(case_text(c, "rmode"));
    CaseValues a = case_values(c, "a");
    CaseValues r = case_values(c, "r"), ef = case_values(c, "ef");

    for (size_t i = 0; i < r.n; i++) {
        uint32_t flags = 0;
        uint64_t got = pto_elem_unary(op, type, case_at(a, i), mode, &flags);

        case_expect_element(c, i, got, flags, r, ef);
    }
}

static void check_fma(NumericCase *c)
{
    PtoDataType type = case_type(c, "type");
    PtoRound mode = round_by_name(case_text(c, "rmode"));
    CaseValues a = case_values(c, "a"), b = case_values(c, "b");
    CaseValues d = case_values(c, "c");
    CaseValues r = case_values(c, "r"), ef = case_values(c, "ef");

    for (size_t i = 0; i < r.n; i++) {
        uint32_t flags = 0;
        uint64_t got = pto_elem_fma(type, case_at(a, i), case_at(b, i),
                                    case_at(d, i), mode, &flags);

        case_expect_element(c, i, got, flags, r, ef);
    }
}

static void check_compare(NumericCase *c)
{
    static const char *const names[] = { "EQ", "NE", "LT", "GT", "LE", "GE" };
    PtoDataType type = case_type(c, "type");
    CaseValues a = case_values(c, "a"), b = case_values(c, "b");
    CaseValues ef = case_values(c, "ef");

    for (unsigned rel = 0; rel < ARRAY_SIZE(names); rel++) {
        char key[8];
        const char *want;

        snprintf(key, sizeof(key), "r.%s", names[rel]);
        want = case_text(c, key);
        for (size_t i = 0; want && want[i]; i++) {
            uint32_t flags = 0;
            bool got = pto_elem_compare(rel, type, case_at(a, i),
                                        case_at(b, i), &flags);

            case_expect(c, names[rel], i, got, want[i] - '0');
            case_expect(c, "ef", i, flags, i < ef.n ? ef.v[i] : 0);
        }
        if (!want) {
            case_expect(c, "relation", rel, 0, 1);
        }
    }
}

static void check_expdif(NumericCase *c)
{
    PtoDataType src = case_type(c, "srctype"), dst = case_type(c, "dsttype");
    CaseValues a = case_values(c, "a"), b = case_values(c, "b");
    CaseValues r = case_values(c, "r"), ef = case_values(c, "ef");

    for (size_t i = 0; i < r.n; i++) {
        uint32_t flags = 0;
        uint64_t got = pto_elem_expdif(src, dst, case_at(a, i), case_at(b, i),
                                       &flags);

        case_expect_element(c, i, got, flags, r, ef);
    }
}

bool check_element_op(NumericCase *c, const char *op)
{
    static const NamedCode binary[] = {
        { "TADD", PTO_ELEM_ADD }, { "TSUB", PTO_ELEM_SUB },
        { "TMUL", PTO_ELEM_MUL }, { "TDIV", PTO_ELEM_DIV },
        { "TREM", PTO_ELEM_REM }, { "TMIN", PTO_ELEM_MIN },
        { "TMAX", PTO_ELEM_MAX }, { "TAND", PTO_ELEM_AND },
        { "TOR", PTO_ELEM_OR }, { "TXOR", PTO_ELEM_XOR },
        { "TSHL", PTO_ELEM_SHL }, { "TSHR", PTO_ELEM_SHR }, { NULL, 0 },
    };
    static const NamedCode unary[] = {
        { "TABS", PTO_ELEM_ABS }, { "TNEG", PTO_ELEM_NEG },
        { "TRELU", PTO_ELEM_RELU }, { "TNOT", PTO_ELEM_NOT },
        { "TEXP", PTO_ELEM_EXP }, { "TLOG", PTO_ELEM_LOG },
        { "TSQRT", PTO_ELEM_SQRT }, { "TRSQRT", PTO_ELEM_RSQRT },
        { "TRECIP", PTO_ELEM_RECIP }, { NULL, 0 },
    };
    int code = find_code(binary, op);

    if (code >= 0) {
        check_binary(c, code);
        return true;
    }
    code = find_code(unary, op);
    if (code >= 0) {
        check_unary(c, code);
    } else if (!strcmp(op, "TFMA")) {
        check_fma(c);
    } else if (!strcmp(op, "TCMP")) {
        check_compare(c);
    } else if (!strcmp(op, "EXPDIF")) {
        check_expdif(c);
    } else {
        return false;
    }
    return true;
}

/* ---- conversions --------------------------------------------------------- */

static void check_tcvt(NumericCase *c)
{
    PtoDataType src = case_type(c, "src"), dst = case_type(c, "dst");
    const CaseMember *modes = case_member(c, "rmodes");
    bool sat = case_number(c, "sat", 0), canon = case_number(c, "canon", 0);
    CaseValues a = case_values(c, "a");
    CaseValues r = case_values(c, "r"), ef = case_values(c, "ef");

    for (size_t m = 0; modes && m < modes->item_count; m++) {
        PtoRound mode = round_by_name(modes->items[m]);

        for (size_t i = 0; i < r.n; i++) {
            uint32_t flags = 0;
            uint64_t got = pto_elem_convert(src, dst, case_at(a, i), mode, sat,
                                            canon, &flags);

            case_expect_element(c, i, got, flags, r, ef);
        }
    }
}

static void check_quant(NumericCase *c, bool quant)
{
    PtoDataType src = case_type(c, "src"), dst = case_type(c, "dst");
    PtoRound mode = round_by_name(case_text(c, "rmode"));
    uint32_t scale = case_number(c, "scale", 0);
    PtoDataType zp_type = quant ? dst : src;
    int64_t zp = case_number(c, "zp", 0);
    bool sat = case_number(c, "sat", 0);
    CaseValues a = case_values(c, "a");
    CaseValues r = case_values(c, "r"), ef = case_values(c, "ef");

    zp = zp_type == PTO_S8 ? (int8_t)zp : (uint8_t)zp;
    for (size_t i = 0; i < r.n; i++) {
        uint32_t flags = 0;
        uint64_t got = quant ? pto_elem_quant(dst, case_at(a, i), scale, zp,
                                              mode, sat, &flags)
                             : pto_elem_dequant(src, case_at(a, i), scale, zp,
                                                mode, &flags);

        case_expect_element(c, i, got, flags, r, ef);
    }
}

bool check_conversion_op(NumericCase *c, const char *op)
{
    if (!strcmp(op, "TCVT")) {
        check_tcvt(c);
    } else if (!strcmp(op, "TQUANT")) {
        check_quant(c, true);
    } else if (!strcmp(op, "TDEQUANT")) {
        check_quant(c, false);
    } else {
        return false;
    }
    return true;
}

/* ---- scalar -------------------------------------------------------------- */

typedef struct ScalarArgs {
    PtoFpSrc src;
    PtoRound mode;
    unsigned src_code, dst_code;
} ScalarArgs;

static uint64_t scalar_convert(const char *op, const ScalarArgs *s, uint64_t a,
                               uint32_t *flags)
{
    if (!strcmp(op, "FCVT")) {
        return pto_fpu_convert(s->src, s->dst_code, a, s->mode, flags);
    }
    if (op[0] == 'F') {
        return pto_fpu_to_int(s->src, s->dst_code, a, s->mode, flags);
    }
    return pto_fpu_from_int(op[0] == 'S', s->src_code, s->dst_code, a, s->mode,
                            flags);
}

static bool scalar_element(const char *op, const ScalarArgs *s,
                           const uint64_t v[3], uint64_t *r, uint32_t *flags)
{
    static const NamedCode binary[] = {
        { "FADD", PTO_FPU_ADD }, { "FSUB", PTO_FPU_SUB },
        { "FMUL", PTO_FPU_MUL }, { "FDIV", PTO_FPU_DIV },
        { "FMIN", PTO_FPU_MIN }, { "FMAX", PTO_FPU_MAX }, { NULL, 0 },
    };
    static const NamedCode unary[] = {
        { "FABS", PTO_FPU_ABS }, { "FSQRT", PTO_FPU_SQRT },
        { "FEXP", PTO_FPU_EXP }, { "FRECIP", PTO_FPU_RECIP }, { NULL, 0 },
    };
    static const NamedCode fused[] = {
        { "FMADD", PTO_FPU_MADD }, { "FMSUB", PTO_FPU_MSUB },
        { "FNMADD", PTO_FPU_NMADD }, { "FNMSUB", PTO_FPU_NMSUB }, { NULL, 0 },
    };
    static const NamedCode compare[] = {
        { "FEQ", PTO_FPU_EQ }, { "FNE", PTO_FPU_NE }, { "FLT", PTO_FPU_LT },
        { "FGE", PTO_FPU_GE }, { "FEQS", PTO_FPU_EQS },
        { "FNES", PTO_FPU_NES }, { "FLTS", PTO_FPU_LTS },
        { "FGES", PTO_FPU_GES }, { NULL, 0 },
    };
    static const NamedCode convert[] = {
        { "FCVT", 0 }, { "FCVTA", 0 }, { "FCVTM", 0 }, { "FCVTN", 0 },
        { "FCVTP", 0 }, { "FCVTZ", 0 }, { "SCVTF", 0 }, { "UCVTF", 0 },
        { NULL, 0 },
    };
    int code;

    if ((code = find_code(binary, op)) >= 0) {
        *r = pto_fpu_binary(code, s->src, v[0], v[1], s->mode, flags);
    } else if ((code = find_code(unary, op)) >= 0) {
        *r = pto_fpu_unary(code, s->src, v[0], s->mode, flags);
    } else if ((code = find_code(fused, op)) >= 0) {
        *r = pto_fpu_fused(code, s->src, v[0], v[1], v[2], s->mode, flags);
    } else if ((code = find_code(compare, op)) >= 0) {
        *r = pto_fpu_compare(code, s->src, v[0], v[1], flags);
    } else if (find_code(convert, op) >= 0) {
        *r = scalar_convert(op, s, v[0], flags);
    } else {
        return false;
    }
    return true;
}

bool check_scalar_op(NumericCase *c, const char *op)
{
    ScalarArgs s = {
        .src = case_type(c, "type") == PTO_FP32 ? PTO_FP_SRC_FP32
                                                : PTO_FP_SRC_FP64,
        .mode = round_by_name(case_text(c, "rmode")),
        .src_code = case_number(c, "srctype", 0),
        .dst_code = case_number(c, "dsttype", 0),
    };
    CaseValues a = case_values(c, "a"), b = case_values(c, "b");
    CaseValues d = case_values(c, "c");
    CaseValues r = case_values(c, "r"), ef = case_values(c, "ef");

    for (size_t i = 0; i < r.n; i++) {
        const uint64_t v[3] = { case_at(a, i), case_at(b, i), case_at(d, i) };
        uint64_t got = 0;
        uint32_t flags = 0;

        if (!scalar_element(op, &s, v, &got, &flags)) {
            return false;
        }
        case_expect_element(c, i, got, flags, r, ef);
    }
    return r.n != 0;
}
