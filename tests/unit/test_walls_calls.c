/* System calls of a C file's process: what sets the process up ends it, in any of its threads, so that nothing of this
 * has to be compared; what only asks, and what OpenMP and the C library do, goes on. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
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
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/size.h"
#include "walls/walls.h"

#include <cmocka.h> /* last: it has a macro called fail */

static char memory[8192];
static struct sched_param usual;
static struct rlimit limit = {64, 64};
static const struct itimerval soon = {.it_value.tv_sec = 1000};

static void create_a_timer(void)
{
    struct sigevent silent = {.sigev_notify = SIGEV_NONE};
    timer_t timer;
    timer_create(CLOCK_MONOTONIC, &silent, &timer);
}

static void renice_another_thread(void)
{
    setpriority(PRIO_PROCESS, (id_t)gettid(), 19);
}

static void *do_nothing(void *same)
{
    return same;
}

static void start_a_thread(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, do_nothing, NULL) != 0 || pthread_join(thread, NULL) != 0)
        _exit(2);
}

static void ask_of_the_stack(void)
{
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        _exit(2);
}

static void bind_to_its_cores(void)
{
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) != 0 || sched_setaffinity(0, sizeof cores, &cores) != 0)
        _exit(2);
}

static void take_memory(void)
{
    for (size_t bytes = 16; bytes < (size_t)64 << 20; bytes *= 4) {
        char *taken = malloc(bytes);
        if (!taken)
            _exit(2);
        memset(taken, 1, bytes);
        free(taken);
    }
}

#define DEED(name, statement)        \
    static void name(void)           \
    {                                \
        if ((long)(statement) == -9) \
            memory[0]++;             \
    }
DEED(mask_files, umask(0))
DEED(set_an_alarm, alarm(1000))
DEED(set_a_timer, setitimer(ITIMER_PROF, &soon, NULL))
DEED(make_a_timer_file, timerfd_create(CLOCK_MONOTONIC, 0))
DEED(limit_files, setrlimit(RLIMIT_NOFILE, &limit))
DEED(limit_itself, prlimit(getpid(), RLIMIT_NOFILE, &limit, NULL))
DEED(lock_memory, mlock(memory, 1))
DEED(lock_all, mlockall(MCL_FUTURE))
DEED(place_memory, syscall(SYS_set_mempolicy, 0, NULL, 0))
DEED(bind_memory, syscall(SYS_mbind, memory, 4096, 0, NULL, 0, 0))
DEED(change_persona, personality(ADDR_NO_RANDOMIZE))
DEED(renice, setpriority(PRIO_PROCESS, 0, 19))
DEED(step_back, nice(1) + 1000)
DEED(schedule, sched_setscheduler(0, SCHED_BATCH, &usual))
DEED(set_parameters, sched_setparam(0, &usual))
DEED(order_its_input, syscall(SYS_ioprio_set, 1, 0, 7))
DEED(outlive_its_parent, prctl(PR_SET_PDEATHSIG, 0))
DEED(hide, prctl(PR_SET_DUMPABLE, 0))
DEED(slacken_timers, prctl(PR_SET_TIMERSLACK, 1000000))
DEED(refuse_large_pages, prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0))
DEED(trap_the_counter, prctl(PR_SET_TSC, PR_TSC_SIGSEGV))
DEED(slow_its_branches, prctl(PR_SET_SPECULATION_CTRL, PR_SPEC_STORE_BYPASS, PR_SPEC_DISABLE, 0, 0))
DEED(lead_a_group, setpgid(0, 0))
DEED(lead_a_session, setsid())
DEED(become_another, setuid(getuid()))
DEED(go_elsewhere, chdir("/"))
DEED(change_its_root, chroot("/"))
DEED(set_the_time, syscall(SYS_settimeofday, NULL, NULL))
DEED(load_a_module, syscall(SYS_delete_module, "", 0))
DEED(ask_for_limits, getrlimit(RLIMIT_STACK, &limit))
DEED(ask_for_priority, getpriority(PRIO_PROCESS, 0))
DEED(name_itself, prctl(PR_SET_NAME, "kernel"))

struct deed {
    const char *name;
    void (*act)(void);
};

#define ENDED(deed) \
    {               \
#deed, deed \
    }
