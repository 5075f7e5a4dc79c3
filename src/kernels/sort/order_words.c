/* The order of keys of 32 bits: each is made a word, the key above its place, and the words are sorted by the keys'
 * digits of 8 bits, the least significant first. Words that are alike keep their order, and a digit that all share
 * costs no pass. The last pass writes places alone. Of keys of 64 bits the upper halves are sorted so, then those that
 * are alike there by the lower. */
#include "kernels/sort/order_words.h"

#include <string.h>

#include "base/pool.h"
#include "base/size.h"

#define DIGITS 256
#define PASSES 4
#define AHEAD 16 /* words whose keys are fetched before they are looked at */
#define FEW 32   /* words that are sorted by insertion */
/* Fewer words than these are not worth another thread. */
#define WORDS_PER_THREAD 16384.0

/* One part of the words: how many have each digit, then where the next of them goes. */
struct part {
    uint32_t places[PASSES][DIGITS];
};

/* One pass. */
struct pass {
    const struct sorting *sorting;
    const void *from; /* words, or the keys that they are made of */
    uint64_t *to;
    void *values; /* the places go here */
    struct part *part;
    size_t count, parts;
    size_t key_bytes;   /* of keys that words are made of; 0: the words are there */
    size_t value_bytes; /* 0: the words go on, whole */
    unsigned digit;
};

#define EACH_WIDTH static inline __attribute__((always_inline))

/* `from` has words, or keys of so many bytes. */
EACH_WIDTH uint64_t word_at(const void *from, const struct key_order *order, size_t i, size_t key_bytes)
{
    if (key_bytes == 0)
        return word_load(from, i, sizeof(uint64_t));
    const uint64_t bits = word_load(from, i, key_bytes);
    return key_bytes == 4 ? key_alike(key_of_32((uint32_t)bits, order), order) << 32 | i
                          : key_alike(key_of_64(bits, order), order) >> 32 << 32 | i;
}

EACH_WIDTH size_t digit_of(uint64_t word, unsigned digit)
{
    return (size_t)(word >> (32 + 8 * digit)) % DIGITS;
}

EACH_WIDTH void count_all(const struct pass *pass, size_t index, size_t key_bytes)
{
    struct part *part = &pass->part[index];
    const size_t end = pool_part(pass->count, pass->parts, index + 1);
    const struct key_order order = pass->sorting->order;
    const void *const from = pass->from;
    memset(part, 0, sizeof *part);
    for (size_t i = pool_part(pass->count, pass->parts, index); i < end; i++) {
        const uint64_t word = word_at(from, &order, i, key_bytes);
        for (unsigned digit = 0; digit < PASSES; digit++)
            part->places[digit][digit_of(word, digit)]++;
    }
}

static void count_all_digits(void *context, size_t index, size_t thread)
{
    (void)thread;
    const struct pass *pass = context;
    switch (pass->key_bytes) {
    case 0:
        return count_all(pass, index, 0);
    case 4:
        return count_all(pass, index, 4);
    default:
        return count_all(pass, index, 8);
    }
}

/* The words have moved since all digits were counted. */
static void count_digit(void *context, size_t index, size_t thread)
{
    (void)thread;
    const struct pass *pass = context;
    uint32_t *places = pass->part[index].places[pass->digit];
    const size_t end = pool_part(pass->count, pass->parts, index + 1);
    memset(places, 0, DIGITS * sizeof *places);
    for (size_t i = pool_part(pass->count, pass->parts, index); i < end; i++)
        places[digit_of(word_load(pass->from, i, sizeof(uint64_t)), pass->digit)]++;
}

EACH_WIDTH void move_words(const struct pass *pass, size_t index, size_t key_bytes, size_t value_bytes)
{
    uint32_t *const places = pass->part[index].places[pass->digit];
    const size_t end = pool_part(pass->count, pass->parts, index + 1);
    const struct key_order order = pass->sorting->order;
    const void *const from = pass->from;
    void *const to = value_bytes == 0 ? pass->to : pass->values;
    const unsigned digit = pass->digit;
    for (size_t i = pool_part(pass->count, pass->parts, index); i < end; i++) {
        const uint64_t word = word_at(from, &order, i, key_bytes);
        const size_t place = places[digit_of(word, digit)]++;
        word_store(to, place, value_bytes == 0 ? word : (uint32_t)word, value_bytes == 4 ? 4 : 8);
    }
}

static void move_part(void *context, size_t index, size_t thread)
{
    (void)thread;
    const struct pass *pass = context;
    switch (16 * pass->key_bytes + pass->value_bytes) {
    case 0:
        return move_words(pass, index, 0, 0);
    case 4:
        return move_words(pass, index, 0, 4);
    case 8:
        return move_words(pass, index, 0, 8);
    case 16 * 4:
        return move_words(pass, index, 4, 0);
    case 16 * 4 + 4:
        return move_words(pass, index, 4, 4);
    case 16 * 4 + 8:
        return move_words(pass, index, 4, 8);
    default:
        return move_words(pass, index, 8, 0);
    }
}

/* Whether all words share a digit. */
static bool is_shared(const struct pass *pass, unsigned digit)
{
    size_t most = 0;
    for (size_t d = 0; d < DIGITS; d++) {
        size_t count = 0;
        for (size_t part = 0; part < pass->parts; part++)
            count += pass->part[part].places[digit][d];
        most = count > most ? count : most;
    }
    return most == pass->count;
}

