/* Elements of 8 and 16 bits: how often each key occurs says all. The counts are added up, and the elements written
 * anew. */
#include <string.h>

#include "base/message.h"
#include "base/pool.h"
#include "base/size.h"
#include "kernels/sort/sort.h"

/* Fewer keys than these are not worth another thread. */
#define KEYS_PER_THREAD 262144.0

/* Fewer elements of 16 bits than these are sorted 8 bits at a time: clearing and adding up 65536 counts costs more. */
#define FEW 65536
#define DIGITS 256

/* One thread's counts; a key's first place; and who shares the work. */
struct counting {
    struct sorting sorting;
    size_t *counts; /* of each part, one after another */
    size_t parts, keys;
};

static size_t keys_of(size_t bytes)
{
    return (size_t)1 << 8 * bytes;
}

static void count_part(void *context, size_t part, size_t thread)
{
    (void)thread;
    const struct counting *counting = context;
    const struct sorting *sorting = &counting->sorting;
    size_t *counts = counting->counts + part * counting->keys;
    const size_t end = pool_part(sorting->count, counting->parts, part + 1);
    memset(counts, 0, counting->keys * sizeof *counts);
    for (size_t i = pool_part(sorting->count, counting->parts, part); i < end; i++)
        counts[sorting->bytes == 1 ? ((const uint8_t *)sorting->data)[i] : ((const uint16_t *)sorting->data)[i]]++;
}

/* Writes those of the keys of one part; each begins where counts[key] of the first part says. */
static void write_part(void *context, size_t part, size_t thread)
{
    (void)thread;
    const struct counting *counting = context;
    const struct sorting *sorting = &counting->sorting;
    const size_t end = pool_part(counting->keys, counting->parts, part + 1);
    for (size_t key = pool_part(counting->keys, counting->parts, part); key < end; key++) {
        const size_t from = counting->counts[key],
                     to = key + 1 < counting->keys ? counting->counts[key + 1] : sorting->count;
        const uint64_t bits = bits_of_narrow(key, &sorting->order, sorting->bytes);
        if (sorting->bytes == 1)
            memset((uint8_t *)sorting->data + from, (int)bits, to - from);
        else
            for (size_t i = from; i < to; i++)
                ((uint16_t *)sorting->data)[i] = (uint16_t)bits;
    }
}

/* Elements were counted by their bits: now in the order of keys, and added up over parts. */
static void sum_up(const struct counting *counting, size_t *places)
{
    size_t place = 0;
    for (size_t key = 0; key < counting->keys; key++) {
        const size_t bits = (size_t)bits_of_narrow(key, &counting->sorting.order, counting->sorting.bytes);
        places[key] = place;
        for (size_t part = 0; part < counting->parts; part++)
            place += counting->counts[part * counting->keys + bits];
    }
}

/* Each digit's count becomes the place of its first key. */
static void add_up(size_t places[DIGITS])
{
    size_t place = 0;
    for (size_t digit = 0; digit < DIGITS; digit++) {
        const size_t count = places[digit];
        places[digit] = place;
        place += count;
    }
}

static void sort_few(const struct sorting *sorting, uint16_t *between)
{
    uint16_t *data = sorting->data;
    size_t low[DIGITS] = {0}, high[DIGITS] = {0};
    for (size_t i = 0; i < sorting->count; i++) {
        data[i] = (uint16_t)key_of_narrow(data[i], &sorting->order, sizeof *data);
        low[data[i] % DIGITS]++;
        high[data[i] / DIGITS]++;
    }
    add_up(low);
    add_up(high);
    for (size_t i = 0; i < sorting->count; i++)
        between[low[data[i] % DIGITS]++] = data[i];
    for (size_t i = 0; i < sorting->count; i++)
        data[high[between[i] / DIGITS]++] = (uint16_t)bits_of_narrow(between[i], &sorting->order, sizeof *data);
}

static size_t parts_for(size_t count)
{
    return pool_threads_for((double)count, KEYS_PER_THREAD);
}

/* A table of counts for each part, and one of places. */
static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)device, (void)parameters;
    const size_t keys = keys_of(element_info(problem->type)->bytes);
    return (parts_for((size_t)problem->values[0].size) + 1) * keys * sizeof(size_t);
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct counting counting = {.sorting = sorting_of(run)};
    if (counting.sorting.bytes == 2 && counting.sorting.count < FEW) {
        sort_few(&counting.sorting, run->scratch->host);
        sort_finish(run, &counting.sorting);
        return STATUS_OK;
    }
    counting.keys = keys_of(counting.sorting.bytes);
    const size_t room = run->scratch->bytes / sizeof(size_t) / counting.keys - 1;
    counting.parts = size_least(parts_for(counting.sorting.count), room);
    size_t *places = run->scratch->host;
    counting.counts = places + counting.keys;
    parallel_for(counting.parts, counting.parts, count_part, &counting);
    sum_up(&counting, places);
    counting.counts = places;
    parallel_for(counting.parts, counting.parts, write_part, &counting);
    sort_finish(run, &counting.sorting);
    return STATUS_OK;
}

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters;
    const size_t bytes = element_info(problem->type)->bytes;
    if (sort_value_bytes(problem))
        return explain(reason, size, "moves no values with the elements, and makes no indices");
    return bytes > 2 ? explain(reason, size, "counts the keys of 8 or 16 bits; there are too many of %zu", 8 * bytes)
                     : NULL;
}

const struct rung sort_counting = {
    .name = "counting",
    .idea = "8 or 16 bits: the keys are counted, and written anew in order",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .rests_soon = true,
    .takes = SORT_OPTIONS_OF_ONE " u8 i8 u16 i16 f16 bf16",
    .supports = supports,
    .scratch = scratch,
    .enqueue = enqueue,
};
