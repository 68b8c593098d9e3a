/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO tile unit: a window on the tile state for bring-up software.
 *
 * Register map (little-endian, 4- and 8-byte accesses; docs/board.rst):
 *
 *   0x000  ID            'PTOU'
 *   0x004  VERSION       of this register map, 1
 *   0x008  ISA           release, major << 16 | minor << 8 | patch
 *   0x00c  TOPOLOGY      cores << 8 | PEs per core
 *   0x010  LOCAL_POOL    bytes of the Local pool of each PE
 *   0x014  SHARED_POOL   bytes of the Shared pool of each core
 *   0x018  LOCAL_TILES   names per PE, 64
 *   0x01c  SHARED_TILES  registers per core, 64
 *   0x020  SELECT_PE     rw: PE that the registers below speak of
 *   0x024  SELECT_TILE   rw: 0..63 Local name, 64..127 Shared register
 *   0x028  STATUS        bit 0: BUSY, the selected PE is running and not the
 *                        reader; descriptor and payload read as zero
 *   0x040  OPS           64 bits: completed tile operations
 *   0x048  LOADED        64 bits: bytes loaded
 *   0x050  STORED        64 bits: bytes stored
 *   0x058  FLOPS         64 bits: arithmetic operations
 *   0x060  LOCAL_USED    bytes in use in the PE's pool
 *   0x064  SHARED_USED   bytes in use in its core's Shared pool
 *   0x068  FAULT         code of the PE's newest fault
 *   0x070  FAULT_ADDR    64 bits: its address
 *   0x080  FAULT_RULE    64 bytes: id of the violated rule, zero-terminated
 *   0x100  descriptor of the selected tile, 4 bytes each: ALLOCATED, STORAGE,
 *          TYPE, LAYOUT, LOCATION, MASK, DEFINED, CAPACITY, ROWS, COLS,
 *          VALID_ROWS, VALID_COLS, READY, PUBLISHED, ALLOC_MASK, INIT_MASK
 *          (the last four of a Shared register only)
 *   0x200  DOORBELL[n]   rw, 4 bytes a PE: bit 0 drives interrupt line 2 of
 *                        PE n
 *   0x40000..0x7ffff     payload of the selected tile, read-only
 */
#ifndef HW_PTO_TILE_UNIT_H
#define HW_PTO_TILE_UNIT_H

#include "cluster.h"

#define TYPE_PTO_TILE_UNIT "pto-tile-unit"
OBJECT_DECLARE_SIMPLE_TYPE(PtoTileUnit, PTO_TILE_UNIT)

/**
 * pto_tile_unit_create: make the device of a board and map it.
 * @parent: QOM parent; the device becomes its child "tile-unit"
 * @cluster: PEs it shows
 * @base: address of its window
 * @irq: interrupt line of each PE that the doorbells drive
 */
void pto_tile_unit_create(Object *parent, PtoCluster *cluster, hwaddr base,
                          int irq);

/**
 * pto_tile_unit_cluster: PEs that the device shows.
 */
PtoCluster *pto_tile_unit_cluster(PtoTileUnit *unit);

#endif
