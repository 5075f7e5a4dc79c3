/* State of the process that is a number. */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/size.h"
#include "base/translation.h"
#include "lab/verification/process_parts.h"

static int64_t read_umask(int unused)
{
    (void)unused;
    mode_t mask = umask(077);
    umask(mask);
    return mask;
}

static void write_umask(int unused, int64_t value)
{
    (void)unused;
    umask((mode_t)value);
}

/* Only whether the timer runs: its remaining time changes by itself. */
static int64_t read_timer(int which)
{
    struct itimerval timer = {0};
    getitimer(which, &timer);
    return timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0;
}

static void write_timer(int which, int64_t value)
{
    const struct itimerval none = {0};
    if (!value)
        setitimer(which, &none, NULL);
}

/* The number of timers of timer_create(); 0 where the system does not list them. */
static int64_t read_timers(int unused)
{
    char line[128];
    int64_t count = 0;
    (void)unused;
    FILE *file = fopen("/proc/self/timers", "re");
    while (file && fgets(line, sizeof line, file))
        count += strncmp(line, "ID:", 3) == 0;
    if (file)
        fclose(file);
    return count;
}

static int64_t read_setting(int which)
{
    int value = 0;
    if (which == PR_GET_DUMPABLE || which == PR_GET_TIMERSLACK || which == PR_GET_THP_DISABLE ||
        which == PR_GET_NO_NEW_PRIVS)
        return prctl(which, 0, 0, 0, 0);
    prctl(which, &value, 0, 0, 0);
    return value;
}

static void write_setting(int which, int64_t value)
{
    int setter = which == PR_GET_PDEATHSIG         ? PR_SET_PDEATHSIG
                 : which == PR_GET_CHILD_SUBREAPER ? PR_SET_CHILD_SUBREAPER
                 : which == PR_GET_DUMPABLE        ? PR_SET_DUMPABLE
                 : which == PR_GET_TIMERSLACK      ? PR_SET_TIMERSLACK
                 : which == PR_GET_THP_DISABLE     ? PR_SET_THP_DISABLE
                                                   : 0;
    if (setter)
        prctl(setter, (unsigned long)value, 0, 0, 0);
}

/* What slows others of the process, or its later memory: -1 where the system has no such setting. */
enum slowing { STORE_BYPASS, INDIRECT_BRANCH, COUNTER_TRAP, MEMORY_POLICY, PERSONALITY, IO_PRIORITY };

static int64_t read_slowing(int which)
{
    int value = -1;
    if (which == STORE_BYPASS || which == INDIRECT_BRANCH)
        return prctl(PR_GET_SPECULATION_CTRL, which == STORE_BYPASS ? PR_SPEC_STORE_BYPASS : PR_SPEC_INDIRECT_BRANCH, 0,
                     0, 0);
    if (which == COUNTER_TRAP)
        prctl(PR_GET_TSC, &value, 0, 0, 0);
    else if (which == MEMORY_POLICY && syscall(SYS_get_mempolicy, &value, NULL, 0, NULL, 0) != 0)
        value = -1;
    else if (which == PERSONALITY)
        value = personality(0xffffffff);
    else if (which == IO_PRIORITY)
        value = (int)syscall(SYS_ioprio_get, 1 /* a process */, 0);
    return value;
}

static void write_slowing(int which, int64_t value)
{
    if (which == STORE_BYPASS || which == INDIRECT_BRANCH)
        prctl(PR_SET_SPECULATION_CTRL, which == STORE_BYPASS ? PR_SPEC_STORE_BYPASS : PR_SPEC_INDIRECT_BRANCH,
              PR_SPEC_ENABLE, 0, 0);
    else if (which == COUNTER_TRAP)
        prctl(PR_SET_TSC, (unsigned long)value, 0, 0, 0);
    else if (which == MEMORY_POLICY && value == 0)
        syscall(SYS_set_mempolicy, 0, NULL, 0);
    else if (which == PERSONALITY)
        personality((unsigned long)value);
    else if (which == IO_PRIORITY)
        syscall(SYS_ioprio_set, 1, 0, (int)value);
}

static int64_t read_group(int is_session)
{
    return is_session ? getsid(0) : getpgrp();
}

static void write_group(int is_session, int64_t value)
{
    if (!is_session)
        setpgid(0, (pid_t)value);
}

static int64_t read_user(int is_group)
{
    uid_t ids[3] = {0};
    if (is_group)
        getresgid(&ids[0], &ids[1], &ids[2]);
    else
        getresuid(&ids[0], &ids[1], &ids[2]);
    return (int64_t)((uint64_t)ids[0] << 32 ^ (uint64_t)ids[1] << 16 ^ ids[2]);
}

enum openmp { OPENMP_THREADS, OPENMP_DYNAMIC, OPENMP_LEVELS, OPENMP_SCHEDULE };

