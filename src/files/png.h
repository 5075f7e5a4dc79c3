/* PNG files to pixels and back, over libpng. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "files/output.h"
#include "files/png_extras.h"

/* The longest side of a picture that is read or written. */
#define IMAGE_SIDE_MAX 1000000

/* Pictures of more pixels are not read, unless the reader wants them: a file of one bit a pixel and less becomes four
 * bytes a pixel, 1 GiB here. */
#define IMAGE_PIXELS_MOST ((uint64_t)1 << 28)

/* Pixels of 4 bytes (red, green, blue, alpha; alpha not multiplied in), rows from the top, without gaps. */
struct image {
    uint32_t width, height; /* 1 … IMAGE_SIDE_MAX */
    unsigned char *pixels;  /* height * width * 4 bytes; the image's own */
    struct png_extras extras;
};

/* Allocates the pixels, uninitialised. STATUS_INVALID for a side of 0 or beyond IMAGE_SIDE_MAX, STATUS_UNAVAILABLE when
 * memory is out. Free with image_free. */
enum status image_allocate(uint32_t width, uint32_t height, struct image *image, struct error *error);
void image_free(struct image *image); /* a zeroed image is fine */

/* Reads the PNG file `path`: grey, grey with alpha, RGB, RGBA or palette, of any depth, with or without a transparent
 * colour, interlaced or not. Samples of less than 8 bits are spread over 0 … 255; 16 bits become the nearest of 8
 * (v * 255 / 65535, rounded). Pixels are taken as they are stored; colour space, density and Exif are kept beside them
 * (extras) for the file that is written. Background, text and time are ignored. STATUS_INVALID (damaged, animated, of
 * more than `pixels_most` pixels, or claims more than its bytes could hold), STATUS_UNAVAILABLE (no memory) or
 * STATUS_SYSTEM; the message names the file. On failure *image is untouched. */
enum status png_read_file(const char *path, uint64_t pixels_most, struct image *image, struct error *error);

/* The same from memory; the message does not name a file. */
enum status png_decode(const void *data, size_t bytes, uint64_t pixels_most, struct image *image, struct error *error);

/* Writes RGBA with 8 bits, and the extras, to a file that was begun (output.h) and gives it its name; abandons it on
 * failure. Frees `output` either way. */
enum status png_finish(struct output *output, const struct image *image, struct error *error);

/* The same, file and all; `force` overwrites. Where the picture takes long to make, begin the file before it. */
enum status png_write_file(const char *path, bool force, const struct image *image, struct error *error);
