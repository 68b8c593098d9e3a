/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: the CPU property `arch-state`, the architectural state of one PE as a
 * QObject in both directions.
 *
 * Structures are described by rows of fields which serve reading and writing,
 * so the two cannot drift apart.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/cutils.h"
#include "qapi/visitor.h"
#include "qapi/qapi-builtin-visit.h"
#include "qobject/qbool.h"
#include "qobject/qdict.h"
#include "qobject/qjson.h"
#include "qobject/qlist.h"
#include "qobject/qnull.h"
#include "qobject/qnum.h"
#include "qobject/qstring.h"
#include "system/runstate.h"
#include "internals.h"
#include "archfield.h"
#include "archstate.h"
#include "irq.h"
#include "queue.h"
#include "sysreg.h"
#include "exec/tb-flush.h"
#include "tile/state.h"

const char *const pto_fault_names[PTO_FAULT_COUNT] = {
    "None", "ExecutionStateCheck", "IllegalInstruction", "InstructionPC",
    "InstructionPage", "DataAlignment", "DataPage", "SoftwareBreakpoint",
    "HardwareBreakpoint", "HardwareWatchpoint", "Assert", "TileLegality",
    "TileAllocation", "BundleControl", "BundlePostCommit", "ServiceRequest",
};

/* ---- trap banks and saved contexts ---- */

static const PtoField context_rows[] = {
    PTO_ROW("context_valid", BOOL, PtoTrapContext, valid),
    PTO_ROW_MAX("source_acr", U8, PtoTrapContext, source_ring, PTO_NUM_RINGS - 1),
    PTO_ROW_END
};
static const PtoField saved_rows[] = {
    PTO_ROW("pc", U64, PtoTrapContext, tpc),
    PTO_ROW("core_state", U64, PtoTrapContext, core_state),
    PTO_ROW_END
};

static QDict *saved_dict(const PtoTrapContext *c)
{
    QDict *d = qdict_new();

    pto_put_fields(d, c, saved_rows, true);
    pto_put_block(d, &c->block);
    pto_put_bundle(d, &c->bundle);
    pto_put_templates(d, &c->mcopy, &c->frame);
    pto_put_tu(d, c->block.st, c->t, c->u);
    pto_put_pred(d, c->pred);
    return d;
}

static bool take_saved(QDict *bank, PtoTrapContext *c, Error **errp)
{
    ERRP_GUARD();
    QDict *d = pto_enter(bank, "context", errp);

    if (!d) {
        return !*errp;
    }
    return pto_take_fields(d, c, saved_rows, errp) &&
           pto_take_block(d, &c->block, errp) &&
           pto_take_bundle(d, &c->bundle, c->block.bpc, errp) &&
           pto_take_templates(d, &c->mcopy, &c->frame, errp) &&
           pto_take_tu(d, &c->block.st, c->t, c->u, errp) &&
           pto_take_pred(d, c->pred, errp) &&
           pto_leave(bank, "context", errp);
}

static void put_traps(QDict *d, CPUPTOState *env)
{
    QDict *traps = qdict_new();
    int ring;

    for (ring = 0; ring < PTO_NUM_RINGS; ring++) {
        const PtoTrapContext *c = &env->context[ring];
        uint64_t trapno = pto_trap_status(&env->bank[ring]);
        g_autofree char *key = g_strdup_printf("%d", ring);
        QDict *bank;

        if (!trapno && !env->bank[ring].arg0 && !c->valid) {
            continue;
        }
        bank = pto_fields_dict(c, context_rows);
        pto_put_u64(bank, "trapno", trapno);
        pto_put_u64(bank, "traparg0", env->bank[ring].arg0);
        if (c->valid) {
            if (c->mcopy.active) {
                pto_put_u64(bank, "mcopy_progress", c->mcopy.progress);
            }
            if (c->frame.active) {
                pto_put_u64(bank, "frame_progress", c->frame.progress);
            }
            qdict_put(bank, "context", saved_dict(c));
        }
        qdict_put(traps, key, bank);
    }
    if (qdict_size(traps)) {
        qdict_put(d, "trap", traps);
    } else {
        qobject_unref(traps);
    }
}

