/* The CUDA backend on a real GPU: what the prelude's words compute there, and what the driver says when things go
 * wrong. Skipped, with the reason, where there is no GPU. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/all.h"
#include "base/clock.h"
#include "base/size.h"
#include "device_calls.h"

#include <cmocka.h> /* last: it has a macro called fail */

/* ---- the driver's limits ---- */

static void much_local_memory_works(void **state)
{
    (void)state;
    SKIP_WITHOUT_DEVICE;
    size_t bytes = (size_t)device->properties.local_bytes_per_group_limit;
    static const char text[] = "extern __shared__ unsigned memory[];\n"
                               "extern \"C\" __global__ void f(uint *out, long n) {\n"
                               "    for (long i = threadIdx.x; i < n; i += blockDim.x) memory[i] = i;\n"
                               "    __syncthreads();\n"
                               "    if (threadIdx.x == 0) out[0] = memory[n - 1];\n"
                               "}\n";
    struct error error = {""};
    struct program *program = build_on(device, text, LANGUAGE_CUDA_C, NULL);
    struct buffer buffer = allocate(4);
    const struct argument_value arguments[] = {{.kind = ARGUMENT_BUFFER, .buffer = &buffer},
                                               {.kind = ARGUMENT_LONG, .long_value = (int64_t)(bytes / 4)}};
    const struct launch launch = {.entry = "f",
                                  .rank = 1,
                                  .group = {128, 1, 1},
                                  .groups = {1, 1, 1},
                                  .local_bytes = bytes,
                                  .arguments = arguments,
                                  .argument_count = 2};
    uint32_t last = 0;
    if (program_launch(program, &launch, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    read_back(&buffer, &last);
    assert_int_equal(last, bytes / 4 - 1);
    buffer_release(&buffer);
    program_discard(program);
}

static void refusals_have_reasons(void **state)
{
    (void)state;
    SKIP_WITHOUT_DEVICE;
    static const char text[] = "__kernel group_shape(64, 1, 1) void f(__global uint *x) { x[0] = 1; }\n"
                               "__kernel void two(__global uint *x, int y) { x[0] = y; }\n";
    struct error error = {""};
    struct program *program = build_on(device, text, LANGUAGE_OPENCL_C, NULL);
    struct buffer buffer = allocate(4);
    assert_int_not_equal(launch(program, &buffer, 1, (size_t[]){1024, 1, 1}, (size_t[]){1, 1, 1}, &error), STATUS_OK);
    print_message("too large a group: %s\n", error.text);
    const struct argument_value argument = {.kind = ARGUMENT_BUFFER, .buffer = &buffer};
    const struct launch two = {.entry = "two",
                               .rank = 1,
                               .group = {1, 1, 1},
                               .groups = {1, 1, 1},
                               .arguments = &argument,
                               .argument_count = 1};
    enum status status = program_launch(program, &two, &error);
    if (status != STATUS_OK) /* drivers before CUDA 12.4 do not report a kernel's parameters */
        assert_non_null(strstr(error.text, "takes 2 arguments, and 1"));
    struct buffer large;
    assert_int_equal(buffer_allocate(device, (size_t)1 << 50, &large, &error), STATUS_UNAVAILABLE);
    print_message("too much memory: %s\n", error.text);
    buffer_release(&buffer);
    program_discard(program);
}

/* ---- time ---- */

static void marks_measure_copies(void **state)
{
    (void)state;
    SKIP_WITHOUT_DEVICE;
    enum { BYTES = 256 << 20 };
    struct error error = {""};
    struct buffer a = allocate(BYTES), b = allocate(BYTES);
    struct event *from = NULL, *to = NULL;
    double best = INFINITY;
    assert_int_equal(a.native % BUFFER_ALIGNMENT, 0);
    assert_int_equal(event_create(device, &from, &error), STATUS_OK);
    assert_int_equal(event_create(device, &to, &error), STATUS_OK);
    for (int i = 0; i < 10; i++) {
        double nanoseconds = 0;
        assert_int_equal(event_record(from, &error), STATUS_OK);
        assert_int_equal(buffer_copy(&b, 0, &a, 0, BYTES, &error), STATUS_OK);
        assert_int_equal(event_record(to, &error), STATUS_OK);
        assert_int_equal(event_elapsed(from, to, &nanoseconds, &error), STATUS_OK);
        best = fmin(best, nanoseconds);
    }
    print_message("copy on the device: %.0f GB/s read and written\n", 2.0 * BYTES / best);
    assert_true(best > 10e3 && best < 1e9);
    event_destroy(from);
    event_destroy(to);
    buffer_release(&a);
    buffer_release(&b);
}

/* Last: CUDA does nothing more in this process, and says so. */
static void a_crash_is_told_once(void **state)
{
    (void)state;
    SKIP_WITHOUT_DEVICE;
    if (getenv("USKOR_TEST_NO_CRASH")) /* for memory checkers, which would report this one */
        skip();
    static const char wrong[] = "__kernel void f(__global int *x) { x[(long)1 << 40] = 1; }";
    struct error error = {""};
    struct program *program = build_on(device, wrong, LANGUAGE_OPENCL_C, NULL);
    struct buffer buffer = allocate(4);
    const size_t one[] = {1, 1, 1};
    assert_int_equal(launch(program, &buffer, 1, one, one, &error), STATUS_OK);
    assert_int_equal(device_synchronize(device, &error), STATUS_FAILED);
    print_message("crash: %s\n", error.text);
    assert_int_equal(device_synchronize(device, &error), STATUS_UNAVAILABLE);
    assert_non_null(strstr(error.text, "a kernel has crashed before"));
    buffer_release(&buffer);
    program_discard(program);
    device_close(device);
    assert_int_equal(device_open("cuda", &device, &error), STATUS_UNAVAILABLE);
    assert_null(device);
}

static int start(void **state)
{
    (void)state;
    struct error error = {""};
    if (device_open("cuda", &device, &error) != STATUS_OK)
        print_message("skipped: %s\n", error.text);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    device_close(device);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(much_local_memory_works),
        cmocka_unit_test(refusals_have_reasons),
        cmocka_unit_test(marks_measure_copies),
        cmocka_unit_test(a_crash_is_told_once),
    };
    return cmocka_run_group_tests(tests, start, finish);
}
