/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One block per file that implements the helpers. */

/* translate.c, mmu.c */
DEF_HELPER_2(raise_fault_pc, noreturn, env, i32)
DEF_HELPER_3(raise_fault, noreturn, env, i32, i64)

/* block.c */
DEF_HELPER_FLAGS_3(block_start, TCG_CALL_NO_WG, void, env, i32, i64)
DEF_HELPER_FLAGS_3(block_commit, TCG_CALL_NO_WG, void, env, i64, i32)
DEF_HELPER_FLAGS_4(bundle_dim, TCG_CALL_NO_WG, void, env, i32, i32, i64)
DEF_HELPER_FLAGS_3(bundle_catr, TCG_CALL_NO_WG, void, env, i32, i32)
DEF_HELPER_FLAGS_3(bundle_datr, TCG_CALL_NO_WG, void, env, i32, i32)
DEF_HELPER_FLAGS_3(bundle_fpatr, TCG_CALL_NO_WG, void, env, i32, i32)
DEF_HELPER_FLAGS_3(bundle_hint, TCG_CALL_NO_WG, void, env, i32, i32)
DEF_HELPER_FLAGS_2(bundle_trace, TCG_CALL_NO_WG, void, env, i32)
DEF_HELPER_FLAGS_3(bundle_ior, TCG_CALL_NO_WG, void, env, i32, i32)
DEF_HELPER_FLAGS_3(bundle_iot, TCG_CALL_NO_WG, void, env, i32, i32)
DEF_HELPER_FLAGS_3(bundle_ios, TCG_CALL_NO_WG, void, env, i32, i32)
DEF_HELPER_FLAGS_5(bundle_range, TCG_CALL_NO_WG, void, env, i32, i32, i32, i64)

/* amo.c */
DEF_HELPER_FLAGS_3(reservation_store, TCG_CALL_NO_RWG, void, env, i64, i32)
