/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: migration state of a PE.
 *
 * The record of an open block, templates, trap banks and tiles are
 * subsections: most snapshots have little or nothing of them.
 */
#include "qemu/osdep.h"
#include "internals.h"
#include "archstate.h"
#include "irq.h"
#include "migration/cpu.h"
#include "tile/state.h"

/* ---- bundle record ---- */

static const VMStateDescription vmstate_op = {
    .name = "cpu/bundle/op",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_BOOL(valid, PtoBundleOp),
        VMSTATE_UINT8(form, PtoBundleOp),
        VMSTATE_UINT8(op_class, PtoBundleOp),
        VMSTATE_BOOL(selector_valid, PtoBundleOp),
        VMSTATE_UINT16(selector, PtoBundleOp),
        VMSTATE_BOOL(dtype_valid, PtoBundleOp),
        VMSTATE_UINT8(dtype, PtoBundleOp),
        VMSTATE_BOOL(mode_valid, PtoBundleOp),
        VMSTATE_UINT8(mode, PtoBundleOp),
        VMSTATE_BOOL(branch_valid, PtoBundleOp),
        VMSTATE_UINT8(branch, PtoBundleOp),
        VMSTATE_END_OF_LIST()
    }
};

static const VMStateDescription vmstate_range = {
    .name = "cpu/bundle/range",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_BOOL(valid, PtoRange),
        VMSTATE_BOOL(init, PtoRange),
        VMSTATE_BOOL(last, PtoRange),
        VMSTATE_UINT8(reg, PtoRange),
        VMSTATE_UINT8(size, PtoRange),
        VMSTATE_UINT16(uimm11, PtoRange),
        VMSTATE_UINT64(offset, PtoRange),
        VMSTATE_END_OF_LIST()
    }
};

static const VMStateDescription vmstate_iot = {
    .name = "cpu/bundle/iot",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_BOOL(valid, PtoBindTile),
        VMSTATE_BOOL(dst_valid, PtoBindTile),
        VMSTATE_UINT8(hand, PtoBindTile),
        VMSTATE_UINT8(size, PtoBindTile),
        VMSTATE_UINT8(mask, PtoBindTile),
        VMSTATE_BOOL_ARRAY(src_valid, PtoBindTile, 2),
        VMSTATE_UINT8_ARRAY(src, PtoBindTile, 2),
        VMSTATE_BOOL(last, PtoBindTile),
        VMSTATE_STRUCT_ARRAY(subview, PtoBindTile, 2, 1, vmstate_range,
                             PtoRange),
        VMSTATE_STRUCT(assemble, PtoBindTile, 1, vmstate_range, PtoRange),
        VMSTATE_END_OF_LIST()
    }
};

static const VMStateDescription vmstate_ios = {
    .name = "cpu/bundle/ios",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_BOOL(valid, PtoBindShared),
        VMSTATE_UINT8(id, PtoBindShared),
        VMSTATE_UINT8(size, PtoBindShared),
        VMSTATE_UINT8(mask, PtoBindShared),
        VMSTATE_BOOL(consumed, PtoBindShared),
        VMSTATE_STRUCT(subview, PtoBindShared, 1, vmstate_range, PtoRange),
        VMSTATE_STRUCT(assemble, PtoBindShared, 1, vmstate_range, PtoRange),
        VMSTATE_END_OF_LIST()
    }
};

