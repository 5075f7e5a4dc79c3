#include "walls/namespaces.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_process.h"
#include "base/fatal_signal.h"
#include "base/lower_limit.h"
#include "base/own_program.h"
#include "base/temporary_folder.h"
#include "walls/room.h"

#define SPACES (CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC)
#define GROUPS_MOST 8
#define FILES_MOST 65536 /* which are looked at */
#define FILES_BLOCK 256  /* at a time; at most what a process may open */

/* ---- whose the process is ------------------------------------------------------------------------------------ */

static bool has_process(uid_t user)
{
    DIR *processes = opendir("/proc");
    bool has = false;
    for (const struct dirent *entry; !has && processes && (entry = readdir(processes));) {
        struct stat facts;
        has = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
              fstatat(dirfd(processes), entry->d_name, &facts, 0) == 0 && facts.st_uid == user;
    }
    if (processes)
        closedir(processes);
    return has;
}

/* The one whose the stage's folders are already; else one that no process has. 0: none, or it could not read this
 * program. */
static uid_t passing_user(const struct path_list *paths)
{
    struct stat facts;
    if (stat(own_program(), &facts) != 0 || (facts.st_mode & 05) != 05)
        return 0;
    for (size_t i = 0; i < paths->count; i++)
        if (stat(paths->items[i].path, &facts) == 0 && user_is_passing(facts.st_uid))
            return facts.st_uid;
    for (uid_t i = 0; i < 64; i++) {
        const uid_t user = PASSING_USER_FIRST + ((uid_t)getpid() * 61 + i) % PASSING_USERS;
        if (!has_process(user))
            return user;
    }
    return 0;
}

/* The groups of the devices that are named: a GPU's node is its group's. */
static bool become_user(uid_t user, const struct path_list *paths)
{
    gid_t groups[GROUPS_MOST];
    size_t count = 0;
    struct stat facts;
    for (size_t i = 0; i < paths->count && count < GROUPS_MOST; i++)
        if (paths->items[i].right == PATH_OPEN && stat(paths->items[i].path, &facts) == 0 && facts.st_gid)
            groups[count++] = facts.st_gid;
    return setgroups(count, groups) == 0 && setresgid(user, user, user) == 0 && setresuid(user, user, user) == 0 &&
           prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0; /* its own files in /proc are its own */
}

static bool drop_rights(void)
{
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {{0}};
    return syscall(SYS_capset, &head, none) == 0;
}

/* ---- the first process, which makes them ------------------------------------------------------------------------ */

static bool put(const char *path, const char *text)
{
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    const bool is_put = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    if (file >= 0)
        close(file);
    return is_put;
}

/* Users and groups are called as they are outside. */
static bool map_user(uid_t user, gid_t group)
{
    char users[64], groups[64];
    snprintf(users, sizeof users, "%u %u 1", user, user);
    snprintf(groups, sizeof groups, "%u %u 1", group, group);
    return put("/proc/self/uid_map", users) && put("/proc/self/setgroups", "deny") && put("/proc/self/gid_map", groups);
}

struct making {
    const struct path_list *paths;
    unsigned long flags;
    uid_t user, reader;
    gid_t group;
};

static _Noreturn void be_first(const struct making *making, int report)
{
    int reason = 0;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (((making->flags & CLONE_NEWUSER) && !map_user(making->user, making->group)) ||
        !room_make(making->paths, making->flags & CLONE_NEWPID, making->reader))
        reason = errno ? errno : EPERM;
    if (write(report, &reason, sizeof reason) != (ssize_t)sizeof reason || reason)
        _exit(1);
    close_range(0, ~0u, 0);
    signal(SIGCHLD, SIG_IGN); /* what others leave behind comes to it */
    for (;;)
        pause();
}

