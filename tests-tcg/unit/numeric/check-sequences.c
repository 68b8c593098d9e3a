/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Vectors whose result depends on a whole row: reductions and sorts.
 */
#include "case.h"

static bool reduce_op(const char *name, PtoReduceOp *op)
{
    static const char *const names[] = {
        [PTO_REDUCE_SUM] = "SUM", [PTO_REDUCE_PROD] = "PROD",
        [PTO_REDUCE_MAX] = "MAX", [PTO_REDUCE_MIN] = "MIN",
        [PTO_REDUCE_ARGMAX] = "ARGMAX", [PTO_REDUCE_ARGMIN] = "ARGMIN",
    };

    for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
        if (!strcmp(name, names[i])) {
            *op = i;
            return true;
        }
    }
    return false;
}

static void check_reduce(NumericCase *c, PtoReduceOp op)
{
    CaseValues x = case_values(c, "x"), r = case_values(c, "r");
    PtoReduce state;
    uint32_t flags = 0;

    pto_reduce_start(&state, op, case_type(c, "type"));
    for (size_t i = 0; i < x.n; i++) {
        pto_reduce_step(&state, x.v[i], &flags);
    }
    case_expect(c, "result", 0, pto_reduce_finish(&state),
                r.n ? r.v[0] : case_number(c, "index", UINT64_MAX));
    case_expect(c, "flags", 0, flags, case_flags(c, "flags"));
}

/* Stable insertion sort of original indices; groups are short. */
static void sort_group(PtoDataType type, bool descending, const uint64_t *x,
                       size_t *index, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t k = i;

        while (k && pto_sort_before(type, descending, x[i], x[index[k - 1]])) {
            index[k] = index[k - 1];
            k--;
        }
        index[k] = i;
    }
}

static uint32_t snan_flags(PtoDataType type, CaseValues x)
{
    uint32_t flags = 0;

    for (size_t i = 0; i < x.n; i++) {
        flags |= pto_elem_snan(type, x.v[i]) ? PTO_FLAG_NV : 0;
    }
    return flags;
}

static void check_sort(NumericCase *c)
{
    PtoDataType type = case_type(c, "type");
    bool descending = case_number(c, "descending", 0);
    size_t group = case_number(c, "group", 32);
    CaseValues x = case_values(c, "x"), r = case_values(c, "r");
    CaseValues want = case_values(c, "index");
    size_t *index = pto_alloc0((x.n + 1) * sizeof(*index));

    for (size_t base = 0; base < x.n; base += group) {
        size_t n = MIN(group, x.n - base);

        sort_group(type, descending, x.v + base, index, n);
        for (size_t i = 0; i < n; i++) {
            case_expect(c, "r", base + i, x.v[base + index[i]],
                        case_at(r, base + i));
            case_expect(c, "index", base + i, index[i],
                        case_at(want, base + i));
        }
    }
    case_expect(c, "flags", 0, snan_flags(type, x), case_flags(c, "flags"));
    pto_free(index);
}

static void check_merge(NumericCase *c)
{
    PtoDataType type = case_type(c, "type");
    bool descending = case_number(c, "descending", 0);
    CaseValues a = case_values(c, "a"), b = case_values(c, "b");
    CaseValues r = case_values(c, "r");
    size_t i = 0, k = 0;

    for (size_t out = 0; out < a.n + b.n; out++) {
        bool right = i == a.n || (k < b.n && pto_sort_before(
                         type, descending, b.v[k], a.v[i]));

        case_expect(c, "r", out, right ? b.v[k++] : a.v[i++], case_at(r, out));
    }
    case_expect(c, "flags", 0, snan_flags(type, a) | snan_flags(type, b),
                case_flags(c, "flags"));
}

bool check_sequence_op(NumericCase *c, const char *op)
{
    static const char prefix[] = "T{ROW,COL}";
    PtoReduceOp reduce;

    if (!strncmp(op, prefix, strlen(prefix)) &&
        reduce_op(op + strlen(prefix), &reduce)) {
        check_reduce(c, reduce);
    } else if (!strcmp(op, "TSORT")) {
        check_sort(c);
    } else if (!strcmp(op, "TMRGSORT")) {
        check_merge(c);
    } else {
        return false;
    }
    return true;
}
