/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pto-ref: the machine of the ISA's executable model.  RAM at address 0 and
 * nothing else; used for conformance runs.
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qemu/units.h"
#include "qapi/error.h"
#include "hw/boards.h"
#include "hw/qdev-properties.h"
#include "exec/address-spaces.h"
#include "system/reset.h"
#include "target/pto/cpu.h"

#define PTO_REF_RAM_MIN (4 * KiB)
#define PTO_REF_RAM_MAX (64 * KiB)

static void pto_ref_cpu_reset(void *opaque)
{
    cpu_reset(opaque);
}

static void pto_ref_init(MachineState *machine)
{
    int i;

    if (machine->ram_size < PTO_REF_RAM_MIN ||
        machine->ram_size > PTO_REF_RAM_MAX) {
        error_report("pto-ref has %d to %d KiB of RAM: use for example -m 16k",
                     (int)(PTO_REF_RAM_MIN / KiB),
                     (int)(PTO_REF_RAM_MAX / KiB));
        exit(EXIT_FAILURE);
    }
    memory_region_add_subregion(get_system_memory(), 0, machine->ram);

    for (i = 0; i < machine->smp.cpus; i++) {
        Object *cpu = object_new(machine->cpu_type);

        qdev_realize(DEVICE(cpu), NULL, &error_fatal);
        object_unref(cpu);
        qemu_register_reset(pto_ref_cpu_reset, cpu);
    }
}

static void pto_ref_machine_init(MachineClass *mc)
{
    mc->desc = "PTO reference machine (RAM at 0 only)";
    mc->init = pto_ref_init;
    mc->max_cpus = 4;
    mc->default_cpu_type = PTO_CPU_TYPE_NAME("pto-ref");
    mc->default_ram_size = 16 * KiB;
    mc->default_ram_id = "pto-ref.ram";
    mc->no_floppy = 1;
    mc->no_cdrom = 1;
    mc->no_parallel = 1;
    mc->no_serial = 1;
}

DEFINE_MACHINE("pto-ref", pto_ref_machine_init)
