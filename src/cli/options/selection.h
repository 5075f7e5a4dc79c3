/* Which devices and rungs a command works with: --device and --rung, each any number of times. */
#pragma once

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "cli/options/options.h"
#include "kernels/kernel.h"
#include "lab/bench/candidate.h"

#define SELECTION_MAX 32
#define SELECTION_CHOICE "chosen"

struct selection {
    const char *device_names[SELECTION_MAX];
    size_t device_name_count;
    char chosen_names[SELECTION_MAX][32]; /* of devices that the command itself chose */
    const char *rung_names[SELECTION_MAX];
    size_t rung_name_count;
    bool filters; /* only rungs whose names `filter` matches */
    regex_t filter;
    bool wants_choice;   /* SELECTION_CHOICE is among the names: the one that choose_rung takes */
    bool rehearses_once; /* only the first OpenCL device on a CPU, unless devices are named */
    struct overrides overrides;
    struct device *devices[SELECTION_MAX]; /* open */
    size_t device_count;
};

enum status selection_add_device(struct selection *selection, const char *name, struct error *error);
enum status selection_add_rung(struct selection *selection, const char *name, struct error *error);

/* An extended regular expression over rungs' names; a later one replaces it. */
enum status selection_set_filter(struct selection *selection, const char *text, struct error *error);

/* Opens the devices named, each once, or every device of the machine when none is, but null, and OpenGL's,
 * which are those of the other backends once more. STATUS_UNAVAILABLE when
 * nothing opens. */
enum status selection_open(struct selection *selection, struct error *error);
void selection_close(struct selection *selection);

/* The kernel's rungs that are named, or all, in ladder order, into `rungs`. */
enum status selection_rungs(const struct selection *selection, const struct kernel *kernel, const struct rung *rungs[],
                            size_t most, size_t *count, struct error *error);

/* Whether the rung runs on the device: its backend is right, or both were named by the user (then it is a SKIP with its
 * reason). */
bool selection_belongs(const struct selection *selection, const struct rung *rung, const struct device *device);

/* Rungs × devices that belong together: see above; every device rung meets the null device. The caller frees
 * *candidates with free(). */
enum status selection_candidates(const struct selection *selection, const struct problem *problem,
                                 struct candidate **candidates, size_t *count, struct error *error);

/* Whether the device plays a GPU on a CPU's cores. */
bool device_rehearses(const struct device *device);

/* Whether the kernel has every rung and parameter that was chosen: STATUS_INVALID names the one it lacks. */
enum status selection_fits(const struct selection *selection, const struct kernel *kernel, struct error *error);

/* Rows of options are read by these, into a struct selection (options.h): --device, --rung, --filter, --set. */
void selection_read_device(void *selection, const char *argument, const struct options_state *state);
void selection_read_rung(void *selection, const char *argument, const struct options_state *state);
void selection_read_filter(void *selection, const char *argument, const struct options_state *state);
void selection_read_set(void *selection, const char *argument, const struct options_state *state);
