/* The report's chapters. Each writes itself and nothing when it has nothing to show. */
#pragma once

#include <stdio.h>

#include "base/embedded.h"
#include "report/html/document.h"
#include "report/html/page.h"
#include "report/model/explained.h"
#include "report/model/view.h"

/* The chapters' input. */
struct report {
    const struct report_source *source;
    const struct view *view;
};

/* "1: AMD EPYC · NVIDIA H200"; returns `text`. */
const char *machine_title(const struct report *report, size_t number, char *text, size_t size);

/* Before the chapters of each: several machines side by side. */
void chapter_machines(struct page *page, const struct report *reports, size_t count);

void chapter_answers(struct page *page, const struct report *report);
void chapter_glance(struct page *page, const struct report *report);
void chapter_belief(struct page *page, const struct report *report);
void chapter_kernels(struct page *page, const struct report *report);
void chapter_accuracy(struct page *page, const struct report *report);
void chapter_motion(struct page *page, const struct report *report);
void chapter_ranks(struct page *page, const struct report *report);
void chapter_rooflines(struct page *page, const struct report *report);
void chapter_machine(struct page *page, const struct report *report);
void chapter_method(struct page *page, const struct report *report);

/* Parts of a kernel's chapter. */
void kernel_ladders(struct page *page, const struct kernel_view *kernel);
void kernel_panels(struct page *page, const struct kernel_view *kernel);
void kernel_sizes(struct page *page, const struct kernel_view *kernel);
void kernel_versions(struct page *page, const struct kernel_view *kernel);
void kernel_sweeps(struct page *page, const struct kernel_view *kernel);
void kernel_speed_ups(struct page *page, const struct kernel_view *kernel);
void kernel_problems(struct page *page, const struct kernel_view *kernel);

/* Rungs and sizes as a table of rates. */
struct sizes;
void sizes_table(struct page *page, const struct sizes *sizes);

/* Was anything measured that these chapters show? */
bool report_has_accuracy(const struct report_source *source);
bool report_has_motion(const struct view *view);
bool report_has_rooflines(const struct view *view);
bool report_has_ranks(const struct view *view);

/* Is the kernel a ladder of rungs, and not a probe of the machine with a chapter of its own? */
bool kernel_is_ladder(const struct kernel_view *kernel);

/* Calls `write` for the representative ladder of each device of the kernel. */
void for_each_device(struct page *page, const struct kernel_view *kernel,
                     void (*write)(struct page *, const struct kernel_view *, const struct ladder *));

/* "transpose/ladder/cpu": unique on a page, as device variants are numbered; returns `name`. */
const char *ladder_chart_name(const struct kernel_view *kernel, const struct ladder *ladder, const char *what,
                              char name[CHART_NAME_MAX]);

/* "cuda:0 — NVIDIA H200", with a CPU's threads; returns `text`. */
const char *ladder_device_title(const struct ladder *ladder, char *text, size_t size);

/* The rungs' sources in the report: a link from a rung's row, and a chapter with the files. */

/* Who finds the file of a rung (NULL: there is none). Without it there are no links. */
void sources_from(const struct embedded_file *(*find)(const char *kernel, const char *rung));

/* The rung's name, with a link to its source where there is one. */
void source_link(FILE *stream, const char *kernel, const char *rung);

/* The files of all rungs of the views, each once, folded. */
void sources_write(struct page *page, const struct view *views, size_t count);

/* The chapter "Why": for each kernel predicted beside measured times, each rung's resources as bars, and pictures of
 * its accesses to memory. */

struct explained_list {
    struct explained_kernel *kernels;
    size_t count;
};

/* A struct chapter's `write`; its context is a struct explained_list. */
void chapter_explained(struct page *page, const void *context);
