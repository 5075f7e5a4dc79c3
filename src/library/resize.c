/* uskor_resize: another size of the caller's own picture. */
#include <stdint.h>

#include "base/element.h"
#include "base/size.h"
#include "library/call.h"
#include "library/context.h"
#include "library/overlap.h"

#define PIXEL_BYTES 4
#define SIDE_MAXIMUM ((size_t)1 << 24)

static enum status check_side(size_t side, const char *name, struct error *error)
{
    if (side >= 1 && side <= SIDE_MAXIMUM)
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "resize: a %s of %zu pixels; 1 to %zu are possible", name, side, SIDE_MAXIMUM);
}

/* The bytes of a picture whose sides are right. */
static enum status measure(size_t width, size_t height, size_t *bytes, struct error *error)
{
    if (size_multiply(width, height, bytes) && size_multiply(*bytes, PIXEL_BYTES, bytes) && *bytes <= PTRDIFF_MAX)
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "resize: %zu x %zu pixels fit in no memory", width, height);
}

static enum status check_arrays(const struct plan_key *key, const struct plan_arrays *arrays, struct error *error)
{
    const size_t source_bytes = (size_t)key->values[0].size * (size_t)key->values[1].size * PIXEL_BYTES;
    const size_t target_bytes = (size_t)key->values[2].size * (size_t)key->values[3].size * PIXEL_BYTES;
    if (!arrays->target || !arrays->first)
        return fail(error, STATUS_INVALID, "resize: the %s is NULL", arrays->target ? "source" : "target");
    if (overlaps(arrays->target, target_bytes, arrays->first, source_bytes))
        return fail(error, STATUS_INVALID, "resize: source and target overlap");
    return STATUS_OK;
}

static const struct operation operation = {"resize", 4, 2, {PLAN_FIRST, PLAN_TARGET}, check_arrays, NULL};

/* All that can be wrong with the sizes: width, height, and the target's. */
static enum status make_key(const void *arguments, struct plan_key *key, struct error *error)
{
    static const char *const names[] = {"width", "height", "target's width", "target's height"};
    const size_t *sides = arguments;
    union field_value values[4];
    size_t bytes;
    for (int i = 0; i < 4; i++) {
        enum status status = check_side(sides[i], names[i], error);
        if (status != STATUS_OK)
            return status;
        values[i].size = (int64_t)sides[i];
    }
    enum status status = measure(sides[0], sides[1], &bytes, error);
    if (status == STATUS_OK)
        status = measure(sides[2], sides[3], &bytes, error);
    *key = plan_key(&operation, ELEMENT_U8, false, values);
    return status;
}

enum uskor_status uskor_resize(struct uskor *context, void *target, size_t target_width, size_t target_height,
                               const void *source, size_t width, size_t height)
{
    const size_t sides[] = {width, height, target_width, target_height};
    return call_run(context, make_key, sides, (struct plan_arrays){.target = target, .first = source});
}

enum uskor_status uskor_plan_resize(struct uskor *context, struct uskor_plan **plan, size_t target_width,
                                    size_t target_height, size_t width, size_t height)
{
    return call_plan(context, plan, make_key, (const size_t[]){width, height, target_width, target_height});
}
