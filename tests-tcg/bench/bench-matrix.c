/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unit benchmark of the matrix product, one thread: operands in CUBE tile
 * layouts to an accumulator in CUBE layout, against sgemm of OpenBLAS (loaded
 * at run time; without it only our own figures appear).
 *
 * The two sides (ours and sgemm, then an input type and FP32) alternate inside
 * one run and the best of several rounds counts. Each side works on data that fits the first-level caches as far as
 * the shape allows.
 */
#include "tile/kernels/matrix.h"

#include <dlfcn.h>
#include <time.h>

#define ROUNDS 60
#define ROUND_SECONDS 0.0005

typedef void (*SgemmFn)(int order, int trans_a, int trans_b, int m, int n,
                        int k, float alpha, const float *a, int lda,
                        const float *b, int ldb, float beta, float *c, int ldc);

typedef struct Blas {
    SgemmFn sgemm;
    const char *core;
} Blas;

typedef struct Operands {
    PtoMatProblem problem;
    float *a, *b, *c;           /* the same shape for sgemm */
    void *memory[12];
    unsigned count;
} Operands;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static Blas load_blas(void)
{
    Blas blas = { 0 };
    void *lib;
    const char *(*corename)(void);

    /* The library must choose its kernel for this host by itself. */
    unsetenv("OPENBLAS_CORETYPE");
    unsetenv("OPENBLAS_L2_SIZE");
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    lib = dlopen("libopenblas.so.0", RTLD_NOW);
    if (!lib) {
        lib = dlopen("libopenblas.so", RTLD_NOW);
    }
    if (lib) {
        *(void **)&blas.sgemm = dlsym(lib, "cblas_sgemm");
        *(void **)&corename = dlsym(lib, "openblas_get_corename");
        blas.core = corename ? corename() : "unknown";
    }
    return blas;
}

static void *take(Operands *o, size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 127) & ~(size_t)63);

    memset(p, 0, (bytes + 127) & ~(size_t)63);
    o->memory[o->count++] = p;
    return p;
}

/* Small finite values of every format, so that no path sees special cases. */
static void fill(uint8_t *p, size_t bytes, PtoDataType type)
{
    for (size_t i = 0; i < bytes; i++) {
        p[i] = rand();
    }
    for (size_t i = 0; i + 4 <= bytes; i += 4) {
        float f = (float)(rand() % 2001 - 1000) / 512;

        if (type == PTO_FP32 || type == PTO_TF32 || type == PTO_HF32) {
            memcpy(p + i, &f, 4);
        } else if (type == PTO_FP16 || type == PTO_BF16) {
            p[i + 1] = 0x30 | (p[i + 1] & 0x8f);
            p[i + 3] = 0x30 | (p[i + 3] & 0x8f);
        } else if (pto_type_is_float(type)) {
            for (unsigned b = 0; b < 4; b++) {
                p[i + b] &= 0xb7;
            }
        }
    }
}

static PtoMatView cube_operand(Operands *o, PtoDataType type, PtoLayout layout,
                               unsigned rows, unsigned cols)
{
    unsigned bits = pto_type_bits(type);
    unsigned cr = layout == PTO_LAYOUT_M16 ? 16 : layout == PTO_LAYOUT_M32 ? 32
                  : 128 / bits;
    unsigned cc = layout == PTO_LAYOUT_N8 ? 8 : 1024 / bits / cr;
    unsigned down = (rows + cr - 1) / cr, across = (cols + cc - 1) / cc;
    uint8_t *data = take(o, (size_t)down * across * PTO_CELL_BYTES);

    fill(data, (size_t)down * across * PTO_CELL_BYTES, type);
    return (PtoMatView) {
        .data = data, .type = type, .layout = layout,
        .stride = layout == PTO_LAYOUT_N8 ? down : across,
    };
}

static PtoMatView scale_operand(Operands *o, PtoDataType primary, unsigned rows,
                                unsigned k)
{
    PtoDataType type = primary == PTO_HIF4X2 ? PTO_U32 : PTO_E8M0;
    PtoMatView v = cube_operand(o, type, PTO_LAYOUT_M32, rows,
                                (k + pto_mat_group(primary) - 1) /
                                pto_mat_group(primary));
    unsigned blocks = (rows + 31) / 32;

    for (size_t i = 0; i < (size_t)blocks * v.stride * PTO_CELL_BYTES; i++) {
        ((uint8_t *)v.data)[i] = 120 + i % 15;
    }
    return v;
}

static Operands make(unsigned m, unsigned n, unsigned k, PtoDataType type,
                     bool mx)
{
    Operands o = { 0 };
    PtoLayout layout = m <= 16 ? PTO_LAYOUT_M16 : PTO_LAYOUT_M32;
    unsigned lda = m <= 16 ? 16 : 32;

    o.problem = (PtoMatProblem) {
        .m = m, .n = n, .k = k, .lda = lda,
        .acc = pto_type_is_float(type) ? PTO_FP32 :
               pto_type_is_signed(type) ? PTO_S32 : PTO_U32,
    };
    o.problem.a = cube_operand(&o, type, layout, m, k);
    o.problem.b = cube_operand(&o, type, PTO_LAYOUT_N8, k, n);
    if (mx) {
        o.problem.sa = scale_operand(&o, type, m, k);
        o.problem.sb = scale_operand(&o, type, n, k);
        o.problem.sb_by_column = true;
    }
    o.problem.d = take(&o, (size_t)n * lda * 4);
    o.a = take(&o, (size_t)m * k * 4);
    o.b = take(&o, (size_t)k * n * 4);
    o.c = take(&o, (size_t)m * n * 4);
    fill((uint8_t *)o.a, (size_t)m * k * 4, PTO_FP32);
    fill((uint8_t *)o.b, (size_t)k * n * 4, PTO_FP32);
    return o;
}

