#include "base/pool.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/floating_mode.h"
#include "base/processors.h"
#include "base/size.h"

#define LINE 64            /* bytes of a cache line: threads' counters are apart */
#define UNITS_MOST 0xFFFFu /* in a lot */
#define SPINS 1000         /* looks at a word before sleep: some 10 to 40 µs */
#define FAN 4              /* workers that one thread wakes */

/* ---- a loop -------------------------------------------------------------------------------------------------------
 */

/* The units of one thread that nobody has begun: the loop's generation in the upper half, then the first and the end. A
 * unit is claimed by changing the word, which fails when the loop has ended meanwhile. So a worker that comes late
 * touches nothing of the loop, and the caller need not wait for it. */
struct lot {
    _Alignas(LINE) _Atomic uint64_t left;
};

struct bell {
    _Alignas(LINE) _Atomic uint64_t left; /* 1: this worker sleeps; a futex, in the lower half */
    _Atomic pid_t id;                     /* the worker's; 0: it has not begun */
};

static struct {
    atomic_bool is_taken; /* a loop is running */
    _Alignas(LINE) _Atomic uint32_t generation;
    /* Of the running loop; read by whoever has claimed a unit, and by workers to whom it matters nothing when wrong. */
    _Atomic(pool_piece *) piece;
    void *_Atomic context;
    _Atomic size_t pieces, per_unit, threads;
    _Atomic int processor;                  /* the caller's, when it began */
    _Alignas(LINE) _Atomic uint32_t undone; /* units; a futex of the caller's */
    atomic_bool caller_sleeps;
    _Atomic int64_t lost; /* nanoseconds that a worker with a unit was without a processor, at most */
    struct lot lots[POOL_THREADS_MOST];
    struct bell bells[POOL_THREADS_MOST];
    size_t workers; /* started; the running loop's caller changes it */
    bool is_full;   /* the system starts no more */
} pool;

static uint64_t lot_of(uint32_t generation, size_t first, size_t end)
{
    return (uint64_t)generation << 32 | (uint64_t)first << 16 | (uint64_t)end;
}

/* Claims the first or the last unit of a lot; false where none is left in this loop. */
static bool claim(struct lot *lot, uint32_t generation, bool from_end, size_t *unit)
{
    uint64_t left = atomic_load_explicit(&lot->left, memory_order_relaxed);
    for (;;) {
        const size_t first = left >> 16 & UNITS_MOST, end = left & UNITS_MOST;
        if ((uint32_t)(left >> 32) != generation || first >= end)
            return false;
        *unit = from_end ? end - 1 : first;
        if (atomic_compare_exchange_weak_explicit(
                &lot->left, &left, from_end ? lot_of(generation, first, end - 1) : lot_of(generation, first + 1, end),
                memory_order_acquire, memory_order_relaxed))
            return true;
    }
}

/* What a unit of thread `owner`'s lot stands for: units are counted within a lot. */
static void run_unit(size_t owner, size_t unit, size_t thread)
{
    pool_piece *piece = atomic_load_explicit(&pool.piece, memory_order_relaxed);
    void *context = atomic_load_explicit(&pool.context, memory_order_relaxed);
    const size_t pieces = atomic_load_explicit(&pool.pieces, memory_order_relaxed);
    const size_t threads = atomic_load_explicit(&pool.threads, memory_order_relaxed);
    const size_t per_unit = atomic_load_explicit(&pool.per_unit, memory_order_relaxed);
    const size_t begin = pool_part(pieces, threads, owner), end = pool_part(pieces, threads, owner + 1);
    const size_t from = begin + unit * per_unit, to = size_least(from + per_unit, end);
    for (size_t index = from; index < to; index++)
        piece(context, index, thread);
}

/* A thread's own units, in order; then the others', from their ends. Returns how many. */
static uint32_t run_units(size_t thread, uint32_t generation)
{
    const size_t threads = atomic_load_explicit(&pool.threads, memory_order_relaxed);
    uint32_t done = 0;
    for (size_t i = 0, unit; thread < threads && i < threads; i++) {
        const size_t owner = (thread + i) % threads;
        for (; claim(&pool.lots[owner], generation, i > 0, &unit); done++)
            run_unit(owner, unit, thread);
    }
    return done;
}

