/* Kinds of memory by name; and what devices without queues and memory of their own say and do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "backends/backend.h"
#include "base/size.h"

#include <cmocka.h> /* last: it has a macro called fail */

static void expect_words(enum status got, enum status expected, const struct error *error, const char *words)
{
    assert_int_equal(got, expected);
    if (!strstr(error->text, words))
        fail_msg("\"%s\" does not say \"%s\"", error->text, words);
}

static void kinds_have_names(void **state)
{
    (void)state;
    struct error error;
    for (int k = 0; k < MEMORY_KIND_COUNT; k++) {
        enum memory_kind kind;
        assert_int_equal(memory_kind_parse(memory_kind_name((enum memory_kind)k), &kind, &error), STATUS_OK);
        assert_int_equal(kind, k);
    }
    enum memory_kind kind;
    expect_words(memory_kind_parse("pined", &kind, &error), STATUS_INVALID, &error, "did you mean 'pinned'");
    expect_words(memory_kind_parse("", &kind, &error), STATUS_INVALID, &error,
                 "pageable, pinned, registered, managed, prefetched or mapped");
}

static void host_devices_refuse_with_a_reason(void **state)
{
    (void)state;
    static const char *const names[] = {"cpu", "null"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct error error = {""};
        struct device *device;
        struct host_memory memory;
        struct buffer buffer;
        struct queue *queue;
        struct event *mark;
        assert_int_equal(device_open(names[i], &device, &error), STATUS_OK);
        expect_words(host_memory_pin(device, MEMORY_PINNED, 16, &memory, &error), STATUS_UNAVAILABLE, &error,
                     "the host's own memory");
        expect_words(buffer_share(device, MEMORY_MAPPED, 16, &buffer, &error), STATUS_UNAVAILABLE, &error, "shared");
        expect_words(queue_create(device, &queue, &error), STATUS_UNAVAILABLE, &error, "one queue");
        assert_null(queue);
        host_memory_unpin(&memory);
        buffer_release(&buffer);
        assert_int_equal(queue_select(device, NULL, &error), STATUS_OK);
        assert_int_equal(event_create(device, &mark, &error), STATUS_OK);
        assert_int_equal(queue_wait(mark, &error), STATUS_OK); /* everything before is done */
        event_destroy(mark);
        device_close(device);
    }
}

/* Enqueued copies are done at once there, rectangles too. */
static void sending_is_writing(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *cpu;
    struct buffer buffer;
    const char matrix[] = "abcdefghijkl"; /* 3 x 4 */
    char back[] = "............";
    assert_int_equal(device_open("cpu", &cpu, &error), STATUS_OK);
    assert_int_equal(buffer_allocate(cpu, 6, &buffer, &error), STATUS_OK);
    struct transfer column = {
        .pitch = 2, .host = (void *)(uintptr_t)(matrix + 1), .host_pitch = 4, .width = 2, .rows = 3};
    assert_int_equal(buffer_send(&buffer, &column, &error), STATUS_OK);
    assert_memory_equal(buffer.host, "bcfgjk", 6);
    column.host = back;
    assert_int_equal(buffer_receive(&buffer, &column, &error), STATUS_OK);
    assert_string_equal(back, "bc..fg..jk..");
    column.rows = 0;
    assert_int_equal(buffer_send(&buffer, &column, &error), STATUS_OK);
    column = (struct transfer){.offset = 5, .host = back, .width = 2, .rows = 1};
    expect_words(buffer_send(&buffer, &column, &error), STATUS_INVALID, &error, "do not fit");
    buffer_release(&buffer);
    device_close(cpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_have_names),
        cmocka_unit_test(host_devices_refuse_with_a_reason),
        cmocka_unit_test(sending_is_writing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
