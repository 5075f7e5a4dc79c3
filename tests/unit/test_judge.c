/* A rung that ends its process in whatever way is an ERROR with its reason, and nothing else happens: the others keep
 * their verdicts, and no process is left behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */

#include "between.h"
#include "verdicts.h"
#define FAIL_WITH(...) (print_error(__VA_ARGS__), _fail(__FILE__, __LINE__))

#include "base/clock.h"
#include "faulty_ladder.h"
#include "judge/judge.h"
#include "judge/protocol.h"

static struct device *cpu;

/* Checks the named rungs in one go. */
static struct measurement_list check(const struct child_limits *limits, const char *const *names, size_t count)
{
    struct judge judge = {.limits = *limits};
    struct measurement_list list = {0};
    struct problem problem;
    struct error error = {""};
    const struct overrides none = {0};
    const struct rung *rungs[JUDGE_RUNGS_MOST];
    assert_int_equal(problem_parse("faulty", &problem, &error), STATUS_OK);
    for (size_t i = 0; i < count; i++)
        if (!(rungs[i] = rung_by_name(&kernel_faulty, names[i], &error)))
            FAIL_WITH("%s", error.text);
    if (judge_check(&judge, &problem, cpu, rungs, count, &none, &list, &error) != STATUS_OK)
        FAIL_WITH("%s", error.text);
    judge_close(&judge);
    assert_int_equal(list.count, count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(list.items[i].rung, names[i]);
    /* Neither a zombie nor a process that runs. */
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    return list;
}

/* The sanitizers have words of their own for what they see. */
#if defined __SANITIZE_ADDRESS__
#define SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

static struct candidate faulty_candidate(const char *rung, struct problem *problem)
{
    struct candidate candidate;
    struct error error = {""};
    assert_int_equal(problem_parse("faulty", problem, &error), STATUS_OK);
    assert_int_equal(candidate_make(cpu, rung_by_name(&kernel_faulty, rung, &error), problem, NULL, &candidate, &error),
                     STATUS_OK);
    return candidate;
}

#ifndef SANITIZED
static size_t least = 1, most; /* of the blocks for which memory is out: in a child, what its parent's file says */

static const char *lacking_mark(pid_t parent, char mark[64])
{
    snprintf(mark, 64, "/tmp/uskor-test-judge-lacks-%ld", (long)parent);
    return mark;
}

__attribute__((constructor)) static void look_for_memory(void)
{
    char mark[64];
    size_t from = 0, to = 0;
    FILE *file = fopen(lacking_mark(getppid(), mark), "re");
    if (file && fscanf(file, "%zu %zu", &from, &to) == 2)
        least = from, most = to;
    if (file)
        fclose(file);
}

void *__libc_malloc(size_t bytes);

/* The program's own, before the C library's. Messages have a byte more than what is sent. */
void *malloc(size_t bytes)
{
    const bool is_job = least != most && bytes == sizeof(struct check_job) + 1; /* it is as large as a measurement */
    return bytes >= least && bytes <= most && !is_job ? NULL : __libc_malloc(bytes);
}

static void children_lack(size_t from, size_t to)
{
    char mark[64];
    FILE *file = fopen(lacking_mark(getpid(), mark), "we");
    assert_non_null(file);
    fprintf(file, "%zu %zu\n", from, to);
    assert_int_equal(fclose(file), 0);
}

enum asked { ASKED_CHECK, ASKED_BENCH, ASKED_COMPILE };

/* A verdict that cannot be sent, and a job that cannot be taken, are neither silence nor the rung's fault: on either
 * side of the channel. */
static void lack_of_memory_is_told(void **state)
{
    (void)state;
    static const size_t measurement = sizeof(struct measurement) + 1, check_job = sizeof(struct check_job) + 1,
                        bench_job = sizeof(struct bench_job) + 1, compile_job = sizeof(struct compile_job) + 1;
    const struct {
        enum asked asked;
        size_t least, most;
        bool is_parent;
        const char *said;
    } cases[] = {
        {ASKED_CHECK, measurement, SIZE_MAX, false, "no memory for another measurement"},
        {ASKED_BENCH, measurement, SIZE_MAX, false, "no memory for another measurement"},
        {ASKED_CHECK, check_job, check_job, false, "no memory for a message"},
        {ASKED_BENCH, bench_job, bench_job, false, "no memory for a message"},
        {ASKED_COMPILE, compile_job, compile_job, false, "no memory for a message"},
        {ASKED_CHECK, measurement, SIZE_MAX, true, "no memory for a message"},
        {ASKED_BENCH, measurement, SIZE_MAX, true, "no memory for a message"},
    };
    struct problem problem;
    const struct overrides none = {0};
    struct bench_options options = bench_defaults();
    const struct candidate candidate = faulty_candidate("last", &problem);
    options.seconds = 0.001;
    options.probe_ceilings = false;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct judge judge = {.limits = {0}};
        struct measurement_list list = {0};
        struct error error = {""};
        char mark[64];
        enum status status = STATUS_OK;
        children_lack(cases[i].is_parent ? 1 : cases[i].least, cases[i].is_parent ? 0 : cases[i].most);
        if (cases[i].is_parent)
            least = cases[i].least, most = cases[i].most;
        if (cases[i].asked == ASKED_CHECK)
            status = judge_check(&judge, &problem, cpu, &candidate.rung, 1, &none, &list, &error);
        else if (cases[i].asked == ASKED_BENCH)
            status = judge_bench(&(struct child_limits){0}, &problem, &candidate, 1, &options, &list, &error);
        else
            status = judge_compile(&judge, &problem, cpu, candidate.rung->name, &error);
        least = 1, most = 0;
        judge_close(&judge);
        unlink(lacking_mark(getpid(), mark));
        assert_string_equal(error.text, cases[i].said);
        assert_int_equal(status, STATUS_UNAVAILABLE);
        assert_int_equal(list.count, 0);
    }
}
#endif

