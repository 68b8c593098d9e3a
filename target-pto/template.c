/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: MCOPY, MSET and the frame templates.
 *
 * MCOPY and the frame templates are restartable: their operands are snapshot
 * at the start and every memory step commits together with its progress, so
 * that an attempt that was cut off by a fault or an interrupt continues with
 * the first step that was not done (PTO-MCOPY-RESTART-001,
 * PTO-FENTRY-RESTARTABLE-FRAME-001 and its siblings).
 */
#include "qemu/osdep.h"
#include "internals.h"
#include "exec/exec-all.h"
#include "exec/cpu_ldst.h"
#include "exec/helper-proto.h"

#define GRANULE 64u                 /* bytes of a reservation granule */
#define COPY_SLICE (256 * 1024u)    /* bytes between looks at the exit flag */

static int mmu_index(CPUPTOState *env)
{
    return cpu_mmu_index(env_cpu(env), false);
}

/* Would an access of @size bytes at @addr be permitted?  No effect. */
static bool access_ok(CPUPTOState *env, uint64_t addr, uint64_t size,
                      MMUAccessType type, uintptr_t ra)
{
    int idx = mmu_index(env);
    void *host;

    if (addr + (size - 1) < addr) {
        return false;
    }
    while (size) {
        uint64_t n = MIN(size, -(addr | TARGET_PAGE_MASK));

        if (probe_access_flags(env, addr, n, type, idx, true, &host, ra) &
            TLB_INVALID_MASK) {
            return false;
        }
        addr += n;
        size -= n;
    }
    return true;
}

/*
 * Own stores end the PE's reservation when they touch its granule.  The
 * RESERVED bit of the block state may stay set: it only makes stores look.
 */
static void note_store(CPUPTOState *env, uint64_t addr, uint64_t size)
{
    uint64_t granule = env->reserve.address & ~(uint64_t)(GRANULE - 1);

    if (env->reserve.valid && size && addr < granule + GRANULE &&
        granule < addr + size) {
        env->reserve.valid = false;
    }
}

static uint64_t load_bytes(CPUPTOState *env, uint64_t addr, unsigned size,
                           int idx, uintptr_t ra)
{
    switch (size) {
    case 1:
        return cpu_ldub_mmuidx_ra(env, addr, idx, ra);
    case 2:
        return cpu_lduw_le_mmuidx_ra(env, addr, idx, ra);
    case 4:
        return cpu_ldl_le_mmuidx_ra(env, addr, idx, ra);
    default:
        return cpu_ldq_le_mmuidx_ra(env, addr, idx, ra);
    }
}

static void store_bytes(CPUPTOState *env, uint64_t addr, unsigned size,
                        uint64_t value, int idx, uintptr_t ra)
{
    switch (size) {
    case 1:
        cpu_stb_mmuidx_ra(env, addr, value, idx, ra);
        break;
    case 2:
        cpu_stw_le_mmuidx_ra(env, addr, value, idx, ra);
        break;
    case 4:
        cpu_stl_le_mmuidx_ra(env, addr, value, idx, ra);
        break;
    default:
        cpu_stq_le_mmuidx_ra(env, addr, value, idx, ra);
        break;
    }
}

/* ---- MCOPY ---- */

static bool mcopy_wraps(uint64_t addr, uint64_t length)
{
    return length != 0 && addr + length < addr;
}

static bool mcopy_overlaps(uint64_t a, uint64_t b, uint64_t length)
{
    return length != 0 && a < b + length && b < a + length;
}

static unsigned mcopy_step_size(uint64_t remaining)
{
    return remaining >= 8 ? 8 : remaining >= 4 ? 4 : remaining >= 2 ? 2 : 1;
}

static void mcopy_step(CPUPTOState *env, uintptr_t ra)
{
    PtoMcopyState *m = &env->mcopy;
    unsigned size = mcopy_step_size(m->length - m->progress);
    uint64_t source = m->source + m->progress;
    uint64_t destination = m->destination + m->progress;
    int idx = mmu_index(env);

    /* Both are probed before the source is observed, the source first. */
    if (!access_ok(env, source, size, MMU_DATA_LOAD, ra)) {
        pto_raise_fault(env, PTO_FAULT_DATA_PAGE, source, ra);
    }
    if (!access_ok(env, destination, size, MMU_DATA_STORE, ra)) {
        pto_raise_fault(env, PTO_FAULT_DATA_PAGE, destination, ra);
    }
    store_bytes(env, destination, size,
                load_bytes(env, source, size, idx, ra), idx, ra);
    note_store(env, destination, size);
    m->progress += size;
}

