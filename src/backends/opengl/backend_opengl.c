/* OpenGL's devices: opening, closing, waiting, and the backend's table.
 *
 * OpenGL has one queue, and moves host memory by itself: there is nothing to pin, to share or to select. */
#include <stdio.h>
#include <stdlib.h>

#include "backends/all.h"
#include "backends/opengl/opengl.h"
#include "base/size.h"

/* ---- errors ---- */

static const struct {
    GLenum code;
    enum status status;
    const char *name;
} codes[] = {
    {GL_INVALID_ENUM, STATUS_INVALID, "GL_INVALID_ENUM"},
    {GL_INVALID_VALUE, STATUS_INVALID, "GL_INVALID_VALUE"},
    {GL_INVALID_OPERATION, STATUS_INVALID, "GL_INVALID_OPERATION"},
    {GL_OUT_OF_MEMORY, STATUS_UNAVAILABLE, "GL_OUT_OF_MEMORY"},
    {GL_CONTEXT_LOST, STATUS_FAILED, "GL_CONTEXT_LOST"},
};

enum status opengl_check(const struct device *device, const char *doing, struct error *error)
{
    const GLenum code = gl.GetError();
    if (code == GL_NO_ERROR)
        return STATUS_OK;
    /* Reads all pending errors: each kind is kept until it is read. A lost context reports its loss forever, so the
     * loop is bounded. */
    for (int i = 0; i < 8 && gl.GetError() != GL_NO_ERROR; i++) {
    }
    for (size_t i = 0; i < COUNT_OF(codes); i++)
        if (codes[i].code == code)
            return fail(error, codes[i].status, "%s: %s: %s", device->id, doing, codes[i].name);
    return fail(error, STATUS_SYSTEM, "%s: %s: OpenGL's error 0x%x", device->id, doing, code);
}

/* ---- devices ---- */

enum status opengl_enter(struct device *device, struct error *error)
{
    const struct opengl_context *context = &((struct opengl_device *)device)->context;
    if (egl.GetCurrentContext() == context->context)
        return STATUS_OK;
    egl.BindAPI(EGL_OPENGL_API); /* each thread has its own */
    if (egl.MakeCurrent(context->display, NULL, NULL, context->context))
        return STATUS_OK;
    return fail(error, STATUS_UNAVAILABLE,
                "%s: OpenGL refuses its context to this thread (EGL error 0x%x): a device is used by the thread that "
                "opened it",
                device->id, (unsigned)egl.GetError());
}

static enum status opengl_probe(int *count, struct error *error)
{
    const struct opengl_place *places;
    return opengl_find_places(&places, count, error);
}

static void opengl_close(struct device *device)
{
    struct opengl_device *opengl = (struct opengl_device *)device;
    opengl_context_destroy(&opengl->context);
    free(opengl);
}

static enum status set_up(struct opengl_device *opengl, const struct opengl_place *place, struct error *error)
{
    struct device *device = &opengl->base;
    enum status status = opengl_context_create(place, &opengl->context, error);
    if (status != STATUS_OK)
        return fail_in(error, status, "%s", device->id);
    opengl_describe(opengl);
    return opengl_flushes_subnormals(device, &device->properties.flushes_subnormals, error);
}

static enum status opengl_open(int index, struct device **device, struct error *error)
{
    const struct opengl_place *places;
    int count;
    enum status status = opengl_find_places(&places, &count, error);
    if (status != STATUS_OK)
        return status;
    struct opengl_device *made = index < count ? calloc(1, sizeof *made) : NULL;
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "opengl:%d: the device went away, or memory is out", index);
    made->base.backend = &backend_opengl;
    made->base.index = index;
    snprintf(made->base.id, sizeof made->base.id, "opengl:%d", index);
    status = set_up(made, &places[index], error);
    if (status != STATUS_OK)
        opengl_close(&made->base);
    else
        *device = &made->base;
    return status;
}

static enum status opengl_synchronize(struct device *device, struct error *error)
{
    enum status status = opengl_enter(device, error);
    if (status != STATUS_OK)
        return status;
    gl.Finish();
    return opengl_check(device, "waiting for the device", error);
}

const struct backend backend_opengl = {
    .name = "opengl",
    .kind = BACKEND_OPENGL,
    .probe = opengl_probe,
    .open = opengl_open,
    .close = opengl_close,
    .allocate = opengl_allocate,
    .view = opengl_view,
    .release = opengl_release,
    .write = opengl_write,
    .read = opengl_read,
    .copy = opengl_copy,
    .fill = opengl_fill,
    .build = opengl_build,
    .discard = opengl_discard,
    .launch = opengl_launch,
    .event_create = opengl_event_create,
    .event_destroy = opengl_event_destroy,
    .event_record = opengl_event_record,
    .event_elapsed = opengl_event_elapsed,
    .synchronize = opengl_synchronize,
};
