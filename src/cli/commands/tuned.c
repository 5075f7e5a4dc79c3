/* uskor tuned: the rung that would run a problem. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/options/bench_session.h"
#include "cli/options/options.h"
#include "kernels/choose_rung.h"
#include "lab/bench/candidate.h"

struct arguments {
    struct bench_session session; /* first member: a pointer to it points to this struct */
    json_t *array;                /* with --json */
    size_t found;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    (void)argument;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->session;
        return 0;
    case ARGP_KEY_END:
        if (!arguments->session.target_count)
            refuse_use(state, "which problem? For example: uskor tuned matmul:1000x1000x1000");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .parser = parse,
    .args_doc = N_("PROBLEM…"),
    .doc =
        N_("Show which rung the library, the command line and the BLAS would run for a problem, with its parameters, "
           "on each device."),
    .children = measuring_choice,
};

/* One device's line or object; `reason` is NULL where there is a choice. */
static void write_choice(struct arguments *arguments, const char *problem, const struct device *device,
                         const struct rung_choice *choice, const struct error *why)
{
    char parameters[128] = "";
    FILE *stream = arguments->session.result.stream;
    const char *rung = choice ? choice->rung->name : "", *reason = choice ? "" : why->text;
    if (choice) {
        const struct candidate candidate = {.rung = choice->rung, .parameters = choice->parameters};
        candidate_parameters(&candidate, parameters, sizeof parameters);
    }
    if (arguments->array)
        json_array_append_new(arguments->array, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "problem", problem,
                                                          "device", device->id, "device_name", device->properties.name,
                                                          "rung", rung, "parameters", parameters, "reason", reason));
    else if (choice)
        fprintf(stream, "  %-10s %-18s %s\n", device->id, rung, parameters);
    else
        fprintf(stream, "  %-10s %s\n", device->id, say_message(why->text));
}

static enum status choose(struct bench_session *session, const struct problem *problem, struct error *error)
{
    struct arguments *arguments = (struct arguments *)session;
    char text[PROBLEM_TEXT_MAX];
    problem_text(problem, text);
    if (!arguments->array)
        fprintf(session->result.stream, "%s\n", text);
    for (size_t d = 0; d < session->selection.device_count; d++) {
        struct rung_choice choice;
        const struct device *device = session->selection.devices[d];
        enum status status = choose_rung(problem, device, NULL, &choice, error);
        if (status != STATUS_OK && status != STATUS_UNAVAILABLE)
            return status;
        arguments->found += status == STATUS_OK;
        write_choice(arguments, text, device, status == STATUS_OK ? &choice : NULL, error);
    }
    return STATUS_OK;
}

static enum status finish(struct arguments *arguments, enum status status, struct error *error)
{
    FILE *stream = arguments->session.result.stream;
    errno = 0;
    if (status == STATUS_OK && arguments->array &&
        (json_dumpf(arguments->array, stream, JSON_INDENT(1)) != 0 || fputc('\n', stream) == EOF))
        status = fail(error, STATUS_SYSTEM, "%s: cannot write: %s", arguments->session.result.name, strerror(errno));
    status = result_close(&arguments->session.result, status, error);
    if (status == STATUS_OK && arguments->found == 0)
        return fail(error, STATUS_UNAVAILABLE, "no rung runs these problems on the chosen devices");
    return status;
}

int cmd_tuned(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct bench_session *session = &arguments.session;
    struct error error;
    bench_session_init(session);
    session->targets_most = SELECTION_MAX;
    session->keeps_nothing = session->judges_nothing = true;
    session->store_name = "none";
    options_parse(&argp, argc, argv, &arguments);
    arguments.array = session->form == FORM_JSON ? json_array() : NULL;
    enum status status = bench_session_start(session, &error);
    if (status == STATUS_OK)
        status = bench_session_each_problem(session, choose, &error);
    if (status == STATUS_OK)
        status = finish(&arguments, status, &error);
    json_decref(arguments.array);
    return bench_session_end(session, status, &error, NULL);
}
