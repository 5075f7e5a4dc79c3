/* What the commands that read the store share: which file, which measurements, in which form. */
#ifndef USKOR_CLI_STORED_H
#define USKOR_CLI_STORED_H

#include <argp.h>
#include <stdio.h>

#include "cli/measuring.h"
#include "cli/result.h"
#include "store/store.h"

struct stored {
    const char *store_name; /* NULL: the default */
    struct store_filter filter;
    enum form form;
    const char *output; /* NULL: standard output */
    bool force;
    char problem[256]; /* canonical, of filter.problem */
};

/* The children of a command's argp, with the command's struct stored as their input. */
extern const struct argp_child stored_children[];

/* "transpose" or "transpose:rows=4,cols=5": narrows the filter. */
void stored_choose(struct stored *stored, const char *kernel_or_problem);

/* Opens the store to be read. */
enum status stored_open(const struct stored *stored, struct store **store, struct error *error);

/* Opens what the command writes to; result_close it. */
enum status stored_result(const struct stored *stored, struct result *result, struct error *error);

#endif
