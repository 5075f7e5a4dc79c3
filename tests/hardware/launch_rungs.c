/* Runs each device rung of the given problems once, on cuda:0, for a profiler to look at:
 *   launch_rungs PROBLEM…
 *   launch_rungs [OPTION]… {--file FILE PROBLEM}…     the kernel in a user's file
 *   launch_rungs [OPTION]… {--rung RUNG… PROBLEM}…    these rungs in turn, or a vendor's, on the same arrays, as long
 * as problems have the same text
 * --time: times too, with a line more: "time", rung, microseconds (median, least and most of nine batches), and how the
 * rung ran;
 * --set NAME=VALUE: a tunable of the next problem's rung;
 * --runs N: so many runs of each rung, one behind another, in the profiler's range;
 * --batch MS: how long one batch lasts, so that a power meter beside it sees one rung only; --zeros: arrays of zeros.
 * Each rung's run is a range of the profiler's (cuProfilerStart, cuProfilerStop). Writes a line for each launch, in
 * their order: problem, rung, kernel function, groups and group. What a rung computes is not looked at here: 'uskor
 * check' does that. tools/explain-accuracy uses it. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "judge/user_rung.h"
#include "kernels/kernel.h"
#include "kernels/prepared_run.h"

#define RUNGS_MOST 8

static struct {
    const char *file, *rungs[RUNGS_MOST]; /* of the next problem */
    size_t rung_count;
    bool is_timed, is_zero;
    int runs;
    double batch_ns;
    const char *set[TUNABLES_MAX]; /* NAME=VALUE */
    size_t set_count;
} options = {.batch_ns = 4e6, .runs = 1};

struct stage {
    const struct problem *problem;
    const struct rung *rung;
    struct device *device;
    struct array arrays[KERNEL_ARRAYS_MAX];
    int array_count;
    struct buffer buffers[KERNEL_ARRAYS_MAX];
};

/* ---- launches are written down on their way to the backend ---- */

static const struct backend *real;
static struct backend wrapped;
static const struct stage *current; /* NULL: launches are not written down */

static enum status note_launch(struct program *program, const struct launch *launch, struct error *error)
{
    char text[PROBLEM_TEXT_MAX];
    if (current)
        printf("%s\t%s\t%s\t%zu %zu %zu\t%zu %zu %zu\n", problem_text(current->problem, text), current->rung->name,
               launch->entry, launch->groups[0], launch->groups[1], launch->groups[2], launch->group[0],
               launch->group[1], launch->group[2]);
    return real->launch(program, launch, error);
}

static void listen(struct device *device)
{
    real = device->backend;
    wrapped = *real;
    wrapped.launch = note_launch;
    device->backend = &wrapped;
}

/* ---- one rung ---- */

/* A function of the driver without arguments; a profiler that is not there does not mind. */
static void tell_profiler(const char *name)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW), *symbol = driver ? dlsym(driver, name) : NULL;
    int (*function)(void) = NULL;
    memcpy(&function, &symbol, sizeof function);
    if (function)
        function();
}

static enum status fill_buffers(struct stage *stage, struct error *error)
{
    struct host_arrays host = {{NULL}};
    enum status status = kernel_describe(stage->problem, stage->arrays, &stage->array_count, error);
    for (int i = 0; status == STATUS_OK && i < stage->array_count; i++) {
        host.data[i] = calloc(1, stage->arrays[i].bytes + 1);
        status = host.data[i] ? buffer_allocate(stage->device, stage->arrays[i].bytes, &stage->buffers[i], error)
                              : fail(error, STATUS_UNAVAILABLE, "no memory");
    }
    if (status == STATUS_OK && !options.is_zero)
        stage->problem->kernel->fill(stage->problem, stage->arrays, host);
    for (int i = 0; i < stage->array_count; i++) {
        if (status == STATUS_OK)
            status = buffer_write(&stage->buffers[i], 0, host.data[i], stage->arrays[i].bytes, error);
        free(host.data[i]);
    }
    return status;
}

