/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO boards: the PEs and cores of a machine.
 */
#ifndef HW_PTO_CLUSTER_H
#define HW_PTO_CLUSTER_H

#include "hw/boards.h"
#include "target/pto/cpu.h"
#include "core.h"

/**
 * PtoCluster:
 * @num_pes: vCPUs of the machine
 * @pes_per_core: threads of -smp, 1 to 4
 * @pe: the vCPUs; number i is PE i % @pes_per_core of core i / @pes_per_core
 * @num_cores: cores of the machine
 * @core: what the PEs of each core share
 */
typedef struct PtoCluster {
    unsigned num_pes;
    unsigned pes_per_core;
    PTOCPU **pe;
    unsigned num_cores;
    PtoCore **core;
} PtoCluster;

/**
 * pto_cluster_create: make and realize the cores and PEs that -smp asks for.
 * @c: result
 * @ms: machine, for -smp and -cpu
 * @app_window: first address rings 2 to 15 may not access; 0: the CPU's own
 * @deadlock_stop: raise a guest panic event when no PE can go on
 *
 * Ends QEMU with a message when -smp does not fit the architecture.
 */
void pto_cluster_create(PtoCluster *c, MachineState *ms, uint64_t app_window,
                        bool deadlock_stop);

/**
 * pto_cluster_set_boot: where all PEs start after reset.
 * @c: the PEs
 * @entry: first TPC
 * @fdt: address of the device tree, in a1; a0 holds the PE's number
 */
void pto_cluster_set_boot(PtoCluster *c, hwaddr entry, hwaddr fdt);

#endif
