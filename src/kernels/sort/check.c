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

struct disorder sort_disorder(enum element_type type, bool descending, const void *data, size_t count)
{
    const struct number_format format = number_format_of(type);
    const size_t bytes = element_info(type)->bytes;
    size_t wrong = 0, first = SIZE_MAX;
#pragma omp parallel for schedule(static) reduction(+ : wrong) reduction(min : first) if (is_worth_threads(count))
    for (size_t i = 1; i < count; i++)
        if (rank_of(format, descending, element(data, i - 1, bytes)) >
            rank_of(format, descending, element(data, i, bytes))) {
            wrong++;
            first = i < first ? i : first;
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

static inline uint64_t multiply(uint64_t a, uint64_t b)
{
    return reduce((__uint128_t)a * b);
}

#pragma omp declare reduction(multiply:uint64_t : omp_out = multiply(omp_out, omp_in)) initializer(omp_priv = 1)

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
        points.x[i] = words[i] % PRIME;
        points.y[i] = words[2 + i] % PRIME;
    }
}

/* A linear form in x and y, another one for every element. */
EACH_WIDTH uint64_t form(uint64_t word, uint64_t x, uint64_t y, size_t bytes)
{
    return reduce((bytes <= 4 ? 0 : (__uint128_t)(word >> 32) * y) + (uint32_t)word + x);
}

EACH_WIDTH struct multiset multiset_of(const void *data, size_t count, bool swapped, size_t bytes)
{
    uint64_t sum = 0, product = 1, other = 1;
#pragma omp parallel for schedule(static) reduction(+ : sum) reduction(multiply : product, other) if (is_worth_threads(count))
    for (size_t i = 0; i < count; i++) {
        uint64_t word = element(data, i, bytes);
        if (swapped)
            word = bytes == 2   ? __builtin_bswap16((uint16_t)word)
                   : bytes == 4 ? __builtin_bswap32((uint32_t)word)
                   : bytes == 8 ? __builtin_bswap64(word)
                                : word;
        sum += word;
        product = multiply(product, form(word, points.x[0], points.y[0], bytes));
        other = multiply(other, form(word, points.x[1], points.y[1], bytes));
    }
    return (struct multiset){sum, {product, other}};
}

struct multiset sort_multiset(enum element_type type, const void *data, size_t count, bool swapped)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, draw_points);
    switch (element_info(type)->bytes) {
    case 1:
        return multiset_of(data, count, swapped, 1);
    case 2:
        return multiset_of(data, count, swapped, 2);
    case 4:
        return multiset_of(data, count, swapped, 4);
    default:
        return multiset_of(data, count, swapped, 8);
    }
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
