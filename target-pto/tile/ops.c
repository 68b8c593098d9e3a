/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of operations and element types. */
#include "tile/types.h"

const PtoTypeInfo pto_type_info[PTO_DTYPE_CODES] = {
    [PTO_FP64] = { "FP64", 64, PTO_CLASS_FLOAT },
    [PTO_FP32] = { "FP32", 32, PTO_CLASS_FLOAT },
    [PTO_TF32] = { "TF32", 32, PTO_CLASS_FLOAT },
    [PTO_HF32] = { "HF32", 32, PTO_CLASS_FLOAT },
    [PTO_FP16] = { "FP16", 16, PTO_CLASS_FLOAT },
    [PTO_BF16] = { "BF16", 16, PTO_CLASS_FLOAT },
    [PTO_HIF8] = { "HiF8", 8, PTO_CLASS_FLOAT },
    [PTO_E4M3] = { "E4M3", 8, PTO_CLASS_FLOAT },
    [PTO_E5M2] = { "E5M2", 8, PTO_CLASS_FLOAT },
    [PTO_E3M2] = { "E3M2", 8, PTO_CLASS_FLOAT },
    [PTO_E2M3] = { "E2M3", 8, PTO_CLASS_FLOAT },
    [PTO_E2M1X2] = { "E2M1X2", 4, PTO_CLASS_FLOAT },
    [PTO_E1M2X2] = { "E1M2X2", 4, PTO_CLASS_FLOAT },
    [PTO_E8M0] = { "E8M0", 8, PTO_CLASS_FLOAT },
    [PTO_HIF4X2] = { "HiF4X2", 4, PTO_CLASS_FLOAT },
    [PTO_S64] = { "S64", 64, PTO_CLASS_SIGNED },
    [PTO_S32] = { "S32", 32, PTO_CLASS_SIGNED },
    [PTO_S16] = { "S16", 16, PTO_CLASS_SIGNED },
    [PTO_S8] = { "S8", 8, PTO_CLASS_SIGNED },
    [PTO_S4X2] = { "S4X2", 4, PTO_CLASS_SIGNED },
    [PTO_U64] = { "U64", 64, PTO_CLASS_UNSIGNED },
    [PTO_U32] = { "U32", 32, PTO_CLASS_UNSIGNED },
    [PTO_U16] = { "U16", 16, PTO_CLASS_UNSIGNED },
    [PTO_U8] = { "U8", 8, PTO_CLASS_UNSIGNED },
    [PTO_U4X2] = { "U4X2", 4, PTO_CLASS_UNSIGNED },
};

#define T(x) (1u << PTO_##x)
#define INT8_32 (T(S32) | T(S16) | T(S8) | T(U32) | T(U16) | T(U8))
#define INT64 (T(S64) | T(U64))
#define FLOATS (T(FP64) | T(FP32) | T(TF32) | T(HF32) | T(FP16) | T(BF16) | \
                T(E4M3) | T(E5M2))

static const uint32_t type_sets[] = {
    [PTO_TYPES_ANY] = 0x1f1f7fff,
    [PTO_TYPES_VEC] = FLOATS | INT8_32 | INT64,
    [PTO_TYPES_INT] = INT8_32 | INT64,
    [PTO_TYPES_FLOAT] = FLOATS,
    [PTO_TYPES_A9] = INT8_32 | T(FP32) | T(FP16) | T(BF16),
    [PTO_TYPES_A7] = (INT8_32 & ~(T(S8) | T(U8))) | T(FP32) | T(FP16) | T(BF16),
    [PTO_TYPES_F3] = T(FP16) | T(FP32) | T(BF16),
    [PTO_TYPES_I6] = INT8_32,
    [PTO_TYPES_MOVE24] = 0x1f1f7fff & ~T(HIF4X2),
};

bool pto_type_in(PtoTypeSet set, PtoDataType t)
{
    return (unsigned)t < 32 && (type_sets[set] >> t & 1);
}

