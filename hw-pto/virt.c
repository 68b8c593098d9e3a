/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pto-virt: the machine people use.  Memory map and interrupt numbers are in
 * docs/board.rst; software should take them from the device tree (a1).
 */
#include "qemu/osdep.h"
#include "qemu/datadir.h"
#include "qemu/error-report.h"
#include "qemu/guest-random.h"
#include "qemu/units.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "exec/address-spaces.h"
#include "hw/boards.h"
#include "hw/char/serial-mm.h"
#include "hw/core/split-irq.h"
#include "hw/irq.h"
#include "hw/loader.h"
#include "hw/misc/sifive_test.h"
#include "hw/nvram/fw_cfg.h"
#include "hw/qdev-properties.h"
#include "hw/rtc/goldfish_rtc.h"
#include "hw/sysbus.h"
#include "hw/virtio/virtio-mmio.h"
#include "system/device_tree.h"
#include "system/reset.h"
#include "system/system.h"
#include "target/pto/cpu.h"
#include "boot.h"
#include "cluster.h"
#include "tile_unit.h"

#include <libfdt.h>

#define TYPE_PTO_VIRT_MACHINE MACHINE_TYPE_NAME("pto-virt")
OBJECT_DECLARE_SIMPLE_TYPE(PtoVirtState, PTO_VIRT_MACHINE)

#define VIRT_MAX_CORES      16
#define VIRT_UART_CLOCK     3686400
#define VIRTIO_COUNT        8

enum {
    VIRT_ROM,
    VIRT_TEST,
    VIRT_RTC,
    VIRT_TILE_UNIT,
    VIRT_UART,
    VIRT_VIRTIO,
    VIRT_FW_CFG,
    VIRT_DRAM,
};

enum {
    VIRT_DOORBELL_IRQ = 2,
    VIRT_UART_IRQ = 10,
    VIRT_RTC_IRQ = 11,
    VIRT_VIRTIO_IRQ = 12,       /* to 19 */
};

static const MemMapEntry virt_memmap[] = {
    [VIRT_ROM] =       { 0x00001000,     0xf000 },
    [VIRT_TEST] =      { 0x00100000,     0x1000 },
    [VIRT_RTC] =       { 0x00101000,     0x1000 },
    [VIRT_TILE_UNIT] = { 0x02000000,   0x100000 },
    [VIRT_UART] =      { 0x10000000,      0x100 },
    [VIRT_VIRTIO] =    { 0x10001000,     0x1000 },
    [VIRT_FW_CFG] =    { 0x10100000,       0x18 },
    [VIRT_DRAM] =      { 0x80000000,          0 },
};

struct PtoVirtState {
    MachineState parent_obj;

    PtoCluster cluster;
    MemoryRegion rom;
    FWCfgState *fw_cfg;
    int fdt_size;
    uint32_t intc_phandle;
    uint64_t load_addr;         /* of a raw -kernel */
    uint64_t app_window;
    bool deadlock_stop;
    char *identity;
};

/* ------------------------------------------------------------ device tree */

static char *soc_node(PtoVirtState *s, const char *name, int entry, int index,
                      const char *compatible)
{
    void *fdt = MACHINE(s)->fdt;
    hwaddr base = virt_memmap[entry].base + index * virt_memmap[entry].size;
    char *node = g_strdup_printf("/soc/%s@%" HWADDR_PRIx, name, base);

    qemu_fdt_add_subnode(fdt, node);
    qemu_fdt_setprop_string(fdt, node, "compatible", compatible);
    qemu_fdt_setprop_sized_cells(fdt, node, "reg", 2, base, 2,
                                 virt_memmap[entry].size);
    return node;
}

