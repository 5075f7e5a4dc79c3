/* Any bytes as a PNG file: decoded or refused, never a crash; what is decoded has every pixel written. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "files/png.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* So that reading the pixels is not left out. */
static volatile unsigned char sum;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct image image = {0};
    struct error error = {""};
    if (png_decode(data, size, &image, &error) != STATUS_OK) {
        if (error.text[0] == '\0' || strpbrk(error.text, "\n\r\033") || image.pixels)
            abort();
        return 0;
    }
    for (size_t i = 0; i < (size_t)image.width * image.height * 4; i++)
        sum ^= image.pixels[i];
    image_free(&image);
    return 0;
}
