/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: tile registers in QMP and in the human monitor.
 *
 * A PE owns its tiles, so a snapshot of one is taken on the PE's own thread;
 * payloads are immutable once published and may then be read from here.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qapi/qapi-commands-machine-target.h"
#include "qapi/type-helpers.h"
#include "qobject/qdict.h"
#include "hw/core/cpu.h"
#include "monitor/hmp.h"
#include "monitor/monitor.h"
#include "tile_dump.h"
#include "tile_monitor.h"
#include "tile_unit.h"

typedef struct TileSnapshot {
    PtoTile tile[PTO_TILE_SLOTS];
    uint32_t pool_used;
    uint64_t ops;
    uint32_t fault;
    const char *rule;
} TileSnapshot;

typedef struct SharedSnapshot {
    PtoSharedTile reg[PTO_SHARED_COUNT];
    uint32_t pool_used;
} SharedSnapshot;

static PtoCluster *find_cluster(Error **errp)
{
    Object *obj = object_resolve_path_type("", TYPE_PTO_TILE_UNIT, NULL);

    if (!obj) {
        error_setg(errp, "this machine has no PTO tile unit (use pto-virt)");
        return NULL;
    }
    return pto_tile_unit_cluster(PTO_TILE_UNIT(obj));
}

static void snapshot_on_pe(CPUState *cs, run_on_cpu_data data)
{
    TileSnapshot *snap = data.host_ptr;
    PTOCPU *cpu = PTO_CPU(cs);
    const PtoLocalTiles *l = cpu->env.tiles;
    int i;

    for (i = 0; i < PTO_TILE_SLOTS; i++) {
        pto_tile_copy(&snap->tile[i], &l->tile[i]);
    }
    snap->pool_used = pto_local_pool_used(l, cpu->pe);
    snap->ops = l->ops;
    snap->fault = cpu->env.fault.code;
    snap->rule = cpu->env.fault.rule;
}

static TileSnapshot *snapshot_local(PTOCPU *cpu)
{
    TileSnapshot *snap = g_new0(TileSnapshot, 1);

    run_on_cpu(CPU(cpu), snapshot_on_pe, RUN_ON_CPU_HOST_PTR(snap));
    return snap;
}

static void free_local(TileSnapshot *snap)
{
    int i;

    for (i = 0; i < PTO_TILE_SLOTS; i++) {
        pto_tile_clear(&snap->tile[i]);
    }
    g_free(snap);
}

static SharedSnapshot *snapshot_shared(PtoCore *core)
{
    SharedSnapshot *snap = g_new0(SharedSnapshot, 1);
    int i;

    qemu_mutex_lock(&core->lock);
    for (i = 0; i < PTO_SHARED_COUNT; i++) {
        snap->reg[i] = core->tiles.shared[i];
        snap->reg[i].tile = (PtoTile) {};
        pto_tile_copy(&snap->reg[i].tile, &core->tiles.shared[i].tile);
    }
    snap->pool_used = core->tiles.pool_used;
    qemu_mutex_unlock(&core->lock);
    return snap;
}

static void free_shared(SharedSnapshot *snap)
{
    int i;

    for (i = 0; i < PTO_SHARED_COUNT; i++) {
        pto_tile_clear(&snap->reg[i].tile);
    }
    g_free(snap);
}

static const char *layout_name(const PtoTile *t)
{
    static const char *const names[PTO_LAYOUT_COUNT] = {
        "row-major", "column-major", "ZN", "NZ", "CUBE_M16", "CUBE_M32",
        "CUBE_N8",
    };

    return t->layout < PTO_LAYOUT_COUNT ? names[t->layout] : "?";
}

static const char *type_name(const PtoTile *t)
{
    return t->storage == PTO_STORE_PREDICATE ? "predicate"
                                             : pto_type_info[t->type].name;
}

static PtoTileInfo *tile_info(const PtoTile *t, unsigned core)
{
    PtoTileInfo *info = g_new0(PtoTileInfo, 1);

    info->core = core;
    info->type = g_strdup(type_name(t));
    info->layout = g_strdup(layout_name(t));
    info->capacity = t->capacity;
    info->rows = t->rows;
    info->columns = t->cols;
    info->valid_rows = t->vrows;
    info->valid_columns = t->vcols;
    info->defined = t->contents_defined;
    return info;
}

