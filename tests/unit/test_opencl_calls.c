/* Each call of OpenCL's fails, in turn, at each place where the backend makes it. Whoever asked is told, by the code's
 * name where the driver gave one, and all that was made before is given back. */
#include "opencl_device.h"

#include <stdlib.h>

#include "backends/opencl/opencl.h"
#include "base/size.h"

/* ---- calls that fail ---- */

enum call {
#define X(name) CALL_##name,
    OPENCL_FUNCTIONS(X) OPENCL_LATER_FUNCTIONS(X)
#undef X
        CALLS,
};

static const char *const names[CALLS] = {
#define X(name) #name,
    OPENCL_FUNCTIONS(X) OPENCL_LATER_FUNCTIONS(X)
#undef X
};

enum object { NO_OBJECT, CONTEXT, QUEUE, MEMORY, MAPPING, PROGRAM, KERNEL, SHARED_MEMORY, OBJECTS };

/* What a call makes or gives back, and which of its arguments, from 1 on, receives its code (0: none). */
static const struct {
    enum object made, released;
    int code_at;
} objects[CALLS] = {
    [CALL_CreateContext] = {CONTEXT, NO_OBJECT, 6},
    [CALL_CreateCommandQueue] = {QUEUE, NO_OBJECT, 4},
    [CALL_CreateBuffer] = {MEMORY, NO_OBJECT, 5},
    [CALL_CreateSubBuffer] = {MEMORY, NO_OBJECT, 5},
    [CALL_CreateImage] = {MEMORY, NO_OBJECT, 6},
    [CALL_EnqueueMapBuffer] = {MAPPING, NO_OBJECT, 10},
    [CALL_CreateProgramWithSource] = {PROGRAM, NO_OBJECT, 5},
    [CALL_CreateKernel] = {KERNEL, NO_OBJECT, 3},
    [CALL_SVMAlloc] = {SHARED_MEMORY, NO_OBJECT, 0},
    [CALL_ReleaseContext] = {NO_OBJECT, CONTEXT, 0},
    [CALL_ReleaseCommandQueue] = {NO_OBJECT, QUEUE, 0},
    [CALL_ReleaseMemObject] = {NO_OBJECT, MEMORY, 0},
    [CALL_EnqueueUnmapMemObject] = {NO_OBJECT, MAPPING, 0},
    [CALL_ReleaseProgram] = {NO_OBJECT, PROGRAM, 0},
    [CALL_ReleaseKernel] = {NO_OBJECT, KERNEL, 0},
    [CALL_SVMFree] = {NO_OBJECT, SHARED_MEMORY, 0},
};

/* Without their answers, or when they come too late, work goes on; some are asked again. */
static const bool may_be_ignored[CALLS] = {
    [CALL_GetPlatformInfo] = true,
    [CALL_GetDeviceIDs] = true,
    [CALL_GetDeviceInfo] = true,
    [CALL_GetKernelWorkGroupInfo] = true,
    [CALL_Finish] = true,
    [CALL_ReleaseContext] = true,
    [CALL_ReleaseCommandQueue] = true,
    [CALL_ReleaseMemObject] = true,
    [CALL_ReleaseProgram] = true,
    [CALL_ReleaseKernel] = true,
    [CALL_ReleaseEvent] = true,
    [CALL_SVMAlloc] = true,
    [CALL_SVMFree] = true,
    [CALL_EnqueueUnmapMemObject] = true,
};

static struct opencl_functions real;
static struct {
    int failing;        /* CALLS: none */
    long when;          /* it is to fail, from 1 on */
    bool makes_nothing; /* it says that it succeeded */
    long times[CALLS], alive[OBJECTS];
    bool is_hit;
} fault;

#define ARGUMENTS 14
typedef uintptr_t any_call(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                           uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);

/* All arguments and results are integers and addresses: a call with more of them than it takes passes them on. */
static uintptr_t pass_on(enum call call, any_call *function, const uintptr_t a[ARGUMENTS])
{
    const int code_at = objects[call].code_at;
    fault.times[call]++;
    fault.alive[objects[call].released]--;
    if (fault.failing == (int)call && fault.times[call] == fault.when) {
        fault.is_hit = true;
        if (code_at && !fault.makes_nothing)
            *(cl_int *)a[code_at - 1] = CL_OUT_OF_RESOURCES;
        return objects[call].made ? 0 : (uintptr_t)CL_OUT_OF_RESOURCES;
    }
    const uintptr_t result =
        function(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13]);
    fault.alive[objects[call].made] += result != 0;
    return result;
}