static bool take_bank(QDict *bank, CPUPTOState *env, int ring, Error **errp)
{
    ERRP_GUARD();
    uint64_t v;

    if (pto_take_u64(bank, "trapno", UINT64_MAX, &v, errp)) {
        pto_set_trap_status(&env->bank[ring], v);
    }
    if (!*errp) {
        pto_take_u64(bank, "traparg0", UINT64_MAX, &env->bank[ring].arg0, errp);
    }
    /* derived, they come with the context */
    qdict_del(bank, "mcopy_progress");
    qdict_del(bank, "frame_progress");
    return !*errp &&
           pto_take_fields(bank, &env->context[ring], context_rows, errp) &&
           take_saved(bank, &env->context[ring], errp);
}

static bool take_traps(QDict *d, CPUPTOState *env, Error **errp)
{
    ERRP_GUARD();
    QDict *traps = pto_enter(d, "trap", errp);
    int ring;

    if (!traps) {
        return !*errp;
    }
    for (ring = 0; ring < PTO_NUM_RINGS; ring++) {
        g_autofree char *key = g_strdup_printf("%d", ring);
        QDict *bank = pto_enter(traps, key, errp);

        if (*errp || (bank && !take_bank(bank, env, ring, errp)) ||
            !pto_leave(traps, key, errp)) {
            return false;
        }
    }
    return pto_leave(d, "trap", errp);
}

/* ---- registers ---- */

static const PtoField env_rows[] = {
    PTO_ROW("pc", U64, CPUPTOState, pc),
    PTO_ROW("cycle", U64, CPUPTOState, sys.cycle),
    PTO_ROW("thread_ptr", U64, CPUPTOState, sys.thread_ptr),
    PTO_ROW("global_ptr", U64, CPUPTOState, sys.global_ptr),
    PTO_ROW("core_feature_enable", U64, CPUPTOState, sys.core_feature_enable),
    PTO_ROW("irq_level", U64, CPUPTOState, irq_level),
    PTO_ROW_END
};

/* Files of the PEs that this PE can see. */
static void put_gpr(QDict *d, CPUPTOState *env)
{
    QDict *files = qdict_new();
    unsigned pe, n;

    for (pe = 0; pe < PTO_NUM_PE; pe++) {
        g_autofree char *pe_key = g_strdup_printf("%u", pe);
        QDict *file = qdict_new();

        for (n = 1; n < PTO_NUM_GPR; n++) {
            uint64_t *reg = pto_pe_gpr(env, pe, n);

            if (reg && *reg) {
                g_autofree char *key = g_strdup_printf("%u", n);

                pto_put_u64(file, key, *reg);
            }
        }
        qdict_put(files, pe_key, file);
    }
    qdict_put(d, "gpr", files);
}

static bool take_file(QDict *file, CPUPTOState *env, unsigned pe, Error **errp)
{
    ERRP_GUARD();
    unsigned n;

    for (n = 0; n < PTO_NUM_GPR; n++) {
        g_autofree char *key = g_strdup_printf("%u", n);
        uint64_t *reg = pto_pe_gpr(env, pe, n);
        uint64_t v;

        if (!pto_take_u64(file, key, n ? UINT64_MAX : 0, &v, errp)) {
            if (*errp) {
                return false;
            }
            continue;
        }
        if (!reg) {
            error_setg(errp, "registers of PE %u belong to another CPU", pe);
            return false;
        }
        *reg = v;
    }
    return true;
}

static bool take_gpr(QDict *d, CPUPTOState *env, Error **errp)
{
    ERRP_GUARD();
    QDict *files = pto_enter(d, "gpr", errp);
    unsigned pe;

    if (!files) {
        return !*errp;
    }
    for (pe = 0; pe < PTO_NUM_PE; pe++) {
        g_autofree char *key = g_strdup_printf("%u", pe);
        QDict *file = pto_enter(files, key, errp);

        if (*errp || (file && !take_file(file, env, pe, errp)) ||
            !pto_leave(files, key, errp)) {
            return false;
        }
    }
    return pto_leave(d, "gpr", errp);
}

