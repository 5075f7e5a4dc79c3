/* The dot product: one number out of two vectors. */
#include "kernels/dot/dot.h"

#include <math.h>

#include "base/message.h"
#include "base/translation.h"
#include "kernels/dot/check.h"

#define LADDER_KERNEL dot
#include "kernels/ladder.h"

/* enum dot_input */
static const char *const inputs[] = {"unit", "signed", "wide",       "special", "integers",
                                     "tiny", "huge",   "structured", NULL};

static const char *const sums[] = {"fast", "compensated", "exact", NULL}; /* enum dot_sum */

static const struct problem_field fields[] = {
    {.name = "n", .help = "elements of each vector", .initial = (int64_t)1 << 24, .maximum = (int64_t)1 << 40},
    {.name = "input",
     .help =
         "unit: 0 to 1; signed: -1 to 1; wide: many magnitudes; special: one is infinite or NaN; integers: every "
         "sum is "
         "exact; tiny, huge: the ends of the type's range; structured: integers in runs, in periods, sparse, all alike",
     .kind = FIELD_CHOICE,
     .choices = inputs,
     .host_only = true},
    {.name = "precision",
     .help =
         "fast: in any order; compensated: as if in twice the precision; exact: the correctly rounded sum, the same "
         "for any order",
     .kind = FIELD_CHOICE,
     .choices = sums,
     .omitted_by_default = true,
     .unless_taken = N_("adds up with a rounding error for each addition")},
};

static const char *const shape[] = {"n", NULL};

static const enum element_type types[] = {ELEMENT_F32, ELEMENT_F64, ELEMENT_F16, ELEMENT_BF16};

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
    /* Libraries answer in the type of sums, and widening that would cost them a launch: a rung writes one of the two.
     */
    arrays[3] = (struct array){
        .name = "narrow", .direction = ARRAY_OUT, .type = dot_sum_type(problem->type), .rows = 1, .cols = 1};
    return 4;
}

/* Pieces of another seed may be mixed into these inputs. The others have values that occur once, or in pairs. */
static bool mixes(const struct problem *problem)
{
    return problem->values[1].size <= INPUT_WIDE;
}

/* The poison byte is at least 0xE0: no sum of these inputs has such bytes in any type. */
static bool is_untouched(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != bytes[0])
            return false;
    return bytes[0] >= 0xE0;
}

static double narrow_of(enum element_type type, const void *narrow)
{
    return is_untouched(narrow, element_info(type)->bytes) ? NAN : dot_element(type, narrow, 0);
}

double dot_result(enum element_type type, struct host_arrays output)
{
    return is_untouched(output.data[2], sizeof(double)) ? narrow_of(dot_sum_type(type), output.data[3])
                                                        : *(const double *)output.data[2];
}

#ifndef USKOR_LIBRARY
void dot_judge_output(const struct problem *problem, struct dot_reference *reference, struct host_arrays output,
                      struct check_result *result)
{
    if (is_untouched(output.data[2], sizeof(double)) &&
        is_untouched(output.data[3], element_info(dot_sum_type(problem->type))->bytes)) {
        explain(result->reason, sizeof result->reason,
                "the result was never written; a sum that is added to it must set it to zero first");
        return;
    }
    dot_judge_sum(reference, dot_result(problem->type, output), (enum dot_sum)problem_size(problem, "precision"),
                  result);
}

/* dot/check.h says what is right. */
static void check(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                  struct host_arrays output, struct check_result *result)
{
    struct dot_reference reference;
    (void)arrays;
    dot_refer(problem->type, input.data[0], input.data[1], count_of(problem), &reference);
    dot_judge_output(problem, &reference, output, result);
}
#endif

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

static bool needs_subnormals(const struct problem *problem)
{
    return (problem->type == ELEMENT_F32 || problem->type == ELEMENT_BF16) &&
           problem_size(problem, "input") == INPUT_TINY;
}

/* Remainders of 1, 2 and 3 of vectors of 4, 8 and 16; every kind of data, also with its long numbers in other places
 * (seeds). */
