/* Which probes a problem is held against, and that the one for arithmetic does as much as it says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */
#define FAIL_WITH(...) (print_error(__VA_ARGS__), _fail(__FILE__, __LINE__))

#include <string.h>

#include "backends/cpu/cpu.h"
#include "base/clock.h"
#include "lab/limit.h"

static size_t limits_of(const char *text, const struct rung *rungs[LIMITS_MAX])
{
    struct error error = {{0}};
    struct problem problem;
    struct device *device = NULL;
    if (problem_parse(text, &problem, &error) != STATUS_OK || device_open("cpu", &device, &error) != STATUS_OK)
        FAIL_WITH("%s: %s\n", text, error.text);
    size_t count = limit_rungs(&problem, device, rungs);
    device_close(device);
    return count;
}

static void test_what_computes_long_is_held_against_arithmetic_too(void **state)
{
    const struct rung *rungs[LIMITS_MAX];
    (void)state;
    assert_int_equal(limits_of("matmul:m=512,n=512,k=512", rungs), 2);
    assert_ptr_equal(rungs[0], &limit_streams);
    assert_ptr_equal(rungs[1], &limit_fma);
    assert_int_equal(limits_of("matmul:m=512,n=512,k=1", rungs), 1);
    assert_ptr_equal(rungs[0], &limit_streams);
    assert_int_equal(limits_of("transpose:rows=64,cols=64", rungs), 1);
    assert_ptr_equal(rungs[0], &limit_copy);
    assert_int_equal(limits_of("matmul:m=0,n=512,k=0", rungs), 0);
    assert_true(limit_is_of_memory(limit_copy.name));
    assert_true(limit_is_of_memory(limit_streams.name));
    assert_false(limit_is_of_memory(limit_fma.name));
}

static double nanoseconds_of(double count, bool is_double)
{
    double best = 1e30;
    for (int round = 0; round < 5; round++) {
        int64_t from = clock_now();
        assert_true(cpu_multiply_add(count, is_double) > 0);
        double spent = (double)(clock_now() - from);
        best = spent < best ? spent : best;
    }
    return best;
}

static void test_more_arithmetic_takes_longer(void **state)
{
    (void)state;
    for (int is_double = 0; is_double < 2; is_double++) {
        double short_time = nanoseconds_of(4e7, is_double), long_time = nanoseconds_of(4e8, is_double);
        assert_true(long_time > 3 * short_time);
    }
}

static enum status run_on(const char *id, const char *text, struct error *error)
{
    struct problem problem;
    struct device *device = NULL;
    enum status status = problem_parse(text, &problem, error);
    if (status == STATUS_OK)
        status = device_open(id, &device, error);
    if (status != STATUS_OK)
        return status;
    struct run run = {.rung = &limit_fma, .problem = &problem, .device = device};
    status = limit_fma.prepare(&run, error);
    if (status == STATUS_OK)
        status = limit_fma.enqueue(&run, error);
    if (status == STATUS_OK)
        status = device_synchronize(device, error);
    limit_fma.finish(&run);
    device_close(device);
    return status;
}

static void test_the_probe_runs_where_rungs_do(void **state)
{
    static const char *const texts[] = {"matmul:m=32,n=32,k=32", "matmul:m=256,n=300,k=100,f64"};
    static const char *const devices[] = {"cpu", "opencl:0"};
    (void)state;
    for (size_t d = 0; d < 2; d++)
        for (size_t i = 0; i < 2; i++) {
            struct error error = {{0}};
            enum status status = run_on(devices[d], texts[i], &error);
            if (d == 1 && status == STATUS_UNAVAILABLE)
                print_message("not on %s: %s\n", devices[d], error.text);
            else if (status != STATUS_OK)
                FAIL_WITH("%s: %s\n", devices[d], error.text);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_computes_long_is_held_against_arithmetic_too),
        cmocka_unit_test(test_more_arithmetic_takes_longer),
        cmocka_unit_test(test_the_probe_runs_where_rungs_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
