/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The execution plan of one tile block and the seam between the generic pipeline
 * and the operation families.
 *
 * pto_tile_commit() runs, for every operation,
 *
 *     resolve -> preflight -> allocate -> compute -> publish
 *
 * Generic steps (schema.c, preflight.c, commit.c), in the order in which the
 * architecture reports violations:
 *
 *   1 only empty-mask binders seen              -> NOOP
 *   2 operation decode, B.ASSEMBLE class, mandatory B.ASSEMBLE
 *   3 range views of Local sources, generation checks      (not matrix)
 *   4 stray B.FPATR, operand counts, L, B.IOR shape        -> BundleControl
 *   5 schema->gpr_values()   raw B.IOR values              -> TileLegality
 *   6 B.DATR fields allowed for the operation              -> TileLegality
 *   7 schema->check()        closed header schema of the family (bindings,
 *                            dimensions, type, layout)     -> TileLegality
 *   8 a concrete element type                              -> TileLegality
 *   9 schema->shape()        fills plan->dst[] requests; then the generic
 *                            allocation: slots, pools, shape -> TileAllocation
 *  10 schema->legal()        operand legality against the source and the fresh
 *                            destination descriptors; sets plan->kernel
 *  11 plan->kernel(plan)     cannot fail; fills plan->dst[].tile payloads and
 *                            definedness, ORs numeric flags into plan->flags
 *  12 publish                destinations become visible, generations advance
 *
 * A family whose order differs (matrix, gather, GMOV, ...) sets schema->preflight
 * instead: it replaces steps 3 to 10 and must leave a complete plan (sources,
 * destinations allocated through pto_plan_allocate, kernel). It may return a
 * fault, or set plan->wait and return PTO_OK.
 *
 * A family adds: rows of ops.def (exists), one line in schemas.def, one PtoSchema
 * in its own file schema_*.c, kernels under kernels/, and its files in meson.build.
 *
 * Rejected or waiting blocks leave no trace: until publish, destinations exist
 * only in the plan.
 */
#ifndef PTO_TILE_PLAN_H
#define PTO_TILE_PLAN_H

#include "tile/types.h"
#include "tile/state.h"
#include "tile/bundle.h"
#include "tile/profile.h"
#include "tile/access.h"

typedef struct PtoPlan PtoPlan;
typedef struct PtoTileCtx PtoTileCtx;

/* Everything a commit works on. The CPU side owns it and fills it per commit. */
struct PtoTileCtx {
    const PtoTileProfile *profile;
    const PtoAccess *access;
    void *opaque;               /* passed to every access function */
    unsigned pe;                /* executing PE 0..3 (the agent) */
    unsigned pe_count;          /* populated PEs of the core */
    PtoLocalTiles *local;
    PtoTileCore *core;
    const PtoBundle *bundle;
};

/* A source operand. tile is never NULL; an unallocated name gives a clear tile. */
typedef struct PtoSource {
    const PtoTile *tile;
    int16_t slot;               /* Local slot; for a view the parent's; -1 Shared */
    int16_t shared_id;          /* -1: Local */
    bool is_view;               /* tile is plan->view[] */
} PtoSource;

/* Destination request (step 9) and result (steps 10..12). */
typedef struct PtoDest {
    /* request, filled by schema->shape() */
    uint8_t storage;            /* PtoStorage */
    uint8_t type;
    uint8_t layout;
    uint8_t location;
    uint32_t rows;              /* predicates only: storage rows */
    uint32_t cols;              /* storage columns (not CUBE) */
    uint32_t vrows, vcols;
    /* from the binding */
    uint8_t hand;
    uint8_t binding;            /* index of its B.IOT */
    uint32_t capacity;
    /* result */
    int16_t slot;               /* Local slot it will be published in; -1 Shared */
    int16_t shared_id;
    PtoTile tile;
    const PtoRange *assemble;   /* B.ASSEMBLE of the destination, or NULL */
} PtoDest;

#define PTO_PLAN_PRIV_BYTES 1024

/* A row of guest memory used by TLSU kernels. */
typedef void (*PtoKernel)(PtoPlan *plan);

