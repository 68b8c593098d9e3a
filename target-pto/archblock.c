/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: block state, bundle record, templates and value queues as QObjects.
 * The live state and every saved trap context hold them alike.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qobject/qbool.h"
#include "qobject/qnull.h"
#include "qobject/qnum.h"
#include "qobject/qstring.h"
#include "internals.h"
#include "archfield.h"
#include "archstate.h"

const char *const pto_block_kind_names[16] = {
    [PTO_KIND_STD] = "standard", [PTO_KIND_FP] = "floating",
    [PTO_KIND_SYS] = "system", [PTO_KIND_TEPL] = "tile-element",
    [PTO_KIND_TLSU] = "tile-memory", [PTO_KIND_CUBE] = "tile-matrix",
    [PTO_KIND_FRAME] = "frame-template",
};

const char *const pto_transfer_names[8] = {
    "fallthrough", "direct", "conditional", "call", "return", "indirect",
    "indirect-call",
};

static const char *const op_class_names[] = {
    [PTO_OPCLASS_CONTROL] = "Control", [PTO_OPCLASS_TEPL] = "TileElement",
    [PTO_OPCLASS_TLSU] = "TileMemory", [PTO_OPCLASS_CUBE] = "TileMatrix",
    [PTO_OPCLASS_FIXP] = "FixedPoint",
};

static const char *const frame_kind_names[] = {
    [PTO_FRAME_ENTRY] = "Entry", [PTO_FRAME_EXIT] = "Exit",
    [PTO_FRAME_RET_RA] = "ReturnAddress", [PTO_FRAME_RET_STK] = "ReturnStack",
};

/* ---- block state ---- */

static const PtoField block_rows[] = {
    PTO_ROW("bpc", U64, PtoBlockState, bpc),
    PTO_ROW("bundle_sequential_pc", U64, PtoBlockState, sequential),
    PTO_ROW("frame_stack_return_target", U64, PtoBlockState, frame_target),
    PTO_ROW("return_address", U64, PtoBlockState, return_address),
    PTO_ROW("bundle_argument", U64, PtoBlockState, argument),
    PTO_ROW("bundle_argument_kind", U32, PtoBlockState, argument_kind),
    PTO_ROW("commit_argument", U64, PtoBlockState, commit_argument),
    PTO_ROW_END
};

static const struct {
    const char *key;
    unsigned shift;
} block_flags[] = {
    { "bundle_active", R_BST_ACTIVE_SHIFT },
    { "bundle_body_active", R_BST_BODY_SHIFT },
    { "commit_target_set", R_BST_TARGET_SET_SHIFT },
    { "condition_set", R_BST_COND_SET_SHIFT },
    { "system_terminal_pending", R_BST_TERMINAL_SHIFT },
};

void pto_put_block(QDict *d, const PtoBlockState *b)
{
    QDict *barg = qdict_new();
    bool taken = FIELD_EX32(b->st, BST, TAKEN_ENV)
        ? b->commit_argument != 0 : FIELD_EX32(b->st, BST, TAKEN);
    unsigned i;

    pto_put_fields(d, b, block_rows, false);
    for (i = 0; i < ARRAY_SIZE(block_flags); i++) {
        if (b->st >> block_flags[i].shift & 1) {
            qdict_put_bool(d, block_flags[i].key, true);
        }
    }
    qdict_put_str(barg, "block_type",
                  pto_block_kind_names[FIELD_EX32(b->st, BST, KIND)] ?: "reserved");
    qdict_put_str(barg, "transfer_type",
                  pto_transfer_names[FIELD_EX32(b->st, BST, TRANSFER)]
                  ?: "reserved");
    qdict_put_bool(barg, "taken", taken);
    pto_put_u64(barg, "bpcn", b->bpcn);
    qdict_put(d, "barg", barg);
}