static void fdt_cpus(PtoVirtState *s)
{
    MachineState *ms = MACHINE(s);
    void *fdt = ms->fdt;
    int i;

    qemu_fdt_add_subnode(fdt, "/cpus");
    qemu_fdt_setprop_cell(fdt, "/cpus", "#size-cells", 0);
    qemu_fdt_setprop_cell(fdt, "/cpus", "#address-cells", 1);
    for (i = ms->smp.cpus - 1; i >= 0; i--) {
        g_autofree char *node = g_strdup_printf("/cpus/cpu@%d", i);

        qemu_fdt_add_subnode(fdt, node);
        qemu_fdt_setprop_string(fdt, node, "device_type", "cpu");
        qemu_fdt_setprop_string(fdt, node, "compatible", "pto,pe");
        qemu_fdt_setprop_cell(fdt, node, "reg", i);
        qemu_fdt_setprop_cell(fdt, node, "pto,core", i / ms->smp.threads);
        qemu_fdt_setprop_cell(fdt, node, "pto,pe", i % ms->smp.threads);
        qemu_fdt_setprop_string(fdt, node, "status", "okay");
    }

    qemu_fdt_add_subnode(fdt, "/interrupt-controller");
    s->intc_phandle = qemu_fdt_alloc_phandle(fdt);
    qemu_fdt_setprop_string(fdt, "/interrupt-controller", "compatible",
                            "pto,pe-intc");
    qemu_fdt_setprop(fdt, "/interrupt-controller", "interrupt-controller",
                     NULL, 0);
    qemu_fdt_setprop_cell(fdt, "/interrupt-controller", "#interrupt-cells", 1);
    qemu_fdt_setprop_cell(fdt, "/interrupt-controller", "#address-cells", 0);
    qemu_fdt_setprop_cell(fdt, "/interrupt-controller", "phandle",
                          s->intc_phandle);
    qemu_fdt_setprop_cell(fdt, "/", "interrupt-parent", s->intc_phandle);
}

static void fdt_syscon(PtoVirtState *s)
{
    static const struct {
        const char *node, *compatible;
        uint32_t value;
    } actions[] = {
        { "/reboot", "syscon-reboot", FINISHER_RESET },
        { "/poweroff", "syscon-poweroff", FINISHER_PASS },
    };
    void *fdt = MACHINE(s)->fdt;
    g_autofree char *test = soc_node(s, "test", VIRT_TEST, 0, "syscon");
    uint32_t phandle = qemu_fdt_alloc_phandle(fdt);
    int i;

    qemu_fdt_setprop_cell(fdt, test, "phandle", phandle);
    for (i = 0; i < ARRAY_SIZE(actions); i++) {
        qemu_fdt_add_subnode(fdt, actions[i].node);
        qemu_fdt_setprop_string(fdt, actions[i].node, "compatible",
                                actions[i].compatible);
        qemu_fdt_setprop_cell(fdt, actions[i].node, "regmap", phandle);
        qemu_fdt_setprop_cell(fdt, actions[i].node, "offset", 0);
        qemu_fdt_setprop_cell(fdt, actions[i].node, "value",
                              actions[i].value);
    }
}

static void fdt_devices(PtoVirtState *s)
{
    void *fdt = MACHINE(s)->fdt;
    g_autofree char *uart = soc_node(s, "serial", VIRT_UART, 0, "ns16550a");
    g_autofree char *rtc = soc_node(s, "rtc", VIRT_RTC, 0,
                                    "google,goldfish-rtc");
    g_autofree char *tile = soc_node(s, "tile-unit", VIRT_TILE_UNIT, 0,
                                     "pto,tile-unit");
    g_autofree char *fw_cfg = soc_node(s, "fw-cfg", VIRT_FW_CFG, 0,
                                       "qemu,fw-cfg-mmio");
    int i;

    qemu_fdt_setprop_cell(fdt, uart, "clock-frequency", VIRT_UART_CLOCK);
    qemu_fdt_setprop_cell(fdt, uart, "interrupts", VIRT_UART_IRQ);
    qemu_fdt_setprop_cell(fdt, rtc, "interrupts", VIRT_RTC_IRQ);
    qemu_fdt_setprop_cell(fdt, tile, "interrupts", VIRT_DOORBELL_IRQ);
    qemu_fdt_setprop(fdt, fw_cfg, "dma-coherent", NULL, 0);
    qemu_fdt_setprop_string(fdt, "/chosen", "stdout-path", uart);
    qemu_fdt_add_subnode(fdt, "/aliases");
    qemu_fdt_setprop_string(fdt, "/aliases", "serial0", uart);

    for (i = VIRTIO_COUNT - 1; i >= 0; i--) {
        g_autofree char *node = soc_node(s, "virtio_mmio", VIRT_VIRTIO, i,
                                         "virtio,mmio");

        qemu_fdt_setprop_cell(fdt, node, "interrupts", VIRT_VIRTIO_IRQ + i);
    }
}