static const VMStateDescription vmstate_attributes = {
    .name = "cpu/bundle/attributes",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_BOOL(catr.present, PtoBundle),
        VMSTATE_BOOL(catr.trap, PtoBundle),
        VMSTATE_BOOL(catr.atomic, PtoBundle),
        VMSTATE_BOOL(catr.acquire, PtoBundle),
        VMSTATE_BOOL(catr.release, PtoBundle),
        VMSTATE_BOOL(catr.far, PtoBundle),
        VMSTATE_BOOL(catr.dr, PtoBundle),
        VMSTATE_BOOL(datr.present, PtoBundle),
        VMSTATE_UINT8(datr.dtype, PtoBundle),
        VMSTATE_UINT8(datr.layout, PtoBundle),
        VMSTATE_UINT8(datr.pad, PtoBundle),
        VMSTATE_UINT8(datr.cmode, PtoBundle),
        VMSTATE_UINT8(datr.rmode, PtoBundle),
        VMSTATE_BOOL(datr.sat, PtoBundle),
        VMSTATE_BOOL(datr.canon, PtoBundle),
        VMSTATE_BOOL(hint.present, PtoBundle),
        VMSTATE_BOOL(hint.trace, PtoBundle),
        VMSTATE_BOOL(hint.trace_end, PtoBundle),
        VMSTATE_BOOL(hint.branch_valid, PtoBundle),
        VMSTATE_BOOL(hint.branch_likely, PtoBundle),
        VMSTATE_UINT8(hint.temperature, PtoBundle),
        VMSTATE_UINT16(hint.prefetch_size, PtoBundle),
        VMSTATE_BOOL(fpatr.valid, PtoBundle),
        VMSTATE_UINT8(fpatr.pre_quant_mode, PtoBundle),
        VMSTATE_UINT8(fpatr.relu_mode, PtoBundle),
        VMSTATE_UINT8(fpatr.group_n_code, PtoBundle),
        VMSTATE_BOOL(fpatr.row_max_en, PtoBundle),
        VMSTATE_BOOL(fpatr.group_max_en, PtoBundle),
        VMSTATE_BOOL(fpatr.row_max_init, PtoBundle),
        VMSTATE_BOOL(fpatr.max_abs_en, PtoBundle),
        VMSTATE_BOOL(fpatr.trans_a, PtoBundle),
        VMSTATE_BOOL(fpatr.trans_b, PtoBundle),
        VMSTATE_BOOL(fpatr.c_scale_en, PtoBundle),
        VMSTATE_END_OF_LIST()
    }
};

static const VMStateDescription vmstate_bundle = {
    .name = "cpu/bundle",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT(op, PtoBundle, 1, vmstate_op, PtoBundleOp),
        VMSTATE_UINT64(bpc, PtoBundle),
        VMSTATE_UINT64_ARRAY(dim, PtoBundle, 3),
        VMSTATE_BOOL_ARRAY(dim_present, PtoBundle, 3),
        VMSTATE_BOOL(zero_seen, PtoBundle),
        VMSTATE_BOOL(ior.valid, PtoBundle),
        VMSTATE_UINT8(ior.dst, PtoBundle),
        VMSTATE_UINT8_ARRAY(ior.src, PtoBundle, 3),
        VMSTATE_UINT8(iot_count, PtoBundle),
        VMSTATE_UINT8(ios_count, PtoBundle),
        VMSTATE_STRUCT_ARRAY(iot, PtoBundle, PTO_BUNDLE_IOT, 1, vmstate_iot,
                             PtoBindTile),
        VMSTATE_STRUCT_ARRAY(ios, PtoBundle, PTO_BUNDLE_IOS, 1, vmstate_ios,
                             PtoBindShared),
        VMSTATE_BOOL(group.open, PtoBundle),
        VMSTATE_BOOL(group.zero_mode, PtoBundle),
        VMSTATE_BOOL(group.shared, PtoBundle),
        VMSTATE_UINT8(group.binding, PtoBundle),
        VMSTATE_BOOL_ARRAY(group.allowed, PtoBundle, 3),
        VMSTATE_BOOL_ARRAY(group.seen, PtoBundle, 3),
        VMSTATE_END_OF_LIST()
    }
};

static bool range_valid(const PtoRange *r)
{
    return r->reg < PTO_NUM_GPR && r->size <= 12 && r->uimm11 <= 0x7ff;
}

static bool iot_valid(const PtoBindTile *t)
{
    return t->hand < PTO_TILE_HANDS && t->size <= 12 && t->mask <= 15 &&
           t->src[0] < PTO_TILE_SLOTS && t->src[1] < PTO_TILE_SLOTS &&
           range_valid(&t->subview[0]) && range_valid(&t->subview[1]) &&
           range_valid(&t->assemble);
}

static bool ios_valid(const PtoBindShared *s)
{
    return s->id < PTO_SHARED_COUNT && s->size <= 12 && s->mask <= 15 &&
           range_valid(&s->subview) && range_valid(&s->assemble);
}

