/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tile kernels of the VEC and SFU operations. Each takes a complete, legal
 * plan, makes the payload and definedness of its destinations and ORs the
 * numeric flags into plan->flags.
 */
#ifndef PTO_TILE_KERNELS_VEC_H
#define PTO_TILE_KERNELS_VEC_H

#include "tile/plan.h"
#include "tile/numeric.h"

/* Element operation of a BIN_* / EXP_* / UN_* variant (schema_vec.c). */
PtoElemBinary pto_vec_binary_of(PtoSub sub);
PtoElemUnary pto_vec_unary_of(PtoSub sub);

/* elementwise.c */
void pto_kernel_binary(PtoPlan *plan);
void pto_kernel_unary(PtoPlan *plan);
void pto_kernel_fma(PtoPlan *plan);
void pto_kernel_scalar(PtoPlan *plan);
void pto_kernel_fill(PtoPlan *plan);
void pto_kernel_select(PtoPlan *plan);
void pto_kernel_select_scalar(PtoPlan *plan);

/* compare.c */
void pto_kernel_compare(PtoPlan *plan);
void pto_kernel_compare_scalar(PtoPlan *plan);

/* convert.c */
void pto_kernel_convert(PtoPlan *plan);
void pto_kernel_quant(PtoPlan *plan);
void pto_kernel_dequant(PtoPlan *plan);

/* reduce.c */
void pto_kernel_reduce_row(PtoPlan *plan);
void pto_kernel_reduce_col(PtoPlan *plan);

/* expand.c */
void pto_kernel_expand_row(PtoPlan *plan);
void pto_kernel_expand_col(PtoPlan *plan);

/* rearrange.c */
/* Row and column offset of TEXTRACT, TINSERT and TIMG2COL. */
void pto_vec_offsets(const PtoPlan *plan, uint64_t *row, uint64_t *col);
void pto_kernel_concat(PtoPlan *plan);
void pto_kernel_extract(PtoPlan *plan);
void pto_kernel_insert(PtoPlan *plan);
void pto_kernel_img2col(PtoPlan *plan);
/*
 * TIMG2COL geometry: output positions (0 when the filter does not fit), and
 * the source element of output element (@m, @k), -1 for padding.
 */
void pto_img2col_output(const PtoFeatureMap *f, uint64_t *height,
                        uint64_t *width);
int64_t pto_img2col_index(const PtoFeatureMap *f, uint64_t m, uint64_t k);
void pto_kernel_gather(PtoPlan *plan);
void pto_kernel_scatter(PtoPlan *plan);
/*
 * Rows named by @n index elements of one row of @index; a negative one and one
 * that does not fit 32 bits become UINT32_MAX.
 */
void pto_index_rows(const PtoTile *index, const void *row, uint32_t n,
                    uint32_t *to);

/* cell.c */
void pto_kernel_permute(PtoPlan *plan);
void pto_kernel_shuffle(PtoPlan *plan);
void pto_kernel_pack(PtoPlan *plan);
void pto_kernel_unpack(PtoPlan *plan);
/* Valid bytes of a row of @t. */
uint32_t pto_cell_row_bytes(const PtoTile *t);
/*
 * TPERMUTE of tiles of the right shapes: is every index in range and does it
 * name defined elements?
 */
bool pto_cell_permute_legal(const PtoPlan *plan);

/* generate.c */
void pto_kernel_ci(PtoPlan *plan);
void pto_kernel_tri(PtoPlan *plan);
void pto_kernel_histogram(PtoPlan *plan);

/* sort.c */
void pto_kernel_sort(PtoPlan *plan);
void pto_kernel_merge(PtoPlan *plan);
/*
 * Is the one-row tile @t ordered as TMRGSORT demands?
 */
bool pto_sort_ordered(const PtoTile *t, bool descending);

#endif
