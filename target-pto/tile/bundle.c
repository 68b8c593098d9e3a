/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Header commands: acceptance rules and the resulting bundle record.
 *
 * Order inside one command: catalog field domains (IllegalInstruction), then
 * placement (BundleControl), then rules between fields or with other commands.
 */
#include "tile/bundle.h"

void pto_bundle_clear(PtoBundle *b)
{
    memset(b, 0, sizeof(*b));
    b->datr.dtype = PTO_DTYPE_NONE;
    b->datr.pad = PTO_PAD_NULL;
}

void pto_bundle_recycle(PtoBundle *b)
{
    memset(b->iot, 0, b->iot_count * sizeof(b->iot[0]));
    memset(b->ios, 0, b->ios_count * sizeof(b->ios[0]));
    memset(b, 0, offsetof(PtoBundle, iot));
    memset(&b->catr, 0, sizeof(*b) - offsetof(PtoBundle, catr));
    b->datr.dtype = PTO_DTYPE_NONE;
    b->datr.pad = PTO_PAD_NULL;
}

static int family_of_class(PtoOpClass c)
{
    switch (c) {
    case PTO_OPCLASS_TEPL:
        return PTO_FAMILY_TEPL;
    case PTO_OPCLASS_TLSU:
        return PTO_FAMILY_TLSU;
    case PTO_OPCLASS_CUBE:
        return PTO_FAMILY_CUBE;
    default:
        return -1;
    }
}

static const PtoTileOp *op_of(const PtoBundleOp *op)
{
    int family = family_of_class(op->op_class);
    unsigned code = op->selector;

    if (family < 0 || !op->selector_valid) {
        return NULL;
    }
    if (op->mode_valid) {
        code = op->mode * 32u + (op->selector & 31);
    }
    return pto_tile_op_find(family, code);
}

PtoFaultInfo pto_bundle_op_legal(const PtoBundleOp *op)
{
    const PtoTileOp *row;

    if (op->branch_valid && op->branch != 1 && op->branch != 5 &&
        op->branch != 6 && op->branch != 7) {
        return pto_reject(PTO_RULE_START_BRANCH);
    }
    if (op->op_class == PTO_OPCLASS_FIXP) {
        return pto_reject(PTO_RULE_START_FIXP);
    }
    if (op->op_class == PTO_OPCLASS_CONTROL) {
        return PTO_OK;
    }
    row = op_of(op);
    if (!row) {
        return pto_reject(PTO_RULE_START_SELECTOR);
    }
    if (!op->dtype_valid ||
        !(pto_type_concrete(op->dtype) ||
          (op->dtype == PTO_DTYPE_NONE && row->id == PTO_OP_TMOV))) {
        return pto_reject(PTO_RULE_START_TYPE);
    }
    return PTO_OK;
}

void pto_bundle_install(PtoBundle *b, const PtoBundleOp *op, uint64_t bpc)
{
    b->op = *op;
    b->bpc = bpc;
    if (op->dtype_valid && !b->datr.present) {
        b->datr.dtype = op->dtype;
    }
}

const PtoTileOp *pto_bundle_tile_op(const PtoBundle *b)
{
    return b->op.valid ? op_of(&b->op) : NULL;
}

PtoFaultInfo pto_bundle_dim(PtoBundle *b, bool in_header, unsigned n,
                            uint64_t value)
{
    pto_bundle_close_group(b);
    if (!in_header) {
        return pto_reject(PTO_RULE_COMMAND_PLACE);
    }
    if (b->dim_present[n]) {
        return pto_reject(PTO_RULE_COMMAND_TWICE);
    }
    b->dim_present[n] = true;
    b->dim[n] = value;
    return PTO_OK;
}

PtoFaultInfo pto_bundle_catr(PtoBundle *b, bool in_header, const PtoCatr *a)
{
    pto_bundle_close_group(b);
    if (!in_header) {
        return pto_reject(PTO_RULE_COMMAND_PLACE);
    }
    if (b->catr.present) {
        return pto_reject(PTO_RULE_COMMAND_TWICE);
    }
    b->catr = *a;
    b->catr.present = true;
    return PTO_OK;
}