/* Everything that is used as an index or a count must be in range. */
static bool bundle_valid(const PtoBundle *b)
{
    int i;

    if (b->op.op_class > PTO_OPCLASS_FIXP || b->op.selector > 0x3ff ||
        b->op.dtype > 31 || b->op.mode > 3 || b->op.branch > 7 ||
        b->iot_count > PTO_BUNDLE_IOT || b->ios_count > PTO_BUNDLE_IOS ||
        b->ior.dst > 31 || b->datr.dtype > 31 || b->datr.layout > 31 ||
        b->datr.pad > 3 || b->datr.cmode > 7 || b->datr.rmode > 7 ||
        b->fpatr.pre_quant_mode > 63 || b->fpatr.relu_mode > 7 ||
        b->fpatr.group_n_code > 15) {
        return false;
    }
    for (i = 0; i < 3; i++) {
        if (b->ior.src[i] > 31 || b->dim[i] > UINT16_MAX) {
            return false;
        }
    }
    for (i = 0; i < PTO_BUNDLE_IOT; i++) {
        if (!iot_valid(&b->iot[i])) {
            return false;
        }
    }
    for (i = 0; i < PTO_BUNDLE_IOS; i++) {
        if (!ios_valid(&b->ios[i])) {
            return false;
        }
    }
    return !b->group.open || b->group.zero_mode ||
           b->group.binding < (b->group.shared ? b->ios_count : b->iot_count);
}

/* ---- block state and templates ---- */

static const VMStateDescription vmstate_block = {
    .name = "cpu/block",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32(st, PtoBlockState),
        VMSTATE_UINT64(bpc, PtoBlockState),
        VMSTATE_UINT64(bpcn, PtoBlockState),
        VMSTATE_UINT64(sequential, PtoBlockState),
        VMSTATE_UINT64(frame_target, PtoBlockState),
        VMSTATE_UINT64(return_address, PtoBlockState),
        VMSTATE_UINT64(argument, PtoBlockState),
        VMSTATE_UINT64(commit_argument, PtoBlockState),
        VMSTATE_UINT32(argument_kind, PtoBlockState),
        VMSTATE_END_OF_LIST()
    }
};

static bool block_valid(const PtoBlockState *b)
{
    return pto_block_kind_names[FIELD_EX32(b->st, BST, KIND)] &&
           pto_transfer_names[FIELD_EX32(b->st, BST, TRANSFER)];
}

static const VMStateDescription vmstate_mcopy = {
    .name = "cpu/mcopy",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_BOOL(active, PtoMcopyState),
        VMSTATE_UINT64(pc, PtoMcopyState),
        VMSTATE_UINT64(destination, PtoMcopyState),
        VMSTATE_UINT64(source, PtoMcopyState),
        VMSTATE_UINT64(length, PtoMcopyState),
        VMSTATE_UINT64(progress, PtoMcopyState),
        VMSTATE_END_OF_LIST()
    }
};

static const VMStateDescription vmstate_frame = {
    .name = "cpu/frame",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_BOOL(active, PtoFrameState),
        VMSTATE_BOOL(stack_adjusted, PtoFrameState),
        VMSTATE_BOOL(return_target_valid, PtoFrameState),
        VMSTATE_UINT8(kind, PtoFrameState),
        VMSTATE_UINT8(begin, PtoFrameState),
        VMSTATE_UINT8(end, PtoFrameState),
        VMSTATE_UINT8(count, PtoFrameState),
        VMSTATE_UINT8(progress, PtoFrameState),
        VMSTATE_UINT64(pc, PtoFrameState),
        VMSTATE_UINT64(size, PtoFrameState),
        VMSTATE_UINT64(caller_sp, PtoFrameState),
        VMSTATE_UINT64(return_target, PtoFrameState),
        VMSTATE_UINT64_ARRAY(values, PtoFrameState, PTO_FRAME_MAX),
        VMSTATE_END_OF_LIST()
    }
};

static bool templates_valid(const PtoMcopyState *m, const PtoFrameState *f)
{
    if (m->active && m->progress > m->length) {
        return false;
    }
    return !f->active ||
           (f->kind <= PTO_FRAME_RET_STK && f->begin >= 2 && f->end >= 2 &&
            f->begin < PTO_NUM_GPR && f->end < PTO_NUM_GPR &&
            f->count <= PTO_FRAME_MAX && f->progress <= f->count);
}

static bool templates_needed(void *opaque)
{
    PTOCPU *cpu = opaque;

    return cpu->env.mcopy.active || cpu->env.frame.active;
}

static const VMStateDescription vmstate_templates = {
    .name = "cpu/templates",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = templates_needed,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT(env.mcopy, PTOCPU, 1, vmstate_mcopy, PtoMcopyState),
        VMSTATE_STRUCT(env.frame, PTOCPU, 1, vmstate_frame, PtoFrameState),
        VMSTATE_END_OF_LIST()
    }
};

