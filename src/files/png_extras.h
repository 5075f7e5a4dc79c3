/* What a PNG file says about its pixels beside them: colour space, density, Exif. Copied from picture to picture. */
#pragma once

#include <png.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

#define PNG_EXTRAS_MOST 9

struct png_extra {
    char name[5]; /* of the chunk */
    unsigned char *data;
    size_t bytes; /* data's; of iCCP: the profile, unpacked */
};

/* A zeroed one is empty. */
struct png_extras {
    struct png_extra chunks[PNG_EXTRAS_MOST];
    int count;
    char profile_name[80]; /* iCCP's */
    int orientation;       /* Exif's: 1 (upright) … 8; 0: not stated */
    bool is_animated;      /* has acTL: the file's picture is the first frame of several */
    char left_out[64];     /* names of damaged or unsuitable chunks, separated by ", "; "" for none */
    char doubted[64];      /* names, each with a "," behind it, of those that libpng warned of: it may have kept them */
};

void png_extras_free(struct png_extras *extras);

/* Makes libpng keep the chunks that are copied, and skip all others beside those that make pixels. Before
 * png_read_info. */
void png_extras_keep(png_structp png);

/* To be called with each of libpng's warnings: it reports damaged and skipped chunks so. */
void png_extras_warned(struct png_extras *extras, const char *warning);

/* Takes what libpng has kept so far: after png_read_info, and again after png_read_end with its end_info. Chunks of a
 * wrong length, content, checksum or place are left out, as is a colour profile that does not suit RGB pixels.
 * STATUS_UNAVAILABLE when memory is out. Free with png_extras_free in any case. */
enum status png_extras_take(png_structp png, png_infop info, struct png_extras *extras, struct error *error);

/* Writes them: after png_set_IHDR, before (iCCP) and after (all others) png_write_info. Errors are libpng's jumps. */
void png_extras_write_profile(png_structp png, png_infop info, const struct png_extras *extras);
void png_extras_write(png_structp png, const struct png_extras *extras);
