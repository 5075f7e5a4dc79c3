/* A kernel that copies words, and a ladder of rungs that end their process in every way there is, between two that are
 * right. A test that includes this brings its own list of kernels. */
#pragma once

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/size.h"
#include "base/under_way.h"
#include "kernels/kernel.h"

/* ---- the kernel ----------------------------------------------------------------------------------------------- */

static const struct problem_field faulty_fields[] = {
    {.name = "n", .kind = FIELD_SIZE, .initial = 1000, .minimum = 0, .maximum = INT32_MAX}};
static const enum element_type faulty_types[] = {ELEMENT_U32};

static int faulty_describe(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX])
{
    size_t n = (size_t)problem_size(problem, "n");
    arrays[0] = (struct array){.name = "in", .direction = ARRAY_IN, .type = ELEMENT_U32, .rows = 1, .cols = n};
    arrays[1] = (struct array){.name = "out", .direction = ARRAY_OUT, .type = ELEMENT_U32, .rows = 1, .cols = n};
    return 2;
}

/* While this file of the process `parent` is there, its next child ends before any rung runs. */
static const char *faulty_mark(pid_t parent, char mark[64])
{
    snprintf(mark, 64, "/tmp/uskor-test-judge-%ld", (long)parent);
    return mark;
}

static void faulty_fill(const struct problem *problem, const struct array *arrays, struct host_arrays host)
{
    uint32_t *in = host.data[0];
    char mark[64];
    if (unlink(faulty_mark(getppid(), mark)) == 0)
        _exit(7);
    for (size_t i = 0; i < arrays[0].cols; i++)
        in[i] = (uint32_t)i * 2654435761u + problem->seed;
}

static void faulty_check(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                         struct host_arrays output, struct check_result *result)
{
    (void)problem;
    *result = (struct check_result){.passed = memcmp(input.data[0], output.data[1], arrays[0].bytes) == 0};
    if (!result->passed)
        strcpy(result->reason, "it is no copy");
}

static struct cost faulty_cost(const struct problem *problem)
{
    double bytes = 4 * (double)problem_size(problem, "n");
    return (struct cost){.bytes_read = bytes, .bytes_written = bytes, .read_streams = 1, .write_streams = 1};
}

static double faulty_work(const struct problem *problem)
{
    return 8 * (double)problem_size(problem, "n");
}

/* ---- the rungs ------------------------------------------------------------------------------------------------ */

/* Set by a rung that is right itself: the next one in the same process crashes. */
static volatile bool faulty_is_poisoned;

/* Set by a rung that is wrong and goes on in another thread: that spoils what the next one in the same process gives.
 */
static bool faulty_is_haunted;
static _Atomic(uint32_t *) faulty_victim;

static void *faulty_haunt(void *nothing)
{
    for (;;) {
        uint32_t *victim = atomic_load(&faulty_victim);
        if (victim) {
            *victim ^= 1;
            atomic_store(&faulty_victim, NULL);
        }
        sched_yield();
    }
    return nothing;
}

/* The other thread has had its turn when this returns, however busy the machine is. */
static void faulty_be_haunted(uint32_t *out)
{
    atomic_store(&faulty_victim, faulty_is_haunted ? out : NULL);
    while (atomic_load(&faulty_victim))
        sched_yield();
}

static enum status faulty_copy(struct run *run, struct error *error)
{
    (void)error;
    if (faulty_is_poisoned)
        abort();
    memcpy(run->buffers[1].host, run->buffers[0].host, 4 * (size_t)problem_size(run->problem, "n"));
    faulty_be_haunted(run->buffers[1].host);
    return STATUS_OK;
}

#define FAULT(name, ...)                                          \
    static enum status name(struct run *run, struct error *error) \
    {                                                             \
        __VA_ARGS__                                               \
        return faulty_copy(run, error);                           \
    }

static volatile int faulty_zero; /* what a compiler cannot see through */

static int faulty_deep(volatile char *below)
{
    volatile char frame[4096];
    frame[0] = below ? below[0] : 1;
    return faulty_zero ? 0 : faulty_deep(frame) + frame[0];
}

static void faulty_jump(void)
{
    static jmp_buf place;
    if (setjmp(place) == 0)
        memset(&place, 0x5a, sizeof place);
    longjmp(place, 1);
}