static bool header_needed(void *opaque)
{
    PTOCPU *cpu = opaque;

    return pto_block_active(&cpu->env) ||
           FIELD_EX32(cpu->env.block.st, BST, HEADER);
}

static const VMStateDescription vmstate_header = {
    .name = "cpu/header",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = header_needed,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT(env.bundle, PTOCPU, 1, vmstate_bundle, PtoBundle),
        VMSTATE_STRUCT(env.bundle, PTOCPU, 1, vmstate_attributes, PtoBundle),
        VMSTATE_END_OF_LIST()
    }
};

/* ---- traps ---- */

static const VMStateDescription vmstate_bank = {
    .name = "cpu/bank",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_BOOL(asynchronous, PtoTrapBank),
        VMSTATE_BOOL(arg_valid, PtoTrapBank),
        VMSTATE_UINT8(number, PtoTrapBank),
        VMSTATE_UINT32(cause, PtoTrapBank),
        VMSTATE_UINT64(arg0, PtoTrapBank),
        VMSTATE_END_OF_LIST()
    }
};

static const VMStateDescription vmstate_context = {
    .name = "cpu/context",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_BOOL(valid, PtoTrapContext),
        VMSTATE_UINT8(source_ring, PtoTrapContext),
        VMSTATE_UINT64(tpc, PtoTrapContext),
        VMSTATE_UINT64(core_state, PtoTrapContext),
        VMSTATE_STRUCT(block, PtoTrapContext, 1, vmstate_block, PtoBlockState),
        VMSTATE_STRUCT(bundle, PtoTrapContext, 1, vmstate_bundle, PtoBundle),
        VMSTATE_STRUCT(bundle, PtoTrapContext, 1, vmstate_attributes,
                       PtoBundle),
        VMSTATE_STRUCT(mcopy, PtoTrapContext, 1, vmstate_mcopy, PtoMcopyState),
        VMSTATE_STRUCT(frame, PtoTrapContext, 1, vmstate_frame, PtoFrameState),
        VMSTATE_UINT64_ARRAY(t, PtoTrapContext, PTO_QUEUE_DEPTH),
        VMSTATE_UINT64_ARRAY(u, PtoTrapContext, PTO_QUEUE_DEPTH),
        VMSTATE_UINT32_ARRAY(pred, PtoTrapContext, PTO_NUM_PRED),
        VMSTATE_END_OF_LIST()
    }
};

static bool context_valid(const PtoTrapContext *c)
{
    return c->source_ring < PTO_NUM_RINGS && block_valid(&c->block) &&
           bundle_valid(&c->bundle) && templates_valid(&c->mcopy, &c->frame);
}

static bool traps_needed(void *opaque)
{
    PTOCPU *cpu = opaque;
    int i;

    for (i = 0; i < PTO_NUM_RINGS; i++) {
        const PtoTrapBank *b = &cpu->env.bank[i];

        if (cpu->env.context[i].valid || b->asynchronous || b->arg_valid ||
            b->number || b->cause || b->arg0) {
            return true;
        }
    }
    return false;
}

static const VMStateDescription vmstate_traps = {
    .name = "cpu/traps",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = traps_needed,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT_ARRAY(env.bank, PTOCPU, PTO_NUM_RINGS, 1, vmstate_bank,
                             PtoTrapBank),
        VMSTATE_STRUCT_ARRAY(env.context, PTOCPU, PTO_NUM_RINGS, 1,
                             vmstate_context, PtoTrapContext),
        VMSTATE_END_OF_LIST()
    }
};

/* ---- reservation, other register files ---- */

static bool reserve_needed(void *opaque)
{
    PTOCPU *cpu = opaque;

    return cpu->env.reserve.valid;
}

static const VMStateDescription vmstate_reserve = {
    .name = "cpu/reservation",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = reserve_needed,
    .fields = (const VMStateField[]) {
        VMSTATE_BOOL(env.reserve.valid, PTOCPU),
        VMSTATE_UINT8(env.reserve.size, PTOCPU),
        VMSTATE_UINT64(env.reserve.address, PTOCPU),
        VMSTATE_BOOL(env.reserve.line_valid, PTOCPU),
        VMSTATE_UINT64_ARRAY(env.reserve.line, PTOCPU, PTO_LINE_BYTES / 8),
        VMSTATE_END_OF_LIST()
    }
};

