/* SPDX-License-Identifier: GPL-2.0-or-later */
/* TCVT, TQUANT and TDEQUANT. */
#include "tile/port.h"
#include "tile/kernels/rowio.h"
#include "tile/kernels/vec.h"

static void convert(PtoPlan *plan, const PtoStripOp *k, PtoPad pad)
{
    PtoTile *dst = &plan->dst[0].tile;
    PtoRowAccess d, s;

    pto_vec_begin(dst);
    pto_row_open(&d, dst, dst->vcols);
    pto_row_open(&s, plan->src[0].tile, dst->vcols);
    plan->flags |= pto_row_apply(k, &d, &s, NULL, NULL, dst->vrows);
    pto_row_done(&s);
    pto_row_done(&d);
    pto_vec_end(dst, pad);
}

/*
 * RMode 0 selects the default of the operation: RNE, but RTZ for TCVT from a
 * floating to an integer type (PTO-BLOCK-MODEL-DISPATCH-NUMERIC-CONTROL).
 */
static PtoRound rounding(const PtoPlan *plan, PtoDataType src, PtoDataType dst)
{
    if (plan->rmode != PTO_ROUND_NONE) {
        return plan->rmode;
    }
    return plan->op->id == PTO_OP_TCVT && pto_type_is_float(src) &&
           !pto_type_is_float(dst) ? PTO_ROUND_RTZ : PTO_ROUND_RNE;
}

void pto_kernel_convert(PtoPlan *plan)
{
    PtoDataType src = plan->src[0].tile->type;
    PtoDataType dst = plan->dst[0].tile.type;
    PtoStripOp k = pto_strip_convert(src, dst, rounding(plan, src, dst), plan->sat,
                                 plan->canon, plan->profile->raw_carrier);

    convert(plan, &k, plan->pad);
}

/* Zero points are integers of the quantized type. */
static int64_t zero_point(const PtoPlan *plan, PtoDataType type)
{
    return type == PTO_S8 ? (int8_t)plan->scalar1 : (uint8_t)plan->scalar1;
}

void pto_kernel_quant(PtoPlan *plan)
{
    PtoDataType type = plan->dst[0].tile.type;
    PtoStripOp k = pto_strip_quant(type, plan->scalar0, zero_point(plan, type),
                               rounding(plan, PTO_FP32, type), plan->sat);

    convert(plan, &k, PTO_PAD_NULL);
}

void pto_kernel_dequant(PtoPlan *plan)
{
    PtoDataType type = plan->src[0].tile->type;
    PtoStripOp k = pto_strip_dequant(type, plan->scalar0, zero_point(plan, type),
                                 rounding(plan, type, PTO_FP32),
                                 plan->profile->raw_carrier);

    convert(plan, &k, PTO_PAD_NULL);
}
