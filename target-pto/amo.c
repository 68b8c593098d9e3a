/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO atomics that need more than one TCG operation: LR/SC and DMA.
 *
 * LR reserves the 64-byte line of its address.  Stores of the own PE to that
 * line are tested where they happen.  Stores of other PEs are noticed by SC:
 * LR keeps the line's contents, and SC compares all of them and exchanges its
 * own bytes atomically against what LR saw.
 */
#include "qemu/osdep.h"
#include "qemu/atomic.h"
#include "internals.h"
#include "exec/cpu_ldst.h"
#include "exec/exec-all.h"
#include "exec/helper-proto.h"

#define LINE_MASK       ((uint64_t)PTO_LINE_BYTES - 1)
#define DMA_BYTES       64

static bool same_line(uint64_t a, uint64_t b)
{
    return ((a ^ b) & ~LINE_MASK) == 0;
}

void pto_reservation_store(CPUPTOState *env, uint64_t addr, uint64_t len)
{
    uint64_t line = env->reserve.address & ~LINE_MASK;

    if (env->reserve.valid && len && addr - line < PTO_LINE_BYTES) {
        env->reserve.valid = false;
    } else if (env->reserve.valid && line - addr < len) {
        env->reserve.valid = false;
    }
}

void HELPER(reservation_store)(CPUPTOState *env, uint64_t addr, uint32_t len)
{
    pto_reservation_store(env, addr, len);
}

static int mmu_idx_of(CPUPTOState *env)
{
    return cpu_mmu_index(env_cpu(env), false);
}

static void check_aligned(CPUPTOState *env, uint64_t addr, unsigned size,
                          uintptr_t ra)
{
    if (addr & (size - 1)) {
        pto_raise_fault(env, PTO_FAULT_DATA_ALIGNMENT, addr, ra);
    }
}

static uint64_t load_mmio(CPUPTOState *env, uint64_t addr, unsigned size,
                          uintptr_t ra)
{
    MemOpIdx oi = make_memop_idx(size_memop(size) | MO_LE, mmu_idx_of(env));

    switch (size) {
    case 1:
        return cpu_ldb_mmu(env, addr, oi, ra);
    case 2:
        return cpu_ldw_mmu(env, addr, oi, ra);
    case 4:
        return cpu_ldl_mmu(env, addr, oi, ra);
    default:
        return cpu_ldq_mmu(env, addr, oi, ra);
    }
}

static void store_mmio(CPUPTOState *env, uint64_t addr, unsigned size,
                       uint64_t value, uintptr_t ra)
{
    MemOpIdx oi = make_memop_idx(size_memop(size) | MO_LE, mmu_idx_of(env));

    switch (size) {
    case 1:
        cpu_stb_mmu(env, addr, value, oi, ra);
        break;
    case 2:
        cpu_stw_mmu(env, addr, value, oi, ra);
        break;
    case 4:
        cpu_stl_mmu(env, addr, value, oi, ra);
        break;
    default:
        cpu_stq_mmu(env, addr, value, oi, ra);
        break;
    }
}

/* Copy of a line; each aligned 8-byte word is read in one piece. */
static void snapshot_line(uint64_t *copy, const void *line)
{
    const uint64_t *word = line;

    smp_rmb();
    for (int i = 0; i < PTO_LINE_BYTES / 8; i++) {
        copy[i] = qatomic_read__nocheck(&word[i]);
    }
    smp_mb_acquire();
}

static uint64_t snapshot_value(const PtoReservation *r, uint64_t addr,
                               unsigned size)
{
    return ldn_le_p((const char *)r->line + (addr & LINE_MASK), size);
}

/*
 * A faulting LR keeps the older reservation.  The value comes out of the line
 * copy, so that what LR returns and what SC compares cannot differ.
 */
uint64_t HELPER(load_reserved)(CPUPTOState *env, uint64_t addr, uint32_t size)
{
    uintptr_t ra = GETPC();
    PtoReservation r = { .valid = true, .size = size, .address = addr };
    uint64_t value;
    char *host;

    check_aligned(env, addr, size, ra);
    host = probe_access(env, addr, size, MMU_DATA_LOAD, mmu_idx_of(env), ra);
    if (host) {
        r.line_valid = true;
        snapshot_line(r.line, host - (addr & LINE_MASK));
        value = snapshot_value(&r, addr, size);
    } else {
        value = load_mmio(env, addr, size, ra);
    }
    env->reserve = r;
    return value;
}

