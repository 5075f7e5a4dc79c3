/* Keys with values, or the order of keys: least significant digit first, as radix does, and every value moves with its
 * key. Elements that are alike keep their order. Passes of a digit that all keys share are left out.
 *
 * The order of wider keys than 16 bits is found in words (order_words.h). */
#include <string.h>

#include "backends/cpu/cpu.h"
#include "base/message.h"
#include "base/pool.h"
#include "base/size.h"
#include "kernels/sort/order_words.h"

#define DIGITS 256
/* Fewer keys than these are not worth another thread. */
#define KEYS_PER_THREAD 16384.0

/* The keys and the values of a pass's source or target. */
struct side {
    void *keys, *values;
};

/* One part of the keys in a pass: how many have each digit, then where the next of them goes. */
struct part {
    size_t places[DIGITS];
};

struct pairs {
    struct key_order order;
    struct side from, to;
    struct part *part;
    size_t count, parts, key_bytes, value_bytes;
    unsigned shift;
    bool is_first; /* of the passes */
    bool numbers;  /* the values are the elements' places, which the first pass makes */
};

/* Written once for all widths; `pairs`' own are constants in each copy. */
#define EACH_WIDTH static inline __attribute__((always_inline))

EACH_WIDTH uint64_t load(const void *data, size_t index, size_t bytes)
{
    return bytes == 1   ? ((const uint8_t *)data)[index]
           : bytes == 2 ? ((const uint16_t *)data)[index]
           : bytes == 4 ? ((const uint32_t *)data)[index]
                        : ((const uint64_t *)data)[index];
}

EACH_WIDTH void store(void *data, size_t index, uint64_t value, size_t bytes)
{
    if (bytes == 1)
        ((uint8_t *)data)[index] = (uint8_t)value;
    else if (bytes == 2)
        ((uint16_t *)data)[index] = (uint16_t)value;
    else if (bytes == 4)
        ((uint32_t *)data)[index] = (uint32_t)value;
    else
        ((uint64_t *)data)[index] = value;
}

EACH_WIDTH uint64_t key_of(const struct key_order *order, uint64_t word, size_t bytes)
{
    const uint64_t key = bytes < 4    ? key_of_narrow(word, order, bytes)
                         : bytes == 4 ? key_of_32((uint32_t)word, order)
                                      : key_of_64(word, order);
    return key_alike(key, order);
}

EACH_WIDTH size_t digit_of(const struct pairs *pairs, uint64_t word, size_t bytes)
{
    return (size_t)(key_of(&pairs->order, word, bytes) >> pairs->shift) & (DIGITS - 1);
}

EACH_WIDTH void count_keys(const struct pairs *pairs, size_t index, size_t bytes)
{
    struct part *part = &pairs->part[index];
    const size_t end = pool_part(pairs->count, pairs->parts, index + 1);
    memset(part, 0, sizeof *part);
    for (size_t i = pool_part(pairs->count, pairs->parts, index); i < end; i++)
        part->places[digit_of(pairs, load(pairs->from.keys, i, bytes), bytes)]++;
}

EACH_WIDTH void move_pairs(const struct pairs *pairs, size_t index, size_t key_bytes, size_t value_bytes)
{
    struct part *part = &pairs->part[index];
    const size_t end = pool_part(pairs->count, pairs->parts, index + 1);
    for (size_t i = pool_part(pairs->count, pairs->parts, index); i < end; i++) {
        const uint64_t word = load(pairs->from.keys, i, key_bytes);
        const uint64_t value = pairs->is_first && pairs->numbers ? i : load(pairs->from.values, i, value_bytes);
        const size_t place = part->places[digit_of(pairs, word, key_bytes)]++;
        store(pairs->to.keys, place, word, key_bytes);
        store(pairs->to.values, place, value, value_bytes);
    }
}

static void count_part(void *context, size_t index, size_t thread)
{
    (void)thread;
    const struct pairs *pairs = context;
    switch (pairs->key_bytes) {
    case 1:
        return count_keys(pairs, index, 1);
    case 2:
        return count_keys(pairs, index, 2);
    case 4:
        return count_keys(pairs, index, 4);
    default:
        return count_keys(pairs, index, 8);
    }
}

static void move_part(void *context, size_t index, size_t thread)
{
    (void)thread;
    const struct pairs *pairs = context;
    switch (pairs->key_bytes + 16 * pairs->value_bytes) {
    case 1 + 16 * 4:
        return move_pairs(pairs, index, 1, 4);
    case 2 + 16 * 4:
        return move_pairs(pairs, index, 2, 4);
    case 4 + 16 * 4:
        return move_pairs(pairs, index, 4, 4);
    case 8 + 16 * 4:
        return move_pairs(pairs, index, 8, 4);
    case 1 + 16 * 8:
        return move_pairs(pairs, index, 1, 8);
    case 2 + 16 * 8:
        return move_pairs(pairs, index, 2, 8);
    case 4 + 16 * 8:
        return move_pairs(pairs, index, 4, 8);
    default:
        return move_pairs(pairs, index, 8, 8);
    }
}

