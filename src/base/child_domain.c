#include "base/child_domain.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef SYS_landlock_create_ruleset

/* The system's own numbers: its header may be older than the system. */
#define VERSION_FLAG 1U
#define BENEATH 1
enum {
    WRITE_FILE = 1 << 1,
    REMOVE_DIRECTORY = 1 << 4,
    REMOVE_FILE = 1 << 5,
    MAKE_FILE = 1 << 8,
    MAKE_ALL = 0x7f << 6, /* devices, folders, files, sockets, pipes, links */
    RENAME = 1 << 13,
    TRUNCATE = 1 << 14,
    CONTROL_DEVICE = 1 << 15,
    BIND = 1 << 0, /* … of the network */
    CONNECT = 1 << 1,
    ABSTRACT_SOCKETS = 1 << 0, /* … of other domains */
    SIGNALS = 1 << 1,
};

struct rules {
    uint64_t files, network, others;
};

struct exception {
    uint64_t allowed;
    int32_t folder;
} __attribute__((packed));

/* What this version of the system can forbid. */
static struct rules make_rules(int version)
{
    struct rules rules = {.files = WRITE_FILE | REMOVE_DIRECTORY | REMOVE_FILE | MAKE_ALL};
    rules.files |= version >= 2 ? RENAME : 0;
    rules.files |= version >= 3 ? TRUNCATE : 0;
    rules.files |= version >= 5 ? CONTROL_DEVICE : 0;
    rules.network = version >= 4 ? BIND | CONNECT : 0;
    rules.others = version >= 6 ? ABSTRACT_SOCKETS | SIGNALS : 0;
    return rules;
}

/* What is written there is nobody's: LLVM's OpenMP keeps a file in shared memory. */
static void allow(int rule_set, const char *path, uint64_t rights)
{
    struct exception exception = {.allowed = rights, .folder = open(path, O_PATH | O_CLOEXEC)};
    if (exception.folder < 0)
        return;
    syscall(SYS_landlock_add_rule, rule_set, BENEATH, &exception, 0);
    close(exception.folder);
}

void child_domain_enter(void)
{
    const int version = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, VERSION_FLAG);
    const struct rules rules = make_rules(version);
    const size_t bytes = version >= 6 ? sizeof rules : version >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
    int rule_set = version > 0 ? (int)syscall(SYS_landlock_create_ruleset, &rules, bytes, 0) : -1;
    if (rule_set < 0)
        return;
    allow(rule_set, "/dev/null", rules.files & (WRITE_FILE | TRUNCATE | CONTROL_DEVICE));
    allow(rule_set, "/dev/shm", rules.files & (WRITE_FILE | TRUNCATE | REMOVE_FILE | MAKE_FILE));
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        syscall(SYS_landlock_restrict_self, rule_set, 0);
    close(rule_set);
}

#else

void child_domain_enter(void)
{
}

#endif
