/* Where PoCL's cache is, and what of it is copied for a stranger's kernel: programs with their files, the last used
 * first, up to a bound; nothing that a link leads to; and nothing of what is there already. */
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/opencl/pocl_cache.h"
#include "base/size.h"

#include <cmocka.h> /* last: it has a macro called fail */

#include "own_folder.h"

/* ---- files ---- */

static void make_folders(const char *path)
{
    char part[256];
    for (size_t i = 1; path[i]; i++)
        if (path[i] == '/') {
            snprintf(part, sizeof part, "%.*s", (int)i, path);
            assert_true(mkdir(part, 0700) == 0 || access(part, F_OK) == 0);
        }
}

static void write_file(const char *name, const char *text)
{
    const char *path = in_folder(name);
    make_folders(path);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* A program that was used at that time, in seconds. */
static void make_program(const char *name, const char *text, int used)
{
    char path[128];
    snprintf(path, sizeof path, "%s/program.bc", name);
    write_file(path, text);
    snprintf(path, sizeof path, "%s/last_accessed", name);
    write_file(path, "");
    const struct timespec times[2] = {{.tv_sec = used}, {.tv_sec = used}};
    assert_int_equal(utimensat(AT_FDCWD, in_folder(path), times, 0), 0);
}

static bool has(const char *name, const char *text)
{
    char read[64] = "";
    FILE *file = fopen(in_folder(name), "re");
    if (!file)
        return false;
    read[fread(read, 1, sizeof read - 1, file)] = '\0';
    fclose(file);
    return strcmp(read, text) == 0;
}

static bool is_there(const char *name)
{
    return access(in_folder(name), F_OK) == 0;
}

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *walk)
{
    (void)facts, (void)kind;
    return walk->level > 0 ? remove(path) : 0;
}

static int empty_folder(void **state)
{
    (void)state;
    return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void copy(void)
{
    char to[256];
    snprintf(to, sizeof to, "%s", in_folder("to"));
    setenv("POCL_CACHE_DIR", in_folder("from"), 1);
    assert_true(mkdir(to, 0700) == 0 || access(to, F_OK) == 0);
    pocl_cache_copy(to);
    unsetenv("POCL_CACHE_DIR");
}

/* ---- the tests ---- */

static void test_where_it_is(void **state)
{
    (void)state;
    static const struct {
        const char *own, *base, *home, *path;
    } rows[] = {
        {"/own", "/base", "/me", "/own"},           {"", "/base", "/me", "/base/pocl/kcache"},
        {NULL, "/base", NULL, "/base/pocl/kcache"}, {NULL, "", "/me", "/me/.cache/pocl/kcache"},
        {NULL, NULL, "", "/tmp/pocl/kcache"},       {NULL, NULL, NULL, "/tmp/pocl/kcache"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const char *const values[] = {rows[i].own, rows[i].base, rows[i].home};
        static const char *const names[] = {"POCL_CACHE_DIR", "XDG_CACHE_HOME", "HOME"};
        char path[POCL_CACHE_PATH];
        for (size_t k = 0; k < COUNT_OF(names); k++)
            if (values[k])
                setenv(names[k], values[k], 1);
            else
                unsetenv(names[k]);
        pocl_cache_folder(path);
        assert_string_equal(path, rows[i].path);
    }
    unsetenv("POCL_CACHE_DIR");
}

static void test_what_is_copied(void **state)
{
    (void)state;
    make_program("from/AB/one", "first", 10);
    write_file("from/AB/one/kernel/0-0-0/f.so", "code");
    write_file("from/AB/one/.hidden", "hidden");
    write_file("from/AB/one/1/2/3/4/5/6/deep", "deep");
    write_file("from/AB/one/1/2/3/4/5/6/7/deeper", "deeper");
    make_program("from/CD/two", "second", 20);
    make_program("from/.EF/three", "hidden", 30);
    make_program("from/GH/.four", "hidden", 30);
    write_file("from/IJ/five/program.bc", "never used");
    write_file("from/file", "no folder");
    write_file("outside/secret", "secret");
    write_file("outside/last_accessed", "");
    char target[256];
    snprintf(target, sizeof target, "%s", in_folder("outside/secret"));
    assert_int_equal(symlink(target, in_folder("from/AB/one/link")), 0);
    snprintf(target, sizeof target, "%s", in_folder("outside"));
    assert_int_equal(symlink(target, in_folder("from/AB/six")), 0);
    write_file("to/CD/two/program.bc", "there before");
    copy();
    assert_true(has("to/AB/one/program.bc", "first"));
    assert_true(has("to/AB/one/kernel/0-0-0/f.so", "code"));
    assert_true(is_there("to/AB/one/last_accessed"));
    assert_true(has("to/AB/one/1/2/3/4/5/6/deep", "deep"));
    assert_false(is_there("to/AB/one/1/2/3/4/5/6/7"));
    assert_false(is_there("to/AB/one/.hidden"));
    assert_false(is_there("to/AB/one/link"));
    assert_false(is_there("to/AB/six/secret"));
    assert_true(has("to/CD/two/program.bc", "there before"));
    assert_false(is_there("to/.EF"));
    assert_false(is_there("to/GH/.four"));
    assert_false(is_there("to/IJ/five"));
    assert_false(is_there("to/file"));
}

/* What fills the bound is copied whole; what was used before it is left. */
static void test_the_last_used_first(void **state)
{
    (void)state;
    make_program("from/AB/old", "old", 10);
    make_program("from/AB/large", "", 20);
    make_program("from/CD/new", "new", 30);
    assert_int_equal(truncate(in_folder("from/AB/large/program.bc"), (off_t)32 << 20), 0);
    copy();
    struct stat facts;
    assert_true(has("to/CD/new/program.bc", "new"));
    assert_int_equal(stat(in_folder("to/AB/large/program.bc"), &facts), 0);
    assert_int_equal(facts.st_size, 32 << 20);
    assert_false(is_there("to/AB/old"));
}

/* Without a cache, or a folder to copy to, nothing happens. */
static void test_nothing_to_copy(void **state)
{
    (void)state;
    copy();
    assert_true(is_there("to"));
    assert_false(is_there("from"));
    setenv("POCL_CACHE_DIR", in_folder("from"), 1);
    make_program("from/AB/one", "first", 10);
    setenv("POCL_CACHE_DIR", in_folder("from"), 1);
    pocl_cache_copy("/nowhere/at/all");
    unsetenv("POCL_CACHE_DIR");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_where_it_is),
        cmocka_unit_test_setup_teardown(test_what_is_copied, empty_folder, empty_folder),
        cmocka_unit_test_setup_teardown(test_the_last_used_first, empty_folder, empty_folder),
        cmocka_unit_test_setup_teardown(test_nothing_to_copy, empty_folder, empty_folder),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
