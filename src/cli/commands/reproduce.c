/* uskor reproduce: a publication's protocol on this machine, its tables beside today's. */
#include <stdio.h>
#include <stdlib.h>

#include "backends/trial.h"
#include "base/language.h"
#include "base/message.h"
#include "base/text.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/commands/ceiling_selection.h"
#include "cli/commands/roof_charts.h"
#include "cli/options/bench_session.h"
#include "cli/options/options.h"
#include "lab/bench/device_facts.h"
#include "lab/protocols/protocol.h"
#include "publications/reproduction.h"
#include "report/terminal/cells.h"
#include "report/terminal/reproduction.h"

/* The facts about this machine that a publication is compared with. */

struct local_machine {
    struct here_fact *facts;
    size_t fact_count;
    char no_opencl[512], no_cuda[512]; /* the reason why there is no such device; empty when there is one */
};

/* The reason why the selection has no device of the backend: it was not requested, or the probe's message. */
static void explain_absence(const struct selection *selection, enum backend_kind kind, char reason[512])
{
    reason[0] = 0;
    for (size_t i = 0; i < selection->device_count; i++)
        if (selection->devices[i]->backend->kind == kind)
            return;
    if (selection->device_name_count) {
        explain(reason, 512, "not among the devices chosen (--device)");
        return;
    }
    for (size_t b = 0; backends[b]; b++) {
        int count;
        struct error why = {N_("its device did not open")};
        if (backends[b]->kind != kind)
            continue;
        backend_probe(backends[b], &count, &why);
        explain(reason, 512, "no %s device: %.400s", kind == BACKEND_CUDA ? "CUDA" : "OpenCL", why.text);
    }
}

/* Ceilings are a help, not a need: without the store's there is one figure less. */
static void find_ceilings(struct store *store, struct ceiling_list *ceilings)
{
    int64_t machine;
    *ceilings = (struct ceiling_list){0};
    if (store && store_this_machine(store, &machine, NULL) == STATUS_OK)
        store_ceilings(store, machine, NULL, ceilings, NULL);
}

/* Gathers the properties of the open devices and the host, the stored ceilings, and the reasons for missing devices. */
static enum status local_machine_gather(const struct bench_session *session, struct local_machine *gathered,
                                        struct error *error)
{
    const struct selection *selection = &session->selection;
    struct machine machine;
    struct ceiling_list ceilings;
    *gathered = (struct local_machine){0};
    explain_absence(selection, BACKEND_OPENCL, gathered->no_opencl);
    explain_absence(selection, BACKEND_CUDA, gathered->no_cuda);
    machine_here(&machine);
    machine.devices = calloc(selection->device_count + 1, sizeof *machine.devices);
    if (!machine.devices)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the devices' properties");
    enum status status = STATUS_OK;
    while (status == STATUS_OK && machine.device_count < selection->device_count) {
        struct machine_device *into = &machine.devices[machine.device_count];
        status = device_describe(selection->devices[machine.device_count++], into, error);
    }
    find_ceilings(session->store, &ceilings);
    if (status == STATUS_OK)
        status = machine_facts_make(&machine, &ceilings, &gathered->facts, &gathered->fact_count, error);
    ceiling_list_free(&ceilings);
    machine_free(&machine);
    return status;
}

static void local_machine_release(struct local_machine *gathered)
{
    free(gathered->facts);
    gathered->facts = NULL;
    gathered->fact_count = 0;
}

/* Borrows both. */
static struct here local_machine_of(const struct local_machine *gathered, const struct measurement_list *list)
{
    return (struct here){
        .list = list,
        .facts = gathered->facts,
        .fact_count = gathered->fact_count,
        .no_opencl = gathered->no_opencl[0] ? gathered->no_opencl : NULL,
        .no_cuda = gathered->no_cuda[0] ? gathered->no_cuda : NULL,
    };
}

#define QUICK_SECONDS 10 /* a measurement that is estimated to take longer is left out */
#define QUICK_BUDGET 0.2 /* --time of --quick */
#define WORTH_A_WORD_SECONDS 20

struct arguments {
    struct bench_session session;
    bool list, quick, stored;
    double most_seconds;
    struct publication publication;
    struct local_machine here;
    struct roof_charts roofs; /* of a publication that has rooflines */
};

