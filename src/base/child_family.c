/* A child's memory, and the processes that it starts. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_link.h"
#include "base/clock.h"
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

#define OPEN_BYTES 1024 /* the system's own for an open file of whatever kind */

struct open_memory {
    uint64_t files;   /* in memory (memfd), whether or not they are mapped */
    uint64_t waiting; /* what may wait in sockets and pipes, and what the system keeps for each open file */
};

/* The data that a socket has sent and nobody received: no stranger's code may set how many. A pipe has 64 KiB and two
 * ends. */
static uint64_t socket_bytes(void)
{
    unsigned long long most = 0;
    FILE *file = fopen("/proc/sys/net/core/wmem_default", "re");
    if (!file || fscanf(file, "%llu", &most) != 1)
        most = 212992;
    if (file)
        fclose(file);
    return most;
}

static void look_at_open(const char *number, struct open_memory *memory)
{
    static const struct {
        char begin[8];
    } kinds[] = {{"/memfd:"}, {"socket:"}, {"pipe:["}};
    char path[300], target[sizeof kinds[0].begin];
    uint64_t counts[COUNT_OF(kinds)] = {0};
    struct stat facts;
    snprintf(path, sizeof path, "/proc/%s/fd", number);
    DIR *files = opendir(path);
    for (const struct dirent *entry; files && (entry = readdir(files));) {
        size_t kind = 0;
        memory->waiting += OPEN_BYTES;
        if (readlinkat(dirfd(files), entry->d_name, target, sizeof target) != sizeof target)
            continue;
        while (kind < COUNT_OF(kinds) && memcmp(target, kinds[kind].begin, strlen(kinds[kind].begin)) != 0)
            kind++;
        if (kind == 0 && fstatat(dirfd(files), entry->d_name, &facts, 0) == 0)
            memory->files += (uint64_t)facts.st_blocks * 512;
        if (kind < COUNT_OF(kinds))
            counts[kind]++;
    }
    if (files)
        closedir(files);
    memory->waiting += counts[1] * socket_bytes() + counts[2] * 32768;
}

/* A line "NAME: N kB" of a process's file, in bytes; 0 without one. */
static uint64_t line_of(const char *number, const char *name_of_file, const char *name)
{
    char path[300], line[256];
    const size_t length = strlen(name);
    unsigned long long kibibytes = 0;
    snprintf(path, sizeof path, "/proc/%s/%s", number, name_of_file); /* without a number: the system's */
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file) &&
           (strncmp(line, name, length) != 0 || sscanf(line + length, ": %llu", &kibibytes) != 1))
        continue;
    if (file)
        fclose(file);
    return (uint64_t)kibibytes * 1024;
}

/* By the group and resident pages of /proc/N/stat; 0 for a process of another group. */
static uint64_t resident_of_group(const char *number, pid_t group)
{
    char path[300], line[512];
    int its = 0;
    long long pages = 0;
    snprintf(path, sizeof path, "/proc/%s/stat", number);
    FILE *file = number[0] >= '1' && number[0] <= '9' ? fopen(path, "re") : NULL;
    const char *behind_name = file && fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    if (file)
        fclose(file);
    const bool is_read = behind_name && sscanf(behind_name + 1,
                                               " %*c %*d %d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d "
                                               "%*d %*d %*u %*u %lld",
                                               &its, &pages) == 2;
    return is_read && its == group ? (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) + 1 : 0;
}

/* Bytes that a process has mapped as shared memory. Pages that it let go of (MADV_DONTNEED) stay as long as a mapping
 * or a file, and are nobody's. */
static uint64_t mapped_as_shared(const char *number)
{
    char path[300], line[512], rights[8];
    unsigned long long from, to, bytes = 0;
    int behind = 0;
    snprintf(path, sizeof path, "/proc/%s/maps", number);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "%llx-%llx %7s %*s %*s %*s %n", &from, &to, rights, &behind) == 3 && rights[3] == 's' &&
            (strncmp(line + behind, "/memfd:", 7) == 0 || strncmp(line + behind, "/dev/zero ", 10) == 0))
            bytes += to - from;
    if (file)
        fclose(file);
    return bytes;
}

/* The whole system's memory of that kind; what it had before the first child. */
static uint64_t shared_before = UINT64_MAX;

