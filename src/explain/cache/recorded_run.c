#include "explain/cache/recording.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/pool.h"
#include "base/size.h"
#include "base/threads.h"
#include "explain/cache/recorder.h"
#include "kernels/prepared_run.h"

#define LARGE_PAGE ((size_t)2 << 20)
#define WARM_SHARE 2 /* multiples of the last cache; larger arrays leave no data in it for the next run */

struct session {
    const struct recording_request *request;
    struct recording *recording;
    struct device *device;
    struct array arrays[KERNEL_ARRAYS_MAX];
    int array_count;
    struct buffer buffers[KERNEL_ARRAYS_MAX], scratch;
    struct buffer kept[KERNEL_ARRAYS_MAX]; /* initial contents of arrays that the rung changes */
    struct prepared_run prepared;
    struct recorder_place places[PLACES_MOST];
};

/* ---- memory ----------------------------------------------------------------------------------------------------- */

static bool has_large_pages(void)
{
    char text[64] = "";
    FILE *file = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "re");
    if (file && !fgets(text, sizeof text, file))
        text[0] = '\0';
    if (file)
        fclose(file);
    return strstr(text, "[madvise]") || strstr(text, "[always]");
}

/* The cpu device requests large pages for arrays of at least two of them (backends/cpu/host.c). */
static void set_place(struct session *session, int index, const struct buffer *buffer)
{
    const struct recording_request *request = session->request;
    size_t large = request->large_page ? request->large_page : has_large_pages() ? LARGE_PAGE : 0;
    size_t small = request->geometry->small_page;
    bool is_large = large > small && buffer->bytes >= 2 * LARGE_PAGE;
    session->places[index] = (struct recorder_place){
        .start = (uintptr_t)buffer->host, .bytes = buffer->bytes, .page_bytes = is_large ? large : small};
    if (session->places[index].page_bytes > session->recording->page_bytes)
        session->recording->page_bytes = session->places[index].page_bytes;
}

static enum status make_arrays(struct session *session, struct error *error)
{
    const struct recording_request *request = session->request;
    struct host_arrays host = {{NULL}};
    enum status status = kernel_describe(request->problem, session->arrays, &session->array_count, error);
    for (int i = 0; status == STATUS_OK && i < session->array_count; i++) {
        status = buffer_allocate(session->device, session->arrays[i].bytes, &session->buffers[i], error);
        host.data[i] = session->buffers[i].host;
        if (status == STATUS_OK)
            memset(host.data[i], 0, session->arrays[i].bytes);
        if (status == STATUS_OK && session->arrays[i].direction == ARRAY_INOUT)
            status = buffer_allocate(session->device, session->arrays[i].bytes, &session->kept[i], error);
    }
    if (status != STATUS_OK)
        return status;
    request->problem->kernel->fill(request->problem, session->arrays, host);
    for (int i = 0; i < session->array_count; i++) {
        set_place(session, i, &session->buffers[i]);
        if (session->kept[i].host && host.data[i])
            memcpy(session->kept[i].host, host.data[i], session->arrays[i].bytes);
    }
    return STATUS_OK;
}

static void restore(struct session *session)
{
    for (int i = 0; i < session->array_count; i++)
        if (session->kept[i].host)
            memcpy(session->buffers[i].host, session->kept[i].host, session->arrays[i].bytes);
}

static enum status prepare(struct session *session, struct error *error)
{
    const struct recording_request *request = session->request;
    enum status status = prepared_run_plan(&session->prepared, request->rung, request->problem, session->device,
                                           request->parameters, error);
    if (status == STATUS_OK && session->prepared.scratch_bytes) {
        status = buffer_allocate(session->device, session->prepared.scratch_bytes, &session->scratch, error);
        if (status == STATUS_OK)
            set_place(session, KERNEL_ARRAYS_MAX, &session->scratch);
    }
    return status == STATUS_OK ? prepared_run_make(&session->prepared, session->arrays, session->array_count,
                                                   session->buffers, &session->scratch, error)
                               : status;
}

/* ---- functions that are not recorded ---------------------------------------------------------------------------- */

static bool is_parallel_runtime(const char *name)
{
    return strncmp(name, "GOMP_", 5) == 0 || strncmp(name, "omp_", 4) == 0 || strncmp(name, "__kmpc", 6) == 0;
}

/* Functions that the loader chooses for the processor have no name in the library's table; in libc they are those for
 * memory and strings. */
