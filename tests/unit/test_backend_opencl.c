/* OpenCL: memory, programs, launches and marks, on the first device there is (PoCL makes one of any processor). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backends/backend.h"
#include "base/clock.h"
#include "base/size.h"

#include <cmocka.h> /* last: it has a macro called fail */

static struct device *device; /* NULL: there is none, and the reason was printed */
static struct error error;

static int open_device(void **state)
{
    (void)state;
    enum status status = device_open("opencl", &device, &error);
    if (status == STATUS_UNAVAILABLE)
        print_message("SKIP: %s\n", error.text);
    return status == STATUS_OK || status == STATUS_UNAVAILABLE ? 0 : -1;
}

static int close_device(void **state)
{
    (void)state;
    device_close(device);
    return 0;
}

#define NEEDS_DEVICE() \
    do {               \
        (void)state;   \
        if (!device)   \
            skip();    \
    } while (0)

/* Oclgrind takes what the standard asks to be refused, and has its own lines and its own clock. */
static bool is_oclgrind(void)
{
    return strncmp(device->properties.vendor, "Oclgrind", 8) == 0;
}

static void expect_ok(enum status status)
{
    if (status != STATUS_OK)
        fail_msg("%s", error.text);
}

static void expect_words(enum status status, enum status expected, const char *words)
{
    assert_int_equal(status, expected);
    if (!strstr(error.text, words))
        fail_msg("\"%s\" does not say \"%s\"", error.text, words);
}

static struct program *build(const char *text, const char *const *defines, size_t count)
{
    const struct program_source source = {"test.cl", text, LANGUAGE_OPENCL_C, defines, count};
    struct program *program;
    expect_ok(program_build(device, &source, &program, &error));
    return program;
}

static struct buffer allocate(size_t bytes)
{
    struct buffer buffer;
    expect_ok(buffer_allocate(device, bytes, &buffer, &error));
    return buffer;
}

static void properties_are_plausible(void **state)
{
    NEEDS_DEVICE();
    const struct device_properties *p = &device->properties;
    assert_string_equal(device->id, "opencl:0");
    assert_true(p->name[0] && p->vendor[0] && p->driver[0]);
    assert_int_equal(strncmp(p->version, "OpenCL ", 7), 0);
    assert_true(p->memory_bytes > (uint64_t)16 << 20);
    assert_true(p->local_bytes_per_group >= (uint64_t)16 << 10);
    assert_true(p->group_items >= 64 && p->group_size[0] >= 64);
    assert_true(p->units >= 1);
    assert_non_null(device->native_queue);
}

static void memory_keeps_what_is_written(void **state)
{
    NEEDS_DEVICE();
    unsigned char in[5000], out[5000];
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (unsigned char)(i * 37 >> 2);
    struct buffer buffer = allocate(sizeof in), other = allocate(sizeof in);
    assert_null(buffer.host);
    expect_ok(buffer_write(&buffer, 0, in, sizeof in, &error));
    expect_ok(buffer_fill(&other, 0, 0xAB, sizeof in, &error));
    expect_ok(buffer_copy(&other, 3, &buffer, 1, 4001, &error));
    expect_ok(buffer_read(&other, 0, out, sizeof out, &error));
    assert_memory_equal(out + 3, in + 1, 4001);
    assert_int_equal(out[2], 0xAB);
    assert_int_equal(out[4004], 0xAB);
    expect_ok(buffer_read(&buffer, 4999, out, 1, &error));
    assert_int_equal(out[0], in[4999]);
    expect_words(buffer_copy(&buffer, 0, &buffer, 10, 11, &error), STATUS_INVALID, "overlap");
    buffer_release(&other);
    buffer_release(&buffer);
}

static void fills_of_every_width_stay_in_their_range(void **state)
{
    NEEDS_DEVICE();
    static const struct {
        size_t offset, bytes;
    } ranges[] = {{0, 64}, {16, 32}, {8, 16}, {4, 4}, {2, 6}, {1, 5}, {63, 1}};
    unsigned char out[64];
    struct buffer buffer = allocate(sizeof out);
    for (size_t k = 0; k < COUNT_OF(ranges); k++) {
        expect_ok(buffer_fill(&buffer, 0, 1, sizeof out, &error));
        expect_ok(buffer_fill(&buffer, ranges[k].offset, 2, ranges[k].bytes, &error));
        expect_ok(buffer_read(&buffer, 0, out, sizeof out, &error));
        for (size_t i = 0; i < sizeof out; i++)
            assert_int_equal(out[i], i >= ranges[k].offset && i - ranges[k].offset < ranges[k].bytes ? 2 : 1);
    }
    buffer_release(&buffer);
}

