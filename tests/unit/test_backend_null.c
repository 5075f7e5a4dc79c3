/* Null: memory is real, work is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "backends/backend.h"

#include <cmocka.h> /* last: it has a macro called fail */

static struct device *device;

static int open_null(void **state)
{
    (void)state;
    struct error error;
    return device_open("null", &device, &error) == STATUS_OK ? 0 : -1;
}

static int close_null(void **state)
{
    (void)state;
    device_close(device);
    return 0;
}

static void it_says_what_it_is(void **state)
{
    (void)state;
    assert_true(device_is_null(device));
    assert_true(device->properties.has_double);
    assert_true(device->properties.group_items >= 1024);
}

static void memory_keeps_what_is_written(void **state)
{
    (void)state;
    unsigned char in[300], out[300];
    struct buffer buffer, view;
    struct error error;
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (unsigned char)(i * 7);
    assert_int_equal(buffer_allocate(device, 5000, &buffer, &error), STATUS_OK);
    assert_null(buffer.host); /* a CPU rung has nothing to compute in */
    assert_int_equal(buffer_fill(&buffer, 0, 0xA5, 5000, &error), STATUS_OK);
    assert_int_equal(buffer_view(&buffer, 4096, 900, &view, &error), STATUS_OK);
    assert_null(view.host);
    assert_int_equal(buffer_write(&view, 100, in, sizeof in, &error), STATUS_OK);
    assert_int_equal(buffer_read(&buffer, 4196, out, sizeof out, &error), STATUS_OK);
    assert_memory_equal(in, out, sizeof in);
    assert_int_equal(buffer_read(&buffer, 4195, out, 1, &error), STATUS_OK);
    assert_int_equal(out[0], 0xA5);
    buffer_release(&view);
    buffer_release(&buffer);
}

static void copies_and_launches_change_nothing(void **state)
{
    (void)state;
    static const struct program_source source = {.name = "broken.cl", .text = "not even a program"};
    struct buffer from, to;
    struct program *program;
    struct error error;
    unsigned char byte;
    assert_int_equal(buffer_allocate(device, 64, &from, &error), STATUS_OK);
    assert_int_equal(buffer_allocate(device, 64, &to, &error), STATUS_OK);
    assert_int_equal(buffer_fill(&from, 0, 1, 64, &error), STATUS_OK);
    assert_int_equal(buffer_fill(&to, 0, 2, 64, &error), STATUS_OK);
    assert_int_equal(buffer_copy(&to, 0, &from, 0, 64, &error), STATUS_OK);
    assert_int_equal(program_build(device, &source, &program, &error), STATUS_OK);
    const struct argument_value arguments[] = {{.kind = ARGUMENT_BUFFER, .buffer = &to}};
    struct launch launch = {.entry = "anything", .rank = 1, .group = {64, 1, 1}, .groups = {1, 1, 1}};
    launch.arguments = arguments;
    launch.argument_count = 1;
    assert_int_equal(program_launch(program, &launch, &error), STATUS_OK);
    assert_int_equal(device_synchronize(device, &error), STATUS_OK);
    for (size_t i = 0; i < 64; i++) {
        assert_int_equal(buffer_read(&to, i, &byte, 1, &error), STATUS_OK);
        assert_int_equal(byte, 2);
    }
    program_discard(program);
    buffer_release(&to);
    buffer_release(&from);
}

static void marks_are_the_real_clock(void **state)
{
    (void)state;
    struct event *from, *to;
    struct error error;
    double nanoseconds;
    assert_int_equal(event_create(device, &from, &error), STATUS_OK);
    assert_int_equal(event_create(device, &to, &error), STATUS_OK);
    assert_int_equal(event_record(from, &error), STATUS_OK);
    assert_int_equal(event_record(to, &error), STATUS_OK);
    assert_int_equal(event_elapsed(from, to, &nanoseconds, &error), STATUS_OK);
    assert_true(nanoseconds >= 0);
    event_destroy(to);
    event_destroy(from);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_says_what_it_is),
        cmocka_unit_test(memory_keeps_what_is_written),
        cmocka_unit_test(copies_and_launches_change_nothing),
        cmocka_unit_test(marks_are_the_real_clock),
    };
    return cmocka_run_group_tests(tests, open_null, close_null);
}
