/* One trial of uskor try: what the user asked for, and its three parts. */
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "base/temporary_folder.h"
#include "cli/commands/own_process.h"
#include "cli/options/bench_session.h"
#include "judge/judge.h"
#include "judge/user_rung.h"
#include "kernels/kernel.h"
#include "store/measurement.h"

/* What compiles ahead of the timing, while the file is verified: the ladder's rungs and the libraries. */
#define TRY_LIBRARIES_MOST 8
struct try_ahead {
    struct judge_ahead child;
    struct candidate late[TRY_LIBRARIES_MOST]; /* libraries that took too long */
    size_t late_count;
    int64_t begun, waited; /* ns */
};

/* The explanation of 'uskor explain --advice', in a process of its own. */
struct try_advice {
    char problem[PROBLEM_TEXT_MAX], said[160]; /* what it explains; its output: "" if there is none */
    struct temporary_folder folder;            /* of that output */
    struct own_process process;
};

/* The search for races (try_races_start). */
#define TRY_RACES_PROBLEMS 4
struct try_races {
    struct races_problem {
        struct problem problem;
        double operations;
        char device[32];
    } problems[TRY_RACES_PROBLEMS];
    size_t count;
    char said[160]; /* its output: "" if there is none */
    struct temporary_folder folder;
    struct own_process process;
    bool is_clear; /* it ran, and found none */
};

struct try_job {
    struct bench_session session; /* first: where that is at hand, so is this */
    struct user_rung_options how;
    struct selection beside; /* its rung names: what the file is timed beside; none: its neighbours */
    const char *skeleton;    /* --new: the kernel */
    bool is_simple;          /* --simple: a skeleton with one size for all */
    bool watches;
    bool is_verified; /* on the edge cases, by an earlier trial of the same bytes: they are left out */
    const struct kernel *kernel;
    struct user_rung user;
    struct judge judge;
    struct try_ahead ahead;
    struct try_advice advice;
    struct try_races races;
    bool searches; /* --races: this process searches, and judges nothing */
};

/* The type of the problems that the file is verified on: the user's, or the first that it serves on the device, as a
 * file for a device says only in its arguments that it is one of doubles, or of integers. */
enum element_type try_type(const struct try_job *job, const struct device *device);

/* The problem on which the file is timed first: as the user wrote it, or the usual one; of the file's type in `text`.
 */
const char *try_first_problem(const struct try_job *job, const struct device *device, char text[PROBLEM_TEXT_MAX]);

/* What the user asked for, or the default: a trial takes a few seconds. */
struct bench_options try_options(const struct try_job *job, const struct device *device);

/* The rungs that it is compared with, and the file: all that serve the problem, or those of --beside. The caller frees
 * *candidates with free(). */
enum status try_candidates(const struct try_job *job, const struct problem *problem, struct device *device,
                           struct candidate **candidates, size_t *count, struct error *error);

/* Has a child compile what the first problem on a device is timed beside; on the CPU nothing. What cannot be compiled
 * ahead is compiled when it is timed. */
void try_ahead_start(struct try_job *job, struct device *device);

/* Waits for it. Libraries that take too long are taken out of `candidates`. Nothing runs beside the timing afterwards.
 */
void try_ahead_end(struct try_job *job, struct candidate *candidates, size_t *count);

/* Notes those libraries in the session's list, with the reason. */
enum status try_ahead_note(struct try_job *job, const struct problem *problem, struct error *error);

/* Ends what still runs. */
void try_ahead_stop(struct try_job *job);

/* Begins to explain the file for the problem, while it is verified; and ends that, if it still runs, before anything is
 * timed. */
void try_advice_start(struct try_job *job, const char *problem);
void try_advice_settle(struct try_job *job);

/* Prints the advice for the problem, explaining it anew if need be. False if there is none. */
bool try_advice_print(FILE *stream, struct try_job *job, const char *problem);

/* Deletes its output. */
void try_advice_end(struct try_job *job);

/* Verifies the file on all edge cases of one device, until one is wrong: that measurement is in the session's list, and
 * *is_right is false. STATUS_FAILED when it serves none of them. */
enum status try_verify(struct try_job *job, struct device *device, bool *is_right, struct error *error);

/* Times it on the problems that the user named (or the lab's) beside the rungs that tell its place. */
enum status try_bench(struct try_job *job, struct device *device, struct error *error);

/* The tables, one line for each problem and device with the file's place, and what explains it. A bench_session's
 * `print`. */
void try_print(FILE *out, const struct bench_session *session, struct style style);

/* What a wrong answer of a user's kernel is probably due to. */

/* A kernel that wrote past an array, and was started with more items than that has elements, lacks a test of its
 * bounds: adds that to the measurement's reason. */
void try_guess(const struct rung *rung, const struct problem *problem, struct measurement *wrong);

/* uskor try: races that a device of few cores hides. A kernel for devices runs as C on the host, item by item, in two
 * orders of its groups and warps, in a process of its own. */

struct try_job;

/* A problem that the file was right on: one of the best few is kept for the search. */
void try_races_offer(struct try_job *job, const struct problem *problem, const struct measurement *measurement);

/* Begins the search beside the verification of larger problems. A file in C: nothing. */
void try_races_start(struct try_job *job);

/* Waits for it. True: there is a race, and `measurement`, that of the problem, says so. */
bool try_races_found(struct try_job *job, struct measurement *measurement);

/* Whether races do not show: the device has one core, and the search was impossible. */
bool try_races_hide(const struct try_job *job, const struct device *device);

/* Whether a kernel whose groups a processor runs was not searched: its source has words that the trace lacks. */
bool try_races_unsearched(const struct try_job *job, const struct device *device);

/* Deletes its output. */
void try_races_end(struct try_job *job);

/* The process of the search (--races): prints what it finds. Returns the exit code. */
int try_races_search(struct try_job *job);

/* uskor try --new. */

/* Writes a skeleton of the kernel's rung to `path`, which ends in .cl, .cu or .c. A simple one has one size for all. */
enum status try_skeleton_write(const char *kernel, const char *path, bool is_simple, bool force, struct error *error);

/* The same, and says so; returns the exit code. */
int try_skeleton(const char *kernel, const char *path, bool is_simple, bool force);
