#include "kernels/sort/check.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/message.h"
#include "base/random.h"
#include "base/translation.h"
#include "base/worth_threads.h"
#include "kernels/sort/documented_order.h"

/* Written once for both widths; each call of it has a `bytes` that the compiler knows. */
#define EACH_WIDTH static inline __attribute__((always_inline))

EACH_WIDTH uint64_t element(const void *data, size_t index, size_t bytes)
{
    const char *at = (const char *)data + index * bytes;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    if (bytes == 1)
        return *(const unsigned char *)at;
    if (bytes == 2) {
        memcpy(&u16, at, 2);
        return u16;
    }
    if (bytes == 4) {
        memcpy(&u32, at, 4);
        return u32;
    }
    memcpy(&u64, at, 8);
    return u64;
}

/* ---- order ------------------------------------------------------------------------------------------------ */

static int64_t rank_of(struct number_format format, bool descending, uint64_t word)
{
    const int64_t rank = sort_rank(format, word);
    return descending ? sort_reversed_rank(format, rank) : rank;
}

/* A thread takes a block at once: in its loop the compiler knows the element's type, which it loses in a parallel one.
 */
#define BLOCK ((size_t)1 << 14)

EACH_WIDTH size_t disorder_in(struct number_format format, bool descending, const void *data, size_t begin, size_t end)
{
    int64_t before = rank_of(format, descending, element(data, begin - 1, format.bits / 8));
    size_t wrong = 0;
    for (size_t i = begin; i < end; i++) {
        const int64_t rank = rank_of(format, descending, element(data, i, format.bits / 8));
        wrong += before > rank;
        before = rank;
    }
    return wrong;
}

static size_t disorder_of(enum element_type type, bool descending, const void *data, size_t begin, size_t end)
{
    switch (descending ? ELEMENT_TYPE_COUNT : type) {
    case ELEMENT_F32:
        return disorder_in(number_format_of(ELEMENT_F32), false, data, begin, end);
    case ELEMENT_F64:
        return disorder_in(number_format_of(ELEMENT_F64), false, data, begin, end);
    case ELEMENT_I32:
        return disorder_in(number_format_of(ELEMENT_I32), false, data, begin, end);
    case ELEMENT_U32:
        return disorder_in(number_format_of(ELEMENT_U32), false, data, begin, end);
    default:
        return disorder_in(number_format_of(type), descending, data, begin, end);
    }
}

struct disorder sort_disorder(enum element_type type, bool descending, const void *data, size_t count)
{
    size_t wrong = 0, first = SIZE_MAX;
#pragma omp parallel for schedule(static) reduction(+ : wrong) reduction(min : first) if (is_worth_threads(count))
    for (size_t begin = 1; begin < count; begin += BLOCK) {
        const size_t end = count - begin < BLOCK ? count : begin + BLOCK;
        const size_t here = disorder_of(type, descending, data, begin, end);
        wrong += here;
        for (size_t i = begin; here && first == SIZE_MAX; i++)
            if (disorder_of(type, descending, data, i, i + 1))
                first = i;
    }
    return (struct disorder){wrong, first};
}

/* ---- the multiset ----------------------------------------------------------------------------------------- */

#define PRIME ((UINT64_C(1) << 61) - 1)

static inline uint64_t reduce(__uint128_t value)
{
    uint64_t folded = (uint64_t)(value & PRIME) + (uint64_t)(value >> 61);
    return folded >= PRIME ? folded - PRIME : folded;
}

/* a < 2^61, b <= PRIME. 8 a b has the upper bits of a b in its upper word: no shift over two words, which takes AMD's
 * processors as long as the product. */
static inline uint64_t multiply(uint64_t a, uint64_t b)
{
    const __uint128_t product = (__uint128_t)(a << 3) * b;
    const uint64_t folded = (uint64_t)(product >> 64) + ((uint64_t)product >> 3);
    return folded >= PRIME ? folded - PRIME : folded;
}

