#include "cli/commands/try_watch.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/language.h"
#include "base/own_program.h"
#include "base/size.h"
#include "base/translation.h"
#include "cli/command.h"
#include "lab/bench/interrupt.h"

#define LOOK_NS 200000000

/* Long options may be shortened as far as they are unique: a child that watched, too, would start another one. */
static bool is_watch(const char *argument)
{
    size_t length = strlen(argument);
    return length >= strlen("--w") && strncmp(argument, "--watch", length) == 0;
}

static int run_once(char **argv)
{
    char program[] = "uskor", command[] = "try", language[] = "--lang";
    char code[8];
    size_t count = 0;
    pid_t child;
    int status;
    while (argv[count])
        count++;
    char **arguments = calloc(count + 5, sizeof *arguments);
    if (!arguments)
        return EXIT_NOTHING;
    snprintf(code, sizeof code, "%s", language_code(language_now()));
    char *const first[] = {program, language, code, command};
    memcpy(arguments, first, sizeof first);
    count = COUNT_OF(first);
    for (size_t i = 1; argv[i]; i++) /* argv[0] is "uskor try" */
        if (!is_watch(argv[i]))
            arguments[count++] = argv[i];
    int problem = posix_spawn(&child, own_program(), NULL, NULL, arguments, environ);
    free(arguments);
    if (problem != 0)
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
