/* The smallest errors that the checks refuse, per kernel, type and kind of inputs: to a right answer an error is added
 * that doubles until the check refuses it. The table is docs/verification.md's; what it says is asserted. An error is
 * stated as a share of what it is added to: of one element, of every element, or of a sum. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/backend.h"
#include "base/size.h"
#include "kernels/prepared_run.h"
#include "parsed.h"

/* Where the error is: in one element, or in all with alternating signs, or in all with one sign. */
enum where { ONE, ALL, BIAS };

struct row {
    const char *problem, *rung;
    enum where where;
    double most; /* what the page states */
};

struct answer {
    struct problem problem;
    struct array arrays[KERNEL_ARRAYS_MAX];
    int count, out;
    struct host_arrays input, output;
    void *right; /* the output as the rung left it */
    double bound;
};

static void *room(size_t bytes)
{
    void *memory = aligned_alloc(4096, (bytes / 4096 + 1) * 4096);
    assert_non_null(memory);
    memset(memory, 0, bytes);
    return memory;
}

/* Runs the rung on the CPU device, on inputs as a check has them. */
static void run(struct answer *answer, const struct rung *rung, struct device *cpu)
{
    struct buffer buffers[KERNEL_ARRAYS_MAX] = {{0}}, scratch = {0};
    struct prepared_run prepared = {0};
    struct parameters parameters;
    struct error error = {{0}};
    assert_int_equal(rung_defaults(rung, &answer->problem, &parameters, &error), STATUS_OK);
    assert_int_equal(prepared_run_plan(&prepared, rung, &answer->problem, cpu, &parameters, &error), STATUS_OK);
    for (int i = 0; i < answer->count; i++) {
        assert_int_equal(buffer_allocate(cpu, answer->arrays[i].bytes, &buffers[i], &error), STATUS_OK);
        memcpy(buffers[i].host, answer->input.data[i], answer->arrays[i].bytes);
    }
    assert_int_equal(buffer_allocate(cpu, prepared.scratch_bytes + 1, &scratch, &error), STATUS_OK);
    assert_int_equal(prepared_run_make(&prepared, answer->arrays, answer->count, buffers, &scratch, &error), STATUS_OK);
    assert_int_equal(prepared_run_run(&prepared, &error), STATUS_OK);
    for (int i = 0; i < answer->count; i++) {
        memcpy(answer->output.data[i], buffers[i].host, answer->arrays[i].bytes);
        buffer_release(&buffers[i]);
    }
    prepared_run_finish(&prepared);
    buffer_release(&scratch);
    assert_int_equal(rung_bound(rung, &answer->problem, &parameters, &answer->bound, &error), STATUS_OK);
}

static void make(struct answer *answer, const struct row *row, struct device *cpu)
{
    struct error error = {{0}};
    *answer = (struct answer){.problem = parsed(row->problem)};
    assert_int_equal(kernel_describe(&answer->problem, answer->arrays, &answer->count, &error), STATUS_OK);
    answer->out = -1;
    for (int i = 0; i < answer->count; i++) {
        answer->input.data[i] = room(answer->arrays[i].bytes);
        answer->output.data[i] = room(answer->arrays[i].bytes);
        if (answer->arrays[i].direction != ARRAY_IN && !answer->arrays[i].interim)
            answer->out = answer->out < 0 ? i : answer->out;
    }
    answer->problem.kernel->fill(&answer->problem, answer->arrays, answer->input);
    const struct rung *rung = rung_by_name(answer->problem.kernel, row->rung, &error);
    assert_non_null(rung);
    run(answer, rung, cpu);
    answer->right = room(answer->arrays[answer->out].bytes);
    memcpy(answer->right, answer->output.data[answer->out], answer->arrays[answer->out].bytes);
}

static void drop(struct answer *answer)
{
    for (int i = 0; i < answer->count; i++) {
        free(answer->input.data[i]);
        free(answer->output.data[i]);
    }
    free(answer->right);
}

static double value_at(const struct answer *answer, const void *data, size_t i)
{
    return answer->arrays[answer->out].type == ELEMENT_F32 ? (double)((const float *)data)[i]
                                                           : ((const double *)data)[i];
}

