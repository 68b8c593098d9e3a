/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One block per file that implements the helpers. */

/* translate.c, mmu.c */
DEF_HELPER_2(raise_fault_pc, noreturn, env, i32)
DEF_HELPER_3(raise_fault, noreturn, env, i32, i64)

/* trap.c */
DEF_HELPER_2(acrc, noreturn, env, i32)
DEF_HELPER_1(acre, void, env)
DEF_HELPER_2(breakpoint, noreturn, env, i32)

/* sysreg.c */
DEF_HELPER_FLAGS_2(sysreg_get, TCG_CALL_NO_WG, i64, env, i32)
DEF_HELPER_FLAGS_3(sysreg_set, TCG_CALL_NO_WG, void, env, i32, i64)
DEF_HELPER_FLAGS_3(sysreg_swap, TCG_CALL_NO_WG, i64, env, i32, i64)

/* irq.c */
DEF_HELPER_3(control_request, void, env, i32, i64)

/* maint.c */
DEF_HELPER_FLAGS_3(tlb_maintenance, TCG_CALL_NO_WG, void, env, i32, i64)

/* amo.c */
DEF_HELPER_FLAGS_3(load_reserved, TCG_CALL_NO_WG, i64, env, i64, i32)
DEF_HELPER_FLAGS_5(store_conditional, TCG_CALL_NO_WG, i64, env, i64, i64,
                   i32, i32)
DEF_HELPER_FLAGS_3(reservation_store, TCG_CALL_NO_RWG, void, env, i64, i32)
DEF_HELPER_FLAGS_3(dma, TCG_CALL_NO_WG, void, env, i64, i64)

/* fpu.c */
DEF_HELPER_FLAGS_4(fp_binary, TCG_CALL_NO_RWG, i64, env, i64, i64, i32)
DEF_HELPER_FLAGS_3(fp_unary, TCG_CALL_NO_RWG, i64, env, i64, i32)
DEF_HELPER_FLAGS_5(fp_fused, TCG_CALL_NO_RWG, i64, env, i64, i64, i64, i32)
DEF_HELPER_FLAGS_4(fp_minmax, TCG_CALL_NO_RWG, i64, env, i64, i64, i32)
DEF_HELPER_FLAGS_4(fp_compare, TCG_CALL_NO_RWG, i64, env, i64, i64, i32)
DEF_HELPER_FLAGS_3(fp_convert, TCG_CALL_NO_RWG, i64, env, i64, i32)
DEF_HELPER_FLAGS_3(fp_to_int, TCG_CALL_NO_RWG, i64, env, i64, i32)
DEF_HELPER_FLAGS_3(fp_from_int, TCG_CALL_NO_RWG, i64, env, i64, i32)
/* template.c */
DEF_HELPER_5(mcopy, void, env, i64, i64, i64, i64)
DEF_HELPER_4(mset, void, env, i64, i64, i64)
DEF_HELPER_4(frame, i64, env, i64, i32, i64)

/* queue.c */
DEF_HELPER_4(qmt, i64, env, i64, i64, i32)
DEF_HELPER_4(qpush, i64, env, i64, i64, i32)
DEF_HELPER_3(qpop, i64, env, i64, i32)

/* block.c */
DEF_HELPER_FLAGS_3(block_commit, TCG_CALL_NO_WG, void, env, i64, i32)
DEF_HELPER_FLAGS_1(bundle_clear, TCG_CALL_NO_RWG, void, env)
DEF_HELPER_FLAGS_4(bundle_dim, TCG_CALL_NO_WG, void, env, i32, i32, i64)
DEF_HELPER_FLAGS_4(bundle_command, TCG_CALL_NO_WG, void, env, i32, i32, i32)
DEF_HELPER_FLAGS_2(bundle_trace, TCG_CALL_NO_WG, void, env, i32)
DEF_HELPER_FLAGS_5(bundle_range, TCG_CALL_NO_WG, void, env, i32, i32, i32, i64)
