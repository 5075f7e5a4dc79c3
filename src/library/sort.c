/* uskor_sort: the caller's own numbers, in order. */
#include <stdint.h>
#include <stdio.h>

#include "base/element.h"
#include "base/size.h"
#include "library/context.h"

static enum element_type element_of(enum uskor_number type)
{
    static const enum element_type elements[] = {
        [USKOR_FLOAT32] = ELEMENT_F32, [USKOR_FLOAT64] = ELEMENT_F64, [USKOR_INT32] = ELEMENT_I32,
        [USKOR_INT64] = ELEMENT_I64,   [USKOR_UINT32] = ELEMENT_U32,  [USKOR_UINT64] = ELEMENT_U64,
    };
    return (unsigned)type < COUNT_OF(elements) ? elements[type] : ELEMENT_TYPE_COUNT;
}

/* All that can be wrong with the arguments. */
static enum status check(const void *data, size_t count, enum element_type element, struct error *error)
{
    size_t bytes;
    if (element == ELEMENT_TYPE_COUNT)
        return fail(error, STATUS_INVALID, "sort: no such type of numbers");
    size_t element_bytes = element_info(element)->bytes;
    if (!size_multiply(count, element_bytes, &bytes) || bytes > PTRDIFF_MAX)
        return fail(error, STATUS_INVALID, "sort: %zu numbers of %zu bytes fit in no memory", count, element_bytes);
    if (count > 0 && !data)
        return fail(error, STATUS_INVALID, "sort: the array is NULL");
    if ((uintptr_t)data % element_bytes != 0)
        return fail(error, STATUS_INVALID, "sort: the array is not at a multiple of its elements' %zu bytes",
                    element_bytes);
    return STATUS_OK;
}

enum uskor_status uskor_sort(struct uskor *context, void *data, size_t count, enum uskor_number type)
{
    struct error *error = &context->error;
    enum element_type element = element_of(type);
    error->text[0] = '\0';
    enum status status = check(data, count, element, error);
    if (status != STATUS_OK || count == 0)
        return context_status(status);
    char text[PROBLEM_TEXT_MAX];
    snprintf(text, sizeof text, "sort:n=%zu,%s", count, element_info(element)->name);
    status = job_do(&context->job, context->device, text, (void *const[]){data}, error);
    return context_status(status);
}
