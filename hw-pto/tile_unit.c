/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO tile unit: a window on the tile state for bring-up software.
 *
 * Tile state belongs to its PE and is not locked, so the descriptors and
 * payload of a PE are shown to that PE itself, and to others while it does
 * not run; counters are plain words that may be read at any time.
 */
#include "qemu/osdep.h"
#include "qemu/cutils.h"
#include "qemu/log.h"
#include "qapi/error.h"
#include "hw/core/cpu.h"
#include "hw/irq.h"
#include "hw/qdev-properties.h"
#include "hw/sysbus.h"
#include "migration/vmstate.h"
#include "tile_monitor.h"
#include "tile_unit.h"
#include "trace.h"

#define WINDOW_SIZE     0x100000
#define PAYLOAD_BASE    0x40000
#define PAYLOAD_SIZE    0x40000
#define DESC_BASE       0x100
#define DOORBELL_BASE   0x200
#define MAX_DOORBELLS   64
#define RULE_BASE       0x80
#define RULE_SIZE       64
#define COUNTER_BASE    0xc0
#define UNIT_ID         0x554f5450      /* "PTOU" */
#define UNIT_VERSION    2
#define UNIT_ISA        ((0 << 16) | (58 << 8) | 5)

struct PtoTileUnit {
    SysBusDevice parent_obj;

    MemoryRegion mmio;
    PtoCluster *cluster;
    qemu_irq doorbell[MAX_DOORBELLS];
    uint64_t rung;              /* doorbell levels */
    uint32_t select_pe;
    uint32_t select_tile;
};

PtoCluster *pto_tile_unit_cluster(PtoTileUnit *unit)
{
    return unit->cluster;
}

static PTOCPU *selected_pe(PtoTileUnit *s)
{
    return s->cluster->pe[s->select_pe];
}

static bool busy(PtoTileUnit *s)
{
    CPUState *cs = CPU(selected_pe(s));

    return cs != current_cpu && !cs->halted && !cs->stopped;
}

static bool selects_shared(PtoTileUnit *s)
{
    return s->select_tile >= PTO_TILE_SLOTS;
}

/* The selected tile, or NULL while it may not be looked at. */
static const PtoTile *selected_tile(PtoTileUnit *s)
{
    PTOCPU *cpu = selected_pe(s);

    if (selects_shared(s)) {
        return &cpu->shared_core->tiles.
            shared[s->select_tile - PTO_TILE_SLOTS].tile;
    }
    return busy(s) ? NULL : &cpu->env.tiles->tile[s->select_tile];
}

static void shared_lock(PtoTileUnit *s, bool lock)
{
    if (selects_shared(s)) {
        QemuMutex *mutex = &selected_pe(s)->shared_core->lock;

        if (lock) {
            qemu_mutex_lock(mutex);
        } else {
            qemu_mutex_unlock(mutex);
        }
    }
}

static uint32_t read_descriptor(PtoTileUnit *s, unsigned word)
{
    const PtoTile *t = selected_tile(s);
    const PtoSharedTile *sh;

    if (!t) {
        return 0;
    }
    switch (word) {
    case 0:
        return t->allocated;
    case 1:
        return t->storage;
    case 2:
        return t->type;
    case 3:
        return t->layout;
    case 4:
        return t->location;
    case 5:
        return t->mask;
    case 6:
        return t->contents_defined;
    case 7:
        return t->capacity;
    case 8:
        return t->rows;
    case 9:
        return t->cols;
    case 10:
        return t->vrows;
    case 11:
        return t->vcols;
    }
    if (!selects_shared(s)) {
        return 0;
    }
    sh = container_of(t, PtoSharedTile, tile);
    switch (word) {
    case 12:
        return sh->ready;
    case 13:
        return sh->published;
    case 14:
        return sh->alloc_mask;
    case 15:
        return sh->init_mask;
    default:
        return 0;
    }
}

static uint64_t read_payload(PtoTileUnit *s, hwaddr offset, unsigned size)
{
    const PtoTile *t = selected_tile(s);
    uint64_t value = 0;

    if (t && t->allocated && t->buf && offset < t->capacity) {
        memcpy(&value, pto_tile_data(t) + offset,
               MIN(size, t->capacity - offset));
    }
    return le64_to_cpu(value);
}

