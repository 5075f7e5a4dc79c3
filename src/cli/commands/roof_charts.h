/* A roofline for each chosen device: its kept ceilings, and a mark for each measurement of the session. */
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "cli/options/bench_session.h"
#include "report/model/roof_chart.h"
#include "store/measurement.h"

struct roof_charts {
    struct roof_chart items[SELECTION_MAX]; /* one for each chosen device */
    const struct measurement *ceilings[SELECTION_MAX][CEILING_KINDS];
};

/* Fills in the charts from session->ceilings and session->list, which must outlive them. On a CPU only measurements
 * with as many threads as this run has are marked; rungs that the user named exclude others. The caller releases them
 * with roof_charts_free, also after a failure (no memory). */
enum status roof_charts_fill(const struct bench_session *session, struct roof_charts *charts, struct error *error);
void roof_charts_free(struct roof_charts *charts);

/* Prints one after the other. */
void roof_charts_print(FILE *stream, const struct bench_session *session, const struct roof_charts *charts,
                       struct style style);

/* A chart of what has just been measured, as an SVG file. */

/* Rates over sizes where several were measured, else the ladder's bars, of the first device. An existing file is
 * replaced with `force` only. STATUS_UNAVAILABLE: there is no such chart. */
enum status plot_measured(const struct measurement_list *list, const char *path, bool force, struct error *error);

/* Rates over versions of the program, of the first problem and device that has several; else as above. */
enum status plot_versions(const struct measurement_list *list, const char *path, bool force, struct error *error);
