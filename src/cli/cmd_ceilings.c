/* uskor ceilings: what each device can do at most, measured once and kept. */
#include <stdlib.h>
#include <string.h>

#include "base/translation.h"
#include "cli/ceilings.h"
#include "cli/command.h"
#include "cli/options.h"
#include "lab/datasheet.h"
#include "report/ceilings.h"

#define SECONDS 0.4

struct arguments {
    struct measuring measuring;
    bool again;
    size_t kept; /* how many of measuring.ceilings are older than this command */
};

enum {
    KEY_AGAIN = 512,
};

static const struct argp_option options[] = {
    {"again", KEY_AGAIN, NULL, 0, N_("Measure anew what is kept"), 1},
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
    case KEY_AGAIN:
        arguments->again = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .doc = N_("Measure what each device can do at most: multiply-adds, caches, memory; on the cpu with 1, 2, 4 … all "
              "threads. "
              "What was measured before on this machine is shown, not measured again. --time is for each ceiling."),
    .children = measuring_without_rungs,
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

/* The highest clock that was seen with as many threads. */
static double clock_of(const struct measuring *measuring, const struct measurement *measurement)
{
    const struct measurement *clock = ceiling_find(&measuring->ceilings, measurement->device, measurement->device_name,
                                                   measurement->driver, measurement->threads, CEILING_CLOCK);
    if (!clock)
        return 0;
    double least = measurement_summary(clock, PHASE_COMPUTE).minimum;
    return least > 0 ? clock->work / least : 0;
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
static size_t make_rows(const struct measuring *measuring, size_t kept, struct ceiling_row *rows)
{
    size_t count = 0;
    for (size_t d = 0; d < measuring->selection.device_count; d++)
        for (size_t i = 0; i < measuring->ceilings.count; i++) {
            const struct measurement *measurement = &measuring->ceilings.items[i];
            const struct device *device = device_of(&measuring->selection, measurement);
            enum ceiling_kind kind = ceiling_by_name(measurement->rung);
            if (device != measuring->selection.devices[d] || kind == CEILING_KINDS ||
                !is_newest(&measuring->ceilings, i))
                continue;
            struct datasheet datasheet =
                datasheet_of(device, kind, measurement->threads, clock_of(measuring, measurement));
            struct ceiling_row *row = &rows[count++];
            *row = (struct ceiling_row){.measurement = measurement, .datasheet = datasheet.rate, .kept = i < kept};
            memcpy(row->how, datasheet.how, sizeof row->how);
        }
    return count;
}

/* The rows of all chosen devices, in any form. */
static bool write_rows(FILE *stream, const struct measuring *measuring, enum form form, struct style style)
{
    const struct arguments *arguments = (const struct arguments *)measuring;
    struct ceiling_row *rows = calloc(measuring->ceilings.count + 1, sizeof *rows);
    bool written = rows != NULL;
    size_t count = rows ? make_rows(measuring, arguments->kept, rows) : 0;
    if (form == FORM_JSON)
        written = written && report_ceilings_json(stream, rows, count);
    else if (form == FORM_CSV)
        written = written && report_ceilings_csv(stream, rows, count);
    else if (written)
        report_ceilings(stream, rows, count, style);
    free(rows);
    return written;
}

static void print(FILE *stream, const struct measuring *measuring, struct style style)
{
    write_rows(stream, measuring, FORM_TABLE, style);
}

static bool write_json(FILE *stream, const struct measuring *measuring)
{
    return write_rows(stream, measuring, FORM_JSON, style_for(stream));
}

static bool write_csv(FILE *stream, const struct measuring *measuring)
{
    return write_rows(stream, measuring, FORM_CSV, style_for(stream));
}

static bool any_passed(const struct measuring *measuring)
{
    for (size_t i = 0; i < measuring->ceilings.count; i++)
        if (measuring->ceilings.items[i].verdict == VERDICT_PASS &&
            device_of(&measuring->selection, &measuring->ceilings.items[i]))
            return true;
    return false;
}

int cmd_ceilings(int argc, char **argv)
{
    static struct arguments arguments;
    struct measuring *measuring = &arguments.measuring;
    struct error error;
    measuring_init(measuring);
    measuring->options.seconds = SECONDS;
    measuring->write_json = write_json;
    measuring->write_csv = write_csv;
    options_parse(&argp, argc, argv, &arguments);
    enum status status = measuring_start(measuring, &error);
    arguments.kept = measuring->ceilings.count;
    for (size_t d = 0; status == STATUS_OK && d < measuring->selection.device_count; d++) {
        struct device *device = measuring->selection.devices[d];
        if (!device_is_null(device) && (arguments.again || !ceilings_known(measuring, device)))
            status = ceilings_measure(measuring, device, measuring->options.seconds, true, &error);
    }
    struct error why;
    enum status written = any_passed(measuring) ? measuring_write(measuring, print, &why) : STATUS_OK;
    if (status == STATUS_OK && written != STATUS_OK) {
        status = written;
        error = why;
    }
    if (status == STATUS_OK && !any_passed(measuring))
        status = fail(&error, STATUS_UNAVAILABLE, "no ceiling could be measured on the chosen devices");
    int code = measuring_end(measuring, status, &error, NULL);
    return status == STATUS_OK ? EXIT_DONE : code;
}