static void every_end_has_its_reason(void **state)
{
    (void)state;
    static const struct {
        const char *rung, *reason;
    } cases[] = {
#ifndef SANITIZED
        {"segv", "crashed with SIGSEGV at the address 0x10"},
        {"abort", "crashed with SIGABRT; its last words: it gives up"},
        {"overflow", "crashed with SIGSEGV"},
        {"divide", "crashed with SIGFPE"},
        {"jump", "crashed with SIG"},
        {"read-past", "crashed with SIGSEGV: read past the end of array 'in'"},
#endif
        {"found", "exit code 1; its last words: SUMMARY: AddressSanitizer: heap-use-after-free f.c:1 in f"},
        {"exit0", "ended the process with exit code 0"},
        {"exit3", "ended the process with exit code 3"},
        {"_exit", "ended the process with exit code 0"},
        {"kill", "was ended by SIGKILL"},
        {"term", "was ended by SIGTERM"},
        {"close", "closed files that are not its own"},
        {"close-all", "closed files that are not its own"},
        {"close-low", "closed files that are not its own"},
        {"close-some", "closed files that are not its own"},
        {"close-one", "closed files that are not its own"},
        {"close-output", "closed files that are not its own"},
        {"replace", "closed files that are not its own"},
        {"write", "wrote into a file that is not its own"},
        {"child", "left a process of its own behind"},
        {"daemon", "left a process of its own behind"},
    };
    const char *names[2 * COUNT_OF(cases) + 1];
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        names[2 * i] = i % 2 ? "last" : "first";
        names[2 * i + 1] = cases[i].rung;
    }
    names[2 * COUNT_OF(cases)] = "last";
    struct measurement_list list = check(&(struct child_limits){0}, names, COUNT_OF(names));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        expect_reason(&list.items[2 * i], VERDICT_PASS, "");
        expect_reason(&list.items[2 * i + 1], VERDICT_ERROR, cases[i].reason);
    }
    expect_reason(&list.items[2 * COUNT_OF(cases)], VERDICT_PASS, "");
    measurement_list_free(&list);
}

/* It is found wrong, and a thread of its own goes on: the next rung's answer is not the one that this spoils. */
/* A process is started once for all problems whose rungs do well. */
static void a_process_serves_until_one_is_wrong(void **state)
{
    (void)state;
    struct judge judge = {.limits = {0}};
    struct measurement_list list = {0};
    struct problem problem;
    struct error error = {""};
    const struct overrides none = {0};
    const struct rung *const right[] = {faulty_candidate("last", &problem).rung},
                             *const wrong[] = {faulty_candidate("exit0", &problem).rung};
    pid_t first = 0;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(judge_check(&judge, &problem, cpu, right, 1, &none, &list, &error), STATUS_OK);
        assert_true(judge.child.id > 0);
        first = i ? first : judge.child.id;
        assert_int_equal(judge.child.id, first);
    }
    assert_int_equal(judge_check(&judge, &problem, cpu, wrong, 1, &none, &list, &error), STATUS_OK);
    assert_int_equal(judge_check(&judge, &problem, cpu, right, 1, &none, &list, &error), STATUS_OK);
    assert_int_not_equal(judge.child.id, first);
    judge_close(&judge);
    assert_int_equal(list.count, 4);
    measurement_list_free(&list);
}