static void create_fdt(PtoVirtState *s)
{
    MachineState *ms = MACHINE(s);
    g_autofree char *mem = g_strdup_printf("/memory@%" HWADDR_PRIx,
                                           virt_memmap[VIRT_DRAM].base);
    uint8_t seed[32];
    void *fdt;

    fdt = ms->fdt = create_device_tree(&s->fdt_size);
    if (!fdt) {
        error_report("cannot create the device tree");
        exit(EXIT_FAILURE);
    }
    qemu_fdt_setprop_string(fdt, "/", "model", "pto-virt,qemu");
    qemu_fdt_setprop_string(fdt, "/", "compatible", "pto,virt");
    qemu_fdt_setprop_cell(fdt, "/", "#address-cells", 2);
    qemu_fdt_setprop_cell(fdt, "/", "#size-cells", 2);

    qemu_fdt_add_subnode(fdt, "/chosen");
    qemu_guest_getrandom_nofail(seed, sizeof(seed));
    qemu_fdt_setprop(fdt, "/chosen", "rng-seed", seed, sizeof(seed));
    if (ms->kernel_cmdline && *ms->kernel_cmdline) {
        qemu_fdt_setprop_string(fdt, "/chosen", "bootargs",
                                ms->kernel_cmdline);
    }
    qemu_fdt_add_subnode(fdt, mem);
    qemu_fdt_setprop_string(fdt, mem, "device_type", "memory");
    qemu_fdt_setprop_sized_cells(fdt, mem, "reg", 2,
                                 virt_memmap[VIRT_DRAM].base, 2,
                                 ms->ram_size);
    fdt_cpus(s);
    qemu_fdt_add_subnode(fdt, "/soc");
    qemu_fdt_setprop(fdt, "/soc", "ranges", NULL, 0);
    qemu_fdt_setprop_string(fdt, "/soc", "compatible", "simple-bus");
    qemu_fdt_setprop_cell(fdt, "/soc", "#address-cells", 2);
    qemu_fdt_setprop_cell(fdt, "/soc", "#size-cells", 2);
    fdt_syscon(s);
    fdt_devices(s);
}

/* Behind everything that was loaded, inside the first GiB of RAM. */
static hwaddr place_fdt(PtoVirtState *s, hwaddr lowest)
{
    MachineState *ms = MACHINE(s);
    hwaddr base = virt_memmap[VIRT_DRAM].base;
    hwaddr end = base + MIN(ms->ram_size, GiB);
    hwaddr addr;
    int size;

    if (fdt_pack(ms->fdt)) {
        error_report("cannot pack the device tree");
        exit(EXIT_FAILURE);
    }
    size = fdt_totalsize(ms->fdt);
    addr = QEMU_ALIGN_DOWN(end - size, 4 * KiB);
    if (addr < lowest) {
        error_report("no room for the device tree (%d bytes) behind the "
                     "image: give more RAM with -m", size);
        exit(EXIT_FAILURE);
    }
    rom_add_blob_fixed_as("fdt", ms->fdt, size, addr, &address_space_memory);
    qemu_register_reset_nosnapshotload(
        qemu_fdt_randomize_seeds,
        rom_ptr_for_as(&address_space_memory, addr, size));
    return addr;
}

/* ---------------------------------------------------------------- devices */

/* An interrupt line reaches every PE; each PE enables it in ECONFIG. */
static qemu_irq fan_out(PtoVirtState *s, int irq)
{
    DeviceState *splitter = qdev_new(TYPE_SPLIT_IRQ);
    int i, n = s->cluster.num_pes;

    qdev_prop_set_uint32(splitter, "num-lines", n);
    qdev_realize_and_unref(splitter, NULL, &error_fatal);
    for (i = 0; i < n; i++) {
        qdev_connect_gpio_out(splitter, i,
                              qdev_get_gpio_in(DEVICE(s->cluster.pe[i]), irq));
    }
    return qdev_get_gpio_in(splitter, 0);
}

static void create_devices(PtoVirtState *s)
{
    MachineState *ms = MACHINE(s);
    int i;

    serial_mm_init(get_system_memory(), virt_memmap[VIRT_UART].base, 0,
                   fan_out(s, VIRT_UART_IRQ), VIRT_UART_CLOCK / 16,
                   serial_hd(0), DEVICE_LITTLE_ENDIAN);
    sifive_test_create(virt_memmap[VIRT_TEST].base);
    sysbus_create_simple(TYPE_GOLDFISH_RTC, virt_memmap[VIRT_RTC].base,
                         fan_out(s, VIRT_RTC_IRQ));
    for (i = 0; i < VIRTIO_COUNT; i++) {
        sysbus_create_simple("virtio-mmio", virt_memmap[VIRT_VIRTIO].base +
                             i * virt_memmap[VIRT_VIRTIO].size,
                             fan_out(s, VIRT_VIRTIO_IRQ + i));
    }
    s->fw_cfg = fw_cfg_init_mem_wide(virt_memmap[VIRT_FW_CFG].base + 8,
                                     virt_memmap[VIRT_FW_CFG].base, 8,
                                     virt_memmap[VIRT_FW_CFG].base + 16,
                                     &address_space_memory);
    fw_cfg_add_i16(s->fw_cfg, FW_CFG_NB_CPUS, ms->smp.cpus);
    rom_set_fw(s->fw_cfg);
    pto_tile_unit_create(OBJECT(s), &s->cluster,
                         virt_memmap[VIRT_TILE_UNIT].base, VIRT_DOORBELL_IRQ);
}

