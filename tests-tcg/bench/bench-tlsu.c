/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TLOAD followed by TSTORE of one tile through the whole commit pipeline,
 * against two memcpy of the same bytes. Every TLOAD makes a new tile and the
 * oldest one is retired, so the memcpy side rotates over as many buffers as there
 * are tiles alive. An argument selects the rows that contain it. The sides alternate; processor time, best of nine.
 */
#include <time.h>
#include "tile/commit.h"

#define REPEAT 400
#define ROUNDS 9
#define RAM (1u << 20)

static uint8_t *ram;

static uint64_t read_scalar(void *opaque, unsigned pe, unsigned sel)
{
    (void)pe;
    return ((uint64_t *)opaque)[sel];
}

static PtoFault probe(void *opaque, uint64_t addr, uint64_t len, bool write,
                      unsigned align, uint64_t *fault_addr)
{
    (void)opaque;
    (void)write;
    *fault_addr = addr;
    return addr % align || addr > RAM || len > RAM - addr ? PTO_FAULT_DATA_PAGE
                                                          : PTO_FAULT_NONE;
}

static void *host(void *opaque, uint64_t addr, uint64_t len, bool write)
{
    (void)opaque;
    (void)len;
    (void)write;
    return ram + addr;
}

static const PtoAccess access_table = {
    .read_scalar = read_scalar, .probe = probe, .host = host,
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

typedef struct Shape {
    const char *name;
    PtoDataType type;
    unsigned cols, rows, phys, size, layout;
    uint64_t stride;
} Shape;

static const Shape shapes[] = {
    { "64 KiB FP32 row-major", PTO_FP32, 256, 64, 256, 10, 0, 1024 },
    { "64 KiB FP32 row-major, stride", PTO_FP32, 256, 64, 256, 10, 0, 2048 },
    { "64 KiB U8 row-major, 250 valid", PTO_U8, 250, 256, 256, 10, 0, 256 },
    { "4 KiB FP16 row-major", PTO_FP16, 64, 32, 64, 6, 0, 128 },
    { "16 KiB FP16 CUBE_M32", PTO_FP16, 256, 32, 0, 8, 21, 512 },
    { "16 KiB FP16 CUBE_M16", PTO_FP16, 512, 16, 0, 8, 22, 1024 },
    { "16 KiB FP16 CUBE_N8", PTO_FP16, 128, 64, 0, 8, 23, 256 },
    { "16 KiB FP32 CUBE_M32", PTO_FP32, 128, 32, 0, 8, 21, 512 },
    { "16 KiB FP32 CUBE_N8", PTO_FP32, 64, 64, 0, 8, 23, 256 },
    { "16 KiB U8 CUBE_M32", PTO_U8, 512, 32, 0, 8, 21, 512 },
    { "16 KiB U8 CUBE_M16", PTO_U8, 1024, 16, 0, 8, 22, 1024 },
    { "16 KiB U8 CUBE_N8", PTO_U8, 128, 128, 0, 8, 23, 128 },
    { "16 KiB U4 CUBE_M32", PTO_U4X2, 1024, 32, 0, 8, 21, 512 },
    { "16 KiB U4 CUBE_M16", PTO_U4X2, 2048, 16, 0, 8, 22, 1024 },
    { "16 KiB U4 CUBE_N8", PTO_U4X2, 256, 128, 0, 8, 23, 128 },
    { "16 KiB U4 row-major", PTO_U4X2, 256, 128, 256, 8, 0, 128 },
    { "16 KiB U4 row-major, 255 valid", PTO_U4X2, 255, 128, 256, 8, 0, 128 },
    { "16 KiB FP32 column-major", PTO_FP32, 64, 64, 64, 8, 1, 256 },
    { "16 KiB FP16 column-major", PTO_FP16, 128, 64, 128, 8, 1, 256 },
    { "16 KiB U8 column-major", PTO_U8, 128, 128, 128, 8, 1, 128 },
    { "16 KiB U4 column-major", PTO_U4X2, 256, 128, 256, 8, 1, 128 },
    { "16 KiB FP16 ZN", PTO_FP16, 128, 64, 128, 8, 3, 256 },
    { "16 KiB U8 ZN", PTO_U8, 128, 128, 128, 8, 3, 128 },
    { "16 KiB FP32 ZN", PTO_FP32, 64, 64, 64, 8, 3, 256 },
    { "16 KiB U4 ZN", PTO_U4X2, 256, 128, 256, 8, 3, 128 },
    { "16 KiB FP16 NZ", PTO_FP16, 128, 64, 128, 8, 4, 256 },
    { "16 KiB U8 NZ", PTO_U8, 128, 128, 128, 8, 4, 128 },
};

static PtoBundle bundle(const Shape *s, bool load)
{
    PtoBundleOp op = { .valid = true, .op_class = PTO_OPCLASS_TLSU,
                       .selector_valid = true, .selector = !load,
                       .dtype_valid = true, .dtype = s->type };
    PtoBundle b;

    pto_bundle_clear(&b);
    pto_bundle_install(&b, &op, 0);
    if (s->layout && s->layout < 21) {
        PtoDatr d = { .layout = s->layout };

        pto_bundle_dim(&b, true, 2, s->phys);
        if (load) {
            pto_bundle_datr(&b, true, &d);
        }
    } else if (s->layout) {
        PtoDatr d = { .dtype = PTO_DTYPE_NONE, .pad = PTO_PAD_ZERO,
                      .layout = s->layout + (load ? 0 : 3) };

        pto_bundle_datr(&b, true, &d);
    } else {
        pto_bundle_dim(&b, true, 2, s->phys);
    }
    pto_bundle_dim(&b, true, 0, s->cols);
    pto_bundle_dim(&b, true, 1, s->rows);
    pto_bundle_ior(&b, true, 0, load ? 1 : 3, 2, 0);
    pto_bundle_iot(&b, true, load, !load, 0, load ? s->size : 0, 1, 0, 0, true);
    return b;
}

static double tile_pass(const Shape *s, PtoLocalTiles *l, PtoTileCore *core)
{
    uint64_t gpr[24] = { 0, 0, s->stride, RAM / 2 };
    PtoBundle load = bundle(s, true), store = bundle(s, false);
    PtoTileCtx ctx = { .profile = &pto_tile_profile_pto, .access = &access_table,
                       .opaque = gpr, .pe_count = 1, .local = l, .core = core };
    double t = now();

    for (unsigned i = 0; i < REPEAT; i++) {
        PtoCommit r;

        ctx.bundle = &load;
        pto_tile_commit(&ctx);
        ctx.bundle = &store;
        r = pto_tile_commit(&ctx);
        if (r.status != PTO_COMMIT_DONE) {
            printf("refused: %s\n", r.fault.rule);
            exit(1);
        }
    }
    return now() - t;
}

static double copy_pass(const Shape *s, uint8_t *pool)
{
    unsigned buffers = s->size == 10 ? 5 : 17;
    size_t row = pto_row_bytes(s->cols, s->type);
    double t = now();

    for (unsigned i = 0; i < REPEAT; i++) {
        uint8_t *tile = pool + i % buffers * 65536;

        memcpy(tile, ram, row * s->rows);
        __asm__ volatile("" : : "r"(tile) : "memory");
        memcpy(ram + RAM / 2, tile, row * s->rows);
        __asm__ volatile("" : : "r"(ram) : "memory");
    }
    return now() - t;
}

int main(int argc, char **argv)
{
    static PtoLocalTiles local;
    static PtoTileCore core;
    uint8_t *pool = pto_alloc_aligned(17 * 65536);

    memset(pool, 0, 17 * 65536);
    ram = pto_alloc_aligned(RAM);
    memset(ram, 1, RAM);
    pto_local_init(&local);
    pto_core_init(&core);
    printf("%-34s %12s %12s %7s\n", "TLOAD + TSTORE", "tile GB/s",
           "memcpy GB/s", "ratio");
    for (unsigned i = 0; i < ARRAY_SIZE(shapes); i++) {
        const Shape *s = &shapes[i];
        double bytes = 2.0 * REPEAT * pto_row_bytes(s->cols, s->type) * s->rows;
        double best = 1e9, ref = 1e9;

        if (argc > 1 && !strstr(s->name, argv[1])) {
            continue;
        }
        for (unsigned r = 0; r < ROUNDS; r++) {
            best = MIN(best, tile_pass(s, &local, &core));
            ref = MIN(ref, copy_pass(s, pool));
        }
        printf("%-34s %12.2f %12.2f %7.2f\n", s->name, bytes / best / 1e9,
               bytes / ref / 1e9, ref / best);
        pto_local_reset(&local);
    }
    return 0;
}