bool pto_take_block(QDict *d, PtoBlockState *b, Error **errp)
{
    ERRP_GUARD();
    QDict *barg;
    uint64_t v, taken = 0, kind = 0, transfer = 0;
    unsigned i;

    if (!pto_take_fields(d, b, block_rows, errp)) {
        return false;
    }
    for (i = 0; i < ARRAY_SIZE(block_flags); i++) {
        if (pto_take_bool(d, block_flags[i].key, &v, errp)) {
            b->st = deposit32(b->st, block_flags[i].shift, 1, v);
        }
    }
    barg = pto_enter(d, "barg", errp);
    if (*errp) {
        return false;
    }
    if (barg) {
        pto_take_name(barg, "block_type", pto_block_kind_names,
                  ARRAY_SIZE(pto_block_kind_names), &kind, errp);
        if (!*errp) {
            pto_take_name(barg, "transfer_type", pto_transfer_names,
                      ARRAY_SIZE(pto_transfer_names), &transfer, errp);
        }
        if (!*errp) {
            pto_take_bool(barg, "taken", &taken, errp);
        }
        if (!*errp) {
            pto_take_u64(barg, "bpcn", UINT64_MAX, &b->bpcn, errp);
        }
        if (*errp || !pto_leave(d, "barg", errp)) {
            return false;
        }
    }
    b->st = FIELD_DP32(b->st, BST, TAKEN_ENV, 0);
    b->st = FIELD_DP32(b->st, BST, KIND, kind);
    b->st = FIELD_DP32(b->st, BST, TRANSFER, transfer);
    b->st = FIELD_DP32(b->st, BST, TAKEN, taken);
    b->st = FIELD_DP32(b->st, BST, BARG_LIVE,
                       (b->bpc | b->bpcn | b->sequential |
                        b->frame_target) != 0);
    return !*errp;
}

/* ---- bundle record ---- */

static const PtoField ior_rows[] = {
    PTO_ROW_MAX("dst", U8, PtoBindScalar, dst, 31),
    PTO_ROW_END
};
static const PtoField range_rows[] = {
    PTO_ROW_MAX("reg", U8, PtoRange, reg, PTO_NUM_GPR - 1),
    PTO_ROW_MAX("uimm11", U16, PtoRange, uimm11, 0x7ff),
    PTO_ROW_MAX("size", U8, PtoRange, size, 12),
    PTO_ROW("offset", U64, PtoRange, offset),
    PTO_ROW("init", BOOL, PtoRange, init),
    PTO_ROW("last", BOOL, PtoRange, last),
    PTO_ROW_END
};
static const PtoField iot_rows[] = {
    PTO_ROW_MAX("size", U8, PtoBindTile, size, 12),
    PTO_ROW_MAX("pe_mask", U8, PtoBindTile, mask, 15),
    PTO_ROW("last", BOOL, PtoBindTile, last),
    PTO_ROW_END
};
static const PtoField ios_rows[] = {
    PTO_ROW_MAX("id", U8, PtoBindShared, id, PTO_SHARED_COUNT - 1),
    PTO_ROW_MAX("size", U8, PtoBindShared, size, 12),
    PTO_ROW_MAX("pe_mask", U8, PtoBindShared, mask, 15),
    PTO_ROW("consumed", BOOL, PtoBindShared, consumed),
    PTO_ROW_END
};
static const PtoField catr_rows[] = {
    PTO_ROW("trap", BOOL, PtoCatr, trap),
    PTO_ROW("atomic", BOOL, PtoCatr, atomic),
    PTO_ROW("aq", BOOL, PtoCatr, acquire),
    PTO_ROW("rl", BOOL, PtoCatr, release),
    PTO_ROW("far", BOOL, PtoCatr, far),
    PTO_ROW("dr", BOOL, PtoCatr, dr),
    PTO_ROW_END
};
static const PtoField datr_rows[] = {
    PTO_ROW("data_type_present", BOOL, PtoDatr, present),
    PTO_ROW_MAX("data_type", U8, PtoDatr, dtype, 31),
    PTO_ROW_MAX("layout", U8, PtoDatr, layout, 31),
    PTO_ROW_MAX("pad", U8, PtoDatr, pad, 3),
    PTO_ROW_MAX("cmode", U8, PtoDatr, cmode, 7),
    PTO_ROW_MAX("rmode", U8, PtoDatr, rmode, 7),
    PTO_ROW("sat", BOOL, PtoDatr, sat),
    PTO_ROW("canonicalize", BOOL, PtoDatr, canon),
    PTO_ROW_END
};
static const PtoField hint_rows[] = {
    PTO_ROW("trace", BOOL, PtoHint, trace),
    PTO_ROW("trace_end", BOOL, PtoHint, trace_end),
    PTO_ROW("branch_valid", BOOL, PtoHint, branch_valid),
    PTO_ROW("branch_likely", BOOL, PtoHint, branch_likely),
    PTO_ROW_MAX("temperature", U8, PtoHint, temperature, 3),
    PTO_ROW_MAX("prefetch_size", U16, PtoHint, prefetch_size, 0xfff),
    PTO_ROW_END
};
static const PtoField fpatr_rows[] = {
    PTO_ROW_MAX("pre_quant", U8, PtoFpatr, pre_quant_mode, 63),
    PTO_ROW_MAX("relu", U8, PtoFpatr, relu_mode, 7),
    PTO_ROW_MAX("group_n", U8, PtoFpatr, group_n_code, 15),
    PTO_ROW("row_max_en", BOOL, PtoFpatr, row_max_en),
    PTO_ROW("group_max_en", BOOL, PtoFpatr, group_max_en),
    PTO_ROW("row_max_init", BOOL, PtoFpatr, row_max_init),
    PTO_ROW("max_abs_en", BOOL, PtoFpatr, max_abs_en),
    PTO_ROW("trans_a", BOOL, PtoFpatr, trans_a),
    PTO_ROW("trans_b", BOOL, PtoFpatr, trans_b),
    PTO_ROW("c_scale", BOOL, PtoFpatr, c_scale_en),
    PTO_ROW_END
};

