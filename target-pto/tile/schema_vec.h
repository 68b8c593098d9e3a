/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Predicates shared by the schemas of the VEC and SFU operations. */
#ifndef PTO_TILE_SCHEMA_VEC_H
#define PTO_TILE_SCHEMA_VEC_H

#include "tile/plan.h"
#include "tile/kernels/rowio.h"
#include "tile/kernels/vec.h"

/* Valid region and columns of @t are those of LB0, LB1 (1), LB2 (LB0). */
bool pto_vec_shape_is_dims(const PtoBundle *b, const PtoTile *t);

/* Legal row-major numeric tile of @type, all valid elements defined. */
bool pto_vec_numeric(const PtoTile *t, PtoDataType type);

/* ... and only encodings that the type allows. */
bool pto_vec_source(const PtoTile *t, PtoDataType type);

/* Fully defined predicate tile. */
bool pto_vec_predicate(const PtoTile *t);

/* CUBE_M16 or CUBE_M32: the CUBE layouts of element-wise operations. */
static inline bool pto_vec_is_cell(const PtoTile *t)
{
    return t->layout == PTO_LAYOUT_M16 || t->layout == PTO_LAYOUT_M32;
}

/* Consistent, fully defined CUBE_M16 or CUBE_M32 tile. */
bool pto_vec_cell_source(const PtoTile *t);

/* Request destination 0 with an explicit shape and type. */
void pto_vec_request(PtoPlan *plan, unsigned i, PtoDataType type,
                     uint32_t vrows, uint32_t vcols, uint32_t cols);

/* Request destination 0 with the CUBE layout and valid region of @like. */
void pto_vec_request_cell(PtoPlan *plan, const PtoTile *like,
                          PtoDataType type);

#endif
