/* How long a step of a protocol will take, before it has run: from what is known of it, or of smaller problems. */
#pragma once

#include "lab/protocols/protocol.h"

/* Seconds for the whole step, checks and warm-up included. `known` are measurements to estimate from, the newest last;
 * each of them may be NULL. */
double estimate_step_time(const struct publication *publication, const struct protocol_step *step,
                          const struct protocol_options *options, const struct measurement_list *known,
                          const struct measurement_list *past, bool *is_guess);
