#include "distributed/same_bits.h"

#include <stdlib.h>
#include <string.h>

/* The first of the outputs. */
static int output_of(const struct dataset *data)
{
    for (int a = 0; a < data->array_count; a++)
        if (data->arrays[a].direction != ARRAY_IN)
            return a;
    return 0;
}

static enum status run_alone(struct placement *placement, struct device_run *run, struct reference_bits *bits,
                             struct error *error)
{
    const struct device_rung *rung = placement->ladder->rungs[0];
    enum status status = placement_prepare(placement, rung, run, error);
    if (status == STATUS_OK)
        status = rung->prepare(run, error);
    if (status == STATUS_OK)
        status = rung->enqueue(run, error);
    if (status == STATUS_OK)
        status = group_synchronize(placement->group, error);
    if (status == STATUS_OK)
        status = buffer_read(&run->buffers[0][bits->array], 0, bits->data, bits->bytes, error);
    rung->finish(run);
    return status;
}

enum status reference_bits_find(const struct device_ladder *ladder, const struct device_group *group,
                                struct dataset *data, struct reference_bits *bits, struct error *error)
{
    struct device_group alone = group_first(group, 1);
    struct placement placement = {0};
    struct device_run run = {0};
    reference_bits_free(bits);
    bits->array = output_of(data);
    bits->bytes = data->arrays[bits->array].bytes;
    bits->data = malloc(bits->bytes ? bits->bytes : 1);
    enum status status = bits->data ? placement_create(ladder, &alone, data, &placement, error)
                                    : fail(error, STATUS_UNAVAILABLE, "no memory");
    if (status == STATUS_OK)
        status = run_alone(&placement, &run, bits, error);
    placement_destroy(&placement);
    return status;
}

void reference_bits_free(struct reference_bits *bits)
{
    free(bits->data);
    *bits = (struct reference_bits){0};
}

enum status reference_bits_compare(const struct reference_bits *bits, const struct dataset *data, struct error *error)
{
    return !bits->data || memcmp(bits->data, data->output.data[bits->array], bits->bytes) == 0
               ? STATUS_OK
               : fail(error, STATUS_FAILED, "its bits are not those of one device");
}
