/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: the record in which the two CPU models differ.
 *
 * Code never tests for a model's name; each place where the executable ASL
 * model and the normative text disagree is one field here and one row of
 * docs/deviations.rst.
 */
#ifndef PTO_PROFILE_H
#define PTO_PROFILE_H

#include "tile/profile.h"

typedef enum PTOIdentityPolicy {
    PTO_IDENTITY_WARN,      /* absent: warning, different: error */
    PTO_IDENTITY_REQUIRE,   /* absent or different: error */
    PTO_IDENTITY_IGNORE,
} PTOIdentityPolicy;

typedef struct PTOProfile {
    const char *name;
    const char *description;
    /* Distinguishes translated code of the models, see pto_cpu_set_tb_model */
    uint8_t tb_model;
    /* FP64/FP32 arithmetic by IEEE 754; false: raw-carrier arithmetic */
    bool ieee_fp;
    /*
     * A BSTART that meets an open block transfers to that block's BPCN when
     * BARG selects it (PTO-BARG-CONTINUATION-001); false: the new block
     * starts where it stands and the selected target is dropped.
     */
    bool bstart_takes_bpcn;
    /*
     * Trap entry closes the live block and templates once they are saved, so
     * that a handler can open blocks of its own; false: they stay, and the
     * handler's first BSTART commits the interrupted block
     */
    bool trap_closes_block;
    /*
     * Kinds that the model's form table gives to two tile blocks: TMOV is a
     * tile-element block and GMOV a standard one; false: both are tile-memory
     */
    bool model_start_kinds;
    /* GPR that the frame templates use as stack pointer */
    uint8_t frame_sp;
    /* PEID (system register 0x0802) exists */
    bool has_peid;
    /* BWE, BWI and BWT suspend the PE */
    bool waits_suspend;
    /* First byte that rings 2..15 may not access; 0: no limit */
    uint64_t app_window;
    PTOIdentityPolicy identity;
    /* What the tile core needs to know */
    const PtoTileProfile *tile;
} PTOProfile;

/* `pto`: follows the normative text, the machine people use. */
extern const PTOProfile pto_profile_pto;
/* `pto-ref`: twin of the executable ASL model, profile pto-v0. */
extern const PTOProfile pto_profile_ref;

#endif
