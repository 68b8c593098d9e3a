/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: the architectural state of one PE, one small struct per concern.
 */
#ifndef PTO_STATE_H
#define PTO_STATE_H

#include "hw/registerfields.h"
#include "tile/bundle.h"
#include "tile/state.h"

#define PTO_NUM_GPR         24
#define PTO_NUM_PE          4       /* PEs of one core */
#define PTO_QUEUE_DEPTH     4       /* T and U queue */
#define PTO_NUM_PRED        8
#define PTO_NUM_RINGS       16
#define PTO_CTX_BASE        0xf00   /* first low index of the context family */
#define PTO_CTX_COUNT       0x100
#define PTO_FRAME_MAX       22
#define PTO_GPR_RA          10      /* link register of the call transfers */

/* Codes of the block kind and of the transfer as packed in EBARG0. */
typedef enum PtoBlockKind {
    PTO_KIND_STD   = 0,
    PTO_KIND_FP    = 1,
    PTO_KIND_SYS   = 2,
    PTO_KIND_TEPL  = 5,     /* tile element */
    PTO_KIND_TLSU  = 6,     /* tile memory */
    PTO_KIND_CUBE  = 7,     /* tile matrix */
    PTO_KIND_FRAME = 8,
} PtoBlockKind;

typedef enum PtoTransfer {
    PTO_XFER_FALL = 0,
    PTO_XFER_DIRECT = 1,
    PTO_XFER_COND = 2,
    PTO_XFER_CALL = 3,
    PTO_XFER_RET = 4,
    PTO_XFER_IND = 5,
    PTO_XFER_ICALL = 6,
} PtoTransfer;

/*
 * Static block state.  One packed word: it is the TB flags, so everything in
 * it is known when an instruction is translated.
 *
 * TAKEN is BARG.TAKEN unless TAKEN_ENV is set: then a SETC has run in this
 * conditional block and commit_argument holds the value.
 * OP: the block was opened by a control BSTART, whose operation record is not
 * written to the bundle (see pto_sync_bundle); OP_BR: its encoding has BrType.
 * BARG_LIVE: bpc, bpcn, sequential or frame_target in PtoBlockState may be
 * nonzero; clear while no block is active unless a trap recovery put values
 * there.
 * HEADER: the bundle record is not in its cleared state.
 * RESERVED: a reservation is held, so stores must test it.
 */
FIELD(BST, ACTIVE, 0, 1)
FIELD(BST, BODY, 1, 1)
FIELD(BST, KIND, 2, 4)
FIELD(BST, TRANSFER, 6, 3)
FIELD(BST, TAKEN, 9, 1)
FIELD(BST, TERMINAL, 10, 1)     /* SYS terminal operation pending */
FIELD(BST, COND_SET, 11, 1)
FIELD(BST, TARGET_SET, 12, 1)
FIELD(BST, HEADER, 13, 1)
FIELD(BST, BARG_LIVE, 14, 1)
FIELD(BST, RESERVED, 15, 1)
FIELD(BST, RING, 16, 4)
FIELD(BST, T_VALID, 20, 4)      /* bit 0 = T#1 */
FIELD(BST, U_VALID, 24, 4)
FIELD(BST, TAKEN_ENV, 28, 1)
FIELD(BST, OP, 29, 1)
FIELD(BST, OP_BR, 30, 1)

typedef struct PtoScalarState {
    uint64_t gpr[PTO_NUM_GPR];              /* the executing file; [0] is 0 */
    uint64_t t[PTO_QUEUE_DEPTH];            /* [0] is T#1 */
    uint64_t u[PTO_QUEUE_DEPTH];
    uint32_t pred[PTO_NUM_PRED];
    /* Single-program view: files of the PEs that are not the agent. */
    uint64_t other_gpr[PTO_NUM_PE][PTO_NUM_GPR];
} PtoScalarState;

typedef struct PtoBlockState {
    uint32_t st;                /* BST fields */
    uint64_t bpc;
    uint64_t bpcn;
    uint64_t sequential;        /* instruction after the BSTART */
    uint64_t frame_target;      /* return target of the BSTART */
    uint64_t return_address;    /* used by RET and FRET.RA, not R10 */
    uint64_t argument;
    uint64_t commit_argument;
    uint32_t argument_kind;
} PtoBlockState;

