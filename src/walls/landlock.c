#include "walls/landlock.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef SYS_landlock_create_ruleset

/* The system's own numbers: its header may be older than the system. */
#define VERSION_FLAG 1U
#define BENEATH 1
enum {
    EXECUTE = 1 << 0,
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_FOLDER = 1 << 3,
    REMOVE = 3 << 4,      /* folders, files */
    MAKE_ALL = 0x7f << 6, /* devices, folders, files, sockets, pipes, links */
    MAKE_FOLDER = 1 << 7,
    MAKE_FILE = 1 << 8,
    RENAME = 1 << 13,
    TRUNCATE = 1 << 14,
    CONTROL_DEVICE = 1 << 15,
    BIND = 1 << 0, /* … of the network */
    CONNECT = 1 << 1,
    ABSTRACT_SOCKETS = 1 << 0, /* … of other domains */
    SIGNALS = 1 << 1,
};
#define OF_FILES (EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | CONTROL_DEVICE)

struct rules {
    uint64_t files, network, others;
};

struct exception {
    uint64_t allowed;
    int32_t folder;
} __attribute__((packed));

int landlock_version(void)
{
    const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, VERSION_FLAG);
    return version > 0 ? (int)version : 0;
}

/* What this version of the system can forbid. */
static struct rules make_rules(int version)
{
    struct rules rules = {.files = EXECUTE | WRITE_FILE | READ_FILE | READ_FOLDER | REMOVE | MAKE_ALL};
    rules.files |= version >= 2 ? RENAME : 0;
    rules.files |= version >= 3 ? TRUNCATE : 0;
    rules.files |= version >= 5 ? CONTROL_DEVICE : 0;
    rules.network = version >= 4 ? BIND | CONNECT : 0;
    rules.others = version >= 6 ? ABSTRACT_SOCKETS | SIGNALS : 0;
    return rules;
}

static void allow(int set, const struct rules *rules, const char *path, enum path_right right)
{
    static const uint64_t rights[] = {
        [PATH_READ] = READ_FILE | READ_FOLDER,
        [PATH_START] = READ_FILE | READ_FOLDER | EXECUTE,
        [PATH_OPEN] = READ_FILE | READ_FOLDER | WRITE_FILE | TRUNCATE | CONTROL_DEVICE,
        [PATH_WRITE] = READ_FILE | READ_FOLDER | WRITE_FILE | TRUNCATE | REMOVE | MAKE_FOLDER | MAKE_FILE | RENAME,
    };
    struct stat facts;
    struct exception exception = {.allowed = rights[right] & rules->files, .folder = open(path, O_PATH | O_CLOEXEC)};
    if (exception.folder < 0)
        return;
    if (fstat(exception.folder, &facts) == 0 && !S_ISDIR(facts.st_mode))
        exception.allowed &= OF_FILES;
    syscall(SYS_landlock_add_rule, set, BENEATH, &exception, 0);
    close(exception.folder);
}

void landlock_enter(const struct path_list *paths)
{
    const int version = landlock_version();
    const struct rules rules = make_rules(version);
    const size_t bytes = version >= 6 ? sizeof rules : version >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
    const int set = version > 0 ? (int)syscall(SYS_landlock_create_ruleset, &rules, bytes, 0) : -1;
    if (set < 0)
        return;
    for (size_t i = 0; i < paths->count; i++)
        allow(set, &rules, paths->items[i].path, paths->items[i].right);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        syscall(SYS_landlock_restrict_self, set, 0);
    close(set);
}

#else

int landlock_version(void)
{
    return 0;
}

void landlock_enter(const struct path_list *paths)
{
    (void)paths;
}

#endif
