/* memcpy's order, and the picture's words: width before height. */
#include <stddef.h>
void rotate(float *dst, const float *src, size_t width, size_t height)
{
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            dst[x * height + y] = src[y * width + x];
}
