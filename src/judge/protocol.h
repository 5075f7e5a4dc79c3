/* The messages between the judge and its child. Both are the same program, so structures are sent as bytes. */
#pragma once

#include "base/child_process.h"
#include "base/message.h"
#include "lab/bench/bench.h"
#include "lab/bench/candidate.h"

#define JUDGE_RUNGS_MOST 64

enum judge_message {
    JUDGE_CHECK = 1, /* to the child: struct check_job */
    JUDGE_COMPILE,   /* … struct compile_job */
    JUDGE_BENCH,     /* … struct bench_job; its candidates and ceilings follow, then JUDGE_GO */
    JUDGE_CONTENDER, /* … struct candidate_job */
    JUDGE_CEILING,   /* … a measurement */
    JUDGE_GO,
    JUDGE_MEASURED, /* from the child: a measurement (parcel.h), provisional in a bench */
    JUDGE_FINAL,    /* … of a bench: final, in the list's order */
    JUDGE_STAGE,    /* … compiled ahead: the ladder, then each library; when, an int64_t */
    JUDGE_DONE,     /* … struct judge_done */
};

/* A device's id and name. The name ensures that the child opens the same device. */
struct device_job {
    char id[32];
    char name[sizeof((struct device_properties *)NULL)->name];
    bool is_cpu;
};

struct check_job {
    struct device_job device;
    char problem[PROBLEM_TEXT_MAX];
    int threads;
    struct overrides overrides;
    size_t count;
    char rungs[JUDGE_RUNGS_MOST][RUNG_NAME_MAX];
};

struct compile_job {
    struct device_job device;
    char problem[PROBLEM_TEXT_MAX], rung[RUNG_NAME_MAX];
};

struct candidate_job {
    struct device_job device;
    char rung[RUNG_NAME_MAX];
    struct parameters parameters;
};

struct bench_job {
    char problem[PROBLEM_TEXT_MAX];
    int threads;
    double seconds, precision;
    bool cold, end_to_end, probe_ceilings, has_ceilings, is_rough;
    bool is_ahead; /* it only compiles, at a lower priority */
    unsigned samples_least, rounds_most, repeat;
    bool counters;
    char neighbours_of[RUNG_NAME_MAX]; /* "": all are timed */
};

struct judge_done {
    enum status status;
    struct error error;
    char origin[MESSAGE_ORIGIN_BYTES];
};

/* The messages from the child, as base/child_process.h checks them. */
extern const struct child_rule judge_rules[];
extern const size_t judge_rule_count;

/* The children's entries (base/child_process.h). */
int check_child(struct child_link *parent, int argc, char **argv);
int bench_child(struct child_link *parent, int argc, char **argv);

/* For the checking child: compiles the rung for the problem, as judge_compile says. */
enum status compile_here(const struct compile_job *job, struct error *error);

/* For a child: its initialization. With `guarded`, arrays lie between guard pages. */
void judge_child_begin(bool guarded);

/* For a child: takes the user's rung of its arguments, if any. For a C file it enters the walls, and notes the
 * process's own code (lab/verification/process_code.h). */
enum status judge_take_user_rung(int argc, char **argv, struct error *error);

/* For the judge: sends a started child the job of timing these candidates, or, `is_ahead`, of compiling them. A failed
 * send is ignored: the wait for a dead child reports its end. STATUS_UNAVAILABLE without memory. `is_out` (may be NULL)
 * says which of them are left out.
 */
enum status judge_send_bench(struct child_process *child, const struct problem *problem,
                             const struct candidate *candidates, size_t count, const bool *is_out,
                             const struct bench_options *options, bool is_ahead, struct error *error);

struct judge;

/* For the judge: starts its checking child. */
enum status judge_start_checking(struct judge *judge, struct error *error);

/* For the judge: the limits of a child; with a user's rung it may have so many threads at once. */
struct child_limits judge_limits(const struct child_limits *limits);

/* For the judge: the memory, of `available` bytes, that a child may have that runs a problem on a device: with a user's
 * rung many times the arrays, else all. */
uint64_t judge_memory_most(const struct problem *problem, const struct device *device, uint64_t available);

/* For the judge: describes a device to the child. */
struct device_job judge_name_device(const struct device *device);

/* For a child: opens a device once, and keeps it open. STATUS_UNAVAILABLE when the id is another device here than in
 * the judge's process. */
enum status judge_device(const struct device_job *job, struct device **device, struct error *error);

/* For a child: enters the rest of the walls, if there is a user's rung and it has not. Before that only its driver has
 * run. Without a device (NULL) it enters all of them. */
enum status judge_close_walls(const struct device *device, struct error *error);

/* For the judge, as `look` of child_wait. */
bool judge_interrupted(void *context);
