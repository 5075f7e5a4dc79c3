/* libpng reports errors by longjmp. What such a jump passes over holds nothing: all that is allocated hangs in a struct
 * of the caller's, which frees it whatever happened; and the functions that call setjmp have no variables of their own
 * that change. */
#include "files/png.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/message.h"
#include "base/size.h"
#include "base/translation.h"
#include "files/input.h"
#include "files/mapping.h"

/* No deflate stream is smaller than its contents by more (zlib's technical details, "maximum compression factor"). */
#define DEFLATE_RATIO_MAX 1032

enum status image_allocate(uint32_t width, uint32_t height, struct image *image, struct error *error)
{
    size_t bytes;
    if (width == 0 || height == 0 || width > IMAGE_SIDE_MAX || height > IMAGE_SIDE_MAX)
        return fail(error, STATUS_INVALID, "a picture of %u × %u pixels; each side may be 1 to %d", width, height,
                    IMAGE_SIDE_MAX);
    char what[64];
    explain(what, sizeof what, "a picture of %u × %u pixels", width, height);
    if (memory_suffices((uint64_t)width * height * 4, what, error) != STATUS_OK)
        return STATUS_INVALID;
    unsigned char *pixels = size_multiply((size_t)width * 4, height, &bytes) ? malloc(bytes) : NULL;
    if (!pixels)
        return fail(error, STATUS_UNAVAILABLE, "no memory for a picture of %u × %u pixels", width, height);
    *image = (struct image){.width = width, .height = height, .pixels = pixels};
    return STATUS_OK;
}

void image_free(struct image *image)
{
    free(image->pixels);
    png_extras_free(&image->extras);
    *image = (struct image){0};
}

/* ---- what libpng calls ------------------------------------------------------------------------------------ */

