#include "choice/tuning_problems.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "choice/tuned.h"

static const char *const ranges[] = {
#define RANGE(text) text,
#include "choice/tuning_problems.def"
#undef RANGE
};

/* The most that a problem moves and does, so that a slow rung takes a second or so. */
static const struct {
    double bytes, operations;
} limits[] = {
    [TUNED_CPU] = {128e6, 1e9},
    [TUNED_CUDA] = {2e9, 3e11},
    [TUNED_OPENCL] = {2e9, 3e11},
    [TUNED_OPENCL_CPU] = {16e6, 1e8},
};

static bool is_small(const struct problem *problem, enum tuned_kind kind)
{
    const struct cost cost = problem->kernel->cost(problem);
    return kind < TUNED_KIND_COUNT && cost.bytes_read + cost.bytes_written <= limits[kind].bytes &&
           cost.operations <= limits[kind].operations;
}

struct collected {
    struct problem *items;
    size_t count;
};

static enum status collect(const char *range, enum tuned_kind kind, struct collected *all, struct error *error)
{
    struct problem *problems;
    size_t count;
    enum status status = problem_parse_range(range, &problems, &count, error);
    if (status != STATUS_OK)
        return status;
    struct problem *items = realloc(all->items, (all->count + count + 1) * sizeof *items);
    if (items) {
        all->items = items;
        for (size_t i = 0; i < count; i++)
            if (is_small(&problems[i], kind))
                items[all->count++] = problems[i];
    }
    free(problems);
    return items ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "no memory for %zu problems", all->count + count);
}

static size_t common_divisor(size_t a, size_t b)
{
    while (b > 0) {
        const size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* A step that visits every place once, about the golden section of all: neighbours in the list are far apart in time.
 */
static void mix(struct collected *all)
{
    struct problem *mixed = all->count ? calloc(all->count, sizeof *mixed) : NULL;
    size_t step = (size_t)(0.618034 * (double)all->count);
    while (step > 1 && common_divisor(step, all->count) != 1)
        step--;
    for (size_t i = 0; mixed && i < all->count; i++)
        mixed[i] = all->items[i * (step ? step : 1) % all->count];
    if (mixed) {
        free(all->items);
        all->items = mixed;
    }
}

enum status tuning_problems(const struct kernel *only, const struct device *device, struct problem **problems,
                            size_t *count, struct error *error)
{
    struct collected all = {NULL, 0};
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < COUNT_OF(ranges); i++)
        if (!only || (strncmp(ranges[i], only->name, strlen(only->name)) == 0 && ranges[i][strlen(only->name)] == ':'))
            status = collect(ranges[i], tuned_kind_of(device), &all, error);
    if (status != STATUS_OK) {
        free(all.items);
        return status;
    }
    mix(&all);
    *problems = all.items;
    *count = all.count;
    return STATUS_OK;
}
