/* Launches of the CUDA backend on a driver of host memory (fake_cuda/): what arrives there, and what is refused. */
#include "fixture.h"

static const char kernel_2d[] = "__kernel void f(__global const float *in, long n, int m, float x, double y) {}";

static const struct argument_value four_numbers[] = {
    {.kind = ARGUMENT_LONG, .long_value = -5},
    {.kind = ARGUMENT_INT, .int_value = 7},
    {.kind = ARGUMENT_FLOAT, .float_value = 1.5f},
    {.kind = ARGUMENT_DOUBLE, .double_value = 2.25},
};

/* Launches f with a buffer and the four numbers over this many groups. */
static enum status launch_over(struct program *program, const struct buffer *buffer, int rank, size_t x, size_t y,
                               size_t z, struct error *error)
{
    struct argument_value arguments[5] = {{.kind = ARGUMENT_BUFFER, .buffer = buffer}};
    memcpy(arguments + 1, four_numbers, sizeof four_numbers);
    const struct launch launch = {
        .entry = "f",
        .rank = rank,
        .group = {32, rank > 1 ? 8 : 1, rank > 2 ? 2 : 1},
        .groups = {x, y, z},
        .arguments = arguments,
        .argument_count = COUNT_OF(arguments),
    };
    return program_launch(program, &launch, error);
}

static void arguments_and_shape_arrive(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *device = open_device();
    struct program *program = build_on(device, kernel_2d, LANGUAGE_OPENCL_C, "TILE=32");
    struct buffer buffer;
    assert_int_equal(buffer_allocate(device, 64, &buffer, &error), STATUS_OK);
    assert_int_equal(launch_over(program, &buffer, 2, 3, 5, 1, &error), STATUS_OK);
    assert_string_equal(fake->function, "f");
    assert_memory_equal(fake->grid, ((unsigned[]){3, 5, 1}), sizeof fake->grid);
    assert_memory_equal(fake->group, ((unsigned[]){32, 8, 1}), sizeof fake->group);
    assert_int_equal(fake->argument_count, 5);
    assert_memory_equal(fake->arguments[0], &buffer.native, 8);
    assert_memory_equal(fake->arguments[1], &(int64_t){-5}, 8);
    assert_memory_equal(fake->arguments[2], &(int32_t){7}, 4);
    assert_memory_equal(fake->arguments[3], &(float){1.5f}, 4);
    assert_memory_equal(fake->arguments[4], &(double){2.25}, 8);
    assert_non_null(strstr(fake->options, "--gpu-architecture=sm_90\n"));
    assert_non_null(strstr(fake->options, "-D\nTILE=32\n"));
    assert_int_equal(launch_over(program, &buffer, 2, 3, 0, 1, &error), STATUS_OK);
    assert_int_equal(fake->launches, 1); /* no groups, no launch */
    program_discard(program);
    buffer_release(&buffer);
    device_close(device);
}

static void long_second_dimensions_are_folded(void **state)
{
    (void)state;
    static const struct {
        size_t groups;
        unsigned y, z;
    } cases[] = {{65535, 65535, 1}, {65536, 32768, 2}, {1000003, 62501, 16}, {(size_t)65535 * 65535, 65535, 65535}};
    struct error error = {""};
    struct device *device = open_device();
    struct program *program = build_on(device, kernel_2d, LANGUAGE_OPENCL_C, NULL);
    struct buffer buffer;
    assert_int_equal(buffer_allocate(device, 64, &buffer, &error), STATUS_OK);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(launch_over(program, &buffer, 2, 2, cases[i].groups, 1, &error), STATUS_OK);
        assert_memory_equal(fake->grid, ((unsigned[]){2, cases[i].y, cases[i].z}), sizeof fake->grid);
        size_t launched = (size_t)cases[i].y * cases[i].z;
        assert_true(launched >= cases[i].groups && launched < cases[i].groups + cases[i].z);
    }
    assert_refused(launch_over(program, &buffer, 2, 2, (size_t)65535 * 65535 + 1, 1, &error), STATUS_UNAVAILABLE,
                   &error, "65535 along y and z");
    assert_refused(launch_over(program, &buffer, 3, 2, 2, 2, &error), STATUS_INVALID, &error, "USKOR_RANK=3");
    program_discard(program);
    buffer_release(&buffer);
    device_close(device);
}

/* Programs of three dimensions, and CUDA's own, see the grid as it is. */
static void other_grids_are_not_folded(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *device = open_device();
    struct program *programs[] = {
        build_on(device, kernel_2d, LANGUAGE_OPENCL_C, "USKOR_RANK=3"),
        build_on(device, kernel_2d, LANGUAGE_CUDA_C, NULL),
    };
    struct buffer buffer;
    assert_int_equal(buffer_allocate(device, 64, &buffer, &error), STATUS_OK);
    for (size_t i = 0; i < COUNT_OF(programs); i++) {
        assert_int_equal(launch_over(programs[i], &buffer, 3, 2, 3, 4, &error), STATUS_OK);
        assert_memory_equal(fake->grid, ((unsigned[]){2, 3, 4}), sizeof fake->grid);
        assert_refused(launch_over(programs[i], &buffer, 3, 2, 65536, 4, &error), STATUS_UNAVAILABLE, &error,
                       "65535 along y and z");
        program_discard(programs[i]);
    }
    buffer_release(&buffer);
    device_close(device);
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *device = open_device();
    struct program *program = build_on(device, "__kernel void f(int a, long b) {}", LANGUAGE_OPENCL_C, NULL);
    struct argument_value arguments[] = {
        {.kind = ARGUMENT_INT, .int_value = 1}, {.kind = ARGUMENT_INT, .int_value = 2}, {.kind = ARGUMENT_LONG}};
    struct launch launch = {.entry = "f", .rank = 1, .group = {1, 1, 1}, .groups = {1, 1, 1}, .arguments = arguments};
    launch.argument_count = 3;
    assert_refused(program_launch(program, &launch, &error), STATUS_INVALID, &error, "takes 2 arguments, and 3");
    launch.argument_count = 2;
    assert_refused(program_launch(program, &launch, &error), STATUS_INVALID, &error,
                   "argument 2 has 4 bytes, and the parameter has 8");
    launch.entry = "g";
    assert_refused(program_launch(program, &launch, &error), STATUS_INVALID, &error, "test.cl has no kernel called g");
    assert_int_equal(fake->launches, 0);
    program_discard(program);
    device_close(device);
}