static bool files_needed(void *opaque)
{
    PTOCPU *cpu = opaque;

    return cpu->env.profile->tile->single_program;
}

static const VMStateDescription vmstate_files = {
    .name = "cpu/files",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = files_needed,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT8(agent, PTOCPU),
        VMSTATE_UINT64_2DARRAY(env.scalar.other_gpr, PTOCPU, PTO_NUM_PE,
                               PTO_NUM_GPR),
        VMSTATE_END_OF_LIST()
    }
};

/* ---- tiles: a flat image made by the tile core ---- */

/* Far above what the pools of four PEs can hold. */
#define TILE_IMAGE_MAX (64u << 20)

static void put_image(QEMUFile *f, uint8_t *image, size_t bytes)
{
    qemu_put_be32(f, bytes);
    qemu_put_buffer(f, image, bytes);
    pto_free(image);
}

static uint8_t *get_image(QEMUFile *f, uint32_t *bytes)
{
    uint8_t *image;

    *bytes = qemu_get_be32(f);
    if (*bytes > TILE_IMAGE_MAX) {
        return NULL;
    }
    image = g_malloc(*bytes);
    if (qemu_get_buffer(f, image, *bytes) != *bytes) {
        g_free(image);
        return NULL;
    }
    return image;
}

static int local_put(QEMUFile *f, void *pv, size_t size,
                     const VMStateField *field, JSONWriter *desc)
{
    PtoLocalTiles **tiles = pv;
    size_t bytes;
    uint8_t *image = pto_local_save(*tiles, &bytes);

    put_image(f, image, bytes);
    return 0;
}

static int local_get(QEMUFile *f, void *pv, size_t size,
                     const VMStateField *field)
{
    PtoLocalTiles **tiles = pv;
    uint32_t bytes;
    g_autofree uint8_t *image = get_image(f, &bytes);

    return image && pto_local_load(*tiles, image, bytes) ? 0 : -EINVAL;
}

static int core_put(QEMUFile *f, void *pv, size_t size,
                    const VMStateField *field, JSONWriter *desc)
{
    PtoTileCore **core = pv;
    size_t bytes;
    uint8_t *image = pto_core_save(*core, &bytes);

    put_image(f, image, bytes);
    return 0;
}

static int core_get(QEMUFile *f, void *pv, size_t size,
                    const VMStateField *field)
{
    PtoTileCore **core = pv;
    uint32_t bytes;
    g_autofree uint8_t *image = get_image(f, &bytes);

    return image && pto_core_load(*core, image, bytes) ? 0 : -EINVAL;
}

static const VMStateInfo info_local_tiles = {
    .name = "pto local tiles",
    .get = local_get,
    .put = local_put,
};

static const VMStateInfo info_tile_core = {
    .name = "pto tile core",
    .get = core_get,
    .put = core_put,
};

static bool tiles_needed(void *opaque)
{
    PTOCPU *cpu = opaque;

    return cpu->env.tiles->next_seq != 0 || cpu->env.tiles->ops != 0;
}

static const VMStateDescription vmstate_tiles = {
    .name = "cpu/tiles",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = tiles_needed,
    .fields = (const VMStateField[]) {
        VMSTATE_SINGLE(env.tiles, PTOCPU, 0, info_local_tiles,
                       PtoLocalTiles *),
        VMSTATE_END_OF_LIST()
    }
};

static bool own_core_needed(void *opaque)
{
    PTOCPU *cpu = opaque;

    return cpu->own_tile_core;
}

static const VMStateDescription vmstate_own_core = {
    .name = "cpu/tile-core",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = own_core_needed,
    .fields = (const VMStateField[]) {
        VMSTATE_SINGLE(env.tile_core, PTOCPU, 0, info_tile_core,
                       PtoTileCore *),
        VMSTATE_END_OF_LIST()
    }
};

/* ---- suspension by BWI, BWE and BWT ---- */

static bool wait_needed(void *opaque)
{
    PTOCPU *cpu = opaque;

    return cpu->env.wait.kind != PTO_WAIT_NONE || cpu->env.wait.event ||
           cpu->env.wait.tile_wake || cpu->env.irq_raised;
}

