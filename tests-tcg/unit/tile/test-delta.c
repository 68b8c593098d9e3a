/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables that describe range modifiers, generations, Shared registers and
 * their transfers (sections 3 and 4 of the revision's description), row by row.
 */
#include "streams.h"

typedef struct Row {
    const char *name;
    Machine machine;
    const Step *steps;
    bool (*check)(Core *c);     /* afterwards, or NULL */
} Row;

/* --- what a row leaves behind --- */

static const PtoTile *newest(Core *c, unsigned pe, unsigned hand)
{
    int slot = pto_local_resolve(&c->local[pe], hand * 16, true);

    return slot < 0 ? NULL : &c->local[pe].tile[slot];
}

static bool same_bytes(const PtoTile *t, const Core *c, uint64_t addr, size_t n)
{
    return t && t->buf && !memcmp(t->buf->data, c->mem + addr, n);
}

static bool no_generation(Core *c)
{
    bool none = true;

    for (unsigned i = 0; i < ARRAY_SIZE(c->local[0].generation); i++) {
        none &= c->local[0].generation[i] == NULL;
    }
    for (unsigned i = 0; i < PTO_SHARED_COUNT; i++) {
        none &= c->shared.generation[i] == NULL;
    }
    return none;
}

/* Writers at CELL 1 and 0 of one parent: each lands at its offset. */
static bool parent_in_order(Core *c)
{
    const PtoTile *t = newest(c, 0, 3);

    return t && t->capacity == 256 && t->vrows == 16 && t->vcols == 16 &&
           t->contents_defined && same_bytes(t, c, 0x1000, 256) &&
           no_generation(c);
}

static bool parent_unnamed(Core *c)
{
    return !newest(c, 0, 3) && c->local[0].pool_used[0] == 256;
}

static bool dropped(Core *c)
{
    return no_generation(c) && c->local[0].pool_used[0] == 0;
}

static bool old_object_readable(Core *c)
{
    return c->shared.shared[3].published &&
           same_bytes(newest(c, 0, 0), c, 0x2000, 128) &&
           c->shared.generation[3] != NULL;
}

static bool shared_parent(Core *c)
{
    const PtoSharedTile *s = &c->shared.shared[3];

    return s->ready && s->published && s->tile.capacity == 256 &&
           s->tile.vrows == 16 && s->tile.vcols == 16 &&
           same_bytes(&s->tile, c, 0x2000, 256) && no_generation(c) &&
           c->shared.pool_used == 256;
}

/* The part that no writer defined reads as register XOR element number. */
static bool gap_reads_as_number(Core *c)
{
    const PtoTile *t = &c->shared.shared[3].tile;

    return t->contents_defined && pto_tile_get(t, 7, 0) == (3 ^ 112) &&
           pto_tile_get(t, 8, 0) == c->mem[0x2080];
}

static bool replaced_shape(Core *c)
{
    const PtoSharedTile *s = &c->shared.shared[4];

    return s->tile.type == PTO_U8 && s->tile.capacity == 256 &&
           s->alloc_mask == pto_pe_mask_of_mode(ALL);
}

static bool charged_once(Core *c)
{
    const uint32_t *used = c->local[0].pool_used;

    return used[0] == 128 && used[1] == 128 && used[2] == 128 && used[3] == 128;
}

static bool charged_one_pe(Core *c)
{
    const uint32_t *used = c->local[0].pool_used;

    return used[0] == 0 && used[1] == 128 && used[2] == 0 && used[3] == 0;
}

static bool shared_charged_once(Core *c)
{
    return c->shared.pool_used == 256 && c->local[0].pool_used[0] == 0;
}

static bool published(Core *c)
{
    const PtoSharedTile *s = &c->shared.shared[4];

    return s->ready && s->published && s->tile.contents_defined;
}

static bool unpublished(Core *c)
{
    return !c->shared.shared[3].published && !c->shared.shared[3].ready;
}

static bool pe1_stored(Core *c)
{
    return !memcmp(c->mem + 0x9000, c->mem + 0x2000, 128) &&
           memcmp(c->mem + 0x8000, c->mem + 0x2000, 128);
}

/* Every PE of the mask stores everything through its own base. */
static bool all_stored(Core *c)
{
    bool good = true;

    for (unsigned pe = 0; pe < PTO_PES; pe++) {
        good &= !memcmp(c->mem + 0x8000 + 0x1000 * pe, c->mem + 0x2000, 128);
    }
    return good;
}

/* ... and with a view the CELL of its own offset register. */
static bool all_stored_views(Core *c)
{
    bool good = true;

    for (unsigned pe = 0; pe < PTO_PES; pe++) {
        good &= !memcmp(c->mem + 0x8000 + 0x1000 * pe,
                        c->mem + 0x2000 + 128 * (3 - pe), 128);
    }
    return good;
}

/* Not even the PEs before the one that faulted. */
static bool nothing_stored(Core *c)
{
    Core *fresh = core_machine(M_REF);
    bool same = !memcmp(c->mem, fresh->mem, MEM_BYTES);

    core_free(fresh);
    return same;
}

/* Quarter i of the fragment comes through the registers of PE i. */
static bool quarters_loaded(Core *c)
{
    const PtoSharedTile *s = &c->shared.shared[6];
    bool good = s->published;

    for (unsigned pe = 0; pe < PTO_PES; pe++) {
        good &= !memcmp(s->tile.buf->data + 32 * pe,
                        c->mem + 0x2000 + 0x1000 * pe + 32 * pe, 32);
    }
    return good;
}

static bool moved_local(Core *c)
{
    return same_bytes(newest(c, 0, 1), c, 0x1000, 128);
}

static bool moved_to_shared(Core *c)
{
    return published(c) && same_bytes(&c->shared.shared[4].tile, c, 0x1000, 128);
}

static bool moved_from_shared(Core *c)
{
    const PtoTile *t = newest(c, 0, 1);

    return same_bytes(t, c, 0x2000, 128) && t->contents_defined;
}

static bool both_have_views(Core *c)
{
    bool good = true;

    for (unsigned pe = 0; pe < 2; pe++) {
        const PtoTile *t = newest(c, pe, 1);

        good &= same_bytes(t, c, 0x2000 + 128 * (1 - pe), 128) &&
                t->contents_defined;
    }
    return good;
}

/* --- pieces --- */

#define OPEN_IOT(dst, srcs) \
    TLSU(2, U8), IOT(dst, srcs, 0, dst ? 1 : 0, ALL, 0, 0, 1)
#define OPEN_IOS(size) TLSU(2, U8), IOS(0, size, ALL)
#define VIEW0 SUBVIEW(0, 0, 0, 1)
#define VIEW1 SUBVIEW(1, 0, 0, 1)
#define PART ASSEMBLE(1, 1, 0, 0, 1)
#define BAD_ROLE REFUSED(RANGE_ROLE)
#define MOVE_OUT(id, hand) \
    TLSU(2, U8), DST(hand, 1, ONE(0)), IOS(id, 0, ONE(0)), STOP()
#define STORE_ALL(id) \
    TLSU(1, U8), IOR(0, 1, 2, 0), IOS(id, 0, ALL), STOP()
/* S4 of 4 CELLs: U8 16 x 32. */
#define SHARED_4_CELLS \
    GPR(1, 0x2000), GPR(2, 16), TLSU(0, U8), DIM(0, 16), DIM(1, 32), DIM(2, 16), \
    IOR(0, 1, 2, 0), IOS(4, 3, ONE(0)), STOP()
#define BASES \
    ON_PE(0), GPR(1, 0x8000), GPR(2, 16), GPR(3, 3), \
    ON_PE(1), GPR(1, 0x9000), GPR(2, 16), GPR(3, 2), \
    ON_PE(2), GPR(1, 0xa000), GPR(2, 16), GPR(3, 1), \
    ON_PE(3), GPR(1, 0xb000), GPR(2, 16), GPR(3, 0)
#define STORE_VIEW \
    TLSU(1, U8), IOR(0, 1, 2, 0), IOS(4, 0, ALL), SUBVIEW(0, 3, 0, 1), STOP()
#define BAD_LOAD GPR(1, MEM_BYTES)

static const Row rows[] = {
    /* 3.1 B.SUBVIEW and B.ASSEMBLE fields */
    { "3.1 RegSrc 24", M_PTO, STREAM(OPEN_IOT(0, 1), SUBVIEW(0, 24, 0, 1),
      REFUSED(COMMAND_FIELD)) },
    { "3.1 RegSrc 31", M_PTO, STREAM(OPEN_IOT(1, 0), ASSEMBLE(1, 1, 31, 0, 1),
      REFUSED(COMMAND_FIELD)) },
    { "3.1 SubviewSizeCode 0", M_PTO, STREAM(OPEN_IOT(0, 1),
      SUBVIEW(0, 0, 0, 0), REFUSED(COMMAND_FIELD)) },
    { "3.1 SubviewSizeCode 13", M_PTO, STREAM(OPEN_IOT(0, 1),
      SUBVIEW(0, 0, 0, 13), REFUSED(COMMAND_FIELD)) },
    { "3.1 SubviewSizeCode 12, uimm11 2047", M_PTO, STREAM(OPEN_IOS(0),
      SUBVIEW(0, 23, 2047, 12)) },
    { "3.1 ParentSizeCode 13", M_PTO, STREAM(OPEN_IOT(1, 0),
      ASSEMBLE(1, 1, 0, 0, 13), REFUSED(COMMAND_FIELD)) },
    { "3.1 INIT 1, LAST 0, size 12", M_PTO, STREAM(OPEN_IOS(1),
      ASSEMBLE(1, 0, 0, 0, 12)) },
    { "3.1 INIT 0, LAST 0, size 0", M_PTO, STREAM(OPEN_IOS(1),
      ASSEMBLE(0, 0, 0, 0, 0)) },
    { "3.1 INIT 0, LAST 1, size 0", M_PTO, STREAM(OPEN_IOS(1),
      ASSEMBLE(0, 1, 0, 0, 0)) },
    { "3.1 INIT 1, LAST 1, size 1", M_PTO, STREAM(OPEN_IOS(1),
      ASSEMBLE(1, 1, 0, 0, 1)) },
    { "3.1 INIT 1, size 0", M_PTO, STREAM(OPEN_IOS(1),
      ASSEMBLE(1, 1, 0, 0, 0), REFUSED(RANGE_INIT_SIZE)) },
    { "3.1 INIT 0, size 1", M_PTO, STREAM(OPEN_IOS(1),
      ASSEMBLE(0, 0, 0, 0, 1), REFUSED(RANGE_INIT_SIZE)) },

    /* 3.2 roles of a binder form */
    { "3.2 no source: source 0", M_PTO, STREAM(OPEN_IOT(1, 0), VIEW0, BAD_ROLE) },
    { "3.2 no source: source 1", M_PTO, STREAM(OPEN_IOT(1, 0), VIEW1, BAD_ROLE) },
    { "3.2 no source: destination", M_PTO, STREAM(OPEN_IOT(1, 0), PART) },
    { "3.2 one source: source 0", M_PTO, STREAM(OPEN_IOT(0, 1), VIEW0) },
    { "3.2 one source: source 1", M_PTO, STREAM(OPEN_IOT(0, 1), VIEW1, BAD_ROLE) },
    { "3.2 one source: destination", M_PTO, STREAM(OPEN_IOT(0, 1), PART,
      BAD_ROLE) },
    { "3.2 all three in order", M_PTO, STREAM(OPEN_IOT(1, 2), VIEW0, VIEW1, PART) },
    { "3.2 one left out", M_PTO, STREAM(OPEN_IOT(1, 2), VIEW0, PART) },
    { "3.2 back to source 0", M_PTO, STREAM(OPEN_IOT(1, 2), VIEW1, VIEW0,
      REFUSED(RANGE_ORDER)) },
    { "3.2 source after the destination", M_PTO, STREAM(OPEN_IOT(1, 2), PART,
      VIEW1, REFUSED(RANGE_ORDER)) },
    { "3.2 destination twice", M_PTO, STREAM(OPEN_IOT(1, 2), PART, PART,
      REFUSED(RANGE_ORDER)) },
    { "3.2 B.IOS source: source 0", M_PTO, STREAM(OPEN_IOS(0), VIEW0) },
    { "3.2 B.IOS source: source 1", M_PTO, STREAM(OPEN_IOS(0), VIEW1, BAD_ROLE) },
    { "3.2 B.IOS source: destination", M_PTO, STREAM(OPEN_IOS(0), PART,
      BAD_ROLE) },
    { "3.2 B.IOS destination: source 0", M_PTO, STREAM(OPEN_IOS(1), VIEW0,
      BAD_ROLE) },
    { "3.2 B.IOS destination: destination", M_PTO, STREAM(OPEN_IOS(1), PART) },

    /* 3.2 what opens and closes a group */
    { "3.2 L does not close", M_PTO, STREAM(OPEN_IOT(0, 1), VIEW0) },
    { "3.2 B.DIM closes", M_PTO, STREAM(OPEN_IOT(0, 1), DIM(0, 1), VIEW0,
      REFUSED(RANGE_GROUP)) },
    { "3.2 a refused command closes", M_PTO, STREAM(OPEN_IOT(0, 1),
      DST(0, 11, ALL), REFUSED(IOT_SIZE), VIEW0, REFUSED(RANGE_GROUP)) },
    { "3.2 a refused modifier does not", M_PTO, STREAM(OPEN_IOT(0, 1), VIEW1,
      BAD_ROLE, VIEW0) },
    { "3.2 a scalar instruction closes", M_PTO, STREAM(OPEN_IOT(0, 1), SCALAR(),
      VIEW0, REFUSED(RANGE_GROUP)) },
    { "3.2 nothing open", M_PTO, STREAM(TLSU(2, U8), VIEW0,
      REFUSED(RANGE_GROUP)) },

    /* 3.2 order of the checks of one modifier */
    { "3.2 step 2 before 3", M_PTO, STREAM(TLSU(2, U8), SUBVIEW(0, 0, 0, 0),
      REFUSED(COMMAND_FIELD)) },
    { "3.2 step 2 in zero mode", M_PTO, STREAM(TLSU(2, U8), SRC(0, NOBODY),
      SUBVIEW(0, 0, 0, 0), REFUSED(COMMAND_FIELD)) },
    { "3.2 step 4 instead of 3", M_PTO, STREAM(OPEN_IOT(0, 1),
      SUBVIEW(1, 0, 0, 12), REFUSED(RANGE_LOCAL_SIZE)) },
    { "3.2 step 5: zero mode drops it", M_PTO, STREAM(TLSU(2, U8),
      SRC(0, NOBODY), VIEW1, PART, VIEW0, STOP(), DOES_NOTHING()) },
    { "3.2 zero mask outside a header", M_PTO, STREAM(SRC(0, NOBODY), VIEW0,
      REFUSED(RANGE_GROUP)) },

    /* 3.3 conditions of a Local view */
    { "3.3 row-major parent", M_PTO, STREAM(T0, TLSU(2, U8),
      SRC_DST(0, 1, 1, ONE(0)), VIEW0, STOP(), REFUSED(VIEW_LAYOUT)) },
    { "3.3 parent not allocated", M_PTO, STREAM(TLSU(2, U8),
      SRC_DST(0, 1, 1, ONE(0)), VIEW0, STOP(), REFUSED(VIEW_LAYOUT)) },
    { "3.3 step 1: all 64 bits of the offset", M_PTO,
      STREAM(CELLS(16, 16, M16, 2), GPR(6, 1ll << 32), TLSU(2, U8),
             SRC_DST(32, 1, 1, ONE(0)), SUBVIEW(0, 6, 0, 1), STOP(),
             REFUSED(VIEW_OFFSET)) },
    { "3.3 step 1: the sum wraps", M_PTO,
      STREAM(CELLS(16, 16, M16, 2), GPR(6, -1), TLSU(2, U8),
             SRC_DST(32, 1, 1, ONE(0)), SUBVIEW(0, 6, 1, 1), STOP()) },
    { "3.3 step 4: origin outside", M_PTO,
      STREAM(CELLS(8, 64, M32, 3), TLSU(2, U8), SRC_DST(32, 1, 1, ONE(0)),
             SUBVIEW(0, 0, 2, 1), STOP(), REFUSED(VIEW_ORIGIN)) },
    { "3.3 step 6: more CELLs than the range", M_PTO,
      STREAM(CELLS(8, 64, M32, 3), TLSU(2, U8), SRC_DST(32, 1, 1, ONE(0)),
             SUBVIEW(0, 0, 0, 1), STOP(), REFUSED(VIEW_CELLS)) },
    { "3.3 a name and pool space for the view", M_NEVER,
      STREAM(CELLS(16, 16, M16, 2), LIMIT(256, 0), TLSU(1, U8), IOR(0, 1, 2, 0),
             SRC(32, ONE(0)), VIEW0, STOP(), REFUSED(VIEW_POOL)) },
    { "3.3 none of it with retiring", M_PTO,
      STREAM(CELLS(16, 16, M16, 2), LIMIT(256, 0), TLSU(1, U8), IOR(0, 1, 2, 0),
             SRC(32, ONE(0)), VIEW0, STOP()) },

    /* 3.5 steps of a Local writer */
    { "3.5 plain destination in an open hand", M_PTO,
      STREAM(WRITER(U8, 16, 8, 1, 0, 0, 2), STOP(), TLSU(0, U8), DIM(0, 16),
             DST(3, 1, ONE(0)), STOP(), REFUSED(ASM_PLAIN)) },
    { "3.5 plain destination in another hand", M_PTO,
      STREAM(WRITER(U8, 16, 8, 1, 0, 0, 2), STOP(), T0) },
    { "3.5 step 2: no destination", M_PTO, STREAM(OPEN_IOT(0, 1), PART,
      BAD_ROLE) },
    { "3.5 step 3: Local size 11", M_PTO, STREAM(TLSU(0, U8), DST(3, 11, ALL),
      REFUSED(IOT_SIZE)) },
    { "3.5 step 4: INIT while open", M_PTO,
      STREAM(WRITER(U8, 16, 8, 1, 0, 0, 2), STOP(),
             WRITER(U8, 16, 8, 1, 0, 1, 2), STOP(), REFUSED(ASM_OPEN)),
      dropped },
    { "3.5 step 5: open under another mask", M_PTO,
      STREAM(WRITER(U8, 16, 8, 1, 0, 0, 2), STOP(), TLSU(0, U8), DIM(0, 16),
             DST(3, 1, ALL), ASSEMBLE(0, 0, 0, 1, 0), STOP(),
             REFUSED(ASM_MASK)), parent_unnamed },
    { "3.5 step 5': nothing open", M_PTO,
      STREAM(WRITER(U8, 16, 8, 0, 0, 0, 0), STOP(), REFUSED(ASM_CLOSED)) },
    { "3.5 step 6: offset 2048", M_PTO,
      STREAM(GPR(6, 1), TLSU(0, U8), DST(3, 1, ONE(0)),
             ASSEMBLE(1, 0, 6, 2047, 10), STOP(), REFUSED(ASM_OFFSET)) },
    { "3.5 step 7: Local parent of 128 KiB", M_PTO,
      STREAM(OPEN_IOT(1, 0), ASSEMBLE(1, 0, 0, 0, 11),
             REFUSED(RANGE_LOCAL_SIZE)) },
    { "3.5 step 8: behind the parent", M_PTO,
      STREAM(WRITER(U8, 16, 8, 1, 0, 1, 1), STOP(), REFUSED(ASM_RANGE)) },
    { "3.5 step 8: up to its end", M_PTO,
      STREAM(WRITER(U8, 16, 8, 1, 0, 1, 2), STOP()), parent_unnamed },
    { "3.5 step 9: overlap", M_PTO,
      STREAM(WRITER(U8, 16, 8, 1, 0, 0, 2), STOP(),
             WRITER(U8, 16, 8, 0, 0, 0, 0), STOP(), REFUSED(ASM_OVERLAP)),
      dropped },
    { "3.5 step 9: replay of the same block", M_PTO,
      STREAM(BPC(0x4000), WRITER(U8, 16, 8, 1, 0, 0, 2), STOP(),
             GPR(1, 0x1000), BPC(0x5000), WRITER(U8, 16, 8, 0, 0, 1, 0), STOP(),
             BPC(0x5000), WRITER(U8, 16, 8, 0, 0, 1, 0), STOP()),
      parent_unnamed },
    { "3.5 step 10: CELL not covered", M_PTO,
      STREAM(WRITER(U8, 16, 8, 1, 1, 0, 2), STOP(), REFUSED(ASM_LAST)),
      dropped },
    { "3.5 step 11: working tile gone", M_PTO,
      STREAM(WRITER(U8, 16, 8, 1, 0, 0, 2), STOP(), FREE(48),
             WRITER(U8, 16, 8, 0, 1, 1, 0), STOP(), REFUSED(ASM_WORKING)) },
    { "3.5 INIT opens", M_PTO, STREAM(WRITER(U8, 16, 8, 1, 0, 0, 2), STOP()),
      parent_unnamed },
    { "3.5 writers land at their offsets", M_PTO,
      STREAM(WRITER(U8, 16, 8, 1, 0, 1, 2), STOP(),
             WRITER(U8, 16, 8, 0, 1, 0, 0), STOP()), parent_in_order },
    { "3.5 INIT and LAST in one", M_PTO,
      STREAM(WRITER(U8, 16, 8, 1, 1, 0, 1), STOP()), no_generation },
    { "3.5 a memory fault drops the generation", M_PTO,
      STREAM(WRITER(U8, 16, 8, 1, 0, 0, 2), STOP(),
             WRITER(U8, 16, 8, 0, 1, 1, 0), BAD_LOAD, STOP(),
             REFUSED(MEM_PAGE)), dropped },
    { "3.8 step 7: so does waiting", M_PTO,
      STREAM(WRITER(U8, 16, 8, 1, 0, 0, 2), STOP(), TLSU(2, U8), DST(3, 1, ONE(0)),
             ASSEMBLE(0, 1, 0, 1, 0), IOS(9, 0, ONE(0)), STOP(), WAITS()),
      dropped },
    { "3.5 a new one can start then", M_PTO,
      STREAM(WRITER(U8, 16, 8, 1, 0, 0, 2), STOP(),
             WRITER(U8, 16, 8, 0, 1, 1, 0), BAD_LOAD, STOP(),
             REFUSED(MEM_PAGE), WRITER(U8, 16, 8, 1, 0, 1, 2), STOP(),
             WRITER(U8, 16, 8, 0, 1, 0, 0), STOP()), parent_in_order },

    /* 3.6 Shared writers */
    { "3.6 writer size 13", M_PTO, STREAM(TLSU(0, U8), IOS(3, 13, ALL),
      REFUSED(IOS_SIZE)) },
    { "3.6 INIT while open", M_PTO,
      STREAM(SHARED_WRITER(3, ONE(0), 1, 0, 0, 2), STOP(),
             SHARED_WRITER(3, ONE(0), 1, 0, 1, 2), STOP(),
             REFUSED(ASM_SHARED_OPEN)), no_generation },
    { "3.6 not open", M_PTO,
      STREAM(SHARED_WRITER(3, ONE(0), 0, 1, 0, 0), STOP(),
             REFUSED(ASM_SHARED_CLOSED)) },
    { "3.6 another mask", M_PTO,
      STREAM(SHARED_WRITER(3, ONE(0), 1, 0, 0, 2), STOP(),
             SHARED_WRITER(3, ALL, 0, 1, 1, 0), STOP(),
             REFUSED(ASM_SHARED_CLOSED)) },
    { "3.6 offset 2048", M_PTO,
      STREAM(GPR(6, 1), TLSU(0, U8), IOS(3, 1, ONE(0)),
             ASSEMBLE(1, 0, 6, 2047, 12), STOP(), REFUSED(ASM_SHARED_RANGE)) },
    { "3.6 behind the parent", M_PTO,
      STREAM(SHARED_WRITER(3, ONE(0), 1, 0, 2, 2), STOP(),
             REFUSED(ASM_SHARED_RANGE)) },
    { "3.6 overlap, no replay", M_PTO,
      STREAM(BPC(0x4000), SHARED_WRITER(3, ONE(0), 1, 0, 0, 2), STOP(),
             BPC(0x5000), SHARED_WRITER(3, ONE(0), 0, 0, 1, 0), STOP(),
             BPC(0x5000), SHARED_WRITER(3, ONE(0), 0, 0, 1, 0), STOP(),
             REFUSED(ASM_OVERLAP)) },
    { "3.6 LAST without coverage", M_PTO,
      STREAM(SHARED_WRITER(3, ONE(0), 1, 1, 0, 2), STOP(), REFUSED(ASM_LAST)) },
    { "3.6 other columns", M_PTO,
      STREAM(SHARED_WRITER(3, ONE(0), 1, 0, 0, 2), STOP(), TLSU(0, U8),
             DIM(0, 8), DIM(1, 16), DIM(2, 8), IOR(0, 1, 2, 0),
             IOS(3, 1, ONE(0)), ASSEMBLE(0, 1, 0, 1, 0), STOP(),
             REFUSED(ASM_WRITER)) },
    { "3.6 other type", M_PTO,
      STREAM(SHARED_WRITER(3, ONE(0), 1, 0, 0, 2), STOP(), TLSU(0, S8),
             DIM(0, 16), DIM(1, 8), DIM(2, 16), IOR(0, 1, 2, 0),
             IOS(3, 1, ONE(0)), ASSEMBLE(0, 1, 0, 1, 0), STOP(),
             REFUSED(ASM_WRITER)) },
    { "3.6 parent of two writers", M_PTO,
      STREAM(SHARED_WRITER(3, ONE(0), 1, 0, 1, 2), STOP(),
             SHARED_WRITER(3, ONE(0), 0, 1, 0, 0), STOP()), shared_parent },
    { "3.6 gap in front of a partly valid writer", M_PTO,
      STREAM(GPR(1, 0x2000), GPR(2, 16), TLSU(0, U8), DIM(0, 16), DIM(1, 7),
             DIM(2, 16), IOR(0, 1, 2, 0), IOS(3, 1, ONE(0)),
             ASSEMBLE(1, 0, 0, 0, 2), STOP(),
             SHARED_WRITER(3, ONE(0), 0, 1, 1, 0), STOP()),
      gap_reads_as_number },
    { "3.6 the old object stays until LAST", M_PTO,
      STREAM(SHARED_LOAD(3), SHARED_WRITER(3, ONE(0), 1, 0, 1, 2), STOP(),
             MOVE_OUT(3, 0)), old_object_readable },
    { "3.6 a fault drops it", M_PTO,
      STREAM(SHARED_WRITER(3, ONE(0), 1, 0, 1, 2), STOP(),
             SHARED_WRITER(3, ONE(0), 0, 1, 0, 0), BAD_LOAD, STOP(),
             REFUSED(MEM_PAGE)), no_generation },
    { "3.6 LAST replaces shape and mask", M_REF,
      STREAM(SHARED_LOAD(4), SHARED_WRITER(4, ALL, 1, 0, 0, 2), STOP(),
             SHARED_WRITER(4, ALL, 0, 1, 1, 0), STOP()), replaced_shape },

    /* 3.7 mandatory B.ASSEMBLE */
    { "3.7 several PEs without", M_PTO,
      STREAM(TLSU(0, U8), IOS(4, 1, ALL), STOP(), REFUSED(ASM_NEEDED)) },
    { "3.7 one PE without", M_PTO, STREAM(SHARED_LOAD(4)), published },

    /* 3.8 order at block completion */
    { "3.8 step 1: nothing but empty masks", M_PTO,
      STREAM(TLSU(0, U8), DST(0, 1, NOBODY), IOS(0, 1, NOBODY), STOP(),
             DOES_NOTHING()) },
    { "3.8 step 3 before 4", M_PTO,
      STREAM(TLSU(5, U8), DST(0, 1, ALL), PART, IOS(0, 1, ALL), STOP(),
             REFUSED(ASM_OPERATION)) },
    { "3.8 step 4 before 5", M_PTO,
      STREAM(TLSU(2, U8), SRC(0, ALL), VIEW0, IOS(0, 1, ALL), STOP(),
             REFUSED(ASM_NEEDED)) },
    { "3.8 step 5 before 6", M_PTO,
      STREAM(T0, TLSU(2, U8), IOT(1, 1, 0, 1, ONE(0), 0, 0, 0), VIEW0, STOP(),
             REFUSED(VIEW_LAYOUT)) },

    /* 4.1 namespace, sizes, pools */
    { "4.1 S63", M_PTO, STREAM(SHARED_LOAD(63)) },
    { "4.1 Local size 10", M_PTO, STREAM(TLSU(0, U8), DST(0, 10, ALL)) },
    { "4.1 Local size 11", M_PTO, STREAM(TLSU(0, U8), DST(0, 11, ALL),
      REFUSED(IOT_SIZE)) },
    { "4.1 Local size 15", M_PTO, STREAM(TLSU(0, U8), DST(0, 15, ALL),
      REFUSED(IOT_SIZE)) },
    { "4.1 Shared size 12", M_PTO, STREAM(TLSU(0, U8), IOS(0, 12, ALL)) },
    { "4.1 Shared size 15", M_PTO, STREAM(TLSU(0, U8), IOS(0, 15, ALL),
      REFUSED(IOS_SIZE)) },
    { "4.1 a Local tile is charged to each PE of its mask", M_REF,
      STREAM(LOAD_TILE(U8, 16, 8, 0x1000, 0, 1, ALL)), charged_once },
    { "4.1 ... and to no other", M_REF,
      STREAM(LOAD_TILE(U8, 16, 8, 0x1000, 0, 1, ONE(1))), charged_one_pe },
    { "4.1 a Shared tile is charged once", M_REF,
      STREAM(SHARED_WRITER(4, ALL, 1, 0, 0, 2), STOP(),
             SHARED_WRITER(4, ALL, 0, 1, 1, 0), STOP()), shared_charged_once },
    { "4.1 an open generation is not charged", M_PTO,
      STREAM(LIMIT(0, 128), SHARED_WRITER(4, ONE(0), 1, 0, 0, 2), STOP()) },
    { "4.1 independent pools", M_NEVER,
      STREAM(LIMIT(0, 128), SHARED_LOAD(4), LOAD_TILE(U8, 16, 8, 0, 0, 1, ONE(0)),
             REFUSED(ALLOC_POOL)) },
    { "4.1 Local pool exhausted", M_NEVER,
      STREAM(LIMIT(128, 0), T0, LOAD_TILE(U8, 16, 8, 0, 0, 1, ONE(0)),
             REFUSED(ALLOC_POOL)) },
    { "4.1 Shared pool exceeded", M_PTO,
      STREAM(LIMIT(128, 128), SHARED_LOAD(4), SHARED_LOAD(5),
             REFUSED(SHARED_OBJECT)) },
    { "4.1 rewriting keeps the shape", M_PTO,
      STREAM(SHARED_LOAD(4), TLSU(0, U8), DIM(0, 8), DIM(1, 8), DIM(2, 16),
             IOR(0, 1, 2, 0), IOS(4, 1, ONE(0)), STOP(),
             REFUSED(SHARED_OBJECT)) },
    { "4.1 rewriting keeps the mask", M_REF,
      STREAM(SHARED_LOAD(4), ON_PE(1), GPR(1, 0x2000), GPR(2, 16), TLSU(0, U8),
             DIM(0, 16), DIM(1, 8), DIM(2, 16), IOR(0, 1, 2, 0),
             IOS(4, 1, ONE(1)), STOP(), REFUSED(SHARED_OBJECT)) },

    /* 4.2 what publishes */
    { "4.2 one-PE TLOAD", M_PTO, STREAM(SHARED_LOAD(4)), published },
    { "4.2 one-PE TMOV", M_PTO,
      STREAM(T0, TLSU(2, U8), SRC(0, ONE(0)), IOS(4, 1, ONE(0)), STOP()),
      published },
    { "4.2 writer before LAST", M_PTO,
      STREAM(SHARED_WRITER(3, ONE(0), 1, 0, 0, 2), STOP()), unpublished },
    { "4.2 LAST", M_PTO,
      STREAM(SHARED_WRITER(3, ONE(0), 1, 0, 1, 2), STOP(),
             SHARED_WRITER(3, ONE(0), 0, 1, 0, 0), STOP()), shared_parent },
    { "4.2 rejected writer", M_PTO,
      STREAM(TLSU(0, U8), DIM(0, 16), DIM(1, 8), DIM(2, 16), IOR(0, 1, 2, 0),
             IOS(3, 1, ONE(0)), BAD_LOAD, STOP(), REFUSED(MEM_PAGE)),
      unpublished },

    /* 4.3 the waiting gate: what comes before it and what after */
    { "4.3 binder count before it", M_PTO,
      STREAM(TLSU(1, U8), IOS(4, 0, ONE(0)), IOS(5, 0, ONE(0)), STOP(),
             REFUSED(SHARED_COUNT)) },
    { "4.3 TLSU data type before it", M_PTO,
      STREAM(TLSU(1, DTYPE_NONE), REFUSED(START_TYPE)) },
    { "4.3 B.IOR before it", M_PTO,
      STREAM(TLSU(1, U8), IOR(0, 1, 2, 3), IOS(4, 0, ONE(0)), STOP(),
             REFUSED(IOR_OPERANDS)) },
    { "4.3 B.DATR before it", M_PTO,
      STREAM(TLSU(1, U8), DATR(0, 0, 0, 0, 0, 1, 0), IOS(4, 0, ONE(0)), STOP(),
             REFUSED(DATR_UNUSED)) },
    { "4.3 TSTORE role before it", M_PTO,
      STREAM(TLSU(1, U8), SRC(0, ONE(0)), IOS(4, 0, ONE(0)), STOP(),
             REFUSED(SHARED_STORE_BINDERS)) },
    { "4.3 shape behind it", M_PTO,
      STREAM(TLSU(1, U8), DIM(0, 0), IOS(4, 0, ONE(0)), STOP(), WAITS()) },
    { "4.3 type behind it", M_PTO,
      STREAM(TLSU(1, FP32), IOS(4, 0, ONE(0)), STOP(), WAITS()) },
    { "4.3 view behind it", M_PTO,
      STREAM(TLSU(1, U8), IOS(4, 0, ONE(0)), SUBVIEW(0, 0, 2047, 1), STOP(),
             WAITS()) },
    { "4.3 destination behind it", M_PTO,
      STREAM(TLSU(2, U8), DST(0, 10, ONE(0)), IOS(4, 0, ONE(0)), STOP(),
             WAITS()) },
    { "4.3 memory behind it", M_PTO,
      STREAM(BAD_LOAD, TLSU(1, U8), IOR(0, 1, 2, 0), IOS(4, 0, ONE(0)), STOP(),
             WAITS()) },
    { "4.3 the same block completes later", M_TWO,
      STREAM(ON_PE(1), TLSU(2, U8), DST(0, 1, ONE(1)), IOS(4, 0, ONE(1)), STOP(),
             WAITS(), STOP(), WAITS(), ON_PE(0), SHARED_LOAD(4), ON_PE(1),
             STOP()), published },

    /* 4.4 TLOAD to Shared */
    { "4.4 one destination and no B.IOT", M_PTO,
      STREAM(TLSU(0, U8), DST(0, 1, ONE(0)), IOS(4, 1, ONE(0)), STOP(),
             REFUSED(SHARED_LOAD_BINDERS)) },
    { "4.4 the PE of the mask loads, another does nothing", M_TWO,
      STREAM(ON_PE(1), TLSU(0, U8), IOS(4, 1, ONE(0)), STOP(), DOES_NOTHING(),
             ON_PE(0), SHARED_LOAD(4)), published },
    { "4.4 quarters in the single-program view", M_REF,
      STREAM(ON_PE(0), GPR(1, 0x2000), GPR(2, 16), ON_PE(1), GPR(1, 0x3000),
             GPR(2, 16), ON_PE(2), GPR(1, 0x4000), GPR(2, 16), ON_PE(3),
             GPR(1, 0x5000), GPR(2, 16), ON_PE(0), TLSU(0, U8), DIM(0, 16),
             DIM(1, 8), DIM(2, 16), IOR(0, 1, 2, 0), IOS(6, 1, ALL),
             ASSEMBLE(1, 1, 0, 0, 1), STOP()), quarters_loaded },

    /* 4.5 TSTORE from Shared */
    { "4.5 a mask of one PE", M_FOUR,
      STREAM(SHARED_LOAD(4), BASES, ON_PE(1), TLSU(1, U8), IOR(0, 1, 2, 0),
             IOS(4, 0, ONE(1)), STOP(), ON_PE(0), TLSU(1, U8), IOR(0, 1, 2, 0),
             IOS(4, 0, ONE(1)), STOP(), DOES_NOTHING()), pe1_stored },
    { "4.5 every PE through its own registers", M_FOUR,
      STREAM(SHARED_LOAD(4), BASES, ON_PE(0), STORE_ALL(4), ON_PE(1),
             STORE_ALL(4), ON_PE(2), STORE_ALL(4), ON_PE(3), STORE_ALL(4)),
      all_stored },
    { "4.5 the same by one program", M_REF,
      STREAM(SHARED_LOAD(4), BASES, ON_PE(0), STORE_ALL(4)), all_stored },
    { "4.5 views by each PE's offset", M_FOUR,
      STREAM(SHARED_4_CELLS, BASES, ON_PE(0), STORE_VIEW, ON_PE(1), STORE_VIEW,
             ON_PE(2), STORE_VIEW, ON_PE(3), STORE_VIEW), all_stored_views },
    { "4.5 the same by one program, B.SUBVIEW", M_REF,
      STREAM(SHARED_4_CELLS, BASES, ON_PE(0), STORE_VIEW), all_stored_views },
    { "4.5 all footprints before the first write", M_REF,
      STREAM(SHARED_LOAD(4), BASES, ON_PE(2), GPR(1, MEM_BYTES), ON_PE(0),
             STORE_ALL(4), REFUSED(MEM_PAGE)), nothing_stored },

    /* 4.6 TMOV in three directions */
    { "4.6 Local to Local", M_PTO,
      STREAM(T0, TLSU(2, U8), SRC_DST(0, 1, 1, ONE(0)), STOP()), moved_local },
    { "4.6 Local to Local of another size", M_PTO,
      STREAM(T0, TLSU(2, U8), SRC_DST(0, 1, 2, ONE(0)), STOP(),
             REFUSED(MOVE_MATCH)) },
    { "4.6 Local to Shared", M_PTO,
      STREAM(T0, TLSU(2, U8), SRC(0, ONE(0)), IOS(4, 1, ONE(0)), STOP()),
      moved_to_shared },
    { "4.6 Local to Shared without last", M_PTO,
      STREAM(T0, TLSU(2, U8), IOT(0, 1, 0, 0, ONE(0), 0, 0, 0),
             IOS(4, 1, ONE(0)), STOP(), REFUSED(SHARED_PUT_BINDERS)) },
    { "4.6 Local to Shared, source undefined", M_PTO,
      STREAM(T0, UNDEFINE(0), TLSU(2, U8), SRC(0, ONE(0)), IOS(4, 1, ONE(0)),
             STOP(), REFUSED(SHARED_PUT_SOURCE)) },
    { "4.6 Local to Shared, other capacity", M_PTO,
      STREAM(T0, TLSU(2, U8), SRC(0, ONE(0)), IOS(4, 3, ONE(0)), STOP(),
             REFUSED(SHARED_PUT_SOURCE)) },
    { "4.6 Local to Shared, CUBE source", M_PTO,
      STREAM(CELLS(16, 16, M16, 2), TLSU(2, U8), SRC(32, ONE(0)),
             IOS(4, 2, ONE(0)), STOP(), REFUSED(SHARED_PUT_SOURCE)) },
    { "4.6 Local to Shared of several PEs", M_PTO,
      STREAM(T0, TLSU(2, U8), SRC(0, ALL), IOS(4, 1, ALL), STOP(),
             REFUSED(ASM_NEEDED)) },
    { "4.6 Shared to Local", M_PTO,
      STREAM(SHARED_LOAD(4), MOVE_OUT(4, 1)), moved_from_shared },
    { "4.6 Shared to Local without last", M_PTO,
      STREAM(SHARED_LOAD(4), TLSU(2, U8), IOT(1, 0, 1, 1, ONE(0), 0, 0, 0),
             IOS(4, 0, ONE(0)), STOP(), REFUSED(SHARED_GET_BINDERS)) },
    { "4.6 Shared to Local, other size", M_PTO,
      STREAM(SHARED_LOAD(4), TLSU(2, U8), DST(1, 2, ONE(0)), IOS(4, 0, ONE(0)),
             STOP(), REFUSED(SHARED_GET_MATCH)) },
    { "4.6 Shared to Local, other type", M_PTO,
      STREAM(SHARED_LOAD(4), TLSU(2, S8), DST(1, 1, ONE(0)), IOS(4, 0, ONE(0)),
             STOP(), REFUSED(SHARED_GET_MATCH)) },
    { "4.6 Shared to Local, smaller valid region", M_PTO,
      STREAM(SHARED_LOAD(4), TLSU(2, U8), DIM(0, 8), DIM(1, 4), DST(1, 1, ONE(0)),
             IOS(4, 0, ONE(0)), STOP()) },
    { "4.6 Shared to Local, larger valid region", M_PTO,
      STREAM(SHARED_LOAD(4), TLSU(2, U8), DIM(1, 9), DST(1, 1, ONE(0)),
             IOS(4, 0, ONE(0)), STOP(), REFUSED(SHARED_GET_MATCH)) },
    { "4.6 Shared to Local with B.SUBVIEW", M_TWO,
      STREAM(SHARED_4_CELLS, ON_PE(0), GPR(3, 1), TLSU(2, U8), DIM(1, 8),
             DST(1, 1, ALL), IOS(4, 0, ALL), SUBVIEW(0, 3, 0, 1), STOP(),
             ON_PE(1), GPR(3, 0), TLSU(2, U8), DIM(1, 8), DST(1, 1, ALL),
             IOS(4, 0, ALL), SUBVIEW(0, 3, 0, 1), STOP()), both_have_views },
    { "4.6 B.SUBVIEW of another size", M_PTO,
      STREAM(SHARED_4_CELLS, TLSU(2, U8), DIM(1, 8), DST(1, 1, ONE(0)),
             IOS(4, 0, ONE(0)), SUBVIEW(0, 0, 0, 2), STOP(),
             REFUSED(SHARED_GET_MATCH)) },
    { "4.6 Function 9", M_PTO, STREAM(TLSU(9, U8), REFUSED(START_SELECTOR)) },
    { "4.6 Function 10", M_PTO, STREAM(TLSU(10, U8), REFUSED(START_SELECTOR)) },
    { "4.6 Function 11", M_PTO, STREAM(TLSU(11, U8), REFUSED(START_SELECTOR)) },
    { "4.6 Function 12", M_PTO, STREAM(TLSU(12, U8), REFUSED(START_SELECTOR)) },
    { "4.6 Function 14", M_PTO, STREAM(TLSU(14, U8), REFUSED(START_SELECTOR)) },
};

static void run_rows(void)
{
    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
        Core *c = core_machine(rows[i].machine);

        CHECK(stream_run(c, rows[i].name, rows[i].steps, NULL));
        if (rows[i].check && !rows[i].check(c)) {
            printf("%s: wrong state\n", rows[i].name);
            checks_failed++;
        }
        core_free(c);
    }
}

