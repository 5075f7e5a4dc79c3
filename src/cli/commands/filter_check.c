#include "cli/commands/filter_check.h"

#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "base/text.h"
#include "kernels/kernel.h"
#include "store/ceiling.h"

enum { NAMES_MOST = 512 };

/* The kinds of stored measurement that are not kernels. */
static const char *const others[] = {"bandwidth", "peers", "memory", "overlap", "accuracy", CEILING_KERNEL};

static enum status is_stored(struct store *store, const struct store_filter *filter, bool *stored, struct error *error)
{
    struct store_filter one = *filter;
    struct store_run_list runs;
    *stored = false;
    if (!store)
        return STATUS_OK;
    one.most = 1;
    enum status status = store_runs(store, &one, &runs, error);
    if (status != STATUS_OK)
        return status;
    *stored = runs.count > 0;
    store_run_list_free(&runs);
    return STATUS_OK;
}

static bool is_other(const char *kernel)
{
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (strcmp(kernel, others[i]) == 0)
            return true;
    return false;
}

/* The kernel or problem as this program knows it. */
static enum status is_target(const struct store_filter *filter, const char *kernel, struct error *error)
{
    struct problem problem;
    if (is_other(kernel))
        return STATUS_OK;
    if (filter->problem)
        return problem_parse(filter->problem, &problem, error);
    return kernel_by_name(kernel, error) ? STATUS_OK : STATUS_INVALID;
}

/* The rung on any ladder. */
static enum status is_any_rung(const char *name, struct error *error)
{
    const char *names[NAMES_MOST];
    size_t name_count = 0;
    for (size_t k = 0; kernels[k]; k++) {
        const struct rung *const *rungs;
        size_t count;
        enum status status = kernel_rungs(kernels[k], &rungs, &count, error);
        if (status != STATUS_OK)
            return status;
        for (size_t i = 0; i < count && name_count < NAMES_MOST; i++) {
            if (strcmp(rungs[i]->name, name) == 0)
                return STATUS_OK;
            names[name_count++] = rungs[i]->name;
        }
    }
    const char *closest = text_closest(name, names, name_count);
    if (closest)
        return fail(error, STATUS_INVALID, "there is no rung '%.100s'; did you mean '%s'?", name, closest);
    return fail(error, STATUS_INVALID, "there is no rung '%.100s'; 'uskor list KERNEL' shows a kernel's", name);
}

/* The rung under its present name; any rung, for measurements that are not kernels. */
static enum status is_rung(const char *name, const char *kernel_name, struct error *error)
{
    if (!*kernel_name)
        return is_any_rung(name, error);
    const struct kernel *kernel = kernel_by_name(kernel_name, NULL);
    return !kernel || rung_by_name(kernel, name, error) ? STATUS_OK : STATUS_INVALID;
}

/* `status` is what this program says of the choice; the store has the last word. */
static enum status or_stored(enum status status, struct store *store, const struct store_filter *filter,
                             struct error *error)
{
    struct error of_store;
    bool stored = false;
    if (status != STATUS_INVALID)
        return status;
    enum status asked = is_stored(store, filter, &stored, &of_store);
    if (asked != STATUS_OK) {
        *error = of_store;
        return asked;
    }
    return stored ? STATUS_OK : status;
}

enum status filter_check_choice(struct store *store, const struct store_filter *filter, struct error *error)
{
    char kernel[64] = "";
    struct store_filter target = {.kernel = filter->kernel, .problem = filter->problem};
    const char *named = filter->problem ? filter->problem : filter->kernel ? filter->kernel : "";
    enum status status = STATUS_OK;
    snprintf(kernel, sizeof kernel, "%.*s", (int)strcspn(named, ":"), named);
    if (*named)
        status = or_stored(is_target(filter, kernel, error), store, &target, error);
    if (status != STATUS_OK || !filter->rung)
        return status;
    struct store_filter rung = {.kernel = *kernel ? kernel : NULL, .rung = filter->rung};
    return or_stored(is_rung(filter->rung, kernel, error), store, &rung, error);
}