/* ---- waiting ------------------------------------------------------------------------------------------------------
 */

static void relax(void)
{
#if defined __x86_64__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("isb" : : : "memory");
#endif
}

static void sleep_while(void *word, uint32_t value)
{
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void wake(void *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* The lower half of a 64-bit word, which futexes are made of. */
static void *low_half(_Atomic uint64_t *word)
{
    return (char *)word + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0);
}

/* Wakes the workers that this thread is to wake, as far as they sleep. */
static void ring(size_t thread)
{
    const size_t threads = atomic_load_explicit(&pool.threads, memory_order_relaxed);
    for (size_t next = FAN * thread + 1; next <= FAN * thread + FAN && next < threads; next++)
        if (atomic_exchange(&pool.bells[next].left, 0) == 1)
            wake(low_half(&pool.bells[next].left));
}

/* Returns the next loop's generation. */
static uint32_t await_loop(size_t thread, uint32_t seen)
{
    for (int i = 0; i < SPINS; i++) {
        const uint32_t now = atomic_load_explicit(&pool.generation, memory_order_acquire);
        if (now != seen)
            return now;
        relax();
    }
    for (;;) {
        atomic_store(&pool.bells[thread].left, 1);
        const uint32_t now = atomic_load(&pool.generation);
        if (now != seen) {
            atomic_store(&pool.bells[thread].left, 0);
            return now;
        }
        sleep_while(low_half(&pool.bells[thread].left), 1);
    }
}

/* Reports units as done. The caller may return, and begin another loop, as soon as the count is 0. */
static void report(uint32_t done)
{
    if (done > 0 && atomic_fetch_sub(&pool.undone, done) == done && atomic_load(&pool.caller_sleeps))
        wake(&pool.undone);
}

static void await_units(void)
{
    for (int i = 0; i < SPINS; i++) {
        if (atomic_load_explicit(&pool.undone, memory_order_acquire) == 0)
            return;
        relax();
    }
    atomic_store(&pool.caller_sleeps, true);
    for (uint32_t left; (left = atomic_load(&pool.undone)) != 0;)
        sleep_while(&pool.undone, left);
    atomic_store(&pool.caller_sleeps, false);
}

/* ---- workers ------------------------------------------------------------------------------------------------------
 */

static atomic_bool gives_up;

/* How long this thread has been without a processor, but for a constant. */
static int64_t without_processor(void)
{
    struct timespec with;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &with);
    return clock_now() - ((int64_t)with.tv_sec * 1000000000 + with.tv_nsec);
}

/* A worker's part of a loop, and how long it lost its processor in it: told before the caller may go on. */
static void take_part(size_t thread, uint32_t generation)
{
    const bool is_judged = atomic_load_explicit(&gives_up, memory_order_relaxed);
    const int64_t before = is_judged ? without_processor() : 0;
    const uint32_t done = run_units(thread, generation);
    const int64_t lost = is_judged && done > 0 ? without_processor() - before : 0;
    int64_t most = atomic_load_explicit(&pool.lost, memory_order_relaxed);
    while (lost > most &&
           !atomic_compare_exchange_weak_explicit(&pool.lost, &most, lost, memory_order_relaxed, memory_order_relaxed))
        continue;
    report(done);
}

/* A worker's number, and the generation before the loop that it is started for. A system that takes a sleeping virtual
 * processor for a busy one wakes workers on their caller's, loop after loop: so they avoid that one. */
static void *work(void *argument)
{
    struct processors_avoided avoided = {0};
    const uint64_t start = (uint64_t)(uintptr_t)argument;
    const size_t thread = start % POOL_THREADS_MOST;
    uint32_t seen = atomic_load(&pool.generation) - 1;
    atomic_store(&pool.bells[thread].id, (pid_t)syscall(SYS_gettid)); /* gettid() came with glibc 2.30 */
    for (;;) {
        seen = await_loop(thread, seen);
        ring(thread);
        processors_avoid(&avoided, atomic_load_explicit(&pool.processor, memory_order_relaxed));
        const uint64_t mode = floating_mode_begin();
        take_part(thread, seen);
        floating_mode_end(mode);
    }
    return NULL;
}