/* --- 3.3 CELL shapes --- */

static void cell_shapes(void)
{
    static const struct {
        PtoDataType type;
        uint8_t m16_cols, m32_cols, n8_rows;
    } shapes[] = {
        { PTO_FP32, 2, 1, 4 }, { PTO_FP16, 4, 2, 8 }, { PTO_U8, 8, 4, 16 },
        { PTO_U4X2, 16, 8, 32 },
    };

    for (unsigned i = 0; i < ARRAY_SIZE(shapes); i++) {
        PtoCubeGeom g;

        CHECK(pto_cube_geometry(PTO_LAYOUT_M16, 16, 1, shapes[i].type, &g) &&
              g.cell_rows == 16 && g.cell_cols == shapes[i].m16_cols);
        CHECK(pto_cube_geometry(PTO_LAYOUT_M32, 32, 1, shapes[i].type, &g) &&
              g.cell_rows == 32 && g.cell_cols == shapes[i].m32_cols);
        CHECK(pto_cube_geometry(PTO_LAYOUT_N8, 1, 8, shapes[i].type, &g) &&
              g.cell_rows == shapes[i].n8_rows && g.cell_cols == 8);
    }
}

/* --- 3.3, 3.4: which part of the parent a view is --- */

typedef struct View {
    const char *name;
    unsigned layout;            /* B.DATR code; 0: Shared, row-major */
    unsigned vcols, vrows, cols;    /* U8 parent; cols: Shared only */
    unsigned parent_size;
    unsigned offset, size;
    unsigned row, col, rows, view_cols;     /* expected region */
} View;

