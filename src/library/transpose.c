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
    const size_t bytes = (size_t)key->values[0].size * (size_t)key->values[1].size * element_bytes;
    if (bytes == 0)
        return STATUS_OK;
    if (!arrays->target || !arrays->first)
        return fail(error, STATUS_INVALID, "transpose: the %s is NULL", arrays->target ? "source" : "target");
    if (overlaps(arrays->target, bytes, arrays->first, bytes))
        return fail(error, STATUS_INVALID, "transpose: source and target overlap");
    return STATUS_OK;
}

static const struct operation operation = {"transpose", 2, 2, {PLAN_FIRST, PLAN_TARGET}, check_arrays, NULL};

struct arguments {
    size_t rows, columns, element_bytes;
};

/* All that can be wrong with the sizes. */
static enum status make_key(const void *arguments, struct plan_key *key, struct error *error)
{
    const struct arguments *a = arguments;
    const enum element_type type = element_by_size(a->element_bytes);
    size_t bytes;
    if (type == ELEMENT_TYPE_COUNT)
        return fail(error, STATUS_INVALID, "transpose: elements of %zu bytes; 1, 2, 4, 8 and 16 are possible",
                    a->element_bytes);
    if (!size_multiply(a->rows, a->columns, &bytes) || !size_multiply(bytes, a->element_bytes, &bytes) ||
        bytes > PTRDIFF_MAX)
        return fail(error, STATUS_INVALID, "transpose: %zu rows of %zu elements of %zu bytes fit in no memory", a->rows,
                    a->columns, a->element_bytes);
    /* Of an empty matrix the other side may be larger than any array's. */
    const union field_value values[] = {{bytes ? (int64_t)a->rows : 0}, {bytes ? (int64_t)a->columns : 0}};
    *key = plan_key(&operation, type, bytes == 0, values);
    return STATUS_OK;
}

enum uskor_status uskor_transpose(struct uskor *context, void *target, const void *source, size_t rows, size_t columns,
                                  size_t element_bytes)
{
    const struct arguments arguments = {rows, columns, element_bytes};
    return call_run(context, make_key, &arguments, (struct plan_arrays){.target = target, .first = source});
}

enum uskor_status uskor_plan_transpose(struct uskor *context, struct uskor_plan **plan, size_t rows, size_t columns,
                                       size_t element_bytes)
{
    const struct arguments arguments = {rows, columns, element_bytes};
    return call_plan(context, plan, make_key, &arguments);
}