static void who_comes_behind_a_wrong_rung_has_a_new_process(void **state)
{
    (void)state;
    static const char *const names[] = {"first", "goes-on", "last", "goes-on", "first"};
    struct measurement_list list = check(&(struct child_limits){0}, names, COUNT_OF(names));
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (i % 2 == 0)
            expect_reason(&list.items[i], VERDICT_PASS, "");
        else
            expect_reason(&list.items[i], VERDICT_FAIL, "");
    }
    measurement_list_free(&list);
}

static void what_a_rung_prints_disturbs_nobody(void **state)
{
    (void)state;
    static const char *const names[] = {"first", "talk", "last"};
    struct measurement_list list = check(&(struct child_limits){0}, names, COUNT_OF(names));
    for (size_t i = 0; i < COUNT_OF(names); i++)
        expect_reason(&list.items[i], VERDICT_PASS, "");
    measurement_list_free(&list);
}

static void a_rung_that_hangs_is_ended(void **state)
{
    (void)state;
    static const char *const names[] = {"spin", "sleep"};
    struct measurement_list list = check(&(struct child_limits){.seconds = 0.5}, names, COUNT_OF(names));
    for (size_t i = 0; i < COUNT_OF(names); i++)
        expect_reason(&list.items[i], VERDICT_ERROR, "no answer for 0.5 s");
    measurement_list_free(&list);
    static const char *const between[] = {"first", "sleep", "last"};
    list = check(&(struct child_limits){.seconds = 3}, between, COUNT_OF(between));
    expect_reason(&list.items[0], VERDICT_PASS, "");
    expect_reason(&list.items[1], VERDICT_ERROR, "no answer for 3 s");
    expect_reason(&list.items[2], VERDICT_PASS, "");
    measurement_list_free(&list);
}

/* Whoever stops a process says nothing of what it ran. */
static void a_stopped_process_is_waited_for_and_not_judged(void **state)
{
    (void)state;
    static const char *const names[] = {"stop"};
    struct measurement_list list = check(&(struct child_limits){.seconds = 0.5}, names, COUNT_OF(names));
    expect_reason(&list.items[0], VERDICT_ERROR, "disturbed: stopped from outside for 2.5 s");
    measurement_list_free(&list);
}

/* Threads that spin take the processors of those that they wait for. How the user said they wait, they wait. */
static void threads_sleep_where_nothing_is_timed(void **state)
{
    (void)state;
    static const char *const names[] = {"waits"};
    struct measurement_list list = check(&(struct child_limits){0}, names, 1);
    expect_reason(&list.items[0], VERDICT_PASS, "");
    measurement_list_free(&list);
}

/* Only where it is asked for: elsewhere a library is timed as it comes. */
static void libraries_rest_where_rounds_wait_for_them(void **state)
{
    (void)state;
    static const char *const names[] = {"rests"};
    struct measurement_list list = check(&(struct child_limits){.libraries_rest = true}, names, 1);
    expect_reason(&list.items[0], VERDICT_PASS, "");
    measurement_list_free(&list);
    list = check(&(struct child_limits){0}, names, 1);
    expect_reason(&list.items[0], VERDICT_FAIL, "");
    measurement_list_free(&list);
}

static void signs_of_life_are_no_message(void **state)
{
    (void)state;
    static const char *const names[] = {"lives"};
    struct measurement_list list = check(&(struct child_limits){.seconds = 60, .seconds_in_all = 1}, names, 1);
    expect_reason(&list.items[0], VERDICT_ERROR, "no answer for 1 s");
    measurement_list_free(&list);
}

static void a_rung_that_eats_the_memory_is_ended(void **state)
{
    (void)state;
    static const char *const names[] = {"first", "eat", "last"};
    struct measurement_list list =
        check(&(struct child_limits){.memory_bytes = (uint64_t)600 << 20}, names, COUNT_OF(names));
    expect_reason(&list.items[0], VERDICT_PASS, "");
    expect_reason(&list.items[1], VERDICT_ERROR, "of memory, more than there is for it");
    expect_reason(&list.items[2], VERDICT_PASS, "");
    measurement_list_free(&list);
}

