/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Store logical matrices in tile layouts, straight from the CELL diagrams.
 */
#include "operand.h"
#include "tile/formats.h"

unsigned test_cell_rows(PtoLayout layout, PtoDataType type)
{
    return layout == PTO_LAYOUT_M16 ? 16 : layout == PTO_LAYOUT_M32 ? 32 :
           128 / pto_type_bits(type);
}

unsigned test_cell_cols(PtoLayout layout, PtoDataType type)
{
    return layout == PTO_LAYOUT_N8 ? 8 :
           1024 / pto_type_bits(type) / test_cell_rows(layout, type);
}

/* Element number inside a CELL. */
static unsigned cell_element(PtoLayout layout, PtoDataType type, unsigned row,
                             unsigned col)
{
    static const uint8_t m16_nibble_group[4] = { 0, 2, 1, 3 };
    unsigned rows = test_cell_rows(layout, type);
    unsigned cols = test_cell_cols(layout, type);

    if (layout == PTO_LAYOUT_N8) {
        return col * rows + row;
    }
    if (layout == PTO_LAYOUT_M16 && pto_type_bits(type) == 4) {
        col = m16_nibble_group[col / 4] * 4 + col % 4;
    }
    return row * cols + col;
}

TestStored stored_make(const TestMatrix *m, PtoLayout layout, bool trans)
{
    unsigned rows = trans ? m->cols : m->rows, cols = trans ? m->rows : m->cols;
    unsigned cr = 1, cc = 1, down, across;
    size_t bytes;
    TestStored s = { .view = { .type = m->type, .layout = layout,
                               .trans = trans } };

    if (!m->v) {
        return s;
    }
    if (layout != PTO_LAYOUT_ROW) {
        cr = test_cell_rows(layout, m->type);
        cc = test_cell_cols(layout, m->type);
    }
    down = (rows + cr - 1) / cr;
    across = (cols + cc - 1) / cc;
    bytes = layout == PTO_LAYOUT_ROW ?
            (size_t)(rows * cols + 1) * MAX(pto_type_bits(m->type), 8) / 8 :
            (size_t)down * across * PTO_CELL_BYTES;
    s.data = aligned_alloc(64, (bytes + 127) & ~(size_t)63);
    memset(s.data, 0xa5, (bytes + 127) & ~(size_t)63);
    s.view.data = s.data;
    s.view.stride = layout == PTO_LAYOUT_ROW ? cols :
                    layout == PTO_LAYOUT_N8 ? down : across;
    for (unsigned r = 0; r < rows; r++) {
        for (unsigned c = 0; c < cols; c++) {
            size_t cell = layout == PTO_LAYOUT_N8 ?
                          (size_t)(c / cc) * down + r / cr :
                          (size_t)(r / cr) * across + c / cc;
            size_t index = layout == PTO_LAYOUT_ROW ? (size_t)r * cols + c :
                           cell * cr * cc + cell_element(layout, m->type,
                                                         r % cr, c % cc);

            pto_elem_store(m->type, s.data, index,
                           m->v[trans ? c * m->cols + r : r * m->cols + c]);
        }
    }
    return s;
}

void stored_free(TestStored *s)
{
    free(s->data);
    s->data = NULL;
}
