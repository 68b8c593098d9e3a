/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Raw-carrier arithmetic: what the executable reference model computes for the
 * floating types (profile pto-v0, CPU model pto-ref). Elements are zero-extended
 * 64-bit words and results are words whose low bits are stored; special values
 * follow the operations' special-value tables.
 */
#ifndef PTO_TILE_KERNELS_RAW_H
#define PTO_TILE_KERNELS_RAW_H

#include "tile/numeric.h"

/* Two-operand operation, floating or integer; the full result word. */
uint64_t pto_raw_binary(PtoElemBinary op, PtoDataType type, uint64_t a,
                        uint64_t b, uint32_t *flags);
uint64_t pto_raw_unary(PtoElemUnary op, PtoDataType type, uint64_t a,
                       uint32_t *flags);
uint64_t pto_raw_fma(PtoDataType type, uint64_t a, uint64_t b, uint64_t c,
                     uint32_t *flags);
uint64_t pto_raw_convert(PtoDataType src, PtoDataType dst, uint64_t a,
                         PtoRound mode, bool sat, uint32_t *flags);
uint64_t pto_raw_expdif(PtoDataType src, PtoDataType dst, uint64_t a,
                        uint64_t b, uint32_t *flags);
/* TDEQUANT: (q - zero_point) * scale, the model's own overflow and tininess. */
uint32_t pto_raw_dequant(PtoDataType src, uint64_t q, uint32_t scale,
                         int64_t zero_point, PtoRound mode, uint32_t *flags);

#endif