static const View views[] = {
    { "3.3 M16: one CELL", M16, 32, 16, 0, 3, 0, 1, 0, 0, 16, 8 },
    { "3.3 M16: column = offset * CELL columns", M16, 32, 16, 0, 3, 1, 2,
      0, 8, 16, 16 },
    { "3.3 M16: cut at the last CELL", M16, 32, 16, 0, 3, 3, 3, 0, 24, 16, 8 },
    { "3.3 M16: cut at the valid columns", M16, 28, 11, 0, 3, 3, 1,
      0, 24, 11, 4 },
    { "3.3 M32: one CELL", M32, 16, 32, 0, 3, 2, 1, 0, 8, 32, 4 },
    { "3.3 M32: parent rows stay", M32, 16, 20, 0, 3, 0, 2, 0, 0, 20, 8 },
    { "3.3 N8: first CELL", N8, 16, 32, 0, 3, 0, 1, 0, 0, 16, 8 },
    { "3.3 N8: row = k * CELL rows", N8, 16, 32, 0, 3, 1, 1, 16, 0, 16, 8 },
    { "3.3 N8: column = n * 8", N8, 16, 32, 0, 3, 2, 1, 0, 8, 16, 8 },
    { "3.3 N8: a whole K column", N8, 16, 32, 0, 3, 0, 2, 0, 0, 32, 8 },
    { "3.3 N8: not beyond K", N8, 16, 32, 0, 3, 1, 2, 16, 0, 16, 8 },
    { "3.3 N8: cut at the valid rows", N8, 16, 20, 0, 3, 1, 1, 16, 0, 4, 8 },
    { "3.4 part of a row", 0, 256, 2, 256, 3, 1, 1, 0, 128, 1, 128 },
    { "3.4 part of the second row", 0, 256, 2, 256, 3, 2, 1, 1, 0, 1, 128 },
    { "3.4 whole rows", 0, 64, 8, 64, 3, 1, 2, 2, 0, 4, 64 },
    { "3.4 cut at the valid columns", 0, 200, 2, 256, 3, 1, 1, 0, 128, 1, 72 },
    { "3.4 cut at the valid rows", 0, 64, 5, 64, 3, 2, 2, 4, 0, 1, 64 },
    { "3.4 nothing valid", 0, 64, 2, 64, 3, 2, 1, 4, 0, 0, 64 },
};

