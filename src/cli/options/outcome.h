/* How a command ends: its message on stderr, and its exit code. */
#pragma once

#include "base/status.h"

/* The program's exit code. After Ctrl-C it is 130, as shells expect. */
enum exit_code {
    EXIT_DONE = 0,    /* done and verified */
    EXIT_WRONG = 1,   /* a check failed */
    EXIT_USE = 2,     /* wrong use or wrong input */
    EXIT_NOTHING = 3, /* nothing could run */
    EXIT_INTERRUPT = 130,
};

/* Prints a message (base/message.h) in one line on stderr: "uskor sort: message". */
void tell(const char *who, const char *message);

/* The same with a compiler's output, whose line ends a message has as escapes (base/visible.h): in several lines. */
void tell_lines(const char *who, const char *message);

/* Prints "uskor: message" on stderr and returns the exit code that fits the status. */
int report_error(enum status status, const struct error *error);
int exit_code_for(enum status status);

/* Prints "uskor: warning: …" on stderr, the message made as by fail(). */
void report_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same before MPI has started, where all of a launcher's processes fail alike: the first one tells. The others wait
 * a second, as a launcher ends all processes when one has failed, with or without its message. */
int report_error_of_ranks(enum status status, const struct error *error);

/* At the end of what was printed on standard output: `code`, or another, after a message, where it did not arrive. */
int said_all(int code);
