/* without WHAT PROGRAM ARGUMENT...: starts it on a system that has no Landlock, or makes no namespaces (WHAT: landlock,
 * namespaces, or both), or makes namespaces in which nothing is mounted (mounts), as AppArmor has it where
 * kernel.apparmor_restrict_unprivileged_userns is 1, or lets no process be traced (traces), as kernel.yama.ptrace_scope
 * 3 does. */
#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* clone3 is unknown then, as it is inside the walls: the C library takes clone. */
static int deny(scmp_filter_ctx filter, const char *what)
{
    int result = 0;
    if (strcmp(what, "mounts") == 0)
        return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(mount), 0);
    if (strcmp(what, "traces") == 0)
        return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ptrace), 0);
    if (strcmp(what, "namespaces") != 0)
        result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(landlock_create_ruleset), 0);
    if (strcmp(what, "landlock") == 0 || result != 0)
        return result;
    result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(unshare), 0);
    if (result == 0)
        result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                                  SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWNS, CLONE_NEWNS));
    if (result == 0)
        result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    return result;
}

int main(int argc, char **argv)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (argc < 3 || !filter || deny(filter, argv[1]) != 0 || seccomp_load(filter) != 0) {
        fprintf(stderr, "usage: without landlock|namespaces|both|mounts|traces PROGRAM ARGUMENT...\n");
        return 2;
    }
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    return 127;
}
