/* The pipeline's input vectors, and its check: both must be sorted, bit by bit, and their product must be right. The
 * reference's sort and sum share no code with a rung. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/random.h"
#include "kernels/dot/check.h"
#include "kernels/pipeline/pipeline.h"

static size_t count_of(const struct problem *problem)
{
    return (size_t)problem->values[0].size;
}

/* ---- the vectors ---------------------------------------------------------------------------------------------- */

/* Uniform in [0, 1) from a Mersenne Twister, as the publication fills them: all of a, then all of b. */
static void fill_unit(const struct problem *problem, struct host_arrays host)
{
    struct random random;
    random_seed(&random, problem->seed);
    for (int v = PIPELINE_A; v <= PIPELINE_B; v++)
        for (size_t i = 0; i < count_of(problem); i++)
            ((float *)host.data[v])[i] = random_float(&random);
}

/* Sorted vectors meet end to end. So a's few large keys meet b's 1, and b's few large keys below 0 meet a's -1: terms
 * are -1, 0, 1 or, 8 times at each end, up to 2^18, and below 2^23 keys no sum is beyond a float's 2^24. */
#define LONG_KEYS 8

static float integer_key(int vector, size_t i, uint64_t word)
{
    if (i >= LONG_KEYS)
        return (float)(int)(word % 3) - 1;
    float large = (float)((word >> 8 & 0xffff) | 0x20001);
    return vector == PIPELINE_A ? large : -large;
}

/* Key i is at i * stride mod n, so the long ones are spread. */
static void fill_integers(const struct problem *problem, struct host_arrays host)
{
    size_t count = count_of(problem), stride = count / LONG_KEYS;
    for (int v = PIPELINE_A; v <= PIPELINE_B; v++) {
        float *keys = host.data[v];
        for (size_t i = 0; i < count; i++)
            keys[i] = integer_key(v, LONG_KEYS, random_word(problem->seed, 2 * i + (size_t)v));
        for (size_t s = 0; s < LONG_KEYS && stride >= LONG_KEYS; s++) {
            uint64_t word = random_word(problem->seed ^ 0x10E6, 2 * s + (size_t)v);
            keys[s * stride + (word >> 32) % stride] = integer_key(v, s, word);
        }
    }
}

/* One key in 16 is a zero, one in 8 one of seven that occur often; sums of products stay far below the largest float.
 */
static float wide_key(uint32_t seed, uint64_t word)
{
    const double sign = word >> 63 ? -1 : 1;
    if (word % 16 == 0)
        return (float)(sign * 0.0);
    if (word % 8 == 1)
        word = random_word(seed, UINT64_MAX - (word >> 8) % 7);
    return (float)(sign * ldexp(1 + (double)(word >> 40) * 0x1p-24, (int)(word % 190) - 150));
}

static void fill_signed(const struct problem *problem, struct host_arrays host)
{
    const bool is_wide = problem->values[1].size == PIPELINE_WIDE;
    for (int v = PIPELINE_A; v <= PIPELINE_B; v++)
        for (size_t i = 0; i < count_of(problem); i++) {
            const uint64_t word = random_word(problem->seed, 2 * i + (size_t)v);
            ((float *)host.data[v])[i] =
                is_wide ? wide_key(problem->seed, word) : (float)((int64_t)word >> 39) * 0x1p-24f;
        }
}

void pipeline_fill(const struct problem *problem, const struct array *arrays, struct host_arrays host)
{
    typedef void fill_function(const struct problem *, struct host_arrays);
    static fill_function *const fills[] = {[PIPELINE_UNIT] = fill_unit,
                                           [PIPELINE_INTEGERS] = fill_integers,
                                           [PIPELINE_SIGNED] = fill_signed,
                                           [PIPELINE_WIDE] = fill_signed};
    (void)arrays;
    fills[problem->values[1].size](problem, host);
}

/* ---- the reference -------------------------------------------------------------------------------------------- */

/* A float's bits as an unsigned integer of the same order, and back. */
static uint32_t rank_of(float key)
{
    uint32_t bits;
    memcpy(&bits, &key, sizeof bits);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

static float key_of(uint32_t rank)
{
    uint32_t bits = rank >> 31 ? rank & 0x7fffffffu : ~rank;
    float key;
    memcpy(&key, &bits, sizeof key);
    return key;
}

/* Counts the ranks' upper halves, puts each where its half begins, and lets the C library sort those alike. */
static int compare_ranks(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

#define HALVES 65536

static void sort_alike(uint32_t *ranks, size_t count)
{
    bool sorted = true;
    for (size_t i = 1; i < count && sorted; i++)
        sorted = ranks[i - 1] <= ranks[i];
    if (!sorted)
        qsort(ranks, count, sizeof *ranks, compare_ranks);
}

/* `sorted` gets the keys in order; `starts` has room for HALVES + 2 numbers. */
static void sort_copy(const float *keys, size_t count, float *sorted, size_t *starts)
{
    uint32_t *ranks = (uint32_t *)(void *)sorted;
    memset(starts, 0, (HALVES + 2) * sizeof *starts);
    for (size_t i = 0; i < count; i++)
        starts[(rank_of(keys[i]) >> 16) + 2]++;
    for (size_t half = 2; half < HALVES + 2; half++)
        starts[half] += starts[half - 1];
    for (size_t i = 0; i < count; i++)
        memcpy(&ranks[starts[(rank_of(keys[i]) >> 16) + 1]++], &(uint32_t){rank_of(keys[i])}, sizeof *ranks);
#pragma omp parallel for schedule(dynamic, 64)
    for (size_t half = 0; half < HALVES; half++)
        sort_alike(ranks + starts[half], starts[half + 1] - starts[half]);
    for (size_t i = 0; i < count; i++) {
        uint32_t rank;
        memcpy(&rank, &ranks[i], sizeof rank);
        sorted[i] = key_of(rank);
    }
}

/* ---- the verdict ---------------------------------------------------------------------------------------------- */

static bool is_sorted(const struct array *array, const float *actual, const float *sorted, size_t count,
                      struct check_result *result)
{
    struct comparison comparison;
    comparator_compare_bits(actual, sorted, count, sizeof(float), &comparison);
    if (comparison.wrong == 0)
        return true;
    snprintf(result->where, sizeof result->where, "[%zu]", comparison.first_wrong);
    explain(result->reason, sizeof result->reason,
            "'%s' is not sorted: %zu of %zu elements are wrong, the first at [%zu]: expected %.9g, got %.9g",
            array->name, comparison.wrong, count, comparison.first_wrong, (double)sorted[comparison.first_wrong],
            (double)actual[comparison.first_wrong]);
    return false;
}

void pipeline_check(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                    struct host_arrays output, struct check_result *result)
{
    size_t count = count_of(problem);
    float *sorted = malloc((count + 1) * 2 * sizeof *sorted);
    size_t *starts = malloc((HALVES + 2) * sizeof *starts);
    bool right = sorted && starts;
    if (!right)
        check_unfinished(result);
    for (int v = PIPELINE_A; v <= PIPELINE_B && right; v++) {
        float *half = sorted + (v == PIPELINE_A ? 0 : count);
        sort_copy(input.data[v], count, half, starts);
        right = is_sorted(&arrays[v], output.data[v], half, count, result);
    }
    if (right) {
        struct dot_reference reference;
        dot_refer(ELEMENT_F32, sorted, sorted + count, count, &reference);
        dot_judge(&reference, *(const double *)output.data[PIPELINE_RESULT], result);
    }
    free(starts);
    free(sorted);
}
