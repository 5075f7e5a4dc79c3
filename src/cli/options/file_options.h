/* Shared by the commands that work on the user's own files: options, device, final message. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/temporary_folder.h"
#include "cli/options/options.h"
#include "lab/bench/stored_times.h"
#include "library/context.h"

/* "-" and pipes as inputs and results of the commands that need files: they are files in a temporary folder meanwhile.
 */

#define PIPES_MAX 3

/* A zeroed one has none. */
struct pipes {
    struct temporary_folder folder;
    char paths[PIPES_MAX][192];
    int count;
    bool has_input;     /* standard input was read */
    const char *output; /* the file that standard output gets at the end; NULL: none */
};

#define DATA_INPUTS_MAX 2
#define FILE_LAPS_MAX 8

struct file_options {
    /* Set by the command: how many input files it takes, and what it says when there are more, or less (or when the
     * result has no name). */
    int input_count;
    const char *too_many, *too_few;

    const char *inputs[DATA_INPUTS_MAX];
    int given; /* input files */
    const char *output, *device;
    bool force, quiet;

    const char *piped_end; /* set by the command: "-" and pipes hold such files (".npy"); NULL: they are not taken */
    bool reverse, json;    /* of the commands that have them */
    bool times;            /* --time */
    struct pipes pipes;
    struct laps {
        const char *names[FILE_LAPS_MAX];
        int64_t nanoseconds[FILE_LAPS_MAX], last;
        size_t count;
    } laps;

    struct stored_times stored; /* of the default store, while the library is open */
};

/* Shared by the commands whose arguments are a struct file_options: one with a result in a file, and one that prints
 * it. */
extern const struct usage data_usage, data_printing_usage;

/* The library on the device that was chosen; for `auto`, the one that suits the problem (NULL: not known; the cpu). One
 * line says which, where there was a choice. It takes its rungs by what the default store has of this machine, where
 * that has anything of the problem. file_options_close it; `arguments` stay where they are until then. */
enum status file_options_open(struct file_options *arguments, const char *problem, struct uskor **context,
                              struct error *error);

/* Ends the work with what became of it: a result for a pipe is written there, and --time's figures are told. Returns
 * `status`, or that of the writing. `context` may be NULL. */
enum status file_options_close(struct file_options *arguments, struct uskor *context, enum status status,
                               struct error *error);

/* What has passed since the lap before (the first: since the options were read) was this: "reading", "computing" … */
void file_options_lap(struct file_options *arguments, const char *name);

/* The result of a call of the library. */
enum status file_options_status(enum uskor_status done, const struct uskor *context, struct error *error);

/* The lab's own check of what a job has just computed. STATUS_FAILED and the reason when it is wrong. */
enum status file_options_check(const struct job *job, struct host_arrays input, struct host_arrays output,
                               struct error *error);

/* The same by a `judge` of the command's own, which is handed `context` and the bound that the rung states. */
enum status file_options_judge(const struct job *job, void (*judge)(void *context, struct check_result *result),
                               void *context, struct error *error);

/* Whether progress is reported: standard error is a terminal and --quiet is absent. */
bool file_options_tells(const struct file_options *arguments);

/* Whether a file's name ends in this (".png"), in small or capital letters, and has something before it. */
bool file_options_ends_in(const char *name, const char *end);

/* Three significant digits and the unit ("12.3 ms"), in the reader's language; returns `text`. */
const char *file_options_duration(int64_t nanoseconds, char *text, size_t size);
