/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core-env.h"

unsigned checks_passed, checks_failed;

int checks_done(void)
{
    printf("%u passed, %u failed\n", checks_passed, checks_failed);
    return checks_failed != 0;
}

typedef struct Pe {
    Core *core;
    unsigned n;
} Pe;

static Core *core_of(void *opaque)
{
    return ((Pe *)opaque)->core;
}

static uint64_t read_scalar(void *opaque, unsigned pe, unsigned sel)
{
    return sel ? core_of(opaque)->gpr[pe][sel] : 0;
}

static PtoFault probe(void *opaque, uint64_t addr, uint64_t len, bool write,
                      unsigned align, uint64_t *fault_addr)
{
    Core *c = core_of(opaque);
    bool bad;

    *fault_addr = addr;
    if (addr % align) {
        return PTO_FAULT_DATA_ALIGNMENT;
    }
    if (addr > MEM_BYTES || len > MEM_BYTES - addr) {
        return PTO_FAULT_DATA_PAGE;
    }
    bad = (c->bad >= addr && c->bad < addr + len) ||
          (c->bad_page >= addr / PAGE_BYTES &&
           c->bad_page <= (addr + len - 1) / PAGE_BYTES);
    return bad && (write || !c->bad_write_only) ? PTO_FAULT_DATA_PAGE
                                                : PTO_FAULT_NONE;
}

static void *host(void *opaque, uint64_t addr, uint64_t len, bool write)
{
    Core *c = core_of(opaque);

    (void)len;
    (void)write;
    return c->slow ? NULL : c->mem + addr;
}

static void mem_read(void *opaque, uint64_t addr, void *buf, uint64_t len)
{
    memcpy(buf, core_of(opaque)->mem + addr, len);
}

static void mem_write(void *opaque, uint64_t addr, const void *buf, uint64_t len)
{
    memcpy(core_of(opaque)->mem + addr, buf, len);
}

