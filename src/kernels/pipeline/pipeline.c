/* Sort two vectors, then their dot product: the whole program of a publication, from host memory to one number. */
#include "kernels/pipeline/pipeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "kernels/dot/dot.h"

#define LADDER_KERNEL pipeline
#include "kernels/ladder.h"

static const struct field fields[] = {
    {.name = "n", .help = "elements of each vector", .initial = 1 << 20, .maximum = (int64_t)1 << 31},
};

static const enum element_type types[] = {ELEMENT_F32};

static size_t count_of(const struct problem *problem)
{
    return (size_t)problem->values[0].size;
}

/* The vectors are sorted where they are; only the result is asked back. */
static int describe(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX])
{
    size_t count = count_of(problem);
    arrays[PIPELINE_A] = (struct array){
        .name = "a", .direction = ARRAY_INOUT, .type = ELEMENT_F32, .rows = 1, .cols = count, .interim = true};
    arrays[PIPELINE_B] = arrays[PIPELINE_A];
    arrays[PIPELINE_B].name = "b";
    arrays[PIPELINE_RESULT] =
        (struct array){.name = "result", .direction = ARRAY_OUT, .type = ELEMENT_F64, .rows = 1, .cols = 1};
    return PIPELINE_ARRAYS;
}

/* Uniform in [0, 1) from a Mersenne Twister, as the publication fills them: all of a, then all of b. */
static void fill(const struct problem *problem, const struct array *arrays, struct host_arrays host)
{
    (void)arrays;
    struct random random;
    random_seed(&random, problem->seed);
    for (int v = PIPELINE_A; v <= PIPELINE_B; v++)
        for (size_t i = 0; i < count_of(problem); i++)
            ((float *)host.data[v])[i] = random_float(&random);
}

static bool mixes(const struct problem *problem)
{
    (void)problem;
    return true;
}

static int compare_floats(const void *left, const void *right)
{
    float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

/* Keys of [0, 1) fall evenly into buckets by their value: one pass of counting, then each bucket is sorted by the C
 * library. */
static bool sort_copy(const float *keys, size_t count, float *sorted)
{
    size_t buckets = count / 8 + 1;
    size_t *starts = calloc(buckets + 2, sizeof *starts);
    if (!starts)
        return false;
    for (size_t i = 0; i < count; i++)
        starts[(size_t)((double)keys[i] * (double)buckets) + 2]++;
    for (size_t b = 2; b < buckets + 2; b++)
        starts[b] += starts[b - 1];
    for (size_t i = 0; i < count; i++)
        sorted[starts[(size_t)((double)keys[i] * (double)buckets) + 1]++] = keys[i];
#pragma omp parallel for schedule(static)
    for (size_t b = 0; b < buckets; b++)
        qsort(sorted + starts[b], starts[b + 1] - starts[b], sizeof *sorted, compare_floats);
    free(starts);
    return true;
}

static void check_result(const struct problem *problem, const float *const sorted[2], const double *actual,
                         struct check_result *result)
{
    size_t count = count_of(problem);
    double expected = dot_twofold_value(dot_compensated_part(ELEMENT_F32, sorted[0], sorted[1], 0, count));
    double bound = result->bound > 0 ? result->bound : (double)count * element_epsilon(ELEMENT_F32);
    struct comparison comparison;
    comparator_compare(ELEMENT_F64, actual, &expected, 1, (struct tolerance){.relative = bound + 0x1p-52}, &comparison);
    result->worst = expected > 0 ? fabs(*actual - expected) / expected : fabs(*actual);
    result->passed = comparison.wrong == 0;
    if (!result->passed)
        snprintf(result->reason, sizeof result->reason, "the product is %.17g and should be %.17g (stated error %.2g)",
                 *actual, expected, bound);
}

/* Both vectors must be sorted, bit by bit, and the product must be right. */
static void check(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                  struct host_arrays output, struct check_result *result)
{
    size_t count = count_of(problem);
    float *sorted = malloc((count + 1) * 2 * sizeof *sorted);
    const float *const halves[] = {sorted, sorted + count};
    if (!sorted || !sort_copy(input.data[PIPELINE_A], count, sorted) ||
        !sort_copy(input.data[PIPELINE_B], count, sorted + count)) {
        snprintf(result->reason, sizeof result->reason, "no memory for the check");
        free(sorted);
        return;
    }
    for (int v = PIPELINE_A; v <= PIPELINE_B && !result->reason[0]; v++) {
        struct comparison comparison;
        comparator_compare_bits(output.data[v], halves[v], count, sizeof(float), &comparison);
        if (comparison.wrong == 0)
            continue;
        snprintf(result->where, sizeof result->where, "[%zu]", comparison.first_wrong);
        snprintf(result->reason, sizeof result->reason,
                 "'%s' is not sorted: %zu of %zu elements are wrong, the first at [%zu]", arrays[v].name,
                 comparison.wrong, count, comparison.first_wrong);
    }
    if (!result->reason[0])
        check_result(problem, halves, output.data[PIPELINE_RESULT], result);
    free(sorted);
}

/* Each vector is read and written by a sort and read by the product: the least is reading both once. */
static struct cost cost(const struct problem *problem)
{
    double bytes = (double)count_of(problem) * 2 * sizeof(float);
    return (struct cost){
        .bytes_read = bytes, .bytes_written = bytes, .operations = bytes / 4, .read_streams = 1, .write_streams = 1};
}

static double work(const struct problem *problem)
{
    return 2000 * (double)count_of(problem);
}

static const char *const awkward[] = {
    "pipeline:n=0",    "pipeline:n=1",      "pipeline:n=8",      "pipeline:n=1024",
    "pipeline:n=1000", "pipeline:n=100003", "pipeline:n=262144", NULL,
};

const struct kernel kernel_pipeline = {
    .name = "pipeline",
    .title = "sort two vectors ascending, then their dot product",
    .fields = fields,
    .field_count = COUNT_OF(fields),
    .types = types,
    .type_count = COUNT_OF(types),
    .rate_unit = "Mkeys/s",
    .describe = describe,
    .fill = fill,
    .mixes = mixes,
    .check = check,
    .cost = cost,
    .work = work,
    .split = pipeline_split,
    .ladder = ladder,
    .ladder_count = COUNT_OF(ladder),
    .awkward = awkward,
    .awkward_small = 5,
    .bench = "pipeline:n=2^18",
    .rehearsal = "pipeline:n=2^14",
};
