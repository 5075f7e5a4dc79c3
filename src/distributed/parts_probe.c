/* A ceiling: each device's own part of the problem by the best rung there, without any exchange. It shows what several
 * devices reach if the exchange took no time at all. All arrays of the part are in scratch memory; what is read there
 * are the device's own numbers, over and over where the part has more than those (all of B in a product). */
#include <stdlib.h>

#include "base/size.h"
#include "base/translation.h"
#include "distributed/bench.h"
#include "distributed/local_run.h"

struct part {
    struct problem problem;
    struct array arrays[KERNEL_ARRAYS_MAX];
    int array_count;
    size_t offsets[KERNEL_ARRAYS_MAX + 1]; /* in scratch memory; the last: the end */
    struct buffer buffers[KERNEL_ARRAYS_MAX];
    struct local_run run;
};

struct parts {
    struct part parts[GROUP_MAX];
};

static enum status describe(const struct problem *problem, size_t index, size_t count, struct part *part,
                            struct error *error)
{
    const struct device_ladder *ladder = device_ladder_of(problem->kernel, error);
    if (!ladder)
        return STATUS_INVALID;
    size_t begin = ladder->begin(problem, count, index), end = ladder->begin(problem, count, index + 1);
    part->problem = *problem;
    problem_set_size(&part->problem, ladder->axis, (int64_t)(end - begin));
    enum status status = kernel_describe(&part->problem, part->arrays, &part->array_count, error);
    for (int a = 0; status == STATUS_OK && a < part->array_count; a++) {
        size_t bytes = (part->arrays[a].bytes + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT;
        part->offsets[a + 1] = part->offsets[a] + bytes;
    }
    return status;
}

static size_t scratch(const struct problem *problem, size_t index, size_t count)
{
    struct part part = {0};
    return describe(problem, index, count, &part, NULL) == STATUS_OK ? part.offsets[part.array_count] : 0;
}

/* Fills an input with the device's own numbers. */
static enum status fill(const struct buffer *to, const struct buffer *own, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t at = 0; status == STATUS_OK && own->bytes && at < to->bytes; at += own->bytes)
        status = buffer_copy(to, at, own, 0, size_least(own->bytes, to->bytes - at), error);
    return status;
}

static enum status make_part(struct device_run *run, size_t index, struct error *error)
{
    struct part *part = &((struct parts *)run->state)->parts[index];
    enum status status = describe(run->problem, index, run->group->count, part, error);
    bool is_empty = false;
    for (int a = 0; status == STATUS_OK && a < part->array_count; a++) {
        const struct buffer *own = &run->buffers[index][a];
        status = buffer_view(&run->scratch[index], part->offsets[a], part->arrays[a].bytes, &part->buffers[a], error);
        if (status == STATUS_OK && part->arrays[a].direction != ARRAY_OUT)
            status = fill(&part->buffers[a], own, error);
        is_empty = is_empty || (part->arrays[a].direction != ARRAY_OUT && own->bytes == 0 && part->arrays[a].bytes > 0);
    }
    if (status == STATUS_OK && !is_empty)
        status = local_run_make(&part->run, &part->problem, run->group->devices[index], part->buffers, error);
    if (status == STATUS_OK && !is_empty && part->arrays[0].direction == ARRAY_INOUT)
        local_run_read_from(&part->run, &run->buffers[index][0]);
    return status;
}

static enum status prepare(struct device_run *run, struct error *error)
{
    run->state = calloc(1, sizeof(struct parts));
    enum status status = run->state ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "no memory");
    for (size_t i = 0; status == STATUS_OK && i < run->group->count; i++)
        status = make_part(run, i, error);
    return status;
}

static enum status enqueue(struct device_run *run, struct error *error)
{
    struct parts *parts = run->state;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < run->group->count; i++)
        status = local_run_enqueue(&parts->parts[i].run, error);
    return status;
}

static void finish(struct device_run *run)
{
    struct parts *parts = run->state;
    for (size_t i = 0; parts && i < GROUP_MAX; i++) {
        local_run_finish(&parts->parts[i].run);
        for (int a = 0; a < KERNEL_ARRAYS_MAX; a++)
            buffer_release(&parts->parts[i].buffers[a]);
    }
    free(parts);
    run->state = NULL;
}

const struct device_rung parts_probe = {
    .name = "parts",
    .idea = N_("each device's own part of the problem, without any exchange"),
    .scratch = scratch,
    .prepare = prepare,
    .enqueue = enqueue,
    .finish = finish,
};
