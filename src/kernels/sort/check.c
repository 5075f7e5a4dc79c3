#include "kernels/sort/check.h"

#include <stdio.h>

#include "base/message.h"
#include "base/translation.h"
#include "kernels/sort/sort.h"

/* All NaNs stand equal, behind the numbers. */
static FOR_EACH_WIDTH uint64_t place(const void *data, size_t index, const struct key_order *order, size_t bytes)
{
    uint64_t key = word_key(word_load(data, index, bytes), order, bytes);
    return order->numbers && key > order->numbers ? order->numbers : key;
}

static FOR_EACH_WIDTH struct disorder disorder_of(const void *data, size_t count, const struct key_order *order,
                                                  size_t bytes)
{
    size_t wrong = 0, first = SIZE_MAX;
    struct key_order o = *order;
#pragma omp parallel for schedule(static) reduction(+ : wrong) reduction(min : first)
    for (size_t i = 1; i < count; i++)
        if (place(data, i - 1, &o, bytes) > place(data, i, &o, bytes)) {
            wrong++;
            first = i < first ? i : first;
        }
    return (struct disorder){wrong, first};
}

struct disorder sort_disorder(enum element_type type, const void *data, size_t count)
{
    struct key_order order = key_order(type);
    return CALL_FOR_BYTES(element_info(type)->bytes, disorder_of, data, count, &order);
}

/* The finalisers of MurmurHash3 (Appleby, 2011) and SplitMix64 (Steele, Lea and Flood, 2014), each begun elsewhere so
 * that zero does not stay zero. */
static inline uint64_t mix(uint64_t z)
{
    z += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 33)) * 0xFF51AFD7ED558CCDu;
    z = (z ^ (z >> 33)) * 0xC4CEB9FE1A85EC53u;
    return z ^ (z >> 33);
}

static inline uint64_t mix_again(uint64_t z)
{
    z += 0xD1B54A32D192ED03u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static FOR_EACH_WIDTH struct multiset multiset_of(const void *data, size_t count, bool swapped, size_t bytes)
{
    uint64_t sum = 0, mixed = 0, mixed_again = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum, mixed, mixed_again)
    for (size_t i = 0; i < count; i++) {
        uint64_t word = word_load(data, i, bytes);
        if (swapped)
            word = bytes == 4 ? __builtin_bswap32((uint32_t)word) : __builtin_bswap64(word);
        sum += word;
        mixed += mix(word);
        mixed_again += mix_again(word);
    }
    return (struct multiset){sum, mixed, mixed_again};
}

struct multiset sort_multiset(enum element_type type, const void *data, size_t count, bool swapped)
{
    return CALL_FOR_BYTES(element_info(type)->bytes, multiset_of, data, count, swapped);
}

bool multiset_equal(const struct multiset *a, const struct multiset *b)
{
    return a->sum == b->sum && a->mixed == b->mixed && a->mixed_again == b->mixed_again;
}

void sort_check(enum element_type type, const void *input, const void *output, size_t count,
                struct check_result *result)
{
    struct disorder disorder = sort_disorder(type, output, count);
    struct multiset before = sort_multiset(type, input, count, false);
    struct multiset after = sort_multiset(type, output, count, false);
    bool same = multiset_equal(&before, &after);
    *result = (struct check_result){.passed = disorder.wrong == 0 && same, .worst = (double)disorder.wrong};
    if (disorder.wrong > 0) {
        snprintf(result->where, sizeof result->where, "[%zu]", disorder.first);
        explain(result->reason, sizeof result->reason,
                "%zu of %zu elements stand behind a greater one, the first at %s%s", disorder.wrong, count,
                result->where, same ? "" : N_("; and elements are lost, doubled or changed"));
    } else if (!same) {
        result->worst = 1;
        explain(result->reason, sizeof result->reason,
                "in order, but not a permutation of the input: elements are lost, doubled or changed");
    }
}
