#include "cli/commands/try_watch.h"

#include <errno.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
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
#define INCLUDES_DEEP 4
#define INCLUDES_MOST 64

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

/* ---- whether it changed --------------------------------------------------------------------------------------- */

struct looking {
    uint64_t state; /* 0: nothing is there */
    int files;      /* that were looked at */
};

static void look(const char *path, int depth, struct looking *looking);

/* The files that lie beside it and that it includes: a change of theirs is a change of it. */
static void look_at_includes(const char *path, FILE *file, int depth, struct looking *looking)
{
    const char *slash = strrchr(path, '/');
    char line[512], name[256], beside[1024];
    while (fgets(line, sizeof line, file))
        if (sscanf(line, " # include \"%255[^\"]\"", name) == 1) {
            snprintf(beside, sizeof beside, "%.*s%s", slash && name[0] != '/' ? (int)(slash + 1 - path) : 0, path,
                     name);
            look(beside, depth + 1, looking);
        }
}

static void look(const char *path, int depth, struct looking *looking)
{
    struct stat facts;
    if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_size == 0)
        return;
    const uint64_t parts[] = {(uint64_t)facts.st_mtim.tv_sec, (uint64_t)facts.st_mtim.tv_nsec, (uint64_t)facts.st_size,
                              (uint64_t)facts.st_ino};
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        looking->state = (looking->state ^ parts[i]) * 0x100000001b3u; /* FNV-1a */
    FILE *file = depth < INCLUDES_DEEP && looking->files++ < INCLUDES_MOST ? fopen(path, "re") : NULL;
    if (file) {
        look_at_includes(path, file, depth, looking);
        fclose(file);
    }
}

/* 0: there is no such file, or nothing in it, as while an editor replaces it. */
static uint64_t state_of(const char *path)
{
    struct looking looking = {0};
    look(path, 0, &looking);
    return looking.state;
}

int try_watch(const char *path, char **argv)
{
    struct stat facts;
    interrupt_install(NULL);
    if (stat(path, &facts) != 0) {
        struct error error;
        return report_error(fail(&error, STATUS_INVALID, "%s: cannot be opened: %s", path, strerror(errno)), &error);
    }
    int code = EXIT_DONE;
    uint64_t judged = 0, before = state_of(path);
    while (!interrupt_requested()) {
        uint64_t now = state_of(path);
        bool is_still = now == before; /* an editor may empty the file first, and write it then */
        before = now;
        if (now && now != judged && is_still) {
            judged = now;
            code = run_once(argv);
            if (!interrupt_requested())
                fprintf(stderr, tr("exit code %d; waiting for %s to change (Ctrl-C ends)\n"), code, path);
        }
        nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
    }
    return code;
}
