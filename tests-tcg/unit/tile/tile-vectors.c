/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs golden tile vectors on the tile core without QEMU.
 *
 *   vectors-to-text.py FILE.jsonl.xz... | tile-vectors [-v] [-t] [-o OP] [-i ID]
 *
 * The programs consist of block headers only, so the machine here is a decoder
 * of B.*, BSTART and BSTOP around pto_bundle_* and pto_tile_commit. -v prints
 * every difference, -t also compares tile descriptors (informative in the
 * vectors), -o / -i select cases by operation or by a substring of the id.
 */
#include "tile/commit.h"

#define RAM_MAX 65536
#define LINES_MAX 128
#define LINE_LEN 200

static const char *const fault_names[PTO_FAULT_COUNT] = {
    "None", "ExecutionStateCheck", "IllegalInstruction", "InstructionPC",
    "InstructionPage", "DataAlignment", "DataPage", "SoftwareBreakpoint",
    "HardwareBreakpoint", "HardwareWatchpoint", "Assert", "TileLegality",
    "TileAllocation", "BundleControl", "BundlePostCommit", "ServiceRequest",
};

typedef struct Lines {
    unsigned n;
    char s[LINES_MAX][LINE_LEN];
} Lines;

typedef struct Case {
    char id[128], op[32];
    unsigned ram, acr, agent, max_steps, nstops;
    uint64_t pc, stop[4], evbase;
    uint64_t gpr[PTO_PES][32];
    uint8_t mem[RAM_MAX];
    uint64_t want_pc;
    unsigned want_steps;
    char want_fault[32];
    uint64_t want_addr;
    unsigned want_flags;
    bool only_faults, groups;
    uint8_t want_mem[RAM_MAX];
    Lines head, tiles;
} Case;

typedef struct Machine {
    Case *c;
    uint8_t mem[RAM_MAX];
    uint64_t pc;
    unsigned steps, flags;
    bool active, body;
    PtoBundle bundle;
    PtoLocalTiles local;
    PtoTileCore core;
    PtoFaultInfo fault;         /* first rejected attempt */
    uint64_t fault_addr;
    char note[64];
} Machine;

/* --- access table --- */

static uint64_t read_scalar(void *opaque, unsigned pe, unsigned sel)
{
    Machine *m = opaque;

    return sel && sel < 24 ? m->c->gpr[pe][sel] : 0;
}

static PtoFault probe(void *opaque, uint64_t addr, uint64_t len, bool write,
                      unsigned align, uint64_t *fault_addr)
{
    Machine *m = opaque;
    uint64_t limit = m->c->acr >= 2 ? MIN(3072, m->c->ram) : m->c->ram;

    (void)write;
    *fault_addr = addr;
    if (addr % align) {
        return PTO_FAULT_DATA_ALIGNMENT;
    }
    return addr > limit || len > limit - addr ? PTO_FAULT_DATA_PAGE
                                              : PTO_FAULT_NONE;
}

static void *host(void *opaque, uint64_t addr, uint64_t len, bool write)
{
    Machine *m = opaque;

    (void)write;
    /* Every third page goes the slow way, so that both ways are tested. */
    return addr / 256 % 3 == 2 && len < 64 ? NULL : m->mem + addr;
}

static void mem_read(void *opaque, uint64_t addr, void *buf, uint64_t len)
{
    memcpy(buf, ((Machine *)opaque)->mem + addr, len);
}

static void mem_write(void *opaque, uint64_t addr, const void *buf, uint64_t len)
{
    memcpy(((Machine *)opaque)->mem + addr, buf, len);
}

static uint64_t mem_cas(void *opaque, uint64_t addr, unsigned bytes,
                        uint64_t expected, uint64_t desired)
{
    uint8_t *p = ((Machine *)opaque)->mem + addr;
    uint64_t old = pto_ld_le(p, bytes);

    if (old == expected) {
        pto_st_le(p, bytes, desired);
    }
    return old;
}

static const PtoAccess access_table = {
    .read_scalar = read_scalar, .probe = probe, .host = host,
    .read = mem_read, .write = mem_write, .cas = mem_cas,
};

