/* uskor ceilings: what each device can do at most, measured once and kept. */
#include <stdlib.h>
#include <string.h>

#include "base/translation.h"
#include "cli/command.h"
#include "cli/commands/ceiling_selection.h"
#include "cli/options/options.h"
#include "lab/ceilings/datasheet.h"
#include "report/terminal/ceilings.h"
#include "store/noise.h"

#define SECONDS 0.4

struct arguments {
    struct bench_session session;
    bool again;
    size_t kept; /* how many of session.ceilings are older than this command */
};

static const struct option options[] = {
    {"remeasure", 0, NULL, N_("Measure stored ceilings again"), SETS_FLAG(struct arguments, again)},
    {0},
};

static const struct usage usage = {
    .options = options,
    .doc =
        N_("Measure the peak capabilities of each device: multiply-adds, caches, memory; on the cpu with 1, 2, 4 … all "
           "threads. Stored ceilings of this machine are shown, not measured again. --time is for each ceiling.\n\n"
           "clock: dependent integer additions, one per cycle. issue: simple instructions of each thread "
           "that wait for nothing, 10^9 a second. fma: multiply-adds from registers, two operations each. l1-read, "
           "l2-read, l3-read: bytes read repeatedly from a part of that cache. dram-read: "
           "bytes read once, from an array that no cache holds; dram-copy: bytes read and bytes written; dram-triad: "
           "two arrays read and a third written, side by side. GB are 10^9 bytes.\n\n"
           "steady: nine tenths of the samples within 5 %; a bench then compares its rungs with this figure, if its "
           "own probe confirms it. Where a spread (±) is shown instead, every bench measures its ceiling again, in "
           "the rounds of its rungs. ~ and ? mark figures that were not read in the vendor's own document."),
    .shared = &measuring_without_rungs,
};

static struct device *device_of(const struct selection *selection, const struct measurement *measurement)
{
    for (size_t d = 0; d < selection->device_count; d++)
        if (strcmp(selection->devices[d]->id, measurement->device) == 0 &&
            strcmp(selection->devices[d]->properties.name, measurement->device_name) == 0 &&
            strcmp(selection->devices[d]->properties.driver, measurement->driver) == 0)
            return selection->devices[d];
    return NULL;
}

/* The highest clock that was seen with as many threads; 0 where noise voids it: then not even the highest is a core's.
 */
static double clock_of(const struct bench_session *session, const struct measurement *measurement)
{
    const struct measurement *clock = ceiling_find(&session->ceilings, measurement->device, measurement->device_name,
                                                   measurement->driver, measurement->threads, CEILING_CLOCK);
    if (!clock)
        return 0;
    double least = measurement_summary(clock, PHASE_COMPUTE).minimum;
    return least > 0 && !measurement_is_void(clock) ? clock->work / least : 0;
}

/* Nothing newer says the same. */
static bool is_newest(const struct measurement_list *list, size_t index)
{
    const struct measurement *of = &list->items[index];
    for (size_t i = index + 1; i < list->count; i++) {
        const struct measurement *later = &list->items[i];
        if (strcmp(later->rung, of->rung) == 0 && strcmp(later->device, of->device) == 0 &&
            strcmp(later->device_name, of->device_name) == 0 && strcmp(later->driver, of->driver) == 0 &&
            later->threads == of->threads)
            return false;
    }
    return true;
}

/* The newest of each ceiling of the chosen devices. */
static size_t make_rows(const struct bench_session *session, size_t kept, struct ceiling_row *rows)
{
    size_t count = 0;
    for (size_t d = 0; d < session->selection.device_count; d++)
        for (size_t i = 0; i < session->ceilings.count; i++) {
            const struct measurement *measurement = &session->ceilings.items[i];
            const struct device *device = device_of(&session->selection, measurement);
            enum ceiling_kind kind = ceiling_by_name(measurement->rung);
            if (device != session->selection.devices[d] || kind == CEILING_KINDS || !is_newest(&session->ceilings, i))
                continue;
            struct datasheet datasheet =
                datasheet_of(device, kind, measurement->threads, clock_of(session, measurement));
            struct ceiling_row *row = &rows[count++];
            *row = (struct ceiling_row){.measurement = measurement, .datasheet = datasheet.rate, .kept = i < kept};
            memcpy(row->how, datasheet.how, sizeof row->how);
        }
    return count;
}

/* The rows of all chosen devices, in any form. */
static bool write_rows(FILE *stream, const struct bench_session *session, enum form form, struct style style)
{
    const struct arguments *arguments = (const struct arguments *)session;
    struct ceiling_row *rows = calloc(session->ceilings.count + 1, sizeof *rows);
    bool written = rows != NULL;
    size_t count = rows ? make_rows(session, arguments->kept, rows) : 0;
    if (form == FORM_JSON)
        written = written && report_ceilings_json(stream, rows, count);
    else if (form == FORM_CSV)
        written = written && report_ceilings_csv(stream, rows, count);
    else if (written)
        report_ceilings(stream, rows, count, style);
    free(rows);
    return written;
}

static void print(FILE *stream, const struct bench_session *session, struct style style)
{
    write_rows(stream, session, FORM_TABLE, style);
}

static bool write_json(FILE *stream, const struct bench_session *session)
{
    return write_rows(stream, session, FORM_JSON, style_for(stream));
}

static bool write_csv(FILE *stream, const struct bench_session *session)
{
    return write_rows(stream, session, FORM_CSV, style_for(stream));
}

static bool any_passed(const struct bench_session *session)
{
    for (size_t i = 0; i < session->ceilings.count; i++)
        if (session->ceilings.items[i].verdict == VERDICT_PASS &&
            device_of(&session->selection, &session->ceilings.items[i]))
            return true;
    return false;
}

int cmd_ceilings(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct bench_session *session = &arguments.session;
    struct error error;
    bench_session_init(session);
    session->options.seconds = SECONDS;
    session->judges_nothing = true;
    session->write_json = write_json;
    session->write_csv = write_csv;
    options_parse(&usage, argc, argv, &arguments);
    enum status status = bench_session_start(session, &error);
    arguments.kept = session->ceilings.count;
    for (size_t d = 0; status == STATUS_OK && d < session->selection.device_count; d++) {
        struct device *device = session->selection.devices[d];
        if (!device_is_null(device) && (arguments.again || !ceilings_known(session, device)))
            status = ceilings_measure(session, device, session->options.seconds, true, &error);
    }
    struct error why;
    enum status written = any_passed(session) ? bench_session_write(session, print, &why) : STATUS_OK;
    if (status == STATUS_OK && written != STATUS_OK) {
        status = written;
        error = why;
    }
    if (status == STATUS_OK && !any_passed(session))
        status = fail(&error, STATUS_UNAVAILABLE, "no ceiling could be measured on the chosen devices");
    return bench_session_end(session, status, &error, NULL);
}
