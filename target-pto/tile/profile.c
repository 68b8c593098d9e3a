/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tile/profile.h"

const PtoTileProfile pto_tile_profile_ref = {
    .relative_sources = false,
    .retire = PTO_RETIRE_NEVER,
    .raw_carrier = true,
    .datr_zero_is_fp64 = true,
    .binary_flags = false,
    .single_program = true,
    .assemble_move_checks_old = true,
    .predicate_store = true,
    .post_params_optional = true,
    .open_schemas = true,
    .predicate_bytes = true,
    .prefetch_elements = 32768,
};

const PtoTileProfile pto_tile_profile_pto = {
    .relative_sources = true,
    .retire = PTO_RETIRE_RING,
    .raw_carrier = false,
    .datr_zero_is_fp64 = false,
    .binary_flags = true,
    .generation_restart = true,
    .single_program = false,
    .cube_scale_grid = true,
    .img2col_from_tile = true,
    .window_ior = true,
    .sort_bf16 = true,
};
