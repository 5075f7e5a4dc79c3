/* stb_image_resize behind a C interface; built into libuskor_stb.so where its header is. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* Pixels of 4 bytes, rows without gaps; every channel for itself, with the triangle filter, which is bilinear when a
 * picture grows. 0 when the library had no memory. */
int uskor_stb_resize(const unsigned char *source, int width, int height, unsigned char *target, int target_width,
                     int target_height);

#ifdef __cplusplus
}
#endif
