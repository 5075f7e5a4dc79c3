/* Published properties of devices beside those of this machine's. */
#pragma once

#include "publications/reproduction.h"

/* Adds a column for each device (or for the host, where the rows' properties are the host's) that has any of the
 * properties named in the panel's rows. `add` makes a column with empty cells, NULL when memory is out: then the result
 * is false. */
bool facts_fill(struct panel_comparison *into, const struct here *here,
                struct here_column *(*add)(struct panel_comparison *));
