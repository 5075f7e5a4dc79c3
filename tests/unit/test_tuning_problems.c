/* The problems that a tuning measures: those of one kernel or of all, none that takes a slow rung long on that kind of
 * device, each once, and mixed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backends/all.h"
#include "base/size.h"
#include "choice/tuning_problems.h"

#include <cmocka.h> /* last: it has a macro called fail */

static struct device cpu = {.backend = &backend_cpu, .id = "cpu", .properties = {.is_cpu = true}},
                     pocl = {.backend = &backend_opencl, .id = "opencl:0", .properties = {.is_cpu = true}},
                     gpu = {.backend = &backend_cuda, .id = "cuda:0"};

static const struct {
    struct device *device;
    double bytes, operations;
} limits[] = {{&cpu, 128e6, 1e9}, {&pocl, 16e6, 1e8}, {&gpu, 2e9, 3e11}};

static struct problem *problems_of(const struct kernel *only, const struct device *device, size_t *count)
{
    struct problem *problems;
    struct error error = {""};
    if (tuning_problems(only, device, &problems, count, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return problems;
}

static void test_small_and_different(void **state)
{
    (void)state;
    for (size_t d = 0; d < COUNT_OF(limits); d++) {
        size_t count;
        struct problem *problems = problems_of(NULL, limits[d].device, &count);
        double most_bytes = 0;
        assert_true(count > 100);
        for (size_t i = 0; i < count; i++) {
            const struct cost cost = problems[i].kernel->cost(&problems[i]);
            const double bytes = cost.bytes_read + cost.bytes_written;
            char one[PROBLEM_TEXT_MAX], other[PROBLEM_TEXT_MAX];
            assert_true(bytes <= limits[d].bytes && cost.operations <= limits[d].operations);
            most_bytes = bytes > most_bytes ? bytes : most_bytes;
            problem_text(&problems[i], one);
            for (size_t k = 0; k < i; k += 1 + count / 50)
                assert_string_not_equal(one, problem_text(&problems[k], other));
        }
        assert_true(most_bytes > limits[d].bytes / 8); /* the limit is used */
        free(problems);
    }
}

/* A kernel's own are those of all that are its; every part of the list has problems of each kernel. */
static void test_kernels(void **state)
{
    (void)state;
    size_t all_count, sum = 0;
    struct problem *all = problems_of(NULL, &cpu, &all_count);
    for (size_t k = 0; kernels[k]; k++) {
        size_t count, in_first_half = 0, in_all = 0;
        struct problem *own = problems_of(kernels[k], &cpu, &count);
        for (size_t i = 0; i < count; i++)
            assert_ptr_equal(own[i].kernel, kernels[k]);
        for (size_t i = 0; i < all_count; i++) {
            in_all += all[i].kernel == kernels[k];
            in_first_half += i < all_count / 2 && all[i].kernel == kernels[k];
        }
        assert_int_equal(in_all, count);
        assert_true(count < 4 || (in_first_half >= count / 4 && in_first_half <= count - count / 4));
        sum += count;
        free(own);
    }
    assert_int_equal(sum, all_count);
    free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small_and_different), cmocka_unit_test(test_kernels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
