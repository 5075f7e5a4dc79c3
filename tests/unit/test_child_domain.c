/* A process in the domain changes no files, and reaches no process outside. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/child_domain.h"
#include "own_folder.h"

/* The version of the system's Landlock; 0 where there is none. */
static long version(void)
{
#ifdef SYS_landlock_create_ruleset
    long found = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
    return found > 0 ? found : 0;
#else
    return 0;
#endif
}

static int open_for_writing(const char *path, int how)
{
    int file = open(path, O_WRONLY | O_CLOEXEC | how, 0600);
    if (file >= 0)
        close(file);
    return file;
}

/* In a child that enters the domain: the number of the first thing that is not as it should be; 0: none. */
static int look_from_inside(void)
{
    char memory[64];
    snprintf(memory, sizeof memory, "/proc/%d/mem", (int)getppid());
    int open_before = open("there", O_WRONLY | O_CLOEXEC);
    child_domain_enter();
    const bool facts[] = {
        open_for_writing("new", O_CREAT) < 0,
        open_for_writing("there", 0) < 0,
        open_for_writing("/dev/null", 0) >= 0,
        unlink("there") != 0,
        mkdir("folder", 0700) != 0,
        rename("there", "elsewhere") != 0,
        open(memory, O_RDWR) < 0,
        version() < 3 || truncate("there", 0) != 0,
        version() < 6 || kill(getppid(), 0) != 0,
        write(open_before, "more", 4) == 4,
        open("there", O_RDONLY) >= 0,
    };
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (!facts[i])
            return (int)i + 1;
    return 0;
}

static void nothing_is_changed_from_inside(void **state)
{
    (void)state;
    int status;
    if (version() == 0)
        skip();
    assert_int_equal(chdir(folder), 0);
    FILE *there = fopen("there", "w");
    assert_non_null(there);
    assert_int_equal(fclose(there), 0);
    pid_t child = fork();
    if (child == 0)
        _exit(look_from_inside());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(unlink("there"), 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_changed_from_inside)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
