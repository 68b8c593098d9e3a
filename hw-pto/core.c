/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: what the PEs of one core share: Shared tile registers and the PEs
 * that wait for one.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/log.h"
#include "qemu/main-loop.h"
#include "hw/core/cpu.h"
#include "hw/qdev-properties.h"
#include "migration/vmstate.h"
#include "system/runstate.h"
#include "target/pto/irq.h"
#include "core.h"
#include "trace.h"

void pto_core_attach(PtoCore *core, CPUState *cpu, unsigned pe)
{
    core->pe[pe] = cpu;
    core->populated |= 1u << pe;
}

static bool others_can_act(const PtoCore *core)
{
    int i;

    for (i = 0; i < PTO_CORE_PES; i++) {
        if (core->pe[i] && !(core->waiting & (1u << i)) &&
            !core->pe[i]->halted) {
            return true;
        }
    }
    return false;
}

void pto_core_wait(PtoCore *core, unsigned pe, const char *what)
{
    core->waiting |= 1u << pe;
    trace_pto_core_wait(pe, core->waiting, what);
    if (core->deadlock_reported || others_can_act(core)) {
        return;
    }
    core->deadlock_reported = true;
    qemu_log_mask(LOG_GUEST_ERROR, "pto: PE %u waits for %s and no other PE "
                  "of the core is running: nobody can end the wait except an "
                  "interrupt\n", pe, what);
    if (core->deadlock_stop) {
        qemu_system_guest_panicked(NULL);
    }
}

bool pto_core_waits(PtoCore *core, unsigned pe)
{
    return qatomic_read(&core->waiting) & (1u << pe);
}

void pto_core_wake(PtoCore *core)
{
    uint32_t waiting = qatomic_xchg(&core->waiting, 0);
    bool locked = bql_locked();
    int i;

    core->deadlock_reported = false;
    if (!waiting) {
        return;
    }
    /* The sleeper tests its condition under this lock before it sleeps. */
    if (!locked) {
        bql_lock();
    }
    for (i = 0; i < PTO_CORE_PES; i++) {
        if (waiting & (1u << i)) {
            pto_wake(core->pe[i]);
        }
    }
    if (!locked) {
        bql_unlock();
    }
}

static void pto_core_reset_hold(Object *obj, ResetType type)
{
    PtoCore *core = PTO_CORE(obj);

    pto_core_reset(&core->tiles);
    core->waiting = 0;
    core->deadlock_reported = false;
}

static void pto_core_instance_init(Object *obj)
{
    PtoCore *core = PTO_CORE(obj);

    qemu_mutex_init(&core->lock);
    pto_core_init(&core->tiles);
}

static void pto_core_instance_finalize(Object *obj)
{
    PtoCore *core = PTO_CORE(obj);

    pto_core_reset(&core->tiles);
    g_free(core->saved);
    qemu_mutex_destroy(&core->lock);
}

static int pto_core_pre_save(void *opaque)
{
    PtoCore *core = opaque;
    size_t size;

    g_free(core->saved);
    core->saved = pto_core_save(&core->tiles, &size);
    core->saved_size = size;
    return 0;
}

static int pto_core_post_load(void *opaque, int version_id)
{
    PtoCore *core = opaque;
    bool ok = pto_core_load(&core->tiles, core->saved, core->saved_size);

    g_free(core->saved);
    core->saved = NULL;
    return ok && !(core->waiting & ~core->populated) ? 0 : -EINVAL;
}

static const VMStateDescription vmstate_pto_core = {
    .name = TYPE_PTO_CORE,
    .version_id = 1,
    .minimum_version_id = 1,
    .pre_save = pto_core_pre_save,
    .post_load = pto_core_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32(waiting, PtoCore),
        VMSTATE_UINT32(saved_size, PtoCore),
        VMSTATE_VBUFFER_ALLOC_UINT32(saved, PtoCore, 0, NULL, saved_size),
        VMSTATE_END_OF_LIST()
    },
};

static void pto_core_class_init(ObjectClass *oc, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);

    dc->desc = "PTO core: state shared by up to four PEs";
    dc->vmsd = &vmstate_pto_core;
    dc->user_creatable = false;
    RESETTABLE_CLASS(oc)->phases.hold = pto_core_reset_hold;
}

static const TypeInfo pto_core_types[] = {
    {
        .name = TYPE_PTO_CORE,
        .parent = TYPE_DEVICE,
        .instance_size = sizeof(PtoCore),
        .instance_init = pto_core_instance_init,
        .instance_finalize = pto_core_instance_finalize,
        .class_init = pto_core_class_init,
    },
};

DEFINE_TYPES(pto_core_types)
