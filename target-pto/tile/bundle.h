/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bundle record: what the B.* header commands of one block have collected,
 * and the rules under which each command is accepted. Plain data, so it can be
 * saved in a trap context or migrated by copying.
 *
 * Every pto_bundle_* command returns the fault of the command or PTO_OK; a
 * rejected command changes nothing except that it closes the open modifier
 * group (all commands but B.SUBVIEW and B.ASSEMBLE). Field values are as
 * decoded; encodings with wrong fixed bits never get here. @in_header means
 * "a block is active and its body has not been entered".
 */
#ifndef PTO_TILE_BUNDLE_H
#define PTO_TILE_BUNDLE_H

#include "tile/types.h"

#define PTO_BUNDLE_IOT 16
#define PTO_BUNDLE_IOS 4

/* What the block start selected. */
typedef enum PtoOpClass {
    PTO_OPCLASS_CONTROL,
    PTO_OPCLASS_TEPL,
    PTO_OPCLASS_TLSU,
    PTO_OPCLASS_CUBE,
    PTO_OPCLASS_FIXP,
} PtoOpClass;

typedef struct PtoBundleOp {
    bool valid;
    uint8_t form;               /* command form number, informative */
    uint8_t op_class;           /* PtoOpClass */
    bool selector_valid;
    uint16_t selector;          /* TEPL: function; TLSU, CUBE: function */
    bool dtype_valid;
    uint8_t dtype;              /* five-bit DataType field */
    bool mode_valid;
    uint8_t mode;
    bool branch_valid;
    uint8_t branch;
} PtoBundleOp;

/* B.SUBVIEW or B.ASSEMBLE carried by a binding. */
typedef struct PtoRange {
    bool valid;
    bool init, last;            /* B.ASSEMBLE only */
    uint8_t reg;
    uint8_t size;               /* SubviewSizeCode / ParentSizeCode */
    uint16_t uimm11;
    uint64_t offset;            /* GPR + uimm11, in 128-byte CELLs */
} PtoRange;

typedef struct PtoBindTile {    /* B.IOT */
    bool valid;
    bool dst_valid;
    uint8_t hand;               /* destination hand 0..3 */
    uint8_t size;               /* size code of the destination */
    uint8_t mask;
    bool src_valid[2];
    uint8_t src[2];             /* six-bit source code */
    bool last;
    PtoRange subview[2];
    PtoRange assemble;
} PtoBindTile;

typedef struct PtoBindShared {  /* B.IOS */
    bool valid;
    uint8_t id;
    uint8_t size;               /* 0: source */
    uint8_t mask;
    bool consumed;
    PtoRange subview;
    PtoRange assemble;
} PtoBindShared;

typedef struct PtoBindScalar {  /* B.IOR */
    bool valid;
    uint8_t dst;
    uint8_t src[3];
} PtoBindScalar;

typedef struct PtoCatr {
    bool present;
    bool trap, atomic, acquire, release, far, dr;
} PtoCatr;

typedef struct PtoDatr {
    bool present;
    uint8_t dtype;              /* when absent: the block's own type or 31 */
    uint8_t layout;
    uint8_t pad;                /* when absent: PTO_PAD_NULL */
    uint8_t cmode;
    uint8_t rmode;
    bool sat;
    bool canon;
} PtoDatr;

typedef struct PtoHint {
    bool present;
    bool trace, trace_end, branch_valid, branch_likely;
    uint8_t temperature;
    uint16_t prefetch_size;
} PtoHint;

typedef struct PtoFpatr {
    bool valid;
    uint8_t pre_quant_mode;
    uint8_t relu_mode;
    uint8_t group_n_code;
    bool row_max_en, group_max_en, row_max_init, max_abs_en;
    bool trans_a, trans_b, c_scale_en;
} PtoFpatr;

/* The open modifier group of the newest binder. Index 0, 1: sources, 2: destination. */
typedef struct PtoRangeGroup {
    bool open;
    bool zero_mode;             /* binder had an empty mask */
    bool shared;                /* binder was B.IOS */
    uint8_t binding;
    bool allowed[3];
    bool seen[3];
} PtoRangeGroup;

typedef struct PtoBundle {
    PtoBundleOp op;
    uint64_t bpc;               /* PC of the block start (generation identity) */
    uint64_t dim[3];            /* LB0 LB1 LB2 */
    bool dim_present[3];
    bool zero_seen;             /* a binder with an empty mask was executed */
    PtoBindScalar ior;
    uint8_t iot_count;
    uint8_t ios_count;
    PtoBindTile iot[PTO_BUNDLE_IOT];
    PtoBindShared ios[PTO_BUNDLE_IOS];
    PtoCatr catr;
    PtoDatr datr;
    PtoHint hint;
    PtoFpatr fpatr;
    PtoRangeGroup group;
} PtoBundle;