static const VMStateDescription vmstate_wait = {
    .name = "cpu/wait",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = wait_needed,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT8(env.wait.kind, PTOCPU),
        VMSTATE_BOOL(env.wait.event, PTOCPU),
        VMSTATE_BOOL(env.wait.tile_wake, PTOCPU),
        VMSTATE_INT64(env.wait.since, PTOCPU),
        VMSTATE_UINT64(env.wait.deadline, PTOCPU),
        VMSTATE_UINT64(env.irq_raised, PTOCPU),
        VMSTATE_END_OF_LIST()
    }
};

/* ---- the PE ---- */

static int pto_cpu_post_load(void *opaque, int version_id)
{
    PTOCPU *cpu = opaque;
    CPUPTOState *env = &cpu->env;
    int i;

    if (env->scalar.gpr[0] || !block_valid(&env->block) ||
        FIELD_EX32(env->block.st, BST, RING) != (env->sys.core_state & 15) ||
        env->fault.code >= PTO_FAULT_COUNT || cpu->agent >= PTO_NUM_PE ||
        !bundle_valid(&env->bundle) ||
        !templates_valid(&env->mcopy, &env->frame) ||
        env->wait.kind > PTO_WAIT_TIMEOUT) {
        return -EINVAL;
    }
    for (i = 0; i < PTO_NUM_RINGS; i++) {
        if (!context_valid(&env->context[i])) {
            return -EINVAL;
        }
    }
    /* The text is not part of the stream; the fault itself is. */
    env->fault.rule = NULL;
    pto_irq_post_load(env);
    return 0;
}

/* What a subsection does not bring is as after reset. */
static int pto_cpu_pre_load(void *opaque)
{
    PTOCPU *cpu = opaque;
    CPUPTOState *env = &cpu->env;

    pto_bundle_clear(&env->bundle);
    memset(&env->mcopy, 0, sizeof(env->mcopy));
    memset(&env->frame, 0, sizeof(env->frame));
    memset(env->bank, 0, sizeof(env->bank));
    memset(env->context, 0, sizeof(env->context));
    memset(&env->reserve, 0, sizeof(env->reserve));
    memset(&env->wait, 0, sizeof(env->wait));
    env->irq_raised = 0;
    pto_local_reset(env->tiles);
    return 0;
}

const VMStateDescription vmstate_pto_cpu = {
    .name = "cpu",
    .version_id = 1,
    .minimum_version_id = 1,
    .pre_load = pto_cpu_pre_load,
    .post_load = pto_cpu_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT64(env.pc, PTOCPU),
        VMSTATE_UINT64_ARRAY(env.scalar.gpr, PTOCPU, PTO_NUM_GPR),
        VMSTATE_UINT64_ARRAY(env.scalar.t, PTOCPU, PTO_QUEUE_DEPTH),
        VMSTATE_UINT64_ARRAY(env.scalar.u, PTOCPU, PTO_QUEUE_DEPTH),
        VMSTATE_UINT32_ARRAY(env.scalar.pred, PTOCPU, PTO_NUM_PRED),
        VMSTATE_STRUCT(env.block, PTOCPU, 1, vmstate_block, PtoBlockState),
        VMSTATE_UINT64(env.sys.thread_ptr, PTOCPU),
        VMSTATE_UINT64(env.sys.global_ptr, PTOCPU),
        VMSTATE_UINT64(env.sys.core_state, PTOCPU),
        VMSTATE_UINT64(env.sys.core_feature_enable, PTOCPU),
        VMSTATE_UINT64(env.sys.blocknum, PTOCPU),
        VMSTATE_UINT64(env.sys.blockid, PTOCPU),
        VMSTATE_UINT64(env.sys.cycle, PTOCPU),
        VMSTATE_UINT64_2DARRAY(env.sys.ctx, PTOCPU, PTO_NUM_RINGS,
                               PTO_CTX_COUNT),
        VMSTATE_UINT64(env.irq_level, PTOCPU),
        VMSTATE_UINT32(env.fault.code, PTOCPU),
        VMSTATE_UINT32(env.fault.cause, PTOCPU),
        VMSTATE_UINT64(env.fault.address, PTOCPU),
        VMSTATE_UINT64(env.fault.cycle, PTOCPU),
        VMSTATE_END_OF_LIST()
    },
    .subsections = (const VMStateDescription * const []) {
        &vmstate_header,
        &vmstate_templates,
        &vmstate_traps,
        &vmstate_reserve,
        &vmstate_files,
        &vmstate_tiles,
        &vmstate_own_core,
        &vmstate_wait,
        NULL
    }
};
