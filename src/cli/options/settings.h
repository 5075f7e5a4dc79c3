/* The program's own environment variables (docs/environment.md), where they hold one of a few words or a number. */
#pragma once

#include "base/status.h"

/* STATUS_INVALID, in a line that names the variable and what it takes, for a value that means nothing. An empty value
 * is as good as none. */
enum status settings_check(struct error *error);
