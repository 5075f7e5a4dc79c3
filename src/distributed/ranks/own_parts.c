#include "distributed/ranks/own_parts.h"

#include <stdlib.h>
#include <string.h>

#include "distributed/ladder.h"

static const struct part_kernel *part_kernel_of(const struct kernel *kernel)
{
    static const struct part_kernel *const all[] = {&parts_of_transpose, &parts_of_sort, &parts_of_dot,
                                                    &parts_of_matmul, &parts_of_wave};
    for (size_t i = 0; i < COUNT_OF(all); i++)
        if (strcmp(all[i]->kernel, kernel->name) == 0)
            return all[i];
    abort(); /* every kernel with methods is here */
}

void own_parts_grow(struct problem *problem, size_t count)
{
    const struct part_kernel *parts = part_kernel_of(problem->kernel);
    struct error ignored;
    if (parts->grow)
        parts->grow(problem, count);
    else
        device_ladder_grow(device_ladder_of(problem->kernel, &ignored), problem, count);
}

enum status own_parts_fill(const struct method_run *run, uint32_t seed, struct error *error)
{
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < run->array_count; i++)
        if (run->arrays[i].direction != ARRAY_OUT)
            status = part_fill(run, part_kernel_of(run->problem->kernel)->shape, run->ranks.rank, i, seed,
                               run->parts[i], error);
    return status;
}

enum status own_parts_judge(const struct method_run *run, uint32_t seed, double *worst, struct error *error)
{
    *worst = 0;
    return part_kernel_of(run->problem->kernel)->judge(run, seed, worst, error);
}