/* Where the two polynomials are evaluated: drawn once in each process, so that no answer can be made to fit. */
static struct {
    uint64_t x[2], y[2];
} points;

static void draw_points(void)
{
    uint64_t words[4];
    if (getrandom(words, sizeof words, 0) != sizeof words)
        for (size_t i = 0; i < 4; i++)
            words[i] = random_word((uint64_t)time(NULL), i);
    for (size_t i = 0; i < 2; i++) {
        points.x[i] = words[i] % (PRIME - UINT32_MAX); /* x and half an element are below the prime */
        points.y[i] = words[2 + i] % PRIME;
    }
}

/* A linear form in x and y, another one for every element. */
EACH_WIDTH uint64_t form(uint64_t word, uint64_t x, uint64_t y, size_t bytes)
{
    const uint64_t low = (uint32_t)word + x;
    return bytes <= 4 ? low : reduce((__uint128_t)(word >> 32) * y + low);
}

EACH_WIDTH uint64_t word_at(const void *data, size_t index, bool swapped, size_t bytes)
{
    const uint64_t word = element(data, index, bytes);
    return !swapped     ? word
           : bytes == 2 ? __builtin_bswap16((uint16_t)word)
           : bytes == 4 ? __builtin_bswap32((uint32_t)word)
           : bytes == 8 ? __builtin_bswap64(word)
                        : word;
}

static void join(struct multiset *set, const struct multiset *other)
{
    set->sum += other->sum;
    for (size_t p = 0; p < 2; p++)
        set->products[p] = multiply(set->products[p], other->products[p]);
}

/* A product waits for the one before it: two of each keep the multiplier busy meanwhile. */
EACH_WIDTH struct multiset multiset_in(const void *data, size_t begin, size_t end, bool swapped, size_t bytes)
{
    const uint64_t x = points.x[0], y = points.y[0], x2 = points.x[1], y2 = points.y[1];
    struct multiset even = {0, {1, 1}}, odd = even;
    for (size_t i = begin; i + 1 < end; i += 2) {
        const uint64_t first = word_at(data, i, swapped, bytes), second = word_at(data, i + 1, swapped, bytes);
        even.sum += first + second;
        even.products[0] = multiply(even.products[0], form(first, x, y, bytes));
        even.products[1] = multiply(even.products[1], form(first, x2, y2, bytes));
        odd.products[0] = multiply(odd.products[0], form(second, x, y, bytes));
        odd.products[1] = multiply(odd.products[1], form(second, x2, y2, bytes));
    }
    if ((end - begin) % 2) {
        const uint64_t last = word_at(data, end - 1, swapped, bytes);
        join(&odd, &(struct multiset){last, {form(last, x, y, bytes), form(last, x2, y2, bytes)}});
    }
    join(&even, &odd);
    return even;
}

static struct multiset multiset_of(size_t bytes, const void *data, size_t begin, size_t end, bool swapped)
{
    switch (bytes) {
    case 1:
        return multiset_in(data, begin, end, swapped, 1);
    case 2:
        return multiset_in(data, begin, end, swapped, 2);
    case 4:
        return swapped ? multiset_in(data, begin, end, true, 4) : multiset_in(data, begin, end, false, 4);
    default:
        return multiset_in(data, begin, end, swapped, 8);
    }
}

struct multiset sort_multiset(enum element_type type, const void *data, size_t count, bool swapped)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, draw_points);
    struct multiset all = {0, {1, 1}};
#pragma omp parallel for schedule(static) if (is_worth_threads(count))
    for (size_t begin = 0; begin < count; begin += BLOCK) {
        const size_t end = count - begin < BLOCK ? count : begin + BLOCK;
        const struct multiset part = multiset_of(element_info(type)->bytes, data, begin, end, swapped);
#pragma omp critical(sort_multiset)
        join(&all, &part);
    }
    return all;
}

