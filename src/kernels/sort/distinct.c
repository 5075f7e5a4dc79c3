/* Equal elements once: the first of each run in a sorted array; and, where there are few distinct ones, a table of
 * them, so that only these are sorted. */
#include "kernels/sort/simd.h"

#define TABLE_LEAST 4096 /* elements that are worth a table */
#define LARGE ((size_t)1 << 15)
#define SMALL_TABLE 12 /* bits */
#define LARGE_TABLE 15
#define SPARSE 3 /* an eighth of a table at most is used, so that most elements are found where they belong */
#define SAMPLE 512
#define SAMPLE_MOST ((size_t)SAMPLE / 16 * 15) /* distinct ones in a sample of as many as the large table takes */

/* ---- in a sorted array ------------------------------------------------------------------------------------------- */

static FOR_EACH_WIDTH uint64_t load(const void *data, size_t i, size_t bytes)
{
    return bytes == 1   ? ((const uint8_t *)data)[i]
           : bytes == 2 ? ((const uint16_t *)data)[i]
                        : word_load(data, i, bytes);
}

static FOR_EACH_WIDTH void store(void *data, size_t i, uint64_t word, size_t bytes)
{
    if (bytes == 1)
        ((uint8_t *)data)[i] = (uint8_t)word;
    else if (bytes == 2)
        ((uint16_t *)data)[i] = (uint16_t)word;
    else
        word_store(data, i, word, bytes);
}

/* Without a branch: whether an element equals the one before it may be hard to predict. */
static FOR_EACH_WIDTH size_t keep_distinct(void *data, size_t count, size_t bytes)
{
    size_t kept = 0;
    uint64_t last = ~load(data, 0, bytes);
    for (size_t i = 0; i < count; i++) {
        const uint64_t word = load(data, i, bytes);
        store(data, kept, word, bytes);
        kept += word != last;
        last = word;
    }
    return kept;
}

static bool is_nan(const struct sorting *sorting, size_t i)
{
    const struct key_order *order = &sorting->order;
    const uint64_t word = load(sorting->data, i, sorting->bytes);
    const uint64_t key =
        sorting->bytes < 4 ? key_of_narrow(word, order, sorting->bytes) : word_key(word, order, sorting->bytes);
    return order->numbers ? key >= order->numbers : key < order->nans;
}

/* One of the NaNs, which are last or first. */
static size_t keep_one_nan(const struct sorting *sorting, size_t kept)
{
    size_t nans = 0;
    if (sorting->order.nans == 0) {
        while (kept > 1 && is_nan(sorting, kept - 2))
            kept--;
        return kept;
    }
    while (nans < kept && is_nan(sorting, nans))
        nans++;
    if (nans <= 1)
        return kept;
    memmove(sorting->data, (char *)sorting->data + (nans - 1) * sorting->bytes, (kept - nans + 1) * sorting->bytes);
    return kept - nans + 1;
}

static size_t keep_distinct_of(const struct sorting *sorting)
{
    const struct sort_level *level = sort_level();
    if (sorting->bytes >= 4 && level && level->keep_distinct)
        return level->keep_distinct(sorting->data, sorting->count, sorting->bytes);
    switch (sorting->bytes) {
    case 1:
        return keep_distinct(sorting->data, sorting->count, 1);
    case 2:
        return keep_distinct(sorting->data, sorting->count, 2);
    default:
        return CALL_FOR_BYTES(sorting->bytes, keep_distinct, sorting->data, sorting->count);
    }
}

void sort_finish(const struct run *run, const struct sorting *sorting)
{
    if (!sort_is_unique(run->problem))
        return;
    uint64_t *distinct = run->buffers[1].host;
    *distinct = sorting->count == 0 ? 0 : keep_distinct_of(sorting);
    if (*distinct > 0 && (sorting->order.numbers || sorting->order.nans))
        *distinct = keep_one_nan(sorting, *distinct);
}

/* ---- few distinct ones ------------------------------------------------------------------------------------------- */

/* Of few elements a table of a small cache, else one of the second-level cache. */
static unsigned table_bits(size_t count)
{
    return count < LARGE ? SMALL_TABLE : LARGE_TABLE;
}

size_t sort_table_bytes(const struct problem *problem)
{
    const size_t count = (size_t)problem->values[SORT_N].size, bytes = element_info(problem->type)->bytes;
    return sort_is_unique(problem) && count >= TABLE_LEAST ? bytes << table_bits(count) : 0;
}

/* A table of 2^bits elements; the first one of the data fills the empty places. */
struct table {
    void *elements;
    unsigned bits;
};

/* Puts every `step`-th element into a table. Returns the number of distinct ones; it stops at the first beyond `most`,
 * and returns more than `most`. */
static FOR_EACH_WIDTH size_t fill_table(const struct table *table, const struct sorting *sorting, size_t step,
                                        size_t most, size_t bytes)
{
    const uint64_t first = word_load(sorting->data, 0, bytes);
    const size_t mask = ((size_t)1 << table->bits) - 1;
    size_t distinct = 1;
    for (size_t i = 0; i <= mask; i++)
        word_store(table->elements, i, first, bytes);
    for (size_t i = 0; i < sorting->count && distinct <= most; i += step) {
        const uint64_t word = word_load(sorting->data, i, bytes);
        size_t place = (size_t)((word * 0x9E3779B97F4A7C15u) >> (64 - table->bits));
        for (uint64_t there; (there = word_load(table->elements, place, bytes)) != word;) {
            if (there == first) {
                word_store(table->elements, place, word, bytes);
                distinct++;
                break;
            }
            place = (place + 1) & mask;
        }
    }
    return distinct;
}

static FOR_EACH_WIDTH size_t gather_few(const struct sorting *sorting, size_t bytes)
{
    const struct table table = {sorting->scratch, table_bits(sorting->count)};
    const struct table small = {sorting->scratch, SMALL_TABLE};
    const uint64_t first = word_load(sorting->data, 0, bytes);
    const size_t most = (size_t)1 << table.bits >> SPARSE;
    size_t gathered = 1;
    if (fill_table(&small, sorting, sorting->count / SAMPLE, SAMPLE_MOST, bytes) > SAMPLE_MOST ||
        fill_table(&table, sorting, 1, most, bytes) > most)
        return sorting->count;
    for (size_t i = 0; i >> table.bits == 0; i++) {
        const uint64_t word = word_load(table.elements, i, bytes);
        if (word != first)
            word_store(sorting->data, gathered++, word, bytes);
    }
    return gathered;
}

size_t sort_gather_few(const struct sorting *sorting)
{
    return CALL_FOR_BYTES(sorting->bytes, gather_few, sorting);
}