static void drop(Operands *o)
{
    while (o->count) {
        free(o->memory[--o->count]);
    }
}

/* One whole operation: product and, for CUBE_M16, the layout of D. */
static void our_product(Operands *o, uint8_t *cells)
{
    pto_mat_product(&o->problem);
    if (o->problem.lda == 16) {
        pto_mat_store_columns(cells, o->problem.d, 16, o->problem.n);
    }
}

static void blas_product(const Blas *blas, const Operands *o)
{
    const PtoMatProblem *p = &o->problem;

    blas->sgemm(101, 111, 111, p->m, p->n, p->k, 1.0f, o->a, p->k, o->b, p->n,
                0.0f, o->c, p->n);
}

/*
 * Best time of one product of each side. The other side is sgemm or, without
 * @blas, the product of @other; its time is 0 if there is neither.
 */
static void measure(Operands *o, const Blas *blas, Operands *other,
                    double best[2])
{
    const PtoMatProblem *p = &o->problem;
    double flops = 2.0 * p->m * p->n * p->k;
    unsigned repeat = MAX(1, (unsigned)(ROUND_SECONDS * 3e10 / flops));
    uint8_t *cells = take(o, (size_t)(p->n + 1) * p->lda * 4);

    best[0] = best[1] = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned side = 0; side < (blas || other ? 2 : 1); side++) {
            double start = now(), t;

            for (unsigned i = 0; i < repeat; i++) {
                if (!side) {
                    our_product(o, cells);
                } else if (blas) {
                    blas_product(blas, o);
                } else {
                    our_product(other, cells);
                }
            }
            t = (now() - start) / repeat;
            if (!best[side] || t < best[side]) {
                best[side] = t;
            }
        }
    }
}

static void print_cpu(void)
{
    FILE *f = fopen("/proc/cpuinfo", "r");
    char line[256];

    while (f && fgets(line, sizeof(line), f)) {
        if (!strncmp(line, "model name", 10)) {
            printf("CPU %s", strchr(line, ':') + 2);
            break;
        }
    }
    if (f) {
        fclose(f);
    }
}

static void compare_with_blas(const Blas *blas, unsigned m, unsigned n,
                                unsigned k)
{
    Operands o = make(m, n, k, PTO_FP32, false);
    double flops = 2.0 * m * n * k, best[2];

    measure(&o, blas->sgemm ? blas : NULL, NULL, best);
    printf("FP32 %3ux%ux%u  %7.2f GFLOP/s", m, n, k, flops / best[0] * 1e-9);
    if (best[1]) {
        printf("  sgemm %7.2f GFLOP/s  ratio %.2f",
               flops / best[1] * 1e-9, best[1] / best[0]);
    }
    printf("\n");
    drop(&o);
}

int main(void)
{
    static const struct {
        const char *name;
        PtoDataType type;
        bool mx;
    } types[] = {
        { "FP16", PTO_FP16, false }, { "BF16", PTO_BF16, false },
        { "HiF8", PTO_HIF8, false }, { "E4M3", PTO_E4M3, false },
        { "E5M2", PTO_E5M2, false }, { "E2M1X2", PTO_E2M1X2, false },
        { "MX E4M3", PTO_E4M3, true }, { "MX E2M1X2", PTO_E2M1X2, true },
        { "MX HiF4X2", PTO_HIF4X2, true },
        { "S8", PTO_S8, false }, { "U8", PTO_U8, false },
        { "S4X2", PTO_S4X2, false }, { "S16", PTO_S16, false },
        { "U16", PTO_U16, false },
    };
    Blas blas = load_blas();
    Operands fp32;

    print_cpu();
    printf("kernels: %s, OpenBLAS: %s\n", pto_mat_kernels_best()->name,
           blas.sgemm ? blas.core : "not found");
    compare_with_blas(&blas, 16, 16, 16);
    compare_with_blas(&blas, 16, 128, 128);
    compare_with_blas(&blas, 32, 32, 32);
    compare_with_blas(&blas, 32, 128, 128);
    fp32 = make(32, 128, 128, PTO_FP32, false);
    for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
        Operands o = make(32, 128, 128, types[i].type, types[i].mx);
        double best[2];

        measure(&o, NULL, &fp32, best);
        printf("%-9s 32x128x128  %7.2f G/s  %.2f of FP32\n", types[i].name,
               2.0 * 32 * 128 * 128 / best[0] * 1e-9, best[1] / best[0]);
        drop(&o);
    }
    drop(&fp32);
    return 0;
}
