/* Shared by the libraries that do harm. FAULT in the environment says where and what: "init-abort", or with the name of
 * a function "BuildProgram-hang". FAULT_CALL=7: from the place's seventh call on, not from the first. */
#pragma once

#include <stdbool.h>

/* What FAULT says of this place, "hang"; NULL where it names another place or a later call. Counts the call. */
const char *fault_at(const char *place);

/* Does it, where it is an act of harm; answers are the caller's affair. */
void harm_by(const char *fault);

/* Both. */
void harm(const char *place);
