/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pto-ref: the machine of the ISA's executable model.  RAM at address 0 and
 * nothing else; used for conformance runs.
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qemu/units.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "hw/boards.h"
#include "hw/qdev-properties.h"
#include "exec/address-spaces.h"
#include "system/reset.h"
#include "target/pto/cpu.h"

#define PTO_REF_RAM_MIN (4 * KiB)
#define PTO_REF_RAM_MAX (64 * KiB)

#define TYPE_PTO_REF_MACHINE MACHINE_TYPE_NAME("pto-ref")
OBJECT_DECLARE_SIMPLE_TYPE(PtoRefMachine, PTO_REF_MACHINE)

/*
 * @ram_bytes: what the guest sees of the RAM, 0: all of it.  QEMU rounds RAM
 * sizes up to 8 KiB, but the model has 4 KiB.
 */
struct PtoRefMachine {
    MachineState parent_obj;

    uint64_t ram_bytes;
    MemoryRegion ram;
};

static void pto_ref_cpu_reset(void *opaque)
{
    cpu_reset(opaque);
}

static void pto_ref_init(MachineState *machine)
{
    PtoRefMachine *s = PTO_REF_MACHINE(machine);
    int i;

    if (machine->ram_size < PTO_REF_RAM_MIN ||
        machine->ram_size > PTO_REF_RAM_MAX) {
        error_report("pto-ref has %d to %d KiB of RAM: use for example -m 16k",
                     (int)(PTO_REF_RAM_MIN / KiB),
                     (int)(PTO_REF_RAM_MAX / KiB));
        exit(EXIT_FAILURE);
    }
    if (s->ram_bytes > machine->ram_size) {
        error_report("pto-ref: ram-bytes is larger than the RAM");
        exit(EXIT_FAILURE);
    }
    memory_region_init_alias(&s->ram, OBJECT(machine), "pto-ref.visible",
                             machine->ram, 0,
                             s->ram_bytes ? s->ram_bytes : machine->ram_size);
    memory_region_add_subregion(get_system_memory(), 0, &s->ram);

    for (i = 0; i < machine->smp.cpus; i++) {
        Object *cpu = object_new(machine->cpu_type);

        qdev_realize(DEVICE(cpu), NULL, &error_fatal);
        object_unref(cpu);
        qemu_register_reset(pto_ref_cpu_reset, cpu);
    }
}

static void pto_ref_get_ram_bytes(Object *obj, Visitor *v, const char *name,
                                  void *opaque, Error **errp)
{
    visit_type_size(v, name, &PTO_REF_MACHINE(obj)->ram_bytes, errp);
}

static void pto_ref_set_ram_bytes(Object *obj, Visitor *v, const char *name,
                                  void *opaque, Error **errp)
{
    visit_type_size(v, name, &PTO_REF_MACHINE(obj)->ram_bytes, errp);
}

static void pto_ref_class_init(ObjectClass *oc, void *data)
{
    MachineClass *mc = MACHINE_CLASS(oc);

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
    object_class_property_add(oc, "ram-bytes", "size", pto_ref_get_ram_bytes,
                              pto_ref_set_ram_bytes, NULL, NULL);
    object_class_property_set_description(oc, "ram-bytes",
        "Bytes of RAM that the guest sees (default: all)");
}

static const TypeInfo pto_ref_info = {
    .name = TYPE_PTO_REF_MACHINE,
    .parent = TYPE_MACHINE,
    .instance_size = sizeof(PtoRefMachine),
    .class_init = pto_ref_class_init,
};

static void pto_ref_register_types(void)
{
    type_register_static(&pto_ref_info);
}

type_init(pto_ref_register_types)
