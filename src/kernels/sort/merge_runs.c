/* All threads take part in each merge: each makes a piece of the result, of equal length, and searches for its cuts in
 * both runs (the "merge path" of Odeh, Green, Mwassi, Shmueli and Birk, 2012). */
#include "kernels/sort/merge_runs.h"

#include <omp.h>

/* Two runs side by side, [begin, middle) and [middle, end). */
struct pair {
    const struct key_order *order;
    const void *source;
    void *target;
    size_t begin, middle, end;
};

static FOR_EACH_WIDTH uint64_t key_at(const struct pair *pair, size_t index, size_t bytes)
{
    return word_key(word_load(pair->source, index, bytes), pair->order, bytes);
}

/* How many of the first `length` elements of the merged run come from its first half: the cut where nothing before it
 * is greater than anything behind it. */
static FOR_EACH_WIDTH size_t cut(const struct pair *pair, size_t length, size_t bytes)
{
    size_t first = pair->middle - pair->begin, second = pair->end - pair->middle;
    size_t low = length > second ? length - second : 0, high = length < first ? length : first;
    /* begin cut */
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (key_at(pair, pair->begin + mid, bytes) > key_at(pair, pair->middle + length - mid - 1, bytes))
            high = mid;
        else
            low = mid + 1;
    }
    /* end cut */
    return low;
}

/* Makes the merged run's elements from `from` to `to`. */
static FOR_EACH_WIDTH int merge_piece(const struct pair *pair, size_t from, size_t to, size_t bytes)
{
    size_t a = pair->begin + cut(pair, from, bytes), a_end = pair->begin + cut(pair, to, bytes);
    size_t b = pair->middle + from - (a - pair->begin), b_end = pair->middle + to - (a_end - pair->begin);
    size_t out = pair->begin + from;
    while (a < a_end && b < b_end) {
        uint64_t x = word_load(pair->source, a, bytes), y = word_load(pair->source, b, bytes);
        bool second = word_key(y, pair->order, bytes) < word_key(x, pair->order, bytes);
        word_store(pair->target, out++, second ? y : x, bytes);
        a += !second;
        b += second;
    }
    memcpy((char *)pair->target + out * bytes, (const char *)pair->source + a * bytes, (a_end - a) * bytes);
    out += a_end - a;
    memcpy((char *)pair->target + out * bytes, (const char *)pair->source + b * bytes, (b_end - b) * bytes);
    return 0;
}

static size_t run_begin(const struct run_merge *merge, size_t index)
{
    index = index < merge->runs ? index : merge->runs;
    return merge->starts ? merge->starts[index] : even_run_begin(merge->count, merge->runs, index);
}

/* The thread's piece, [from, to), of one pass: runs that are `width` of the first ones long are merged in pairs. */
static void merge_part(const struct run_merge *merge, const void *source, void *target, size_t width, size_t from,
                       size_t to)
{
    for (size_t run = 0; run < merge->runs; run += 2 * width) {
        struct pair pair = {&merge->order,
                            source,
                            target,
                            run_begin(merge, run),
                            run_begin(merge, run + width),
                            run_begin(merge, run + 2 * width)};
        size_t begin = from > pair.begin ? from : pair.begin, end = to < pair.end ? to : pair.end;
        if (begin < end)
            CALL_FOR_BYTES(merge->bytes, merge_piece, &pair, begin - pair.begin, end - pair.begin);
    }
}

void *merge_runs(const struct run_merge *merge, void *source, void *other)
{
    for (size_t width = 1; width < merge->runs; width *= 2) {
#pragma omp parallel
        {
            size_t threads = (size_t)omp_get_num_threads(), thread = (size_t)omp_get_thread_num();
            merge_part(merge, source, other, width, even_run_begin(merge->count, threads, thread),
                       even_run_begin(merge->count, threads, thread + 1));
        }
        void *merged = other;
        other = source;
        source = merged;
    }
    return source;
}
