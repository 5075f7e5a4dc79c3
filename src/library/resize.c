/* uskor_resize: another size of the caller's own picture. */
#include <stdint.h>
#include <stdio.h>

#include "base/size.h"
#include "library/context.h"

#define PIXEL_BYTES 4
#define SIDE_MAXIMUM ((size_t)1 << 24)

static enum status check_side(size_t side, const char *name, struct error *error)
{
    if (side >= 1 && side <= SIDE_MAXIMUM)
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "resize: a %s of %zu pixels; 1 to %zu are possible", name, side, SIDE_MAXIMUM);
}

/* The size of a picture whose sides are right. */
static enum status measure(size_t width, size_t height, size_t *bytes, struct error *error)
{
    if (size_multiply(width, height, bytes) && size_multiply(*bytes, PIXEL_BYTES, bytes) && *bytes <= PTRDIFF_MAX)
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "resize: %zu x %zu pixels fit in no memory", width, height);
}

static enum status check_memory(const void *target, size_t target_bytes, const void *source, size_t source_bytes,
                                struct error *error)
{
    if (!target || !source)
        return fail(error, STATUS_INVALID, "resize: the %s is NULL", target ? "source" : "target");
    uintptr_t from = (uintptr_t)source, to = (uintptr_t)target;
    if (from < to ? to - from < source_bytes : from - to < target_bytes)
        return fail(error, STATUS_INVALID, "resize: source and target overlap");
    return STATUS_OK;
}

enum uskor_status uskor_resize(struct uskor *context, void *target, size_t target_width, size_t target_height,
                               const void *source, size_t width, size_t height)
{
    struct error *error = &context->error;
    size_t source_bytes = 0, target_bytes = 0;
    char text[PROBLEM_TEXT_MAX];
    error->text[0] = '\0';
    enum status status = check_side(width, "width", error);
    if (status == STATUS_OK)
        status = check_side(height, "height", error);
    if (status == STATUS_OK)
        status = check_side(target_width, "target's width", error);
    if (status == STATUS_OK)
        status = check_side(target_height, "target's height", error);
    if (status == STATUS_OK)
        status = measure(width, height, &source_bytes, error);
    if (status == STATUS_OK)
        status = measure(target_width, target_height, &target_bytes, error);
    if (status == STATUS_OK)
        status = check_memory(target, target_bytes, source, source_bytes, error);
    if (status != STATUS_OK)
        return context_status(status);
    snprintf(text, sizeof text, "resize:width=%zu,height=%zu,out_width=%zu,out_height=%zu,u8", width, height,
             target_width, target_height);
    status = job_do(&context->job, context->device, text, (void *const[]){(void *)(uintptr_t)source, target}, error);
    return context_status(status);
}
