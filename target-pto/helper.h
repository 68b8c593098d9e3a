/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One block per file that implements the helpers. */

/* translate.c, mmu.c */
DEF_HELPER_2(raise_fault_pc, noreturn, env, i32)
DEF_HELPER_3(raise_fault, noreturn, env, i32, i64)
