/* The two halves of receiving a message, for base/child_*.c. */
#pragma once

#include "base/child_process.h"

enum link_state {
    LINK_READY,
    LINK_EMPTY,  /* not yet */
    LINK_CLOSED, /* the other side has */
    LINK_BROKEN, /* something that is not a message was written; or memory is out */
};

/* The types of the messages of child_process_is and child_lacks_memory. */
#define CHILD_IS 0xffffffffu
#define CHILD_LACKS 0xfffffffeu

/* Reads what is there, without waiting. */
enum link_state link_read(struct child_link *link);
/* Takes the first whole message out of what was read; the caller frees its data. */
enum link_state link_take(struct child_link *link, struct child_message *message);

/* The message about a child that ended with this status of waitpid. */
enum child_event child_describe_end(const struct child_process *child, int status, struct error *why);

/* A child begins, by whatever means it was started, and is over: in between, the end of another child's family spares
 * it. */
void child_family_enter(pid_t child);
/* Those that are there at the start are a shell's that became this program ("exec uskor > >(tee log)"): never ended. */
void child_family_enter_inherited(void);
void child_family_leave(pid_t child);
/* Kills the child's process group and every process that it left to this one, and waits for them. Other children
 * survive. */
void child_kill_family(pid_t child);

/* Bytes that a process uses; 0 when it is not known. */
uint64_t memory_resident(pid_t process);

/* Bytes that the processes of a group use together, with their files in memory, shared memory that was let go of, and
 * tables of pages: what more than `most` of it is, each
 * page's share among those that share it (PSS). */
uint64_t memory_of_family(pid_t group, uint64_t most);

/* What the processes of a group do at this moment, as /proc shows it. */
struct group_activity {
    uint64_t ticks;  /* processor time that they have used */
    bool is_busy;    /* one does something else than to wait for an event: it runs, is ready, or reads a disk */
    bool is_stopped; /* one is stopped by a signal or a debugger */
};

struct group_activity activity_of(pid_t group);

/* The number of its threads, and its first thread's state as /proc shows it ('Z': ended); 0 where that is not known. */
unsigned threads_of(pid_t process, char *state);

/* The child's side of an end by exit(). */
#define CHILD_CHANNEL_LOST 113
