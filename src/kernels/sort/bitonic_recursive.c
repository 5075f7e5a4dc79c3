/* Batcher's bitonic sort (1968) in its recursive form, made fit for any length as H. W. Lang describes it ("Bitonic
 * sorting network for n not a power of 2"): where the length is odd the halves differ by one, and a merge of n elements
 * compares across the greatest power of two below n. */
#include "kernels/sort/sort.h"

static FOR_EACH_WIDTH void compare(void *data, size_t i, size_t j, bool ascending, size_t bytes)
{
    uint64_t a = word_load(data, i, bytes), b = word_load(data, j, bytes);
    if ((a > b) == ascending) {
        word_store(data, i, b, bytes);
        word_store(data, j, a, bytes);
    }
}

#define RECURSION(bits)                                                              \
    static void merge_##bits(void *keys, size_t begin, size_t count, bool ascending) \
    {                                                                                \
        if (count < 2)                                                               \
            return;                                                                  \
        size_t half = sort_power_of_two(count) / 2;                                  \
        for (size_t i = begin; i < begin + count - half; i++)                        \
            compare(keys, i, i + half, ascending, (bits) / 8);                       \
        merge_##bits(keys, begin, half, ascending);                                  \
        merge_##bits(keys, begin + half, count - half, ascending);                   \
    }                                                                                \
    static void sort_##bits(void *keys, size_t begin, size_t count, bool ascending)  \
    {                                                                                \
        if (count < 2)                                                               \
            return;                                                                  \
        size_t half = count / 2;                                                     \
        sort_##bits(keys, begin, half, !ascending);                                  \
        sort_##bits(keys, begin + half, count - half, ascending);                    \
        merge_##bits(keys, begin, count, ascending);                                 \
    }
RECURSION(32)
RECURSION(64)

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct sorting sorting = sorting_of(run);
    keys_from_elements(&sorting, sorting.data, sorting.data);
    (sorting.bytes == 4 ? sort_32 : sort_64)(sorting.data, 0, sorting.count, true);
    elements_from_keys(&sorting, sorting.data, sorting.data);
    return STATUS_OK;
}

const struct rung sort_bitonic_recursive = {
    .name = "bitonic-recursive",
    .idea = "sort one half down and the other up, then merge what rises and falls: compare across half the length, "
            "and again in each half",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .takes = "order",
    .enqueue = enqueue,
};
