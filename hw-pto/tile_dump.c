/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: write one tile register to a file.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/bitops.h"
#include "qemu/bswap.h"
#include "qemu/host-utils.h"
#include <math.h>
#include <png.h>
#include "target/pto/tile/numeric.h"
#include "tile_dump.h"

#define PNG_MIN_SIDE 256

/*
 * Opens what the name stands for: a temporary file renamed over it would
 * replace a link or, for a privileged user, a device node.
 */
static bool write_file(const char *filename, const void *data, size_t size,
                       Error **errp)
{
    FILE *file = fopen(filename, "wb");
    bool ok;

    if (!file) {
        error_setg_errno(errp, errno, "%s", filename);
        return false;
    }
    ok = fwrite(data, 1, size, file) == size;
    if (fclose(file) != 0 || !ok) {
        error_setg_errno(errp, errno, "%s", filename);
        return false;
    }
    return true;
}

static bool is_predicate(const PtoTile *t)
{
    return t->storage == PTO_STORE_PREDICATE;
}

static int64_t integer_value(const PtoTile *t, uint64_t bits)
{
    unsigned width = pto_type_bits(t->type);

    return pto_type_is_signed(t->type) ? sextract64(bits, 0, width)
                                       : (int64_t)bits;
}

static double float_value(const PtoTile *t, uint64_t bits)
{
    uint32_t flags = 0;
    uint64_t wide = pto_elem_convert(t->type, PTO_FP64, bits, PTO_ROUND_RNE,
                                     false, false, &flags);
    double value;

    memcpy(&value, &wide, sizeof(value));
    return value;
}

static double element_value(const PtoTile *t, unsigned row, unsigned col)
{
    uint64_t bits = pto_tile_get(t, row, col);

    if (is_predicate(t)) {
        return bits;
    }
    if (pto_type_is_float(t->type)) {
        return float_value(t, bits);
    }
    return pto_type_is_signed(t->type) ? integer_value(t, bits) : bits;
}

static void append_element(GString *out, const PtoTile *t, unsigned row,
                           unsigned col)
{
    uint64_t bits = pto_tile_get(t, row, col);

    if (!pto_tile_elem_defined(t, row, col)) {
        g_string_append_c(out, '?');
    } else if (is_predicate(t)) {
        g_string_append_printf(out, "%u", (unsigned)bits);
    } else if (pto_type_is_float(t->type)) {
        g_string_append_printf(out, "%.17g", float_value(t, bits));
    } else if (pto_type_is_signed(t->type)) {
        g_string_append_printf(out, "%" PRId64, integer_value(t, bits));
    } else {
        g_string_append_printf(out, "%" PRIu64, bits);
    }
}

bool pto_tile_dump_text(const PtoTile *t, const char *filename, Error **errp)
{
    g_autoptr(GString) out = g_string_new(NULL);
    unsigned row, col;

    for (row = 0; row < t->vrows; row++) {
        for (col = 0; col < t->vcols; col++) {
            if (col) {
                g_string_append_c(out, ' ');
            }
            append_element(out, t, row, col);
        }
        g_string_append_c(out, '\n');
    }
    return write_file(filename, out->str, out->len, errp);
}

bool pto_tile_dump_raw(const PtoTile *t, const char *filename, Error **errp)
{
    g_autofree uint8_t *zero = NULL;
    const void *data = pto_tile_data(t);

    if (!data) {
        data = zero = g_malloc0(t->capacity);
    }
    return write_file(filename, data, t->capacity, errp);
}

/* NumPy type of the array, and its element size in bytes. */
static const char *npy_type(const PtoTile *t, unsigned *size)
{
    unsigned bits = pto_type_bits(t->type);
    static const char *const sint[] = { "|i1", "<i2", "<i4", "<i8" };
    static const char *const uint[] = { "|u1", "<u2", "<u4", "<u8" };

    if (is_predicate(t)) {
        *size = 1;
        return "|b1";
    }
    if (pto_type_is_integer(t->type)) {
        *size = MAX(bits, 8) / 8;
        return (pto_type_is_signed(t->type) ? sint : uint)[ctz32(*size)];
    }
    switch (t->type) {
    case PTO_FP64:
        *size = 8;
        return "<f8";
    case PTO_FP16:
        *size = 2;
        return "<f2";
    default:
        *size = 4;
        return "<f4";
    }
}