static _Noreturn void keep_error(png_structp png, png_const_charp message)
{
    struct error *error = png_get_error_ptr(png);
    snprintf(error->text, sizeof error->text, "%s", message);
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

/* ---- reading ---------------------------------------------------------------------------------------------- */

struct decoder {
    png_structp png;
    png_infop info, end; /* what stands before and behind the pixels */
    const unsigned char *data;
    size_t bytes, at;
    uint64_t pixels_most;
    struct error error; /* libpng's words */
    bool is_own;        /* … or ours: then they are translated, and not quoted */
    struct image image;
    struct png_extras extras;
};

static _Noreturn void refuse(struct decoder *decoder, const char *why)
{
    decoder->is_own = true;
    png_error(decoder->png, why);
}

static enum status damaged(const struct decoder *decoder, struct error *error)
{
    if (decoder->is_own)
        return fail(error, STATUS_INVALID, "is a damaged PNG file: %s", decoder->error.text);
    return fail(error, STATUS_INVALID, "is a damaged PNG file; libpng reports: %s", decoder->error.text);
}

static void take_bytes(png_structp png, png_bytep target, size_t bytes)
{
    struct decoder *decoder = png_get_io_ptr(png);
    if (bytes > decoder->bytes - decoder->at)
        refuse(decoder, N_("the file ends too early"));
    memcpy(target, decoder->data + decoder->at, bytes);
    decoder->at += bytes;
}

static void notice(png_structp png, png_const_charp message)
{
    struct decoder *decoder = png_get_io_ptr(png);
    png_extras_warned(&decoder->extras, message);
}

static bool read_header(struct decoder *decoder)
{
    if (setjmp(png_jmpbuf(decoder->png)))
        return false;
    png_set_read_fn(decoder->png, decoder, take_bytes);
    png_set_error_fn(decoder->png, &decoder->error, keep_error, notice);
    png_set_user_limits(decoder->png, IMAGE_SIDE_MAX, IMAGE_SIDE_MAX);
    /* Text is skipped, as compressed bombs hide there; of a profile libpng unpacks no more than the limit. */
    png_extras_keep(decoder->png);
    png_read_info(decoder->png, decoder->info);
    return true;
}

/* A row of numbers of colours, a byte each at its beginning, becomes RGBA. libpng would make what lies beyond the
 * palette black, and say nothing. */
static void look_up(struct decoder *decoder, unsigned char *row)
{
    png_colorp colours = NULL;
    png_bytep alphas = NULL;
    int colour_count = 0, alpha_count = 0;
    png_get_PLTE(decoder->png, decoder->info, &colours, &colour_count);
    png_get_tRNS(decoder->png, decoder->info, &alphas, &alpha_count, NULL);
    for (size_t x = decoder->image.width; x-- > 0;) { /* from the end: a pixel lies on numbers that were used */
        int number = row[x];
        if (number >= colour_count)
            refuse(decoder, N_("a pixel's colour lies beyond its palette"));
        row[4 * x] = colours[number].red;
        row[4 * x + 1] = colours[number].green;
        row[4 * x + 2] = colours[number].blue;
        row[4 * x + 3] = number < alpha_count ? alphas[number] : 0xff;
    }
}

/* Everything becomes RGBA with 8 bits. */
static bool read_pixels(struct decoder *decoder)
{
    png_structp png = decoder->png;
    const size_t row_bytes = (size_t)decoder->image.width * 4;
    const bool has_palette = png_get_color_type(png, decoder->info) == PNG_COLOR_TYPE_PALETTE;
    if (setjmp(png_jmpbuf(png)))
        return false;
    if (has_palette) {
        png_set_packing(png);
    } else {
        png_set_expand(png);
        png_set_scale_16(png);
        png_set_gray_to_rgb(png);
        png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
    }
    const int passes = png_set_interlace_handling(png);
    png_read_update_info(png, decoder->info);
    if (png_get_rowbytes(png, decoder->info) != (has_palette ? decoder->image.width : row_bytes))
        refuse(decoder, N_("its pixels are of an unknown kind"));
    for (int pass = 0; pass < passes; pass++)
        for (uint32_t row = 0; row < decoder->image.height; row++)
            png_read_row(png, decoder->image.pixels + row * row_bytes, NULL);
    png_read_end(png, decoder->end);
    for (uint32_t row = 0; row < decoder->image.height && has_palette; row++)
        look_up(decoder, decoder->image.pixels + row * row_bytes);
    return true;
}

/* Refuses a header that promises more than the file could unpack to, before memory is taken for it. */
static enum status make_room(struct decoder *decoder, struct error *error)
{
    uint32_t width = png_get_image_width(decoder->png, decoder->info);
    uint32_t height = png_get_image_height(decoder->png, decoder->info);
    uint64_t unpacked = (uint64_t)png_get_rowbytes(decoder->png, decoder->info) * height;
    if (unpacked / DEFLATE_RATIO_MAX > decoder->bytes)
        return fail(error, STATUS_INVALID, "claims %u × %u pixels, more than its %zu bytes can hold", width, height,
                    decoder->bytes);
    if ((uint64_t)width * height > decoder->pixels_most)
        return fail(error, STATUS_INVALID,
                    "has %u × %u pixels, more than the %lu that are taken; --max-pixels takes more", width, height,
                    decoder->pixels_most);
    return image_allocate(width, height, &decoder->image, error);
}

static enum status decode(struct decoder *decoder, struct error *error)
{
    if (!read_header(decoder))
        return damaged(decoder, error);
    struct png_extras *extras = &decoder->extras;
    enum status status = png_extras_take(decoder->png, decoder->info, extras, error);
    if (status == STATUS_OK && extras->is_animated)
        return fail(error, STATUS_INVALID, "is an animated PNG file; save one frame as a PNG file of its own");
    if (status == STATUS_OK)
        status = make_room(decoder, error);
    if (status == STATUS_OK && !read_pixels(decoder))
        status = damaged(decoder, error);
    return status == STATUS_OK ? png_extras_take(decoder->png, decoder->end, extras, error) : status;
}

enum status png_decode(const void *data, size_t bytes, uint64_t pixels_most, struct image *image, struct error *error)
{
    struct decoder decoder = {.data = data, .bytes = bytes, .pixels_most = pixels_most};
    if (bytes == 0)
        return fail(error, STATUS_INVALID, "is empty; a PNG file was expected");
    if (png_sig_cmp(data, 0, bytes < 8 ? bytes : 8) != 0)
        return fail(error, STATUS_INVALID, "is not a PNG file");
    enum status status = STATUS_OK;
    decoder.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &decoder.error, keep_error, ignore_warning);
    decoder.info = decoder.png ? png_create_info_struct(decoder.png) : NULL;
    decoder.end = decoder.info ? png_create_info_struct(decoder.png) : NULL;
    if (!decoder.end)
        status = fail(error, STATUS_UNAVAILABLE, "libpng could not begin: out of memory, or another version");
    if (status == STATUS_OK)
        status = decode(&decoder, error);
    png_destroy_read_struct(&decoder.png, &decoder.info, &decoder.end);
    decoder.image.extras = decoder.extras;
    if (status == STATUS_OK)
        *image = decoder.image;
    else
        image_free(&decoder.image);
    return status;
}

