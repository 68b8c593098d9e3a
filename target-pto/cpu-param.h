/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: compile-time parameters of the softmmu and of the translator.
 */
#ifndef PTO_CPU_PARAM_H
#define PTO_CPU_PARAM_H

#define TARGET_PAGE_BITS            12
#define TARGET_PHYS_ADDR_SPACE_BITS 56
#define TARGET_VIRT_ADDR_SPACE_BITS 64

/* Words kept for every instruction: PC, packed block state, BPCN. */
#define TARGET_INSN_START_EXTRA_WORDS 2

/* PTO memory is TSO: only a store followed by a load may be reordered. */
#define TCG_GUEST_DEFAULT_MO        (TCG_MO_ALL & ~TCG_MO_ST_LD)

#endif