#define BATCHES 9

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Launches back to back, without the host between them; the median of several batches, for one run. */
static enum status time_runs(struct prepared_run *prepared, struct device *device, struct error *error)
{
    double ns[BATCHES], once = 0;
    enum status status = STATUS_OK;
    current = NULL;
    for (int batch = -1; status == STATUS_OK && batch < BATCHES; batch++) {
        int runs = batch < 0 || once > options.batch_ns ? 1 : (int)(options.batch_ns / once) + 1;
        int64_t begin = clock_now();
        for (int i = 0; status == STATUS_OK && i < runs; i++)
            status = prepared_run_enqueue(prepared, error);
        if (status == STATUS_OK)
            status = device_synchronize(device, error);
        once = (double)(clock_now() - begin) / runs;
        if (batch >= 0)
            ns[batch] = once;
    }
    if (status == STATUS_OK) {
        qsort(ns, BATCHES, sizeof *ns, compare);
        printf("time\t%s\t%.2f\t%.2f\t%.2f\t%s\n", prepared->run.rung->name, ns[BATCHES / 2] / 1e3, ns[0] / 1e3,
               ns[BATCHES - 1] / 1e3, prepared->run.detail);
    }
    return status;
}

static enum status set_tunables(const struct rung *rung, struct parameters *parameters, struct error *error)
{
    for (size_t i = 0; i < options.set_count; i++) {
        const char *set = options.set[i];
        const size_t length = strcspn(set, "=");
        size_t at = 0;
        while (at < rung->tunable_count &&
               (strlen(rung->tunables[at].name) != length || strncmp(rung->tunables[at].name, set, length) != 0))
            at++;
        if (at == rung->tunable_count || set[length] != '=')
            return fail(error, STATUS_INVALID, "%s: not a tunable of %s", set, rung->name);
        parameters->values[at] = atoll(set + length + 1);
    }
    return STATUS_OK;
}

static enum status run_rung(struct stage *stage, struct error *error)
{
    struct prepared_run prepared = {.is_prepared = false};
    struct parameters parameters;
    struct buffer scratch = {.device = NULL};
    char reason[512];
    enum status status = rung_defaults(stage->rung, stage->problem, &parameters, error);
    if (status == STATUS_OK)
        status = set_tunables(stage->rung, &parameters, error);
    if (status != STATUS_OK)
        return status;
    const char *refusal = rung_refuses(stage->rung, stage->problem, stage->device, &parameters, reason, sizeof reason);
    if (refusal)
        return fail(error, STATUS_UNAVAILABLE, "%s: %s", stage->rung->name, refusal);
    status = prepared_run_plan(&prepared, stage->rung, stage->problem, stage->device, &parameters, error);
    if (status == STATUS_OK && prepared.scratch_bytes)
        status = buffer_allocate(stage->device, prepared.scratch_bytes, &scratch, error);
    if (status == STATUS_OK)
        status = prepared_run_make(&prepared, stage->arrays, stage->array_count, stage->buffers, &scratch, error);
    if (status == STATUS_OK)
        status = device_synchronize(stage->device, error);
    if (status == STATUS_OK) {
        tell_profiler("cuProfilerStart");
        for (int i = 0; status == STATUS_OK && i < options.runs; i++)
            status = prepared_run_enqueue(&prepared, error);
        if (status == STATUS_OK)
            status = device_synchronize(stage->device, error);
        tell_profiler("cuProfilerStop");
    }
    if (status == STATUS_OK && options.is_timed)
        status = time_runs(&prepared, stage->device, error);
    prepared_run_finish(&prepared);
    buffer_release(&scratch);
    return status;
}

static void leave_stage(struct stage *stage)
{
    for (int i = 0; i < KERNEL_ARRAYS_MAX; i++)
        buffer_release(&stage->buffers[i]);
}

/* Makes the problem's arrays, unless the stage has them. */
static enum status enter_stage(struct stage *stage, const struct problem *problem, struct device *device,
                               struct error *error)
{
    char before[PROBLEM_TEXT_MAX] = "", text[PROBLEM_TEXT_MAX];
    if (stage->problem)
        problem_text(stage->problem, before);
    if (strcmp(before, problem_text(problem, text)) == 0)
        return STATUS_OK;
    leave_stage(stage);
    static struct problem kept;
    kept = *problem;
    *stage = (struct stage){.problem = &kept, .device = device};
    return fill_buffers(stage, error);
}

