#include "cli/commands/own_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "base/child_link.h"
#include "base/clock.h"
#include "base/own_program.h"
#include "lab/bench/interrupt.h"

#define ARGUMENTS_MOST 62
#define LOOK_NS 10000000
#define STATE_NS INT64_C(1000000000)

/* It writes to files, and who shows them folds them to the terminal's width. */
static void leave_out_columns(char *const *all, const char **some)
{
    for (; *all; all++)
        if (strncmp(*all, "COLUMNS=", strlen("COLUMNS=")) != 0)
            *some++ = *all;
    *some = NULL;
}

static bool start(const struct own_process *process, pid_t *child)
{
    size_t count = 0;
    while (environ[count])
        count++;
    const char **variables = malloc((count + 1) * sizeof *variables);
    if (!variables)
        return false;
    leave_out_columns(environ, variables);
    char program[] = "uskor";
    const char *arguments[ARGUMENTS_MOST + 2] = {program};
    for (size_t i = 0; i < ARGUMENTS_MOST && process->arguments[i]; i++)
        arguments[i + 1] = process->arguments[i];
    const char *outputs[] = {process->output, process->errors};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    for (int i = 0; i < 2; i++)
        posix_spawn_file_actions_addopen(&actions, i + 1, outputs[i] ? outputs[i] : "/dev/null",
                                         O_WRONLY | (outputs[i] ? O_CREAT | O_TRUNC : 0), 0600);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    bool started = posix_spawn(child, own_program(), &actions, &attributes, (char *const *)arguments,
                               (char *const *)variables) == 0;
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    free(variables);
    return started;
}

int own_process_start(struct own_process *process)
{
    process->begun = clock_now();
    if (!start(process, &process->child)) {
        process->child = 0;
        return OWN_PROCESS_NONE;
    }
    child_family_enter(process->child);
    return 0;
}

/* Time for which a signal or a debugger has stopped it, or this process, does not count. */
static void leave_out_stops(struct own_process *process, int64_t *last)
{
    const int64_t now = clock_now(), spent = now - *last;
    char state = 0;
    if (spent < STATE_NS)
        return;
    threads_of(process->child, &state);
    if (state == 'T' || state == 't' || spent > 2 * STATE_NS)
        process->begun += spent;
    *last = now;
}

int own_process_wait(struct own_process *process)
{
    const pid_t child = process->child;
    int status = 0, ended = 0;
    int64_t last = clock_now();
    while (waitpid(child, &status, WNOHANG) == 0) {
        leave_out_stops(process, &last);
        if (interrupt_requested() || clock_now() - process->begun > process->limit_ns) {
            ended = OWN_PROCESS_LATE;
            kill(-child, SIGKILL);
            waitpid(child, &status, 0);
            break;
        }
        nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
    }
    kill(-child, SIGKILL); /* what it left behind */
    child_family_leave(child);
    process->child = 0;
    return ended ? ended : WIFEXITED(status) ? WEXITSTATUS(status) : OWN_PROCESS_KILLED;
}

void own_process_stop(struct own_process *process)
{
    if (!process->child)
        return;
    process->limit_ns = 0;
    own_process_wait(process);
}

int own_process_run(struct own_process *process)
{
    const int code = own_process_start(process);
    return code ? code : own_process_wait(process);
}
