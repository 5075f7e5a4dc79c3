/* What the effects' kernels share: one size, arrays of words, and a check of each word against a function of its
 * index. */
#ifndef USKOR_EXPLAIN_EFFECTS_EFFECT_KERNEL_H
#define USKOR_EXPLAIN_EFFECTS_EFFECT_KERNEL_H

#include <stdint.h>

#include "base/size.h"
#include "base/translation.h"
#include "explain/effects/effects.h"

#define EFFECT_FIELD_COUNT 1
extern const struct problem_field effect_fields[EFFECT_FIELD_COUNT]; /* "n" */
extern const enum element_type effect_words[1];                      /* 32 bits */

#define EFFECT_TABLE_WORDS 16

/* describe: in[n], out[n]; or with in[n], table[EFFECT_TABLE_WORDS], out[n]. */
int effect_describe_two(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX]);
int effect_describe_table(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX]);

/* Random words; small whole numbers, 1 … 255, in arrays of floats. */
void effect_fill(const struct problem *problem, const struct array *arrays, struct host_arrays host);
bool effect_mixes(const struct problem *problem);

/* Each word of the input read, each of the output written, an operation for each. */
struct cost effect_cost(const struct problem *problem);
/* The problem's words, or numbers. */
double effect_work(const struct problem *problem);

/* Compares every element of the last array with `expected` of its index and `context` (written as the array's type),
 * bit by bit. */
typedef uint64_t (*effect_expected)(const void *context, size_t index);
void effect_check(const struct array *array, const void *output, effect_expected expected, const void *context,
                  struct check_result *result);

/* check: out[i] = in[i] + 1. */
void effect_check_increment(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                            struct host_arrays output, struct check_result *result);

/* Steps x = 1664525 x + table[k] with the first `terms` terms, each `times` times: x · factor + sum. */
struct effect_steps {
    uint32_t factor, sum;
};
struct effect_steps effect_steps_of(const uint32_t *table, int terms, int times);
/* check: out[i] = the 64 steps of all terms, each four times, from in[i]. */
void effect_check_steps(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                        struct host_arrays output, struct check_result *result);

/* The members of a struct kernel that all effects have. */
#define EFFECT_KERNEL(kernel_name, row_list)                                                                  \
    .name = kernel_name, .fields = effect_fields, .field_count = EFFECT_FIELD_COUNT, .types = effect_words,   \
    .type_count = 1, .rate_unit = "Gword/s", .fill = effect_fill, .mixes = effect_mixes, .work = effect_work, \
    .ladder = row_list, .ladder_count = COUNT_OF(row_list)

#endif
