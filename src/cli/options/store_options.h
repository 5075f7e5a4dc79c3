/* Shared by the commands that read the store: file, selection of measurements, output form. */
#pragma once

#include <stdio.h>

#include "cli/options/bench_session.h"
#include "cli/options/result.h"
#include "store/store.h"

struct store_options {
    const char *store_name; /* NULL: the default */
    struct store_filter filter;
    enum form form;
    const char *output; /* NULL: standard output */
    bool force;
    char problem[256]; /* canonical, of filter.problem */
};

/* Shared by the commands whose arguments are a struct store_options. */
extern const struct usage stored_usage;

/* The option's reader of a moment: 2026-11-21, '2026-11-21 14:30', or 12h, 7d, 4w before now; `moment` is an int64_t,
 * seconds since 1970. */
struct options_state;
void option_moment(void *moment, const char *argument, const struct options_state *state);

/* "transpose" or "transpose:rows=4,cols=5": narrows the filter. */
void store_options_choose(struct store_options *stored, const char *kernel_or_problem);

/* store_open_to_read of a command that prints what it reads: `| head` leaves no files of SQLite's beside the store. */
enum status store_read(const char *name, struct store **store, struct error *error);

/* Opens the store to be read. */
enum status store_options_open(const struct store_options *stored, struct store **store, struct error *error);

/* Opens what the command writes to; result_close it. */
enum status store_options_result(const struct store_options *stored, struct result *result, struct error *error);
