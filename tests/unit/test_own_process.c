/* The program, started once more: its exit code or how it ended, its output and errors, and what it leaves behind. This
 * test's main is the program. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/own_program.h"
#include "base/size.h"
#include "cli/commands/own_process.h"

#include <cmocka.h> /* last: it has a macro called fail */

#include "own_folder.h"

#define SECOND 1000000000

/* ---- the program ---- */

/* A process in the group, which outlives this one. */
static void leave_one_behind(void)
{
    const pid_t child = fork();
    while (child == 0)
        pause();
    printf("%d", (int)child);
    fflush(stdout);
}

static int be_the_program(int argc, char **argv)
{
    if (strcmp(argv[1], "exit") == 0)
        return atoi(argv[2]);
    if (strcmp(argv[1], "signal") == 0)
        raise(atoi(argv[2]));
    if (strcmp(argv[1], "sleep") == 0)
        pause();
    if (strcmp(argv[1], "count") == 0)
        printf("%d", argc);
    if (strcmp(argv[1], "leave") == 0)
        leave_one_behind();
    if (strcmp(argv[1], "say") == 0) {
        printf("%s, %s, %s", argv[0], getenv("COLUMNS") ? "columns" : "no columns", getenv("XDG_DATA_HOME"));
        fprintf(stderr, "why");
    }
    return 0;
}

/* ---- the tests ---- */

static void read_file(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
    unlink(path);
}

static void test_how_it_ends(void **state)
{
    (void)state;
    static const struct {
        const char *arguments[3];
        int64_t limit;
        int code;
    } rows[] = {
        {{"exit", "0"}, 60 * (int64_t)SECOND, 0},     {{"exit", "3"}, 60 * (int64_t)SECOND, 3},
        {{"exit", "255"}, 60 * (int64_t)SECOND, 255}, {{"signal", "9"}, 60 * (int64_t)SECOND, OWN_PROCESS_KILLED},
        {{"sleep"}, SECOND / 5, OWN_PROCESS_LATE},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct own_process process = {.arguments = rows[i].arguments, .limit_ns = rows[i].limit};
        const int64_t begun = clock_now();
        assert_int_equal(own_process_run(&process), rows[i].code);
        assert_true(process.begun >= begun && process.begun <= clock_now());
        assert_int_equal(process.child, 0);
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
        assert_int_equal(errno, ECHILD);
    }
}

/* Files get what it says, from their beginning on. Columns are the terminal's, which it does not write to. */
static void test_what_it_says(void **state)
{
    (void)state;
    char output[64], errors[64], text[128];
    snprintf(output, sizeof output, "%s", in_folder("output"));
    snprintf(errors, sizeof errors, "%s", in_folder("errors"));
    FILE *before = fopen(output, "we");
    assert_non_null(before);
    fprintf(before, "a longer text than the one that replaces it");
    fclose(before);
    setenv("COLUMNS", "40", 1);
    setenv("XDG_DATA_HOME", "kept", 1);
    struct own_process process = {.arguments = (const char *const[]){"say", NULL},
                                  .output = output,
                                  .errors = errors,
                                  .limit_ns = 60 * (int64_t)SECOND};
    assert_int_equal(own_process_run(&process), 0);
    read_file(output, text, sizeof text);
    assert_string_equal(text, "uskor, no columns, kept");
    read_file(errors, text, sizeof text);
    assert_string_equal(text, "why");
}

/* At most 62 arguments are passed on; the name comes before them. */
static void test_arguments(void **state)
{
    (void)state;
    static const int given[] = {1, 2, 61, 62, 63};
    char output[64], text[16];
    snprintf(output, sizeof output, "%s", in_folder("count"));
    for (size_t i = 0; i < COUNT_OF(given); i++) {
        const char *arguments[65] = {"count"};
        for (int k = 1; k < given[i]; k++)
            arguments[k] = "more";
        struct own_process process = {.arguments = arguments, .output = output, .limit_ns = 60 * (int64_t)SECOND};
        assert_int_equal(own_process_run(&process), 0);
        read_file(output, text, sizeof text);
        assert_int_equal(atoi(text), 1 + (given[i] < 62 ? given[i] : 62));
    }
}

/* A process that it has started ends with it. */
static void test_what_it_leaves(void **state)
{
    (void)state;
    char output[64], text[16];
    snprintf(output, sizeof output, "%s", in_folder("left"));
    struct own_process process = {
        .arguments = (const char *const[]){"leave", NULL}, .output = output, .limit_ns = 60 * (int64_t)SECOND};
    assert_int_equal(own_process_run(&process), 0);
    read_file(output, text, sizeof text);
    const pid_t left = atoi(text);
    assert_true(left > 0);
    for (int i = 0; i < 1000 && kill(left, 0) == 0 && waitpid(left, NULL, WNOHANG) <= 0; i++)
        clock_sleep(SECOND / 100);
    assert_int_equal(kill(left, 0), -1);
}

/* Without a process there is nothing to stop. */
static void test_stopped(void **state)
{
    (void)state;
    struct own_process process = {.arguments = (const char *const[]){"sleep", NULL}, .limit_ns = 600 * (int64_t)SECOND};
    own_process_stop(&process);
    assert_int_equal(own_process_start(&process), 0);
    const pid_t child = process.child;
    assert_int_equal(kill(child, 0), 0);
    own_process_stop(&process);
    assert_int_equal(process.child, 0);
    assert_int_equal(kill(child, 0), -1);
    own_process_stop(&process);
}

/* A file that cannot be written starts nothing. */
static void test_not_started(void **state)
{
    (void)state;
    struct own_process process = {
        .arguments = (const char *const[]){"exit", "0", NULL}, .output = "/nowhere/output", .limit_ns = SECOND};
    assert_int_equal(own_process_run(&process), OWN_PROCESS_NONE);
    assert_int_equal(process.child, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_how_it_ends),    cmocka_unit_test(test_what_it_says), cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_what_it_leaves), cmocka_unit_test(test_stopped),      cmocka_unit_test(test_not_started),
    };
    if (argc > 1)
        return be_the_program(argc, argv);
    own_program_keep();
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* what is left behind is awaited here */
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
