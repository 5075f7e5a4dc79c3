/* Unfinished files: without a name where the file system can; elsewhere named, locked, and removed by the next program
 * when their writer was killed. Where it cannot is made here by a filter that refuses O_TMPFILE. */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/planted.h"
#include "base/size.h"
#include "files/input.h"
#include "files/output.h"
#include "own_folder.h"

#include <cmocka.h>

#define PLANTED ".uskor-0123456789abcdef.part"

static int enter_folder(void **state)
{
    return make_folder(state) == 0 ? chdir(folder) : -1;
}

/* openat(…, flags with O_TMPFILE's own bit) is refused as file systems refuse it. */
static bool refuse_nameless(void)
{
    const unsigned own = (unsigned)O_TMPFILE & ~(unsigned)O_DIRECTORY;
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, own, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = COUNT_OF(filter), .filter = filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int parts(void)
{
    FILE *listing = popen("ls -A | grep -c '[.]part$'", "r");
    int count = -1;
    assert_non_null(listing);
    assert_int_equal(fscanf(listing, "%d", &count), 1);
    pclose(listing);
    return count;
}

/* Whoever started this may have had some ignored or blocked: nohup, a shell's background, Python. */
static void take_all_signals(void)
{
    sigset_t all;
    for (int number = 1; number <= SIGRTMAX; number++)
        signal(number, SIG_DFL);
    sigfillset(&all);
    sigprocmask(SIG_UNBLOCK, &all, NULL);
}

/* A child with an unfinished file: named ones where `named`. It says on the pipe that it has begun. */
static pid_t begin_child(bool named, bool force)
{
    int ends[2];
    char byte;
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct output *output;
        struct error error;
        take_all_signals();
        if (named && !refuse_nameless())
            _exit(77);
        if (output_create("made", force, &output, &error) != STATUS_OK ||
            output_write(output, "half", 4, &error) != STATUS_OK || write(ends[1], "x", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    close(ends[1]);
    bool begun = read(ends[0], &byte, 1) == 1;
    close(ends[0]);
    if (begun)
        return pid;
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(WEXITSTATUS(status), 77); /* no filters in this container */
    return -1;
}

static void end_child(pid_t pid, int signal)
{
    int status = 0;
    assert_int_equal(kill(pid, signal), 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == signal);
}

static void finish_one(void)
{
    struct output *output;
    struct error error = {""};
    if (output_create("made", true, &output, &error) != STATUS_OK ||
        output_write(output, "new", 3, &error) != STATUS_OK || output_finish(output, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

static void every_signal_cleans_up(void **state)
{
    (void)state;
    const int signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE,   SIGALRM, SIGTERM, SIGUSR1,
                           SIGUSR2, SIGPROF, SIGXCPU, SIGVTALRM, SIGIO,   SIGPWR,  SIGRTMIN + 3};
    for (size_t i = 0; i < COUNT_OF(signals); i++) {
        pid_t pid = begin_child(true, false);
        if (pid < 0)
            skip();
        assert_int_equal(parts(), 1);
        end_child(pid, signals[i]);
        assert_int_equal(parts(), 0);
        assert_int_equal(access("made", F_OK), -1);
    }
}

/* Killed: nothing is left where files need no name; a named one goes with the next output in the folder. */
static void killed(void **state)
{
    (void)state;
    pid_t pid = begin_child(false, false);
    end_child(pid, SIGKILL);
    assert_int_equal(parts(), 0);
    pid = begin_child(true, false);
    if (pid < 0)
        skip();
    end_child(pid, SIGKILL);
    assert_int_equal(parts(), 1);
    finish_one();
    assert_int_equal(parts(), 0);
    unlink("made");
}

static void living_writers_are_left_alone(void **state)
{
    (void)state;
    pid_t pid = begin_child(true, false);
    if (pid < 0)
        skip();
    finish_one();
    assert_int_equal(parts(), 1);
    end_child(pid, SIGTERM);
    unlink("made");
}

/* A file that is not ours by its name, owner, kind or number of links stays. */
static void others_files_stay(void **state)
{
    (void)state;
    static const char *const names[] = {".uskor-0123456789abcdeF.part", ".uskor-0123.part",
                                        "uskor-0123456789abcdef.part", ".uskor-0123456789abcdef.parts"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_int_equal(close(open(names[i], O_CREAT | O_WRONLY, 0600)), 0);
    assert_int_equal(symlink("/etc/passwd", PLANTED), 0);
    finish_one();
    assert_int_equal(unlink(PLANTED), 0);
    assert_int_equal(mkfifo(PLANTED, 0600), 0);
    finish_one();
    assert_int_equal(unlink(PLANTED), 0);
    assert_int_equal(link(names[0], PLANTED), 0);
    finish_one();
    assert_int_equal(unlink(PLANTED), 0);
    assert_int_equal(close(open(PLANTED, O_CREAT | O_WRONLY, 0600)), 0);
    if (chown(PLANTED, 65534, 65534) == 0) { /* root, where there are other users */
        finish_one();
        assert_int_equal(unlink(PLANTED), 0);
        assert_int_equal(close(open(PLANTED, O_CREAT | O_WRONLY, 0600)), 0);
    }
    finish_one();
    assert_int_equal(access(PLANTED, F_OK), -1);
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_int_equal(unlink(names[i]), 0);
    unlink("made");
}

/* What stands behind links of somebody else's in a shared folder is neither read nor replaced. */
static void planted_links(void **state)
{
    (void)state;
    struct output *output;
    struct input input;
    struct error error = {""};
    assert_int_equal(mkdir("shared", 01777), 0);
    assert_int_equal(chmod("shared", 01777), 0);
    finish_one();
    assert_int_equal(symlink("../made", "shared/link"), 0);
    assert_false(link_is_planted("shared/link"));
    if (lchown("shared/link", 65534, 65534) != 0) { /* not root, or root where there are no other users */
        assert_int_equal(unlink("shared/link"), 0);
        assert_int_equal(rmdir("shared"), 0);
        assert_int_equal(unlink("made"), 0);
        skip();
    }
    assert_true(link_is_planted("shared/link"));
    assert_int_equal(output_create("shared/link", true, &output, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "somebody else"));
    assert_int_equal(input_open("shared/link", ".npy", &input, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "somebody else"));
    unlink("shared/link");
    rmdir("shared");
    unlink("made");
}

/* The folder's name leads elsewhere by the end: the file goes where the work began. */
static void the_folder_is_kept(void **state)
{
    (void)state;
    struct output *output;
    struct error error;
    assert_int_equal(mkdir("one", 0755), 0);
    assert_int_equal(mkdir("two", 0755), 0);
    assert_int_equal(output_create("one/a", false, &output, &error), STATUS_OK);
    assert_int_equal(rename("one", "three"), 0);
    assert_int_equal(symlink("two", "one"), 0);
    assert_int_equal(output_finish(output, &error), STATUS_OK);
    assert_int_equal(access("three/a", F_OK), 0);
    assert_int_equal(access("two/a", F_OK), -1);
    unlink("three/a");
    unlink("one");
    rmdir("two");
    rmdir("three");
}

static void write_words(const char *path, const char *words)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(words, file);
    assert_int_equal(fclose(file), 0);
}

/* Every way in which an input can change, even right after it was written. */
static void inputs_that_change(void **state)
{
    (void)state;
    for (int way = 0; way < 7; way++) {
        static const char *const words[] = {"", "had 5", "had 5", "was changed", "was replaced", "was changed", ""};
        struct input input;
        struct error error = {""};
        write_words("input", "12345");
        assert_int_equal(input_open("input", ".npy", &input, &error), STATUS_OK);
        if (way == 1)
            assert_int_equal(truncate("input", 3), 0);
        if (way == 2)
            write_words("input", "123456");
        if (way == 3)
            write_words("input", "54321");
        if (way == 4) {
            write_words("other", "12345");
            assert_int_equal(rename("other", "input"), 0);
        }
        if (way == 5) { /* and given its old time again */
            const struct timespec times[] = {input.found.st_atim, input.found.st_mtim};
            write_words("input", "54321");
            assert_int_equal(utimensat(AT_FDCWD, "input", times, 0), 0);
        }
        if (way == 6) /* another name is no change */
            assert_int_equal(link("input", "other"), 0);
        assert_int_equal(input_check(&input, "input", &error), way % 6 ? STATUS_SYSTEM : STATUS_OK);
        assert_non_null(strstr(error.text, words[way]));
        input_close(&input);
    }
    unlink("input");
    unlink("other");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_signal_cleans_up),
        cmocka_unit_test(killed),
        cmocka_unit_test(living_writers_are_left_alone),
        cmocka_unit_test(others_files_stay),
        cmocka_unit_test(planted_links),
        cmocka_unit_test(the_folder_is_kept),
        cmocka_unit_test(inputs_that_change),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
