/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: class tables, properties, reset.  What depends on the QEMU version
 * lives here.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/qemu-print.h"
#include "internals.h"
#include "irq.h"
#include "sysreg.h"
#include "archstate.h"
#include "queue.h"
#include "exec/exec-all.h"
#include "exec/translation-block.h"
#include "disas/dis-asm.h"
#include "hw/qdev-properties.h"
#include "hw/core/sysemu-cpu-ops.h"
#include "accel/tcg/cpu-ops.h"

static const char gpr_names[PTO_NUM_GPR][5] = {
    "zero", "sp", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "ra", "s0",
    "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "x0", "x1", "x2", "x3",
};

static const char * const kind_names[16] = {
    [PTO_KIND_STD] = "std", [PTO_KIND_FP] = "fp", [PTO_KIND_SYS] = "sys",
    [PTO_KIND_TEPL] = "tepl", [PTO_KIND_TLSU] = "tlsu",
    [PTO_KIND_CUBE] = "cube", [PTO_KIND_FRAME] = "frame",
};

static const char * const transfer_names[8] = {
    "fall", "direct", "cond", "call", "ret", "ind", "icall", "?",
};

uint64_t *pto_pe_gpr(CPUPTOState *env, unsigned pe, unsigned n)
{
    PTOCPU *cpu = env_archcpu(env);
    unsigned own = env->profile->tile->single_program ? cpu->agent : cpu->pe;

    if (pe == own) {
        return &env->scalar.gpr[n];
    }
    return env->profile->tile->single_program ? &env->scalar.other_gpr[pe][n] : NULL;
}

void pto_cpu_set_tb_model(PTOCPU *cpu)
{
    cpu->env.tb_model = cpu->env.profile->tb_model << 1 | cpu->strict_header;
}

static void pto_cpu_set_pc(CPUState *cs, vaddr value)
{
    cpu_env(cs)->pc = value;
}

static vaddr pto_cpu_get_pc(CPUState *cs)
{
    return cpu_env(cs)->pc;
}

/* The application window bounds data accesses only. */
static int pto_cpu_mmu_index(CPUState *cs, bool ifetch)
{
    return !ifetch && pto_ring(cpu_env(cs)) >= 2 ? PTO_MMU_APP : PTO_MMU_SYSTEM;
}

/* A chained TB starts without its PC and block state in env. */
static void pto_cpu_synchronize_from_tb(CPUState *cs,
                                        const TranslationBlock *tb)
{
    CPUPTOState *env = cpu_env(cs);

    env->pc = tb->pc;
    env->block.st = tb->flags;
}

static void pto_cpu_reset_hold(Object *obj, ResetType type)
{
    PTOCPU *cpu = PTO_CPU(obj);
    PTOCPUClass *pcc = PTO_CPU_GET_CLASS(obj);
    CPUPTOState *env = &cpu->env;

    if (pcc->parent_phases.hold) {
        pcc->parent_phases.hold(obj, type);
    }
    memset(env, 0, offsetof(CPUPTOState, end_reset_fields));
    pto_sysreg_reset(env);
    pto_irq_reset(env);
    pto_bundle_clear(&env->bundle);
    pto_local_reset(env->tiles);
    if (cpu->own_tile_core) {
        pto_core_reset(env->tile_core);
    }
    env->pc = cpu->reset_pc;
    if (!env->profile->tile->single_program) {
        env->scalar.gpr[2] = cpu->reset_arg[0];
        env->scalar.gpr[3] = cpu->reset_arg[1];
    }
    /* No attempt was made yet, so none can be the one that faulted. */
    env->fault.cycle = UINT64_MAX;
}

static void dump_queue(FILE *f, const char *name, const uint64_t *queue,
                       unsigned valid)
{
    int i;

    for (i = 0; i < PTO_QUEUE_DEPTH; i++) {
        if (valid & (1 << i)) {
            qemu_fprintf(f, " %4s#%d %016" PRIx64, name, i + 1, queue[i]);
        } else {
            qemu_fprintf(f, " %4s#%d %16s", name, i + 1, "-");
        }
    }
    qemu_fprintf(f, "\n");
}