/* ------------------------------------------------------------------- boot */

static bool parse_identity(PtoVirtState *s, PTOIdentityPolicy *policy)
{
    static const char *const names[] = {
        [PTO_IDENTITY_WARN] = "warn",
        [PTO_IDENTITY_REQUIRE] = "require",
        [PTO_IDENTITY_IGNORE] = "ignore",
    };
    int i;

    *policy = s->cluster.pe[0]->env.profile->identity;
    if (!s->identity) {
        return true;
    }
    for (i = 0; i < ARRAY_SIZE(names); i++) {
        if (!strcmp(s->identity, names[i])) {
            *policy = i;
            return true;
        }
    }
    return false;
}

static void load_firmware(PtoVirtState *s, const char *name)
{
    g_autofree char *path = qemu_find_file(QEMU_FILE_TYPE_BIOS, name);

    if (!path || load_image_targphys(path, virt_memmap[VIRT_ROM].base,
                                     virt_memmap[VIRT_ROM].size) < 0) {
        error_report("-bios %s: not found, or larger than the ROM of %"
                     PRIu64 " KiB", name,
                     virt_memmap[VIRT_ROM].size / (uint64_t)KiB);
        exit(EXIT_FAILURE);
    }
}

static hwaddr load_initrd(PtoVirtState *s, const char *name, hwaddr start)
{
    MachineState *ms = MACHINE(s);
    hwaddr end = virt_memmap[VIRT_DRAM].base + ms->ram_size;
    int64_t size = get_image_size(name);

    start = QEMU_ALIGN_UP(start, 4 * KiB);
    if (size < 0 || start > end || size > end - start ||
        load_image_targphys(name, start, end - start) < 0) {
        error_report("-initrd %s: cannot be read, or does not fit in the "
                     "RAM behind the kernel", name);
        exit(EXIT_FAILURE);
    }
    qemu_fdt_setprop_u64(ms->fdt, "/chosen", "linux,initrd-start", start);
    qemu_fdt_setprop_u64(ms->fdt, "/chosen", "linux,initrd-end",
                         start + size);
    return start + size;
}

/*
 * Without any image the PEs start in the empty boot ROM's idle loop, so that
 * a debugger or -device loader can take over.
 */
static void boot(PtoVirtState *s)
{
    MachineState *ms = MACHINE(s);
    hwaddr entry = virt_memmap[VIRT_ROM].base;
    hwaddr free = virt_memmap[VIRT_DRAM].base;
    PtoImage image = {
        .ram_base = virt_memmap[VIRT_DRAM].base,
        .ram_size = ms->ram_size,
        .load_addr = s->load_addr,
    };
    hwaddr fdt;
    Error *err = NULL;

    if (!parse_identity(s, &image.identity)) {
        error_report("identity=%s: use require, warn or ignore", s->identity);
        exit(EXIT_FAILURE);
    }
    if (ms->firmware) {
        load_firmware(s, ms->firmware);
    } else {
        pto_load_idle_loop(virt_memmap[VIRT_ROM].base);
    }
    if (ms->kernel_filename) {
        if (!pto_load_image(&image, ms->kernel_filename, &err)) {
            error_report_err(err);
            exit(EXIT_FAILURE);
        }
        free = image.end;
        if (!ms->firmware) {
            entry = image.entry;
        }
        qemu_fdt_setprop_u64(ms->fdt, "/chosen", "pto,kernel-entry",
                             image.entry);
    }
    if (ms->initrd_filename) {
        free = load_initrd(s, ms->initrd_filename, free);
    }
    fdt = place_fdt(s, free);
    pto_cluster_set_boot(&s->cluster, entry, fdt);
}

