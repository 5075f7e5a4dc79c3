/* Shared by the commands that measure: options, output in the chosen form, progress bar. */
#pragma once

#include <stdio.h>

#include "cli/options/isolation.h"
#include "cli/options/options.h"
#include "cli/options/result.h"
#include "cli/options/selection.h"
#include "lab/bench/bench.h"
#include "report/terminal/progress.h"
#include "report/terminal/report.h"
#include "store/store.h"

#define TARGETS_MOST 1024

struct bench_session {
    struct selection selection;
    struct bench_options options;
    enum form form;
    /* Problems, kernels: what a command takes besides options. It says how many, and what it says to more. */
    size_t targets_most;
    const char *too_many; /* NULL: "more than N problems" */
    const char *targets[TARGETS_MOST];
    size_t target_count;

    bool suits_devices; /* set by a command whose kernels without a size get one for each kind of device */
    struct progress progress;

    const char *output;   /* NULL: standard output */
    struct result result; /* … begun before anything is measured */
    bool force;
    struct isolation isolation;
    int threads; /* 0: as many as the machine has */
    bool has_seed;
    uint32_t seed; /* of every problem, when has_seed */
    struct measurement_list list;
    struct measurement_list
        ceilings;  /* of this machine: kept, or measured by this command (cli/commands/ceiling_selection.h) */
    void *context; /* the command's own, for its functions that print and write */
    /* How a command writes its result for programs; NULL: the measurements. False when the stream could not be written.
     */
    bool (*write_json)(FILE *, const struct bench_session *);
    bool (*write_csv)(FILE *, const struct bench_session *);

    const char *store_name; /* NULL: the default; "none": nothing is kept */
    const char *label;      /* of the run; a command may set its own where the user has not */
    bool keeps_nothing;     /* set by commands whose measurements are not kept */
    struct store *store;    /* NULL: nothing is kept, or no longer */
    int64_t run;            /* 0: not begun yet */
    bool store_failed;      /* while session */
    bool judges_nothing;    /* set by commands whose exit code follows from their status alone */
};

/* Shared by the commands whose arguments begin with a struct bench_session: all options, these and where the rungs run,
 * those of a command that times and keeps nothing, those of one that measures no rungs, those of one that shows what is
 * kept, those of one that times effects and keeps nothing, those of one that only chooses, and those of one that tunes.
 */
extern const struct usage measuring_usage, measuring_judged, measuring_without_times, measuring_without_rungs,
    measuring_what_is_kept, measuring_effects, measuring_choice, measuring_tuning;

void bench_session_init(struct bench_session *session);

/* Threads, Ctrl-C, the store, devices, progress bar. A store that the user named must open; without the default one the
 * user is warned and session goes on. */
enum status bench_session_start(struct bench_session *session, struct error *error);

/* Calls `each` for every problem that the targets name: a kernel's bench, a problem, or all of a range, with the seed
 * that was chosen. Ends with the first that fails. */
enum status bench_session_each_problem(struct bench_session *session,
                                       enum status (*each)(struct bench_session *, const struct problem *,
                                                           struct error *),
                                       struct error *error);

/* Keeps a measurement, newly made or (when it has an `id`) in a newer state, in the run of this command, and sets its
 * `id` and `run`. lab_bench calls it by itself, through the options; other measurements are handed over by whoever made
 * them. Where nothing is kept both stay 0; a failure of the store is reported once, and the session goes on. `context`
 * is the struct bench_session. */
void bench_session_keep(void *context, struct measurement *measurement);

/* Writes what was measured in the chosen form (a table is made by `print`, NULL: report_tables) to the chosen place,
 * beside and renamed when it is a file. */
enum status bench_session_write(struct bench_session *session,
                                void (*print)(FILE *, const struct bench_session *, struct style), struct error *error);

/* After a failure of the store: warns, and keeps nothing from here on. A store that the user named makes the exit code
 * EXIT_USE. */
void bench_session_lose_store(struct bench_session *session, const struct error *why);

/* Writes, closes, and returns the exit code for `status` and the measurements' verdicts. */
int bench_session_end(struct bench_session *session, enum status status, struct error *error,
                      void (*print)(FILE *, const struct bench_session *, struct style));