/* --- decoder --- */

static uint32_t bits(uint32_t w, unsigned lsb, unsigned n)
{
    return w >> lsb & ((1u << n) - 1);
}

static unsigned length_of(uint16_t h, uint16_t h2)
{
    if ((h & 15) == 14) {
        return 6;
    }
    if ((h & 127) == 15 || (h & 127) == 127) {
        return 8;
    }
    if ((h & 1) || ((h & 15) == 2 && (h2 & 0xf83f) == 0x5016)) {
        return 4;
    }
    return 2;
}

static PtoFaultInfo fault(PtoFault code, const char *what)
{
    return (PtoFaultInfo) { .code = code, .rule = what };
}

static PtoFaultInfo reject(const char *what)
{
    return fault(PTO_FAULT_ILLEGAL_INSTRUCTION, what);
}

/* Complete the open block; *wait: it stays active and is retried. */
static PtoFaultInfo complete(Machine *m, bool *wait)
{
    PtoTileCtx ctx = {
        .profile = &pto_tile_profile_ref, .access = &access_table, .opaque = m,
        .pe = m->c->agent, .pe_count = 1, .local = &m->local, .core = &m->core,
        .bundle = &m->bundle,
    };
    bool trap = m->bundle.catr.trap;
    PtoCommit r;

    *wait = false;
    /* The model gives BSTART.GMOV the kind of a standard block. */
    if (m->bundle.catr.dr && pto_bundle_tile_op(&m->bundle) ==
                             &pto_tile_ops[PTO_OP_GMOV]) {
        return pto_reject(PTO_RULE_CATR_DR);
    }
    if (m->bundle.catr.dr && m->bundle.op.op_class != PTO_OPCLASS_TEPL &&
        m->bundle.op.op_class != PTO_OPCLASS_TLSU) {
        return pto_reject(PTO_RULE_CATR_DR);
    }
    r = pto_tile_commit(&ctx);
    if (r.status == PTO_COMMIT_FAULT) {
        return r.fault;
    }
    *wait = r.status == PTO_COMMIT_WAIT;
    if (*wait) {
        return PTO_OK;
    }
    m->flags |= r.flags;
    m->active = m->body = false;
    pto_bundle_clear(&m->bundle);
    return trap ? fault(PTO_FAULT_BUNDLE_POST_COMMIT, "B.CATR trap") : PTO_OK;
}

static PtoFaultInfo block_start(Machine *m, const PtoBundleOp *op, unsigned len)
{
    PtoFaultInfo f = pto_bundle_op_legal(op);
    bool wait;

    pto_bundle_close_group(&m->bundle);
    if (f.code) {
        return f;
    }
    if (m->active) {
        f = complete(m, &wait);
        if (f.code || wait) {
            return f;
        }
    }
    pto_bundle_clear(&m->bundle);
    pto_bundle_install(&m->bundle, op, m->pc);
    m->active = true;
    m->pc += len;
    return PTO_OK;
}

static PtoFaultInfo block_stop(Machine *m, unsigned len)
{
    uint64_t next = m->pc + len;
    PtoFaultInfo f;
    bool wait;

    pto_bundle_close_group(&m->bundle);
    if (!m->active) {
        return fault(PTO_FAULT_BUNDLE_CONTROL, "no open block");
    }
    f = complete(m, &wait);
    if (!wait && (!f.code || f.code == PTO_FAULT_BUNDLE_POST_COMMIT)) {
        m->pc = next;
    }
    return f;
}

static PtoFaultInfo tile_start(Machine *m, uint32_t w)
{
    PtoBundleOp op = { .valid = true, .selector_valid = true,
                       .dtype_valid = true, .dtype = bits(w, 27, 5),
                       .selector = bits(w, 20, 5) };

    if ((w & 0xfffff) == 0x19181) {
        op.op_class = PTO_OPCLASS_TEPL;
        op.mode_valid = true;
        op.mode = bits(w, 25, 2);
    } else if ((w & 0x060fffff) == 0x11181) {
        op.op_class = PTO_OPCLASS_TLSU;
    } else if ((w & 0x060fffff) == 0x31181) {
        op.op_class = PTO_OPCLASS_CUBE;
    } else {
        return reject("block start");
    }
    if (op.op_class != PTO_OPCLASS_TEPL && pto_bundle_op_legal(&op).code) {
        return reject("no such command form");      /* leaves the group open */
    }
    return block_start(m, &op, 4);
}

