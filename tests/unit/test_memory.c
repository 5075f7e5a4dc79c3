/* The memory reported as available, from files as Linux writes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cmocka.h>
#undef fail

#include "base/memory.h"
#include "own_folder.h"

static void put(const char *path, const char *text)
{
    char full[512];
    snprintf(full, sizeof full, "%s%s", folder, path);
    for (char *slash = strchr(full + strlen(folder) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        (void)mkdir(full, 0755);
        *slash = '/';
    }
    FILE *file = fopen(full, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void expect(uint64_t bytes, const char *word)
{
    const char *whose;
    assert_int_equal(memory_available_below(folder, &whose), bytes);
    assert_non_null(strstr(whose, word));
}

static void the_least_counts(void **state)
{
    (void)state;
    expect(UINT64_MAX, "known");
    put("/proc/meminfo", "MemTotal:       16000 kB\nMemFree:  1 kB\nMemAvailable:    8000 kB\n");
    expect(8000 * 1024, "machine");

    /* Version 2: the group that it lies in is the tighter one; file pages can be dropped. */
    put("/proc/self/cgroup", "0::/outer/inner\n");
    put("/sys/fs/cgroup/outer/inner/memory.max", "max\n");
    put("/sys/fs/cgroup/outer/inner/memory.current", "4000000\n");
    put("/sys/fs/cgroup/outer/memory.max", "5000000\n");
    put("/sys/fs/cgroup/outer/memory.current", "4500000\n");
    expect(500000, "cgroup");
    put("/sys/fs/cgroup/outer/memory.stat", "anon 1\ninactive_file 1000\nactive_file 2000\n");
    expect(503000, "cgroup");
    put("/sys/fs/cgroup/outer/memory.current", "9500000\n");
    put("/sys/fs/cgroup/outer/memory.stat", "anon 1\n");
    expect(0, "cgroup");

    /* Version 1, beside other controllers. */
    put("/proc/self/cgroup", "12:cpu,cpuacct:/a\n4:memory:/box\n1:name=systemd:/\n");
    expect(8000 * 1024, "machine");
    put("/sys/fs/cgroup/memory/box/memory.limit_in_bytes", "3000000\n");
    put("/sys/fs/cgroup/memory/box/memory.usage_in_bytes", "1000000\n");
    expect(2000000, "cgroup");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "1500000\n");
    put("/sys/fs/cgroup/memory/memory.usage_in_bytes", "1000000\n");
    expect(500000, "cgroup");
}

static void refuses_in_one_line(void **state)
{
    (void)state;
    struct error error = {""};
    assert_int_equal(memory_suffices(1 << 20, "a little", &error), STATUS_OK);
    assert_int_equal(memory_suffices((uint64_t)1 << 60, "transpose:rows=3", &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "transpose:rows=3: needs about 1 EiB of memory, and "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_least_counts), cmocka_unit_test(refuses_in_one_line)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
