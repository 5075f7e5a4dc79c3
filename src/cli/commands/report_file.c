#include "cli/commands/report_file.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/growing.h"
#include "base/text.h"
#include "base/translation.h"
#include "base/visible.h"
#include "cli/options/store_options.h"
#include "files/input.h"
#include "files/output.h"
#include "publications/reproduction.h"
#include "report/model/machines.h"
#include "report/terminal/reproduction.h"
#include "version.h"

/* The report's chapter of publications: those of whose protocols the store has measurements. */
#define REPRODUCTIONS_MOST 16

struct reproductions {
    struct publication publications[REPRODUCTIONS_MOST];
    struct measurement_list lists[REPRODUCTIONS_MOST];
    struct reproduction items[REPRODUCTIONS_MOST];
    size_t count;
    struct here_fact *facts;
    struct reproduction_chapter context;
    struct chapter chapter; /* to be put into a report when count is not 0 */
};

/* Reads one publication's measurements; without any it is left out. */
static enum status load_one(struct store *store, const struct machine *machine, const char *name, size_t fact_count,
                            struct reproductions *into, struct error *error)
{
    char label[128];
    snprintf(label, sizeof label, "reproduce:%.80s", name);
    struct store_filter filter = {.machine = machine->id, .label = label};
    struct measurement_list list = {0};
    enum status status = store_measurements(store, &filter, &list, error);
    if (status != STATUS_OK || !list.count) {
        measurement_list_free(&list);
        return status;
    }
    size_t index = into->count;
    struct publication *publication = &into->publications[index];
    into->lists[index] = list;
    status = publication_open(name, publication, error);
    if (status != STATUS_OK) {
        measurement_list_free(&into->lists[index]);
        return status;
    }
    into->count++;
    struct here here = {.list = &into->lists[index], .facts = into->facts, .fact_count = fact_count};
    return reproduction_build(publication, &here, &into->items[index], error);
}

/* Reads what a machine's runs with the label "reproduce:NAME" measured, and compares. It borrows nothing of the
 * machine's or the ceilings. The caller releases it with reproductions_free, on failure too. */
static enum status reproductions_load(struct store *store, const struct machine *machine,
                                      const struct ceiling_list *ceilings, struct reproductions *reproductions,
                                      struct error *error)
{
    size_t fact_count;
    *reproductions = (struct reproductions){.count = 0};
    enum status status = machine_facts_make(machine, ceilings, &reproductions->facts, &fact_count, error);
    for (size_t i = 0; status == STATUS_OK && publication_names[i] && i < REPRODUCTIONS_MOST; i++)
        status = load_one(store, machine, publication_names[i], fact_count, reproductions, error);
    reproductions->context = (struct reproduction_chapter){reproductions->items, reproductions->count};
    reproductions->chapter = (struct chapter){
        .id = "publications",
        .title = localized_text(&reproduction_chapter_title),
        .write = chapter_reproduction,
        .context = &reproductions->context,
    };
    return status;
}

static void reproductions_free(struct reproductions *reproductions)
{
    for (size_t i = 0; i < reproductions->count; i++) {
        reproduction_free(&reproductions->items[i]);
        measurement_list_free(&reproductions->lists[i]);
        publication_free(&reproductions->publications[i]);
    }
    free(reproductions->facts);
    *reproductions = (struct reproductions){.count = 0};
}

/* The data read from the store, until the report is written. */
struct loaded {
    struct measurement_list measurements;
    struct machine machine;
    struct ceiling_list ceilings;
    struct report_attachment *attachments;
    size_t attachment_count;
    struct reproductions reproductions;
    struct report_explained explained;
    struct chapter *chapters; /* the request's and ours */
    size_t chapter_count;
};

