/* Every thread sorts a part with qsort; then neighbouring runs are merged, until one is left. All threads take part in
 * each merge: a merge is cut into pieces of equal length by searching for the cuts in both runs (the "merge path" of
 * Odeh, Green, Mwassi, Shmueli and Birk, 2012). */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/sort/sort.h"

/* Fewer keys than these are not worth another thread. */
#define KEYS_PER_THREAD ((size_t)1 << 12)

static int compare_32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int compare_64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Two runs side by side: keys [begin, middle) and [middle, end). */
struct merge {
    const void *source;
    void *target;
    size_t begin, middle, end;
};

/* How many of the first `length` keys of the merged run come from its first half: the cut where nothing before it is
 * greater than anything behind it. */
static FOR_EACH_WIDTH size_t cut(const struct merge *merge, size_t length, size_t bytes)
{
    size_t first = merge->middle - merge->begin, second = merge->end - merge->middle;
    size_t low = length > second ? length - second : 0, high = length < first ? length : first;
    /* begin cut */
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (word_load(merge->source, merge->begin + mid, bytes) >
            word_load(merge->source, merge->middle + length - mid - 1, bytes))
            high = mid;
        else
            low = mid + 1;
    }
    /* end cut */
    return low;
}

/* Makes the merged run's keys from `from` to `to`. */
static FOR_EACH_WIDTH int merge_piece(const struct merge *merge, size_t from, size_t to, size_t bytes)
{
    size_t a = merge->begin + cut(merge, from, bytes), a_end = merge->begin + cut(merge, to, bytes);
    size_t b = merge->middle + from - (a - merge->begin), b_end = merge->middle + to - (a_end - merge->begin);
    size_t out = merge->begin + from;
    while (a < a_end && b < b_end) {
        uint64_t x = word_load(merge->source, a, bytes), y = word_load(merge->source, b, bytes);
        bool second = y < x;
        word_store(merge->target, out++, second ? y : x, bytes);
        a += !second;
        b += second;
    }
    for (; a < a_end; a++)
        word_store(merge->target, out++, word_load(merge->source, a, bytes), bytes);
    for (; b < b_end; b++)
        word_store(merge->target, out++, word_load(merge->source, b, bytes), bytes);
    return 0;
}

/* Run `index` of `runs` begins here. */
static size_t run_begin(size_t count, size_t runs, size_t index)
{
    return count / runs * index + (index < count % runs ? index : count % runs);
}

/* Merges runs that are `width` of the first ones long, in pairs. */
static void merge_all(const struct sorting *sorting, const void *source, void *target, size_t runs, size_t width)
{
    size_t pieces = (size_t)omp_get_max_threads();
    for (size_t run = 0; run < runs; run += 2 * width) {
        size_t middle = run + width < runs ? run + width : runs, end = middle + width < runs ? middle + width : runs;
        struct merge merge = {source, target, run_begin(sorting->count, runs, run),
                              run_begin(sorting->count, runs, middle), run_begin(sorting->count, runs, end)};
        size_t length = merge.end - merge.begin;
#pragma omp parallel for schedule(static)
        for (size_t piece = 0; piece < pieces; piece++) {
            size_t from = run_begin(length, pieces, piece), to = run_begin(length, pieces, piece + 1);
            CALL_FOR_BYTES(sorting->bytes, merge_piece, &merge, from, to);
        }
    }
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)device, (void)parameters;
    return (size_t)problem_size(problem, "n") * element_info(problem->type)->bytes;
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct sorting sorting = sorting_of(run);
    size_t runs = (size_t)omp_get_max_threads(), most = sorting.count / KEYS_PER_THREAD + 1;
    runs = runs < most ? runs : most;
    keys_from_elements(&sorting, sorting.data, sorting.data);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < runs; i++) {
        size_t begin = run_begin(sorting.count, runs, i), end = run_begin(sorting.count, runs, i + 1);
        qsort((char *)sorting.data + begin * sorting.bytes, end - begin, sorting.bytes,
              sorting.bytes == 4 ? compare_32 : compare_64);
    }
    void *source = sorting.data, *target = sorting.scratch;
    for (size_t width = 1; width < runs; width *= 2) {
        merge_all(&sorting, source, target, runs, width);
        void *merged = target;
        target = source;
        source = merged;
    }
    elements_from_keys(&sorting, sorting.data, source);
    return STATUS_OK;
}

const struct rung sort_parallel = {
    .name = "parallel",
    .idea = "every thread sorts a part with qsort, then all threads merge the parts, each its piece of every merge",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .takes = "order",
    .scratch = scratch,
    .enqueue = enqueue,
};
