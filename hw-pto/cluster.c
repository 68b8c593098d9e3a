/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO boards: the PEs and cores of a machine.
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qapi/error.h"
#include "hw/qdev-properties.h"
#include "system/reset.h"
#include "cluster.h"

static void pe_reset(void *opaque)
{
    cpu_reset(opaque);
}

static void create_core(PtoCluster *c, MachineState *ms, unsigned index,
                        bool deadlock_stop)
{
    PtoCore *core = PTO_CORE(qdev_new(TYPE_PTO_CORE));
    g_autofree char *name = g_strdup_printf("core%u", index);

    core->deadlock_stop = deadlock_stop;
    object_property_add_child(OBJECT(ms), name, OBJECT(core));
    qdev_realize_and_unref(DEVICE(core), NULL, &error_fatal);
    qemu_register_resettable(OBJECT(core));
    c->core[index] = core;
}

static void create_pe(PtoCluster *c, MachineState *ms, unsigned index,
                      uint64_t app_window)
{
    PtoCore *core = c->core[index / c->pes_per_core];
    PTOCPU *cpu = PTO_CPU(object_new(ms->cpu_type));

    cpu->pe = index % c->pes_per_core;
    cpu->core = index / c->pes_per_core;
    cpu->shared_core = core;
    cpu->env.tile_core = &core->tiles;
    if (app_window) {
        cpu->app_window = app_window;
    }
    pto_core_attach(core, CPU(cpu), cpu->pe);
    qdev_realize(DEVICE(cpu), NULL, &error_fatal);
    object_unref(OBJECT(cpu));
    qemu_register_reset(pe_reset, cpu);
    c->pe[index] = cpu;
}

void pto_cluster_create(PtoCluster *c, MachineState *ms, uint64_t app_window,
                        bool deadlock_stop)
{
    unsigned i;

    if (ms->smp.threads > PTO_NUM_PE) {
        error_report("a core has at most %d PEs: use -smp "
                     "cores=C,threads=T with T from 1 to %d",
                     PTO_NUM_PE, PTO_NUM_PE);
        exit(EXIT_FAILURE);
    }
    if (ms->smp.cpus % ms->smp.threads) {
        error_report("-smp: %u PEs do not fill cores of %u",
                     ms->smp.cpus, ms->smp.threads);
        exit(EXIT_FAILURE);
    }
    c->num_pes = ms->smp.cpus;
    c->pes_per_core = ms->smp.threads;
    c->num_cores = c->num_pes / c->pes_per_core;
    c->pe = g_new0(PTOCPU *, c->num_pes);
    c->core = g_new0(PtoCore *, c->num_cores);
    for (i = 0; i < c->num_cores; i++) {
        create_core(c, ms, i, deadlock_stop);
    }
    for (i = 0; i < c->num_pes; i++) {
        create_pe(c, ms, i, app_window);
    }
}

void pto_cluster_set_boot(PtoCluster *c, hwaddr entry, hwaddr fdt)
{
    unsigned i;

    for (i = 0; i < c->num_pes; i++) {
        c->pe[i]->reset_pc = entry;
        c->pe[i]->reset_arg[0] = i;
        c->pe[i]->reset_arg[1] = fdt;
    }
}