/* MCOPY: operands and the first byte that is not copied yet. */
typedef struct PtoMcopyState {
    bool active;
    uint64_t pc;
    uint64_t destination;
    uint64_t source;
    uint64_t length;
    uint64_t progress;
} PtoMcopyState;

typedef enum PtoFrameKind {
    PTO_FRAME_ENTRY,
    PTO_FRAME_EXIT,
    PTO_FRAME_RET_RA,
    PTO_FRAME_RET_STK,
} PtoFrameKind;

/* What a frame instruction encodes, as its helper gets it. */
FIELD(FRAME, KIND, 0, 2)
FIELD(FRAME, BEGIN, 8, 5)
FIELD(FRAME, END, 16, 5)

/* Frame template: progress counts the registers already moved. */
typedef struct PtoFrameState {
    bool active;
    bool stack_adjusted;
    bool return_target_valid;
    uint8_t kind;               /* PtoFrameKind */
    uint8_t begin;
    uint8_t end;
    uint8_t count;
    uint8_t progress;
    uint64_t pc;
    uint64_t size;
    uint64_t caller_sp;
    uint64_t return_target;
    uint64_t values[PTO_FRAME_MAX];
} PtoFrameState;

/* Trap number, cause and argument of one ring (TRAPNO, TRAPARG0). */
typedef struct PtoTrapBank {
    bool asynchronous;
    bool arg_valid;
    uint8_t number;             /* 6 bits */
    uint32_t cause;             /* 24 bits */
    uint64_t arg0;
} PtoTrapBank;

/* What a trap saves and ACRE restores, besides the EBARG registers. */
typedef struct PtoTrapContext {
    bool valid;
    uint8_t source_ring;
    uint64_t tpc;
    uint64_t core_state;
    PtoBlockState block;
    PtoBundle bundle;
    PtoMcopyState mcopy;
    PtoFrameState frame;
    uint64_t t[PTO_QUEUE_DEPTH];
    uint64_t u[PTO_QUEUE_DEPTH];
    uint32_t pred[PTO_NUM_PRED];
} PtoTrapContext;

typedef struct PtoSysregState {
    uint64_t thread_ptr;
    uint64_t global_ptr;
    uint64_t core_state;        /* [3:0] ring, [36:32] NV DZ OF UF NX */
    uint64_t core_feature_enable;
    uint64_t blocknum;
    uint64_t blockid;
    uint64_t cycle;             /* instruction attempts, see pto_cycle() */
    uint64_t ctx[PTO_NUM_RINGS][PTO_CTX_COUNT];
} PtoSysregState;

#define PTO_LINE_BYTES      64

/* LR/SC: the granule is the 64-byte line of the address. */
typedef struct PtoReservation {
    bool valid;
    bool line_valid;            /* LR has kept the line's contents */
    uint8_t size;
    uint64_t address;
    uint64_t line[PTO_LINE_BYTES / 8];  /* as in memory */
} PtoReservation;

typedef enum PtoWaitKind {
    PTO_WAIT_NONE,
    PTO_WAIT_INTERRUPT,         /* BWI */
    PTO_WAIT_EVENT,             /* BWE */
    PTO_WAIT_TIMEOUT,           /* BWT */
} PtoWaitKind;

/* A PE suspended by BWI, BWE or BWT; the flags are set by other threads. */
typedef struct PtoWaitState {
    uint8_t kind;               /* PtoWaitKind */
    bool event;                 /* BSE of another PE not yet consumed */
    bool tile_wake;             /* a halted tile block shall try again */
    int64_t since;              /* virtual clock, ns */
    uint64_t deadline;          /* TIME at which BWT ends */
} PtoWaitState;

/* Fault of the newest rejected attempt; stale once CYCLE has moved on. */
typedef struct PtoLastFault {
    uint32_t code;              /* PtoFault */
    uint32_t cause;             /* 24-bit trap cause */
    uint64_t address;
    uint64_t cycle;             /* CYCLE after that attempt */
    const char *rule;           /* id of the violated rule, or NULL */
} PtoLastFault;

#endif
