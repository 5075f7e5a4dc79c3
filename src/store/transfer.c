/* Exported lines out of a store and into another. */
#include "store/transfer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "base/text.h"
#include "store/database.h"

#define LINE_MOST ((size_t)64 << 20)

/* ---- export ---- */

/* Run and machine of the previous measurement: most measurements share them with their neighbours. */
struct exporter {
    struct store *store;
    struct store_run_list runs;
    struct machine machine;
    FILE *stream;
    const char *name;
};

static const struct store_run *run_of(const struct store_run_list *runs, int64_t id)
{
    for (size_t i = 0; i < runs->count; i++)
        if (runs->items[i].id == id)
            return &runs->items[i];
    return NULL;
}

/* The measurement's device among the machine's. */
static struct machine_device *device_of(const struct machine *machine, const struct measurement *measurement)
{
    for (size_t i = 0; i < machine->device_count; i++) {
        struct machine_device *device = &machine->devices[i];
        if (strcmp(device->id, measurement->device) == 0 && strcmp(device->name, measurement->device_name) == 0 &&
            strcmp(device->driver, measurement->driver) == 0)
            return device;
    }
    return NULL;
}

static enum status write_line(struct exporter *exporter, const struct transfer_line *line, struct error *error)
{
    enum status status = STATUS_OK;
    char *text = transfer_compose(line);
    if (!text)
        return fail(error, STATUS_INVALID,
                    "measurement %ld cannot be exported: it has a text that is not UTF-8, or memory is out",
                    line->measurement.id);
    if (fputs(text, exporter->stream) == EOF || fputc('\n', exporter->stream) == EOF)
        status = fail(error, STATUS_SYSTEM, "%s: cannot write: %s", exporter->name, strerror(errno));
    free(text);
    return status;
}

/* The machine becomes the exporter's. */
static enum status turn_to(struct exporter *exporter, int64_t machine, struct error *error)
{
    if (exporter->machine.id == machine)
        return STATUS_OK;
    machine_free(&exporter->machine);
    return store_machine(exporter->store, machine, &exporter->machine, error);
}

static enum status export_measurement(struct exporter *exporter, const struct measurement *measurement,
                                      struct error *error)
{
    const struct store_run *run = run_of(&exporter->runs, measurement->run);
    if (!run) /* it began after their list was read */
        return STATUS_OK;
    enum status status = turn_to(exporter, run->machine, error);
    if (status != STATUS_OK)
        return status;
    struct transfer_line line = {.machine = exporter->machine, .run = *run, .measurement = *measurement};
    line.machine.devices = device_of(&exporter->machine, measurement);
    line.machine.device_count = line.machine.devices != NULL;
    status = attachments_read(exporter->store, measurement->id, &line.attachments, &line.attachment_count, error);
    if (status == STATUS_OK)
        status = write_line(exporter, &line, error);
    attachments_free(line.attachments, line.attachment_count);
    return status;
}

static enum status export_ceilings(struct exporter *exporter, const struct store_filter *filter, size_t *count,
                                   struct error *error)
{
    struct ceiling_list list;
    enum status status = store_ceilings(exporter->store, filter->machine, filter->device, &list, error);
    for (size_t i = 0; status == STATUS_OK && i < list.count; i++) {
        status = turn_to(exporter, list.items[i].machine, error);
        struct transfer_line line = {.machine = exporter->machine, .is_ceiling = true, .ceiling = list.items[i]};
        if (status == STATUS_OK)
            status = write_line(exporter, &line, error);
        ++*count;
    }
    ceiling_list_free(&list);
    return status;
}

enum status store_export(struct store *store, const struct store_filter *filter, FILE *stream, const char *name,
                         size_t *count, struct error *error)
{
    struct exporter exporter = {.store = store, .stream = stream, .name = name};
    struct measurement_list list = {0};
    bool chosen = filter->kernel || filter->problem || filter->rung || filter->label || filter->runs;
    *count = 0;
    enum status status = store_measurements(store, filter, &list, error);
    if (status == STATUS_OK)
        status = store_runs(store, NULL, &exporter.runs, error);
    for (; status == STATUS_OK && *count < list.count; ++*count)
        status = export_measurement(&exporter, &list.items[*count], error);
    if (status == STATUS_OK && !chosen)
        status = export_ceilings(&exporter, filter, count, error);
    if (status == STATUS_OK && fflush(stream) != 0)
        status = fail(error, STATUS_SYSTEM, "%s: cannot write: %s", name, strerror(errno));
    machine_free(&exporter.machine);
    store_run_list_free(&exporter.runs);
    measurement_list_free(&list);
    return status;
}

