/* Shared by the rungs of the sort. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels/kernel.h"
#include "kernels/sort/order.h"

/* The fields of a problem, in their order. */
enum sort_field {
    SORT_N,
    SORT_INPUT,
    SORT_ORDER,
    SORT_VALUES,
    SORT_TOP,
    SORT_UNIQUE,
    SORT_NANS,
    SORT_PARTITION,
    SORT_BATCH,
    SORT_STRIDE
};

/* rung.takes of rungs that sort one line, in any order. */
#define SORT_OPTIONS_OF_ONE "order top unique nans partition"

/* The values of the field "values": what else is moved, or made. */
enum sort_values { SORT_NO_VALUES, SORT_U32, SORT_U64, SORT_INDEX32, SORT_INDEX64 };

static inline bool sort_is_descending(const struct problem *problem)
{
    return problem->values[SORT_ORDER].size != 0;
}

/* Whether the order is wanted and the elements stay. */
static inline bool sort_is_argsort(const struct problem *problem)
{
    return problem->values[SORT_VALUES].size >= SORT_INDEX32;
}

/* 4 or 8; 0 without values. */
static inline size_t sort_value_bytes(const struct problem *problem)
{
    static const unsigned char bytes[] = {0, 4, 8, 4, 8};
    return bytes[problem->values[SORT_VALUES].size];
}

/* So many elements are wanted, the first in the order; the others follow in any order. */
static inline size_t sort_top(const struct problem *problem)
{
    const int64_t top = problem->values[SORT_TOP].size, count = problem->values[SORT_N].size;
    return (size_t)(top > 0 && top < count ? top : count);
}

/* Whether equal elements are wanted once. */
static inline bool sort_is_unique(const struct problem *problem)
{
    return problem->values[SORT_UNIQUE].size != 0;
}

/* Whether NaNs come first. */
static inline bool sort_has_nans_first(const struct problem *problem)
{
    return problem->values[SORT_NANS].size != 0;
}

/* So many elements are put first, in any order but their last, which is the one of a sorted array; 0: all in order. */
static inline size_t sort_partition(const struct problem *problem)
{
    const int64_t part = problem->values[SORT_PARTITION].size, count = problem->values[SORT_N].size;
    return (size_t)(part < count ? part : count);
}

/* Lines: element i of line b * stride + s is the array's element (b * n + i) * stride + s. */
static inline size_t sort_line_count(const struct problem *problem)
{
    return (size_t)problem->values[SORT_BATCH].size * (size_t)problem->values[SORT_STRIDE].size;
}

/* The problem of one line. */
static inline struct problem sort_one_line(const struct problem *problem)
{
    struct problem one = *problem;
    one.values[SORT_BATCH].size = one.values[SORT_STRIDE].size = 1;
    return one;
}

static inline struct key_order sort_key_order(const struct problem *problem)
{
    struct key_order order = key_order(problem->type);
    if (sort_is_descending(problem))
        order = key_order_reversed(order);
    return sort_has_nans_first(problem) ? key_order_nans_first(order, element_info(problem->type)->bytes) : order;
}

/* The arguments of a run on the cpu: `count` elements of `bytes` bytes (4 or 8 but for rungs that take narrower ones),
 * sorted in place. */
struct sorting {
    void *data;
    void *scratch; /* the scratch memory that the rung requested; NULL without a request */
    size_t count;
    size_t bytes;
    struct key_order order;
};

static inline struct sorting sorting_of(const struct run *run)
{
    return (struct sorting){
        .data = run->buffers[0].host,
        .scratch = run->scratch ? run->scratch->host : NULL,
        .count = run->arrays[0].cols,
        .bytes = element_info(run->problem->type)->bytes,
        .order = sort_key_order(run->problem),
    };
}

/* A function written once for both widths: it is declared with this attribute, has `bytes` as its last parameter and
 * touches elements through the functions below; CALL_FOR_BYTES then makes tight code for each width. */
#define FOR_EACH_WIDTH inline __attribute__((always_inline))
#define CALL_FOR_BYTES(bytes, function, ...) ((bytes) == 4 ? (function)(__VA_ARGS__, 4) : (function)(__VA_ARGS__, 8))

/* Of any alignment. */
static FOR_EACH_WIDTH uint64_t word_load(const void *data, size_t index, size_t bytes)
{
    uint32_t narrow;
    uint64_t wide;
    if (bytes == 4)
        memcpy(&narrow, (const char *)data + index * 4, 4);
    else
        memcpy(&wide, (const char *)data + index * 8, 8);
    return bytes == 4 ? narrow : wide;
}

static FOR_EACH_WIDTH void word_store(void *data, size_t index, uint64_t word, size_t bytes)
{
    uint32_t narrow = (uint32_t)word;
    if (bytes == 4)
        memcpy((char *)data + index * 4, &narrow, 4);
    else
        memcpy((char *)data + index * 8, &word, 8);
}

static FOR_EACH_WIDTH uint64_t word_key(uint64_t bits, const struct key_order *order, size_t bytes)
{
    return bytes == 4 ? key_of_32((uint32_t)bits, order) : key_of_64(bits, order);
}

static FOR_EACH_WIDTH uint64_t word_bits(uint64_t key, const struct key_order *order, size_t bytes)
{
    return bytes == 4 ? bits_of_32((uint32_t)key, order) : bits_of_64(key, order);
}

/* What comes after the sort itself: distinct elements are put first and counted, where that is wanted. */
void sort_finish(const struct run *run, const struct sorting *sorting);

/* Where distinct elements of 4 or 8 bytes are wanted, and there are few: puts them first, in any order, and returns how
 * many they are. Where there are many: the count of all, which are as they were. `sorting->scratch` has
 * sort_table_bytes bytes; 0: there are too few elements to look. */
size_t sort_gather_few(const struct sorting *sorting);
size_t sort_table_bytes(const struct problem *problem);

/* Elements become keys and keys elements, from `source` to `target` (which may be the same), with OpenMP's threads. */
void keys_from_elements(const struct sorting *sorting, void *target, const void *source);
void elements_from_keys(const struct sorting *sorting, void *target, const void *source);

/* The smallest power of two that is not below `count`; 1 for 0. */
static inline size_t sort_power_of_two(size_t count)
{
    size_t power = 1;
    while (power < count)
        power *= 2;
    return power;
}

/* kernel->split (split.c). */
const char *sort_split(const struct problem *problem, size_t index, size_t count, struct job_part *part, char *reason,
                       size_t size);

/* kernel->plain (plain.c). */
extern const struct plain_signature sort_plain;
