/* Shared by the commands that work on the user's own files: options, device, final message. */
#ifndef USKOR_CLI_OPTIONS_FILE_OPTIONS_H
#define USKOR_CLI_OPTIONS_FILE_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "lab/bench/stored_times.h"
#include "library/context.h"

#define DATA_INPUTS_MAX 2

struct file_options {
    /* Set by the command: how many input files it takes, and what it says when there are more, or less (or when the
     * result has no name). */
    int input_count;
    const char *too_many, *too_few;

    const char *inputs[DATA_INPUTS_MAX];
    int given; /* input files */
    const char *output, *device;
    bool force, quiet;
    bool has_result; /* in a file: it must have a name */

    struct stored_times stored; /* of the default store, while the library is open */
};

/* The children of a command's argp, with its struct file_options as their input: of one with a result in a file, and
 * of one that prints it. */
extern const struct argp_child data_children[], data_printing_children[];

/* The library on the device that was chosen; for `auto`, the one that suits the problem (NULL: not known; the cpu). One
 * line says which, where there was a choice. It takes its rungs by what the default store has of this machine, where
 * that has anything of the problem. file_options_close it; `arguments` stay where they are until then. */
enum status file_options_open(struct file_options *arguments, const char *problem, struct uskor **context,
                              struct error *error);
void file_options_close(struct file_options *arguments, struct uskor *context); /* NULL is allowed */

/* The result of a call of the library. */
enum status file_options_status(enum uskor_status done, const struct uskor *context, struct error *error);

/* The lab's own check of what a job has just computed. STATUS_FAILED and the reason when it is wrong. */
enum status file_options_check(const struct job *job, struct host_arrays input, struct host_arrays output,
                               struct error *error);

/* Whether progress is reported: standard error is a terminal and --quiet is absent. */
bool file_options_tells(const struct file_options *arguments);

/* Whether a file's name ends in this (".png"), in small or capital letters, and has something before it. */
bool file_options_ends_in(const char *name, const char *end);

/* Three significant digits and the unit ("12.3 ms"), in the reader's language; returns `text`. */
const char *file_options_duration(int64_t nanoseconds, char *text, size_t size);

#endif
