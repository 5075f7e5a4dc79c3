#include "distributed/placement.h"

#include <string.h>

#include "lab/verification/workspace.h"

static struct share share_of(const struct placement *placement, size_t device, int array)
{
    return placement->ladder->share(&placement->data->problem, array, device, placement->group->count);
}

static char *host_part(void *data, struct share share)
{
    return data ? (char *)data + share.offset : NULL;
}

enum status placement_create(const struct device_ladder *ladder, const struct device_group *group, struct dataset *data,
                             struct placement *placement, struct error *error)
{
    memset(placement, 0, sizeof *placement);
    placement->ladder = ladder;
    placement->group = group;
    placement->data = data;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < group->count; i++)
        for (int a = 0; status == STATUS_OK && a < data->array_count; a++) {
            struct share share = share_of(placement, i, a);
            status = guarded_allocate(group->devices[i], MEMORY_PAGEABLE, share.bytes, &placement->arrays[i][a], error);
            if (status == STATUS_OK && data->arrays[a].direction == ARRAY_INOUT)
                status = buffer_allocate(group->devices[i], share.bytes, &placement->pristine[i][a], error);
        }
    return status == STATUS_OK ? placement_upload(placement, error) : status;
}

void placement_destroy(struct placement *placement)
{
    for (size_t i = 0; i < GROUP_MAX; i++) {
        for (int a = 0; a < KERNEL_ARRAYS_MAX; a++) {
            guarded_release(&placement->arrays[i][a]);
            buffer_release(&placement->pristine[i][a]);
        }
        guarded_release(&placement->scratch[i]);
        bulk_copy_end(&placement->bulk[i]);
    }
    memset(placement, 0, sizeof *placement);
}

enum status placement_prepare(struct placement *placement, const struct device_rung *rung, struct device_run *run,
                              struct error *error)
{
    const struct device_group *group = placement->group;
    enum status status = STATUS_OK;
    run->ladder = placement->ladder;
    run->rung = rung;
    run->problem = &placement->data->problem;
    run->group = group;
    run->array_count = placement->data->array_count;
    for (size_t i = 0; status == STATUS_OK && i < group->count; i++) {
        size_t bytes = rung->scratch ? rung->scratch(run->problem, i, group->count) : 0;
        guarded_release(&placement->scratch[i]);
        status = guarded_allocate(group->devices[i], MEMORY_PAGEABLE, bytes, &placement->scratch[i], error);
        for (int a = 0; a < run->array_count; a++)
            run->buffers[i][a] = placement->arrays[i][a].payload;
        run->scratch[i] = placement->scratch[i].payload;
    }
    return status;
}

enum status placement_upload(struct placement *placement, struct error *error)
{
    const struct dataset *data = placement->data;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < placement->group->count; i++)
        for (int a = 0; status == STATUS_OK && a < data->array_count; a++) {
            struct share share = share_of(placement, i, a);
            const char *from = host_part(data->input.data[a], share);
            bool restored = data->arrays[a].direction == ARRAY_INOUT;
            const struct buffer *to = restored ? &placement->pristine[i][a] : &placement->arrays[i][a].payload;
            if (from)
                status = bulk_write(&placement->bulk[i], to, from, share.bytes, error);
        }
    return status == STATUS_OK ? placement_restore(placement, error) : status;
}

enum status placement_restore(struct placement *placement, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < placement->group->count; i++)
        for (int a = 0; status == STATUS_OK && a < placement->data->array_count; a++)
            if (placement->pristine[i][a].device)
                status = buffer_copy(&placement->arrays[i][a].payload, 0, &placement->pristine[i][a], 0,
                                     placement->pristine[i][a].bytes, error);
    return status == STATUS_OK ? group_synchronize(placement->group, error) : status;
}

enum status placement_poison(struct placement *placement, struct error *error)
{
    unsigned char poison = workspace_poison_byte(NULL);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < placement->group->count; i++) {
        for (int a = 0; status == STATUS_OK && a < placement->data->array_count; a++)
            if (placement->data->arrays[a].direction == ARRAY_OUT)
                status = buffer_fill(&placement->arrays[i][a].payload, 0, poison, placement->arrays[i][a].payload.bytes,
                                     error);
        if (status == STATUS_OK && placement->scratch[i].payload.device)
            status = buffer_fill(&placement->scratch[i].payload, 0, poison, placement->scratch[i].payload.bytes, error);
    }
    return status == STATUS_OK ? placement_restore(placement, error) : status;
}

static enum status check_array(struct placement *placement, size_t i, int a, struct error *error)
{
    struct dataset *data = placement->data;
    const struct array *array = &data->arrays[a];
    struct share share = share_of(placement, i, a);
    bool differs = false;
    enum status status = guarded_check(&placement->arrays[i][a], array->name, error);
    if (status == STATUS_OK && array->direction != ARRAY_IN)
        return bulk_read(&placement->bulk[i], &placement->arrays[i][a].payload, host_part(data->output.data[a], share),
                         share.bytes, error);
    if (status == STATUS_OK)
        status = bulk_compare(&placement->bulk[i], &placement->arrays[i][a].payload,
                              host_part(data->input.data[a], share), share.bytes, &differs, error);
    return status == STATUS_OK && differs ? fail(error, STATUS_FAILED, "changed its input '%s' on %s", array->name,
                                                 placement->group->devices[i]->id)
                                          : status;
}

enum status placement_judge(struct placement *placement, double bound, double *worst, struct error *error)
{
    struct dataset *data = placement->data;
    struct check_result result = {.bound = bound};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < placement->group->count; i++) {
        for (int a = 0; status == STATUS_OK && a < data->array_count; a++)
            status = check_array(placement, i, a, error);
        if (status == STATUS_OK && placement->scratch[i].payload.device)
            status = guarded_check(&placement->scratch[i], "scratch", error);
    }
    if (status != STATUS_OK)
        return status;
    data->problem.kernel->check(&data->filled, data->arrays, data->input, data->output, &result);
    *worst = result.worst;
    return check_outcome(&result, error);
}
