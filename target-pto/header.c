/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: header commands whose operands are constants of the encoding, applied
 * to a bundle record.  The translator applies them to the record that it
 * builds, the helper to the one of the PE.
 */
#include "qemu/osdep.h"
#include "internals.h"

static PtoFaultInfo do_start(PtoBundle *b, uint32_t bits)
{
    PtoBundleOp op = {
        .valid = true,
        .op_class = bits & 15,
        .selector_valid = true,
        .selector = extract32(bits, 4, 12),
        .dtype_valid = true,
        .dtype = extract32(bits, 16, 5),
        .mode_valid = extract32(bits, 21, 1),
        .mode = extract32(bits, 22, 2),
    };

    pto_bundle_install(b, &op, b->bpc);
    return PTO_OK;
}

static PtoFaultInfo do_catr(PtoBundle *b, bool in_header, uint32_t bits)
{
    PtoCatr a = {
        .trap = bits & 1, .atomic = bits >> 1 & 1, .acquire = bits >> 2 & 1,
        .release = bits >> 3 & 1, .far = bits >> 4 & 1, .dr = bits >> 5 & 1,
    };

    return pto_bundle_catr(b, in_header, &a);
}

static PtoFaultInfo do_datr(PtoBundle *b, bool in_header, uint32_t bits)
{
    PtoDatr a = {
        .dtype = bits & 31,
        .layout = extract32(bits, 5, 5),
        .pad = extract32(bits, 10, 2),
        .cmode = extract32(bits, 12, 3),
        .rmode = extract32(bits, 15, 3),
        .sat = extract32(bits, 18, 1),
        .canon = extract32(bits, 19, 1),
    };

    return pto_bundle_datr(b, in_header, &a);
}

static PtoFaultInfo do_fpatr(PtoBundle *b, bool in_header, uint32_t bits)
{
    PtoFpatr a = {
        .pre_quant_mode = bits & 63,
        .relu_mode = extract32(bits, 6, 3),
        .group_n_code = extract32(bits, 9, 4),
        .row_max_en = extract32(bits, 13, 1),
        .group_max_en = extract32(bits, 14, 1),
        .row_max_init = extract32(bits, 15, 1),
        .max_abs_en = extract32(bits, 16, 1),
        .trans_a = extract32(bits, 17, 1),
        .trans_b = extract32(bits, 18, 1),
        .c_scale_en = extract32(bits, 19, 1),
    };

    return pto_bundle_fpatr(b, in_header, &a);
}

static PtoFaultInfo do_hint(PtoBundle *b, bool in_header, uint32_t bits)
{
    PtoHint h = {
        .present = true,
        .prefetch_size = bits & 0xfff,
        .temperature = extract32(bits, 12, 2),
        .branch_likely = extract32(bits, 14, 1),
        .branch_valid = extract32(bits, 15, 1),
    };

    return pto_bundle_hint(b, in_header, &h);
}

PtoFaultInfo pto_header_command(PtoBundle *b, bool in_header,
                                PtoHeaderCommand command, uint32_t bits)
{
    switch (command) {
    case PTO_HEADER_START:
        return do_start(b, bits);
    case PTO_HEADER_CATR:
        return do_catr(b, in_header, bits);
    case PTO_HEADER_DATR:
        return do_datr(b, in_header, bits);
    case PTO_HEADER_FPATR:
        return do_fpatr(b, in_header, bits);
    case PTO_HEADER_HINT:
        return do_hint(b, in_header, bits);
    case PTO_HEADER_IOR:
        return pto_bundle_ior(b, in_header, bits & 31, extract32(bits, 5, 5),
                              extract32(bits, 10, 5), extract32(bits, 15, 5));
    case PTO_HEADER_IOT:
        return pto_bundle_iot(b, in_header, bits & 1, extract32(bits, 1, 2),
                              extract32(bits, 3, 2), extract32(bits, 5, 4),
                              extract32(bits, 9, 3), extract32(bits, 12, 6),
                              extract32(bits, 18, 6), extract32(bits, 24, 1));
    default:
        return pto_bundle_ios(b, in_header, bits & 63, extract32(bits, 6, 4),
                              extract32(bits, 10, 3));
    }
}