/* Empty record of a block start (PTO-BLOCK-MODEL-STATE-DESCRIPTOR-STATE). */
void pto_bundle_clear(PtoBundle *b);

/*
 * The same for a record that pto_bundle_* commands have filled: what they have
 * not written is empty already and is not written again.
 */
void pto_bundle_recycle(PtoBundle *b);

/*
 * Would a block start with this operation be accepted? TLSU/TEPL/CUBE need an
 * assigned selector and a concrete DataType (TMOV also 31); FIXP never.
 */
PtoFaultInfo pto_bundle_op_legal(const PtoBundleOp *op);

/* Install the operation of an accepted block start at @bpc in a cleared record. */
void pto_bundle_install(PtoBundle *b, const PtoBundleOp *op, uint64_t bpc);

/* Tile operation selected by the record, or NULL. */
const PtoTileOp *pto_bundle_tile_op(const PtoBundle *b);

/*
 * Any command other than the B.* commands below, and any scalar instruction,
 * closes the modifier group before it runs.
 */
static inline void pto_bundle_close_group(PtoBundle *b)
{
    b->group.open = false;
}

/* B.DIM LBn, n = 0..2; @value is the 16-bit sum or the imm8 of the short form. */
PtoFaultInfo pto_bundle_dim(PtoBundle *b, bool in_header, unsigned n,
                            uint64_t value);
PtoFaultInfo pto_bundle_catr(PtoBundle *b, bool in_header, const PtoCatr *a);
PtoFaultInfo pto_bundle_datr(PtoBundle *b, bool in_header, const PtoDatr *a);
/* B.HINT without B/E (branch hint form). The trace form starts a block: set
 * b->hint directly after pto_bundle_clear. */
PtoFaultInfo pto_bundle_hint(PtoBundle *b, bool in_header, const PtoHint *h);
PtoFaultInfo pto_bundle_fpatr(PtoBundle *b, bool in_header, const PtoFpatr *a);
PtoFaultInfo pto_bundle_ior(PtoBundle *b, bool in_header, unsigned dst,
                            unsigned src0, unsigned src1, unsigned src2);

/*
 * B.IOT. @dst_form: the encoding has a DstTile; @srcs: number of source fields
 * (0..2). SizeCode out of range is IllegalInstruction. An empty mask is a no-op
 * that is accepted even outside a header.
 */
PtoFaultInfo pto_bundle_iot(PtoBundle *b, bool in_header, bool dst_form,
                            unsigned srcs, unsigned hand, unsigned size,
                            unsigned pe_mode, unsigned src0, unsigned src1,
                            bool last);
/* B.IOS: source when @size is 0. */
PtoFaultInfo pto_bundle_ios(PtoBundle *b, bool in_header, unsigned id,
                            unsigned size, unsigned pe_mode);

/*
 * Checks of a range modifier (delta 3.2 steps 2 to 4). On success *slot is
 * where the range goes, or NULL in zero mode (nothing to record). The caller
 * then reads GPR[reg] of the executing PE and calls pto_bundle_range_set.
 */
PtoFaultInfo pto_bundle_subview(PtoBundle *b, unsigned src_select, unsigned reg,
                                unsigned size, PtoRange **slot);
PtoFaultInfo pto_bundle_assemble(PtoBundle *b, bool init, bool last,
                                 unsigned reg, unsigned size, PtoRange **slot);
/* Record an accepted modifier; offset = @base + @uimm11 modulo 2^64. */
void pto_bundle_range_set(PtoBundle *b, PtoRange *slot, bool init, bool last,
                          unsigned reg, unsigned size, unsigned uimm11,
                          uint64_t base);

/* --- questions about the finished header --- */

unsigned pto_bundle_local_sources(const PtoBundle *b);
unsigned pto_bundle_local_destinations(const PtoBundle *b);
/* The last B.IOT, and only it, has L. */
bool pto_bundle_terminated(const PtoBundle *b);
/* Common mask of all binders, 0 when there are none; false: they differ. */
bool pto_bundle_mask(const PtoBundle *b, unsigned *mask);

/* --- B.FPATR vocabulary (used by the header rules and by matrix schemas) --- */

/* Header-local field rules of B.FPATR (TileLegality). */
bool pto_fpatr_fields_legal(const PtoFpatr *a);

#endif
