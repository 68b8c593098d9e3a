/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tile state: descriptors, payload buffers, definedness, the Local tiles of a
 * PE, the Shared registers of a core.
 */
#ifndef PTO_TILE_STATE_H
#define PTO_TILE_STATE_H

#include "tile/types.h"
#include "tile/bundle.h"

/*
 * Payload of one tile: exactly @size bytes in storage order, little-endian
 * elements, 4-bit elements low nibble first, predicates one bit per element
 * (bit i of byte i / 8). Immutable once published, so copies share it.
 */
typedef struct PtoTileBuf {
    uint32_t refs;              /* changed atomically */
    uint32_t size;
    uint8_t *defined;           /* bitmap by storage element, or NULL */
    void *raw;                  /* what was allocated */
    uint8_t data[] __attribute__((aligned(64)));
} PtoTileBuf;

/* Which elements of a payload hold architecturally defined values. */
typedef enum PtoDefined {
    PTO_DEF_NONE,
    PTO_DEF_VALID,              /* exactly the valid region */
    PTO_DEF_ALL,                /* every storage element */
    PTO_DEF_BITMAP,             /* as buf->defined says */
} PtoDefined;

/*
 * Tile descriptor with its payload. Plain value; the buffer reference counts.
 * rows x cols is the storage shape (CUBE: whole CELLs).
 */
typedef struct PtoTile {
    bool allocated;
    uint8_t storage;            /* PtoStorage */
    uint8_t type;               /* PtoDataType */
    uint8_t layout;             /* PtoLayout */
    uint8_t location;           /* PtoLocation */
    uint8_t mask;               /* PEs it was allocated for */
    uint8_t defined;            /* PtoDefined */
    bool contents_defined;      /* every valid element is defined */
    uint32_t capacity;          /* bytes */
    uint16_t rows, cols;
    uint16_t vrows, vcols;      /* valid region */
    uint32_t k_repeat;          /* CUBE: CELLs along K (M layouts: along columns) */
    uint32_t n_repeat;          /* CUBE_N8: CELLs along N; M32: row blocks */
    uint32_t cells;             /* CUBE: CELL count, else 0 */
    PtoTileBuf *buf;            /* NULL: payload reads as undefined zero */
} PtoTile;

/* Feature map metadata of one Local tile, read by TIMG2COL. */
typedef struct PtoFeatureMap {
    bool valid;
    bool ndc1hwc0;              /* else NC1HWC0 */
    bool transposed;
    uint16_t batches, depth, channel_groups, height, width;
    uint16_t channels_per_group;
    uint16_t filter_h, filter_w, stride_h, stride_w, dilation_h, dilation_w;
    uint16_t pad_left, pad_right, pad_top, pad_bottom;
    uint16_t logical_channels;
    uint64_t padding;
} PtoFeatureMap;

#define PTO_GEN_CELLS 2048
#define PTO_GEN_WRITERS 512     /* a Local parent has at most 512 CELLs */

/* One accepted writer of a generation. */
typedef struct PtoGenWriter {
    uint64_t bpc;
    uint16_t first, cells;
} PtoGenWriter;

/* Open or committed B.ASSEMBLE generation (key: hand x mask, or S register). */
typedef struct PtoGeneration {
    bool open;
    bool last_seen;
    uint8_t hand;
    uint8_t mask;
    uint8_t parent_size;        /* size code */
    uint16_t parent_cells;
    uint16_t covered_count;
    uint16_t writers;
    uint8_t slot;               /* Local: slot of the working tile, 0xff none */
    uint64_t init_bpc;          /* restart point of an aborted generation */
    uint64_t covered[PTO_GEN_CELLS / 64];
    PtoGenWriter writer[PTO_GEN_WRITERS];
    PtoTile work;               /* working tile (Shared and Local) */
} PtoGeneration;

/*
 * What the completed blocks of a PE have done. Rejected and waiting attempts
 * count nothing.
 */
typedef struct PtoTileCounters {
    uint64_t engine[PTO_ENGINE_COUNT];  /* operations by engine */
    uint64_t loaded, stored;            /* bytes of guest memory, all transfers */
    uint64_t gathered, scattered;       /* of these by indexed transfers */
    uint64_t shared_read;               /* bytes of Shared source operands */
    uint64_t shared_written;            /* bytes of Shared destinations */
    /*
     * Floating-point operations: two for each step of a matrix product, one for
     * each valid element of other arithmetic, two in TFMA.
     */
    uint64_t flops;
} PtoTileCounters;

/*
 * Local tiles of one PE. In the single-program view one such object stands for
 * all PEs of a mask, so the pools are counted per PE.
 */
