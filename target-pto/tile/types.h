/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Basic vocabulary of the tile core: element types, layouts, operations.
 * Numeric values are the architectural encodings where one exists.
 */
#ifndef PTO_TILE_TYPES_H
#define PTO_TILE_TYPES_H

#include "tile/port.h"
#include "tile/fault.h"

/* Element types by their five-bit DataType code (PTO-FIELD-BLOCK-DATATYPE). */
typedef enum PtoDataType {
    PTO_FP64 = 0,
    PTO_FP32 = 1,
    PTO_TF32 = 2,
    PTO_HF32 = 3,
    PTO_FP16 = 4,
    PTO_BF16 = 5,
    PTO_HIF8 = 6,
    PTO_E4M3 = 7,
    PTO_E5M2 = 8,
    PTO_E3M2 = 9,
    PTO_E2M3 = 10,
    PTO_E2M1X2 = 11,
    PTO_E1M2X2 = 12,
    PTO_E8M0 = 13,
    PTO_HIF4X2 = 14,
    PTO_S64 = 16,
    PTO_S32 = 17,
    PTO_S16 = 18,
    PTO_S8 = 19,
    PTO_S4X2 = 20,
    PTO_U64 = 24,
    PTO_U32 = 25,
    PTO_U16 = 26,
    PTO_U8 = 27,
    PTO_U4X2 = 28,
    PTO_DTYPE_NONE = 31,
} PtoDataType;

#define PTO_DTYPE_CODES 32

typedef enum PtoTypeClass {
    PTO_CLASS_NONE,             /* unassigned code */
    PTO_CLASS_FLOAT,
    PTO_CLASS_SIGNED,
    PTO_CLASS_UNSIGNED,
} PtoTypeClass;

/* Row of the element type table; @bits is 4, 8, 16, 32 or 64 (0: unassigned). */
typedef struct PtoTypeInfo {
    const char *name;
    uint8_t bits;
    PtoTypeClass cls;
} PtoTypeInfo;

extern const PtoTypeInfo pto_type_info[PTO_DTYPE_CODES];

/* True if @code is one of the 25 assigned element types (not DTYPE_NONE). */
static inline bool pto_type_concrete(unsigned code)
{
    return code < PTO_DTYPE_CODES && pto_type_info[code].bits != 0;
}

static inline unsigned pto_type_bits(PtoDataType t)
{
    return pto_type_info[t].bits;
}

static inline bool pto_type_is_4bit(PtoDataType t)
{
    return pto_type_info[t].bits == 4;
}

static inline bool pto_type_is_integer(PtoDataType t)
{
    return pto_type_info[t].cls >= PTO_CLASS_SIGNED;
}

static inline bool pto_type_is_signed(PtoDataType t)
{
    return pto_type_info[t].cls == PTO_CLASS_SIGNED;
}

static inline bool pto_type_is_float(PtoDataType t)
{
    return pto_type_info[t].cls == PTO_CLASS_FLOAT;
}

/* Type sets named by the "primary types" column of ops.def. */
typedef enum PtoTypeSet {
    PTO_TYPES_ANY,      /* all 25 */
    PTO_TYPES_VEC,      /* FP64 FP32 TF32 HF32 FP16 BF16 E4M3 E5M2, S/U 8..64 */
    PTO_TYPES_INT,      /* S/U 8..64 */
    PTO_TYPES_FLOAT,    /* the floating types of VEC */
    PTO_TYPES_A9,       /* S32 U32 FP32 S16 U16 FP16 BF16 S8 U8 */
    PTO_TYPES_A7,       /* A9 without S8 U8 */
    PTO_TYPES_F3,       /* FP16 FP32 BF16 */
    PTO_TYPES_I6,       /* S/U 8..32 */
    PTO_TYPES_MOVE24,   /* all but HiF4X2 */
} PtoTypeSet;

/* True if @t belongs to @set (tile/model/legality/dtype-layout). */
bool pto_type_in(PtoTypeSet set, PtoDataType t);