static const char *const edge_cases[] = {
    "dot:n=0",
    "dot:n=1",
    "dot:n=2,input=integers",
    "dot:n=31,input=signed",
    "dot:n=1023,input=integers",
    "dot:n=1025",
    "dot:n=1030,input=tiny",
    "dot:n=1027,input=tiny,seed=2",
    "dot:n=4099,input=special",
    "dot:n=1031,input=special,seed=2",
    "dot:n=1046,input=special,seed=3",
    "dot:n=2052,input=special,seed=4",
    "dot:n=3077,input=special,seed=5",
    "dot:n=4097,input=wide",
    "dot:n=2066,input=huge",
    "dot:n=1040,input=special,seed=6",
    "dot:n=2053,input=special,seed=9",
    "dot:n=65537",
    "dot:n=65549,input=integers,seed=2",
    "dot:n=1000003,input=signed",
    "dot:n=1048578,input=integers,seed=3",
    "dot:n=262147,input=tiny",
    "dot:n=262150,input=huge",
    "dot:n=3145731,input=integers",
    "dot:n=4194305,input=wide",
    "dot:n=16777216,input=integers",
    "dot:n=16777259",

    /* Elements of 16 bits: every kind of data; whole steps of 8, 16, 32 and 64 and what is left. */
    "dot:n=1,f16",
    "dot:n=1031,input=tiny,f16",
    "dot:n=1032,input=tiny,seed=2,bf16",
    "dot:n=1037,input=huge,f16",
    "dot:n=1039,input=huge,bf16",
    "dot:n=1028,input=special,f16",
    "dot:n=1033,input=special,seed=3,bf16",
    "dot:n=2054,input=wide,f16",
    "dot:n=4103,input=wide,bf16",
    "dot:n=65553,input=integers,f16",
    "dot:n=65557,input=integers,bf16",
    "dot:n=777,input=structured,seed=5,f16",
    "dot:n=262151,input=signed,f16",
    "dot:n=1000003,bf16",
    "dot:n=2049,input=wide,precision=exact,f16",
    "dot:n=2053,input=tiny,precision=exact,bf16",
    "dot:n=1027,input=huge,precision=compensated,f16",

    /* Sums of more precision: every kind of data, fewer and more terms than a block. */
    "dot:n=0,precision=exact",
    "dot:n=1,input=signed,precision=exact",
    "dot:n=37,input=tiny,precision=exact",
    "dot:n=1029,input=special,precision=exact",
    "dot:n=2055,input=huge,precision=exact",
    "dot:n=65536,input=wide,precision=exact",
    "dot:n=65537,input=signed,precision=exact",
    "dot:n=200003,input=integers,precision=exact",
    "dot:n=1000001,input=wide,precision=exact",
    "dot:n=333,input=structured,seed=3,precision=exact",
    "dot:n=1023,input=wide,precision=compensated",
    "dot:n=70001,input=signed,precision=compensated",
    "dot:n=2061,input=tiny,precision=compensated",
    "dot:n=2062,input=special,seed=4,precision=compensated",

    /* Every remainder of 16 along every side. */
    "dot:n=2048,input=integers",
    "dot:n=2129,input=integers",
    "dot:n=2210,input=integers",
    "dot:n=2291,input=integers",
    "dot:n=2068,input=integers",
    "dot:n=2149,input=integers",
    "dot:n=2230,input=integers",
    "dot:n=2311,input=integers",
    "dot:n=2088,input=integers",
    "dot:n=2169,input=integers",
    "dot:n=2250,input=integers",
    "dot:n=2331,input=integers",
    "dot:n=2108,input=integers",
    "dot:n=2189,input=integers",
    "dot:n=2270,input=integers",
    "dot:n=2351,input=integers",
    NULL,
};

/* So short a vector `wide` adds up in one launch (its header); the others need two. */
static const char *choose(const struct problem *problem, const struct device *device)
{
    const bool is_gpu = device->backend->kind != BACKEND_CPU && !device->properties.is_cpu;
    return is_gpu && work(problem) <= 2 * 16384 ? "wide" : NULL;
}

const struct kernel kernel_dot = {
    .name = "dot",
    .heading = "Dot product",
    .title = "the sum of a[i] b[i]: one number out of two vectors",
    .fields = fields,
    .field_count = COUNT_OF(fields),
    .shape = shape,
    .types = types,
    .type_count = COUNT_OF(types),
    .common_types = 2,
    .rate_unit = "GB/s",
    .describe = describe,
    .needs_subnormals = needs_subnormals,
    .mixes = mixes,
    .cost = cost,
    .work = work,
    .choose = choose,
    .ladder = ladder,
    .ladder_count = COUNT_OF(ladder),
    .edge_cases = edge_cases,
    .edge_cases_small = 13,
    .edge_cases_tiny = 11,
    .repeatable = true,
    .bench = "dot:n=2^24",
    .large = "dot:n=2147483659",
    .cpu_opencl_bench = "dot:n=2^20",
    LAB_ONLY(.fill = dot_fill, .check = check, .split = dot_split, .join = dot_join, .plain = &dot_plain)};
