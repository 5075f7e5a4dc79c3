/* The report: one HTML file that needs nothing else, of what the store has of one machine.
 *
 * Chapters are functions in a table (document.c); a caller may add its own (struct chapter), which it writes with the
 * functions of page.h. */
#pragma once

#include "report/html/page.h"
#include "report/model/view.h"
#include "store/store.h"

/* A text that a measurement has beside its samples ("timeline"). */
struct report_attachment {
    int64_t measurement;
    const char *kind, *text;
};

/* Stands near the beginning of every report: a file that has it is one, and may be replaced by a newer one. */
#define REPORT_MARK "<meta name=\"generator\" content=\"uskor report\">"

/* A report's content. All of it is read only, and must live until the report is written. */
struct report_source {
    const struct measurement_list *measurements;
    const struct machine *machine;       /* NULL: not known */
    const struct ceiling_list *ceilings; /* NULL: none kept */
    const struct report_attachment *attachments;
    size_t attachment_count;
    const struct chapter *chapters; /* the caller's, after the kernels' */
    size_t chapter_count;
    const char *code_version;
    int64_t made_at;
};

/* Writes the whole page on page->stream; with page->only, looks for that chart only. Several sources, one for each
 * machine, at most MACHINES_MOST (report/model/machines.h): a comparison comes first, and the reader chooses one.
 * STATUS_UNAVAILABLE: no memory, or nothing that could be shown was measured. */
enum status report_document(struct page *page, const struct report_source *sources, size_t count, struct error *error);
