/* One trial of uskor try: what the user asked for, and its three parts. */
#ifndef USKOR_CLI_COMMANDS_TRY_JOB_H
#define USKOR_CLI_COMMANDS_TRY_JOB_H

#include "cli/options/bench_session.h"
#include "judge/judge.h"
#include "judge/user_rung.h"

struct try_job {
    struct bench_session session; /* first: where that is at hand, so is this */
    struct user_rung_options how;
    struct selection beside; /* its rung names: what the file is timed beside; none: its neighbours */
    const char *skeleton;    /* --new: the kernel */
    bool watches;
    bool is_verified; /* on the edge cases, by an earlier trial of the same bytes: they are left out */
    const struct kernel *kernel;
    struct user_rung user;
    struct judge judge;
};

/* Verifies the file on all edge cases of one device, until one is wrong: that measurement is in the session's list, and
 * *is_right is false. STATUS_FAILED when it serves none of them. */
enum status try_verify(struct try_job *job, struct device *device, bool *is_right, struct error *error);

/* Times it on the problems that the user named (or the lab's) beside the rungs that tell its place. */
enum status try_bench(struct try_job *job, struct device *device, struct error *error);

/* The tables, one line for each problem and device with the file's place, and what explains it. A bench_session's
 * `print`. */
void try_print(FILE *out, const struct bench_session *session, struct style style);

#endif