static const char doc[] = N_(
    "A publication's own protocol on this machine, its tables beside today's.\n\n"
    "The sizes, the repeats, the parameters and the statistics are the publication's; --device and --rung choose among "
    "them. What cannot run here is a SKIP with its reason, beside the published figure. Then come the "
    "publication's conclusions, and whether they hold here.");

static void read_quick(void *input, const char *argument, const struct options_state *state)
{
    struct arguments *arguments = input;
    arguments->quick = true;
    arguments->most_seconds = QUICK_SECONDS;
    if (argument && (!text_real(argument, &arguments->most_seconds) || arguments->most_seconds <= 0))
        refuse_use(state, "--quick takes a number of seconds above 0, such as 10; this is '%s'", argument);
}

static void check_usage(void *input, const struct options_state *state)
{
    struct arguments *arguments = input;
    if (!arguments->session.target_count && !arguments->list)
        refuse_use(state, "which publication? 'uskor reproduce --list' lists them");
    if (arguments->list && arguments->session.form != FORM_TABLE)
        refuse_use(state, "--%s prints for people only: leave out --json and --csv", "list");
    if (arguments->session.selection.overrides.count)
        refuse_use(state, "--set: the publication sets the parameters");
}

static const struct option options[] = {
    {"list", 0, NULL, N_("List the publications"), SETS_FLAG(struct arguments, list)},
    {"quick", 0, N_("SECONDS"),
     N_("Leave out, as a SKIP, each measurement that is estimated to take longer (default: 10), and time the rest "
        "briefly"),
     .is_optional = true, READ_BY(read_quick)},
    {"stored", 0, NULL, N_("Show what the store holds of this publication on this machine; measure nothing"),
     SETS_FLAG(struct arguments, stored)},
    {0},
};

static const struct usage usage = {
    .options = options,
    .check = check_usage,
    .args_doc = N_("PUBLICATION"),
    .doc = doc,
    .shared = &measuring_usage,
};

#define LIST_INDENT 21

static enum status list_publications(FILE *stream, void *context, struct error *error)
{
    const int width = style_for(stream).width;
    (void)context;
    for (size_t i = 0; publication_names[i]; i++) {
        struct publication publication;
        enum status status = publication_open(publication_names[i], &publication, error);
        if (status != STATUS_OK)
            return status;
        fprintf(stream, "%-*s", LIST_INDENT, publication.name);
        columns_wrapped(stream, localized_text(&publication.title), LIST_INDENT, LIST_INDENT, width);
        fprintf(stream, "%*s", LIST_INDENT, "");
        columns_wrapped(stream, publication.source, LIST_INDENT, LIST_INDENT, width);
        publication_free(&publication);
    }
    return STATUS_OK;
}

static struct protocol_options protocol_options_of(const struct arguments *from)
{
    const struct selection *selection = &from->session.selection;
    return (struct protocol_options){
        .bench = from->session.options,
        .most_seconds = from->most_seconds,
        .rungs = selection->rung_names,
        .rung_count = selection->rung_name_count,
    };
}

static void tell_time(const struct protocol *protocol, bool is_quick)
{
    char time[32];
    if (protocol->seconds < WORTH_A_WORD_SECONDS)
        return;
    text_duration(protocol->seconds * 1e9, time, sizeof time);
    fprintf(stderr,
            tr(is_quick ? N_("uskor: %zu measurements, about %s\n")
                        : N_("uskor: %zu measurements, about %s; --quick leaves out what takes long\n")),
            protocol->count, say_quantity(time, sizeof time));
}

/* This machine's stored measurements of this publication. */
static enum status read_stored(const struct bench_session *session, struct measurement_list *list, struct error *error)
{
    struct store_filter filter = {.label = session->label};
    if (!session->store)
        return fail(error, STATUS_UNAVAILABLE, "there is no store to read from");
    enum status status = store_this_machine(session->store, &filter.machine, error);
    return status == STATUS_OK ? store_measurements(session->store, &filter, list, error) : status;
}

static enum status show_stored(struct arguments *arguments, struct error *error)
{
    struct bench_session *session = &arguments->session;
    enum status status = read_stored(session, &session->list, error);
    if (status == STATUS_OK && !session->list.count)
        status = fail(error, STATUS_UNAVAILABLE, "%s holds nothing of %s yet: measure it without --stored",
                      store_path(session->store), arguments->publication.name);
    return status;
}

