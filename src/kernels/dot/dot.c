/* The dot product: one number out of two vectors. */
#include "kernels/dot/dot.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"

#define LADDER_KERNEL dot
#include "kernels/ladder.h"

enum input { INPUT_UNIT, INPUT_SIGNED, INPUT_WIDE };

static const char *const inputs[] = {
    "unit",   /* uniform in [0, 1): every term is positive */
    "signed", /* uniform in [-1, 1): terms cancel */
    "wide",   /* signed, with exponents spread over 2^-20 … 2^20 */
    NULL,
};

static const struct field fields[] = {
    {.name = "n", .help = "elements of each vector", .initial = (int64_t)1 << 24, .maximum = (int64_t)1 << 40},
    {.name = "input",
     .help = "unit: 0 to 1; signed: -1 to 1; wide: many magnitudes",
     .kind = FIELD_CHOICE,
     .choices = inputs},
};

static const enum element_type types[] = {ELEMENT_F32, ELEMENT_F64};

static size_t count_of(const struct problem *problem)
{
    return (size_t)problem->values[0].size;
}

static int describe(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX])
{
    arrays[0] =
        (struct array){.name = "a", .direction = ARRAY_IN, .type = problem->type, .rows = 1, .cols = count_of(problem)};
    arrays[1] = arrays[0];
    arrays[1].name = "b";
    /* The result is a double whatever the elements are: 2^26 products of floats deserve more digits than a float has.
     */
    arrays[2] = (struct array){.name = "result", .direction = ARRAY_OUT, .type = ELEMENT_F64, .rows = 1, .cols = 1};
    /* Libraries answer in the elements' type, and widening that would cost them a launch: a rung writes one of the two.
     */
    arrays[3] = (struct array){.name = "narrow", .direction = ARRAY_OUT, .type = problem->type, .rows = 1, .cols = 1};
    return 4;
}

static double value_of(enum input input, uint64_t word)
{
    double unit = (double)(word >> 40) * 0x1p-24;
    if (input == INPUT_UNIT)
        return unit;
    double value = 2 * unit - 1;
    return input == INPUT_SIGNED ? value : ldexp(value, (int)(word % 41) - 20);
}

static void fill(const struct problem *problem, const struct array *arrays, struct host_arrays host)
{
    (void)arrays;
    enum input input = (enum input)problem->values[1].size;
    size_t count = count_of(problem);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < count; i++)
        for (int v = 0; v < 2; v++) {
            double value = value_of(input, random_word(problem->seed, 2 * i + (size_t)v));
            if (problem->type == ELEMENT_F32)
                ((float *)host.data[v])[i] = (float)value;
            else
                ((double *)host.data[v])[i] = value;
        }
}

/* The reference and the sum of the terms' magnitudes, to which every rung's bound refers. */
struct expected {
    double value, magnitude;
};

static double magnitude_of(enum element_type type, const void *a, const void *b, size_t from, size_t to)
{
    double sum = 0;
    for (size_t i = from; i < to; i++)
        sum += type == ELEMENT_F32 ? fabs((double)((const float *)a)[i] * ((const float *)b)[i])
                                   : fabs(((const double *)a)[i] * ((const double *)b)[i]);
    return sum;
}

static struct expected expected_of(const struct problem *problem, struct host_arrays input)
{
    enum { PARTS = 256 };
    struct dot_twofold parts[PARTS];
    double magnitudes[PARTS];
    size_t count = count_of(problem);
#pragma omp parallel for schedule(dynamic)
    for (size_t p = 0; p < PARTS; p++) {
        size_t from = dot_part(count, PARTS, p), to = dot_part(count, PARTS, p + 1);
        parts[p] = dot_compensated_part(problem->type, input.data[0], input.data[1], from, to);
        magnitudes[p] = magnitude_of(problem->type, input.data[0], input.data[1], from, to);
    }
    struct dot_twofold sum = {0};
    struct expected expected = {0};
    for (size_t p = 0; p < PARTS; p++) {
        sum = dot_twofold_add(sum, parts[p].high);
        sum.low += parts[p].low;
        expected.magnitude += magnitudes[p];
    }
    expected.value = sum.high + sum.low;
    return expected;
}

/* The lab poisons outputs with one byte, 0xFF or 0xFE: neither is a sum of these inputs in any type. */
static bool is_untouched(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != bytes[0])
            return false;
    return bytes[0] >= 0xFE;
}

static double narrow_of(enum element_type type, const void *narrow)
{
    if (is_untouched(narrow, element_info(type)->bytes))
        return NAN;
    return type == ELEMENT_F32 ? (double)*(const float *)narrow : *(const double *)narrow;
}

double dot_result(enum element_type type, struct host_arrays output)
{
    return is_untouched(output.data[2], sizeof(double)) ? narrow_of(type, output.data[3])
                                                        : *(const double *)output.data[2];
}

/* The measure: |result - reference| over the sum of |a[i] b[i]|, which for terms of one sign is the relative error. A
 * rung states its bound (kernel.h); one that states none is held to n roundings of the element type. The reference's
 * own error, about 2^-104 n, and the rounding of the result to a double (2^-53) are allowed for. */
static void check(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                  struct host_arrays output, struct check_result *result)
{
    (void)arrays;
    struct expected expected = expected_of(problem, input);
    double bound = result->bound > 0 ? result->bound : (double)count_of(problem) * element_epsilon(problem->type);
    struct tolerance tolerance = {.absolute = (bound + 0x1p-52) * expected.magnitude};
    double actual = dot_result(problem->type, output);
    struct comparison comparison;
    comparator_compare(ELEMENT_F64, &actual, &expected.value, 1, tolerance, &comparison);
    result->passed = comparison.wrong == 0;
    result->worst = expected.magnitude > 0 ? fabs(actual - expected.value) / expected.magnitude : fabs(actual);
    if (!result->passed)
        snprintf(
            result->reason, sizeof result->reason,
            "the result is %.17g and should be %.17g: an error of %.2g of the terms' magnitudes, where %.2g is stated",
            actual, expected.value, result->worst, bound);
}

static struct cost cost(const struct problem *problem)
{
    double count = (double)count_of(problem), bytes = (double)element_info(problem->type)->bytes;
    return (struct cost){
        .bytes_read = 2 * count * bytes,
        .bytes_written = sizeof(double),
        .operations = 2 * count,
        .read_streams = 2,
        .write_streams = 0,
    };
}

static double work(const struct problem *problem)
{
    return cost(problem).bytes_read;
}

static const char *const awkward[] = {
    "dot:n=0",
    "dot:n=1",
    "dot:n=2",
    "dot:n=31,input=signed",
    "dot:n=1023",
    "dot:n=1025",
    "dot:n=4097,input=wide",
    "dot:n=65537",
    "dot:n=1000003,input=signed",
    "dot:n=16777216",
    "dot:n=16777259,input=wide",
    NULL,
};

const struct kernel kernel_dot = {
    .name = "dot",
    .title = "the sum of a[i] b[i]: one number out of two vectors",
    .fields = fields,
    .field_count = COUNT_OF(fields),
    .types = types,
    .type_count = COUNT_OF(types),
    .rate_unit = "GB/s",
    .describe = describe,
    .fill = fill,
    .check = check,
    .cost = cost,
    .work = work,
    .split = dot_split,
    .join = dot_join,
    .ladder = ladder,
    .ladder_count = COUNT_OF(ladder),
    .awkward = awkward,
    .awkward_small = 8,
    .awkward_tiny = 7,
    .repeatable = true,
    .bench = "dot:n=2^24",
    .rehearsal = "dot:n=2^20",
};
