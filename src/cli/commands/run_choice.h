/* A run, or several, as a person names them. */
#ifndef USKOR_CLI_COMMANDS_RUN_CHOICE_H
#define USKOR_CLI_COMMANDS_RUN_CHOICE_H

#include "store/store.h"

/* Adds to `list` all measurements of what `text` names: a run's number ("12"), "last", "last~1" (the one before), a
 * label (all runs that have it; with "*" at its end, all whose label begins so), or a file that 'uskor export' made or
 * another store. `filter` narrows it (kernel, problem, rung, device). `store` may be NULL where there is none; files
 * can still be named. `said` receives what was chosen, for a title. STATUS_INVALID when nothing is called so. */
enum status run_choice_read(const char *text, struct store *store, const struct store_filter *filter,
                            struct measurement_list *list, char *said, size_t size, struct error *error);

#endif
