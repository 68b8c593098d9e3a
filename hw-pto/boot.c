/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO boards: image loading.
 *
 * QEMU's ELF loader does the loading; the checks in front of it exist because
 * a wrong image must end in a message that names the cause, never in a guest
 * that runs into nothing.
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qapi/error.h"
#include "qobject/qdict.h"
#include "qobject/qjson.h"
#include "elf.h"
#include "exec/address-spaces.h"
#include "hw/loader.h"
#include "target/pto/identity.h"
#include "boot.h"

static bool range_in_file(uint64_t offset, uint64_t length, size_t size)
{
    return offset <= size && length <= size - offset;
}

static bool check_header(const char *name, const Elf64_Ehdr *eh, size_t size,
                         Error **errp)
{
    if (size < sizeof(*eh)) {
        error_setg(errp, "%s: truncated ELF header (%zu bytes)", name, size);
        return false;
    }
    if (eh->e_ident[EI_CLASS] != ELFCLASS64) {
        error_setg(errp, "%s: not a 64-bit ELF file; PTO images are ELF64",
                   name);
        return false;
    }
    if (eh->e_ident[EI_DATA] != ELFDATA2LSB) {
        error_setg(errp, "%s: big-endian ELF file; PTO is little-endian",
                   name);
        return false;
    }
    if (le16_to_cpu(eh->e_machine) != PTO_EM_PTO) {
        error_setg(errp, "%s: built for ELF machine %u, PTO is %u: use an "
                   "image for PTO", name, le16_to_cpu(eh->e_machine),
                   PTO_EM_PTO);
        return false;
    }
    if (le16_to_cpu(eh->e_type) != ET_EXEC) {
        error_setg(errp, "%s: ELF type %u is not an executable: link it first",
                   name, le16_to_cpu(eh->e_type));
        return false;
    }
    if (!eh->e_phnum) {
        error_setg(errp, "%s: no program headers, nothing to load", name);
        return false;
    }
    if (le16_to_cpu(eh->e_phentsize) != sizeof(Elf64_Phdr) ||
        !range_in_file(le64_to_cpu(eh->e_phoff),
                       le16_to_cpu(eh->e_phnum) * sizeof(Elf64_Phdr), size)) {
        error_setg(errp, "%s: program headers lie outside the file "
                   "(truncated?)", name);
        return false;
    }
    return true;
}

static bool check_segment(const PtoImage *image, const char *name, int i,
                          const Elf64_Phdr *ph, size_t size, Error **errp)
{
    uint64_t offset = le64_to_cpu(ph->p_offset);
    uint64_t filesz = le64_to_cpu(ph->p_filesz);
    uint64_t memsz = le64_to_cpu(ph->p_memsz);
    uint64_t addr = le64_to_cpu(ph->p_paddr);

    if (!range_in_file(offset, filesz, size)) {
        error_setg(errp, "%s: segment %d needs bytes 0x%" PRIx64 "..0x%"
                   PRIx64 " of a file of 0x%zx bytes (truncated?)",
                   name, i, offset, offset + filesz, size);
        return false;
    }
    if (filesz > memsz) {
        error_setg(errp, "%s: segment %d has more bytes in the file than in "
                   "memory", name, i);
        return false;
    }
    if (addr < image->ram_base || memsz > image->ram_size ||
        addr - image->ram_base > image->ram_size - memsz) {
        error_setg(errp, "%s: segment %d at 0x%" PRIx64 " (0x%" PRIx64
                   " bytes) is outside RAM 0x%" HWADDR_PRIx "..0x%"
                   HWADDR_PRIx ": link it there or give more RAM with -m",
                   name, i, addr, memsz, image->ram_base,
                   image->ram_base + image->ram_size - 1);
        return false;
    }
    return true;
}

static bool segments_overlap(const Elf64_Phdr *a, const Elf64_Phdr *b)
{
    uint64_t a0 = le64_to_cpu(a->p_paddr), b0 = le64_to_cpu(b->p_paddr);

    return a0 < b0 + le64_to_cpu(b->p_memsz) &&
           b0 < a0 + le64_to_cpu(a->p_memsz);
}

