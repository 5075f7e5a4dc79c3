/* Waiting until the process is at rest: workers that go on spinning are waited for, and not for ever. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <cmocka.h>

#include "lab/bench/rest.h"

static atomic_bool stop, has_stopped;

/* Computes for so many steps, without a call, as a thread that waits for work does; or until it is told to stop. */
static void *spin(void *steps)
{
    for (volatile long left = *(const long *)steps; left > 0 && !atomic_load(&stop); left--)
        continue;
    atomic_store(&has_stopped, true);
    return NULL;
}

static pthread_t spinner(long *steps)
{
    pthread_t thread;
    atomic_store(&stop, false);
    atomic_store(&has_stopped, false);
    assert_int_equal(pthread_create(&thread, NULL, spin, steps), 0);
    return thread;
}

/* Also for less than a tick of the system's clock, and where others hold all processors. */
static void a_worker_that_spins_is_waited_for(void **state)
{
    (void)state;
    for (int tries = 0; tries < 20; tries++) {
        long steps = 4000000;
        pthread_t thread = spinner(&steps);
        wait_until_at_rest();
        const bool waited = atomic_load(&has_stopped);
        pthread_join(thread, NULL);
        assert_true(waited);
    }
}

static void one_that_never_ends_is_not(void **state)
{
    (void)state;
    long steps = LONG_MAX;
    pthread_t thread = spinner(&steps);
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
