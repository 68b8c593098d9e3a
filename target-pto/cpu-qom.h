/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: QOM names of the CPU (target-agnostic part).
 */
#ifndef PTO_CPU_QOM_H
#define PTO_CPU_QOM_H

#include "hw/core/cpu.h"

#define TYPE_PTO_CPU "pto-cpu"

OBJECT_DECLARE_CPU_TYPE(PTOCPU, PTOCPUClass, PTO_CPU)

#define PTO_CPU_TYPE_SUFFIX     "-" TYPE_PTO_CPU
#define PTO_CPU_TYPE_NAME(name) name PTO_CPU_TYPE_SUFFIX

#define TYPE_PTO_CPU_PTO        PTO_CPU_TYPE_NAME("pto")
#define TYPE_PTO_CPU_REF        PTO_CPU_TYPE_NAME("pto-ref")

#endif
