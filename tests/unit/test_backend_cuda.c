/* The CUDA backend on a driver of host memory (fake_cuda/): devices, memory and marks. */
#include "fixture.h"

/* ---- devices ---- */

static void absence_is_a_reason(void **state)
{
    (void)state;
    struct error error = {""};
    int count = 7;
    setenv("USKOR_LIBCUDA", "/nonexistent/libcuda.so.1", 1);
    assert_refused(backend_cuda.probe(&count, &error), STATUS_UNAVAILABLE, &error, "/nonexistent/libcuda.so.1");
    assert_int_equal(count, 0);
    assert_refused(backend_cuda.probe(&count, &error), STATUS_UNAVAILABLE, &error, "install NVIDIA's driver");
    setenv("USKOR_LIBCUDA", USKOR_FAKE_CUDA, 1);
    fake->failing = "cuInit";
    fake->failure = CUDA_ERROR_NO_DEVICE;
    assert_refused(backend_cuda.probe(&count, &error), STATUS_UNAVAILABLE, &error, "CUDA_ERROR_NO_DEVICE");
    fake->failing = NULL;
    fake->device_count = 0;
    assert_refused(backend_cuda.probe(&count, &error), STATUS_UNAVAILABLE, &error, "sees no GPU");
    fake->device_count = 2;
    assert_int_equal(backend_cuda.probe(&count, &error), STATUS_OK);
    assert_int_equal(count, 2);
}

static void properties_are_the_drivers(void **state)
{
    (void)state;
    struct device *device = open_device();
    const struct device_properties *properties = &device->properties;
    assert_string_equal(device->id, "cuda:0");
    assert_string_equal(properties->name, "Fake 100");
    assert_string_equal(properties->version, "9.0");
    assert_non_null(strstr(properties->driver, "CUDA 12.8, NVRTC 12.8"));
    assert_string_equal(properties->bus, "PCI FFFF:64:00.0");
    assert_int_equal(properties->memory_bytes, (uint64_t)1 << 34);
    assert_int_equal(properties->local_bytes_per_group, 48 << 10);
    assert_int_equal(properties->local_bytes_per_group_limit, 227 << 10);
    assert_int_equal(properties->clock_mhz, 1980);
    assert_int_equal(properties->group_items, 1001);
    assert_int_equal(properties->memory_bus_bits, 1037);
    assert_int_equal(properties->grid_groups[0], INT32_MAX);
    assert_int_equal(properties->grid_groups[1], 0);
    assert_false(properties->unified_memory);
    assert_true(properties->has_double);
    assert_non_null(device->native_queue);
    device_close(device);
}

/* Whatever fails while a device is opened, nothing is left behind. */
static void opening_fails_cleanly(void **state)
{
    (void)state;
    static const char *const steps[] = {"cuDeviceGet", "cuDevicePrimaryCtxRetain", "cuCtxSetCurrent"};
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        struct error error = {""};
        struct device *device = NULL;
        fake->failing = steps[i];
        fake->failure = CUDA_ERROR_OUT_OF_MEMORY;
        assert_refused(device_open("cuda:1", &device, &error), STATUS_UNAVAILABLE, &error, "cuda:1: ");
        assert_non_null(strstr(error.text, "CUDA_ERROR_OUT_OF_MEMORY (2): out of memory"));
        assert_null(device);
        assert_int_equal(fake->contexts, 0);
    }
}

/* A GPU may go away, or come, while the program runs: each question is answered by the driver of that moment. */
static void counts_change(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *device = NULL;
    int count;
    assert_int_equal(backend_cuda.probe(&count, &error), STATUS_OK);
    assert_int_equal(count, 2);
    fake->device_count = 1;
    assert_int_not_equal(device_open("cuda:1", &device, &error), STATUS_OK);
    assert_non_null(strstr(error.text, "cuda:1"));
    assert_null(device);
    assert_int_equal(fake->contexts, 0);
    fake->device_count = -3; /* a driver that has lost its mind */
    assert_refused(backend_cuda.probe(&count, &error), STATUS_UNAVAILABLE, &error, "sees no GPU");
    fake->device_count = 2;
    assert_int_equal(device_open("cuda:1", &device, &error), STATUS_OK);
    device_close(device);
}

/* ---- memory ---- */

