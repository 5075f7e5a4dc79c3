/* uskor_transpose: the transpose of the caller's own matrix. */
#include <stdint.h>
#include <stdio.h>

#include "base/element.h"
#include "base/size.h"
#include "library/context.h"

/* All that can be wrong with the arguments; *bytes is the size of either array. */
static enum status check(const void *target, const void *source, size_t rows, size_t columns, size_t element_bytes,
                         size_t *bytes, struct error *error)
{
    if (element_by_size(element_bytes) == ELEMENT_TYPE_COUNT)
        return fail(error, STATUS_INVALID, "transpose: elements of %zu bytes; 1, 2, 4, 8 and 16 are possible",
                    element_bytes);
    if (!size_multiply(rows, columns, bytes) || !size_multiply(*bytes, element_bytes, bytes) || *bytes > PTRDIFF_MAX)
        return fail(error, STATUS_INVALID, "transpose: %zu rows of %zu elements of %zu bytes fit in no memory", rows,
                    columns, element_bytes);
    if (*bytes == 0)
        return STATUS_OK;
    if (!target || !source)
        return fail(error, STATUS_INVALID, "transpose: the %s is NULL", target ? "source" : "target");
    uintptr_t from = (uintptr_t)source, to = (uintptr_t)target;
    if (from < to ? to - from < *bytes : from - to < *bytes)
        return fail(error, STATUS_INVALID, "transpose: source and target overlap");
    return STATUS_OK;
}

enum uskor_status uskor_transpose(struct uskor *context, void *target, const void *source, size_t rows, size_t columns,
                                  size_t element_bytes)
{
    struct error *error = &context->error;
    size_t bytes = 0;
    error->text[0] = '\0';
    enum status status = check(target, source, rows, columns, element_bytes, &bytes, error);
    if (status != STATUS_OK || bytes == 0)
        return context_status(status);
    char text[PROBLEM_TEXT_MAX];
    snprintf(text, sizeof text, "transpose:rows=%zu,cols=%zu,%s", rows, columns,
             element_info(element_by_size(element_bytes))->name);
    status = job_do(&context->job, context->device, text, (void *const[]){(void *)(uintptr_t)source, target}, error);
    return context_status(status);
}
