/* A child's memory, and the processes that it starts. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_link.h"
#include "base/size.h"

static uint64_t resident_in(const char *path)
{
    unsigned long long whole, resident;
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    bool is_read = fscanf(file, "%llu %llu", &whole, &resident) == 2;
    fclose(file);
    return is_read ? resident * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

/* A process whose first thread has ended shows its memory under the others only. */
uint64_t memory_resident(pid_t process)
{
    char path[64 + sizeof((struct dirent *)NULL)->d_name];
    snprintf(path, sizeof path, "/proc/%d/statm", (int)process);
    uint64_t resident = resident_in(path);
    if (resident > 0)
        return resident;
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *threads = opendir(path);
    for (const struct dirent *entry; resident == 0 && threads && (entry = readdir(threads));) {
        snprintf(path, sizeof path, "/proc/%d/task/%s/statm", (int)process, entry->d_name);
        resident = entry->d_name[0] == '.' ? 0 : resident_in(path);
    }
    if (threads)
        closedir(threads);
    return resident;
}

unsigned threads_of(pid_t process, char *state)
{
    char path[64], line[512];
    unsigned threads = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    const char *behind_name = fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    if (!behind_name ||
        sscanf(behind_name + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %u", state,
               &threads) != 2)
        threads = 0;
    fclose(file);
    return threads;
}

/* The parent of a process, from /proc/N/stat; 0 when it is not known. */
static pid_t parent_of(const char *number)
{
    char path[300], line[512];
    int parent = 0;
    snprintf(path, sizeof path, "/proc/%s/stat", number);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    const char *behind_name = fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    if (!behind_name || sscanf(behind_name + 1, " %*c %d", &parent) != 1)
        parent = 0;
    fclose(file);
    return parent;
}

/* The children that must survive when another child's family is ended. */
static pid_t living[16];

void child_family_enter(pid_t child)
{
    for (size_t i = 0; i < COUNT_OF(living); i++)
        if (!living[i]) {
            living[i] = child;
            return;
        }
}

void child_family_leave(pid_t child)
{
    for (size_t i = 0; i < COUNT_OF(living); i++)
        if (living[i] == child)
            living[i] = 0;
}

static bool is_living(pid_t process)
{
    for (size_t i = 0; i < COUNT_OF(living); i++)
        if (living[i] == process)
            return true;
    return false;
}

void child_family_enter_inherited(void)
{
    DIR *processes = child_has_children() ? opendir("/proc") : NULL;
    for (const struct dirent *entry; processes && (entry = readdir(processes));)
        if (parent_of(entry->d_name) == getpid())
            child_family_enter((pid_t)strtol(entry->d_name, NULL, 10));
    if (processes)
        closedir(processes);
}

/* A process that clone() made without a signal for its end is awaited only with __WALL. */
static void await(pid_t process)
{
    while (waitpid(process, NULL, __WALL) < 0 && errno == EINTR)
        ;
}

/* Ends the processes that have come to this one; false when there are none. */
static bool end_orphans(void)
{
    DIR *processes = opendir("/proc");
    bool found = false;
    for (const struct dirent *entry; processes && (entry = readdir(processes));) {
        pid_t process = (pid_t)strtol(entry->d_name, NULL, 10);
        if (process <= 0 || parent_of(entry->d_name) != getpid() || is_living(process))
            continue;
        kill(process, SIGKILL);
        await(process);
        found = true;
    }
    if (processes)
        closedir(processes);
    return found;
}

bool child_has_children(void)
{
    siginfo_t about;
    return waitid(P_ALL, 0, &about, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
}

/* Who left the group comes to this process, one generation at a time. */
void child_end_strays(void)
{
    for (int generation = 0; generation < 64 && child_has_children() && end_orphans(); generation++)
        ;
}

void child_kill_family(pid_t child)
{
    kill(-child, SIGKILL);
    kill(child, SIGKILL);
    await(child);
    child_family_leave(child);
    child_end_strays();
}