/* A driver that does not report parameters would read past the arguments. */
static void missing_arguments_are_zeros_on_old_drivers(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *device = open_device();
    CUresult (*function)(CUfunction, size_t, size_t *, size_t *) = cuda.FuncGetParamInfo;
    cuda.FuncGetParamInfo = NULL;
    struct program *program = build_on(device, kernel_2d, LANGUAGE_OPENCL_C, NULL);
    const struct launch launch = {.entry = "f", .rank = 1, .group = {1, 1, 1}, .groups = {1, 1, 1}};
    assert_int_equal(program_launch(program, &launch, &error), STATUS_OK);
    for (size_t i = 0; i < 5; i++)
        assert_memory_equal(fake->arguments[i], &(uint64_t){0}, 8);
    cuda.FuncGetParamInfo = function;
    program_discard(program);
    device_close(device);
}

static void much_local_memory_is_asked_for(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *device = open_device();
    struct program *program = build_on(device, "__global__ void f() {}", LANGUAGE_CUDA_C, NULL);
    struct launch launch = {.entry = "f", .rank = 1, .group = {1, 1, 1}, .groups = {1, 1, 1}, .local_bytes = 40000};
    fake->local_bytes_asked = 0;
    assert_int_equal(program_launch(program, &launch, &error), STATUS_OK);
    assert_int_equal(fake->local_bytes_asked, 0);
    launch.local_bytes = 48 * 1024 - 128; /* with the source's 128 bytes just what every device has */
    assert_int_equal(program_launch(program, &launch, &error), STATUS_OK);
    assert_int_equal(fake->local_bytes_asked, 0);
    launch.local_bytes = 48 * 1024;
    assert_int_equal(program_launch(program, &launch, &error), STATUS_OK);
    assert_int_equal(fake->local_bytes_asked, 48 * 1024);
    launch.local_bytes = 100000;
    assert_int_equal(program_launch(program, &launch, &error), STATUS_OK);
    assert_int_equal(fake->local_bytes_asked, 100000);
    assert_int_equal(fake->local_bytes, 100000);
    launch.local_bytes = 300000;
    assert_refused(program_launch(program, &launch, &error), STATUS_UNAVAILABLE, &error, "local memory");
    program_discard(program);
    device_close(device);
}

static void a_launch_that_does_not_fit_says_why(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *device = open_device();
    struct program *program = build_on(device, "__kernel void f() {}", LANGUAGE_OPENCL_C, NULL);
    const struct launch launch = {.entry = "f", .rank = 1, .group = {1000, 1, 1}, .groups = {1, 1, 1}};
    fake->failing = "cuLaunchKernel";
    fake->failure = CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    assert_refused(program_launch(program, &launch, &error), STATUS_UNAVAILABLE, &error,
                   "1000 items in a group (it takes at most 512, of 128 registers each)");
    program_discard(program);
    device_close(device);
}

static void a_launch_may_be_early_where_its_kernel_waits(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int major;
        bool follows, is_early;
    } cases[] = {{"__kernel void f() { wait_for_launch_before(); }", 9, true, true},
                 {"__kernel void f() { wait_for_launch_before(); }", 9, false, false},
                 {"__kernel void f() { wait_for_launch_before(); }", 8, true, false},
                 {"__kernel void f() {}", 9, true, false}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct error error = {""};
        fake->major = cases[i].major;
        struct device *device = open_device();
        struct program *program = build_on(device, cases[i].text, LANGUAGE_OPENCL_C, NULL);
        const struct launch launch = {
            .entry = "f", .rank = 1, .group = {32, 1, 1}, .groups = {3, 1, 1}, .follows = cases[i].follows};
        fake->early = 0;
        assert_int_equal(program_launch(program, &launch, &error), STATUS_OK);
        assert_int_equal(fake->early, cases[i].is_early);
        assert_memory_equal(fake->grid, ((unsigned[]){3, 1, 1}), sizeof fake->grid);
        program_discard(program);
        device_close(device);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(arguments_and_shape_arrive),
        TEST(long_second_dimensions_are_folded),
        TEST(other_grids_are_not_folded),
        TEST(wrong_arguments_are_refused),
        TEST(missing_arguments_are_zeros_on_old_drivers),
        TEST(much_local_memory_is_asked_for),
        TEST(a_launch_that_does_not_fit_says_why),
        TEST(a_launch_may_be_early_where_its_kernel_waits),
    };
    return cmocka_run_group_tests(tests, start, finish);
}
