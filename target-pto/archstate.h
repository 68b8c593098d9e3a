/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: names of architectural values, shared by everything that shows or
 * loads state, and the CPU property `arch-state`.
 */
#ifndef PTO_ARCHSTATE_H
#define PTO_ARCHSTATE_H

#include "cpu.h"
#include "qobject/qdict.h"

/* Fault names in PtoFault order ("None", "ExecutionStateCheck", ...). */
extern const char *const pto_fault_names[PTO_FAULT_COUNT];

/* Names of PtoBlockKind and PtoTransfer; NULL where a code is unassigned. */
extern const char *const pto_block_kind_names[16];
extern const char *const pto_transfer_names[8];

/**
 * pto_bundle_is_clear: nothing was collected since the block started.
 */
bool pto_bundle_is_clear(const PtoBundle *b);

/*
 * Parts that the live state and a saved trap context have in common: add them
 * to @d, or take them out of it (false: *@errp is set).
 */
void pto_put_block(QDict *d, const PtoBlockState *b);
bool pto_take_block(QDict *d, PtoBlockState *b, Error **errp);
void pto_put_bundle(QDict *d, const PtoBundle *b);
bool pto_take_bundle(QDict *d, PtoBundle *b, uint64_t bpc, Error **errp);
void pto_put_templates(QDict *d, const PtoMcopyState *m,
                       const PtoFrameState *f);
bool pto_take_templates(QDict *d, PtoMcopyState *m, PtoFrameState *f,
                        Error **errp);
void pto_put_tu(QDict *d, uint32_t st, const uint64_t *t, const uint64_t *u);
bool pto_take_tu(QDict *d, uint32_t *st, uint64_t *t, uint64_t *u,
                 Error **errp);
void pto_put_pred(QDict *d, const uint32_t *pred);
bool pto_take_pred(QDict *d, uint32_t *pred, Error **errp);

/**
 * pto_archstate_json: the state of a stopped PE as JSON text.
 */
GString *pto_archstate_json(CPUState *cs);

/**
 * pto_archstate_load_json: load the state of a stopped PE from JSON text.
 */
bool pto_archstate_load_json(CPUState *cs, const char *text, Error **errp);

/**
 * pto_archstate_class_init: add the property `arch-state` to a CPU class.
 *
 * Reading gives the whole architectural state of the PE as one object, with
 * plain integers and without values that are as after reset.  Writing resets
 * the PE and loads the given values; with the key `system` present, what PEs
 * share (queues, Shared tiles) is replaced too.  Unknown keys are errors.
 */
void pto_archstate_class_init(ObjectClass *oc);

#endif