/* Stored values of the context family; trap banks are kept elsewhere. */
static bool sysreg_is_bank(unsigned index)
{
    return index == PTO_CTX_TRAPNO || index == PTO_CTX_TRAPARG0;
}

static uint64_t sysreg_reset_value(unsigned index)
{
    return index == PTO_CTX_ECONFIG ? PTO_ECONFIG_RESET : 0;
}

static void put_sysregs(QDict *d, CPUPTOState *env)
{
    QDict *regs = qdict_new();
    unsigned ring, i;

    for (ring = 0; ring < PTO_NUM_RINGS; ring++) {
        for (i = 0; i < PTO_CTX_COUNT; i++) {
            uint64_t v = env->sys.ctx[ring][i];

            if (v != sysreg_reset_value(i) && !sysreg_is_bank(i)) {
                char key[8];

                snprintf(key, sizeof(key), "0x%04x",
                         ring << 12 | PTO_CTX_BASE | i);
                pto_put_u64(regs, key, v);
            }
        }
    }
    qdict_put(d, "sysreg", regs);
}

static bool take_sysregs(QDict *d, CPUPTOState *env, Error **errp)
{
    ERRP_GUARD();
    QDict *regs = pto_enter(d, "sysreg", errp);
    const QDictEntry *e;

    if (!regs) {
        return !*errp;
    }
    for (e = qdict_first(regs); e; e = qdict_next(regs, e)) {
        const char *key = qdict_entry_key(e);
        QNum *num = qobject_to(QNum, qdict_entry_value(e));
        uint64_t v, addr;

        if (qemu_strtou64(key, NULL, 16, &addr) < 0 || addr > 0xffff ||
            (addr & 0xfff) < PTO_CTX_BASE ||
            sysreg_is_bank((addr & 0xfff) - PTO_CTX_BASE)) {
            error_setg(errp, "no stored system register '%s'", key);
            return false;
        }
        if (!num || !qnum_get_try_uint(num, &v)) {
            error_setg(errp, "'%s' must be an integer", key);
            return false;
        }
        env->sys.ctx[addr >> 12][(addr & 0xfff) - PTO_CTX_BASE] = v;
    }
    qdict_del(d, "sysreg");
    return true;
}

static const PtoField reserve_rows[] = {
    PTO_ROW("valid", BOOL, PtoReservation, valid),
    PTO_ROW_MAX("size", U8, PtoReservation, size, 8),
    PTO_ROW("address", U64, PtoReservation, address),
    PTO_ROW_END
};

static void put_last_fault(QDict *d, CPUPTOState *env)
{
    unsigned code = pto_last_fault(env);

    if (code != PTO_FAULT_NONE && code < PTO_FAULT_COUNT) {
        QDict *f = qdict_new();

        qdict_put_str(f, "code", pto_fault_names[code]);
        pto_put_u64(f, "address", env->fault.address);
        if (env->fault.rule) {
            qdict_put_str(f, "rule", env->fault.rule);
        }
        qdict_put(d, "last_fault", f);
    }
}

static bool take_last_fault(QDict *d, CPUPTOState *env, Error **errp)
{
    ERRP_GUARD();
    QDict *f = pto_enter(d, "last_fault", errp);
    uint64_t code = 0;

    if (!f) {
        return !*errp;
    }
    pto_take_name(f, "code", pto_fault_names, PTO_FAULT_COUNT, &code, errp);
    if (!*errp) {
        pto_take_u64(f, "address", UINT64_MAX, &env->fault.address, errp);
    }
    qdict_del(f, "rule");
    env->fault.code = code;
    env->fault.cycle = env->sys.cycle;
    return !*errp && pto_leave(d, "last_fault", errp);
}

/* ---- what PEs share ---- */

static void put_gqm(const PtoGqmView *view, void *opaque)
{
    QDict *q = qdict_new();

    pto_put_u64(q, "address", view->address);
    qdict_put_int(q, "capacity", view->capacity);
    qdict_put_int(q, "count", view->count);
    qdict_put_bool(q, "suspended", view->suspended);
    qdict_put_bool(q, "corrupt", view->corrupt);
    qdict_put(q, "entries", pto_words_list(view->entries, view->count));
    qlist_append((QList *)opaque, q);
}

