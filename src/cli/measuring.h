/* What every command that measures shares: its options, its output in the chosen form, its progress bar. */
#ifndef USKOR_CLI_MEASURING_H
#define USKOR_CLI_MEASURING_H

#include <argp.h>
#include <stdio.h>

#include "cli/selection.h"
#include "lab/bench.h"
#include "report/report.h"

enum form {
    FORM_TABLE,
    FORM_JSON,
    FORM_CSV,
};

struct measuring {
    struct selection selection;
    struct bench_options options;
    enum form form;
    const char *output; /* NULL: standard output */
    bool force;
    int threads; /* 0: as many as the machine has */
    bool has_seed;
    uint32_t seed; /* of every problem, when has_seed */
    struct measurement_list list;
};

/* A child parser: list it in the command's argp_child array with the command's struct measuring as its input. */
extern const struct argp measuring_argp;

void measuring_init(struct measuring *measuring);

/* Threads, Ctrl-C, devices, progress bar. */
enum status measuring_start(struct measuring *measuring, struct error *error);

/* Shows `what` of `fraction` done on a terminal; silent in a pipe. */
void measuring_progress(void *context, const char *what, double fraction);

/* Takes the progress bar away. */
void measuring_progress_end(void);

/* Writes what was measured in the chosen form (a table is made by `print`, NULL: report_tables) to the chosen place,
 * beside and renamed when it is a file. */
enum status measuring_write(struct measuring *measuring, void (*print)(FILE *, const struct measuring *, struct style),
                            struct error *error);

/* Writes, closes, and returns the exit code for `status` and the measurements' verdicts. */
int measuring_end(struct measuring *measuring, enum status status, struct error *error,
                  void (*print)(FILE *, const struct measuring *, struct style));

#endif
