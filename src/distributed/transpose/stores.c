#include "distributed/transpose/transpose.h"

#include <stdlib.h>

#define ENTRIES (2 * GROUP_MAX + 1)

static enum status write_places(struct device_run *run, struct error *error)
{
    struct stores *stores = run->state;
    struct matrix_shape shape = matrix_shape_of(run->problem);
    size_t count = run->group->count;
    int64_t entries[ENTRIES] = {0};
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        status = group_address(run->group, i, &run->buffers[i][1], &entries[i], error);
        entries[count + i] = (int64_t)output_begin(shape, count, i);
    }
    entries[2 * count] = (int64_t)shape.cols;
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        status = buffer_allocate(run->group->devices[i], sizeof entries, &stores->places[i], error);
        if (status == STATUS_OK)
            status = buffer_write(&stores->places[i], 0, entries, sizeof entries, error);
    }
    return status;
}

enum status stores_make(struct device_run *run, const struct program_source *source, struct error *error)
{
    struct stores *stores = run->state;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < run->group->count; i++)
        status = program_build(run->group->devices[i], source, &stores->programs[i], error);
    return status == STATUS_OK ? write_places(run, error) : status;
}

void stores_finish(struct device_run *run)
{
    struct stores *stores = run->state;
    for (size_t i = 0; stores && i < GROUP_MAX; i++) {
        program_discard(stores->programs[i]);
        buffer_release(&stores->places[i]);
    }
    free(stores);
    run->state = NULL;
}