static void pto_virt_init(MachineState *ms)
{
    PtoVirtState *s = PTO_VIRT_MACHINE(ms);

    memory_region_add_subregion(get_system_memory(),
                                virt_memmap[VIRT_DRAM].base, ms->ram);
    memory_region_init_rom(&s->rom, NULL, "pto-virt.rom",
                           virt_memmap[VIRT_ROM].size, &error_fatal);
    memory_region_add_subregion(get_system_memory(),
                                virt_memmap[VIRT_ROM].base, &s->rom);
    pto_cluster_create(&s->cluster, ms, s->app_window, s->deadlock_stop);
    create_fdt(s);
    create_devices(s);
    boot(s);
}

/* ------------------------------------------------------------- properties */

static void get_u64(Object *obj, Visitor *v, const char *name, void *opaque,
                    Error **errp)
{
    visit_type_uint64(v, name, (void *)obj + (uintptr_t)opaque, errp);
}

static void set_u64(Object *obj, Visitor *v, const char *name, void *opaque,
                    Error **errp)
{
    visit_type_uint64(v, name, (void *)obj + (uintptr_t)opaque, errp);
}

static char *get_identity(Object *obj, Error **errp)
{
    PtoVirtState *s = PTO_VIRT_MACHINE(obj);

    return g_strdup(s->identity ? s->identity : "auto");
}

static void set_identity(Object *obj, const char *value, Error **errp)
{
    PtoVirtState *s = PTO_VIRT_MACHINE(obj);

    g_free(s->identity);
    s->identity = strcmp(value, "auto") ? g_strdup(value) : NULL;
}

static char *get_deadlock(Object *obj, Error **errp)
{
    return g_strdup(PTO_VIRT_MACHINE(obj)->deadlock_stop ? "stop" : "log");
}

static void set_deadlock(Object *obj, const char *value, Error **errp)
{
    if (strcmp(value, "stop") && strcmp(value, "log")) {
        error_setg(errp, "deadlock is 'log' or 'stop', not '%s'", value);
        return;
    }
    PTO_VIRT_MACHINE(obj)->deadlock_stop = !strcmp(value, "stop");
}

static void pto_virt_instance_init(Object *obj)
{
    PTO_VIRT_MACHINE(obj)->load_addr = virt_memmap[VIRT_DRAM].base;
}

static void pto_virt_instance_finalize(Object *obj)
{
    g_free(PTO_VIRT_MACHINE(obj)->identity);
}

static void pto_virt_class_init(ObjectClass *oc, void *data)
{
    MachineClass *mc = MACHINE_CLASS(oc);

    mc->desc = "PTO virtual board";
    mc->init = pto_virt_init;
    mc->max_cpus = VIRT_MAX_CORES * PTO_NUM_PE;
    mc->default_cpu_type = TYPE_PTO_CPU_PTO;
    mc->default_ram_size = 128 * MiB;
    mc->default_ram_id = "pto-virt.ram";
    mc->block_default_type = IF_VIRTIO;
    mc->is_default = true;
    mc->no_floppy = 1;
    mc->no_cdrom = 1;
    mc->no_parallel = 1;

    object_class_property_add(oc, "load", "uint64", get_u64, set_u64, NULL,
                              (void *)offsetof(PtoVirtState, load_addr));
    object_class_property_set_description(
        oc, "load", "address at which a raw -kernel is loaded and entered");
    object_class_property_add(oc, "app-window", "uint64", get_u64, set_u64,
                              NULL,
                              (void *)offsetof(PtoVirtState, app_window));
    object_class_property_set_description(
        oc, "app-window",
        "first address that rings 2 to 15 may not access, 0: no limit");
    object_class_property_add_str(oc, "deadlock", get_deadlock, set_deadlock);
    object_class_property_set_description(
        oc, "deadlock", "what happens when every PE of a core waits for "
        "another one: log (once) or stop (guest panic event)");
    object_class_property_add_str(oc, "identity", get_identity, set_identity);
    object_class_property_set_description(
        oc, "identity", "what to do about a missing or different "
        ".note.pto.isa: require, warn or ignore (auto: the CPU's rule)");
}

static const TypeInfo pto_virt_type = {
    .name = TYPE_PTO_VIRT_MACHINE,
    .parent = TYPE_MACHINE,
    .class_init = pto_virt_class_init,
    .instance_init = pto_virt_instance_init,
    .instance_finalize = pto_virt_instance_finalize,
    .instance_size = sizeof(PtoVirtState),
};

static void pto_virt_register_types(void)
{
    type_register_static(&pto_virt_type);
}

type_init(pto_virt_register_types)
