/* uskor effect: small kernels, each showing one effect of the hardware. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/commands/effect_run.h"
#include "cli/options/bench_session.h"
#include "cli/options/options.h"
#include "cli/options/store_options.h"
#include "cli/options/time_needed.h"
#include "report/terminal/cells.h"
#include "report/terminal/effects.h"

#define SECONDS 0.1
#define CHARTS_MOST 256
#define NAME_WIDTH 19
#define WHERE_WIDTH 5

struct arguments {
    struct bench_session session; /* first: where that is at hand, so is this */
    const char *place, *store_name;
    int64_t size;
    bool list, measured_only;
    struct explain_place named;                 /* of --for */
    struct store *store;                        /* whose ceilings predictions use; NULL: none */
    struct explain_place places[SELECTION_MAX]; /* of the selection's devices */
    bool is_predicted[SELECTION_MAX];
    struct effect_request *requests; /* of the charts */
    struct effect_chart *charts;
    size_t count;
    struct measurement_list measured;
};

static void read_size(void *at, const char *argument, const struct options_state *state)
{
    int64_t *size = at;
    if (!text_integer(argument, size) || *size < 1)
        refuse_use(state, "--size takes a power of two, such as 64k or 2^20; this is '%s'", argument);
}

static void check_usage(void *input, const struct options_state *state)
{
    struct arguments *arguments = input;
    struct bench_session *session = &arguments->session;
    if (!session->target_count && !arguments->list)
        refuse_use(state, "which effect? For example: uskor effect stride; 'uskor effect --list' lists them");
    if (arguments->place && (session->selection.device_name_count || arguments->measured_only))
        refuse_use(state, "--for predicts and times nothing: leave out --device and --measured-only");
}

static const struct option options[] = {
    {"list", 0, NULL, N_("List the effects"), SETS_FLAG(struct arguments, list)},
    {"for", 0, N_("WHERE"),
     N_("Predict only: for an architecture (sm_90), a GPU (\"Tesla K40\") or a device of this machine"),
     SETS_TEXT(struct arguments, place)},
    {"size", 0, "N", N_("Words of the problem: a power of two (default: as the device needs)"),
     READ_INTO(struct arguments, size, read_size)},
    {"measured-only", 0, NULL, N_("Leave out the model's predictions, which take seconds each"),
     SETS_FLAG(struct arguments, measured_only)},
    {"store", 0, N_("FILE|none"), N_("The store whose ceilings the predictions use"),
     SETS_TEXT(struct arguments, store_name)},
    {0},
};

static const char doc[] =
    N_("Show one effect of the hardware: a small kernel whose one parameter changes how the same work is done.\n\n"
       "A NAME is one of 'uskor effect --list', or all. Every point is verified, timed in rounds with the others, and "
       "set beside the time that the model of 'uskor explain' predicts for it. --time is for each point.\n\n"
       "  uskor effect stride\n"
       "  uskor effect all --device cuda:0 --json -o effects.json\n"
       "  uskor effect bank-conflicts --for \"Tesla K40\"");

static const struct usage usage = {
    .options = options,
    .check = check_usage,
    .args_doc = N_("NAME…|all"),
    .doc = doc,
    .shared = &measuring_effects,
};

/* ---- choosing --------------------------------------------------------------------------------------------------- */

static enum status choose(const struct bench_session *session, bool *chosen, struct error *error)
{
    for (size_t t = 0; t < session->target_count; t++) {
        bool all = strcmp(session->targets[t], "all") == 0;
        const struct effect *named = all ? NULL : effect_by_name(session->targets[t], error);
        if (!all && !named)
            return STATUS_INVALID;
        for (size_t e = 0; effects[e]; e++)
            chosen[e] = chosen[e] || all || effects[e] == named;
    }
    return STATUS_OK;
}

static bool is_named(const struct bench_session *session, const struct effect *effect)
{
    for (size_t t = 0; t < session->target_count; t++)
        if (strcmp(session->targets[t], effect->name) == 0)
            return true;
    return false;
}

/* ---- running ---------------------------------------------------------------------------------------------------- */

/* What the model knows is a GPU of the tables: a CUDA device is one, and so is an OpenCL device of its name. */
static enum status find_place(struct arguments *arguments, size_t index, struct error *error)
{
    struct device *device = arguments->session.selection.devices[index];
    struct explain_place *place = &arguments->places[index];
    const struct gpu *gpu = gpu_by_device_name(device->properties.name);
    bool is_gpu = device->backend->kind == BACKEND_CUDA;
    place->device = device;
    if (is_gpu)
        explain_target_of_device(device, &place->target);
    else
        is_gpu = gpu && explain_target_parse(gpu->name, &place->target, NULL) == STATUS_OK;
    if (!is_gpu || !place->target.capability || arguments->measured_only)
        return STATUS_OK;
    arguments->is_predicted[index] = true;
    return explain_place_measured(arguments->store, place, error);
}

