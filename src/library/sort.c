/* uskor_sort: the caller's own numbers, in order. */
#include <stdint.h>

#include "base/element.h"
#include "base/size.h"
#include "library/call.h"
#include "library/context.h"

static enum element_type element_of(enum uskor_number type)
{
    static const enum element_type elements[] = {
        [USKOR_FLOAT32] = ELEMENT_F32, [USKOR_FLOAT64] = ELEMENT_F64, [USKOR_INT32] = ELEMENT_I32,
        [USKOR_INT64] = ELEMENT_I64,   [USKOR_UINT32] = ELEMENT_U32,  [USKOR_UINT64] = ELEMENT_U64,
    };
    return (unsigned)type < COUNT_OF(elements) ? elements[type] : ELEMENT_TYPE_COUNT;
}

static enum status check_array(const struct plan_key *key, const struct plan_arrays *arrays, struct error *error)
{
    const size_t element_bytes = element_info((enum element_type)key->type)->bytes;
    if (key->sizes[0] > 0 && !arrays->target)
        return fail(error, STATUS_INVALID, "sort: the array is NULL");
    if ((uintptr_t)arrays->target % element_bytes != 0)
        return fail(error, STATUS_INVALID, "sort: the array is not at a multiple of its elements' %zu bytes",
                    element_bytes);
    return STATUS_OK;
}

static const struct operation operation = {"sort", 1, true, check_array};

/* All that can be wrong with the sizes. */
static enum status make_key(size_t count, enum uskor_number number, struct plan_key *key, struct error *error)
{
    const enum element_type element = element_of(number);
    size_t bytes;
    if (element == ELEMENT_TYPE_COUNT)
        return fail(error, STATUS_INVALID, "sort: no such type of numbers");
    const size_t element_bytes = element_info(element)->bytes;
    if (!size_multiply(count, element_bytes, &bytes) || bytes > PTRDIFF_MAX)
        return fail(error, STATUS_INVALID, "sort: %zu numbers of %zu bytes fit in no memory", count, element_bytes);
    *key = plan_key(&operation, element, (const int64_t[]){(int64_t)count});
    return STATUS_OK;
}

enum uskor_status uskor_sort(struct uskor *context, void *data, size_t count, enum uskor_number type)
{
    const struct plan_arrays arrays = {.target = data};
    struct plan_key key;
    enum uskor_status entered = context_enter(context);
    if (entered != USKOR_OK)
        return entered;
    enum status status = make_key(count, type, &key, &context->error);
    if (status == STATUS_OK)
        status = check_array(&key, &arrays, &context->error);
    if (status == STATUS_OK)
        status = plan_call(context, &key, arrays, &context->error);
    return context_leave(context, status);
}

enum uskor_status uskor_plan_sort(struct uskor *context, struct uskor_plan **plan, size_t count, enum uskor_number type)
{
    struct plan_key key;
    enum uskor_status entered = context_enter(context);
    if (entered != USKOR_OK)
        return entered;
    enum status status = plan_place(plan, &context->error);
    if (status == STATUS_OK)
        status = make_key(count, type, &key, &context->error);
    if (status == STATUS_OK)
        status = plan_make(context, &key, plan, &context->error);
    return context_leave(context, status);
}
