#include "base/hang_guard.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fatal_signal.h"
#include "base/message.h"
#include "base/silence.h"
#include "base/under_way.h"

#define LOOK_MOST_NS 1000000000

static _Atomic double limit_ns = HANG_SECONDS * 1e9;
static _Atomic double job_limit_ns = HANG_SECONDS * 1e9;
static _Atomic double ranks_limit_ns; /* 0: none */
static atomic_bool spares_cpu = true;
static int code;
static void (*each_look)(int64_t now);
static atomic_int ending_code;

static bool is_under_way(enum under_way_kind kind)
{
    return atomic_load(&under_way_now()->kind) == (int)kind;
}

static void end_program(double seconds)
{
    char what[64];
    explain(what, sizeof what, "no answer for %g s", seconds);
    under_way_condemn();
    fatal_signal_speak(what);
    fatal_signal_leave(is_under_way(UNDER_WAY_ENDING) ? atomic_load(&ending_code) : code);
}

/* A rung of the CPU is known to be slow rather than to hang: only the user's own limit holds for it. */
static bool is_watched_work(void)
{
    const struct under_way *now = under_way_now();
    const bool is_own = atomic_load(&now->judging) > 0 && atomic_load(&now->calling) <= 0;
    const int kind = atomic_load(&now->kind);
    if (kind == UNDER_WAY_RANKS)
        return atomic_load(&ranks_limit_ns) > 0;
    return kind != UNDER_WAY_NOTHING && !is_own && (!atomic_load(&spares_cpu) || strncmp(now->device, "cpu", 3) != 0);
}

static double limit_now(void)
{
    const double ranks = atomic_load(&ranks_limit_ns);
    if (is_under_way(UNDER_WAY_ENDING))
        return ranks > 0 && ranks < ENDING_SECONDS * 1e9 ? ranks : ENDING_SECONDS * 1e9;
    if (is_under_way(UNDER_WAY_RANKS) && ranks > 0)
        return ranks;
    return atomic_load(is_under_way(UNDER_WAY_JOB) ? &job_limit_ns : &limit_ns);
}

/* Whether the process has had the processor for a twentieth of the time since the last look. */
static bool has_computed(int64_t *before, int64_t passed)
{
    const int64_t now = clock_processor(), spent = now - *before;
    *before = now;
    return spent > passed / 20;
}

static void *watch(void *unused)
{
    unsigned steps = 0;
    int64_t last_look = clock_now(), computed = 0;
    struct silence silence = {.process = getpid(), .since = last_look};
    (void)unused;
    for (;;) {
        const double limit = limit_now();
        const int64_t pause = limit < 4.0 * LOOK_MOST_NS ? (int64_t)(limit / 4) : LOOK_MOST_NS;
        clock_sleep(pause);
        const int64_t now = clock_now();
        if (each_look)
            each_look(now);
        const unsigned seen = atomic_load(&under_way_now()->steps);
        const bool is_busy =
            has_computed(&computed, now - last_look) && is_under_way(UNDER_WAY_JOB) && under_way_now()->computes_here;
        /* The last: the program was stopped, or its machine slept. */
        if (is_busy || !is_watched_work() || seen != steps || now - last_look > 3 * pause + LOOK_MOST_NS)
            silence_broken(&silence, now);
        else if (silence_exceeds(&silence, limit < 9e18 ? (int64_t)limit : INT64_MAX, now, run_delay_of))
            end_program(limit * 1e-9);
        steps = seen;
        last_look = now;
    }
    return NULL;
}

void hang_guard_start(int exit_code, void (*each_second)(int64_t now))
{
    sigset_t all, before;
    pthread_t thread;
    code = exit_code;
    each_look = each_second;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, NULL, watch, NULL) == 0)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void hang_guard_jobs(double seconds)
{
    atomic_store(&job_limit_ns, seconds * 1e9);
}

void hang_guard_ranks(double seconds)
{
    atomic_store(&ranks_limit_ns, seconds * 1e9);
}

void hang_guard_ending(int exit_code)
{
    atomic_store(&ending_code, exit_code);
}

void hang_guard_limit(double seconds)
{
    hang_guard_ranks(seconds);
    atomic_store(&spares_cpu, false);
    atomic_store(&limit_ns, seconds * 1e9);
}
