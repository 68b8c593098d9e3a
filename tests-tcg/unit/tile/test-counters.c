/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each kind of block adds to the counters of its PE. */
#include "core-env.h"

typedef struct Case {
    const char *name;
    const Step *before, *block;
    PtoTileCounters want;       /* added by @block */
} Case;

#define T0 LOAD_TILE(FP32, 8, 4, 0x1000, 0, 1, ONE(0))
#define LANES LOAD_TILE(U8, 16, 1, 0x3000, 1, 1, ONE(0))
#define DATA LOAD_TILE(U16, 16, 1, 0x1000, 0, 1, ONE(0))
#define SHARED_T0 \
    GPR(1, 0x1000), GPR(2, 32), TLSU(0, FP32), DIM(0, 8), DIM(1, 4), DIM(2, 8), \
    IOR(0, 1, 2, 0), IOS(5, 1, ONE(0)), STOP()
#define NOTHING STREAM(ON_PE(0))
/* FP32 operands of a product of 16 x 24 by 24 x 8, from zeroed memory. */
#define CELLS(cols, rows, layout, hand, size) \
    TLSU(0, FP32), DIM(0, cols), DIM(1, rows), DATR(31, layout, 3, 0, 0, 0, 0), \
    IOR(0, 0, 0, 0), DST(hand, size, ONE(0)), STOP()

static const Case cases[] = {
    { "TLOAD", NOTHING, STREAM(LOAD_TILE(U16, 16, 3, 0x1000, 0, 1, ONE(0))),
      { .engine = { [PTO_ENGINE_TLSU] = 1 }, .loaded = 96 } },
    { "TLOAD of 3 nibbles", NOTHING,
      STREAM(TLSU(0, U4X2), DIM(0, 3), DIM(1, 2), DIM(2, 4), DST(0, 1, ONE(0)),
             STOP()),
      { .engine = { [PTO_ENGINE_TLSU] = 1 }, .loaded = 4 } },
    { "TSTORE", STREAM(T0),
      STREAM(TLSU(1, FP32), IOR(0, 1, 2, 0), SRC(0, ONE(0)), STOP()),
      { .engine = { [PTO_ENGINE_TLSU] = 1 }, .stored = 128 } },
    { "TMOV", STREAM(T0),
      STREAM(TLSU(2, FP32), SRC_DST(0, 1, 1, ONE(0)), STOP()),
      { .engine = { [PTO_ENGINE_TLSU] = 1 } } },
    { "TPREFETCH", NOTHING, STREAM(TLSU(3, U8), DIM(0, 16), STOP()),
      { .engine = { [PTO_ENGINE_TLSU] = 1 } } },
    { "Shared TLOAD", NOTHING, STREAM(SHARED_T0),
      { .engine = { [PTO_ENGINE_TLSU] = 1 }, .loaded = 128,
        .shared_written = 128 } },
    { "Shared TSTORE", STREAM(SHARED_T0),
      STREAM(TLSU(1, FP32), DIM(1, 3), IOR(0, 1, 2, 0), IOS(5, 0, ONE(0)),
             STOP()),
      { .engine = { [PTO_ENGINE_TLSU] = 1 }, .stored = 96, .shared_read = 128 } },
    { "TMOV to Shared", STREAM(T0),
      STREAM(TLSU(2, FP32), SRC(0, ONE(0)), IOS(5, 1, ONE(0)), STOP()),
      { .engine = { [PTO_ENGINE_TLSU] = 1 }, .shared_written = 128 } },
    { "TMOV from Shared", STREAM(SHARED_T0),
      STREAM(TLSU(2, FP32), DST(0, 1, ONE(0)), IOS(5, 0, ONE(0)), STOP()),
      { .engine = { [PTO_ENGINE_TLSU] = 1 }, .shared_read = 128 } },
    { "MGATHER", STREAM(POKE(0x3000, 0), POKE(0x3008, 0), LANES),
      STREAM(GPR(5, 0x4000), TLSU(4, U16), DIM(0, 16), IOR(0, 5, 0, 0),
             SRC_DST(16, 2, 1, ONE(0)), STOP()),
      { .engine = { [PTO_ENGINE_TLSU] = 1 }, .loaded = 32, .gathered = 32 } },
    { "MSCATTER", STREAM(POKE(0x3000, 0), POKE(0x3008, 0), LANES, DATA),
      STREAM(GPR(5, 0x4000), TLSU(5, U16), DIM(0, 16), IOR(0, 5, 0, 0),
             SRC2(0, 16, ONE(0)), STOP()),
      { .engine = { [PTO_ENGINE_TLSU] = 1 }, .stored = 32, .scattered = 32 } },
    { "TADD", STREAM(T0),
      STREAM(START(TEPL, 0, FP32), DIM(0, 8), DIM(1, 4), DIM(2, 8),
             IOT(1, 2, 1, 1, ONE(0), 0, 0, 1), STOP()),
      { .engine = { [PTO_ENGINE_VEC] = 1 }, .flops = 32 } },
    { "TADD of integers", STREAM(DATA),
      STREAM(START(TEPL, 0, U16), DIM(0, 16), DIM(1, 1), DIM(2, 16),
             IOT(1, 2, 1, 1, ONE(0), 0, 0, 1), STOP()),
      { .engine = { [PTO_ENGINE_VEC] = 1 } } },
    { "TMATMUL", STREAM(POKE(0, 0), CELLS(24, 16, 22, 1, 5), CELLS(8, 24, 23, 2, 4)),
      STREAM(START(CUBE, 0, FP32), FPATR(0, 0, 0), DIM(0, 16), DIM(1, 8),
             DIM(2, 24), IOT(1, 2, 3, 3, ONE(0), 16, 32, 1), STOP()),
      { .engine = { [PTO_ENGINE_CUBE] = 1 }, .flops = 2 * 16 * 8 * 24 } },
    { "rejected TLOAD", NOTHING,
      STREAM(LOAD_TILE(U16, 16, 3, 0x1001, 0, 1, ONE(0)),
             REFUSED(MEM_ALIGNMENT)), { .loaded = 0 } },
    { "waiting TMOV", NOTHING,
      STREAM(TLSU(2, FP32), DST(0, 1, ONE(0)), IOS(5, 0, ONE(0)), STOP(),
             WAITS()), { .loaded = 0 } },
};

#define WORDS (sizeof(PtoTileCounters) / sizeof(uint64_t))

static void words(const PtoTileCounters *c, uint64_t w[WORDS])
{
    memcpy(w, c, sizeof(*c));
}

int main(void)
{
    for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
        Core *c = core_new(1);
        uint64_t old[WORDS], now[WORDS], want[WORDS], ops, n = 0;
        bool same = true;

        memset(c->mem, 0, 0x1000);
        CHECK(stream_run(c, cases[i].name, cases[i].before, NULL));
        words(&c->local[0].count, old);
        ops = c->local[0].ops;
        CHECK(stream_run(c, cases[i].name, cases[i].block, NULL));
        words(&c->local[0].count, now);
        words(&cases[i].want, want);
        for (unsigned w = 0; w < WORDS; w++) {
            same &= now[w] - old[w] == want[w];
            n += w < PTO_ENGINE_COUNT ? want[w] : 0;
            if (now[w] - old[w] != want[w]) {
                printf("%s: word %u: %" PRIu64 " instead of %" PRIu64 "\n",
                       cases[i].name, w, now[w] - old[w], want[w]);
            }
        }
        CHECK(same && c->local[0].ops - ops == n);
        core_free(c);
    }
    return checks_done();
}
