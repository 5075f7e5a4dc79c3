/* The processors to use: the affinity mask, and the CPU quota of control groups, from files as Linux writes them. */
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/processors.h"

#include <cmocka.h>

static char folder[256];

static void put(const char *name, const char *text)
{
    char path[600];
    snprintf(path, sizeof path, "%s%s", folder, name);
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = 0;
        mkdir(path, 0700);
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void begin(void)
{
    snprintf(folder, sizeof folder, "%s", "/tmp/uskor-processors-XXXXXX");
    assert_non_null(mkdtemp(folder));
}

static void end(void)
{
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}

static void the_narrowest_group_counts(void **state)
{
    (void)state;
    begin();
    assert_true(isinf(processors_quota(folder)));
    put("/proc/self/cgroup", "0::/outer/inner\n");
    assert_true(isinf(processors_quota(folder)));
    put("/sys/fs/cgroup/outer/inner/cpu.max", "max 100000\n");
    assert_true(isinf(processors_quota(folder)));
    put("/sys/fs/cgroup/outer/cpu.max", "150000 100000\n");
    assert_true(processors_quota(folder) == 1.5);
    put("/sys/fs/cgroup/outer/inner/cpu.max", "50000 100000\n");
    assert_true(processors_quota(folder) == 0.5);
    put("/sys/fs/cgroup/outer/inner/cpu.max", "900000 100000\n");
    assert_true(processors_quota(folder) == 1.5);
    put("/sys/fs/cgroup/unified/outer/cpu.max", "25000 100000\n"); /* where systemd mounts it beside version 1 */
    assert_true(processors_quota(folder) == 0.25);
    end();
}

/* Each group that a quota has stopped counts, in either version's units. */
static void stops_are_counted(void **state)
{
    (void)state;
    begin();
    put("/proc/self/cgroup", "0::/outer/inner\n4:cpu,cpuacct:/box\n");
    struct processors_stops stops = processors_stopped(folder);
    assert_true(stops.periods == 0 && stops.nanoseconds == 0);
    put("/sys/fs/cgroup/outer/cpu.stat", "usage_usec 9\nnr_periods 100\nnr_throttled 3\nthrottled_usec 250\n");
    put("/sys/fs/cgroup/outer/inner/cpu.stat", "nr_throttled 4\nthrottled_usec 1\nnonsense\n");
    put("/sys/fs/cgroup/cpu,cpuacct/box/cpu.stat", "nr_periods 5\nnr_throttled 10\nthrottled_time 77\n");
    stops = processors_stopped(folder);
    assert_int_equal(stops.periods, 17);
    assert_int_equal(stops.nanoseconds, 251077);
    end();
}

/* The group's own folder may be missing, as in a container: then its mount counts. */
static void version_1_is_read_too(void **state)
{
    (void)state;
    begin();
    put("/proc/self/cgroup", "12:cpuset:/a\n4:cpu,cpuacct:/box\n1:name=systemd:/\n");
    put("/sys/fs/cgroup/cpuset/cpu.cfs_quota_us", "1000\n");
    put("/sys/fs/cgroup/cpuset/cpu.cfs_period_us", "1000000\n");
    put("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
    put("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
    assert_true(isinf(processors_quota(folder)));
    put("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "300000\n");
    assert_true(processors_quota(folder) == 3);
    put("/sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us", "200000\n");
    put("/sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us", "100000\n");
    assert_true(processors_quota(folder) == 2);
    end();
}

static void garbage_is_no_quota(void **state)
{
    (void)state;
    static const char *const garbage[] = {"", "\n", "nan 1\n", "100000\n", "100000 0\n", "-5 100000\n", "x y\n"};
    begin();
    put("/proc/self/cgroup", "0::/\nnonsense\n7\n");
    for (size_t i = 0; i < sizeof garbage / sizeof garbage[0]; i++) {
        put("/sys/fs/cgroup/cpu.max", garbage[i]);
        assert_true(isinf(processors_quota(folder)));
    }
    end();
}

static void the_mask_counts(void **state)
{
    (void)state;
    cpu_set_t own;
    int width;
    assert_int_equal(sched_getaffinity(0, sizeof own, &own), 0);
    cpu_set_t *mask = processors_mask(&width);
    assert_non_null(mask);
    assert_true(CPU_COUNT_S(CPU_ALLOC_SIZE((size_t)width), mask) >= CPU_COUNT(&own));
    CPU_FREE(mask);
    assert_true(processors_available() >= 1);
    assert_true(processors_available() <= (size_t)CPU_COUNT(&own) || processors_are_bound());
    assert_int_equal(processors_within_quota(0), 1);
    assert_int_equal(processors_within_quota(1), 1);
}

/* ---- under OpenMP's binding: this program again, with the variables that clusters set ---------------------------- */

static void *count_own(void *count)
{
    cpu_set_t own;
    *(int *)count = sched_getaffinity(0, sizeof own, &own) == 0 ? CPU_COUNT(&own) : 0;
    return NULL;
}

/* How many processors a thread may use that this one starts. */
static int inherited(void)
{
    pthread_t thread;
    int count = 0;
    if (pthread_create(&thread, NULL, count_own, &count) == 0)
        pthread_join(thread, NULL);
    return count;
}

static int look_when_bound(int processors)
{
    const bool is_bound = processors_are_bound(); /* LLVM's OpenMP binds when it is asked, gcc's before main */
    const bool crowded = inherited() == 1;
    const size_t available = processors_available();
    processors_unbind();
    omp_set_dynamic(0); /* so that OpenMP is linked */
    printf("bound: %d, crowded: %d, available: %zu, then: %d of %d\n", is_bound, crowded, available, inherited(),
           processors);
    return is_bound && crowded && available == (size_t)processors && inherited() == processors ? 0 : 1;
}

static void binding_hides_no_processors(void **state)
{
    (void)state;
    char command[400], number[32];
    int processors = 0;
    count_own(&processors);
    if (processors < 2 || processors_are_bound() || processors_within_quota((size_t)processors) < (size_t)processors)
        skip();
    const ssize_t length = readlink("/proc/self/exe", command, sizeof command - 1);
    assert_true(length > 0);
    command[length] = 0;
    snprintf(number, sizeof number, "%d", processors);
    for (int i = 0; i < 2; i++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            setenv(i ? "OMP_PROC_BIND" : "OMP_PLACES", i ? "close" : "threads", 1);
            execl(command, command, number, NULL);
            _exit(9);
        }
        int ended;
        assert_int_equal(waitpid(child, &ended, 0), child);
        assert_int_equal(ended, 0);
    }
}

static bool may_run_on(int processor)
{
    cpu_set_t mask;
    return sched_getaffinity(0, sizeof mask, &mask) == 0 && CPU_ISSET(processor, &mask);
}

static void *avoid_two(void *context)
{
    bool *does = context;
    struct processors_avoided avoided = {0};
    const int first = sched_getcpu();
    processors_avoid(&avoided, first);
    const int second = sched_getcpu();
    const bool has_left = second != first && !may_run_on(first);
    processors_avoid(&avoided, first); /* it does not run there: nothing changes */
    const bool stays = !may_run_on(first);
    processors_avoid(&avoided, second);
    *does = has_left && stays && sched_getcpu() != second && may_run_on(first) && !may_run_on(second);
    return NULL;
}

static void *avoid_the_only_one(void *context)
{
    bool *does = context;
    struct processors_avoided avoided = {0};
    const int only = sched_getcpu();
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(only, &one);
    sched_setaffinity(0, sizeof one, &one);
    processors_avoid(&avoided, only);
    *does = sched_getcpu() == only && may_run_on(only);
    return NULL;
}

static bool in_a_thread(void *(*what)(void *))
{
    pthread_t thread;
    bool does = false;
    assert_int_equal(pthread_create(&thread, NULL, what, &does), 0);
    pthread_join(thread, NULL);
    return does;
}

static void a_thread_avoids_a_processor(void **state)
{
    (void)state;
    int processors = 0;
    count_own(&processors);
    if (processors < 2)
        skip();
    /* The system may move the thread between two looks: one of some tries is undisturbed. */
    bool does = false, keeps = false;
    for (int i = 0; i < 20; i++) {
        does = does || in_a_thread(avoid_two);
        keeps = keeps || in_a_thread(avoid_the_only_one);
    }
    assert_true(does);
    assert_true(keeps);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return look_when_bound(atoi(argv[1]));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_narrowest_group_counts),
        cmocka_unit_test(stops_are_counted),
        cmocka_unit_test(version_1_is_read_too),
        cmocka_unit_test(garbage_is_no_quota),
        cmocka_unit_test(the_mask_counts),
        cmocka_unit_test(binding_hides_no_processors),
        cmocka_unit_test(a_thread_avoids_a_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
