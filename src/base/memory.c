#include "base/memory.h"

#include <inttypes.h>
#include <limits.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/text.h"
#include "base/translation.h"

/* Less is not worth a look at half a dozen files. */
#define LOOKED_AT ((uint64_t)16 << 20)

struct reserve {
    const char *root;
    uint64_t bytes;
    const char *whose;
};

static void note(struct reserve *reserve, uint64_t bytes, const char *whose)
{
    if (bytes >= reserve->bytes)
        return;
    reserve->bytes = bytes;
    reserve->whose = whose;
}

static FILE *open_file(const char *root, const char *folder, const char *name)
{
    char path[PATH_MAX + 512];
    if (snprintf(path, sizeof path, "%s%s/%s", root, folder, name) >= (int)sizeof path)
        return NULL;
    return fopen(path, "re");
}

/* The number in a file, or after `key` at a line's beginning in it; false when there is none ("max"). */
static bool read_number(const char *root, const char *folder, const char *name, const char *key, uint64_t *number)
{
    char line[256];
    bool found = false;
    FILE *file = open_file(root, folder, name);
    while (file && !found && fgets(line, sizeof line, file))
        if (!key || strncmp(line, key, strlen(key)) == 0)
            found = sscanf(line + (key ? strlen(key) : 0), " %" SCNu64, number) == 1;
    if (file)
        fclose(file);
    return found;
}

static uint64_t less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* The file names of a control group, version 1 and 2. */
struct version {
    const char *mount, *limit, *used, *droppable[2];
};

static const struct version versions[] = {
    {"/sys/fs/cgroup", "memory.max", "memory.current", {"inactive_file ", "active_file "}},
    {"/sys/fs/cgroup/memory",
     "memory.limit_in_bytes",
     "memory.usage_in_bytes",
     {"total_inactive_file ", "total_active_file "}},
};

static void look_at_group(struct reserve *reserve, const struct version *version, const char *folder)
{
    uint64_t limit, used, pages, droppable = 0;
    if (!read_number(reserve->root, folder, version->limit, NULL, &limit) ||
        !read_number(reserve->root, folder, version->used, NULL, &used))
        return;
    for (int i = 0; i < 2; i++)
        if (read_number(reserve->root, folder, "memory.stat", version->droppable[i], &pages))
            droppable += pages;
    note(reserve, less(limit, less(used, droppable)), N_("allowed by this control group (cgroup)"));
}

/* The group and all that it lies in: each of them may be the one that is full. */
static void look_at_groups(struct reserve *reserve, const struct version *version, const char *group)
{
    char folder[PATH_MAX];
    if (snprintf(folder, sizeof folder, "%s%s", version->mount, group) >= (int)sizeof folder)
        return;
    for (;;) {
        look_at_group(reserve, version, folder);
        char *slash = strrchr(folder, '/');
        if (!slash || strlen(folder) <= strlen(version->mount))
            return;
        *slash = 0;
    }
}

/* Lines "0::/group" (version 2) and "4:memory:/group" (version 1). */
static void look_at_all_groups(struct reserve *reserve)
{
    char line[PATH_MAX];
    FILE *file = open_file(reserve->root, "/proc/self", "cgroup");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        char *names = strchr(line, ':'), *group = names ? strchr(names + 1, ':') : NULL;
        if (!group)
            continue;
        *group++ = 0;
        if (names[1] == 0)
            look_at_groups(reserve, &versions[0], group);
        else if (strstr(names, "memory"))
            look_at_groups(reserve, &versions[1], group);
    }
    if (file)
        fclose(file);
}

static void look_at_limit(struct reserve *reserve, int what, uint64_t used)
{
    struct rlimit limit;
    if (getrlimit(what, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        note(reserve, less(limit.rlim_cur, used), N_("left by this process's limit (ulimit)"));
}

/* The numbers of /proc/self/statm in bytes: addresses, …, data and stack. */
static void read_sizes(const char *root, uint64_t bytes[6])
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    FILE *file = open_file(root, "/proc/self", "statm");
    for (int i = 0; i < 6; i++)
        bytes[i] = file && fscanf(file, "%" SCNu64, &bytes[i]) == 1 ? bytes[i] * page : 0;
    if (file)
        fclose(file);
}

static void look_at_limits(struct reserve *reserve)
{
    uint64_t bytes[6];
    read_sizes(reserve->root, bytes);
    look_at_limit(reserve, RLIMIT_AS, bytes[0]);
    look_at_limit(reserve, RLIMIT_DATA, bytes[5]);
}

uint64_t memory_addresses(void)
{
    uint64_t bytes[6];
    read_sizes("", bytes);
    return bytes[0];
}

void memory_limit_as_with(uint64_t addresses)
{
    struct rlimit limit;
    const uint64_t own = memory_addresses();
    if (own == 0 || addresses <= own || getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return;
    limit.rlim_cur = less(limit.rlim_cur, addresses - own);
    setrlimit(RLIMIT_AS, &limit);
}

void memory_spare_addresses(void)
{
    if (memory_is_limited())
        mallopt(M_ARENA_MAX, 1);
}

bool memory_is_limited(void)
{
    struct rlimit addresses, data;
    return getrlimit(RLIMIT_AS, &addresses) != 0 || getrlimit(RLIMIT_DATA, &data) != 0 ||
           addresses.rlim_cur != RLIM_INFINITY || data.rlim_cur != RLIM_INFINITY;
}

uint64_t memory_available_below(const char *root, const char **whose)
{
    struct reserve reserve = {.root = root, .bytes = UINT64_MAX, .whose = "known"};
    uint64_t kibibytes;
    if (read_number(root, "/proc", "meminfo", "MemAvailable:", &kibibytes))
        note(&reserve, kibibytes * 1024, N_("available on this machine"));
    look_at_all_groups(&reserve);
    look_at_limits(&reserve);
    if (whose)
        *whose = reserve.whose;
    return reserve.bytes;
}

uint64_t memory_available(const char **whose)
{
    return memory_available_below("", whose);
}

enum status memory_suffices(uint64_t bytes, const char *what, struct error *error)
{
    char needed[32], there[32];
    const char *whose;
    if (bytes < LOOKED_AT)
        return STATUS_OK;
    uint64_t available = memory_available(&whose);
    if (bytes <= available)
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "%s: needs about %s of memory, and %s are %s", what,
                text_bytes((double)bytes, needed, sizeof needed), text_bytes((double)available, there, sizeof there),
                whose);
}
