/* A rung that leaves its process other than it was is refused, though its answer is right: by check, and by bench in
 * the program itself. What it changed is as before for the rungs behind it, which keep their verdicts. */
#include "cheats.h"

#include <dirent.h>
#include <fcntl.h>
#include <locale.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "lab/verification/process_code.h"
#include "lab/verification/process_state.h"

static void obey(int number)
{
    (void)number;
}

static void *rest(void *nothing)
{
    for (;;)
        pause();
    return nothing;
}

static void *end_at_once(void *nothing)
{
    return nothing;
}

static void handles_a_signal(void)
{
    signal(SIGUSR1, obey);
}

static void ignores_a_signal(void)
{
    signal(SIGSEGV, SIG_IGN);
}

/* Each deed changes what it finds: whoever started the test may have done the same before. */
static void blocks_a_signal(void)
{
    sigset_t set;
    pthread_sigmask(SIG_BLOCK, NULL, &set);
    if (sigismember(&set, SIGALRM))
        sigdelset(&set, SIGALRM);
    else
        sigaddset(&set, SIGALRM);
    pthread_sigmask(SIG_SETMASK, &set, NULL);
}

static void takes_another_stack(void)
{
    static char memory[1 << 16];
    const stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
    sigaltstack(&stack, NULL);
}

static void sets_a_variable(void)
{
    setenv("OMP_NUM_THREADS", "1234", 1);
}

static void clears_the_environment(void)
{
    clearenv();
}

static void writes_into_a_variable(void)
{
    char *path = getenv("PATH");
    if (path)
        path[0] = '?';
}

static void changes_the_locale(void)
{
    if (!setlocale(LC_NUMERIC, "C.UTF-8"))
        abort();
}

static void changes_its_threads_locale(void)
{
    uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

static void takes_fewer_threads(void)
{
    omp_set_num_threads(omp_get_max_threads() + 1);
}

static void takes_another_schedule(void)
{
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    omp_set_schedule(omp_sched_guided, chunk + 7);
}

static void nests_its_threads(void)
{
    omp_set_max_active_levels(omp_get_max_active_levels() == 1 ? 2 : 1);
}

static void binds_itself(void)
{
    cpu_set_t all, one;
    CPU_ZERO(&one);
    sched_getaffinity(0, sizeof all, &all);
    for (int i = 0; CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &one);
    sched_setaffinity(0, sizeof one, &one);
}

static void binds_its_team(void)
{
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
        binds_itself();
}

static void starts_a_thread(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, rest, NULL) != 0)
        abort();
}

static void starts_a_process(void)
{
    if (fork() == 0)
        for (;;)
            pause();
}

/* clone() without a signal for its end: such a process is no one's child for an ordinary wait. */
static void starts_a_silent_process(void)
{
    if (syscall(SYS_clone, 0, NULL, NULL, NULL, NULL) == 0)
        for (;;)
            pause();
}

static void fills_its_registers(void)
{
#ifdef __x86_64__
    for (int i = 0; i < 8; i++)
        __asm__ volatile("fld1");
#endif
}

static void starts_a_daemon(void)
{
    if (fork() == 0) {
        setsid();
        if (fork() == 0)
            for (;;)
                pause();
        _exit(0);
    }
}

static void leaves_a_zombie(void)
{
    if (fork() == 0)
        _exit(0);
}

static void opens_a_file(void)
{
    if (open("/dev/null", O_RDONLY) < 0)
        abort();
}

static void closes_a_file(void)
{
    close(5);
}

static void closes_many_files(void)
{
    close_range(20, 900, 0);
}

static void puts_another_in_its_place(void)
{
    int ends[2];
    if (pipe(ends) != 0)
        abort();
    dup2(ends[0], 7);
    close(ends[0]);
    close(ends[1]);
}

/* ---- each of them ---------------------------------------------------------------------------------------------------
 */

