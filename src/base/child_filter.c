#include "base/child_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/size.h"

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define ANCESTORS_MOST 16
#define FIRST_OTHER_ABI 0x40000000 /* x86's numbers of the x32 interface */
#define PROGRAM_MOST 4096
#define SYSTEM_CALLS_TO_USER 59 /* PR_SET_SYSCALL_USER_DISPATCH, of Linux 5.11 */
#define SET_CPUID 0x1012        /* ARCH_SET_CPUID */

#ifdef ARCHITECTURE

struct filter {
    struct sock_filter code[PROGRAM_MOST];
    size_t length;
    uint32_t denied[3 * ANCESTORS_MOST + 1]; /* as a system call's argument: processes, groups, everybody */
    size_t denied_count;
};

/* System calls that reach another process, and which argument names it. */
static const struct {
    uint32_t number, argument;
} reaching[] = {
    {SYS_kill, 0},
    {SYS_tkill, 0},
    {SYS_tgkill, 0},
    {SYS_rt_sigqueueinfo, 0},
    {SYS_rt_tgsigqueueinfo, 0},
    {SYS_process_vm_writev, 0},
    {SYS_process_vm_readv, 0},
    {SYS_ptrace, 1},
    {SYS_prlimit64, 0},
    {SYS_sched_setaffinity, 0},
    {SYS_sched_setscheduler, 0},
    {SYS_sched_setparam, 0},
    {SYS_sched_setattr, 0},
    {SYS_setpriority, 1},
    {SYS_ioprio_set, 1},
    {SYS_migrate_pages, 0},
    {SYS_move_pages, 0},
    {SYS_perf_event_open, 1},
    {SYS_setpgid, 1}, /* who joins a group is reached with it, and reaches it as its own */
#ifdef SYS_pidfd_open
    {SYS_pidfd_open, 0},
#endif
};

/* System calls that change the clocks of the whole machine: root's code could slow the clock that times it. */
static const uint32_t setting_clocks[] = {SYS_adjtimex, SYS_clock_adjtime, SYS_clock_settime, SYS_settimeofday};

/* … those that reach a process by a descriptor, which may be its folder in /proc. */
static const uint32_t reaching_by_descriptor[] = {
#ifdef SYS_pidfd_send_signal
    SYS_pidfd_send_signal,
#endif
#ifdef SYS_pidfd_getfd
    SYS_pidfd_getfd,
#endif
#ifdef SYS_process_madvise
    SYS_process_madvise,
#endif
#ifdef SYS_process_mrelease
    SYS_process_mrelease,
#endif
};

/* … those that change what the process or the machine sees as its files and processes (a /proc without threads), and
 * what root may do to the machine: no computation needs one. */
static const uint32_t moving_the_ground[] = {
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    SYS_bpf,
    SYS_reboot,
    SYS_init_module,
    SYS_kexec_load,
    SYS_swapon,
    SYS_swapoff,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_acct,
    SYS_finit_module,
    SYS_delete_module,
    SYS_syslog,
    SYS_quotactl,
    SYS_vhangup,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef SYS_ioperm
    SYS_ioperm,
    SYS_iopl,
#endif
#ifdef SYS_open_tree
    SYS_open_tree,
    SYS_move_mount,
    SYS_fsopen,
    SYS_fsmount,
#endif
    SYS_shmget, /* memory, queues and locks that outlive the process */
    SYS_msgget,
    SYS_semget,
    SYS_mq_open,
    SYS_userfaultfd, /* pages that are computed when somebody reads them */
#ifdef SYS_io_uring_setup
    SYS_io_uring_setup, /* which makes system calls that no filter sees */
#endif
#ifdef SYS_landlock_restrict_self
    SYS_landlock_restrict_self, /* a judge in a domain of the file's own reads nothing that it compares */
#endif
};

/* … those that start a program, and one of two that install a filter: it could answer for the judge's calls. */
static const uint32_t starting[] = {SYS_execve, SYS_execveat, SYS_seccomp};

static void add(struct filter *filter, uint16_t code, uint32_t value, uint8_t when, uint8_t otherwise)
{
    if (filter->length < PROGRAM_MOST)
        filter->code[filter->length++] = (struct sock_filter){code, when, otherwise, value};
}

