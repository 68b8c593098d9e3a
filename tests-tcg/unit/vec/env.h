/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A PE with tiles for tests of single tile operations: tiles are made from
 * arrays, a block header is written field by field, then committed.
 */
#ifndef PTO_UNIT_VEC_ENV_H
#define PTO_UNIT_VEC_ENV_H

#include "tile/commit.h"
#include "tile/numeric.h"

typedef struct VecEnv {
    PtoTileProfile profile;     /* absolute source names in any case */
    PtoLocalTiles local;
    PtoTileCore core;
    PtoBundle b;
    PtoTileCtx ctx;
    uint64_t reg[32];
} VecEnv;

/* Fresh machine with the choices of @profile. */
void vec_env_init(VecEnv *e, const PtoTileProfile *profile);
void vec_env_done(VecEnv *e);

/* Smallest destination size code for a row-major shape, 0 if there is none. */
unsigned vec_size_code(PtoDataType type, uint32_t vrows, uint32_t cols);

/*
 * Put a row-major tile of size @code into @slot; all elements zero, defined
 * in the valid region.
 */
PtoTile *vec_tile(VecEnv *e, unsigned slot, PtoDataType type, unsigned code,
                  uint32_t cols, uint32_t vrows, uint32_t vcols);
/* The same in a CUBE layout. */
PtoTile *vec_cube_tile(VecEnv *e, unsigned slot, PtoDataType type,
                       unsigned code, PtoLayout layout, uint32_t vrows,
                       uint32_t vcols);
/* A predicate tile with the shape of @like. */
PtoTile *vec_predicate(VecEnv *e, unsigned slot, const PtoTile *like);

/* Valid elements in row order; the last one of @v repeats. */
void vec_tile_set(PtoTile *t, const uint64_t *v, size_t n);

/* Begin a block of operation @op with the type @type. */
void vec_block(VecEnv *e, PtoTileOpId op, PtoDataType type);
/* B.IOT for all PEs; @hand < 0: no destination. */
void vec_iot(VecEnv *e, int hand, unsigned size, unsigned nsrc, unsigned s0,
             unsigned s1, bool last);
/* LB0..LB2; negative: absent. */
void vec_dims(VecEnv *e, int lb0, int lb1, int lb2);
/* B.IOR with the values of up to three inputs in R2, R3, R4. */
void vec_ior(VecEnv *e, unsigned n, uint64_t v0, uint64_t v1, uint64_t v2);
/* B.DATR with all fields zero but what the test sets afterwards. */
PtoDatr *vec_datr(VecEnv *e);

PtoCommit vec_commit(VecEnv *e);

#endif