static int compare_values(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The element of median magnitude, as an error in the largest would be the easiest to see. */
static size_t median_element(const struct answer *answer, size_t elements)
{
    double *values = room((elements + 1) * sizeof *values), median;
    size_t at = 0;
    for (size_t i = 0; i < elements; i++)
        values[i] = fabs(value_at(answer, answer->right, i));
    qsort(values, elements, sizeof *values, compare_values);
    median = values[elements / 2];
    free(values);
    while (fabs(value_at(answer, answer->right, at)) != median)
        at++;
    return at;
}

static void put(const struct answer *answer, size_t i, double factor)
{
    void *to = answer->output.data[answer->out];
    double value = value_at(answer, answer->right, i) * factor;
    if (answer->arrays[answer->out].type == ELEMENT_F32)
        ((float *)to)[i] = (float)value;
    else
        ((double *)to)[i] = value;
}

static bool passes(struct answer *answer, enum where where, double error, size_t median, size_t elements)
{
    struct check_result result = {.bound = answer->bound};
    memcpy(answer->output.data[answer->out], answer->right, answer->arrays[answer->out].bytes);
    for (size_t i = 0; i < elements; i++)
        if (where != ONE || i == median)
            put(answer, i, 1 + (where == ALL && i % 2 ? -error : error));
    answer->problem.kernel->check(&answer->problem, answer->arrays, answer->input, answer->output, &result);
    return result.passed;
}

/* The smallest power of two, as a share, that is refused with all larger ones; 0: any change is. */
static double smallest_refused(struct answer *answer, enum where where)
{
    size_t bytes = element_info(answer->arrays[answer->out].type)->bytes;
    size_t elements = answer->arrays[answer->out].bytes / bytes, median = median_element(answer, elements);
    double least = answer->arrays[answer->out].type == ELEMENT_F32 ? 0x1p-23 : 0x1p-52;
    assert_true(passes(answer, where, 0, median, elements));
    double error = 1;
    while (error >= least) {
        if (passes(answer, where, error, median, elements))
            return 2 * error;
        error /= 2;
    }
    return 0;
}

static const char *const places[] = {"one element", "all, both ways", "all, one way"};

static void as_the_page_says(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"dot:n=65536,input=integers", "serial", ONE, 0},
        {"dot:n=4096,input=unit", "serial", ONE, 7e-05},
        {"dot:n=65536,input=unit", "serial", ONE, 2e-04},
        {"dot:n=2097152,input=unit", "serial", ONE, 4e-03},
        {"dot:n=65536,input=unit", "compensated", ONE, 9e-16},
        {"dot:n=65536,input=unit,f64", "serial", ONE, 4e-13},
        {"dot:n=65536,input=signed", "serial", ONE, 2e-03},
        {"dot:n=65536,input=signed,f64", "serial", ONE, 9e-12},
        {"dot:n=65536,input=wide", "serial", ONE, 4e-04},
        {"dot:n=4096,input=tiny", "serial", ONE, 7e-05},
        {"dot:n=4096,input=tiny,seed=2", "serial", ONE, 2e-04},
        {"dot:n=4096,input=huge", "serial", ONE, 7e-05},
        {"pipeline:n=65536,input=integers", "cpu", ONE, 0},
        {"pipeline:n=65536,input=unit", "cpu", ONE, 4e-12},
        {"pipeline:n=65536,input=signed", "cpu", ONE, 4e-12},
        {"pipeline:n=65536,input=wide", "cpu", ONE, 4e-12},
        {"matmul:m=128,n=128,k=128,input=integers", "blocked", ONE, 0},
        {"matmul:m=128,n=128,k=128,input=signed", "blocked", ONE, 2e-05},
        {"matmul:m=128,n=128,k=128,input=signed", "blocked", ALL, 9e-06},
        {"matmul:m=128,n=128,k=128,input=signed", "blocked", BIAS, 9e-06},
        {"matmul:m=128,n=128,k=128,input=signed,f64", "blocked", ONE, 2e-14},
        {"matmul:m=128,n=128,k=128,input=unit", "blocked", ONE, 9e-06},
        {"matmul:m=128,n=128,k=128,input=unit", "blocked", BIAS, 9e-06},
        {"matmul:m=128,n=128,k=128,input=wide", "blocked", ONE, 4e-05},
        {"matmul:m=128,n=128,k=128,input=huge", "blocked", ONE, 2e-05},
        {"matmul:m=128,n=128,k=128,input=tiny", "blocked", ONE, 4e-05},
        {"matmul:m=32,n=32,k=4096,input=unit", "blocked", ONE, 7e-05},
        {"matmul:m=32,n=32,k=4096,input=signed", "blocked", ONE, 1e-04},
        {"matmul:m=2100,n=2100,k=256,input=signed", "blocked", ONE, 2e-03},
        {"matmul:m=2100,n=2100,k=256,input=signed", "blocked", BIAS, 9e-06},
        {"wave:nx=24,ny=20,nz=16,steps=3,input=dyadic", "simd", ONE, 0},
        {"wave:nx=24,ny=20,nz=16,steps=40,input=dyadic", "simd", ONE, 0},
        {"wave:nx=24,ny=20,nz=16,steps=4,input=random", "simd", ONE, 2e-04},
        {"wave:nx=24,ny=20,nz=16,steps=4,input=random", "simd", BIAS, 7e-05},
        {"wave:nx=24,ny=20,nz=16,steps=100,input=random", "simd", ONE, 9e-03},
        {"wave:nx=24,ny=20,nz=16,steps=100,input=random", "simd", BIAS, 4e-04},
        {"wave:nx=24,ny=20,nz=16,steps=6", "simd", ONE, 1e-04},
        {"wave:nx=24,ny=20,nz=16,steps=6", "simd", BIAS, 2e-05},
        {"wave:nx=24,ny=20,nz=16,steps=4,input=wide", "simd", ONE, 1e-04},
        {"wave:nx=24,ny=20,nz=16,steps=4,input=huge", "simd", ONE, 2e-04},
        {"wave:nx=24,ny=20,nz=16,steps=4,input=tiny", "simd", ONE, 4e-04},
    };
    struct device *cpu;
    struct error error = {{0}};
    size_t worse = 0;
    assert_int_equal(device_open("cpu", &cpu, &error), STATUS_OK);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct answer answer;
        make(&answer, &rows[i], cpu);
        double found = smallest_refused(&answer, rows[i].where);
        print_message("| `%s` | %s | %s | %.1g |%s\n", rows[i].problem, rows[i].rung, places[rows[i].where], found,
                      found > rows[i].most ? " more than stated" : "");
        worse += found > rows[i].most;
        drop(&answer);
    }
    device_close(cpu);
    assert_int_equal(worse, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_the_page_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
