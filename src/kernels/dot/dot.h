/* Shared by the files of the dot product. */
#pragma once

#include "base/half.h"
#include "kernels/kernel.h"

/* A run's vectors and where its result goes. */
struct dot_product {
    const void *a, *b;
    size_t count;
    enum element_type type; /* ELEMENT_F32, ELEMENT_F64, ELEMENT_F16 or ELEMENT_BF16 */
    double *result;
};

/* The type of sums: elements of 16 bits are added up as floats. */
static inline enum element_type dot_sum_type(enum element_type type)
{
    return element_is_half(type) ? ELEMENT_F32 : type;
}

/* Element `index`, exactly; where `type` is a constant, one load. */
static inline __attribute__((always_inline)) double dot_element(enum element_type type, const void *array, size_t index)
{
    switch (type) {
    case ELEMENT_F32:
        return (double)((const float *)array)[index];
    case ELEMENT_F16:
        return (double)f16_to_float(((const uint16_t *)array)[index]);
    case ELEMENT_BF16:
        return (double)bf16_to_float(((const uint16_t *)array)[index]);
    default:
        return ((const double *)array)[index];
    }
}

static inline struct dot_product dot_of(const struct run *run)
{
    return (struct dot_product){
        .a = run->buffers[0].host,
        .b = run->buffers[1].host,
        .count = (size_t)run->problem->values[0].size,
        .type = run->problem->type,
        .result = run->buffers[2].host,
    };
}

/* Part `index` of `parts` of `count` elements, cut at multiples of 1024 so that every part but the last is whole cache
 * lines. */
static inline size_t dot_part(size_t count, size_t parts, size_t index)
{
    size_t blocks = (count + 1023) / 1024;
    size_t at = (blocks / parts * index + (blocks % parts < index ? blocks % parts : index)) * 1024;
    return at < count ? at : count;
}

/* What a run's time grows with (rung.load), in elements: those of one of `parts` threads, the call, and the threads'
 * start. */
static inline double dot_load(const struct problem *problem, double call, size_t parts)
{
    return call + (double)problem->values[0].size / (double)parts + (parts > 1 ? 8000 : 0);
}

/* The error of one accumulator of the type of sums: an error for each addition; and never more than a quarter with
 * kernel->fill's data, where the check allows for a random walk and a drift only (check.c). */
#define DOT_ONE_ACCUMULATOR "min(n * epsilon, 0.25)"

/* NULL, or why `accumulators` of the type of sums cannot add up this problem. */
const char *dot_too_many_for_one(const struct problem *problem, size_t accumulators);

/* The sum of the elements of 16 bits from `from` to before `to`, in one float. */
double dot_half_sum(const struct dot_product *dot, size_t from, size_t to);

/* Sums of products as the vector rungs do them: one thread, double accumulators. */
typedef double dot_part_function(enum element_type type, const void *a, const void *b, size_t from, size_t to);

/* In several double accumulators (vectors of the widest instruction set). Products of floats are exact in double. */
dot_part_function dot_vector_part;

/* A sum kept in two doubles, value and what rounding lost. */
struct dot_twofold {
    double high, low;
};

/* As if computed in twice the precision and rounded: Dot2 of Ogita, Rump and Oishi, "Accurate sum and dot product"
 * (2005). */
struct dot_twofold dot_compensated_part(enum element_type type, const void *a, const void *b, size_t from, size_t to);

/* sum + value, exactly, in two doubles (Knuth's TwoSum). */
struct dot_twofold dot_twofold_add(struct dot_twofold sum, double value);

/* The sum as one double. One with NaN or infinity in it has no rounding to add: `high` is where IEEE 754 sends it. */
double dot_twofold_value(struct dot_twofold sum);

/* The values of the field "input". */
enum dot_input {
    INPUT_UNIT,     /* uniform in [0, 1): every term is positive */
    INPUT_SIGNED,   /* uniform in [-1, 1): terms cancel */
    INPUT_WIDE,     /* signed, with exponents spread over 2^-20 … 2^20 */
    INPUT_SPECIAL,  /* signed, and one infinity: what it reaches is infinite, and nothing else is lost */
    INPUT_INTEGERS, /* 1 and -1, and some long ones: every partial sum in every order is exact in the type */
    INPUT_TINY,     /* one of each pair is subnormal or little more, the other large: their sum is an ordinary number */
    INPUT_HUGE,     /* one of each pair is near the type's largest number; no sum overflows */
    INPUT_STRUCTURED, /* integers, as exact: zeros, runs, periods, one number and other structures, by the seed */
};

/* The values of the field "precision". */
enum dot_sum { DOT_SUM_FAST, DOT_SUM_COMPENSATED, DOT_SUM_EXACT };

/* kernel->fill (fill.c). */
void dot_fill(const struct problem *problem, const struct array *arrays, struct host_arrays host);

/* kernel->split (split.c). */
const char *dot_split(const struct problem *problem, size_t index, size_t count, struct job_part *part, char *reason,
                      size_t size);

/* kernel->join. */
void dot_join(const struct problem *problem, const struct host_arrays *parts, size_t count, struct host_arrays whole);

/* A rung's result in `output`: it writes one of two. NaN when it wrote neither. */
double dot_result(enum element_type type, struct host_arrays output);

/* kernel->plain (plain.c). */
extern const struct plain_signature dot_plain;