#define VIEW_OUT 0x8000

/* Load a parent, store a view of it: the stored bytes tell what it shows. */
static void run_view(const View *v)
{
    const unsigned stride = 256;
    const Step load[] = {
        GPR(1, 0x1000), GPR(2, 256), TLSU(0, U8), DIM(0, v->vcols),
        DIM(1, v->vrows), IOR(0, 1, 2, 0), { S_END, { 0 } },
    };
    const Step local[] = {
        DATR(31, v->layout, 3, 0, 0, 0, 0), DST(2, v->parent_size, ONE(0)),
        STOP(), GPR(1, VIEW_OUT), TLSU(1, U8), IOR(0, 1, 2, 0), SRC(32, ONE(0)),
        SUBVIEW(0, 0, v->offset, v->size), STOP(), { S_END, { 0 } },
    };
    const Step shared[] = {
        DIM(2, v->cols), IOS(4, v->parent_size, ONE(0)), STOP(),
        GPR(1, VIEW_OUT), TLSU(1, U8), IOR(0, 1, 2, 0), IOS(4, 0, ONE(0)),
        SUBVIEW(0, 0, v->offset, v->size), STOP(), { S_END, { 0 } },
    };
    Core *c = core_machine(M_PTO), *old = core_machine(M_PTO);
    bool good = true;

    CHECK(stream_run(c, v->name, load, NULL));
    CHECK(stream_run(c, v->name, v->layout ? local : shared, NULL));
    for (unsigned r = 0; r < 64; r++) {
        for (unsigned k = 0; k < stride; k++) {
            bool inside = r < v->rows && k < v->view_cols;
            uint8_t want = inside ? c->mem[0x1000 + (v->row + r) * stride +
                                           v->col + k]
                           : old->mem[VIEW_OUT + r * stride + k];

            good &= c->mem[VIEW_OUT + r * stride + k] == want;
        }
    }
    if (!good) {
        printf("%s: wrong bytes\n", v->name);
    }
    CHECK(good);
    core_free(c);
    core_free(old);
}

