/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: tile registers in the human monitor.
 */
#ifndef HW_PTO_TILE_MONITOR_H
#define HW_PTO_TILE_MONITOR_H

/**
 * pto_tile_monitor_register: bind the handlers of "info pto-tiles" and
 * "pto-tile-dump"; once per process.
 */
void pto_tile_monitor_register(void);

#endif
