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
    assert_string_equal(refusal("tensor-fp16x3", "matmul:m=1,n=8192,k=0", "9.0", 227), "");
    assert_non_null(strstr(refusal("tensor-fp16x3", "matmul", "8.0", 163), "9.0"));
    assert_non_null(strstr(refusal("tensor-fp16x3", "matmul", "9.0", 163), "memory"));
    assert_non_null(strstr(refusal("tensor-fp16x3", "matmul", "12.0", 227), "9.0"));
    assert_non_null(strstr(refusal("tensor-fp16x3", "matmul:f64", "9.0", 227), "float only"));
    assert_string_equal(refusal("register-banks", "matmul:m=1,n=8192,k=0", "9.0", 227), "");
    assert_non_null(strstr(refusal("register-banks", "matmul", "8.0", 163), "9.0"));
    assert_non_null(strstr(refusal("register-banks", "matmul", "12.0", 227), "9.0"));
    assert_non_null(strstr(refusal("register-banks", "matmul:f64", "9.0", 227), "float only"));
}

static size_t scratch_of(const char *rung_name, const char *text)
{
    struct error error = {{0}};
    struct problem problem;
    struct parameters parameters;
    struct device device = device_of("9.0", 227);
    device.properties.units = 132;
    size_t bytes = 0;
    const struct rung *rung = rung_by_name(kernel_by_name("matmul", &error), rung_name, &error);
    if (problem_parse(text, &problem, &error) != STATUS_OK ||
        rung_defaults(rung, &problem, &parameters, &error) != STATUS_OK ||
        rung_scratch(rung, &problem, &device, &parameters, &bytes, &error) != STATUS_OK)
        FAIL_WITH("%s: %s\n", text, error.text);
    return bytes;
}

/* 1024 words, and for each row and column 7 and the largest number of each of 32 parts of the depth. */
static size_t before_parts(size_t lines)
{
    return (4 * (1024 + 39 * lines) + 1023) / 1024 * 1024;
}

/* Three parts of two bytes; rows and columns rounded up to tiles, the depth to 64 and at least that. The rung of two
 * parts must have room for three, as it falls back on these, and for what each group leaves of a tile. */
static void test_scratch_holds_the_parts(void **state)
{
    static const struct {
        const char *text;
        size_t lines, depth, lines_fp16;
    } cases[] = {
        {"matmul:m=4096,n=4096,k=4096", 4096 + 4096, 4096, 4096 + 4096},
        {"matmul:m=4095,n=4097,k=4033", 4096 + 4224, 4096, 4096 + 4224},
        {"matmul:m=1,n=1,k=1", 128 + 64, 64, 128 + 128},
        {"matmul:m=128,n=64,k=64,alpha=0", 128 + 64, 64, 128 + 128},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(scratch_of("tensor-split-async", cases[i].text),
                         before_parts(cases[i].lines) + 6 * cases[i].lines * cases[i].depth);
        assert_int_equal(scratch_of("tensor-fp16x3", cases[i].text), before_parts(cases[i].lines_fp16) +
                                                                         6 * cases[i].lines_fp16 * cases[i].depth +
                                                                         (size_t)132 * 128 * 128 * 4);
        /* Panels of 128 lines, 32 deep and at least one; before them 1024 words, one that is counted up, and one for
         * each 32 of the depth, up to a multiple of 128 bytes. Behind them two groups' sums in each of two regions. */
        size_t deep = i == 3 ? 32 : i == 2 ? 32 : i == 1 ? 4064 : 4096;
        size_t words = (1024 + 1 + deep / 32 + 31) / 32 * 32;
        assert_int_equal(scratch_of("register-banks", cases[i].text),
                         4 * (words + cases[i].lines_fp16 * deep) + (size_t)2 * 2 * 132 * 128 * 128 * 4);
    }
}

static void test_what_splits_compiles(void **state)
{
    static const char *const architectures[] = {"sm_80", "sm_90a", "sm_120"};
    static const char *const files[] = {"kernels/matmul/planes_bfloat16.cu", "kernels/matmul/planes_float16.cu"};
    struct error error = {{0}};
    (void)state;
    if (cuda_nvrtc_available(&error) != STATUS_OK) {
        print_message("skipped: %s\n", error.text);
        skip();
    }
    for (int choice = 0; choice < 8; choice++) {
        const struct embedded_file *file = embedded_find(files[choice / 4]);
        assert_non_null(file);
        const char *const defines[] = {choice & 1 ? "TILE_N=64" : "TILE_N=128", choice & 1 ? "TRANSA=1" : "TRANSA=0",
                                       choice & 2 ? "TRANSB=1" : "TRANSB=0", choice & 1 ? "KEPT=8" : "KEPT=2",
                                       choice & 1 ? "FALLBACK=1" : "FALLBACK=0"};
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
