/* Waiting until the process is at rest: workers that go on spinning are waited for, and not for ever. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include <cmocka.h>

#include "lab/bench/rest.h"

static atomic_bool stop, has_stopped;

/* Uses a processor for `milliseconds` of its own time, or until it is told to stop. */
static void *spin(void *milliseconds)
{
    struct timespec used = {0};
    long ceiling = *(const long *)milliseconds;
    while (!atomic_load(&stop) && used.tv_sec * 1000 + used.tv_nsec / 1000000 < ceiling)
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    atomic_store(&has_stopped, true);
    return NULL;
}

static pthread_t spinner(long *milliseconds)
{
    pthread_t thread;
    atomic_store(&stop, false);
    atomic_store(&has_stopped, false);
    assert_int_equal(pthread_create(&thread, NULL, spin, milliseconds), 0);
    return thread;
}

/* Where others hold all processors a worker that waits for one looks as if it rested: one try in many must do. */
static void a_worker_that_spins_is_waited_for(void **state)
{
    (void)state;
    bool waited = false;
    for (int tries = 0; tries < 400 && !waited; tries++) {
        long milliseconds = 10;
        pthread_t thread = spinner(&milliseconds);
        wait_until_at_rest();
        waited = atomic_load(&has_stopped);
        pthread_join(thread, NULL);
    }
    assert_true(waited);
}

static void one_that_never_ends_is_not(void **state)
{
    (void)state;
    long milliseconds = 1000000;
    pthread_t thread = spinner(&milliseconds);
    wait_until_at_rest();
    assert_false(atomic_load(&has_stopped));
    atomic_store(&stop, true);
    pthread_join(thread, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_worker_that_spins_is_waited_for),
        cmocka_unit_test(one_that_never_ends_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