static bool check_segments(const PtoImage *image, const char *name,
                           const Elf64_Ehdr *eh, const Elf64_Phdr *ph,
                           size_t size, Error **errp)
{
    uint64_t entry = le64_to_cpu(eh->e_entry);
    int i, j, n = le16_to_cpu(eh->e_phnum);
    bool entry_ok = false;

    for (i = 0; i < n; i++) {
        if (le32_to_cpu(ph[i].p_type) != PT_LOAD || !ph[i].p_memsz) {
            continue;
        }
        if (!check_segment(image, name, i, &ph[i], size, errp)) {
            return false;
        }
        for (j = 0; j < i; j++) {
            if (le32_to_cpu(ph[j].p_type) == PT_LOAD && ph[j].p_memsz &&
                segments_overlap(&ph[i], &ph[j])) {
                error_setg(errp, "%s: segments %d and %d overlap at 0x%"
                           PRIx64, name, j, i, le64_to_cpu(ph[i].p_paddr));
                return false;
            }
        }
        if (entry >= le64_to_cpu(ph[i].p_paddr) &&
            entry - le64_to_cpu(ph[i].p_paddr) <
            le64_to_cpu(ph[i].p_memsz)) {
            entry_ok = true;
        }
    }
    if (!entry_ok) {
        error_setg(errp, "%s: entry point 0x%" PRIx64 " is not in a loaded "
                   "segment", name, entry);
        return false;
    }
    if (entry & 1) {
        error_setg(errp, "%s: entry point 0x%" PRIx64 " is odd", name, entry);
        return false;
    }
    return true;
}

/* Returns the descriptor of the PTO identity note among @size note bytes. */
static char *find_note(const uint8_t *p, uint64_t size)
{
    while (size >= sizeof(Elf64_Nhdr)) {
        Elf64_Nhdr nh;
        uint64_t namesz, descsz, whole;

        memcpy(&nh, p, sizeof(nh));
        namesz = le32_to_cpu(nh.n_namesz);
        descsz = le32_to_cpu(nh.n_descsz);
        whole = sizeof(nh) + ROUND_UP(namesz, 4) + ROUND_UP(descsz, 4);
        if (whole - (ROUND_UP(descsz, 4) - descsz) > size) {
            break;
        }
        if (le32_to_cpu(nh.n_type) == PTO_ISA_NOTE_TYPE &&
            namesz == sizeof(PTO_ISA_NOTE_NAME) &&
            !memcmp(p + sizeof(nh), PTO_ISA_NOTE_NAME, namesz)) {
            return g_strndup((const char *)p + sizeof(nh) +
                             ROUND_UP(namesz, 4), descsz);
        }
        whole = MIN(whole, size);
        p += whole;
        size -= whole;
    }
    return NULL;
}

static char *find_identity(const Elf64_Ehdr *eh, const Elf64_Phdr *ph,
                           const uint8_t *data, size_t size)
{
    uint64_t shoff = le64_to_cpu(eh->e_shoff);
    int i, n = le16_to_cpu(eh->e_shnum);
    char *desc;

    for (i = 0; i < le16_to_cpu(eh->e_phnum); i++) {
        uint64_t offset = le64_to_cpu(ph[i].p_offset);
        uint64_t filesz = le64_to_cpu(ph[i].p_filesz);

        if (le32_to_cpu(ph[i].p_type) == PT_NOTE &&
            range_in_file(offset, filesz, size)) {
            desc = find_note(data + offset, filesz);
            if (desc) {
                return desc;
            }
        }
    }
    if (le16_to_cpu(eh->e_shentsize) != sizeof(Elf64_Shdr) ||
        !range_in_file(shoff, n * sizeof(Elf64_Shdr), size)) {
        return NULL;
    }
    for (i = 0; i < n; i++) {
        Elf64_Shdr sh;

        memcpy(&sh, data + shoff + i * sizeof(sh), sizeof(sh));
        if (le32_to_cpu(sh.sh_type) == SHT_NOTE &&
            range_in_file(le64_to_cpu(sh.sh_offset),
                          le64_to_cpu(sh.sh_size), size)) {
            desc = find_note(data + le64_to_cpu(sh.sh_offset),
                             le64_to_cpu(sh.sh_size));
            if (desc) {
                return desc;
            }
        }
    }
    return NULL;
}

static bool check_identity_field(const char *name, QDict *got,
                                 const char *key, const char *want,
                                 Error **errp)
{
    const char *have = qdict_get_try_str(got, key);

    if (have && !strcmp(have, want)) {
        return true;
    }
    error_setg(errp, "%s: .note.pto.isa has %s \"%s\", this machine "
               "implements \"%s\"", name, key, have ? have : "(none)", want);
    error_append_hint(errp, "Rebuild the image for ISA release %s, or run it "
                      "with -M ...,identity=ignore.\n", PTO_ISA_RELEASE);
    return false;
}

