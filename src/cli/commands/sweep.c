/* uskor sweep: time one rung over values of its parameters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/translation.h"
#include "cli/command.h"
#include "cli/commands/tune_parts.h"
#include "cli/options/bench_session.h"
#include "cli/options/options.h"
#include "judge/user_rung.h"
#include "lab/bench/halving.h"
#include "lab/bench/sweep.h"

#define AXES_MOST TUNABLES_MAX
#define FINALISTS 8     /* of a search: these are verified, timed and shown */
#define POINTS_MOST 256 /* of a search without --over */

struct arguments {
    struct bench_session session;
    struct axis axes[AXES_MOST];
    size_t axis_count;
    bool halves;       /* --strategy=halving */
    const char *cache; /* --kernel-tuner; NULL: none */
    const char *file;  /* a user's own rung */
    struct user_rung user;
};

static const char doc[] =
    N_("Time one rung over values of its parameters: a table and a heat map with the best cell marked.\n\n"
       "For example, the group shapes of the naive transpose:\n\n"
       "  uskor sweep transpose:1024 --rung naive --over BX=1..1024 --over BY=1..1024\n"
       "  uskor sweep transpose --file mine.cl --over BX=8..32\n\n"
       "VALUES are FIRST..LAST (doubling), FIRST..LASTxFACTOR, FIRST..LAST+STEP, or a list A,B,C. Each "
       "combination is verified; those that the device does not allow are left out with their reason.");

static void add_axis(void *input, const char *argument, const struct options_state *state)
{
    struct arguments *arguments = input;
    struct axis *axis = &arguments->axes[arguments->axis_count];
    struct error error;
    if (arguments->axis_count == AXES_MOST)
        refuse_use(state, "more than %d parameters to sweep", AXES_MOST);
    if (axis_parse(argument, axis, &error) != STATUS_OK)
        refuse_use(state, "%s", error.text);
    for (size_t a = 0; a < arguments->axis_count; a++)
        if (strcmp(arguments->axes[a].name, axis->name) == 0)
            refuse_use(state, "--over: %s is given twice", axis->name);
    arguments->axis_count++;
}

static void read_strategy(void *input, const char *argument, const struct options_state *state)
{
    struct arguments *arguments = input;
    arguments->halves = strcmp(argument, "halving") == 0;
    if (!arguments->halves && strcmp(argument, "full") != 0)
        refuse_use(state, "--strategy: '%s' is neither full nor halving", argument);
}

static void check_usage(void *input, const struct options_state *state)
{
    struct arguments *arguments = input;
    if (!arguments->session.target_count || (!arguments->axis_count && !arguments->halves) ||
        arguments->session.selection.rung_name_count != (arguments->file ? 0 : 1))
        refuse_use(state, "a sweep needs a PROBLEM, one --rung (or --file) and at least one --over");
}

static const struct option options[] = {
    {"file", 0, N_("FILE"), N_("Sweep the kernel in this file, whose header names the parameters"),
     SETS_TEXT(struct arguments, file)},
    {"over", 'v', N_("NAME=VALUES"), N_("A parameter and its values (up to eight times)"), READ_BY(add_axis)},
    {"kernel-tuner", 0, N_("FILE"), N_("Write the times to FILE, a cache file of Kernel Tuner"),
     SETS_TEXT(struct arguments, cache)},
    {"strategy", 0, N_("full|halving"),
     N_("full (default): time every combination. halving: time all briefly and the faster half again, until 8 are left "
        "for the table. Without --over: all values that the rung offers, at most 256 combinations"),
     READ_BY(read_strategy)},
    {0},
};

static const struct usage usage = {
    .options = options,
    .check = check_usage,
    .args_doc = N_("PROBLEM"),
    .doc = doc,
    .shared = &measuring_judged,
};