static void load(struct filter *filter, size_t offset)
{
    add(filter, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void end(struct filter *filter, uint32_t action)
{
    add(filter, BPF_RET | BPF_K, action, 0, 0);
}

/* The parent of a process; 0 where it is not known. */
static pid_t parent_of(pid_t process)
{
    char path[32], line[128];
    int parent = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)process);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file) && sscanf(line, "PPid: %d", &parent) != 1)
        continue;
    if (file)
        fclose(file);
    return parent;
}

/* Once: ancestors share groups, and lead them. */
static void deny_one(struct filter *filter, pid_t one)
{
    for (size_t i = 0; i < filter->denied_count; i++)
        if (filter->denied[i] == (uint32_t)one)
            return;
    filter->denied[filter->denied_count++] = (uint32_t)one;
}

static void find_denied(struct filter *filter)
{
    deny_one(filter, -1);
    pid_t one = getppid();
    for (int i = 0; i < ANCESTORS_MOST && one > 0; i++, one = parent_of(one)) {
        pid_t group = getpgid(one);
        deny_one(filter, one);
        if (group > 0)
            deny_one(filter, -group);
        if (group > 0 && group != getpid())
            deny_one(filter, group);
    }
}

/* Only for this machine's own interface. */
static void begin(struct filter *filter)
{
    load(filter, offsetof(struct seccomp_data, arch));
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    end(filter, SECCOMP_RET_KILL_PROCESS);
    load(filter, offsetof(struct seccomp_data, nr));
    add(filter, BPF_JMP | BPF_JGE | BPF_K, FIRST_OTHER_ABI, 0, 1);
    end(filter, SECCOMP_RET_KILL_PROCESS);
}

static void deny(struct filter *filter, const uint32_t *numbers, size_t count)
{
    load(filter, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < count; i++) {
        add(filter, BPF_JMP | BPF_JEQ | BPF_K, numbers[i], 0, 1);
        end(filter, SECCOMP_RET_KILL_PROCESS);
    }
}

/* Ends who makes this call with bits of `flags` set, or without them, in the lower half of its first argument. */
static void deny_flags(struct filter *filter, uint32_t call, uint32_t flags, bool set)
{
    load(filter, offsetof(struct seccomp_data, nr));
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 3);
    load(filter, offsetof(struct seccomp_data, args));
    add(filter, BPF_JMP | BPF_JSET | BPF_K, flags, !set, set);
    end(filter, SECCOMP_RET_KILL_PROCESS);
}

/* Ends who makes this call with this first argument. */
static void deny_first(struct filter *filter, uint32_t call, uint32_t first)
{
    load(filter, offsetof(struct seccomp_data, nr));
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 3);
    load(filter, offsetof(struct seccomp_data, args));
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, first, 0, 1);
    end(filter, SECCOMP_RET_KILL_PROCESS);
}

/* Sockets but those within the machine: of another machine, and of the system's own settings. */
static void deny_network(struct filter *filter)
{
    load(filter, offsetof(struct seccomp_data, nr));
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 3);
    load(filter, offsetof(struct seccomp_data, args));
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0);
    end(filter, SECCOMP_RET_KILL_PROCESS);
}

/* Priorities of whole groups, and of all that a user has started. */
static void deny_priorities(struct filter *filter)
{
    deny_first(filter, SYS_setpriority, PRIO_PGRP);
    deny_first(filter, SYS_setpriority, PRIO_USER);
    deny_first(filter, SYS_ioprio_set, 2); /* the same by their numbers there */
    deny_first(filter, SYS_ioprio_set, 3);
}

/* A process made with CLONE_PARENT is its judge's child, and works on unseen. clone3 has its flags in memory, where no
 * filter sees them; the C library then takes clone. */
static void deny_siblings(struct filter *filter)
{
#ifdef SYS_clone3
    load(filter, offsetof(struct seccomp_data, nr));
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1);
    end(filter, SECCOMP_RET_ERRNO | ENOSYS);
#endif
    deny_flags(filter, SYS_clone, CLONE_PARENT, true);
}

/* A process of a file's own: thousands of them stop the machine before they are counted. Threads are made by the same
 * call. */
static void deny_processes(struct filter *filter)
{
#ifdef SYS_fork
    static const uint32_t others[] = {SYS_fork, SYS_vfork};
    deny(filter, others, COUNT_OF(others));
#endif
    deny_flags(filter, SYS_clone, CLONE_THREAD, false);
}

/* Signals that the system sends for a file go to the file's owner: fcntl(F_SETOWN) names it. The other calls that do
 * have it in memory, where no filter sees it. The last three type into the user's terminal, or take it away. */
