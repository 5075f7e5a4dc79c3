/* Arrays that are on a device already, on the caller's own queue: uskor.h and OpenCL, as a stranger's program has them.
 * Skipped where no OpenCL device is. */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "uskor.h"

#include <cmocka.h>

#define FUNCTIONS(X)       \
    X(GetPlatformIDs)      \
    X(GetDeviceIDs)        \
    X(CreateContext)       \
    X(CreateCommandQueue)  \
    X(CreateBuffer)        \
    X(CreateUserEvent)     \
    X(SetUserEventStatus)  \
    X(EnqueueWriteBuffer)  \
    X(EnqueueReadBuffer)   \
    X(Flush)               \
    X(Finish)              \
    X(ReleaseEvent)        \
    X(ReleaseMemObject)    \
    X(ReleaseCommandQueue) \
    X(ReleaseContext)

static struct {
#define X(name) __typeof__(cl##name) *name;
    FUNCTIONS(X)
#undef X
} cl;

struct there {
    cl_context context;
    cl_device_id device;
    cl_command_queue queue;
};

static bool load(void)
{
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
    bool all = library != NULL;
#define X(name) all = all && (*(void **)&cl.name = dlsym(library, "cl" #name)) != NULL;
    FUNCTIONS(X)
#undef X
    return all;
}

static bool open_there(struct there *there, cl_command_queue_properties properties)
{
    cl_platform_id platform;
    cl_int code;
    if (!load() || cl.GetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        cl.GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &there->device, NULL) != CL_SUCCESS)
        return false;
    there->context = cl.CreateContext(NULL, 1, &there->device, NULL, NULL, &code);
    assert_int_equal(code, CL_SUCCESS);
    there->queue = cl.CreateCommandQueue(there->context, there->device, properties, &code);
    return code == CL_SUCCESS;
}

static void close_there(struct there *there)
{
    cl.ReleaseCommandQueue(there->queue);
    cl.ReleaseContext(there->context);
}