/* Returns its number; 0, with errno, where the system does not allow it all. */
static pid_t start_first(const struct making *making)
{
    int ends[2], reason = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return 0;
    const pid_t first = (pid_t)syscall(SYS_clone, making->flags | SIGCHLD, NULL, NULL, NULL, 0);
    if (first == 0)
        be_first(making, ends[1]);
    reason = first < 0 ? errno : 0;
    close(ends[1]);
    if (first > 0 && read(ends[0], &reason, sizeof reason) != (ssize_t)sizeof reason)
        reason = EPERM;
    close(ends[0]);
    if (first > 0 && reason) {
        kill(first, SIGKILL); /* it waits where its report was not read */
        while (waitpid(first, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    errno = reason;
    return first > 0 && !reason ? first : 0;
}

/* ---- the process that called ------------------------------------------------------------------------------------ */

/* Ends as the process inside does. */
static _Noreturn void stand_for(pid_t inside, pid_t first)
{
    int state = 0;
    lower_limit(RLIMIT_CORE, 0);
    close_range(0, ~0u, 0);
    while (waitpid(inside, &state, 0) < 0 && errno == EINTR)
        continue;
    kill(first, SIGKILL);
    while (waitpid(first, NULL, 0) < 0 && errno == EINTR)
        continue;
    if (WIFSIGNALED(state)) {
        sigset_t one;
        sigemptyset(&one);
        sigaddset(&one, WTERMSIG(state));
        signal(WTERMSIG(state), SIG_DFL);
        sigprocmask(SIG_UNBLOCK, &one, NULL);
        raise(WTERMSIG(state));
    }
    _exit(WIFEXITED(state) ? WEXITSTATUS(state) : 128);
}

static bool join(pid_t first, unsigned long flags)
{
    const int process = (int)syscall(SYS_pidfd_open, first, 0);
    const bool is_joined = process >= 0 && setns(process, (int)flags) == 0;
    if (process >= 0)
        close(process);
    return is_joined;
}

static bool has_one_thread(void)
{
    struct stat tasks;
    return stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == 3;
}

static pid_t make(struct making *making)
{
    static const unsigned long tries[] = {SPACES | CLONE_NEWPID, SPACES};
    const bool is_root = making->user == 0;
    pid_t first = 0;
    for (size_t i = 0; !first && i < 4; i++) {
        making->flags = tries[i % 2] | (is_root && i < 2 ? 0 : CLONE_NEWUSER);
        making->reader = is_root && i < 2 ? passing_user(making->paths) : 0;
        if (is_root || i >= 2)
            first = start_first(making);
    }
    return first;
}

/* An open folder of the system's root leads to all that is above it. */
static void close_folders(void)
{
    struct stat facts;
    struct pollfd block[FILES_BLOCK];
    const int allowed = (int)sysconf(_SC_OPEN_MAX), most = allowed > 0 && allowed < FILES_MOST ? allowed : FILES_MOST;
    for (int from = 0; from < most; from += FILES_BLOCK) {
        for (int i = 0; i < FILES_BLOCK; i++)
            block[i] = (struct pollfd){.fd = from + i};
        const bool is_known = poll(block, FILES_BLOCK, 0) >= 0; /* one call, as few of the numbers are in use */
        for (int i = 0; i < FILES_BLOCK; i++)
            if (!(is_known && block[i].revents & POLLNVAL) && fstat(from + i, &facts) == 0 && S_ISDIR(facts.st_mode))
                close(from + i);
    }
}

/* Two processes return: in the one inside *inside is 0, which waits until the other lets it go on. */
static bool split(pid_t *inside)
{
    int gate[2];
    char unused;
    if (pipe2(gate, O_CLOEXEC) != 0)
        return false;
    *inside = fork();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (*inside > 0)
        child_process_is(*inside);
    close(gate[1]);
    while (*inside == 0 && read(gate[0], &unused, 1) < 0 && errno == EINTR)
        continue;
    close(gate[0]);
    return *inside >= 0;
}

enum status namespaces_enter(const struct path_list *paths, struct namespaces *entered, struct error *error)
{
    struct making making = {.paths = paths, .user = geteuid(), .group = getegid()};
    char here[PATH_MAX];
    pid_t inside;
    *entered = (struct namespaces){0};
    own_program_hold();
    if (!getcwd(here, sizeof here))
        here[0] = '\0';
    const pid_t first = has_one_thread() ? make(&making) : 0;
    if (!first) {
        child_process_is(getpid());
        return STATUS_OK;
    }
    if (!join(first, making.flags) || !split(&inside)) {
        kill(first, SIGKILL);
        return fail(error, STATUS_SYSTEM, "the system makes no namespaces: %s", strerror(errno));
    }
    if (inside > 0)
        stand_for(inside, first);
    fatal_signal_move();
    close_folders();
    if (!(making.reader ? become_user(making.reader, paths) : drop_rights()))
        return fail(error, STATUS_SYSTEM, "this process cannot give up its rights: %s", strerror(errno));
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* which another user loses */
    if (here[0] && chdir(here) != 0)
        errno = 0; /* it is in no named folder */
    *entered = (struct namespaces){true, making.flags & CLONE_NEWPID, making.reader != 0};
    return STATUS_OK;
}
