#include "walls/calls.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "base/size.h"
#include "walls/walls.h"

#define COMPILE (1u << WALLS_COMPILE)
#define CODE (1u << WALLS_CODE)
#define CPU (1u << WALLS_CPU_DRIVER)
#define GPU (1u << WALLS_GPU_DRIVER)
#define EXPLAIN (1u << WALLS_EXPLAIN)
#define ALL (COMPILE | CODE | CPU | GPU | EXPLAIN)
#define WRITERS (COMPILE | CPU | EXPLAIN) /* they have a folder of their own */
#define FORKERS (COMPILE | CPU | EXPLAIN)
#define STARTERS (COMPILE | CPU)
#define DRIVERS (CPU | GPU)
/* They may set their process up. What a C file's process cannot, the lab need not compare (lab/verification). */
#define SETTERS (ALL & ~CODE)

#define LOW 0xffffffffu /* the kernel reads an int, whatever is above it */
#define NAMESPACES \
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)
#define STRANGE_PROCESS (NAMESPACES | CLONE_PARENT | CLONE_PTRACE)
#define CHANGES_FILES ((uint64_t)(O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY)))

#define ANY 0
#define IS(index, value)         \
    {                            \
        index, LOW, value, false \
    }
#define HAS(index, mask, value)   \
    {                             \
        index, mask, value, false \
    }
#define NOTHING(index)              \
    {                               \
        index, UINT64_MAX, 0, false \
    }
#define OWN(index)          \
    {                       \
        index, LOW, 0, true \
    }

/* Nothing here names another process, a path that is changed, a socket that is not there, or the machine. */
const struct call_list call_lists[] = {
    {ALL, "read pread64 readv preadv preadv2 write pwrite64 writev pwritev pwritev2 lseek _llseek close close_range "
          "fstat fstat64 stat stat64 lstat lstat64 newfstatat fstatat64 statx statfs statfs64 fstatfs fstatfs64 "
          "access faccessat faccessat2 readlink readlinkat getcwd getdents getdents64 dup dup2 dup3 pipe pipe2 "
          "poll ppoll ppoll_time64 select _newselect pselect6 pselect6_time64 eventfd eventfd2 fadvise64 "
          "fadvise64_64 readahead"},
    /* What is watched is the system's memory, and counts for all of the account's processes. */
    {GPU, "epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2"},
    {ALL, "mmap mmap2 munmap mremap mprotect madvise brk mincore msync munlock munlockall membarrier get_mempolicy "
          "mbind"}, /* OpenBLAS binds its buffers */
    {SETTERS, "mlock mlock2 mlockall set_mempolicy set_mempolicy_home_node"},
    {ALL, "rt_sigaction rt_sigprocmask rt_sigpending rt_sigsuspend rt_sigtimedwait rt_sigtimedwait_time64 rt_sigreturn "
          "sigreturn sigaltstack pause getitimer signalfd signalfd4"},
    {SETTERS, "alarm setitimer timerfd_create timerfd_settime timerfd_gettime"},
    /* Such a timer can stop its process: none where a stranger's code runs on the host. */
    {GPU, "timer_create timer_settime timer_settime64 timer_gettime timer_gettime64 timer_delete timer_getoverrun"},
    {ALL, "futex futex_time64 futex_waitv futex_wait futex_wake futex_requeue set_robust_list get_robust_list rseq "
          "set_tid_address gettid sched_yield nanosleep clock_nanosleep clock_nanosleep_time64 restart_syscall exit "
          "exit_group"},
    {ALL,
     "getpid getppid getuid geteuid getgid getegid getresuid getresgid getgroups getpgrp getpgid getsid getpriority "
     "ioprio_get sched_getaffinity sched_getscheduler sched_getparam sched_getattr sched_rr_get_interval "
     "sched_get_priority_max sched_get_priority_min getrlimit ugetrlimit getrusage times time gettimeofday "
     "clock_gettime clock_gettime64 clock_getres clock_getres_time64 getcpu sysinfo uname getrandom wait4 waitid "
     "capget"},
    {SETTERS, "umask personality"},
    {ALL, "sendto recvfrom recvmsg shutdown getsockopt getsockname getpeername"}, /* of sockets it was given */
    {GPU, "sendmsg"}, /* a file under way in a message is no process's, nor is its memory */
    {WRITERS, "creat mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 ftruncate ftruncate64 fallocate "
              "fsync fdatasync sync_file_range sendfile sendfile64 copy_file_range chdir fchdir flock"},
    {FORKERS, "fork vfork"},
    {STARTERS, "execve"},
    {CPU | GPU | EXPLAIN, "memfd_create ftruncate ftruncate64"},
};

