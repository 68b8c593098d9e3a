/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO system registers: indices into the context family and the table of all
 * registers.
 */
#ifndef PTO_SYSREG_H
#define PTO_SYSREG_H

#include "state.h"

/* Words of a ring's bank: index = low 12 bits of the address - 0xf00. */
enum {
    PTO_CTX_ECSTATE = 0x00,
    PTO_CTX_EVBASE = 0x01,
    PTO_CTX_TRAPNO = 0x02,
    PTO_CTX_TRAPARG0 = 0x03,
    PTO_CTX_ECONFIG = 0x07,
    PTO_CTX_IPENDING = 0x08,
    PTO_CTX_TOPEI = 0x09,
    PTO_CTX_EOIEI = 0x0a,
    PTO_CTX_TIMER_TIME = 0x20,
    PTO_CTX_TIMECMP = 0x21,
    PTO_CTX_EBARG0 = 0x40,
    PTO_CTX_EBARG_BPC_CUR = 0x41,
    PTO_CTX_EBARG_BPC_TGT = 0x42,
    PTO_CTX_EBARG_TPC = 0x43,
    PTO_CTX_EBARG_LRA = 0x44,
    PTO_CTX_EBARG_TQ0 = 0x45,
    PTO_CTX_EBARG_UQ0 = 0x49,
    PTO_CTX_EBARG_LB = 0x4d,
    PTO_CTX_EBARG_LC = 0x4e,
};

/* EBARG0, the block control word of the saved context */
FIELD(EBARG0, RING, 0, 4)
FIELD(EBARG0, VALID, 4, 1)
FIELD(EBARG0, ACTIVE, 5, 1)
FIELD(EBARG0, BODY, 6, 1)
FIELD(EBARG0, KIND, 7, 4)
FIELD(EBARG0, TRANSFER, 11, 3)
FIELD(EBARG0, TAKEN, 14, 1)

/* ECONFIG: external interrupts, timer interrupt */
#define PTO_ECONFIG_EXTERNAL    BIT(0)
#define PTO_ECONFIG_TIMER       BIT(1)
#define PTO_ECONFIG_RESET       (PTO_ECONFIG_EXTERNAL | PTO_ECONFIG_TIMER)

/* CORE_STATE: sticky numeric flags and active rounding mode */
#define PTO_CS_FLAGS_SHIFT      32
#define PTO_CS_FRM_SHIFT        37

#define PTO_SYSREG_PEID         0x0802

typedef enum PtoSysregAccess {
    PTO_SYSREG_RO,
    PTO_SYSREG_WO,
    PTO_SYSREG_RW,
} PtoSysregAccess;

typedef enum PtoSysregScope {
    PTO_SYSREG_BASE,        /* one register, every ring may use it */
    PTO_SYSREG_BANKED,      /* one per ring, ring 0 only */
    PTO_SYSREG_FIXED,       /* one register in one bank, ring 0 only */
} PtoSysregScope;

typedef struct PtoSysreg PtoSysreg;

/**
 * PtoSysreg: one row of the register table.
 * @name: architectural name; banked ones without their _ACRn suffix
 * @addr: address, for banked registers the low 12 bits
 * @reset: value after reset, where it is not read from elsewhere
 * @offset: place in PtoSysregState of a base register without @read
 * @read: value with side effects, NULL for plain storage
 * @write: replaces storing the value, NULL for plain storage
 */
struct PtoSysreg {
    const char *name;
    uint16_t addr;
    PtoSysregAccess access;
    PtoSysregScope scope;
    uint64_t reset;
    size_t offset;
    uint64_t (*read)(CPUArchState *env, unsigned ring);
    void (*write)(CPUArchState *env, unsigned ring, uint64_t value);
};

extern const PtoSysreg pto_sysregs[];
extern const unsigned pto_sysreg_count;

/**
 * pto_sysreg_find: row of the 24-bit address @addr, NULL if unassigned.
 *
 * PEID exists only where the CPU's `peid` property is on.
 */
const PtoSysreg *pto_sysreg_find(CPUArchState *env, uint32_t addr);

/**
 * pto_sysreg_read: value of register @r in bank @ring, with side effects.
 */
uint64_t pto_sysreg_read(CPUArchState *env, const PtoSysreg *r, unsigned ring);

/**
 * pto_sysreg_write: write @value to register @r in bank @ring.
 */
void pto_sysreg_write(CPUArchState *env, const PtoSysreg *r, unsigned ring,
                      uint64_t value);

/**
 * pto_sysreg_peek: value of register @r in bank @ring without side effects,
 * for debuggers and state dumps.
 */
uint64_t pto_sysreg_peek(CPUArchState *env, const PtoSysreg *r, unsigned ring);

/**
 * pto_sysreg_reset: reset values of all registers.
 */
void pto_sysreg_reset(CPUArchState *env);

/**
 * pto_trap_status: TRAPNO word of one trap bank.
 */
uint64_t pto_trap_status(const PtoTrapBank *bank);

/**
 * pto_set_trap_status: load the trap bank from a TRAPNO word.
 */
void pto_set_trap_status(PtoTrapBank *bank, uint64_t value);

#endif /* PTO_SYSREG_H */
