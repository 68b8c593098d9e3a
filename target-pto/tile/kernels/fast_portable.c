/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Row loops for any host.
 */
#include "tile/port.h"
#include "tile/kernels/fast.h"

#pragma GCC optimize ("O3", "no-math-errno", "fp-contract=off")

#define PTO_TARGET
#define PTO_HAVE_FMA 0
#define PTO_HAVE_F16C 0
#define PTO_TABLE pto_fast_portable

#include "fast_loops.c.inc"
