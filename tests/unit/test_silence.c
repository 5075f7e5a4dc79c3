/* A process that gives no sign of life is given up; the time for which it had no processor does not count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/silence.h"

static int64_t delay;

static int64_t given(pid_t process)
{
    (void)process;
    return delay;
}

static void only_time_with_a_processor_counts(void **state)
{
    (void)state;
    struct silence silence = {0};
    silence_broken(&silence, 1000);
    delay = 5000;
    assert_false(silence_exceeds(&silence, 100, 1050, given));
    assert_false(silence_exceeds(&silence, 100, 1051, given)); /* from here on */
    assert_false(silence_exceeds(&silence, 100, 1100, given));
    assert_true(silence_exceeds(&silence, 100, 1101, given));
    delay = 5040;
    assert_false(silence_exceeds(&silence, 100, 1140, given));
    assert_true(silence_exceeds(&silence, 100, 1141, given));
    delay = 4000; /* the thread that had waited longest has ended */
    assert_true(silence_exceeds(&silence, 100, 1101, given));
    silence_broken(&silence, 2000);
    assert_false(silence_exceeds(&silence, 100, 2100, given));
    delay = 4900;
    assert_true(silence_exceeds(&silence, 100, 3001, given));
    assert_false(silence_exceeds(&silence, 1000, 3001, given)); /* another limit */
}

/* Two processes that want the same processor. */
static void the_system_says_who_waits(void **state)
{
    (void)state;
    cpu_set_t all, one;
    assert_int_equal(run_delay_of(0x7ffffff0), 0);
    if (access("/proc/self/schedstat", R_OK) != 0 || sched_getaffinity(0, sizeof all, &all) != 0)
        skip();
    CPU_ZERO(&one);
    for (int i = 0; CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    const pid_t child = fork();
    if (child == 0)
        for (;;)
            sched_yield();
    while (run_delay_of(child) < 1000000)
        continue;
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_time_with_a_processor_counts),
        cmocka_unit_test(the_system_says_who_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
