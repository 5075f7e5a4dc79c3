/* The host half of tree.cl: the last step is the host's, so the partial sums travel to it and the result back. */
#include "kernels/dot/dot.h"
#include "kernels/rung_header.h"

#define GROUPS_MOST 4096

static double add_up(enum element_type type, const void *partial, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += dot_element(type, partial, i);
    return sum;
}

static enum status enqueue(struct run *run, struct error *error)
{
    double partial[GROUPS_MOST];
    const enum element_type type = dot_sum_type(run->problem->type);
    size_t groups = (size_t)run_parameter(run, "GROUPS");
    enum status status = device_rung_enqueue(run, error);
    if (status == STATUS_OK)
        status = buffer_read(run->scratch, 0, partial, groups * element_info(type)->bytes, error);
    if (status != STATUS_OK)
        return status;
    double sum = add_up(type, partial, groups);
    return buffer_write(&run->buffers[2], 0, &sum, sizeof sum, error);
}

const struct rung dot_tree = {.enqueue = enqueue};
