/* The threads of the process. */
#include <dirent.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/pool.h"
#include "base/silence.h"
#include "lab/verification/process_parts.h"

#define THREADS_MOST 4200 /* more than --threads takes */
/* Of waiting for threads that are about to end; the time they wait for a processor does not count. */
#define PATIENCE_NS 200000000
#define PATIENCE_MOST_NS 10000000000
#define PAUSE_NS 4000000

struct thread {
    pid_t id;
    bool has_cores;
    cpu_set_t cores;
};

static struct {
    struct thread threads[THREADS_MOST];
    size_t count;
} noted;

/* Calls `see` with the id of every thread, until that returns false. */
static bool each_thread(bool (*see)(void *context, pid_t id), void *context)
{
    DIR *threads = opendir("/proc/self/task");
    bool goes_on = true;
    for (const struct dirent *entry; goes_on && threads && (entry = readdir(threads));)
        if (entry->d_name[0] != '.')
            goes_on = see(context, (pid_t)strtol(entry->d_name, NULL, 10));
    if (threads)
        closedir(threads);
    return goes_on;
}

static struct thread look(pid_t id)
{
    struct thread found = {.id = id};
    found.has_cores = !pool_has(id) && sched_getaffinity(id, sizeof found.cores, &found.cores) == 0;
    return found;
}

static bool note_one(void *context, pid_t id)
{
    (void)context;
    noted.threads[noted.count++] = look(id);
    return noted.count < THREADS_MOST;
}

/* ---- a thread that no rung runs in ----------------------------------------------------------------------------- */

static atomic_int witness; /* its id; 0: there is none yet */

static void *stand_by(void *unused)
{
    (void)unused;
    atomic_store(&witness, gettid());
    for (;;)
        pause();
    return NULL;
}

static void make_witness(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, stand_by, NULL) != 0)
        return;
    pthread_detach(thread);
    while (atomic_load(&witness) == 0)
        sched_yield();
}

/* What takes a core from the process from outside (taskset -a, a control group) does so to this thread, too. */
static void start_witness(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_once(&once, make_witness);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void process_threads_note(void)
{
    start_witness();
    pool_start();
    noted.count = 0;
    each_thread(note_one, NULL);
}

static const struct thread *find(pid_t id)
{
    for (size_t i = 0; i < noted.count; i++)
        if (noted.threads[i].id == id)
            return &noted.threads[i];
    return NULL;
}

/* ---- threads that are new -------------------------------------------------------------------------------------- */

/* The lab's OpenMP team. The other threads of its pool end when this team begins. */
static pid_t team[THREADS_MOST];

static bool is_known(void *context, pid_t id)
{
    (void)context;
    for (size_t i = 0; i < THREADS_MOST && team[i]; i++)
        if (team[i] == id)
            return true;
    return find(id) != NULL;
}

static bool is_noted(void *context, pid_t id)
{
    (void)context;
    return find(id) != NULL;
}

static bool count_one(void *context, pid_t id)
{
    (void)id;
    ++*(int *)context;
    return true;
}

/* LLVM's OpenMP retains the threads of every earlier team; a team as large as the process includes them all. GNU's
 * retains them where the next team is of one thread. */
extern int __kmpc_global_thread_num(void *) __attribute__((weak));

static void note_team(void)
{
    int threads = 0;
    memset(team, 0, sizeof team);
    if (__kmpc_global_thread_num)
        each_thread(count_one, &threads);
    else
        threads = omp_get_max_threads() > 1 ? omp_get_max_threads() : 2;
#pragma omp parallel num_threads(threads)
    if (omp_get_thread_num() < THREADS_MOST)
        team[omp_get_thread_num()] = gettid();
}

/* The longest time, ns, that a thread which is not known waited for a processor since it began. */
static bool note_delay(void *context, pid_t id)
{
    int64_t *longest = context;
    const int64_t waited = is_known(NULL, id) ? 0 : run_delay_of_thread(getpid(), id);
    *longest = waited > *longest ? waited : *longest;
    return true;
}

static bool are_patient(int64_t begun)
{
    int64_t delay = 0;
    const int64_t passed = clock_now() - begun;
    if (passed > PATIENCE_NS)
        each_thread(note_delay, &delay);
    return passed - delay < PATIENCE_NS && passed < PATIENCE_MOST_NS;
}

/* A larger or new team belongs to OpenMP and is accepted. Other threads have a moment to end. */
static bool only_known_are_left(void)
{
    const int64_t begun = clock_now();
    if (noted.count == THREADS_MOST || each_thread(is_noted, NULL))
        return true;
    note_team();
    bool is_well = each_thread(is_known, NULL);
    while (!is_well && are_patient(begun)) {
        clock_sleep(PAUSE_NS);
        is_well = each_thread(is_known, NULL);
    }
    return is_well;
}

/* ---- what each may ----------------------------------------------------------------------------------------------- */

static bool same_cores(const struct thread *a, const struct thread *b)
{
    return !a->has_cores || !b->has_cores || CPU_EQUAL(&a->cores, &b->cores);
}

/* What changed for the thread that no rung runs in was changed from outside: undone as well, as figures are of all the
 * cores that the process had, but no rung's fault. */
static bool cores_are_taken(void)
{
    const struct thread *then = find(atomic_load(&witness));
    const struct thread now = then ? look(then->id) : (struct thread){0};
    return then && !same_cores(then, &now);
}

/* A thread that has ended has no cores. */
static enum status compare_one(const struct thread *then, bool are_taken, struct error *error)
{
    const struct thread now = look(then->id);
    if (same_cores(then, &now))
        return STATUS_OK;
    sched_setaffinity(then->id, sizeof then->cores, &then->cores);
    return are_taken ? STATUS_OK : fail(error, STATUS_FAILED, "left a thread bound to other cores");
}

enum status process_threads_compare(struct error *error)
{
    enum status status = STATUS_OK;
    const bool are_taken = cores_are_taken();
    for (size_t i = 0; i < noted.count; i++)
        if (compare_one(&noted.threads[i], are_taken, error) != STATUS_OK)
            status = STATUS_FAILED;
    if (!only_known_are_left())
        status = fail(error, STATUS_FAILED, "left a thread of its own running");
    return status;
}
