/* The rung or driver call that may crash, hang or end this process at the moment.
 *
 * One entry at a time, set by the thread that runs it. A signal handler may read it. So may the parent of a child
 * process (base/child_process.h), whose copy is in shared memory. In a stranger's process, which has the C library,
 * nobody reads it: nothing is written there, and several threads may be under way. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum under_way_kind {
    UNDER_WAY_NOTHING,
    UNDER_WAY_RUNG,   /* subject: the rung */
    UNDER_WAY_DRIVER, /* subject: the backend or library */
    UNDER_WAY_CALL,   /* a call of a driver that belongs to none of these; subject: the device */
    UNDER_WAY_RANKS,  /* a call of MPI, which may wait for other ranks; subject: MPI, and this rank */
    UNDER_WAY_ENDING, /* MPI's end, after which this process has nothing to do; subject: MPI, and this rank */
    UNDER_WAY_JOB,    /* a job on a user's files; subject: the device */
};

struct under_way {
    atomic_int kind;
    atomic_uint steps;  /* counts up as things begin and go on: the sign of life */
    atomic_int judging; /* above 0 while the lab's own code checks what a rung left, which may take long */
    atomic_int calling; /* above 0 in a call of a driver that no rung times: also while `judging` it may hang */
    atomic_int loading; /* above 0 while a library's own start-up code runs: nothing can be tidied up then */
    char subject[96], problem[256], device[32];
    char parameters[128]; /* of a rung, where that matters */
    bool computes_here;   /* of a job: its device is the CPU under another name, and takes its time */
    double fraction;      /* how much of a long piece of work is done, for a progress bar */

    /* Written by the handler of base/fatal_signal.h: */
    atomic_int signal;       /* that ended the process; 0: none */
    uintptr_t address;       /* of the access that failed, for SIGSEGV and SIGBUS */
    bool is_null;            /* nothing lies there, as near to 0 as a null pointer's members and first elements */
    char place[160];         /* what lies at that address, where it is known */
    atomic_int channel_lost; /* a child could not write to its parent: something closed its files */
};

/* Never NULL. */
struct under_way *under_way_now(void);

/* From now on it is kept there; NULL: in this process's own memory again. */
void under_way_keep_in(struct under_way *shared);

/* Whether anybody reads it: after base/fatal_signal.h has been installed, which says so. */
void under_way_read(void);
bool under_way_is_read(void);

/* The texts are copied, cut to fit; "" where there is none. Nothing is done where nobody reads. */
void under_way_begin(enum under_way_kind kind, const char *subject, const char *problem, const char *device);
/* … of a rung with parameters. */
void under_way_rung(const char *rung, const char *parameters, const char *problem, const char *device);
void under_way_end(void);

/* A sign of life: cheap enough for every sample. */
static inline void under_way_step(void)
{
    atomic_fetch_add_explicit(&under_way_now()->steps, 1, memory_order_relaxed);
}

/* The file that says that a driver is harmless: under_way_condemn removes it, if a driver is under way. A signal
 * handler may call that. */
void under_way_suspect(const char *file);
void under_way_condemn(void);

/* Around a check of what the rung under way has left. */
void under_way_judge(void);
void under_way_judged(void);

/* Around a driver's call that no rung times. */
static inline void under_way_call(void)
{
    atomic_fetch_add_explicit(&under_way_now()->calling, 1, memory_order_relaxed);
    under_way_step();
}

static inline void under_way_called(void)
{
    atomic_fetch_sub_explicit(&under_way_now()->calling, 1, memory_order_relaxed);
    under_way_step();
}

/* Around a library's loading and start-up. */
void under_way_load(void);
void under_way_loaded(void);
