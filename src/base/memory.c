#include "base/memory.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/control_group.h"
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

/* The number in a file, or after `key` at a line's beginning in it; false when there is none ("max"). */
static bool read_number(const char *root, const char *folder, const char *name, const char *key, uint64_t *number)
{
    char line[256];
    bool found = false;
    FILE *file = control_group_open(root, folder, name);
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
static const struct {
    const char *limit, *used, *droppable[2];
} names[] = {
    {"memory.limit_in_bytes", "memory.usage_in_bytes", {"total_inactive_file ", "total_active_file "}},
    {"memory.max", "memory.current", {"inactive_file ", "active_file "}},
};

static void look_at_group(void *context, const char *folder, int version)
{
    struct reserve *reserve = context;
    uint64_t limit, used, pages, droppable = 0;
    if (!read_number(reserve->root, folder, names[version - 1].limit, NULL, &limit) ||
        !read_number(reserve->root, folder, names[version - 1].used, NULL, &used))
        return;
    for (int i = 0; i < 2; i++)
        if (read_number(reserve->root, folder, "memory.stat", names[version - 1].droppable[i], &pages))
            droppable += pages;
    note(reserve, less(limit, less(used, droppable)), N_("allowed by this control group (cgroup)"));
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
    FILE *file = control_group_open(root, "/proc/self", "statm");
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

void memory_keep_freed(void)
{
#ifdef M_TRIM_THRESHOLD
    mallopt(M_TRIM_THRESHOLD, 128 << 20);
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
#endif
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
    control_groups_each(root, "memory", look_at_group, &reserve);
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
