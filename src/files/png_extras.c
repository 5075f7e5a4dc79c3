/* Source of the chunks' contents: PNG specification, third edition, 11.3; of Exif's orientation: CIPA DC-008, 4.6.2. */
#include "files/png_extras.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/text.h"

/* A profile of more bytes than this is skipped by libpng. */
#define PROFILE_BYTES_MOST ((png_alloc_size_t)8 << 20)

static uint32_t number(const unsigned char *data, size_t bytes, bool is_little)
{
    uint32_t value = 0;
    for (size_t i = 0; i < bytes; i++)
        value = value << 8 | data[is_little ? bytes - 1 - i : i];
    return value;
}

static bool is_gamma(const unsigned char *data, size_t bytes)
{
    return number(data, bytes, false) != 0;
}

static bool is_intent(const unsigned char *data, size_t bytes)
{
    (void)bytes;
    return data[0] <= 3;
}

static bool is_density(const unsigned char *data, size_t bytes)
{
    return data[bytes - 1] <= 1;
}

/* RGB, with the narrow or the full range. */
static bool is_code_points(const unsigned char *data, size_t bytes)
{
    return data[2] == 0 && data[bytes - 1] <= 1;
}

static bool is_exif(const unsigned char *data, size_t bytes)
{
    return bytes >= 8 && (memcmp(data, "II*\0", 4) == 0 || memcmp(data, "MM\0*", 4) == 0);
}

/* Where a chunk may not stand, as decoders ignore it there. */
enum { EARLY = PNG_HAVE_PLTE | PNG_AFTER_IDAT, BEFORE_PIXELS = PNG_AFTER_IDAT, ANYWHERE = 0 };

static const struct {
    char name[5];
    size_t bytes; /* 0: any */
    bool (*is_right)(const unsigned char *data, size_t bytes);
    int not_in;
} kinds[] = {
    {"gAMA", 4, is_gamma, EARLY},           {"cHRM", 32, NULL, EARLY},      {"sRGB", 1, is_intent, EARLY},
    {"cICP", 4, is_code_points, EARLY},     {"mDCV", 24, NULL, EARLY},      {"cLLI", 8, NULL, EARLY},
    {"pHYs", 9, is_density, BEFORE_PIXELS}, {"eXIf", 0, is_exif, ANYWHERE},
};
_Static_assert(COUNT_OF(kinds) + 1 == PNG_EXTRAS_MOST, "a place for each kind, and for iCCP");

void png_extras_free(struct png_extras *extras)
{
    for (int i = 0; i < extras->count; i++)
        free(extras->chunks[i].data);
    *extras = (struct png_extras){0};
}

void png_extras_keep(png_structp png)
{
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, (png_const_bytep)kinds[i].name, 1);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, (png_const_bytep) "acTL", 1);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_AS_DEFAULT, (png_const_bytep) "iCCP", 1);
    png_set_chunk_malloc_max(png, PROFILE_BYTES_MOST);
}

/* ---- reading ---------------------------------------------------------------------------------------------- */

/* The orientation in the first directory of Exif's TIFF structure; 0 when there is none. */
static int orientation_of(const unsigned char *data, size_t bytes)
{
    enum { ENTRY = 12, TAG = 0x0112, SHORT = 3, LONG = 4 };
    const bool is_little = data[0] == 'I';
    size_t at = number(data + 4, 4, is_little);
    if (at > bytes - 2)
        return 0;
    const size_t entries = number(data + at, 2, is_little);
    at += 2;
    for (size_t i = 0; i < entries && bytes - at >= ENTRY; i++, at += ENTRY)
        if (number(data + at, 2, is_little) == TAG) {
            const uint32_t type = number(data + at + 2, 2, is_little);
            const uint32_t value = type == SHORT  ? number(data + at + 8, 2, is_little)
                                   : type == LONG ? number(data + at + 8, 4, is_little)
                                                  : 0;
            return value >= 1 && value <= 8 ? (int)value : 0;
        }
    return 0;
}

static void leave_out(struct png_extras *extras, const char *name)
{
    if (!strstr(extras->left_out, name))
        text_append(extras->left_out, sizeof extras->left_out, "%s%s", extras->left_out[0] ? ", " : "", name);
}

static bool has(const struct png_extras *extras, const char *name)
{
    for (int i = 0; i < extras->count; i++)
        if (strcmp(extras->chunks[i].name, name) == 0)
            return true;
    return false;
}

/* libpng's words begin with the chunk's name. A chunk with a wrong checksum it keeps all the same; what it does not
 * keep for another reason (its size, its place, its contents) is known when the chunks are taken. */
