#include "files/npy_floats.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "files/npy_type.h"

enum status floats_check(struct floats *floats, int least, int most, const char *kind, struct error *error)
{
    const struct npy_array *array = &floats->file;
    const struct npy_layout *layout = &array->layout;
    char type[32];
    if (layout->rank < least || layout->rank > most)
        return fail(error, STATUS_INVALID, "%s: is of rank %d; %s was expected", array->path, layout->rank, kind);
    if (layout->kind != 'f' || layout->item_bytes > 8)
        return fail(error, STATUS_INVALID, "%s: is of type %s; float16, float32 or float64 was expected", array->path,
                    npy_type_text(layout, type, sizeof type));
    floats->type = npy_type_element(layout);
    return STATUS_OK;
}

static enum status swap_bytes(struct floats *floats, struct error *error)
{
    const struct npy_layout *layout = &floats->file.layout;
    if (memory_suffices(layout->bytes, floats->file.path, error) != STATUS_OK)
        return STATUS_INVALID;
    floats->swapped = malloc(layout->bytes ? layout->bytes : 1);
    if (!floats->swapped)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory to turn its byte order", floats->file.path);
    for (size_t i = 0; i < layout->count; i++)
        if (floats->type == ELEMENT_F16)
            ((uint16_t *)floats->swapped)[i] = __builtin_bswap16(((const uint16_t *)floats->file.data)[i]);
        else if (floats->type == ELEMENT_F32)
            ((uint32_t *)floats->swapped)[i] = __builtin_bswap32(((const uint32_t *)floats->file.data)[i]);
        else
            ((uint64_t *)floats->swapped)[i] = __builtin_bswap64(((const uint64_t *)floats->file.data)[i]);
    return STATUS_OK;
}

enum status floats_open(const char *path, int least, int most, const char *kind, struct floats *floats,
                        struct error *error)
{
    enum status status = npy_open(path, &floats->file, error);
    if (status == STATUS_OK)
        status = floats_check(floats, least, most, kind, error);
    if (status != STATUS_OK)
        return status;
    return floats->file.element == ELEMENT_TYPE_COUNT ? swap_bytes(floats, error) : STATUS_OK;
}

void floats_close(struct floats *floats)
{
    free(floats->swapped);
    npy_close(&floats->file);
}

void *floats_data(const struct floats *floats)
{
    return floats->swapped ? floats->swapped : (void *)(uintptr_t)floats->file.data;
}

enum status floats_same_type(const struct floats *a, const struct floats *other, struct error *error)
{
    if (other->type == a->type)
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "%s is of %s and %s of %s: they must be of the same type", a->file.path,
                element_info(a->type)->name, other->file.path, element_info(other->type)->name);
}