/* Short names of the columns of ops.def. */
enum {
    G_NONE = PTO_GPR_NONE, G_ADDRESS = PTO_GPR_ADDRESS,
    G_SCALAR0 = PTO_GPR_SCALAR0, G_SCALAR1 = PTO_GPR_SCALAR1,
    G_DIAGONAL = PTO_GPR_DIAGONAL, G_FLAG0 = PTO_GPR_FLAG0,
    A_NONE = PTO_DATR_NONE, A_CMODE = PTO_DATR_CMODE, A_PAD = PTO_DATR_PAD,
    A_SAT = PTO_DATR_SAT, A_CANON = PTO_DATR_CANON, A_TYPE = PTO_DATR_TYPE,
    A_RMODE = PTO_DATR_RMODE, A_LAYOUT = PTO_DATR_LAYOUT,
};

const PtoTileOp pto_tile_ops[PTO_OP_COUNT] = {
#define PTO_TILE_OP(nm, fam, eng, cd, nd, ns, gpr, dat, pad, typ, sch, sb) \
    [PTO_OP_##nm] = {                                                       \
        .name = #nm, .id = PTO_OP_##nm, .family = PTO_FAMILY_##fam,         \
        .engine = PTO_ENGINE_##eng, .code = cd, .destinations = nd,         \
        .sources = ns, .gprs = gpr, .datr = dat, .pad_use = PTO_PADUSE_##pad, \
        .types = PTO_TYPES_##typ, .schema = PTO_SCHEMA_##sch,               \
        .sub = PTO_SUB_##sb,                                                \
    },
#include "tile/ops.def"
#undef PTO_TILE_OP
};

/* Operation number + 1 by family and code; 0: reserved. */
static const uint8_t op_of_code[3][128] = {
#define PTO_TILE_OP(nm, fam, eng, cd, nd, ns, gpr, dat, pad, typ, sch, sb) \
    [PTO_FAMILY_##fam][cd] = PTO_OP_##nm + 1,
#include "tile/ops.def"
#undef PTO_TILE_OP
};

const PtoTileOp *pto_tile_op_find(PtoFamily family, unsigned code)
{
    unsigned n = code < 128 ? op_of_code[family][code] : 0;

    return n ? &pto_tile_ops[n - 1] : NULL;
}

unsigned pto_pe_mask_of_mode(unsigned mode)
{
    static const uint8_t masks[8] = { 0, 8, 4, 2, 1, 12, 14, 15 };

    return masks[mode & 7];
}

/* Largest finite (sign 0) values of the floating types with a padding rule. */
static uint64_t pad_float_max(PtoDataType t)
{
    switch (t) {
    case PTO_FP64: return 0x7fefffffffffffffull;
    case PTO_FP32: return 0x7f7fffff;
    case PTO_TF32: return 0x7f7fe000;
    case PTO_HF32: return 0x7f7ff000;
    case PTO_FP16: return 0x7bff;
    case PTO_BF16: return 0x7f7f;
    case PTO_E4M3: return 0x7e;
    case PTO_E5M2: return 0x7b;
    default: return 0;
    }
}

uint64_t pto_pad_value(PtoPad pad, PtoDataType t)
{
    unsigned bits = pto_type_bits(t);
    uint64_t mask = bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
    uint64_t v;

    if (pad == PTO_PAD_ZERO || pad == PTO_PAD_NULL) {
        return 0;
    }
    v = pad_float_max(t);
    if (v) {
        return pad == PTO_PAD_MAX ? v : v | 1ull << (bits - 1);
    }
    /* Types without a row of their own take the 64-bit pattern's low bits. */
    if (pad == PTO_PAD_MAX) {
        v = pto_type_is_signed(t) && bits > 4 ? mask >> 1 : mask;
    } else if (pto_type_is_signed(t) && bits > 4) {
        v = 1ull << (bits - 1);
    } else {
        v = 0;
    }
    return v & mask;
}