static PtoFaultInfo range_modifier(Machine *m, uint32_t w)
{
    bool assemble = bits(w, 12, 3) == 1, top = w >> 31, last = w >> 11 & 1;
    unsigned reg = bits(w, 15, 5), size = bits(w, 7, 4);
    PtoRange *slot;
    PtoFaultInfo f;

    if (!assemble && (bits(w, 12, 3) || last)) {
        return reject("range modifier");
    }
    f = assemble ? pto_bundle_assemble(&m->bundle, top, last, reg, size, &slot)
                 : pto_bundle_subview(&m->bundle, top, reg, size, &slot);
    if (!f.code && slot) {
        pto_bundle_range_set(&m->bundle, slot, assemble && top, assemble && last,
                             reg, size, bits(w, 20, 11),
                             read_scalar(m, m->c->agent, reg));
    }
    return f;
}

static PtoFaultInfo binder(Machine *m, uint32_t w, bool hdr)
{
    unsigned pe = bits(w, 9, 3), size = bits(w, 15, 4), hand = bits(w, 7, 2);
    unsigned s0 = bits(w, 20, 6), s1 = bits(w, 26, 6);
    bool last = w >> 19 & 1;
    PtoBundle *b = &m->bundle;

    switch (bits(w, 12, 3)) {
    case 0:
        if (w & 0x06000000) {
            break;
        }
        return pto_bundle_ior(b, hdr, bits(w, 7, 5), bits(w, 15, 5),
                              bits(w, 20, 5), bits(w, 27, 5));
    case 1:
        if (w & 0xfc080180) {
            break;
        }
        return pto_bundle_ios(b, hdr, s0, size, pe);
    case 4:
        return pto_bundle_iot(b, hdr, size != 0, 2, hand, size, pe, s0, s1, last);
    case 5:
        if (s1) {
            break;
        }
        return pto_bundle_iot(b, hdr, size != 0, 1, hand, size, pe, s0, 0, last);
    case 6:
        if (w & 0xfff00000) {
            break;
        }
        return pto_bundle_iot(b, hdr, true, 0, hand, size, pe, 0, 0, last);
    }
    return reject("binder");
}

static PtoFaultInfo attributes(Machine *m, uint32_t w, bool hdr)
{
    PtoBundle *b = &m->bundle;

    switch (bits(w, 12, 3)) {
    case 0:
        if (w & 0xfbf00f80) {
            break;
        }
        return pto_bundle_catr(b, hdr, &(PtoCatr) {
            .dr = w >> 26 & 1, .trap = w >> 19 & 1, .far = w >> 18 & 1,
            .atomic = w >> 17 & 1, .acquire = w >> 16 & 1,
            .release = w >> 15 & 1 });
    case 1:
        if (w & 0x000c0000) {
            break;
        }
        return pto_bundle_datr(b, hdr, &(PtoDatr) {
            .cmode = bits(w, 29, 3), .pad = bits(w, 27, 2),
            .sat = w >> 26 & 1, .canon = w >> 25 & 1, .dtype = bits(w, 20, 5),
            .rmode = bits(w, 15, 3), .layout = bits(w, 7, 5) });
    case 2:
        if (w & 0x00000c00) {
            break;
        }
        return pto_bundle_fpatr(b, hdr, &(PtoFpatr) {
            .pre_quant_mode = bits(w, 26, 6), .relu_mode = bits(w, 23, 3),
            .group_n_code = bits(w, 19, 4), .row_max_en = w >> 18 & 1,
            .group_max_en = w >> 17 & 1, .row_max_init = w >> 16 & 1,
            .max_abs_en = w >> 15 & 1, .trans_a = w >> 7 & 1,
            .trans_b = w >> 8 & 1, .c_scale_en = w >> 9 & 1 });
    }
    return reject("attribute");
}

