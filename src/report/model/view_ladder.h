/* Parts of view.c: what a ladder is made of. */
#pragma once

#include "report/model/view.h"

/* Fills in rungs (room for as many as there are entries), passed, fastest, own and vendor. */
void ladder_choose(struct ladder *ladder);

/* Fills in the ladder's ceiling and base, and each entry's share of the ceiling and speed-up. `entries` are the
 * ladder's own, to be written; `first` is the ladder whose first rung is the base. */
void ladder_relate(struct ladder *ladder, struct entry *entries, const struct ladder *first);
