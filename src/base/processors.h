/* How many processors this process may use: its affinity mask, cut by the CPU quota of its control groups. */
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A function that the caller's program may have, of OpenMP say: declared weak, NULL where it has none. Behind a pointer
 * of whose target the compiler knows nothing: clang 19 calls OpenMP's functions, as free of effects, ahead of a test
 * for NULL. */
#define OF_PROGRAM(function)                             \
    ({                                                   \
        __typeof__(&(function)) of_program = (function); \
        __asm__("" : "+r"(of_program));                  \
        of_program;                                      \
    })

/* Whether OpenMP has bound its threads (OMP_PROC_BIND, OMP_PLACES): one thread's mask is then a single place. */
bool processors_are_bound(void);

/* The affinity mask of the calling thread; where OpenMP has bound its threads, with the union of all places. `width`
 * receives the number of its bits. NULL: unknown, or no memory. The caller frees it with CPU_FREE. */
cpu_set_t *processors_mask(int *width);

/* The CPU time that control groups allow, in processors: 1.5 is 150 ms in each 100 ms. INFINITY without a quota. `root`
 * is put before every path, as in control_groups_each. */
double processors_quota(const char *root);

/* How often quotas have stopped this process's control groups since they were made, and for how long in all, ns. Zeros
 * where there is no quota. */
struct processors_stops {
    int64_t periods, nanoseconds;
};

struct processors_stops processors_stopped(const char *root);

/* Lets the calling thread, and what it starts, run on all processors of the process again, where OpenMP has bound it to
 * one place: libraries with threads of their own would crowd there. */
void processors_unbind(void);

/* The mask of a thread that avoids a processor: before, and since. All zeros at the start. */
struct processors_avoided {
    cpu_set_t all, left;
};

/* Moves the calling thread to another processor if it runs on this one, and keeps it from coming back, until it avoids
 * another one. A mask that somebody else has set meanwhile counts as the whole. Does nothing where the mask has no
 * other processor, or more than CPU_SETSIZE. */
void processors_avoid(struct processors_avoided *avoided, int processor);

/* `threads`, cut by the quota (rounded up); at least 1. The quota is read once. */
size_t processors_within_quota(size_t threads);

/* How many there are to use: those of the mask, within the quota; at least 1. Determined once. */
size_t processors_available(void);
