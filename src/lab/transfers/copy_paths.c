/* The copy paths. Pageable copies are blocking calls, timed by the host's clock as a user sees them. Pinned copies are
 * enqueued one after another and timed by the device's events.
 *
 * Copies in both directions are timed while both directions are busy. That time ends when one direction finishes; the
 * other direction counts the copies it had done by then. */
#include <string.h>

#include "base/clock.h"
#include "base/size.h"
#include "lab/transfers/copy_buffers.h"

#define POISON 0xA5

enum side { SENT, RECEIVED };

static void *host_side(const struct copy_buffers *buffers, const struct copy_path *way, enum side side)
{
    return strcmp(way->memory, "pinned") == 0 ? buffers->pinned[side].data : buffers->plain[side];
}

static struct transfer transfer_of(const struct copy_buffers *buffers, const struct copy_path *way, enum side side)
{
    return (struct transfer){.host = host_side(buffers, way, side), .width = buffers->bytes, .rows = 1};
}

/* ---- one direction -------------------------------------------------------------------------------------------- */

static enum status send_blocking(struct copy_buffers *buffers, const struct copy_path *way, struct error *error)
{
    return buffer_write(&buffers->there[SENT], 0, host_side(buffers, way, SENT), buffers->bytes, error);
}

static enum status fetch_blocking(struct copy_buffers *buffers, const struct copy_path *way, struct error *error)
{
    return buffer_read(&buffers->there[RECEIVED], 0, host_side(buffers, way, RECEIVED), buffers->bytes, error);
}

static enum status send_by_ring(struct copy_buffers *buffers, const struct copy_path *way, struct error *error)
{
    (void)way;
    return staging_write(buffers->staging, &buffers->there[SENT], 0, buffers->plain[SENT], buffers->bytes, error);
}

static enum status fetch_by_ring(struct copy_buffers *buffers, const struct copy_path *way, struct error *error)
{
    (void)way;
    return staging_read(buffers->staging, &buffers->there[RECEIVED], 0, buffers->plain[RECEIVED], buffers->bytes,
                        error);
}

typedef enum status move_function(struct copy_buffers *buffers, const struct copy_path *way, struct error *error);

static enum status on_the_host_clock(move_function *move, struct copy_buffers *buffers, const struct copy_path *way,
                                     unsigned batch, double *nanoseconds, struct error *error)
{
    enum status status = device_synchronize(buffers->device, error);
    int64_t start = clock_now();
    for (unsigned i = 0; status == STATUS_OK && i < batch; i++)
        status = move(buffers, way, error);
    *nanoseconds = (double)(clock_now() - start) / batch;
    return status;
}

#define BLOCKING(name, move)                                                                           \
    static enum status name(struct copy_buffers *buffers, const struct copy_path *way, unsigned batch, \
                            double *nanoseconds, struct error *error)                                  \
    {                                                                                                  \
        return on_the_host_clock(move, buffers, way, batch, nanoseconds, error);                       \
    }
BLOCKING(sample_send, send_blocking)
BLOCKING(sample_fetch, fetch_blocking)
BLOCKING(sample_ring_send, send_by_ring)
BLOCKING(sample_ring_fetch, fetch_by_ring)

static enum status enqueue(struct copy_buffers *buffers, const struct copy_path *way, enum side side,
                           struct error *error)
{
    struct transfer transfer = transfer_of(buffers, way, side);
    return side == SENT ? buffer_send(&buffers->there[SENT], &transfer, error)
                        : buffer_receive(&buffers->there[RECEIVED], &transfer, error);
}

static enum status sample_queue(struct copy_buffers *buffers, const struct copy_path *way, unsigned batch,
                                double *nanoseconds, struct error *error)
{
    enum side side = strcmp(way->what, "to-device") == 0 ? SENT : RECEIVED;
    struct event *from = buffers->marks[0][0], *to = buffers->marks[0][1];
    enum status status = event_record(from, error);
    for (unsigned i = 0; status == STATUS_OK && i < batch; i++)
        status = enqueue(buffers, way, side, error);
    if (status == STATUS_OK)
        status = event_record(to, error);
    if (status == STATUS_OK)
        status = event_elapsed(from, to, nanoseconds, error);
    *nanoseconds /= batch;
    return status;
}

