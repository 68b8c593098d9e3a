/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Identity of the ISA revision that this target implements, as images carry
 * it in their .note.pto.isa.
 *
 * The hash is the published projection (all forms, tile operations, system
 * registers and reservations) taken over the tables of this revision; the
 * revision's own manifest is not public, see docs/deviations.rst.
 */
#ifndef PTO_IDENTITY_H
#define PTO_IDENTITY_H

#define PTO_ISA_RELEASE      "0.58.5"
#define PTO_ISA_ENCODING_ABI "pto-isa-0.58.5-mode-function-v1"
#define PTO_ISA_ENCODING_SHA256 \
    "37f158c2afe8cc1d242e7dd37b810bbc4e84d6474025ea8de8a98e0e41690dea"

/* The note's descriptor: sorted keys, no white space, not NUL-terminated. */
#define PTO_ISA_NOTE_DESC \
    "{\"encoding_abi\":\"" PTO_ISA_ENCODING_ABI "\"," \
    "\"encoding_projection_sha256\":\"" PTO_ISA_ENCODING_SHA256 "\"," \
    "\"release\":\"" PTO_ISA_RELEASE "\"}"

#define PTO_ISA_NOTE_NAME "PTO"
#define PTO_ISA_NOTE_TYPE 1
#define PTO_EM_PTO        233

#endif
