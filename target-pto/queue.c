/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: General Queue Management (PTO-ARCH-GQM, PTO-HL-QMT-GQM-001,
 * PTO-HL-QPUSH-GQM-001, PTO-HL-QPOP-GQM-001).
 *
 * Queues belong to the system.  One lock makes each operation atomic; it is
 * at the same time the release edge of a push and the acquire edge of a pop,
 * so the relaxed forms need no code of their own.
 */
#include "qemu/osdep.h"
#include "qemu/lockable.h"
#include "qemu/log.h"
#include "qapi/error.h"
#include "internals.h"
#include "irq.h"
#include "queue.h"
#include "hw/boards.h"
#include "hw/qdev-core.h"
#include "migration/vmstate.h"
#include "system/reset.h"
#include "exec/helper-proto.h"
#include "trace.h"

/* A guest may not exhaust the host: far more queues than any system has. */
#define GQM_MAX_QUEUES 65536u

enum {
    GQM_OK = 0,
    GQM_FAIL = 1,           /* QMT: missing, corrupt; push: full; pop: empty */
    GQM_MISSING = 2,        /* push, pop: missing or corrupt */
};

typedef struct GqmQueue {
    uint64_t address;
    uint16_t capacity;
    uint16_t count;
    uint16_t head;
    bool suspended;
    bool corrupt;
    uint64_t *entries;      /* ring of @capacity entries */
} GqmQueue;

struct PtoGqm {
    DeviceState parent_obj;

    QemuMutex lock;
    GTree *queues;          /* address -> GqmQueue, sorted */
    ResettableState reset;
    /* Flat image for migration */
    uint32_t image_words;
    uint64_t *image;
};

static uint64_t result(unsigned primary, unsigned status)
{
    return primary | (uint64_t)status << 62;
}

static gint compare_address(gconstpointer a, gconstpointer b, gpointer data)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

static void queue_free(gpointer data)
{
    GqmQueue *q = data;

    g_free(q->entries);
    g_free(q);
}

static GTree *new_tree(void)
{
    return g_tree_new_full(compare_address, NULL, NULL, queue_free);
}

static GqmQueue *find(PtoGqm *gqm, uint64_t addr)
{
    return g_tree_lookup(gqm->queues, &addr);
}

/* The former queue at @addr and its entries are replaced. */
static GqmQueue *create(PtoGqm *gqm, uint64_t addr, unsigned capacity)
{
    GqmQueue *q;

    if (!find(gqm, addr) && g_tree_nnodes(gqm->queues) >= GQM_MAX_QUEUES) {
        qemu_log_mask(LOG_GUEST_ERROR, "pto: more than %u queues\n",
                      GQM_MAX_QUEUES);
        return NULL;
    }
    q = g_new0(GqmQueue, 1);
    q->address = addr;
    q->capacity = capacity;
    q->entries = g_new0(uint64_t, capacity);
    g_tree_replace(gqm->queues, &q->address, q);
    return q;
}

static unsigned remaining(const GqmQueue *q)
{
    return q->capacity - q->count;
}

uint64_t pto_gqm_move(PtoGqm *gqm, uint64_t addr, uint64_t capacity,
                      unsigned flags)
{
    QEMU_LOCK_GUARD(&gqm->lock);
    GqmQueue *q;
    uint64_t answer;

    if (flags & PTO_GQM_INIT) {
        q = create(gqm, addr, capacity & 0x3ff);
        answer = q ? result(q->capacity * 8, GQM_OK) : 0;
    } else {
        q = find(gqm, addr);
        answer = q ? result(remaining(q), GQM_OK) : 0;
    }
    if (!q || q->corrupt) {
        return result(0, GQM_FAIL);
    }
    if (flags & PTO_GQM_SUSPEND) {
        q->suspended = true;
    } else if (flags & PTO_GQM_RESTORE) {
        q->suspended = false;
    }
    return answer;
}

uint64_t pto_gqm_push(PtoGqm *gqm, uint64_t addr, uint64_t value,
                      unsigned flags)
{
    QEMU_LOCK_GUARD(&gqm->lock);
    GqmQueue *q = find(gqm, addr);
    unsigned at;

    if (!q || q->corrupt) {
        return result(0, GQM_MISSING);
    }
    if (q->suspended || remaining(q) == 0) {
        return result(remaining(q), GQM_FAIL);
    }
    if (flags & PTO_GQM_HEAD) {
        q->head = (q->head ? q->head : q->capacity) - 1;
        at = q->head;
    } else {
        at = (q->head + q->count) % q->capacity;
    }
    q->entries[at] = value;
    q->count++;
    return result(remaining(q), GQM_OK);
}