static void put_queues(QDict *d, CPUPTOState *env)
{
    QList *list = qlist_new();

    pto_gqm_foreach(env->gqm, put_gqm, list);
    qdict_put(d, "queues", list);
}

static const PtoField gqm_rows[] = {
    PTO_ROW("address", U64, PtoGqmView, address),
    PTO_ROW_MAX("capacity", U16, PtoGqmView, capacity, PTO_GQM_CAPACITY),
    PTO_ROW_MAX("count", U16, PtoGqmView, count, PTO_GQM_CAPACITY),
    PTO_ROW("suspended", BOOL, PtoGqmView, suspended),
    PTO_ROW("corrupt", BOOL, PtoGqmView, corrupt),
    PTO_ROW_END
};

static bool take_queues(QDict *d, CPUPTOState *env, Error **errp)
{
    ERRP_GUARD();
    QList *list = pto_enter_list(d, "queues", errp);
    QListEntry *e;

    if (!list) {
        return !*errp;
    }
    QLIST_FOREACH_ENTRY(list, e) {
        g_autofree PtoGqmView *view = g_new0(PtoGqmView, 1);
        QDict *q = qobject_to(QDict, qlist_entry_obj(e));

        if (!q || !pto_take_fields(q, view, gqm_rows, errp) ||
            !pto_take_words(q, "entries", view->entries, PTO_GQM_CAPACITY, errp) ||
            !pto_all_taken(q, "queues", errp) || view->count > view->capacity) {
            if (!*errp) {
                error_setg(errp, "'queues' is not consistent");
            }
            return false;
        }
        pto_gqm_install(env->gqm, view);
    }
    qdict_del(d, "queues");
    return true;
}

/* With `system` present the shared objects are replaced. */
static bool take_system(QDict *d, CPUPTOState *env, Error **errp)
{
    ERRP_GUARD();
    bool present = pto_enter(d, "system", errp);

    if (*errp || !pto_leave(d, "system", errp)) {
        return false;
    }
    if (present || qdict_haskey(d, "queues")) {
        pto_gqm_clear(env->gqm);
    }
    if (present && env->tile_core) {
        pto_core_reset(env->tile_core);
    }
    return take_queues(d, env, errp);
}

/* ---- tiles, shown only ---- */

static const char *const layout_names[PTO_LAYOUT_COUNT] = {
    [PTO_LAYOUT_ROW] = "RowMajor", [PTO_LAYOUT_COL] = "ColumnMajor",
    [PTO_LAYOUT_ZN] = "ZN", [PTO_LAYOUT_NZ] = "NZ",
    [PTO_LAYOUT_M16] = "CUBE_M16", [PTO_LAYOUT_M32] = "CUBE_M32",
    [PTO_LAYOUT_N8] = "CUBE_N8",
};
static const char *const location_names[] = {
    [PTO_LOC_ANY] = "Any", [PTO_LOC_VECTOR] = "Vector",
    [PTO_LOC_MATRIX] = "Matrix",
};

static void append_mask(QList *list, unsigned mask)
{
    char text[PTO_PES + 1] = "";
    int i;

    for (i = 0; i < PTO_PES; i++) {
        text[i] = mask & pto_pe_bit(i) ? '1' : '0';
    }
    qlist_append_str(list, text);
}

static void append_shape(QList *list, const PtoTile *t)
{
    qlist_append_int(list, t->capacity);
    qlist_append_int(list, t->rows);
    qlist_append_int(list, t->cols);
    qlist_append_int(list, t->vrows);
    qlist_append_int(list, t->vcols);
    qlist_append_str(list, pto_type_info[t->type].name ?: "None");
    qlist_append_str(list, layout_names[t->layout]);
}

