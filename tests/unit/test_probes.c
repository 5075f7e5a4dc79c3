/* Which probes a problem is held against, and that the one for arithmetic does as much as it says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */
#define FAIL_WITH(...) (print_error(__VA_ARGS__), _fail(__FILE__, __LINE__))

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backends/all.h"
#include "backends/cpu/cpu.h"
#include "base/clock.h"
#include "base/size.h"
#include "lab/ceilings/probes.h"

static size_t ceilings_of(const char *text, const struct rung *rungs[PROBES_MAX])
{
    struct error error = {{0}};
    struct problem problem;
    struct device *device = NULL;
    if (problem_parse(text, &problem, &error) != STATUS_OK || device_open("cpu", &device, &error) != STATUS_OK)
        FAIL_WITH("%s: %s\n", text, error.text);
    size_t count = ceiling_probes(&problem, device, NULL, 0, rungs);
    device_close(device);
    return count;
}

/* A probe of three equal arrays held a matrix-vector product, which reads one and writes next to nothing, against a
 * rate that it beat by 7 %. */
static void test_streams_are_in_the_proportion_of_the_bytes(void **state)
{
    static const struct {
        const char *problem;
        int reads, writes;
    } cases[] = {
        {"matmul:m=512,n=512,k=512", 2, 1},
        {"matmul:m=8192,n=1,k=8192", 1, 0},
        {"matmul:m=1,n=8192,k=8192", 1, 0},
        {"matmul:m=8192,n=8192,k=32", 0, 1},
        {"matmul:m=512,n=512,k=512,beta=1", 2, 1},
        {"sort:n=1000,input=few", 1, 1},
        {"sort:n=1000,input=sorted", 1, 0}, /* a sort that finds them sorted writes nothing */
        {"resize:width=64,height=64,out_width=64,out_height=64", 1, 1},
        {"resize:width=64,height=64,out_width=128,out_height=128", 1, 4},
        {"resize:width=64,height=64,out_width=32,out_height=32", 2, 1},
        {"resize:width=64,height=64,out_width=512,out_height=512", 0, 1},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct error error = {{0}};
        struct problem problem;
        if (problem_parse(cases[i].problem, &problem, &error) != STATUS_OK)
            FAIL_WITH("%s: %s\n", cases[i].problem, error.text);
        const struct cost cost = problem.kernel->cost(&problem);
        if (cost.read_streams != cases[i].reads || cost.write_streams != cases[i].writes)
            FAIL_WITH("%s: %d read, %d written\n", cases[i].problem, cost.read_streams, cost.write_streams);
    }
}

static void test_what_computes_long_is_held_against_arithmetic_too(void **state)
{
    const struct rung *rungs[PROBES_MAX];
    (void)state;
    assert_int_equal(ceilings_of("matmul:m=512,n=512,k=512", rungs), 2);
    assert_ptr_equal(rungs[0], &probe_streams);
    assert_ptr_equal(rungs[1], &probe_fma);
    assert_int_equal(ceilings_of("matmul:m=512,n=512,k=1", rungs), 1);
    assert_ptr_equal(rungs[0], &probe_streams);
    assert_int_equal(ceilings_of("transpose:rows=64,cols=64", rungs), 1);
    assert_ptr_equal(rungs[0], &probe_copy);
    assert_int_equal(ceilings_of("matmul:m=0,n=512,k=0", rungs), 0);
    assert_int_equal(ceilings_of("matmul:m=0,n=512,k=512", rungs), 0); /* B is not read for no results */
    assert_int_equal(ceilings_of("matmul:m=512,n=0,k=512", rungs), 0);
    assert_true(probe_is_of_memory(probe_copy.name));
    assert_true(probe_is_of_memory(probe_streams.name));
    assert_false(probe_is_of_memory(probe_fma.name));
}

/* A GPU of that compute capability, without one. */
static struct device gpu_of(const char *version)
{
    struct device device = {
        .backend = &backend_cuda,
        .id = "cuda:0",
        .properties = {.local_bytes_per_group = 48 << 10,
                       .local_bytes_per_group_limit = 227 << 10,
                       .warp_items = 32,
                       .group_items = 1024,
                       .group_size = {1024, 1024, 64},
                       .has_double = true},
    };
    snprintf(device.properties.version, sizeof device.properties.version, "%s", version);
    return device;
}

/* The ceilings of these rungs of the matrix product there. */
static size_t ceilings_on(struct device *device, const char *text, const char *const *names, size_t count,
                          const struct rung *rungs[PROBES_MAX])
{
    struct error error = {{0}};
    struct problem problem;
    struct candidate candidates[4];
    if (problem_parse(text, &problem, &error) != STATUS_OK)
        FAIL_WITH("%s\n", error.text);
    for (size_t i = 0; i < count; i++) {
        const struct rung *rung = rung_by_name(problem.kernel, names[i], &error);
        if (!rung || candidate_make(device, rung, &problem, NULL, &candidates[i], &error) != STATUS_OK)
            FAIL_WITH("%s\n", error.text);
    }
    return ceiling_probes(&problem, device, candidates, count, rungs);
}