static void put_optional(QDict *d, const char *key, bool there,
                         uint64_t value)
{
    if (there) {
        pto_put_u64(d, key, value);
    }
}

static bool take_optional(QDict *d, const char *key, uint64_t max, bool *there,
                          uint64_t *value, Error **errp)
{
    ERRP_GUARD();

    *value = 0;
    *there = pto_take_u64(d, key, max, value, errp);
    return !*errp;
}

static QDict *op_dict(const PtoBundleOp *op)
{
    QDict *d = qdict_new();

    qdict_put_str(d, "class", op_class_names[op->op_class]);
    put_optional(d, "selector", op->selector_valid, op->selector);
    put_optional(d, "data_type", op->dtype_valid, op->dtype);
    put_optional(d, "mode", op->mode_valid, op->mode);
    put_optional(d, "branch_type", op->branch_valid, op->branch);
    put_optional(d, "form", op->form, op->form);
    return d;
}

static bool take_op(QDict *header, PtoBundleOp *op, Error **errp)
{
    ERRP_GUARD();
    QDict *d = pto_enter(header, "operation", errp);
    uint64_t v = 0;

    if (!d) {
        return !*errp;
    }
    op->valid = true;
    pto_take_name(d, "class", op_class_names, ARRAY_SIZE(op_class_names), &v,
              errp);
    if (*errp) {
        return false;
    }
    op->op_class = v;
    if (!take_optional(d, "selector", 0x3ff, &op->selector_valid, &v, errp)) {
        return false;
    }
    op->selector = v;
    if (!take_optional(d, "data_type", 31, &op->dtype_valid, &v, errp)) {
        return false;
    }
    op->dtype = v;
    if (!take_optional(d, "mode", 3, &op->mode_valid, &v, errp)) {
        return false;
    }
    op->mode = v;
    if (!take_optional(d, "branch_type", 7, &op->branch_valid, &v, errp)) {
        return false;
    }
    op->branch = v;
    v = 0;
    pto_take_u64(d, "form", 127, &v, errp);
    op->form = v;
    return !*errp && pto_leave(header, "operation", errp);
}

static void put_range(QDict *d, const char *key, const PtoRange *r)
{
    if (r->valid) {
        qdict_put(d, key, pto_fields_dict(r, range_rows));
    }
}

static bool take_range(QDict *d, const char *key, PtoRange *r, Error **errp)
{
    return pto_take_object(d, key, r, range_rows, &r->valid, errp);
}

static QDict *iot_dict(const PtoBindTile *t)
{
    QDict *d = pto_fields_dict(t, iot_rows);

    put_optional(d, "dst", t->dst_valid, t->hand);
    put_optional(d, "src0", t->src_valid[0], t->src[0]);
    put_optional(d, "src1", t->src_valid[1], t->src[1]);
    put_range(d, "subview0", &t->subview[0]);
    put_range(d, "subview1", &t->subview[1]);
    put_range(d, "assemble", &t->assemble);
    return d;
}

