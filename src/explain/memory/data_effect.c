#include "explain/memory/data_effect.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILD_SECONDS = 20 };

static bool is_same(struct group_runner *runner, const size_t group[3])
{
    struct trace_link *link = runner->link;
    link->scramble = 0;
    enum group_fault fault = group_run(runner, group, true);
    uint64_t hash = runner->hash;
    link->scramble = 1;
    bool same = fault == GROUP_OK && group_run(runner, group, true) == GROUP_OK;
    link->scramble = 0;
    return same && runner->hash == hash;
}

static int run_child(struct group_runner *runner, const struct launch *launch, struct trace_arena *arena)
{
    const size_t first[3] = {0, 0, 0};
    const size_t middle[3] = {launch->groups[0] / 2, launch->groups[1] / 2, launch->groups[2] / 2};
    signal(SIGSEGV, SIG_DFL);
    signal(SIGBUS, SIG_DFL);
    signal(SIGALRM, SIG_DFL);
    alarm(CHILD_SECONDS); /* random data may keep a loop going */
    runner->races = NULL;
    return trace_arena_part(arena) && is_same(runner, first) && is_same(runner, middle) ? 0 : 1;
}

static enum data_effect find_out(struct group_runner *runner, const struct launch *launch, struct trace_arena *arena)
{
    int state = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(run_child(runner, launch, arena));
    if (child < 0)
        return DATA_DECIDES;
    while (waitpid(child, &state, 0) < 0)
        if (errno != EINTR)
            return DATA_DECIDES;
    return WIFEXITED(state) && WEXITSTATUS(state) == 0 ? DATA_DECIDES_NOTHING : DATA_DECIDES;
}

enum data_effect data_effect_of(struct group_runner *runner, const struct launch *launch, struct trace_arena *arena)
{
    struct traced_program *program = runner->program;
    size_t entry = 0;
    while (entry < program->entry_count && strcmp(program->entries[entry].name, launch->entry) != 0)
        entry++;
    if (entry == program->entry_count)
        return DATA_DECIDES;
    if (program->effects[entry] == DATA_UNKNOWN)
        program->effects[entry] = find_out(runner, launch, arena);
    return program->effects[entry];
}
