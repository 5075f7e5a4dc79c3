/* What a process of its own would cost a user's file that is timed (docs/verification.md): its arrays in memory that
 * two processes share, and the way there and back. By hand: cc -O3 -march=native -fopenmp own_process.c && chrt -f 10
 * ./a.out */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define RUNS 31
#define TRIPS 4001
#define LARGE_PAGE ((size_t)2 << 20)

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times, size_t count)
{
    qsort(times, count, sizeof *times, compare);
    return times[count / 2];
}

static void by_rows(const float *in, float *out, long n)
{
#pragma omp parallel for
    for (long row = 0; row < n; row++)
        for (long col = 0; col < n; col++)
            out[col * n + row] = in[row * n + col];
}

static void by_tiles(const float *in, float *out, long n)
{
#pragma omp parallel for
    for (long i = 0; i < n; i += 16)
        for (long j = 0; j < n; j += 16)
            for (long row = i; row < i + 16; row++)
                for (long col = j; col < j + 16; col++)
                    out[col * n + row] = in[row * n + col];
}

static void dot(const float *in, float *out, long n)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (long i = 0; i < n * n; i++)
        sum += in[i] * out[i];
    out[0] = sum > 0;
}

static void *own_pages(size_t bytes)
{
    char *at = mmap(NULL, bytes + LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    at += LARGE_PAGE - (size_t)at % LARGE_PAGE;
    madvise(at, bytes, MADV_HUGEPAGE);
    return memset(at, 1, bytes);
}

static void *shared_pages(size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    madvise(at, bytes, MADV_HUGEPAGE);
    return memset(at, 1, bytes);
}

static void time_pages(const char *name, void (*kernel)(const float *, float *, long), long n)
{
    const size_t bytes = (size_t)n * (size_t)n * sizeof(float);
    float *in[] = {own_pages(bytes), shared_pages(bytes)}, *out[] = {own_pages(bytes), shared_pages(bytes)};
    double times[2][RUNS];
    for (int run = 0; run < RUNS; run++)
        for (int which = 0; which < 2; which++) {
            const double start = now();
            kernel(in[which], out[which], n);
            times[which][run] = now() - start;
        }
    const double own = median(times[0], RUNS), shared = median(times[1], RUNS);
    printf("%-20s %ld x %ld  own pages %7.3f ms, shared %7.3f ms: %.2f x\n", name, n, n, own * 1e3, shared * 1e3,
           shared / own);
}

static void wait_for(atomic_uint *word, unsigned value, int spins)
{
    while (atomic_load(word) < value)
        if (!spins)
            syscall(SYS_futex, word, FUTEX_WAIT, value - 1, NULL, NULL, 0);
}

static void tell(atomic_uint *word, unsigned value, int spins)
{
    atomic_store(word, value);
    if (!spins)
        syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void time_trips(const char *name, int spins)
{
    static double times[TRIPS];
    atomic_uint *words = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const pid_t child = fork();
    for (unsigned i = 1; child == 0; i++) {
        wait_for(&words[0], i, spins);
        tell(&words[32], i, spins);
    }
    for (unsigned i = 1; i <= TRIPS; i++) {
        const double start = now();
        tell(&words[0], i, spins);
        wait_for(&words[32], i, spins);
        times[i - 1] = now() - start;
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    const double middle = median(times, TRIPS);
    printf("there and back, %-8s median %5.2f us, 5%% %5.2f us, 95%% %5.2f us\n", name, middle * 1e6,
           times[TRIPS / 20] * 1e6, times[TRIPS - TRIPS / 20] * 1e6);
}

int main(void)
{
    time_pages("dot", dot, 4096);
    time_pages("transpose by tiles", by_tiles, 4096);
    time_pages("transpose by rows", by_rows, 4096);
    time_trips("futex", 0);
    time_trips("spinning", 1);
    return 0;
}