static bool is_of_memory(const char *name)
{
    static const char *const names[] = {"mem", "malloc", "calloc", "free", "aligned_alloc", "posix_memalign", "__mem"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* A PLT stub, "jmp *word(%rip)", leads to a library's function, which dladdr names. */
static const char *name_of_stub(uintptr_t address, bool *is_small)
{
    const unsigned char *bytes = (const unsigned char *)address;
    Dl_info about;
    int32_t distance;
    uintptr_t word;
    static const unsigned char landing[] = {0xf3, 0x0f, 0x1e, 0xfa};
    bytes += memcmp(bytes, landing, sizeof landing) == 0 ? sizeof landing : 0;
    bytes += *bytes == 0xf2;
    if (bytes[0] != 0xff || bytes[1] != 0x25)
        return NULL;
    memcpy(&distance, bytes + 2, sizeof distance);
    memcpy(&word, bytes + 6 + distance, sizeof word);
    if (dladdr((const void *)word, &about) == 0)
        return NULL;
    bool is_mathematical = about.dli_fname && strstr(about.dli_fname, "libm.") != NULL;
    bool is_of_c = about.dli_fname && strstr(about.dli_fname, "libc.") != NULL;
    *is_small = is_mathematical || (is_of_c && (!about.dli_sname || is_of_memory(about.dli_sname)));
    return about.dli_sname ? about.dli_sname : is_mathematical ? "libm" : is_of_c ? "libc" : "?";
}

/* How often the code called the function at `address`. */
static uint64_t calls_of(const struct code_copy *copy, struct recording *recording, uintptr_t address)
{
    uint64_t calls = 0;
    for (size_t i = 0; i < copy->instruction_count; i++) {
        const struct copied_instruction *one = &copy->instructions[i];
        if (one->target != address)
            continue;
        for (unsigned t = 0; t < recording->threads; t++)
            calls += recording_executed(recording, t)[one->block];
    }
    return calls;
}

static bool begins_region(const char *name)
{
    return strncmp(name, "GOMP_parallel", 13) == 0 || strncmp(name, "__kmpc_fork_call", 16) == 0;
}

static void name_outside(const struct code_copy *copy, struct recording *recording)
{
    for (size_t i = 0; i < copy->outside_count && recording->outside_count < OUTSIDE_MOST; i++) {
        bool is_small = false;
        if (copy->outside[i] == (uintptr_t)parallel_for)
            recording->regions += calls_of(copy, recording, copy->outside[i]);
        const char *name = name_of_stub(copy->outside[i], &is_small);
        uint64_t calls = name ? calls_of(copy, recording, copy->outside[i]) : 0;
        if (calls > 0 && begins_region(name))
            recording->regions += calls;
        if (calls == 0 || is_parallel_runtime(name))
            continue;
        recording->is_partial |= !is_small;
        snprintf(recording->outside[recording->outside_count++], sizeof recording->outside[0], "%s", name);
    }
}

/* ---- the run ---------------------------------------------------------------------------------------------------- */

static bool leaves_something(const struct session *session)
{
    const struct cache_level *last = NULL;
    size_t bytes = session->scratch.bytes;
    for (int i = 0; i < CACHE_LEVELS; i++)
        if (session->request->geometry->levels[i].bytes)
            last = &session->request->geometry->levels[i];
    for (int i = 0; i < session->array_count; i++)
        bytes += session->arrays[i].bytes;
    return last && bytes <= WARM_SHARE * last->bytes;
}

/* A thread begins with the %gs of the one that creates it, and two would write into one area. So all of OpenMP's, and
 * the pool's, are created before the first copied instruction gives this one its area. */
static void start_threads(int threads)
{
    int started = 0;
#pragma omp parallel num_threads(threads) reduction(+ : started)
    started++;
    (void)started;
    pool_start();
}

static enum status run_rung(struct session *session, struct error *error)
{
    const struct recording_request *request = session->request;
    start_threads(request->threads);
    if (!recorder_begin(request, session->recording, session->places))
        return fail(error, STATUS_UNAVAILABLE, "no memory for the trace");
    if (!code_copy_enter(request->copy))
        return fail(error, STATUS_UNAVAILABLE, "the system does not let a copy of the rung's code be executed");
    enum status status = STATUS_OK;
    if (leaves_something(session)) {
        session->recording->was_warm = true;
        status = prepared_run_enqueue(&session->prepared, error);
        recorder_count_from_here();
        restore(session);
    }
    if (status == STATUS_OK)
        status = prepared_run_enqueue(&session->prepared, error);
    if (status == STATUS_OK)
        recorder_end();
    return status;
}

static enum status run(struct session *session, struct error *error)
{
    char reason[256];
    const struct recording_request *request = session->request;
    threads_set(request->threads);
    enum status status = device_open("cpu", &session->device, error);
    if (status != STATUS_OK)
        return status;
    const char *refused =
        rung_refuses(request->rung, request->problem, session->device, request->parameters, reason, sizeof reason);
    if (refused)
        return fail(error, STATUS_UNAVAILABLE, "%s", refused);
    status = make_arrays(session, error);
    if (status == STATUS_OK)
        status = prepare(session, error);
    if (status == STATUS_OK)
        status = run_rung(session, error);
    if (status == STATUS_OK)
        name_outside(request->copy, session->recording);
    return status;
}

static void *run_in_thread(void *context)
{
    struct session *session = context;
    session->recording->status = run(session, &session->recording->error);
    return NULL;
}

/* OpenMP's threads do not survive the fork, and the thread that created them would wait for them. A new thread starts
 * its own team. */
void recorded_run(const struct recording_request *request, struct recording *recording)
{
    static struct session session;
    pthread_t thread;
    session = (struct session){.request = request, .recording = recording};
    if (pthread_create(&thread, NULL, run_in_thread, &session) == 0)
        pthread_join(thread, NULL);
}
