/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pto-ref: the machine of the ISA's executable model.  RAM at address 0 and
 * nothing else; used for conformance runs.
 *
 * The visible size may be changed while the machine is stopped (property
 * "ram-bytes"), since conformance cases differ in it.
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qemu/units.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "exec/address-spaces.h"
#include "hw/boards.h"
#include "boot.h"
#include "cluster.h"

#define TYPE_PTO_REF_MACHINE MACHINE_TYPE_NAME("pto-ref")
OBJECT_DECLARE_SIMPLE_TYPE(PtoRefState, PTO_REF_MACHINE)

#define PTO_REF_RAM_MIN (4 * KiB)
#define PTO_REF_RAM_MAX (64 * KiB)

struct PtoRefState {
    MachineState parent_obj;

    PtoCluster cluster;
    MemoryRegion ram;           /* the visible part of machine->ram */
    uint64_t size;
};

static bool size_ok(uint64_t size, Error **errp)
{
    if (size < PTO_REF_RAM_MIN || size > PTO_REF_RAM_MAX) {
        error_setg(errp, "pto-ref has %" PRIu64 " to %" PRIu64 " bytes of "
                   "RAM, not %" PRIu64, (uint64_t)PTO_REF_RAM_MIN,
                   (uint64_t)PTO_REF_RAM_MAX, size);
        return false;
    }
    return true;
}

static void pto_ref_load_kernel(PtoRefState *s, const char *filename)
{
    PtoImage image = {
        .ram_size = s->size,
        .identity = s->cluster.pe[0]->env.profile->identity,
    };
    Error *err = NULL;

    if (!pto_load_image(&image, filename, &err)) {
        error_report_err(err);
        exit(EXIT_FAILURE);
    }
    pto_cluster_set_boot(&s->cluster, image.entry, 0);
}

static void pto_ref_init(MachineState *ms)
{
    PtoRefState *s = PTO_REF_MACHINE(ms);
    Error *err = NULL;

    if (!size_ok(ms->ram_size, &err)) {
        error_append_hint(&err, "Use for example -m 16k.\n");
        error_report_err(err);
        exit(EXIT_FAILURE);
    }
    if (!s->size || s->size > ms->ram_size) {
        s->size = ms->ram_size;
    }
    memory_region_init_alias(&s->ram, OBJECT(ms), "pto-ref.visible", ms->ram,
                             0, s->size);
    memory_region_add_subregion(get_system_memory(), 0, &s->ram);
    pto_cluster_create(&s->cluster, ms, 0, false);
    if (ms->kernel_filename) {
        pto_ref_load_kernel(s, ms->kernel_filename);
    }
}

static void get_size(Object *obj, Visitor *v, const char *name, void *opaque,
                     Error **errp)
{
    visit_type_size(v, name, &PTO_REF_MACHINE(obj)->size, errp);
}

static void set_size(Object *obj, Visitor *v, const char *name, void *opaque,
                     Error **errp)
{
    PtoRefState *s = PTO_REF_MACHINE(obj);
    MachineState *ms = MACHINE(obj);
    uint64_t size;

    if (!visit_type_size(v, name, &size, errp) || !size_ok(size, errp)) {
        return;
    }
    if (ms->ram && size > memory_region_size(ms->ram)) {
        error_setg(errp, "the machine was started with %" PRIu64 " bytes of "
                   "RAM: give more with -m", memory_region_size(ms->ram));
        return;
    }
    s->size = size;
    if (ms->ram) {
        memory_region_set_size(&s->ram, size);
    }
}

static void pto_ref_class_init(ObjectClass *oc, void *data)
{
    MachineClass *mc = MACHINE_CLASS(oc);

    mc->desc = "PTO reference machine (RAM at 0 only)";
    mc->init = pto_ref_init;
    mc->max_cpus = PTO_NUM_PE;
    mc->default_cpu_type = TYPE_PTO_CPU_REF;
    mc->default_ram_size = PTO_REF_RAM_MAX;
    mc->default_ram_id = "pto-ref.ram";
    mc->no_floppy = 1;
    mc->no_cdrom = 1;
    mc->no_parallel = 1;
    mc->no_serial = 1;

    object_class_property_add(oc, "ram-bytes", "size", get_size, set_size, NULL,
                              NULL);
    object_class_property_set_description(
        oc, "ram-bytes", "bytes of RAM that exist, at most what -m gives");
}

static const TypeInfo pto_ref_type = {
    .name = TYPE_PTO_REF_MACHINE,
    .parent = TYPE_MACHINE,
    .class_init = pto_ref_class_init,
    .instance_size = sizeof(PtoRefState),
};

static void pto_ref_register_types(void)
{
    type_register_static(&pto_ref_type);
}

type_init(pto_ref_register_types)
