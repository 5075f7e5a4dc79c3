/* The report of what the store has of one machine, in a file; and single charts of it. */
#pragma once

#include "report/html/chapters.h"
#include "report/html/document.h"

/* The selection from the store. A zeroed one: the newest REPORT_RUNS runs of this machine (where it has none, of the
 * machine of the newest run), from the default store; filter.all: all of its runs. */
#define REPORT_RUNS 200
struct report_request {
    const char *store; /* NULL: the default */
    struct store_filter filter;
    bool all_machines;              /* instead of filter.machine: those of the runs, at most MACHINES_MOST */
    const struct chapter *chapters; /* added to the report */
    size_t chapter_count;
    bool explains; /* with a chapter that explains the device rungs (report_explained_load) */
};

/* Reads the store and writes the report on page->stream (report/html/document.h). STATUS_UNAVAILABLE: nothing was
 * measured, or there is no store. */
enum status report_from_store(struct page *page, const struct report_request *request, struct error *error);

/* The whole report into the file `path`. An existing file is replaced when it is a report itself, or with `force`; else
 * STATUS_INVALID. */
enum status report_to_file(const char *path, bool force, const struct report_request *request, struct error *error);

/* Says in a line that the report is in `path`. */
void report_file_tell(FILE *stream, const char *path);

/* The chart called `name` as SVG, into memory that the caller frees. An unknown name is STATUS_INVALID, with the
 * closest one in the message. */
enum status report_chart(const char *name, const struct report_request *request, char **svg, size_t *bytes,
                         struct error *error);

/* The names of all charts, one a line. */
enum status report_chart_names(FILE *stream, const struct report_request *request, struct error *error);

/* The default name of the report of `uskor lab` and `uskor report`. */
#define REPORT_FILE "uskor-report.html"

/* The report's chapter "Why": the model's view of the rungs that were measured. */

struct report_explained {
    struct explained_list list;
    struct chapter chapter; /* valid while this lives where it was loaded */
};

/* Explains, for each kernel, the device rungs that passed on one device: of its default problem if that was measured,
 * else of the newest; on a GPU if there is one. Then the CPU rungs that passed on this machine's processor, by the
 * store's ceilings. It takes a second or more for each rung. The caller frees it. */
enum status report_explained_load(struct store *store, const struct measurement_list *measurements,
                                  const struct ceiling_list *ceilings, struct report_explained *explained,
                                  struct error *error);
void report_explained_free(struct report_explained *explained);
