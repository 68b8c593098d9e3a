/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plan of a CUBE operation: what its legality checks (schema_cube.c) hand to
 * its execution (cube.c).
 */
#ifndef PTO_TILE_CUBE_H
#define PTO_TILE_CUBE_H

#include "tile/plan.h"

typedef struct PtoCubePlan {
    bool mx;
    bool left_shared, right_shared;
    PtoDataType left, right, acc;
    uint32_t group_m, n, k;     /* LB0, LB1, LB2 */
    uint32_t m, row0;           /* rows of this PE and the first of them */
    PtoLayout layout;           /* of D */
    /*
     * Operand roles: Local source numbers (index of plan->src), or for a, sa,
     * b, sb of a Shared group the B.IOS number; -1 = absent.
     */
    int8_t c, a, sa, b, sb, bias, cscale, row_max, quant, alpha;
    const PtoTile *a_tile, *sa_tile, *b_tile, *sb_tile;
    uint64_t quant_scalar, alpha_scalar;
} PtoCubePlan;

/**
 * pto_cube_execute: kernel of the twelve operations (product, maxima,
 * post-processing, layout of D).
 */
void pto_cube_execute(PtoPlan *plan);

#endif
