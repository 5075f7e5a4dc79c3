/* uskor_transpose, uskor_transpose_strided: the transpose of the caller's own matrix, or of a batch of them. */
#include "base/element.h"
#include "library/call.h"
#include "library/strided.h"

/* The fields of the kernel, in its order. */
enum field { ROWS, COLS, INPUT, IN_PAD, OUT_PAD, BATCH, IN_STEP, OUT_STEP, GROUP, INPLACE, FIELDS };

#define BATCH_MAXIMUM ((size_t)1 << 40)
#define ELEMENT_MAXIMUM 65536

struct arguments {
    size_t rows, columns, element_bytes, batch, target_pitch, target_step, pitch, step;
    bool in_place;
};

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

/* In elements, as the caller counts. */
static struct strided array_of(const struct arguments *a, bool is_source)
{
    return (struct strided){.function = "transpose",
                            .name = is_source ? "the source" : "the target",
                            .rows = is_source ? a->rows : a->columns,
                            .columns = is_source ? a->columns : a->rows,
                            .pitch = is_source ? a->pitch : a->target_pitch,
                            .element_bytes = a->element_bytes,
                            .batch = a->batch,
                            .step = is_source ? a->step : a->target_step};
}

static size_t step_of(int64_t field, size_t rows, size_t pitch, size_t group)
{
    return field < 0 ? rows * pitch : (size_t)field / group;
}

static struct arguments arguments_of(const struct plan_key *key)
{
    const union field_value *v = key->values;
    const size_t group = (size_t)v[GROUP].size;
    struct arguments a = {.rows = (size_t)v[ROWS].size,
                          .columns = (size_t)v[COLS].size,
                          .element_bytes = group * element_info((enum element_type)key->type)->bytes,
                          .batch = (size_t)v[BATCH].size,
                          .in_place = v[INPLACE].size != 0};
    a.pitch = a.columns + (size_t)v[IN_PAD].size / group;
    a.target_pitch = a.rows + (size_t)v[OUT_PAD].size / group;
    a.step = step_of(v[IN_STEP].size, a.rows, a.pitch, group);
    a.target_step = step_of(v[OUT_STEP].size, a.columns, a.target_pitch, group);
    return a;
}

static enum status check_arrays(const struct plan_key *key, const struct plan_arrays *arrays, struct error *error)
{
    const struct arguments a = arguments_of(key);
    const struct strided source = array_of(&a, true), target = array_of(&a, false);
    if (key->is_empty)
        return STATUS_OK;
    enum status status = strided_check(&target, arrays->target, 1, error);
    if (status != STATUS_OK || a.in_place)
        return status;
    status = strided_check(&source, arrays->first, 1, error);
    if (status == STATUS_OK)
        status = strided_apart(&target, arrays->target, &source, arrays->first, error);
    return status;
}

static const struct operation apart = {"transpose", FIELDS, 2, {PLAN_FIRST, PLAN_TARGET}, check_arrays, NULL};
static const struct operation in_place = {"transpose", FIELDS, 1, {PLAN_TARGET}, check_arrays, NULL};

/* ---- sizes ------------------------------------------------------------------------------------------------------- */

/* An element is a number of its size, or a group of the largest numbers of which it is a multiple. */
static enum element_type type_of(size_t element_bytes, size_t *group)
{
    const enum element_type whole = element_by_size(element_bytes);
    *group = 1;
    if (whole != ELEMENT_TYPE_COUNT)
        return whole;
    for (size_t bytes = 8; bytes >= 1; bytes /= 2)
        if (element_bytes % bytes == 0) {
            *group = element_bytes / bytes;
            return element_by_size(bytes);
        }
    return ELEMENT_TYPE_COUNT;
}

static enum status check_in_place(const struct arguments *a, struct error *error)
{
    const bool has_gaps = a->pitch != a->columns || a->target_pitch != a->rows;
    if (!a->in_place)
        return STATUS_OK;
    if (a->pitch != a->target_pitch ? has_gaps : a->rows != a->columns && has_gaps)
        return fail(error, STATUS_INVALID, "transpose: in place a matrix that is not square has no gaps");
    if (a->batch > 1 && (a->step != a->target_step || a->step < a->rows * a->pitch))
        return fail(error, STATUS_INVALID, "transpose: in place both steps are one, at least a matrix");
    return STATUS_OK;
}

static enum status check_sizes(const struct arguments *a, struct error *error)
{
    const struct strided source = array_of(a, true), target = array_of(a, false);
    if (a->batch > BATCH_MAXIMUM)
        return fail(error, STATUS_INVALID, "transpose: a batch of %zu; at most %zu is possible", a->batch,
                    BATCH_MAXIMUM);
    enum status status = strided_measure(&source, false, error);
    if (status == STATUS_OK)
        status = strided_measure(&target, true, error);
    return status == STATUS_OK ? check_in_place(a, error) : status;
}

