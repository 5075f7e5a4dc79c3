/* The order of keys of 32 and 64 bits. Each key becomes a word, its leading bits above its place; so equal keys keep
 * their order. The words are put into cells of neighbouring keys, and each cell is sorted in a cache by the vectorised
 * quicksort. Words whose bits of the key are equal, where a key has more, are sorted by the others. */
#include "kernels/sort/order_words.h"

#include <math.h>

#include "base/pool.h"
#include "base/size.h"
#include "kernels/sort/order_steps.h"
#include "kernels/sort/simd.h"

/* Fewer words than these are not worth another thread. */
#define WORDS_PER_THREAD 16384.0
/* Few words are sorted without cells. Those that fit the second-level cache have as many cells as make them small; of
 * more words there are 256, whose lines fit the first-level cache, or more where those would be too large to be parted
 * once more in the second. */
#define FEW 256
#define WORDS_PER_CELL 24 /* at least */
#define IN_CACHE ((size_t)1 << 17)
#define CELL_BITS 8
#define CELL_BITS_MOST 12
#define CELL_WORDS_MOST ((size_t)1 << 16)
#define PIECES_PER_THREAD 16
/* Elements for each of a sample, which is a block at most; and the part of the sample outside of the cells by value, on
 * each side. */
#define SAMPLED 32
#define OUTSIDE 50

/* A thread's memory for the words of one cell, parted. */
struct desk {
    uint64_t words[CELL_WORDS_MOST];
    uint32_t ends[1 << CELL_BITS_MOST];
};