/* ---- import ---- */

static enum status import_ceiling(struct store *store, struct transfer_line *line, struct import_counts *counts,
                                  struct error *error)
{
    bool known = false;
    line->ceiling.machine = line->run.machine;
    enum status status = ceiling_is_known(store, &line->ceiling, &known, error);
    if (status == STATUS_OK && !known)
        status = store_put_ceiling(store, &line->ceiling, error);
    counts->ceilings_added += status == STATUS_OK && !known;
    counts->ceilings_known += known;
    return status;
}

static enum status import_measurement(struct store *store, struct transfer_line *line, struct import_counts *counts,
                                      struct error *error)
{
    int64_t id = 0, run = 0;
    enum status status = run_enter(store, &line->run, &run, error);
    if (status == STATUS_OK)
        status = measurement_enter(store, run, line->measurement.number, &line->measurement, &id, error);
    for (size_t i = 0; status == STATUS_OK && id && i < line->attachment_count; i++)
        status = store_put_attachment(store, id, line->attachments[i].kind, line->attachments[i].text, error);
    counts->added += status == STATUS_OK && id;
    counts->known += status == STATUS_OK && !id;
    return status;
}

static enum status import_line(struct store *store, struct transfer_line *line, struct import_counts *counts,
                               struct error *error)
{
    enum status status = machine_enter(store, &line->machine, &line->run.machine, error);
    for (size_t d = 0; status == STATUS_OK && d < line->machine.device_count; d++)
        status = store_put_device(store, line->run.machine, &line->machine.devices[d], error);
    if (status != STATUS_OK)
        return status;
    return (line->is_ceiling ? import_ceiling : import_measurement)(store, line, counts, error);
}

static enum status import_text(struct store *store, const char *text, size_t length, struct import_counts *counts,
                               struct error *error)
{
    struct transfer_line line;
    if (length > LINE_MOST)
        return fail(error, STATUS_INVALID, "longer than a line can be");
    enum status status = transfer_parse(text, length, &line, error);
    if (status != STATUS_OK)
        return status;
    status = import_line(store, &line, counts, error);
    transfer_line_free(&line);
    return status;
}

static enum status import_lines(struct store *store, FILE *stream, const char *name, struct import_counts *counts,
                                struct error *error)
{
    char *text = NULL;
    size_t capacity = 0, number = 0;
    enum status status = STATUS_OK;
    ssize_t length;
    errno = 0;
    while (status == STATUS_OK && (length = getline(&text, &capacity, stream)) >= 0) {
        number++;
        const char *line = number == 1 ? text_after_mark(text) : text;
        length -= line - text;
        while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r'))
            length--;
        if (store->is_cancelled && store->is_cancelled())
            status = fail(error, STATUS_INTERRUPTED, "interrupted");
        else if (length > 0)
            status = import_text(store, line, (size_t)length, counts, error);
        if (status != STATUS_OK)
            fail_in(error, status, "%s, line %zu", name, number);
    }
    if (status == STATUS_OK && ferror(stream))
        status = fail(error, STATUS_SYSTEM, "%s: cannot be read: %s", name, strerror(errno));
    if (status == STATUS_OK && counts->added + counts->known + counts->ceilings_added + counts->ceilings_known == 0)
        status = fail(error, STATUS_INVALID, "%s: there is no measurement in it", name);
    free(text);
    return status;
}

enum status store_import_checked(struct store *store, FILE *stream, const char *name,
                                 enum status (*is_whole)(const void *context, struct error *error), const void *context,
                                 struct import_counts *counts, struct error *error)
{
    *counts = (struct import_counts){0};
    enum status status = database_begin(store, error);
    if (status != STATUS_OK)
        return status;
    store->in_transaction = true;
    status = import_lines(store, stream, name, counts, error);
    if (is_whole) { /* a wrong line may be half of one, as somebody writes the file at this moment */
        struct error why;
        enum status whole = is_whole(context, &why);
        if (whole != STATUS_OK)
            status = fail(error, whole, "%s", why.text);
    }
    store->in_transaction = false;
    return database_end(store, status, error);
}

void store_import_until(struct store *store, bool (*is_cancelled)(void))
{
    store->is_cancelled = is_cancelled;
}

enum status store_import(struct store *store, FILE *stream, const char *name, struct import_counts *counts,
                         struct error *error)
{
    return store_import_checked(store, stream, name, NULL, NULL, counts, error);
}
