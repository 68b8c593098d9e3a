/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: CPU object and environment.  One PE is one vCPU.
 */
#ifndef PTO_CPU_H
#define PTO_CPU_H

#include "cpu-qom.h"
#include "exec/cpu-defs.h"
#include "profile.h"
#include "state.h"

#ifdef CONFIG_USER_ONLY
#error "PTO is a system-emulation target"
#endif

#define CPU_RESOLVING_TYPE TYPE_PTO_CPU

/* Exception indices; a fault carries its details in env->fault. */
enum {
    PTO_EXCP_FAULT = 1,
    PTO_EXCP_SERVICE,           /* ACRC, already entered */
    PTO_EXCP_WAIT,              /* a tile block waits: sleep, then retry */
};

/* MMU indices: rings 2..15 see the application window only. */
enum {
    PTO_MMU_SYSTEM,
    PTO_MMU_APP,
};

#define PTO_NUM_IRQ 64

typedef struct CPUArchState {
    uint64_t pc;                /* TPC */
    PtoScalarState scalar;
    PtoBlockState block;
    PtoReservation reserve;
    PtoSysregState sys;
    PtoLastFault fault;

    PtoBundle bundle;           /* header of the open block */
    PtoMcopyState mcopy;
    PtoFrameState frame;

    PtoTrapBank bank[PTO_NUM_RINGS];
    PtoTrapContext context[PTO_NUM_RINGS];

    uint64_t irq_level;         /* input lines 0..63 */
    uint64_t irq_raised;        /* rising edges not yet in IPENDING */
    PtoWaitState wait;
    bool acre_pending;          /* ACRE is executing */

    struct {} end_reset_fields;

    const PTOProfile *profile;
    uint64_t tb_model;          /* see pto_cpu_set_tb_model() */
    PtoLocalTiles *tiles;       /* Local tiles of this PE */
    PtoTileCore *tile_core;     /* Shared tiles of the core */
    struct PtoGqm *gqm;         /* queues of the system */
    uint64_t popped;            /* second result of HL.QPOP */
} CPUPTOState;

/**
 * PTOCPU:
 * @env: architectural state
 * @pe: PE number inside the core (THREAD_ID, PEID)
 * @core: core number (CORE_ID)
 * @agent: GPR file that scalar code uses in the single-program view
 * @shared_core: hw-pto/core.h, NULL outside a PTO board
 * @tile_profile: the model's choices with the properties applied
 * @strict_header: scalar instructions do not enter a block's body
 * @app_window: limit of rings 2..15 in bytes, 0 for none
 */
struct ArchCPU {
    CPUState parent_obj;

    CPUPTOState env;

    uint8_t pe;
    uint32_t core;
    uint8_t agent;
    bool peid;
    bool time_ns;
    bool strict_header;
    bool own_tile_core;         /* no core object: the PE has its own */
    PtoTileProfile tile_profile;
    struct PtoCore *shared_core;
    uint64_t app_window;
    uint64_t reset_pc;
    uint64_t reset_arg[2];      /* a0 and a1 at reset */
    QEMUTimer *timer;
    GString *state_in, *state_out;  /* state in transfer by the debug stub */
};

struct PTOCPUClass {
    CPUClass parent_class;

    DeviceRealize parent_realize;
    ResettablePhases parent_phases;
    const PTOProfile *profile;
};

/**
 * pto_ring: access control ring in which @env executes.
 */
static inline unsigned pto_ring(const CPUPTOState *env)
{
    return FIELD_EX32(env->block.st, BST, RING);
}

/**
 * pto_set_ring: enter @ring; keeps CORE_STATE[3:0] equal to it.
 */
static inline void pto_set_ring(CPUPTOState *env, unsigned ring)
{
    env->block.st = FIELD_DP32(env->block.st, BST, RING, ring);
    env->sys.core_state = deposit64(env->sys.core_state, 0, 4, ring);
}

/**
 * pto_write_core_state: replace CORE_STATE, the ring included.
 */
static inline void pto_write_core_state(CPUPTOState *env, uint64_t value)
{
    env->sys.core_state = value;
    pto_set_ring(env, value & 15);
}

static inline bool pto_block_active(const CPUPTOState *env)
{
    return FIELD_EX32(env->block.st, BST, ACTIVE);
}

static inline bool pto_block_body(const CPUPTOState *env)
{
    return FIELD_EX32(env->block.st, BST, BODY);
}

static inline PtoBlockKind pto_block_kind(const CPUPTOState *env)
{
    return FIELD_EX32(env->block.st, BST, KIND);
}

static inline PtoTransfer pto_block_transfer(const CPUPTOState *env)
{
    return FIELD_EX32(env->block.st, BST, TRANSFER);
}

/**
 * pto_barg_taken: BARG.TAKEN of the open block.
 */
static inline bool pto_barg_taken(const CPUPTOState *env)
{
    return FIELD_EX32(env->block.st, BST, TAKEN_ENV)
        ? env->block.commit_argument != 0
        : FIELD_EX32(env->block.st, BST, TAKEN);
}

/**
 * pto_set_barg: install BARG words.
 *
 * For writers outside translated code (trap recovery, debugger, migration).
 * Call it after the other BST fields have their values.
 */
static inline void pto_set_barg(CPUPTOState *env, uint64_t bpc, uint64_t bpcn,
                                uint64_t sequential, uint64_t frame_target,
                                bool taken)
{
    uint32_t st = env->block.st;

    env->block.bpc = bpc;
    env->block.bpcn = bpcn;
    env->block.sequential = sequential;
    env->block.frame_target = frame_target;
    st = FIELD_DP32(st, BST, TAKEN, taken);
    st = FIELD_DP32(st, BST, TAKEN_ENV, 0);
    st = FIELD_DP32(st, BST, BARG_LIVE,
                    (bpc | bpcn | sequential | frame_target) != 0);
    env->block.st = st;
}

/**
 * pto_pe_gpr: address of register @n of PE @pe in the view of this PE.
 *
 * In the single-program view all four files exist; otherwise only the own
 * file is reachable and NULL is returned for another PE.
 */
uint64_t *pto_pe_gpr(CPUPTOState *env, unsigned pe, unsigned n);

/**
 * pto_last_fault: code of the newest attempt's fault, 0 when it retired.
 */
static inline uint32_t pto_last_fault(const CPUPTOState *env)
{
    return env->fault.cycle == env->sys.cycle ? env->fault.code : 0;
}

/**
 * pto_sync_bundle: make env->bundle.op complete.
 *
 * A control BSTART leaves no trace in the bundle record; call this before
 * reading bundle.op (debugger, header commands, trap inspection).
 */
void pto_sync_bundle(CPUPTOState *env);

/**
 * pto_cpu_set_tb_model: settle what of @cpu translated code depends on.
 *
 * The value is part of the key under which TBs are found, so that PEs of
 * different models, and PEs that differ in @strict_header, never run each
 * other's code.  Call it when one of them has changed.
 */
void pto_cpu_set_tb_model(PTOCPU *cpu);

void pto_tcg_init(void);
void pto_translate_code(CPUState *cs, TranslationBlock *tb,
                        int *max_insns, vaddr pc, void *host_pc);
void pto_restore_state_to_opc(CPUState *cs, const TranslationBlock *tb,
                              const uint64_t *data);

static inline void cpu_get_tb_cpu_state(CPUPTOState *env, vaddr *pc,
                                        uint64_t *cs_base, uint32_t *flags)
{
    *pc = env->pc;
    *cs_base = env->tb_model;
    *flags = env->block.st;
}

#include "exec/cpu-all.h"

#endif