static void put_tiles(QDict *d, CPUPTOState *env)
{
    QList *tiles = qlist_new(), *shared = qlist_new();
    int i;

    for (i = 0; env->tiles && i < PTO_TILE_SLOTS; i++) {
        const PtoTile *t = &env->tiles->tile[i];
        QList *row;

        if (!t->allocated) {
            continue;
        }
        row = qlist_new();
        qlist_append_int(row, i);
        append_mask(row, t->mask);
        qlist_append_str(row, t->storage == PTO_STORE_PREDICATE ? "predicate"
                                                                : "numeric");
        append_shape(row, t);
        qlist_append_str(row, location_names[t->location]);
        qlist_append_bool(row, t->contents_defined);
        qlist_append(tiles, row);
    }
    for (i = 0; env->tile_core && i < PTO_SHARED_COUNT; i++) {
        const PtoSharedTile *s = &env->tile_core->shared[i];
        QList *row;

        if (!s->valid) {
            continue;
        }
        row = qlist_new();
        qlist_append_int(row, i);
        append_mask(row, s->alloc_mask);
        append_mask(row, s->init_mask);
        qlist_append_bool(row, s->ready);
        qlist_append_bool(row, s->published);
        append_shape(row, &s->tile);
        qlist_append_bool(row, s->tile.contents_defined);
        qlist_append(shared, row);
    }
    qdict_put(d, "tiles", tiles);
    qdict_put(d, "shared", shared);
}

/* ---- the property ---- */

static QDict *state_dict(PTOCPU *cpu)
{
    CPUPTOState *env = &cpu->env;
    PtoBundleOp op = env->bundle.op;
    QDict *d = qdict_new();

    pto_put_fields(d, env, env_rows, false);
    qdict_put_int(d, "acr", pto_ring(env));
    pto_put_u64(d, "core_state", env->sys.core_state);
    if (env->profile->tile->single_program) {
        qdict_put_int(d, "agent", cpu->agent);
    }
    if (cpu->strict_header) {
        qdict_put_str(d, "body_entry", "none");
    }
    put_gpr(d, env);
    pto_put_block(d, &env->block);
    /* translated code counts on the record staying as it is */
    pto_sync_bundle(env);
    pto_put_bundle(d, &env->bundle);
    env->bundle.op = op;
    pto_put_templates(d, &env->mcopy, &env->frame);
    pto_put_tu(d, env->block.st, env->scalar.t, env->scalar.u);
    pto_put_pred(d, env->scalar.pred);
    qdict_put(d, "reservation", pto_fields_dict(&env->reserve, reserve_rows));
    put_last_fault(d, env);
    put_sysregs(d, env);
    put_traps(d, env);
    put_queues(d, env);
    put_tiles(d, env);
    return d;
}

static const char *const body_entry_names[] = { "first-scalar", "none" };

static bool load_state(PTOCPU *cpu, QDict *d, Error **errp)
{
    ERRP_GUARD();
    CPUPTOState *env = &cpu->env;
    uint64_t v, ring;
    bool ring_given;

    if (pto_take_u64(d, "agent", PTO_NUM_PE - 1, &v, errp)) {
        cpu->agent = v;
    }
    v = 0;
    if (!*errp) {
        pto_take_name(d, "body_entry", body_entry_names, 2, &v, errp);
    }
    if (cpu->strict_header != v) {
        cpu->strict_header = v;
        pto_cpu_set_tb_model(cpu);
    }
    if (*errp || !pto_take_fields(d, env, env_rows, errp)) {
        return false;
    }
    ring_given = pto_take_u64(d, "acr", PTO_NUM_RINGS - 1, &ring, errp);
    if (*errp || !pto_take_tu(d, &env->block.st, env->scalar.t, env->scalar.u,
                          errp) ||
        !pto_take_block(d, &env->block, errp)) {
        return false;
    }
    if (pto_take_u64(d, "core_state", UINT64_MAX, &v, errp)) {
        pto_write_core_state(env, v);
    }
    if (ring_given) {
        pto_set_ring(env, ring);
    }
    /* only shown */
    qdict_del(d, "tiles");
    qdict_del(d, "shared");
    if (*errp || !take_gpr(d, env, errp) ||
        !pto_take_bundle(d, &env->bundle, env->block.bpc, errp) ||
        !pto_take_templates(d, &env->mcopy, &env->frame, errp) ||
        !pto_take_pred(d, env->scalar.pred, errp) ||
        !pto_take_object(d, "reservation", &env->reserve, reserve_rows, NULL,
                     errp) ||
        !take_last_fault(d, env, errp) || !take_sysregs(d, env, errp) ||
        !take_traps(d, env, errp) || !take_system(d, env, errp)) {
        return false;
    }
    env->block.st = FIELD_DP32(env->block.st, BST, RESERVED,
                               env->reserve.valid);
    env->block.st = FIELD_DP32(env->block.st, BST, HEADER,
                               env->bundle.group.open ||
                               env->bundle.zero_seen ||
                               !pto_bundle_is_clear(&env->bundle));
    return pto_all_taken(d, "arch-state", errp);
}

