/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: what the PEs of one core share.
 */
#ifndef HW_PTO_CORE_H
#define HW_PTO_CORE_H

#include "hw/qdev-core.h"
#include "qemu/thread.h"
#include "qom/object.h"
#include "target/pto/tile/state.h"

#define TYPE_PTO_CORE "pto-core"
OBJECT_DECLARE_SIMPLE_TYPE(PtoCore, PTO_CORE)

#define PTO_CORE_PES 4

/**
 * PtoCore:
 * @tiles: Shared registers, their pool and generations, collective blocks
 * @lock: guards @tiles
 * @pe: the populated PEs, by PE number
 * @waiting: PEs that sleep until @tiles changes
 * @deadlock_stop: a core whose PEs all wait raises a guest panic event
 */
struct PtoCore {
    DeviceState parent_obj;

    PtoTileCore tiles;
    QemuMutex lock;
    CPUState *pe[PTO_CORE_PES];
    uint32_t populated;
    uint32_t waiting;
    bool deadlock_stop;
    bool deadlock_reported;

    uint8_t *saved;             /* migration image of @tiles */
    uint32_t saved_size;
};

/**
 * pto_core_attach: make @cpu the PE @pe (0..3) of @core.
 */
void pto_core_attach(PtoCore *core, CPUState *cpu, unsigned pe);

/**
 * pto_core_wait: note that PE @pe is about to sleep until the core's state
 * changes.  @what names the cause, for the deadlock message.
 *
 * Call with the lock held.
 */
void pto_core_wait(PtoCore *core, unsigned pe, const char *what);

/**
 * pto_core_waits: true while PE @pe sleeps for a change of the core's state.
 */
bool pto_core_waits(PtoCore *core, unsigned pe);

/**
 * pto_core_wake: the core's state has changed; let every waiting PE retry.
 *
 * Call without the lock.
 */
void pto_core_wake(PtoCore *core);

#endif
