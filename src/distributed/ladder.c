#include "distributed/ladder.h"

#include "base/size.h"
#include "kernels/part.h"

extern const struct device_ladder transpose_on_devices, dot_on_devices, wave_on_devices, sort_on_devices,
    matmul_on_devices;

const struct device_ladder *const device_ladders[] = {&transpose_on_devices, &dot_on_devices,    &wave_on_devices,
                                                      &sort_on_devices,      &matmul_on_devices, NULL};

const struct device_ladder *device_ladder_of(const struct kernel *kernel, struct error *error)
{
    for (size_t i = 0; device_ladders[i]; i++)
        if (device_ladders[i]->kernel == kernel)
            return device_ladders[i];
    fail(error, STATUS_INVALID, "%s has no ladder over devices; transpose, dot, wave, sort and matmul have",
         kernel->name);
    return NULL;
}

void device_ladder_grow(const struct device_ladder *ladder, struct problem *problem, size_t count)
{
    problem_set_size(problem, ladder->axis, problem_size(problem, ladder->axis) * (int64_t)count);
}

size_t deal_begin(size_t units, size_t block, size_t count, size_t index)
{
    size_t blocks = units / block + (units % block != 0);
    size_t begin;
    return size_multiply(part_begin(blocks, count, index), block, &begin) ? size_least(begin, units) : units;
}