static void pto_cpu_dump_state(CPUState *cs, FILE *f, int flags)
{
    CPUPTOState *env = cpu_env(cs);
    uint32_t st = env->block.st;
    int i;

    qemu_fprintf(f, " tpc %016" PRIx64 " ring %u cycle %" PRIu64
                 " core_state %016" PRIx64 "\n",
                 env->pc, pto_ring(env), env->sys.cycle, env->sys.core_state);
    for (i = 0; i < PTO_NUM_GPR; i++) {
        qemu_fprintf(f, " %4s %016" PRIx64 "%s", gpr_names[i],
                     env->scalar.gpr[i], i % 4 == 3 ? "\n" : "");
    }
    dump_queue(f, "T", env->scalar.t, FIELD_EX32(st, BST, T_VALID));
    dump_queue(f, "U", env->scalar.u, FIELD_EX32(st, BST, U_VALID));
    if (pto_block_active(env)) {
        qemu_fprintf(f, " block %s %s %s bpc %016" PRIx64 " bpcn %016" PRIx64
                     " taken %d%s%s%s\n",
                     pto_block_body(env) ? "body" : "header",
                     kind_names[pto_block_kind(env)],
                     transfer_names[pto_block_transfer(env)],
                     env->block.bpc, env->block.bpcn, pto_barg_taken(env),
                     FIELD_EX32(st, BST, COND_SET) ? " cond-set" : "",
                     FIELD_EX32(st, BST, TARGET_SET) ? " target-set" : "",
                     FIELD_EX32(st, BST, TERMINAL) ? " terminal" : "");
    } else {
        qemu_fprintf(f, " block none\n");
    }
    qemu_fprintf(f, " return_address %016" PRIx64 " fault %u address %016"
                 PRIx64 "%s%s\n", env->block.return_address,
                 pto_last_fault(env), env->fault.address,
                 env->fault.rule ? " rule " : "",
                 env->fault.rule ? env->fault.rule : "");
}

static void pto_cpu_disas_set_info(CPUState *cs, disassemble_info *info)
{
    info->endian = BFD_ENDIAN_LITTLE;
    info->print_insn = pto_print_insn;
}

static int64_t pto_cpu_get_arch_id(CPUState *cs)
{
    PTOCPU *cpu = PTO_CPU(cs);

    return cpu->core * PTO_NUM_PE + cpu->pe;
}

static ObjectClass *pto_cpu_class_by_name(const char *cpu_model)
{
    g_autofree char *typename = g_strconcat(cpu_model, PTO_CPU_TYPE_SUFFIX,
                                            NULL);

    return object_class_by_name(typename);
}

static void pto_cpu_realize(DeviceState *dev, Error **errp)
{
    CPUState *cs = CPU(dev);
    PTOCPU *cpu = PTO_CPU(dev);
    PTOCPUClass *pcc = PTO_CPU_GET_CLASS(dev);
    Error *local_err = NULL;

    if (cpu->pe >= PTO_NUM_PE || cpu->agent >= PTO_NUM_PE) {
        error_setg(errp, "a core has PEs 0 to %d", PTO_NUM_PE - 1);
        return;
    }
    cpu_exec_realizefn(cs, &local_err);
    if (local_err) {
        error_propagate(errp, local_err);
        return;
    }
    pto_irq_realize(cs);
    cpu->env.gqm = pto_gqm_get();
    pto_cpu_gdb_init(cs);
    cpu->env.tiles = g_new0(PtoLocalTiles, 1);
    pto_local_init(cpu->env.tiles);
    if (!cpu->env.tile_core) {
        cpu->own_tile_core = true;
        cpu->env.tile_core = g_new0(PtoTileCore, 1);
        pto_core_init(cpu->env.tile_core);
    }
    qemu_init_vcpu(cs);
    cpu_reset(cs);
    pcc->parent_realize(dev, errp);
}

/* The model's record gives the defaults that properties may override. */
static void pto_cpu_init(Object *obj)
{
    PTOCPU *cpu = PTO_CPU(obj);
    const PTOProfile *profile = PTO_CPU_GET_CLASS(obj)->profile;

    cpu->env.profile = profile;
    pto_cpu_set_tb_model(cpu);
    qdev_init_gpio_in(DEVICE(obj), pto_cpu_set_irq, PTO_NUM_IRQ);
    cpu->peid = profile->has_peid;
    cpu->tile_profile = *profile->tile;
    cpu->app_window = profile->app_window;
}

static const Property pto_cpu_properties[] = {
    DEFINE_PROP_UINT8("pe", PTOCPU, pe, 0),
    DEFINE_PROP_UINT32("core", PTOCPU, core, 0),
    DEFINE_PROP_UINT8("agent", PTOCPU, agent, 0),
    DEFINE_PROP_UINT64("reset-pc", PTOCPU, reset_pc, 0),
    DEFINE_PROP_UINT64("reset-a0", PTOCPU, reset_arg[0], 0),
    DEFINE_PROP_UINT64("reset-a1", PTOCPU, reset_arg[1], 0),
    DEFINE_PROP_UNSIGNED_NODEFAULT("app-window", PTOCPU, app_window,
                                   qdev_prop_uint64, uint64_t),
};

static bool pto_cpu_get_peid(Object *obj, Error **errp)
{
    return PTO_CPU(obj)->peid;
}

static void pto_cpu_set_peid(Object *obj, bool value, Error **errp)
{
    PTO_CPU(obj)->peid = value;
}

static char *pto_cpu_get_retire(Object *obj, Error **errp)
{
    return g_strdup(PTO_CPU(obj)->tile_profile.retire == PTO_RETIRE_RING
                    ? "ring" : "never");
}

static char *pto_cpu_get_time(Object *obj, Error **errp)
{
    return g_strdup(PTO_CPU(obj)->time_ns ? "ns" : "attempts");
}

