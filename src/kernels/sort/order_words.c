/* The order of keys of 32 and 64 bits. Each key becomes a word, its leading bits above its place; so no two words are
 * alike. The words are put into cells of neighbouring keys, which fit a cache, and each cell is sorted
 * (order_digits.h). Words whose bits of the key are equal, where a key has more, are sorted by the others. */
#include "kernels/sort/order_words.h"

#include <math.h>

#include "base/pool.h"
#include "base/size.h"
#include "kernels/sort/order_digits.h"

/* Fewer words than these are not worth another thread. */
#define WORDS_PER_THREAD 16384.0
#define CELL_BITS_MOST 12
/* From so many words on, which a cache near to the processor has no room for, and where another one may have them, the
 * lines that words are moved to are fetched AHEAD words before. */
#define LARGE ((size_t)1 << 17)
#define AHEAD 8
#define PIECES_PER_THREAD 16
#define LINE ((size_t)64)
/* Elements for each of a sample, which is a block at most; and the part of the sample outside of the cells by value, on
 * each side. */
#define SAMPLED 32
#define OUTSIDE 50

struct ordering {
    const struct order_steps *steps;
    struct order_map map;
    const void *elements;
    uint64_t *words;
    void *places;   /* of 4 or 8 bytes; the words are there, where they have 8 */
    uint32_t *ends; /* of each cell, in each part: how many words, then where the next goes */
    char *desks;    /* of each thread */
    size_t count, parts, pieces, place_bytes;
    bool is_exact; /* a word has all bits in which the keys differ */
};

static size_t cell_count(const struct ordering *ordering)
{
    return (size_t)1 << ordering->map.cell_bits;
}

static const char *element_at(const struct ordering *ordering, size_t place)
{
    return (const char *)ordering->elements + place * ordering->map.bytes;
}

static size_t desk_words(size_t count)
{
    return size_least(count, DESK_WORDS);
}

/* Threads share no line of the caches. */
static size_t whole_lines(size_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

static size_t desk_bytes(size_t count)
{
    return whole_lines(sizeof(struct desk) + desk_words(count) * sizeof(uint64_t));
}

static struct desk *desk_of(const struct ordering *ordering, size_t thread)
{
    return (struct desk *)(void *)(ordering->desks + thread * desk_bytes(ordering->count));
}

/* Words that are alike above their places: by the bits of the keys that are not in them. */
static void sort_ties(const struct ordering *ordering, struct desk *desk, uint64_t *words, size_t count)
{
    const struct order_map *map = &ordering->map;
    const uint64_t mask = ~(UINT64_MAX << map->place_bits);
    const struct key_order *order = &map->order;
    for (size_t i = 0; i < count; i++) {
        const uint64_t place = words[i] & mask, bits = word_load(ordering->elements, place, map->bytes);
        const uint64_t key = key_alike(word_key(bits, order, map->bytes), order) - map->least;
        words[i] = (key << map->up & mask) << (64 - map->place_bits) | place;
    }
    sort_words(ordering->steps, desk, words, count, map->place_bits);
}

/* Puts words right that are in order by their bits above the places, where some of these are equal. */
static void sort_all_ties(const struct ordering *ordering, struct desk *desk, uint64_t *words, size_t count)
{
    const unsigned place_bits = ordering->map.place_bits;
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && (words[to] ^ words[from]) >> place_bits == 0;)
            to++;
        if (to - from > 1)
            sort_ties(ordering, desk, words + from, to - from);
    }
}

/* Sorts words that are to be from `begin` on, and writes their places. */
static void finish_words(const struct ordering *ordering, size_t thread, size_t begin, size_t count)
{
    const unsigned place_bits = ordering->map.place_bits;
    uint64_t *const words = ordering->words + begin;
    struct desk *const desk = desk_of(ordering, thread);
    const uint64_t *sorted = sort_words_anywhere(ordering->steps, desk, words, count, place_bits);
    if (count > 1 && !ordering->is_exact && ordering->steps->has_ties(sorted, count, place_bits)) {
        memmove(words, sorted, count * sizeof *words);
        sort_all_ties(ordering, desk, words, count);
        sorted = words;
    }
    ordering->steps->places(sorted, count, place_bits, (char *)ordering->places + begin * ordering->place_bytes,
                            ordering->place_bytes);
}

/* ---- the range of keys ------------------------------------------------------------------------------------------- */

static void find_range(void *context, size_t part, size_t thread)
{
    (void)thread;
    const struct ordering *ordering = context;
    const size_t begin = pool_part(ordering->count, ordering->parts, part),
                 end = pool_part(ordering->count, ordering->parts, part + 1);
    desk_of(ordering, part)->range = ordering->steps->range(&ordering->map, element_at(ordering, begin), end - begin);
}

