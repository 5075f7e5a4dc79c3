#include "explain/memory/data_effect.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILD_SECONDS = 20 };

/* The child's progress, in shared memory. */
enum stage {
    STAGE_BEGUN,
    STAGE_RAN, /* ran with the actual data */
    STAGE_DIFFERENT,
    STAGE_ENDLESS, /* with the actual data */
    STAGE_SAME,
};

struct progress {
    enum stage stage;
    uint64_t events; /* of the busiest group */
};

static enum stage compare_runs(struct group_runner *runner, const struct launch *launch,
                               volatile struct progress *progress)
{
    const size_t chosen[2][3] = {{0, 0, 0}, {launch->groups[0] / 2, launch->groups[1] / 2, launch->groups[2] / 2}};
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        if (group_run(runner, chosen[i], true) != GROUP_OK) /* the parent meets other errors again, and reports them */
            return runner->fault == GROUP_ENDLESS ? STAGE_ENDLESS : STAGE_DIFFERENT;
        hashes[i] = runner->hash;
        progress->events = runner->events > progress->events ? runner->events : progress->events;
    }
    progress->stage = STAGE_RAN;
    runner->link->scramble = 1;
    for (int i = 0; i < 2; i++)
        if (group_run(runner, chosen[i], true) != GROUP_OK || runner->hash != hashes[i])
            return STAGE_DIFFERENT;
    return STAGE_SAME;
}

static bool is_crash(int number)
{
    return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL || number == SIGABRT;
}

static void run_child(struct group_runner *runner, const struct launch *launch, struct trace_arena *arena,
                      volatile struct progress *progress)
{
    for (int number = 1; number < NSIG; number++)
        if (is_crash(number))
            signal(number, SIG_DFL);
    const struct rlimit limit = {CHILD_SECONDS, CHILD_SECONDS}; /* random data may cause an endless loop */
    setrlimit(RLIMIT_CPU, &limit);
    runner->races = NULL;
    progress->stage = trace_arena_part(arena) ? compare_runs(runner, launch, progress) : STAGE_DIFFERENT;
}

static enum data_effect find_out(struct group_runner *runner, const struct launch *launch, struct trace_arena *arena,
                                 uint64_t *events)
{
    int state = 0;
    volatile struct progress *progress =
        mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (progress == MAP_FAILED)
        return DATA_DECIDES;
    pid_t child = fork();
    if (child == 0) {
        run_child(runner, launch, arena, progress);
        _exit(0);
    }
    while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR)
        ;
    enum stage stage = progress->stage;
    bool crashed = child > 0 && WIFSIGNALED(state) && is_crash(WTERMSIG(state)) && stage == STAGE_BEGUN;
    *events = progress->events;
    munmap((void *)(uintptr_t)progress, sizeof *progress);
    return crashed                  ? DATA_CRASH
           : stage == STAGE_ENDLESS ? DATA_ENDLESS
           : stage == STAGE_SAME    ? DATA_DECIDES_NOTHING
                                    : DATA_DECIDES;
}

enum data_effect data_effect_of(struct group_runner *runner, const struct launch *launch, struct trace_arena *arena,
                                uint64_t *events)
{
    struct traced_program *program = runner->program;
    size_t entry = 0;
    *events = 0;
    while (entry < program->entry_count && strcmp(program->entries[entry].name, launch->entry) != 0)
        entry++;
    if (entry == program->entry_count)
        return DATA_DECIDES;
    if (program->effects[entry] == DATA_UNKNOWN)
        program->effects[entry] = find_out(runner, launch, arena, &program->group_events[entry]);
    *events = program->group_events[entry];
    return program->effects[entry];
}