static const struct deed {
    const char *name, *reason;
    void (*act)(void);
    enum verdict verdict;
} deeds[] = {
    {"handler", "left another handler for SIGUSR1", handles_a_signal, VERDICT_FAIL},
    {"ignore", "left another handler for SIGSEGV", ignores_a_signal, VERDICT_FAIL},
    {"block", "left other signals blocked", blocks_a_signal, VERDICT_FAIL},
    {"stack", "left another stack for signals", takes_another_stack, VERDICT_FAIL},
    {"variable", "left another environment", sets_a_variable, VERDICT_FAIL},
    {"clearenv", "left another environment", clears_the_environment, VERDICT_FAIL},
    {"path", "left another environment", writes_into_a_variable, VERDICT_FAIL},
    {"locale", "left another locale", changes_the_locale, VERDICT_FAIL},
    {"uselocale", "left another locale", changes_its_threads_locale, VERDICT_FAIL},
    {"threads", "left another number of OpenMP threads", takes_fewer_threads, VERDICT_FAIL},
    {"schedule", "left other settings of OpenMP", takes_another_schedule, VERDICT_FAIL},
    {"levels", "left other settings of OpenMP", nests_its_threads, VERDICT_FAIL},
    {"bind", "left a thread bound to other cores", binds_itself, VERDICT_FAIL},
    {"bind-team", "left a thread bound to other cores", binds_its_team, VERDICT_FAIL},
    {"thread", "left a thread of its own running", starts_a_thread, VERDICT_FAIL},
    {"process", "left a process of its own behind", starts_a_process, VERDICT_ERROR},
    {"silent", "left a process of its own behind", starts_a_silent_process, VERDICT_ERROR},
    {"registers", "left another floating-point environment", fills_its_registers, VERDICT_FAIL},
    {"daemon", "left a process of its own behind", starts_a_daemon, VERDICT_ERROR},
    {"zombie", "left a process of its own behind", leaves_a_zombie, VERDICT_ERROR},
    {"open", "left a file open", opens_a_file, VERDICT_FAIL},
    {"close", "closed files that are not its own", closes_a_file, VERDICT_ERROR},
    {"close-many", "closed files that are not its own", closes_many_files, VERDICT_ERROR},
    {"replace", "closed files that are not its own", puts_another_in_its_place, VERDICT_ERROR},
};

static const struct deed *deed;
static int calls, first_call; /* of the rung; the one from which on it does its deed */

static enum status does_its_deed(struct run *run, struct error *error)
{
    if (++calls >= first_call)
        deed->act();
    return right(run, error);
}

static bool has_another_locale(void)
{
    locale_t locale = newlocale(LC_NUMERIC_MASK, "C.UTF-8", (locale_t)0);
    if (locale)
        freelocale(locale);
    return locale;
}

/* Some deeds cannot be done here: one core. */
static bool is_possible(void)
{
    cpu_set_t cores;
    sched_getaffinity(0, sizeof cores, &cores);
#ifndef __x86_64__
    if (deed->act == fills_its_registers)
        return false;
#endif
    if (deed->act == changes_the_locale)
        return has_another_locale();
    if (deed->act == binds_its_team && omp_get_thread_limit() < 2)
        return false;
    return !(deed->act == binds_itself || deed->act == binds_its_team) || CPU_COUNT(&cores) > 1;
}

static void expect_in_bench(const char *problem, int from)
{
    struct rung rung = host_rung(deed->name, does_its_deed), neighbour = host_rung("neighbour", right);
    const struct rung *rungs[] = {&neighbour, &rung, &neighbour};
    calls = 0;
    first_call = from;
    struct measurement_list list = bench_rungs("cpu", rungs, 2, problem, false);
    expect_reason(&list.items[1], deed->verdict, deed->reason);
    expect_reason(&list.items[0], VERDICT_PASS, "");
    measurement_list_free(&list);
}

static void bench_sees_it_in_the_first_run(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(deeds); i++) {
        deed = &deeds[i];
        if (is_possible())
            expect_in_bench(SMALL, 1);
    }
}

/* After the verification, while it is timed. */
static void bench_sees_it_in_a_timed_run(void **state)
{
    (void)state;
    static const char *const some[] = {"handler", "variable", "threads", "process", "open", "close", "thread"};
    for (size_t i = 0; i < COUNT_OF(deeds); i++)
        for (size_t s = 0; s < COUNT_OF(some); s++)
            if (strcmp(some[s], deeds[i].name) == 0) {
                deed = &deeds[i];
                expect_in_bench(LARGE, 7);
            }
}

