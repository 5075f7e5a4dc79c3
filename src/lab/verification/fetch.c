#include "lab/verification/fetch.h"

#include <math.h>
#include <omp.h>
#include <string.h>

#include "base/clock.h"
#include "base/size.h"
#include "base/statistics.h"
#include "lab/bench/thread_clocks.h"

#define LINE ((size_t)64)
#define ALONE \
    ((size_t)512 << 10)        /* bytes that the calling thread fetches: on a busy machine a team waits for its last */
#define SINK ((size_t)4 << 20) /* bytes that a device copies at once: they fit in its cache beside the inputs */

struct fetch {
    double elapsed, used;
};

/* A byte of each line. A written one keeps its content. */
static void touch(const struct buffer *buffer, bool is_written)
{
    volatile unsigned char *bytes = buffer->host;
    const size_t lines = bytes ? (buffer->bytes + LINE - 1) / LINE : 0;
#pragma omp parallel if (buffer->bytes > ALONE)
    {
        const size_t count = (size_t)omp_get_num_threads(), part = count - 1 - (size_t)omp_get_thread_num();
        for (size_t line = lines * part / count; line < lines * (part + 1) / count; line++)
            if (is_written)
                bytes[line * LINE] = bytes[line * LINE];
            else
                (void)bytes[line * LINE];
    }
}

/* Of an array that the calling thread will fetch alone, its part of a team's is written by another thread, with the
 * content that it has: so it is as far away as a part of a rung's may be. */
static void hand_over(const struct buffer *buffer)
{
    volatile unsigned char *bytes = buffer->host;
    const size_t lines = bytes && buffer->bytes <= ALONE ? (buffer->bytes + LINE - 1) / LINE : 0;
#pragma omp parallel if (lines > 0)
    {
        const size_t count = (size_t)omp_get_num_threads();
        if (count > 1 && (size_t)omp_get_thread_num() == count - 1)
            for (size_t line = lines * (count - 1) / count; line < lines; line++)
                bytes[line * LINE] = bytes[line * LINE];
    }
}

static void hand_all_over(const struct workspace *workspace)
{
    for (int i = 0; i < workspace->data->array_count; i++)
        hand_over(&workspace->payloads[i]);
    hand_over(&workspace->scratch.payload);
}

static enum status fetch_on_host(struct workspace *workspace, bool is_new, struct fetch *fetch)
{
    static unsigned char line[LINE];
    const struct buffer none = {.host = line, .bytes = sizeof line};
    if (is_new)
        hand_all_over(workspace);
    for (int i = 0; i < 4; i++) /* untimed: it wakes the threads */
        touch(&none, true);
    (void)thread_clocks_processor();
    const int64_t start = clock_now(), used = thread_clocks_processor();
    for (int i = 0; i < workspace->data->array_count; i++)
        touch(&workspace->payloads[i], workspace->data->arrays[i].direction != ARRAY_IN);
    touch(&workspace->scratch.payload, true);
    *fetch = (struct fetch){(double)(clock_now() - start), (double)(thread_clocks_processor() - used)};
    return STATUS_OK;
}

static enum status copy_in_parts(const struct buffer *sink, const struct buffer *from, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t at = 0; status == STATUS_OK && at < from->bytes; at += sink->bytes)
        status = buffer_copy(sink, 0, from, at, from->bytes - at < sink->bytes ? from->bytes - at : sink->bytes, error);
    return status;
}

static enum status fetch_on_device(struct workspace *workspace, const struct buffer *sink, struct event *from,
                                   struct event *to, struct fetch *fetch, struct error *error)
{
    const int64_t used = thread_clocks_processor();
    enum status status = event_record(from, error);
    for (int i = 0; status == STATUS_OK && i < workspace->data->array_count; i++) {
        const struct buffer *array = &workspace->payloads[i];
        status = workspace->data->arrays[i].direction != ARRAY_OUT ? copy_in_parts(sink, array, error)
                                                                   : buffer_fill(array, 0, 0, array->bytes, error);
    }
    if (status == STATUS_OK && workspace->scratch.payload.bytes)
        status = buffer_fill(&workspace->scratch.payload, 0, 0, workspace->scratch.payload.bytes, error);
    if (status == STATUS_OK)
        status = event_record(to, error);
    if (status == STATUS_OK)
        status = event_elapsed(from, to, &fetch->elapsed, error);
    fetch->used = (double)(thread_clocks_processor() - used);
    return status;
}

static void add(struct fetch_times *times, const struct fetch pair[2])
{
    if (times->count == FETCHES_MOST) {
        double *const all[] = {times->elapsed_new, times->elapsed_left, times->used};
        times->count--;
        for (size_t i = 0; i < COUNT_OF(all); i++)
            memmove(all[i], all[i] + 1, times->count * sizeof all[i][0]);
    }
    times->elapsed_new[times->count] = pair[0].elapsed;
    times->elapsed_left[times->count] = pair[1].elapsed;
    times->used[times->count++] = fmax(0, pair[0].used - pair[1].used);
}

enum status fetch_measure(struct workspace *workspace, struct event *from, struct event *to, struct fetch_times *times,
                          struct error *error)
{
    const bool on_host = workspace->device->backend->kind == BACKEND_CPU;
    struct buffer sink = {.bytes = 0};
    struct fetch pair[2];
    enum status status = on_host ? STATUS_OK : buffer_allocate(workspace->device, SINK, &sink, error);
    for (size_t i = 0; status == STATUS_OK && i < 2; i++)
        status = on_host ? fetch_on_host(workspace, i == 0, &pair[i])
                         : fetch_on_device(workspace, &sink, from, to, &pair[i], error);
    buffer_release(&sink);
    if (status == STATUS_OK)
        add(times, pair);
    return status;
}

double fetch_elapsed(const struct fetch_times *times)
{
    double with_new = INFINITY, left = INFINITY;
    for (size_t i = 0; i < times->count; i++) {
        with_new = fmin(with_new, times->elapsed_new[i]);
        left = fmin(left, times->elapsed_left[i]);
    }
    return with_new > left ? with_new - left : 0;
}

double fetch_used(const struct fetch_times *times)
{
    double sorted[FETCHES_MOST];
    memcpy(sorted, times->used, times->count * sizeof sorted[0]);
    return times->count ? statistics_median(sorted, times->count) : 0;
}
