#include "backends/peer.h"

#include <string.h>

#include "backends/driver_call.h"
#include "base/size.h"

/* Devices whose memory is the host's reach each other's anyway. */
static bool share_host_memory(const struct device *a, const struct device *b)
{
    return a->backend == b->backend && a->properties.is_cpu && b->properties.is_cpu;
}

enum status peer_enable(struct device *device, struct device *peer, struct error *error)
{
    if (device == peer || share_host_memory(device, peer))
        return STATUS_OK;
    if (device->backend != peer->backend || !device->backend->peer_enable)
        return fail(error, STATUS_UNAVAILABLE, "%s cannot reach the memory of %s: only CUDA devices share addresses",
                    device->id, peer->id);
    return device->backend->peer_enable(device, peer, error);
}

static enum status check_side(const struct buffer *buffer, size_t offset, size_t pitch, const struct peer_copy *copy,
                              const char *side, struct error *error)
{
    size_t end = offset;
    bool fits = copy->rows == 1 || pitch >= copy->width;
    size_t last;
    fits = fits && size_multiply(pitch, copy->rows > 1 ? copy->rows - 1 : 0, &last) && size_add(end, last, &end) &&
           size_add(end, copy->width, &end) && end <= buffer->bytes;
    return fits ? STATUS_OK
                : fail(error, STATUS_INVALID,
                       "copy between devices: %zu rows of %zu bytes, %zu apart, from byte %zu on do not fit the %s of "
                       "%zu bytes",
                       copy->rows, copy->width, pitch, offset, side, buffer->bytes);
}

enum status peer_copy(struct device *by, const struct peer_copy *copy, struct error *error)
{
    if (copy->width == 0 || copy->rows == 0)
        return STATUS_OK;
    enum status status = check_side(copy->source, copy->source_offset, copy->source_pitch, copy, "source", error);
    if (status == STATUS_OK)
        status = check_side(copy->target, copy->target_offset, copy->target_pitch, copy, "target", error);
    if (status != STATUS_OK)
        return status;
    if (!by->backend->peer_copy || copy->source->device->backend != by->backend ||
        copy->target->device->backend != by->backend)
        return fail(error, STATUS_UNAVAILABLE, "%s: no copy engine carries bytes from %s to %s", by->id,
                    copy->source->device->id, copy->target->device->id);
    struct peer_copy joined = *copy;
    if (copy->rows > 1 && copy->source_pitch == copy->width && copy->target_pitch == copy->width) {
        joined.width *= copy->rows;
        joined.rows = 1;
    }
    const struct driver_call call = driver_call_begin_unnamed(by);
    return driver_call_done(call, by->backend->peer_copy(by, &joined, error));
}

enum status peer_wait(struct device *device, struct event *mark, struct error *error)
{
    double no_time;
    const struct driver_call call = driver_call_begin_unnamed(mark->device);
    enum status status = device->backend == mark->device->backend && device->backend->peer_wait
                             ? device->backend->peer_wait(device, mark, error)
                             : mark->device->backend->event_elapsed(mark, mark, &no_time, error);
    return driver_call_done(call, status);
}

bool peer_link_find(const struct device *device, const struct device *peer, struct peer_link *link)
{
    memset(link, 0, sizeof *link);
    return device->backend == peer->backend && device->backend->peer_link &&
           device->backend->peer_link(device, peer, link);
}
