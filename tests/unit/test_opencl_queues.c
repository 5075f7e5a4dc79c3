/* Further queues, pinned and shared memory on the first OpenCL device. */
#include <stdlib.h>

#include "opencl_device.h"

static const char *const add_one = "__kernel void add_one(__global int *a) { a[get_global_id(0)] += 1; }";

static void queues_wait_for_each_other(void **state)
{
    NEEDS_DEVICE();
    enum { COUNT = 1024 };
    struct queue *queues[2];
    struct event *marks[2];
    struct host_memory memory;
    double nanoseconds = -1;
    for (int i = 0; i < 2; i++) {
        expect_ok(queue_create(device, &queues[i], &error));
        expect_ok(event_create(device, &marks[i], &error));
    }
    expect_ok(host_memory_pin(device, MEMORY_PINNED, COUNT * sizeof(int), &memory, &error));
    int *values = memory.data;
    for (int i = 0; i < COUNT; i++)
        values[i] = i;
    struct buffer buffer = allocate(memory.bytes);
    struct program *program = build(add_one, NULL, 0);
    struct argument_value argument = {ARGUMENT_BUFFER, {.buffer = &buffer}};
    struct transfer whole = {.host = values, .width = memory.bytes, .rows = 1};
    static const size_t group[3] = {64, 1, 1}, groups[3] = {COUNT / 64, 1, 1};

    expect_words(queue_wait(marks[0], &error), STATUS_INVALID, "never recorded");
    expect_ok(queue_select(device, queues[0], &error));
    expect_ok(buffer_send(&buffer, &whole, &error));
    expect_ok(launch_over(program, "add_one", 1, group, groups, &argument, 1));
    expect_ok(event_record(marks[0], &error));
    expect_ok(queue_select(device, queues[1], &error));
    expect_ok(queue_wait(marks[0], &error));
    expect_ok(launch_over(program, "add_one", 1, group, groups, &argument, 1));
    expect_ok(buffer_receive(&buffer, &whole, &error));
    expect_ok(event_record(marks[1], &error));
    expect_ok(event_elapsed(marks[0], marks[1], &nanoseconds, &error));
    if (!is_oclgrind())
        assert_true(nanoseconds >= 0);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(values[i], i + 2);

    program_discard(program);
    buffer_release(&buffer);
    host_memory_unpin(&memory);
    for (int i = 0; i < 2; i++) {
        event_destroy(marks[i]);
        queue_destroy(queues[i]);
    }
    expect_ok(device_synchronize(device, &error)); /* of its own queue, which is selected again */
}

/* Launches of a kernel, each with more groups than the one before, under way in several queues: PoCL's cache of loaded
 * kernels takes one for the other, and fails an assertion where three or more of its threads are at work. */
static void queues_run_the_same_kernel(void **state)
{
    NEEDS_DEVICE();
    enum { QUEUES = 6 };
    static const char *const text = "__kernel void wait(__global int *a)"
                                    "{ volatile int n = 0; for (int i = 0; i < 1000000; i++) n += i;"
                                    "  a[get_global_id(0)] += 1; }";
    static const size_t group[3] = {1, 1, 1};
    struct queue *queues[QUEUES];
    struct program *program = build(text, NULL, 0);
    struct buffer buffer = allocate(QUEUES * sizeof(int));
    struct argument_value argument = {ARGUMENT_BUFFER, {.buffer = &buffer}};
    for (size_t i = 0; i < QUEUES; i++) {
        const size_t groups[3] = {1 + i, 1, 1};
        expect_ok(queue_create(device, &queues[i], &error));
        expect_ok(queue_select(device, queues[i], &error));
        expect_ok(launch_over(program, "wait", 1, group, groups, &argument, 1));
    }
    for (int i = 0; i < QUEUES; i++) {
        expect_ok(queue_select(device, queues[i], &error));
        expect_ok(device_synchronize(device, &error));
        queue_destroy(queues[i]);
    }
    program_discard(program);
    buffer_release(&buffer);
}

static void rectangles_are_cut_out(void **state)
{
    NEEDS_DEVICE();
    enum { ROWS = 7, COLS = 12, WIDTH = 3, OFFSET = 10 };
    unsigned char matrix[ROWS][COLS], strip[ROWS][WIDTH], out[ROWS][COLS];
    struct buffer buffer = allocate(sizeof strip + OFFSET);
    for (int i = 0; i < ROWS * COLS; i++)
        matrix[i / COLS][i % COLS] = (unsigned char)i;
    memset(out, 0xEE, sizeof out);
    struct transfer cut = {
        .offset = OFFSET, .pitch = WIDTH, .host = &matrix[0][4], .host_pitch = COLS, .width = WIDTH, .rows = ROWS};
    expect_ok(buffer_send(&buffer, &cut, &error));
    expect_ok(buffer_read(&buffer, OFFSET, strip, sizeof strip, &error));
    for (int row = 0; row < ROWS; row++)
        assert_memory_equal(strip[row], &matrix[row][4], WIDTH);
    cut.host = &out[0][1];
    expect_ok(buffer_receive(&buffer, &cut, &error));
    expect_ok(device_synchronize(device, &error));
    for (int row = 0; row < ROWS; row++)
        for (int col = 0; col < COLS; col++)
            assert_int_equal(out[row][col], col >= 1 && col < 1 + WIDTH ? matrix[row][col + 3] : 0xEE);
    cut.offset = OFFSET + 1;
    expect_words(buffer_send(&buffer, &cut, &error), STATUS_INVALID, "do not fit");
    buffer_release(&buffer);
}

static void share(enum memory_kind kind)
{
    static const size_t group[3] = {64, 1, 1}, groups[3] = {1, 1, 1};
    struct buffer whole, part;
    enum status status = buffer_share(device, kind, (size_t)3 * BUFFER_ALIGNMENT, &whole, &error);
    if (status == STATUS_UNAVAILABLE) {
        print_message("SKIP %s: %s\n", memory_kind_name(kind), error.text);
        skip();
    }
    expect_ok(status);
    expect_ok(buffer_view(&whole, BUFFER_ALIGNMENT, 64 * sizeof(int), &part, &error));
    expect_ok(buffer_map(&part, &error));
    for (int i = 0; i < 64; i++)
        ((int *)part.host)[i] = 100 * i;
    expect_ok(buffer_unmap(&part, &error));
    assert_null(part.host);
    struct program *program = build(add_one, NULL, 0);
    struct argument_value argument = {ARGUMENT_BUFFER, {.buffer = &part}};
    expect_ok(launch_over(program, "add_one", 1, group, groups, &argument, 1));
    expect_ok(buffer_map(&part, &error));
    for (int i = 0; i < 64; i++)
        assert_int_equal(((int *)part.host)[i], 100 * i + 1);
    program_discard(program);
    buffer_release(&part); /* unmapped first */
    buffer_release(&whole);
}

static void managed_memory_has_turns(void **state)
{
    NEEDS_DEVICE();
    share(MEMORY_MANAGED);
}

static void mapped_memory_has_turns(void **state)
{
    NEEDS_DEVICE();
    share(MEMORY_MAPPED);
}

int main(void)
{
    setenv("POCL_MAX_PTHREAD_COUNT", "8", 1); /* as on a machine with more cores */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queues_wait_for_each_other), cmocka_unit_test(queues_run_the_same_kernel),
        cmocka_unit_test(rectangles_are_cut_out),     cmocka_unit_test(managed_memory_has_turns),
        cmocka_unit_test(mapped_memory_has_turns),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