static void views_are_windows_and_may_be_nested(void **state)
{
    NEEDS_DEVICE();
    unsigned char out[2];
    struct buffer buffer = allocate(3 * BUFFER_ALIGNMENT + 1), view, inner, empty;
    expect_ok(buffer_fill(&buffer, 0, 1, buffer.bytes, &error));
    expect_ok(buffer_view(&buffer, BUFFER_ALIGNMENT, 2 * BUFFER_ALIGNMENT, &view, &error));
    expect_ok(buffer_view(&view, BUFFER_ALIGNMENT, 100, &inner, &error));
    expect_ok(buffer_fill(&inner, 0, 2, 100, &error));
    expect_ok(buffer_read(&buffer, 2 * BUFFER_ALIGNMENT - 1, out, 2, &error));
    assert_int_equal(out[0], 1);
    assert_int_equal(out[1], 2);
    expect_ok(buffer_read(&buffer, 2 * BUFFER_ALIGNMENT + 99, out, 2, &error));
    assert_int_equal(out[0], 2);
    assert_int_equal(out[1], 1);
    if (!is_oclgrind())
        expect_words(buffer_copy(&inner, 0, &view, BUFFER_ALIGNMENT, 8, &error), STATUS_INVALID, "overlap");
    expect_ok(buffer_view(&buffer, BUFFER_ALIGNMENT, 0, &empty, &error));
    expect_ok(buffer_read(&empty, 0, out, 0, &error));
    buffer_release(&empty);
    buffer_release(&inner);
    buffer_release(&view);
    buffer_release(&buffer);
}

static void memory_that_is_not_there_is_refused(void **state)
{
    NEEDS_DEVICE();
    struct buffer buffer;
    expect_words(buffer_allocate(device, SIZE_MAX / 2, &buffer, &error), STATUS_UNAVAILABLE, "opencl:0");
    assert_null(buffer.device);
}

static void a_build_error_shows_the_user_s_file_and_line(void **state)
{
    NEEDS_DEVICE();
    static const char text[] = "__kernel void f(__global int *a)\n{\n    a[0] = nowhere;\n}\n";
    const struct program_source source = {.name = "dir/my \"own\".cl", .text = text};
    struct program *program;
    enum status status = program_build(device, &source, &program, &error);
    assert_null(program);
    expect_words(status, STATUS_INVALID, "nowhere");
    expect_words(status, STATUS_INVALID, "dir/my \"own\".cl does not compile on opencl:0");
    if (!is_oclgrind())
        expect_words(status, STATUS_INVALID, "my \"own\".cl:3:");
    assert_null(strchr(error.text, '\n'));
}

static void cuda_c_is_refused(void **state)
{
    NEEDS_DEVICE();
    const struct program_source source = {.name = "mine.cu", .text = "", .language = LANGUAGE_CUDA_C};
    struct program *program;
    expect_words(program_build(device, &source, &program, &error), STATUS_UNAVAILABLE, "mine.cu is CUDA C");
    assert_null(program);
}

/* Launches `entry` over the groups, with a buffer of ints as its first argument. */
static enum status launch_over(struct program *program, const char *entry, int rank, const size_t group[3],
                               const size_t groups[3], const struct argument_value *arguments, size_t count)
{
    struct launch launch = {.entry = entry, .rank = rank, .arguments = arguments, .argument_count = count};
    memcpy(launch.group, group, sizeof launch.group);
    memcpy(launch.groups, groups, sizeof launch.groups);
    return program_launch(program, &launch, &error);
}

static void definitions_reach_the_program(void **state)
{
    NEEDS_DEVICE();
    static const char *const defines[] = {"VALUE=7", "WORD=unsigned int", "FLAG"};
    struct program *program = build("__kernel void f(__global WORD *a) { a[0] = VALUE; a[1] = FLAG; }", defines, 3);
    struct buffer buffer = allocate(8);
    const struct argument_value argument = {.kind = ARGUMENT_BUFFER, .buffer = &buffer};
    uint32_t out[2];
    expect_ok(launch_over(program, "f", 1, (size_t[]){1, 1, 1}, (size_t[]){1, 1, 1}, &argument, 1));
    expect_ok(buffer_read(&buffer, 0, out, sizeof out, &error));
    assert_int_equal(out[0], 7);
    assert_int_equal(out[1], 1);
    buffer_release(&buffer);
    program_discard(program);
}

