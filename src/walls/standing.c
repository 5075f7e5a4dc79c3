#include "walls/standing.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/translation.h"
#include "walls/landlock.h"
#include "walls/namespaces.h"
#include "walls/walls.h"

enum { FILTER = 1, ROOM = 2, PROCESSES = 4, USER = 8 };

/* In a process of its own: what is entered cannot be left again. */
static int enter_all(void)
{
    const struct walls walls = {.stage = WALLS_CODE};
    struct path_list paths;
    struct namespaces entered;
    paths_collect(&walls, &paths);
    if (namespaces_enter(&paths, &entered, NULL) != STATUS_OK)
        entered = (struct namespaces){0};
    return (entered.are_entered ? ROOM : 0) | (entered.have_processes ? PROCESSES : 0) |
           (entered.have_user ? USER : 0) | (walls_enter_filter(WALLS_CODE, NULL) == STATUS_OK ? FILTER : 0);
}

static int what_stands(void)
{
    int state = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(enter_all());
    while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR)
        continue;
    return child > 0 && WIFEXITED(state) ? WEXITSTATUS(state) : 0;
}

size_t walls_standing(struct wall walls[WALLS_MOST])
{
    const int landlock = landlock_version(), entered = what_stands();
    size_t count = 0;
    walls[count++] = (struct wall){N_("system calls"), "seccomp", entered & FILTER,
                                   N_("no stranger's code runs here: it needs a kernel with seccomp filters")};
    walls[count++] = (struct wall){N_("no folder, network or memory but its own"), "namespaces", entered & ROOM,
                                   N_("names of files outside are seen, and paths rest on Landlock alone: "
                                      "Linux 5.12 where this account makes namespaces of mounts and users")};
    walls[count++] = (struct wall){N_("no process but its own"), "namespaces", entered & PROCESSES,
                                   N_("the names and arguments of the account's programs are seen in /proc: "
                                      "namespaces where all of /proc is mounted")};
    if (geteuid() == 0)
        walls[count++] = (struct wall){N_("a user that no other process has"), "namespaces", entered & USER,
                                       N_("the code is root's, without root's rights: an account of its own, or "
                                          "root that makes namespaces, and this program readable by all")};
    walls[count++] =
        (struct wall){N_("paths, and programs that start"), "Landlock", landlock >= 1,
                      N_("files that the account can read are read. A kernel on OpenCL's CPU, and a trace, write where "
                         "the account can, unless namespaces stand: Linux 5.13 with Landlock in its list of LSMs")};
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
