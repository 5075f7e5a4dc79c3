/* Textures are OpenCL's images: memory of their own, in an order that suits the texture unit. */
#include <stdlib.h>

#include "backends/opencl/opencl.h"

enum status opencl_texture_create(struct device *device, size_t width, size_t height, struct texture **texture,
                                  struct error *error)
{
    const struct opencl_device *opencl = (struct opencl_device *)device;
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = height};
    size_t widest = 0, highest = 0;
    cl.GetDeviceInfo(opencl->id, CL_DEVICE_IMAGE2D_MAX_WIDTH, sizeof widest, &widest, NULL);
    cl.GetDeviceInfo(opencl->id, CL_DEVICE_IMAGE2D_MAX_HEIGHT, sizeof highest, &highest, NULL);
    if (width > widest || height > highest)
        return fail(error, STATUS_UNAVAILABLE, "%s: an image has at most %zu x %zu pixels there, this one %zu x %zu",
                    device->id, widest, highest, width, height);
    struct texture *made = calloc(1, sizeof *made);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for a texture", device->id);
    cl_int code = CL_SUCCESS;
    cl_mem image = cl.CreateImage(opencl->context, CL_MEM_READ_ONLY, &format, &shape, NULL, &code);
    code = opencl_made(image, code);
    if (code != CL_SUCCESS) {
        free(made);
        return opencl_fail(error, device->id, "making an image", code);
    }
    *made = (struct texture){.device = device, .width = width, .height = height, .native = (uintptr_t)image};
    *texture = made;
    return STATUS_OK;
}

void opencl_texture_destroy(struct texture *texture)
{
    cl.ReleaseMemObject((cl_mem)texture->native);
    free(texture);
}

enum status opencl_texture_load(struct texture *texture, const struct buffer *pixels, struct error *error)
{
    const size_t origin[3] = {0, 0, 0}, region[3] = {texture->width, texture->height, 1};
    cl_mem whole = opencl_memory_of(pixels);
    size_t offset = 0;
    cl_int code = opencl_find_whole(&whole, &offset); /* PoCL 3.1 crashes on a window */
    if (code == CL_SUCCESS)
        code = cl.EnqueueCopyBufferToImage(opencl_device_of(pixels)->queue, whole, (cl_mem)texture->native, offset,
                                           origin, region, 0, NULL, NULL);
    return code == CL_SUCCESS ? STATUS_OK : opencl_fail(error, texture->device->id, "copying into an image", code);
}