static enum status sweep_device(struct arguments *arguments, const struct problem *problem, const struct rung *rung,
                                struct device *device, struct error *error)
{
    struct bench_session *session = &arguments->session;
    struct candidate *candidates;
    size_t count;
    enum status status = arguments->axis_count
                             ? sweep_candidates(device, rung, problem, &session->selection.overrides, arguments->axes,
                                                arguments->axis_count, &candidates, &count, error)
                             : halving_points(device, rung, problem, POINTS_MOST, &candidates, &count, error);
    if (status != STATUS_OK)
        return status;
    if (arguments->halves) {
        const size_t all = count;
        status = isolation_race(&session->isolation, &session->options, FINALISTS, problem, candidates, &count, error);
        if (status == STATUS_OK && count == 0)
            status = fail(error, STATUS_UNAVAILABLE, "rung '%s' runs with none of %zu combinations on %s", rung->name,
                          all, device->id);
    }
    if (status == STATUS_OK)
        status =
            isolation_bench(&session->isolation, problem, candidates, count, &session->options, &session->list, error);
    free(candidates);
    return status;
}

static enum status sweep(struct arguments *arguments, struct error *error)
{
    const struct selection *selection = &arguments->session.selection;
    struct problem problem;
    const struct rung *rung;
    size_t count, fitting = 0;
    enum status status = problem_parse(arguments->session.targets[0], &problem, error);
    if (status == STATUS_OK)
        status = selection_rungs(selection, problem.kernel, &rung, 1, &count, error);
    for (size_t d = 0; status == STATUS_OK && d < selection->device_count; d++) {
        if (!(rung->backends & selection->devices[d]->backend->kind))
            continue;
        fitting++;
        status = sweep_device(arguments, &problem, rung, selection->devices[d], error);
    }
    for (size_t d = 0; status == STATUS_OK && arguments->cache && d < selection->device_count; d++)
        if (rung->backends & selection->devices[d]->backend->kind) {
            status = fitting == 1 ? kernel_tuner_write(arguments->cache, &arguments->session.list, rung,
                                                       selection->devices[d], error)
                                  : fail(error, STATUS_INVALID, "--kernel-tuner: a cache file is of one --device");
            break;
        }
    if (status == STATUS_OK && !fitting)
        status = fail(error, STATUS_UNAVAILABLE, "rung '%s' runs on none of the chosen devices", rung->name);
    return status;
}

/* One map per device; a map needs one or two parameters, more of them are a table. */
static void print_sweep(FILE *stream, const struct bench_session *session, struct style style)
{
    const struct arguments *arguments = session->context;
    const char *names[AXES_MOST];
    for (size_t a = 0; a < arguments->axis_count; a++)
        names[a] = arguments->axes[a].name;
    if (arguments->axis_count > 2 || arguments->halves) {
        report_tables(stream, &session->list, style);
        return;
    }
    for (size_t d = 0; d < session->selection.device_count; d++)
        report_heat_map(stream, &session->list, session->selection.devices[d]->id, names, arguments->axis_count, style);
}

/* A user's code runs in children only. */
static enum status add_file(struct arguments *arguments, struct error *error)
{
    struct bench_session *session = &arguments->session;
    const struct user_rung_options how = {0};
    struct problem problem;
    enum status status = problem_parse(session->targets[0], &problem, error);
    if (status == STATUS_OK)
        status = user_rung_read(problem.kernel, arguments->file, problem.type, &how, &arguments->user, error);
    session->isolation.wish = ISOLATION_ALWAYS;
    return status == STATUS_OK ? selection_add_rung(&session->selection, arguments->user.rung->name, error) : status;
}

int cmd_sweep(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct error error;
    bench_session_init(&arguments.session);
    arguments.session.context = &arguments;
    arguments.session.targets_most = 1;
    arguments.session.too_many = N_("one problem at a time");
    arguments.session.options.seconds = 0.1;
    arguments.session.options.end_to_end = false;
    options_parse(&usage, argc, argv, &arguments);
    enum status status = arguments.file ? add_file(&arguments, &error) : STATUS_OK;
    if (status != STATUS_OK)
        return report_error(status, &error);
    status = bench_session_start(&arguments.session, &error);
    if (status == STATUS_OK)
        status = sweep(&arguments, &error);
    return bench_session_end(&arguments.session, status, &error, print_sweep);
}
