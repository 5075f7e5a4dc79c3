/* One device's part of a problem, solved by the best rung for it there (choice/choose_rung.h). Rungs over devices are
 * built from it. */
#pragma once

#include "choice/choose_rung.h"
#include "kernels/prepared_run.h"

/* A zeroed one is empty. */
struct local_run {
    struct problem problem;
    struct array arrays[KERNEL_ARRAYS_MAX];
    int array_count;
    struct buffer buffers[KERNEL_ARRAYS_MAX]; /* views of the caller's memory */
    struct buffer scratch;                    /* owned */
    struct prepared_run prepared;
    double bound;                /* error bound, as the rung declares it; 0: none */
    const struct buffer *origin; /* local_run_read_from */
};

/* Chooses the rung, allocates its scratch memory and prepares it. `buffers` (one per array) are copied as views; the
 * caller keeps the memory. The run must not be moved. The caller finishes it, on failure too. */
enum status local_run_make(struct local_run *run, const struct problem *problem, struct device *device,
                           const struct buffer *buffers, struct error *error);

/* A tunable's value other than the default. It is ignored where the rung has no such tunable or refuses the value. */
struct local_setting {
    const char *name;
    int64_t value;
};

/* The same with a setting; NULL: none. */
enum status local_run_make_with(struct local_run *run, const struct problem *problem, struct device *device,
                                const struct buffer *buffers, const struct local_setting *setting, struct error *error);
/* The same with a rung that the caller chose. */
enum status local_run_make_chosen(struct local_run *run, const struct problem *problem, struct device *device,
                                  const struct buffer *buffers, const struct rung_choice *choice, struct error *error);
void local_run_finish(struct local_run *run);

/* From now on the run reads the input of its first array, which it changes, from `origin`, which stays unchanged: the
 * rung itself where it can (rung->takes_origin), elsewhere a copy before it. The caller keeps the memory. */
void local_run_read_from(struct local_run *run, const struct buffer *origin);

/* Enqueues the run in the device's selected queue; does nothing for an empty one. */
enum status local_run_enqueue(struct local_run *run, struct error *error);
