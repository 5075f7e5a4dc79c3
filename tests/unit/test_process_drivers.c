/* Drivers own threads, files, handlers and variables of the process, and change them at any time: a right rung that
 * runs meanwhile keeps its verdict. What only a rung can have done is seen beside a driver, too. */
#include "cheats.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/clock.h"

static struct device *driver; /* NULL: there is none here, and the reason was printed */
static atomic_bool driver_ends;

/* As a driver does that writes its cache in a thread of its own: descriptors come and go, thousands of times a second.
 */
static void *opens_and_closes_files(void *unused)
{
    while (!atomic_load(&driver_ends)) {
        int files[3];
        for (size_t i = 0; i < COUNT_OF(files); i++)
            files[i] = open("/dev/null", O_RDONLY | O_CLOEXEC);
        clock_sleep(20000);
        for (size_t i = 0; i < COUNT_OF(files); i++)
            if (files[i] >= 0)
                close(files[i]);
        clock_sleep(20000);
    }
    return unused;
}

static void *rest(void *nothing)
{
    for (;;)
        pause();
    return nothing;
}

static void obey(int number)
{
    (void)number;
}

/* Within the rung's calls, where every comparison would see it. */
static enum status right_while_a_driver_is_at_work(struct run *run, struct error *error)
{
    static int calls;
    pthread_t thread;
    sigset_t set;
    if (calls++ % 5 == 0 && calls < 100) {
        sigemptyset(&set);
        sigaddset(&set, SIGALRM);
        pthread_sigmask(calls % 2 ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
        signal(SIGUSR1, calls % 2 ? obey : SIG_DFL);
        setenv("USKOR_DRIVERS_OWN", calls % 2 ? "1" : "2", 1);
        if (open("/dev/null", O_RDONLY) < 0 || pthread_create(&thread, NULL, rest, NULL) != 0)
            abort();
        pthread_detach(thread);
    }
    return right(run, error);
}

static enum status closes_a_file(struct run *run, struct error *error)
{
    close(27); /* one of those that the lab watches: drivers get lower ones */
    return right(run, error);
}

static enum status starts_a_daemon(struct run *run, struct error *error)
{
    if (fork() == 0) {
        setsid();
        if (fork() == 0)
            for (;;)
                pause();
        _exit(0);
    }
    return right(run, error);
}

static void expect(enqueue_function *enqueue, enum verdict verdict, const char *reason)
{
    struct rung rung = host_rung("beside-a-driver", enqueue), neighbour = host_rung("neighbour", right);
    const struct rung *rungs[] = {&neighbour, &rung};
    static const char *const problems[] = {SMALL, LARGE};
    for (size_t i = 0; i < COUNT_OF(problems); i++) {
        struct measurement_list list = bench_rungs("cpu", rungs, COUNT_OF(rungs), problems[i], false);
        expect_reason(&list.items[0], VERDICT_PASS, "");
        expect_reason(&list.items[1], verdict, reason);
        measurement_list_free(&list);
    }
}

static void a_drivers_deeds_are_no_rungs_fault(void **state)
{
    (void)state;
    pthread_t thread;
    if (!driver)
        skip();
    assert_int_equal(pthread_create(&thread, NULL, opens_and_closes_files, NULL), 0);
    expect(right_while_a_driver_is_at_work, VERDICT_PASS, "");
    atomic_store(&driver_ends, true);
    pthread_join(thread, NULL);
}

static void what_only_a_rung_does_is_seen(void **state)
{
    (void)state;
    if (!driver)
        skip();
    expect(closes_a_file, VERDICT_ERROR, "closed files that are not its own");
    expect(starts_a_daemon, VERDICT_ERROR, "left a process of its own behind");
}

static int open_driver(void **state)
{
    (void)state;
    struct error why;
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* as the program does */
    if (device_open("opencl", &driver, &why) != STATUS_OK && device_open("opengl", &driver, &why) != STATUS_OK)
        print_message("SKIP: %s\n", why.text);
    return 0;
}

static int close_driver(void **state)
{
    (void)state;
    device_close(driver);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_only_a_rung_does_is_seen), /* first: numbers to watch are free */
        cmocka_unit_test(a_drivers_deeds_are_no_rungs_fault),
    };
    return cmocka_run_group_tests(tests, open_driver, close_driver);
}
