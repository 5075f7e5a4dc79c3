/* The processor time of other programs, from the system's own count. */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#undef fail

#include "base/threads.h"
#include "lab/bench/background_load.h"

#define SECOND INT64_C(1000000000)

static double share_of(int64_t all, int64_t busy, int64_t own)
{
    struct processor_times from = {.all = 7 * SECOND, .busy = 5 * SECOND, .own = 2 * SECOND};
    struct processor_times to = {.all = from.all + all, .busy = from.busy + busy, .own = from.own + own};
    return background_load_between(&from, &to) / (double)sysconf(_SC_NPROCESSORS_ONLN);
}

static void others_are_what_is_busy_and_not_ours(void **state)
{
    (void)state;
    assert_float_equal(share_of(4 * SECOND, 3 * SECOND, 1 * SECOND), 0.5, 1e-9);
    assert_float_equal(share_of(4 * SECOND, 3 * SECOND, 3 * SECOND), 0, 1e-9);
}

static void steps_of_the_count_are_no_neighbours(void **state)
{
    (void)state;
    assert_float_equal(share_of(4 * SECOND, 1 * SECOND, 2 * SECOND), 0, 0); /* a tick late: less than we used */
    assert_float_equal(share_of(SECOND / 10, SECOND / 10, 0), 0, 0);        /* too short to tell */
    assert_float_equal(share_of(0, 0, 0), 0, 0);                            /* a system without such a count */
}

static void what_disturbs_is_named(void **state)
{
    (void)state;
    struct processor_times from = {.all = SECOND, .now = SECOND}, to = {.all = 5 * SECOND, .now = 2 * SECOND};
    char text[160] = "";
    assert_false(background_warn(text, sizeof text, &from, &to));
    to.stops = (struct processors_stops){.periods = 3, .nanoseconds = SECOND / 200};
    assert_false(background_warn(text, sizeof text, &from, &to)); /* half a hundredth of the time */
    to.stops.nanoseconds = SECOND / 10;
    assert_true(background_warn(text, sizeof text, &from, &to));
    assert_non_null(strstr(text, "noisy: the CPU quota"));
    assert_non_null(strstr(text, "in 3 periods"));
    to.stops = from.stops;
    to.busy = 4 * SECOND;
    assert_true(background_warn(text, sizeof text, &from, &to));
    assert_non_null(strstr(text, "noisy: other programs"));
}

static void our_own_work_is_not_theirs(void **state)
{
    (void)state;
    struct processor_times from = processor_times_now(), now = from;
    if (!from.all)
        skip();
    while (now.own - from.own < SECOND / 2)
        now = processor_times_now();
    assert_true(now.all > from.all);
    assert_true(now.busy - from.busy >= SECOND / 4); /* half a second of ours is in it, but for the steps */
}

static void our_childrens_work_is_ours(void **state)
{
    (void)state;
    struct processor_times from = processor_times_now();
    if (!from.all)
        skip();
    const pid_t child = fork();
    while (child == 0 && clock() < CLOCKS_PER_SEC / 5)
        continue;
    if (child == 0)
        _exit(0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_true(processor_times_now().own - from.own >= SECOND / 10);
}

/* ---- under OpenMP's binding: this program again, with the variables that clusters set ---------------------------- */

static int look_when_bound(const char *expected)
{
    const struct processor_times none = {0};
    char text[160] = "";
    threads_keep_teams_whole();
    const bool is_told = background_warn(text, sizeof text, &none, &none);
    printf("%s threads, places %s: '%s'\n", getenv("OMP_NUM_THREADS"), getenv("OMP_PLACES"), text);
    return is_told == (*expected != 0) && strcmp(text, expected) == 0 ? 0 : 1;
}

static int bound(const char *threads, const char *places, const char *expected)
{
    char program[400] = "";
    int ended;
    assert_true(readlink("/proc/self/exe", program, sizeof program - 1) > 0);
    const pid_t child = fork();
    if (child == 0) {
        setenv("OMP_NUM_THREADS", threads, 1);
        setenv("OMP_PROC_BIND", "true", 1);
        setenv("OMP_PLACES", places, 1);
        execl(program, program, expected, NULL);
        _exit(9);
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    return ended;
}

static void binding_that_crowds_is_named(void **state)
{
    (void)state;
    cpu_set_t own;
    char first[32], second[80];
    assert_int_equal(sched_getaffinity(0, sizeof own, &own), 0);
    int at[2] = {-1, -1};
    for (int i = 0; i < CPU_SETSIZE && at[1] < 0; i++)
        if (CPU_ISSET(i, &own))
            at[at[0] >= 0] = i;
    snprintf(first, sizeof first, "{%d}", at[0]);
    assert_int_equal(bound("1", first, ""), 0);
    assert_int_equal(bound("2", first, "noisy: OpenMP binds 2 threads to fewer CPUs: 1"), 0);
    if (at[1] < 0)
        skip();
    snprintf(second, sizeof second, "{%d},{%d}", at[0], at[1]);
    assert_int_equal(bound("2", second, ""), 0);
    assert_int_equal(bound("3", second, "noisy: OpenMP binds 3 threads to fewer CPUs: 2"), 0);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return look_when_bound(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_are_what_is_busy_and_not_ours),
        cmocka_unit_test(steps_of_the_count_are_no_neighbours),
        cmocka_unit_test(what_disturbs_is_named),
        cmocka_unit_test(our_own_work_is_not_theirs),
        cmocka_unit_test(our_childrens_work_is_ours),
        cmocka_unit_test(binding_that_crowds_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
