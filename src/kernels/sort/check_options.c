/* The judge of a sort with options: orders, values, indices. Shared with no rung. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/translation.h"
#include "kernels/sort/check.h"
#include "kernels/sort/documented_order.h"
#include "kernels/sort/sort.h"

static uint64_t word_of(const void *data, size_t index, size_t bytes)
{
    uint32_t u32;
    uint16_t u16;
    uint64_t u64;
    const char *at = (const char *)data + index * bytes;
    switch (bytes) {
    case 1:
        return *(const unsigned char *)at;
    case 2:
        memcpy(&u16, at, 2);
        return u16;
    case 4:
        memcpy(&u32, at, 4);
        return u32;
    default:
        memcpy(&u64, at, 8);
        return u64;
    }
}

/* An element, by its rank in the order that is wanted, and its place before. */
struct entry {
    int64_t rank;
    uint64_t place;
};

static struct entry entry_at(const struct problem *problem, const void *data, uint64_t place)
{
    const uint64_t word = word_of(data, place, element_info(problem->type)->bytes);
    const struct number_format format = number_format_of(problem->type);
    const int64_t rank = sort_rank(format, word);
    if (format.infinity != 0 && rank == SORT_RANK_NAN && sort_has_nans_first(problem))
        return (struct entry){INT64_MIN, place}; /* before every number's rank */
    return (struct entry){sort_is_descending(problem) ? sort_reversed_rank(format, rank) : rank, place};
}

