/* Status codes and the one-line message that goes with them.
 *
 * Every function that can fail returns an `enum status` and takes a `struct error *` that receives
 * the reason in words fit for the user: what is wrong, where, what would be right. */
#pragma once

enum status {
    STATUS_OK = 0,
    STATUS_FAILED,      /* it ran, and the answer is wrong */
    STATUS_INVALID,     /* wrong use or wrong input */
    STATUS_UNAVAILABLE, /* this machine (or this build) cannot do it: no device, no library, no memory */
    STATUS_SYSTEM,      /* the operating system refused: I/O, permissions */
    STATUS_INTERRUPTED, /* the user pressed Ctrl-C */
};

struct error {
    char text[1024];
};

/* What the reason of a verdict begins with where what is outside kept the judge from one. */
#define DISTURBED "disturbed: "

/* Writes the message into `error` (may be NULL), what cannot be shown as an escape (base/visible.h), and returns
 * `status`, so that a failing path is one line: `return fail(error, STATUS_INVALID, "%s: not a PNG file", path);` */
enum status fail(struct error *error, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "prefix: " before a message that a callee wrote; returns `status`. */
enum status fail_in(struct error *error, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#ifdef __clang_analyzer__ /* which sees one file at a time, and so not that a failing path never returns STATUS_OK */
#define fail(error, status, ...) ((void)(fail)(error, status, __VA_ARGS__), (status))
#define fail_in(error, status, ...) ((void)(fail_in)(error, status, __VA_ARGS__), (status))
#endif
