/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: the two CPU models.
 */
#include "qemu/osdep.h"
#include "profile.h"

const PTOProfile pto_profile_pto = {
    .name = "pto",
    .description = "PTO PE, IEEE numeric profile",
    .ieee_fp = true,
    .bstart_takes_bpcn = true,
    .relative_tile_sources = true,
    .tile_retire_ring = true,
    .datr_keeps_block_type = true,
    .frame_sp = 1,
    .has_peid = true,
    .single_program = false,
    .waits_suspend = true,
    .app_window = 0,
    .identity = PTO_IDENTITY_WARN,
};

const PTOProfile pto_profile_ref = {
    .name = "pto-ref",
    .description = "PTO PE, twin of the executable ASL model",
    .ieee_fp = false,
    .bstart_takes_bpcn = false,
    .relative_tile_sources = false,
    .tile_retire_ring = false,
    .datr_keeps_block_type = false,
    .frame_sp = 2,
    .has_peid = false,
    .single_program = true,
    .waits_suspend = false,
    .app_window = 3072,
    .identity = PTO_IDENTITY_REQUIRE,
};
