/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of field values in assembly text. */
#include "tile/port.h"
#include <strings.h>
#include "forms.h"

static const char *const gpr_names[32] = {
    "zero", "sp", "a0", "a1", "a2", "a3", "a4", "a5",
    "a6", "a7", "ra", "s0", "s1", "s2", "s3", "s4",
    "s5", "s6", "s7", "s8", "x0", "x1", "x2", "x3",
    /* not registers of a command, but encodable there */
    "r24", "r25", "r26", "r27", "r28", "r29", "r30", "r31",
};

static const char *const queue_names[8] = {
    "t#1", "t#2", "t#3", "t#4", "u#1", "u#2", "u#3", "u#4",
};

static const char *const dtype_names[32] = {
    "FP64", "FP32", "TF32", "HF32", "FP16", "BF16", "HiF8", "E4M3",
    "E5M2", "E3M2", "E2M3", "E2M1X2", "E1M2X2", "E8M0", "HiF4X2", NULL,
    "S64", "S32", "S16", "S8", "S4X2", NULL, NULL, NULL,
    "U64", "U32", "U16", "U8", "U4X2", NULL, NULL, "DTYPE_NONE",
};

static const char *const layout_names[32] = {
    [0] = "NORM", [1] = "ND2DN", [3] = "ND2ZN", [4] = "ND2NZ",
    [6] = "DN2ND", [8] = "DN2ZN", [9] = "DN2NZ", [17] = "ZN2ND",
    [18] = "ZN2DN", [20] = "ZN2NZ", [21] = "ND2M32", [22] = "ND2M16",
    [23] = "ND2N8", [24] = "M322ND", [25] = "M162ND", [26] = "N82ND",
    [27] = "NZ2ND", [28] = "NZ2DN", [30] = "NZ2ZN",
};

static const char *const pad_names[4] = { "Zero", "Max", "Min", "Null" };
static const char *const cmode_names[8] = {
    "EQ", "NE", "LT", "GT", "LE", "GE",
};
static const char *const rmode_names[8] = {
    "Default", "RNE", "RTZ", "RTM", "RTP", "RNA", "RTO", "RHB",
};
static const char *const br_names[8] = {
    [1] = "FALL", [5] = "IND", [7] = "RET",
};
static const char *const lb_names[4] = { "LB0", "LB1", "LB2", "LB3" };
static const char *const prequant_names[64] = { "None" };
static const char *const relu_names[8] = { "None", "ReLU", "LReLU", "PReLU" };
static const char *const temp_names[4] = {
    "TEMP.none", "TEMP.cool", "TEMP.warm", "TEMP.hot",
};
static const char *const trace_names[2] = { "TRACE.begin", "TRACE.end" };

/* Modifiers of a right operand; "" is none. */
static const char *const bneg_names[4] = { ".sw", ".uw", ".neg", "" };
static const char *const bnot_names[4] = { ".sw", ".uw", ".not", "" };
static const char *const cneg_names[4] = { "", ".sw", ".uw", ".neg" };
static const char *const cnot_names[4] = { "", ".sw", ".uw", ".not" };
static const char *const sneg_names[4] = { "", NULL, NULL, ".neg" };

