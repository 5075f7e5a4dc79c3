#include "choice/choose_rung.h"

#include <string.h>

#include "base/pool.h"
#include "choice/tunables.h"

/* ---- the order in which rungs are asked ------------------------------------------------------------------------- */

struct order {
    const struct rung *rungs[KERNEL_RUNGS_MAX];
    const char *tunables[KERNEL_RUNGS_MAX]; /* "": the defaults */
    size_t count;
};

static void append(struct order *order, const struct rung *rung, const char *tunables)
{
    for (size_t i = 0; i < order->count; i++)
        if (order->rungs[i] == rung)
            return;
    if (order->count == KERNEL_RUNGS_MAX)
        return;
    order->tunables[order->count] = tunables;
    order->rungs[order->count++] = rung;
}

static const struct rung *find(const struct rung *const *rungs, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(rungs[i]->name, name) == 0)
            return rungs[i];
    return NULL;
}

static int threads_on(const struct device *device)
{
    return device->backend->kind == BACKEND_CPU ? (int)pool_threads() : 0;
}

/* The rungs that may serve the device. For the cpu no device rung's file is read. */
static enum status candidates(const struct kernel *kernel, const struct device *device,
                              const struct rung *of_host[KERNEL_RUNGS_MAX], const struct rung *const **rungs,
                              size_t *count, struct error *error)
{
    if (device->backend->kind != BACKEND_CPU)
        return kernel_rungs(kernel, rungs, count, error);
    *rungs = of_host;
    *count = kernel_host_rungs(kernel, of_host);
    return STATUS_OK;
}

static enum status make_order(const struct problem *problem, const struct device *device, int threads,
                              enum tuned_lines lines, struct order *order, struct error *error)
{
    const struct rung *of_host[KERNEL_RUNGS_MAX], *const *rungs;
    size_t count;
    struct prediction predictions[KERNEL_RUNGS_MAX];
    enum status status = candidates(problem->kernel, device, of_host, &rungs, &count, error);
    if (status != STATUS_OK)
        return status;
    const char *own = problem->kernel->choose ? problem->kernel->choose(problem, device) : NULL;
    const struct rung *named = own ? find(rungs, count, own) : NULL;
    if (named)
        append(order, named, "");
    const size_t predicted = predict(problem, device, threads, rungs,
                                     count < KERNEL_RUNGS_MAX ? count : KERNEL_RUNGS_MAX, lines, predictions);
    for (size_t i = 0; i < predicted; i++)
        append(order, predictions[i].rung, predictions[i].tunables);
    for (size_t i = count; i-- > 0;)
        append(order, rungs[i], "");
    return STATUS_OK;
}

/* ---- choosing --------------------------------------------------------------------------------------------------- */

/* With the tunables that were measured, if it takes the problem with them; else with its defaults. STATUS_UNAVAILABLE,
 * and why not in `reason`, which stays as it is where the rung is of another kind. */
static enum status consider(const struct rung *rung, const char *tunables, const struct problem *problem,
                            const struct device *device, struct rung_choice *choice, char *reason, size_t size,
                            struct error *error)
{
    enum rung_kind wanted = device->backend->kind == BACKEND_CPU ? RUNG_HOST : RUNG_DEVICE;
    struct rung_choice made = {.rung = rung};
    if (rung->kind != wanted)
        return STATUS_UNAVAILABLE;
    enum status status = rung_defaults(rung, problem, &made.parameters, error);
    if (status != STATUS_OK)
        return status;
    const struct parameters defaults = made.parameters;
    const bool is_tuned = *tunables && tunables_apply(tunables, rung, &made.parameters);
    if (is_tuned && rung_refuses(rung, problem, device, &made.parameters, reason, size))
        made.parameters = defaults;
    if (rung_refuses(rung, problem, device, &made.parameters, reason, size))
        return STATUS_UNAVAILABLE;
    *choice = made;
    return STATUS_OK;
}