/* Sets *@flag to whether @value is @yes; @no is the only other value. */
static void set_choice(bool *flag, const char *value, const char *yes,
                       const char *no, Error **errp)
{
    if (strcmp(value, yes) && strcmp(value, no)) {
        error_setg(errp, "'%s' or '%s' expected", yes, no);
        return;
    }
    *flag = !strcmp(value, yes);
}

static void pto_cpu_set_retire(Object *obj, const char *value, Error **errp)
{
    PtoTileProfile *profile = &PTO_CPU(obj)->tile_profile;
    bool ring = profile->retire == PTO_RETIRE_RING;

    set_choice(&ring, value, "ring", "never", errp);
    profile->retire = ring ? PTO_RETIRE_RING : PTO_RETIRE_NEVER;
}

static void pto_cpu_set_time(Object *obj, const char *value, Error **errp)
{
    set_choice(&PTO_CPU(obj)->time_ns, value, "ns", "attempts", errp);
}

static const struct SysemuCPUOps pto_sysemu_ops = {
    .has_work = pto_cpu_has_work,
    .get_phys_page_debug = pto_cpu_get_phys_page_debug,
    .write_elf64_note = pto_cpu_write_elf64_note,
};

static const TCGCPUOps pto_tcg_ops = {
    .initialize = pto_tcg_init,
    .translate_code = pto_translate_code,
    .synchronize_from_tb = pto_cpu_synchronize_from_tb,
    .restore_state_to_opc = pto_restore_state_to_opc,
    .cpu_exec_interrupt = pto_cpu_exec_interrupt,
    .cpu_exec_halt = pto_cpu_exec_halt,
    .tlb_fill = pto_cpu_tlb_fill,
    .do_interrupt = pto_cpu_do_interrupt,
    .do_transaction_failed = pto_cpu_transaction_failed,
    .do_unaligned_access = pto_cpu_unaligned_access,
};

static void pto_cpu_class_init(ObjectClass *oc, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);
    CPUClass *cc = CPU_CLASS(oc);
    PTOCPUClass *pcc = PTO_CPU_CLASS(oc);
    ResettableClass *rc = RESETTABLE_CLASS(oc);

    device_class_set_parent_realize(dc, pto_cpu_realize,
                                    &pcc->parent_realize);
    device_class_set_props(dc, pto_cpu_properties);
    object_class_property_add_bool(oc, "peid", pto_cpu_get_peid,
                                   pto_cpu_set_peid);
    object_class_property_add_str(oc, "tile-retire", pto_cpu_get_retire,
                                  pto_cpu_set_retire);
    object_class_property_add_str(oc, "time", pto_cpu_get_time,
                                  pto_cpu_set_time);
    resettable_class_set_parent_phases(rc, NULL, pto_cpu_reset_hold, NULL,
                                       &pcc->parent_phases);

    cc->class_by_name = pto_cpu_class_by_name;
    cc->mmu_index = pto_cpu_mmu_index;
    cc->dump_state = pto_cpu_dump_state;
    cc->get_arch_id = pto_cpu_get_arch_id;
    cc->set_pc = pto_cpu_set_pc;
    cc->get_pc = pto_cpu_get_pc;
    cc->disas_set_info = pto_cpu_disas_set_info;
    cc->gdb_arch_name = pto_cpu_gdb_arch_name;
    cc->gdb_core_xml_file = "pto-core.xml";
    cc->gdb_read_register = pto_cpu_gdb_read_register;
    cc->gdb_write_register = pto_cpu_gdb_write_register;
    cc->gdb_stop_before_watchpoint = true;
    dc->vmsd = &vmstate_pto_cpu;
    pto_archstate_class_init(oc);
    cc->sysemu_ops = &pto_sysemu_ops;
    cc->tcg_ops = &pto_tcg_ops;
}

static void pto_model_class_init(ObjectClass *oc, void *data)
{
    PTO_CPU_CLASS(oc)->profile = data;
    DEVICE_CLASS(oc)->desc = ((const PTOProfile *)data)->description;
}

static const TypeInfo pto_cpu_types[] = {
    {
        .name = TYPE_PTO_CPU,
        .parent = TYPE_CPU,
        .instance_size = sizeof(PTOCPU),
        .instance_align = __alignof(PTOCPU),
        .instance_init = pto_cpu_init,
        .class_size = sizeof(PTOCPUClass),
        .class_init = pto_cpu_class_init,
        .abstract = true,
    }, {
        .name = TYPE_PTO_CPU_PTO,
        .parent = TYPE_PTO_CPU,
        .class_init = pto_model_class_init,
        .class_data = (void *)&pto_profile_pto,
    }, {
        .name = TYPE_PTO_CPU_REF,
        .parent = TYPE_PTO_CPU,
        .class_init = pto_model_class_init,
        .class_data = (void *)&pto_profile_ref,
    },
};

DEFINE_TYPES(pto_cpu_types)
