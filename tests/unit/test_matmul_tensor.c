/* The tensor rungs without a GPU: where they run, what scratch memory they ask for, and that what splits the floats
 * compiles. (That the multiplying kernels compile is in test_cuda_compile.c, as for every rung.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */
#define FAIL_WITH(...) (print_error(__VA_ARGS__), _fail(__FILE__, __LINE__))

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/all.h"
#include "backends/cuda/compile.h"
#include "base/embedded.h"
#include "base/size.h"
#include "kernels/kernel.h"

static struct device device_of(const char *version, uint64_t local_kib)
{
    struct device device = {
        .backend = &backend_cuda,
        .id = "cuda:0",
        .properties = {.local_bytes_per_group = 48 << 10,
                       .local_bytes_per_group_limit = local_kib << 10,
                       .warp_items = 32,
                       .group_items = 1024,
                       .group_size = {1024, 1024, 64},
                       .has_double = true},
    };
    snprintf(device.properties.version, sizeof device.properties.version, "%s", version);
    return device;
}

/* Why the rung does not run there, or "". */
static const char *refusal(const char *rung_name, const char *text, const char *version, uint64_t local_kib)
{
    static char reason[256];
    struct error error = {{0}};
    struct problem problem;
    struct parameters parameters;
    struct device device = device_of(version, local_kib);
    const struct kernel *kernel = kernel_by_name("matmul", &error);
    const struct rung *rung = kernel ? rung_by_name(kernel, rung_name, &error) : NULL;
    if (!rung || problem_parse(text, &problem, &error) != STATUS_OK ||
        rung_defaults(rung, &problem, &parameters, &error) != STATUS_OK)
        FAIL_WITH("%s\n", error.text);
    const char *refused = rung_refuses(rung, &problem, &device, &parameters, reason, sizeof reason);
    return refused ? refused : "";
}

static void test_each_runs_where_its_instructions_are(void **state)
{
    (void)state;
    assert_string_equal(refusal("tensor-split", "matmul", "8.0", 163), "");
    assert_string_equal(refusal("tensor-split", "matmul", "8.6", 99), "");
    assert_string_equal(refusal("tensor-split", "matmul:m=8192,n=8192", "12.0", 99), "");
    assert_non_null(strstr(refusal("tensor-split", "matmul", "7.5", 99), "8.0"));
    assert_string_equal(refusal("tensor-split-async", "matmul:m=8192,n=8192,k=8192", "9.0", 227), "");
    assert_non_null(strstr(refusal("tensor-split-async", "matmul", "10.0", 227), "9.0"));
    assert_non_null(strstr(refusal("tensor-split", "matmul:f64", "9.0", 227), "float only"));
}

static size_t scratch_of(const char *text)
{
    struct error error = {{0}};
    struct problem problem;
    struct parameters parameters;
    struct device device = device_of("9.0", 227);
    size_t bytes = 0;
    const struct rung *rung = rung_by_name(kernel_by_name("matmul", &error), "tensor-split-async", &error);
    if (problem_parse(text, &problem, &error) != STATUS_OK ||
        rung_defaults(rung, &problem, &parameters, &error) != STATUS_OK ||
        rung_scratch(rung, &problem, &device, &parameters, &bytes, &error) != STATUS_OK)
        FAIL_WITH("%s: %s\n", text, error.text);
    return bytes;
}

/* Three parts of two bytes; rows and columns rounded up to tiles, the depth to 64. */
static void test_scratch_holds_the_parts(void **state)
{
    (void)state;
    assert_int_equal(scratch_of("matmul:m=4096,n=4096,k=4096"), (size_t)6 * 2 * 4096 * 4096);
    assert_int_equal(scratch_of("matmul:m=4095,n=4097,k=4033"), (size_t)6 * (4096 + 4224) * 4096);
    assert_int_equal(scratch_of("matmul:m=1,n=1,k=1"), (size_t)6 * (128 + 64) * 64);
    assert_int_equal(scratch_of("matmul:m=128,n=64,k=64,alpha=0"), 1);
}

static void test_what_splits_compiles(void **state)
{
    static const char *const architectures[] = {"sm_80", "sm_90a", "sm_120"};
    const struct embedded_file *file = embedded_find("kernels/matmul/planes.cu");
    struct error error = {{0}};
    (void)state;
    assert_non_null(file);
    if (cuda_nvrtc_available(&error) != STATUS_OK) {
        print_message("skipped: %s\n", error.text);
        skip();
    }
    for (int choice = 0; choice < 4; choice++) {
        const char *const defines[] = {"TILE_M=128", choice & 1 ? "TILE_N=64" : "TILE_N=128",
                                       choice & 1 ? "TRANSA=1" : "TRANSA=0", choice & 2 ? "TRANSB=1" : "TRANSB=0"};
        const struct program_source source = {file->path, file->text, LANGUAGE_CUDA_C, defines, COUNT_OF(defines)};
        void *image = NULL;
        size_t bytes = 0;
        enum status status = cuda_compile_cached(&source, architectures[choice % 3], 0, &image, &bytes, &error);
        if (status == STATUS_UNAVAILABLE)
            print_message("%s\n", error.text); /* an NVRTC older than the architecture */
        else if (status != STATUS_OK)
            FAIL_WITH("%s\n", error.text);
        free(image);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_runs_where_its_instructions_are),
        cmocka_unit_test(test_scratch_holds_the_parts),
        cmocka_unit_test(test_what_splits_compiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