/* A rung that this device is known to run faster than the chosen one. */
static enum status improve(const struct order *order, const struct problem *problem, const struct device *device,
                           const struct rung_times *times, struct rung_choice *choice, struct error *error)
{
    double best = times ? times->nanoseconds(times->context, problem, device, choice->rung) : 0;
    for (size_t i = 0; times && best > 0 && i < order->count; i++) {
        char reason[512];
        double time = times->nanoseconds(times->context, problem, device, order->rungs[i]);
        if (!(time > 0 && time < best))
            continue;
        enum status status =
            consider(order->rungs[i], order->tunables[i], problem, device, choice, reason, sizeof reason, error);
        if (status == STATUS_OK)
            best = time;
        else if (status != STATUS_UNAVAILABLE)
            return status;
    }
    return STATUS_OK;
}

/* The first of the order that does not refuse. */
static enum status first(const struct order *order, const struct problem *problem, const struct device *device,
                         struct rung_choice *choice, struct error *error)
{
    char reason[512] = "the ladder has no rung for it", text[PROBLEM_TEXT_MAX];
    for (size_t i = 0; i < order->count; i++) {
        const enum status status =
            consider(order->rungs[i], order->tunables[i], problem, device, choice, reason, sizeof reason, error);
        if (status != STATUS_UNAVAILABLE)
            return status;
    }
    return fail(error, STATUS_UNAVAILABLE, "%s cannot run on %s: %s", problem_text(problem, text), device->id, reason);
}

/* The shipped lines choose as well. Where they say otherwise, the user's own have to bear out the difference: a few
 * lines, each measured once, would else replace many. */
static enum status choose(const struct problem *problem, const struct device *device, int threads,
                          const struct rung_times *times, struct rung_choice *choice, struct error *error)
{
    struct order order = {.count = 0}, shipped = {.count = 0};
    enum status status = make_order(problem, device, threads, LINES_ALL, &order, error);
    if (status == STATUS_OK)
        status = first(&order, problem, device, choice, error);
    if (status == STATUS_OK && tuned_has_own(problem->kernel, tuned_kind_of(device))) {
        struct rung_choice other;
        status = make_order(problem, device, threads, LINES_SHIPPED, &shipped, error);
        if (status == STATUS_OK)
            status = first(&shipped, problem, device, &other, error);
        if (status == STATUS_OK && other.rung != choice->rung &&
            !predict_is_borne_out(problem, device, threads, choice->rung, other.rung))
            *choice = other;
    }
    return status == STATUS_OK ? improve(&order, problem, device, times, choice, error) : status;
}

enum status choose_rung(const struct problem *problem, const struct device *device, const struct rung_times *times,
                        struct rung_choice *choice, struct error *error)
{
    return choose(problem, device, threads_on(device), times, choice, error);
}

enum status choose_rung_for_any_threads(const struct problem *problem, const struct device *device,
                                        struct rung_choice *choice, struct error *error)
{
    return choose(problem, device, threads_on(device) ? 1 : 0, NULL, choice, error);
}

size_t choose_predictions(const struct problem *problem, const struct device *device, struct prediction *predictions,
                          size_t most)
{
    const struct rung *of_host[KERNEL_RUNGS_MAX], *const *rungs;
    struct prediction all[KERNEL_RUNGS_MAX];
    size_t count, made = 0;
    if (candidates(problem->kernel, device, of_host, &rungs, &count, NULL) != STATUS_OK)
        return 0;
    count = predict(problem, device, threads_on(device), rungs, count < KERNEL_RUNGS_MAX ? count : KERNEL_RUNGS_MAX,
                    LINES_ALL, all);
    for (size_t i = 0; i < count && made < most; i++) {
        struct rung_choice choice;
        char reason[512];
        if (consider(all[i].rung, all[i].tunables, problem, device, &choice, reason, sizeof reason, NULL) == STATUS_OK)
            predictions[made++] = all[i];
    }
    return made;
}