/* From counts to places. */
static void sum_up(const struct pass *pass)
{
    uint32_t place = 0;
    for (size_t d = 0; d < DIGITS; d++)
        for (size_t part = 0; part < pass->parts; part++) {
            uint32_t *at = &pass->part[part].places[pass->digit][d], here = *at;
            *at = place;
            place += here;
        }
}

/* The digits that the words differ in, and one more where no pass would be made, or where words that are to come back
 * to where they are would end on the other side. */
static unsigned choose_digits(const struct pass *pass, bool in_place, unsigned digits[PASSES])
{
    unsigned count = 0, shared = 0;
    for (unsigned digit = 0; digit < PASSES; digit++)
        if (is_shared(pass, digit))
            shared = digit;
        else
            digits[count++] = digit;
    if (in_place ? count % 2 == 1 : count == 0)
        digits[count++] = shared;
    return count;
}

/* Sorts by all digits. Words go to and fro between the two sides. The last pass writes them to the second one or,
 * where `last_bytes` is not 0, as many bytes of each place to the values. */
static void sort_by_digits(struct pass pass, uint64_t *const sides[2], size_t last_bytes)
{
    unsigned digits[PASSES];
    parallel_for(pass.parts, pass.parts, count_all_digits, &pass);
    const unsigned passes = choose_digits(&pass, pass.key_bytes == 0, digits);
    for (unsigned i = 0; i < passes; i++) {
        pass.digit = digits[i];
        pass.to = sides[(passes - i) % 2];
        pass.value_bytes = i + 1 == passes ? last_bytes : 0;
        if (i > 0 && pass.parts > 1)
            parallel_for(pass.parts, pass.parts, count_digit, &pass);
        sum_up(&pass);
        parallel_for(pass.parts, pass.parts, move_part, &pass);
        pass.from = pass.to;
        pass.key_bytes = 0;
    }
}

static void sort_few(uint64_t *words, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const uint64_t word = words[i];
        size_t place = i;
        for (; place > 0 && words[place - 1] > word; place--)
            words[place] = words[place - 1];
        words[place] = word;
    }
}

static size_t parts_for(size_t count)
{
    return pool_threads_for((double)count, WORDS_PER_THREAD);
}

/* Sorts words that are alike in their upper half by the keys' lower one. */
static void sort_by_lower_half(const struct pass *pass, uint64_t *const sides[2], size_t begin, size_t end)
{
    const struct key_order *order = &pass->sorting->order;
    uint64_t *const words = sides[1];
    for (size_t i = begin; i < end; i++) {
        const uint64_t place = (uint32_t)words[i];
        words[i] = key_alike(key_of_64(word_load(pass->sorting->data, place, 8), order), order) << 32 | place;
    }
    if (end - begin <= FEW) {
        sort_few(words + begin, end - begin);
        return;
    }
    struct pass run = *pass;
    run.key_bytes = 0;
    run.from = words + begin;
    run.count = end - begin;
    run.parts = size_least(pass->parts, parts_for(run.count));
    sort_by_digits(run, (uint64_t *const[2]){sides[0] + begin, words + begin}, 0);
}

/* The places of words that are sorted by the keys' upper halves, when those that are alike are sorted by the lower. */
static void write_places(const struct pass *pass, uint64_t *const sides[2], size_t bytes)
{
    uint64_t *const words = sides[1];
    for (size_t begin = 0, end, ahead = 0; begin < pass->count; begin = end) {
        for (ahead = ahead < begin ? begin : ahead; ahead < pass->count - 1 && ahead < begin + AHEAD; ahead++)
            if (words[ahead] >> 32 == words[ahead + 1] >> 32)
                __builtin_prefetch((const char *)pass->sorting->data + 8 * (size_t)(uint32_t)words[ahead + 1]);
        for (end = begin + 1; end < pass->count && words[end] >> 32 == words[begin] >> 32;)
            end++;
        if (end - begin > 1)
            sort_by_lower_half(pass, sides, begin, end);
        for (size_t i = begin; i < end; i++)
            word_store(pass->values, i, (uint32_t)words[i], bytes);
    }
}

/* Scratch memory: the first side; the second one, where the values have no room for it; the parts. */
static size_t parts_at(const struct problem *problem)
{
    return (size_t)problem->values[SORT_N].size * sizeof(uint64_t) * (sort_value_bytes(problem) == 8 ? 1 : 2);
}

bool order_words_take(const struct problem *problem)
{
    return sort_is_argsort(problem) && element_info(problem->type)->bytes >= 4 &&
           problem->values[SORT_N].size <= UINT32_MAX;
}

size_t order_words_scratch(const struct problem *problem)
{
    return parts_at(problem) + parts_for((size_t)problem->values[SORT_N].size) * sizeof(struct part);
}

void order_words(const struct run *run, const struct sorting *sorting)
{
    const size_t bytes = sort_value_bytes(run->problem), at = parts_at(run->problem);
    uint64_t *const memory = run->scratch->host;
    uint64_t *const sides[2] = {memory, bytes == 8 ? run->buffers[1].host : memory + sorting->count};
    struct pass pass = {.sorting = sorting,
                        .values = run->buffers[1].host,
                        .part = (struct part *)(void *)((char *)memory + at),
                        .from = sorting->data,
                        .count = sorting->count,
                        .key_bytes = sorting->bytes};
    pass.parts = size_least(parts_for(sorting->count), (run->scratch->bytes - at) / sizeof(struct part));
    sort_by_digits(pass, sides, sorting->bytes == 4 ? bytes : 0);
    if (sorting->bytes == 8)
        write_places(&pass, sides, bytes);
}