static void deny_owners(struct filter *filter)
{
    static const uint32_t unseen[] = {0x8901 /* FIOSETOWN */, 0x8902 /* SIOCSPGRP */, 0x5412 /* TIOCSTI */,
                                      0x541c /* TIOCLINUX */, 0x5410 /* TIOCSPGRP */};
    load(filter, offsetof(struct seccomp_data, nr));
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 2 * COUNT_OF(unseen) + 1);
    load(filter, offsetof(struct seccomp_data, args) + sizeof(uint64_t));
    for (size_t i = 0; i < COUNT_OF(unseen); i++) {
        add(filter, BPF_JMP | BPF_JEQ | BPF_K, unseen[i], 0, 1);
        end(filter, SECCOMP_RET_KILL_PROCESS);
    }
    load(filter, offsetof(struct seccomp_data, nr));
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, (uint8_t)(2 * filter->denied_count + 5));
    load(filter, offsetof(struct seccomp_data, args) + sizeof(uint64_t));
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, F_SETOWN_EX, 0, 1);
    end(filter, SECCOMP_RET_KILL_PROCESS);
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, F_SETOWN, 0, (uint8_t)(2 * filter->denied_count + 1));
    load(filter, offsetof(struct seccomp_data, args) + 2 * sizeof(uint64_t));
    for (size_t d = 0; d < filter->denied_count; d++) {
        add(filter, BPF_JMP | BPF_JEQ | BPF_K, filter->denied[d], 0, 1);
        end(filter, SECCOMP_RET_KILL_PROCESS);
    }
}

/* The other call that installs a filter; the one that hands all system calls to a handler of the file's own; and the
 * one that makes the judge's next CPUID a fault. */
static void deny_filters(struct filter *filter)
{
    deny_first(filter, SYS_prctl, PR_SET_SECCOMP);
    deny_first(filter, SYS_prctl, SYSTEM_CALLS_TO_USER);
#ifdef SYS_arch_prctl
    deny_first(filter, SYS_arch_prctl, SET_CPUID);
#endif
}

static void write_program(struct filter *filter)
{
    begin(filter);
    deny(filter, setting_clocks, COUNT_OF(setting_clocks));
    deny(filter, reaching_by_descriptor, COUNT_OF(reaching_by_descriptor));
    deny_siblings(filter);
    deny_owners(filter);
    deny_priorities(filter);
    for (size_t i = 0; i < COUNT_OF(reaching); i++) {
        load(filter, offsetof(struct seccomp_data, nr));
        add(filter, BPF_JMP | BPF_JEQ | BPF_K, reaching[i].number, 0, (uint8_t)(2 * filter->denied_count + 2));
        load(filter, offsetof(struct seccomp_data, args) +
                         sizeof(uint64_t) * reaching[i].argument); /* its lower half comes first */
        for (size_t d = 0; d < filter->denied_count; d++) {
            add(filter, BPF_JMP | BPF_JEQ | BPF_K, filter->denied[d], 0, 1);
            end(filter, SECCOMP_RET_KILL_PROCESS);
        }
        end(filter, SECCOMP_RET_ALLOW);
    }
    end(filter, SECCOMP_RET_ALLOW);
}

static void install(const struct filter *filter)
{
    const struct sock_fprog program = {.len = (unsigned short)filter->length,
                                       .filter = (struct sock_filter *)filter->code};
    /* Without SPEC_ALLOW older systems slow all code of a filtered process down. The filter is for all threads: another
     * thread's stack is memory that code can change. */
    const unsigned flags = SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    if (filter->length >= PROGRAM_MOST || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return;
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags | SECCOMP_FILTER_FLAG_TSYNC, &program) != 0)
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

void child_filter_install(void)
{
    static struct filter filter;
    filter.length = filter.denied_count = 0; /* a process forked from a filtered one makes one of its own */
    find_denied(&filter);
    write_program(&filter);
    install(&filter);
}

void child_filter_forbid_programs(void)
{
    static struct filter filter;
    filter.length = 0;
    begin(&filter);
    deny(&filter, starting, COUNT_OF(starting));
    deny(&filter, moving_the_ground, COUNT_OF(moving_the_ground));
    deny_processes(&filter);
    deny_network(&filter);
    deny_filters(&filter);
    end(&filter, SECCOMP_RET_ALLOW);
    install(&filter);
}

#else

void child_filter_install(void)
{
}

void child_filter_forbid_programs(void)
{
}

#endif
