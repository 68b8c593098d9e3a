/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: interrupt lines, timers, events and the suspending instructions.
 */
#ifndef PTO_IRQ_H
#define PTO_IRQ_H

#include "state.h"

#define PTO_IRQ_TIMER_ROOT      1   /* timer of ring 0 */
#define PTO_IRQ_TIMER_MANAGED   3   /* timer of the other rings */

/* Requests of BSE, BWE, BWI and BWT, in encoding order. */
typedef enum PtoControlRequest {
    PTO_REQ_SEND_EVENT,
    PTO_REQ_WAIT_EVENT,
    PTO_REQ_WAIT_INTERRUPT,
    PTO_REQ_WAIT_TIMEOUT,
} PtoControlRequest;

/**
 * pto_time: TIME as the current attempt sees it.
 *
 * Attempts so far, or nanoseconds of the virtual clock (property `time`).
 * A suspended PE makes no attempts; its time then runs on at one tick per
 * nanosecond of the virtual clock, so that timers can wake it.
 */
uint64_t pto_time(CPUArchState *env);

/**
 * pto_irq_refresh_timer: timer bit of IPENDING in bank @ring, from
 * TIMER_TIMECMP and TIME; also brings TOPEI up to date.
 */
void pto_irq_refresh_timer(CPUArchState *env, unsigned ring);

/**
 * pto_irq_arm_timer: set the host timer to the next deadline of this PE.
 */
void pto_irq_arm_timer(CPUArchState *env);

/**
 * pto_irq_end: EOIEI write of @value in bank @ring.
 */
void pto_irq_end(CPUArchState *env, unsigned ring, uint64_t value);

/**
 * pto_irq_update: tell the execution loop whether an interrupt can be taken.
 *
 * Call it on the PE's own thread after anything that decides about it has
 * changed: ring, ECONFIG, IPENDING, the validity of a saved context.
 */
void pto_irq_update(CPUArchState *env);

/**
 * pto_irq_reset: forget waits and deadlines.
 */
void pto_irq_reset(CPUArchState *env);

/**
 * pto_irq_realize: create the host timer of a PE.
 */
void pto_irq_realize(CPUState *cs);

/**
 * pto_irq_post_load: re-arm after the state was replaced from outside.
 */
void pto_irq_post_load(CPUArchState *env);

/**
 * pto_send_event: set the event of every other PE and wake those that wait.
 */
void pto_send_event(CPUArchState *env);

/**
 * pto_wake: end the tile wait of a PE.  The caller holds the BQL.
 */
void pto_wake(CPUState *cs);

#endif /* PTO_IRQ_H */