static enum status reproduce(struct arguments *arguments, struct error *error)
{
    struct bench_session *session = &arguments->session;
    struct protocol_options chosen = protocol_options_of(arguments);
    struct protocol protocol;
    struct measurement_list past = {0};
    struct error why;
    read_stored(session, &past, &why); /* to reckon with; without it the publication's own figures must do */
    enum status status = protocol_plan(&arguments->publication, session->selection.devices,
                                       session->selection.device_count, &chosen, &past, &protocol, error);
    if (status == STATUS_OK) {
        tell_time(&protocol, arguments->quick);
        status = protocol_run(&protocol, &chosen, &past, &session->list, error);
        protocol_free(&protocol);
    }
    measurement_list_free(&past);
    return status;
}

/* Measures what no ceiling is kept of, unless stored measurements are shown. */
static enum status fill_roofs(struct arguments *arguments, struct error *error)
{
    struct bench_session *session = &arguments->session;
    enum status status = STATUS_OK;
    if (!arguments->publication.has_rooflines || session->form != FORM_TABLE)
        return STATUS_OK;
    if (!arguments->stored)
        status = ceilings_ensure(session, error);
    return status == STATUS_OK ? roof_charts_fill(session, &arguments->roofs, error) : status;
}

static bool compare(const struct bench_session *session, struct reproduction *reproduction)
{
    const struct arguments *arguments = session->context;
    struct error error;
    struct here here = local_machine_of(&arguments->here, &session->list);
    if (reproduction_build(&arguments->publication, &here, reproduction, &error) == STATUS_OK)
        return true;
    report_error(STATUS_UNAVAILABLE, &error);
    return false;
}

static void print_text(FILE *stream, const struct bench_session *session, struct style style)
{
    const struct arguments *arguments = session->context;
    struct reproduction reproduction;
    if (compare(session, &reproduction))
        report_reproduction(stream, &reproduction, style);
    if (arguments->publication.has_rooflines)
        roof_charts_print(stream, session, &arguments->roofs, style);
    reproduction_free(&reproduction);
}

static bool print_json(FILE *stream, const struct bench_session *session)
{
    struct reproduction reproduction;
    bool written = compare(session, &reproduction) && report_reproduction_json(stream, &reproduction, &session->list);
    reproduction_free(&reproduction);
    return written;
}

static bool print_csv(FILE *stream, const struct bench_session *session)
{
    struct reproduction reproduction;
    bool written = compare(session, &reproduction) && report_reproduction_csv(stream, &reproduction);
    reproduction_free(&reproduction);
    return written;
}

int cmd_reproduce(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct bench_session *session = &arguments.session;
    char label[128];
    struct error error;
    bench_session_init(session);
    session->context = &arguments;
    session->targets_most = 1;
    session->too_many = N_("one publication at a time");
    double usual_seconds = session->options.seconds;
    options_parse(&usage, argc, argv, &arguments);
    enum status status;
    if (arguments.list) {
        status = result_write(session->output, session->force, list_publications, NULL, &error);
        return status == STATUS_OK ? EXIT_DONE : report_error(status, &error);
    }
    if (arguments.quick && session->options.seconds == usual_seconds)
        session->options.seconds = QUICK_BUDGET;
    status = publication_open(session->targets[0], &arguments.publication, &error);
    if (status != STATUS_OK)
        return report_error(status, &error);
    if (!session->label) {
        snprintf(label, sizeof label, "reproduce:%.80s", arguments.publication.name);
        session->label = label;
    }
    session->write_json = print_json;
    session->write_csv = print_csv;
    status = bench_session_start(session, &error);
    if (status == STATUS_OK)
        status = local_machine_gather(session, &arguments.here, &error);
    if (status == STATUS_OK)
        status = arguments.stored ? show_stored(&arguments, &error) : reproduce(&arguments, &error);
    if (status == STATUS_OK)
        status = fill_roofs(&arguments, &error);
    int code = bench_session_end(session, status, &error, print_text);
    local_machine_release(&arguments.here);
    roof_charts_free(&arguments.roofs);
    publication_free(&arguments.publication);
    return code;
}