static uint64_t mem_cas(void *opaque, uint64_t addr, unsigned bytes,
                        uint64_t expected, uint64_t desired)
{
    uint8_t *p = core_of(opaque)->mem + addr;
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

Core *core_new(unsigned pes)
{
    Core *c = pto_alloc0(sizeof(*c));

    c->bad = c->bad_page = UINT64_MAX;
    c->profile = pto_tile_profile_pto;
    c->pes = pes;
    c->pc = 0x1000;
    c->mem_used = MEM_BYTES;
    pto_core_init(&c->shared);
    for (unsigned i = 0; i < PTO_PES; i++) {
        pto_local_init(&c->local[i]);
        c->local[i].own_pool = true;
        pto_bundle_clear(&c->bundle[i]);
    }
    for (unsigned i = 0; i < MEM_BYTES; i++) {
        c->mem[i] = i * 7 + i / 251;
    }
    return c;
}

Core *core_machine(Machine m)
{
    Core *c = core_new(m == M_FOUR ? 4 : m == M_TWO ? 2 : 1);

    if (m == M_NEVER) {
        c->profile.retire = PTO_RETIRE_NEVER;
    } else if (m == M_REF) {
        c->profile = pto_tile_profile_ref;
        c->local[0].own_pool = false;
    }
    return c;
}

void core_free(Core *c)
{
    for (unsigned i = 0; i < PTO_PES; i++) {
        pto_local_reset(&c->local[i]);
    }
    pto_core_reset(&c->shared);
    pto_free(c);
}

PtoCommit core_commit(Core *c, unsigned pe, const PtoBundle *b)
{
    Pe me = { c, pe };
    PtoTileCtx ctx = {
        .profile = &c->profile, .access = &access_table, .opaque = &me,
        .pe = pe, .pe_count = c->pes, .local = &c->local[pe],
        .core = &c->shared, .bundle = b,
    };

    return pto_tile_commit(&ctx);
}

Snapshot snapshot_take(Core *c)
{
    Snapshot s = { .mem = pto_alloc(c->mem_used) };

    memcpy(s.mem, c->mem, c->mem_used);
    for (unsigned i = 0; i < c->pes; i++) {
        s.local[i] = pto_local_save(&c->local[i], &s.local_bytes[i]);
    }
    s.shared = pto_core_save(&c->shared, &s.shared_bytes);
    return s;
}

static bool same(uint8_t *now, size_t n, const uint8_t *old, size_t m)
{
    bool equal = n == m && !memcmp(now, old, n);

    pto_free(now);
    return equal;
}

bool snapshot_equal(Core *c, const Snapshot *s)
{
    bool equal = !memcmp(c->mem, s->mem, c->mem_used);
    size_t n;
    uint8_t *now;

    for (unsigned i = 0; i < c->pes && equal; i++) {
        now = pto_local_save(&c->local[i], &n);
        equal = same(now, n, s->local[i], s->local_bytes[i]);
    }
    now = pto_core_save(&c->shared, &n);
    return same(now, n, s->shared, s->shared_bytes) && equal;
}

void snapshot_free(Snapshot *s)
{
    pto_free(s->mem);
    for (unsigned i = 0; i < PTO_PES; i++) {
        pto_free(s->local[i]);
    }
    pto_free(s->shared);
}

/* --- streams --- */

static PtoFaultInfo range_modifier(Core *c, PtoBundle *b, const Step *s)
{
    bool assemble = s->kind == S_ASSEMBLE;
    bool init = assemble && s->v[0], last = assemble && s->v[1];
    unsigned reg = s->v[assemble ? 2 : 1], imm = s->v[assemble ? 3 : 2];
    unsigned size = s->v[assemble ? 4 : 3];
    PtoRange *slot;
    PtoFaultInfo f = assemble ? pto_bundle_assemble(b, init, last, reg, size, &slot)
                     : pto_bundle_subview(b, s->v[0], reg, size, &slot);

    if (!f.code && slot) {
        pto_bundle_range_set(b, slot, init, last, reg, size, imm,
                             reg ? c->gpr[c->pe][reg] : 0);
    }
    return f;
}

static PtoFaultInfo block_start(Core *c, PtoBundle *b, const int64_t *v)
{
    PtoBundleOp op = {
        .valid = true, .op_class = v[0], .selector_valid = true,
        .selector = v[1] & 31, .dtype_valid = true, .dtype = v[2],
    };
    PtoFaultInfo f;

    if (v[0] == PTO_OPCLASS_TEPL) {
        op.mode_valid = true;
        op.mode = v[1] >> 5;
    }
    if (v[0] == PTO_OPCLASS_CONTROL) {      /* third value: branch type */
        op.dtype_valid = op.selector_valid = false;
        op.branch_valid = true;
        op.branch = v[2];
    }
    pto_bundle_close_group(b);
    f = pto_bundle_op_legal(&op);
    if (!f.code) {
        pto_bundle_clear(b);
        pto_bundle_install(b, &op, c->pc);
        c->active[c->pe] = true;
        c->body[c->pe] = false;
    }
    return f;
}

static PtoFaultInfo command(Core *c, const Step *s)
{
    PtoBundle *b = &c->bundle[c->pe];
    bool hdr = c->active[c->pe] && !c->body[c->pe];
    const int64_t *v = s->v;

    switch (s->kind) {
    case S_START:
        return block_start(c, b, v);
    case S_DIM:
        return pto_bundle_dim(b, hdr, v[0], v[1] & 0xffff);
    case S_CATR:
        return pto_bundle_catr(b, hdr, &(PtoCatr) { 0 });
    case S_HINT:
        return pto_bundle_hint(b, hdr, &(PtoHint) { .present = true });
    case S_DATR:
        return pto_bundle_datr(b, hdr, &(PtoDatr) {
            .dtype = v[0], .layout = v[1], .pad = v[2], .cmode = v[3],
            .rmode = v[4], .sat = v[5], .canon = v[6] });
    case S_FPATR:
        return pto_bundle_fpatr(b, hdr, &(PtoFpatr) {
            .pre_quant_mode = v[0], .relu_mode = v[1], .group_n_code = v[2] });
    case S_IOR:
        return pto_bundle_ior(b, hdr, v[0], v[1], v[2], v[3]);
    case S_IOT:
        return pto_bundle_iot(b, hdr, v[0], v[1], v[2], v[3], v[4], v[5], v[6],
                              v[7]);
    case S_IOS:
        return pto_bundle_ios(b, hdr, v[0], v[1], v[2]);
    case S_SUBVIEW:
    case S_ASSEMBLE:
        return range_modifier(c, b, s);
    default:
        return PTO_OK;
    }
}

static void undefine(Core *c, unsigned slot)
{
    c->local[c->pe].tile[slot].defined = PTO_DEF_NONE;
    c->local[c->pe].tile[slot].contents_defined = false;
}

/* What the test does to the machine between instructions. */
static void set_state(Core *c, const Step *s)
{
    const int64_t *v = s->v;

    switch (s->kind) {
    case S_PE:
        c->pe = v[0];
        break;
    case S_GPR:
        c->gpr[c->pe][v[0]] = v[1];
        break;
    case S_BPC:
        c->pc = v[0];
        break;
    case S_BAD:
        c->bad = v[0];
        break;
    case S_POKE:
        pto_st_le(c->mem + v[0], 8, v[1]);
        break;
    case S_LIMIT:
        c->local[c->pe].pool_limit = v[0];
        c->shared.pool_limit = v[1];
        break;
    case S_FREE:
        pto_local_free(&c->local[c->pe], v[0]);
        break;
    case S_UNDEFINE:
        undefine(c, v[0]);
        break;
    case S_SCALAR:
        pto_bundle_close_group(&c->bundle[c->pe]);
        c->body[c->pe] = c->active[c->pe];
        break;
    default:
        break;
    }
}

static PtoCommit step(Core *c, const Step *s)
{
    PtoCommit r = { .status = PTO_COMMIT_DONE };

    if (s->kind == S_STOP) {
        pto_bundle_close_group(&c->bundle[c->pe]);
        r = core_commit(c, c->pe, &c->bundle[c->pe]);
        if (r.status != PTO_COMMIT_WAIT) {
            c->active[c->pe] = false;
            pto_bundle_clear(&c->bundle[c->pe]);
        }
        return r;
    }
    if (s->kind == S_SCALAR || s->kind >= S_PE) {
        set_state(c, s);
        return r;
    }
    r.fault = command(c, s);
    if (r.fault.code) {
        r.status = PTO_COMMIT_FAULT;
    }
    return r;
}

static bool as_wanted(const PtoCommit *r, const Step *next)
{
    switch (next->kind) {
    case S_REFUSED:
        return r->status == PTO_COMMIT_FAULT && r->fault.rule_id == next->v[0];
    case S_WAITS:
        return r->status == PTO_COMMIT_WAIT;
    case S_NOOP:
        return r->status == PTO_COMMIT_NOOP;
    default:
        return r->status == PTO_COMMIT_DONE;
    }
}

bool stream_run(Core *c, const char *name, const Step *steps, bool *seen)
{
    static const char *const statuses[] = { "done", "no-op", "waits", "fault" };

    for (unsigned i = 0; steps[i].kind != S_END; i++) {
        PtoCommit r;

        if (steps[i].kind >= S_REFUSED) {
            continue;
        }
        r = step(c, &steps[i]);
        c->pc += 4;
        if (seen && r.status == PTO_COMMIT_FAULT) {
            seen[r.fault.rule_id] = true;
        }
        if (!as_wanted(&r, &steps[i + 1])) {
            printf("%s: step %u: %s%s%s\n", name, i, statuses[r.status],
                   r.fault.rule ? ", " : "", r.fault.rule ? r.fault.rule : "");
            return false;
        }
    }
    return true;
}