/* Steps of a batch of one are of no matter; and the canonical step is that of matrices that follow one another. */
static int64_t step_field(size_t step, size_t rows, size_t pitch, size_t batch, size_t group)
{
    return batch == 1 || step == rows * pitch ? -1 : (int64_t)(step * group);
}

/* All that can be wrong with the sizes. */
static enum status make_key(const void *arguments, struct plan_key *key, struct error *error)
{
    const struct arguments *a = arguments;
    size_t group;
    const enum element_type type = type_of(a->element_bytes, &group);
    if (a->element_bytes == 0 || a->element_bytes > ELEMENT_MAXIMUM)
        return fail(error, STATUS_INVALID, "transpose: elements of %zu bytes; 1 to %d are possible", a->element_bytes,
                    ELEMENT_MAXIMUM);
    enum status status = check_sizes(a, error);
    if (status != STATUS_OK)
        return status;
    const bool is_empty = a->rows == 0 || a->columns == 0 || a->batch == 0;
    const union field_value none[FIELDS] = {[BATCH] = {1}, [IN_STEP] = {-1}, [OUT_STEP] = {-1}, [GROUP] = {1}};
    const union field_value values[FIELDS] = {
        [ROWS] = {(int64_t)a->rows},
        [COLS] = {(int64_t)a->columns},
        [IN_PAD] = {(int64_t)((a->pitch - a->columns) * group)},
        [OUT_PAD] = {(int64_t)((a->target_pitch - a->rows) * group)},
        [BATCH] = {(int64_t)a->batch},
        [IN_STEP] = {step_field(a->step, a->rows, a->pitch, a->batch, group)},
        [OUT_STEP] = {step_field(a->target_step, a->columns, a->target_pitch, a->batch, group)},
        [GROUP] = {(int64_t)group},
        [INPLACE] = {a->in_place},
    };
    *key = plan_key(a->in_place ? &in_place : &apart, type, is_empty, is_empty ? none : values);
    return STATUS_OK;
}

/* ---- the functions ----------------------------------------------------------------------------------------------- */

static struct arguments of_one(size_t rows, size_t columns, size_t element_bytes)
{
    return (struct arguments){rows, columns, element_bytes, 1, rows, 0, columns, 0, false};
}

/* The output's rows are as long as the input's where these have gaps: then the matrix is square. */
static struct arguments of_in_place(size_t pitch, size_t step, size_t rows, size_t columns, size_t element_bytes,
                                    size_t batch)
{
    return (struct arguments){rows, columns, element_bytes, batch, rows == columns ? pitch : rows,
                              step, pitch,   step,          true};
}

enum uskor_status uskor_transpose(struct uskor *context, void *target, const void *source, size_t rows, size_t columns,
                                  size_t element_bytes)
{
    const struct arguments arguments = of_one(rows, columns, element_bytes);
    return call_run(context, make_key, &arguments, (struct plan_arrays){.target = target, .first = source});
}

enum uskor_status uskor_transpose_strided(struct uskor *context, void *target, size_t target_pitch, size_t target_step,
                                          const void *source, size_t pitch, size_t step, size_t rows, size_t columns,
                                          size_t element_bytes, size_t batch)
{
    const struct arguments arguments = {rows,        columns, element_bytes, batch, target_pitch,
                                        target_step, pitch,   step,          false};
    return call_run(context, make_key, &arguments, (struct plan_arrays){.target = target, .first = source});
}

enum uskor_status uskor_transpose_in_place(struct uskor *context, void *data, size_t pitch, size_t step, size_t rows,
                                           size_t columns, size_t element_bytes, size_t batch)
{
    const struct arguments arguments = of_in_place(pitch, step, rows, columns, element_bytes, batch);
    return call_run(context, make_key, &arguments, (struct plan_arrays){.target = data});
}

enum uskor_status uskor_plan_transpose(struct uskor *context, struct uskor_plan **plan, size_t rows, size_t columns,
                                       size_t element_bytes)
{
    const struct arguments arguments = of_one(rows, columns, element_bytes);
    return call_plan(context, plan, make_key, &arguments);
}

enum uskor_status uskor_plan_transpose_strided(struct uskor *context, struct uskor_plan **plan, size_t target_pitch,
                                               size_t target_step, size_t pitch, size_t step, size_t rows,
                                               size_t columns, size_t element_bytes, size_t batch)
{
    const struct arguments arguments = {rows,        columns, element_bytes, batch, target_pitch,
                                        target_step, pitch,   step,          false};
    return call_plan(context, plan, make_key, &arguments);
}

enum uskor_status uskor_plan_transpose_in_place(struct uskor *context, struct uskor_plan **plan, size_t pitch,
                                                size_t step, size_t rows, size_t columns, size_t element_bytes,
                                                size_t batch)
{
    const struct arguments arguments = of_in_place(pitch, step, rows, columns, element_bytes, batch);
    return call_plan(context, plan, make_key, &arguments);
}
