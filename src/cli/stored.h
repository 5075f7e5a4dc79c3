/* What the commands that read the store share: which file, which measurements, in which form. */
#ifndef USKOR_CLI_STORED_H
#define USKOR_CLI_STORED_H

#include <argp.h>
#include <stdio.h>

#include "cli/measuring.h"
#include "files/output.h"
#include "store/store.h"

struct stored {
    const char *store_name; /* NULL: the default */
    struct store_filter filter;
    enum form form;
    const char *output; /* NULL: standard output */
    bool force;
    char problem[256]; /* canonical, of filter.problem */
};

/* A child parser: list it in the command's argp_child array with the command's struct stored as its input. */
extern const struct argp stored_argp;

/* "transpose" or "transpose:rows=4,cols=5": narrows the filter. */
void stored_choose(struct stored *stored, const char *kernel_or_problem);

/* Opens the store to be read. */
enum status stored_open(const struct stored *stored, struct store **store, struct error *error);

/* What the command writes to: standard output, or a file that appears when it is complete. Opened, and closed with what
 * became of the work: a file gets its name, or goes away when `status` is not STATUS_OK. */
struct stored_output {
    FILE *stream;
    struct output *file;
    const char *name; /* for messages */
};
enum status stored_output_open(const struct stored *stored, struct stored_output *output, struct error *error);
enum status stored_output_close(struct stored_output *output, enum status status, struct error *error);

#endif
