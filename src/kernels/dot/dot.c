/* The dot product: one number out of two vectors. */
#include "kernels/dot/dot.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"

#define LADDER_KERNEL dot
#include "kernels/ladder.h"

enum input { INPUT_UNIT, INPUT_SIGNED, INPUT_WIDE, INPUT_SPECIAL };

static const char *const inputs[] = {
    "unit",    /* uniform in [0, 1): every term is positive */
    "signed",  /* uniform in [-1, 1): terms cancel */
    "wide",    /* signed, with exponents spread over 2^-20 … 2^20 */
    "special", /* signed, and one infinity: what it reaches is infinite, and nothing else is lost */
    NULL,
};

static const struct field fields[] = {
    {.name = "n", .help = "elements of each vector", .initial = (int64_t)1 << 24, .maximum = (int64_t)1 << 40},
    {.name = "input",
     .help = "unit: 0 to 1; signed: -1 to 1; wide: many magnitudes; special: one is infinite",
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
    return input == INPUT_WIDE ? ldexp(value, (int)(word % 41) - 20) : value;
}

static void put(enum element_type type, void *data, size_t index, double value)
{
    if (type == ELEMENT_F32)
        ((float *)data)[index] = (float)value;
    else
        ((double *)data)[index] = value;
}

static void fill(const struct problem *problem, const struct array *arrays, struct host_arrays host)
{
    (void)arrays;
    enum input input = (enum input)problem->values[1].size;
    size_t count = count_of(problem);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < count; i++)
        for (int v = 0; v < 2; v++)
            put(problem->type, host.data[v], i, value_of(input, random_word(problem->seed, 2 * i + (size_t)v)));
    if (input == INPUT_SPECIAL && count > 0)
        put(problem->type, host.data[0], random_word(problem->seed, 2 * count) % count, INFINITY);
}

/* An infinity of either seed would make two, or none. */
static bool mixes(const struct problem *problem)
{
    return problem->values[1].size != INPUT_SPECIAL;
}

/* The reference and the sum of the terms' magnitudes, to which every rung's bound refers. Where that sum overflows
 * though all elements are numbers, no order of the additions is more right than another, and any result will do. */
struct expected {
    double value, magnitude;
    bool overflows;
};

static double magnitude_of(enum element_type type, const void *a, const void *b, size_t from, size_t to)
{
    double sum = 0;
    for (size_t i = from; i < to; i++)
        sum += type == ELEMENT_F32 ? fabs((double)((const float *)a)[i] * ((const float *)b)[i])
                                   : fabs(((const double *)a)[i] * ((const double *)b)[i]);
    return sum;
}

static bool all_finite(enum element_type type, const void *data, size_t count)
{
    bool finite = true;
#pragma omp parallel for schedule(static) reduction(&& : finite)
    for (size_t i = 0; i < count; i++)
        finite = finite && isfinite(type == ELEMENT_F32 ? (double)((const float *)data)[i] : ((const double *)data)[i]);
    return finite;
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
    expected.value = dot_twofold_value(sum);
    expected.overflows = !isfinite(expected.magnitude) && all_finite(problem->type, input.data[0], count) &&
                         all_finite(problem->type, input.data[1], count);
    return expected;
}

/* The lab poisons outputs with one byte from 0xE0 on: that is no sum of these inputs in any type. */
static bool is_untouched(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != bytes[0])
            return false;
    return bytes[0] >= 0xE0;
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

static bool is_right(double actual, const struct expected *expected, double allowed)
{
    struct comparison comparison;
    comparator_compare(ELEMENT_F64, &actual, &expected->value, 1, (struct tolerance){.absolute = allowed}, &comparison);
    return comparison.wrong == 0 || expected->overflows;
}

static double worst_of(double actual, const struct expected *expected, bool right)
{
    double error = fabs(actual - expected->value);
    if (!isfinite(error) || expected->overflows)
        return right ? 0 : (double)INFINITY;
    return error > 0 ? error / expected->magnitude : 0;
}

static void describe_wrong(double actual, const struct expected *expected, double bound, struct check_result *result)
{
    int length = snprintf(result->reason, sizeof result->reason, "the result is %.17g and should be %.17g", actual,
                          expected->value);
    if (isfinite(result->worst))
        snprintf(result->reason + length, sizeof result->reason - (size_t)length,
                 ": an error of %.2g of the terms' magnitudes, where %.2g is stated", result->worst, bound);
}

/* The measure: |result - reference| over the sum of |a[i] b[i]|, which for terms of one sign is the relative error. A
 * rung states its bound (kernel.h); one that states none is held to n roundings of the element type. The reference's
 * own error, about 2^-104 n, the rounding of the result to a double (2^-53), and what terms lose that are too small for
 * a double (2^-1074 each, or all where those are flushed to zero) are allowed for. NaN and infinity must come where
 * IEEE 754 sends them. */
static void check(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                  struct host_arrays output, struct check_result *result)
{
    (void)arrays;
    struct expected expected = expected_of(problem, input);
    double count = (double)count_of(problem);
    double bound = result->bound > 0 ? result->bound : count * element_epsilon(problem->type);
    if (is_untouched(output.data[2], sizeof(double)) &&
        is_untouched(output.data[3], element_info(problem->type)->bytes)) {
        snprintf(result->reason, sizeof result->reason, "the result was never written");
        return;
    }
    double actual = dot_result(problem->type, output);
    result->passed = is_right(actual, &expected, (bound + 0x1p-52) * expected.magnitude + count * 0x1p-1022);
    result->worst = worst_of(actual, &expected, result->passed);
    if (!result->passed)
        describe_wrong(actual, &expected, bound, result);
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
    "dot:n=4099,input=special",
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
    .mixes = mixes,
    .check = check,
    .cost = cost,
    .work = work,
    .split = dot_split,
    .join = dot_join,
    .ladder = ladder,
    .ladder_count = COUNT_OF(ladder),
    .awkward = awkward,
    .awkward_small = 9,
    .awkward_tiny = 8,
    .repeatable = true,
    .bench = "dot:n=2^24",
    .rehearsal = "dot:n=2^20",
};
