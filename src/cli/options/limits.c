#include "cli/options/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <omp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/threads.h"
#include "cli/options/threads.h"

#define STACK_FOR_A_MESSAGE ((rlim_t)64 << 10)
#define STACK_LEAST ((rlim_t)512 << 10)
#define THREAD_STACK_LEAST ((size_t)256 << 10)
#define FILES_LEAST 48     /* open at once: the store's, a child's ends, those that drivers and compilers open */
#define PROCESSES_LEAST 16 /* a child, its threads, a compiler and what that starts */
#define SECONDS_LEAST 3

/* In English: no more fits on such a stack. */
void limits_check_first(int code)
{
    static const char words[] = "uskor: the stack is limited to a few pages (ulimit -s); 512 KiB are needed\n";
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= STACK_FOR_A_MESSAGE)
        return;
    if (write(STDERR_FILENO, words, sizeof words - 1) < 0)
        errno = 0; /* nobody hears it */
    _exit(code);
}

static enum status check_stack(struct error *error)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= STACK_LEAST)
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "the stack is limited to %zu KiB (ulimit -s); %zu KiB are needed",
                (size_t)limit.rlim_cur >> 10, (size_t)STACK_LEAST >> 10);
}

/* Tried, as files that whoever started the program has left open count, too. */
static enum status check_files(struct error *error)
{
    int files[FILES_LEAST], count = 0;
    while (count < FILES_LEAST && (files[count] = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)) >= 0)
        count++;
    const int reason = errno;
    for (int i = 0; i < count; i++)
        close(files[i]);
    if (count == FILES_LEAST || (reason != EMFILE && reason != ENFILE))
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "files that can be opened at once: %d more, and %d are needed: %s (ulimit -n)",
                count, FILES_LEAST, strerror(reason));
}

/* The threads themselves are asked: OpenMP reads its variable in several units, and may refuse what it says. */
static enum status check_thread_stacks(struct error *error)
{
    size_t least = SIZE_MAX;
    if (!getenv("OMP_STACKSIZE") && !getenv("GOMP_STACKSIZE"))
        return STATUS_OK;
#pragma omp parallel num_threads(2) reduction(min : least)
    {
        pthread_attr_t attributes;
        size_t bytes;
        if (omp_get_thread_num() > 0 && pthread_getattr_np(pthread_self(), &attributes) == 0) {
            if (pthread_attr_getstacksize(&attributes, &bytes) == 0)
                least = bytes;
            pthread_attr_destroy(&attributes);
        }
    }
    if (least >= THREAD_STACK_LEAST)
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "OMP_STACKSIZE gives a thread %zu KiB; %zu KiB are needed", least >> 10,
                THREAD_STACK_LEAST >> 10);
}

static enum status check_threads(int threads, struct error *error)
{
    const enum status status = threads_suffice(threads, PROCESSES_LEAST, error);
    return status == STATUS_OK ? STATUS_OK : STATUS_INVALID;
}

/* Where the limit would kill the process without a word, the signal before it comes a quarter earlier. */
static enum status check_time(struct error *error)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_CPU, &limit) != 0 || limit.rlim_cur != limit.rlim_max || limit.rlim_max == RLIM_INFINITY)
        return STATUS_OK;
    if (limit.rlim_max < SECONDS_LEAST)
        return fail(error, STATUS_INVALID, "the processor's time is limited to %zu s (ulimit -t); %d s are needed",
                    (size_t)limit.rlim_max, SECONDS_LEAST);
    limit.rlim_cur -= 1 + limit.rlim_max / 4;
    setrlimit(RLIMIT_CPU, &limit);
    return STATUS_OK;
}

enum status limits_check(struct error *error)
{
    const int threads = omp_get_max_threads();
    enum status status = check_stack(error);
    if (status == STATUS_OK)
        status = check_files(error);
    if (status == STATUS_OK && threads > THREADS_MOST)
        status =
            fail(error, STATUS_INVALID, "OMP_NUM_THREADS asks for %d threads; %d are the most", threads, THREADS_MOST);
    if (status == STATUS_OK)
        status = check_threads(threads, error);
    if (status == STATUS_OK)
        status = check_thread_stacks(error);
    if (status == STATUS_OK)
        status = check_time(error);
    return status;
}