static void free_loaded(struct loaded *loaded)
{
    for (size_t i = 0; i < loaded->attachment_count; i++)
        free((char *)loaded->attachments[i].text);
    free(loaded->attachments);
    free(loaded->chapters);
    reproductions_free(&loaded->reproductions);
    report_explained_free(&loaded->explained);
    measurement_list_free(&loaded->measurements);
    machine_free(&loaded->machine);
    ceiling_list_free(&loaded->ceilings);
}

/* The newest runs of the machine whose report it is: the one asked for, this one, or the newest run's. */
static enum status choose_runs(struct store *store, struct store_filter *filter, struct store_run_list *runs,
                               struct error *error)
{
    bool is_named = filter->machine != 0;
    if (!is_named && store_this_machine(store, &filter->machine, error) != STATUS_OK)
        filter->machine = 0;
    enum status status = store_runs(store, filter, runs, error);
    if (status != STATUS_OK || runs->count || is_named)
        return status;
    filter->machine = 0;
    status = store_runs(store, filter, runs, error);
    if (status != STATUS_OK || !runs->count)
        return status;
    filter->machine = runs->items[0].machine;
    store_run_list_free(runs);
    return store_runs(store, filter, runs, error);
}

/* Every measurement of the runs: what is shown of several of one kind is the report's to choose. */
static enum status load_measurements(struct store *store, struct store_filter *filter, struct loaded *loaded,
                                     struct error *error)
{
    struct store_run_list runs;
    bool is_chosen = filter->run_count || filter->label || filter->machine;
    filter->most = filter->all ? 0 : REPORT_RUNS;
    enum status status = choose_runs(store, filter, &runs, error);
    if (status != STATUS_OK)
        return status;
    int64_t *ids = calloc(runs.count + 1, sizeof *ids);
    if (!runs.count && is_chosen)
        status = fail(error, STATUS_UNAVAILABLE,
                      "%s: no run with measurements is chosen; 'uskor history' lists the runs", store_path(store));
    else if (!ids)
        status = fail(error, STATUS_UNAVAILABLE, "no memory for the report");
    for (size_t i = 0; ids && i < runs.count; i++)
        ids[i] = runs.items[i].id;
    filter->runs = ids;
    filter->run_count = runs.count;
    filter->all = true;
    if (status == STATUS_OK && runs.count)
        status = store_measurements(store, filter, &loaded->measurements, error);
    free(ids);
    store_run_list_free(&runs);
    return status;
}

static enum status load_attachments(struct store *store, struct loaded *loaded, struct error *error)
{
    loaded->attachments = calloc(loaded->measurements.count + 1, sizeof *loaded->attachments);
    if (!loaded->attachments)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the report");
    for (size_t i = 0; i < loaded->measurements.count; i++) {
        const struct measurement *measurement = &loaded->measurements.items[i];
        char *text = NULL;
        const char *kind = strcmp(measurement->kernel, "overlap") == 0    ? "timeline"
                           : strcmp(measurement->kernel, "accuracy") == 0 ? "accuracy"
                                                                          : NULL;
        if (!kind)
            continue;
        enum status status = store_attachment(store, measurement->id, kind, &text, error);
        if (status != STATUS_OK)
            return status;
        if (text)
            loaded->attachments[loaded->attachment_count++] =
                (struct report_attachment){.measurement = measurement->id, .kind = kind, .text = text};
    }
    return STATUS_OK;
}

/* The requested chapters, and the one of publications when there are reproductions. */
static enum status gather_chapters(struct store *store, const struct report_request *request, struct loaded *loaded,
                                   struct error *error)
{
    enum status status = reproductions_load(store, &loaded->machine, &loaded->ceilings, &loaded->reproductions, error);
    if (status != STATUS_OK)
        return status;
    loaded->chapters = calloc(request->chapter_count + 2, sizeof *loaded->chapters);
    if (!loaded->chapters)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the report");
    for (size_t i = 0; i < request->chapter_count; i++)
        loaded->chapters[loaded->chapter_count++] = request->chapters[i];
    if (loaded->reproductions.count)
        loaded->chapters[loaded->chapter_count++] = loaded->reproductions.chapter;
    if (request->explains)
        status = report_explained_load(store, &loaded->measurements, &loaded->ceilings, &loaded->explained, error);
    if (loaded->explained.list.count)
        loaded->chapters[loaded->chapter_count++] = loaded->explained.chapter;
    return status;
}