struct PtoPlan {
    PtoTileCtx *ctx;
    const PtoTileProfile *profile;
    const PtoBundle *bundle;
    const PtoTileOp *op;
    const struct PtoSchema *schema;
    PtoDataType type;           /* type field of the block start */
    PtoDataType dtype2;         /* B.DATR DataType, PTO_DTYPE_NONE if absent */
    PtoDataType etype;          /* effective type of generic destinations */
    unsigned mask;              /* PEs of the block */
    uint8_t nsrc, ndst;
    PtoSource src[PTO_MAX_SRC];
    PtoDest dst[PTO_MAX_DST];
    PtoTile view[PTO_MAX_SRC];  /* range views of sources */
    /* scalar inputs, valid after step 5 when the operation has them */
    uint64_t address, scalar0, scalar1, diagonal, flag0;
    /* attributes */
    PtoPad pad;
    uint8_t byte_id;
    uint8_t cmode;              /* PtoCompare */
    uint8_t rmode;              /* raw RMode field */
    bool sat, canon;
    uint8_t layout_code;        /* raw B.DATR Layout, 0 when absent */
    /* outcome */
    PtoKernel kernel;
    unsigned flags;             /* PTO_FLAG_* raised by the kernel */
    bool wait;                  /* retry the block; nothing has happened */
    int8_t wait_shared;         /* the S register waited for, or -1 */
    bool consume_only;          /* complete without kernel and destinations */
    uint64_t retire;            /* Local slots that publish retires first */
    uint64_t view_slots;        /* free slots that range views occupy */
    uint32_t view_bytes;
    PtoGeneration *gen[PTO_MAX_DST]; /* open Local generation of dst[], or NULL */
    /*
     * Room for a family's own plan data, e.g.
     * MyPlan *my = pto_plan_priv(plan, sizeof(MyPlan)); zeroed at plan start
     * (for TLSU and CUBE operations).
     */
    uint64_t priv[PTO_PLAN_PRIV_BYTES / 8];
};

static inline void *pto_plan_priv(PtoPlan *plan, size_t size)
{
    return size <= PTO_PLAN_PRIV_BYTES ? plan->priv : NULL;
}

/* Hooks of one schema; any may be NULL (nothing to check). See the top comment. */
typedef struct PtoSchema {
    PtoFaultInfo (*preflight)(PtoTileCtx *ctx, PtoPlan *plan);
    PtoFaultInfo (*gpr_values)(PtoTileCtx *ctx, PtoPlan *plan);
    PtoFaultInfo (*check)(PtoTileCtx *ctx, PtoPlan *plan);
    PtoFaultInfo (*shape)(PtoTileCtx *ctx, PtoPlan *plan);
    PtoFaultInfo (*legal)(PtoTileCtx *ctx, PtoPlan *plan);
    PtoKernel kernel;           /* default of plan->kernel */
} PtoSchema;

#define PTO_SCHEMA(name, symbol) extern const PtoSchema symbol;
#include "tile/schemas.def"
#undef PTO_SCHEMA

/* --- services for schemas (schema.c, preflight.c) --- */

/* GPR (or queue) value of the executing PE / of PE @pe. */
uint64_t pto_ctx_reg(PtoTileCtx *ctx, unsigned selector);
uint64_t pto_ctx_reg_of(PtoTileCtx *ctx, unsigned pe, unsigned selector);

/* Is dimension LBn present and in 1..65535? */
bool pto_dim_ok(const PtoBundle *b, unsigned n);
/* LB0 present and in range; LB1, LB2 absent or in range (closed schemas). */
bool pto_dims_closed(const PtoBundle *b);
/* LBn if in 1..65535, else @fallback (zero and absent are the same here). */
uint32_t pto_dim_or(const PtoBundle *b, unsigned n, uint32_t fallback);

/*
 * Layout named by B.DATR.Layout for the destination (NORM = row-major,
 * ...2DN = column-major, ...2ZN, ...2NZ, ...2ND).
 */
PtoLayout pto_layout_of_code(unsigned code);
/* Layout codes 21..26: CUBE transport of TLOAD / TSTORE. */
static inline bool pto_layout_code_is_cube(unsigned code)
{
    return code >= 21 && code <= 26;
}

/*
 * One B.IOT with a destination and exactly @srcs sources, L set, no B.IOS:
 * the binding form of most closed schemas.
 */
bool pto_bind_single(const PtoBundle *b, unsigned srcs);

/*
 * Type of the block as the closed schemas see it: B.DATR DataType when B.DATR is
 * present (profile: zero selects FP64) and concrete, else the start's type.
 * false when neither is concrete.
 */
bool pto_effective_type(PtoPlan *plan, PtoDataType *type);

/*
 * Default shape() of element-wise families: every destination LB0 valid columns,
 * LB1 (default 1) valid rows, LB2 (default LB0) columns, effective type, layout
 * of B.DATR, location Any.
 */
PtoFaultInfo pto_shape_from_dims(PtoTileCtx *ctx, PtoPlan *plan);
/*
 * shape() of open schemas: dimensions where given, else the shape of the first
 * source (Local or Shared), else 1.
 */
PtoFaultInfo pto_shape_from_source(PtoTileCtx *ctx, PtoPlan *plan);

/*
 * Fill plan->dst[] bindings (hand, capacity) from the header; then allocate all
 * requests: free slots, pools, representable shapes. All or nothing, TileAllocation.
 */
PtoFaultInfo pto_plan_allocate(PtoTileCtx *ctx, PtoPlan *plan);
/* Fill plan->src[] from the header in binding order, and dst[] hand/capacity. */
void pto_plan_bind(PtoTileCtx *ctx, PtoPlan *plan);
/* Steps 3..4 pieces for families with their own preflight. */
PtoFaultInfo pto_plan_views(PtoTileCtx *ctx, PtoPlan *plan);
PtoFaultInfo pto_plan_generations(PtoTileCtx *ctx, PtoPlan *plan);
/* B.DATR fields of step 6. */
PtoFaultInfo pto_check_datr(PtoTileCtx *ctx, PtoPlan *plan);
/* Operand counts, L, B.IOR shape of step 4. */
PtoFaultInfo pto_check_bindings(PtoTileCtx *ctx, PtoPlan *plan);

