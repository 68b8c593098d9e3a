/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: the two CPU models.
 */
#include "qemu/osdep.h"
#include "profile.h"

const PTOProfile pto_profile_pto = {
    .name = "pto",
    .description = "PTO PE, IEEE numeric profile",
    .tb_model = 1,
    .ieee_fp = true,
    .bstart_takes_bpcn = true,
    .trap_closes_block = true,
    .model_start_kinds = false,
    .frame_sp = 1,
    .has_peid = true,
    .waits_suspend = true,
    .app_window = 0,
    .identity = PTO_IDENTITY_WARN,
    .tile = &pto_tile_profile_pto,
};

const PTOProfile pto_profile_ref = {
    .name = "pto-ref",
    .description = "PTO PE, twin of the executable ASL model",
    .tb_model = 2,
    .ieee_fp = false,
    .bstart_takes_bpcn = false,
    .trap_closes_block = false,
    .model_start_kinds = true,
    .frame_sp = 2,
    .has_peid = false,
    .waits_suspend = false,
    .app_window = 3072,
    .identity = PTO_IDENTITY_REQUIRE,
    .tile = &pto_tile_profile_ref,
};
