/* A method: how the ranks of a group solve one problem of a kernel together. Methods are for ranks what rungs are for a
 * device. A rank's own part is computed by the rung that choose_rung chooses for it.
 *
 * Every array of the problem is distributed: each rank owns a rectangle of it (place). Inputs lie there before a run,
 * results after it, so the times contain neither distribution nor collection. */
#pragma once

#include "distributed/ranks/ranks.h"
#include "distributed/ranks/traffic.h"
#include "kernels/kernel.h"
#include "library/job.h"

/* A rectangle of an array: rows × cols elements from (row, col); it may be empty. With a `band` the rows are in bands
 * of so many, `pitch` rows from the beginning of one to that of the next: a box of an array of three axes. */
struct place {
    size_t row, rows, col, cols;
    size_t band, pitch;
};

/* The array's row that is a rectangle's row `index`. */
static inline size_t place_row(const struct place *place, size_t index)
{
    return place->row + (place->band ? index / place->band * place->pitch + index % place->band : index);
}

struct method;

/* One problem on one rank. */
struct method_run {
    const struct method *method;
    const struct problem *problem;
    struct array arrays[KERNEL_ARRAYS_MAX];
    int array_count;
    struct ranks ranks;
    struct device *device;
    void *parts[KERNEL_ARRAYS_MAX]; /* this rank's rectangles, contiguous, row by row */
    struct job job;                 /* for the rungs of its own part; job_prepare keeps the last one prepared */
    void *state;                    /* of the method */
    bool has_inputs;                /* the last upload brought the inputs that are in `parts` */
};

struct method {
    const char *kernel, *name, *idea;
    bool resident; /* its parts lie in the memory of a device: not for the cpu */
    bool by_nccl;  /* a resident method's parts travel from device to device, not through host memory and MPI */
    /* Returns NULL, or the reason, written to `reason`, why `count` ranks cannot solve this problem so. A NULL
     * function: they can. */
    const char *(*refuses)(const struct problem *problem, int count, char *reason, size_t size);
    struct place (*place)(const struct problem *problem, const struct array *array, int index, int rank, int count);
    /* Collective, once per problem: allocates. After a failure on any rank, every rank calls end. */
    enum status (*begin)(struct method_run *run, struct error *error);
    void (*end)(struct method_run *run);
    /* Off the clock, not collective: between host memory and where the method has its parts. `upload` comes before each
     * run; inputs travel only where has_inputs is false. `download` comes before the results are judged. NULL: that is
     * host memory. */
    enum status (*upload)(struct method_run *run, struct error *error);
    enum status (*download)(struct method_run *run, struct error *error);
    /* Collective and timed. A rank whose own part fails still takes part in everything collective, so that no rank
     * waits for it. The caller makes the ranks agree on the outcome. */
    enum status (*run)(struct method_run *run, struct error *error);
    struct traffic (*traffic)(const struct problem *problem, int count);
};

extern const struct method method_transpose_exchange, method_sort_splitters, method_dot_blocks, method_dot_resident,
    method_dot_nccl, method_matmul_summa, method_matmul_summa_layers, method_wave_halo, method_wave_overlapped,
    method_wave_halo_3d, method_wave_overlapped_3d, method_transpose_resident, method_transpose_nccl,
    method_matmul_resident, method_matmul_nccl, method_sort_resident, method_sort_nccl, method_wave_resident,
    method_wave_nccl;

/* All methods, by kernel, NULL-terminated. */
extern const struct method *const methods[];

/* The outcome of two steps, both of which were taken: the first failure, or a broken exchange (STATUS_SYSTEM), with its
 * message in `error`. */
enum status method_outcome(enum status first, struct error *error, enum status second, const struct error *its_error);

/* The rank's rows of an array, distributed as evenly as possible in whole rows. */
struct place place_rows(size_t rows, size_t cols, int rank, int count);
struct place place_array(const struct array *array, int rank, int count);
/* The same for method->place. */
struct place place_by_rows(const struct problem *problem, const struct array *array, int index, int rank, int count);

/* Runs the rung for `problem` on this rank's own memory; data[i] is the kernel's array i. Not collective. */
enum status method_compute(struct method_run *run, const struct problem *problem, void *const data[],
                           struct error *error);

/* Allocates `bytes` bytes (at least 1), aligned to a cache line; free() frees them. Without memory *memory is NULL and
 * the status STATUS_UNAVAILABLE. */
enum status method_allocate(void **memory, size_t bytes, struct error *error);

/* Adds operations of one kind to a method's traffic, which has the mean of the bytes of a call. */
void traffic_add(struct traffic *traffic, enum mpi_operation kind, double calls, double bytes);

/* ceil(log2(count)): the depth of a tree. */
double tree_steps(int count);

/* The largest part of `units` that are dealt out as evenly as possible, over all units. */
double largest_share(double units, int count);