typedef struct PtoLocalTiles {
    PtoTile tile[PTO_TILE_SLOTS];       /* hand * 16 + slot */
    uint64_t seq[PTO_TILE_SLOTS];       /* publication order, 0 = never */
    uint64_t next_seq;
    uint32_t pool_used[PTO_PES];
    uint32_t pool_limit;                /* TILE_CAPACITY */
    bool own_pool;                      /* charge pool_used[0] only, whatever the mask */
    PtoFeatureMap *feature_map[PTO_TILE_SLOTS];     /* NULL = invalid */
    PtoGeneration *generation[PTO_TILE_HANDS * 16]; /* hand * 16 + mask */
    uint64_t ops;                       /* completed tile operations */
    PtoTileCounters count;
} PtoLocalTiles;

typedef struct PtoSharedTile {
    bool valid;                 /* has a descriptor */
    bool ready;                 /* whole parent ready */
    bool published;
    uint8_t alloc_mask;
    uint8_t init_mask;
    PtoTile tile;
} PtoSharedTile;

/* A collective block in progress (rendezvous.h). Bit n of the sets is PE n. */
typedef struct PtoRendezvous {
    unsigned key;
    unsigned arrived;
    unsigned collecting;        /* nonzero: complete, these PEs still collect */
    uint8_t *data[PTO_PES];
    size_t bytes[PTO_PES];
} PtoRendezvous;

/* What the PEs of one core share. Guarded by the access table's core lock. */
typedef struct PtoTileCore {
    PtoSharedTile shared[PTO_SHARED_COUNT];
    PtoGeneration *generation[PTO_SHARED_COUNT];
    PtoRendezvous rendezvous;
    uint32_t pool_used;
    uint32_t pool_limit;
    uint64_t publications;      /* counts wake-up causes */
} PtoTileCore;

/* Reset: no tiles, pools empty, limits PTO_POOL_BYTES. First use: zeroed memory. */
void pto_local_init(PtoLocalTiles *l);
void pto_local_reset(PtoLocalTiles *l);
void pto_core_init(PtoTileCore *c);
void pto_core_reset(PtoTileCore *c);

/* Buffer with one reference; payload bytes are zero if @zero, else arbitrary. */
PtoTileBuf *pto_buf_new(uint32_t size, bool zero);
void pto_buf_ref(PtoTileBuf *b);
void pto_buf_unref(PtoTileBuf *b);

/* Drop the payload reference and make the descriptor unallocated. */
void pto_tile_clear(PtoTile *t);
/* *dst = *src sharing the payload; *dst must be clear. */
void pto_tile_copy(PtoTile *dst, const PtoTile *src);
/*
 * Give an allocated descriptor a fresh, writable payload of its capacity. Zeroed
 * if @zero, otherwise the caller writes every byte.
 */
void pto_tile_new_payload(PtoTile *t, bool zero);
/* Make the payload private (copy on write) before partial modification. */
void pto_tile_own_payload(PtoTile *t);

/* Bytes of payload storage, or NULL when there is none. */
static inline uint8_t *pto_tile_data(const PtoTile *t)
{
    return t->buf ? t->buf->data : NULL;
}

/* --- shapes (layout.c) --- */

/*
 * Rows that @capacity bytes hold at @cols columns of @type, 0 if @cols is no
 * power of two, does not divide the capacity, or the result exceeds 65535.
 */
uint32_t pto_derived_rows(uint32_t capacity, uint32_t cols, PtoDataType type);
/* tile/model/shape/valid-region: is the non-CUBE shape representable? */
bool pto_shape_legal(uint32_t capacity, uint32_t cols, uint32_t vrows,
                     uint32_t vcols, PtoDataType type);
/* Smallest size in bytes (128 .. 256 Ki) that holds the shape, 0 if none. */
uint32_t pto_min_capacity(uint32_t cols, uint32_t vrows, uint32_t vcols,
                          PtoDataType type);
/* Smallest power of two >= @cols, 0 above 32768. */
uint32_t pto_pow2_cols(uint32_t cols);

/* Geometry of a CUBE tile; all zero when illegal. */
typedef struct PtoCubeGeom {
    uint32_t cell_rows, cell_cols;
    uint32_t rows, cols;        /* storage */
    uint32_t k_repeat, n_repeat, cells;
    uint32_t bytes;
} PtoCubeGeom;

/* Is @type storable in CUBE layouts (not 64-bit)? */
bool pto_cube_type_ok(PtoDataType type);
/* Geometry for a valid region; false if the layout cannot hold it. */
bool pto_cube_geometry(PtoLayout layout, uint32_t vrows, uint32_t vcols,
                       PtoDataType type, PtoCubeGeom *g);

/*
 * Fill *@t as a fresh undefined tile (no payload yet). The shape must be legal
 * (pto_shape_legal / pto_cube_geometry); rows follow from the capacity.
 */
void pto_tile_configure(PtoTile *t, uint32_t capacity, uint32_t cols,
                        uint32_t vrows, uint32_t vcols, PtoDataType type,
                        PtoLayout layout, PtoLocation loc, unsigned mask);
