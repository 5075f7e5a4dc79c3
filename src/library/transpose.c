/* uskor_transpose: the transpose of the caller's own matrix. */
#include <stdint.h>

#include "base/element.h"
#include "base/size.h"
#include "library/call.h"
#include "library/context.h"
#include "library/overlap.h"

static enum status check_arrays(const struct plan_key *key, const struct plan_arrays *arrays, struct error *error)
{
    const size_t element_bytes = element_info((enum element_type)key->type)->bytes;
    const size_t bytes = (size_t)key->sizes[0] * (size_t)key->sizes[1] * element_bytes;
    if (bytes == 0)
        return STATUS_OK;
    if (!arrays->target || !arrays->first)
        return fail(error, STATUS_INVALID, "transpose: the %s is NULL", arrays->target ? "source" : "target");
    if (overlaps(arrays->target, bytes, arrays->first, bytes))
        return fail(error, STATUS_INVALID, "transpose: source and target overlap");
    return STATUS_OK;
}

static const struct operation operation = {"transpose", 2, false, check_arrays};

/* All that can be wrong with the sizes. */
static enum status make_key(size_t rows, size_t columns, size_t element_bytes, struct plan_key *key,
                            struct error *error)
{
    const enum element_type type = element_by_size(element_bytes);
    size_t bytes;
    if (type == ELEMENT_TYPE_COUNT)
        return fail(error, STATUS_INVALID, "transpose: elements of %zu bytes; 1, 2, 4, 8 and 16 are possible",
                    element_bytes);
    if (!size_multiply(rows, columns, &bytes) || !size_multiply(bytes, element_bytes, &bytes) || bytes > PTRDIFF_MAX)
        return fail(error, STATUS_INVALID, "transpose: %zu rows of %zu elements of %zu bytes fit in no memory", rows,
                    columns, element_bytes);
    /* Of an empty matrix the other side may be larger than any array's. */
    *key = plan_key(&operation, type, (const int64_t[]){bytes ? (int64_t)rows : 0, bytes ? (int64_t)columns : 0});
    return STATUS_OK;
}

enum uskor_status uskor_transpose(struct uskor *context, void *target, const void *source, size_t rows, size_t columns,
                                  size_t element_bytes)
{
    const struct plan_arrays arrays = {.target = target, .first = source};
    struct plan_key key;
    enum uskor_status entered = context_enter(context);
    if (entered != USKOR_OK)
        return entered;
    enum status status = make_key(rows, columns, element_bytes, &key, &context->error);
    if (status == STATUS_OK)
        status = check_arrays(&key, &arrays, &context->error);
    if (status == STATUS_OK)
        status = plan_call(context, &key, arrays, &context->error);
    return context_leave(context, status);
}

enum uskor_status uskor_plan_transpose(struct uskor *context, struct uskor_plan **plan, size_t rows, size_t columns,
                                       size_t element_bytes)
{
    struct plan_key key;
    enum uskor_status entered = context_enter(context);
    if (entered != USKOR_OK)
        return entered;
    enum status status = plan_place(plan, &context->error);
    if (status == STATUS_OK)
        status = make_key(rows, columns, element_bytes, &key, &context->error);
    if (status == STATUS_OK)
        status = plan_make(context, &key, plan, &context->error);
    return context_leave(context, status);
}
