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

/* Cache-line aligned memory of arbitrary contents; release with pto_free_aligned. */
static inline void *pto_alloc_aligned(size_t size)
{
    void *p = aligned_alloc(64, (size + 63) & ~(size_t)63);

    if (!p) {
        abort();
    }
    return p;
}

static inline void pto_free_aligned(void *p)
{
    free(p);
}

static inline void pto_free(void *p)
{
    free(p);
}
#else
#include "qemu/osdep.h"
#include "qemu/memalign.h"

static inline void *pto_alloc_aligned(size_t size)
{
    return qemu_memalign(64, size);
}

static inline void pto_free_aligned(void *p)
{
    qemu_vfree(p);
}

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

/*
 * A large local object that the function fills itself: QEMU's build zeroes
 * every other one at its declaration.
 */
#ifdef __has_attribute
#if __has_attribute(uninitialized)
#define PTO_UNINITIALIZED __attribute__((uninitialized))
#endif
#endif
#ifndef PTO_UNINITIALIZED
#define PTO_UNINITIALIZED
#endif

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define PTO_LE(bits, v) __builtin_bswap##bits(v)
#else
#define PTO_LE(bits, v) (v)
#endif

/* Little-endian load of @bytes (1, 2, 4 or 8) bytes at @p. */
static inline uint64_t pto_ld_le(const uint8_t *p, unsigned bytes)
{
    uint64_t v8;
    uint32_t v4;
    uint16_t v2;

    switch (bytes) {
    case 1:
        return *p;
    case 2:
        memcpy(&v2, p, 2);
        return PTO_LE(16, v2);
    case 4:
        memcpy(&v4, p, 4);
        return PTO_LE(32, v4);
    default:
        memcpy(&v8, p, 8);
        return PTO_LE(64, v8);
    }
}

/* Little-endian store of the low @bytes (1, 2, 4 or 8) bytes of @v at @p. */
static inline void pto_st_le(uint8_t *p, unsigned bytes, uint64_t v)
{
    uint64_t v8 = PTO_LE(64, v);
    uint32_t v4 = PTO_LE(32, (uint32_t)v);
    uint16_t v2 = PTO_LE(16, (uint16_t)v);

    switch (bytes) {
    case 1:
        *p = v;
        break;
    case 2:
        memcpy(p, &v2, 2);
        break;
    case 4:
        memcpy(p, &v4, 4);
        break;
    default:
        memcpy(p, &v8, 8);
        break;
    }
}

#endif