static void npy_element(GByteArray *out, const PtoTile *t, unsigned row,
                        unsigned col, unsigned size)
{
    uint64_t bits = pto_tile_get(t, row, col);
    uint64_t value = bits;

    if (!is_predicate(t) && pto_type_is_integer(t->type)) {
        value = integer_value(t, bits);
    } else if (!is_predicate(t) && pto_type_bits(t->type) != size * 8) {
        uint32_t flags = 0;

        value = pto_elem_convert(t->type, PTO_FP32, bits, PTO_ROUND_RNE, false,
                                 false, &flags);
    }
    value = cpu_to_le64(value);
    g_byte_array_append(out, (const guint8 *)&value, size);
}

bool pto_tile_dump_npy(const PtoTile *t, const char *filename, Error **errp)
{
    g_autoptr(GByteArray) out = g_byte_array_new();
    g_autofree char *header = NULL;
    g_autofree char *padded = NULL;
    unsigned row, col, size;
    const char *type = npy_type(t, &size);
    uint16_t length;
    int used;

    header = g_strdup_printf("{'descr': '%s', 'fortran_order': False, "
                             "'shape': (%u, %u), }", type, t->vrows, t->vcols);
    /* magic, version and length are 10 bytes; the data starts 64-aligned */
    used = ROUND_UP(10 + strlen(header) + 1, 64) - 10;
    padded = g_strdup_printf("%-*s\n", used - 1, header);
    length = cpu_to_le16(used);
    g_byte_array_append(out, (const guint8 *)"\x93NUMPY\x01\x00", 8);
    g_byte_array_append(out, (const guint8 *)&length, 2);
    g_byte_array_append(out, (const guint8 *)padded, used);
    for (row = 0; row < t->vrows; row++) {
        for (col = 0; col < t->vcols; col++) {
            npy_element(out, t, row, col, size);
        }
    }
    return write_file(filename, out->data, out->len, errp);
}

/* Finite minimum and maximum of the defined elements. */
static void value_range(const PtoTile *t, double *lo, double *hi)
{
    unsigned row, col;

    *lo = INFINITY;
    *hi = -INFINITY;
    for (row = 0; row < t->vrows; row++) {
        for (col = 0; col < t->vcols; col++) {
            double v = element_value(t, row, col);

            if (isfinite(v) && pto_tile_elem_defined(t, row, col)) {
                *lo = MIN(*lo, v);
                *hi = MAX(*hi, v);
            }
        }
    }
}

/* Blue over white to red. */
static void heat(uint8_t *rgb, double v, double lo, double hi)
{
    double x = hi > lo ? (v - lo) / (hi - lo) : 0.5;
    double below, above;

    x = x < 0 ? 0 : x > 1 ? 1 : x;
    below = MIN(1.0, 2 * x);
    above = MIN(1.0, 2 * (1 - x));
    rgb[0] = 255 * below;
    rgb[1] = 255 * MIN(below, above);
    rgb[2] = 255 * above;
}

static void pixel(uint8_t *rgb, const PtoTile *t, unsigned row, unsigned col,
                  double lo, double hi)
{
    double v;

    if (!pto_tile_elem_defined(t, row, col)) {
        memset(rgb, 128, 3);
        return;
    }
    v = element_value(t, row, col);
    if (isnan(v)) {
        memset(rgb, 0, 3);
    } else {
        heat(rgb, v, lo, hi);
    }
}

bool pto_tile_dump_png(const PtoTile *t, const char *filename, Error **errp)
{
    unsigned side = MAX(MAX(t->vrows, t->vcols), 1);
    unsigned scale = MAX(1, PNG_MIN_SIDE / side);
    png_image image = {
        .version = PNG_IMAGE_VERSION,
        .width = MAX(t->vcols, 1) * scale,
        .height = MAX(t->vrows, 1) * scale,
        .format = PNG_FORMAT_RGB,
    };
    g_autofree uint8_t *data = g_malloc0((size_t)image.width * image.height *
                                         3);
    g_autofree uint8_t *png = NULL;
    png_alloc_size_t size = 0;
    unsigned x, y;
    double lo, hi;

    value_range(t, &lo, &hi);
    for (y = 0; y < t->vrows * scale; y++) {
        for (x = 0; x < t->vcols * scale; x++) {
            pixel(data + ((size_t)y * image.width + x) * 3, t, y / scale,
                  x / scale, lo, hi);
        }
    }
    if (png_image_write_to_memory(&image, NULL, &size, 0, data, 0, NULL)) {
        png = g_malloc(size);
        if (png_image_write_to_memory(&image, png, &size, 0, data, 0, NULL)) {
            return write_file(filename, png, size, errp);
        }
    }
    error_setg(errp, "%s: %s", filename, image.message);
    return false;
}
