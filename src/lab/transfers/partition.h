/* Into how many parts a job is cut. */
#pragma once

#include "lab/transfers/chunk_layout.h"

/* Cuts the job that `whole` lays out as one part: into `parts`, or, when that is 0, into as many as suit its size and
 * its rectangles (docs/moving-data.md, Overlap). The caller destroys `cut`, on failure too. Errors as
 * chunk_layout_create. */
enum status partition_job(const struct chunk_layout *whole, size_t parts, struct chunk_layout *cut,
                          struct error *error);
