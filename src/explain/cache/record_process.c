#include "explain/cache/record_process.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "explain/cache/recorded_run.h"

#define WAITS 5 /* wall-clock limit, in multiples of the CPU limit: other programs run, too */

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