/* The process ends when the arrays are freed, behind the last rung. */
static void who_breaks_the_heap_is_found(void **state)
{
    (void)state;
    static const char *const names[] = {"first", "heap", "last"};
    struct measurement_list list = check(&(struct child_limits){0}, names, COUNT_OF(names));
    expect_reason(&list.items[0], VERDICT_PASS, "");
    expect_refusal(&list.items[1]);
    expect_reason(&list.items[2], VERDICT_PASS, "");
    measurement_list_free(&list);
}

static void the_innocent_are_tried_alone(void **state)
{
    (void)state;
    static const char *const names[] = {"first", "poison", "last", "first"};
    struct measurement_list list = check(&(struct child_limits){0}, names, COUNT_OF(names));
    expect_reason(&list.items[0], VERDICT_PASS, "");
    expect_reason(&list.items[1], VERDICT_ERROR, "broke the process for the rungs behind it");
    expect_reason(&list.items[2], VERDICT_PASS, "");
    expect_reason(&list.items[3], VERDICT_PASS, "");
    measurement_list_free(&list);
}

static size_t finished_count;

static void count_finished(void *context, struct measurement *measurement)
{
    (void)context;
    (void)measurement;
    finished_count++;
}

/* Of rungs that are timed side by side the faulty ones are errors; the others have their samples. */
static void a_bench_goes_on_without_them(void **state)
{
    (void)state;
    static const char *const names[] = {"first", "exit0", "last", "kill"};
    struct candidate candidates[COUNT_OF(names)];
    struct measurement_list list = {0};
    struct problem problem;
    struct error error = {""};
    struct bench_options options = bench_defaults();
    options.seconds = 0.01;
    options.probe_ceilings = false;
    options.finished = count_finished;
    assert_int_equal(problem_parse("faulty", &problem, &error), STATUS_OK);
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_int_equal(
            candidate_make(cpu, rung_by_name(&kernel_faulty, names[i], &error), &problem, NULL, &candidates[i], &error),
            STATUS_OK);
    if (judge_bench(&(struct child_limits){0}, &problem, candidates, COUNT_OF(names), &options, &list, &error) !=
        STATUS_OK)
        FAIL_WITH("%s", error.text);
    assert_int_equal(list.count, COUNT_OF(names));
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_string_equal(list.items[i].rung, names[i]);
    expect_reason(&list.items[0], VERDICT_PASS, "");
    expect_reason(&list.items[1], VERDICT_ERROR, "exit code 0");
    expect_reason(&list.items[2], VERDICT_PASS, "");
    expect_reason(&list.items[3], VERDICT_ERROR, "SIGKILL");
    assert_true(list.items[0].phases[PHASE_COMPUTE].count >= 5);
    assert_true(list.items[2].phases[PHASE_COMPUTE].count >= 5);
    assert_true(finished_count >= COUNT_OF(names));
    measurement_list_free(&list);
}

/* A first look that finds a rung's neighbours ends with the rungs that broke it, and with figures of the others that
 * are verified. */
static void a_rung_is_timed_beside_its_neighbours(void **state)
{
    (void)state;
    struct problem problem;
    const struct candidate candidates[] = {faulty_candidate("exit0", &problem), faulty_candidate("last", &problem)};
    struct measurement_list list = {0};
    struct error error = {""};
    struct bench_options options = bench_defaults();
    options.seconds = 0.001;
    options.probe_ceilings = false;
    options.neighbours_of = candidates[1].rung;
    if (judge_bench(&(struct child_limits){0}, &problem, candidates, COUNT_OF(candidates), &options, &list, &error) !=
        STATUS_OK)
        FAIL_WITH("%s", error.text);
    assert_int_equal(list.count, COUNT_OF(candidates));
    expect_reason(&list.items[0], VERDICT_ERROR, "exit code 0");
    expect_reason(&list.items[1], VERDICT_PASS, "");
    assert_true(list.items[1].phases[PHASE_COMPUTE].count >= 5);
    measurement_list_free(&list);
}