bool pto_tile_configure_cube(PtoTile *t, uint32_t capacity, uint32_t vrows,
                             uint32_t vcols, PtoDataType type, PtoLayout layout,
                             unsigned mask);
void pto_tile_configure_predicate(PtoTile *t, uint32_t capacity, uint32_t rows,
                                  uint32_t cols, uint32_t vrows,
                                  uint32_t vcols, unsigned mask);

/* Storage element number of (row, col); any layout. row, col inside storage. */
uint32_t pto_tile_index(const PtoTile *t, uint32_t row, uint32_t col);

/* Raw element bits at storage element @index (4-bit: bits 3:0, predicate: 0/1). */
uint64_t pto_tile_get_at(const PtoTile *t, uint32_t index);
void pto_tile_put_at(PtoTile *t, uint32_t index, uint64_t value);

static inline uint64_t pto_tile_get(const PtoTile *t, uint32_t row, uint32_t col)
{
    return pto_tile_get_at(t, pto_tile_index(t, row, col));
}

static inline void pto_tile_put(PtoTile *t, uint32_t row, uint32_t col,
                                uint64_t value)
{
    pto_tile_put_at(t, pto_tile_index(t, row, col), value);
}

/* --- definedness --- */

/* Is the element at (row, col) defined? */
bool pto_tile_elem_defined(const PtoTile *t, uint32_t row, uint32_t col);
/* All valid elements defined, everything else not (result of a full producer). */
void pto_tile_define_valid(PtoTile *t);
/* All storage elements defined (producer with a padding value). */
void pto_tile_define_all(PtoTile *t);
/* Mark one element; switches to the bitmap form. Call pto_tile_define_done last. */
void pto_tile_define_elem(PtoTile *t, uint32_t row, uint32_t col);
/* Recompute contents_defined from the bitmap. */
void pto_tile_define_done(PtoTile *t);
/*
 * Write PadValue to all storage elements outside the valid region and set
 * definedness of a full producer: Null leaves the padding undefined.
 */
void pto_tile_pad(PtoTile *t, PtoPad pad);

/* --- descriptor predicates (tile/model/legality/descriptor-shape) --- */

/* Allocated with a consistent non-CUBE numeric or predicate shape. */
bool pto_tile_configured(const PtoTile *t);
/* Configured and generically indexable (row/column-major, ZN, NZ). */
bool pto_tile_legal(const PtoTile *t);
/* Consistent CUBE tile in location Matrix. */
bool pto_tile_cube_legal(const PtoTile *t);
/* Legal (non-CUBE) and every valid element defined. */
bool pto_tile_source_defined(const PtoTile *t);
/* Same rows, cols, valid region and layout, both legal. */
bool pto_tile_shape_match(const PtoTile *a, const PtoTile *b);
/* ... and same storage kind and type. */
bool pto_tile_match(const PtoTile *a, const PtoTile *b);

/* --- names and pools --- */

/*
 * Slot of B.IOT source code @code (hand * 16 + k): absolute, or the k-th newest
 * tile of the hand. The slot may be unallocated; -1 if a relative name has no tile.
 */
int pto_local_resolve(const PtoLocalTiles *l, unsigned code, bool relative);
/* Charge or release @bytes in the pool of every PE of @mask (own_pool: once). */
/* Would @bytes more fit in the pools of @mask, after @freed bytes were released? */
bool pto_local_fits(const PtoLocalTiles *l, unsigned mask, uint32_t bytes,
                    const uint32_t freed[PTO_PES]);
void pto_local_charge(PtoLocalTiles *l, unsigned mask, int32_t bytes);
/* Bytes in use in the pool of PE @pe, whose tiles these are or include. */
static inline uint32_t pto_local_pool_used(const PtoLocalTiles *l, unsigned pe)
{
    return l->pool_used[l->own_pool ? 0 : pe];
}
/* Remove a Local tile, its pool charge and feature map. */
void pto_local_free(PtoLocalTiles *l, unsigned slot);
/* Invalidate / set the feature map of a slot. */
void pto_local_set_feature_map(PtoLocalTiles *l, unsigned slot,
                               const PtoFeatureMap *fm);

/* --- serialization (state_save.c) --- */

/*
 * Flat little-endian image of all tiles, generations and counters; returns a
 * pto_alloc'ed buffer and its size. Load replaces the state; false (state reset)
 * when the image is malformed.
 */
uint8_t *pto_local_save(const PtoLocalTiles *l, size_t *size);
bool pto_local_load(PtoLocalTiles *l, const uint8_t *data, size_t size);
uint8_t *pto_core_save(const PtoTileCore *c, size_t *size);
bool pto_core_load(PtoTileCore *c, const uint8_t *data, size_t size);

#endif
