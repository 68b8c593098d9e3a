/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Host environment of the tile core: QEMU's osdep, or the plain C library when
 * the core is built without QEMU (unit tests, benchmarks).
 */
#ifndef PTO_TILE_PORT_H
#define PTO_TILE_PORT_H

#ifdef PTO_STANDALONE
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <inttypes.h>

#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef ARRAY_SIZE
#define ARRAY_SIZE(x) (sizeof(x) / sizeof((x)[0]))
#endif

static inline void *pto_alloc0(size_t size)
{
    void *p = calloc(1, size ? size : 1);

    if (!p) {
        abort();
    }
    return p;
}

static inline void *pto_alloc(size_t size)
{
    void *p = malloc(size ? size : 1);

    if (!p) {
        abort();
    }
    return p;
}

static inline void pto_free(void *p)
{
    free(p);
}
#else
#include "qemu/osdep.h"

static inline void *pto_alloc0(size_t size)
{
    return g_malloc0(size);
}

static inline void *pto_alloc(size_t size)
{
    return g_malloc(size);
}

static inline void pto_free(void *p)
{
    g_free(p);
}
#endif

/* Little-endian load of @bytes (1, 2, 4 or 8) bytes at @p. */
static inline uint64_t pto_ld_le(const uint8_t *p, unsigned bytes)
{
    uint64_t v = 0;

    for (unsigned i = 0; i < bytes; i++) {
        v |= (uint64_t)p[i] << (8 * i);
    }
    return v;
}

/* Little-endian store of the low @bytes (1, 2, 4 or 8) bytes of @v at @p. */
static inline void pto_st_le(uint8_t *p, unsigned bytes, uint64_t v)
{
    for (unsigned i = 0; i < bytes; i++) {
        p[i] = v >> (8 * i);
    }
}

#endif
