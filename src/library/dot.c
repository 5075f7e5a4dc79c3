/* uskor_dot: the sum of the products of the caller's own two vectors. */
#include <stdint.h>

#include "base/size.h"
#include "library/call.h"
#include "library/context.h"
#include "library/number.h"
#include "library/overlap.h"

/* The fields of the kernel, in its order. */
enum field { N, INPUT, SUM, FIELDS };

struct arguments {
    size_t count;
    enum uskor_number type;
    enum uskor_sum sum;
};

static enum status check_arrays(const struct plan_key *key, const struct plan_arrays *arrays, struct error *error)
{
    const size_t element_bytes = element_info((enum element_type)key->type)->bytes;
    const size_t bytes = (size_t)key->values[N].size * element_bytes;
    const void *const vectors[] = {arrays->first, arrays->second};
    if (!arrays->target)
        return fail(error, STATUS_INVALID, "dot: the place for the result is NULL");
    if ((uintptr_t)arrays->target % sizeof(double) != 0)
        return fail(error, STATUS_INVALID, "dot: the place for the result is not at a multiple of a double");
    for (size_t i = 0; i < COUNT_OF(vectors); i++) {
        if (bytes > 0 && !vectors[i])
            return fail(error, STATUS_INVALID, "dot: the %s vector is NULL", i ? "second" : "first");
        if ((uintptr_t)vectors[i] % element_bytes != 0)
            return fail(error, STATUS_INVALID, "dot: the %s vector is not at a multiple of its elements' %zu bytes",
                        i ? "second" : "first", element_bytes);
        if (overlaps(arrays->target, sizeof(double), vectors[i], bytes))
            return fail(error, STATUS_INVALID, "dot: the result lies in the %s vector", i ? "second" : "first");
    }
    return STATUS_OK;
}

static const struct operation operation = {"dot",        FIELDS, 4, {PLAN_FIRST, PLAN_SECOND, PLAN_TARGET, PLAN_UNUSED},
                                           check_arrays, NULL};

static enum status make_key(const void *arguments, struct plan_key *key, struct error *error)
{
    static const enum uskor_sum sums[] = {USKOR_SUM_FAST, USKOR_SUM_COMPENSATED, USKOR_SUM_EXACT};
    const struct arguments *a = arguments;
    const enum element_type element = number_element(a->type);
    size_t bytes, sum = 0;
    if (element != ELEMENT_F32 && element != ELEMENT_F64 && element != ELEMENT_F16 && element != ELEMENT_BF16)
        return fail(error, STATUS_INVALID, "dot: no such type of elements; float32, float64, float16 and bfloat16 are");
    while (sum < COUNT_OF(sums) && sums[sum] != a->sum)
        sum++;
    if (sum == COUNT_OF(sums))
        return fail(error, STATUS_INVALID, "dot: no such way to add; fast, compensated and exact are");
    const size_t element_bytes = element_info(element)->bytes;
    if (!size_multiply(a->count, element_bytes, &bytes) || bytes > PTRDIFF_MAX)
        return fail(error, STATUS_INVALID, "dot: %zu elements of %zu bytes fit in no memory", a->count, element_bytes);
    const union field_value values[FIELDS] = {[N] = {(int64_t)a->count}, [SUM] = {(int64_t)sum}};
    *key = plan_key(&operation, element, false, values);
    return STATUS_OK;
}

enum uskor_status uskor_dot(struct uskor *context, double *result, const void *a, const void *b, size_t count,
                            enum uskor_number type, enum uskor_sum sum)
{
    return call_run(context, make_key, &(const struct arguments){count, type, sum},
                    (struct plan_arrays){.target = result, .first = a, .second = b});
}

enum uskor_status uskor_plan_dot(struct uskor *context, struct uskor_plan **plan, size_t count, enum uskor_number type,
                                 enum uskor_sum sum)
{
    return call_plan(context, plan, make_key, &(const struct arguments){count, type, sum});
}
