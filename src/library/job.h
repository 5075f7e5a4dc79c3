/* A problem prepared for a device and run on the caller's memory: what every call of the library does. */
#ifndef USKOR_LIBRARY_JOB_H
#define USKOR_LIBRARY_JOB_H

#include "kernels/kernel.h"

/* A zeroed job is empty. */
struct job {
    char text[PROBLEM_TEXT_MAX]; /* of the problem; empty: nothing is prepared */
    struct problem problem;
    struct array arrays[KERNEL_ARRAYS_MAX];
    struct buffer buffers[KERNEL_ARRAYS_MAX]; /* the device's own memory; on the cpu the caller's, while it runs */
    struct buffer scratch;
    struct run run;
};

/* Makes the job ready for the problem that `text` describes: the last rung of the ladder that can run it on `device` (a
 * host rung on the cpu, a device rung elsewhere), prepared, with memory on the device. Costs next to nothing when the
 * same text was prepared before. On failure the job is empty. */
enum status job_prepare(struct job *job, struct device *device, const char *text, struct error *error);

/* Runs it: data[i] is the kernel's array i in host memory, of the size that kernel_describe tells. Returns when outputs
 * are there. */
enum status job_run(struct job *job, void *const data[], struct error *error);

/* Both, for callers of the library: all is computed in the default floating-point environment, and the caller's is
 * afterwards what it was. */
enum status job_do(struct job *job, struct device *device, const char *text, void *const data[], struct error *error);

/* Frees what the job holds. */
void job_finish(struct job *job);

#endif
