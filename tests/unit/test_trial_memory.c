/* A trial that went well is remembered: by its title, until a file, a variable or a limit that it depended on changes,
 * and only where a cache may be written. */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/size.h"
#include "base/trial_memory.h"

#include <cmocka.h> /* last: it has a macro called fail */

#include "own_folder.h"

/* How many entries there are; the path of the first. */
static size_t entries(const char *below, char path[256])
{
    char pattern[256];
    glob_t found;
    size_t count = 0;
    snprintf(pattern, sizeof pattern, "%s/uskor/*", in_folder(below));
    if (glob(pattern, 0, NULL, &found) != 0)
        return 0;
    count = found.gl_pathc;
    snprintf(path, 256, "%s", found.gl_pathv[0]);
    globfree(&found);
    return count;
}

static void forget(const char *below)
{
    char path[256], name[128];
    while (entries(below, path) > 0)
        unlink(path);
    snprintf(name, sizeof name, "%s/uskor", below);
    rmdir(in_folder(name));
    rmdir(in_folder(below));
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void test_titles(void **state)
{
    (void)state;
    char path[256];
    setenv("XDG_CACHE_HOME", in_folder("cache"), 1);
    assert_false(trial_is_remembered("one"));
    trial_remember("one");
    assert_true(trial_is_remembered("one"));
    assert_false(trial_is_remembered("two"));
    trial_remember("two");
    trial_remember("one");
    assert_true(trial_is_remembered("one") && trial_is_remembered("two"));
    assert_int_equal(entries("cache", path), 2);
    assert_non_null(strstr(path, ".trial"));
    forget("cache");
}

/* A relative folder does not count; nor do none, or a cache that is switched off. */
static void test_folders(void **state)
{
    (void)state;
    char path[256];
    static const struct {
        const char *cache, *base, *home; /* home: in the test's folder, or as it is */
        const char *below;               /* NULL: nothing is kept */
    } rows[] = {
        {"off", "/", "home", NULL},
        {"on", "relative", "home", "home/.cache"},
        {NULL, NULL, "home", "home/.cache"},
        {NULL, "relative", "./", NULL},
        {NULL, NULL, NULL, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        unsetenv("USKOR_CACHE"), unsetenv("XDG_CACHE_HOME"), unsetenv("HOME");
        if (rows[i].cache)
            setenv("USKOR_CACHE", rows[i].cache, 1);
        if (rows[i].base)
            setenv("XDG_CACHE_HOME", rows[i].base[0] == '/' ? in_folder("cache") : rows[i].base, 1);
        if (rows[i].home)
            setenv("HOME", rows[i].home[0] == '.' ? rows[i].home : in_folder(rows[i].home), 1);
        trial_remember("one");
        assert_int_equal(trial_is_remembered("one"), rows[i].below != NULL);
        if (rows[i].below) {
            assert_int_equal(entries(rows[i].below, path), 1);
            forget(rows[i].below);
            rmdir(in_folder("home"));
        }
        assert_int_equal(access(in_folder("cache"), F_OK), -1);
    }
    unsetenv("USKOR_CACHE");
}

/* Registered drivers, a limit that libraries heed, and an entry that is damaged. */
static void test_changes(void **state)
{
    (void)state;
    char vendors[256], path[256];
    snprintf(vendors, sizeof vendors, "%s", in_folder("vendors"));
    setenv("XDG_CACHE_HOME", in_folder("cache"), 1);
    setenv("OCL_ICD_VENDORS", vendors, 1);
    write_file(vendors, "one");
    trial_remember("one");
    assert_true(trial_is_remembered("one"));
    write_file(vendors, "another");
    assert_false(trial_is_remembered("one"));
    trial_remember("one");
    assert_true(trial_is_remembered("one"));
    unlink(vendors);
    assert_false(trial_is_remembered("one"));
    trial_remember("one"); /* without it */
    assert_true(trial_is_remembered("one"));

    struct rlimit limit, less;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    less = limit;
    less.rlim_cur = limit.rlim_cur - 1;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &less), 0);
    assert_false(trial_is_remembered("one"));
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    assert_true(trial_is_remembered("one"));

    setenv("POCL_DEVICES", "basic", 1);
    assert_false(trial_is_remembered("one"));
    unsetenv("POCL_DEVICES");
    assert_true(trial_is_remembered("one"));

    struct stat about;
    assert_int_equal(entries("cache", path), 1);
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(truncate(path, about.st_size - 1), 0);
    assert_false(trial_is_remembered("one"));
    static const char *const damaged[] = {"", "end", "no path\nend\n", "1.000000001 2 3 /\nend\n"};
    for (size_t i = 0; i < COUNT_OF(damaged); i++) {
        write_file(path, damaged[i]);
        assert_false(trial_is_remembered("one"));
    }
    write_file(path, "end\n");
    assert_true(trial_is_remembered("one")); /* nothing that could change */
    unsetenv("OCL_ICD_VENDORS");
    forget("cache");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_titles),
        cmocka_unit_test(test_folders),
        cmocka_unit_test(test_changes),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
