/* Events: timestamps that the device writes when all before them is done. */
#include <stdlib.h>

#include "backends/opengl/opengl.h"

struct opengl_event {
    struct event base;
    GLuint query;
    bool is_recorded;
};

enum status opengl_event_create(struct device *device, struct event **event, struct error *error)
{
    enum status status = opengl_enter(device, error);
    if (status != STATUS_OK)
        return status;
    struct opengl_event *made = calloc(1, sizeof *made);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for an event", device->id);
    made->base.device = device;
    gl.GenQueries(1, &made->query);
    *event = &made->base;
    return STATUS_OK;
}

void opengl_event_destroy(struct event *event)
{
    struct opengl_event *opengl = (struct opengl_event *)event;
    if (opengl_enter(event->device, NULL) == STATUS_OK)
        gl.DeleteQueries(1, &opengl->query);
    free(opengl);
}

enum status opengl_event_record(struct event *event, struct error *error)
{
    struct opengl_event *opengl = (struct opengl_event *)event;
    enum status status = opengl_enter(event->device, error);
    if (status != STATUS_OK)
        return status;
    gl.QueryCounter(opengl->query, GL_TIMESTAMP);
    status = opengl_check(event->device, "recording an event", error);
    opengl->is_recorded = status == STATUS_OK;
    return status;
}

enum status opengl_event_elapsed(struct event *from, struct event *to, double *nanoseconds, struct error *error)
{
    const struct opengl_event *first = (struct opengl_event *)from, *last = (struct opengl_event *)to;
    uint64_t begin = 0, end = 0;
    if (!first->is_recorded || !last->is_recorded)
        return fail(error, STATUS_INVALID, "%s: an event that was never recorded has no time", from->device->id);
    enum status status = opengl_enter(from->device, error);
    if (status != STATUS_OK)
        return status;
    gl.GetQueryObjectui64v(first->query, GL_QUERY_RESULT, &begin);
    gl.GetQueryObjectui64v(last->query, GL_QUERY_RESULT, &end);
    *nanoseconds = (double)(int64_t)(end - begin);
    return opengl_check(from->device, "reading an event", error);
}
