/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Choices in which the CPU models differ, as far as the tile core sees them.
 * The core never asks for a model name, only for these fields.
 */
#ifndef PTO_TILE_PROFILE_H
#define PTO_TILE_PROFILE_H

#include "tile/port.h"

typedef enum PtoTileRetire {
    PTO_RETIRE_NEVER,           /* a full hand or pool raises TileAllocation */
    PTO_RETIRE_RING,            /* the oldest tiles of the hand make room */
} PtoTileRetire;

typedef struct PtoTileProfile {
    /*
     * B.IOT source fields count backwards from the newest tile of the hand
     * (code 0 = newest); false: absolute slot numbers.
     */
    bool relative_sources;
    /* What happens when a destination's hand or the PE's pool is full. */
    PtoTileRetire retire;
    /* Floating arithmetic by the reference model's raw carriers, not IEEE. */
    bool raw_carrier;
    /*
     * A B.DATR whose DataType is unused by the operation still selects the
     * destination type (code 0 = FP64); false: the field must be 0 and the
     * block's own type stays.
     */
    bool datr_zero_is_fp64;
    /* The tile-tile forms TADD .. TMIN record numeric flags. */
    bool binary_flags;
    /*
     * One program acts for all PEs of a mask (GPR files of all four PEs are
     * readable, a cooperative product completes at once); false: every PE is
     * its own program and a block acts for the executing PE only.
     */
    bool single_program;
    /* TMOV with B.ASSEMBLE must also fit the register's old object. */
    bool assemble_move_checks_old;
    /* TSTORE accepts a predicate tile and stores its packed bytes as U8. */
    bool predicate_store;
    /* A fault that drops a Local generation restarts at its INIT block. */
    bool generation_restart;
    /* TIMG2COL accepts what the reference model cannot make. */
    bool img2col_from_tile;
    /*
     * TLOAD makes what the matrix scales of the revision need: HiF4X2 in CELLs
     * and CUBE_M32 tiles of several 32-row blocks (delta 6.3). The golden
     * vectors come from a model that rejects both.
     */
    bool cube_scale_grid;
    /*
     * A matrix block whose PreQuantMode or ReluMode needs a scalar parameter may
     * omit B.IOR; the parameter is then zero, unchecked.
     */
    bool post_params_optional;
    /*
     * TEXTRACT, TINSERT and TIMG2COL take their offsets from RegSrc0 and
     * RegSrc1 of B.IOR, as their contracts say; false: from LB0 and LB1, which
     * are also the destination's valid shape.
     */
    bool window_ior;
    /*
     * Logic and shift operations and the SFU functions leave dimensions and
     * types to the operand check after allocation; false: closed schemas like
     * the TADD family, as their contracts say.
     */
    bool open_schemas;
    /* A predicate's size must have a byte, not a bit, for every element. */
    bool predicate_bytes;
    /* Elements that a TPREFETCH may have; 0: no limit but the dimensions. */
    uint32_t prefetch_elements;
    /* TSORT and TMRGSORT accept BF16 (N26). */
    bool sort_bf16;
    /* TRECIP accepts CUBE layouts like the other element-wise operations. */
    bool recip_cube;
} PtoTileProfile;

/* The executable reference model (-cpu pto-ref on a core with one PE). */
extern const PtoTileProfile pto_tile_profile_ref;

/* The normative text (-cpu pto). */
extern const PtoTileProfile pto_tile_profile_pto;

#endif
