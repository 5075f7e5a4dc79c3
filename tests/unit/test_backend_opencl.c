/* OpenCL: properties, memory and marks, on the first device there is (PoCL makes one of any processor). */
#include "opencl_device.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/size.h"

#define ALIGNMENT ((size_t)BUFFER_ALIGNMENT)

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

static void large_copies_move_every_byte(void **state)
{
    NEEDS_DEVICE();
    static const struct {
        size_t target, source, bytes;
    } copies[] = {{0, 0, 3 << 20}, {16, 32, (1 << 20) + 17}, {4096, 48, (2 << 20) - 1}, {3, 16, 1 << 20}};
    const size_t room = (3 << 20) + 100;
    unsigned char *in = malloc(room), *out = malloc(room);
    assert_non_null(in);
    assert_non_null(out);
    for (size_t i = 0; i < room; i++)
        in[i] = (unsigned char)(i * 2654435761u >> 11);
    struct buffer source = allocate(room), target = allocate(room);
    expect_ok(buffer_write(&source, 0, in, room, &error));
    for (size_t k = 0; k < COUNT_OF(copies); k++) {
        size_t to = copies[k].target, bytes = copies[k].bytes;
        expect_ok(buffer_fill(&target, 0, 0xEE, room, &error));
        expect_ok(buffer_copy(&target, to, &source, copies[k].source, bytes, &error));
        expect_ok(buffer_read(&target, 0, out, room, &error));
        assert_memory_equal(out + to, in + copies[k].source, bytes);
        assert_true(to == 0 || out[to - 1] == 0xEE);
        assert_int_equal(out[to + bytes], 0xEE);
    }
    buffer_release(&target);
    buffer_release(&source);
    free(in);
    free(out);
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
    struct buffer buffer = allocate(3 * ALIGNMENT + 1), view, inner, empty;
    expect_ok(buffer_fill(&buffer, 0, 1, buffer.bytes, &error));
    expect_ok(buffer_view(&buffer, ALIGNMENT, 2 * ALIGNMENT, &view, &error));
    expect_ok(buffer_view(&view, ALIGNMENT, 100, &inner, &error));
    expect_ok(buffer_fill(&inner, 0, 2, 100, &error));
    expect_ok(buffer_read(&buffer, 2 * ALIGNMENT - 1, out, 2, &error));
    assert_int_equal(out[0], 1);
    assert_int_equal(out[1], 2);
    expect_ok(buffer_read(&buffer, 2 * ALIGNMENT + 99, out, 2, &error));
    assert_int_equal(out[0], 2);
    assert_int_equal(out[1], 1);
    expect_words(buffer_copy(&inner, 0, &view, ALIGNMENT, 8, &error), STATUS_INVALID, "overlap");
    expect_ok(buffer_view(&buffer, ALIGNMENT, 0, &empty, &error));
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
    struct buffer buffer = allocate(sizeof(float) * 64 * 16);
    const struct argument_value argument = {.kind = ARGUMENT_BUFFER, .buffer = &buffer};
    struct event *marks[3];
    double first, second, both;
    for (int i = 0; i < 3; i++)
        expect_ok(event_create(device, &marks[i], &error));
    expect_words(event_elapsed(marks[0], marks[1], &both, &error), STATUS_INVALID, "never recorded");
    expect_ok(buffer_fill(&buffer, 0, 0, buffer.bytes, &error));
    for (int round = 0; round < 2; round++) { /* the first compiles the kernel; marks may be recorded anew */
        int64_t start = clock_now();
        expect_ok(event_record(marks[0], &error));
        expect_ok(launch_over(program, "f", 1, group, groups, &argument, 1));
        expect_ok(event_record(marks[1], &error));
        expect_ok(launch_over(program, "f", 1, group, groups, &argument, 1));
        expect_ok(event_record(marks[2], &error));
        expect_ok(event_elapsed(marks[0], marks[1], &first, &error));
        expect_ok(event_elapsed(marks[1], marks[2], &second, &error));
        expect_ok(event_elapsed(marks[0], marks[2], &both, &error));
        double wall = (double)(clock_now() - start);
        if (!is_oclgrind())
            assert_true(first > 1000 && second > 1000 && both <= wall);
        assert_true(first >= 0 && second >= 0 && first + second - both < 1 && both - first - second < 1);
    }
    expect_ok(device_synchronize(device, &error));
    for (int i = 0; i < 3; i++)
        event_destroy(marks[i]);
    buffer_release(&buffer);
    program_discard(program);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(properties_are_plausible),
        cmocka_unit_test(memory_keeps_what_is_written),
        cmocka_unit_test(large_copies_move_every_byte),
        cmocka_unit_test(fills_of_every_width_stay_in_their_range),
        cmocka_unit_test(views_are_windows_and_may_be_nested),
        cmocka_unit_test(memory_that_is_not_there_is_refused),
        cmocka_unit_test(marks_measure_the_device_s_time),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