static int compare(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static void blame(struct check_result *result, size_t at, uint64_t expected, uint64_t actual, const char *what)
{
    *result = (struct check_result){.passed = false, .worst = 1};
    snprintf(result->where, sizeof result->where, "[%zu]", at);
    explain(result->reason, sizeof result->reason, "%s: at %s expected %llu, got %llu", what, result->where,
            (unsigned long long)expected, (unsigned long long)actual);
}

/* Strictly ascending pairs of rank and place: each place occurs once. Before the last of them are no others. */
static void check_indices(const struct problem *problem, const void *keys, const void *indices, size_t count,
                          struct check_result *result)
{
    const size_t bytes = sort_value_bytes(problem), top = sort_top(problem);
    struct entry last = {INT64_MIN, 0};
    *result = (struct check_result){.passed = true};
    for (size_t i = 0; i < top; i++) {
        const uint64_t place = word_of(indices, i, bytes);
        if (place >= count) {
            blame(result, i, count - 1, place, N_("an index beyond the last element"));
            return;
        }
        const struct entry entry = entry_at(problem, keys, place);
        if (i > 0 && compare(&last, &entry) >= 0) {
            blame(result, i, last.place, place,
                  N_("the indices are out of order, or those of equal elements are: its index must come later"));
            return;
        }
        last = entry;
    }
    size_t before = 0;
    for (size_t i = 0; i < count && top < count; i++) {
        const struct entry entry = entry_at(problem, keys, i);
        before += compare(&entry, &last) < 0;
    }
    if (top < count && before != top - 1)
        blame(result, top - 1, top - 1, before, N_("elements that are before the last of the first ones"));
}

/* The stable order is unique, so keys and values must be those of a sort of the places. */
static void check_values(const struct problem *problem, struct host_arrays input, struct host_arrays output,
                         size_t count, struct check_result *result)
{
    const size_t key_bytes = element_info(problem->type)->bytes, value_bytes = sort_value_bytes(problem);
    struct entry *entries = malloc(count * sizeof *entries + 1);
    *result = (struct check_result){.passed = entries != NULL};
    if (!entries) {
        check_unfinished(result);
        return;
    }
    for (size_t i = 0; i < count; i++)
        entries[i] = entry_at(problem, input.data[0], i);
    qsort(entries, count, sizeof *entries, compare);
    for (size_t i = 0; result->passed && i < count; i++) {
        const uint64_t key = word_of(input.data[0], entries[i].place, key_bytes),
                       value = word_of(input.data[1], entries[i].place, value_bytes);
        if (word_of(output.data[0], i, key_bytes) != key)
            blame(result, i, key, word_of(output.data[0], i, key_bytes), N_("the bits of another key"));
        else if (word_of(output.data[1], i, value_bytes) != value)
            blame(result, i, value, word_of(output.data[1], i, value_bytes), N_("the value of another key"));
    }
    free(entries);
}

/* The element that has to be at `at` or before it in the order: its neighbour, or the last of the first ones. */
static size_t one_before(const struct problem *problem, size_t at)
{
    const size_t part = sort_partition(problem), top = part > 0 ? part : sort_top(problem);
    return part > 0 || at >= top ? top - 1 : at - 1;
}

/* The first ones are in order, or where a partition is wanted none behind their last; none of the others belongs before
 * them, and none is another than before. */
static void check_first(const struct problem *problem, const void *input, const void *output, size_t count,
                        struct check_result *result)
{
    const struct multiset before = sort_multiset(problem->type, input, count, false),
                          after = sort_multiset(problem->type, output, count, false);
    *result = (struct check_result){.passed = true};
    if (!multiset_equal(&before, &after)) {
        *result = (struct check_result){.passed = false, .worst = 1};
        explain(result->reason, sizeof result->reason,
                "not a permutation of the input: elements are lost, doubled or changed");
        return;
    }
    for (size_t i = sort_partition(problem) > 0 ? 0 : 1; i < count; i++) {
        const size_t other = one_before(problem, i);
        const size_t first = other < i ? other : i, second = other < i ? i : other;
        if (entry_at(problem, output, first).rank <= entry_at(problem, output, second).rank)
            continue;
        *result = (struct check_result){.passed = false, .worst = 1};
        snprintf(result->where, sizeof result->where, "[%zu]", second);
        explain(result->reason, sizeof result->reason, "the element at %s belongs before that at [%zu]", result->where,
                first);
        return;
    }
}

static bool occurs(const void *data, size_t count, uint64_t word, size_t bytes)
{
    for (size_t i = 0; i < count; i++)
        if (word_of(data, i, bytes) == word)
            return true;
    return false;
}

/* Every rank of the input once, in order; a NaN has the bits of one of them. */
static void check_unique(const struct problem *problem, const void *input, struct host_arrays output, size_t count,
                         struct check_result *result)
{
    const size_t bytes = element_info(problem->type)->bytes;
    struct entry *entries = malloc(count * sizeof *entries + 1);
    uint64_t kept;
    size_t expected = 0;
    *result = (struct check_result){.passed = entries != NULL};
    if (!entries) {
        check_unfinished(result);
        return;
    }
    for (size_t i = 0; i < count; i++)
        entries[i] = entry_at(problem, input, i);
    qsort(entries, count, sizeof *entries, compare);
    memcpy(&kept, output.data[1], sizeof kept);
    for (size_t i = 0; result->passed && i < count; i++) {
        if (i > 0 && entries[i].rank == entries[i - 1].rank)
            continue;
        const uint64_t right = word_of(input, entries[i].place, bytes), word = word_of(output.data[0], expected, bytes);
        const bool is_nan = sort_rank(number_format_of(problem->type), right) == SORT_RANK_NAN;
        if (entry_at(problem, output.data[0], expected).rank != entries[i].rank ||
            (is_nan && !occurs(input, count, word, bytes)))
            blame(result, expected, right, word, N_("the bits of another element"));
        expected++;
    }
    if (result->passed && kept != expected)
        blame(result, 0, expected, kept, N_("the number of distinct elements"));
    free(entries);
}

static void check_line(const struct problem *problem, struct host_arrays input, struct host_arrays output,
                       struct check_result *result)
{
    const size_t count = (size_t)problem->values[SORT_N].size;
    if (sort_is_argsort(problem))
        check_indices(problem, input.data[0], output.data[1], count, result);
    else if (sort_value_bytes(problem))
        check_values(problem, input, output, count, result);
    else if (sort_is_unique(problem))
        check_unique(problem, input.data[0], output, count, result);
    else if (sort_top(problem) < count || sort_partition(problem) > 0 || sort_has_nans_first(problem))
        check_first(problem, input.data[0], output.data[0], count, result);
    else
        sort_check(problem->type, sort_is_descending(problem), input.data[0], output.data[0], count, result);
}

/* ---- lines --------------------------------------------------------------------------------------------------------
 */

static void gather(const struct problem *problem, const char *from, size_t line, size_t bytes, char *to)
{
    const size_t n = (size_t)problem->values[SORT_N].size, stride = (size_t)problem->values[SORT_STRIDE].size;
    for (size_t i = 0; i < n; i++)
        memcpy(to + i * bytes, from + ((line / stride * n + i) * stride + line % stride) * bytes, bytes);
}

/* Copies of one line of each array, in `memory`: four pieces of `piece` bytes. */
static void check_copied(const struct problem *problem, struct host_arrays input, struct host_arrays output,
                         size_t line, char *memory, size_t piece, struct check_result *result)
{
    const struct problem one = sort_one_line(problem);
    const size_t bytes = element_info(problem->type)->bytes, value_bytes = sort_value_bytes(problem);
    struct host_arrays in = {{memory, memory + piece}}, out = {{memory + 2 * piece, memory + 3 * piece}};
    gather(problem, input.data[0], line, bytes, in.data[0]);
    if (!sort_is_argsort(problem))
        gather(problem, output.data[0], line, bytes, out.data[0]);
    if (value_bytes && !sort_is_argsort(problem))
        gather(problem, input.data[1], line, value_bytes, in.data[1]);
    if (value_bytes)
        gather(problem, output.data[1], line, value_bytes, out.data[1]);
    if (sort_is_unique(problem))
        memcpy(out.data[1], (const char *)output.data[1] + line * sizeof(uint64_t), sizeof(uint64_t));
    check_line(&one, in, out, result);
}

void sort_check_options(const struct problem *problem, struct host_arrays input, struct host_arrays output,
                        struct check_result *result)
{
    const size_t lines = sort_line_count(problem),
                 piece = ((size_t)problem->values[SORT_N].size + 1) * sizeof(uint64_t);
    if (lines == 1) {
        check_line(problem, input, output, result);
        return;
    }
    char *memory = malloc(4 * piece);
    *result = (struct check_result){.passed = memory != NULL};
    if (!memory)
        check_unfinished(result);
    for (size_t line = 0; line < lines && result->passed; line++) {
        check_copied(problem, input, output, line, memory, piece, result);
        char reason[sizeof result->reason];
        snprintf(reason, sizeof reason, "%s", result->reason);
        if (!result->passed)
            explain(result->reason, sizeof result->reason, "line %zu: %s", line, reason);
    }
    free(memory);
}
