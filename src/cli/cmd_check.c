/* uskor check: verify without timing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/translation.h"
#include "cli/command.h"
#include "cli/measuring.h"
#include "cli/options.h"
#include "judge/judge.h"
#include "lab/check.h"
#include "lab/interrupt.h"
#include "lab/overhead.h"

struct arguments {
    struct measuring measuring; /* first: where that is at hand, so is this */
    enum check_extent extent;
    struct judge judge;
};

static const char doc[] = N_(
    "Verify every rung on the sizes where rungs go wrong, and on every element size.\n\n"
    "A KERNEL stands for its awkward problems; a PROBLEM (transpose:rows=3,cols=5,u8) for itself. Without any, every "
    "kernel is "
    "checked. Outputs are poisoned before each run and stand between canaries; inputs must come out unchanged.");

enum {
    KEY_SMALL = 512,
    KEY_TINY,
};

static const struct argp_option options[] = {
    {"small", KEY_SMALL, NULL, 0, N_("Only sizes that sanitizers get through quickly"), 1},
    {"tiny", KEY_TINY, NULL, 0, N_("Only what simulated devices get through: fewer sizes, one type of each size"), 1},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    (void)argument;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->measuring;
        return 0;
    case KEY_SMALL:
    case KEY_TINY:
        arguments->extent = key == KEY_TINY ? CHECK_TINY : CHECK_SMALL;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {.options = options,
                                 .parser = parse,
                                 .args_doc = N_("[KERNEL|PROBLEM]…"),
                                 .doc = doc,
                                 .children = measuring_without_times};

#define RUNGS_MOST 64

/* The rungs that belong on this device, so that each is checked where it can run and listed once. */
static enum status check_on_device(struct measuring *measuring, const struct problem *problem, struct device *device,
                                   struct error *error)
{
    const struct rung *chosen[RUNGS_MOST], *fitting[RUNGS_MOST];
    size_t chosen_count, count = 0;
    enum status status =
        selection_rungs(&measuring->selection, problem->kernel, chosen, RUNGS_MOST, &chosen_count, error);
    for (size_t i = 0; status == STATUS_OK && i < chosen_count; i++)
        if (selection_belongs(&measuring->selection, chosen[i], device))
            fitting[count++] = chosen[i];
    if (status != STATUS_OK)
        return status;
    const struct overrides *overrides = &measuring->selection.overrides;
    if (isolation_wanted(&measuring->isolation, &device, 1, true))
        return judge_check(&((struct arguments *)measuring)->judge, problem, device, fitting, count, overrides,
                           &measuring->list, error);
    return lab_check(problem, device, fitting, count, overrides, &measuring->list, error);
}

static enum status check_problem_list(struct measuring *measuring, struct problem *problems, size_t count,
                                      struct error *error)
{
    enum status status = STATUS_OK;
    char text[PROBLEM_TEXT_MAX];
    for (size_t i = 0; i < count; i++) {
        if (measuring->has_seed)
            problems[i].seed = measuring->seed;
        for (size_t d = 0; status == STATUS_OK && d < measuring->selection.device_count; d++) {
            measuring_progress(NULL, problem_text(&problems[i], text), (double)i / (double)count);
            status = check_on_device(measuring, &problems[i], measuring->selection.devices[d], error);
        }
    }
    return status;
}

static enum status check_kernel(struct measuring *measuring, const struct kernel *kernel, enum check_extent extent,
                                struct error *error)
{
    struct problem *problems;
    size_t count;
    double overhead;
    /* The null device must fail the check, or no verdict below is worth anything. */
    enum status status = lab_overhead(kernel, &overhead, error);
    if (status == STATUS_OK || status == STATUS_UNAVAILABLE)
        status = check_problems(kernel, extent, &problems, &count, error);
    if (status != STATUS_OK)
        return status;
    status = check_problem_list(measuring, problems, count, error);
    free(problems);
    return status;
}

static enum status check_target(struct measuring *measuring, const char *target, enum check_extent extent,
                                struct error *error)
{
    if (!strchr(target, ':')) {
        const struct kernel *kernel = kernel_by_name(target, error);
        return kernel ? check_kernel(measuring, kernel, extent, error) : STATUS_INVALID;
    }
    struct problem *problems;
    size_t count;
    enum status status = problem_parse_range(target, &problems, &count, error);
    if (status != STATUS_OK)
        return status;
    status = check_problem_list(measuring, problems, count, error);
    free(problems);
    return status;
}

static void print_checks(FILE *stream, const struct measuring *measuring, struct style style)
{
    report_checks(stream, &measuring->list, style);
}

int cmd_check(int argc, char **argv)
{
    static struct arguments arguments;
    struct error error;
    measuring_init(&arguments.measuring);
    arguments.measuring.targets_most = SELECTION_MAX;
    arguments.measuring.keeps_nothing = true; /* nothing is timed */
    options_parse(&argp, argc, argv, &arguments);
    enum status status = comparator_self_test(&error);
    if (status == STATUS_OK)
        status = measuring_start(&arguments.measuring, &error);
    arguments.judge.limits.seconds = arguments.measuring.isolation.seconds;
    for (size_t i = 0; status == STATUS_OK && i < arguments.measuring.target_count; i++)
        status = check_target(&arguments.measuring, arguments.measuring.targets[i], arguments.extent, &error);
    for (size_t k = 0; status == STATUS_OK && !arguments.measuring.target_count && kernels[k]; k++)
        status = check_kernel(&arguments.measuring, kernels[k], arguments.extent, &error);
    judge_close(&arguments.judge);
    return measuring_end(&arguments.measuring, status, &error, print_checks);
}
