/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO boards: image loading.
 */
#ifndef HW_PTO_BOOT_H
#define HW_PTO_BOOT_H

#include "target/pto/profile.h"

/**
 * PtoImage: where an image goes and where it came to lie.
 * @ram_base: first address of RAM
 * @ram_size: bytes of RAM
 * @load_addr: where a raw image goes
 * @identity: what to do about a missing .note.pto.isa
 * @entry: result: address of the first instruction
 * @end: result: first address behind the image
 */
typedef struct PtoImage {
    hwaddr ram_base;
    uint64_t ram_size;
    hwaddr load_addr;
    PTOIdentityPolicy identity;
    hwaddr entry;
    hwaddr end;
} PtoImage;

/**
 * pto_load_image: place an ELF64 or raw image in RAM.
 * @image: in and out, see above
 * @filename: file to load; an ELF header decides between the two kinds
 * @errp: names the cause and the fix
 *
 * ELF images must be little-endian executables of machine 233 whose segments
 * lie in RAM and do not overlap, and carry the identity of the implemented
 * ISA revision as @image->identity demands.
 *
 * Returns: true on success.
 */
bool pto_load_image(PtoImage *image, const char *filename, Error **errp);

/**
 * pto_check_elf: all checks of pto_load_image() on an ELF file in memory.
 * @image: as above; nothing is changed
 * @name: file name for messages
 * @data: the whole file
 * @size: bytes of it
 * @errp: names the cause and the fix
 *
 * Returns: true when the image may be loaded.
 */
bool pto_check_elf(const PtoImage *image, const char *name,
                   const uint8_t *data, size_t size, Error **errp);

/**
 * pto_load_idle_loop: place a loop that sleeps until interrupts.
 * @addr: where; PEs without an image start there
 */
void pto_load_idle_loop(hwaddr addr);

#endif
