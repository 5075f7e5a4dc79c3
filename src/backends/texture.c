/* Textures: what every backend would have to ask is asked here. */
#include "backends/backend.h"
#include "base/size.h"

enum status texture_create(struct device *device, size_t width, size_t height, struct texture **texture,
                           struct error *error)
{
    *texture = NULL;
    if (!device->backend->texture_create || !device->properties.has_images)
        return fail(error, STATUS_UNAVAILABLE, "%s has no textures", device->id);
    if (width == 0 || height == 0)
        return fail(error, STATUS_INVALID, "a texture of %zu x %zu pixels; both must be at least 1", width, height);
    return device->backend->texture_create(device, width, height, texture, error);
}

void texture_destroy(struct texture *texture)
{
    if (texture)
        texture->device->backend->texture_destroy(texture);
}

enum status texture_load(struct texture *texture, const struct buffer *pixels, struct error *error)
{
    size_t bytes;
    if (pixels->device != texture->device)
        return fail(error, STATUS_INVALID, "a texture of %s is loaded from memory that is not its own",
                    texture->device->id);
    if (!size_multiply(texture->width, texture->height, &bytes) || !size_multiply(bytes, 4, &bytes) ||
        bytes > pixels->bytes)
        return fail(error, STATUS_INVALID, "a texture of %zu x %zu pixels is loaded from a buffer of %zu bytes",
                    texture->width, texture->height, pixels->bytes);
    return texture->device->backend->texture_load(texture, pixels, error);
}
