/* What costs a device rung time: causes that its counts show, each with what the model predicts of its remedy. */
#pragma once

#include "explain/cause.h"

/* "uncoalesced", … */
extern const char *const explain_cause_keys[CAUSES];

#define EXPLAIN_CAUSES_MAX 3

/* Writes at most EXPLAIN_CAUSES_MAX causes, the largest gain first; gains below 1.05 are within the model's noise.
 * Returns their number; 0 where nothing was predicted, and for rungs of a CPU. */
size_t explain_causes(const struct explanation_request *request, const struct explanation *explanation,
                      struct explain_cause causes[EXPLAIN_CAUSES_MAX]);
