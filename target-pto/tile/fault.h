/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Faults and the rules whose violation raises them.
 */
#ifndef PTO_TILE_FAULT_H
#define PTO_TILE_FAULT_H

#include "tile/port.h"

/* Fault names in the order of the ISA's fault enumeration (PTO-ARCH-DATA-TYPES-FAULT). */
typedef enum PtoFault {
    PTO_FAULT_NONE,
    PTO_FAULT_EXECUTION_STATE_CHECK,
    PTO_FAULT_ILLEGAL_INSTRUCTION,
    PTO_FAULT_INSTRUCTION_PC,
    PTO_FAULT_INSTRUCTION_PAGE,
    PTO_FAULT_DATA_ALIGNMENT,
    PTO_FAULT_DATA_PAGE,
    PTO_FAULT_SOFTWARE_BREAKPOINT,
    PTO_FAULT_HARDWARE_BREAKPOINT,
    PTO_FAULT_HARDWARE_WATCHPOINT,
    PTO_FAULT_ASSERT,
    PTO_FAULT_TILE_LEGALITY,
    PTO_FAULT_TILE_ALLOCATION,
    PTO_FAULT_BUNDLE_CONTROL,
    PTO_FAULT_BUNDLE_POST_COMMIT,
    PTO_FAULT_SERVICE_REQUEST,
    PTO_FAULT_COUNT,
} PtoFault;

/* Rule ids: rows of rules.def. */
typedef enum PtoRule {
    PTO_RULE_NONE,
#define PTO_RULE(name, fault, source, text) PTO_RULE_##name,
#include "tile/rules.def"
#undef PTO_RULE
    PTO_RULE_COUNT,
} PtoRule;

typedef struct PtoRuleInfo {
    const char *name;           /* id as users see it */
    const char *source;         /* rule or decision of the specification */
    const char *line;           /* "name: explanation (source)" */
    PtoFault fault;             /* what a violation raises */
} PtoRuleInfo;

/* Row PTO_RULE_NONE is empty. */
extern const PtoRuleInfo pto_rules[PTO_RULE_COUNT];

/*
 * Result of a check. @rule is static text naming the violated rule (the line of
 * @rule_id); it is NULL exactly when @code is PTO_FAULT_NONE. @addr_valid says
 * that @addr is the fault address of a memory access; otherwise the fault names
 * the PC of the completing instruction.
 */
typedef struct PtoFaultInfo {
    PtoFault code;
    uint16_t rule_id;           /* PtoRule */
    bool addr_valid;
    uint64_t addr;
    const char *rule;
} PtoFaultInfo;

#define PTO_OK ((PtoFaultInfo) { .code = PTO_FAULT_NONE })

/* The fault of a violated rule. */
PtoFaultInfo pto_reject(PtoRule rule);
/* The same for a memory access at @addr. */
PtoFaultInfo pto_reject_at(PtoRule rule, uint64_t addr);

#endif
