#include "kernels/sort/order_digits.h"

#include <string.h>

#include "base/pool.h"
#include "base/size.h"

/* The words of a value of the top digit, as a power of two; and bits beyond those that would tell evenly spread words
 * apart. */
#define DIGIT_WORDS_BITS 4
#define BITS_TO_SPARE 4
#define CELL_BITS 8 /* of words that are parted where they are */
#define FEW 24      /* words that are sorted by insertion */

/* `bits` bits of a word's distance from the least one, from `shift` on. */
struct digit {
    uint64_t least;
    unsigned shift, bits;
};

static inline uint32_t digit_of(const struct digit *digit, uint64_t word)
{
    return (uint32_t)((word - digit->least) >> digit->shift) & ((UINT32_C(1) << digit->bits) - 1);
}

static void count_digits(struct digit digit, const uint64_t *words, size_t count, uint32_t *ends)
{
    memset(ends, 0, sizeof *ends << digit.bits);
    for (size_t i = 0; i < count; i++)
        ends[digit_of(&digit, words[i])]++;
}

static void move_by_digit(struct digit digit, const uint64_t *restrict words, size_t count, uint32_t *restrict ends,
                          uint64_t *restrict target)
{
    size_t i = 0;
    for (; i + AT_ONCE <= count; i += AT_ONCE) {
        uint32_t digits[AT_ONCE];
#pragma GCC unroll 8
        for (size_t j = 0; j < AT_ONCE; j++)
            digits[j] = digit_of(&digit, words[i + j]);
        put_words(words + i, digits, ends, target, 0);
    }
    for (; i < count; i++)
        target[ends[digit_of(&digit, words[i])]++] = words[i];
}

static void insert_words(uint64_t *words, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const uint64_t word = words[i];
        size_t to = i;
        for (; to > 0 && words[to - 1] > word; to--)
            words[to] = words[to - 1];
        words[to] = word;
    }
}

/* Words that are in order by their bits from `digit` on: those alike in these come in order. */
static void put_right(const struct order_steps *steps, struct desk *desk, struct digit digit, uint64_t *words,
                      size_t count, unsigned lowest_bit)
{
    uint64_t before = words[0];
    for (size_t i = 1; i < count; i++) {
        if (words[i] < before) {
            const uint64_t alike = (before - digit.least) >> digit.shift;
            size_t from = i - 1, to = i + 1;
            while (from > 0 && (words[from - 1] - digit.least) >> digit.shift == alike)
                from--;
            while (to < count && (words[to] - digit.least) >> digit.shift == alike)
                to++;
            sort_words(steps, desk, words + from, to - from, lowest_bit);
            i = to - 1;
        }
        before = words[i];
    }
}

/* How many more bits tell words apart whose numbers by the value of a digit are `counts`. */
static unsigned bits_below(const uint32_t *counts, unsigned digit_bits, size_t count)
{
    uint64_t pairs = 0;
    for (size_t i = 0; i >> digit_bits == 0; i++)
        pairs += (uint64_t)counts[i] * counts[i];
    return bits_of(pairs / count) + BITS_TO_SPARE;
}

/* Sorts words that a desk has room for, and of which `bits` bits of the distance from `least` differ. */
static void sort_by_digits(const struct order_steps *steps, struct desk *desk, uint64_t *words, size_t count,
                           uint64_t least, unsigned lowest_bit, unsigned bits)
{
    const unsigned size = bits_of(count), wanted = size > DIGIT_WORDS_BITS + 1 ? size - 1 - DIGIT_WORDS_BITS : 1;
    const unsigned top_bits = (unsigned)size_least(bits, size_least(wanted, DIGIT_BITS_MOST));
    const struct digit top = {least, lowest_bit + bits - top_bits, top_bits};
    count_digits(top, words, count, desk->last_ends);
    const unsigned below = (unsigned)size_least(bits - top_bits, bits_below(desk->last_ends, top_bits, count));
    const unsigned digits = (below + DIGIT_BITS_MOST - 1) / DIGIT_BITS_MOST;
    struct digit digit = {least, top.shift - below, 0};
    uint64_t *from = words, *to = desk->words;
    for (unsigned i = 0; i < digits; i++) {
        digit.bits = (unsigned)(pool_part(below, digits, i + 1) - pool_part(below, digits, i));
        count_digits(digit, from, count, desk->ends);
        sum_up(desk->ends, 1, digit.bits);
        move_by_digit(digit, from, count, desk->ends, to);
        digit.shift += digit.bits;
        uint64_t *const moved = to;
        to = from;
        from = moved;
    }
    sum_up(desk->last_ends, 1, top_bits);
    move_by_digit(top, from, count, desk->last_ends, to);
    if (to != words)
        memcpy(words, to, count * sizeof *words);
    put_right(steps, desk, (struct digit){least, top.shift - below, 0}, words, count, lowest_bit);
}