typedef struct Access {
    PTOCPU *cpu;
    QDict *dict;
    Error **errp;
} Access;

static void do_get(CPUState *cs, run_on_cpu_data data)
{
    Access *a = data.host_ptr;

    a->dict = state_dict(a->cpu);
}

static void do_set(CPUState *cs, run_on_cpu_data data)
{
    Access *a = data.host_ptr;
    g_autofree CPUPTOState *old = g_memdup2(&a->cpu->env, sizeof(*old));
    uint8_t agent = a->cpu->agent;

    cpu_reset(cs);
    if (load_state(a->cpu, a->dict, a->errp)) {
        pto_irq_post_load(&a->cpu->env);
        return;
    }
    memcpy(&a->cpu->env, old, offsetof(CPUPTOState, end_reset_fields));
    a->cpu->agent = agent;
}

/* A running vCPU keeps parts of its state elsewhere: go to its thread. */
static void on_cpu(CPUState *cs, run_on_cpu_func fn, Access *a)
{
    if (runstate_is_running()) {
        run_on_cpu(cs, fn, RUN_ON_CPU_HOST_PTR(a));
    } else {
        fn(cs, RUN_ON_CPU_HOST_PTR(a));
    }
}

static void get_arch_state(Object *obj, Visitor *v, const char *name,
                           void *opaque, Error **errp)
{
    Access a = { .cpu = PTO_CPU(obj) };
    QObject *value;

    if (!DEVICE(obj)->realized) {
        error_setg(errp, "the CPU is not realized");
        return;
    }
    on_cpu(CPU(obj), do_get, &a);
    value = QOBJECT(a.dict);
    visit_type_any(v, name, &value, errp);
    qobject_unref(value);
}

static void set_arch_state(Object *obj, Visitor *v, const char *name,
                           void *opaque, Error **errp)
{
    Access a = { .cpu = PTO_CPU(obj), .errp = errp };
    QObject *value = NULL;

    if (!DEVICE(obj)->realized) {
        error_setg(errp, "the CPU is not realized");
        return;
    }
    if (!visit_type_any(v, name, &value, errp)) {
        return;
    }
    a.dict = qobject_to(QDict, value);
    if (a.dict) {
        on_cpu(CPU(obj), do_set, &a);
    } else {
        error_setg(errp, "'%s' must be an object", name);
    }
    qobject_unref(value);
}

GString *pto_archstate_json(CPUState *cs)
{
    QDict *d = state_dict(PTO_CPU(cs));
    GString *text = qobject_to_json(QOBJECT(d));

    qobject_unref(d);
    return text;
}

bool pto_archstate_load_json(CPUState *cs, const char *text, Error **errp)
{
    ERRP_GUARD();
    QObject *value = qobject_from_json(text, errp);
    Access a = {
        .cpu = PTO_CPU(cs), .dict = qobject_to(QDict, value), .errp = errp,
    };

    if (a.dict) {
        do_set(cs, RUN_ON_CPU_HOST_PTR(&a));
    } else if (!*errp) {
        error_setg(errp, "an object is expected");
    }
    qobject_unref(value);
    return !*errp;
}

void pto_archstate_class_init(ObjectClass *oc)
{
    object_class_property_add(oc, "arch-state", "any", get_arch_state,
                              set_arch_state, NULL, NULL);
    object_class_property_set_description(oc, "arch-state",
        "Whole architectural state of the PE; writing resets the PE first");
}
