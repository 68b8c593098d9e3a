/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces of streams that several tests use. */
#ifndef PTO_TEST_STREAMS_H
#define PTO_TEST_STREAMS_H

#include "core-env.h"

/* Tiles that the streams start from: U8 16 x 8 in hand T, slot 0. */
#define T0 LOAD_TILE(U8, 16, 8, 0x1000, 0, 1, ONE(0))
/* U32 16 x 2 of displacements in hand U: small, so every address is legal. */
#define INDICES \
    POKE(0x3000, 0), POKE(0x3008, 0), POKE(0x3010, 0), POKE(0x3018, 0), \
    POKE(0x3020, 0), POKE(0x3028, 0), POKE(0x3030, 0), POKE(0x3038, 0), \
    LOAD_TILE(U32, 16, 1, 0x3000, 1, 1, ONE(0))
/* Header of an indexed transfer of 16 x 1 from r5. */
#define GATHER(fn, type) \
    GPR(5, 0x4000), TLSU(fn, type), DIM(0, 16), IOR(0, 5, 0, 0)
/* S register: U8 16 x 8 from PE 0. */
#define SHARED_LOAD(id) \
    GPR(1, 0x2000), GPR(2, 16), TLSU(0, U8), DIM(0, 16), DIM(1, 8), DIM(2, 16), \
    IOR(0, 1, 2, 0), IOS(id, 1, ONE(0)), STOP()
/* CUBE_M16 U8 tile of 16 columns (2 CELLs) and 16 rows in hand M. */
#define CELLS(cols, rows, layout, size) \
    GPR(1, 0x1000), GPR(2, 64), TLSU(0, U8), DIM(0, cols), DIM(1, rows), \
    DATR(31, layout, 3, 0, 0, 0, 0), IOR(0, 1, 2, 0), DST(2, size, ONE(0)), STOP()
#define M32 21
#define M16 22
#define N8 23
/* One writer of 128 bytes, CELL @imm of memory, of a Local parent in hand N. */
#define WRITER(type, cols, rows, init, last, imm, parent) \
    GPR(1, 0x1000 + 128 * (imm)), GPR(2, (cols) * pto_bytes_of(PTO_##type)), TLSU(0, type), \
    DIM(0, cols), DIM(1, rows), DIM(2, cols), IOR(0, 1, 2, 0), \
    DST(3, 1, ONE(0)), ASSEMBLE(init, last, 0, imm, parent)
#define SHARED_WRITER(id, mode, init, last, imm, parent) \
    GPR(1, 0x2000 + 128 * (imm)), GPR(2, 16), TLSU(0, U8), DIM(0, 16), DIM(1, 8), DIM(2, 16), \
    IOR(0, 1, 2, 0), IOS(id, 1, mode), ASSEMBLE(init, last, 0, imm, parent)

#endif
