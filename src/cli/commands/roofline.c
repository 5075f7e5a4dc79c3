/* uskor roofline: the kept ceilings as lines, everything measured as points. */
#include <stdlib.h>

#include "base/translation.h"
#include "cli/command.h"
#include "cli/commands/ceiling_selection.h"
#include "cli/commands/filter_check.h"
#include "cli/commands/roof_charts.h"
#include "cli/options/options.h"
#include "report/terminal/roofline.h"

struct arguments {
    struct bench_session session; /* first member: a pointer to it points to this struct */
    struct roof_charts charts;
};

static const struct usage usage = {
    .args_doc = N_("[KERNEL]"),
    .doc = N_("Show the roofline of each device: its ceilings (measured briefly where none is stored) and the "
              "rungs that were measured here. A rung is a point: operations per byte and operations per "
              "second. On a CPU only rungs with as many threads are shown.\n\nOperations and bytes are the "
              "least that any answer needs. The memory line is the highest of read, copy and triad; a rung "
              "whose data fits a cache may exceed it. A rung has no share (—) where that line was measured "
              "with the threads on other cores. Rungs on tensor cores have a level line of their own: "
              "tensor-bf16 divided by the products that replace one. A sort or a transpose does no arithmetic "
              "and has no point."),
    .shared = &measuring_what_is_kept,
};

/* Rungs are shown, not run: the store may have some of another version of this program. */
static enum status know_rungs(const struct bench_session *session, const char *kernel, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t r = 0; status == STATUS_OK && r < session->selection.rung_name_count; r++) {
        struct store_filter one = {.kernel = kernel, .rung = session->selection.rung_names[r]};
        status = filter_check_choice(session->store, &one, error);
    }
    return status;
}

/* This machine's stored measurements; empty without a store. */
static enum status read_points(struct arguments *arguments, struct error *error)
{
    struct bench_session *session = &arguments->session;
    struct store_filter filter = {.kernel = session->targets[0]}; /* none: every kernel */
    if (filter.kernel && !kernel_by_name(filter.kernel, error))
        return STATUS_INVALID;
    enum status status = know_rungs(session, filter.kernel, error);
    if (status != STATUS_OK || !session->store)
        return status;
    status = store_this_machine(session->store, &filter.machine, error);
    return status == STATUS_OK ? store_measurements(session->store, &filter, &session->list, error) : status;
}

static const struct roof_charts *charts_of(const struct bench_session *session)
{
    return &((const struct arguments *)session)->charts;
}

static void print(FILE *stream, const struct bench_session *session, struct style style)
{
    roof_charts_print(stream, session, charts_of(session), style);
}

static bool write_json(FILE *stream, const struct bench_session *session)
{
    return report_roofline_json(stream, charts_of(session)->items, session->selection.device_count);
}

static bool write_csv(FILE *stream, const struct bench_session *session)
{
    return report_roofline_csv(stream, charts_of(session)->items, session->selection.device_count);
}

int cmd_roofline(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct bench_session *session = &arguments.session;
    struct error error;
    bench_session_init(session);
    session->targets_most = 1;
    session->judges_nothing = true;
    session->too_many = N_("one kernel at a time");
    session->write_json = write_json;
    session->write_csv = write_csv;
    options_parse(&usage, argc, argv, &arguments);
    enum status status = bench_session_start(session, &error);
    if (status == STATUS_OK)
        status = read_points(&arguments, &error);
    if (status == STATUS_OK)
        status = ceilings_ensure(session, &error);
    if (status == STATUS_OK)
        status = roof_charts_fill(session, &arguments.charts, &error);
    if (status == STATUS_OK)
        status = bench_session_write(session, print, &error);
    roof_charts_free(&arguments.charts);
    measurement_list_free(&session->list); /* read from the store, not measured: no verdict of this command's */
    return bench_session_end(session, status, &error, NULL);
}