static uint64_t read_counter(PtoTileUnit *s, hwaddr offset)
{
    PTOCPU *cpu = selected_pe(s);
    const PtoLocalTiles *l = cpu->env.tiles;

    switch (offset) {
    case 0x40:
        return l->ops;
    case 0x48:
        return l->count.loaded;
    case 0x50:
        return l->count.stored;
    case 0x58:
        return l->count.flops;
    case 0x60:
        return pto_local_pool_used(l, cpu->pe) |
               (uint64_t)cpu->shared_core->tiles.pool_used << 32;
    case 0x68:
        return cpu->env.fault.code;
    case 0x70:
        return cpu->env.fault.address;
    default:
        return 0;
    }
}

/* The second group of counters, by the distance from its start in words. */
static uint64_t read_detail(PtoTileUnit *s, unsigned word)
{
    const PtoTileCounters *c = &selected_pe(s)->env.tiles->count;
    const uint64_t values[] = {
        c->engine[PTO_ENGINE_VEC], c->engine[PTO_ENGINE_SFU],
        c->engine[PTO_ENGINE_TLSU], c->engine[PTO_ENGINE_CUBE],
        c->gathered, c->scattered, c->shared_read, c->shared_written,
    };

    return word < ARRAY_SIZE(values) ? values[word] : 0;
}

static uint64_t read_rule(PtoTileUnit *s, hwaddr offset)
{
    const char *rule = selected_pe(s)->env.fault.rule;
    char text[RULE_SIZE] = "";
    uint64_t value;

    if (rule) {
        pstrcpy(text, sizeof(text), rule);
    }
    memcpy(&value, text + offset, sizeof(value));
    return le64_to_cpu(value);
}

static uint32_t read_identity(PtoTileUnit *s, hwaddr offset)
{
    switch (offset) {
    case 0x00:
        return UNIT_ID;
    case 0x04:
        return UNIT_VERSION;
    case 0x08:
        return UNIT_ISA;
    case 0x0c:
        return s->cluster->num_cores << 8 | s->cluster->pes_per_core;
    case 0x10:
    case 0x14:
        return PTO_POOL_BYTES;
    case 0x18:
        return PTO_TILE_SLOTS;
    case 0x1c:
        return PTO_SHARED_COUNT;
    case 0x20:
        return s->select_pe;
    case 0x24:
        return s->select_tile;
    case 0x28:
        return busy(s) && !selects_shared(s);
    default:
        return 0;
    }
}

/* The aligned 8 bytes at @offset. */
static uint64_t read_quad(PtoTileUnit *s, hwaddr offset)
{
    if (offset < 0x40) {
        return read_identity(s, offset) |
               (uint64_t)read_identity(s, offset + 4) << 32;
    }
    if (offset < RULE_BASE) {
        return read_counter(s, offset);
    }
    if (offset < RULE_BASE + RULE_SIZE) {
        return read_rule(s, offset - RULE_BASE);
    }
    if (offset < DESC_BASE) {
        return read_detail(s, (offset - COUNTER_BASE) / 8);
    }
    if (offset < DESC_BASE + 16 * 4) {
        unsigned word = (offset - DESC_BASE) / 4;

        return read_descriptor(s, word) |
               (uint64_t)read_descriptor(s, word + 1) << 32;
    }
    if (offset >= DOORBELL_BASE && offset < DOORBELL_BASE + MAX_DOORBELLS * 4) {
        unsigned n = (offset - DOORBELL_BASE) / 4;

        return extract64(s->rung, n, 1) |
               (uint64_t)extract64(s->rung, n + 1, 1) << 32;
    }
    return 0;
}

static uint64_t tile_unit_read(void *opaque, hwaddr offset, unsigned size)
{
    PtoTileUnit *s = opaque;
    uint64_t value;

    shared_lock(s, true);
    if (offset >= PAYLOAD_BASE && offset < PAYLOAD_BASE + PAYLOAD_SIZE) {
        value = read_payload(s, offset - PAYLOAD_BASE, size);
    } else {
        value = read_quad(s, offset & ~(hwaddr)7) >> (offset & 7) * 8;
    }
    shared_lock(s, false);
    return size == 8 ? value : extract64(value, 0, size * 8);
}

