/* Runs the items of one group on their own stacks, a warp at a time, and aligns their accesses to those of the warp. */
#pragma once

#include "explain/memory/clashes.h"
#include "explain/memory/coroutine.h"
#include "explain/memory/races.h"
#include "explain/memory/tally.h"
#include "explain/memory/traced_program.h"

enum item_state {
    ITEM_RUNS, /* or is suspended because its record is full */
    ITEM_AT_BARRIER,
    ITEM_AT_MEETING, /* of its warp */
    ITEM_DONE,
};

struct item {
    struct coroutine coroutine;
    enum item_state state;
    struct place place;
};

enum group_fault {
    GROUP_OK,
    GROUP_OUTSIDE, /* an access outside its array: fault_at */
    GROUP_ENDLESS, /* more than group_events_max accesses */
    GROUP_CRASHES, /* its code raised fault_signal */
    GROUP_NO_MEMORY,
};

/* Runs a launch's groups. */
struct group_runner {
    struct traced_program *program;
    struct trace_link *link; /* the program's, or its silent one */
    traced_entry enter;
    const unsigned long *slots; /* the kernel function's arguments */
    struct tally *tally;
    struct races *races;                  /* NULL: not searched */
    struct clashes *of_items, *of_groups; /* … */
    bool is_backward;                     /* the last warp of a group is the first to run between two barriers */
    unsigned turn; /* items of a warp run in the order of their numbers ^ turn: 0 or, backward, 31 */
    struct item *items;
    size_t item_count, local_size[3];
    struct group_place place;
    unsigned char *stacks;
    struct lane *lanes;         /* of the running warp */
    unsigned taken[WARP_LANES]; /* of the lanes' events */
    struct coroutine scheduler;
    struct item *current;
    bool is_plain;                        /* items run consecutively on one stack: none has waited yet */
    size_t warp_first, warp_end;          /* of the running warp; 0, 0: no warp runs */
    unsigned long brought[2][WARP_LANES]; /* values exchanged by a warp; two sets in turns */
    uint32_t ballots[2];                  /* lanes that brought something else than 0 */
    unsigned meeting;
    bool barrier_missed;
    uint64_t events; /* of this group */
    uint64_t hash;   /* of the places and addresses of its accesses */
    enum group_fault fault;
    uint64_t fault_at;
    int fault_signal;
};

/* Bound of the warp events of one group: above it, a kernel counts as endless. 2^27 take some 10 seconds; the ladders'
 * groups have less than a tenth. Tests lower it. */
extern uint64_t group_events_max;

#define GROUP_STACK_BYTES ((size_t)256 << 10)

/* Allocates memory for groups of runner->local_size; group_runner_free frees it. False when out of memory. */
bool group_runner_make(struct group_runner *runner);
void group_runner_free(struct group_runner *runner);

/* Runs group `group`, with or without recording (the silent link). Returns the fault, also left in runner->fault. */
enum group_fault group_run(struct group_runner *runner, const size_t group[3], bool recording);

/* ---- between group.c and warp.c ---- */

/* Takes events of the warp's lanes while every lane that can continue has some. `first` is the warp's first item. */
void warp_take_events(struct group_runner *runner, size_t first, size_t count);
