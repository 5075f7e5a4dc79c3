#include "explain/memory/silent.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN_MAX = 8, CHILD_SECONDS = 120 };

/* Runs the groups [from, to) that are not done. Returns the child's exit code. */
static int run_groups(struct group_runner *runner, const struct launch *launch, const unsigned char *done, size_t from,
                      size_t to)
{
    const size_t *groups = launch->groups;
    signal(SIGSEGV, SIG_DFL);
    signal(SIGBUS, SIG_DFL);
    const struct rlimit limit = {CHILD_SECONDS, CHILD_SECONDS};
    setrlimit(RLIMIT_CPU, &limit);
    runner->races = NULL;
    for (size_t i = from; i < to; i++) {
        const size_t group[3] = {i % groups[0], i / groups[0] % groups[1], i / (groups[0] * groups[1])};
        if (!done[i] && group_run(runner, group, false) != GROUP_OK)
            return 1;
    }
    return 0;
}

static bool ended_well(pid_t child)
{
    int state = 0;
    while (waitpid(child, &state, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

enum status silent_run(const struct group_runner *runner, const struct launch *launch, const unsigned char *done,
                       struct error *error)
{
    struct group_runner own = *runner;
    own.link = runner->program->silent_link;
    own.enter = traced_program_function(runner->program, launch->entry, true);
    size_t total = launch->groups[0] * launch->groups[1] * launch->groups[2];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t children = processors < 1 ? 1 : processors > CHILDREN_MAX ? CHILDREN_MAX : (size_t)processors;
    pid_t child[CHILDREN_MAX];
    bool well = own.enter != NULL;
    for (size_t i = 0; i < children; i++) {
        child[i] = fork();
        if (child[i] == 0)
            _exit(run_groups(&own, launch, done, total * i / children, total * (i + 1) / children));
    }
    for (size_t i = 0; i < children; i++)
        well &= child[i] > 0 && ended_well(child[i]);
    return well ? STATUS_OK
                : fail(error, STATUS_FAILED, "%s: %s crashes, or touches memory beyond its arrays",
                       runner->program->name, launch->entry);
}