static const struct deed ended[] = {
    ENDED(mask_files),         ENDED(set_an_alarm),       ENDED(set_a_timer),       ENDED(create_a_timer),
    ENDED(lock_memory),        ENDED(lock_all),           ENDED(make_a_timer_file), ENDED(limit_files),
    ENDED(limit_itself),       ENDED(place_memory),       ENDED(change_persona),    ENDED(renice),
    ENDED(step_back),          ENDED(schedule),           ENDED(set_parameters),    ENDED(hide),
    ENDED(order_its_input),    ENDED(outlive_its_parent), ENDED(slacken_timers),    ENDED(lead_a_group),
    ENDED(refuse_large_pages), ENDED(trap_the_counter),   ENDED(slow_its_branches), ENDED(go_elsewhere),
    ENDED(lead_a_session),     ENDED(become_another),     ENDED(change_its_root),   ENDED(renice_another_thread),
};
static const struct deed allowed[] = {
    ENDED(ask_for_limits), ENDED(ask_for_priority),  ENDED(name_itself),      ENDED(start_a_thread),
    ENDED(take_memory),    ENDED(bind_to_its_cores), ENDED(ask_of_the_stack), ENDED(bind_memory),
};

/* How a process ends that does the deed inside the walls; false where the system has no filter. */
static bool try_inside(enum walls_stage stage, const struct deed *deed, int *how)
{
    const pid_t child = fork();
    if (child == 0) {
        if (walls_enter_filter(stage, NULL) != STATUS_OK)
            _exit(77);
        deed->act();
        _exit(0);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, how, 0), child);
    return !(WIFEXITED(*how) && WEXITSTATUS(*how) == 77);
}

static void expect_all(enum walls_stage stage, const struct deed *deeds, size_t count, bool wanted)
{
    for (size_t i = 0; i < count; i++) {
        int how;
        if (!try_inside(stage, &deeds[i], &how))
            skip();
        const bool is_ended = WIFSIGNALED(how) && WTERMSIG(how) == SIGSYS;
        if (wanted ? !is_ended : !WIFEXITED(how) || WEXITSTATUS(how) != 0)
            fail_msg("stage %d, %s: the process ends with %#x", stage, deeds[i].name, (unsigned)how);
    }
}

static void settings_are_not_changed(void **state)
{
    (void)state;
    expect_all(WALLS_CODE, ended, COUNT_OF(ended), true);
}

static void the_rest_goes_on(void **state)
{
    (void)state;
    expect_all(WALLS_CODE, allowed, COUNT_OF(allowed), false);
    expect_all(WALLS_CPU_DRIVER, allowed, COUNT_OF(allowed), false);
}

static void drivers_set_up_their_process_alone(void **state)
{
    static const struct deed machine[] = {ENDED(set_the_time), ENDED(load_a_module)};
    static const struct deed own[] = {ENDED(mask_files), ENDED(lock_memory), ENDED(slacken_timers),
                                      ENDED(set_an_alarm)};
    (void)state;
    expect_all(WALLS_CPU_DRIVER, machine, COUNT_OF(machine), true);
    expect_all(WALLS_GPU_DRIVER, machine, COUNT_OF(machine), true);
    expect_all(WALLS_CPU_DRIVER, own, COUNT_OF(own), false);
}

static void expect_refused(bool is_made)
{
    if (is_made)
        _exit(3);
}

static void stop_by_a_timer(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGSTOP};
    timer_t timer;
    expect_refused(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
}

static void stop_by_a_child_that_ends(void)
{
    const long child = syscall(SYS_clone, SIGSTOP, NULL, NULL, NULL, NULL);
    if (child == 0)
        _exit(0);
    expect_refused(child > 0);
}

DEED(stop_itself, raise(SIGSTOP))
DEED(stop_its_group, kill(0, SIGTSTP))

/* Its judge waits for a process that is stopped from outside. */
static void none_stops_itself(void **state)
{
    static const enum walls_stage stages[] = {WALLS_CPU_DRIVER, WALLS_EXPLAIN};
    static const struct deed ending[] = {ENDED(stop_itself), ENDED(stop_its_group)};
    static const struct deed failing[] = {ENDED(stop_by_a_timer), ENDED(stop_by_a_child_that_ends)};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(stages); i++) {
        expect_all(stages[i], ending, COUNT_OF(ending), true);
        expect_all(stages[i], failing, COUNT_OF(failing), false);
    }
}

int main(void)
{
    setrlimit(RLIMIT_CORE, &(const struct rlimit){0});
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_are_not_changed),
        cmocka_unit_test(the_rest_goes_on),
        cmocka_unit_test(drivers_set_up_their_process_alone),
        cmocka_unit_test(none_stops_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