#define NAMES(kind, table) \
    [PTO_K_##kind] = { table, ARRAY_SIZE(table) }

static const PtoNames kind_names[] = {
    NAMES(DTYPE, dtype_names),
    NAMES(LAYOUT, layout_names),
    NAMES(PAD, pad_names),
    NAMES(CMODE, cmode_names),
    NAMES(RMODE, rmode_names),
    NAMES(BR, br_names),
    NAMES(LB, lb_names),
    NAMES(PREQUANT, prequant_names),
    NAMES(RELU, relu_names),
    NAMES(TEMP, temp_names),
    NAMES(TRACE, trace_names),
    NAMES(BNEG, bneg_names),
    NAMES(BNOT, bnot_names),
    NAMES(CNEG, cneg_names),
    NAMES(CNOT, cnot_names),
    NAMES(SNEG, sneg_names),
};

const PtoNames *pto_kind_names(PtoKind kind)
{
    if (kind < ARRAY_SIZE(kind_names) && kind_names[kind].names) {
        return &kind_names[kind];
    }
    return NULL;
}

const char *pto_gpr_name(unsigned reg)
{
    return gpr_names[reg & 31];
}

const char *pto_source_name(unsigned code)
{
    return code < 24 ? gpr_names[code] : queue_names[(code - 24) & 7];
}

/* Codes 24..29 discard the result; they keep the names of the queue slots. */
const char *pto_dest_name(unsigned code)
{
    if (code == 31) {
        return "t";
    }
    return code == 30 ? "u" : pto_source_name(code);
}

const char *pto_pe_mask(unsigned pemode)
{
    static const char *const masks[8] = {
        "0000", "0001", "0010", "0100", "1000", "0011", "0111", "1111",
    };

    return masks[pemode & 7];
}

/* ---- system registers ---- */

typedef struct SsrName {
    uint16_t id;
    const char *name;
} SsrName;

static const SsrName ssr_names[] = {
    { 0x000, "THREAD_PTR" }, { 0x001, "GLOBAL_PTR" }, { 0x010, "TIME" },
    { 0x020, "CORE_STATE" }, { 0x021, "CORE_ID" }, { 0x022, "VENDOR" },
    { 0x023, "VERSION" }, { 0x024, "CORE_FEATURE" },
    { 0x025, "CORE_FEATURE_ENABLE" }, { 0x026, "THREAD_ID" },
    { 0x027, "TILE_CAPACITY" }, { 0x050, "BLOCKNUM" }, { 0x051, "BLOCKID" },
    { 0x802, "PEID" }, { 0xc00, "CYCLE" },
    { 0xf00, "ECSTATE" }, { 0xf01, "EVBASE" }, { 0xf02, "TRAPNO" },
    { 0xf03, "TRAPARG0" }, { 0xf05, "ETEMP" }, { 0xf06, "ETEMP0" },
    { 0xf07, "ECONFIG" }, { 0xf08, "IPENDING" }, { 0xf09, "TOPEI" },
    { 0xf0a, "EOIEI" }, { 0xf10, "TTBR0" }, { 0xf11, "TTBR1" },
    { 0xf12, "TCR" }, { 0xf13, "MAIR" }, { 0xf14, "IOTTBR" },
    { 0xf15, "IOTCR" }, { 0xf16, "IOMAIR" }, { 0xf20, "TIMER_TIME" },
    { 0xf21, "TIMER_TIMECMP" }, { 0xf30, "XBINFO" }, { 0xf31, "ACR_PARAM" },
    { 0xf40, "EBARG0" }, { 0xf41, "EBARG_BPC_CUR" },
    { 0xf42, "EBARG_BPC_TGT" }, { 0xf43, "EBARG_TPC" },
    { 0xf44, "EBARG_LRA" }, { 0xf45, "EBARG_TQ0" }, { 0xf46, "EBARG_TQ1" },
    { 0xf47, "EBARG_TQ2" }, { 0xf48, "EBARG_TQ3" }, { 0xf49, "EBARG_UQ0" },
    { 0xf4a, "EBARG_UQ1" }, { 0xf4b, "EBARG_UQ2" }, { 0xf4c, "EBARG_UQ3" },
    { 0xf4d, "EBARG_LB" }, { 0xf4e, "EBARG_LC" },
    { 0xf4f, "EBARG_EXTCTX_PTR" }, { 0xf50, "EBARG_EXTCTX_META" },
    { 0xf51, "EBARG_TPLFLAGS" }, { 0xf80, "DBGID" },
    { 0xf90, "DBCR0" }, { 0xf91, "DBVR0" }, { 0xf92, "DBCR1" },
    { 0xf93, "DBVR1" }, { 0xf94, "DBCR2" }, { 0xf95, "DBVR2" },
    { 0xf96, "DBCR3" }, { 0xf97, "DBVR3" }, { 0xfa0, "DCCR0" },
    { 0xfa1, "DCVR0" }, { 0xfb0, "DWCR0" }, { 0xfb1, "DWVR0" },
    { 0xfb2, "DWCR1" }, { 0xfb3, "DWVR1" }, { 0xfb4, "DWCR2" },
    { 0xfb5, "DWVR2" }, { 0xfb6, "DWCR3" }, { 0xfb7, "DWVR3" },
};

const char *pto_ssr_name(unsigned id)
{
    for (size_t i = 0; i < ARRAY_SIZE(ssr_names); i++) {
        if (ssr_names[i].id == id) {
            return ssr_names[i].name;
        }
    }
    return NULL;
}

static bool same_name(const char *known, const char *name, size_t len)
{
    return strncasecmp(known, name, len) == 0 && known[len] == '\0';
}

int pto_ssr_find(const char *name, size_t len)
{
    for (size_t i = 0; i < ARRAY_SIZE(ssr_names); i++) {
        if (same_name(ssr_names[i].name, name, len)) {
            return ssr_names[i].id;
        }
    }
    return -1;
}

/* ---- TEPL operations, from the table of tile operations ---- */

typedef struct TeplName {
    uint16_t selector;
    const char *engine;
    const char *name;
} TeplName;

#define TEPL_ROW_TEPL(name, engine, code) { code, #engine, #name },
#define TEPL_ROW_TLSU(name, engine, code)
#define TEPL_ROW_CUBE(name, engine, code)
#define PTO_TILE_OP(name, family, engine, code, ...) \
    TEPL_ROW_##family(name, engine, code)

static const TeplName tepl_names[] = {
#include "tile/ops.def"
};

#undef PTO_TILE_OP

const char *pto_tepl_name(unsigned selector, const char **engine)
{
    for (size_t i = 0; i < ARRAY_SIZE(tepl_names); i++) {
        if (tepl_names[i].selector == selector) {
            *engine = tepl_names[i].engine;
            return tepl_names[i].name;
        }
    }
    return NULL;
}

int pto_tepl_find(const char *name, size_t len, const char **engine)
{
    for (size_t i = 0; i < ARRAY_SIZE(tepl_names); i++) {
        if (same_name(tepl_names[i].name, name, len)) {
            *engine = tepl_names[i].engine;
            return tepl_names[i].selector;
        }
    }
    return -1;
}
