/* Each rung is blamed for its own faults, and for all of them: stray writes and reads, the floating-point environment
 * of every thread. No rung is blamed for another's. */
#include "cheats.h"

#include <fenv.h>
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backends/cpu/floating_state.h"
#include "lab/verification/guard_pages.h"

/* ---- wrong in every run ------------------------------------------------------------------------------------------ */

static enum status fill_with(struct run *run, uint32_t value)
{
    struct matrix m = matrix_of(run);
    for (size_t i = 0; i < m.count; i++)
        m.out[i] = value;
    return STATUS_OK;
}

static enum status writes_nan(struct run *run, struct error *error)
{
    (void)error;
    return fill_with(run, 0x7fc00000);
}

static enum status writes_zero(struct run *run, struct error *error)
{
    (void)error;
    return fill_with(run, 0);
}

static enum status leaves_the_tail(struct run *run, struct error *error)
{
    (void)error;
    struct matrix m = matrix_of(run);
    transpose_rows(&m, 0, m.rows / 8 * 8);
    return STATUS_OK;
}

static enum status writes_past_the_end(struct run *run, struct error *error)
{
    struct matrix m = matrix_of(run);
    m.out[m.count] = 1;
    return right(run, error);
}

static enum status writes_before_the_start(struct run *run, struct error *error)
{
    struct matrix m = matrix_of(run);
    m.out[-1] ^= 1;
    return right(run, error);
}

static enum status spoils_its_input(struct run *run, struct error *error)
{
    enum status status = right(run, error);
    ((uint32_t *)run->buffers[0].host)[7] ^= 1;
    return status;
}

static enum status reads_past_the_end(struct run *run, struct error *error)
{
    struct matrix m = matrix_of(run);
    volatile uint32_t seen = m.in[m.count];
    (void)seen;
    return right(run, error);
}

static enum status reads_before_the_start(struct run *run, struct error *error)
{
    struct matrix m = matrix_of(run);
    volatile uint32_t seen = m.in[-1];
    (void)seen;
    return right(run, error);
}

/* ---- the floating-point environment ------------------------------------------------------------------------------ */

#if defined __x86_64__ || defined __aarch64__
static void flush_to_zero(void)
{
    struct floating_control control = floating_control_read();
#if defined __x86_64__
    control.vector |= 0x8040;
#else
    control.vector |= 1u << 24;
#endif
    floating_control_write(control);
}

static enum status flushes_in_the_last_thread(struct run *run, struct error *error)
{
#pragma omp parallel
    if (omp_get_thread_num() == omp_get_num_threads() - 1)
        flush_to_zero();
    return right(run, error);
}
#endif

#if defined __x86_64__ || defined __aarch64__
/* LLVM's OpenMP begins every parallel region with the first thread's floating-point state in all threads. */
static bool threads_take_the_first_ones_state(void)
{
    bool is_kept = false;
#pragma omp parallel
    if (omp_get_thread_num() == omp_get_num_threads() - 1)
        flush_to_zero();
#pragma omp parallel
    {
        if (omp_get_thread_num() == omp_get_num_threads() - 1)
            is_kept = floating_control_read().vector != floating_control_default().vector;
        floating_control_write(floating_control_default());
    }
    floating_control_write(floating_control_default());
    return !is_kept;
}
#endif

static enum status rounds_down(struct run *run, struct error *error)
{
    fesetround(FE_DOWNWARD);
    return right(run, error);
}

/* ---- the tests ----------------------------------------------------------------------------------------------------
 */

static struct measurement_list check_rungs(const struct rung *const *rungs, size_t count, const char *text)
{
    struct problem problem;
    struct device *device = NULL;
    struct error error = {""};
    struct measurement_list list = {0};
    if (problem_parse(text, &problem, &error) != STATUS_OK || device_open("cpu", &device, &error) != STATUS_OK)
        FAIL_WITH("%s", error.text);
    if (lab_check(&problem, device, rungs, count, NULL, &list, &error) != STATUS_OK)
        FAIL_WITH("%s", error.text);
    assert_int_equal(list.count, count);
    device_close(device);
    return list;
}