static PtoFaultInfo dimension(Machine *m, uint32_t w, bool hdr)
{
    unsigned reg = bits(w, 15, 5), n = bits(w, 12, 3);
    uint64_t imm = bits(w, 20, 12) | bits(w, 7, 5) << 12;

    if (n > 2 || reg > 23) {
        return reject("B.DIM");
    }
    return pto_bundle_dim(&m->bundle, hdr, n,
                          (read_scalar(m, m->c->agent, reg) + imm) & 0xffff);
}

static PtoFaultInfo step32(Machine *m, uint32_t w)
{
    bool hdr = m->active && !m->body;
    PtoFaultInfo f;

    if (w == 1) {
        return block_stop(m, 4);
    }
    switch (w & 0x7f) {
    case 0x13:
        f = binder(m, w, hdr);
        break;
    case 0x23:
        f = attributes(m, w, hdr);
        break;
    case 0x43:
        f = dimension(m, w, hdr);
        break;
    case 0x53:
        f = range_modifier(m, w);
        break;
    case 0x01:
        return tile_start(m, w);
    default:
        snprintf(m->note, sizeof(m->note), "unknown instruction %08x", w);
        f = reject("unknown");
    }
    if (!f.code) {
        m->pc += 4;
    }
    return f;
}

static PtoFaultInfo step16(Machine *m, uint16_t h)
{
    bool hdr = m->active && !m->body;
    PtoFaultInfo f;

    if (h == 0) {
        return block_stop(m, 2);
    }
    if ((h & 0x3f) == 0x3c && h >> 14 != 3) {
        f = pto_bundle_dim(&m->bundle, hdr, h >> 14, h >> 6 & 0xff);
        m->pc += f.code ? 0 : 2;
        return f;
    }
    if ((h & 0xc7ff) == 0) {
        PtoBundleOp op = { .valid = true, .branch_valid = true,
                           .branch = h >> 11 & 7 };

        return block_start(m, &op, 2);
    }
    snprintf(m->note, sizeof(m->note), "unknown instruction %04x", h);
    return reject("unknown");
}

static bool at_stop(const Machine *m)
{
    for (unsigned i = 0; i < m->c->nstops; i++) {
        if (m->pc == m->c->stop[i]) {
            return true;
        }
    }
    return false;
}

static void run(Machine *m)
{
    while (!at_stop(m) && m->steps < m->c->max_steps && m->pc + 2 <= m->c->ram) {
        uint16_t h = pto_ld_le(m->mem + m->pc, 2);
        uint16_t h2 = m->pc + 4 <= m->c->ram ? pto_ld_le(m->mem + m->pc + 2, 2)
                                             : 0;
        unsigned len = length_of(h, h2);
        PtoFaultInfo f;

        f = len == 2 ? step16(m, h)
            : len == 4 ? step32(m, h | (uint32_t)h2 << 16) : reject("length");
        m->steps++;
        if (f.code) {
            m->fault = f;
            m->fault_addr = f.addr_valid ? f.addr : m->pc;
            m->pc = m->c->evbase;
            return;
        }
    }
}

/* --- comparison --- */

