/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Matrix operands of the tests: logical elements, and the same elements stored
 * as a tile of any layout.
 */
#ifndef PTO_TEST_MATRIX_OPERAND_H
#define PTO_TEST_MATRIX_OPERAND_H

#include "tile/state.h"
#include "tile/kernels/matrix.h"

typedef struct TestMatrix {
    PtoDataType type;
    unsigned rows, cols;
    uint64_t *v;            /* row-major logical elements, or NULL */
} TestMatrix;

/* A stored operand; release with stored_free(). */
typedef struct TestStored {
    PtoMatView view;
    uint8_t *data;
} TestStored;

/**
 * stored_make: store @m.
 * @layout: PTO_LAYOUT_ROW, _M16, _M32 or _N8; M32 takes any number of rows
 *          (blocks of 32 one after the other, as matrix scales have)
 * @trans: row-major only: store the transpose
 */
TestStored stored_make(const TestMatrix *m, PtoLayout layout, bool trans);
void stored_free(TestStored *s);

/* CELL extents, by the table of the ISA and not by the code under test. */
unsigned test_cell_rows(PtoLayout layout, PtoDataType type);
unsigned test_cell_cols(PtoLayout layout, PtoDataType type);

#endif
