/* The packed product with every instruction set that is here, with grids of threads, and with blocks much smaller than
 * the problem: what the edge_cases problems at default sizes do not reach. */
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */
#define FAIL_WITH(...) (print_error(__VA_ARGS__), _fail(__FILE__, __LINE__))

#include "backends/cpu/cpu.h"
#include "base/threads.h"
#include "lab/bench/runner.h"

static const char *const problems[] = {
    "matmul:m=131,n=303,k=150,alpha=-1.5,beta=0.5,ldc_pad=3,f32",
    "matmul:m=131,n=303,k=150,transa=t,transb=t,lda_pad=1,ldb_pad=2,f32",
    "matmul:m=15,n=301,k=129,beta=1,input=special,f64",
    "matmul:m=113,n=129,k=65,transb=t,input=special,f32",
    "matmul:m=37,n=61,k=1003,alpha=2,beta=-1,ldc_pad=3,f32",
    "matmul:m=37,n=61,k=1003,transa=t,transb=t,input=special,f64",
    "matmul:m=131,n=303,k=9,transa=t,beta=0.5,ldc_pad=1,f32",
    "matmul:m=1,n=2503,k=133,transa=t,lda_pad=2,beta=2,f32",
    "matmul:m=2503,n=1,k=133,ldb_pad=1,ldc_pad=2,input=special,f64",
    "matmul:m=1,n=5,k=20011,transb=t,alpha=-2,input=integers,f32",
    "matmul:m=303,n=1,k=1003,transa=t,batch=3,f64",
    "matmul:m=131,n=303,k=151,beta=0.5,ldc_pad=3,bf16",
    "matmul:m=131,n=303,k=150,transa=t,transb=t,lda_pad=1,ldb_pad=2,result=f32,bf16",
    "matmul:m=15,n=301,k=129,input=tiny,bf16",
    "matmul:m=33,n=64,k=97,transb=t,input=special,bf16",
};

/* Runs it once with these parameters and demands that every element is right. */
static void demand_right(struct device *device, const char *text, int64_t depth, int64_t rows, int64_t cols)
{
    struct problem problem;
    struct dataset data;
    struct workspace workspace;
    struct runner runner = {0};
    struct candidate candidate = {.device = device, .parameters = {{depth, rows, cols}}};
    struct check_result result;
    struct error error = {""};
    assert_int_equal(problem_parse(text, &problem, &error), STATUS_OK);
    candidate.rung = rung_by_name(problem.kernel, "packed", &error);
    assert_non_null(candidate.rung);
    assert_int_equal(dataset_create(&problem, &data, &error), STATUS_OK);
    assert_int_equal(workspace_create(&data, device, &workspace, &error), STATUS_OK);
    assert_int_equal(runner_prepare(&runner, &workspace, &candidate, &error), STATUS_OK);
    if (runner_verify(&runner, &result, &error) != STATUS_OK)
        FAIL_WITH("%s on %d threads, %s: %s\n", text, omp_get_max_threads(), getenv("USKOR_ISA"), error.text);
    runner_finish(&runner);
    workspace_destroy(&workspace);
    dataset_destroy(&data);
}

static void test_blocks_threads_and_instruction_sets(void **state)
{
    (void)state;
    static const char *const sets[] = {"base", "avx2", "avx512", "neon"}; /* an absent one is the best there is */
    struct device *device;
    struct error error;
    int before = omp_get_max_threads();
    assert_int_equal(device_open("cpu", &device, &error), STATUS_OK);
    for (size_t set = 0; set < sizeof sets / sizeof sets[0]; set++)
        for (int threads = 1; threads <= 7; threads += 3)
            for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++) {
                setenv("USKOR_ISA", sets[set], 1);
                cpu_isa_forget();
                threads_set(threads);
                demand_right(device, problems[i], 64, 56, 128);
                demand_right(device, problems[i], 768, 3584, 4096);
            }
    unsetenv("USKOR_ISA");
    cpu_isa_forget();
    threads_set(before);
    device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_blocks_threads_and_instruction_sets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
