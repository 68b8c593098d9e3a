/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: registers and queries for debuggers.
 *
 * Stock debuggers know no PTO.  The description claims riscv:rv64, which gdb
 * and lldb accept with every register under its PTO name; the riscv feature
 * that gdb insists on holds the PC and aliases by ABI role.
 */
#include "qemu/osdep.h"
#include "internals.h"
#include "archstate.h"
#include "qapi/error.h"
#include "exec/gdbstub.h"
#include "gdbstub/commands.h"
#include "gdbstub/helpers.h"
#include "tile/state.h"

#define CORE_REGS (PTO_NUM_GPR + 2 * PTO_QUEUE_DEPTH)
#define TILE_WINDOW 64              /* bytes of a tile shown as a register */

const char *pto_cpu_gdb_arch_name(CPUState *cs)
{
    return "riscv:rv64";
}

/* ---- org.pto.core: r0..r23, tq1..tq4, uq1..uq4 ---- */

int pto_cpu_gdb_read_register(CPUState *cs, GByteArray *buf, int n)
{
    CPUPTOState *env = cpu_env(cs);

    if (n < PTO_NUM_GPR) {
        return gdb_get_reg64(buf, env->scalar.gpr[n]);
    }
    n -= PTO_NUM_GPR;
    if (n < PTO_QUEUE_DEPTH) {
        return gdb_get_reg64(buf, env->scalar.t[n]);
    }
    n -= PTO_QUEUE_DEPTH;
    return n < PTO_QUEUE_DEPTH ? gdb_get_reg64(buf, env->scalar.u[n]) : 0;
}

/* A written queue entry becomes valid, and so do those in front of it. */
static unsigned validate(unsigned valid, int n)
{
    return valid | ((2u << n) - 1);
}

int pto_cpu_gdb_write_register(CPUState *cs, uint8_t *buf, int n)
{
    CPUPTOState *env = cpu_env(cs);
    uint32_t st = env->block.st;
    uint64_t value = ldq_le_p(buf);

    if (n < PTO_NUM_GPR) {
        if (n) {
            env->scalar.gpr[n] = value;
        }
        return 8;
    }
    n -= PTO_NUM_GPR;
    if (n < PTO_QUEUE_DEPTH) {
        env->scalar.t[n] = value;
        env->block.st = FIELD_DP32(st, BST, T_VALID,
            validate(FIELD_EX32(st, BST, T_VALID), n));
        return 8;
    }
    n -= PTO_QUEUE_DEPTH;
    if (n < PTO_QUEUE_DEPTH) {
        env->scalar.u[n] = value;
        env->block.st = FIELD_DP32(st, BST, U_VALID,
            validate(FIELD_EX32(st, BST, U_VALID), n));
        return 8;
    }
    return 0;
}

/* ---- org.gnu.gdb.riscv.cpu: pc, x0..x31 ---- */

/*
 * GPR with the ABI role of each riscv register: ra, sp, a0..a7 and s0..s8
 * have counterparts, x0..x3 take the place of t0..t3; 0: none.
 */
static const uint8_t alias_gpr[32] = {
    [1] = 10, [2] = 1, [5] = 20, [6] = 21, [7] = 22, [8] = 11, [9] = 12,
    [10] = 2, 3, 4, 5, 6, 7, 8, 9,
    [18] = 13, 14, 15, 16, 17, 18, 19,
    [28] = 23,
};

static int alias_get(CPUState *cs, GByteArray *buf, int n)
{
    CPUPTOState *env = cpu_env(cs);

    return gdb_get_reg64(buf, n == 0 ? env->pc
                         : env->scalar.gpr[alias_gpr[n - 1]]);
}

static int alias_set(CPUState *cs, uint8_t *buf, int n)
{
    CPUPTOState *env = cpu_env(cs);
    uint64_t value = ldq_le_p(buf);

    if (n == 0) {
        env->pc = value;
    } else if (alias_gpr[n - 1]) {
        env->scalar.gpr[alias_gpr[n - 1]] = value;
    }
    return 8;
}

/* ---- org.pto.system, in the order of pto-system.xml ---- */

enum {
    SYS_BPC, SYS_BPCN, SYS_BSEQ, SYS_LRA, SYS_BLOCK, SYS_CORE_STATE,
    SYS_CYCLE, SYS_FAULT, SYS_FAULT_ADDR, SYS_THREAD_PTR, SYS_GLOBAL_PTR,
    SYS_LB0, SYS_LB1, SYS_LB2, SYS_TILE,
};

