/* Tile maps: what every backend would have to ask is asked here. */
#include "backends/backend.h"
#include "base/size.h"

#define ALIGNMENT 16
#define SIDE_MOST ((size_t)1 << 31)

static bool is_within(const struct buffer *buffer, const struct tile_map_shape *shape)
{
    size_t bytes, width;
    if (shape->rows == 0 || shape->cols == 0 || shape->rows > SIDE_MOST || shape->cols > SIDE_MOST)
        return false;
    return size_multiply(shape->rows - 1, shape->row_bytes, &bytes) &&
           size_multiply(shape->cols, element_info(shape->type)->bytes, &width) && size_add(bytes, width, &bytes) &&
           size_add(bytes, shape->offset, &bytes) && bytes <= buffer->bytes;
}

enum status tile_map_make(const struct buffer *buffer, const struct tile_map_shape *shape, struct tile_map *map,
                          struct error *error)
{
    const struct device *device = buffer->device;
    if (!device->backend->tile_map)
        return fail(error, STATUS_UNAVAILABLE, "%s has no copy engine for tiles", device->id);
    if (shape->offset % ALIGNMENT != 0 || shape->row_bytes % ALIGNMENT != 0)
        return fail(error, STATUS_INVALID, "a tile map at byte %zu, of rows of %zu bytes: both must be multiples of %d",
                    shape->offset, shape->row_bytes, ALIGNMENT);
    if (!is_within(buffer, shape))
        return fail(error, STATUS_INVALID, "a tile map of %zu x %zu elements is not within a buffer of %zu bytes",
                    shape->rows, shape->cols, buffer->bytes);
    return device->backend->tile_map(buffer, shape, map, error);
}
