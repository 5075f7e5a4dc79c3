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

/* ---- the first splits: by all threads ---------------------------------------------------------------------------- */

/* Threads split a piece of the range each, by one pivot. */
struct shared_split {
    const struct ranges *ranges;
    struct sort_range range;
    uint64_t pivot;
    size_t pieces, border, wrong; /* keys below the pivot, and how many of them are behind the border */
    size_t smaller[RANGES_MOST];  /* of each piece: keys below the pivot, which come first in it */
};

static struct sort_range piece_of(const struct shared_split *split, size_t index)
{
    struct sort_range piece = split->range;
    const size_t begin = pool_part(piece.count, split->pieces, index);
    piece.keys = (char *)piece.keys + begin * split->ranges->sorting->bytes;
    piece.count = pool_part(piece.count, split->pieces, index + 1) - begin;
    return piece;
}

static void split_piece(void *context, size_t index, size_t thread)
{
    (void)thread;
    struct shared_split *split = context;
    const struct sorting *sorting = split->ranges->sorting;
    split->smaller[index] =
        split->ranges->level->split_at(piece_of(split, index), &sorting->order, sorting->bytes, split->pivot);
}

struct span {
    size_t begin, end;
};

/* The keys of a piece on the wrong side: greater ones before the border, or smaller ones behind it. */
static struct span wrong_of(const struct shared_split *split, size_t index, bool behind)
{
    const size_t begin = pool_part(split->range.count, split->pieces, index), middle = begin + split->smaller[index],
                 end = pool_part(split->range.count, split->pieces, index + 1), border = split->border;
    const struct span span = behind ? (struct span){begin > border ? begin : border, middle}
                                    : (struct span){middle, size_least(end, border)};
    return span.begin < span.end ? span : (struct span){0, 0};
}

/* From the wrong key of this number on: it and its neighbours. */
static struct span wrong_from(const struct shared_split *split, size_t number, bool behind)
{
    for (size_t i = 0; i < split->pieces; i++) {
        const struct span span = wrong_of(split, i, behind);
        if (number < span.end - span.begin)
            return (struct span){span.begin + number, span.end};
        number -= span.end - span.begin;
    }
    return (struct span){0, 0};
}

static void exchange(char *a, char *b, size_t bytes)
{
    char between[4096];
    for (size_t some; bytes > 0; a += some, b += some, bytes -= some) {
        some = size_least(bytes, sizeof between);
        memcpy(between, a, some);
        memcpy(a, b, some);
        memcpy(b, between, some);
    }
}

/* A piece of the wrong keys: those before the border change places with those behind it. */
static void exchange_piece(void *context, size_t index, size_t thread)
{
    (void)thread;
    const struct shared_split *split = context;
    const size_t bytes = split->ranges->sorting->bytes, last = pool_part(split->wrong, split->pieces, index + 1);
    char *const keys = split->range.keys;
    for (size_t i = pool_part(split->wrong, split->pieces, index), some; i < last; i += some) {
        const struct span before = wrong_from(split, i, false), behind = wrong_from(split, i, true);
        some = size_least(last - i, size_least(before.end - before.begin, behind.end - behind.begin));
        exchange(keys + before.begin * bytes, keys + behind.begin * bytes, some * bytes);
    }
}

/* A range becomes two. */
static void split_by_all(const struct ranges *ranges, struct sort_range range, size_t threads,
                         struct sort_range parts[2])
{
    struct shared_split split = {.ranges = ranges,
                                 .range = range,
                                 .pieces = size_least(size_least(threads, RANGES_MOST), range.count / SPLIT_LEAST)};
    const struct sorting *sorting = ranges->sorting;
    if (split.pieces < 2 || range.depth == 0) {
        ranges->level->split(range, &sorting->order, sorting->bytes, parts);
        return;
    }
    split.pivot = ranges->level->choose_pivot(range, &sorting->order, sorting->bytes);
    parallel_for(split.pieces, threads, split_piece, &split);
    for (size_t i = 0; i < split.pieces; i++)
        split.border += split.smaller[i];
    for (size_t i = 0; i < split.pieces; i++) {
        const struct span wrong = wrong_of(&split, i, true);
        split.wrong += wrong.end - wrong.begin;
    }
    parallel_for(split.pieces, threads, exchange_piece, &split);
    parts[0] = parts[1] = (struct sort_range){.keys = range.keys, .count = split.border, .depth = range.depth - 1};
    parts[1].keys = (char *)range.keys + split.border * sorting->bytes;
    parts[1].count = range.count - split.border;
}

/* Parts that have keys are the next ranges. */
static void take_parts(struct ranges *ranges, size_t parts)
{
    ranges->count = 0;
    for (size_t i = 0; i < parts; i++)
        if (ranges->parts[i].count > 0)
            ranges->range[ranges->count++] = ranges->parts[i];
}

static void split_each(struct ranges *ranges, size_t threads)
{
    for (size_t i = 0; i < ranges->count; i++)
        split_by_all(ranges, ranges->range[i], threads, ranges->parts + 2 * i);
    take_parts(ranges, 2 * ranges->count);
}

static void sort_in_ranges(const struct sorting *sorting, struct sort_range whole, size_t threads)
{
    struct ranges ranges = {.level = sort_level(), .sorting = sorting, .count = 1, .range = {whole}};
    const size_t wanted = size_least(RANGES_PER_THREAD * threads, RANGES_MOST / 4);
    ranges.grain = sorting->count / wanted + 1;
    for (size_t most = 1; most < threads && most < wanted; most *= 2)
        split_each(&ranges, threads);
    if (ranges.count > 0) {
        ranges.room = RANGES_MOST / ranges.count;
        parallel_for(ranges.count, threads, split_one, &ranges);
        take_parts(&ranges, ranges.count * ranges.room);
    }
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