/* From counts to places; false where one digit has all keys, so that nothing would move. */
static bool sum_up(const struct pairs *pairs)
{
    size_t place = 0;
    for (size_t digit = 0; digit < DIGITS; digit++) {
        const size_t begin = place;
        for (size_t part = 0; part < pairs->parts; part++) {
            size_t *at = &pairs->part[part].places[digit], here = *at;
            *at = place;
            place += here;
        }
        if (place - begin == pairs->count)
            return false;
    }
    return true;
}

/* Keys that are alike in all digits were never moved: then numbers are yet to be made. */
static void finish_values(const struct pairs *pairs, void *values)
{
    if (pairs->is_first && pairs->numbers)
        for (size_t i = 0; i < pairs->count; i++)
            store(values, i, i, pairs->value_bytes);
    else if (pairs->from.values != values)
        memcpy(values, pairs->from.values, pairs->count * pairs->value_bytes);
}

/* Scratch memory: a side for keys and values, another one for keys that must stay as they are, and the parts. */
struct room {
    size_t keys, values, all;
};

static size_t round_up(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static struct room room_of(const struct problem *problem)
{
    const size_t count = (size_t)problem->values[0].size, bytes = element_info(problem->type)->bytes;
    struct room room = {.keys = round_up(count * bytes), .values = round_up(count * sort_value_bytes(problem))};
    room.all = room.keys * (sort_is_argsort(problem) ? 2 : 1) + room.values;
    return room;
}

static size_t parts_for(size_t count)
{
    return pool_threads_for((double)count, KEYS_PER_THREAD);
}

/* Bytes of the whole order, where the first indices alone are wanted; else 0. */
static size_t whole_order_bytes(const struct problem *problem)
{
    const size_t count = (size_t)problem->values[SORT_N].size;
    return sort_is_argsort(problem) && sort_top(problem) < count ? round_up(count * sort_value_bytes(problem)) : 0;
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)device, (void)parameters;
    const size_t whole = whole_order_bytes(problem);
    if (order_words_take(problem))
        return whole + order_words_scratch(problem);
    return whole + room_of(problem).all + parts_for((size_t)problem->values[0].size) * sizeof(struct part);
}

static void make_all(const struct run *run)
{
    const struct problem *problem = run->problem;
    const struct sorting sorting = sorting_of(run);
    if (order_words_take(problem)) {
        order_words(run, &sorting);
        return;
    }
    const struct room room = room_of(problem);
    const bool is_argsort = sort_is_argsort(problem);
    char *memory = run->scratch->host;
    void *values = run->buffers[1].host;
    struct side sides[2] = {{is_argsort ? memory + room.keys + room.values : sorting.data, values},
                            {memory, memory + room.keys}};
    struct pairs pairs = {.order = sorting.order,
                          .from = {sorting.data, values},
                          .part = (struct part *)(void *)(memory + room.all),
                          .count = sorting.count,
                          .key_bytes = sorting.bytes,
                          .value_bytes = sort_value_bytes(problem),
                          .is_first = true,
                          .numbers = is_argsort};
    pairs.parts = size_least(parts_for(sorting.count), (run->scratch->bytes - room.all) / sizeof(struct part));
    for (unsigned digit = 0, side = 1; digit < sorting.bytes && sorting.count > 1; digit++) {
        pairs.shift = 8 * digit;
        parallel_for(pairs.parts, pairs.parts, count_part, &pairs);
        if (!sum_up(&pairs))
            continue;
        pairs.to = sides[side];
        parallel_for(pairs.parts, pairs.parts, move_part, &pairs);
        pairs.from = pairs.to;
        pairs.is_first = false;
        side = !side;
    }
    finish_values(&pairs, values);
    if (!is_argsort && pairs.from.keys != sorting.data)
        memcpy(sorting.data, pairs.from.keys, sorting.count * sorting.bytes);
}

/* The first indices are those of the whole order, which is made at the beginning of scratch memory. */
static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    const size_t whole = whole_order_bytes(run->problem);
    if (whole == 0) {
        make_all(run);
        return STATUS_OK;
    }
    struct buffer buffers[2] = {run->buffers[0]}, rest;
    struct run all = *run;
    cpu_wrap(run->device, run->scratch->host, whole, &buffers[1]);
    cpu_wrap(run->device, (char *)run->scratch->host + whole, run->scratch->bytes - whole, &rest);
    all.buffers = buffers;
    all.scratch = &rest;
    make_all(&all);
    memcpy(run->buffers[1].host, buffers[1].host, sort_top(run->problem) * sort_value_bytes(run->problem));
    return STATUS_OK;
}

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters;
    const bool fits = sort_value_bytes(problem) > 4 || !sort_is_argsort(problem) ||
                      (uint64_t)problem->values[0].size <= (uint64_t)1 << 32;
    if (!sort_value_bytes(problem))
        return explain(reason, size, "moves values with the keys, and there are none");
    return fits ? NULL : explain(reason, size, "an index of 32 bits cannot name each element");
}

const struct rung sort_pairs = {
    .name = "pairs",
    .idea = "keys with values, or their order: 8 bits at a time, and every value moves with its key",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .rests_soon = true,
    .takes = SORT_OPTIONS_OF_ONE " values u8 i8 u16 i16 f16 bf16",
    .supports = supports,
    .scratch = scratch,
    .enqueue = enqueue,
};