enum status png_read_file(const char *path, uint64_t pixels_most, struct image *image, struct error *error)
{
    struct input input;
    struct mapping mapping = {0};
    struct image read = {0};
    struct error changed;
    enum status status = input_open(path, "PNG", &input, error);
    if (status != STATUS_OK)
        return status;
    if (input.size > 0)
        status = mapping_open(input.descriptor, input.size, false, path, &mapping, error);
    if (status == STATUS_OK) {
        status = png_decode(mapping.data, input.size, pixels_most, &read, error);
        if (status != STATUS_OK)
            fail_in(error, status, "%s", path);
        enum status unchanged = input_check(&input, path, &changed);
        if (unchanged == STATUS_OK)
            unchanged = mapping_check(&mapping, path, &changed);
        if (unchanged != STATUS_OK) {
            status = unchanged;
            *error = changed;
        }
    }
    mapping_close(&mapping);
    input_close(&input);
    if (status == STATUS_OK)
        *image = read;
    else
        image_free(&read);
    return status;
}

/* ---- writing ---------------------------------------------------------------------------------------------- */

struct encoder {
    png_structp png;
    png_infop info;
    struct output *output;
    const struct image *image;
    enum status status; /* of the output */
    struct error *error;
    struct error words; /* libpng's */
};

static void give_bytes(png_structp png, png_bytep data, size_t bytes)
{
    struct encoder *encoder = png_get_io_ptr(png);
    encoder->status = output_write(encoder->output, data, bytes, encoder->error);
    if (encoder->status != STATUS_OK)
        png_error(png, N_("cannot be written"));
}

static void flush(png_structp png)
{
    (void)png;
}

static bool encode(struct encoder *encoder)
{
    png_structp png = encoder->png;
    const struct image *image = encoder->image;
    if (setjmp(png_jmpbuf(png)))
        return false;
    png_set_write_fn(png, encoder, give_bytes, flush);
    png_set_user_limits(png, IMAGE_SIDE_MAX, IMAGE_SIDE_MAX);
    png_set_IHDR(png, encoder->info, image->width, image->height, 8, PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_extras_write_profile(png, encoder->info, &image->extras);
    png_write_info(png, encoder->info);
    png_extras_write(png, &image->extras);
    for (uint32_t row = 0; row < image->height; row++)
        png_write_row(png, image->pixels + (size_t)row * image->width * 4);
    png_write_end(png, NULL);
    return true;
}

enum status png_finish(struct output *output, const struct image *image, struct error *error)
{
    struct encoder encoder = {.image = image, .output = output, .error = error};
    const char *path = output_path(output);
    enum status status = STATUS_OK;
    encoder.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &encoder.words, keep_error, ignore_warning);
    encoder.info = encoder.png ? png_create_info_struct(encoder.png) : NULL;
    if (!encoder.info)
        status = fail(error, STATUS_UNAVAILABLE, "%s: libpng could not begin: out of memory, or another version", path);
    else if (!encode(&encoder))
        status = encoder.status != STATUS_OK ? encoder.status
                                             : fail(error, STATUS_INVALID, "%s: %s", path, encoder.words.text);
    png_destroy_write_struct(&encoder.png, &encoder.info);
    if (status == STATUS_OK)
        return output_finish(output, error);
    output_abandon(output);
    return status;
}

enum status png_write_file(const char *path, bool force, const struct image *image, struct error *error)
{
    struct output *output = NULL;
    enum status status = output_create(path, force, &output, error);
    return status == STATUS_OK ? png_finish(output, image, error) : status;
}