static bool check_identity(const PtoImage *image, const char *name,
                           const Elf64_Ehdr *eh, const Elf64_Phdr *ph,
                           const uint8_t *data, size_t size, Error **errp)
{
    g_autofree char *desc = NULL;
    QObject *obj;
    QDict *dict;
    bool ok;

    if (image->identity == PTO_IDENTITY_IGNORE) {
        return true;
    }
    desc = find_identity(eh, ph, data, size);
    if (!desc) {
        if (image->identity == PTO_IDENTITY_REQUIRE) {
            error_setg(errp, "%s: no .note.pto.isa, so it does not say for "
                       "which ISA release it was built", name);
            error_append_hint(errp, "Build it with an assembler that writes "
                              "the note, or use -M ...,identity=ignore.\n");
            return false;
        }
        warn_report("%s: no .note.pto.isa; running it as ISA release %s",
                    name, PTO_ISA_RELEASE);
        return true;
    }
    obj = qobject_from_json(desc, NULL);
    dict = qobject_to(QDict, obj);
    if (!dict) {
        qobject_unref(obj);
        error_setg(errp, "%s: .note.pto.isa is not a JSON object", name);
        return false;
    }
    ok = check_identity_field(name, dict, "release", PTO_ISA_RELEASE, errp) &&
         check_identity_field(name, dict, "encoding_abi",
                              PTO_ISA_ENCODING_ABI, errp) &&
         check_identity_field(name, dict, "encoding_projection_sha256",
                              PTO_ISA_ENCODING_SHA256, errp);
    qobject_unref(obj);
    return ok;
}

bool pto_check_elf(const PtoImage *image, const char *name,
                   const uint8_t *data, size_t size, Error **errp)
{
    const Elf64_Ehdr *eh = (const void *)data;
    g_autofree Elf64_Phdr *ph = NULL;

    if (!check_header(name, eh, size, errp)) {
        return false;
    }
    /* p_offset of the table may have any alignment */
    ph = g_memdup2(data + le64_to_cpu(eh->e_phoff),
                   le16_to_cpu(eh->e_phnum) * sizeof(*ph));
    return check_segments(image, name, eh, ph, size, errp) &&
           check_identity(image, name, eh, ph, data, size, errp);
}

static bool load_raw(PtoImage *image, const char *filename, size_t size,
                     Error **errp)
{
    uint64_t room;

    if (image->load_addr < image->ram_base ||
        image->load_addr - image->ram_base >= image->ram_size) {
        error_setg(errp, "load address 0x%" HWADDR_PRIx " is outside RAM",
                   image->load_addr);
        return false;
    }
    if (image->load_addr & 1) {
        error_setg(errp, "load address 0x%" HWADDR_PRIx " is odd",
                   image->load_addr);
        return false;
    }
    room = image->ram_size - (image->load_addr - image->ram_base);
    if (!size || size > room ||
        load_image_targphys(filename, image->load_addr, room) < 0) {
        error_setg(errp, "%s: %zu bytes do not fit in the 0x%" PRIx64
                   " bytes of RAM at 0x%" HWADDR_PRIx, filename, size, room,
                   image->load_addr);
        return false;
    }
    image->entry = image->load_addr;
    image->end = image->load_addr + size;
    return true;
}

bool pto_load_image(PtoImage *image, const char *filename, Error **errp)
{
    g_autofree char *data = NULL;
    g_autoptr(GError) gerr = NULL;
    uint64_t entry, high;
    gsize size;
    ssize_t ret;

    if (!g_file_get_contents(filename, &data, &size, &gerr)) {
        error_setg(errp, "%s", gerr->message);
        return false;
    }
    if (size < SELFMAG || memcmp(data, ELFMAG, SELFMAG)) {
        return load_raw(image, filename, size, errp);
    }
    if (!pto_check_elf(image, filename, (const uint8_t *)data, size, errp)) {
        return false;
    }
    ret = load_elf(filename, NULL, NULL, NULL, &entry, NULL, &high, NULL,
                   ELFDATA2LSB, PTO_EM_PTO, 0, 0);
    if (ret < 0) {
        error_setg(errp, "%s: %s", filename, load_elf_strerror(ret));
        return false;
    }
    image->entry = entry;
    image->end = high;
    return true;
}

void pto_load_idle_loop(hwaddr addr)
{
    static const uint8_t loop[] = {
        0x40, 0x08,             /* 0: C.BSTART.SYS FALL */
        0x2b, 0x00, 0x20, 0x00, /*    bwi zero */
        0xd2, 0xff,             /*    C.BSTART DIRECT, 0b */
        0x00, 0x00,             /*    C.BSTOP */
    };

    rom_add_blob_fixed_as("pto-idle", loop, sizeof(loop), addr,
                          &address_space_memory);
}