static void test_tensor_cores_are_probed_where_a_rung_uses_them(void **state)
{
    static const char *const names[] = {"tiled", "tensor-split", "tensor-split-async", "naive"};
    static const char square[] = "matmul:m=512,n=512,k=512";
    const struct rung *rungs[PROBES_MAX];
    struct device hopper = gpu_of("9.0"), turing = gpu_of("7.5");
    (void)state;
    assert_int_equal(ceilings_on(&hopper, square, names, 4, rungs), 3); /* two rungs, one probe */
    assert_ptr_equal(rungs[0], &probe_streams);
    assert_ptr_equal(rungs[1], &probe_fma);
    assert_ptr_equal(rungs[2], &probe_tensor[5]);
    assert_int_equal(ceilings_on(&hopper, square, names, 1, rungs), 2);
    assert_int_equal(ceilings_on(&turing, square, names, 4, rungs), 2);
    assert_int_equal(ceilings_on(&hopper, "matmul:m=512,n=512,k=1", names, 4, rungs), 1);
}

static void test_each_rung_has_its_own_ceilings(void **state)
{
    struct error error = {{0}};
    const struct kernel *matmul = kernel_by_name("matmul", &error);
    const struct rung *tiled = rung_by_name(matmul, "tiled", &error), *cublas = rung_by_name(matmul, "cublas", &error);
    const struct rung *split = rung_by_name(matmul, "tensor-split", &error);
    const struct rung *async = rung_by_name(matmul, "tensor-split-async", &error);
    struct problem floats, halves;
    (void)state;
    assert_true(tiled && cublas && split && async);
    assert_int_equal(problem_parse("matmul:64", &floats, &error), STATUS_OK);
    assert_int_equal(problem_parse("matmul:64,bf16", &halves, &error), STATUS_OK);
    /* A library multiplies elements of 16 bits on tensor cores. */
    assert_true(probe_applies(cublas, &halves, &probe_tensor[0]) && !probe_applies(cublas, &halves, &probe_fma));
    assert_true(probe_applies(tiled, &halves, &probe_fma) && !probe_applies(tiled, &halves, &probe_tensor[0]));
    assert_int_equal(split->tensor_products, 6);
    assert_int_equal(async->tensor_products, 6);
    const struct rung *const ordinary[] = {tiled, cublas}, *const tensor[] = {split, async};
    for (size_t i = 0; i < 2; i++) {
        assert_true(probe_applies(ordinary[i], &floats, &probe_streams) &&
                    probe_applies(ordinary[i], &floats, &probe_fma));
        assert_true(probe_applies(tensor[i], &floats, &probe_streams) &&
                    probe_applies(tensor[i], &floats, &probe_tensor[5]));
        assert_false(probe_applies(tensor[i], &floats, &probe_fma));
        assert_false(probe_applies(tensor[i], &floats, &probe_tensor[2]));
        for (size_t products = 0; products < TENSOR_PRODUCTS_MAX; products++)
            assert_false(probe_applies(ordinary[i], &floats, &probe_tensor[products]));
    }
}

static void test_tensor_probes_do_as_much_as_their_names_say(void **state)
{
    struct error error = {{0}};
    struct problem problem;
    char name[16];
    (void)state;
    assert_int_equal(problem_parse("matmul:m=512,n=512,k=512", &problem, &error), STATUS_OK);
    for (unsigned products = 1; products <= TENSOR_PRODUCTS_MAX; products++) {
        const struct rung *probe = &probe_tensor[products - 1];
        snprintf(name, sizeof name, "tensor-%u", products);
        assert_string_equal(probe->name, name);
        assert_false(probe_is_of_memory(probe->name));
        assert_true(probe_operations(probe, &problem) == products * probe_operations(&probe_fma, &problem));
    }
    struct device turing = gpu_of("7.5"), ada = gpu_of("8.9"), blackwell = gpu_of("12.0");
    char reason[256];
    const struct parameters none = {0};
    const char *refused = rung_refuses(&probe_tensor[0], &problem, &turing, &none, reason, sizeof reason);
    assert_true(refused && strstr(refused, "8.0"));
    assert_null(rung_refuses(&probe_tensor[0], &problem, &ada, &none, reason, sizeof reason));
    assert_null(rung_refuses(&probe_tensor[0], &problem, &blackwell, &none, reason, sizeof reason));
}

/* In the processor's time, which other programs do not lengthen. */
static double least_time_of(double count, bool is_double)
{
    double best = 1e30;
    for (int round = 0; round < 5; round++) {
        const int64_t from = clock_processor();
        assert_true(cpu_multiply_add(count, is_double) > 0);
        best = fmin(best, (double)(clock_processor() - from));
    }
    return best;
}

static void test_more_arithmetic_takes_longer(void **state)
{
    (void)state;
    for (int is_double = 0; is_double < 2; is_double++) {
        double short_time = least_time_of(2e8, is_double), long_time = least_time_of(2e9, is_double);
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
    struct run run = {.rung = &probe_fma, .problem = &problem, .device = device};
    status = probe_fma.prepare(&run, error);
    if (status == STATUS_OK)
        status = probe_fma.enqueue(&run, error);
    if (status == STATUS_OK)
        status = device_synchronize(device, error);
    probe_fma.finish(&run);
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
        cmocka_unit_test(test_streams_are_in_the_proportion_of_the_bytes),
        cmocka_unit_test(test_what_computes_long_is_held_against_arithmetic_too),
        cmocka_unit_test(test_tensor_cores_are_probed_where_a_rung_uses_them),
        cmocka_unit_test(test_each_rung_has_its_own_ceilings),
        cmocka_unit_test(test_tensor_probes_do_as_much_as_their_names_say),
        cmocka_unit_test(test_more_arithmetic_takes_longer),
        cmocka_unit_test(test_the_probe_runs_where_rungs_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
