/* uskor_resize, uskor_resize_picture: another size of the caller's own picture. */
#include "base/element.h"
#include "library/call.h"
#include "library/number.h"
#include "library/strided.h"

#define SIDE_MAXIMUM ((size_t)1 << 24)
#define CHANNELS_MAXIMUM 4

/* The fields of the kernel, in its order. */
enum field { WIDTH, HEIGHT, OUT_WIDTH, OUT_HEIGHT, INPUT, CHANNELS, IN_PAD, OUT_PAD, FIELDS };

struct arguments {
    size_t width, height, pitch, target_width, target_height, target_pitch, channels;
    enum uskor_number type;
};

static enum status check_side(size_t side, const char *name, struct error *error)
{
    if (side >= 1 && side <= SIDE_MAXIMUM)
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "resize: a %s of %zu pixels; 1 to %zu are possible", name, side, SIDE_MAXIMUM);
}

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

static struct strided picture_of(const struct plan_key *key, enum plan_array which)
{
    const bool is_source = which == PLAN_FIRST;
    const union field_value *values = key->values;
    const size_t columns = (size_t)values[is_source ? WIDTH : OUT_WIDTH].size * (size_t)values[CHANNELS].size;
    return (struct strided){.function = "resize",
                            .name = is_source ? "the source" : "the target",
                            .rows = (size_t)values[is_source ? HEIGHT : OUT_HEIGHT].size,
                            .columns = columns,
                            .pitch = columns + (size_t)values[is_source ? IN_PAD : OUT_PAD].size,
                            .element_bytes = element_info((enum element_type)key->type)->bytes,
                            .batch = 1};
}

static enum status check_arrays(const struct plan_key *key, const struct plan_arrays *arrays, struct error *error)
{
    const struct strided source = picture_of(key, PLAN_FIRST), target = picture_of(key, PLAN_TARGET);
    enum status status = strided_check(&target, arrays->target, target.element_bytes, error);
    if (status == STATUS_OK)
        status = strided_check(&source, arrays->first, source.element_bytes, error);
    if (status == STATUS_OK)
        status = strided_apart(&target, arrays->target, &source, arrays->first, error);
    return status;
}

static const struct operation operation = {"resize", FIELDS, 2, {PLAN_FIRST, PLAN_TARGET}, check_arrays, NULL};

/* ---- sizes ------------------------------------------------------------------------------------------------------- */

static enum status check_sizes(const struct arguments *a, struct error *error)
{
    const struct {
        const char *name;
        size_t side;
    } sides[] = {{"width", a->width},
                 {"height", a->height},
                 {"target's width", a->target_width},
                 {"target's height", a->target_height}};
    for (size_t i = 0; i < COUNT_OF(sides); i++) {
        enum status status = check_side(sides[i].side, sides[i].name, error);
        if (status != STATUS_OK)
            return status;
    }
    if (a->channels < 1 || a->channels > CHANNELS_MAXIMUM)
        return fail(error, STATUS_INVALID, "resize: pixels of %zu channels; 1 to %d are possible", a->channels,
                    CHANNELS_MAXIMUM);
    return STATUS_OK;
}

/* All that can be wrong with sizes and type. */
static enum status make_key(const void *arguments, struct plan_key *key, struct error *error)
{
    const struct arguments *a = arguments;
    const enum element_type type = number_element(a->type);
    if (type != ELEMENT_U8 && type != ELEMENT_U16 && type != ELEMENT_F32)
        return fail(error, STATUS_INVALID, "resize: no such type of channels; uint8, uint16 and float32 are");
    enum status status = check_sizes(a, error);
    if (status != STATUS_OK)
        return status;
    const union field_value values[FIELDS] = {
        [WIDTH] = {(int64_t)a->width},
        [HEIGHT] = {(int64_t)a->height},
        [OUT_WIDTH] = {(int64_t)a->target_width},
        [OUT_HEIGHT] = {(int64_t)a->target_height},
        [CHANNELS] = {(int64_t)a->channels},
    };
    *key = plan_key(&operation, type, false, values);
    static const enum plan_array arrays[] = {PLAN_FIRST, PLAN_TARGET};
    const size_t pitches[] = {a->pitch, a->target_pitch};
    for (size_t i = 0; status == STATUS_OK && i < COUNT_OF(arrays); i++) {
        struct strided picture = picture_of(key, arrays[i]);
        picture.pitch = pitches[i];
        status = strided_measure(&picture, true, error);
        key->values[IN_PAD + i].size = (int64_t)(picture.pitch - picture.columns);
    }
    return status;
}

static struct arguments of_bytes(size_t target_width, size_t target_height, size_t width, size_t height)
{
    return (struct arguments){width,
                              height,
                              width * CHANNELS_MAXIMUM,
                              target_width,
                              target_height,
                              target_width * CHANNELS_MAXIMUM,
                              CHANNELS_MAXIMUM,
                              USKOR_UINT8};
}

/* ---- the functions ----------------------------------------------------------------------------------------------- */

enum uskor_status uskor_resize(struct uskor *context, void *target, size_t target_width, size_t target_height,
                               const void *source, size_t width, size_t height)
{
    const struct arguments arguments = of_bytes(target_width, target_height, width, height);
    return call_run(context, make_key, &arguments, (struct plan_arrays){.target = target, .first = source});
}

enum uskor_status uskor_resize_picture(struct uskor *context, void *target, size_t target_width, size_t target_height,
                                       size_t target_pitch, const void *source, size_t width, size_t height,
                                       size_t pitch, size_t channels, enum uskor_number type)
{
    const struct arguments arguments = {width,         height,       pitch,    target_width,
                                        target_height, target_pitch, channels, type};
    return call_run(context, make_key, &arguments, (struct plan_arrays){.target = target, .first = source});
}

enum uskor_status uskor_plan_resize(struct uskor *context, struct uskor_plan **plan, size_t target_width,
                                    size_t target_height, size_t width, size_t height)
{
    const struct arguments arguments = of_bytes(target_width, target_height, width, height);
    return call_plan(context, plan, make_key, &arguments);
}

enum uskor_status uskor_plan_resize_picture(struct uskor *context, struct uskor_plan **plan, size_t target_width,
                                            size_t target_height, size_t target_pitch, size_t width, size_t height,
                                            size_t pitch, size_t channels, enum uskor_number type)
{
    const struct arguments arguments = {width,         height,       pitch,    target_width,
                                        target_height, target_pitch, channels, type};
    return call_plan(context, plan, make_key, &arguments);
}