/* The next chart and its request; NULL, and nothing is counted, where there is no more room. */
static struct effect_request *next_request(struct arguments *arguments, const struct effect *effect)
{
    if (arguments->count == CHARTS_MOST)
        return NULL;
    struct effect_request *request = &arguments->requests[arguments->count++];
    *request = (struct effect_request){.effect = effect, .size = arguments->size, .bench = &arguments->session.options};
    return request;
}

static enum status run_on(struct arguments *arguments, const struct effect *effect, size_t device, struct error *error)
{
    struct effect_request *request = next_request(arguments, effect);
    if (!request)
        return fail(error, STATUS_INVALID, "more than %d charts", CHARTS_MOST);
    struct effect_chart *chart = &arguments->charts[arguments->count - 1];
    request->device = arguments->session.selection.devices[device];
    if (!progress_step(&arguments->session.progress, effect->name, effect_seconds(request))) {
        arguments->count--;
        return STATUS_OK;
    }
    request->place = arguments->is_predicted[device] && !effect->is_not_predicted ? &arguments->places[device] : NULL;
    enum status status = effect_measure(request, chart, &arguments->measured, error);
    if (chart->count == 0)
        arguments->count--;
    return status;
}

static enum status plan_for(struct arguments *arguments, const struct effect *effect, struct error *error)
{
    struct effect_request *request = next_request(arguments, effect);
    struct effect_chart *chart = &arguments->charts[arguments->count - 1];
    request->place = &arguments->named;
    enum status status = effect_plan(request, chart, error);
    bool is_empty = chart->count == 0;
    if (is_empty)
        arguments->count--;
    if (status == STATUS_OK && is_empty && is_named(&arguments->session, effect))
        status = fail(error, STATUS_UNAVAILABLE, "the model predicts kernels of GPUs; %s has none", effect->name);
    return status;
}

static enum status run_effect(struct arguments *arguments, const struct effect *effect, struct error *error)
{
    const struct selection *selection = &arguments->session.selection;
    enum status status = STATUS_OK;
    size_t fitting = 0;
    if (arguments->place)
        return plan_for(arguments, effect, error);
    for (size_t d = 0; status == STATUS_OK && d < selection->device_count; d++) {
        bool runs;
        status = effect_runs_on(effect, selection->devices[d], &runs, error);
        if (status != STATUS_OK || !runs)
            continue;
        fitting++;
        status = run_on(arguments, effect, d, error);
    }
    if (status == STATUS_OK && !fitting && is_named(&arguments->session, effect))
        status = fail(error, STATUS_UNAVAILABLE, "effect '%s' runs on none of the chosen devices", effect->name);
    return status;
}

/* Without a store predictions use published figures. */
static enum status open_places(struct arguments *arguments, struct error *error)
{
    struct error why;
    bool none = arguments->store_name && strcmp(arguments->store_name, "none") == 0;
    enum status status = none ? STATUS_OK : store_read(arguments->store_name, &arguments->store, &why);
    if (status != STATUS_OK && arguments->store_name)
        return fail(error, status, "%s", why.text);
    if (!arguments->place)
        return STATUS_OK;
    status = explain_place_open(arguments->place, &arguments->named, error);
    if (status == STATUS_OK && !arguments->named.target.capability)
        status = fail(error, STATUS_INVALID, "%s: the model predicts kernels of GPUs; for example, --for sm_90",
                      arguments->place);
    if (status == STATUS_OK)
        status = explain_place_measured(arguments->store, &arguments->named, error);
    return status;
}

static enum status run_chosen(struct arguments *arguments, const bool *chosen, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t e = 0; status == STATUS_OK && effects[e]; e++)
        if (chosen[e])
            status = run_effect(arguments, effects[e], error);
    return status;
}

/* Counted first, so that the whole time is known. */
static enum status count_and_run(struct arguments *arguments, const bool *chosen, struct error *error)
{
    struct progress *progress = &arguments->session.progress;
    if (arguments->place)
        return run_chosen(arguments, chosen, error);
    progress->is_counting = true;
    enum status status = run_chosen(arguments, chosen, error);
    progress->is_counting = false;
    if (status != STATUS_OK)
        return status;
    time_needed_tell(progress->total, 0, N_("fewer effects, one --device or a smaller --time make it shorter"));
    return run_chosen(arguments, chosen, error);
}