void png_extras_warned(struct png_extras *extras, const char *warning)
{
    char name[5];
    snprintf(name, sizeof name, "%s", warning);
    bool is_ours = strcmp(name, "iCCP") == 0;
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        is_ours |= strcmp(name, kinds[i].name) == 0;
    if (is_ours && strstr(warning, "CRC"))
        leave_out(extras, name);
    else if (is_ours && !strstr(extras->doubted, name))
        text_append(extras->doubted, sizeof extras->doubted, "%s,", name);
}

static void leave_out_doubted(struct png_extras *extras)
{
    for (const char *at = extras->doubted; *at; at += 5) {
        char name[5];
        snprintf(name, sizeof name, "%s", at);
        if (!has(extras, name))
            leave_out(extras, name);
    }
}

static enum status keep(struct png_extras *extras, const char *name, const unsigned char *data, size_t bytes,
                        struct error *error)
{
    struct png_extra *extra = &extras->chunks[extras->count];
    extra->data = malloc(bytes);
    if (!extra->data)
        return fail(error, STATUS_UNAVAILABLE, "no memory for its chunk %s of %zu bytes", name, bytes);
    memcpy(extra->data, data, bytes);
    memcpy(extra->name, name, sizeof extra->name);
    extra->bytes = bytes;
    extras->count++;
    return STATUS_OK;
}

static enum status take_chunk(struct png_extras *extras, const png_unknown_chunk *chunk, struct error *error)
{
    const char *name = (const char *)chunk->name;
    extras->is_animated |= strcmp(name, "acTL") == 0;
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        if (strcmp(kinds[i].name, name) != 0 || has(extras, name) || strstr(extras->left_out, name))
            continue;
        if ((chunk->location & kinds[i].not_in) || (kinds[i].bytes && kinds[i].bytes != chunk->size) ||
            chunk->size == 0 || (kinds[i].is_right && !kinds[i].is_right(chunk->data, chunk->size))) {
            leave_out(extras, name);
            continue;
        }
        if (kinds[i].is_right == is_exif)
            extras->orientation = orientation_of(chunk->data, chunk->size);
        return keep(extras, name, chunk->data, chunk->size, error);
    }
    return STATUS_OK;
}

/* libpng has checked the profile's structure; one for grey pixels does not suit RGB. A rendering intent or a white
 * point that it only warns of is copied as it is. */
static enum status take_profile(png_structp png, png_infop info, struct png_extras *extras, struct error *error)
{
    enum { SPACE = 16 };
    png_charp name = NULL;
    png_bytep profile = NULL;
    int compression;
    png_uint_32 bytes = 0;
    if (has(extras, "iCCP") || strstr(extras->left_out, "iCCP") ||
        !png_get_iCCP(png, info, &name, &compression, &profile, &bytes))
        return STATUS_OK;
    if (bytes < SPACE + 4 || memcmp(profile + SPACE, "RGB ", 4) != 0) {
        leave_out(extras, "iCCP");
        return STATUS_OK;
    }
    snprintf(extras->profile_name, sizeof extras->profile_name, "%s", name);
    return keep(extras, "iCCP", profile, bytes, error);
}

enum status png_extras_take(png_structp png, png_infop info, struct png_extras *extras, struct error *error)
{
    png_unknown_chunkp chunks = NULL;
    const int count = png_get_unknown_chunks(png, info, &chunks);
    enum status status = take_profile(png, info, extras, error);
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = take_chunk(extras, &chunks[i], error);
    leave_out_doubted(extras);
    return status;
}

/* ---- writing ---------------------------------------------------------------------------------------------- */

void png_extras_write_profile(png_structp png, png_infop info, const struct png_extras *extras)
{
    png_set_benign_errors(png, true); /* what was a warning when the profile was read */
    for (int i = 0; i < extras->count; i++)
        if (strcmp(extras->chunks[i].name, "iCCP") == 0)
            png_set_iCCP(png, info, extras->profile_name, PNG_COMPRESSION_TYPE_BASE, extras->chunks[i].data,
                         (png_uint_32)extras->chunks[i].bytes);
    png_set_benign_errors(png, false);
}

void png_extras_write(png_structp png, const struct png_extras *extras)
{
    for (int i = 0; i < extras->count; i++)
        if (strcmp(extras->chunks[i].name, "iCCP") != 0)
            png_write_chunk(png, (png_const_bytep)extras->chunks[i].name, extras->chunks[i].data,
                            extras->chunks[i].bytes);
}
