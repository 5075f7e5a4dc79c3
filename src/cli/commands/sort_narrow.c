#include "cli/commands/sort_narrow.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "files/npy_type.h"

#define VALUES 65536

/* The `place`-th item of `bytes` bytes, as a number of this machine. */
static uint16_t item_at(const void *data, size_t place, size_t bytes, bool swapped)
{
    uint16_t item;
    if (bytes == 1)
        return ((const uint8_t *)data)[place];
    memcpy(&item, (const char *)data + 2 * place, 2);
    return swapped ? __builtin_bswap16(item) : item;
}

static void count_items(const void *data, size_t count, size_t bytes, bool swapped, uint64_t counts[VALUES])
{
    memset(counts, 0, VALUES * sizeof *counts);
#pragma omp parallel for schedule(static) reduction(+ : counts[:VALUES])
    for (size_t i = 0; i < count; i++)
        counts[item_at(data, i, bytes, swapped)]++;
}

/* The bits of the value at a place of the ascending order: of signed numbers, unsigned ones, or halves. */
static uint16_t bits_in_order(uint32_t place, char kind, size_t bytes)
{
    const uint32_t values = bytes == 1 ? 256 : VALUES;
    if (kind == 'i')
        return (uint16_t)((place + values / 2) % values);
    if (kind != 'f')
        return (uint16_t)place;
    /* 0xFC00 … 0x8000 are -infinity … -0; then 0 … infinity; then NaNs without and with a sign. */
    if (place <= 0x7C00)
        return (uint16_t)(0xFC00 - place);
    if (place <= 0x7C00 + 0x8000)
        return (uint16_t)(place - 0x7C01);
    return (uint16_t)(0xFC01 + (place - 0x7C01 - 0x8000));
}

static void write_items(void *target, uint64_t from, uint64_t count, size_t bytes, uint16_t bits, bool swapped)
{
    const uint16_t item = swapped ? __builtin_bswap16(bits) : bits;
    if (bytes == 1)
        memset((char *)target + from, bits, count);
    else
        for (uint64_t i = from; i < from + count; i++)
            memcpy((char *)target + 2 * i, &item, 2);
}

enum status sort_narrow(const struct npy_layout *layout, const void *source, void *target, struct error *error)
{
    const bool swapped = layout->item_bytes == 2 && !npy_type_is_native(layout);
    const size_t bytes = layout->item_bytes;
    uint64_t *counts = malloc(VALUES * sizeof *counts), *after = malloc(VALUES * sizeof *after), from = 0;
    enum status status = counts && after ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "out of memory");
    if (status == STATUS_OK) {
        count_items(source, layout->count, bytes, swapped, counts);
        for (uint32_t place = 0; place < (bytes == 1 ? 256 : VALUES); place++) {
            const uint16_t bits = bits_in_order(place, layout->kind, bytes);
            write_items(target, from, counts[bits], bytes, bits, swapped);
            from += counts[bits];
        }
        count_items(target, layout->count, bytes, swapped, after);
        if (from != layout->count || memcmp(counts, after, VALUES * sizeof *counts) != 0)
            status = STATUS_FAILED;
    }
    free(counts);
    free(after);
    return status;
}