/*
 * As many whole 8-byte steps as fit into the current pages, when both are
 * plain RAM.  Returns the bytes copied.
 */
static uint64_t mcopy_run(CPUPTOState *env, uintptr_t ra)
{
    PtoMcopyState *m = &env->mcopy;
    uint64_t source = m->source + m->progress;
    uint64_t destination = m->destination + m->progress;
    uint64_t n = m->length - m->progress;
    int idx = mmu_index(env);
    void *from, *to;

    n = MIN(n, -(source | TARGET_PAGE_MASK));
    n = MIN(n, -(destination | TARGET_PAGE_MASK));
    n &= ~(uint64_t)7;
    if (n < 64 ||
        probe_access_flags(env, source, n, MMU_DATA_LOAD, idx, true, &from,
                           ra) ||
        probe_access_flags(env, destination, n, MMU_DATA_STORE, idx, true,
                           &to, ra)) {
        return 0;
    }
    memcpy(to, from, n);
    note_store(env, destination, n);
    m->progress += n;
    return n;
}

void helper_mcopy(CPUPTOState *env, uint64_t pc, uint64_t destination,
                  uint64_t source, uint64_t length)
{
    PtoMcopyState *m = &env->mcopy;
    uintptr_t ra = GETPC();
    uint64_t slice = 0;

    if (!m->active) {
        if (mcopy_wraps(destination, length) || mcopy_wraps(source, length) ||
            mcopy_overlaps(destination, source, length)) {
            pto_raise_fault_pc(env, PTO_FAULT_ILLEGAL_INSTRUCTION, ra);
        }
        *m = (PtoMcopyState) {
            .active = true, .pc = pc, .destination = destination,
            .source = source, .length = length,
        };
    } else if (m->pc != pc) {
        pto_raise_fault_pc(env, PTO_FAULT_ILLEGAL_INSTRUCTION, ra);
    }
    while (m->progress != m->length) {
        uint64_t done = mcopy_run(env, ra);

        if (!done) {
            mcopy_step(env, ra);
            done = 8;
        }
        slice += done;
        if (slice >= COPY_SLICE) {
            if (cpu_loop_exit_requested(env_cpu(env))) {
                cpu_loop_exit_restore(env_cpu(env), ra);
            }
            slice = 0;
        }
    }
    m->active = false;
}

/* ---- MSET ---- */

#define MSET_MAX 63

void helper_mset(CPUPTOState *env, uint64_t destination, uint64_t value,
                 uint64_t length)
{
    uintptr_t ra = GETPC();
    int idx = mmu_index(env);
    uint64_t i;

    if (length > MSET_MAX) {
        pto_raise_fault_pc(env, PTO_FAULT_ILLEGAL_INSTRUCTION, ra);
    }
    if (length &&
        !access_ok(env, destination, length, MMU_DATA_STORE, ra)) {
        pto_raise_fault(env, PTO_FAULT_DATA_PAGE, destination, ra);
    }
    for (i = 0; i < length; i++) {
        cpu_stb_mmuidx_ra(env, destination + i, value, idx, ra);
    }
    note_store(env, destination, length);
}

/* ---- frame templates ---- */

#define FRAME_FIRST 2       /* the ring of callee-saved registers R2..R23 */
#define FRAME_LAST 23

static bool frame_endpoint_ok(unsigned reg)
{
    return reg >= FRAME_FIRST && reg <= FRAME_LAST;
}

static unsigned frame_count(unsigned begin, unsigned end)
{
    return end >= begin ? end - begin + 1 : end + PTO_FRAME_MAX - begin + 1;
}

static unsigned frame_reg(const PtoFrameState *f, unsigned ordinal)
{
    unsigned reg = f->begin + ordinal;

    return reg <= FRAME_LAST ? reg : reg - PTO_FRAME_MAX;
}