/* A handler of the program's must not run here; one for a fault must, as a blocked fault ends the process. */
static void block_signals(sigset_t *before)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
    sigset_t blocked;
    sigfillset(&blocked);
    for (size_t i = 0; i < COUNT_OF(faults); i++)
        sigdelset(&blocked, faults[i]);
    pthread_sigmask(SIG_SETMASK, &blocked, before);
}

/* In a forked child only the forking thread lives. */
static void begin_anew(void)
{
    pool.workers = 0;
    pool.is_full = false;
    for (size_t i = 0; i < POOL_THREADS_MOST; i++) {
        atomic_store_explicit(&pool.bells[i].left, 0, memory_order_relaxed);
        atomic_store_explicit(&pool.bells[i].id, 0, memory_order_relaxed);
    }
    atomic_store(&pool.caller_sleeps, false);
    atomic_store(&pool.undone, 0);
    atomic_store(&pool.is_taken, false);
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, begin_anew);
}

/* Workers of numbers below `threads`, as far as the system starts them; on all processors that the process has, even
 * where OpenMP has bound the caller to one. */
static void start_workers(size_t threads)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t before;
    int width;
    pthread_once(&once, watch_forks);
    if (pthread_attr_init(&attributes) != 0)
        return;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    cpu_set_t *mask = processors_are_bound() ? processors_mask(&width) : NULL;
    if (mask)
        pthread_attr_setaffinity_np(&attributes, CPU_ALLOC_SIZE((size_t)width), mask);
    block_signals(&before);
    for (; !pool.is_full && pool.workers + 1 < threads; pool.workers += !pool.is_full)
        pool.is_full = pthread_create(&thread, &attributes, work, (void *)(uintptr_t)(pool.workers + 1)) != 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (mask)
        CPU_FREE(mask);
    pthread_attr_destroy(&attributes);
}

/* ---- the caller ---------------------------------------------------------------------------------------------------
 */

/* Publishes a loop: what the units mean before the lots, which let workers claim them. `all` receives their number. */
static uint32_t publish(size_t pieces, size_t threads, pool_piece *piece, void *context, uint32_t *all)
{
    const uint32_t generation = atomic_load_explicit(&pool.generation, memory_order_relaxed) + 1;
    const size_t most = pieces / threads + (pieces % threads != 0), per_unit = (most + UNITS_MOST - 1) / UNITS_MOST;
    uint32_t units = 0;
    atomic_store_explicit(&pool.piece, piece, memory_order_relaxed);
    atomic_store_explicit(&pool.context, context, memory_order_relaxed);
    atomic_store_explicit(&pool.pieces, pieces, memory_order_relaxed);
    atomic_store_explicit(&pool.per_unit, per_unit, memory_order_relaxed);
    atomic_store_explicit(&pool.threads, threads, memory_order_relaxed);
    atomic_store_explicit(&pool.lost, 0, memory_order_relaxed);
    atomic_store_explicit(&pool.processor, sched_getcpu(), memory_order_relaxed);
    for (size_t pass = 0; pass < 2; pass++) { /* all are counted before the first can be done */
        for (size_t t = 0; t < threads; t++) {
            const size_t count = pool_part(pieces, threads, t + 1) - pool_part(pieces, threads, t);
            const size_t here = (count + per_unit - 1) / per_unit;
            units += pass == 0 ? (uint32_t)here : 0;
            if (pass == 1)
                atomic_store_explicit(&pool.lots[t].left, lot_of(generation, 0, here), memory_order_release);
        }
        if (pass == 0)
            atomic_store_explicit(&pool.undone, units, memory_order_relaxed);
    }
    atomic_store(&pool.generation, generation);
    *all = units;
    return generation;
}

/* ---- a busy machine -----------------------------------------------------------------------------------------------
 */

static _Atomic int64_t alone_until; /* the clock's time; 0: never */

#define ALONE_FACTOR 16                /* so many times what a lost loop took */
#define ALONE_MOST INT64_C(1000000000) /* ns */
#define LATE INT64_C(500000)           /* ns: a worker that has a processor begins much sooner */

void pool_give_up_when_busy(bool does)
{
    atomic_store(&gives_up, does);
    atomic_store(&alone_until, 0);
}

/* A worker that begins a piece and loses its processor keeps the caller waiting. Where that made most of the caller's
 * wait, and the loop has taken longer than the caller would have needed for all of it, loops run in their callers alone
 * for a while. So do they where in a long loop no worker has come. Pieces of unequal size make a caller wait, too:
 * that is no sign of a busy machine. */
