/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of rules. */
#include "tile/fault.h"

const PtoRuleInfo pto_rules[PTO_RULE_COUNT] = {
#define PTO_RULE(id, flt, src, text)                                    \
    [PTO_RULE_##id] = {                                                 \
        .name = #id, .source = src, .line = #id ": " text " (" src ")", \
        .fault = PTO_FAULT_##flt,                                       \
    },
#include "tile/rules.def"
#undef PTO_RULE
};

PtoFaultInfo pto_reject(PtoRule rule)
{
    return (PtoFaultInfo) {
        .code = pto_rules[rule].fault, .rule_id = rule,
        .rule = pto_rules[rule].line,
    };
}

PtoFaultInfo pto_reject_at(PtoRule rule, uint64_t addr)
{
    PtoFaultInfo f = pto_reject(rule);

    f.addr_valid = true;
    f.addr = addr;
    return f;
}
