/* Files that appear complete or not at all. */
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/size.h"
#include "files/output.h"
#include "own_folder.h"

#include <cmocka.h>

static int enter_folder(void **state)
{
    umask(022);
    return make_folder(state) == 0 ? chdir(folder) : -1;
}

static void make(const char *path, bool force, const char *text)
{
    struct output *output;
    struct error error = {""};
    if (output_create(path, force, &output, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_string_equal(output_path(output), path);
    assert_int_equal(output_write(output, text, strlen(text), &error), STATUS_OK);
    if (output_finish(output, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

static void holds(const char *path, const char *text, mode_t mode)
{
    char read[64] = "";
    struct stat found;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fread(read, 1, sizeof read - 1, file), strlen(text));
    fclose(file);
    assert_string_equal(read, text);
    assert_int_equal(stat(path, &found), 0);
    assert_int_equal(found.st_mode & 07777, mode);
}

static void refused(const char *path, bool force, const char *word)
{
    struct output *output;
    struct error error = {""};
    assert_int_not_equal(output_create(path, force, &output, &error), STATUS_OK);
    if (!strstr(error.text, word))
        fail_msg("\"%s\" does not say \"%s\"", error.text, word);
}

static void makes_and_replaces(void **state)
{
    (void)state;
    make("a", false, "first");
    holds("a", "first", 0644);
    refused("a", false, "exists already; --force");
    holds("a", "first", 0644);
    assert_int_equal(chmod("a", 0640), 0);
    make("./a", true, "second");
    holds("a", "second", 0640);
    unlink("a");
    umask(077);
    make("a", true, "third");
    umask(022);
    holds("a", "third", 0600);
    unlink("a");
}

static void refuses_what_is_no_file(void **state)
{
    (void)state;
    refused("", false, "empty");
    refused("-", false, "standard output");
    refused("none/a", false, "its folder does not exist");
    refused(folder, true, "is a folder");
    refused("/dev/null", true, "not a regular file");
    refused("a/", false, "");
    make("a", false, "");
    refused("a/b", false, "");
    unlink("a");
    char name[NAME_MAX + 2];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    refused(name, false, "File name too long");
}

/* The file that a link leads to is replaced; the link stays. */
static void follows_links(void **state)
{
    (void)state;
    struct stat found;
    make("a", false, "first");
    assert_int_equal(symlink("a", "link"), 0);
    refused("link", false, "exists already");
    make("link", true, "second");
    holds("a", "second", 0644);
    assert_int_equal(lstat("link", &found), 0);
    assert_true(S_ISLNK(found.st_mode));
    unlink("a");
    refused("link", true, "leads nowhere");
    unlink("link");
}

static void does_not_overwrite_a_late_comer(void **state)
{
    (void)state;
    struct output *output;
    struct error error;
    assert_int_equal(output_create("a", false, &output, &error), STATUS_OK);
    make("a", false, "theirs");
    assert_int_equal(output_finish(output, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "appeared"));
    holds("a", "theirs", 0644);
    unlink("a");
}

static void knows_a_full_disk_before_the_work(void **state)
{
    (void)state;
    struct output *output;
    struct error error;
    assert_int_equal(output_create("a", false, &output, &error), STATUS_OK);
    assert_int_equal(output_reserve(output, (size_t)1 << 60, &error), STATUS_SYSTEM);
    assert_non_null(strstr(error.text, "a: no room on its disk for 1"));
    assert_int_equal(output_reserve(output, SIZE_MAX, &error), STATUS_SYSTEM);
    assert_int_equal(output_reserve(output, 0, &error), STATUS_OK);
    assert_int_equal(output_reserve(output, 12345, &error), STATUS_OK);
    struct stat found;
    assert_int_equal(fstat(output_descriptor(output), &found), 0);
    assert_int_equal(found.st_size, 12345);
    output_abandon(output);
    output_abandon(NULL);
}

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

/* Runs `work` in a child and returns how it ended. */
static int child(void (*work)(void))
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct rlimit none = {0};
        setrlimit(RLIMIT_CORE, &none);
        for (size_t i = 0; i < COUNT_OF(ending); i++)
            signal(ending[i], SIG_DFL); /* nohup may have started the tests */
        work();
        _exit(99);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static int chosen_signal;

static void be_killed(void)
{
    struct output *outputs[3];
    struct error error;
    for (size_t i = 0; i < COUNT_OF(outputs); i++) {
        const char *const names[] = {"a", "b", "c"};
        if (output_create(names[i], false, &outputs[i], &error) != STATUS_OK)
            _exit(1);
    }
    raise(chosen_signal);
}

static void removes_unfinished_files_when_interrupted(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(ending); i++) {
        chosen_signal = ending[i];
        int status = child(be_killed);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), chosen_signal);
        assert_int_equal(rmdir(folder), 0); /* nothing in it */
        assert_int_equal(mkdir(folder, 0700), 0);
        assert_int_equal(chdir(folder), 0);
    }
}

static void *interrupt(void *unused)
{
    for (;;)
        kill(getpid(), chosen_signal);
    return unused;
}

/* Impatience: one signal after another, some of them to a thread that does not work on the files. */
static void be_killed_again_and_again(void)
{
    pthread_t thread;
    struct error error;
    for (char name[] = "a"; name[0] < 'i'; name[0]++) {
        struct output *output;
        if (output_create(name, false, &output, &error) != STATUS_OK)
            _exit(1);
    }
    if (pthread_create(&thread, NULL, interrupt, NULL) != 0)
        _exit(1);
    interrupt(NULL);
}

static void removes_them_when_interrupted_again(void **state)
{
    (void)state;
    chosen_signal = SIGINT;
    for (int i = 0; i < 150; i++) {
        int status = child(be_killed_again_and_again);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(rmdir(folder), 0); /* nothing in it */
        assert_int_equal(mkdir(folder, 0700), 0);
        assert_int_equal(chdir(folder), 0);
    }
}

/* Signals that the program ignores stay ignored: nohup's SIGHUP, for instance. */
static void be_ignored(void)
{
    struct output *output;
    struct error error;
    signal(SIGHUP, SIG_IGN);
    if (output_create("a", false, &output, &error) != STATUS_OK)
        _exit(1);
    raise(SIGHUP);
    _exit(output_finish(output, &error) == STATUS_OK ? 0 : 2);
}

static void meet_a_limit(void)
{
    struct output *output;
    struct error error;
    struct rlimit limit = {.rlim_cur = 1000, .rlim_max = 1000};
    char data[2000] = "";
    setrlimit(RLIMIT_FSIZE, &limit);
    if (output_create("a", false, &output, &error) != STATUS_OK)
        _exit(1);
    if (output_reserve(output, 2000, &error) != STATUS_SYSTEM || !strstr(error.text, "ulimit -f"))
        _exit(2);
    if (output_write(output, data, sizeof data, &error) != STATUS_SYSTEM)
        _exit(3);
    output_abandon(output);
    _exit(0);
}

static void leaves_handlers_alone_and_survives_limits(void **state)
{
    (void)state;
    int status = child(be_ignored);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    unlink("a");
    status = child(meet_a_limit);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void bounds_the_number_of_files(void **state)
{
    (void)state;
    struct output *outputs[64] = {0};
    struct error error;
    size_t made = 0;
    struct rlimit before, few;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = before;
    few.rlim_cur = 40;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    for (; made < COUNT_OF(outputs); made++) {
        char name[16];
        snprintf(name, sizeof name, "f%zu", made);
        if (output_create(name, false, &outputs[made], &error) != STATUS_OK)
            break;
    }
    assert_true(made >= 8 && made < COUNT_OF(outputs));
    assert_non_null(strstr(error.text, "oo many"));
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    for (size_t i = 0; i < made; i++)
        output_abandon(outputs[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_and_replaces),
        cmocka_unit_test(refuses_what_is_no_file),
        cmocka_unit_test(follows_links),
        cmocka_unit_test(does_not_overwrite_a_late_comer),
        cmocka_unit_test(knows_a_full_disk_before_the_work),
        cmocka_unit_test(removes_unfinished_files_when_interrupted),
        cmocka_unit_test(removes_them_when_interrupted_again),
        cmocka_unit_test(leaves_handlers_alone_and_survives_limits),
        cmocka_unit_test(bounds_the_number_of_files),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
