/* CUDA's tensor maps of two dimensions, from compute capability 9.0 on. */

#include "backends/cuda/device.h"

/* The driver's numbers. */
enum { TYPE_FLOAT16 = 6, TYPE_FLOAT32 = 7, TYPE_BFLOAT16 = 9 };
enum { INTERLEAVE_NONE = 0, SWIZZLE_128 = 3, L2_PROMOTION_256 = 3, FILL_ZEROS = 0 };

#define BOX_BYTES 128

enum status cuda_tile_map(const struct buffer *buffer, const struct tile_map_shape *shape, struct tile_map *map,
                          struct error *error)
{
    struct device *device = buffer->device;
    const size_t bytes = element_info(shape->type)->bytes;
    const int type = shape->type == ELEMENT_F16    ? TYPE_FLOAT16
                     : shape->type == ELEMENT_BF16 ? TYPE_BFLOAT16
                                                   : TYPE_FLOAT32;
    const unsigned long long sides[2] = {shape->cols, shape->rows}, strides[1] = {shape->row_bytes};
    const unsigned box[2] = {(unsigned)(BOX_BYTES / bytes), shape->box_rows}, steps[2] = {1, 1};
    if (!cuda.TensorMapEncodeTiled)
        return fail(error, STATUS_UNAVAILABLE, "%s: the driver is older than CUDA 12 and has no tensor maps",
                    device->id);
    enum status status = cuda_use(device, error);
    if (status != STATUS_OK)
        return status;
    CUresult result = cuda.TensorMapEncodeTiled(map, type, 2, (void *)(buffer->native + shape->offset), sides, strides,
                                                box, steps, INTERLEAVE_NONE, SWIZZLE_128, L2_PROMOTION_256, FILL_ZEROS);
    return cuda_device_check(device, result, error, "describing a matrix of %zu x %zu to the copy engine", shape->rows,
                             shape->cols);
}