/* Bits of PadValue (B.DATR); omission of B.DATR means Null. */
typedef enum PtoPad {
    PTO_PAD_ZERO,
    PTO_PAD_MAX,
    PTO_PAD_MIN,
    PTO_PAD_NULL,
} PtoPad;

/*
 * Element bits that PadValue @pad puts in a padding element of type @t (Null
 * and Zero give 0). 4-bit results are in bits 3:0.
 */
uint64_t pto_pad_value(PtoPad pad, PtoDataType t);

typedef enum PtoLayout {
    PTO_LAYOUT_ROW,             /* row-major */
    PTO_LAYOUT_COL,             /* column-major */
    PTO_LAYOUT_ZN,
    PTO_LAYOUT_NZ,
    PTO_LAYOUT_M16,             /* CUBE_M16: 16-row CELLs */
    PTO_LAYOUT_M32,             /* CUBE_M32: 32-row CELLs */
    PTO_LAYOUT_N8,              /* CUBE_N8: 8-column CELLs */
    PTO_LAYOUT_COUNT,
} PtoLayout;

static inline bool pto_layout_is_cube(PtoLayout l)
{
    return l >= PTO_LAYOUT_M16;
}

typedef enum PtoLocation {
    PTO_LOC_ANY,
    PTO_LOC_VECTOR,
    PTO_LOC_MATRIX,
} PtoLocation;

typedef enum PtoStorage {
    PTO_STORE_NUMERIC,
    PTO_STORE_PREDICATE,        /* one bit per element, row-major */
} PtoStorage;

typedef enum PtoEngine {
    PTO_ENGINE_VEC,
    PTO_ENGINE_SFU,
    PTO_ENGINE_TLSU,
    PTO_ENGINE_CUBE,
    PTO_ENGINE_COUNT,
} PtoEngine;

typedef enum PtoFamily {
    PTO_FAMILY_TEPL,
    PTO_FAMILY_TLSU,
    PTO_FAMILY_CUBE,
} PtoFamily;

/* Comparison codes of B.DATR.CMode. */
typedef enum PtoCompare {
    PTO_CMP_EQ, PTO_CMP_NE, PTO_CMP_LT, PTO_CMP_GT, PTO_CMP_LE, PTO_CMP_GE,
} PtoCompare;

/* Numeric flag bits, in the order of CORE_STATE[36:32]. */
enum {
    PTO_FLAG_NV = 1,
    PTO_FLAG_DZ = 2,
    PTO_FLAG_OF = 4,
    PTO_FLAG_UF = 8,
    PTO_FLAG_NX = 16,
};

/* GPR inputs of an operation, packed densely into B.IOR sources in this order. */
enum {
    PTO_GPR_NONE = 0,
    PTO_GPR_ADDRESS = 1,
    PTO_GPR_SCALAR0 = 2,
    PTO_GPR_SCALAR1 = 4,
    PTO_GPR_DIAGONAL = 8,
    PTO_GPR_FLAG0 = 16,
};

/* B.DATR fields that may be nonzero. */
enum {
    PTO_DATR_NONE = 0,
    PTO_DATR_CMODE = 1,
    PTO_DATR_PAD = 2,
    PTO_DATR_SAT = 4,
    PTO_DATR_CANON = 8,
    PTO_DATR_TYPE = 16,
    PTO_DATR_RMODE = 32,
    PTO_DATR_LAYOUT = 64,
};

/* Use of the two-bit PadValueOrByteId field. */
typedef enum PtoPadUse {
    PTO_PADUSE_VALUE,
    PTO_PADUSE_ZERO,            /* must be zero when B.DATR is present */
    PTO_PADUSE_BYTEID,
} PtoPadUse;

