/* uskor grade --continue: the grades that an earlier grading wrote. */
#pragma once

#include "cli/commands/grade_job.h"

/* Takes the grades of submissions that the CSV at `path` has a row of, right or wrong: with the same content, for the
 * same exercise, problem, device and version of the program. They are marked as judged, and counted. Without such a
 * file nothing happens. STATUS_INVALID: it is not a file of grades. */
enum status grade_continue(struct grade_job *job, const char *path, size_t *taken, struct error *error);
