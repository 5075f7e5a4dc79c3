/* A method: how the ranks of a group solve one problem of a kernel together. What rungs are for one device, methods are
 * for many ranks; the work on a rank's own part is done by the rung that choose_rung chooses for it.
 *
 * Every array of the problem is dealt out: each rank owns a rectangle of it (place). Inputs lie there when a run
 * begins, results when it ends, so figures hold no distribution and no collection. */
#ifndef USKOR_DISTRIBUTED_RANKS_METHOD_H
#define USKOR_DISTRIBUTED_RANKS_METHOD_H

#include "distributed/ranks/ranks.h"
#include "kernels/kernel.h"
#include "library/job.h"

/* A rectangle of an array, rows × cols elements from (row, col) on; it may be empty. */
struct place {
    size_t row, rows, col, cols;
};

struct method;

/* One problem on one rank. */
struct method_run {
    const struct method *method;
    const struct problem *problem;
    struct array arrays[KERNEL_ARRAYS_MAX];
    int array_count;
    struct ranks ranks;
    struct device *device;
    void *parts[KERNEL_ARRAYS_MAX]; /* this rank's rectangles, row by row without gaps */
    struct job job;                 /* for the rungs of its own part: job_prepare keeps the last one ready */
    void *state;                    /* of the method */
};

/* What a run of `count` ranks costs besides the computing of one rank, for the busiest rank. */
struct traffic {
    double work;     /* its part of what one rank alone would do, 0 … */
    double messages; /* that follow one another */
    double bytes;    /* that it sends, or receives, whichever is more */
};

struct method {
    const char *kernel, *name, *idea;
    bool resident; /* its parts lie in the memory of a device: not for the cpu */
    /* NULL, or why this problem cannot be solved so by so many ranks, written to `reason`. NULL function: it can. */
    const char *(*refuses)(const struct problem *problem, int count, char *reason, size_t size);
    struct place (*place)(const struct problem *problem, const struct array *array, int index, int rank, int count);
    /* Collective, once per problem: allocates. On failure on any rank every rank calls end. */
    enum status (*begin)(struct method_run *run, struct error *error);
    void (*end)(struct method_run *run);
    /* Off the clock, before and after each run, not collective: between host memory and where the method has its parts.
     * NULL: that is host memory. */
    enum status (*upload)(struct method_run *run, struct error *error);
    enum status (*download)(struct method_run *run, struct error *error);
    /* Collective, on the clock. A rank whose own part fails still takes part in all that is collective: nobody waits
     * for it. The caller has the ranks agree on the outcome. */
    enum status (*run)(struct method_run *run, struct error *error);
    struct traffic (*traffic)(const struct problem *problem, int count);
};

extern const struct method method_transpose_exchange, method_sort_splitters, method_dot_blocks, method_matmul_summa,
    method_matmul_summa_layers, method_wave_halo, method_wave_overlapped, method_transpose_resident,
    method_transpose_nccl, method_matmul_resident, method_matmul_nccl, method_sort_resident, method_sort_nccl,
    method_wave_resident, method_wave_nccl;

/* All methods, by kernel, NULL-terminated. */
extern const struct method *const methods[];

/* The outcome of two steps, the second of which was taken whatever became of the first: the first failure, with its
 * message in `error`. */
enum status method_outcome(enum status first, struct error *error, enum status second, const struct error *its_error);

/* Rows `rank` of `count` of an array, whole rows, as evenly as can be. */
struct place place_rows(size_t rows, size_t cols, int rank, int count);

/* Runs the rung for `problem` on this rank's own memory; data[i] is the kernel's array i. Not collective. */
enum status method_compute(struct method_run *run, const struct problem *problem, void *const data[],
                           struct error *error);

/* Memory of `bytes` bytes (at least 1) at a cache line's boundary, for free(); NULL and STATUS_UNAVAILABLE without. */
enum status method_allocate(void **memory, size_t bytes, struct error *error);

/* ceil(log2(count)): the steps of a tree. */
double tree_steps(int count);

#endif
