/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: General Queue Management, the queues that all PEs of a system share
 * (PTO-ARCH-GQM).
 */
#ifndef PTO_QUEUE_H
#define PTO_QUEUE_H

#include "qom/object.h"

#define TYPE_PTO_GQM "pto-gqm"
OBJECT_DECLARE_SIMPLE_TYPE(PtoGqm, PTO_GQM)

#define PTO_GQM_CAPACITY 1023       /* entries, the widest encodable capacity */

/* Operation flags of the helpers, as the encodings name them. */
enum {
    PTO_GQM_RESTORE = 1,    /* HL.QMT: end the suspension */
    PTO_GQM_RELAXED = 1,    /* HL.QPUSH, HL.QPOP: no ordering edge */
    PTO_GQM_SUSPEND = 2,    /* HL.QMT */
    PTO_GQM_EVENT = 4,      /* the caller notifies waiting PEs on success */
    PTO_GQM_INIT = 8,       /* HL.QMT: create or replace the queue */
    PTO_GQM_HEAD = 8,       /* HL.QPUSH: insert at the head */
};

/**
 * pto_gqm_get: the queues of the machine, created at the first call.
 */
PtoGqm *pto_gqm_get(void);

/**
 * pto_gqm_move: HL.QMT, query or create the queue at @addr.
 * @capacity: entries (low ten bits) of a queue that is created
 * @flags: PTO_GQM_INIT, and _SUSPEND or _RESTORE
 *
 * Returns the result word: [12:0] remaining entries or allocated bytes,
 * [63:62] status.
 */
uint64_t pto_gqm_move(PtoGqm *gqm, uint64_t addr, uint64_t capacity,
                      unsigned flags);

/**
 * pto_gqm_push: HL.QPUSH, result word with the remaining capacity.
 */
uint64_t pto_gqm_push(PtoGqm *gqm, uint64_t addr, uint64_t value,
                      unsigned flags);

/**
 * pto_gqm_pop: HL.QPOP; the entry goes to *@value (0 without success).
 */
uint64_t pto_gqm_pop(PtoGqm *gqm, uint64_t addr, unsigned flags,
                     uint64_t *value);

/* Visible state of one queue, for the debugger. */
typedef struct PtoGqmView {
    uint64_t address;
    uint16_t capacity;
    uint16_t count;
    bool suspended;
    bool corrupt;
    uint64_t entries[PTO_GQM_CAPACITY];     /* from the head */
} PtoGqmView;

/**
 * pto_gqm_foreach: call @fn for every queue in address order.
 */
void pto_gqm_foreach(PtoGqm *gqm, void (*fn)(const PtoGqmView *, void *),
                     void *opaque);

/**
 * pto_gqm_install: create the queue that @view describes (debugger).
 */
void pto_gqm_install(PtoGqm *gqm, const PtoGqmView *view);

/**
 * pto_gqm_clear: remove all queues.
 */
void pto_gqm_clear(PtoGqm *gqm);

#endif
