/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pto-dis: disassemble the executable sections of an ELF file, or a binary. */
#include "forms.h"
#include <errno.h>

static uint64_t get(const uint8_t *p, unsigned n)
{
    uint64_t v = 0;

    while (n--) {
        v = v << 8 | p[n];
    }
    return v;
}

typedef enum Style {
    STYLE_LISTING,              /* address, bytes, text */
    STYLE_PLAIN,                /* text */
    STYLE_FORMS,                /* name of the form in the decode files */
} Style;

static void print_form(const uint8_t *p, unsigned n)
{
    const PtoForm *form = pto_form_find(get(p, n), n);

    printf("%s\n", form ? form->name : "-");
}

static void dump(const uint8_t *p, size_t size, uint64_t pc, Style style)
{
    char text[160];

    while (size) {
        unsigned n = pto_disassemble(p, size, pc, text, sizeof(text));

        if (style == STYLE_PLAIN) {
            printf("%s\n", text);
        } else if (style == STYLE_FORMS) {
            print_form(p, n);
        } else {
            printf("%10" PRIx64 ":  ", pc);
            for (unsigned i = 8; i >= 2; i -= 2) {
                if (i > n) {
                    printf("     ");
                } else {
                    printf("%04" PRIx64 " ", get(p + i - 2, 2));
                }
            }
            printf(" %s\n", text);
        }
        p += n;
        pc += n;
        size -= n;
    }
}

static uint8_t *read_all(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    uint8_t *p = NULL;
    size_t n = 0, got = 1;

    while (f && got) {
        p = realloc(p, n + 65536);
        if (!p) {
            exit(2);
        }
        got = fread(p + n, 1, 65536, f);
        n += got;
    }
    if (f) {
        fclose(f);
    }
    *size = n;
    return p;
}

/* Every PT_LOAD with execute permission. */
static int dump_elf(const uint8_t *p, size_t size, Style style)
{
    uint64_t phoff = get(p + 32, 8);
    unsigned phnum = get(p + 56, 2);

    for (unsigned i = 0; i < phnum; i++) {
        const uint8_t *h = p + phoff + i * 56;
        uint64_t offset, filesz;

        if (phoff > size || (i + 1) * 56 > size - phoff) {
            fprintf(stderr, "pto-dis: truncated program headers\n");
            return 1;
        }
        offset = get(h + 8, 8);
        filesz = get(h + 32, 8);
        if (get(h, 4) != 1 || !(get(h + 4, 4) & 1)) {
            continue;
        }
        if (offset > size || filesz > size - offset) {
            fprintf(stderr, "pto-dis: truncated segment\n");
            return 1;
        }
        dump(p + offset, filesz, get(h + 16, 8), style);
    }
    return 0;
}

int main(int argc, char **argv)
{
    const char *path = NULL;
    uint64_t base = 0;
    Style style = STYLE_LISTING;
    bool binary = false;
    uint8_t *p;
    size_t size;
    int status = 0;

    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--plain")) {
            style = STYLE_PLAIN;
        } else if (!strcmp(argv[i], "--forms")) {
            style = STYLE_FORMS;
        } else if (!strcmp(argv[i], "--binary") && i + 1 < argc) {
            binary = true;
            base = strtoull(argv[++i], NULL, 0);
        } else {
            path = argv[i];
        }
    }
    if (!path) {
        fprintf(stderr, "usage: pto-dis [--plain] [--forms] [--binary ADDRESS] FILE\n"
                "--plain: text only, as the assembler reads it\n"
                "--forms: the form of each instruction, as the decode files\n"
                "         name it\n");
        return 2;
    }
    p = read_all(path, &size);
    if (!p) {
        fprintf(stderr, "pto-dis: %s: %s\n", path, strerror(errno));
        return 1;
    }
    if (!binary && size >= 64 && !memcmp(p, "\177ELF\2\1", 6)) {
        status = dump_elf(p, size, style);
    } else {
        dump(p, size, base, style);
    }
    free(p);
    return status;
}
