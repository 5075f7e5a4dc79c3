/* Shared by the effects' kernels: one size, arrays of words, and a check of each word against a function of its index.
 */
#pragma once

#include <stdint.h>

#include "base/size.h"
#include "base/translation.h"
#include "explain/effects/effects.h"

#define EFFECT_FIELD_COUNT 1
extern const struct problem_field effect_fields[EFFECT_FIELD_COUNT]; /* "n" */
extern const enum element_type effect_words[1];                      /* 32 bits */
extern const enum element_type effect_floats[1];                     /* float */

#define EFFECT_TABLE_WORDS 16

/* For kernel->describe: in[n], out[n]; or in[n], table[EFFECT_TABLE_WORDS], out[n]. */
int effect_describe_two(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX]);
int effect_describe_table(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX]);

/* Fills inputs with random words, floats with integers 1 … 255; an input whose host pointer is NULL is left alone. */
void effect_fill(const struct problem *problem, const struct array *arrays, struct host_arrays host);
bool effect_mixes(const struct problem *problem);

/* The cost: each input word is read, each output word written, one operation per word. */
struct cost effect_cost(const struct problem *problem);
/* The problem's work for a rate: its words or numbers. */
double effect_work(const struct problem *problem);

/* Compares every element of the array bitwise with `expected` of its index and `context`, a value of the array's type.
 */
typedef uint64_t (*effect_expected)(const void *context, size_t index);
void effect_check(const struct array *array, const void *output, effect_expected expected, const void *context,
                  struct check_result *result);

/* Defines `check` for a kernel: each word of the array of that number is `expected` of its index and the first array.
 */
#define EFFECT_CHECK(number, expected)                                                                     \
    static void check(const struct problem *problem, const struct array *arrays, struct host_arrays input, \
                      struct host_arrays output, struct check_result *result)                              \
    {                                                                                                      \
        (void)problem;                                                                                     \
        effect_check(&arrays[number], output.data[number], expected, input.data[0], result);               \
    }

/* Defines a kernel's function `cost`: effect_cost with `times` operations for each word. */
#define EFFECT_COST(times)                                 \
    static struct cost cost(const struct problem *problem) \
    {                                                      \
        struct cost cost = effect_cost(problem);           \
        cost.operations *= times;                          \
        return cost;                                       \
    }

/* For kernel->check: out[i] = in[i] + 1. */
uint64_t effect_incremented(const void *in, size_t index);
void effect_check_increment(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                            struct host_arrays output, struct check_result *result);

/* The composition of the steps x = 1664525 x + table[k] over the first `terms` terms, each `times` times: x · factor +
 * sum. */
struct effect_steps {
    uint32_t factor, sum;
};
struct effect_steps effect_steps_of(const uint32_t *table, int terms, int times);
/* For kernel->check: out[i] is the 64 steps of all terms, each four times, from in[i]. */
void effect_check_steps(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                        struct host_arrays output, struct check_result *result);

/* For kernel->check: the only element of the output is the sum of the words of the first, modulo 2^32. */
void effect_check_sum(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                      struct host_arrays output, struct check_result *result);
/* For kernel->cost: each input word is read and added once; one word is written. */
struct cost effect_cost_sum(const struct problem *problem);

/* The members of a struct kernel that all effects have; `type_list` has one type. */
#define EFFECT_KERNEL_FILLED(kernel_name, type_list, row_list, fill_function)                                   \
    .name = kernel_name, .fields = effect_fields, .field_count = EFFECT_FIELD_COUNT, .types = type_list,        \
    .type_count = 1, .rate_unit = "Gword/s", .fill = fill_function, .mixes = effect_mixes, .work = effect_work, \
    .ladder = row_list, .ladder_count = COUNT_OF(row_list)
#define EFFECT_KERNEL_OF(kernel_name, type_list, row_list) \
    EFFECT_KERNEL_FILLED(kernel_name, type_list, row_list, effect_fill)
#define EFFECT_KERNEL(kernel_name, row_list) EFFECT_KERNEL_OF(kernel_name, effect_words, row_list)
