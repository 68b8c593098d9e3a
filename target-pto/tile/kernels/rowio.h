/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Access to tiles row by row, whatever their layout: row-major tiles of whole
 * bytes are used in place, all others go through a row buffer.
 */
#ifndef PTO_TILE_KERNELS_ROWIO_H
#define PTO_TILE_KERNELS_ROWIO_H

#include "tile/state.h"
#include "tile/kernels/strips.h"

/* Elements that a constant operand is repeated for. */
#define PTO_STRIP_MAX 1024

typedef enum PtoRowKind {
    PTO_ROWS_ABSENT,
    PTO_ROWS_DIRECT,    /* in the payload, row after row */
    PTO_ROWS_BUFFER,    /* through @buf */
    PTO_ROWS_CONST,     /* the same PTO_STRIP_MAX elements everywhere */
} PtoRowKind;

typedef struct PtoRowAccess {
    uint8_t kind;               /* PtoRowKind */
    uint8_t bytes;              /* of one element in a row */
    bool first_row_only;        /* row 0 stands for every row */
    uint32_t cols;              /* elements per row that will be asked for */
    const PtoTile *tile;
    uint8_t *data;
    uint8_t *buf;
} PtoRowAccess;

/*
 * Rows of the first @cols columns of @tile. A numeric tile with a payload;
 * pto_row_done() frees the buffer.
 */
void pto_row_open(PtoRowAccess *r, const PtoTile *tile, uint32_t cols);
/* A row operand whose every element is @value. */
void pto_row_const(PtoRowAccess *r, PtoDataType type, uint64_t value);
/* Change the value of such an operand; only the first @n elements are needed. */
void pto_row_set_const(PtoRowAccess *r, uint64_t value, uint32_t n);
void pto_row_done(PtoRowAccess *r);

/* Elements of row @row for reading. */
const void *pto_row_read(PtoRowAccess *r, uint32_t row);
/* Where to put the elements of row @row; pto_row_write_end() after that. */
void *pto_row_write(PtoRowAccess *r, uint32_t row);
void pto_row_write_end(PtoRowAccess *r, uint32_t row);

/*
 * Run @k over @rows rows: d[i] = op(a[i], b[i], c[i]). Operands that the
 * operation lacks are NULL. Returns the flags.
 */
uint32_t pto_row_apply(const PtoStripOp *k, PtoRowAccess *d, PtoRowAccess *a,
                       PtoRowAccess *b, PtoRowAccess *c, uint32_t rows);

/*
 * Give a destination its payload before its valid region is written, and its
 * padding and definedness afterwards.
 */
void pto_vec_begin(PtoTile *t);
void pto_vec_end(PtoTile *t, PtoPad pad);

/* Is every valid element of @t an encoding that its type allows (N25)? */
bool pto_tile_encodings_valid(const PtoTile *t);
/* Is no valid element of the integer tile @t zero? */
bool pto_tile_nonzero(const PtoTile *t);

#endif