/* Variants of operations inside one schema (last column of ops.def). */
typedef enum PtoSub {
    PTO_SUB_NONE,
    PTO_SUB_BIN_ADD, PTO_SUB_BIN_SUB, PTO_SUB_BIN_MUL, PTO_SUB_BIN_DIV,
    PTO_SUB_BIN_REM, PTO_SUB_BIN_AND, PTO_SUB_BIN_OR, PTO_SUB_BIN_XOR,
    PTO_SUB_BIN_SHL, PTO_SUB_BIN_SHR, PTO_SUB_BIN_MAX, PTO_SUB_BIN_MIN,
    PTO_SUB_UN_ABS, PTO_SUB_UN_NOT, PTO_SUB_UN_NEG, PTO_SUB_UN_EXP,
    PTO_SUB_UN_LOG, PTO_SUB_UN_RECIP, PTO_SUB_UN_SQRT, PTO_SUB_UN_RSQRT,
    PTO_SUB_UN_RELU,
    PTO_SUB_RED_SUM, PTO_SUB_RED_PRODUCT, PTO_SUB_RED_MIN, PTO_SUB_RED_MAX,
    PTO_SUB_RED_ARGMIN, PTO_SUB_RED_ARGMAX,
    PTO_SUB_EXP_COPY, PTO_SUB_EXP_ADD, PTO_SUB_EXP_SUB, PTO_SUB_EXP_MUL,
    PTO_SUB_EXP_DIV, PTO_SUB_EXP_MAX, PTO_SUB_EXP_MIN, PTO_SUB_EXP_EXPDIF,
    PTO_SUB_WINDOW,             /* has a row and a column offset */
} PtoSub;

/* Operation numbers: rows of ops.def. */
typedef enum PtoTileOpId {
#define PTO_TILE_OP(name, fam, eng, code, nd, ns, gpr, datr, pad, types, sch, sub) \
    PTO_OP_##name,
#include "tile/ops.def"
#undef PTO_TILE_OP
    PTO_OP_COUNT,
} PtoTileOpId;

/* Schema numbers: rows of schemas.def. */
typedef enum PtoSchemaId {
#define PTO_SCHEMA(name, symbol) PTO_SCHEMA_##name,
#include "tile/schemas.def"
#undef PTO_SCHEMA
    PTO_SCHEMA_COUNT,
} PtoSchemaId;

/* One row of ops.def. */
typedef struct PtoTileOp {
    const char *name;
    uint8_t id;                 /* PtoTileOpId */
    uint8_t family;             /* PtoFamily */
    uint8_t engine;             /* PtoEngine */
    uint16_t code;              /* TEPL selector, or TLSU / CUBE function */
    uint8_t destinations;
    uint8_t sources;
    uint8_t gprs;               /* PTO_GPR_* */
    uint8_t datr;               /* PTO_DATR_* */
    uint8_t pad_use;            /* PtoPadUse */
    uint8_t types;              /* PtoTypeSet */
    uint8_t schema;             /* PtoSchemaId */
    uint8_t sub;                /* PtoSub */
} PtoTileOp;

extern const PtoTileOp pto_tile_ops[PTO_OP_COUNT];

/*
 * Find the operation of @family with decode code @code (TEPL: mode * 32 +
 * function, TLSU / CUBE: function). NULL for a reserved code.
 */
const PtoTileOp *pto_tile_op_find(PtoFamily family, unsigned code);

#define PTO_TILE_SLOTS 64           /* Local tile names per PE: hand * 16 + slot */
#define PTO_TILE_HANDS 4            /* T, U, M, N */
#define PTO_SHARED_COUNT 64
#define PTO_PES 4                   /* PEs of a core */
#define PTO_CELL_BYTES 128
#define PTO_LOCAL_MAX_BYTES 65536u
#define PTO_SHARED_MAX_BYTES 262144u
#define PTO_POOL_BYTES 262144u      /* each PE's Local pool, and the Shared pool */
#define PTO_MAX_SRC 9
#define PTO_MAX_DST 3

/* PE masks have PE 0 in bit 3, as the ISA's PEMode table has. */
static inline unsigned pto_pe_bit(unsigned pe)
{
    return 8u >> pe;
}

/* Mask selected by a three-bit PEMode field. */
unsigned pto_pe_mask_of_mode(unsigned mode);

/* Bytes of size code 1..12, 0 for any other code. */
static inline uint32_t pto_size_code_bytes(unsigned code)
{
    return code >= 1 && code <= 12 ? 64u << code : 0;
}

#endif
