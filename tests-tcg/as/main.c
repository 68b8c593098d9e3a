/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pto-as: command line and the two passes. */
#include "as.h"
#include <getopt.h>
#include "identity.h"

/* The machine that the debug stub presents itself as. */
#define EM_RISCV 243

static void usage(FILE *f)
{
    fprintf(f,
            "usage: pto-as [options] FILE...\n"
            "Assemble the files, one after the other, into one executable.\n"
            "  -o FILE           output (default: a.elf)\n"
            "  -I DIR            folder for .include and .incbin\n"
            "  -D NAME[=NUMBER]  define a symbol (default 1)\n"
            "  --base ADDRESS    address of .text (default 0x80000000)\n"
            "  --binary          write the bare image instead of an ELF file\n"
            "  --lldb FILE       also write a copy that lldb can read for its\n"
            "                    symbols (it refuses unknown machines)\n"
            "  --version         the ISA revision\n"
            "Syntax: docs/assembler.rst\n");
}

typedef struct Options {
    const char *output, *lldb;
    const char *include[32];
    unsigned ninclude;
    const char *define[64];
    unsigned ndefine;
    uint64_t base;
    bool binary;
} Options;

static bool define_symbols(As *as, const Options *o)
{
    for (unsigned i = 0; i < o->ndefine; i++) {
        const char *eq = strchr(o->define[i], '=');
        size_t n = eq ? (size_t)(eq - o->define[i]) : strlen(o->define[i]);
        Symbol *s;
        char *end = "";

        if (!is_symbol_name(o->define[i], n)) {
            fprintf(stderr, "pto-as: -D %s: not NAME=NUMBER\n", o->define[i]);
            return false;
        }
        s = symbol_get(as, o->define[i], n, true);

        s->value = (Value) { .v = eq ? strtoll(eq + 1, &end, 0) : 1 };
        s->pass = as->pass;
        s->variable = true;
        if (*end) {
            fprintf(stderr, "pto-as: -D %s: not NAME=NUMBER\n", o->define[i]);
            return false;
        }
    }
    return true;
}

static bool run_pass(As *as, const Options *o, unsigned pass, char **files,
                     int nfiles)
{
    as->pass = pass;
    as->macros = NULL;
    as->expansions = 0;
    as->work = 0;
    sections_reset(as);
    if (!define_symbols(as, o)) {
        return false;
    }
    for (int i = 0; i < nfiles; i++) {
        as->line = NULL;
        as->cur = section_get(as, ".text", 5);
        assemble_file(as, files[i], NULL);
    }
    return as->errors == 0;
}

/* A symbol that is global or used but never defined. */
static bool check_globals(As *as)
{
    bool ok = true;

    for (unsigned i = 0; i < SYMBOL_BUCKETS; i++) {
        for (Symbol *s = as->symbols[i]; s; s = s->next) {
            if (s->global && s->pass != 2) {
                fprintf(stderr, "pto-as: error: global %s is not defined\n",
                        s->name);
                ok = false;
            }
        }
    }
    return ok;
}

static int parse_options(Options *o, int argc, char **argv)
{
    static const struct option names[] = {
        { "base", required_argument, NULL, 'b' },
        { "binary", no_argument, NULL, 'B' },
        { "help", no_argument, NULL, 'h' },
        { "lldb", required_argument, NULL, 'l' },
        { "version", no_argument, NULL, 'v' },
        { 0 },
    };
    int c;

    while ((c = getopt_long(argc, argv, "o:I:D:h", names, NULL)) >= 0) {
        char *end = "";

        switch (c) {
        case 'o':
            o->output = optarg;
            break;
        case 'I':
            if (o->ninclude < ARRAY_SIZE(o->include)) {
                o->include[o->ninclude++] = optarg;
            }
            break;
        case 'D':
            if (o->ndefine < ARRAY_SIZE(o->define)) {
                o->define[o->ndefine++] = optarg;
            }
            break;
        case 'b':
            o->base = strtoull(optarg, &end, 0);
            if (*end || end == optarg) {
                fprintf(stderr, "pto-as: --base %s: not a number\n", optarg);
                return 2;
            }
            break;
        case 'B':
            o->binary = true;
            break;
        case 'l':
            o->lldb = optarg;
            break;
        case 'v':
            printf("pto-as, PTO ISA %s, %u forms\n", PTO_ISA_RELEASE,
                   pto_form_count);
            exit(0);
        case 'h':
            usage(stdout);
            exit(0);
        default:
            usage(stderr);
            return 2;
        }
    }
    return 0;
}

static int cannot_write(const char *path)
{
    fprintf(stderr, "pto-as: cannot write %s\n", path);
    return 1;
}

int main(int argc, char **argv)
{
    Options o = { .output = "a.elf", .base = UINT64_C(0x80000000) };
    As *as = xalloc(sizeof(*as));
    int n, status = parse_options(&o, argc, argv);

    if (status) {
        return status;
    }
    n = argc - optind;
    if (n < 1) {
        usage(stderr);
        return 2;
    }
    as->include_dirs = o.include;
    as->ninclude = o.ninclude;
    as->base = o.base;
    if (!run_pass(as, &o, 1, argv + optind, n)) {
        return 1;
    }
    sections_place(as);
    if (!run_pass(as, &o, 2, argv + optind, n) || !check_globals(as)) {
        return 1;
    }
    if (!(o.binary ? binary_write(as, o.output)
                   : elf_write(as, o.output, PTO_EM_PTO))) {
        return cannot_write(o.output);
    }
    if (o.lldb && !elf_write(as, o.lldb, EM_RISCV)) {
        return cannot_write(o.lldb);
    }
    return 0;
}
