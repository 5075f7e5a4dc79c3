/* Loops over pieces on several threads. */
#include <omp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/floating_mode.h"
#include "base/pool.h"

#include <cmocka.h>

#define PIECES_MOST 300000
#define THREADS 5

struct loop {
    unsigned char *counts;          /* of calls for each piece */
    atomic_uint runs_here[THREADS]; /* threads of this number in a piece now */
    atomic_uint twice, pieces, wrong_thread;
    size_t threads;
};

static void count(void *context, size_t index, size_t thread)
{
    struct loop *loop = context;
    if (thread >= loop->threads)
        atomic_fetch_add(&loop->wrong_thread, 1);
    else if (atomic_fetch_add(&loop->runs_here[thread], 1) != 0)
        atomic_fetch_add(&loop->twice, 1);
    loop->counts[index]++;
    atomic_fetch_add(&loop->pieces, 1);
    if (thread < loop->threads)
        atomic_fetch_sub(&loop->runs_here[thread], 1);
}

static void assert_loop(size_t pieces, size_t threads)
{
    struct loop loop = {.counts = calloc(pieces + 1, 1), .threads = threads};
    assert_non_null(loop.counts);
    parallel_for(pieces, threads, count, &loop);
    assert_int_equal(loop.pieces, pieces);
    assert_int_equal(loop.twice, 0);
    assert_int_equal(loop.wrong_thread, 0);
    for (size_t i = 0; i < pieces; i++)
        assert_int_equal(loop.counts[i], 1);
    assert_int_equal(loop.counts[pieces], 0);
    free(loop.counts);
}

static void each_piece_is_done_once(void **state)
{
    (void)state;
    static const size_t pieces[] = {0, 1, 2, 3, 4, 5, 7, 16, 1000, 65535, 65536, 131072, 131073, PIECES_MOST};
    for (size_t threads = 1; threads <= THREADS; threads++)
        for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++)
            assert_loop(pieces[i], threads);
}

static void loops_follow_each_other(void **state)
{
    (void)state;
    for (size_t i = 0; i < 20000; i++)
        assert_loop(i % 9, 1 + i % THREADS);
}

/* ---- a worker that is late, or slow ---------------------------------------------------------------------------------
 */

static atomic_int begun, released;

static void hold(void *context, size_t index, size_t thread)
{
    (void)context, (void)index, (void)thread;
    if (thread > 0)
        atomic_fetch_add(&begun, 1);
    while (thread > 0 ? !atomic_load(&released) : atomic_load(&begun) == 0) /* the caller leaves a piece to a worker */
        usleep(100);
}

static void *hold_pool(void *unused)
{
    (void)unused;
    parallel_for(THREADS, THREADS, hold, NULL);
    return NULL;
}

/* Another thread's loop lasts: ours run serially meanwhile. */
static void loops_beside_a_loop_are_serial(void **state)
{
    (void)state;
    pthread_t other;
    atomic_store(&begun, 0);
    atomic_store(&released, 0);
    assert_int_equal(pthread_create(&other, NULL, hold_pool, NULL), 0);
    while (atomic_load(&begun) == 0)
        usleep(100);
    assert_loop(1000, THREADS);
    atomic_store(&released, 1);
    assert_int_equal(pthread_join(other, NULL), 0);
    assert_loop(1000, THREADS);
}

static void run_inside(void *context, size_t index, size_t thread)
{
    (void)index, (void)thread;
    struct loop inner = {.counts = calloc(100, 1), .threads = THREADS};
    parallel_for(100, THREADS, count, &inner);
    atomic_fetch_add((atomic_uint *)context, atomic_load(&inner.pieces));
    free(inner.counts);
}

static void loops_within_a_piece_are_serial(void **state)
{
    (void)state;
    atomic_uint pieces = 0;
    parallel_for(40, THREADS, run_inside, &pieces);
    assert_int_equal(pieces, 4000);
}

