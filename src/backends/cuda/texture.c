/* Textures over rows in plain memory ("pitch linear"). The texture unit reads the buffer itself where its rows have the
 * alignment that the unit requires; otherwise the rows are copied to aligned ones first. */
#include <stdlib.h>

#include "backends/cuda/device.h"
#include "base/size.h"

#define PIXEL_BYTES 4
/* Buffers take turns in some measurements: as many objects are kept. */
#define OBJECTS_MAX 8

struct cuda_texture {
    struct texture base;
    size_t alignment;   /* of a texture's first byte */
    size_t pitch_bytes; /* from row to row */
    CUdeviceptr apart;  /* rows copied apart; 0 where that is not needed */
    struct {
        CUdeviceptr address;
        CUtexObject object;
    } objects[OBJECTS_MAX];
    size_t object_count, next_object;
};

static enum status ask(const struct device *device, CUdevice_attribute attribute, size_t *value, struct error *error)
{
    int number = 0;
    CUresult result = cuda.DeviceGetAttribute(&number, attribute, cuda_device_of(device)->handle);
    *value = (size_t)number;
    return cuda_device_check(device, result, error, "asking for the limits of textures");
}

static enum status check_size(const struct cuda_texture *texture, struct error *error)
{
    const struct texture *base = &texture->base;
    size_t width, height, pitch;
    enum status status = ask(base->device, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH, &width, error);
    if (status == STATUS_OK)
        status = ask(base->device, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT, &height, error);
    if (status == STATUS_OK)
        status = ask(base->device, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH, &pitch, error);
    if (status == STATUS_OK && (base->width > width || base->height > height || texture->pitch_bytes > pitch))
        return fail(error, STATUS_UNAVAILABLE,
                    "%s: a texture over plain memory has at most %zu x %zu pixels there, this one %zu x %zu",
                    base->device->id, width, height, base->width, base->height);
    return status;
}

/* Takes memory for rows that do not begin where they should. */
static enum status make_room(struct cuda_texture *texture, struct error *error)
{
    size_t alignment, bytes;
    struct device *device = texture->base.device;
    enum status status = ask(device, CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT, &alignment, error);
    if (status == STATUS_OK)
        status = ask(device, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, &texture->alignment, error);
    if (status != STATUS_OK)
        return status;
    size_t row_bytes = texture->base.width * PIXEL_BYTES;
    texture->pitch_bytes = (row_bytes + alignment - 1) / alignment * alignment;
    status = check_size(texture, error);
    if (status != STATUS_OK || texture->pitch_bytes == row_bytes)
        return status;
    if (!size_multiply(texture->pitch_bytes, texture->base.height, &bytes))
        return fail(error, STATUS_UNAVAILABLE, "%s: a texture too large for any memory", device->id);
    return cuda_device_check(device, cuda.MemAlloc(&texture->apart, bytes), error, "allocating a texture");
}

enum status cuda_texture_create(struct device *device, size_t width, size_t height, struct texture **texture,
                                struct error *error)
{
    enum status status = cuda_use(device, error);
    if (status != STATUS_OK)
        return status;
    if (!cuda.TexObjectCreate || !cuda.TexObjectDestroy || !cuda.Memcpy2DAsync)
        return fail(error, STATUS_UNAVAILABLE, "%s: the driver is too old for textures", device->id);
    if (width > SIZE_MAX / PIXEL_BYTES / 2)
        return fail(error, STATUS_UNAVAILABLE, "%s: a texture of %zu pixels in a row", device->id, width);
    struct cuda_texture *made = calloc(1, sizeof *made);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for a texture", device->id);
    made->base = (struct texture){.device = device, .width = width, .height = height};
    status = make_room(made, error);
    if (status == STATUS_OK)
        *texture = &made->base;
    else
        cuda_texture_destroy(&made->base);
    return status;
}

void cuda_texture_destroy(struct texture *texture)
{
    struct cuda_texture *own = (struct cuda_texture *)texture;
    if (cuda_use(texture->device, NULL) == STATUS_OK) {
        for (size_t i = 0; i < own->object_count; i++)
            cuda.TexObjectDestroy(own->objects[i].object);
        if (own->apart)
            cuda.MemFree(own->apart);
    }
    free(own);
}

static enum status make_object(const struct cuda_texture *texture, CUdeviceptr address, CUtexObject *object,
                               struct error *error)
{
    const struct cuda_pitched_pixels pixels = {
        .resource_type = CU_RESOURCE_TYPE_PITCH2D,
        .address = address,
        .format = CU_AD_FORMAT_UNSIGNED_INT8,
        .channels = PIXEL_BYTES,
        .width = texture->base.width,
        .height = texture->base.height,
        .pitch_bytes = texture->pitch_bytes,
    };
    const struct cuda_texture_reading reading = {
        .address_mode = {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP},
        .filter_mode = CU_TR_FILTER_MODE_LINEAR,
    };
    return cuda_device_check(texture->base.device, cuda.TexObjectCreate(object, &pixels, &reading, NULL), error,
                             "making a texture");
}

/* The object that shows the pixels at `address`: the one made before, or a new one in the oldest one's place. */
static enum status show(struct cuda_texture *texture, CUdeviceptr address, struct error *error)
{
    for (size_t i = 0; i < texture->object_count; i++)
        if (texture->objects[i].address == address) {
            texture->base.native = texture->objects[i].object;
            return STATUS_OK;
        }
    CUtexObject object;
    enum status status = make_object(texture, address, &object, error);
    if (status != STATUS_OK)
        return status;
    size_t at = texture->next_object++ % OBJECTS_MAX;
    if (at < texture->object_count) {
        cuda.StreamSynchronize(cuda_device_of(texture->base.device)->stream); /* it may be in use */
        cuda.TexObjectDestroy(texture->objects[at].object);
    } else {
        texture->object_count++;
    }
    texture->objects[at].address = address;
    texture->objects[at].object = object;
    texture->base.native = object;
    return STATUS_OK;
}

enum status cuda_texture_load(struct texture *texture, const struct buffer *pixels, struct error *error)
{
    struct cuda_texture *own = (struct cuda_texture *)texture;
    enum status status = cuda_use(texture->device, error);
    if (status != STATUS_OK)
        return status;
    if (!own->apart && pixels->native % own->alignment != 0)
        return fail(error, STATUS_INVALID, "%s: a texture over memory that does not begin at a multiple of %zu",
                    texture->device->id, own->alignment);
    if (!own->apart)
        return show(own, pixels->native, error);
    const struct cuda_copy_rows copy = {
        .from_kind = CU_MEMORYTYPE_DEVICE,
        .from = pixels->native,
        .from_pitch = texture->width * PIXEL_BYTES,
        .to_kind = CU_MEMORYTYPE_DEVICE,
        .to = own->apart,
        .to_pitch = own->pitch_bytes,
        .width_bytes = texture->width * PIXEL_BYTES,
        .height = texture->height,
    };
    CUresult result = cuda.Memcpy2DAsync(&copy, cuda_device_of(texture->device)->stream);
    status = cuda_device_check(texture->device, result, error, "copying pixels into a texture");
    return status == STATUS_OK ? show(own, own->apart, error) : status;
}