static void tile_unit_write(void *opaque, hwaddr offset, uint64_t value,
                            unsigned size)
{
    PtoTileUnit *s = opaque;
    unsigned n = (offset - DOORBELL_BASE) / 4;

    if (size == 4 && offset == 0x20 && value < s->cluster->num_pes) {
        s->select_pe = value;
    } else if (size == 4 && offset == 0x24 &&
               value < PTO_TILE_SLOTS + PTO_SHARED_COUNT) {
        s->select_tile = value;
    } else if (size == 4 && offset >= DOORBELL_BASE &&
               n < s->cluster->num_pes) {
        s->rung = deposit64(s->rung, n, 1, value & 1);
        trace_pto_tile_unit_doorbell(n, value & 1);
        qemu_set_irq(s->doorbell[n], value & 1);
    } else {
        qemu_log_mask(LOG_GUEST_ERROR, "pto-tile-unit: bad write of 0x%"
                      PRIx64 " to 0x%" HWADDR_PRIx "\n", value, offset);
    }
}

static const MemoryRegionOps tile_unit_ops = {
    .read = tile_unit_read,
    .write = tile_unit_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 4, .max_access_size = 8 },
    .impl = { .min_access_size = 4, .max_access_size = 8 },
};

void pto_tile_unit_create(Object *parent, PtoCluster *cluster, hwaddr base,
                          int irq)
{
    PtoTileUnit *s = PTO_TILE_UNIT(qdev_new(TYPE_PTO_TILE_UNIT));
    int i;

    s->cluster = cluster;
    object_property_add_child(parent, "tile-unit", OBJECT(s));
    sysbus_realize_and_unref(SYS_BUS_DEVICE(s), &error_fatal);
    sysbus_mmio_map(SYS_BUS_DEVICE(s), 0, base);
    for (i = 0; i < cluster->num_pes; i++) {
        qdev_connect_gpio_out(DEVICE(s), i,
                              qdev_get_gpio_in(DEVICE(cluster->pe[i]), irq));
    }
}

static void tile_unit_reset_hold(Object *obj, ResetType type)
{
    PtoTileUnit *s = PTO_TILE_UNIT(obj);
    int i;

    s->select_pe = 0;
    s->select_tile = 0;
    s->rung = 0;
    for (i = 0; i < s->cluster->num_pes; i++) {
        qemu_set_irq(s->doorbell[i], 0);
    }
}

static void tile_unit_realize(DeviceState *dev, Error **errp)
{
    PtoTileUnit *s = PTO_TILE_UNIT(dev);

    if (!s->cluster || s->cluster->num_pes > MAX_DOORBELLS) {
        error_setg(errp, "%s belongs to a board with at most %d PEs",
                   TYPE_PTO_TILE_UNIT, MAX_DOORBELLS);
        return;
    }
    memory_region_init_io(&s->mmio, OBJECT(s), &tile_unit_ops, s,
                          TYPE_PTO_TILE_UNIT, WINDOW_SIZE);
    sysbus_init_mmio(SYS_BUS_DEVICE(s), &s->mmio);
    qdev_init_gpio_out(dev, s->doorbell, MAX_DOORBELLS);
}

static int tile_unit_post_load(void *opaque, int version_id)
{
    PtoTileUnit *s = opaque;

    return s->select_pe < s->cluster->num_pes &&
           s->select_tile < PTO_TILE_SLOTS + PTO_SHARED_COUNT ? 0 : -EINVAL;
}

static const VMStateDescription vmstate_tile_unit = {
    .name = TYPE_PTO_TILE_UNIT,
    .version_id = 1,
    .minimum_version_id = 1,
    .post_load = tile_unit_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT64(rung, PtoTileUnit),
        VMSTATE_UINT32(select_pe, PtoTileUnit),
        VMSTATE_UINT32(select_tile, PtoTileUnit),
        VMSTATE_END_OF_LIST()
    },
};

static void tile_unit_class_init(ObjectClass *oc, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);

    dc->desc = "PTO tile unit window";
    dc->realize = tile_unit_realize;
    dc->vmsd = &vmstate_tile_unit;
    dc->user_creatable = false;
    RESETTABLE_CLASS(oc)->phases.hold = tile_unit_reset_hold;
}

static const TypeInfo tile_unit_types[] = {
    {
        .name = TYPE_PTO_TILE_UNIT,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(PtoTileUnit),
        .class_init = tile_unit_class_init,
    },
};

static void tile_unit_register_types(void)
{
    type_register_static_array(tile_unit_types, ARRAY_SIZE(tile_unit_types));
    pto_tile_monitor_register();
}

type_init(tile_unit_register_types)
