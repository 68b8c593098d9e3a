/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Internal to the row operations: FP32 words as the common intermediate of
 * the formats that FP32 contains.
 */
#ifndef PTO_TILE_KERNELS_NARROW_H
#define PTO_TILE_KERNELS_NARROW_H

#include "tile/kernels/fast.h"

/**
 * pto_narrow_plan: constants that round FP32 to a BINARY format of at most 32
 * bits in a mode.
 * @type: destination, any BINARY type but FP64
 * @canon: a signaling NaN raises nothing by itself
 */
PtoNarrow pto_narrow_plan(PtoDataType type, PtoRound mode, bool sat, bool canon);

/**
 * pto_narrow_plan_arith: the same for RNE results of arithmetic: operands were
 * looked at already, and an exact infinity raises no flag.
 */
PtoNarrow pto_narrow_plan_arith(PtoDataType type);

/**
 * pto_widen_words: exact FP32 words of elements that FP32 contains.
 * @type: any floating type but FP64
 *
 * NaNs stay NaNs; a signaling one stays signaling.
 * Returns: NV when there is a signaling NaN.
 */
uint32_t pto_widen_words(const PtoFastTable *t, PtoDataType type,
                         const void *row, size_t n, uint32_t *words);

/**
 * pto_narrow_words: round FP32 words into elements of @type.
 *
 * Returns: flags of the roundings.
 */
uint32_t pto_narrow_words(const PtoFastTable *t, PtoDataType type, void *row,
                          const uint32_t *words, size_t n,
                          const PtoNarrow *plan);

#endif
