#include "distributed/ranks/method.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/part.h"

struct place place_rows(size_t rows, size_t cols, int rank, int count)
{
    size_t begin = part_begin(rows, (size_t)count, (size_t)rank),
           end = part_begin(rows, (size_t)count, (size_t)rank + 1);
    return (struct place){.row = begin, .rows = end - begin, .cols = cols};
}

struct place place_array(const struct array *array, int rank, int count)
{
    return place_rows(array->rows, array->cols, rank, count);
}

struct place place_by_rows(const struct problem *problem, const struct array *array, int index, int rank, int count)
{
    (void)problem, (void)index;
    return place_array(array, rank, count);
}

enum status method_compute(struct method_run *run, const struct problem *problem, void *const data[],
                           struct error *error)
{
    char text[PROBLEM_TEXT_MAX];
    return job_do(&run->job, run->device, problem_text(problem, text), data, error);
}

enum status method_outcome(enum status first, struct error *error, enum status second, const struct error *its_error)
{
    if (second == STATUS_OK || (first != STATUS_OK && second != STATUS_SYSTEM))
        return first;
    *error = *its_error;
    return second;
}

enum status method_allocate(void **memory, size_t bytes, struct error *error)
{
    if (posix_memalign(memory, BUFFER_ALIGNMENT, bytes > 0 ? bytes : 1) == 0)
        return STATUS_OK;
    *memory = NULL;
    return fail(error, STATUS_UNAVAILABLE, "no memory");
}

void traffic_add(struct traffic *traffic, enum mpi_operation kind, double calls, double bytes)
{
    const double before = traffic->of[kind].calls * traffic->of[kind].bytes;
    if (calls <= 0)
        return;
    traffic->of[kind].calls += calls;
    traffic->of[kind].bytes = (before + calls * bytes) / traffic->of[kind].calls;
}

double tree_steps(int count)
{
    return count > 1 ? ceil(log2(count)) : 0;
}

double largest_share(double units, int count)
{
    return units > 0 ? ceil(units / count) / units : 0;
}