static bool take_iot(QDict *d, PtoBindTile *t, Error **errp)
{
    uint64_t v;

    t->valid = true;
    if (!pto_take_fields(d, t, iot_rows, errp) ||
        !take_optional(d, "dst", PTO_TILE_HANDS - 1, &t->dst_valid, &v, errp)) {
        return false;
    }
    t->hand = v;
    if (!take_optional(d, "src0", PTO_TILE_SLOTS - 1, &t->src_valid[0], &v,
                       errp)) {
        return false;
    }
    t->src[0] = v;
    if (!take_optional(d, "src1", PTO_TILE_SLOTS - 1, &t->src_valid[1], &v,
                       errp)) {
        return false;
    }
    t->src[1] = v;
    return take_range(d, "subview0", &t->subview[0], errp) &&
           take_range(d, "subview1", &t->subview[1], errp) &&
           take_range(d, "assemble", &t->assemble, errp) &&
           pto_all_taken(d, "iot", errp);
}

static QDict *ios_dict(const PtoBindShared *s)
{
    QDict *d = pto_fields_dict(s, ios_rows);

    put_range(d, "subview", &s->subview);
    put_range(d, "assemble", &s->assemble);
    return d;
}

static bool take_ios(QDict *d, PtoBindShared *s, Error **errp)
{
    s->valid = true;
    return pto_take_fields(d, s, ios_rows, errp) &&
           take_range(d, "subview", &s->subview, errp) &&
           take_range(d, "assemble", &s->assemble, errp) &&
           pto_all_taken(d, "ios", errp);
}

static QDict *ior_dict(const PtoBindScalar *r)
{
    QDict *d = pto_fields_dict(r, ior_rows);
    QList *src = qlist_new();
    int i;

    for (i = 0; i < 3; i++) {
        qlist_append_int(src, r->src[i]);
    }
    qdict_put(d, "src", src);
    qdict_put_int(d, "count", 3);
    return d;
}

static bool take_ior(QDict *header, PtoBindScalar *r, Error **errp)
{
    ERRP_GUARD();
    QDict *d = pto_enter(header, "ior", errp);
    QListEntry *e;
    QList *src;
    uint64_t v;
    int i = 0;

    if (!d) {
        return !*errp;
    }
    r->valid = true;
    if (!pto_take_fields(d, r, ior_rows, errp)) {
        return false;
    }
    pto_take_u64(d, "count", 3, &v, errp);
    src = pto_enter_list(d, "src", errp);
    if (!src) {
        return !*errp && pto_leave(header, "ior", errp);
    }
    QLIST_FOREACH_ENTRY(src, e) {
        QNum *num = qobject_to(QNum, qlist_entry_obj(e));

        if (i == 3 || !num || !qnum_get_try_uint(num, &v) || v > 31) {
            error_setg(errp, "'src' must hold three selectors");
            return false;
        }
        r->src[i++] = v;
    }
    qdict_del(d, "src");
    return pto_leave(header, "ior", errp);
}

bool pto_bundle_is_clear(const PtoBundle *b)
{
    return !b->op.valid && !b->ior.valid && !b->iot_count && !b->ios_count &&
           !b->catr.present && !b->datr.present && !b->hint.present &&
           !b->fpatr.valid && !b->dim_present[0] && !b->dim_present[1] &&
           !b->dim_present[2];
}

static QDict *dim_dict(const PtoBundle *b)
{
    QDict *d = qdict_new();
    int i;

    for (i = 0; i < 3; i++) {
        if (b->dim_present[i]) {
            g_autofree char *key = g_strdup_printf("%d", i);

            pto_put_u64(d, key, b->dim[i]);
        }
    }
    return d;
}

