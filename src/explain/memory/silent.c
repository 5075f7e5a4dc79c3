#include "explain/memory/silent.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "explain/memory/sample.h"

enum { CHILDREN_MAX = 8, CHILD_SECONDS = 120 };

/* A worker's share of a launch. */
struct silent_job {
    traced_entry enter;
    unsigned long slots[KERNEL_PARAMETERS_MAX];
    struct group_place place;
    size_t groups[3], from, to;
};

/* What a worker has of the program that forked it stays as it was then. */
struct silent_crew {
    const struct traced_program *program;
    size_t local_size[3];
    unsigned long arena, slot_bytes[ARENA_SLOTS];
    unsigned char *done; /* shared */
    size_t capacity;     /* of `done` */
    size_t count;
    pid_t workers[CHILDREN_MAX];
    int ends[CHILDREN_MAX]; /* of the sockets to them */
};

/* ---- a worker --------------------------------------------------------------------------------------------------- */

/* Of this job: groups may be caught in an endless loop. */
static void limit_time(void)
{
    struct rusage used;
    struct rlimit limit;
    if (getrusage(RUSAGE_SELF, &used) != 0 || getrlimit(RLIMIT_CPU, &limit) != 0)
        return;
    limit.rlim_cur = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + CHILD_SECONDS;
    setrlimit(RLIMIT_CPU, &limit);
}

static bool run_groups(struct group_runner *runner, const struct silent_job *job, const unsigned char *done)
{
    runner->enter = job->enter;
    runner->slots = job->slots;
    runner->place = job->place;
    limit_time();
    for (size_t i = job->from; i < job->to; i++) {
        const struct sampled_group one = sample_group(job->groups, i, 1);
        if (!done[i] && group_run(runner, one.group, false) != GROUP_OK)
            return false;
    }
    return true;
}

/* Until the other end is closed. `job` has the runner's slots while it lives. */
static void work(struct group_runner *runner, struct silent_job *job, const struct silent_crew *crew, int end)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGSEGV, SIG_DFL);
    signal(SIGBUS, SIG_DFL);
    signal(SIGXCPU, SIG_DFL);
    runner->races = NULL;
    while (recv(end, job, sizeof *job, MSG_WAITALL) == (ssize_t)sizeof *job) {
        const char is_well = (char)run_groups(runner, job, crew->done);
        if (send(end, &is_well, 1, MSG_NOSIGNAL) != 1)
            return;
    }
}

/* ---- the crew --------------------------------------------------------------------------------------------------- */

static bool start_worker(struct silent_crew *crew, const struct group_runner *runner)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    pid_t worker = fork();
    if (worker == 0) {
        struct silent_job job;
        struct group_runner own = *runner;
        close(ends[0]);
        for (size_t i = 0; i < crew->count; i++)
            close(crew->ends[i]);
        work(&own, &job, crew, ends[1]);
        _exit(0);
    }
    close(ends[1]);
    if (worker < 0) {
        close(ends[0]);
        return false;
    }
    crew->workers[crew->count] = worker;
    crew->ends[crew->count++] = ends[0];
    return true;
}

void silent_crew_end(struct silent_crew *crew)
{
    if (!crew)
        return;
    for (size_t i = 0; i < crew->count; i++)
        close(crew->ends[i]);
    for (size_t i = 0; i < crew->count; i++) {
        kill(crew->workers[i], SIGKILL); /* one may be caught in a loop */
        while (waitpid(crew->workers[i], NULL, 0) < 0 && errno == EINTR)
            ;
    }
    if (crew->done)
        munmap(crew->done, crew->capacity);
    free(crew);
}

/* NULL when memory or processes are out. */
static struct silent_crew *gather(const struct group_runner *runner, size_t total)
{
    const struct trace_link *link = runner->link;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t count = processors < 1 ? 1 : processors > CHILDREN_MAX ? CHILDREN_MAX : (size_t)processors;
    struct silent_crew *crew = calloc(1, sizeof *crew);
    if (!crew)
        return NULL;
    crew->program = runner->program;
    crew->arena = link->arena;
    memcpy(crew->slot_bytes, link->slot_bytes, sizeof crew->slot_bytes);
    memcpy(crew->local_size, runner->local_size, sizeof crew->local_size);
    crew->capacity = total;
    crew->done = mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (crew->done == MAP_FAILED)
        crew->done = NULL;
    for (size_t i = 0; crew->done && i < count && start_worker(crew, runner); i++)
        ;
    if (crew->count > 0)
        return crew;
    silent_crew_end(crew);
    return NULL;
}

/* Textures are described in the memory of the process that loads them. */
static bool has_texture(const struct launch *launch)
{
    for (size_t i = 0; i < launch->argument_count; i++)
        if (launch->arguments[i].kind == ARGUMENT_TEXTURE)
            return true;
    return false;
}

static bool fits(const struct silent_crew *crew, const struct group_runner *runner, size_t total)
{
    const struct trace_link *link = runner->link;
    return crew && crew->program == runner->program && crew->arena == link->arena && crew->capacity >= total &&
           memcmp(crew->slot_bytes, link->slot_bytes, sizeof crew->slot_bytes) == 0 &&
           memcmp(crew->local_size, runner->local_size, sizeof crew->local_size) == 0;
}

/* ---- a launch --------------------------------------------------------------------------------------------------- */

static bool run_on(const struct silent_crew *crew, const struct group_runner *runner, const struct launch *launch,
                   const unsigned char *done, size_t total)
{
    struct silent_job job = {.enter = runner->enter, .place = runner->place};
    bool is_well = true;
    memcpy(job.slots, runner->slots, launch->argument_count * sizeof *job.slots);
    memcpy(job.groups, launch->groups, sizeof job.groups);
    memcpy(crew->done, done, total);
    for (size_t i = 0; i < crew->count; i++) {
        job.from = total * i / crew->count;
        job.to = total * (i + 1) / crew->count;
        is_well &= send(crew->ends[i], &job, sizeof job, MSG_NOSIGNAL) == (ssize_t)sizeof job;
    }
    for (size_t i = 0; i < crew->count && is_well; i++) {
        char answer = 0;
        ssize_t count;
        while ((count = recv(crew->ends[i], &answer, 1, 0)) < 0 && errno == EINTR)
            ;
        is_well = count == 1 && answer;
    }
    return is_well;
}

enum status silent_run(struct silent_crew **crew, const struct group_runner *runner, const struct launch *launch,
                       const unsigned char *done, struct error *error)
{
    struct group_runner own = *runner;
    size_t total = launch->groups[0] * launch->groups[1] * launch->groups[2];
    own.link = runner->program->silent_link;
    own.enter = traced_program_function(runner->program, launch->entry, true);
    if (has_texture(launch) || !fits(*crew, &own, total)) {
        silent_crew_end(*crew);
        *crew = gather(&own, total);
    }
    bool is_well = own.enter && *crew && launch->argument_count <= KERNEL_PARAMETERS_MAX &&
                   run_on(*crew, &own, launch, done, total);
    if (is_well)
        return STATUS_OK;
    silent_crew_end(*crew);
    *crew = NULL;
    return fail(error, STATUS_FAILED, "%s: %s crashes, or touches memory beyond its arrays", runner->program->name,
                launch->entry);
}