static enum status sample_copy(struct copy_buffers *buffers, const struct copy_path *way, unsigned batch,
                               double *nanoseconds, struct error *error)
{
    (void)way;
    struct event *from = buffers->marks[0][0], *to = buffers->marks[0][1];
    enum status status = event_record(from, error);
    for (unsigned i = 0; status == STATUS_OK && i < batch; i++)
        status = buffer_copy(&buffers->there[SENT], 0, &buffers->there[RECEIVED], 0, buffers->bytes, error);
    if (status == STATUS_OK)
        status = event_record(to, error);
    if (status == STATUS_OK)
        status = event_elapsed(from, to, nanoseconds, error);
    *nanoseconds /= batch;
    return status;
}

/* ---- both at once --------------------------------------------------------------------------------------------- */

/* Enqueues copies in both queues alternately, each followed by an event. Both directions begin after the same event. */
static enum status enqueue_both(struct copy_buffers *buffers, const struct copy_path *way, unsigned batch,
                                struct error *error)
{
    enum status status = queue_select(buffers->device, buffers->queues[SENT], error);
    if (status == STATUS_OK)
        status = event_record(buffers->marks[SENT][0], error);
    for (unsigned i = 0; status == STATUS_OK && i < batch; i++)
        for (int side = 0; status == STATUS_OK && side < 2; side++) {
            status = queue_select(buffers->device, buffers->queues[side], error);
            if (status == STATUS_OK && side == RECEIVED && i == 0)
                status = queue_wait(buffers->marks[SENT][0], error);
            if (status == STATUS_OK)
                status = enqueue(buffers, way, side, error);
            if (status == STATUS_OK)
                status = event_record(buffers->marks[side][i + 1], error);
        }
    return status;
}

static enum status finish_both(struct copy_buffers *buffers, struct error *error)
{
    enum status status = STATUS_OK;
    for (int side = 0; side < 2; side++) {
        enum status selected = queue_select(buffers->device, buffers->queues[side], error);
        if (selected == STATUS_OK)
            selected = device_synchronize(buffers->device, error);
        status = status == STATUS_OK ? selected : status;
    }
    queue_select(buffers->device, NULL, NULL);
    return status;
}

/* Number of copies of one direction done at `time` after the start, fractions included. */
static double done_by(const double *ends, unsigned batch, double time)
{
    double before = 0;
    for (unsigned i = 0; i < batch; before = ends[i], i++)
        if (ends[i] > time)
            return i + (time > before ? (time - before) / (ends[i] - before) : 0);
    return batch;
}

static enum status sample_both(struct copy_buffers *buffers, const struct copy_path *way, unsigned batch,
                               double *nanoseconds, struct error *error)
{
    double ends[2][CARRIER_BATCH_MAX];
    if (batch < 1 || batch > CARRIER_BATCH_MAX)
        return fail(error, STATUS_INVALID, "%u copies each way: from 1 to %d are timed at once", batch,
                    CARRIER_BATCH_MAX);
    enum status status = enqueue_both(buffers, way, batch, error);
    enum status finished = finish_both(buffers, status == STATUS_OK ? error : NULL);
    status = status == STATUS_OK ? finished : status;
    for (int side = 0; side < 2; side++)
        for (unsigned i = 0; status == STATUS_OK && i < batch; i++)
            status = event_elapsed(buffers->marks[SENT][0], buffers->marks[side][i + 1], &ends[side][i], error);
    if (status != STATUS_OK)
        return status;
    double window = ends[0][batch - 1] < ends[1][batch - 1] ? ends[0][batch - 1] : ends[1][batch - 1];
    double copies = done_by(ends[0], batch, window) + done_by(ends[1], batch, window);
    *nanoseconds = 2 * window / copies; /* of one copy each way */
    return STATUS_OK;
}

/* ---- spoiling and verifying ----------------------------------------------------------------------------------- */

static bool sends(const struct copy_path *way)
{
    return strcmp(way->what, "from-device") != 0;
}

static bool receives(const struct copy_path *way)
{
    return strcmp(way->what, "from-device") == 0 || strcmp(way->what, "both") == 0;
}

