/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Matrix products element by element: the chain of the numeric engine that
 * defines the result, and the raw-carrier sums of the reference model.
 */
#include "tile/port.h"
#include "tile/numeric.h"
#include "tile/kernels/matrix.h"

static uint32_t scale_word(const PtoMatProblem *p, bool right, unsigned index,
                           unsigned group)
{
    if (!right) {
        return pto_mat_view_get(&p->sa, index, group);
    }
    return p->sb_by_column ? pto_mat_view_get(&p->sb, index, group)
                           : pto_mat_view_get(&p->sb, group, index);
}

/* Exact value of one scaled operand of a term. */
static PtoNum operand(const PtoMatProblem *p, bool right, unsigned index,
                      unsigned k, uint32_t *flags)
{
    const PtoMatView *v = right ? &p->b : &p->a;
    const PtoMatView *s = right ? &p->sb : &p->sa;
    PtoNum x = pto_num_unpack(v->type, right ? pto_mat_view_get(v, k, index)
                                             : pto_mat_view_get(v, index, k));

    if (s->data) {
        uint32_t word = scale_word(p, right, index, k / pto_mat_group(v->type));
        PtoNum f = pto_num_unpack(PTO_FP32, pto_mat_factor(v->type, word, k));

        return pto_num_mul(&x, &f, flags);
    }
    return x;
}

static uint32_t float_chain(const PtoMatProblem *p, unsigned r, unsigned j,
                            uint32_t acc)
{
    const PtoFormat *fp32 = pto_format(PTO_FP32);
    uint32_t flags = 0;

    for (unsigned k = 0; k < p->k; k++) {
        PtoNum a = operand(p, false, r, k, &flags);
        PtoNum b = operand(p, true, j, k, &flags);
        PtoNum c = pto_num_unpack(PTO_FP32, acc);
        PtoNum sum = pto_num_fma(&a, &b, &c, PTO_ROUND_RNE, &flags);

        acc = pto_num_round(fp32, &sum, PTO_ROUND_RNE, false, &flags);
    }
    if (p->bias.data) {
        PtoNum a = pto_num_unpack(PTO_FP32, acc);
        PtoNum b = pto_num_unpack(PTO_FP32, pto_mat_view_get(&p->bias, 0, j));
        PtoNum sum = pto_num_add(&a, &b, PTO_ROUND_RNE, &flags);

        acc = pto_num_round(fp32, &sum, PTO_ROUND_RNE, false, &flags);
    }
    return acc;
}

/* Carrier of one element: sign extended if its type is signed. */
static uint32_t carrier(const PtoMatView *v, uint64_t bits, bool packed_signed)
{
    unsigned width = pto_type_bits(v->type);

    if (pto_type_is_signed(v->type) && width < 32 &&
        (width > 4 || packed_signed)) {
        uint32_t sign = 1u << (width - 1);

        return ((uint32_t)bits ^ sign) - sign;
    }
    return bits;
}

static uint32_t integer_chain(const PtoMatProblem *p, unsigned r, unsigned j,
                              uint32_t acc)
{
    for (unsigned k = 0; k < p->k; k++) {
        acc += carrier(&p->a, pto_mat_view_get(&p->a, r, k), true) *
               carrier(&p->b, pto_mat_view_get(&p->b, k, j), true);
    }
    return p->bias.data ? acc + (uint32_t)pto_mat_view_get(&p->bias, 0, j)
                        : acc;
}

void pto_mat_product_reference(const PtoMatProblem *p, const uint32_t *c)
{
    bool integer = pto_type_is_integer(p->acc);

    for (unsigned j = 0; j < p->n; j++) {
        uint32_t *d = p->d + (size_t)j * p->lda;

        for (unsigned r = 0; r < p->lda; r++) {
            uint32_t acc = c ? c[(size_t)j * p->lda + r] : 0;

            d[r] = r >= p->m ? 0 : integer ? integer_chain(p, r, j, acc)
                                           : float_chain(p, r, j, acc);
        }
    }
}

void pto_mat_product_raw(const PtoMatProblem *p, const uint32_t *c)
{
    /* Lanes of S4X2 count 0..15 here, as the model's carriers do. */
    for (unsigned j = 0; j < p->n; j++) {
        uint32_t *d = p->d + (size_t)j * p->lda;

        memset(d, 0, p->lda * sizeof(*d));
        for (unsigned r = 0; r < p->m; r++) {
            uint32_t acc = c ? c[(size_t)j * p->lda + r] : 0;

            for (unsigned k = 0; k < p->k; k++) {
                uint32_t a = carrier(&p->a, pto_mat_view_get(&p->a, r, k),
                                     false);
                uint32_t b = carrier(&p->b, pto_mat_view_get(&p->b, k, j),
                                     false);

                if (p->sa.data) {
                    a *= scale_word(p, false, r, k / pto_mat_group(p->a.type));
                }
                if (p->sb.data) {
                    b *= scale_word(p, true, j, k / pto_mat_group(p->b.type));
                }
                acc += a * b;
            }
            d[r] = p->bias.data ?
                   acc + (uint32_t)pto_mat_view_get(&p->bias, 0, j) : acc;
        }
    }
}