/* Puts words into 256 cells where they are, by exchanges, and sorts each: more words than a desk has room for. */
static void sort_in_place(const struct order_steps *steps, struct desk *desk, uint64_t *words, size_t count,
                          uint64_t least, unsigned bits)
{
    const struct digit digit = {least, bits > CELL_BITS ? bits - CELL_BITS : 0, CELL_BITS};
    size_t next[1 << CELL_BITS] = {0}, ends[1 << CELL_BITS], place = 0;
    for (size_t i = 0; i < count; i++)
        next[digit_of(&digit, words[i])]++;
    for (size_t cell = 0; cell < COUNT_OF(ends); cell++) {
        ends[cell] = place + next[cell];
        next[cell] = place;
        place = ends[cell];
    }
    for (size_t cell = 0; cell < COUNT_OF(ends); cell++)
        while (next[cell] < ends[cell]) {
            uint64_t word = words[next[cell]];
            for (size_t its; (its = digit_of(&digit, word)) != cell;) {
                const uint64_t other = words[next[its]];
                words[next[its]++] = word;
                word = other;
            }
            words[next[cell]++] = word;
        }
    for (size_t cell = 0, from = 0; cell < COUNT_OF(ends); from = ends[cell++])
        sort_words(steps, desk, words + from, ends[cell] - from, 0);
}

/* Splits words until vectors sort each part. All bits count: words that are alike in some may have changed places. */
static void sort_parts(const struct order_steps *steps, struct desk *desk, struct sort_range range)
{
    while (range.count > NARROW_MOST) {
        struct sort_range parts[2];
        split_by_vectors(range, parts);
        sort_parts(steps, desk, parts[0]);
        range = parts[1];
    }
    if (range.count > 0)
        sort_words(steps, desk, range.keys, range.count, 0);
}

/* At most NARROW_MOST words: returns where they are sorted. */
static const uint64_t *sort_few(const struct order_steps *steps, struct desk *desk, uint64_t *words, size_t count,
                                uint64_t least, unsigned lowest_bit, unsigned bits)
{
    struct digit digit = {least, lowest_bit, bits};
    if (sort_by_vectors(words, count, least, &digit.shift, bits, desk->narrow, desk->words))
        return desk->words;
    memcpy(words, desk->words, count * sizeof *words);
    put_right(steps, desk, digit, words, count, lowest_bit);
    return words;
}

const uint64_t *sort_words_anywhere(const struct order_steps *steps, struct desk *desk, uint64_t *words, size_t count,
                                    unsigned lowest_bit)
{
    static const struct order_map as_they_are = {.bytes = sizeof *words};
    if (count <= FEW) {
        insert_words(words, count);
        return words;
    }
    if (count > NARROW_MOST && vectors_sort_words()) {
        sort_parts(steps, desk, words_to_split(words, count));
        return words;
    }
    const struct key_range range = steps->range(&as_they_are, words, count);
    if (count > DESK_WORDS) {
        if (!steps->in_order(&as_they_are, words, count))
            sort_in_place(steps, desk, words, count, range.least, bits_of(range.greatest - range.least));
        return words;
    }
    const uint64_t least = range.least >> lowest_bit << lowest_bit;
    const unsigned bits = bits_of((range.greatest - least) >> lowest_bit);
    if (bits > 0 && vectors_sort_words())
        return sort_few(steps, desk, words, count, least, lowest_bit, bits);
    if (bits > 0)
        sort_by_digits(steps, desk, words, count, least, lowest_bit, bits);
    return words;
}

void sort_words(const struct order_steps *steps, struct desk *desk, uint64_t *words, size_t count, unsigned lowest_bit)
{
    const uint64_t *const sorted = sort_words_anywhere(steps, desk, words, count, lowest_bit);
    if (sorted != words)
        memcpy(words, sorted, count * sizeof *words);
}