/* Checked and benched between two right ones, which pass. */
static void expect_blamed(const char *name, enqueue_function *wrong, const char *word)
{
    struct rung before = host_rung("before", right), rung = host_rung(name, wrong), after = host_rung("after", right);
    const struct rung *rungs[] = {&before, &rung, &after};
    for (int benched = 0; benched < 2; benched++) {
        struct measurement_list list = benched ? bench_rungs("cpu", rungs, COUNT_OF(rungs), SMALL, false)
                                               : check_rungs(rungs, COUNT_OF(rungs), "transpose:rows=67,cols=129");
        expect_reason(&list.items[0], VERDICT_PASS, "");
        expect_reason(&list.items[1], VERDICT_FAIL, word);
        expect_reason(&list.items[2], VERDICT_PASS, "");
        measurement_list_free(&list);
    }
}

static void test_wrong_answers(void **state)
{
    (void)state;
    struct rung nan = host_rung("nan", writes_nan), zero = host_rung("zero", writes_zero),
                tail = host_rung("tail", leaves_the_tail);
    const struct rung *rungs[] = {&nan, &zero, &tail};
    struct measurement_list list = check_rungs(rungs, COUNT_OF(rungs), "transpose:rows=67,cols=129");
    for (size_t i = 0; i < list.count; i++)
        expect_reason(&list.items[i], VERDICT_FAIL, "elements are wrong");
    measurement_list_free(&list);
}

static void test_stray_writes(void **state)
{
    (void)state;
    expect_blamed("past", writes_past_the_end, "wrote past the end of array 'out'");
    expect_blamed("before the start", writes_before_the_start, "wrote before the start of array 'out'");
    expect_blamed("input", spoils_its_input, "changed its input 'in'");
}

static void test_floating_state(void **state)
{
    (void)state;
    const struct floating_control usual = floating_control_read();
#if defined __x86_64__ || defined __aarch64__
    char where[64];
    snprintf(where, sizeof where, "left flush-to-zero set in OpenMP thread %d", omp_get_max_threads() - 1);
    if (!threads_take_the_first_ones_state()) /* there nothing is left to be seen */
        expect_blamed("flushes", flushes_in_the_last_thread, where);
#endif
    expect_blamed("rounds", rounds_down, "left another rounding mode set in OpenMP thread 0");
    assert_int_equal(floating_control_read().vector, usual.vector);
    assert_int_equal(fegetround(), FE_TONEAREST);
}

/* What the caller had is the caller's again; the lab computes as the standard says meanwhile. */
static void test_caller_keeps_its_state(void **state)
{
    (void)state;
    struct rung honest = host_rung("honest", right);
    const struct rung *rungs[] = {&honest};
    fesetround(FE_UPWARD);
    struct measurement_list list = check_rungs(rungs, 1, SMALL);
    assert_int_equal(fegetround(), FE_UPWARD);
    fesetround(FE_TONEAREST);
    expect_reason(&list.items[0], VERDICT_PASS, "");
    measurement_list_free(&list);
}

/* ---- guard pages: in a child, which dies of it ---------------------------------------------------------------------
 */

static int report_to;

static void on_fault(int number, siginfo_t *information, void *context)
{
    char text[128];
    (void)number;
    if (!guard_pages_describe(information->si_addr, guard_pages_wrote(context), text, sizeof text))
        strcpy(text, "elsewhere");
    if (write(report_to, text, strlen(text)) < 0)
        _exit(2);
    _exit(1);
}

static void check_in_a_child(enqueue_function *enqueue, const char *text)
{
    struct rung rung = host_rung("trial", enqueue);
    const struct rung *rungs[] = {&rung};
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    guard_pages_allow(true);
    omp_set_num_threads(1); /* a forked process has no threads of its parent's */
    struct measurement_list list = check_rungs(rungs, 1, text);
    const char *found = list.items[0].verdict == VERDICT_PASS ? "passed" : list.items[0].reason;
    _exit(write(report_to, found, strlen(found)) < 0 ? 2 : 0);
}

