#include "kernels/choose_rung.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "kernels/rung_costs.h"

enum { RUNGS_MAX = 64 };

/* ---- how far a measured problem is ---------------------------------------------------------------------------- */

/* The distance of two problems, in doublings of a side. Word alignment weighs most, then the element size: by these two
 * the ladders' rungs differ. */
#define OTHER_ROWS 20.0    /* for each array: rows that are whole words here, and are not there */
#define OTHER_ELEMENTS 8.0 /* for each doubling of their size */
#define OTHER_OPTION 4.0
#define OTHER_TYPE 2.0
#define OTHER_PLACE 1e6 /* after all of the device's own kind */

#define WORD_BYTES 8

static double doublings(size_t a, size_t b)
{
    return fabs(log2((double)(a > 0 ? a : 1)) - log2((double)(b > 0 ? b : 1)));
}

/* A vector has one row: nothing follows it. */
static bool has_whole_words(const struct array *array)
{
    return array->rows <= 1 || array->cols * element_info(array->type)->bytes % WORD_BYTES == 0;
}

static double array_distance(const struct array *a, const struct array *b)
{
    return doublings(a->rows, b->rows) + doublings(a->cols, b->cols) +
           (has_whole_words(a) == has_whole_words(b) ? 0 : OTHER_ROWS);
}

static double distance(const struct problem *a, const struct problem *b)
{
    struct array of_a[KERNEL_ARRAYS_MAX], of_b[KERNEL_ARRAYS_MAX];
    int count_a, count_b;
    if (kernel_describe(a, of_a, &count_a, NULL) != STATUS_OK || kernel_describe(b, of_b, &count_b, NULL) != STATUS_OK)
        return INFINITY;
    double far = OTHER_ELEMENTS * doublings(element_info(a->type)->bytes, element_info(b->type)->bytes) +
                 (a->type == b->type ? 0 : OTHER_TYPE);
    for (int i = 0; i < count_a && i < count_b; i++)
        far += array_distance(&of_a[i], &of_b[i]);
    for (size_t i = 0; i < a->kernel->field_count; i++)
        if (a->kernel->fields[i].kind == FIELD_CHOICE && a->values[i].size != b->values[i].size)
            far += OTHER_OPTION;
    return far;
}

/* ---- the measured problems, nearest first ---------------------------------------------------------------------- */

static enum rung_place place_of(const struct device *device)
{
    switch (device->backend->kind) {
    case BACKEND_CPU:
        return PLACE_CPU;
    case BACKEND_CUDA:
        return PLACE_CUDA;
    case BACKEND_OPENCL:
        return device->properties.is_cpu ? PLACE_OPENCL_CPU : PLACE_OPENCL;
    default:
        return PLACE_COUNT;
    }
}

static bool is_gpu(enum rung_place place)
{
    return place == PLACE_CUDA || place == PLACE_OPENCL;
}

struct near {
    const struct rung_cost *cost;
    double distance;
};

static int compare_near(const void *a, const void *b)
{
    const struct near *first = a, *second = b;
    if (first->distance != second->distance)
        return first->distance < second->distance ? -1 : 1;
    return first->cost < second->cost ? -1 : first->cost > second->cost; /* as the table has them */
}

static size_t list_near(const struct problem *problem, enum rung_place place, struct near near[RUNG_COSTS_MAX])
{
    size_t count = 0;
    for (const struct rung_cost *cost = rung_costs(); cost->rungs; cost++) {
        bool is_kin = is_gpu(place) && is_gpu(cost->place);
        if (cost->problem.kernel != problem->kernel || (cost->place != place && !is_kin))
            continue;
        double far = distance(problem, &cost->problem) + (cost->place == place ? 0 : OTHER_PLACE);
        if (isfinite(far))
            near[count++] = (struct near){cost, far};
    }
    qsort(near, count, sizeof near[0], compare_near);
    return count;
}

/* ---- the order in which rungs are asked ------------------------------------------------------------------------- */

struct order {
    const struct rung *rungs[RUNGS_MAX];
    size_t count;
};

static void append(struct order *order, const struct rung *rung)
{
    for (size_t i = 0; i < order->count; i++)
        if (order->rungs[i] == rung)
            return;
    if (order->count < RUNGS_MAX)
        order->rungs[order->count++] = rung;
}

static const struct rung *find(const struct rung *const *rungs, size_t count, const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(rungs[i]->name, name, length) == 0 && rungs[i]->name[length] == '\0')
            return rungs[i];
    return NULL;
}

/* "vector 1.00, shifted 1.59": a rung that the ladder no longer has is passed over. */
static void append_measured(struct order *order, const struct rung *const *rungs, size_t count, const char *text)
{
    while (*text) {
        const struct rung *rung = find(rungs, count, text, strcspn(text, " "));
        if (rung)
            append(order, rung);
        text += strcspn(text, ",");
        text += strspn(text, ", ");
    }
}

static enum status make_order(const struct problem *problem, const struct device *device, struct order *order,
                              struct error *error)
{
    const struct rung *const *rungs;
    size_t count;
    struct near near[RUNG_COSTS_MAX];
    enum status status = kernel_rungs(problem->kernel, &rungs, &count, error);
    if (status != STATUS_OK)
        return status;
    const char *own = problem->kernel->choose ? problem->kernel->choose(problem, device) : NULL;
    const struct rung *named = own ? find(rungs, count, own, strlen(own)) : NULL;
    if (named)
        append(order, named);
    size_t near_count = list_near(problem, place_of(device), near);
    for (size_t i = 0; i < near_count; i++)
        append_measured(order, rungs, count, near[i].cost->rungs);
    for (size_t i = count; i-- > 0;)
        append(order, rungs[i]);
    return STATUS_OK;
}

/* ---- choosing --------------------------------------------------------------------------------------------------- */

/* STATUS_UNAVAILABLE, and why not in `reason`, which stays as it is where the rung is of another kind. */
static enum status consider(const struct rung *rung, const struct problem *problem, const struct device *device,
                            struct rung_choice *choice, char *reason, size_t size, struct error *error)
{
    enum rung_kind wanted = device->backend->kind == BACKEND_CPU ? RUNG_HOST : RUNG_DEVICE;
    struct rung_choice made = {.rung = rung};
    if (rung->kind != wanted)
        return STATUS_UNAVAILABLE;
    enum status status = rung_defaults(rung, problem, &made.parameters, error);
    if (status != STATUS_OK)
        return status;
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
        enum status status = consider(order->rungs[i], problem, device, choice, reason, sizeof reason, error);
        if (status == STATUS_OK)
            best = time;
        else if (status != STATUS_UNAVAILABLE)
            return status;
    }
    return STATUS_OK;
}

enum status choose_rung(const struct problem *problem, const struct device *device, const struct rung_times *times,
                        struct rung_choice *choice, struct error *error)
{
    char reason[512] = "the ladder has no rung for it", text[PROBLEM_TEXT_MAX];
    struct order order = {.count = 0};
    enum status status = make_order(problem, device, &order, error);
    for (size_t i = 0; status == STATUS_OK && i < order.count; i++) {
        status = consider(order.rungs[i], problem, device, choice, reason, sizeof reason, error);
        if (status == STATUS_OK)
            return improve(&order, problem, device, times, choice, error);
        status = status == STATUS_UNAVAILABLE ? STATUS_OK : status;
    }
    return status != STATUS_OK ? status
                               : fail(error, STATUS_UNAVAILABLE, "%s cannot run on %s: %s", problem_text(problem, text),
                                      device->id, reason);
}