/*
 * Shared sources: pto_shared_ready() says whether every Shared source is ready
 * and published (else set plan->wait); pto_shared_source() gives its tile.
 */
bool pto_shared_ready(PtoTileCtx *ctx, const PtoBundle *b);
const PtoTile *pto_shared_source(PtoTileCtx *ctx, unsigned id);

/*
 * View of Shared parent @id through @range as PE @pe sees it (delta 3.4); the
 * result owns its payload reference, clear it with pto_tile_clear.
 */
PtoFaultInfo pto_shared_view(PtoTileCtx *ctx, unsigned pe, unsigned id,
                             const PtoRange *range, PtoTile *view);

/* Release everything a plan holds. */
void pto_plan_release(PtoPlan *plan);

/* --- steps of the pipeline, for schemas with their own order and for commit.c --- */

/* Steps 3..10 in the generic order. */
PtoFaultInfo pto_preflight_generic(PtoTileCtx *ctx, PtoPlan *plan);
/* Raw B.IOR values: packed inputs into plan->address .. flag0 and their domains. */
PtoFaultInfo pto_check_gpr_values(PtoTileCtx *ctx, PtoPlan *plan);
/* Does the block act for the executing PE (delta 7.3)? */
bool pto_plan_acts(PtoTileCtx *ctx, unsigned mask);

/*
 * Delta 3.8 steps 3 and 4: operation class against B.ASSEMBLE, and Shared
 * destinations of several PEs without it.
 */
PtoFaultInfo pto_check_assemble(PtoTileCtx *ctx, PtoPlan *plan);
/* Shared generation checks of delta 3.6 for the block's assembling B.IOS. */
PtoFaultInfo pto_check_shared_generation(PtoTileCtx *ctx, PtoPlan *plan);
/* Drop the open generations of the block's own B.ASSEMBLE bindings. */
void pto_generation_abort(PtoTileCtx *ctx, PtoPlan *plan, PtoFaultInfo *fault,
                          bool *restart_valid, uint64_t *restart_pc);
/* Can destination @i be a part of its B.ASSEMBLE parent? After configuration. */
PtoFaultInfo pto_check_local_parent(const PtoPlan *plan, unsigned i);
/* Make Local results visible: slots, pools, generations. */
void pto_plan_publish(PtoTileCtx *ctx, PtoPlan *plan);

/*
 * Publish @tile (whose payload reference is taken over) in Shared register @id
 * through binding @bind: one-PE writer, or a writer of a generation.
 */
void pto_shared_publish(PtoTileCtx *ctx, const PtoBindShared *bind,
                        PtoTile *tile);
/*
 * May the binding @bind write @tile (with payload or not)? Checks the old object,
 * or the parent of the generation and the pool at LAST.
 */
PtoFaultInfo pto_check_shared_writer(PtoTileCtx *ctx, const PtoBindShared *bind,
                                     const PtoTile *tile);
/* Drop the open Shared generations of the block's B.ASSEMBLE bindings. */
void pto_shared_generation_abort(PtoTileCtx *ctx, const PtoBundle *b);
/* May @tile replace the contents of register @id for PEs @mask? */
bool pto_shared_compatible(PtoTileCtx *ctx, unsigned id, const PtoTile *tile,
                           unsigned mask);

/* --- counters (count.c) --- */

/* Enter a completed block in the counters of its PE; before its publication. */
void pto_count_commit(const PtoPlan *plan);

/* --- guest memory rectangles (memory.c) --- */

typedef struct PtoRect {
    uint64_t base, stride;      /* bytes; row r starts at base + r * stride */
    uint32_t rows, cols;        /* elements */
    PtoDataType type;
} PtoRect;

/* Fault of an access that a probe refused with @code (alignment or page). */
PtoFaultInfo pto_memory_fault(PtoFault code, uint64_t addr);
/* Bytes of a dense row of @cols elements (4-bit: rounded up). */
uint64_t pto_row_bytes(uint32_t cols, PtoDataType type);
/* Probe every element in row-major order; fault address as of the first bad one. */
PtoFaultInfo pto_rect_probe(PtoTileCtx *ctx, const PtoRect *r, bool write);
/* Fill the valid region of @t from a probed rectangle / store it there. */
void pto_rect_load(PtoTileCtx *ctx, const PtoRect *r, PtoTile *t);
void pto_rect_store(PtoTileCtx *ctx, const PtoRect *r, const PtoTile *t);
/* Enter the bytes of a rectangle in the counters. */
void pto_count_rect(const PtoPlan *plan, const PtoRect *r, bool store);

#endif
