#include "lab/bench/stored_times.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "lab/bench/candidate.h"
#include "store/noise.h"

/* Number of runs to search: a user who timed one rung many times has an older run with all rungs. */
enum { RUNS_MOST = 16 };

static bool is_usable(const struct measurement *measurement, const struct device *device)
{
    const unsigned threads = device->backend->kind == BACKEND_CPU ? (unsigned)omp_get_max_threads() : 0;
    return measurement->verdict == VERDICT_PASS && measurement->kind != MEASURED_PROBE && !measurement->cold &&
           measurement->threads == threads && measurement->phases[PHASE_COMPUTE].count > 0 &&
           strcmp(measurement->device_name, device->properties.name) == 0 &&
           strcmp(measurement->driver, device->properties.driver) == 0;
}

static bool has_two_rungs(const struct measurement_list *list, const struct device *device)
{
    const char *first = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *measurement = &list->items[i];
        if (!is_usable(measurement, device))
            continue;
        if (first && strcmp(first, measurement->rung) != 0)
            return true;
        first = measurement->rung;
    }
    return false;
}

static void read_run(struct stored_times *stored, const struct store_filter *filter, int64_t run)
{
    struct store_filter of_run = *filter;
    of_run.runs = &run;
    of_run.run_count = 1;
    of_run.all = true;
    measurement_list_free(&stored->list);
    stored->list = (struct measurement_list){0};
    store_measurements(stored->store, &of_run, &stored->list, NULL);
}

/* The run's measurements; read once per problem and device. */
static void read_problem(struct stored_times *stored, const char *problem, const struct device *device)
{
    struct store_run_list runs;
    const struct store_filter filter = {
        .machine = stored->machine, .problem = problem, .device = device->id, .most = RUNS_MOST};
    if (strcmp(stored->problem, problem) == 0 && strcmp(stored->device, device->id) == 0)
        return;
    snprintf(stored->problem, sizeof stored->problem, "%s", problem);
    snprintf(stored->device, sizeof stored->device, "%s", device->id);
    if (store_runs(stored->store, &filter, &runs, NULL) != STATUS_OK)
        return;
    bool is_found = false;
    for (size_t i = 0; i < runs.count && !is_found; i++) {
        read_run(stored, &filter, runs.items[i].id);
        is_found = has_two_rungs(&stored->list, device);
    }
    if (!is_found) {
        measurement_list_free(&stored->list);
        stored->list = (struct measurement_list){0};
    }
    store_run_list_free(&runs);
}

static double nanoseconds(void *context, const struct problem *problem, const struct device *device,
                          const struct rung *rung)
{
    struct stored_times *stored = context;
    struct candidate defaults = {.rung = rung};
    char text[PROBLEM_TEXT_MAX], parameters[128];
    if (!stored->store)
        return 0;
    read_problem(stored, problem_text(problem, text), device);
    if (rung_defaults(rung, problem, &defaults.parameters, NULL) != STATUS_OK)
        return 0;
    candidate_parameters(&defaults, parameters, sizeof parameters);
    for (size_t i = 0; i < stored->list.count; i++) {
        const struct measurement *measurement = &stored->list.items[i];
        if (is_usable(measurement, device) && strcmp(measurement->rung, rung->name) == 0 &&
            strcmp(measurement->parameters, parameters) == 0 && !measurement_is_void(measurement))
            return measurement_summary(measurement, PHASE_COMPUTE).median;
    }
    return 0;
}

void stored_times_borrow(struct stored_times *stored, struct store *store)
{
    *stored = (struct stored_times){.times = {.nanoseconds = nanoseconds, .context = stored}};
    if (store && store_this_machine(store, &stored->machine, NULL) == STATUS_OK)
        stored->store = store;
}

void stored_times_open(struct stored_times *stored, const char *path)
{
    struct store *store;
    if (store_open_to_read(path, &store, NULL) != STATUS_OK)
        store = NULL;
    stored_times_borrow(stored, store);
    if (store && !stored->store)
        store_close(store);
    stored->owns_store = stored->store != NULL;
}

void stored_times_close(struct stored_times *stored)
{
    measurement_list_free(&stored->list);
    if (stored->owns_store)
        store_close(stored->store);
    *stored = (struct stored_times){0};
}
