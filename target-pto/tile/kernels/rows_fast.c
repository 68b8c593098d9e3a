/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Choice of a host fast path for a rectangle.
 */
#include "tile/port.h"
#include "tile/kernels/rows.h"

bool pto_rows_binary_fast(PtoElemBinary op, PtoDataType type, PtoRowsOut dst,
                          PtoRows a, PtoRows b, size_t rows, size_t cols,
                          uint32_t *flags)
{
    return false;
}

bool pto_rows_unary_fast(PtoElemUnary op, PtoDataType type, PtoRowsOut dst,
                         PtoRows a, size_t rows, size_t cols, uint32_t *flags)
{
    return false;
}

bool pto_rows_fma_fast(PtoDataType type, PtoRowsOut dst, PtoRows a, PtoRows b,
                       PtoRows c, size_t rows, size_t cols, uint32_t *flags)
{
    return false;
}

bool pto_rows_compare_fast(PtoCompare rel, PtoDataType type, uint8_t *bits,
                           size_t bit_stride, PtoRows a, PtoRows b, size_t rows,
                           size_t cols, uint32_t *flags)
{
    return false;
}

bool pto_rows_convert_fast(PtoDataType src, PtoDataType dst, PtoRowsOut out,
                           PtoRows in, size_t rows, size_t cols, PtoRound mode,
                           bool sat, bool canon, uint32_t *flags)
{
    return false;
}
