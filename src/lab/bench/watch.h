/* Notes the current rung in base/under_way.h, so that a crash is reported under its name. */
#pragma once

#include "lab/bench/candidate.h"

/* From here on the candidate is under way: its support query, preparation, runs and checks. under_way_end() ends it. */
void watch_begin(const struct candidate *candidate, const struct problem *problem);
