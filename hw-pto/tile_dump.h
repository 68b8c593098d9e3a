/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: write one tile register to a file.
 */
#ifndef HW_PTO_TILE_DUMP_H
#define HW_PTO_TILE_DUMP_H

#include "target/pto/tile/state.h"

/**
 * pto_tile_dump_text: one line per row of the valid region, undefined elements
 * as "?".
 */
bool pto_tile_dump_text(const PtoTile *t, const char *filename, Error **errp);

/**
 * pto_tile_dump_raw: the payload in storage order, capacity bytes.
 */
bool pto_tile_dump_raw(const PtoTile *t, const char *filename, Error **errp);

/**
 * pto_tile_dump_npy: NumPy array [valid rows, valid columns].  FP16, FP32,
 * FP64 and the integers keep their type; other floats become FP32 (all of
 * them are exact there), 4-bit integers become 8-bit ones, predicates bool.
 */
bool pto_tile_dump_npy(const PtoTile *t, const char *filename, Error **errp);

/**
 * pto_tile_dump_png: heat map of the valid region, at least 4 pixels an
 * element for small tiles; NaN is black, undefined is grey.
 */
bool pto_tile_dump_png(const PtoTile *t, const char *filename, Error **errp);

#endif