static bool datr_layout_assigned(unsigned code)
{
    /* Assigned B.DATR layout codes, one bit each. */
    const uint32_t assigned = 1u << 0 | 1u << 1 | 3u << 3 | 1u << 6 | 3u << 8 |
                              3u << 17 | 0x1ffu << 20 | 1u << 30;

    return code < 32 && (assigned >> code & 1);
}

PtoFaultInfo pto_bundle_datr(PtoBundle *b, bool in_header, const PtoDatr *a)
{
    pto_bundle_close_group(b);
    if (a->cmode > PTO_CMP_GE || !datr_layout_assigned(a->layout) ||
        !(pto_type_concrete(a->dtype) || a->dtype == PTO_DTYPE_NONE)) {
        return pto_reject(PTO_RULE_COMMAND_FIELD);
    }
    if (!in_header) {
        return pto_reject(PTO_RULE_COMMAND_PLACE);
    }
    if (b->datr.present) {
        return pto_reject(PTO_RULE_COMMAND_TWICE);
    }
    b->datr = *a;
    b->datr.present = true;
    return PTO_OK;
}

PtoFaultInfo pto_bundle_hint(PtoBundle *b, bool in_header, const PtoHint *h)
{
    pto_bundle_close_group(b);
    if (!in_header) {
        return pto_reject(PTO_RULE_COMMAND_PLACE);
    }
    if (b->hint.present) {
        return pto_reject(PTO_RULE_COMMAND_TWICE);
    }
    b->hint = *h;
    b->hint.present = true;
    return PTO_OK;
}

static bool pre_quant_assigned(unsigned mode)
{
    /* Modes 0-5, 12, 13, 16-20, 23-28, 32-39. */
    const uint64_t assigned = 0x3full | 3ull << 12 | 0x1full << 16 |
                              0x3full << 23 | 0xffull << 32;

    return mode < 64 && (assigned >> mode & 1);
}

bool pto_fpatr_fields_legal(const PtoFpatr *a)
{
    if (a->row_max_init && !a->row_max_en) {
        return false;
    }
    if (a->group_max_en != (a->group_n_code != 0)) {
        return false;
    }
    return !a->max_abs_en || a->row_max_en || a->group_max_en;
}

PtoFaultInfo pto_bundle_fpatr(PtoBundle *b, bool in_header, const PtoFpatr *a)
{
    pto_bundle_close_group(b);
    if (!pre_quant_assigned(a->pre_quant_mode) || a->relu_mode > 3 ||
        a->group_n_code > 9) {
        return pto_reject(PTO_RULE_COMMAND_FIELD);
    }
    if (!in_header) {
        return pto_reject(PTO_RULE_COMMAND_PLACE);
    }
    if (b->fpatr.valid) {
        return pto_reject(PTO_RULE_COMMAND_TWICE);
    }
    if (b->op.valid && b->op.op_class != PTO_OPCLASS_CUBE) {
        return pto_reject(PTO_RULE_FPATR_BLOCK);
    }
    if (b->ior.valid || b->iot_count || b->ios_count) {
        return pto_reject(PTO_RULE_FPATR_ORDER);
    }
    if (!pto_fpatr_fields_legal(a)) {
        return pto_reject(PTO_RULE_FPATR_FIELDS);
    }
    b->fpatr = *a;
    b->fpatr.valid = true;
    return PTO_OK;
}

PtoFaultInfo pto_bundle_ior(PtoBundle *b, bool in_header, unsigned dst,
                            unsigned src0, unsigned src1, unsigned src2)
{
    pto_bundle_close_group(b);
    if (dst > 23 || src0 > 23 || src1 > 23 || src2 > 23) {
        return pto_reject(PTO_RULE_COMMAND_FIELD);
    }
    if (!in_header) {
        return pto_reject(PTO_RULE_COMMAND_PLACE);
    }
    if (b->ior.valid) {
        return pto_reject(PTO_RULE_COMMAND_TWICE);
    }
    b->ior = (PtoBindScalar) { true, dst, { src0, src1, src2 } };
    return PTO_OK;
}

static void open_group(PtoBundle *b, bool zero_mode, bool shared,
                       unsigned binding, bool src0, bool src1, bool dst)
{
    b->group = (PtoRangeGroup) {
        .open = true, .zero_mode = zero_mode, .shared = shared,
        .binding = binding, .allowed = { src0, src1, dst },
    };
}