/* Fills with all threads: arrays may have gigabytes. */
static void fill(unsigned char *data, size_t bytes)
{
    const size_t piece = (size_t)1 << 20;
#pragma omp parallel for schedule(static)
    for (size_t at = 0; at < bytes; at += piece)
        memset(data + at, POISON, bytes - at < piece ? bytes - at : piece);
}

static enum status spoil(struct copy_buffers *buffers, const struct copy_path *way, struct error *error)
{
    enum status status = STATUS_OK;
    if (receives(way))
        fill(host_side(buffers, way, RECEIVED), buffers->bytes);
    if (sends(way)) /* a copy within the device has the same target */
        status = buffer_fill(&buffers->there[SENT], 0, POISON, buffers->bytes, error);
    return status == STATUS_OK ? device_synchronize(buffers->device, error) : status;
}

/* Offset of the first difference of two arrays; `bytes` if they are equal. The search is cut into pieces, which the
 * threads share. */
static size_t first_difference(const unsigned char *a, const unsigned char *b, size_t bytes)
{
    const size_t piece = (size_t)1 << 20;
    size_t first = bytes;
#pragma omp parallel for schedule(static) reduction(min : first)
    for (size_t at = 0; at < bytes; at += piece) {
        size_t end = bytes - at < piece ? bytes : at + piece;
        if (memcmp(a + at, b + at, end - at) == 0)
            continue;
        size_t i = at;
        while (a[i] == b[i])
            i++;
        first = i < first ? i : first;
    }
    return first;
}

static enum status compare(const struct copy_buffers *buffers, const unsigned char *actual, const char *side,
                           struct error *error)
{
    size_t at = first_difference(actual, buffers->plain[SENT], buffers->bytes);
    if (at == buffers->bytes)
        return STATUS_OK;
    return fail(error, STATUS_FAILED, "byte %zu of %zu did not arrive on the %s", at, buffers->bytes, side);
}

static enum status verify(struct copy_buffers *buffers, const struct copy_path *way, struct error *error)
{
    enum status status = STATUS_OK;
    if (receives(way))
        status = compare(buffers, host_side(buffers, way, RECEIVED), "host", error);
    if (status == STATUS_OK && sends(way))
        status = buffer_read(&buffers->there[SENT], 0, buffers->plain[RECEIVED], buffers->bytes, error);
    return status == STATUS_OK && sends(way) ? compare(buffers, buffers->plain[RECEIVED], "device", error) : status;
}

#define ONE_CALL "one blocking copy after another, by the host's clock"
#define RING "through a ring of pinned pieces that threads of the host fill (empty), by the host's clock"
#define QUEUED "copies enqueued one behind another, by the device's clock"
#define BUSY "one queue each way, timed while both are busy"
#define OWN "the device's own copy; bytes read and bytes written are counted"
#define READ "every item reads 16 bytes at a time; bytes read are counted"

#define BY_COPYING spoil, verify

const struct copy_path ways[] = {
    {"to-device", "pageable", "driver", ONE_CALL, false, false, 1, sample_send, BY_COPYING},
    {"to-device", "pageable", "ring", RING, true, false, 1, sample_ring_send, BY_COPYING},
    {"to-device", "pinned", "queue", QUEUED, true, false, 1, sample_queue, BY_COPYING},
    {"to-device", "pinned", "call", ONE_CALL, true, true, 1, sample_send, BY_COPYING},
    {"from-device", "pageable", "driver", ONE_CALL, false, false, 1, sample_fetch, BY_COPYING},
    {"from-device", "pageable", "ring", RING, true, false, 1, sample_ring_fetch, BY_COPYING},
    {"from-device", "pinned", "queue", QUEUED, true, false, 1, sample_queue, BY_COPYING},
    {"from-device", "pinned", "call", ONE_CALL, true, true, 1, sample_fetch, BY_COPYING},
    {"both", "pageable", "driver", "one queue each way, fed by one thread", true, false, 2, sample_both, BY_COPYING},
    {"both", "pinned", "queue", BUSY, true, false, 2, sample_both, BY_COPYING},
    {"copy", NULL, "copy", OWN, false, false, 2, sample_copy, BY_COPYING},
    {"read", NULL, "read", READ, false, false, 1, copy_buffers_read, copy_buffers_read_spoil, copy_buffers_read_verify},
};
const size_t way_count = COUNT_OF(ways);
