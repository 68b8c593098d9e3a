/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packing of matrix operands into panels; only for matrix.c.
 */
#ifndef PTO_TILE_MATRIX_PACK_H
#define PTO_TILE_MATRIX_PACK_H

#include "tile/kernels/matrix.h"

/* Columns of B that are widened at a time, so that they stay in the L1 cache. */
#define PTO_MAT_CHUNK 16u

typedef struct PtoMatPacker {
    const PtoMatProblem *p;
    const PtoMatKernels *kern;
    bool integer;
    unsigned unit;          /* K values per panel unit: 1, or 2 for integers */
    unsigned steps;         /* units along K */
    uint32_t *a, *b;        /* room for what cannot be used in place */
    uint32_t *rows;         /* decoded rows of a row-major operand */
    uint32_t *words;        /* scale words and factors */
} PtoMatPacker;

/* 32-bit units that the packer needs in each of its arrays. */
typedef struct PtoMatRoom {
    size_t a, b, rows, words;
} PtoMatRoom;

/* CELL extent of a CUBE layout (PTO-CUBE-CELL-STATE-001). */
unsigned pto_mat_cell_rows(PtoLayout layout, unsigned bits);
unsigned pto_mat_cell_cols(PtoLayout layout, unsigned bits);

PtoMatRoom pto_mat_room(const PtoMatPacker *pk);

/**
 * pto_mat_pack_a: set panels->a and panels->lda.
 *
 * Returns: false if a scaled value left the range of FP32.
 */
bool pto_mat_pack_a(const PtoMatPacker *pk, PtoMatPanels *panels);

/* Must B be packed in chunks of PTO_MAT_CHUNK columns? */
bool pto_mat_b_chunked(const PtoMatPacker *pk);

/**
 * pto_mat_pack_b: set panels->b, cr, cell and panel for columns [@j0, @j0 + n).
 *
 * @j0 is a multiple of the chunk. Same result as pto_mat_pack_a().
 */
bool pto_mat_pack_b(const PtoMatPacker *pk, PtoMatPanels *panels, unsigned j0,
                    unsigned n);

#endif