bool multiset_equal(const struct multiset *a, const struct multiset *b)
{
    return a->sum == b->sum && a->products[0] == b->products[0] && a->products[1] == b->products[1];
}

/* ---- what was changed ------------------------------------------------------------------------------------- */

/* The ranks of more elements than these are not sorted only to name one of them. */
#define DESCRIBED_MOST ((size_t)1 << 24)

static int compare_ranks(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* Where an answer that is in order has another element than the input sorted; `count` where nothing is found. The input
 * element that belongs there is `expected`. */
static size_t first_change(enum element_type type, bool descending, const void *input, const void *output, size_t count,
                           size_t *expected)
{
    const struct number_format format = number_format_of(type);
    const size_t bytes = element_info(type)->bytes;
    int64_t *ranks = count <= DESCRIBED_MOST ? malloc(count * sizeof *ranks + 1) : NULL;
    size_t at = 0;
    if (!ranks)
        return count;
    for (size_t i = 0; i < count; i++)
        ranks[i] = rank_of(format, descending, element(input, i, bytes));
    qsort(ranks, count, sizeof *ranks, compare_ranks);
    while (at < count && rank_of(format, descending, element(output, at, bytes)) == ranks[at])
        at++;
    for (*expected = 0; at < count && rank_of(format, descending, element(input, *expected, bytes)) != ranks[at];)
        ++*expected;
    free(ranks);
    return at;
}

static void describe_change(enum element_type type, bool descending, const void *input, const void *output,
                            size_t count, struct check_result *result)
{
    char right[ELEMENT_TEXT_BYTES], actual[ELEMENT_TEXT_BYTES];
    size_t expected, at = first_change(type, descending, input, output, count, &expected);
    if (at == count) { /* NaNs, which rank alike, or too many to look */
        explain(result->reason, sizeof result->reason,
                "in order, but not a permutation of the input: elements are lost, doubled or changed");
        return;
    }
    snprintf(result->where, sizeof result->where, "[%zu]", at);
    explain(result->reason, sizeof result->reason,
            "in order, but not a permutation of the input: elements are lost, doubled or changed, the first at %s: "
            "expected %s, got %s",
            result->where, element_text(type, input, expected, right), element_text(type, output, at, actual));
}

/* ---- both ------------------------------------------------------------------------------------------------- */

void sort_check(enum element_type type, bool descending, const void *input, const void *output, size_t count,
                struct check_result *result)
{
    struct disorder disorder = sort_disorder(type, descending, output, count);
    struct multiset before = sort_multiset(type, input, count, false);
    struct multiset after = sort_multiset(type, output, count, false);
    bool same = multiset_equal(&before, &after);
    *result = (struct check_result){.passed = disorder.wrong == 0 && same, .worst = (double)disorder.wrong};
    if (disorder.wrong > 0) {
        snprintf(result->where, sizeof result->where, "[%zu]", disorder.first);
        char expected[ELEMENT_TEXT_BYTES], actual[ELEMENT_TEXT_BYTES];
        explain(result->reason, sizeof result->reason,
                descending
                    ? "%zu of %zu elements stand behind a smaller one, the first at %s: expected at most %s, got %s%s"
                    : "%zu of %zu elements stand behind a greater one, the first at %s: expected at least %s, got %s%s",
                disorder.wrong, count, result->where, element_text(type, output, disorder.first - 1, expected),
                element_text(type, output, disorder.first, actual),
                same ? "" : N_("; and elements are lost, doubled or changed"));
        if (memcmp(input, output, count * element_info(type)->bytes) == 0)
            explain_more(result->reason, sizeof result->reason, "; it looks like the input, not sorted");
        else if (same && sort_disorder(type, !descending, output, count).wrong == 0)
            explain_more(result->reason, sizeof result->reason, "; it is sorted the other way round");
    } else if (!same) {
        result->worst = 1;
        describe_change(type, descending, input, output, count, result);
    }
}