static void note_thread(void *context, size_t index, size_t thread)
{
    (void)index;
    if (thread > 0)
        atomic_fetch_add((atomic_uint *)context, 1);
}

static void loops_in_an_openmp_region_are_serial(void **state)
{
    (void)state;
    atomic_uint elsewhere = 0;
    omp_set_dynamic(0);
#pragma omp parallel num_threads(3)
    parallel_for(1000, THREADS, note_thread, &elsewhere);
    assert_int_equal(elsewhere, 0);
}

/* ---- several callers, forks -----------------------------------------------------------------------------------------
 */

static void *run_loops(void *unused)
{
    (void)unused;
    for (size_t i = 0; i < 2000; i++)
        assert_loop(i % 50, 1 + i % THREADS);
    return NULL;
}

static void threads_share_the_pool(void **state)
{
    (void)state;
    pthread_t threads[16];
    for (size_t i = 0; i < 16; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_loops, NULL), 0);
    for (size_t i = 0; i < 16; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

static void assert_child_works(void)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(60);
        atomic_uint elsewhere = 0;
        for (size_t i = 0; i < 100; i++) {
            struct loop loop = {.counts = calloc(1000, 1), .threads = THREADS};
            parallel_for(1000, THREADS, count, &loop);
            for (size_t k = 0; k < 1000; k++)
                if (loop.counts[k] != 1)
                    _exit(1);
            free(loop.counts);
        }
        for (int i = 0; i < 1000 && elsewhere == 0; i++, usleep(1000))
            parallel_for(100000, THREADS, note_thread, &elsewhere);
        _exit(elsewhere > 0 ? 0 : 2);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* Of the workers, and of another thread's loop, a child has nothing. */
static void children_have_workers_of_their_own(void **state)
{
    (void)state;
    pool_set_threads(THREADS);
    pool_start();
    assert_child_works();
    pthread_t other;
    atomic_store(&begun, 0);
    atomic_store(&released, 0);
    assert_int_equal(pthread_create(&other, NULL, hold_pool, NULL), 0);
    while (atomic_load(&begun) == 0)
        usleep(100);
    assert_child_works();
    atomic_store(&released, 1);
    assert_int_equal(pthread_join(other, NULL), 0);
    pool_set_threads(0);
}

/* ---- workers' state -------------------------------------------------------------------------------------------------
 */

static void look(void *context, size_t index, size_t thread)
{
    (void)index;
    sigset_t blocked;
    const uint64_t mode = floating_mode_begin();
    floating_mode_end(mode);
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    if (thread > 0 &&
        (!sigismember(&blocked, SIGINT) || !sigismember(&blocked, SIGCHLD) || sigismember(&blocked, SIGSEGV)))
        atomic_fetch_add((atomic_uint *)context, 1);
#if defined __x86_64__
    if (thread > 0 && (mode & 0xFFC0u) != FLOATING_MODE_DEFAULT)
        atomic_fetch_add((atomic_uint *)context, 1);
#endif
}

static void workers_have_a_state_of_their_own(void **state)
{
    (void)state;
    atomic_uint wrong = 0;
#if defined __x86_64__
    const uint32_t before = _mm_getcsr();
    _mm_setcsr(before | 0x8040u); /* flush results and operands to zero */
#endif
    for (int i = 0; i < 100; i++)
        parallel_for(1000, THREADS + 3, look, &wrong);
#if defined __x86_64__
    assert_int_equal(_mm_getcsr() & 0x8040u, 0x8040u);
    _mm_setcsr(before);
#endif
    assert_int_equal(wrong, 0);
}

/* ---- how many -------------------------------------------------------------------------------------------------------
 */

static void work_decides_the_number_of_threads(void **state)
{
    (void)state;
    pool_set_threads(4);
    assert_int_equal(pool_threads(), 4);
    assert_int_equal(pool_threads_for(0, 100), 1);
    assert_int_equal(pool_threads_for(199, 100), 1);
    assert_int_equal(pool_threads_for(200, 100), 2);
    assert_int_equal(pool_threads_for(399, 100), 3);
    assert_int_equal(pool_threads_for(1e30, 100), 4);
    pool_set_threads(0);
    assert_true(pool_threads() >= 1);
}

enum {
    SOON = 500000000, /* ns, well below the time for which the callers work alone */
    TURNS = 5         /* of which other programs may spoil all but one */
};

/* The workers' pieces take long, as if other programs had their processors. */
struct busy {
    atomic_uint by_workers;
    unsigned microseconds;
    int64_t own; /* ns of the caller's last piece */
};

static void stay(void *context, size_t index, size_t thread)
{
    (void)index;
    struct busy *busy = context;
    if (thread != 0) {
        atomic_fetch_add(&busy->by_workers, 1);
        usleep(busy->microseconds);
    } else {
        const int64_t from = clock_now();
        usleep(2000); /* so that a worker begins its own */
        busy->own = clock_now() - from;
    }
}

static void callers_work_alone_on_a_busy_machine(void **state)
{
    (void)state;
    struct busy slow = {.microseconds = 60000}, next = {.microseconds = 10};
    int64_t asked_at = 0;
    pool_give_up_when_busy(true);
    /* Until the caller waits for a worker: one that was held up itself is not kept waiting. */
    for (int i = 0; i < 200 && (slow.by_workers == 0 || slow.own > 20000000); i++) {
        slow.by_workers = 0;
        asked_at = clock_now();
        parallel_for(2, 2, stay, &slow);
    }
    if (slow.by_workers == 0 || slow.own > 20000000)
        skip(); /* no worker was ever in time */
    for (int i = 0; i < 5; i++)
        parallel_for(8, 2, stay, &next);
    if (clock_now() - asked_at > SOON)
        skip(); /* this thread was held up for so long that the workers are asked again */
    assert_int_equal(next.by_workers, 0);
    for (int turn = 0; turn < TURNS && next.by_workers == 0; turn++) {
        usleep(1100000);
        for (int i = 0; i < 200 && next.by_workers == 0; i++)
            parallel_for(8, 2, stay, &next);
    }
    assert_true(next.by_workers > 0); /* not for ever */
    pool_give_up_when_busy(false);
}

/* Computes: it has its processor all the time, where there are two. */
static void spin(void *context, size_t index, size_t thread)
{
    (void)index;
    const clock_t end = clock() + (thread ? 8 : 2) * CLOCKS_PER_SEC / 1000; /* of all threads */
    if (thread != 0)
        atomic_fetch_add((atomic_uint *)context, 1);
    while (clock() < end)
        continue;
}

/* A worker's piece that is longer than the caller's is no sign of a busy machine. */
static void unequal_pieces_leave_the_threads(void **state)
{
    (void)state;
    atomic_uint by_workers = 0, after = 0;
    pool_give_up_when_busy(true);
    for (int i = 0; i < 50; i++)
        parallel_for(2, 2, spin, &by_workers);
    for (int i = 0; i < 50; i++)
        parallel_for(2, 2, spin, &after);
    pool_give_up_when_busy(false);
    if (by_workers < 40)
        skip(); /* the machine is busy */
    assert_true(after > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_piece_is_done_once),
        cmocka_unit_test(loops_follow_each_other),
        cmocka_unit_test(loops_beside_a_loop_are_serial),
        cmocka_unit_test(loops_within_a_piece_are_serial),
        cmocka_unit_test(loops_in_an_openmp_region_are_serial),
        cmocka_unit_test(threads_share_the_pool),
        cmocka_unit_test(children_have_workers_of_their_own),
        cmocka_unit_test(workers_have_a_state_of_their_own),
        cmocka_unit_test(callers_work_alone_on_a_busy_machine),
        cmocka_unit_test(unequal_pieces_leave_the_threads),
        cmocka_unit_test(work_decides_the_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
