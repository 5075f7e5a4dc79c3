/* Any bytes as a PNG file: decoded or refused, never a crash; what is decoded has every pixel written. Each input is
 * also tried with its checksums put right, as few changed files would get past them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "files/png.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* So that reading the pixels is not left out. */
static volatile unsigned char sum;

static void decode(const uint8_t *data, size_t size)
{
    struct image image = {0};
    struct error error = {""};
    if (png_decode(data, size, IMAGE_PIXELS_MOST, &image, &error) != STATUS_OK) {
        if (error.text[0] == '\0' || strpbrk(error.text, "\n\r\033") || image.pixels)
            abort();
        return;
    }
    for (size_t i = 0; i < (size_t)image.width * image.height * 4; i++)
        sum ^= image.pixels[i];
    image_free(&image);
}

/* The checksum of PNG chunks (ISO/IEC 15948, annex D). */
static uint32_t checksum(const uint8_t *data, size_t size)
{
    uint32_t value = 0xffffffff;
    for (size_t i = 0; i < size; i++) {
        value ^= data[i];
        for (int k = 0; k < 8; k++)
            value = value & 1 ? value >> 1 ^ 0xedb88320 : value >> 1;
    }
    return ~value;
}

static uint32_t big_endian(const uint8_t *data)
{
    return (uint32_t)data[0] << 24 | (uint32_t)data[1] << 16 | (uint32_t)data[2] << 8 | data[3];
}

/* A chunk is a length, a name, the data, and the checksum of the last two. */
static void seal(uint8_t *data, size_t size)
{
    for (size_t at = 8; at + 12 <= size;) {
        size_t length = big_endian(data + at);
        if (length > size - at - 12)
            break;
        uint32_t value = checksum(data + at + 4, length + 4);
        for (int k = 0; k < 4; k++)
            data[at + 8 + length + (size_t)k] = (uint8_t)(value >> (24 - 8 * k));
        at += 12 + length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    decode(data, size);
    uint8_t *sealed = malloc(size ? size : 1);
    if (!sealed)
        abort();
    if (size)
        memcpy(sealed, data, size);
    seal(sealed, size);
    decode(sealed, size);
    free(sealed);
    return 0;
}