static QDict *header_dict(const PtoBundle *b)
{
    QDict *d = qdict_new();
    QList *list;
    int i;

    if (b->op.valid) {
        qdict_put(d, "operation", op_dict(&b->op));
    }
    if (b->dim_present[0] || b->dim_present[1] || b->dim_present[2]) {
        qdict_put(d, "dim", dim_dict(b));
    }
    if (b->ior.valid) {
        qdict_put(d, "ior", ior_dict(&b->ior));
    }
    if (b->iot_count) {
        list = qlist_new();
        for (i = 0; i < b->iot_count; i++) {
            qlist_append(list, iot_dict(&b->iot[i]));
        }
        qdict_put(d, "iot", list);
    }
    if (b->ios_count) {
        list = qlist_new();
        for (i = 0; i < b->ios_count; i++) {
            qlist_append(list, ios_dict(&b->ios[i]));
        }
        qdict_put(d, "ios", list);
    }
    if (b->catr.present) {
        qdict_put(d, "catr", pto_fields_dict(&b->catr, catr_rows));
    }
    if (b->datr.present) {
        qdict_put(d, "datr", pto_fields_dict(&b->datr, datr_rows));
    }
    if (b->hint.present) {
        qdict_put(d, "hint", pto_fields_dict(&b->hint, hint_rows));
    }
    if (b->fpatr.valid) {
        qdict_put(d, "fpatr", pto_fields_dict(&b->fpatr, fpatr_rows));
    }
    return d;
}

static QList *flags_list(const bool flag[3])
{
    QList *list = qlist_new();
    int i;

    for (i = 0; i < 3; i++) {
        qlist_append_bool(list, flag[i]);
    }
    return list;
}

static const char *const group_names[] = { "none", "local", "shared" };

void pto_put_bundle(QDict *d, const PtoBundle *b)
{
    if (!pto_bundle_is_clear(b)) {
        qdict_put(d, "header", header_dict(b));
    }
    if (b->zero_seen) {
        qdict_put_bool(d, "zero_participation_seen", true);
    }
    if (b->group.open) {
        QDict *g = qdict_new();

        qdict_put_bool(g, "zero_mode", b->group.zero_mode);
        qdict_put_str(g, "kind", group_names[b->group.zero_mode ? 0
                                             : b->group.shared ? 2 : 1]);
        qdict_put(g, "allowed", flags_list(b->group.allowed));
        qdict_put(g, "seen", flags_list(b->group.seen));
        qdict_put_int(g, "binding", b->group.binding);
        qdict_put(d, "range_group", g);
    }
}

static bool take_flags(QDict *d, const char *key, bool flag[3], Error **errp)
{
    ERRP_GUARD();
    QList *list = pto_enter_list(d, key, errp);
    QListEntry *e;
    int i = 0;

    if (!list) {
        return !*errp;
    }
    QLIST_FOREACH_ENTRY(list, e) {
        QBool *b = qobject_to(QBool, qlist_entry_obj(e));

        if (i == 3 || !b) {
            error_setg(errp, "'%s' must hold three flags", key);
            return false;
        }
        flag[i++] = qbool_get_bool(b);
    }
    qdict_del(d, key);
    return true;
}

static bool take_group(QDict *state, PtoBundle *b, Error **errp)
{
    ERRP_GUARD();
    QDict *d = pto_enter(state, "range_group", errp);
    uint64_t zero = 0, kind = 0, binding = 0;

    if (!d) {
        return !*errp;
    }
    pto_take_bool(d, "zero_mode", &zero, errp);
    if (!*errp) {
        pto_take_name(d, "kind", group_names, ARRAY_SIZE(group_names), &kind,
                  errp);
    }
    if (!*errp) {
        pto_take_u64(d, "binding", PTO_BUNDLE_IOT - 1, &binding, errp);
    }
    if (*errp || !take_flags(d, "allowed", b->group.allowed, errp) ||
        !take_flags(d, "seen", b->group.seen, errp)) {
        return false;
    }
    b->group.open = true;
    b->group.zero_mode = zero;
    b->group.shared = kind == 2;
    b->group.binding = binding;
    if (!zero && binding >= (kind == 2 ? b->ios_count : b->iot_count)) {
        error_setg(errp, "'range_group' names a binding that is not there");
        return false;
    }
    return pto_leave(state, "range_group", errp);
}

static bool take_dim(QDict *header, PtoBundle *b, Error **errp)
{
    ERRP_GUARD();
    QDict *d = pto_enter(header, "dim", errp);
    int i;

    if (!d) {
        return !*errp;
    }
    for (i = 0; i < 3; i++) {
        g_autofree char *key = g_strdup_printf("%d", i);

        b->dim_present[i] = pto_take_u64(d, key, UINT16_MAX, &b->dim[i], errp);
        if (*errp) {
            return false;
        }
    }
    return pto_leave(header, "dim", errp);
}

