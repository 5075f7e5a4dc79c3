/* Queues and what is enqueued in them: what every backend would have to ask is asked here. */
#include "backends/backend.h"
#include "backends/driver_call.h"
#include "base/size.h"

enum status queue_create(struct device *device, struct queue **queue, struct error *error)
{
    *queue = NULL;
    if (!device->backend->queue_create)
        return fail(error, STATUS_UNAVAILABLE, "%s has one queue, which is the program itself: nothing overlaps there",
                    device->id);
    const struct driver_call call = driver_call_begin(device);
    return driver_call_done(call, device->backend->queue_create(device, queue, error));
}

enum status queue_create_urgent(struct device *device, struct queue **queue, struct error *error)
{
    *queue = NULL;
    return device->backend->queue_create_urgent ? device->backend->queue_create_urgent(device, queue, error)
                                                : queue_create(device, queue, error);
}

void queue_destroy(struct queue *queue)
{
    if (!queue)
        return;
    const struct driver_call call = driver_call_begin(queue->device);
    queue->device->backend->queue_destroy(queue);
    driver_call_end(call);
}

enum status queue_select(struct device *device, struct queue *queue, struct error *error)
{
    if (queue && queue->device != device)
        return fail(error, STATUS_INVALID, "%s: a queue of %s cannot be selected here", device->id, queue->device->id);
    if (!device->backend->queue_select)
        return STATUS_OK; /* its own is all there is */
    const struct driver_call call = driver_call_begin_unnamed(device);
    return driver_call_done(call, device->backend->queue_select(device, queue, error));
}

enum status queue_wait(struct event *mark, struct error *error)
{
    if (!mark->device->backend->queue_wait)
        return STATUS_OK; /* everything before is done */
    const struct driver_call call = driver_call_begin_unnamed(mark->device);
    return driver_call_done(call, mark->device->backend->queue_wait(mark, error));
}

/* Bytes from the first row's beginning to the last one's end; false when that does not fit. */
static bool extent(size_t pitch, const struct transfer *transfer, size_t *bytes)
{
    return size_multiply(pitch, transfer->rows - 1, bytes) && size_add(*bytes, transfer->width, bytes);
}

static enum status check(const struct buffer *buffer, const struct transfer *transfer, const char *what,
                         struct error *error)
{
    size_t there, here;
    if (!buffer->device)
        return fail(error, STATUS_INVALID, "%s: the buffer was never allocated", what);
    if (transfer->rows > 1 && (transfer->pitch < transfer->width || transfer->host_pitch < transfer->width))
        return fail(error, STATUS_INVALID, "%s: rows of %zu bytes overlap at a pitch of %zu (host: %zu)", what,
                    transfer->width, transfer->pitch, transfer->host_pitch);
    if (!extent(transfer->pitch, transfer, &there) || !extent(transfer->host_pitch, transfer, &here) ||
        transfer->offset > buffer->bytes || there > buffer->bytes - transfer->offset)
        return fail(error, STATUS_INVALID,
                    "%s: %zu rows of %zu bytes, %zu apart, from offset %zu do not fit a buffer of %zu bytes", what,
                    transfer->rows, transfer->width, transfer->pitch, transfer->offset, buffer->bytes);
    return STATUS_OK;
}

/* Rows that touch on both sides are one. */
static struct transfer joined(const struct transfer *transfer)
{
    struct transfer whole = *transfer;
    if (transfer->rows > 1 && transfer->pitch == transfer->width && transfer->host_pitch == transfer->width) {
        whole.width *= transfer->rows;
        whole.pitch = whole.host_pitch = whole.width;
        whole.rows = 1;
    }
    return whole;
}

enum status buffer_send(const struct buffer *buffer, const struct transfer *transfer, struct error *error)
{
    if (transfer->width == 0 || transfer->rows == 0)
        return STATUS_OK;
    enum status status = check(buffer, transfer, "sending", error);
    if (status != STATUS_OK)
        return status;
    const struct backend *backend = buffer->device->backend;
    const struct transfer whole = joined(transfer);
    const struct driver_call call = driver_call_begin_unnamed(buffer->device);
    if (backend->send)
        return driver_call_done(call, backend->send(buffer, &whole, error));
    for (size_t row = 0; status == STATUS_OK && row < whole.rows; row++)
        status = backend->write(buffer, whole.offset + row * whole.pitch,
                                (const char *)whole.host + row * whole.host_pitch, whole.width, error);
    return driver_call_done(call, status);
}

enum status buffer_receive(const struct buffer *buffer, const struct transfer *transfer, struct error *error)
{
    if (transfer->width == 0 || transfer->rows == 0)
        return STATUS_OK;
    enum status status = check(buffer, transfer, "receiving", error);
    if (status != STATUS_OK)
        return status;
    const struct backend *backend = buffer->device->backend;
    const struct transfer whole = joined(transfer);
    const struct driver_call call = driver_call_begin_unnamed(buffer->device);
    if (backend->receive)
        return driver_call_done(call, backend->receive(buffer, &whole, error));
    for (size_t row = 0; status == STATUS_OK && row < whole.rows; row++)
        status = backend->read(buffer, whole.offset + row * whole.pitch, (char *)whole.host + row * whole.host_pitch,
                               whole.width, error);
    return driver_call_done(call, status);
}