/* What compiles ahead is waited for, or is ended where there is no time left. */
static void compiling_ahead_ends(void **state)
{
    (void)state;
    struct problem problem;
    struct error error = {""};
    const struct bench_options options = bench_defaults();
    const struct child_limits limits = {0};
    struct judge_ahead ahead = {0};
    const struct candidate works = faulty_candidate("last", &problem), hangs = faulty_candidate("sleep", &problem);
    assert_int_equal(judge_ahead_start(&ahead, &limits, &problem, &works, 1, &options, &error), STATUS_OK);
    const int64_t begun = clock_now();
    assert_true(judge_ahead_wait(&ahead, 1, 0));
    assert_int_equal(ahead.stages, 1);
    assert_between(ahead.last_stage, begun, clock_now());
    assert_true(judge_ahead_wait(&ahead, 2, 0)); /* no library: the child has ended */
    assert_int_equal(ahead.stages, 1);
    assert_int_equal(ahead.child.id, 0);
    assert_true(judge_ahead_wait(&ahead, 1, 0)); /* there is none */
    assert_int_equal(judge_ahead_start(&ahead, &limits, &problem, &hangs, 1, &options, &error), STATUS_OK);
    assert_false(judge_ahead_wait(&ahead, 1, 1));
    assert_int_not_equal(ahead.child.id, 0);
    judge_ahead_stop(&ahead);
    assert_int_equal(ahead.child.id, 0);
}

/* A process that ends where no rung runs: the rungs of devices are out, as their drivers may have done it. */
static void the_cpu_goes_on_without_the_devices(void **state)
{
    (void)state;
    struct device *null;
    struct candidate candidates[2];
    struct measurement_list list = {0};
    struct problem problem;
    struct error error = {""};
    char mark[64];
    struct bench_options options = bench_defaults();
    options.seconds = 0.01;
    options.probe_ceilings = false;
    assert_int_equal(problem_parse("faulty", &problem, &error), STATUS_OK);
    assert_int_equal(device_open("null", &null, &error), STATUS_OK);
    const struct rung *rung = rung_by_name(&kernel_faulty, "first", &error);
    assert_int_equal(candidate_make(null, rung, &problem, NULL, &candidates[0], &error), STATUS_OK);
    assert_int_equal(candidate_make(cpu, rung, &problem, NULL, &candidates[1], &error), STATUS_OK);
    fclose(fopen(faulty_mark(getpid(), mark), "w"));
    if (judge_bench(&(struct child_limits){0}, &problem, candidates, 2, &options, &list, &error) != STATUS_OK)
        FAIL_WITH("%s", error.text);
    assert_int_equal(list.count, 2);
    expect_reason(&list.items[0], VERDICT_ERROR, "a device's driver: ended the process with exit code 7");
    expect_reason(&list.items[1], VERDICT_PASS, "");
    measurement_list_free(&list);
    device_close(null);
}

/* Where a driver is missing in the child, its neighbour has its number. */
static void a_child_opens_no_other_device(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *device = NULL;
    struct device_job job = judge_name_device(cpu), other = job;
    strcpy(other.name, "Another Processor");
    assert_int_equal(judge_device(&other, &device, &error), STATUS_UNAVAILABLE);
    if (!strstr(error.text, "instead of Another Processor"))
        FAIL_WITH("%s", error.text);
    assert_int_equal(judge_device(&job, &device, &error), STATUS_OK);
    assert_string_equal(device->id, "cpu");
}

int main(int argc, char **argv)
{
    struct error error;
    judge_main(argc, argv);
    if (device_open("cpu", &cpu, &error) != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
#ifndef SANITIZED
        cmocka_unit_test(lack_of_memory_is_told),
#endif
        cmocka_unit_test(every_end_has_its_reason),
        cmocka_unit_test(a_child_opens_no_other_device),
        cmocka_unit_test(what_a_rung_prints_disturbs_nobody),
        cmocka_unit_test(a_rung_that_hangs_is_ended),
        cmocka_unit_test(a_stopped_process_is_waited_for_and_not_judged),
        cmocka_unit_test(threads_sleep_where_nothing_is_timed),
        cmocka_unit_test(libraries_rest_where_rounds_wait_for_them),
        cmocka_unit_test(signs_of_life_are_no_message),
        cmocka_unit_test(a_rung_that_eats_the_memory_is_ended),
        cmocka_unit_test(who_breaks_the_heap_is_found),
        cmocka_unit_test(the_innocent_are_tried_alone),
        cmocka_unit_test(a_bench_goes_on_without_them),
        cmocka_unit_test(a_rung_is_timed_beside_its_neighbours),
        cmocka_unit_test(compiling_ahead_ends),
        cmocka_unit_test(the_cpu_goes_on_without_the_devices),
        cmocka_unit_test(who_comes_behind_a_wrong_rung_has_a_new_process),
        cmocka_unit_test(a_process_serves_until_one_is_wrong),
    };
    int code = cmocka_run_group_tests(tests, NULL, NULL);
    device_close(cpu);
    return code;
}
