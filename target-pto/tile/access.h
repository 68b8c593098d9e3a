/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the tile core reaches the machine around it. The CPU side (and the unit
 * tests) implement this table; the core knows no CPU state.
 */
#ifndef PTO_TILE_ACCESS_H
#define PTO_TILE_ACCESS_H

#include "tile/types.h"

typedef struct PtoAccess {
    /*
     * Scalar source @selector (0..23 GPR, 24..27 T#1.., 28..31 U#1..) of PE
     * @pe. Queue selectors always mean the executing PE. Never fails: B.IOR
     * has checked the selector.
     */
    uint64_t (*read_scalar)(void *opaque, unsigned pe, unsigned selector);

    /*
     * Check that [addr, addr + len) may be read (or written, @write) by the
     * executing PE, without any effect. @align is the access size for the
     * alignment rule (1 = none). Returns a fault and sets *@fault_addr.
     */
    PtoFault (*probe)(void *opaque, uint64_t addr, uint64_t len, bool write,
                      unsigned align, uint64_t *fault_addr);

    /*
     * Host pointer to [addr, addr + len) if it is plain RAM in one piece, else
     * NULL. With @write the range is going to be modified (dirty tracking).
     * Only called after a successful probe; valid until the commit returns.
     */
    void *(*host)(void *opaque, uint64_t addr, uint64_t len, bool write);

    /* Slow copies for ranges without a host pointer; probed before. */
    void (*read)(void *opaque, uint64_t addr, void *buf, uint64_t len);
    void (*write)(void *opaque, uint64_t addr, const void *buf, uint64_t len);

    /*
     * Atomic compare-and-swap of @bytes (1, 2, 4, 8) at @addr; returns the old
     * value, zero extended. Probed for reading and writing before.
     */
    uint64_t (*cas)(void *opaque, uint64_t addr, unsigned bytes,
                    uint64_t expected, uint64_t desired);

    /* Lock of the core's shared state; NULL when only one PE runs. */
    void (*core_lock)(void *opaque);
    void (*core_unlock)(void *opaque);

    /*
     * Shared register @shared_id was published (64: a collective advanced): wake
     * the core's waiting PEs. Called with the core lock held. May be NULL.
     */
    void (*published)(void *opaque, unsigned shared_id);
} PtoAccess;

#endif
