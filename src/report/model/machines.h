/* Problems that several machines measured, side by side: on each the fastest ladder over its devices. */
#pragma once

#include "report/model/view.h"

#define MACHINES_MOST 8
#define MACHINE_ROWS_MOST 40

struct machine_row {
    const struct ladder *of;                   /* its kernel, problem, and state of the caches */
    const struct ladder *cells[MACHINES_MOST]; /* NULL: that machine has not measured it */
    size_t lead;                               /* the cell with the highest rate */
};

struct machine_rows {
    struct machine_row items[MACHINE_ROWS_MOST];
    size_t count;
};

/* Of the problems that represent a kernel on some machine, those that at least two of the machines measured, in the
 * order of the kernels. `views`: one for each machine, at most MACHINES_MOST. OpenCL on a CPU does not count. */
void machine_rows_make(const struct view *const views[], size_t count, struct machine_rows *rows);