uint64_t pto_gqm_pop(PtoGqm *gqm, uint64_t addr, unsigned flags,
                     uint64_t *value)
{
    QEMU_LOCK_GUARD(&gqm->lock);
    GqmQueue *q = find(gqm, addr);

    *value = 0;
    if (!q || q->corrupt) {
        return result(0, GQM_MISSING);
    }
    if (q->count == 0) {
        return result(0, GQM_FAIL);
    }
    *value = q->entries[q->head];
    q->count--;
    q->head = q->count ? (q->head + 1) % q->capacity : 0;
    return result(q->count, GQM_OK);
}

/* ---- access for the debugger ---- */

typedef struct GqmVisit {
    void (*fn)(const PtoGqmView *, void *);
    void *opaque;
} GqmVisit;

static gboolean visit(gpointer key, gpointer value, gpointer data)
{
    const GqmQueue *q = value;
    GqmVisit *v = data;
    g_autofree PtoGqmView *view = g_new0(PtoGqmView, 1);
    unsigned i;

    view->address = q->address;
    view->capacity = q->capacity;
    view->count = q->count;
    view->suspended = q->suspended;
    view->corrupt = q->corrupt;
    for (i = 0; i < q->count; i++) {
        view->entries[i] = q->entries[(q->head + i) % q->capacity];
    }
    v->fn(view, v->opaque);
    return false;
}

void pto_gqm_foreach(PtoGqm *gqm, void (*fn)(const PtoGqmView *, void *),
                     void *opaque)
{
    GqmVisit v = { fn, opaque };

    QEMU_LOCK_GUARD(&gqm->lock);
    g_tree_foreach(gqm->queues, visit, &v);
}

void pto_gqm_install(PtoGqm *gqm, const PtoGqmView *view)
{
    QEMU_LOCK_GUARD(&gqm->lock);
    GqmQueue *q = create(gqm, view->address, view->capacity);

    if (q) {
        q->count = view->count;
        q->suspended = view->suspended;
        q->corrupt = view->corrupt;
        memcpy(q->entries, view->entries, view->count * sizeof(uint64_t));
    }
}

void pto_gqm_clear(PtoGqm *gqm)
{
    QEMU_LOCK_GUARD(&gqm->lock);
    g_tree_destroy(gqm->queues);
    gqm->queues = new_tree();
}

/* ---- migration: per queue address, header word, entries from the head ---- */

#define IMAGE_SUSPENDED (1u << 16)
#define IMAGE_CORRUPT   (1u << 17)
#define IMAGE_COUNT_LSB 32

static void image_add(const PtoGqmView *view, void *opaque)
{
    GArray *words = opaque;
    uint64_t head = view->capacity | (uint64_t)view->count << IMAGE_COUNT_LSB;

    head |= view->suspended ? IMAGE_SUSPENDED : 0;
    head |= view->corrupt ? IMAGE_CORRUPT : 0;
    g_array_append_val(words, view->address);
    g_array_append_val(words, head);
    g_array_append_vals(words, view->entries, view->count);
}

static int gqm_pre_save(void *opaque)
{
    PtoGqm *gqm = opaque;
    GArray *words = g_array_new(false, false, sizeof(uint64_t));

    pto_gqm_foreach(gqm, image_add, words);
    gqm->image_words = words->len;
    g_free(gqm->image);
    gqm->image = (uint64_t *)g_array_free(words, false);
    return 0;
}

static int gqm_post_load(void *opaque, int version_id)
{
    PtoGqm *gqm = opaque;
    g_autofree PtoGqmView *view = g_new0(PtoGqmView, 1);
    uint32_t at = 0;

    pto_gqm_clear(gqm);
    while (at + 2 <= gqm->image_words) {
        uint64_t head = gqm->image[at + 1];

        view->address = gqm->image[at];
        view->capacity = head & 0xffff;
        view->count = head >> IMAGE_COUNT_LSB & 0xffff;
        view->suspended = head & IMAGE_SUSPENDED;
        view->corrupt = head & IMAGE_CORRUPT;
        at += 2;
        if (view->capacity > PTO_GQM_CAPACITY ||
            view->count > view->capacity ||
            view->count > gqm->image_words - at) {
            return -EINVAL;
        }
        memcpy(view->entries, &gqm->image[at], view->count * 8);
        at += view->count;
        pto_gqm_install(gqm, view);
    }
    return at == gqm->image_words ? 0 : -EINVAL;
}

