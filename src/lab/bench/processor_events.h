/* The cycles and instructions of this process, where perf_event counts them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { EVENT_CYCLES, EVENT_INSTRUCTIONS, EVENT_COUNT };

#define EVENT_THREADS_MOST 256

/* Open counters: of each thread one of each kind. All zero: none. */
struct processor_events {
    int files[EVENT_THREADS_MOST][EVENT_COUNT];
    size_t threads;
};

/* Begins to count in user mode, in all threads and those that they start. False, and nothing is open, where the system
 * counts nothing (no counters in a virtual machine, perf_event_paranoid above 2, walls), or for more threads. */
bool processor_events_begin(struct processor_events *events);

/* Ends it, and adds what was counted, scaled where the counters were shared with other programs. False, and nothing is
 * added, where it could not be read. Everything is closed. */
bool processor_events_end(struct processor_events *events, double totals[EVENT_COUNT]);
