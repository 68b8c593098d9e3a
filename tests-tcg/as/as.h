/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pto-as: assembler that writes a complete executable in one step.
 *
 * The source is read twice. The first pass finds the sizes of sections and
 * the offsets of labels, the second one writes. Nothing is relaxed, so both
 * see the same sizes as long as sizes do not depend on addresses.
 */
#ifndef PTO_AS_H
#define PTO_AS_H

#include "forms.h"

/* ---- source text ---- */

typedef struct Line {
    const char *text;
    const char *file;
    unsigned line;
    const struct Line *caller;  /* line of the macro call, or NULL */
} Line;

typedef struct Lines {
    Line *v;
    size_t n, cap;
} Lines;

typedef enum TokKind {
    TOK_END, TOK_SEMI, TOK_NAME, TOK_NUMBER, TOK_FLOAT, TOK_STRING, TOK_CHAR,
    TOK_PUNCT,
} TokKind;

typedef struct Token {
    TokKind kind;
    const char *p;              /* in Line.text */
    unsigned len;
    uint64_t value;             /* number, character */
    double real;
} Token;

#define MAX_TOKENS 512

/* ---- sections and symbols ---- */

typedef struct LineEntry {
    uint64_t offset;
    unsigned file, line;
} LineEntry;

typedef struct Section {
    const char *name;
    bool exec, write, bss;
    uint64_t align, size, addr;
    uint8_t *data;
    size_t cap;
    LineEntry *lines;
    size_t nlines, lines_cap;
    struct Section *next;
} Section;

typedef struct Value {
    int64_t v;
    Section *sec;               /* v is an offset in it, NULL: a plain number */
    bool unknown;               /* only in the first pass */
} Value;

typedef struct Symbol {
    const char *name;
    Value value;
    const Line *where;
    unsigned pass;              /* of the last definition */
    bool global, variable, label;
    struct Symbol *next;
} Symbol;

typedef struct Local {          /* numeric label */
    unsigned number;
    Value value;
} Local;

typedef struct Macro {
    const char *name;
    char **params, **defaults;
    unsigned nparams;
    Lines body;
    struct Macro *next;
} Macro;

#define SYMBOL_BUCKETS 1024

typedef struct As {
    unsigned pass;
    unsigned errors;
    const char *const *include_dirs;
    unsigned ninclude;
    uint64_t base;

    Section *sections, *cur;
    Symbol *symbols[SYMBOL_BUCKETS];
    Local *locals;
    size_t nlocals, locals_cap;
    size_t locals_seen;         /* in this pass */
    uint8_t *late;              /* li: number was not known in pass 1 */
    size_t nlate, late_cap;
    size_t late_seen;           /* in this pass */
    Macro *macros;
    unsigned expansions;        /* for \@ */
    unsigned work;              /* lines and repetitions of this pass */
    unsigned depth;             /* of macros, repeats and includes */
    unsigned skip;              /* nested conditionals that are off */
    unsigned char conds[64];
    unsigned nconds;

    const char **files;         /* for the line table */
    unsigned nfiles;

    /* the statement being read */
    const Line *line;
    Token tok[MAX_TOKENS];
    unsigned ntok, pos;
    bool quiet;                 /* remember the error instead of printing it */
    char message[256];
    const Token *message_tok;
} As;

/* ---- util.c ---- */

void *xalloc(size_t size);
void *xgrow(void *p, size_t *cap, size_t need, size_t elem);
char *xstrndup(const char *s, size_t n);
bool name_eq(const char *known, const char *s, size_t len);

/**
 * as_error: report an error at @tok (NULL: the current token) with the line
 * and a caret below it. While as->quiet is set the first message is kept.
 */
void as_error(As *as, const Token *tok, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- lexer.c ---- */

/** lex_line: split @line into as->tok; false after an error */
bool lex_line(As *as, const Line *line);

Token *peek(As *as);
bool is_punct(const Token *t, const char *text);
bool accept(As *as, const char *punct);
bool expect(As *as, const char *punct);
bool at_end(As *as);
/** unescape: bytes of a string token; returns their number */
size_t unescape(const Token *t, uint8_t *out);

/* ---- expr.c ---- */

bool parse_expr(As *as, Value *out);
bool parse_primary(As *as, Value *out);
/** parse_const: an expression that is a known number in both passes */
bool parse_const(As *as, int64_t *out);
/** value_address: the number itself, or the address of the place */
int64_t value_address(const Value *v);

/* ---- symbol.c ---- */

Symbol *symbol_get(As *as, const char *name, size_t len, bool create);
void symbol_define(As *as, const Token *tok, Value value, bool variable);
void local_define(As *as, unsigned number);
bool local_find(As *as, unsigned number, bool forward, Value *out);

Section *section_get(As *as, const char *name, size_t len);
Value here(As *as);
void emit(As *as, const void *data, size_t n);
void emit_fill(As *as, uint64_t n, uint8_t value);
void emit_align(As *as, uint64_t align);
void sections_reset(As *as);
void sections_place(As *as);

/* ---- insn.c, operand.c, pseudo.c ---- */

/** assemble_insn: the instruction whose mnemonic is the current token */
void assemble_insn(As *as);

typedef struct Insn {
    const PtoForm *form;
    uint64_t bits;
    uint64_t pc;
} Insn;

/** parse_item: one item of the spelling; false after an error */
bool parse_item(As *as, Insn *in, const PtoSyn *s);

/** parse_suffix: the mnemonic's rest @s ("" or ".xxx") for suffix item @syn */
bool parse_suffix(As *as, Insn *in, const PtoSyn *syn, const char *s,
                  size_t len);

/** assemble_pseudo: true if the mnemonic is a pseudo instruction */
bool assemble_pseudo(As *as, const Token *mnemonic);

/** emit_form: write an instruction by pattern name and field values */
void emit_form(As *as, const char *name, unsigned nfields, ...);

bool parse_source_reg(As *as, unsigned *code);
bool parse_dest_reg(As *as, unsigned *code);
bool parse_gpr(As *as, unsigned *code);
bool is_register_name(const char *s, size_t len);
/** is_symbol_name: may the text be the name of a symbol? */
bool is_symbol_name(const char *s, size_t len);

/* ---- directive.c, source.c ---- */

bool assemble_directive(As *as, const Token *name);
void assemble_lines(As *as, const Lines *lines);
bool assemble_file(As *as, const char *path, const Token *from);
Macro *macro_find(As *as, const char *name, size_t len);
void macro_expand(As *as, const Macro *m);
unsigned file_number(As *as, const char *file);
/** read_binary: the bytes of a file found like an .include, or NULL */
uint8_t *read_binary(As *as, const Token *name, size_t *size);

/* ---- elf.c, dwarf.c ---- */

typedef struct Buffer {
    uint8_t *p;
    size_t n, cap;
} Buffer;

void buf_put(Buffer *b, const void *p, size_t n);
void buf_int(Buffer *b, uint64_t v, unsigned bytes);
void buf_str(Buffer *b, const char *s);
void buf_align(Buffer *b, size_t align);

/**
 * elf_write: write the executable, with the ELF machine number @machine;
 * false if the file cannot be written
 */
bool elf_write(As *as, const char *path, unsigned machine);

/** binary_write: the loaded image without headers, from as->base */
bool binary_write(As *as, const char *path);

/** dwarf_build: .debug_line, .debug_info and .debug_abbrev of all code */
void dwarf_build(As *as, Buffer *line, Buffer *info, Buffer *abbrev);
/** dwarf_frames: .debug_frame, one range for each executable section */
void dwarf_frames(As *as, Buffer *frame);

#endif