static bool gqm_needed(void *opaque)
{
    PtoGqm *gqm = opaque;

    QEMU_LOCK_GUARD(&gqm->lock);
    return g_tree_nnodes(gqm->queues) != 0;
}

static const VMStateDescription vmstate_gqm = {
    .name = "pto-gqm",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = gqm_needed,
    .pre_save = gqm_pre_save,
    .post_load = gqm_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32(image_words, PtoGqm),
        VMSTATE_VARRAY_UINT32_ALLOC(image, PtoGqm, image_words, 0,
                                    vmstate_info_uint64, uint64_t),
        VMSTATE_END_OF_LIST()
    }
};

/* ---- object ---- */

static void gqm_reset_hold(Object *obj, ResetType type)
{
    pto_gqm_clear(PTO_GQM(obj));
}

static void gqm_instance_init(Object *obj)
{
    PtoGqm *gqm = PTO_GQM(obj);

    qemu_mutex_init(&gqm->lock);
    gqm->queues = new_tree();
}

static void gqm_instance_finalize(Object *obj)
{
    PtoGqm *gqm = PTO_GQM(obj);

    g_tree_destroy(gqm->queues);
    g_free(gqm->image);
    qemu_mutex_destroy(&gqm->lock);
}

static void gqm_realize(DeviceState *dev, Error **errp)
{
    qemu_register_resettable(OBJECT(dev));
}

static void gqm_unrealize(DeviceState *dev)
{
    qemu_unregister_resettable(OBJECT(dev));
}

static void gqm_class_init(ObjectClass *oc, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);
    ResettableClass *rc = RESETTABLE_CLASS(oc);

    dc->desc = "PTO queues";
    dc->vmsd = &vmstate_gqm;
    dc->realize = gqm_realize;
    dc->unrealize = gqm_unrealize;
    dc->user_creatable = false;
    rc->phases.hold = gqm_reset_hold;
}

static const TypeInfo gqm_info = {
    .name = TYPE_PTO_GQM,
    .parent = TYPE_DEVICE,
    .instance_size = sizeof(PtoGqm),
    .instance_init = gqm_instance_init,
    .instance_finalize = gqm_instance_finalize,
    .class_init = gqm_class_init,
};

static void gqm_register_types(void)
{
    type_register_static(&gqm_info);
}

type_init(gqm_register_types)

PtoGqm *pto_gqm_get(void)
{
    Object *machine = qdev_get_machine();
    Object *obj = object_resolve_path_component(machine, "gqm");

    if (!obj) {
        obj = object_new(TYPE_PTO_GQM);
        object_property_add_child(machine, "gqm", obj);
        qdev_realize(DEVICE(obj), NULL, &error_abort);
        object_unref(obj);
    }
    return PTO_GQM(obj);
}

/* ---- helpers ---- */

/*
 * Only a successful operation with the e flag notifies.  The lock is not held
 * any more: waking a PE may need the big lock, whose holders use the queues.
 */
static uint64_t notify(CPUPTOState *env, uint64_t addr, unsigned flags,
                       uint64_t answer)
{
    if ((flags & PTO_GQM_EVENT) && answer >> 62 == GQM_OK) {
        trace_pto_gqm_event(addr);
        pto_send_event(env);
    }
    return answer;
}

uint64_t helper_qmt(CPUPTOState *env, uint64_t addr, uint64_t capacity,
                    uint32_t flags)
{
    return notify(env, addr, flags,
                  pto_gqm_move(env->gqm, addr, capacity, flags));
}

uint64_t helper_qpush(CPUPTOState *env, uint64_t addr, uint64_t value,
                      uint32_t flags)
{
    return notify(env, addr, flags,
                  pto_gqm_push(env->gqm, addr, value, flags));
}

/* The entry is left in env, a helper has one result. */
uint64_t helper_qpop(CPUPTOState *env, uint64_t addr, uint32_t flags)
{
    return notify(env, addr, flags,
                  pto_gqm_pop(env->gqm, addr, flags, &env->popped));
}