#define X(name)                                                                                               \
    static uintptr_t of_##name(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f,  \
                               uintptr_t g, uintptr_t h, uintptr_t i, uintptr_t j, uintptr_t k, uintptr_t l,  \
                               uintptr_t m, uintptr_t n)                                                      \
    {                                                                                                         \
        any_call *function;                                                                                   \
        memcpy(&function, &real.name, sizeof function);                                                       \
        return pass_on(CALL_##name, function, (const uintptr_t[]){a, b, c, d, e, f, g, h, i, j, k, l, m, n}); \
    }
OPENCL_FUNCTIONS(X)
OPENCL_LATER_FUNCTIONS(X)
#undef X

static void put_between(void)
{
    any_call *function;
    real = cl;
#define X(name)                                       \
    if (real.name) {                                  \
        function = of_##name;                         \
        memcpy(&cl.name, &function, sizeof function); \
    }
    OPENCL_FUNCTIONS(X)
    OPENCL_LATER_FUNCTIONS(X)
#undef X
}

/* ---- what is done ---- */

#define BYTES ((size_t)4 * BUFFER_ALIGNMENT)
#define LARGE_BYTES ((size_t)1 << 20)

static enum status only_open(void)
{
    return STATUS_OK;
}

static enum status move_bytes(void)
{
    static unsigned char bytes[BYTES];
    struct buffer one = {0}, other = {0}, part = {0}, of_part = {0};
    enum status status = buffer_allocate(device, BYTES, &one, &error);
    if (status == STATUS_OK)
        status = buffer_allocate(device, BYTES, &other, &error);
    if (status == STATUS_OK)
        status = buffer_view(&one, BUFFER_ALIGNMENT, 2 * (size_t)BUFFER_ALIGNMENT, &part, &error);
    if (status == STATUS_OK)
        status = buffer_view(&part, BUFFER_ALIGNMENT, BUFFER_ALIGNMENT, &of_part, &error);
    if (status == STATUS_OK)
        status = buffer_write(&one, 0, bytes, BYTES, &error);
    if (status == STATUS_OK)
        status = buffer_fill(&other, 0, 7, BYTES, &error);
    if (status == STATUS_OK)
        status = buffer_copy(&of_part, 0, &other, 0, BUFFER_ALIGNMENT, &error);
    if (status == STATUS_OK)
        status = buffer_read(&one, 0, bytes, BYTES, &error);
    if (status == STATUS_OK)
        status = device_synchronize(device, &error);
    buffer_release(&of_part);
    buffer_release(&part);
    buffer_release(&other);
    buffer_release(&one);
    return status;
}

static enum status copy_much(void)
{
    struct buffer one = {0}, other = {0};
    enum status status = buffer_allocate(device, LARGE_BYTES + 1, &one, &error);
    if (status == STATUS_OK)
        status = buffer_allocate(device, LARGE_BYTES + 1, &other, &error);
    if (status == STATUS_OK)
        status = buffer_copy(&other, 0, &one, 0, LARGE_BYTES + 1, &error);
    buffer_release(&other);
    buffer_release(&one);
    return status;
}

static enum status pin_memory(void)
{
    struct host_memory memory = {0};
    const enum status status = host_memory_pin(device, MEMORY_PINNED, BYTES, &memory, &error);
    host_memory_unpin(&memory);
    return status;
}

static enum status share_as(enum memory_kind kind)
{
    struct buffer shared = {0};
    enum status status = buffer_share(device, kind, BYTES, &shared, &error);
    if (status == STATUS_OK)
        status = buffer_map(&shared, &error);
    if (status == STATUS_OK)
        status = buffer_unmap(&shared, &error);
    buffer_release(&shared);
    return status;
}

static enum status share_managed(void)
{
    return share_as(MEMORY_MANAGED);
}

static enum status share_mapped(void)
{
    return share_as(MEMORY_MAPPED);
}

static enum status use_queues(void)
{
    static unsigned char bytes[64];
    struct queue *queue = NULL;
    struct event *from = NULL, *to = NULL;
    struct buffer buffer = {0};
    const struct transfer rows = {.pitch = 8, .host = bytes, .host_pitch = 16, .width = 4, .rows = 4},
                          whole = {.host = bytes, .width = sizeof bytes, .rows = 1};
    double nanoseconds;
    enum status status = buffer_allocate(device, sizeof bytes, &buffer, &error);
    if (status == STATUS_OK)
        status = event_create(device, &from, &error);
    if (status == STATUS_OK)
        status = event_create(device, &to, &error);
    if (status == STATUS_OK)
        status = queue_create(device, &queue, &error);
    if (status == STATUS_OK)
        status = event_record(from, &error);
    if (status == STATUS_OK)
        status = queue_select(device, queue, &error);
    if (status == STATUS_OK)
        status = queue_wait(from, &error);
    if (status == STATUS_OK)
        status = buffer_send(&buffer, &whole, &error);
    if (status == STATUS_OK)
        status = buffer_send(&buffer, &rows, &error);
    if (status == STATUS_OK)
        status = buffer_receive(&buffer, &rows, &error);
    if (status == STATUS_OK)
        status = buffer_receive(&buffer, &whole, &error);
    if (status == STATUS_OK)
        status = event_record(to, &error);
    if (status == STATUS_OK)
        status = queue_select(device, NULL, &error);
    if (status == STATUS_OK)
        status = event_elapsed(from, to, &nanoseconds, &error);
    queue_destroy(queue);
    event_destroy(to);
    event_destroy(from);
    buffer_release(&buffer);
    return status;
}

static enum status run_program(void)
{
    static const size_t group[3] = {16, 1, 1}, groups[3] = {1, 1, 1};
    const struct program_source source = {
        "test.cl", "__kernel void f(__global int *a, int n) { a[get_global_id(0)] = n; }", LANGUAGE_OPENCL_C, NULL, 0};
    struct program *program = NULL;
    struct buffer buffer = {0};
    void *binary = NULL;
    size_t bytes;
    enum status status = buffer_allocate(device, 64, &buffer, &error);
    const struct argument_value arguments[] = {{ARGUMENT_BUFFER, {.buffer = &buffer}},
                                               {ARGUMENT_INT, {.int_value = 1}}};
    if (status == STATUS_OK)
        status = program_build(device, &source, &program, &error);
    for (int i = 0; status == STATUS_OK && i < 2; i++)
        status = launch_over(program, "f", 1, group, groups, arguments, COUNT_OF(arguments));
    if (status == STATUS_OK)
        status = opencl_program_binary(program, &binary, &bytes, &error);
    free(binary);
    program_discard(program);
    buffer_release(&buffer);
    return status;
}

static enum status load_texture(void)
{
    struct texture *texture = NULL;
    struct buffer pixels = {0};
    enum status status = buffer_allocate(device, 256, &pixels, &error);
    if (status == STATUS_OK)
        status = texture_create(device, 8, 8, &texture, &error);
    if (status == STATUS_OK)
        status = texture_load(texture, &pixels, &error);
    texture_destroy(texture);
    buffer_release(&pixels);
    return status;
}

static const struct {
    const char *name;
    enum status (*run)(void);
} works[] = {
    {"opening", only_open},
    {"memory", move_bytes},
    {"a large copy", copy_much},
    {"pinned memory", pin_memory},
    {"managed memory", share_managed},
    {"mapped memory", share_mapped},
    {"queues", use_queues},
    {"a program", run_program},
    {"a texture", load_texture},
};

/* ---- the tests ---- */

/* On a device of its own, which is closed; `opened` receives how often each was called until it was open. */
static enum status work(enum status (*run)(void), int failing, long when, bool makes_nothing, long opened[CALLS])
{
    memset(&fault, 0, sizeof fault);
    fault.failing = failing;
    fault.when = when;
    fault.makes_nothing = makes_nothing;
    error.text[0] = '\0';
    enum status status = device_open("opencl:0", &device, &error);
    memcpy(opened, fault.times, sizeof fault.times);
    if (status != STATUS_OK)
        return status;
    status = run();
    device_close(device);
    device = NULL;
    return status;
}

static void judge(const char *name, enum call call, enum status status)
{
    if (!fault.is_hit)
        fail_msg("%s: %s was not called as often again", name, names[call]);
    if (status == STATUS_OK && !may_be_ignored[call])
        fail_msg("%s: nobody noticed that %s fails (call %ld)", name, names[call], fault.when);
    if (status != STATUS_OK && !error.text[0])
        fail_msg("%s: nothing is said of %s, which fails (call %ld)", name, names[call], fault.when);
    if (status != STATUS_OK && !may_be_ignored[call] && !fault.makes_nothing &&
        !strstr(error.text, "CL_OUT_OF_RESOURCES"))
        fail_msg("%s: %s fails, and what is said is: %s", name, names[call], error.text);
    for (int i = NO_OBJECT + 1; i < OBJECTS; i++)
        if (fault.alive[i] != 0 && !(i == MAPPING && call == CALL_EnqueueUnmapMemObject)) /* it may be asked again */
            fail_msg("%s: %s fails (call %ld), and %ld objects of kind %d are left: %s", name, names[call], fault.when,
                     fault.alive[i], i, error.text);
}

static void every_call_fails(void **state)
{
    NEEDS_DEVICE();
    device_close(device);
    device = NULL;
    put_between();
    for (size_t w = 0; w < COUNT_OF(works); w++) {
        long before[CALLS], times[CALLS], ignored[CALLS];
        const enum status status = work(works[w].run, CALLS, 0, false, before);
        if (status == STATUS_UNAVAILABLE) {
            print_message("not here: %s: %s\n", works[w].name, error.text);
            continue;
        }
        expect_ok(status);
        memcpy(times, fault.times, sizeof times);
        for (int i = NO_OBJECT + 1; i < OBJECTS; i++)
            assert_int_equal(fault.alive[i], 0);
        for (int call = 0; call < CALLS; call++)
            for (long n = w > 0 ? before[call] + 1 : 1; n <= times[call]; n++) {
                judge(works[w].name, call, work(works[w].run, call, n, false, ignored));
                if (objects[call].made)
                    judge(works[w].name, call, work(works[w].run, call, n, true, ignored));
            }
    }
    cl = real;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_call_fails)};
    return cmocka_run_group_tests(tests, open_device, NULL);
}
