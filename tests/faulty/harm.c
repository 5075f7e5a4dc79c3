#include "harm.h"

#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

const char *fault_at(const char *place)
{
    static atomic_int calls;
    const char *fault = getenv("FAULT"), *first = getenv("FAULT_CALL");
    const size_t length = strlen(place);
    if (!fault || strncmp(fault, place, length) != 0 || fault[length] != '-')
        return NULL;
    return atomic_fetch_add(&calls, 1) + 1 >= (first ? atoi(first) : 1) ? fault + length + 1 : NULL;
}

/* ---- the process ends, or does not go on ---- */

static volatile char sink;

static void exhaust_stack(int depth) /* NOLINT(misc-no-recursion): on purpose */
{
    volatile char page[4096] = {0};
    page[depth % 4096] = (char)depth;
    if (depth < 1 << 30)
        exhaust_stack(depth + 1);
    sink = page[0];
}

static void do_spin(void)
{
    for (;;)
        sink++;
}

static void *spin(void *unused)
{
    (void)unused;
    do_spin();
    return NULL;
}

static void do_hang(void)
{
    for (;;)
        pause();
}

static void do_segv(void)
{
    raise(SIGSEGV);
}

static void do_exit0(void)
{
    exit(0);
}

static void do_exit3(void)
{
    _exit(3);
}

static void leave_well(int number)
{
    (void)number;
    _exit(0);
}

/* It ends the process in a handler of its own. */
static void do_handler(void)
{
    signal(SIGABRT, leave_well);
    abort();
}

static void do_kill(void)
{
    kill(getpid(), SIGKILL);
}

static void do_stop(void)
{
    kill(getpid(), SIGSTOP);
}

static void do_stack(void)
{
    exhaust_stack(0);
}

/* ---- the process is not what it was ---- */

static void cut(char *list)
{
    char *end = list ? strrchr(list, '/') : NULL;
    if (end)
        *end = 0;
}

/* In the environment's own string, as Khronos's loader does it. */
static void do_cut(void)
{
    if (getenv("CUT"))
        cut(getenv(getenv("CUT")));
}

static void do_ignore(void)
{
    for (int i = 1; i < 32; i++)
        signal(i, SIG_IGN);
}

/* "PRINTED" into the program's output; and it ignores what ends the program. */
static void do_print(void)
{
    puts("PRINTED");
    do_ignore();
}

static void do_block(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
}

static void do_mute(void)
{
    for (int i = 0; i < 3; i++)
        close(i);
}

static void do_close(void)
{
    for (int i = 3; i < 1024; i++)
        close(i);
}

static void do_mark(void)
{
    if (getenv("MARK"))
        fclose(fopen(getenv("MARK"), "w"));
}

static void do_flush(void)
{
#ifdef __SSE2__
    _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
}

static void do_round(void)
{
    fesetround(FE_UPWARD);
}

static void do_trap(void)
{
    feenableexcept(FE_INEXACT | FE_INVALID);
}

/* Some functions are called for every launch: one process for each call would fill the system's table. */
#define FORKS_MOST 32

static void do_fork(void)
{
    static int made;
    if (made++ < FORKS_MOST && fork() == 0)
        do_hang();
}

static void do_thread(void)
{
    static int made;
    pthread_t thread;
    if (made++ < FORKS_MOST)
        pthread_create(&thread, NULL, spin, NULL);
}

static void do_folder(void)
{
    if (chdir("/") != 0)
        abort();
    umask(0777);
}

static void do_locale(void)
{
    setlocale(LC_ALL, "ru_RU.UTF-8");
    setlocale(LC_NUMERIC, "de_DE.UTF-8");
}

static const struct {
    const char *name;
    void (*act)(void);
} acts[] = {
    {"abort", abort},      {"segv", do_segv},     {"exit0", do_exit0},   {"exit3", do_exit3},     {"hang", do_hang},
    {"spin", do_spin},     {"kill", do_kill},     {"stop", do_stop},     {"stack", do_stack},     {"cut", do_cut},
    {"print", do_print},   {"ignore", do_ignore}, {"block", do_block},   {"mute", do_mute},       {"close", do_close},
    {"mark", do_mark},     {"flush", do_flush},   {"round", do_round},   {"trap", do_trap},       {"fork", do_fork},
    {"thread", do_thread}, {"folder", do_folder}, {"locale", do_locale}, {"handler", do_handler},
};

void harm_by(const char *fault)
{
    for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++)
        if (strcmp(fault, acts[i].name) == 0)
            acts[i].act();
}

void harm(const char *place)
{
    const char *fault = fault_at(place);
    if (fault)
        harm_by(fault);
}
