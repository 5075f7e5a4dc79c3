#include "base/child_domain.h"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if __has_include(<linux/landlock.h>) && defined(SYS_landlock_create_ruleset)
#include <linux/landlock.h>

/* A domain must forbid one access to files at least: the making of block devices, which no computation does. */
void child_domain_enter(void)
{
    const struct landlock_ruleset_attr rules = {.handled_access_fs = LANDLOCK_ACCESS_FS_MAKE_BLOCK};
    int file = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
    if (file < 0)
        return;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        syscall(SYS_landlock_restrict_self, file, 0);
    close(file);
}

#else

void child_domain_enter(void)
{
}

#endif
