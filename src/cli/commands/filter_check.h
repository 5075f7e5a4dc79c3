/* Whether what was chosen by name is something that could have been measured: a mistyped name is wrong use, not a store
 * without it. */
#pragma once

#include "store/store.h"

/* STATUS_INVALID when the filter's kernel, problem or rung is neither this program's nor in the store, as another
 * version of the program may have measured it. `store` NULL: there is none. */
enum status filter_check_choice(struct store *store, const struct store_filter *filter, struct error *error);
