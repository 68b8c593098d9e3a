/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fast TCVT of a rectangle.
 */
#include "tile/port.h"
#include "tile/kernels/narrow.h"
#include "tile/kernels/rows.h"

bool pto_rows_convert_fast(PtoDataType src, PtoDataType dst, PtoRowsOut out,
                           PtoRows in, size_t rows, size_t cols, PtoRound mode,
                           bool sat, bool canon, uint32_t *flags)
{
    (void)src; (void)dst; (void)out; (void)in; (void)rows; (void)cols;
    (void)mode; (void)sat; (void)canon; (void)flags;
    return false;
}