static void faulty_fork(bool leaves)
{
    if (fork() == 0) {
        if (leaves)
            setsid();
        for (;;)
            pause();
    }
}

static void faulty_eat(void)
{
    for (size_t eaten = 0; eaten < (size_t)8 << 30; eaten += (size_t)16 << 20) {
        void *more = mmap(NULL, (size_t)16 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (more == MAP_FAILED)
            break;
        memset(more, 1, (size_t)16 << 20);
        usleep(2000);
    }
    pause();
}

static void faulty_chatter(void)
{
    for (int i = 0; i < 20000; i++) {
        printf("JUDGE_DONE PASS %d \x01\x02 garbage\n", i);
        fprintf(stderr, "more garbage %d\n", i);
    }
    fflush(stdout);
}

/* Not the first ones. With a low limit (ulimit -n 256) no file has a high number. */
static void faulty_close_a_few(void)
{
    bool is_high = sysconf(_SC_OPEN_MAX) >= 1024;
    close_range(is_high ? 612 : 14, is_high ? 645 : 30, 0);
}

static void faulty_scribble(void)
{
    signal(SIGPIPE, SIG_IGN); /* whoever started the test may have left it files, too */
    for (int descriptor = sysconf(_SC_OPEN_MAX) >= 1024 ? 512 : 40; descriptor < 1024; descriptor++)
        if (write(descriptor, "garbage that is no message of anybody's at all.........", 48) < 0)
            continue;
}

/* Writes over what the allocator keeps before an array and its canary: its own answer is right, and the process ends
 * when the array is freed. */
static void faulty_break_heap(struct run *run)
{
    uint64_t *canary = (uint64_t *)((char *)run->buffers[1].host - BUFFER_ALIGNMENT);
    *(volatile uint64_t *)(canary - 1) = ~(uint64_t)0;
}

FAULT(faulty_segv, *(volatile int *)(uintptr_t)(16 + faulty_zero) = 1;)
FAULT(faulty_divide, raise(SIGFPE);)
FAULT(faulty_abort, fputs("it gives up\n", stderr); abort();)
FAULT(faulty_sanitizer, fputs("==7==ERROR: AddressSanitizer: heap-use-after-free\n  #0 0x1 in f\n"
                              "SUMMARY: AddressSanitizer: heap-use-after-free f.c:1 in f\n==7==ABORTING\n",
                              stderr);
      _exit(1);)
FAULT(faulty_overflow, faulty_zero = faulty_deep(NULL) * 0;)
FAULT(faulty_exit0, exit(0);)
FAULT(faulty_exit3, exit(3);)
FAULT(faulty_exit_at_once, _exit(0);)
FAULT(faulty_kill, kill(getpid(), SIGKILL);)
FAULT(faulty_term, kill(getpid(), SIGTERM);)
FAULT(faulty_stop, raise(SIGSTOP);)
FAULT(faulty_close, closefrom(3);)
FAULT(faulty_close_all, closefrom(0);)
FAULT(faulty_close_low, close_range(3, 63, 0);)
FAULT(faulty_close_some, faulty_close_a_few();)
FAULT(faulty_close_one, close(5);)
FAULT(faulty_close_output, close(STDOUT_FILENO);)
FAULT(faulty_replace, dup2(STDIN_FILENO, STDERR_FILENO);)
FAULT(faulty_write, faulty_scribble();)
FAULT(faulty_jumps, faulty_jump();)
FAULT(faulty_child, faulty_fork(false);)
FAULT(faulty_daemon, faulty_fork(true);)
FAULT(faulty_talks, faulty_chatter();)
FAULT(faulty_spins, for (volatile int i = 1; i != 0;) i |= 1;)
FAULT(faulty_sleeps, for (;;) pause();)
FAULT(faulty_lives, for (;;) under_way_step();)
FAULT(faulty_eats, faulty_eat();)
FAULT(faulty_past_end, ((volatile uint32_t *)run->buffers[1].host)[1 << 20] = 1;)
FAULT(faulty_heap, faulty_break_heap(run);)

/* Right where OpenMP's threads sleep while they wait. */
static enum status faulty_waits(struct run *run, struct error *error)
{
    const char *policy = getenv("OMP_WAIT_POLICY");
    return policy && strcmp(policy, "passive") == 0 ? faulty_copy(run, error) : STATUS_OK;
}

/* Right where OpenBLAS's threads rest soon after a call. */
static enum status faulty_rests(struct run *run, struct error *error)
{
    return getenv("OPENBLAS_THREAD_TIMEOUT") ? faulty_copy(run, error) : STATUS_OK;
}

static enum status faulty_reads_past_end(struct run *run, struct error *error)
{
    faulty_zero = (int)((volatile uint32_t *)run->buffers[0].host)[problem_size(run->problem, "n")] * 0;
    return faulty_copy(run, error);
}

static enum status faulty_goes_on(struct run *run, struct error *error)
{
    pthread_t thread;
    (void)run;
    (void)error;
    faulty_is_haunted = faulty_is_haunted || pthread_create(&thread, NULL, faulty_haunt, NULL) == 0;
    return STATUS_OK;
}

static enum status faulty_poison(struct run *run, struct error *error)
{
    enum status status = faulty_is_poisoned ? STATUS_OK : faulty_copy(run, error);
    static int runs;
    faulty_is_poisoned = ++runs == 3; /* a light problem is run so often */
    return status;
}

#define FAULTY_ROW(label, function)                                                                       \
    &(const struct rung)                                                                                  \
    {                                                                                                     \
        .name = label, .idea = "a trial", .kind = RUNG_HOST, .backends = BACKEND_CPU, .enqueue = function \
    }
#define FAULTY_LADDER(ROW)                   \
    ROW("first", faulty_copy)                \
    ROW("waits", faulty_waits)               \
    ROW("rests", faulty_rests)               \
    ROW("lives", faulty_lives)               \
    ROW("segv", faulty_segv)                 \
    ROW("divide", faulty_divide)             \
    ROW("abort", faulty_abort)               \
    ROW("found", faulty_sanitizer)           \
    ROW("overflow", faulty_overflow)         \
    ROW("exit0", faulty_exit0)               \
    ROW("exit3", faulty_exit3)               \
    ROW("_exit", faulty_exit_at_once)        \
    ROW("kill", faulty_kill)                 \
    ROW("term", faulty_term)                 \
    ROW("stop", faulty_stop)                 \
    ROW("close", faulty_close)               \
    ROW("close-all", faulty_close_all)       \
    ROW("close-low", faulty_close_low)       \
    ROW("close-some", faulty_close_some)     \
    ROW("close-one", faulty_close_one)       \
    ROW("close-output", faulty_close_output) \
    ROW("replace", faulty_replace)           \
    ROW("write", faulty_write)               \
    ROW("jump", faulty_jumps)                \
    ROW("child", faulty_child)               \
    ROW("daemon", faulty_daemon)             \
    ROW("talk", faulty_talks)                \
    ROW("spin", faulty_spins)                \
    ROW("sleep", faulty_sleeps)              \
    ROW("eat", faulty_eats)                  \
    ROW("past-end", faulty_past_end)         \
    ROW("heap", faulty_heap)                 \
    ROW("read-past", faulty_reads_past_end)  \
    ROW("goes-on", faulty_goes_on)           \
    ROW("poison", faulty_poison)             \
    ROW("last", faulty_copy)

#define ROW(label, function) {FAULTY_ROW(label, function), NULL, ""},
static const struct ladder_row faulty_ladder[] = {FAULTY_LADDER(ROW)};
#undef ROW

static const char *const faulty_awkward[] = {"faulty:n=1000", NULL};

static const struct kernel kernel_faulty = {
    .name = "faulty",
    .title = "a copy",
    .fields = faulty_fields,
    .field_count = COUNT_OF(faulty_fields),
    .types = faulty_types,
    .type_count = 1,
    .rate_unit = "GB/s",
    .describe = faulty_describe,
    .fill = faulty_fill,
    .check = faulty_check,
    .cost = faulty_cost,
    .work = faulty_work,
    .ladder = faulty_ladder,
    .ladder_count = COUNT_OF(faulty_ladder),
    .edge_cases = faulty_awkward,
    .edge_cases_small = 1,
    .bench = "faulty:n=1000",
    .cpu_opencl_bench = "faulty:n=1000",
};

const struct kernel *const kernels[] = {&kernel_faulty, NULL};
