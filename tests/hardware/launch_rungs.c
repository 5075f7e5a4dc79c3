/* Runs each device rung of the given problems once, on cuda:0, for a profiler to look at: launch_rungs PROBLEM…
 * Each rung's run is a range of the profiler's (cuProfilerStart, cuProfilerStop). Writes a line for each launch, in
 * their order: problem, rung, kernel function, groups and group. What a rung computes is not looked at here: 'uskor
 * check' does that. tools/explain-accuracy uses it. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernel.h"
#include "kernels/prepared_run.h"

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
static const struct stage *current;

static enum status note_launch(struct program *program, const struct launch *launch, struct error *error)
{
    char text[PROBLEM_TEXT_MAX];
    printf("%s\t%s\t%s\t%zu %zu %zu\t%zu %zu %zu\n", problem_text(current->problem, text), current->rung->name,
           launch->entry, launch->groups[0], launch->groups[1], launch->groups[2], launch->group[0], launch->group[1],
           launch->group[2]);
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
    if (status == STATUS_OK)
        stage->problem->kernel->fill(stage->problem, stage->arrays, host);
    for (int i = 0; i < stage->array_count; i++) {
        if (status == STATUS_OK)
            status = buffer_write(&stage->buffers[i], 0, host.data[i], stage->arrays[i].bytes, error);
        free(host.data[i]);
    }
    return status;
}

static enum status run_rung(struct stage *stage, struct error *error)
{
    struct prepared_run prepared = {.is_prepared = false};
    struct parameters parameters;
    struct buffer scratch = {.device = NULL};
    char reason[512];
    enum status status = rung_defaults(stage->rung, stage->problem, &parameters, error);
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
        status = prepared_run_run(&prepared, error);
        tell_profiler("cuProfilerStop");
    }
    prepared_run_finish(&prepared);
    buffer_release(&scratch);
    return status;
}

static void run_problem(struct device *device, const struct problem *problem)
{
    struct error error;
    const struct rung *const *rungs;
    size_t count = 0;
    struct stage stage = {.problem = problem, .device = device};
    enum status status = kernel_rungs(problem->kernel, &rungs, &count, &error);
    if (status == STATUS_OK)
        status = fill_buffers(&stage, &error);
    if (status != STATUS_OK)
        fprintf(stderr, "%s\n", error.text);
    current = &stage;
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        stage.rung = rungs[i];
        if (rungs[i]->kind == RUNG_DEVICE && run_rung(&stage, &error) != STATUS_OK)
            fprintf(stderr, "%s\n", error.text);
    }
    current = NULL;
    for (int i = 0; i < KERNEL_ARRAYS_MAX; i++)
        buffer_release(&stage.buffers[i]);
}

int main(int count, char **arguments)
{
    struct device *device;
    struct error error;
    if (device_open("cuda:0", &device, &error) != STATUS_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 3;
    }
    listen(device);
    for (int i = 1; i < count; i++) {
        struct problem problem;
        if (problem_parse(arguments[i], &problem, &error) != STATUS_OK) {
            fprintf(stderr, "%s\n", error.text);
            return 2;
        }
        run_problem(device, &problem);
        fflush(stdout);
    }
    device->backend = real;
    device_close(device);
    return 0;
}
