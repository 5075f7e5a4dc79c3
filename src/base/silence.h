/* How long a process has given no sign of life. On a busy machine it waits for a processor: that is not held against
 * it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct silence {
    pid_t process;
    int64_t since;   /* the last sign of life, by base/clock.h */
    bool is_watched; /* since half of the limit has passed; `delay` is of that moment */
    int64_t delay;
};

/* A sign of life. */
void silence_broken(struct silence *silence, int64_t now);

/* Whether it is longer than `limit` nanoseconds. From half of the limit on, the time for which the process waited for a
 * processor does not count; `delay_of` says how much that is (run_delay_of). */
bool silence_exceeds(struct silence *silence, int64_t limit, int64_t now, int64_t (*delay_of)(pid_t process));

/* Nanoseconds for which the process's thread that waited longest was ready and had no processor, from
 * /proc/PID/task/…/schedstat; 0 where the system does not say. */
int64_t run_delay_of(pid_t process);

/* The same of one thread. */
int64_t run_delay_of_thread(pid_t process, pid_t thread);