/* What a check in a child of its own says. */
static const char *check_apart(enqueue_function *enqueue, const char *text)
{
    static char told[512];
    int ends[2], state;
    assert_int_equal(pipe(ends), 0);
    report_to = ends[1];
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        check_in_a_child(enqueue, text);
    close(ends[1]);
    ssize_t length = read(ends[0], told, sizeof told - 1);
    told[length > 0 ? length : 0] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &state, 0), child);
    return told;
}

static void expect_fault(enqueue_function *enqueue, const char *text, const char *expected)
{
    assert_string_equal(check_apart(enqueue, text), expected);
}

static void test_stray_reads(void **state)
{
    (void)state;
    static const char *const texts[] = {"transpose:rows=67,cols=129", "transpose:rows=32,cols=32",
                                        "transpose:rows=1,cols=1"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        expect_fault(right, texts[i], "passed");
        expect_fault(reads_past_the_end, texts[i], "read past the end of array 'in'");
        expect_fault(reads_before_the_start, texts[i], "read before the start of array 'in'");
#if defined __x86_64__ || defined __aarch64__
        expect_fault(writes_past_the_end, texts[i], "wrote past the end of array 'out'");
#endif
    }
}

/* It leaves no trace: what it read is there again. */
static enum status borrows_its_input(struct run *run, struct error *error)
{
    uint32_t *in = run->buffers[0].host;
    in[0] ^= 1;
    in[0] ^= 1;
    __asm__ volatile("" ::: "memory");
    *(volatile uint32_t *)in = *(volatile uint32_t *)in;
    return right(run, error);
}

static void test_borrowed_inputs(void **state)
{
    (void)state;
    expect_fault(borrows_its_input, "transpose:rows=67,cols=129", "wrote to its input 'in'");
    expect_fault(borrows_its_input, "transpose:rows=1,cols=1", "wrote to its input 'in'");
}

/* Counts the runs on one preparation: the first is right. */
static enum status is_wrong_from_the_second_run_on(struct run *run, struct error *error)
{
    enum status status = right(run, error);
    if (run->state)
        matrix_of(run).out[0] ^= 1;
    run->state = run;
    return status;
}

static void test_second_runs(void **state)
{
    (void)state;
    const char *told = check_apart(is_wrong_from_the_second_run_on, "transpose:rows=67,cols=129");
    if (!strstr(told, "1 of 8643 elements are wrong"))
        FAIL_WITH("it says: %s", told);
}

/* Large, so that the system has just given it: it is zero. */
static enum status reads_what_it_allocated(struct run *run, struct error *error)
{
    volatile uint32_t *own = malloc(4 << 20);
    enum status status = right(run, error);
    matrix_of(run).out[0] ^= own ? own[5] : 0;
    free((void *)own);
    return status;
}

static enum status reads_what_it_freed(struct run *run, struct error *error)
{
    enum status status = right(run, error);
    volatile uint32_t *first = calloc(1, 64), *again;
    free((void *)first);
    again = malloc(64);
    matrix_of(run).out[0] ^= again ? again[7] : 0;
    free((void *)again);
    return status;
}

/* Chunks that the thread keeps, full of zeros: freed memory is not filled anew there. */
static void leave_zeros(void)
{
    void *volatile chunks[7];
    for (size_t i = 0; i < COUNT_OF(chunks); i++)
        chunks[i] = calloc(1, 64);
    for (size_t i = 0; i < COUNT_OF(chunks); i++)
        free(chunks[i]);
}

static void test_memory_that_is_not_written(void **state)
{
    (void)state;
    leave_zeros();
    static enqueue_function *const readers[] = {reads_what_it_allocated, reads_what_it_freed};
    for (size_t i = 0; i < COUNT_OF(readers); i++) {
        const char *told = check_apart(readers[i], "transpose:rows=67,cols=129");
        if (!strstr(told, "1 of 8643 elements are wrong"))
            FAIL_WITH("reader %zu: it says: %s", i, told);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_borrowed_inputs), /* first: a process that has threads is not forked */
        cmocka_unit_test(test_memory_that_is_not_written),
        cmocka_unit_test(test_second_runs),
        cmocka_unit_test(test_stray_reads),
        cmocka_unit_test(test_wrong_answers),
        cmocka_unit_test(test_stray_writes),
        cmocka_unit_test(test_floating_state),
        cmocka_unit_test(test_caller_keeps_its_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
