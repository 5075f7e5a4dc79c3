/* A chart of what has just been measured, as an SVG file. */
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "store/measurement.h"

/* Rates over sizes where several were measured, else the ladder's bars, of the first device. An existing file is
 * replaced with `force` only. STATUS_UNAVAILABLE: there is no such chart. */
enum status plot_measured(const struct measurement_list *list, const char *path, bool force, struct error *error);

/* Rates over versions of the program, of the first problem and device that has several; else as above. */
enum status plot_versions(const struct measurement_list *list, const char *path, bool force, struct error *error);