static void judge_loop(int64_t begun, int64_t worked, uint32_t own, uint32_t all)
{
    const int64_t ended = clock_now(), alone = own > 0 ? (worked - begun) * all / own : 0;
    const int64_t lost = atomic_load_explicit(&pool.lost, memory_order_relaxed);
    const bool is_lost = own > 0 && ended - begun > alone && 2 * lost > ended - worked;
    if (!is_lost && !(own == all && worked - begun >= LATE))
        return;
    const int64_t pause = ALONE_FACTOR * (ended - begun);
    atomic_store_explicit(&alone_until, ended + (pause < ALONE_MOST ? pause : ALONE_MOST), memory_order_relaxed);
}

static bool works_alone(void)
{
    const int64_t until = atomic_load_explicit(&alone_until, memory_order_relaxed);
    return until != 0 && clock_now() < until;
}

/* Of OpenMP, where the program has it: its threads are the caller's, and use all processors. */
extern int omp_in_parallel(void) __attribute__((weak));

static bool take_pool(void)
{
    return !works_alone() && !(OF_PROGRAM(omp_in_parallel) && OF_PROGRAM(omp_in_parallel)()) &&
           !atomic_load_explicit(&pool.is_taken, memory_order_relaxed) &&
           !atomic_exchange_explicit(&pool.is_taken, true, memory_order_acquire);
}

void parallel_for(size_t pieces, size_t threads, pool_piece *piece, void *context)
{
    threads = size_least(size_least(threads, pieces), POOL_THREADS_MOST);
    if (threads <= 1 || !take_pool()) {
        for (size_t index = 0; index < pieces; index++)
            piece(context, index, 0);
        return;
    }
    uint32_t units;
    const uint32_t generation = publish(pieces, threads, piece, context, &units);
    if (pool.workers + 1 < threads)
        start_workers(threads);
    const bool is_judged = atomic_load_explicit(&gives_up, memory_order_relaxed);
    const int64_t begun = is_judged ? clock_now() : 0;
    ring(0);
    const uint32_t own = run_units(0, generation);
    const int64_t worked = is_judged ? clock_now() : 0;
    report(own);
    await_units();
    if (is_judged)
        judge_loop(begun, worked, own, units);
    atomic_store_explicit(&pool.is_taken, false, memory_order_release);
}

/* ---- how many -----------------------------------------------------------------------------------------------------
 */

static _Atomic size_t threads_set;

/* The first number of "4,2"; 0 where there is none. */
static size_t number_in(const char *name)
{
    const char *text = getenv(name);
    char *end = NULL;
    errno = 0;
    const long number = text ? strtol(text, &end, 10) : 0;
    return end != text && number > 0 && errno == 0 ? (size_t)number : 0;
}

static size_t threads_at_start(void)
{
    const size_t own = number_in("USKOR_NUM_THREADS"), wanted = own ? own : number_in("OMP_NUM_THREADS");
    return size_least(wanted ? processors_within_quota(wanted) : processors_available(), POOL_THREADS_MOST);
}

size_t pool_threads(void)
{
    static _Atomic size_t at_start;
    size_t threads = atomic_load_explicit(&threads_set, memory_order_relaxed);
    if (threads)
        return threads;
    threads = atomic_load_explicit(&at_start, memory_order_relaxed);
    if (!threads)
        atomic_store_explicit(&at_start, threads = threads_at_start(), memory_order_relaxed);
    return threads;
}

void pool_set_threads(size_t threads)
{
    atomic_store_explicit(&threads_set, size_least(threads, POOL_THREADS_MOST), memory_order_relaxed);
}

static void do_nothing(void *context, size_t index, size_t thread)
{
    (void)context, (void)index, (void)thread;
}

void pool_start(void)
{
    if (pool.workers + 1 < pool_threads()) /* to wake those that are there takes long */
        parallel_for(pool_threads(), pool_threads(), do_nothing, NULL);
}

bool pool_has(int thread)
{
    bool has = false;
    for (size_t i = 1; i <= pool.workers && !has; i++)
        has = atomic_load_explicit(&pool.bells[i].id, memory_order_relaxed) == thread;
    return has;
}
