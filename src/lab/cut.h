/* Into how many parts a job is cut. */
#ifndef USKOR_LAB_CUT_H
#define USKOR_LAB_CUT_H

#include "lab/layout.h"

/* Cuts the job that `whole` lays out as one part: into `parts`, or, when that is 0, into as many as suit its size and
 * its rectangles (docs/moving-data.md, Overlap). The caller destroys `cut`, on failure too. Errors as layout_create. */
enum status cut_job(const struct layout *whole, size_t parts, struct layout *cut, struct error *error);

#endif
