/* A problem prepared for a device and run on the caller's memory: what every call of the library does. */
#pragma once

#include "choice/choose_rung.h"
#include "kernels/prepared_run.h"

/* A zeroed job is empty. A prepared one must not be moved. */
struct job {
    char text[PROBLEM_TEXT_MAX]; /* of the problem, where it was given as one (job_prepare) */
    struct problem problem;
    struct array arrays[KERNEL_ARRAYS_MAX];
    int array_count;
    struct buffer buffers[KERNEL_ARRAYS_MAX]; /* the device's own memory; on the cpu the caller's, while it runs */
    struct buffer scratch;                    /* the job's own, or job_borrow's */
    bool borrows;
    bool keeps_rung;                 /* set before job_make: the rung is the same on any number of threads */
    size_t tails[KERNEL_ARRAYS_MAX]; /* bytes at the array's end that the caller need not have: not copied */
    struct prepared_run prepared;
    const struct rung_times *times; /* for choose_rung in job_do: the caller's; NULL: none. job_finish keeps it */
};

/* Makes the empty job ready for the problem: the rung that serves it on `device` (choose_rung; `times` may be NULL),
 * prepared, with memory on the device. On failure the job is empty. */
enum status job_make(struct job *job, struct device *device, const struct problem *problem,
                     const struct rung_times *times, struct error *error);

/* The same for the problem that `text` describes, whatever the job was; costs next to nothing when the same text was
 * prepared before. */
enum status job_prepare(struct job *job, struct device *device, const char *text, const struct rung_times *times,
                        struct error *error);

/* On the cpu, before job_make: the job gets its scratch memory from its user, before each run (job_lend). */
void job_borrow(struct job *job);
void job_lend(struct job *job, void *memory);

/* Takes the memory for the arrays on a device that has its own, which job_run else does first. */
enum status job_reserve(struct job *job, struct error *error);

/* Enqueues it on arrays that are on the device already, and waits for nothing. memory[i] is the kernel's array i as
 * `wrap` takes it (backends/adopt.h); 0: nobody's, and the job has memory for it. `origin`: where the input of the
 * first array is; 0: in the array. */
typedef enum status job_wrap(struct device *device, uintptr_t memory, size_t bytes, struct buffer *buffer,
                             struct error *error);
enum status job_enqueue(struct job *job, const uintptr_t memory[], uintptr_t origin, job_wrap *wrap,
                        struct error *error);

/* Runs it: data[i] is the kernel's array i in host memory, of the size that kernel_describe gives. Returns when the
 * outputs are complete. */
enum status job_run(struct job *job, void *const data[], struct error *error);

/* job_prepare and job_run, for callers of the library: the calling thread computes in the default floating-point mode
 * (base/floating_mode.h), and has its own afterwards. */
enum status job_do(struct job *job, struct device *device, const char *text, void *const data[], struct error *error);

/* Frees what the job holds. */
void job_finish(struct job *job);
