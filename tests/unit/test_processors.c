/* The processors to use: the affinity mask, and the CPU quota of control groups, from files as Linux writes them. */
#include <math.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_narrowest_group_counts),
        cmocka_unit_test(version_1_is_read_too),
        cmocka_unit_test(garbage_is_no_quota),
        cmocka_unit_test(the_mask_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