static int tile_get(CPUPTOState *env, GByteArray *buf, int slot)
{
    uint8_t window[TILE_WINDOW] = { 0 };
    const PtoTile *t = env->tiles ? &env->tiles->tile[slot] : NULL;

    if (t && t->allocated && t->buf) {
        memcpy(window, pto_tile_data(t), MIN(t->capacity, TILE_WINDOW));
    }
    g_byte_array_append(buf, window, sizeof(window));
    return sizeof(window);
}

static uint64_t system_value(CPUPTOState *env, int n)
{
    switch (n) {
    case SYS_BPC:
        return env->block.bpc;
    case SYS_BPCN:
        return env->block.bpcn;
    case SYS_BSEQ:
        return env->block.sequential;
    case SYS_LRA:
        return env->block.return_address;
    case SYS_CORE_STATE:
        return env->sys.core_state;
    case SYS_CYCLE:
        return env->sys.cycle;
    case SYS_FAULT:
        return pto_last_fault(env);
    case SYS_FAULT_ADDR:
        return pto_last_fault(env) ? env->fault.address : 0;
    case SYS_THREAD_PTR:
        return env->sys.thread_ptr;
    case SYS_GLOBAL_PTR:
        return env->sys.global_ptr;
    default:
        return env->bundle.dim[n - SYS_LB0];
    }
}

static int system_get(CPUState *cs, GByteArray *buf, int n)
{
    CPUPTOState *env = cpu_env(cs);

    if (n >= SYS_TILE) {
        return tile_get(env, buf, n - SYS_TILE);
    }
    if (n == SYS_BLOCK) {
        return gdb_get_reg32(buf, env->block.st);
    }
    return gdb_get_reg64(buf, system_value(env, n));
}

/* What has no meaning apart from other state cannot be written. */
static int system_set(CPUState *cs, uint8_t *buf, int n)
{
    CPUPTOState *env = cpu_env(cs);
    uint64_t value;

    if (n >= SYS_TILE) {
        return TILE_WINDOW;
    }
    if (n == SYS_BLOCK) {
        return 4;
    }
    value = ldq_le_p(buf);
    switch (n) {
    case SYS_LRA:
        env->block.return_address = value;
        break;
    case SYS_CORE_STATE:
        pto_write_core_state(env, value);
        break;
    case SYS_THREAD_PTR:
        env->sys.thread_ptr = value;
        break;
    case SYS_GLOBAL_PTR:
        env->sys.global_ptr = value;
        break;
    }
    return 8;
}

/* ---- org.pto.files: pe1_r0..pe3_r23 ---- */

static int files_get(CPUState *cs, GByteArray *buf, int n)
{
    uint64_t *reg = pto_pe_gpr(cpu_env(cs), 1 + n / PTO_NUM_GPR,
                               n % PTO_NUM_GPR);

    return gdb_get_reg64(buf, reg ? *reg : 0);
}

static int files_set(CPUState *cs, uint8_t *buf, int n)
{
    uint64_t *reg = pto_pe_gpr(cpu_env(cs), 1 + n / PTO_NUM_GPR,
                               n % PTO_NUM_GPR);

    if (reg && n % PTO_NUM_GPR) {
        *reg = ldq_le_p(buf);
    }
    return 8;
}

/* ---- osabi ---- */

/*
 * Without an OS ABI of "none" gdb takes the target for GNU/Linux and steps by
 * decoding riscv instructions.  QEMU's target.xml has no place for it, but an
 * included document may be this element.
 */
static const GDBFeature osabi_feature = {
    .xmlname = "pto-osabi.xml",
    .xml = "<?xml version=\"1.0\"?>\n<osabi>none</osabi>\n",
    .name = "org.pto.osabi",
};

static int no_reg_get(CPUState *cs, GByteArray *buf, int n)
{
    return 0;
}

static int no_reg_set(CPUState *cs, uint8_t *buf, int n)
{
    return 0;
}

/* ---- queries ---- */

static const char host_triple[] = "riscv64-unknown-none-elf";

static void query_host_info(GArray *params, void *user_ctx)
{
    g_autoptr(GString) text = g_string_new("triple:");
    const char *p;

    for (p = host_triple; *p; p++) {
        g_string_append_printf(text, "%02x", *p);
    }
    g_string_append(text, ";ptrsize:8;endian:little;"
                    "watchpoint_exceptions_received:before;");
    gdb_put_packet(text->str);
}

static void query_watchpoint_support(GArray *params, void *user_ctx)
{
    gdb_put_packet("num:4;");
}

/*
 * State of the newest attempt in one answer, for clients that step a lot:
 * PC, fault name, fault address, CYCLE.
 */
static void query_attempt(GArray *params, void *user_ctx)
{
    CPUPTOState *env = cpu_env(user_ctx);
    unsigned fault = pto_last_fault(env);
    g_autofree char *text =
        g_strdup_printf("%" PRIx64 ";%s;%" PRIx64 ";%" PRIx64, env->pc,
                        pto_fault_names[fault < PTO_FAULT_COUNT ? fault : 0],
                        fault ? env->fault.address : 0, env->sys.cycle);

    gdb_put_packet(text);
}