#define EXCHANGE_IF(type, host, old, new) \
    (qatomic_cmpxchg__nocheck((type *)(host), (type)(old), (type)(new)) == \
     (type)(old))

/* Little-endian guest memory against host-endian exchange. */
static bool exchange_if(void *host, unsigned size, uint64_t old, uint64_t new)
{
    switch (size) {
    case 1:
        return EXCHANGE_IF(uint8_t, host, old, new);
    case 2:
        return EXCHANGE_IF(uint16_t, host, cpu_to_le16(old), cpu_to_le16(new));
    case 4:
        return EXCHANGE_IF(uint32_t, host, cpu_to_le32(old), cpu_to_le32(new));
    default:
        return EXCHANGE_IF(uint64_t, host, cpu_to_le64(old), cpu_to_le64(new));
    }
}

static bool line_unchanged(const PtoReservation *r, const void *line)
{
    uint64_t now[PTO_LINE_BYTES / 8];

    snapshot_line(now, line);
    return memcmp(now, r->line, sizeof(now)) == 0;
}

/*
 * SC matches on the line alone, and a miss does not probe its address.  Every
 * SC ends the reservation, also one that faults.
 *
 * Only the bytes of the SC itself are exchanged atomically.  That decides
 * when they are the ones LR read; otherwise the comparison of the rest of the
 * line must be atomic with the store too, and other PEs are stopped for it.
 */
uint64_t HELPER(store_conditional)(CPUPTOState *env, uint64_t addr,
                                   uint64_t value, uint32_t size,
                                   uint32_t parallel)
{
    uintptr_t ra = GETPC();
    PtoReservation *r = &env->reserve;
    char *host;

    if (!r->valid || !same_line(r->address, addr)) {
        r->valid = false;
        return 1;
    }
    if (parallel && (r->address != addr || r->size != size)) {
        cpu_loop_exit_atomic(env_cpu(env), ra);
    }
    r->valid = false;
    check_aligned(env, addr, size, ra);
    host = probe_access(env, addr, size, MMU_DATA_STORE, mmu_idx_of(env), ra);
    if (!host) {
        store_mmio(env, addr, size, value, ra);
        return 0;
    }
    if (!r->line_valid) {
        store_mmio(env, addr, size, value, ra);
        return 0;
    }
    if (!line_unchanged(r, host - (addr & LINE_MASK))) {
        return 1;
    }
    return !exchange_if(host, size, snapshot_value(r, addr, size), value);
}

/* May the whole range be accessed?  Nothing is touched. */
static bool range_accessible(CPUPTOState *env, uint64_t addr, unsigned len,
                             MMUAccessType type, uintptr_t ra)
{
    if (addr + len < addr) {
        return false;
    }
    while (len) {
        unsigned part = MIN(len, -(addr | TARGET_PAGE_MASK));
        void *host;

        if (probe_access_flags(env, addr, part, type, mmu_idx_of(env), true,
                               &host, ra) & TLB_INVALID_MASK) {
            return false;
        }
        addr += part;
        len -= part;
    }
    return true;
}

/*
 * DMA: 64 bytes with memmove semantics.  Both ranges are probed before any
 * effect and a fault names the first byte of the failing range.
 */
void HELPER(dma)(CPUPTOState *env, uint64_t source, uint64_t destination)
{
    uintptr_t ra = GETPC();
    int idx = mmu_idx_of(env);
    uint64_t word[DMA_BYTES / 8];
    unsigned i;

    if (!range_accessible(env, source, DMA_BYTES, MMU_DATA_LOAD, ra)) {
        pto_raise_fault(env, PTO_FAULT_DATA_PAGE, source, ra);
    }
    if (!range_accessible(env, destination, DMA_BYTES, MMU_DATA_STORE, ra)) {
        pto_raise_fault(env, PTO_FAULT_DATA_PAGE, destination, ra);
    }
    for (i = 0; i < ARRAY_SIZE(word); i++) {
        word[i] = cpu_ldq_le_mmuidx_ra(env, source + 8 * i, idx, ra);
    }
    for (i = 0; i < ARRAY_SIZE(word); i++) {
        cpu_stq_le_mmuidx_ra(env, destination + 8 * i, word[i], idx, ra);
    }
    pto_reservation_store(env, destination, DMA_BYTES);
}