const struct call_rule call_rules[] = {
    /* A file is opened for reading, unless the stage has a folder of its own; a device node for both. */
    {"open", ALL, 1, {HAS(1, CHANGES_FILES, O_RDONLY)}},
    {"openat", ALL, 1, {HAS(2, CHANGES_FILES, O_RDONLY)}},
    {"open", GPU, 1, {HAS(1, CHANGES_FILES, O_RDWR)}},
    {"openat", GPU, 1, {HAS(2, CHANGES_FILES, O_RDWR)}},
    {"open", WRITERS, ANY, {{0}}},
    {"openat", WRITERS, ANY, {{0}}},

    /* Threads; and processes whose parent is the one that makes them, and gets no other signal of their end. */
    {"clone", ALL, 1, {HAS(0, STRANGE_PROCESS | CLONE_THREAD, CLONE_THREAD)}},
    {"clone", FORKERS, 1, {HAS(0, STRANGE_PROCESS | CSIGNAL, SIGCHLD)}},

    /* Calls that name a process: itself. 0 is the caller, or its group, which it leads. */
    {"kill", ALL, 1, {OWN(0)}},
    {"kill", ALL, 1, {IS(0, 0)}},
    {"tgkill", ALL, 1, {OWN(0)}},
    {"rt_sigqueueinfo", ALL, 1, {OWN(0)}},
    {"rt_tgsigqueueinfo", ALL, 1, {OWN(0)}},
    {"prlimit64", CODE, 2, {IS(0, 0), NOTHING(2)}},
    {"prlimit64", CODE, 2, {OWN(0), NOTHING(2)}},
    {"prlimit64", SETTERS, 1, {IS(0, 0)}},
    {"prlimit64", SETTERS, 1, {OWN(0)}},
    {"setrlimit", SETTERS, ANY, {{0}}},
    {"sched_setaffinity", ALL, 1, {IS(0, 0)}},
    {"sched_setaffinity", ALL, 1, {OWN(0)}},
    {"sched_setscheduler", SETTERS, 1, {IS(0, 0)}},
    {"sched_setscheduler", SETTERS, 1, {OWN(0)}},
    {"sched_setparam", SETTERS, 1, {IS(0, 0)}},
    {"sched_setparam", SETTERS, 1, {OWN(0)}},
    {"sched_setattr", SETTERS, 1, {IS(0, 0)}},
    {"setpriority", SETTERS, 2, {IS(0, PRIO_PROCESS), IS(1, 0)}},
    {"setpriority", SETTERS, 2, {IS(0, PRIO_PROCESS), OWN(1)}},
    {"ioprio_set", SETTERS, 2, {IS(0, 1 /* a process */), IS(1, 0)}},
    {"ioprio_set", SETTERS, 2, {IS(0, 1), OWN(1)}},
    {"move_pages", SETTERS, 1, {IS(0, 0)}},

    /* Descriptors: no lock for C code, no owner, no lease, no notice of a folder's changes for anybody. */
    {"fcntl", ALL, 1, {IS(1, F_DUPFD)}},
    {"fcntl", ALL, 1, {IS(1, F_DUPFD_CLOEXEC)}},
    {"fcntl", ALL, 1, {IS(1, F_GETFD)}},
    {"fcntl", ALL, 1, {IS(1, F_SETFD)}},
    {"fcntl", ALL, 1, {IS(1, F_GETFL)}},
    {"fcntl", ALL, 1, {IS(1, F_SETFL)}},
    {"fcntl", ALL, 1, {IS(1, F_GETPIPE_SZ)}},
    {"fcntl", WRITERS, 1, {IS(1, F_GETLK)}},
    {"fcntl", WRITERS, 1, {IS(1, F_SETLK)}},
    {"fcntl", WRITERS, 1, {IS(1, F_SETLKW)}},
    {"fcntl", WRITERS, 1, {IS(1, F_OFD_SETLK)}},
    {"fcntl", WRITERS, 1, {IS(1, F_OFD_SETLKW)}},
    {"fcntl", DRIVERS, 1, {IS(1, F_ADD_SEALS)}},
    {"fcntl", DRIVERS, 1, {IS(1, F_GET_SEALS)}},
    {"ioctl", ALL, 1, {IS(1, 0x5401 /* TCGETS: is it a terminal? */)}},
    {"ioctl", ALL, 1, {IS(1, 0x5413 /* TIOCGWINSZ */)}},
    {"ioctl", ALL, 1, {IS(1, 0x541b /* FIONREAD */)}},
    {"ioctl", ALL, 1, {IS(1, 0x5421 /* FIONBIO */)}},
    {"ioctl", ALL, 1, {IS(1, 0x5450 /* FIONCLEX */)}},
    {"ioctl", ALL, 1, {IS(1, 0x5451 /* FIOCLEX */)}},
    /* The drivers' own, by their letter: NVIDIA's, those of DRM, dma-buf, sync files, AMD's KFD. NVIDIA's unified
     * memory numbers its own from 0, and two from 0x30000000. */
    {"ioctl", DRIVERS, 1, {HAS(1, 0xff00, 'F' << 8)}},
    {"ioctl", DRIVERS, 1, {HAS(1, 0xff00, 'd' << 8)}},
    {"ioctl", DRIVERS, 1, {HAS(1, 0xff00, 'b' << 8)}},
    {"ioctl", DRIVERS, 1, {HAS(1, 0xff00, '>' << 8)}},
    {"ioctl", DRIVERS, 1, {HAS(1, 0xff00, 'K' << 8)}},
    {"ioctl", GPU, 1, {HAS(1, 0xffffff00u, 0)}},
    {"ioctl", GPU, 1, {HAS(1, 0xfffffffcu, 0x30000000)}},

    /* Itself: names, limits, registers. Not its filters, dispatch of its calls, or traps in CPUID and the clock. */
    {"prctl", ALL, 1, {IS(0, PR_SET_NAME)}},
    {"prctl", ALL, 1, {IS(0, PR_GET_NAME)}},
    {"prctl", SETTERS, 1, {IS(0, PR_SET_PDEATHSIG)}},
    {"prctl", ALL, 1, {IS(0, PR_GET_PDEATHSIG)}},
    {"prctl", ALL, 1, {IS(0, PR_GET_DUMPABLE)}},
    {"prctl", SETTERS, 1, {IS(0, PR_SET_DUMPABLE)}},
    {"prctl", SETTERS, 1, {IS(0, PR_SET_TIMERSLACK)}},
    {"prctl", ALL, 1, {IS(0, PR_GET_TIMERSLACK)}},
    {"prctl", ALL, 1, {IS(0, PR_GET_SECCOMP)}},
    {"prctl", ALL, 1, {IS(0, PR_GET_NO_NEW_PRIVS)}},
    {"prctl", ALL, 1, {IS(0, PR_SET_NO_NEW_PRIVS)}},
    {"prctl", SETTERS, 1, {IS(0, PR_SET_THP_DISABLE)}},
    {"prctl", ALL, 1, {IS(0, PR_GET_THP_DISABLE)}},
    {"prctl", ALL, 1, {IS(0, PR_CAPBSET_READ)}},
    {"prctl", ALL, 1, {IS(0, 0x53564d41 /* PR_SET_VMA: a mapping's name */)}},
    {"prctl", ALL, 1, {IS(0, 0x41555856 /* PR_GET_AUXV */)}},
    {"prctl", ALL, 1, {IS(0, PR_GET_TSC)}},
    {"prctl", SETTERS, 1, {IS(0, PR_SET_CHILD_SUBREAPER)}},
    {"prctl", ALL, 1, {IS(0, PR_GET_CHILD_SUBREAPER)}},
    {"prctl", ALL, 1, {IS(0, PR_GET_SPECULATION_CTRL)}},
    {"prctl", ALL, 1, {IS(0, PR_GET_KEEPCAPS)}},
    {"arch_prctl", ALL, 1, {HAS(0, 0xfffffff8u, 0x1000 /* FS, GS */)}},
    {"arch_prctl", ALL, 1, {IS(0, 0x1011 /* is there CPUID? */)}},
    {"arch_prctl", ALL, 1, {HAS(0, 0xfffffff8u, 0x1020 /* AMX's permission */)}},
    {"arch_prctl", ALL, 1, {IS(0, 0x3001 /* CET's state */)}},

    {"socketpair", CPU | GPU | EXPLAIN, 1, {IS(0, AF_UNIX)}},
    {"setsockopt", GPU, 1, {IS(1, SOL_SOCKET)}}, /* elsewhere a socket holds what the system's default is */
};

/* A file that cannot be written; a thread that is bound to a core, as OpenMP's are: its number says nothing of whose it
 * is. */
const char call_failures[] = "open openat sched_setaffinity";

/* clone3 and openat2 have their flags in memory, where no filter sees them: the C library takes clone and openat. */
const char call_unknown[] = "clone3 openat2 memfd_secret io_uring_setup map_shadow_stack mseal statmount listmount "
                            "fchmodat2 cachestat";

/* No driver and no compiler tries them: they change the machine. Mounts are not among them: what starts a compiler
 * tries namespaces of its own, and does without. */
const char call_ends[] = "settimeofday clock_settime clock_adjtime adjtimex bpf init_module finit_module delete_module "
                         "kexec_load kexec_file_load reboot swapon swapoff iopl ioperm";

const size_t call_list_count = COUNT_OF(call_lists);
const size_t call_rule_count = COUNT_OF(call_rules);
