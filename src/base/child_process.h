/* A process of its own for code that may crash, hang, exit or use up the memory: a rung, a driver, a vendor's library.
 *
 * A child is this program started anew (nothing of a driver or of OpenMP survives a fork), and does one entry of a
 * table. Parent and child send each other messages over a socket that nothing else writes to, and share the page in
 * which the child notes what is under way. The child's output is captured. It leads a process group of its own, and
 * ends with its parent, however that ends. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/silence.h"
#include "base/status.h"
#include "base/under_way.h"

/* ---- messages, on either side ---- */

struct child_message {
    uint32_t type; /* what the two agree on */
    void *data;    /* malloc()ed, with a 0 behind it; NULL when there are no bytes */
    size_t bytes;
};

/* A message that is taken: bytes from `least` to `most`, of which the check (NULL: none) finds nothing wrong. */
struct child_rule {
    uint32_t type;
    size_t least, most;
    bool (*is_well)(const void *data, size_t bytes);
};

struct child_link {
    int descriptor;                 /* -1: closed */
    const struct child_rule *rules; /* all that are taken; NULL: any of at most a gigabyte */
    size_t rule_count;
    pid_t process;           /* the other side, as it said once (CHILD_IS); 0: not yet */
    uint64_t token;          /* opens every message: a stray write is not taken for one */
    unsigned char *incoming; /* the bytes from `taken` to `incoming_bytes` are still to be taken */
    size_t taken, incoming_bytes, incoming_capacity;
    bool lacks_memory; /* on either side, for a message: nobody is to blame */
};

/* False when the other side is gone, or closed its end. */
bool child_send(struct child_link *link, uint32_t type, const void *data, size_t bytes);

/* ---- in the child ---- */

struct child_entry {
    const char *name; /* NULL ends the table */
    /* Returns the exit code. Ends when child_receive says so. */
    int (*run)(struct child_link *parent, int argc, char **argv);
};

/* To be called first in main: a child does its entry here and does not return. In the program that the user started it
 * returns, and children can be started from then on. */
void child_process_main(int argc, char **argv, const struct child_entry *entries);

/* The next message; false when the parent has closed its end, or memory is out, which the parent is told. The caller
 * frees message->data. */
bool child_receive(struct child_link *parent, struct child_message *message);

/* Whether this process has children: a rung that started some has left them behind. */
bool child_has_children(void);

/* Ends the processes that this one has not started by child_start, and those that they left to it. */
void child_end_strays(void);

/* Sends the message; ends the child when the channel is closed. */
void child_report(struct child_link *parent, uint32_t type, const void *data, size_t bytes);

/* Tells the parent that memory is out: its wait ends with CHILD_LACKING. Takes none itself. */
void child_lacks_memory(struct child_link *parent);

/* To be called before a stranger's code runs, once: the process that works from now on is this one, or one that it has
 * started and stands for. */
void child_process_is(pid_t process);

/* To be called when files turn out to be closed, while what closed them is still under way: a child whose channel is
 * among them can report nothing any more, and ends here. */
void child_needs_channel(void);

/* ---- in the parent ---- */

/* Whether children can be started: false where main does not call child_process_main (the C library's users), and in a
 * child. */
bool child_process_possible(void);

/* From now on it is not: this process may start no program. */
void child_process_forbid(void);

struct child_limits {
    double seconds;                 /* without a sign of life; 0: CHILD_SECONDS */
    uint64_t memory_bytes;          /* resident; 0: nine tenths of what is available when it starts */
    unsigned threads;               /* at once; 0: no limit */
    double seconds_in_all;          /* without a message, whatever signs of life it gives; 0: no limit */
    bool idle_threads_sleep;        /* OpenMP's threads do not spin where they wait: for work that nobody times */
    const struct child_rule *rules; /* the messages that it may send */
    size_t rule_count;
    const char *folder;  /* may hold FOLDER_BYTES_MOST (temporary_folder.h); NULL: none is watched */
    int given;           /* an open file that the child has under the same number; 0: none */
    bool libraries_rest; /* OpenBLAS's threads spin for milliseconds after a call, not for tens of them */
};

#define CHILD_SECONDS 120
#define CHILD_ARGUMENTS_MOST 32

enum child_event {
    CHILD_MESSAGE,   /* there is a message */
    CHILD_CRASHED,   /* a signal that its own code caused */
    CHILD_LEFT,      /* it ended the process by exit(), was killed, or closed the channel */
    CHILD_SILENT,    /* no sign of life for too long */
    CHILD_FULL,      /* used more memory than it may */
    CHILD_LACKING,   /* memory for a message was out, on either side */
    CHILD_STOPPED,   /* stopped from outside, and not continued for five times its limit */
    CHILD_CANCELLED, /* `cancelled` said so */
};

struct child_process {
    struct child_link link;
    pid_t id; /* 0: there is none */
    int output;
    struct under_way *under_way; /* in memory that both share */
    char printed[2048];          /* the end of what it printed */
    size_t printed_bytes;
    struct child_limits limits;
    unsigned last_steps, headless_looks, looks;
    struct silence silence;
    int64_t last_look, last_message; /* by base/clock.h */
    int64_t stopped;                 /* ns for which it has been stopped from outside, up to now */
    bool is_awaited;                 /* its number may be another's by now */
    bool is_over;                    /* it has ended; what it sent before is still handed over first */
    enum child_event end;
    struct error why;
};

/* Starts the entry `name` with at most CHILD_ARGUMENTS_MOST arguments (NULL-terminated; may be NULL). STATUS_SYSTEM
 * when the system starts no process. A `child` that succeeded is ended with child_end. */
enum status child_start(const char *name, const char *const *arguments, const struct child_limits *limits,
                        struct child_process *child, struct error *error);

/* Waits for what the child does next. For all but CHILD_MESSAGE and CHILD_CANCELLED `why` says what happened, fit to
 * follow a name: "crashed: SIGSEGV at address 0x10"; the child is then as good as dead: call child_end. `look` (may be
 * NULL) is called about ten times a second; when it returns true the wait is cancelled. */
enum child_event child_wait(struct child_process *child, bool (*look)(void *context), void *context,
                            struct child_message *message, struct error *why);

/* The process that works: the one that was started, or that for which it stands (child_process_is). 0: there is none.
 */
pid_t child_worker(const struct child_process *child);

/* Nanoseconds for which the child's longest waiting thread was ready and had no processor, since it began. */
int64_t child_waited(const struct child_process *child);

/* Ends it with all that it started, and frees what it holds. A zeroed child is fine. */
void child_end(struct child_process *child);