static void memory_goes_there_and_back(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 4095, 5000, (1 << 20) + 3};
    struct device *device = open_device();
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        size_t bytes = sizes[i];
        struct error error = {""};
        struct buffer a, b;
        unsigned char *host = malloc(bytes + 1), *back = malloc(bytes + 1);
        assert_true(host && back);
        for (size_t k = 0; k < bytes; k++)
            host[k] = (unsigned char)(k * 31 + i);
        assert_int_equal(buffer_allocate(device, bytes, &a, &error), STATUS_OK);
        assert_int_equal(buffer_allocate(device, bytes, &b, &error), STATUS_OK);
        assert_int_equal(a.native % BUFFER_ALIGNMENT, 0);
        assert_null(a.host);
        assert_int_equal(buffer_write(&a, 0, host, bytes, &error), STATUS_OK);
        assert_int_equal(buffer_fill(&b, 0, 0xab, bytes, &error), STATUS_OK);
        assert_int_equal(buffer_copy(&b, bytes / 2, &a, bytes / 2, bytes - bytes / 2, &error), STATUS_OK);
        assert_int_equal(buffer_read(&b, 0, back, bytes, &error), STATUS_OK);
        for (size_t k = 0; k < bytes; k++)
            assert_int_equal(back[k], k < bytes / 2 ? 0xab : host[k]);
        buffer_release(&a);
        buffer_release(&b);
        free(host);
        free(back);
    }
    device_close(device);
}

static void a_view_is_a_window(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *device = open_device();
    struct buffer whole, window;
    int value = 12345, back = 0;
    assert_int_equal(buffer_allocate(device, (size_t)3 * BUFFER_ALIGNMENT, &whole, &error), STATUS_OK);
    assert_int_equal(buffer_view(&whole, BUFFER_ALIGNMENT, 64, &window, &error), STATUS_OK);
    assert_int_equal(buffer_write(&window, 8, &value, sizeof value, &error), STATUS_OK);
    buffer_release(&window);
    assert_int_equal(buffer_read(&whole, BUFFER_ALIGNMENT + 8, &back, sizeof back, &error), STATUS_OK);
    assert_int_equal(back, value);
    buffer_release(&whole);
    device_close(device);
}

static void no_memory_is_told_with_its_size(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *device = open_device();
    struct buffer buffer;
    assert_refused(buffer_allocate(device, (size_t)3 << 30, &buffer, &error), STATUS_UNAVAILABLE, &error,
                   "cuda:0: allocating 3 GiB: CUDA_ERROR_OUT_OF_MEMORY");
    assert_refused(buffer_allocate(device, SIZE_MAX, &buffer, &error), STATUS_UNAVAILABLE, &error, "16 EiB");
    buffer_release(&buffer);
    device_close(device);
}

/* The driver answers everything after a crash with the crash: that must not read as if each of them had crashed. */
static void a_crash_is_told_once(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *device = open_device();
    fake->failing = "cuStreamSynchronize";
    fake->failure = CUDA_ERROR_ILLEGAL_ADDRESS;
    assert_refused(device_synchronize(device, &error), STATUS_FAILED, &error,
                   "cuda:0: finishing what was enqueued: CUDA_ERROR_ILLEGAL_ADDRESS");
    assert_refused(device_synchronize(device, &error), STATUS_UNAVAILABLE, &error,
                   "cuda:0: finishing what was enqueued: a kernel has crashed before");
    device_close(device);
}

static void marks_measure(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *device = open_device();
    struct event *from = NULL, *to = NULL;
    double nanoseconds = 0;
    assert_int_equal(event_create(device, &from, &error), STATUS_OK);
    assert_int_equal(event_create(device, &to, &error), STATUS_OK);
    assert_int_not_equal(event_elapsed(from, to, &nanoseconds, &error), STATUS_OK); /* not recorded yet */
    assert_int_equal(event_record(from, &error), STATUS_OK);
    assert_int_equal(event_record(to, &error), STATUS_OK);
    assert_int_equal(event_elapsed(from, to, &nanoseconds, &error), STATUS_OK);
    assert_true(nanoseconds > 999.9 && nanoseconds < 1000.1);
    event_destroy(from);
    event_destroy(to);
    fake->failing = "cuEventCreate";
    fake->failure = CUDA_ERROR_OUT_OF_MEMORY;
    assert_refused(event_create(device, &from, &error), STATUS_UNAVAILABLE, &error, "making an event");
    device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(absence_is_a_reason), /* first: the driver is opened once */
        TEST(properties_are_the_drivers), TEST(opening_fails_cleanly), TEST(counts_change),
        TEST(memory_goes_there_and_back), TEST(a_view_is_a_window),    TEST(no_memory_is_told_with_its_size),
        TEST(a_crash_is_told_once),       TEST(marks_measure),
    };
    return cmocka_run_group_tests(tests, start, finish);
}
