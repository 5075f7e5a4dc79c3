/* The store's history, for people and for programs. */
#pragma once

#include "report/terminal/report.h"
#include "store/store.h"

/* One line per run, newest first. */
void report_runs(FILE *out, const struct store_run_list *runs, struct style style);
bool report_runs_json(FILE *stream, const struct store_run_list *runs);
bool report_runs_csv(FILE *stream, const struct store_run_list *runs);

/* For each problem and device the rungs' median times, a column for each run, oldest first, and how much time the
 * newest takes of the oldest's; as many of the newest runs as fit. `list` has all measurements of the runs (and maybe
 * of others). */
void report_history(FILE *out, const struct measurement_list *list, const struct store_run_list *runs,
                    struct style style);

/* One object (row) for each measurement, without ceilings, with its run. False when the stream could not be written. */
bool report_history_json(FILE *stream, const struct measurement_list *list, const struct store_run_list *runs);
bool report_history_csv(FILE *stream, const struct measurement_list *list, const struct store_run_list *runs);
