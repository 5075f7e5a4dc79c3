/* Folders for compilers: those that killed processes left go with the next one, those of living ones stay. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/size.h"
#include "base/temporary_folder.h"
#include "own_folder.h"

#include <cmocka.h> /* last: it has a macro called fail */

static bool is_there(const char *where, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", where, name);
    return access(path, F_OK) == 0;
}

static void make_file(const char *where, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", where, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

/* In a process that ends without removing it: as a killed one. Its path is in `path`. */
static void leave_one(char path[128])
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct temporary_folder left;
        char inner[160];
        bool is_made = temporary_folder_make(FOLDER_MODULE, &left, NULL) == STATUS_OK;
        snprintf(inner, sizeof inner, "%s/inner", left.path);
        is_made = is_made && mkdir(inner, 0700) == 0;
        make_file(inner, "file");
        make_file(left.path, "module.so");
        _exit(is_made && write(ends[1], left.path, sizeof left.path) == sizeof left.path ? 0 : 1);
    }
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(read(ends[0], path, 128), 128);
    close(ends[0]);
    close(ends[1]);
}

static void what_a_killed_process_left_goes(void **state)
{
    (void)state;
    char left[128];
    assert_int_equal(setenv("TMPDIR", folder, 1), 0);
    struct temporary_folder living, next;
    assert_int_equal(temporary_folder_make(FOLDER_TRACE, &living, NULL), STATUS_OK);
    make_file(living.path, "kernel.cpp");
    make_file(folder, "uskor-trace-abcdef"); /* no folder */
    assert_int_equal(mkdir(in_folder("uskor-mine-abcdef"), 0700), 0);
    leave_one(left);
    assert_int_equal(access(left, F_OK), 0);
    assert_int_equal(temporary_folder_make(FOLDER_GRADE, &next, NULL), STATUS_OK);
    assert_int_not_equal(access(left, F_OK), 0);
    assert_true(is_there(living.path, "kernel.cpp"));
    assert_int_equal(unlink(in_folder("uskor-trace-abcdef")), 0); /* both are there still */
    assert_int_equal(rmdir(in_folder("uskor-mine-abcdef")), 0);
    const struct temporary_folder before[] = {living, next};
    temporary_folder_remove(&living);
    temporary_folder_remove(&next);
    for (int i = 0; i < 2; i++)
        assert_int_not_equal(access(before[i].path, F_OK), 0);
}

/* A folder that could not be made is none: removing it closes no file of others. */
static void what_was_not_made_is_not_removed(void **state)
{
    (void)state;
    struct error error;
    struct temporary_folder none;
    memset(&none, 0, sizeof none); /* standard input would be its lock */
    assert_int_equal(setenv("TMPDIR", "/no/such/folder", 1), 0);
    assert_int_equal(temporary_folder_make(FOLDER_GRADE, &none, &error), STATUS_SYSTEM);
    assert_non_null(strstr(error.text, "/no/such/folder"));
    const int file = dup(STDERR_FILENO);
    assert_true(file >= 0);
    none.lock = file;
    temporary_folder_remove(&none);
    assert_int_equal(close(file), 0);
    assert_int_equal(setenv("TMPDIR", folder, 1), 0);
}

/* A relative folder would be another one after a change of directory; one that is too long leaves no room for names. */
static void only_an_absolute_folder_is_taken(void **state)
{
    (void)state;
    char beyond[128];
    memset(beyond, 'a', sizeof beyond - 1);
    beyond[0] = '/';
    beyond[sizeof beyond - 1] = '\0';
    const char *const others[] = {"relative", "", beyond};
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        struct temporary_folder made;
        assert_int_equal(setenv("TMPDIR", others[i], 1), 0);
        assert_int_equal(temporary_folder_make(FOLDER_GRADE, &made, NULL), STATUS_OK);
        assert_int_equal(strncmp(made.path, "/tmp/uskor-", 11), 0);
        temporary_folder_remove(&made);
    }
    assert_int_equal(setenv("TMPDIR", folder, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_a_killed_process_left_goes),
                                       cmocka_unit_test(what_was_not_made_is_not_removed),
                                       cmocka_unit_test(only_an_absolute_folder_is_taken)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
