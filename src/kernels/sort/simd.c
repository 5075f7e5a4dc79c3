/* The vectorised quicksort, for processors with AVX-512, AVX2 or NEON. Several threads first split ranges, one each,
 * until there are several for each thread; then they sort them. */
#include "kernels/sort/simd.h"

#include <stdio.h>

#include "backends/cpu/cpu.h"
#include "base/message.h"
#include "base/pool.h"

/* Keys below which another thread costs more time than it saves. */
#define THREAD_KEYS 16384.0
#define RANGES_MOST 512
#define RANGES_PER_THREAD 8

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)problem, (void)device, (void)parameters;
    if (sort_level())
        return NULL;
    explain(reason, size, "needs AVX-512, AVX2 or NEON, and there is %s", cpu_isa_name(cpu_isa()));
    return reason;
}

struct ranges {
    const struct sort_level *level;
    const struct sorting *sorting;
    size_t grain;       /* keys; larger ranges are split */
    size_t count, room; /* for parts of each range */
    struct sort_range range[RANGES_MOST], parts[RANGES_MOST];
};

/* Splits a range until its parts are small, or there is no room for more: the largest ones come last. */
static void split_one(void *context, size_t index, size_t thread)
{
    (void)thread;
    struct ranges *ranges = context;
    struct sort_range *parts = ranges->parts + index * ranges->room;
    size_t count = 1, done = 0;
    parts[0] = ranges->range[index];
    while (done < count && count < ranges->room)
        if (parts[done].count > ranges->grain) {
            const struct sort_range range = parts[done];
            struct sort_range two[2];
            ranges->level->split(range, &ranges->sorting->order, ranges->sorting->bytes, two);
            parts[done] = two[0];
            parts[count++] = two[1];
        } else {
            done++;
        }
    while (count < ranges->room)
        parts[count++].count = 0;
}

static void sort_one(void *context, size_t index, size_t thread)
{
    (void)thread;
    const struct ranges *ranges = context;
    ranges->level->sort(ranges->range[index], &ranges->sorting->order, ranges->sorting->bytes);
}

/* Each range becomes up to `room` of its parts. */
static void split_ranges(struct ranges *ranges, size_t room, size_t threads)
{
    size_t count = 0;
    ranges->room = room;
    parallel_for(ranges->count, threads, split_one, ranges);
    for (size_t i = 0; i < ranges->count * room; i++)
        if (ranges->parts[i].count > 0)
            ranges->range[count++] = ranges->parts[i];
    ranges->count = count;
}

static void sort_in_ranges(const struct sorting *sorting, struct sort_range whole, size_t threads)
{
    struct ranges ranges = {.level = sort_level(), .sorting = sorting, .count = 1, .range = {whole}};
    const size_t wanted = size_least(RANGES_PER_THREAD * threads, RANGES_MOST / 4);
    ranges.grain = sorting->count / wanted + 1;
    for (size_t most = 1; most < threads && most < wanted; most *= 2)
        split_ranges(&ranges, 2, threads);
    if (ranges.count > 0)
        split_ranges(&ranges, RANGES_MOST / ranges.count, threads);
    parallel_for(ranges.count, threads, sort_one, &ranges);
}

/* ---- the first of them ------------------------------------------------------------------------------------------- */

static size_t place_of(const struct sorting *sorting, struct sort_range range)
{
    return (size_t)((char *)range.keys - (char *)sorting->data) / sorting->bytes;
}

static FOR_EACH_WIDTH int write_bits(void *keys, size_t count, const struct key_order *order, size_t bytes)
{
    for (size_t i = 0; i < count; i++)
        word_store(keys, i, word_bits(word_load(keys, i, bytes), order, bytes), bytes);
    return 0;
}

#define SORTED_AT_ONCE 128 /* keys */

static bool contains(const struct sorting *sorting, struct sort_range range, size_t place)
{
    const size_t first = place_of(sorting, range);
    return range.count > 0 && first <= place && place < first + range.count;
}

/* Splits the range in which the last of them lies, until little is left. What is before it is sorted, or left as it is
 * where only their last is wanted in its place; what is behind it is left. */
static void sort_first(const struct sorting *sorting, struct sort_range range, size_t last, bool sorts)
{
    while (range.count > SORTED_AT_ONCE && range.depth > 0) {
        struct sort_range parts[2], next = {.count = 0};
        sort_level()->split(range, &sorting->order, sorting->bytes, parts);
        for (int i = 0; i < 2; i++)
            if (contains(sorting, parts[i], last))
                next = parts[i];
            else if (parts[i].count > 0 && sorts && place_of(sorting, parts[i]) < last)
                sort_level()->sort(parts[i], &sorting->order, sorting->bytes);
            else if (parts[i].count > 0)
                CALL_FOR_BYTES(sorting->bytes, write_bits, parts[i].keys, parts[i].count, &sorting->order);
        range = next;
    }
    if (range.count > 0)
        sort_level()->sort(range, &sorting->order, sorting->bytes);
}

/* All keys of an array; splits may be bad a few times more than good ones take. */
static struct sort_range whole_range(const struct sorting *sorting)
{
    struct sort_range whole = {.keys = sorting->data, .count = sorting->count, .depth = 8, .from_bits = true};
    for (size_t count = sorting->count; count > 0; count /= 2)
        whole.depth += 2;
    return whole;
}

static void adapt_order(struct sorting *sorting)
{
    if (sort_level()->is_signed)
        sorting->order.below += UINT64_C(1) << (8 * sorting->bytes - 1);
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)device, (void)parameters;
    return sort_table_bytes(problem);
}

static void sort_all(const struct sorting *sorting)
{
    const size_t threads = pool_threads_for((double)sorting->count, THREAD_KEYS);
    struct sorting adapted = *sorting;
    adapt_order(&adapted);
    if (threads > 1)
        sort_in_ranges(&adapted, whole_range(&adapted), threads);
    else
        sort_level()->sort(whole_range(&adapted), &adapted.order, adapted.bytes);
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct sorting sorting = sorting_of(run);
    const size_t part = sort_partition(run->problem);
    if (part > 0 || sort_top(run->problem) < sorting.count) {
        adapt_order(&sorting);
        sort_first(&sorting, whole_range(&sorting), (part > 0 ? part : sort_top(run->problem)) - 1, part == 0);
        return STATUS_OK;
    }
    const struct order_map map = {.order = sorting.order, .bytes = sorting.bytes};
    if (!sort_is_unique(run->problem) || !sort_level()->order->in_order(&map, sorting.data, sorting.count)) {
        if (sort_table_bytes(run->problem) > 0)
            sorting.count = sort_gather_few(&sorting);
        sort_all(&sorting);
    }
    sort_finish(run, &sorting);
    return STATUS_OK;
}

const struct rung sort_simd = {
    .name = "simd",
    .idea =
        "quicksort in vectors: they are split by the pivot in registers, and short ranges are sorted there; threads "
        "split, then sort ranges",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .takes = SORT_OPTIONS_OF_ONE,
    .rests_soon = true,
    .supports = supports,
    .scratch = scratch,
    .enqueue = enqueue,
};
