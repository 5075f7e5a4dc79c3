/* The child's own beginning. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/child_files.h"
#include "base/child_link.h"
#include "base/child_marker.h"
#include "base/fatal_signal.h"
#include "base/inherited_files.h"
#include "base/lower_limit.h"
#include "base/own_program.h"
#include "base/starting_environment.h"

static bool is_possible;

bool child_process_possible(void)
{
    return is_possible;
}

void child_process_forbid(void)
{
    is_possible = false;
}

/* Where memory is out, the child goes first, not its parent or another's program. */
static void go_first(void)
{
    int descriptor = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    if (write(descriptor, "1000", 4) < 0)
        errno = 0; /* a wish */
    close(descriptor);
}

static bool take_place(const struct child_marker *marker, struct child_link *parent)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != (pid_t)marker->parent)
        return false;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    lower_limit(RLIMIT_CORE, 0);
    go_first();
    parent->descriptor = (int)marker->channel;
    parent->token = marker->token;
    struct under_way *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, (int)marker->memory, 0);
    if (shared == MAP_FAILED) {
        child_lacks_memory(parent);
        return false;
    }
    close((int)marker->memory);
    fcntl((int)marker->channel, F_SETFD, FD_CLOEXEC);
    child_files_watch((int)marker->channel);
    under_way_keep_in(shared);
    return true;
}

static struct child_link channel; /* to the parent; of a child only */

void child_needs_channel(void)
{
    if (channel.token == 0 || fcntl(channel.descriptor, F_GETFD) >= 0)
        return;
    atomic_store(&under_way_now()->channel_lost, 1);
    _exit(CHILD_CHANNEL_LOST);
}

void child_process_is(pid_t process)
{
    if (channel.token)
        child_report(&channel, CHILD_IS, &process, sizeof process);
}

void child_process_main(int argc, char **argv, const struct child_entry *entries)
{
    struct child_marker marker;
    starting_environment_keep();
    own_program_keep();
    if (argc < 3 || !child_marker_read(argv[1], &marker)) {
        is_possible = true;
        files_keep_from_programs();
        child_family_enter_inherited();
        prctl(PR_SET_CHILD_SUBREAPER, 1); /* what a child leaves behind comes to us, to be ended */
        return;
    }
    for (; entries->name; entries++)
        if (strcmp(entries->name, argv[2]) == 0 && take_place(&marker, &channel)) {
            fatal_signal_install(false, 0);
            /* _exit(), not exit(): the exit handlers of loaded libraries must not run, and the child's answer has been
             * sent. */
            _exit(entries->run(&channel, argc - 3, argv + 3));
        }
    _exit(127);
}

void child_report(struct child_link *parent, uint32_t type, const void *data, size_t bytes)
{
    if (child_send(parent, type, data, bytes))
        return;
    atomic_store(&under_way_now()->channel_lost, 1);
    _exit(CHILD_CHANNEL_LOST);
}