static void check_sees_it(void **state)
{
    (void)state;
    struct problem problem;
    struct device *device;
    struct error error = {""};
    struct rung neighbour = host_rung("neighbour", right);
    const struct overrides none = {0};
    assert_int_equal(problem_parse(SMALL, &problem, &error), STATUS_OK);
    assert_int_equal(device_open("cpu", &device, &error), STATUS_OK);
    for (size_t i = 0; i < COUNT_OF(deeds); i++) {
        struct rung rung = host_rung(deeds[i].name, does_its_deed);
        const struct rung *rungs[] = {&neighbour, &rung, &neighbour};
        struct measurement_list list = {0};
        deed = &deeds[i];
        calls = 0;
        first_call = 2;
        if (!is_possible())
            continue;
        assert_int_equal(lab_check(&problem, device, rungs, COUNT_OF(rungs), &none, &list, &error), STATUS_OK);
        expect_reason(&list.items[0], VERDICT_PASS, "");
        expect_reason(&list.items[1], deed->verdict, deed->reason);
        expect_reason(&list.items[2], VERDICT_PASS, "");
        measurement_list_free(&list);
    }
    device_close(device);
}

/* Files, handlers, a team of another size, a thread that ends: used and put back. */
static void uses_the_process_and_puts_it_back(void)
{
    FILE *file = tmpfile();
    struct sigaction before;
    pthread_t thread;
    void *nothing;
    if (file)
        fclose(file);
    sigaction(SIGUSR1, &(const struct sigaction){.sa_handler = obey}, &before);
    sigaction(SIGUSR1, &before, NULL);
    if (pthread_create(&thread, NULL, end_at_once, NULL) == 0)
        pthread_join(thread, &nothing);
#pragma omp parallel num_threads(5)
    sched_yield();
#pragma omp parallel num_threads(1)
    sched_yield();
}

static void who_puts_everything_back_is_right(void **state)
{
    (void)state;
    static const struct deed good = {"good", "", uses_the_process_and_puts_it_back, VERDICT_PASS};
    deed = &good;
    expect_in_bench(SMALL, 1);
    expect_in_bench(LARGE, 1);
}

/* What "taskset -a" and a control group do while a rung runs. */
static void all_lose_a_core(void)
{
    cpu_set_t all, one;
    DIR *threads = opendir("/proc/self/task");
    CPU_ZERO(&one);
    sched_getaffinity(0, sizeof all, &all);
    for (int i = 0; CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &one);
    assert_non_null(threads);
    for (const struct dirent *entry; (entry = readdir(threads));)
        if (entry->d_name[0] != '.')
            sched_setaffinity((pid_t)strtol(entry->d_name, NULL, 10), sizeof one, &one);
    closedir(threads);
}

static void what_comes_from_outside_is_no_rungs_fault(void **state)
{
    (void)state;
    static const struct deed outside = {"outside", "", all_lose_a_core, VERDICT_PASS};
    deed = &outside;
    expect_in_bench(SMALL, 1);
}

/* What the program never writes to: its code, tables and constants. */
static const char constants[3 * 4096] = "constant";

static void changed_code_is_seen(void **state)
{
    (void)state;
    struct error error;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *inside = (char *)((uintptr_t)constants / page * page);
    process_code_note();
    assert_int_equal(process_code_check(&error), STATUS_OK);
    assert_int_equal(mprotect(inside, page, PROT_READ | PROT_WRITE), 0);
    inside[page - 1] ^= 1;
    assert_int_equal(process_code_check(&error), STATUS_FAILED);
    inside[page - 1] ^= 1;
    assert_int_equal(mprotect(inside, page, PROT_NONE), 0);
    assert_int_equal(process_code_check(&error), STATUS_FAILED);
    assert_int_equal(mprotect(inside, page, PROT_READ), 0);
    assert_int_equal(process_code_check(&error), STATUS_OK);
}

static struct sigaction first_action; /* for SIGUSR1 */

/* After all of this the program itself is as it was. */
static void nothing_is_left(void **state)
{
    (void)state;
    struct sigaction action;
    sigaction(SIGUSR1, NULL, &action);
    assert_ptr_equal(action.sa_handler, first_action.sa_handler);
    if (getenv("PATH"))
        assert_int_not_equal(getenv("PATH")[0], '?');
}

int main(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* as the program does */
    sigaction(SIGUSR1, NULL, &first_action);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_sees_it),
        cmocka_unit_test(bench_sees_it_in_the_first_run),
        cmocka_unit_test(bench_sees_it_in_a_timed_run),
        cmocka_unit_test(who_puts_everything_back_is_right),
        cmocka_unit_test(what_comes_from_outside_is_no_rungs_fault),
        cmocka_unit_test(changed_code_is_seen),
        cmocka_unit_test(nothing_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