static void launches_cover_1_to_3_dimensions(void **state)
{
    NEEDS_DEVICE();
    static const size_t group[3] = {4, 2, 3}, groups[3] = {3, 5, 2};
    struct program *program = build("__kernel void f(__global int *a) {\n"
                                    "    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
                                    "    int at = x + get_global_size(0) * (y + get_global_size(1) * z);\n"
                                    "    a[at] = x + 100 * y + 10000 * z + 1000000 * (int)get_local_size(0);\n"
                                    "}\n",
                                    NULL, 0);
    for (int rank = 1; rank <= 3; rank++) {
        size_t g[3] = {1, 1, 1}, gs[3] = {1, 1, 1}, n[3] = {1, 1, 1};
        for (int i = 0; i < rank; i++) {
            g[i] = group[i];
            gs[i] = groups[i];
            n[i] = group[i] * groups[i];
        }
        int32_t out[12 * 10 * 6];
        struct buffer buffer = allocate(sizeof out);
        const struct argument_value argument = {.kind = ARGUMENT_BUFFER, .buffer = &buffer};
        expect_ok(buffer_fill(&buffer, 0, 0xFF, sizeof out, &error));
        expect_ok(launch_over(program, "f", rank, g, gs, &argument, 1));
        expect_ok(buffer_read(&buffer, 0, out, sizeof out, &error));
        for (size_t at = 0; at < COUNT_OF(out); at++) {
            size_t x = at % n[0], y = at / n[0] % n[1], z = at / n[0] / n[1];
            assert_int_equal(out[at], at < n[0] * n[1] * n[2] ? (int)(x + 100 * y + 10000 * z + 4000000) : -1);
        }
        buffer_release(&buffer);
    }
    program_discard(program);
}

static void an_empty_launch_does_nothing(void **state)
{
    NEEDS_DEVICE();
    struct program *program = build("__kernel void f(__global int *a) { a[0] = 1; }", NULL, 0);
    expect_ok(launch_over(program, "f", 2, (size_t[]){8, 8, 1}, (size_t[]){0, 3, 1}, NULL, 0));
    program_discard(program);
}

static void scalars_of_all_kinds_arrive(void **state)
{
    NEEDS_DEVICE();
    if (!device->properties.has_double)
        skip();
    struct program *program = build("__kernel void f(__global double *a, int i, long l, float f, double d)\n"
                                    "{ a[0] = i; a[1] = l; a[2] = f; a[3] = d; }",
                                    NULL, 0);
    struct buffer buffer = allocate(4 * sizeof(double));
    const struct argument_value arguments[] = {{.kind = ARGUMENT_BUFFER, .buffer = &buffer},
                                               {.kind = ARGUMENT_INT, .int_value = -7},
                                               {.kind = ARGUMENT_LONG, .long_value = -((int64_t)1 << 40)},
                                               {.kind = ARGUMENT_FLOAT, .float_value = 0.25f},
                                               {.kind = ARGUMENT_DOUBLE, .double_value = 1e-300}};
    static const size_t one[3] = {1, 1, 1};
    double out[4];
    expect_ok(launch_over(program, "f", 1, one, one, arguments, COUNT_OF(arguments)));
    expect_ok(buffer_read(&buffer, 0, out, sizeof out, &error));
    assert_true(out[0] == -7 && out[1] == -(double)((int64_t)1 << 40) && out[2] == 0.25 && out[3] == 1e-300);
    buffer_release(&buffer);
    program_discard(program);
}

static void items_of_a_group_meet_at_a_barrier(void **state)
{
    NEEDS_DEVICE();
    struct program *program = build("__kernel group_shape(64, 1, 1) void f(__global float *a)\n"
                                    "{\n"
                                    "    local_array float tile[64];\n"
                                    "    int i = get_local_id(0);\n"
                                    "    local_pointer float *p = tile;\n"
                                    "    p[i] = load_once(a + get_global_id(0));\n"
                                    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                    "    VECTOR(float, 2) v = make_float2(p[63 - i], 1.0f);\n"
                                    "    store_once(a + get_global_id(0), v.x + v.y);\n"
                                    "}\n",
                                    NULL, 0);
    float data[256];
    for (int i = 0; i < 256; i++)
        data[i] = (float)i;
    struct buffer buffer = allocate(sizeof data);
    const struct argument_value argument = {.kind = ARGUMENT_BUFFER, .buffer = &buffer};
    expect_ok(buffer_write(&buffer, 0, data, sizeof data, &error));
    expect_ok(launch_over(program, "f", 1, (size_t[]){64, 1, 1}, (size_t[]){4, 1, 1}, &argument, 1));
    expect_ok(buffer_read(&buffer, 0, data, sizeof data, &error));
    for (int i = 0; i < 256; i++)
        assert_true(data[i] == (float)(i / 64 * 64 + 63 - i % 64 + 1));
    buffer_release(&buffer);
    program_discard(program);
}

