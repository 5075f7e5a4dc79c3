/* Stored measurements of this machine, for the choice of a rung (choice/choose_rung.h).
 *
 * All times come from one run of the store, so only rungs that were timed side by side are compared. It is the newest
 * run with at least two rungs of the problem on the device: hot caches, default parameters, the current number of
 * threads. Noisy figures are left out. */
#pragma once

#include "choice/choose_rung.h"
#include "store/store.h"

struct stored_times {
    struct rung_times times; /* for choose_rung; valid as long as this object is not moved */
    struct store *store;     /* NULL: no store, no times */
    bool owns_store;
    int64_t machine;
    char problem[256], device[32]; /* of `list` */
    struct measurement_list list;
};

/* Opens the store at `path` (NULL: the default) for reading. Without a readable store there are no times and no
 * message: the choice then follows the rest of the policy. */
void stored_times_open(struct stored_times *stored, const char *path);

/* Uses a store that the caller keeps open; NULL: no times. */
void stored_times_borrow(struct stored_times *stored, struct store *store);

/* Closes the store if this object opened it, and frees the list. A zeroed object is allowed. */
void stored_times_close(struct stored_times *stored);
