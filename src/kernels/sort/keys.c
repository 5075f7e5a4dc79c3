#include "kernels/sort/sort.h"

/* Below this, waking threads costs more than the work. */
#define PARALLEL_LEAST ((size_t)1 << 16)

static FOR_EACH_WIDTH void to_keys(void *target, const void *source, size_t count, const struct key_order *order,
                                   size_t bytes)
{
    struct key_order o = *order;
#pragma omp parallel for simd schedule(static) if (count >= PARALLEL_LEAST)
    for (size_t i = 0; i < count; i++)
        word_store(target, i, word_key(word_load(source, i, bytes), &o, bytes), bytes);
}

static FOR_EACH_WIDTH void to_elements(void *target, const void *source, size_t count, const struct key_order *order,
                                       size_t bytes)
{
    struct key_order o = *order;
#pragma omp parallel for simd schedule(static) if (count >= PARALLEL_LEAST)
    for (size_t i = 0; i < count; i++)
        word_store(target, i, word_bits(word_load(source, i, bytes), &o, bytes), bytes);
}

void keys_from_elements(const struct sorting *sorting, void *target, const void *source)
{
    CALL_FOR_BYTES(sorting->bytes, to_keys, target, source, sorting->count, &sorting->order);
}

void elements_from_keys(const struct sorting *sorting, void *target, const void *source)
{
    CALL_FOR_BYTES(sorting->bytes, to_elements, target, source, sorting->count, &sorting->order);
}