static bool take_bindings(QDict *header, PtoBundle *b, const char *key,
                          bool shared, Error **errp)
{
    ERRP_GUARD();
    QList *list = pto_enter_list(header, key, errp);
    unsigned max = shared ? PTO_BUNDLE_IOS : PTO_BUNDLE_IOT;
    QListEntry *e;
    unsigned n = 0;

    if (!list) {
        return !*errp;
    }
    QLIST_FOREACH_ENTRY(list, e) {
        QDict *d = qobject_to(QDict, qlist_entry_obj(e));

        if (!d || n == max) {
            error_setg(errp, "'%s' must hold at most %u objects", key, max);
            return false;
        }
        if (!(shared ? take_ios(d, &b->ios[n], errp)
                     : take_iot(d, &b->iot[n], errp))) {
            return false;
        }
        n++;
    }
    if (shared) {
        b->ios_count = n;
    } else {
        b->iot_count = n;
    }
    qdict_del(header, key);
    return true;
}

bool pto_take_bundle(QDict *d, PtoBundle *b, uint64_t bpc, Error **errp)
{
    ERRP_GUARD();
    QDict *h = pto_enter(d, "header", errp);
    uint64_t zero = 0;

    if (*errp) {
        return false;
    }
    pto_bundle_clear(b);
    b->bpc = bpc;
    pto_take_bool(d, "zero_participation_seen", &zero, errp);
    if (*errp) {
        return false;
    }
    b->zero_seen = zero;
    if (h) {
        if (!take_op(h, &b->op, errp) || !take_dim(h, b, errp) ||
            !take_ior(h, &b->ior, errp) ||
            !take_bindings(h, b, "iot", false, errp) ||
            !take_bindings(h, b, "ios", true, errp) ||
            !pto_take_object(h, "catr", &b->catr, catr_rows, &b->catr.present,
                         errp) ||
            !pto_take_object(h, "hint", &b->hint, hint_rows, &b->hint.present,
                         errp) ||
            !pto_take_object(h, "fpatr", &b->fpatr, fpatr_rows, &b->fpatr.valid,
                         errp) ||
            !pto_take_object(h, "datr", &b->datr, datr_rows, NULL, errp) ||
            !pto_leave(d, "header", errp)) {
            return false;
        }
    }
    return take_group(d, b, errp);
}

/* ---- templates, queues of values ---- */

static const PtoField mcopy_rows[] = {
    PTO_ROW("pc", U64, PtoMcopyState, pc),
    PTO_ROW("destination", U64, PtoMcopyState, destination),
    PTO_ROW("source", U64, PtoMcopyState, source),
    PTO_ROW("length", U64, PtoMcopyState, length),
    PTO_ROW("progress", U64, PtoMcopyState, progress),
    PTO_ROW_END
};
static const PtoField frame_rows[] = {
    PTO_ROW("pc", U64, PtoFrameState, pc),
    PTO_ROW_MAX("begin", U8, PtoFrameState, begin, PTO_NUM_GPR - 1),
    PTO_ROW_MAX("end", U8, PtoFrameState, end, PTO_NUM_GPR - 1),
    PTO_ROW_MAX("count", U8, PtoFrameState, count, PTO_FRAME_MAX),
    PTO_ROW("size", U64, PtoFrameState, size),
    PTO_ROW("caller_sp", U64, PtoFrameState, caller_sp),
    PTO_ROW("stack_adjusted", BOOL, PtoFrameState, stack_adjusted),
    PTO_ROW_MAX("progress", U8, PtoFrameState, progress, PTO_FRAME_MAX),
    PTO_ROW("return_target", U64, PtoFrameState, return_target),
    PTO_ROW("return_target_valid", BOOL, PtoFrameState, return_target_valid),
    PTO_ROW_END
};

void pto_put_templates(QDict *d, const PtoMcopyState *m,
                          const PtoFrameState *f)
{
    if (m->active) {
        qdict_put(d, "mcopy_template", pto_fields_dict(m, mcopy_rows));
    }
    if (f->active) {
        QDict *t = pto_fields_dict(f, frame_rows);

        qdict_put_str(t, "kind", frame_kind_names[f->kind]);
        if (f->kind == PTO_FRAME_ENTRY) {
            qdict_put(t, "values", pto_words_list(f->values, f->count));
        }
        qdict_put(d, "frame_template", t);
    }
}