static enum status load(struct store *store, const struct report_request *request, int64_t machine,
                        struct loaded *loaded, struct error *error)
{
    struct store_filter filter = request->filter;
    filter.machine = machine;
    enum status status = load_measurements(store, &filter, loaded, error);
    if (status == STATUS_OK && filter.machine)
        status = store_machine(store, filter.machine, &loaded->machine, error);
    if (status == STATUS_OK && filter.machine)
        status = store_ceilings(store, filter.machine, NULL, &loaded->ceilings, error);
    if (status == STATUS_OK)
        status = load_attachments(store, loaded, error);
    if (status == STATUS_OK)
        status = gather_chapters(store, request, loaded, error);
    return status;
}

static struct report_source source_of(const struct loaded *loaded)
{
    struct report_source source = {
        .measurements = &loaded->measurements,
        .machine = loaded->machine.id ? &loaded->machine : NULL,
        .ceilings = &loaded->ceilings,
        .attachments = loaded->attachments,
        .attachment_count = loaded->attachment_count,
        .chapters = loaded->chapters,
        .chapter_count = loaded->chapter_count,
        .code_version = USKOR_CODE_VERSION,
        .made_at = (int64_t)time(NULL),
    };
    for (size_t i = 0; i < loaded->measurements.count; i++) { /* the newest measurement's, not the report's own */
        const struct measurement *measurement = &loaded->measurements.items[i];
        if (i == 0 || measurement->made_at >= source.made_at) {
            source.made_at = measurement->made_at;
            source.code_version = measurement->code_version;
        }
    }
    return source;
}

/* The machines of the runs that are chosen, the newest run's first; without all_machines the one that is asked for,
 * which may be 0. */
static enum status choose_machines(struct store *store, const struct report_request *request,
                                   int64_t machines[MACHINES_MOST], size_t *count, struct error *error)
{
    struct store_run_list runs;
    machines[0] = request->filter.machine;
    *count = 1;
    if (!request->all_machines)
        return STATUS_OK;
    enum status status = store_runs(store, &request->filter, &runs, error);
    if (status != STATUS_OK || !runs.count)
        return status;
    *count = 0;
    for (size_t i = 0; i < runs.count && *count < MACHINES_MOST; i++) {
        bool is_new = runs.items[i].measurements > 0;
        for (size_t m = 0; is_new && m < *count; m++)
            is_new = machines[m] != runs.items[i].machine;
        if (is_new)
            machines[(*count)++] = runs.items[i].machine;
    }
    store_run_list_free(&runs);
    return STATUS_OK;
}

enum status report_from_store(struct page *page, const struct report_request *request, struct error *error)
{
    struct loaded loaded[MACHINES_MOST] = {0};
    struct report_source sources[MACHINES_MOST];
    int64_t machines[MACHINES_MOST];
    size_t count = 0;
    struct store *store;
    enum status status = store_read(request->store, &store, error);
    if (status != STATUS_OK)
        return status;
    status = choose_machines(store, request, machines, &count, error);
    for (size_t m = 0; m < count && status == STATUS_OK; m++) {
        status = load(store, request, machines[m], &loaded[m], error);
        sources[m] = source_of(&loaded[m]);
    }
    if (status == STATUS_OK)
        status = report_document(page, sources, count, error);
    for (size_t m = 0; m < count; m++)
        free_loaded(&loaded[m]);
    store_close(store);
    return status;
}