/* All device rungs of the problem, or `count` that are given. */
static bool run_problem(struct device *device, struct stage *stage, const struct problem *problem,
                        const struct rung *const *rungs, size_t count)
{
    struct error error;
    const bool all = count == 0;
    enum status status = all ? kernel_rungs(problem->kernel, &rungs, &count, &error) : STATUS_OK;
    if (status == STATUS_OK)
        status = enter_stage(stage, problem, device, &error);
    bool is_done = status == STATUS_OK;
    if (!is_done)
        fprintf(stderr, "%s\n", error.text);
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        stage->rung = rungs[i];
        current = stage;
        if ((!all || rungs[i]->kind == RUNG_DEVICE) && run_rung(stage, &error) != STATUS_OK) {
            fprintf(stderr, "%s\n", error.text);
            is_done = false;
        }
    }
    current = NULL;
    return is_done;
}

/* A file's rung; files for a device may be read one after another. NULL: it cannot be, as was said. */
static const struct rung *read_file(const char *path, const struct problem *problem)
{
    const struct user_rung_options none = {.entry = NULL};
    struct user_rung user;
    struct error error;
    if (user_rung_read(problem->kernel, path, problem->type, &none, &user, &error) == STATUS_OK)
        return user.rung;
    fprintf(stderr, "%s\n", error.text);
    return NULL;
}

static const struct rung *named_rung(const char *name, const struct problem *problem)
{
    const struct rung *const *rungs;
    size_t count;
    struct error error;
    if (kernel_rungs(problem->kernel, &rungs, &count, &error) != STATUS_OK) {
        fprintf(stderr, "%s\n", error.text);
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        if (strcmp(rungs[i]->name, name) == 0)
            return rungs[i];
    fprintf(stderr, "no rung '%s'\n", name);
    return NULL;
}

/* Whether the argument was an option; `at` is moved past its value. */
static bool read_option(char **arguments, int count, int *at)
{
    const char *name = arguments[*at], *value = *at + 1 < count ? arguments[*at + 1] : NULL;
    if (strcmp(name, "--time") == 0)
        options.is_timed = true;
    else if (strcmp(name, "--zeros") == 0)
        options.is_zero = true;
    else if (value && strcmp(name, "--file") == 0)
        options.file = arguments[++*at];
    else if (value && strcmp(name, "--rung") == 0 && options.rung_count < RUNGS_MOST)
        options.rungs[options.rung_count++] = arguments[++*at];
    else if (value && strcmp(name, "--runs") == 0)
        options.runs = atoi(arguments[++*at]);
    else if (value && strcmp(name, "--batch") == 0)
        options.batch_ns = atof(arguments[++*at]) * 1e6;
    else if (value && strcmp(name, "--set") == 0 && options.set_count < TUNABLES_MAX)
        options.set[options.set_count++] = arguments[++*at];
    else
        return false;
    return true;
}

int main(int count, char **arguments)
{
    struct device *device;
    struct error error;
    struct stage stage = {.problem = NULL};
    bool is_done = true;
    if (device_open("cuda:0", &device, &error) != STATUS_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 3;
    }
    listen(device);
    for (int i = 1; i < count; i++) {
        struct problem problem;
        if (read_option(arguments, count, &i))
            continue;
        if (problem_parse(arguments[i], &problem, &error) != STATUS_OK) {
            fprintf(stderr, "%s\n", error.text);
            return 2;
        }
        const struct rung *rungs[RUNGS_MOST];
        const size_t given = options.file ? 1 : options.rung_count;
        for (size_t r = 0; r < given; r++) {
            rungs[r] = options.file ? read_file(options.file, &problem) : named_rung(options.rungs[r], &problem);
            if (!rungs[r])
                return 2;
        }
        is_done = run_problem(device, &stage, &problem, rungs, given) && is_done;
        options.file = NULL;
        options.set_count = options.rung_count = 0;
        fflush(stdout);
    }
    leave_stage(&stage);
    device->backend = real;
    device_close(device);
    return is_done ? 0 : 1;
}