/* A binder with an empty mask: accepted anywhere, remembered inside a header. */
static PtoFaultInfo zero_binder(PtoBundle *b, bool in_header, bool shared,
                                bool src0, bool src1, bool dst)
{
    if (in_header) {
        b->zero_seen = true;
        open_group(b, true, shared, 0, src0, src1, dst);
    }
    return PTO_OK;
}

static bool iot_mask_matches(const PtoBundle *b, unsigned mask)
{
    for (unsigned i = 0; i < b->iot_count; i++) {
        if (b->iot[i].mask != mask) {
            return false;
        }
    }
    return true;
}

static bool iot_closed(const PtoBundle *b)
{
    for (unsigned i = 0; i < b->iot_count; i++) {
        if (b->iot[i].last) {
            return true;
        }
    }
    return false;
}

PtoFaultInfo pto_bundle_iot(PtoBundle *b, bool in_header, bool dst_form,
                            unsigned srcs, unsigned hand, unsigned size,
                            unsigned pe_mode, unsigned src0, unsigned src1,
                            bool last)
{
    unsigned mask = pto_pe_mask_of_mode(pe_mode);
    PtoBindTile *t;

    pto_bundle_close_group(b);
    if (dst_form ? size < 1 || size > 10 : size != 0) {
        return pto_reject(PTO_RULE_IOT_SIZE);
    }
    if (!mask) {
        return zero_binder(b, in_header, false, srcs > 0, srcs > 1, dst_form);
    }
    if (!in_header) {
        return pto_reject(PTO_RULE_COMMAND_PLACE);
    }
    if (iot_closed(b)) {
        return pto_reject(PTO_RULE_IOT_AFTER_LAST);
    }
    if (!iot_mask_matches(b, mask)) {
        return pto_reject(PTO_RULE_IOT_MASK);
    }
    if (b->iot_count == PTO_BUNDLE_IOT) {
        return pto_reject(PTO_RULE_IOT_COUNT);
    }
    t = &b->iot[b->iot_count];
    *t = (PtoBindTile) {
        .valid = true, .dst_valid = dst_form, .hand = dst_form ? hand & 3 : 0,
        .size = dst_form ? size : 0, .mask = mask,
        .src_valid = { srcs > 0, srcs > 1 },
        .src = { srcs > 0 ? src0 & 63 : 0, srcs > 1 ? src1 & 63 : 0 },
        .last = last,
    };
    open_group(b, false, false, b->iot_count++, srcs > 0, srcs > 1, dst_form);
    return PTO_OK;
}

PtoFaultInfo pto_bundle_ios(PtoBundle *b, bool in_header, unsigned id,
                            unsigned size, unsigned pe_mode)
{
    unsigned mask = pto_pe_mask_of_mode(pe_mode);

    pto_bundle_close_group(b);
    if (size > 12) {
        return pto_reject(PTO_RULE_IOS_SIZE);
    }
    if (!mask) {
        return zero_binder(b, in_header, true, size == 0, false, size != 0);
    }
    if (!in_header) {
        return pto_reject(PTO_RULE_COMMAND_PLACE);
    }
    if (!iot_mask_matches(b, mask)) {
        return pto_reject(PTO_RULE_IOS_IOT_MASK);
    }
    for (unsigned i = 0; i < b->ios_count; i++) {
        if (b->ios[i].mask != mask) {
            return pto_reject(PTO_RULE_IOS_MASK);
        }
    }
    for (unsigned i = 0; i < b->ios_count; i++) {
        if (b->ios[i].id == id) {
            return pto_reject(PTO_RULE_IOS_TWICE);
        }
    }
    if (b->ios_count == PTO_BUNDLE_IOS) {
        return pto_reject(PTO_RULE_IOS_COUNT);
    }
    b->ios[b->ios_count] = (PtoBindShared) {
        .valid = true, .id = id, .size = size, .mask = mask,
    };
    open_group(b, false, true, b->ios_count++, size == 0, false, size != 0);
    return PTO_OK;
}

