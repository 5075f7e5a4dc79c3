/* What an OpenCL runtime on this processor makes of kernels whose code is known: widths, spills, doubles. */
#include <stdio.h>
#include <stdlib.h>

#include "backends/opencl/kernel_code.h"
#include "base/size.h"
#include "explain/compiled/opencl_code.h"
#include "judge/judge.h"
#include "opencl_device.h"

#define GROUPS 16
#define BYTES 65536

/* A wide one; one with a chain of additions, which no order changes; one of doubles; one that needs more registers than
 * there are; and two whose launches do not end well on arrays of zeros. */
static const char known[] =
    "kernel void wide(global float4 *a, global const float4 *b)\n"
    "{\n"
    "    float4 sum = 0;\n"
    "    for (int k = 0; k < 100; k++)\n"
    "        sum = sum * b[k] + b[k + 1];\n"
    "    a[get_global_id(0)] = sum;\n"
    "}\n"
    "kernel void chain(global float *a, global const float *b)\n"
    "{\n"
    "    float sum = 0;\n"
    "    for (int k = 0; k < 100; k++)\n"
    "        sum = sum * b[3 * k] + b[5 * k];\n"
    "    a[get_global_id(0)] = sum;\n"
    "}\n"
    "kernel void doubles(global float *a, global const float *b)\n"
    "{\n"
    "    a[get_global_id(0)] = b[get_global_id(0)] * 0.1;\n"
    "}\n"
    "#define ALL(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) "
    "\\\n"
    "    X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31) X(32) X(33) X(34) X(35)\n"
    "kernel void many(global float16 *a, global const float16 *b, int n)\n"
    "{\n"
    "#define DECLARE(i) float16 s##i = b[i];\n"
    "#define STEP(i) s##i = s##i * b[k] + b[k + 1 + i % 2];\n"
    "#define STORE(i) a[i] = s##i;\n"
    "    ALL(DECLARE)\n"
    "    for (int k = 0; k < n; k++) {\n"
    "        ALL(STEP)\n"
    "    }\n"
    "    ALL(STORE)\n"
    "}\n"
    "kernel void divides(global int *a, global const int *b)\n"
    "{\n"
    "    a[get_global_id(0)] = 7 / b[get_global_id(0)];\n"
    "}\n"
    "kernel void waits(volatile global int *a)\n"
    "{\n"
    "    while (a[0] == 0)\n"
    "        ;\n"
    "    a[1] = 1;\n"
    "}\n";

static bool is_pocl(void)
{
    return strstr(device->properties.driver, "Portable Computing Language") != NULL;
}

#if defined __x86_64__
#define NEEDS_CODE()                                     \
    do {                                                 \
        NEEDS_DEVICE();                                  \
        if (is_oclgrind() || !device->properties.is_cpu) \
            skip();                                      \
    } while (0)
#else
#define NEEDS_CODE() ((void)state, skip())
#endif

static enum status get(const char *entry, size_t arguments, struct kernel_code *code)
{
    static const struct program_source source = {"known.cl", known, LANGUAGE_OPENCL_C, NULL, 0};
    const struct kernel_code_argument values[] = {
        {.kind = ARGUMENT_BUFFER, .bytes = BYTES},
        {.kind = ARGUMENT_BUFFER, .bytes = BYTES},
        {.kind = ARGUMENT_INT, .value = 3},
    };
    struct kernel_code_request request = {.device = device->id,
                                          .device_name = device->properties.name,
                                          .source = &source,
                                          .entry = entry,
                                          .rank = 1,
                                          .group = {1, 1, 1},
                                          .groups = {GROUPS, 1, 1},
                                          .arguments = values,
                                          .argument_count = arguments};
    return kernel_code_get(&request, code, &error);
}

/* The first function's; the caller frees it. */
static struct explain_compiled read_code(const char *entry, size_t arguments)
{
    struct explain_compiled compiled = {.kernel_count = 0};
    struct explain_kernel form = {.launches = 1, .rank = 1, .group = {1, 1, 1}, .groups = {GROUPS, 1, 1}};
    struct kernel_code code;
    expect_ok(get(entry, arguments, &code));
    expect_ok(opencl_code_read(&code, &form, &compiled, &error));
    free(code.image);
    assert_true(compiled.kernel_count >= 1);
    assert_true(compiled.kernels[0].instruction_count > 0);
    assert_non_null(compiled.read_from);
    return compiled;
}

