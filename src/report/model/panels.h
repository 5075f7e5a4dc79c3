/* A kernel's ladders side by side, as small multiples: a row of panels for each device, a panel for each problem, the
 * rungs at the same height in all panels of a row, and the share of the ceiling on one axis for all. */
#pragma once

#include "report/model/view.h"

#define PANEL_ROWS 8
#define PANEL_COLUMNS 4
#define PANEL_RUNGS 40
#define PANEL_SHARE_MOST 1.5 /* the axis ends here; a longer bar is cut, and says so */

struct panel_row {
    const struct ladder *ladders[PANEL_COLUMNS];
    size_t ladder_count;
    const char *rungs[PANEL_RUNGS]; /* that have a share in one of its panels, in ladder order */
    size_t rung_count;
};

struct panels {
    struct panel_row rows[PANEL_ROWS];
    size_t row_count, columns, panel_count;
    double most; /* the axis' end, as a fraction of the ceiling: 1 … PANEL_SHARE_MOST */
};

/* Chooses at most PANEL_COLUMNS problems of each device, spread evenly over those measured with at least half as many
 * rungs as the device's representative. OpenCL on a CPU has no row: its order of rungs is not a GPU's. */
void panels_make(const struct kernel_view *kernel, struct panels *panels);

/* The ladder's rung of that name; NULL when it has none. */
const struct entry *panel_entry(const struct ladder *ladder, const char *rung);
