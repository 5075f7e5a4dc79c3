#include "lab/bench/core_latency.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/clock.h"
#include "lab/bench/rest.h"

#define TRIES 8
#define EXCHANGES 200       /* there and back, in a try */
#define PATIENCE_NS 5000000 /* the other thread may have to wait for a core */
#define LOOK_EVERY_NS 100000000
#define LOOKS_PER_CLOCK 4096

/* Aligned, so that it has a cache line to itself. */
struct line {
    _Alignas(128) atomic_uint turn;
};

/* Spins until the shared counter is `turn`. False on a time-out, or when the other thread has given up. */
static bool await(struct line *line, atomic_bool *given_up, unsigned turn, int64_t until)
{
    for (unsigned looks = 1; atomic_load_explicit(&line->turn, memory_order_acquire) != turn; looks++)
        if (looks % LOOKS_PER_CLOCK == 0 && (atomic_load(given_up) || clock_now() > until)) {
            atomic_store(given_up, true);
            return false;
        }
    return true;
}

/* One thread's half of the ping-pong. Thread 0 takes the even turns. Returns the best try's time, ns. */
static double play(struct line *line, atomic_bool *given_up, unsigned thread)
{
    double best = 0;
    int64_t until = clock_now() + PATIENCE_NS;
    unsigned turn = thread;
    for (int try = 0; try < TRIES; try++) {
        int64_t begun = clock_now();
        for (int i = 0; i < EXCHANGES; i++, turn += 2) {
            if (!await(line, given_up, turn, until))
                return best;
            atomic_store_explicit(&line->turn, turn + 1, memory_order_release);
        }
        double taken = (double)(clock_now() - begun);
        best = best > 0 && best < taken ? best : taken;
    }
    return best;
}

double core_latency(void)
{
    static struct line line;
    atomic_bool given_up = false;
    double best = 0;
    if (omp_get_max_threads() < 2 || omp_in_parallel())
        return 0;
    atomic_store(&line.turn, 0);
#pragma omp parallel num_threads(2) shared(best)
    if (omp_get_num_threads() == 2) {
        double own = play(&line, &given_up, (unsigned)omp_get_thread_num());
        if (omp_get_thread_num() == 0)
            best = own;
    }
    return best / EXCHANGES / 2;
}

void core_latencies_look(struct core_latencies *distances, uint32_t round)
{
    if (distances->looked_at && clock_now() - distances->looked_at < LOOK_EVERY_NS)
        return;
    double seen = core_latency();
    if (seen > 0)
        samples_add(&distances->looks, seen, round); /* without memory for it, one look fewer */
    wait_until_at_rest();
    distances->looked_at = clock_now();
}

void core_latencies_free(struct core_latencies *distances)
{
    free(distances->looks.items);
    *distances = (struct core_latencies){0};
}