static struct key_range range_of_all(struct ordering *ordering)
{
    parallel_for(ordering->parts, ordering->parts, find_range, ordering);
    struct key_range all = desk_of(ordering, 0)->range;
    for (size_t part = 1; part < ordering->parts; part++) {
        const struct key_range here = desk_of(ordering, part)->range;
        all.varying |= here.varying | (here.least ^ all.least);
        all.least = here.least < all.least ? here.least : all.least;
        all.greatest = here.greatest > all.greatest ? here.greatest : all.greatest;
    }
    return all;
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

/* How many elements are in each cell. */
static void count_cells(const struct order_steps *steps, const struct order_map *map, const void *elements,
                        size_t count, uint32_t *ends)
{
    uint32_t cells[ORDER_BLOCK];
    memset(ends, 0, sizeof *ends << map->cell_bits);
    for (size_t i = 0, some; i < count; i += some) {
        some = size_least(ORDER_BLOCK, count - i);
        steps->cells(map, (const char *)elements + i * map->bytes, some, cells);
        for (size_t j = 0; j < some; j++)
            ends[cells[j]]++;
    }
}

/* Moves the words of elements, the first of which is at place `first`, each to the next place of its cell. */
static inline __attribute__((always_inline)) void move_words(const struct ordering *ordering, size_t first,
                                                             size_t count, uint32_t *ends, const size_t ahead)
{
    const struct order_map *map = &ordering->map;
    uint64_t *const target = ordering->words;
    uint32_t cells[ORDER_BLOCK];
    uint64_t words[ORDER_BLOCK];
    for (size_t i = 0, some; i < count; i += some) {
        const void *const here = element_at(ordering, first + i);
        some = size_least(ORDER_BLOCK, count - i);
        ordering->steps->cells(map, here, some, cells);
        ordering->steps->words(map, here, first + i, some, words);
        size_t j = 0;
        for (; j + AT_ONCE <= some; j += AT_ONCE)
            put_words(words + j, cells + j, ends, target, ahead);
        for (; j < some; j++)
            target[ends[cells[j]]++] = words[j];
    }
}

static void count_part(void *context, size_t part, size_t thread)
{
    (void)thread;
    const struct ordering *ordering = context;
    const size_t begin = pool_part(ordering->count, ordering->parts, part),
                 end = pool_part(ordering->count, ordering->parts, part + 1);
    count_cells(ordering->steps, &ordering->map, element_at(ordering, begin), end - begin,
                ordering->ends + (part << ordering->map.cell_bits));
}

static void move_part(void *context, size_t part, size_t thread)
{
    (void)thread;
    const struct ordering *ordering = context;
    const size_t begin = pool_part(ordering->count, ordering->parts, part),
                 end = pool_part(ordering->count, ordering->parts, part + 1);
    uint32_t *const ends = ordering->ends + (part << ordering->map.cell_bits);
    if (ordering->count < LARGE && ordering->parts == 1)
        move_words(ordering, begin, end - begin, ends, 0);
    else
        move_words(ordering, begin, end - begin, ends, AHEAD);
}

static void finish_piece(void *context, size_t piece, size_t thread)
{
    const struct ordering *ordering = context;
    const size_t cells = cell_count(ordering), last = pool_part(cells, ordering->pieces, piece + 1);
    const uint32_t *const ends = ordering->ends + (ordering->parts - 1) * cells; /* the last part's are the cells' */
    for (size_t cell = pool_part(cells, ordering->pieces, piece); cell < last; cell++) {
        const size_t begin = cell == 0 ? 0 : ends[cell - 1];
        finish_words(ordering, thread, begin, ends[cell] - begin);
    }
}

/* ---- by key or by value ------------------------------------------------------------------------------------------ */

/* How many pairs of a sample are in one cell. */
static size_t pairs_in_cells(const struct ordering *ordering, const void *sample, size_t count)
{
    uint32_t cells[ORDER_BLOCK];
    size_t pairs = 0;
    memset(ordering->ends, 0, cell_count(ordering) * sizeof *ordering->ends);
    ordering->steps->cells(&ordering->map, sample, count, cells);
    for (size_t i = 0; i < count; i++)
        pairs += ordering->ends[cells[i]]++;
    return pairs;
}

static double value_at(const struct order_map *map, const void *elements, size_t place)
{
    float x;
    double y;
    memcpy(&x, (const char *)elements + place * map->bytes, sizeof x);
    memcpy(&y, (const char *)elements + place * map->bytes, map->bytes == 8 ? sizeof y : 0);
    return map->sign * (map->bytes == 8 ? y : (double)x);
}

/* Cells by value, where these hold a sample of the floats more evenly than cells by key do: those have many cells for
 * small numbers. */
static void choose_cells(struct ordering *ordering)
{
    struct order_map *map = &ordering->map;
    char sample[ORDER_BLOCK * sizeof(uint64_t)];
    uint64_t words[ORDER_BLOCK];
    const size_t count = size_least(ORDER_BLOCK, ordering->count / SAMPLED + SAMPLED);
    const size_t first = count / OUTSIDE, last = count - 1 - first;
    const uint64_t mask = ~(UINT64_MAX << map->place_bits);
    for (size_t i = 0; i < count; i++)
        memcpy(sample + i * map->bytes, element_at(ordering, pool_part(ordering->count, count, i)), map->bytes);
    ordering->steps->words(map, sample, 0, count, words);
    sort_words(ordering->steps, desk_of(ordering, 0), words, count, map->place_bits);
    map->low = value_at(map, sample, words[first] & mask);
    map->last = (double)(cell_count(ordering) - 1);
    map->scale = map->last / (value_at(map, sample, words[last] & mask) - map->low);
    const float scale = (float)map->scale;
    if (!isfinite(map->low) || !isfinite(scale) || scale <= 0)
        return;
    const size_t pairs = pairs_in_cells(ordering, sample, count);
    map->by_value = true;
    map->by_value = pairs_in_cells(ordering, sample, count) < pairs;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static size_t parts_for(size_t count)
{
    return pool_threads_for((double)count, WORDS_PER_THREAD);
}

/* Up to `one` words are one cell. More have cells of 2^words_bits words, but at most 2^bits cells, unless these would
 * be too large for a desk. */
struct cells {
    size_t one;
    unsigned words_bits, bits;
};

/* Vectors sort few words the faster the fewer they are. By digits it is the same, so the cells' lines are to fit the
 * first-level cache. */
static struct cells cells_wanted(void)
{
    return vectors_sort_words() ? (struct cells){NARROW_MOST, 8, 11} : (struct cells){DESK_WORDS, 12, 8};
}

static unsigned cell_bits_for(size_t count)
{
    const struct cells cells = cells_wanted();
    const unsigned size = bits_of(count);
    unsigned bits = cells.bits;
    if (count <= cells.one)
        return 0;
    if (size <= cells.words_bits + cells.bits)
        return size - cells.words_bits;
    while (bits < CELL_BITS_MOST && count >> bits > DESK_WORDS / 2)
        bits++;
    return bits;
}

bool order_words_take(const struct problem *problem)
{
    return sort_is_argsort(problem) && element_info(problem->type)->bytes >= 4 &&
           problem->values[SORT_N].size <= UINT32_MAX;
}

/* Scratch memory: the words, where the places have no room for them; each thread's desk; each part's cells. */
static size_t desks_at(const struct problem *problem)
{
    return sort_value_bytes(problem) == 8 ? 0 : whole_lines((size_t)problem->values[SORT_N].size * sizeof(uint64_t));
}

static size_t bytes_of_part(size_t count)
{
    return whole_lines(sizeof(uint32_t) << cell_bits_for(count)) + desk_bytes(count);
}

size_t order_words_scratch(const struct problem *problem)
{
    const size_t count = (size_t)problem->values[SORT_N].size;
    return desks_at(problem) + parts_for(count) * bytes_of_part(count);
}

static void order_by_cells(struct ordering *ordering)
{
    parallel_for(ordering->parts, ordering->parts, count_part, ordering);
    sum_up(ordering->ends, ordering->parts, ordering->map.cell_bits);
    parallel_for(ordering->parts, ordering->parts, move_part, ordering);
    ordering->pieces = size_least(cell_count(ordering), ordering->parts * PIECES_PER_THREAD);
    parallel_for(ordering->pieces, ordering->parts, finish_piece, ordering);
}

static void order_few(const struct ordering *ordering)
{
    for (size_t i = 0; i < ordering->count; i += ORDER_BLOCK)
        ordering->steps->words(&ordering->map, element_at(ordering, i), i, size_least(ORDER_BLOCK, ordering->count - i),
                               ordering->words + i);
    finish_words(ordering, 0, 0, ordering->count);
}

void order_words(const struct run *run, const struct sorting *sorting)
{
    const struct problem *problem = run->problem;
    const size_t count = sorting->count, at = desks_at(problem);
    struct ordering ordering = {.steps = order_steps(),
                                .elements = sorting->data,
                                .words = at == 0 ? run->buffers[1].host : run->scratch->host,
                                .places = run->buffers[1].host,
                                .desks = (char *)run->scratch->host + at,
                                .count = count,
                                .place_bytes = sort_value_bytes(problem),
                                .map = {.order = sorting->order,
                                        .bytes = sorting->bytes,
                                        .place_bits = count > 2 ? bits_of(count - 1) : 1,
                                        .cell_bits = cell_bits_for(count),
                                        .sign = sort_is_descending(problem) ? -1 : 1}};
    struct order_map *map = &ordering.map;
    if (count == 0)
        return;
    ordering.parts = size_least(parts_for(count), (run->scratch->bytes - at) / bytes_of_part(count));
    ordering.ends = (uint32_t *)(void *)(ordering.desks + ordering.parts * desk_bytes(count));
    const struct key_range range = range_of_all(&ordering);
    map->least = range.least;
    const bool is_one = range.greatest == range.least;
    map->up = is_one ? 63 : (unsigned)__builtin_clzll(range.greatest - range.least);
    ordering.is_exact = is_one || map->up + (unsigned)__builtin_ctzll(range.varying) >= map->place_bits;
    if (map->cell_bits > 0 && element_kind(problem->type) == 2 && !sort_has_nans_first(problem))
        choose_cells(&ordering);
    if (map->cell_bits == 0)
        order_few(&ordering);
    else
        order_by_cells(&ordering);
}