static char *local_name(unsigned slot)
{
    return g_strdup_printf("%c#%u", "TUMN"[slot / 16], slot % 16 + 1);
}

PtoTileInfoList *qmp_query_pto_tiles(Error **errp)
{
    PtoCluster *c = find_cluster(NULL);
    PtoTileInfoList *head = NULL, **tail = &head;
    unsigned pe, i;

    if (!c) {
        return NULL;
    }
    for (pe = 0; pe < c->num_pes; pe++) {
        TileSnapshot *snap = snapshot_local(c->pe[pe]);

        for (i = 0; i < PTO_TILE_SLOTS; i++) {
            if (snap->tile[i].allocated) {
                PtoTileInfo *info = tile_info(&snap->tile[i],
                                              pe / c->pes_per_core);

                info->name = local_name(i);
                info->has_pe = true;
                info->pe = pe;
                QAPI_LIST_APPEND(tail, info);
            }
        }
        free_local(snap);
    }
    for (pe = 0; pe < c->num_cores; pe++) {
        SharedSnapshot *snap = snapshot_shared(c->core[pe]);

        for (i = 0; i < PTO_SHARED_COUNT; i++) {
            if (snap->reg[i].valid) {
                PtoTileInfo *info = tile_info(&snap->reg[i].tile, pe);

                info->name = g_strdup_printf("S%u", i);
                info->has_published = true;
                info->published = snap->reg[i].published;
                QAPI_LIST_APPEND(tail, info);
            }
        }
        free_shared(snap);
    }
    return head;
}

/* "T#1" .. "N#16" gives 0..63, "S0" .. "S63" gives 64..127, else -1. */
static int parse_name(const char *name)
{
    static const char hands[] = "TUMN";
    const char *hand = name[0] ? strchr(hands, g_ascii_toupper(name[0]))
                               : NULL;
    const char *digits = name + 1;
    unsigned number;

    if (hand && *digits == '#') {
        digits++;
    }
    if (!name[0] || !*digits || strlen(digits) > 2 ||
        strspn(digits, "0123456789") != strlen(digits)) {
        return -1;
    }
    number = atoi(digits);
    if (hand && number >= 1 && number <= 16) {
        return (hand - hands) * 16 + number - 1;
    }
    if (g_ascii_toupper(name[0]) == 'S' && number < PTO_SHARED_COUNT) {
        return PTO_TILE_SLOTS + number;
    }
    return -1;
}

/* A snapshot of the named tile in *@t; the caller clears it. */
static bool snapshot_named(PtoCluster *c, unsigned pe, const char *name,
                           PtoTile *t, Error **errp)
{
    int n = parse_name(name);

    if (n < 0) {
        error_setg(errp, "'%s' is no tile: use T#1 to T#16 (also U, M, N) or "
                   "S0 to S63", name);
        return false;
    }
    *t = (PtoTile) {};
    if (n < PTO_TILE_SLOTS) {
        TileSnapshot *snap = snapshot_local(c->pe[pe]);

        pto_tile_copy(t, &snap->tile[n]);
        free_local(snap);
    } else {
        SharedSnapshot *snap = snapshot_shared(c->core[pe / c->pes_per_core]);

        pto_tile_copy(t, &snap->reg[n - PTO_TILE_SLOTS].tile);
        free_shared(snap);
    }
    if (!t->allocated) {
        error_setg(errp, "tile %s of PE %u is not allocated", name, pe);
        return false;
    }
    return true;
}