/* --- 3.5 operation classes: who may carry B.ASSEMBLE --- */

static bool never_assembles(unsigned op)
{
    return op == PTO_OP_MGATHER_CAS || op == PTO_OP_MSCATTER ||
           op == PTO_OP_MSCATTER_MASK || op == PTO_OP_TPREFETCH ||
           op == PTO_OP_TSCATTER || op == PTO_OP_TSTORE;
}

static void operation_classes(void)
{
    static const unsigned classes[] = {
        [PTO_FAMILY_TEPL] = PTO_OPCLASS_TEPL,
        [PTO_FAMILY_TLSU] = PTO_OPCLASS_TLSU,
        [PTO_FAMILY_CUBE] = PTO_OPCLASS_CUBE,
    };

    for (unsigned i = 0; i < PTO_OP_COUNT; i++) {
        const PtoTileOp *op = &pto_tile_ops[i];
        PtoBundleOp start = {
            .valid = true, .op_class = classes[op->family],
            .selector_valid = true, .selector = op->code & 31,
            .mode_valid = op->family == PTO_FAMILY_TEPL, .mode = op->code / 32,
            .dtype_valid = true, .dtype = PTO_FP32,
        };
        Core *c = core_machine(M_PTO);
        PtoRange *slot;
        PtoBundle b;
        PtoCommit r;

        pto_bundle_clear(&b);
        pto_bundle_install(&b, &start, 0x1000);
        pto_bundle_iot(&b, true, true, 2, 0, 1, ALL, 0, 0, true);
        pto_bundle_assemble(&b, true, true, 0, 1, &slot);
        pto_bundle_range_set(&b, slot, true, true, 0, 1, 0, 0);
        r = core_commit(c, 0, &b);
        if ((r.fault.rule_id == PTO_RULE_ASM_OPERATION) != never_assembles(i)) {
            printf("3.5 class of %s: %s\n", op->name, r.fault.rule);
            checks_failed++;
        }
        CHECK(r.op == op);
        core_free(c);
    }
}

/* --- 4.1 bytes of a size code --- */

static void size_codes(void)
{
    for (unsigned code = 1; code <= 12; code++) {
        CHECK(pto_size_code_bytes(code) == 64u << code);
    }
    CHECK(pto_size_code_bytes(0) == 0);
}

int main(void)
{
    run_rows();
    cell_shapes();
    for (unsigned i = 0; i < ARRAY_SIZE(views); i++) {
        run_view(&views[i]);
    }
    operation_classes();
    size_codes();
    return checks_done();
}