/* Delta 3.2: roles come in the order source 0, source 1, destination. */
static PtoFaultInfo group_role(PtoBundle *b, unsigned role, unsigned size,
                               bool contradiction)
{
    PtoRangeGroup *g = &b->group;

    if (!g->open) {
        return pto_reject(PTO_RULE_RANGE_GROUP);
    }
    if (g->zero_mode) {
        return PTO_OK;
    }
    if (!g->shared && (size == 11 || size == 12)) {
        return pto_reject(PTO_RULE_RANGE_LOCAL_SIZE);
    }
    if (contradiction) {
        return pto_reject(PTO_RULE_RANGE_INIT_SIZE);
    }
    if (!g->allowed[role]) {
        return pto_reject(PTO_RULE_RANGE_ROLE);
    }
    for (unsigned r = role; r < 3; r++) {
        if (g->seen[r]) {
            return pto_reject(PTO_RULE_RANGE_ORDER);
        }
    }
    return PTO_OK;
}

PtoFaultInfo pto_bundle_subview(PtoBundle *b, unsigned src_select, unsigned reg,
                                unsigned size, PtoRange **slot)
{
    PtoRangeGroup *g = &b->group;
    PtoFaultInfo f;

    *slot = NULL;
    if (reg > 23 || size < 1 || size > 12) {
        return pto_reject(PTO_RULE_COMMAND_FIELD);
    }
    f = group_role(b, src_select & 1, size, false);
    if (f.code || g->zero_mode) {
        return f;
    }
    *slot = g->shared ? &b->ios[g->binding].subview
                      : &b->iot[g->binding].subview[src_select & 1];
    return PTO_OK;
}

PtoFaultInfo pto_bundle_assemble(PtoBundle *b, bool init, bool last,
                                 unsigned reg, unsigned size, PtoRange **slot)
{
    PtoRangeGroup *g = &b->group;
    PtoFaultInfo f;

    (void)last;
    *slot = NULL;
    if (reg > 23 || size > 12) {
        return pto_reject(PTO_RULE_COMMAND_FIELD);
    }
    f = group_role(b, 2, size, init != (size != 0));
    if (f.code || g->zero_mode) {
        return f;
    }
    *slot = g->shared ? &b->ios[g->binding].assemble
                      : &b->iot[g->binding].assemble;
    return PTO_OK;
}

void pto_bundle_range_set(PtoBundle *b, PtoRange *slot, bool init, bool last,
                          unsigned reg, unsigned size, unsigned uimm11,
                          uint64_t base)
{
    PtoRangeGroup *g = &b->group;
    PtoBindTile *t = &b->iot[g->binding];

    *slot = (PtoRange) {
        .valid = true, .init = init, .last = last, .reg = reg, .size = size,
        .uimm11 = uimm11, .offset = base + uimm11,
    };
    if (g->shared) {
        g->seen[slot == &b->ios[g->binding].assemble ? 2 : 0] = true;
    } else {
        g->seen[slot == &t->assemble ? 2 : slot == &t->subview[1] ? 1 : 0] =
            true;
    }
}

unsigned pto_bundle_local_sources(const PtoBundle *b)
{
    unsigned n = 0;

    for (unsigned i = 0; i < b->iot_count; i++) {
        n += b->iot[i].src_valid[0] + b->iot[i].src_valid[1];
    }
    return n;
}

unsigned pto_bundle_local_destinations(const PtoBundle *b)
{
    unsigned n = 0;

    for (unsigned i = 0; i < b->iot_count; i++) {
        n += b->iot[i].dst_valid;
    }
    return n;
}

bool pto_bundle_terminated(const PtoBundle *b)
{
    return b->iot_count && b->iot[b->iot_count - 1].last;
}

bool pto_bundle_mask(const PtoBundle *b, unsigned *mask)
{
    unsigned m = b->iot_count ? b->iot[0].mask
                 : b->ios_count ? b->ios[0].mask : 0;

    *mask = m;
    for (unsigned i = 0; i < b->iot_count; i++) {
        if (b->iot[i].mask != m) {
            return false;
        }
    }
    for (unsigned i = 0; i < b->ios_count; i++) {
        if (b->ios[i].mask != m) {
            return false;
        }
    }
    return true;
}
