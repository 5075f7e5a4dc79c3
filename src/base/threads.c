#include "base/threads.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/processors.h"

/* Of threads that only count: it has to hold the thread-local data of every library that is loaded. */
#define SMALL_STACK (256 << 10)

void threads_set(int team)
{
    const int most = omp_get_thread_limit();
    omp_set_num_threads(team < most ? team : most);
    pool_set_threads((size_t)(team < most ? team : most));
}

void threads_keep_teams_whole(void)
{
    processors_unbind();
    omp_set_dynamic(false);
    threads_set(getenv("OMP_NUM_THREADS") ? omp_get_max_threads()
                                          : (int)processors_within_quota((size_t)omp_get_max_threads()));
}

static void *do_nothing(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* OMP_STACKSIZE is a number of KiB, or has its unit behind it. */
static void set_stack(pthread_attr_t *attributes)
{
    const char *wish = getenv("OMP_STACKSIZE"), *units = "bkmg";
    char *unit = NULL;
    const double number = wish ? strtod(wish, &unit) : 0;
    const char *found = unit && *unit ? strchr(units, tolower((unsigned char)*unit)) : units + 1;
    if (number > 0 && found && number < 0x1p30)
        pthread_attr_setstacksize(attributes, (size_t)ldexp(number, 10 * (int)(found - units)));
}

/* Starts them all, and then ends them; returns how many could be started. */
static int start(int team, int further, int *reason)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_attr_t attributes;
    pthread_t *threads = calloc((size_t)team + (size_t)further, sizeof *threads);
    int count = 0;
    *reason = threads ? 0 : ENOMEM;
    pthread_attr_init(&attributes);
    set_stack(&attributes);
    pthread_mutex_lock(&gate);
    while (count < team + further && *reason == 0) {
        if (count == team)
            pthread_attr_setstacksize(&attributes, 4 * (size_t)PTHREAD_STACK_MIN + SMALL_STACK);
        *reason = pthread_create(&threads[count], &attributes, do_nothing, &gate);
        count += *reason == 0;
    }
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    pthread_attr_destroy(&attributes);
    free(threads);
    return count;
}

enum status threads_suffice(int team, int further, struct error *error)
{
    static atomic_int most;
    int reason;
    if (team + further <= atomic_load(&most))
        return STATUS_OK;
    const int count = start(team, further, &reason);
    if (count < team + further)
        return fail(error, STATUS_UNAVAILABLE,
                    "the system starts %d of %d threads: %s (ulimit -u, ulimit -v, or this control group)", count,
                    team + further, strerror(reason));
    atomic_store(&most, team + further);
    return STATUS_OK;
}

/* ---- what binding leaves to them --------------------------------------------------------------------------------- */

struct team {
    int size;
    bool is_seen;
    cpu_set_t all, others; /* of all its threads; of all but the calling one, which is bound no longer */
};

static void look_at_team(struct team *team)
{
    team->is_seen = true;
#pragma omp parallel
    {
        cpu_set_t own;
        const bool is_seen = sched_getaffinity(0, sizeof own, &own) == 0;
#pragma omp critical
        {
            team->size = omp_get_num_threads();
            team->is_seen &= is_seen;
            if (is_seen)
                CPU_OR(&team->all, &team->all, &own);
            if (is_seen && omp_get_thread_num() > 0)
                CPU_OR(&team->others, &team->others, &own);
        }
    }
}

bool threads_are_crowded(int *threads, int *processors)
{
    static struct team team; /* the last that was looked at */
    const int size = omp_get_max_threads();
    if (!processors_are_bound() || size < 2)
        return false;
    if (team.size != size && threads_suffice(size, 0, NULL) == STATUS_OK) {
        memset(&team, 0, sizeof team);
        look_at_team(&team);
    }
    const bool all_are = CPU_COUNT(&team.all) < team.size;
    *threads = all_are ? team.size : team.size - 1;
    *processors = CPU_COUNT(all_are ? &team.all : &team.others);
    return team.is_seen && *processors < *threads;
}