static enum status run_all(struct arguments *arguments, const bool *chosen, struct error *error)
{
    enum status status = open_places(arguments, error);
    arguments->charts = effect_charts_create(CHARTS_MOST);
    arguments->requests = calloc(CHARTS_MOST, sizeof *arguments->requests);
    if (status == STATUS_OK && (!arguments->charts || !arguments->requests))
        return fail(error, STATUS_UNAVAILABLE, "no memory for the effects' charts");
    for (size_t d = 0; status == STATUS_OK && d < arguments->session.selection.device_count; d++)
        status = find_place(arguments, d, error);
    if (status == STATUS_OK)
        status = count_and_run(arguments, chosen, error);
    if (status == STATUS_OK && arguments->count == 0)
        status = fail(error, STATUS_UNAVAILABLE, "no effect runs on the chosen devices");
    if (status == STATUS_OK)
        status = effect_predict(arguments->requests, arguments->charts, arguments->count, error);
    return status;
}

/* ---- showing ---------------------------------------------------------------------------------------------------- */

/* "CPU", "GPU" or "both". */
static const char *runs_on(const struct effect *effect)
{
    const struct rung *const *rungs;
    size_t count = 0, host = 0;
    if (!effect->kernel || kernel_rungs(effect->kernel, &rungs, &count, NULL) != STATUS_OK)
        return "GPU";
    for (size_t r = 0; r < count; r++)
        host += rungs[r]->kind == RUNG_HOST;
    return host == 0 ? "GPU" : host == count ? "CPU" : N_("both");
}

static void print_list(FILE *stream)
{
    struct style style = style_for(stream);
    for (size_t e = 0; effects[e]; e++) {
        columns_print(stream, "<* <*", NAME_WIDTH - 1, effects[e]->name, WHERE_WIDTH, tr(runs_on(effects[e])));
        columns_wrapped(stream, tr(effects[e]->title), NAME_WIDTH + WHERE_WIDTH, NAME_WIDTH + WHERE_WIDTH, style.width);
    }
}

static void print(FILE *stream, const struct bench_session *session, struct style style)
{
    const struct arguments *arguments = (const struct arguments *)session;
    for (size_t i = 0; i < arguments->count; i++)
        report_effect(stream, &arguments->charts[i], style);
    report_effect_legend(stream, arguments->charts, arguments->count, style);
}

static bool write_json(FILE *stream, const struct bench_session *session)
{
    const struct arguments *arguments = (const struct arguments *)session;
    return report_effects_json(stream, arguments->charts, arguments->count);
}

static bool write_csv(FILE *stream, const struct bench_session *session)
{
    const struct arguments *arguments = (const struct arguments *)session;
    return report_effects_csv(stream, arguments->charts, arguments->count);
}

/* The exit code of what was measured, where all went well. */
static enum status verdict(const struct arguments *arguments, enum status status)
{
    if (status != STATUS_OK || arguments->measured.count == 0)
        return status;
    return report_verdict(&arguments->measured);
}

int cmd_effect(int argc, char **argv)
{
    struct arguments arguments = {.size = 0};
    struct bench_session *session = &arguments.session;
    struct error error, why;
    bool chosen[64] = {false};
    bench_session_init(session);
    session->targets_most = TARGETS_MOST;
    session->too_many = N_("more effects than there are");
    session->keeps_nothing = true;
    session->options.seconds = SECONDS;
    session->write_json = write_json;
    session->write_csv = write_csv;
    options_parse(&usage, argc, argv, &arguments);
    if (arguments.list) {
        print_list(stdout);
        return said_all(EXIT_DONE);
    }
    enum status status = choose(session, chosen, &error);
    if (status == STATUS_OK)
        status = bench_session_start(session, &error);
    if (status == STATUS_OK)
        status = run_all(&arguments, chosen, &error);
    enum status written = arguments.count > 0 ? bench_session_write(session, print, &why) : STATUS_OK;
    if (status == STATUS_OK && written != STATUS_OK) {
        status = written;
        error = why;
    }
    int code = exit_code_for(verdict(&arguments, status));
    if (status != STATUS_OK)
        report_error(status, &error);
    bench_session_end(session, STATUS_OK, &error, NULL);
    explain_place_close(&arguments.named);
    store_close(arguments.store);
    measurement_list_free(&arguments.measured);
    effect_charts_destroy(arguments.charts, CHARTS_MOST);
    free(arguments.requests);
    return code;
}