struct ordering {
    const struct order_steps *steps;
    const struct sort_level *level;
    struct order_map map;
    const void *elements;
    uint64_t *words;
    void *places;       /* of 4 or 8 bytes; the words are there, where they have 8 */
    uint32_t *ends;     /* of each cell, in each part: how many words, then where the next goes */
    struct desk *desks; /* of each thread, where cells are parted once more; or NULL */
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

/* ---- words ------------------------------------------------------------------------------------------------------- */

static void sort_words(const struct ordering *ordering, uint64_t *words, size_t count)
{
    static const struct key_order as_they_are = {0};
    struct sort_range range = {.keys = words, .count = count, .depth = 8};
    for (size_t left = count; left > 0; left /= 2)
        range.depth += 2;
    ordering->level->sort(range, &as_they_are, sizeof *words);
}

/* Words that are alike above their places: by the bits of the keys that are not in them. */
static void sort_ties(const struct ordering *ordering, uint64_t *words, size_t count)
{
    const struct order_map *map = &ordering->map;
    const uint64_t mask = ~(UINT64_MAX << map->place_bits);
    const struct key_order *order = &map->order;
    for (size_t i = 0; i < count; i++) {
        const uint64_t place = words[i] & mask, bits = word_load(ordering->elements, place, map->bytes);
        const uint64_t key = key_alike(word_key(bits, order, map->bytes), order) - map->least;
        words[i] = ((key << map->up & mask) << (64 - map->place_bits) | place) ^ map->flip;
    }
    sort_words(ordering, words, count);
}

/* Sorts words that are to be from `begin` on, and writes their places. */
static void finish_words(const struct ordering *ordering, uint64_t *words, size_t count, size_t begin)
{
    const unsigned place_bits = ordering->map.place_bits;
    if (count > 1)
        sort_words(ordering, words, count);
    if (count > 1 && !ordering->is_exact && ordering->steps->has_ties(words, count, place_bits))
        for (size_t from = 0, to; from < count; from = to) {
            for (to = from + 1; to < count && (words[to] ^ words[from]) >> place_bits == 0;)
                to++;
            if (to - from > 1)
                sort_ties(ordering, words + from, to - from);
        }
    ordering->steps->places(words, count, place_bits, (char *)ordering->places + begin * ordering->place_bytes,
                            ordering->place_bytes);
}

/* As many bits as make cells of WORDS_PER_CELL words or more. */
static unsigned bits_of_small_cells(size_t count)
{
    unsigned bits = 0;
    while (bits < CELL_BITS_MOST && count >> (bits + 1) >= WORDS_PER_CELL)
        bits++;
    return bits;
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

/* Moves the words of elements, the first of which is at place `first`, each to the next place of its cell. `are_words`:
 * the elements are the words. */
static void move_words(const struct order_steps *steps, const struct order_map *map, const void *elements, size_t first,
                       size_t count, bool are_words, uint32_t *ends, uint64_t *target)
{
    uint32_t cells[ORDER_BLOCK];
    uint64_t made[ORDER_BLOCK];
    for (size_t i = 0, some; i < count; i += some) {
        const void *const here = (const char *)elements + i * map->bytes;
        const uint64_t *const words = are_words ? here : made;
        some = size_least(ORDER_BLOCK, count - i);
        steps->cells(map, here, some, cells);
        if (!are_words)
            steps->words(map, here, first + i, some, made);
        for (size_t j = 0; j < some; j++)
            target[ends[cells[j]]++] = words[j];
    }
}

/* From the counts of each part to the places of its first words: cell by cell, and part by part within it. */
static void sum_up(uint32_t *ends, size_t parts, unsigned cell_bits)
{
    uint32_t place = 0;
    for (size_t cell = 0; cell >> cell_bits == 0; cell++)
        for (size_t part = 0; part < parts; part++) {
            uint32_t *at = &ends[(part << cell_bits) + cell], here = *at;
            *at = place;
            place += here;
        }
}

/* Parts the words of one cell once more, on the desk, and finishes the parts. */
static void finish_in_parts(const struct ordering *ordering, struct desk *desk, size_t begin, size_t count)
{
    const struct order_steps *steps = ordering->steps;
    const uint64_t *const words = ordering->words + begin;
    struct order_map map = {.order = {.always = ordering->map.flip}, .bytes = sizeof *words};
    const struct key_range range = steps->range(&map, words, count);
    /* Places tell equal keys from each other, but not keys that may differ in other bits than the word has. */
    const unsigned place_bits = ordering->is_exact ? 0 : ordering->map.place_bits;
    map.least = range.least >> place_bits << place_bits;
    map.up = (unsigned)__builtin_clzll(range.greatest - map.least); /* no two words are alike */
    map.cell_bits = bits_of_small_cells(count);
    if (map.up + map.cell_bits + place_bits > 64)
        map.cell_bits = map.up + place_bits < 64 ? 64 - map.up - place_bits : 0;
    if (map.cell_bits == 0) {
        finish_words(ordering, ordering->words + begin, count, begin);
        return;
    }
    count_cells(steps, &map, words, count, desk->ends);
    sum_up(desk->ends, 1, map.cell_bits);
    move_words(steps, &map, words, 0, count, true, desk->ends, desk->words);
    for (size_t cell = 0, from = 0; cell >> map.cell_bits == 0; from = desk->ends[cell++])
        finish_words(ordering, desk->words + from, desk->ends[cell] - from, begin + from);
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
    move_words(ordering->steps, &ordering->map, element_at(ordering, begin), begin, end - begin, false,
               ordering->ends + (part << ordering->map.cell_bits), ordering->words);
}

static void finish_piece(void *context, size_t piece, size_t thread)
{
    const struct ordering *ordering = context;
    const size_t cells = cell_count(ordering), last = pool_part(cells, ordering->pieces, piece + 1);
    const uint32_t *const ends = ordering->ends + (ordering->parts - 1) * cells; /* the last part's are the cells' */
    for (size_t cell = pool_part(cells, ordering->pieces, piece); cell < last; cell++) {
        const size_t begin = cell == 0 ? 0 : ends[cell - 1], count = ends[cell] - begin;
        if (ordering->desks && count >= FEW && count <= CELL_WORDS_MOST)
            finish_in_parts(ordering, &ordering->desks[thread], begin, count);
        else
            finish_words(ordering, ordering->words + begin, count, begin);
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
    sort_words(ordering, words, count);
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

static unsigned cell_bits_for(size_t count)
{
    unsigned bits = CELL_BITS;
    if (count <= IN_CACHE)
        return count < FEW ? 0 : bits_of_small_cells(count);
    while (bits < CELL_BITS_MOST && count >> bits > CELL_WORDS_MOST / 2)
        bits++;
    return bits;
}

static unsigned bits_of_place(size_t count)
{
    unsigned bits = 1;
    while ((count - 1) >> bits != 0)
        bits++;
    return bits;
}

bool order_words_take(const struct problem *problem)
{
    return sort_level() && sort_is_argsort(problem) && element_info(problem->type)->bytes >= 4 &&
           problem->values[SORT_N].size <= UINT32_MAX;
}

/* Scratch memory: the words, where the places have no room for them; each part's cells; each thread's desk. */
static size_t ends_at(const struct problem *problem)
{
    return sort_value_bytes(problem) == 8 ? 0 : (size_t)problem->values[SORT_N].size * sizeof(uint64_t);
}

static size_t desk_bytes(size_t count)
{
    return count > IN_CACHE ? sizeof(struct desk) : 0;
}

static size_t bytes_of_part(size_t count)
{
    return (sizeof(uint32_t) << cell_bits_for(count)) + desk_bytes(count);
}

size_t order_words_scratch(const struct problem *problem)
{
    const size_t count = (size_t)problem->values[SORT_N].size;
    return ends_at(problem) + parts_for(count) * bytes_of_part(count);
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
    finish_words(ordering, ordering->words, ordering->count, 0);
}

void order_words(const struct run *run, const struct sorting *sorting)
{
    const struct problem *problem = run->problem;
    const size_t count = sorting->count, at = ends_at(problem);
    struct ordering ordering = {.level = sort_level(),
                                .elements = sorting->data,
                                .words = at == 0 ? run->buffers[1].host : run->scratch->host,
                                .places = run->buffers[1].host,
                                .ends = (uint32_t *)(void *)((char *)run->scratch->host + at),
                                .count = count,
                                .place_bytes = sort_value_bytes(problem),
                                .map = {.order = sorting->order,
                                        .bytes = sorting->bytes,
                                        .place_bits = bits_of_place(count),
                                        .cell_bits = cell_bits_for(count),
                                        .sign = sort_is_descending(problem) ? -1 : 1}};
    struct order_map *map = &ordering.map;
    if (count == 0)
        return;
    ordering.parts = size_least(parts_for(count), (run->scratch->bytes - at) / bytes_of_part(count));
    if (desk_bytes(count))
        ordering.desks = (struct desk *)(void *)(ordering.ends + (ordering.parts << map->cell_bits));
    ordering.steps = ordering.level->order;
    map->flip = ordering.level->is_signed ? (uint64_t)1 << 63 : 0;
    const struct key_range range = ordering.steps->range(map, sorting->data, count);
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