/* Does the file begin as a report does? */
static bool is_report(const char *path)
{
    char beginning[1024] = "";
    struct input input;
    if (input_open(path, "HTML", &input, NULL) != STATUS_OK)
        return false;
    ssize_t count = read(input.descriptor, beginning, sizeof beginning - 1);
    input_close(&input);
    beginning[count > 0 ? count : 0] = 0;
    return strstr(beginning, REPORT_MARK) != NULL;
}

enum status report_to_file(const char *path, bool force, const struct report_request *request, struct error *error)
{
    char *text = NULL;
    size_t bytes = 0;
    struct output *output = NULL;
    struct page page = {.stream = open_memstream(&text, &bytes)};
    if (!page.stream)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the report");
    enum status status = report_from_store(&page, request, error);
    bool written = !ferror(page.stream);
    if ((fclose(page.stream) != 0 || !written) && status == STATUS_OK)
        status = fail(error, STATUS_UNAVAILABLE, "no memory for the report");
    if (status == STATUS_OK)
        status = output_create(path, force || is_report(path), &output, error);
    if (status == STATUS_OK && (status = output_write(output, text, bytes, error)) != STATUS_OK)
        output_abandon(output);
    else if (status == STATUS_OK)
        status = output_finish(output, error);
    free(text);
    return status;
}

void report_file_tell(FILE *stream, const char *path)
{
    char shown[1024];
    visible_copy(path, shown, sizeof shown);
    fprintf(stream, tr("The report is in %s: open it in a browser.\n"), shown);
}

/* The chart names found while the report is drawn. */
struct names {
    char (*items)[CHART_NAME_MAX];
    size_t count;
};

static void add_name(void *context, const char *name)
{
    struct names *names = context;
    if (array_grow(&names->items, names->count, sizeof *names->items))
        snprintf(names->items[names->count++], CHART_NAME_MAX, "%s", name);
}

static enum status refuse_name(const char *name, const struct names *names, struct error *error)
{
    const char **list = calloc(names->count + 1, sizeof *list);
    const char *closest = NULL;
    for (size_t i = 0; list && i < names->count; i++)
        list[i] = names->items[i];
    if (list)
        closest = text_closest(name, list, names->count);
    enum status status = STATUS_INVALID;
    if (closest)
        fail(error, status, "there is no chart '%s'; did you mean '%s'?; 'uskor report --charts' lists them", name,
             closest);
    else
        fail(error, status, "there is no chart '%s'; 'uskor report --charts' lists them", name);
    free(list);
    return status;
}

/* Goes through the report without writing it: draws one chart, or only collects names. */
static enum status walk(const char *only, FILE *drawing, struct names *names, bool *drawn,
                        const struct report_request *request, struct error *error)
{
    struct page page = {
        .stream = fopen("/dev/null", "w"),
        .only = only,
        .drawing = drawing,
        .on_chart = add_name,
        .context = names,
    };
    if (!page.stream)
        return fail(error, STATUS_SYSTEM, "/dev/null: cannot be opened");
    enum status status = report_from_store(&page, request, error);
    fclose(page.stream);
    *drawn = page.drawn;
    return status;
}

enum status report_chart(const char *name, const struct report_request *request, char **svg, size_t *bytes,
                         struct error *error)
{
    struct names names = {0};
    bool drawn = false;
    *svg = NULL;
    FILE *drawing = open_memstream(svg, bytes);
    if (!drawing)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the chart");
    enum status status = walk(name, drawing, &names, &drawn, request, error);
    fclose(drawing);
    if (status == STATUS_OK && !drawn)
        status = refuse_name(name, &names, error);
    if (status != STATUS_OK) {
        free(*svg);
        *svg = NULL;
    }
    free(names.items);
    return status;
}

enum status report_chart_names(FILE *stream, const struct report_request *request, struct error *error)
{
    struct names names = {0};
    bool drawn;
    enum status status = walk("", NULL, &names, &drawn, request, error);
    for (size_t i = 0; status == STATUS_OK && i < names.count; i++)
        fprintf(stream, "%s\n", names.items[i]);
    free(names.items);
    return status;
}
