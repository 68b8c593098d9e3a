/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One block per file that implements the helpers. */

/* translate.c, mmu.c */
DEF_HELPER_2(raise_fault_pc, noreturn, env, i32)
DEF_HELPER_3(raise_fault, noreturn, env, i32, i64)

/* template.c */
DEF_HELPER_5(mcopy, void, env, i64, i64, i64, i64)
DEF_HELPER_4(mset, void, env, i64, i64, i64)
DEF_HELPER_4(frame, i64, env, i64, i32, i64)

/* queue.c */
DEF_HELPER_4(qmt, i64, env, i64, i64, i32)
DEF_HELPER_4(qpush, i64, env, i64, i64, i32)
DEF_HELPER_3(qpop, i64, env, i64, i32)
