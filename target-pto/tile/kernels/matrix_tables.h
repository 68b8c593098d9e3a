/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * FP32 values of the 8, 6 and 4-bit formats: BF16 holds all of them exactly.
 * Only for matrix.c; the unit test compares them with the numeric engine.
 */
#ifndef PTO_TILE_MATRIX_TABLES_H
#define PTO_TILE_MATRIX_TABLES_H

/* BF16 fields: 1.f * 2^e with @f in seven bits. */
#define BF(e, f) (((e) + 127) << 7 | (f))

/* Magnitude code @i of a format with @fb fraction bits and @bias. */
#define MINIFLOAT(i, fb, bias) \
    ((i) == 0 ? 0 : \
     (i) >> (fb) ? BF(((i) >> (fb)) - (bias), \
                      ((i) & ((1 << (fb)) - 1)) << (7 - (fb))) : \
     (i) == 1 ? BF(1 - (bias) - (fb), 0) : \
     (i) < 4 ? BF(2 - (bias) - (fb), ((i) & 1) << 6) : \
               BF(3 - (bias) - (fb), ((i) & 3) << 5))

#define E4M3(i) ((i) == 0x7f ? 0x7fc0 : MINIFLOAT(i, 3, 7))
#define E5M2(i) ((i) > 0x7c ? 0x7fc0 : (i) == 0x7c ? 0x7f80 : \
                 MINIFLOAT(i, 2, 15))
/* Six-bit formats carry their sign in code bit 5. */
#define E3M2(i) (MINIFLOAT((i) & 0x1f, 2, 3) | ((i) & 0x20) << 10)
#define E2M3(i) (MINIFLOAT((i) & 0x1f, 3, 1) | ((i) & 0x20) << 10)

/* Sign-magnitude exponent of HiF8: magnitude 2^w + low bits, @s is its sign. */
#define HIF8_EXP(s, mag) ((s) ? -(mag) : (mag))
#define HIF8(i) \
    ((i) == 0 ? 0 : \
     (i) == 0x6f ? 0x7f80 : \
     (i) < 8 ? BF((i) - 23, 0) : \
     (i) < 16 ? BF(0, ((i) & 7) << 4) : \
     (i) < 32 ? BF(HIF8_EXP((i) >> 3 & 1, 1), ((i) & 7) << 4) : \
     (i) < 64 ? BF(HIF8_EXP((i) >> 4 & 1, 2 + ((i) >> 3 & 1)), \
                   ((i) & 7) << 4) : \
     (i) < 96 ? BF(HIF8_EXP((i) >> 4 & 1, 4 + ((i) >> 2 & 3)), \
                   ((i) & 3) << 5) : \
                BF(HIF8_EXP((i) >> 4 & 1, 8 + ((i) >> 1 & 7)), \
                   ((i) & 1) << 6))

/* E2M1, and E1M2 which HiF4 shares; code bit 3 is the sign. */
#define E2M1(i) (MINIFLOAT((i) & 7, 1, 1) | ((i) & 8) << 12)
#define E1M2(i) (MINIFLOAT((i) & 7, 2, 1) | ((i) & 8) << 12)

#define ROW4(f, i) f((i)), f((i) + 1), f((i) + 2), f((i) + 3)
#define ROW16(f, i) ROW4(f, i), ROW4(f, (i) + 4), ROW4(f, (i) + 8), \
                    ROW4(f, (i) + 12)
#define ROW128(f) ROW16(f, 0), ROW16(f, 16), ROW16(f, 32), ROW16(f, 48), \
                  ROW16(f, 64), ROW16(f, 80), ROW16(f, 96), ROW16(f, 112)

/* The last entry is code 0x80: HiF8 has no negative zero but its NaN there. */
static const uint16_t table_e4m3[129] = { ROW128(E4M3), 0x8000 };
static const uint16_t table_e5m2[129] = { ROW128(E5M2), 0x8000 };
static const uint16_t table_e3m2[129] = { ROW128(E3M2), 0x8000 };
static const uint16_t table_e2m3[129] = { ROW128(E2M3), 0x8000 };
static const uint16_t table_hif8[129] = { ROW128(HIF8), 0x7fc0 };
static const uint16_t table_e2m1[16] = { ROW16(E2M1, 0) };
static const uint16_t table_e1m2[16] = { ROW16(E1M2, 0) };

#endif