void qmp_pto_tile_dump(const char *tile, const char *filename, bool has_pe,
                       int64_t pe, bool has_format, PtoTileDumpFormat format,
                       Error **errp)
{
    static bool (*const dump[])(const PtoTile *, const char *, Error **) = {
        [PTO_TILE_DUMP_FORMAT_TEXT] = pto_tile_dump_text,
        [PTO_TILE_DUMP_FORMAT_RAW] = pto_tile_dump_raw,
        [PTO_TILE_DUMP_FORMAT_NPY] = pto_tile_dump_npy,
        [PTO_TILE_DUMP_FORMAT_PNG] = pto_tile_dump_png,
    };
    PtoCluster *c = find_cluster(errp);
    PtoTile t = {};

    if (!c) {
        return;
    }
    if (!has_pe) {
        pe = 0;
    }
    if (pe < 0 || pe >= c->num_pes) {
        error_setg(errp, "there is no PE %" PRId64 ", only 0 to %u", pe,
                   c->num_pes - 1);
        return;
    }
    if (snapshot_named(c, pe, tile, &t, errp)) {
        dump[has_format ? format : PTO_TILE_DUMP_FORMAT_TEXT](&t, filename,
                                                              errp);
    }
    pto_tile_clear(&t);
}

static void print_tile(GString *out, const char *name, const PtoTile *t,
                       const char *note)
{
    g_string_append_printf(out, "  %-5s %-9s %-12s %6u bytes %5u x %-5u valid "
                           "%u x %u%s%s\n", name, type_name(t),
                           layout_name(t), t->capacity, t->rows, t->cols,
                           t->vrows, t->vcols,
                           t->contents_defined ? "" : ", partly undefined",
                           note);
}

static void print_pe(GString *out, PtoCluster *c, unsigned pe)
{
    TileSnapshot *snap = snapshot_local(c->pe[pe]);
    unsigned i;

    g_string_append_printf(out, "PE %u (core %u): %u of %u bytes used, "
                           "%" PRIu64 " tile operations", pe,
                           pe / c->pes_per_core, snap->pool_used,
                           PTO_POOL_BYTES, snap->ops);
    if (snap->rule) {
        g_string_append_printf(out, ", last fault %u (%s)", snap->fault,
                               snap->rule);
    }
    g_string_append_c(out, '\n');
    for (i = 0; i < PTO_TILE_SLOTS; i++) {
        if (snap->tile[i].allocated) {
            g_autofree char *name = local_name(i);

            print_tile(out, name, &snap->tile[i], "");
        }
    }
    free_local(snap);
}

static void print_core(GString *out, PtoCluster *c, unsigned core)
{
    SharedSnapshot *snap = snapshot_shared(c->core[core]);
    unsigned i;

    g_string_append_printf(out, "core %u Shared: %u of %u bytes used\n", core,
                           snap->pool_used, PTO_POOL_BYTES);
    for (i = 0; i < PTO_SHARED_COUNT; i++) {
        if (snap->reg[i].valid) {
            g_autofree char *name = g_strdup_printf("S%u", i);

            print_tile(out, name, &snap->reg[i].tile,
                       snap->reg[i].published ? ", published" : "");
        }
    }
    free_shared(snap);
}

static HumanReadableText *hmp_info_tiles(Error **errp)
{
    g_autoptr(GString) out = g_string_new(NULL);
    PtoCluster *c = find_cluster(errp);
    unsigned i;

    if (!c) {
        return NULL;
    }
    for (i = 0; i < c->num_pes; i++) {
        print_pe(out, c, i);
    }
    for (i = 0; i < c->num_cores; i++) {
        print_core(out, c, i);
    }
    return human_readable_text_from_str(out);
}

static void hmp_tile_dump(Monitor *mon, const QDict *qdict)
{
    const char *text = qdict_get_try_str(qdict, "format");
    Error *err = NULL;
    int format = PTO_TILE_DUMP_FORMAT_TEXT;

    if (text) {
        format = qapi_enum_parse(&PtoTileDumpFormat_lookup, text, -1, &err);
    }
    if (format >= 0) {
        qmp_pto_tile_dump(qdict_get_str(qdict, "tile"),
                          qdict_get_str(qdict, "filename"),
                          qdict_haskey(qdict, "pe"),
                          qdict_get_try_int(qdict, "pe", 0), true, format,
                          &err);
    }
    hmp_handle_error(mon, err);
}

void pto_tile_monitor_register(void)
{
    monitor_register_hmp_info_hrt("pto-tiles", hmp_info_tiles);
    monitor_register_hmp("pto-tile-dump", false, hmp_tile_dump);
}