bool pto_take_templates(QDict *d, PtoMcopyState *m, PtoFrameState *f,
                           Error **errp)
{
    ERRP_GUARD();
    QDict *t;
    uint64_t kind = 0;

    if (!pto_take_object(d, "mcopy_template", m, mcopy_rows, &m->active, errp)) {
        return false;
    }
    t = pto_enter(d, "frame_template", errp);
    if (!t) {
        return !*errp;
    }
    pto_take_name(t, "kind", frame_kind_names, ARRAY_SIZE(frame_kind_names),
              &kind, errp);
    if (*errp || !pto_take_fields(t, f, frame_rows, errp) ||
        !pto_take_words(t, "values", f->values, PTO_FRAME_MAX, errp)) {
        return false;
    }
    f->active = true;
    f->kind = kind;
    if (f->begin < 2 || f->end < 2 || f->progress > f->count) {
        error_setg(errp, "'frame_template' is not consistent");
        return false;
    }
    return pto_leave(d, "frame_template", errp);
}

static void put_queue(QDict *d, const char *key, const uint64_t *value,
                      unsigned valid)
{
    QList *list;
    int i;

    if (!valid) {
        return;
    }
    list = qlist_new();
    for (i = 0; i < PTO_QUEUE_DEPTH; i++) {
        if (valid & (1 << i)) {
            qlist_append(list, qnum_from_uint(value[i]));
        } else {
            qlist_append_null(list);
        }
    }
    qdict_put(d, key, list);
}

static bool take_queue(QDict *d, const char *key, uint64_t *value,
                       unsigned *valid, Error **errp)
{
    ERRP_GUARD();
    QList *list = pto_enter_list(d, key, errp);
    QListEntry *e;
    int i = 0;

    if (!list) {
        return !*errp;
    }
    QLIST_FOREACH_ENTRY(list, e) {
        QObject *obj = qlist_entry_obj(e);
        QNum *num = qobject_to(QNum, obj);

        if (i == PTO_QUEUE_DEPTH ||
            (num ? !qnum_get_try_uint(num, &value[i])
                 : qobject_type(obj) != QTYPE_QNULL)) {
            error_setg(errp, "'%s' must hold at most %d integers or nulls",
                       key, PTO_QUEUE_DEPTH);
            return false;
        }
        if (num) {
            *valid |= 1 << i;
        }
        i++;
    }
    qdict_del(d, key);
    return true;
}

void pto_put_tu(QDict *d, uint32_t st, const uint64_t *t,
                   const uint64_t *u)
{
    put_queue(d, "t", t, FIELD_EX32(st, BST, T_VALID));
    put_queue(d, "u", u, FIELD_EX32(st, BST, U_VALID));
}

bool pto_take_tu(QDict *d, uint32_t *st, uint64_t *t, uint64_t *u,
                    Error **errp)
{
    unsigned tv = 0, uv = 0;

    if (!take_queue(d, "t", t, &tv, errp) ||
        !take_queue(d, "u", u, &uv, errp)) {
        return false;
    }
    *st = FIELD_DP32(*st, BST, T_VALID, tv);
    *st = FIELD_DP32(*st, BST, U_VALID, uv);
    return true;
}

void pto_put_pred(QDict *d, const uint32_t *pred)
{
    QList *list;
    int i;

    for (i = 0; i < PTO_NUM_PRED && !pred[i]; i++) {
        /* all clear: not listed */
    }
    if (i == PTO_NUM_PRED) {
        return;
    }
    list = qlist_new();
    for (i = 0; i < PTO_NUM_PRED; i++) {
        qlist_append_int(list, pred[i]);
    }
    qdict_put(d, "predicates", list);
}

bool pto_take_pred(QDict *d, uint32_t *pred, Error **errp)
{
    uint64_t word[PTO_NUM_PRED] = { 0 };
    int i;

    if (!pto_take_words(d, "predicates", word, PTO_NUM_PRED, errp)) {
        return false;
    }
    for (i = 0; i < PTO_NUM_PRED; i++) {
        pred[i] = word[i];
    }
    return true;
}
