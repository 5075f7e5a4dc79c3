/* Threads for loops over independent pieces, without OpenMP: a library shares them with whatever its caller uses.
 *
 * A loop is never slower than its caller alone because other threads are late: the caller takes every piece that no
 * worker has begun, and waits only for pieces that workers have begun. Loops run serially in the caller where another
 * thread's loop is running, within a piece of a loop, and within a parallel region of OpenMP.
 *
 * Workers are started when a loop first needs them, and in a forked child anew. They wait for the next loop for some
 * microseconds, then sleep. They run in the default floating-point mode and take no asynchronous signals. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define POOL_THREADS_MOST 1024

/* Does piece `index`. `thread`, below the loop's `threads`, is a number that no other thread has in this loop: its own
 * part of scratch memory. The caller's is 0. */
typedef void pool_piece(void *context, size_t index, size_t thread);

/* Calls piece(context, index, …) for every index < pieces, on at most `threads` threads, and returns when all have
 * returned. Each thread begins with pieces of its own, the same in every loop of as many pieces and threads, in
 * ascending order; then it takes others'. */
void parallel_for(size_t pieces, size_t threads, pool_piece *piece, void *context);

/* The upper bound of a loop's threads, at least 1: pool_set_threads's; else USKOR_NUM_THREADS's or OMP_NUM_THREADS's in
 * the environment, within the quota of the control groups; else processors_available(). */
size_t pool_threads(void);

/* Sets the upper bound for all loops of the process that begin from now on, at most POOL_THREADS_MOST; 0: as at the
 * start. */
void pool_set_threads(size_t threads);

/* Whether loops run in their callers alone for a while (at most a second) after one that was slower than its caller
 * alone would have been, as other programs kept the workers' processors. Not so at the start: a lab wants the threads
 * that it asked for. */
void pool_give_up_when_busy(bool does);

/* Starts all workers that a loop could use, for callers that look at the process's threads. */
void pool_start(void);

/* Whether the thread of this number (gettid) is a worker. Workers change the processors that they may run on, to avoid
 * their caller's. */
bool pool_has(int thread);

/* As many threads as `work` is worth, of `most`, if one is worth starting for `each`. */
static inline size_t pool_threads_worth(double work, double each, size_t most)
{
    if (work < 2 * each)
        return 1;
    return work / each < (double)most ? (size_t)(work / each) : most;
}

/* The same of pool_threads(). */
static inline size_t pool_threads_for(double work, double each)
{
    return work < 2 * each ? 1 : pool_threads_worth(work, each, pool_threads());
}

/* Where part `index` of `parts` nearly equal ones begins among `count`. */
static inline size_t pool_part(size_t count, size_t parts, size_t index)
{
    return count / parts * index + (count % parts < index ? count % parts : index);
}
