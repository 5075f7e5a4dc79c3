#define STB_IMAGE_RESIZE_IMPLEMENTATION
#define STB_IMAGE_RESIZE_STATIC
#include <stb_image_resize.h>

#include "vendor_shims/stb/stb.h"

extern "C" __attribute__((visibility("default"))) int uskor_stb_resize(const unsigned char *source, int width,
                                                                       int height, unsigned char *target,
                                                                       int target_width, int target_height)
{
    return stbir_resize_uint8_generic(source, width, height, 0, target, target_width, target_height, 0, 4,
                                      STBIR_ALPHA_CHANNEL_NONE, 0, STBIR_EDGE_CLAMP, STBIR_FILTER_TRIANGLE,
                                      STBIR_COLORSPACE_LINEAR, nullptr);
}
