#include "explain/effects/effect_kernel.h"

#include <stdio.h>

#include "base/message.h"
#include "base/random.h"
#include "base/worth_threads.h"

const struct problem_field effect_fields[EFFECT_FIELD_COUNT] = {{.name = "n",
                                                                 .help = N_("words"),
                                                                 .kind = FIELD_SIZE,
                                                                 .initial = EFFECT_SIZE_LEAST,
                                                                 .minimum = EFFECT_SIZE_LEAST,
                                                                 .maximum = EFFECT_SIZE_MOST}};

const enum element_type effect_words[1] = {ELEMENT_U32};
const enum element_type effect_floats[1] = {ELEMENT_F32};

int effect_describe_two(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX])
{
    size_t count = (size_t)problem_size(problem, "n");
    arrays[0] = (struct array){.name = "in", .direction = ARRAY_IN, .type = problem->type, .rows = 1, .cols = count};
    arrays[1] = (struct array){.name = "out", .direction = ARRAY_OUT, .type = problem->type, .rows = 1, .cols = count};
    return 2;
}

int effect_describe_table(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX])
{
    effect_describe_two(problem, arrays);
    arrays[2] = arrays[1];
    arrays[1] = (struct array){
        .name = "table", .direction = ARRAY_IN, .type = problem->type, .rows = 1, .cols = EFFECT_TABLE_WORDS};
    return 3;
}

static void fill_array(uint64_t seed, const struct array *array, void *data)
{
    size_t count = array->rows * array->cols;
#pragma omp parallel for schedule(static) if (is_worth_threads(count))
    for (size_t i = 0; i < count; i++) {
        uint64_t word = random_word(seed, i);
        if (array->type == ELEMENT_U32)
            ((uint32_t *)data)[i] = (uint32_t)word;
        else if (array->type == ELEMENT_F32)
            ((float *)data)[i] = (float)(1 + word % 255);
        else
            ((uint64_t *)data)[i] = word;
    }
}

void effect_fill(const struct problem *problem, const struct array *arrays, struct host_arrays host)
{
    struct array described[KERNEL_ARRAYS_MAX];
    int count = problem->kernel->describe(problem, described);
    for (int a = 0; a < count; a++)
        if (arrays[a].direction == ARRAY_IN && host.data[a])
            fill_array((uint64_t)problem->seed * KERNEL_ARRAYS_MAX + (uint64_t)a, &arrays[a], host.data[a]);
}

bool effect_mixes(const struct problem *problem)
{
    (void)problem;
    return true;
}

struct cost effect_cost(const struct problem *problem)
{
    double words = (double)problem_size(problem, "n");
    return (struct cost){.bytes_read = 4 * words,
                         .bytes_written = 4 * words,
                         .operations = words,
                         .read_streams = 1,
                         .write_streams = 1};
}

double effect_work(const struct problem *problem)
{
    return (double)problem_size(problem, "n");
}

/* ---- checking ------------------------------------------------------------------------------------------------- */

#define CHUNK 4096

struct findings {
    size_t wrong, first;
};

static struct findings check_chunk(const struct array *array, const void *output, size_t from, size_t count,
                                   effect_expected expected, const void *context)
{
    union {
        uint32_t narrow[CHUNK];
        uint64_t wide[CHUNK];
    } right;
    size_t bytes = element_info(array->type)->bytes;
    struct comparison comparison;
    for (size_t i = 0; i < count; i++)
        if (bytes == 4)
            right.narrow[i] = (uint32_t)expected(context, from + i);
        else
            right.wide[i] = expected(context, from + i);
    comparator_compare_bits((const char *)output + from * bytes, &right, count, bytes, &comparison);
    return (struct findings){comparison.wrong, comparison.wrong ? from + comparison.first_wrong : SIZE_MAX};
}

void effect_check(const struct array *array, const void *output, effect_expected expected, const void *context,
                  struct check_result *result)
{
    size_t all = array->rows * array->cols, wrong = 0, first = SIZE_MAX;
#pragma omp parallel for schedule(static) reduction(+ : wrong) reduction(min : first)
    for (size_t from = 0; from < all; from += CHUNK) {
        size_t count = all - from < CHUNK ? all - from : CHUNK;
        struct findings found = check_chunk(array, output, from, count, expected, context);
        wrong += found.wrong;
        first = found.first < first ? found.first : first;
    }
    *result = (struct check_result){.exact = true, .passed = wrong == 0, .worst = (double)wrong};
    if (result->passed)
        return;
    snprintf(result->where, sizeof result->where, "[%zu]", first);
    explain(result->reason, sizeof result->reason, "%zu of %zu elements are wrong, the first at %s%s", wrong, all,
            result->where, "");
}

uint64_t effect_incremented(const void *in, size_t index)
{
    return ((const uint32_t *)in)[index] + 1;
}

void effect_check_increment(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                            struct host_arrays output, struct check_result *result)
{
    (void)problem;
    effect_check(&arrays[1], output.data[1], effect_incremented, input.data[0], result);
}

struct summed {
    const uint32_t *words;
    size_t count;
};

static uint64_t sum_of(const void *context, size_t index)
{
    const struct summed *summed = context;
    uint32_t sum = 0;
    (void)index;
    for (size_t i = 0; i < summed->count; i++)
        sum += summed->words[i];
    return sum;
}

void effect_check_sum(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                      struct host_arrays output, struct check_result *result)
{
    const struct summed summed = {input.data[0], (size_t)problem_size(problem, "n")};
    int last = 1;
    while (!output.data[last])
        last++;
    effect_check(&arrays[last], output.data[last], sum_of, &summed, result);
}

struct cost effect_cost_sum(const struct problem *problem)
{
    double words = (double)problem_size(problem, "n");
    return (struct cost){.bytes_read = 4 * words, .bytes_written = 4, .operations = words, .read_streams = 1};
}

struct effect_steps effect_steps_of(const uint32_t *table, int terms, int times)
{
    struct effect_steps steps = {.factor = 1, .sum = 0};
    for (int k = 0; k < terms; k++)
        for (int t = 0; t < times; t++) {
            steps.factor *= 1664525u;
            steps.sum = steps.sum * 1664525u + table[k];
        }
    return steps;
}

struct stepped {
    const uint32_t *in;
    struct effect_steps steps;
};

static uint64_t stepped(const void *context, size_t index)
{
    const struct stepped *all = context;
    return all->in[index] * all->steps.factor + all->steps.sum;
}

void effect_check_steps(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                        struct host_arrays output, struct check_result *result)
{
    struct stepped context = {input.data[0], effect_steps_of(input.data[1], EFFECT_TABLE_WORDS, 4)};
    (void)problem;
    effect_check(&arrays[2], output.data[2], stepped, &context, result);
}