static uint64_t frame_slot(const PtoFrameState *f)
{
    return f->caller_sp - 8 * (uint64_t)(f->progress + 1);
}

static void frame_start(CPUPTOState *env, uint64_t pc, PtoFrameKind kind,
                        unsigned begin, unsigned end, uint64_t size,
                        uintptr_t ra)
{
    PtoFrameState *f = &env->frame;
    uint64_t sp = env->scalar.gpr[env->profile->frame_sp];
    unsigned i;

    if (!frame_endpoint_ok(begin) || !frame_endpoint_ok(end) ||
        (kind == PTO_FRAME_RET_STK && begin != PTO_GPR_RA) ||
        (size & 7) || size < 8 * (uint64_t)frame_count(begin, end)) {
        pto_raise_fault_pc(env, PTO_FAULT_ILLEGAL_INSTRUCTION, ra);
    }
    if (kind == PTO_FRAME_RET_RA && (env->block.return_address & 1)) {
        pto_raise_fault(env, PTO_FAULT_INSTRUCTION_PC,
                        env->block.return_address, ra);
    }
    *f = (PtoFrameState) {
        .active = true, .pc = pc, .kind = kind, .begin = begin, .end = end,
        .count = frame_count(begin, end), .size = size,
        .caller_sp = kind == PTO_FRAME_ENTRY ? sp : sp + size,
    };
    if (kind == PTO_FRAME_RET_RA) {
        f->return_target = env->block.return_address;
        f->return_target_valid = true;
    }
    if (kind == PTO_FRAME_ENTRY) {
        /* The range may contain sp: all of it is read before sp changes. */
        for (i = 0; i < f->count; i++) {
            f->values[i] = env->scalar.gpr[frame_reg(f, i)];
        }
    }
}

static void frame_store_step(CPUPTOState *env, MemOpIdx oi, uintptr_t ra)
{
    PtoFrameState *f = &env->frame;
    uint64_t addr = frame_slot(f);

    cpu_stq_mmu(env, addr, f->values[f->progress], oi, ra);
    note_store(env, addr, 8);
    f->progress++;
}

static void frame_load_step(CPUPTOState *env, MemOpIdx oi, uintptr_t ra)
{
    PtoFrameState *f = &env->frame;
    unsigned reg = frame_reg(f, f->progress);
    uint64_t value = cpu_ldq_mmu(env, frame_slot(f), oi, ra);

    if (f->kind == PTO_FRAME_RET_STK && f->progress == 0) {
        if (value & 1) {
            pto_raise_fault(env, PTO_FAULT_INSTRUCTION_PC, value, ra);
        }
        f->return_target = value;
        f->return_target_valid = true;
    }
    env->scalar.gpr[reg] = value;
    if (reg == PTO_GPR_RA) {
        env->block.return_address = value;
    }
    f->progress++;
}

uint64_t helper_frame(CPUPTOState *env, uint64_t pc, uint32_t what,
                      uint64_t size)
{
    PtoFrameState *f = &env->frame;
    PtoFrameKind kind = FIELD_EX32(what, FRAME, KIND);
    uintptr_t ra = GETPC();
    MemOpIdx oi = make_memop_idx(MO_LEUQ | MO_ALIGN, mmu_index(env));

    if (!f->active) {
        frame_start(env, pc, kind, FIELD_EX32(what, FRAME, BEGIN),
                    FIELD_EX32(what, FRAME, END), size, ra);
    } else if (f->pc != pc || f->kind != kind) {
        pto_raise_fault_pc(env, PTO_FAULT_ILLEGAL_INSTRUCTION, ra);
    }
    if (!f->stack_adjusted) {
        env->scalar.gpr[env->profile->frame_sp] =
            kind == PTO_FRAME_ENTRY ? f->caller_sp - f->size : f->caller_sp;
        f->stack_adjusted = true;
    }
    while (f->progress < f->count) {
        if (kind == PTO_FRAME_ENTRY) {
            frame_store_step(env, oi, ra);
        } else {
            frame_load_step(env, oi, ra);
        }
    }
    f->active = false;
    return kind == PTO_FRAME_RET_RA || kind == PTO_FRAME_RET_STK
        ? f->return_target : pc + 4;
}
