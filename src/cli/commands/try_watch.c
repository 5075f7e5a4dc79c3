#include "cli/commands/try_watch.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/own_program.h"
#include "base/translation.h"
#include "cli/command.h"
#include "lab/bench/interrupt.h"

#define ARGUMENTS_MOST 64
#define LOOK_NS 200000000

static int run_once(char **argv)
{
    char program[] = "uskor";
    char *arguments[ARGUMENTS_MOST + 2] = {program};
    size_t count = 1;
    pid_t child;
    int status;
    for (size_t i = 0; argv[i] && count < ARGUMENTS_MOST; i++)
        if (strncmp(argv[i], "--watch", 4) != 0)
            arguments[count++] = argv[i];
    if (posix_spawn(&child, own_program(), NULL, NULL, arguments, environ) != 0)
        return EXIT_USE;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_WRONG;
}

/* An editor that replaces the file removes it for a moment. */
static bool differs(const struct stat *a, const struct stat *b)
{
    return a->st_mtim.tv_sec != b->st_mtim.tv_sec || a->st_mtim.tv_nsec != b->st_mtim.tv_nsec ||
           a->st_size != b->st_size || a->st_ino != b->st_ino;
}

int try_watch(const char *path, char **argv)
{
    struct stat before = {0}, now;
    int code = EXIT_DONE;
    interrupt_install(NULL);
    if (stat(path, &now) != 0) {
        struct error error;
        return report_error(fail(&error, STATUS_INVALID, "%s: cannot be opened: %s", path, strerror(errno)), &error);
    }
    while (!interrupt_requested()) {
        if (stat(path, &now) == 0 && differs(&before, &now)) {
            before = now;
            code = run_once(argv);
            fprintf(stderr, tr("exit code %d; waiting for %s to change (Ctrl-C ends)\n"), code, path);
        }
        nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
    }
    return code;
}