static uint64_t shared_since(void)
{
    const uint64_t now = line_of("", "meminfo", "Shmem");
    shared_before = now < shared_before ? now : shared_before;
    return now - shared_before;
}

struct memory_use {
    uint64_t resident, tables, mapped;
    struct open_memory open;
    uint64_t share, shared_share; /* of pages, by the number of processes that map them; of shared memory alone */
};

static void look_at(const char *number, bool exactly, struct memory_use *use)
{
    if (exactly) {
        use->share += line_of(number, "smaps_rollup", "Pss") + line_of(number, "smaps_rollup", "SwapPss");
        use->shared_share += line_of(number, "smaps_rollup", "Pss_Shmem");
        return;
    }
    use->tables += line_of(number, "status", "VmPTE");
    look_at_open(number, &use->open);
    use->mapped += mapped_as_shared(number);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t memory_of_family(pid_t group, uint64_t most)
{
    struct memory_use use = {0};
    uint64_t shared = 0, all = 0;
    DIR *processes = opendir("/proc");
    for (int pass = 0; processes && pass < 2 && (!pass || all > most); pass++) {
        rewinddir(processes);
        for (const struct dirent *entry; (entry = readdir(processes));) {
            const uint64_t bytes = resident_of_group(entry->d_name, group);
            if (bytes)
                look_at(entry->d_name, pass, &use);
            use.resident += pass || !bytes ? 0 : bytes + line_of(entry->d_name, "status", "VmSwap");
        }
        if (pass == 0) {
            const uint64_t since = shared_since();
            shared = larger(use.open.files, use.mapped < since ? use.mapped : since);
        }
        all = use.tables + use.open.waiting +
              (use.share ? use.share - use.shared_share + larger(shared, use.shared_share) : use.resident + shared);
    }
    if (processes)
        closedir(processes);
    return all;
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

/* Sums up one process, by /proc/N/stat, where it is of the group. */
static void add_activity(const char *number, pid_t group, struct group_activity *activity)
{
    char path[300], line[512], state = 0;
    int its = 0;
    unsigned long long own[2] = {0}, awaited[2] = {0};
    snprintf(path, sizeof path, "/proc/%s/stat", number);
    FILE *file = fopen(path, "re");
    const char *behind_name = file && fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    if (file)
        fclose(file);
    if (!behind_name ||
        sscanf(behind_name + 1, " %c %*d %d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu", &state, &its, &own[0],
               &own[1], &awaited[0], &awaited[1]) != 6 ||
        its != group)
        return;
    activity->ticks += own[0] + own[1] + awaited[0] + awaited[1];
    activity->is_busy = activity->is_busy || (state != 'S' && state != 'Z');
    activity->is_stopped = activity->is_stopped || state == 'T' || state == 't';
}

struct group_activity activity_of(pid_t group)
{
    struct group_activity activity = {0};
    DIR *processes = opendir("/proc");
    for (const struct dirent *entry; processes && (entry = readdir(processes));)
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
            add_activity(entry->d_name, group, &activity);
    if (processes)
        closedir(processes);
    return activity;
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
    shared_since();
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

/* Awaits them in whatever order they end: the first process of a namespace ends when all others have been awaited. */
static void await_all(pid_t *list, size_t count)
{
    while (count) {
        size_t left = 0;
        for (size_t i = 0; i < count; i++) {
            const pid_t found = waitpid(list[i], NULL, __WALL | WNOHANG);
            if (found == 0 || (found < 0 && errno == EINTR))
                list[left++] = list[i];
        }
        count = left;
        if (count)
            clock_sleep(100000);
    }
}

/* Ends the processes that have come to this one; false when there are none. */
static bool end_orphans(void)
{
    DIR *processes = opendir("/proc");
    pid_t orphans[256];
    size_t count = 0;
    for (const struct dirent *entry; count < COUNT_OF(orphans) && processes && (entry = readdir(processes));) {
        pid_t process = (pid_t)strtol(entry->d_name, NULL, 10);
        if (process <= 0 || parent_of(entry->d_name) != getpid() || is_living(process))
            continue;
        kill(process, SIGKILL);
        orphans[count++] = process;
    }
    if (processes)
        closedir(processes);
    await_all(orphans, count);
    return count > 0;
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
