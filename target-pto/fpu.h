/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO scalar floating point: what the translator packs into the immediate of
 * the FSU helpers.  Operation codes are those of tile/scalarfp.h.
 */
#ifndef PTO_FPU_H
#define PTO_FPU_H

#include "tile/scalarfp.h"

/* Arithmetic and comparison: operation code and SrcType. */
#define PTO_FP_DESC(op, src)        ((op) | (src) << 8)
#define PTO_FP_DESC_OP(d)           ((d) & 0xff)
#define PTO_FP_DESC_SRC(d)          ((PtoFpSrc)(((d) >> 8) & 1))

/* Conversions: DstType, SrcType, and the fixed rounding mode or signedness. */
#define PTO_FP_CVT_DESC(dst, src, x) ((dst) | (src) << 8 | (x) << 16)
#define PTO_FP_CVT_DST(d)           ((d) & 0x1f)
#define PTO_FP_CVT_SRC(d)           ((PtoFpSrc)(((d) >> 8) & 1))
#define PTO_FP_CVT_EXTRA(d)         ((d) >> 16)

/* Legal DstType codes; the last two name widths without a numeric meaning. */
#define PTO_FP_DST_CODES            15
#define PTO_FP_DST_NUMERIC          13

#endif /* PTO_FPU_H */
