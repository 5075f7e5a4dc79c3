/* A thread that runs on another core is counted up to now, not up to its last tick. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include "base/clock.h"
#include "lab/bench/thread_clocks.h"

#include <cmocka.h>

static atomic_bool runs, ends;

static void *spin(void *unused)
{
    atomic_store(&runs, true);
    while (!atomic_load(&ends))
        continue;
    return unused;
}

static int64_t read_clock(clockid_t clock)
{
    struct timespec now;
    assert_int_equal(clock_gettime(clock, &now), 0);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Between two readings the process has used what its other thread has used between two readings within. */
static void test_other_threads_count(void **state)
{
    pthread_t thread;
    clockid_t clock;
    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, spin, NULL), 0);
    assert_int_equal(pthread_getcpuclockid(thread, &clock), 0);
    while (!atomic_load(&runs))
        clock_sleep(1000);
    thread_clocks_note();
    for (int i = 0; i < 50; i++) {
        const int64_t before = thread_clocks_processor(), from = read_clock(clock);
        clock_sleep(300000);
        const int64_t to = read_clock(clock), after = thread_clocks_processor();
        assert_true(after - before >= to - from);
    }
    thread_clocks_forget();
    atomic_store(&ends, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

/* Nor does it matter that one has ended. */
static void test_threads_that_ended(void **state)
{
    pthread_t thread;
    (void)state;
    atomic_store(&ends, false);
    assert_int_equal(pthread_create(&thread, NULL, spin, NULL), 0);
    thread_clocks_note();
    const int64_t before = thread_clocks_processor();
    atomic_store(&ends, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(thread_clocks_processor() >= before);
    thread_clocks_forget();
    assert_true(thread_clocks_processor() >= before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_other_threads_count),
                                       cmocka_unit_test(test_threads_that_ended)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