static int64_t read_openmp(int which)
{
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    return which == OPENMP_THREADS   ? omp_get_max_threads()
           : which == OPENMP_DYNAMIC ? omp_get_dynamic()
           : which == OPENMP_LEVELS  ? omp_get_max_active_levels()
                                     : (int64_t)((uint64_t)chunk << 32 | (uint32_t)kind);
}

static void write_openmp(int which, int64_t value)
{
    if (which == OPENMP_THREADS)
        omp_set_num_threads((int)value);
    else if (which == OPENMP_DYNAMIC)
        omp_set_dynamic(value != 0);
    else if (which == OPENMP_LEVELS)
        omp_set_max_active_levels((int)value);
    else
        omp_set_schedule((omp_sched_t)(uint32_t)value, (int)(value >> 32));
}

/* Kilobytes that cannot be paged out. */
static int64_t read_locked(int unused)
{
    char line[128];
    long long locked = 0;
    (void)unused;
    FILE *file = fopen("/proc/self/status", "re");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmLck:", 6) == 0)
            locked = strtoll(line + 6, NULL, 10);
    if (file)
        fclose(file);
    return locked;
}

static void write_locked(int unused, int64_t value)
{
    (void)unused;
    if (value == 0)
        munlockall();
}

static const struct number {
    const char *message;
    int64_t (*read)(int which);
    void (*write)(int which, int64_t value);
    int which;
} numbers[] = {
    {N_("left another number of OpenMP threads"), read_openmp, write_openmp, OPENMP_THREADS},
    {N_("left other settings of OpenMP"), read_openmp, write_openmp, OPENMP_DYNAMIC},
    {N_("left other settings of OpenMP"), read_openmp, write_openmp, OPENMP_LEVELS},
    {N_("left other settings of OpenMP"), read_openmp, write_openmp, OPENMP_SCHEDULE},
    {N_("left memory locked"), read_locked, write_locked, 0},
    {N_("left a timer running"), read_timer, write_timer, ITIMER_REAL},
    {N_("left a timer running"), read_timer, write_timer, ITIMER_VIRTUAL},
    {N_("left a timer running"), read_timer, write_timer, ITIMER_PROF},
    {N_("left a timer running"), read_timers, NULL, 0},
    {N_("left another mask of new files (umask)"), read_umask, write_umask, 0},
    {N_("left another process group"), read_group, write_group, 0},
    {N_("left another process group"), read_group, write_group, 1},
    {N_("left another user or group"), read_user, NULL, 0},
    {N_("left another user or group"), read_user, NULL, 1},
    {N_("left other settings of the process (prctl)"), read_setting, write_setting, PR_GET_PDEATHSIG},
    {N_("left other settings of the process (prctl)"), read_setting, write_setting, PR_GET_CHILD_SUBREAPER},
    {N_("left other settings of the process (prctl)"), read_setting, write_setting, PR_GET_DUMPABLE},
    {N_("left other settings of the process (prctl)"), read_setting, write_setting, PR_GET_TIMERSLACK},
    {N_("left other settings of the process (prctl)"), read_setting, write_setting, PR_GET_THP_DISABLE},
    {N_("left other settings of the process (prctl)"), read_setting, NULL, PR_GET_NO_NEW_PRIVS},
    {N_("left other settings of the process (prctl)"), read_slowing, write_slowing, STORE_BYPASS},
    {N_("left other settings of the process (prctl)"), read_slowing, write_slowing, INDIRECT_BRANCH},
    {N_("left other settings of the process (prctl)"), read_slowing, write_slowing, COUNTER_TRAP},
    {N_("left another memory policy or personality"), read_slowing, write_slowing, MEMORY_POLICY},
    {N_("left another memory policy or personality"), read_slowing, write_slowing, PERSONALITY},
    {N_("left another priority"), read_slowing, write_slowing, IO_PRIORITY},
};

#define LIMITS 16

static struct {
    int64_t values[COUNT_OF(numbers)];
    struct rlimit limits[LIMITS];
} noted;

void process_numbers_note(void)
{
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        noted.values[i] = numbers[i].read(numbers[i].which);
    for (int i = 0; i < LIMITS; i++)
        getrlimit(i, &noted.limits[i]);
}

static enum status compare_limits(struct error *error)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < LIMITS; i++) {
        struct rlimit now = noted.limits[i];
        getrlimit(i, &now);
        if (now.rlim_cur == noted.limits[i].rlim_cur && now.rlim_max == noted.limits[i].rlim_max)
            continue;
        setrlimit(i, &noted.limits[i]);
        status = fail(error, STATUS_FAILED, "left another limit of the process (setrlimit)");
    }
    return status;
}

enum status process_numbers_compare(struct error *error)
{
    enum status status = compare_limits(error);
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        const struct number *number = &numbers[i];
        if (number->read(number->which) == noted.values[i])
            continue;
        if (number->write)
            number->write(number->which, noted.values[i]);
        status = fail(error, STATUS_FAILED, "%s", number->message);
    }
    return status;
}
