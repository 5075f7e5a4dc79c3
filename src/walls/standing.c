#include "walls/standing.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/translation.h"
#include "walls/landlock.h"
#include "walls/walls.h"

/* A filter cannot be left again. */
static bool filters_calls(void)
{
    int state = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(walls_enter_filter(WALLS_CODE, NULL) == STATUS_OK ? 0 : 1);
    while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR)
        continue;
    return child > 0 && WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

size_t walls_standing(struct wall walls[WALLS_MOST])
{
    const int landlock = landlock_version();
    size_t count = 0;
    walls[count++] = (struct wall){N_("system calls"), "seccomp", filters_calls(),
                                   N_("no stranger's code runs here: it needs a kernel with seccomp filters")};
    walls[count++] =
        (struct wall){N_("paths, and programs that start"), "Landlock", landlock >= 1,
                      N_("files that the account can read are read; a kernel on OpenCL's CPU, and a trace, "
                         "write where the account can: Linux 5.13 with Landlock in its list of LSMs")};
    walls[count++] = (struct wall){N_("renaming between folders, cutting files short"), "Landlock 3", landlock >= 3,
                                   N_("the filter of system calls forbids both by name; Linux 6.2 once more")};
    walls[count++] = (struct wall){N_("the network"), "Landlock 4", landlock >= 4,
                                   N_("the filter of system calls opens no socket; Linux 6.7 forbids it once more")};
    walls[count++] =
        (struct wall){N_("control of devices"), "Landlock 5", landlock >= 5,
                      N_("the filter of system calls names the drivers' controls; Linux 6.10 the devices")};
    walls[count++] =
        (struct wall){N_("signals"), "Landlock 6", landlock >= 6,
                      N_("the filter of system calls takes a process's own number only; Linux 6.12 once more")};
    return count;
}
