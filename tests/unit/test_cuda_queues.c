/* Further streams, pinned and shared memory of the CUDA backend, on a driver of host memory (fake_cuda/). */
#include "fixture.h"

static struct buffer allocate(struct device *device, size_t bytes)
{
    struct error error = {""};
    struct buffer buffer;
    if (buffer_allocate(device, bytes, &buffer, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return buffer;
}

static void the_selected_queue_gets_everything(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *device = open_device();
    struct queue *queues[2];
    struct event *mark;
    char word[8] = "pinned?";
    struct buffer buffer = allocate(device, sizeof word);
    void *own = device->native_queue;
    for (int i = 0; i < 2; i++)
        assert_int_equal(queue_create(device, &queues[i], &error), STATUS_OK);
    assert_int_equal(fake->streams, 3);
    assert_ptr_equal(device->native_queue, own); /* made, not selected */

    assert_int_equal(queue_select(device, queues[0], &error), STATUS_OK);
    void *first = device->native_queue;
    assert_ptr_not_equal(first, own);
    assert_int_equal(buffer_write(&buffer, 0, word, sizeof word, &error), STATUS_OK);
    assert_ptr_equal(fake->last_stream, first);
    assert_int_equal(event_create_untimed(device, &mark, &error), STATUS_OK);
    assert_int_equal(event_record(mark, &error), STATUS_OK);
    assert_ptr_equal(fake->last_stream, first);

    assert_int_equal(queue_select(device, queues[1], &error), STATUS_OK);
    assert_ptr_not_equal(device->native_queue, first);
    assert_int_equal(queue_wait(mark, &error), STATUS_OK);
    assert_int_equal(fake->waits, 1);
    assert_ptr_equal(fake->last_stream, device->native_queue); /* the one that waits */
    assert_int_equal(device_synchronize(device, &error), STATUS_OK);
    assert_ptr_equal(fake->last_stream, device->native_queue);

    queue_destroy(queues[1]); /* the selected one: its own is selected then */
    assert_ptr_equal(device->native_queue, own);
    assert_int_equal(device_synchronize(device, &error), STATUS_OK);
    queue_destroy(queues[0]);
    queue_destroy(NULL);
    event_destroy(mark);
    buffer_release(&buffer);
    device_close(device);
}

static void an_urgent_queue_goes_first(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *device = open_device();
    struct queue *queue, *urgent, *equal;
    assert_int_equal(queue_create_urgent(device, &urgent, &error), STATUS_OK);
    assert_int_equal(fake->priority, -5);
    assert_int_equal(queue_create(device, &queue, &error), STATUS_OK);
    assert_int_equal(fake->priority, 0);
    fake->failure = CUDA_ERROR_INVALID_VALUE;
    fake->failing = "cuCtxGetStreamPriorityRange"; /* a driver without priorities: a queue like the others */
    assert_int_equal(queue_create_urgent(device, &equal, &error), STATUS_OK);
    assert_int_equal(fake->priority, 0);
    fake->failing = NULL;
    queue_destroy(equal);
    queue_destroy(queue);
    queue_destroy(urgent);
    assert_int_equal(fake->streams, 1);
    device_close(device);
}

static void what_fails_is_told(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *device = open_device();
    struct queue *queue;
    struct event *mark;
    struct host_memory memory;
    struct buffer buffer;
    fake->failure = CUDA_ERROR_OUT_OF_MEMORY;
    fake->failing = "cuStreamCreate";
    assert_refused(queue_create(device, &queue, &error), STATUS_UNAVAILABLE, &error, "cuda:0: making another stream");
    fake->failing = "cuMemHostAlloc";
    assert_refused(host_memory_pin(device, MEMORY_PINNED, 1 << 20, &memory, &error), STATUS_UNAVAILABLE, &error,
                   "pinning 1 MiB of host memory");
    assert_refused(buffer_share(device, MEMORY_MAPPED, 4096, &buffer, &error), STATUS_UNAVAILABLE, &error,
                   "mapping 4 KiB of host memory");
    fake->failing = "cuMemHostGetDevicePointer_v2";
    assert_refused(buffer_share(device, MEMORY_MAPPED, 4096, &buffer, &error), STATUS_UNAVAILABLE, &error, "mapping");
    assert_int_equal(fake->pinned, 0);
    fake->failing = "cuMemAllocManaged";
    assert_refused(buffer_share(device, MEMORY_MANAGED, 4096, &buffer, &error), STATUS_UNAVAILABLE, &error,
                   "allocating 4 KiB of managed memory");
    fake->failing = NULL;
    assert_refused(buffer_share(device, MEMORY_PINNED, 4096, &buffer, &error), STATUS_INVALID, &error, "pinned");
    assert_refused(buffer_share(device, MEMORY_MANAGED, (size_t)9 << 30, &buffer, &error), STATUS_UNAVAILABLE, &error,
                   "more than half of the device's");
    host_memory_unpin(&memory); /* nothing came of it */
    buffer_release(&buffer);
    assert_int_equal(event_create(device, &mark, &error), STATUS_OK);
    assert_int_not_equal(queue_wait(mark, &error), STATUS_OK); /* never recorded */
    event_destroy(mark);
    device_close(device);
}

static void pinned_memory_travels(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *device = open_device();
    struct host_memory memory;
    struct buffer buffer = allocate(device, 5000);
    assert_int_equal(host_memory_pin(device, MEMORY_PINNED, 10000, &memory, &error), STATUS_OK);
    assert_int_equal(fake->pinned, 1);
    unsigned char *bytes = memory.data;
    for (size_t i = 0; i < 5000; i++)
        bytes[i] = (unsigned char)(i * 7);
    struct transfer there = {.host = bytes, .width = 5000, .rows = 1};
    struct transfer back = {.host = bytes + 5000, .width = 5000, .rows = 1};
    assert_int_equal(buffer_send(&buffer, &there, &error), STATUS_OK);
    assert_int_equal(buffer_receive(&buffer, &back, &error), STATUS_OK);
    assert_memory_equal(bytes, bytes + 5000, 5000);
    assert_int_equal(fake->rectangles, 0);
    host_memory_unpin(&memory);
    assert_null(memory.data);
    buffer_release(&buffer);
    device_close(device);
}

/* A column of a matrix, to a place of its own and back. */
static void rectangles_are_cut_out(void **state)
{
    (void)state;
    enum { ROWS = 5, COLS = 12, WIDTH = 3 };
    struct error error = {""};
    struct device *device = open_device();
    unsigned char matrix[ROWS][COLS], strip[ROWS][WIDTH], out[ROWS][COLS];
    struct buffer buffer = allocate(device, sizeof strip + 10);
    for (int i = 0; i < ROWS * COLS; i++)
        matrix[i / COLS][i % COLS] = (unsigned char)i;
    memset(out, 0xEE, sizeof out);
    struct transfer cut = {
        .offset = 10, .pitch = WIDTH, .host = &matrix[0][4], .host_pitch = COLS, .width = WIDTH, .rows = ROWS};
    assert_int_equal(buffer_send(&buffer, &cut, &error), STATUS_OK);
    assert_int_equal(fake->rectangles, 1);
    assert_int_equal(buffer_read(&buffer, 10, strip, sizeof strip, &error), STATUS_OK);
    for (int row = 0; row < ROWS; row++)
        assert_memory_equal(strip[row], &matrix[row][4], WIDTH);
    cut.host = &out[0][1];
    assert_int_equal(buffer_receive(&buffer, &cut, &error), STATUS_OK);
    for (int row = 0; row < ROWS; row++)
        for (int col = 0; col < COLS; col++)
            assert_int_equal(out[row][col], col >= 1 && col < 1 + WIDTH ? matrix[row][col + 3] : 0xEE);

    /* Whole rows are one piece, and what does not fit is refused. */
    struct transfer rows = {
        .offset = 0, .pitch = WIDTH, .host = strip, .host_pitch = WIDTH, .width = WIDTH, .rows = ROWS};
    assert_int_equal(buffer_send(&buffer, &rows, &error), STATUS_OK);
    assert_int_equal(fake->rectangles, 2);
    rows.offset = 11;
    assert_refused(buffer_send(&buffer, &rows, &error), STATUS_INVALID, &error, "do not fit a buffer of 25 bytes");
    rows.rows = SIZE_MAX / 2;
    assert_refused(buffer_receive(&buffer, &rows, &error), STATUS_INVALID, &error, "do not fit");
    rows = (struct transfer){.pitch = 2, .host = strip, .host_pitch = WIDTH, .width = WIDTH, .rows = 2};
    assert_refused(buffer_send(&buffer, &rows, &error), STATUS_INVALID, &error, "overlap");
    buffer_release(&buffer);
    device_close(device);
}

static void shared_memory_has_turns(void **state)
{
    (void)state;
    static const enum memory_kind kinds[] = {MEMORY_MANAGED, MEMORY_PREFETCHED, MEMORY_MAPPED};
    struct device *device = open_device();
    for (size_t k = 0; k < COUNT_OF(kinds); k++) {
        struct error error = {""};
        struct buffer whole, part;
        int value = 4711, seen = 0;
        assert_int_equal(buffer_share(device, kinds[k], (size_t)2 << 20, &whole, &error), STATUS_OK);
        assert_int_equal(buffer_view(&whole, BUFFER_ALIGNMENT, 64, &part, &error), STATUS_OK);
        assert_null(part.host);
        assert_int_equal(buffer_write(&part, 4, &value, sizeof value, &error), STATUS_OK);
        assert_int_equal(buffer_map(&part, &error), STATUS_OK);
        memcpy(&seen, (char *)part.host + 4, sizeof seen);
        assert_int_equal(seen, value);
        memset(part.host, 0, 8);
        assert_int_equal(buffer_unmap(&part, &error), STATUS_OK);
        assert_null(part.host);
        assert_int_equal(buffer_read(&whole, BUFFER_ALIGNMENT + 4, &seen, sizeof seen, &error), STATUS_OK);
        assert_int_equal(seen, 0);
        buffer_release(&part);
        assert_int_equal(buffer_map(&whole, &error), STATUS_OK);
        buffer_release(&whole);
    }
    struct error error = {""};
    assert_true(fake->prefetched > 0);
    fake->failing = "cuMemPrefetchAsync";
    struct buffer late;
    assert_int_equal(buffer_share(device, MEMORY_PREFETCHED, 4096, &late, &error), STATUS_OK);
    assert_refused(buffer_map(&late, &error), STATUS_UNAVAILABLE, &error, "sending for 4096 bytes of managed memory");
    fake->failing = NULL;
    buffer_release(&late);
    struct buffer plain = allocate(device, 16);
    assert_refused(buffer_map(&plain, &error), STATUS_INVALID, &error, "not shared");
    buffer_release(&plain);
    device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_selected_queue_gets_everything),
        TEST(an_urgent_queue_goes_first),
        TEST(what_fails_is_told),
        TEST(pinned_memory_travels),
        TEST(rectangles_are_cut_out),
        TEST(shared_memory_has_turns),
    };
    return cmocka_run_group_tests(tests, start, finish);
}
