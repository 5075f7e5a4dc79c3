#include "explain/cache/recording.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "explain/cache/recorded_run.h"

#define WAITS 5 /* times as long by the clock: other programs run, too */

/* ---- shared memory -------------------------------------------------------------------------------------------- */

static size_t round_up(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static size_t bytes_of(size_t sites, size_t blocks)
{
    return round_up(sizeof(struct recording)) + round_up(sites * sizeof(struct cache_counts)) + round_up(sites) +
           CACHE_THREADS_MOST * blocks * sizeof(uint64_t);
}

struct cache_counts *recording_counts(struct recording *recording)
{
    return (struct cache_counts *)(void *)((char *)recording + round_up(sizeof *recording));
}

uint8_t *recording_places(struct recording *recording)
{
    return (uint8_t *)recording_counts(recording) + round_up(recording->sites * sizeof(struct cache_counts));
}

uint64_t *recording_executed(struct recording *recording, unsigned thread)
{
    uint8_t *start = recording_places(recording) + round_up(recording->sites);
    return (uint64_t *)(void *)start + thread * recording->blocks;
}

struct recording *cache_recording_create(const struct code_copy *copy)
{
    struct recording *recording = mmap(NULL, bytes_of(copy->access_count, copy->block_count), PROT_READ | PROT_WRITE,
                                       MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (recording == MAP_FAILED)
        return NULL;
    recording->sites = copy->access_count;
    recording->blocks = copy->block_count;
    memset(recording_places(recording), PLACE_OTHER + 1, copy->access_count);
    return recording;
}

void cache_recording_free(struct recording *recording)
{
    if (recording)
        munmap(recording, bytes_of(recording->sites, recording->blocks));
}

/* ---- the process ---------------------------------------------------------------------------------------------- */

static enum status judge(const struct recording_request *request, const struct recording *recording, int state,
                         struct error *error)
{
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0) {
        if (recording->status != STATUS_OK)
            *error = recording->error;
        return recording->status;
    }
    if (WIFSIGNALED(state) && (WTERMSIG(state) == SIGALRM || WTERMSIG(state) == SIGXCPU || WTERMSIG(state) == SIGKILL))
        return fail(error, STATUS_UNAVAILABLE, "%s: its trace would take more than %u seconds", request->rung->name,
                    request->limits.seconds);
    return fail(error, STATUS_UNAVAILABLE, "%s: its recorded run ended by signal %d", request->rung->name,
                WIFSIGNALED(state) ? WTERMSIG(state) : 0);
}

enum status recording_run(const struct recording_request *request, struct recording *recording, struct error *error)
{
    int state = 0;
    recording->status = STATUS_UNAVAILABLE;
    pid_t child = fork();
    if (child < 0)
        return fail(error, STATUS_UNAVAILABLE, "%s: no process for its trace: %s", request->rung->name,
                    strerror(errno));
    if (child == 0) {
        signal(SIGALRM, SIG_DFL);
        const struct rlimit limit = {request->limits.seconds, request->limits.seconds};
        setrlimit(RLIMIT_CPU, &limit);
        alarm(WAITS * request->limits.seconds);
        recorded_run(request, recording);
        _exit(0);
    }
    while (waitpid(child, &state, 0) < 0 && errno == EINTR)
        ;
    return judge(request, recording, state, error);
}