static void wrong_launches_say_what_is_wrong(void **state)
{
    NEEDS_DEVICE();
    struct program *program =
        build("__kernel void f(__global int *a, long n) { a[0] = n; }\n"
              "__kernel group_shape(8, 1, 1) void g(__global int *a) { a[get_global_id(0)] = 1; }",
              NULL, 0);
    struct buffer buffer = allocate(64);
    struct argument_value arguments[] = {{.kind = ARGUMENT_BUFFER, .buffer = &buffer},
                                         {.kind = ARGUMENT_LONG, .long_value = 5},
                                         {.kind = ARGUMENT_INT, .int_value = 5}};
    static const size_t one[3] = {1, 1, 1}, sixteen[3] = {16, 1, 1};
    expect_words(launch_over(program, "f", 1, one, one, arguments, 1), STATUS_INVALID, "has 2 arguments, and 1");
    expect_words(launch_over(program, "f", 1, one, one, arguments, 3), STATUS_INVALID, "has 2 arguments, and 3");
    expect_words(launch_over(program, "nobody", 1, one, one, arguments, 2), STATUS_INVALID, "no kernel called nobody");
    arguments[1] = arguments[2];
    expect_words(launch_over(program, "f", 1, one, one, arguments, 2), STATUS_INVALID, "argument 2 of kernel f");
    expect_words(launch_over(program, "g", 1, sixteen, one, arguments, 1), STATUS_UNAVAILABLE, "group");
    const struct launch dynamic = {.entry = "f", .rank = 1, .group = {1, 1, 1}, .groups = {1, 1, 1}, .local_bytes = 4};
    expect_words(program_launch(program, &dynamic, &error), STATUS_INVALID, "local memory");
    buffer_release(&buffer);
    program_discard(program);
}

static void marks_measure_the_device_s_time(void **state)
{
    NEEDS_DEVICE();
    struct program *program = build("__kernel void f(__global float *a) {\n"
                                    "    float x = a[get_global_id(0)];\n"
                                    "    for (int i = 0; i < 20000; i++)\n"
                                    "        x = x * 0.999f + 1.0f;\n"
                                    "    a[get_global_id(0)] = x;\n"
                                    "}\n",
                                    NULL, 0);
    static const size_t group[3] = {64, 1, 1}, groups[3] = {16, 1, 1};
    struct buffer buffer = allocate(64 * 16 * sizeof(float));
    const struct argument_value argument = {.kind = ARGUMENT_BUFFER, .buffer = &buffer};
    struct mark *marks[3];
    double first, second, both;
    for (int i = 0; i < 3; i++)
        expect_ok(mark_create(device, &marks[i], &error));
    expect_words(mark_elapsed(marks[0], marks[1], &both, &error), STATUS_INVALID, "never recorded");
    expect_ok(buffer_fill(&buffer, 0, 0, buffer.bytes, &error));
    for (int round = 0; round < 2; round++) { /* the first compiles the kernel; marks may be recorded anew */
        int64_t start = clock_now();
        expect_ok(mark_record(marks[0], &error));
        expect_ok(launch_over(program, "f", 1, group, groups, &argument, 1));
        expect_ok(mark_record(marks[1], &error));
        expect_ok(launch_over(program, "f", 1, group, groups, &argument, 1));
        expect_ok(mark_record(marks[2], &error));
        expect_ok(mark_elapsed(marks[0], marks[1], &first, &error));
        expect_ok(mark_elapsed(marks[1], marks[2], &second, &error));
        expect_ok(mark_elapsed(marks[0], marks[2], &both, &error));
        double wall = (double)(clock_now() - start);
        if (!is_oclgrind())
            assert_true(first > 1000 && second > 1000 && both <= wall);
        assert_true(first >= 0 && second >= 0 && first + second - both < 1 && both - first - second < 1);
    }
    expect_ok(device_synchronize(device, &error));
    for (int i = 0; i < 3; i++)
        mark_destroy(marks[i]);
    buffer_release(&buffer);
    program_discard(program);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(properties_are_plausible),
        cmocka_unit_test(memory_keeps_what_is_written),
        cmocka_unit_test(fills_of_every_width_stay_in_their_range),
        cmocka_unit_test(views_are_windows_and_may_be_nested),
        cmocka_unit_test(memory_that_is_not_there_is_refused),
        cmocka_unit_test(a_build_error_shows_the_user_s_file_and_line),
        cmocka_unit_test(cuda_c_is_refused),
        cmocka_unit_test(definitions_reach_the_program),
        cmocka_unit_test(launches_cover_1_to_3_dimensions),
        cmocka_unit_test(an_empty_launch_does_nothing),
        cmocka_unit_test(scalars_of_all_kinds_arrive),
        cmocka_unit_test(items_of_a_group_meet_at_a_barrier),
        cmocka_unit_test(wrong_launches_say_what_is_wrong),
        cmocka_unit_test(marks_measure_the_device_s_time),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
