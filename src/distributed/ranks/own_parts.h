/* Inputs that each rank makes, and results that each rank judges, for its own part alone: for problems that no rank can
 * hold whole. Any rank can make any other's inputs again, one rank's at a time. */
#pragma once

#include "base/size.h"
#include "distributed/ranks/method.h"

/* Makes of one rank's problem that of `count` ranks. */
void own_parts_grow(struct problem *problem, size_t count);

/* Writes this rank's parts of the inputs, by the kernel's own generator from a seed of its own. Not collective. */
enum status own_parts_fill(const struct method_run *run, uint32_t seed, struct error *error);

/* Collective: judges every element of the results in run->parts, with the kernel's own check where it knows a part.
 * STATUS_FAILED with the reason, not the same on every rank: the caller makes the ranks agree. */
enum status own_parts_judge(const struct method_run *run, uint32_t seed, double *worst, struct error *error);

/* What own_parts.c needs of each kernel. */

/* Makes of the whole problem one whose array `array` is that rectangle. */
typedef void shape_part(struct problem *problem, int array, struct place place);

struct part_kernel {
    const char *kernel;
    shape_part *shape;
    /* Collective; own_parts_judge. */
    enum status (*judge)(const struct method_run *run, uint32_t seed, double *worst, struct error *error);
    void (*grow)(struct problem *problem, size_t count); /* own_parts_grow; NULL: as over devices of one host */
};

extern const struct part_kernel parts_of_transpose, parts_of_sort, parts_of_dot, parts_of_matmul, parts_of_wave;

/* Rank `rank`'s rectangle of an array, and its bytes. */
struct place own_place(const struct method_run *run, int array, int rank);
size_t own_bytes(const struct method_run *run, int array, int rank);

/* Makes that rank's part of an input, as it did itself. */
enum status part_fill(const struct method_run *run, shape_part *shape, int rank, int array, uint32_t seed, void *data,
                      struct error *error);

/* The kernel's own check of a smaller problem. */
enum status part_check(const struct problem *local, struct host_arrays input, struct host_arrays output, double *worst,
                       struct error *error);
