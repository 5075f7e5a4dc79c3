#include "distributed/ranks/own_parts.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"

struct place own_place(const struct method_run *run, int array, int rank)
{
    return run->method->place(run->problem, &run->arrays[array], array, rank, run->ranks.count);
}

size_t own_bytes(const struct method_run *run, int array, int rank)
{
    const struct place place = own_place(run, array, rank);
    return place.rows * place.cols * element_info(run->arrays[array].type)->bytes;
}

enum status part_fill(const struct method_run *run, shape_part *shape, int rank, int array, uint32_t seed, void *data,
                      struct error *error)
{
    struct problem local = *run->problem;
    struct array arrays[KERNEL_ARRAYS_MAX];
    struct host_arrays host = {{NULL}};
    int count;
    const struct place place = own_place(run, array, rank);
    if (place.rows == 0 || place.cols == 0)
        return STATUS_OK;
    shape(&local, array, place);
    local.seed = (uint32_t)random_word(seed, (uint64_t)rank); /* pairs of vectors belong together */
    enum status status = kernel_describe(&local, arrays, &count, error);
    for (int i = 0; status == STATUS_OK && i < count; i++) /* the generator writes all of them */
        status = i == array ? STATUS_OK : method_allocate(&host.data[i], arrays[i].bytes, error);
    host.data[array] = data;
    if (status == STATUS_OK)
        local.kernel->fill(&local, arrays, host);
    for (int i = 0; i < KERNEL_ARRAYS_MAX; i++)
        free(i == array ? NULL : host.data[i]);
    return status;
}

enum status part_check(const struct problem *local, struct host_arrays input, struct host_arrays output, double *worst,
                       struct error *error)
{
    struct array arrays[KERNEL_ARRAYS_MAX];
    struct check_result result = {0};
    int count;
    enum status status = kernel_describe(local, arrays, &count, error);
    if (status != STATUS_OK)
        return status;
    local->kernel->check(local, arrays, input, output, &result);
    *worst = fmax(*worst, result.worst);
    return check_outcome(&result, error);
}
