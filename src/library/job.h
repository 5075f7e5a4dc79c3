/* A problem prepared for a device and run on the caller's memory: what every call of the library does. */
#ifndef USKOR_LIBRARY_JOB_H
#define USKOR_LIBRARY_JOB_H

#include "choice/choose_rung.h"
#include "kernels/prepared_run.h"

/* A zeroed job is empty. */
struct job {
    char text[PROBLEM_TEXT_MAX]; /* of the problem; empty: nothing is prepared */
    struct problem problem;
    struct array arrays[KERNEL_ARRAYS_MAX];
    int array_count;
    struct buffer buffers[KERNEL_ARRAYS_MAX]; /* the device's own memory; on the cpu the caller's, while it runs */
    struct buffer scratch;
    struct prepared_run prepared;
    const struct rung_times *times; /* for choose_rung in job_do: the caller's; NULL: none. job_finish keeps it */
};

/* Makes the job ready for the problem that `text` describes: the rung that serves it on `device` (choose_rung; `times`
 * may be NULL), prepared, with memory on the device. Costs next to nothing when the same text was prepared before. On
 * failure the job is empty. */
enum status job_prepare(struct job *job, struct device *device, const char *text, const struct rung_times *times,
                        struct error *error);

/* Runs it: data[i] is the kernel's array i in host memory, of the size that kernel_describe gives. Returns when the
 * outputs are complete. */
enum status job_run(struct job *job, void *const data[], struct error *error);

/* Both, for callers of the library: all is computed in the default floating-point environment, and the caller's is
 * afterwards what it was. */
enum status job_do(struct job *job, struct device *device, const char *text, void *const data[], struct error *error);

/* Frees what the job holds. */
void job_finish(struct job *job);

#endif