/*
 * The property arch-state as JSON, for clients that load and read it often:
 * QMP takes its input one byte at a time.  A packet is shorter than a state,
 * so reading names an offset and text to load is collected with pto.more.
 */
#define STATE_CHUNK 3800
#define STATE_LIMIT (1u << 20)

static void query_state(GArray *params, void *user_ctx)
{
    CPUState *cs = user_ctx;
    PTOCPU *cpu = PTO_CPU(cs);
    uint64_t offset = params->len ? gdb_get_cmd_param(params, 0)->val_ull : 0;
    g_autofree char *part = NULL;

    if (offset == 0 || !cpu->state_out) {
        if (cpu->state_out) {
            g_string_free(cpu->state_out, true);
        }
        cpu->state_out = pto_archstate_json(cs);
    }
    offset = MIN(offset, cpu->state_out->len);
    part = g_strndup(cpu->state_out->str + offset, STATE_CHUNK);
    gdb_put_packet(part);
}

static bool collect(PTOCPU *cpu, GArray *params)
{
    const char *hex = params->len ? gdb_get_cmd_param(params, 0)->data : "";

    if (!cpu->state_in) {
        cpu->state_in = g_string_new(NULL);
    }
    for (; g_ascii_isxdigit(hex[0]) && g_ascii_isxdigit(hex[1]); hex += 2) {
        g_string_append_c(cpu->state_in, g_ascii_xdigit_value(hex[0]) << 4 |
                          g_ascii_xdigit_value(hex[1]));
    }
    return *hex == '\0' && cpu->state_in->len < STATE_LIMIT;
}

static void set_more(GArray *params, void *user_ctx)
{
    PTOCPU *cpu = PTO_CPU(user_ctx);

    if (collect(cpu, params)) {
        gdb_put_packet("OK");
    } else {
        g_string_truncate(cpu->state_in, 0);
        gdb_put_packet("E22");
    }
}

static void set_state(GArray *params, void *user_ctx)
{
    PTOCPU *cpu = PTO_CPU(user_ctx);
    Error *err = NULL;

    if (!collect(cpu, params)) {
        gdb_put_packet("E22");
    } else if (!pto_archstate_load_json(user_ctx, cpu->state_in->str, &err)) {
        g_autofree char *text = g_strdup_printf("E.%s", error_get_pretty(err));

        error_free(err);
        gdb_put_packet(text);
    } else {
        gdb_put_packet("OK");
    }
    g_string_truncate(cpu->state_in, 0);
}

static const GdbCmdParseEntry settings[] = {
    { .handler = set_more, .cmd = "pto.more:", .cmd_startswith = true,
      .schema = "s0", .need_cpu_context = true },
    { .handler = set_state, .cmd = "pto.state:", .cmd_startswith = true,
      .schema = "s0", .need_cpu_context = true },
};

static const GdbCmdParseEntry queries[] = {
    { .handler = query_state, .cmd = "pto.state:", .cmd_startswith = true,
      .schema = "L0", .need_cpu_context = true },
    { .handler = query_host_info, .cmd = "HostInfo" },
    { .handler = query_watchpoint_support, .cmd = "WatchpointSupportInfo:",
      .cmd_startswith = true },
    { .handler = query_attempt, .cmd = "pto.attempt",
      .need_cpu_context = true },
};

void pto_cpu_gdb_init(CPUState *cs)
{
    g_autoptr(GPtrArray) table = g_ptr_array_new();
    g_autoptr(GPtrArray) set_table = g_ptr_array_new();
    int i;

    gdb_register_coprocessor(cs, alias_get, alias_set,
                             gdb_find_static_feature("pto-rvalias.xml"),
                             CORE_REGS);
    gdb_register_coprocessor(cs, system_get, system_set,
                             gdb_find_static_feature("pto-system.xml"), 0);
    if (cpu_env(cs)->profile->tile->single_program) {
        gdb_register_coprocessor(cs, files_get, files_set,
                                 gdb_find_static_feature("pto-files.xml"), 0);
    }
    gdb_register_coprocessor(cs, no_reg_get, no_reg_set, &osabi_feature, 0);
    for (i = 0; i < ARRAY_SIZE(queries); i++) {
        g_ptr_array_add(table, (gpointer)&queries[i]);
    }
    gdb_extend_query_table(table);
    for (i = 0; i < ARRAY_SIZE(settings); i++) {
        g_ptr_array_add(set_table, (gpointer)&settings[i]);
    }
    gdb_extend_set_table(set_table);
}
