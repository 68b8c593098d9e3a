/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A core of up to four PEs around the tile core, and streams: tables of header
 * commands and block ends that run on it.
 */
#ifndef PTO_TEST_CORE_ENV_H
#define PTO_TEST_CORE_ENV_H

#include "tile/commit.h"

#define MEM_BYTES (1u << 20)
#define PAGE_BYTES 4096u

typedef struct Core {
    uint8_t mem[MEM_BYTES];
    uint64_t bad;               /* byte that faults, UINT64_MAX: none */
    uint64_t bad_page;          /* page number that faults, UINT64_MAX: none */
    bool bad_write_only;        /* they fault for writes only */
    size_t mem_used;            /* bytes from 0 that snapshots look at */
    bool slow;                  /* no host pointers: every access is copied */
    PtoTileProfile profile;
    PtoTileCore shared;
    unsigned pes;
    PtoLocalTiles local[PTO_PES];
    uint64_t gpr[PTO_PES][24];
    /* streams */
    PtoBundle bundle[PTO_PES];
    bool active[PTO_PES], body[PTO_PES];
    unsigned pe;
    uint64_t pc;
} Core;

extern unsigned checks_passed, checks_failed;

#define CHECK(cond) \
    do { \
        if (cond) { \
            checks_passed++; \
        } else { \
            printf("%s:%d: %s\n", __func__, __LINE__, #cond); \
            checks_failed++; \
        } \
    } while (0)

/* Print the totals; the exit status of main. */
int checks_done(void);

typedef enum Machine {
    M_PTO,                      /* one PE */
    M_FOUR,                     /* four PEs with programs of their own */
    M_TWO,
    M_NEVER,                    /* one PE, tile-retire=never */
    M_REF,                      /* the single-program view */
} Machine;

/* Core with profile `pto` and @pes programs; memory has a fixed pattern. */
Core *core_new(unsigned pes);
Core *core_machine(Machine m);
void core_free(Core *c);
PtoCommit core_commit(Core *c, unsigned pe, const PtoBundle *b);

/* Everything that a rejected block may not change, as bytes to compare. */
typedef struct Snapshot {
    uint8_t *mem, *local[PTO_PES], *shared;
    size_t local_bytes[PTO_PES], shared_bytes;
} Snapshot;

Snapshot snapshot_take(Core *c);
bool snapshot_equal(Core *c, const Snapshot *s);
void snapshot_free(Snapshot *s);

/* --- streams --- */

typedef enum StepKind {
    S_END, S_START, S_DIM, S_CATR, S_DATR, S_HINT, S_FPATR, S_IOR, S_IOT, S_IOS,
    S_SUBVIEW, S_ASSEMBLE, S_SCALAR, S_STOP,
    S_PE, S_GPR, S_BPC, S_BAD, S_POKE, S_LIMIT, S_FREE, S_UNDEFINE,
    S_REFUSED, S_WAITS, S_NOOP,
} StepKind;

typedef struct Step {
    uint8_t kind;
    int64_t v[10];
} Step;

/* PEMode of one PE, of all four, of none. */
#define ONE(pe) ((pe) + 1)
#define ALL 7
#define NOBODY 0

#define START(cls, sel, type) { S_START, { PTO_OPCLASS_##cls, sel, PTO_##type } }
#define START_RAW(cls, sel, type) { S_START, { cls, sel, type } }
#define TLSU(fn, type) START(TLSU, fn, type)
#define DIM(n, v) { S_DIM, { n, v } }
#define CATR() { S_CATR, { 0 } }
#define HINT() { S_HINT, { 0 } }
#define DATR(type, layout, pad, cmode, rmode, sat, canon) \
    { S_DATR, { type, layout, pad, cmode, rmode, sat, canon } }
#define FPATR(quant, relu, group) { S_FPATR, { quant, relu, group } }
#define IOR(d, a, b, c) { S_IOR, { d, a, b, c } }
#define IOT(dst, srcs, hand, size, mode, s0, s1, last) \
    { S_IOT, { dst, srcs, hand, size, mode, s0, s1, last } }
#define DST(hand, size, mode) IOT(1, 0, hand, size, mode, 0, 0, 1)
#define SRC(code, mode) IOT(0, 1, 0, 0, mode, code, 0, 1)
#define SRC2(a, b, mode) IOT(0, 2, 0, 0, mode, a, b, 1)
#define SRC_DST(code, hand, size, mode) IOT(1, 1, hand, size, mode, code, 0, 1)
#define IOS(id, size, mode) { S_IOS, { id, size, mode } }
#define SUBVIEW(sel, reg, imm, size) { S_SUBVIEW, { sel, reg, imm, size } }
#define ASSEMBLE(init, last, reg, imm, size) \
    { S_ASSEMBLE, { init, last, reg, imm, size } }
/* A scalar instruction: enters the body, closes the modifier group. */
#define SCALAR() { S_SCALAR, { 0 } }
/* Block end. */
#define STOP() { S_STOP, { 0 } }
/* Not instructions: executing PE, a GPR of it, PC, memory, pool, tiles. */
#define ON_PE(n) { S_PE, { n } }
#define GPR(r, v) { S_GPR, { r, v } }
#define BPC(v) { S_BPC, { v } }
#define BAD(addr) { S_BAD, { addr } }
#define POKE(addr, v) { S_POKE, { addr, v } }
#define LIMIT(local, shared) { S_LIMIT, { local, shared } }
#define FREE(slot) { S_FREE, { slot } }
#define UNDEFINE(slot) { S_UNDEFINE, { slot } }
/* Outcome of the step before; every other step has to succeed. */
#define REFUSED(rule) { S_REFUSED, { PTO_RULE_##rule } }
#define WAITS() { S_WAITS, { 0 } }
#define DOES_NOTHING() { S_NOOP, { 0 } }

#define STREAM(...) ((const Step[]) { __VA_ARGS__, { S_END, { 0 } } })

/* TLOAD of @rows rows of @cols @type from @addr (r1, dense) into @hand. */
#define LOAD_TILE(type, cols, rows, addr, hand, size, mode) \
    GPR(1, addr), GPR(2, (cols) * pto_bytes_of(PTO_##type)), TLSU(0, type), \
    DIM(0, cols), DIM(1, rows), DIM(2, cols), IOR(0, 1, 2, 0), \
    DST(hand, size, mode), STOP()
/* Bytes of an element in initializers (4-bit types: not for them). */
#define pto_bytes_of(t) \
    ((t) == PTO_FP64 || (t) == PTO_U64 || (t) == PTO_S64 ? 8 \
     : (t) == PTO_FP32 || (t) == PTO_U32 || (t) == PTO_S32 ? 4 \
     : (t) == PTO_FP16 || (t) == PTO_U16 || (t) == PTO_S16 ? 2 : 1)

/*
 * Run a stream. False, with a line naming @name and the step, when a step has
 * another outcome than the stream says. Rules that rejected something are added
 * to @seen (PTO_RULE_COUNT flags) unless it is NULL.
 */
bool stream_run(Core *c, const char *name, const Step *steps, bool *seen);

#endif