static void add_line(Lines *l, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#include <stdarg.h>

static void add_line(Lines *l, const char *fmt, ...)
{
    va_list ap;

    if (l->n < LINES_MAX) {
        va_start(ap, fmt);
        vsnprintf(l->s[l->n++], LINE_LEN, fmt, ap);
        va_end(ap);
    }
}

static void range_line(Lines *l, const char *what, unsigned i, const char *key,
                       const PtoRange *r)
{
    if (r->valid) {
        add_line(l, "%s %u %s %u %u %u %" PRIx64 " %d %d", what, i, key, r->reg,
                 r->uimm11, r->size, r->offset, r->init, r->last);
    }
}

static void head_attributes(Lines *l, const PtoBundle *b)
{
    const PtoFpatr *f = &b->fpatr;

    if (b->catr.present) {
        add_line(l, "catr %d %d %d %d %d %d", b->catr.trap, b->catr.atomic,
                 b->catr.acquire, b->catr.release, b->catr.far, b->catr.dr);
    }
    if (b->datr.present) {
        add_line(l, "datr %d %d %d %d %d %d %d", b->datr.dtype, b->datr.layout,
                 b->datr.pad, b->datr.cmode, b->datr.rmode, b->datr.sat,
                 b->datr.canon);
    }
    if (f->valid) {
        add_line(l, "fpatr %d %d %d %d %d %d %d %d %d %d", f->pre_quant_mode,
                 f->relu_mode, f->group_n_code, f->row_max_en, f->group_max_en,
                 f->row_max_init, f->max_abs_en, f->trans_a, f->trans_b,
                 f->c_scale_en);
    }
}

static void head_lines(Lines *l, const PtoBundle *b, bool groups)
{
    const PtoRangeGroup *g = &b->group;

    l->n = 0;
    for (unsigned i = 0; i < 3; i++) {
        if (b->dim_present[i]) {
            add_line(l, "dim %u %" PRIx64, i, b->dim[i]);
        }
    }
    if (b->ior.valid) {
        add_line(l, "ior %d %d %d %d", b->ior.dst, b->ior.src[0], b->ior.src[1],
                 b->ior.src[2]);
    }
    for (unsigned i = 0; i < b->iot_count; i++) {
        const PtoBindTile *t = &b->iot[i];

        add_line(l, "iot %u %d %d %x %d %d %d", i, t->dst_valid ? t->hand : -1,
                 t->dst_valid ? t->size : 0, t->mask,
                 t->src_valid[0] ? t->src[0] : -1,
                 t->src_valid[1] ? t->src[1] : -1, t->last);
        range_line(l, "iot", i, "subview0", &t->subview[0]);
        range_line(l, "iot", i, "subview1", &t->subview[1]);
        range_line(l, "iot", i, "assemble", &t->assemble);
    }
    for (unsigned i = 0; i < b->ios_count; i++) {
        const PtoBindShared *s = &b->ios[i];

        add_line(l, "ios %u %d %d %x", i, s->id, s->size, s->mask);
        range_line(l, "ios", i, "subview", &s->subview);
        range_line(l, "ios", i, "assemble", &s->assemble);
    }
    head_attributes(l, b);
    if (!groups) {
        return;
    }
    if (g->open && g->zero_mode) {
        add_line(l, "group zero");
    } else if (g->open) {
        add_line(l, "group %s %d%d%d %d%d%d", g->shared ? "shared" : "local",
                 g->allowed[0], g->allowed[1], g->allowed[2], g->seen[0],
                 g->seen[1], g->seen[2]);
    }
}

static void tile_lines(Lines *l, const Machine *m)
{
    static const char *const layouts[] = {
        "RowMajor", "ColumnMajor", "ZN", "NZ", "CUBE_M16", "CUBE_M32", "CUBE_N8",
    };
    static const char *const locations[] = { "Any", "Vector", "Matrix" };

    l->n = 0;
    for (unsigned i = 0; i < PTO_TILE_SLOTS; i++) {
        const PtoTile *t = &m->local.tile[i];

        if (t->allocated) {
            add_line(l, "L%u %x %s %u %ux%u %ux%u %s %s %s %d", i, t->mask,
                     t->storage == PTO_STORE_PREDICATE ? "predicate" : "numeric",
                     t->capacity, t->rows, t->cols, t->vrows, t->vcols,
                     pto_type_info[t->type].name, layouts[t->layout],
                     locations[t->location], t->contents_defined);
        }
    }
    for (unsigned i = 0; i < PTO_SHARED_COUNT; i++) {
        const PtoSharedTile *s = &m->core.shared[i];
        const PtoTile *t = &s->tile;

        if (s->valid) {
            add_line(l, "S%u %x %x %d%d %u %ux%u %ux%u %s %s %d", i,
                     s->alloc_mask, s->init_mask, s->ready, s->published,
                     t->capacity, t->rows, t->cols, t->vrows, t->vcols,
                     pto_type_info[t->type].name, layouts[t->layout],
                     t->contents_defined);
        }
    }
}

typedef struct Report {
    bool verbose;
    unsigned diffs;
    const Case *c;
} Report;

static void diff(Report *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void diff(Report *r, const char *fmt, ...)
{
    va_list ap;

    if (r->verbose) {
        if (!r->diffs) {
            printf("%s (%s)\n", r->c->id, r->c->op);
        }
        printf("    ");
        va_start(ap, fmt);
        vprintf(fmt, ap);
        va_end(ap);
        printf("\n");
    }
    r->diffs++;
}

static void diff_lines(Report *r, const char *what, const Lines *want,
                       const Lines *got)
{
    for (unsigned i = 0; i < MAX(want->n, got->n); i++) {
        const char *a = i < want->n ? want->s[i] : "-";
        const char *b = i < got->n ? got->s[i] : "-";

        if (strcmp(a, b)) {
            diff(r, "%s: want [%s] got [%s]", what, a, b);
        }
    }
}

static void compare(Report *r, const Machine *m, bool tiles)
{
    const Case *c = m->c;
    const char *fault = m->fault.code ? fault_names[m->fault.code] : "";
    static Lines got;

    if (strcmp(fault, c->want_fault) ||
        (m->fault.code && m->fault_addr != c->want_addr)) {
        diff(r, "fault: want %s %" PRIx64 " got %s %" PRIx64 " [%s] %s",
             c->want_fault, c->want_addr, fault, m->fault_addr,
             m->fault.rule ? m->fault.rule : "", m->note);
    }
    if (m->pc != c->want_pc || m->steps != c->want_steps) {
        diff(r, "pc: want %" PRIx64 " after %u got %" PRIx64 " after %u",
             c->want_pc, c->want_steps, m->pc, m->steps);
    }
    if (c->only_faults) {
        return;
    }
    if (m->flags != c->want_flags) {
        diff(r, "flags: want %x got %x", c->want_flags, m->flags);
    }
    for (unsigned i = 0, n = 0; i < c->ram && n < 4; i++) {
        if (m->mem[i] != c->want_mem[i]) {
            diff(r, "mem %x: was %02x want %02x got %02x", i, c->mem[i],
                 c->want_mem[i], m->mem[i]);
            n++;
        }
    }
    if (m->active) {
        head_lines(&got, &m->bundle, c->groups);
        diff_lines(r, "head", &c->head, &got);
    }
    if (tiles) {
        tile_lines(&got, m);
        diff_lines(r, "tile", &c->tiles, &got);
    }
}

/* --- input --- */

static void put_hex(uint8_t *mem, uint64_t addr, const char *hex)
{
    for (; hex[0] && hex[1] && addr < RAM_MAX; hex += 2) {
        unsigned v = 0;

        sscanf(hex, "%2x", &v);
        mem[addr++] = v;
    }
}

static void want_line(Case *c, char *s)
{
    char *arg = strchr(s, ' ');
    uint64_t a;
    int n;

    if (!arg) {
        return;
    }
    *arg++ = 0;
    if (!strcmp(s, "pc")) {
        c->want_pc = strtoull(arg, NULL, 16);
    } else if (!strcmp(s, "steps")) {
        c->want_steps = atoi(arg);
    } else if (!strcmp(s, "fault")) {
        sscanf(arg, "%31s %" SCNx64, c->want_fault, &c->want_addr);
    } else if (!strcmp(s, "flags")) {
        c->want_flags = strtoul(arg, NULL, 16);
    } else if (!strcmp(s, "mem") && sscanf(arg, "%" SCNx64 " %n", &a, &n) == 1) {
        put_hex(c->want_mem, a, arg + n);
    } else if (!strcmp(s, "head")) {
        add_line(&c->head, "%s", arg);
    } else if (!strcmp(s, "tile")) {
        add_line(&c->tiles, "%s", arg);
    }
}

static void case_line(Case *c, char *s)
{
    unsigned pe, reg;
    uint64_t v;
    int n;

    if (!strncmp(s, "want ", 5)) {
        want_line(c, s + 5);
    } else if (sscanf(s, "op %31s", c->op) == 1 ||
               sscanf(s, "ram %u", &c->ram) == 1 ||
               sscanf(s, "acr %u", &c->acr) == 1 ||
               sscanf(s, "agent %u", &c->agent) == 1 ||
               sscanf(s, "pc %" SCNx64, &c->pc) == 1 ||
               sscanf(s, "steps %u", &c->max_steps) == 1 ||
               sscanf(s, "evbase %" SCNx64, &c->evbase) == 1) {
        return;
    } else if (!strncmp(s, "stop ", 5)) {
        c->nstops = sscanf(s + 5, "%" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64,
                           &c->stop[0], &c->stop[1], &c->stop[2], &c->stop[3]);
    } else if (sscanf(s, "gpr %u %u %" SCNx64, &pe, &reg, &v) == 3) {
        c->gpr[pe & 3][reg & 31] = v;
    } else if (sscanf(s, "mem %" SCNx64 " %n", &v, &n) == 1) {
        put_hex(c->mem, v, s + n);
        put_hex(c->want_mem, v, s + n);
    } else if (!strcmp(s, "only-faults")) {
        c->only_faults = true;
    } else if (!strcmp(s, "groups")) {
        c->groups = true;           /* the range group is part of the header */
    }
}

static bool read_case(FILE *f, Case *c)
{
    static char line[4 * RAM_MAX];
    bool inside = false;

    memset(c, 0, sizeof(*c));
    while (fgets(line, sizeof(line), f)) {
        line[strcspn(line, "\n")] = 0;
        if (!strncmp(line, "case ", 5)) {
            inside = true;
            snprintf(c->id, sizeof(c->id), "%.120s", line + 5);
        } else if (!strcmp(line, "end")) {
            return inside;
        } else {
            case_line(c, line);
        }
    }
    return false;
}

typedef struct Tally {
    char op[32];
    unsigned passed, failed;
} Tally;

static Tally *tally_of(Tally *t, unsigned *n, const char *op)
{
    for (unsigned i = 0; i < *n; i++) {
        if (!strcmp(t[i].op, op)) {
            return &t[i];
        }
    }
    if (*n == 255) {
        return &t[254];
    }
    snprintf(t[*n].op, sizeof(t[*n].op), "%s", op);
    return &t[(*n)++];
}

int main(int argc, char **argv)
{
    static Case c;
    static Machine m;
    static Tally tally[256];
    unsigned ntally = 0, passed = 0, failed = 0;
    const char *only_op = NULL, *only_id = NULL;
    bool verbose = false, tiles = false;

    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-v")) {
            verbose = true;
        } else if (!strcmp(argv[i], "-t")) {
            tiles = true;
        } else if (!strcmp(argv[i], "-o") && i + 1 < argc) {
            only_op = argv[++i];
        } else if (!strcmp(argv[i], "-i") && i + 1 < argc) {
            only_id = argv[++i];
        } else {
            fprintf(stderr, "usage: tile-vectors [-v] [-t] [-o OP] [-i ID]\n");
            return 2;
        }
    }
    pto_local_init(&m.local);
    pto_core_init(&m.core);
    while (read_case(stdin, &c)) {
        Report r = { .verbose = verbose, .c = &c };
        Tally *t;

        if ((only_op && strcmp(only_op, c.op)) ||
            (only_id && !strstr(c.id, only_id))) {
            continue;
        }
        m = (Machine) { .c = &c, .pc = c.pc, .local = m.local, .core = m.core };
        memcpy(m.mem, c.mem, sizeof(m.mem));
        pto_bundle_clear(&m.bundle);
        run(&m);
        compare(&r, &m, tiles);
        pto_local_reset(&m.local);
        pto_core_reset(&m.core);
        t = tally_of(tally, &ntally, c.op);
        *(r.diffs ? &t->failed : &t->passed) += 1;
        *(r.diffs ? &failed : &passed) += 1;
    }
    for (unsigned i = 0; i < ntally; i++) {
        printf("%-20s %5u passed %5u failed\n", tally[i].op, tally[i].passed,
               tally[i].failed);
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