static cl_mem put(const struct there *there, size_t bytes, const void *data)
{
    cl_int code;
    cl_mem memory = cl.CreateBuffer(there->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    assert_int_equal(code, CL_SUCCESS);
    if (data)
        assert_int_equal(cl.EnqueueWriteBuffer(there->queue, memory, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
                         CL_SUCCESS);
    return memory;
}

static void get(const struct there *there, cl_mem memory, size_t bytes, void *data)
{
    assert_int_equal(cl.EnqueueReadBuffer(there->queue, memory, CL_TRUE, 0, bytes, data, 0, NULL, NULL), CL_SUCCESS);
}

#define OPEN(there)                                                  \
    struct there there;                                              \
    alarm(300); /* a call that waits for ever would wait for ever */ \
    if (!open_there(&there, 0))                                      \
    skip()

#define ROWS 70
#define COLUMNS 130

static void fill(uint32_t *data, size_t count)
{
    uint32_t word = 11;
    for (size_t i = 0; i < count; i++)
        data[i] = word = word * 1664525 + 1013904223;
}

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The numbers `in` stay. */
static void expect_sorts_of_what_is_elsewhere(const struct there *there, struct uskor *uskor, cl_mem out, cl_mem in,
                                              const uint32_t *numbers)
{
    static uint32_t ordered[ROWS * COLUMNS], got[ROWS * COLUMNS];
    struct uskor_plan *plan;
    for (size_t count = 1; count <= ROWS * COLUMNS; count = 5 * count + count % 2) { /* 1, 6, 30 … */
        assert_int_equal(uskor_plan_sort(uskor, &plan, count, USKOR_UINT32, 0), USKOR_OK);
        assert_int_equal(uskor_run_device(plan, out, in, NULL), USKOR_OK);
        get(there, out, count * sizeof *got, got);
        memcpy(ordered, numbers, sizeof ordered);
        qsort(ordered, count, sizeof *ordered, compare);
        assert_memory_equal(got, ordered, count * sizeof *got);
        get(there, in, sizeof got, got);
        assert_memory_equal(got, numbers, sizeof got);
        uskor_plan_free(plan);
    }
}

static void operations_compute_on_the_device(void **state)
{
    (void)state;
    OPEN(there);
    static uint32_t source[ROWS * COLUMNS], target[ROWS * COLUMNS * 4];
    static float a[40 * 50], b[50 * 60], c[40 * 60];
    struct uskor *uskor;
    struct uskor_plan *plan;
    fill(source, ROWS * COLUMNS);
    if (uskor_open_opencl(&uskor, there.queue) != USKOR_OK)
        fail_msg("%s", uskor_message(NULL));
    assert_non_null(strstr(uskor_device(uskor), "opencl:"));
    cl_mem in = put(&there, sizeof source, source), out = put(&there, sizeof target, NULL);

    assert_int_equal(uskor_plan_transpose(uskor, &plan, ROWS, COLUMNS, 4), USKOR_OK);
    assert_int_equal(uskor_prepare(plan), USKOR_OK);
    for (int round = 0; round < 2; round++)
        if (uskor_run_device(plan, out, in, NULL) != USKOR_OK)
            fail_msg("%s", uskor_message(uskor));
    get(&there, out, sizeof source, target);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLUMNS; j++)
            assert_int_equal(target[j * ROWS + i], source[i * COLUMNS + j]);
    memset(target, 0, sizeof target);
    assert_int_equal(uskor_run(plan, target, source, NULL), USKOR_OK); /* arrays of the host's, too */
    assert_int_equal(target[ROWS], source[1]);
    uskor_plan_free(plan);

    assert_int_equal(uskor_plan_resize(uskor, &plan, 2 * COLUMNS, 2 * ROWS, COLUMNS, ROWS), USKOR_OK);
    assert_int_equal(uskor_run_device(plan, out, in, NULL), USKOR_OK);
    get(&there, out, sizeof target, target);
    assert_int_equal(target[0], source[0]); /* a corner is its pixel's */
    assert_int_equal(target[4 * ROWS * COLUMNS - 1], source[ROWS * COLUMNS - 1]);
    uskor_plan_free(plan);

    expect_sorts_of_what_is_elsewhere(&there, uskor, out, in, source);
    assert_int_equal(uskor_plan_sort(uskor, &plan, ROWS * COLUMNS, USKOR_UINT32, 0), USKOR_OK);
    assert_int_equal(uskor_run_device(plan, in, NULL, NULL), USKOR_OK);
    get(&there, in, sizeof source, target);
    for (size_t i = 1; i < ROWS * COLUMNS; i++)
        assert_true(target[i - 1] <= target[i]);
    uskor_plan_free(plan);

    for (size_t i = 0; i < 40 * 50; i++)
        a[i] = (float)(i % 7) - 3;
    for (size_t i = 0; i < 50 * 60; i++)
        b[i] = (float)(i % 5) - 2;
    cl_mem left = put(&there, sizeof a, a), right = put(&there, sizeof b, b), product = put(&there, sizeof c, NULL);
    assert_int_equal(uskor_plan_gemm(uskor, &plan, USKOR_FLOAT32, USKOR_FLOAT32, 0, 0, 40, 60, 50, 1, 50, 60, 0, 60, 1),
                     USKOR_OK);
    if (uskor_run_device(plan, product, left, right) != USKOR_OK)
        fail_msg("%s", uskor_message(uskor));
    get(&there, product, sizeof c, c);
    for (size_t i = 0; i < 40; i++)
        for (size_t j = 0; j < 60; j++) {
            float sum = 0;
            for (size_t l = 0; l < 50; l++)
                sum += a[i * 50 + l] * b[l * 60 + j];
            assert_true(c[i * 60 + j] == sum);
        }
    uskor_plan_free(plan);

    double dot = 0, expected = 0;
    for (size_t i = 0; i < 40 * 50; i++)
        expected += (double)a[i] * (double)b[i];
    assert_int_equal(uskor_plan_dot(uskor, &plan, 40 * 50, USKOR_FLOAT32, USKOR_SUM_FAST), USKOR_OK);
    if (uskor_run_device(plan, product, left, right) != USKOR_OK)
        fail_msg("%s", uskor_message(uskor));
    get(&there, product, sizeof dot, &dot);
    assert_true(dot == expected);
    uskor_plan_free(plan);

    uskor_close(uskor);
    cl.ReleaseMemObject(in), cl.ReleaseMemObject(out), cl.ReleaseMemObject(left), cl.ReleaseMemObject(right);
    cl.ReleaseMemObject(product);
    close_there(&there);
}

/* The queue stands still, yet the call returns; the work is done when the queue goes on. */
static void a_run_waits_for_nothing(void **state)
{
    (void)state;
    OPEN(there);
    static uint32_t source[ROWS * COLUMNS], target[ROWS * COLUMNS];
    struct uskor *uskor;
    struct uskor_plan *plan;
    cl_int code;
    fill(source, ROWS * COLUMNS);
    assert_int_equal(uskor_open_opencl(&uskor, there.queue), USKOR_OK);
    cl_mem in = put(&there, sizeof source, source), out = put(&there, sizeof target, NULL);
    assert_int_equal(uskor_plan_transpose(uskor, &plan, ROWS, COLUMNS, 4), USKOR_OK);
    assert_int_equal(uskor_run_device(plan, out, in, NULL), USKOR_OK);
    cl_event gate = cl.CreateUserEvent(there.context, &code);
    assert_int_equal(code, CL_SUCCESS);
    /* Written behind the gate: what is computed from it is computed behind the gate. */
    source[1] ^= 0x5555;
    assert_int_equal(cl.EnqueueWriteBuffer(there.queue, in, CL_FALSE, 0, sizeof source, source, 1, &gate, NULL),
                     CL_SUCCESS);
    assert_int_equal(uskor_run_device(plan, out, in, NULL), USKOR_OK);
    assert_int_equal(cl.SetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    assert_int_equal(cl.Finish(there.queue), CL_SUCCESS);
    get(&there, out, sizeof target, target);
    assert_int_equal(target[ROWS], source[1]);
    uskor_plan_free(plan);
    uskor_close(uskor);
    cl.ReleaseEvent(gate), cl.ReleaseMemObject(in), cl.ReleaseMemObject(out);
    close_there(&there);
}

static void assert_refused(enum uskor_status status, const char *message, const char *word)
{
    assert_int_equal(status, USKOR_INVALID);
    if (!strstr(message, word))
        fail_msg("\"%s\" does not say \"%s\"", message, word);
}

static void wrong_queues_and_memory_are_refused(void **state)
{
    (void)state;
    OPEN(there);
    struct there other, disordered;
    struct uskor *uskor, *none = NULL;
    struct uskor_plan *plan, *on_cpu;
    uint32_t host[4] = {0};
    assert_refused(uskor_open_opencl(&none, NULL), uskor_message(NULL), "queue is NULL");
    assert_null(none);
    assert_refused(uskor_open_opencl(NULL, there.queue), uskor_message(NULL), "place for the context is NULL");
    if (open_there(&disordered, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)) {
        assert_refused(uskor_open_opencl(&none, disordered.queue), uskor_message(NULL), "out of order");
        close_there(&disordered);
    }
    assert_true(open_there(&other, 0));
    assert_int_equal(uskor_open_opencl(&uskor, there.queue), USKOR_OK);
    cl_mem small = put(&there, 60, NULL), in = put(&there, 64, NULL), foreign = put(&other, 64, NULL);
    assert_int_equal(uskor_plan_transpose(uskor, &plan, 4, 4, 4), USKOR_OK);
    assert_refused(uskor_run_device(plan, NULL, in, NULL), uskor_message(uskor), "out is NULL");
    assert_refused(uskor_run_device(plan, in, NULL, NULL), uskor_message(uskor), "in is NULL");
    assert_refused(uskor_run_device(plan, in, in, NULL), uskor_message(uskor), "are one");
    assert_refused(uskor_run_device(plan, small, in, NULL), uskor_message(uskor), "has 60 bytes; 64 are needed");
    assert_refused(uskor_run_device(plan, foreign, in, NULL), uskor_message(uskor), "another context");
    assert_refused(uskor_run_device(NULL, in, in, NULL), uskor_message(NULL), "NULL");
    assert_refused(uskor_prepare(NULL), uskor_message(NULL), "NULL");
    uskor_plan_free(plan);
    uskor_close(uskor);
    assert_int_equal(uskor_open(&uskor, "cpu"), USKOR_OK);
    assert_int_equal(uskor_plan_transpose(uskor, &on_cpu, 2, 2, 4), USKOR_OK);
    assert_refused(uskor_run_device(on_cpu, host, host, NULL), uskor_message(uskor), "no queue of the caller's");
    assert_int_equal(uskor_prepare(on_cpu), USKOR_OK);
    uskor_plan_free(on_cpu);
    uskor_close(uskor);
    cl.ReleaseMemObject(small), cl.ReleaseMemObject(in), cl.ReleaseMemObject(foreign);
    close_there(&other);
    close_there(&there);
}

static void devices_have_names(void **state)
{
    (void)state;
    const size_t count = uskor_device_count();
    assert_true(count >= 1);
    assert_string_equal(uskor_device_name(0), "cpu");
    assert_string_equal(uskor_device_name(count), "");
    assert_string_equal(uskor_device_name(SIZE_MAX), "");
    for (size_t i = 0; i < count; i++) {
        struct uskor *uskor;
        if (uskor_open(&uskor, uskor_device_name(i)) == USKOR_OK) /* a driver may be there and broken */
            assert_string_equal(uskor_device(uskor), uskor_device_name(i));
        uskor_close(uskor);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_have_names),
        cmocka_unit_test(operations_compute_on_the_device),
        cmocka_unit_test(a_run_waits_for_nothing),
        cmocka_unit_test(wrong_queues_and_memory_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
