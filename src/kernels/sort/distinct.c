/* The first of each run of equal elements, in a sorted array. */
#include "kernels/sort/sort.h"

static FOR_EACH_WIDTH size_t keep_distinct(void *data, size_t count, const struct key_order *order, size_t bytes)
{
    size_t kept = 0;
    uint64_t last = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t word = bytes == 1   ? ((const uint8_t *)data)[i]
                              : bytes == 2 ? ((const uint16_t *)data)[i]
                                           : word_load(data, i, bytes);
        const uint64_t key = bytes < 4 ? key_of_narrow(word, order, bytes) : word_key(word, order, bytes);
        const uint64_t known = key_alike(key, order);
        if (i > 0 && known == last)
            continue;
        last = known;
        if (bytes == 1)
            ((uint8_t *)data)[kept++] = (uint8_t)word;
        else if (bytes == 2)
            ((uint16_t *)data)[kept++] = (uint16_t)word;
        else
            word_store(data, kept++, word, bytes);
    }
    return kept;
}

void sort_finish(const struct run *run, const struct sorting *sorting)
{
    if (!sort_is_unique(run->problem))
        return;
    uint64_t *distinct = run->buffers[1].host;
    void *data = sorting->data;
    const struct key_order *order = &sorting->order;
    switch (sorting->bytes) {
    case 1:
        *distinct = keep_distinct(data, sorting->count, order, 1);
        break;
    case 2:
        *distinct = keep_distinct(data, sorting->count, order, 2);
        break;
    case 4:
        *distinct = keep_distinct(data, sorting->count, order, 4);
        break;
    default:
        *distinct = keep_distinct(data, sorting->count, order, 8);
    }
}