static int from_width(const int counts[CODE_WIDTHS], int bits)
{
    int sum = 0;
    for (int i = 0; i < CODE_WIDTHS; i++)
        sum += 8 << i >= bits ? counts[i] : 0;
    return sum;
}

static void vectors_of_four_are_128_bits_or_more(void **state)
{
    NEEDS_CODE();
    struct explain_compiled compiled = read_code("wide", 2);
    const struct explain_kernel *kernel = &compiled.kernels[0];
    assert_true(kernel->vector_bits >= 128);
    assert_true(from_width(kernel->arithmetic, 128) >= 1);
    assert_true(from_width(kernel->loads, 128) >= 1);
    assert_true(kernel->loop_counts[CODE_FMA] + kernel->loop_counts[CODE_FLOAT] >= 1);
    assert_int_equal(kernel->counts[CODE_FP64], 0);
    assert_int_equal(kernel->spill_store_bytes, 0);
    assert_int_equal(kernel->spill_load_bytes, 0);
    explain_compiled_free(&compiled);
}

/* PoCL makes vectors of a group's items only, and the group has one. */
static void a_chain_is_scalar(void **state)
{
    NEEDS_CODE();
    if (!is_pocl())
        skip();
    struct explain_compiled compiled = read_code("chain", 2);
    const struct explain_kernel *kernel = &compiled.kernels[0];
    assert_int_equal(from_width(kernel->arithmetic, 128), 0);
    assert_int_equal(from_width(kernel->loads, 128), 0);
    assert_true(from_width(kernel->arithmetic, 32) >= 1);
    assert_int_equal(kernel->vector_bits, 0);
    assert_int_equal(kernel->spill_store_bytes + kernel->spill_load_bytes, 0);
    explain_compiled_free(&compiled);
}

static void doubles_are_counted(void **state)
{
    NEEDS_CODE();
    if (!device->properties.has_double)
        skip();
    struct explain_compiled compiled = read_code("doubles", 2);
    assert_true(explain_totals_of(&compiled).fp64_instructions >= 1);
    assert_true(compiled.kernels[0].counts[CODE_CONVERT] >= 2);
    explain_compiled_free(&compiled);
}

/* 36 vectors of 16 floats: AVX-512 has 32 registers for them. */
static void too_many_values_spill(void **state)
{
    NEEDS_CODE();
    if (!is_pocl())
        skip();
    struct explain_compiled compiled = read_code("many", 3);
    const struct explain_kernel *kernel = &compiled.kernels[0];
    assert_true(kernel->spill_store_bytes >= 64);
    assert_true(kernel->spill_load_bytes >= 64);
    explain_compiled_free(&compiled);
}

/* Only the code is wanted: what the launch does to arrays of zeros is of no matter. */
static void launches_that_go_wrong_have_their_code(void **state)
{
    NEEDS_CODE();
    struct explain_compiled compiled = read_code("divides", 2);
    assert_true(compiled.kernels[0].counts[CODE_SPECIAL] + compiled.kernels[0].counts[CODE_FLOAT] +
                    compiled.kernels[0].counts[CODE_FP64] >=
                1);
    explain_compiled_free(&compiled);
    compiled = read_code("waits", 1);
    assert_true(compiled.kernels[0].loop_count >= 1);
    explain_compiled_free(&compiled);
}

static void refusals_have_reasons(void **state)
{
    NEEDS_CODE();
    struct kernel_code code;
    if (is_pocl()) {
        expect_words(get("absent", 2, &code), STATUS_INVALID, "absent");
        expect_words(get("wide", 1, &code), STATUS_INVALID, "wide has 2 arguments");
    } else {
        expect_words(get("absent", 2, &code), STATUS_UNAVAILABLE, "absent");
    }
    assert_null(code.image);
}

int main(int argc, char **argv)
{
    unsetenv("POCL_EXTRA_BUILD_FLAGS"); /* the suite's: no optimisation */
    judge_main(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_of_four_are_128_bits_or_more),
        cmocka_unit_test(a_chain_is_scalar),
        cmocka_unit_test(doubles_are_counted),
        cmocka_unit_test(too_many_values_spill),
        cmocka_unit_test(launches_that_go_wrong_have_their_code),
        cmocka_unit_test(refusals_have_reasons),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
