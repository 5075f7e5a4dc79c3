#include "base/fatal_signal.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/size.h"
#include "base/translation.h"
#include "base/under_way.h"

#define NULL_BYTES 4096 /* no memory lies there */

static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
static const char *const fatal_names[] = {"SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT"};
static struct sigaction before[COUNT_OF(fatal)];
static bool is_speaking;
static int code_of_exit;
static pid_t owner; /* a process that a rung forked off is not the program */
static bool (*describe_address)(const void *address, const void *context, char *text, size_t size);
static const char *formats[3]; /* of a crash in a rung, of one in a driver, of an exit: in the reader's language */

/* ---- text, with nothing that a signal handler may not call ---- */

static size_t add(char *line, size_t size, size_t length, const char *text)
{
    while (*text && length + 1 < size)
        line[length++] = *text++;
    line[length] = 0;
    return length;
}

static size_t add_address(char *line, size_t size, size_t length, uintptr_t address)
{
    char digits[2 * sizeof address + 1];
    size_t at = sizeof digits - 1;
    digits[at] = 0;
    do
        digits[--at] = "0123456789abcdef"[address % 16];
    while ((address /= 16) && at > 0);
    return add(line, size, add(line, size, length, "0x"), digits + at);
}

/* Each %s of the format is the next of the texts. */
static size_t compose(char *line, size_t size, const char *format, const char *const *texts)
{
    size_t length = add(line, size, 0, "uskor: ");
    for (; *format && length + 1 < size; format++)
        if (format[0] == '%' && format[1] == 's') {
            length = add(line, size, length, *texts++);
            format++;
        } else {
            line[length++] = *format;
        }
    line[length] = 0;
    return length;
}

void fatal_signal_speak(const char *what)
{
    char line[1024];
    const struct under_way *now = under_way_now();
    int kind = atomic_load(&now->kind);
    const char *const texts[] = {what, now->subject, now->problem, now->device};
    size_t length = compose(line, sizeof line, formats[kind == UNDER_WAY_RUNG ? 0 : 1], texts);
    length = add(line, sizeof line, length, "\n");
    if (write(STDERR_FILENO, line, length) < 0)
        return; /* standard error is closed: there is nobody to inform */
}

/* ---- the handlers ---- */

static void note(int number, const siginfo_t *info, const void *context)
{
    struct under_way *now = under_way_now();
    bool has_address = (number == SIGSEGV || number == SIGBUS) && info->si_code > 0;
    now->address = has_address ? (uintptr_t)info->si_addr : 0;
    now->is_null = number == SIGSEGV && info->si_code == SEGV_MAPERR && (uintptr_t)info->si_addr < NULL_BYTES;
    now->place[0] = 0;
    if (has_address && describe_address && !describe_address(info->si_addr, context, now->place, sizeof now->place))
        now->place[0] = 0;
    atomic_store(&now->signal, number);
}

static void on_fatal(int number, siginfo_t *info, void *context)
{
    size_t i = 0;
    while (i + 1 < COUNT_OF(fatal) && fatal[i] != number)
        i++;
    sigaction(number, &before[i], NULL);
    if (getpid() == owner && atomic_load(&under_way_now()->signal) == 0) {
        note(number, info, context);
        under_way_condemn();
        const struct under_way *now = under_way_now();
        char what[256];
        size_t length = add(what, sizeof what, 0, fatal_names[i]);
        if (now->place[0] || now->address) {
            length = add(what, sizeof what, length, " (");
            length = now->place[0] ? add(what, sizeof what, length, now->place)
                                   : add_address(what, sizeof what, length, now->address);
            add(what, sizeof what, length, ")");
        }
        if (is_speaking && atomic_load(&now->kind) != UNDER_WAY_NOTHING)
            fatal_signal_speak(what);
    }
    if (info->si_code <= 0) /* sent, not met: returning would not bring it back */
        raise(number);
}

void fatal_signal_leave(int exit_code)
{
    for (;;)
        syscall(SYS_exit_group, exit_code);
}

static void on_exit_called(void)
{
    if (!is_speaking || getpid() != owner || atomic_load(&under_way_now()->kind) == UNDER_WAY_NOTHING)
        return;
    under_way_condemn();
    fatal_signal_speak(formats[2]);
    fatal_signal_leave(code_of_exit);
}

void fatal_signal_exit(int exit_code)
{
    on_exit_called();
    fatal_signal_leave(exit_code);
}

static const struct sigaction of_fatal = {.sa_sigaction = on_fatal, .sa_flags = SA_SIGINFO | SA_ONSTACK};

void fatal_signal_abort(void)
{
    sigset_t mask;
    if (is_speaking && getpid() == owner && atomic_load(&under_way_now()->kind) != UNDER_WAY_NOTHING)
        sigaction(SIGABRT, &of_fatal, NULL);
    sigemptyset(&mask);
    sigaddset(&mask, SIGABRT);
    pthread_sigmask(SIG_UNBLOCK, &mask, NULL);
    raise(SIGABRT);
    signal(SIGABRT, SIG_DFL); /* a handler came back */
    raise(SIGABRT);
    fatal_signal_leave(128 + SIGABRT);
}

void fatal_signal_move(void)
{
    owner = owner ? getpid() : 0;
}

void fatal_signal_install(bool speaks, int exit_code)
{
    static char stack[64 << 10]; /* of the main thread: a stack that has overflowed cannot serve its own handler */
    const stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
    stack_t present;
    owner = getpid();
    under_way_read();
    is_speaking = speaks;
    code_of_exit = exit_code;
    formats[0] = tr("%s in rung '%s' of %s on %s");
    formats[1] = tr("%s in the library of %s");
    formats[2] = tr("exit() was called");
    if (sigaltstack(NULL, &present) != 0 || present.ss_flags & SS_DISABLE) /* a sanitizer brings its own */
        sigaltstack(&alternative, NULL);
    for (size_t i = 0; i < COUNT_OF(fatal); i++)
        sigaction(fatal[i], &of_fatal, &before[i]);
    if (speaks) {
        atexit(on_exit_called);
        at_quick_exit(on_exit_called);
    }
}

void fatal_signal_describe(bool (*describe)(const void *address, const void *context, char *text, size_t size))
{
    describe_address = describe;
}

/* As sigabbrev_np, which C libraries before glibc 2.32 do not have. NULL: another one. */
static const char *abbreviation(int number)
{
    static const struct {
        int number;
        const char *name;
    } names[] = {
        {SIGHUP, "HUP"},   {SIGINT, "INT"},   {SIGQUIT, "QUIT"}, {SIGILL, "ILL"},   {SIGTRAP, "TRAP"},
        {SIGABRT, "ABRT"}, {SIGBUS, "BUS"},   {SIGFPE, "FPE"},   {SIGKILL, "KILL"}, {SIGUSR1, "USR1"},
        {SIGSEGV, "SEGV"}, {SIGUSR2, "USR2"}, {SIGPIPE, "PIPE"}, {SIGALRM, "ALRM"}, {SIGTERM, "TERM"},
        {SIGSTOP, "STOP"}, {SIGXCPU, "XCPU"}, {SIGXFSZ, "XFSZ"}, {SIGSYS, "SYS"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].number == number)
            return names[i].name;
    return NULL;
}

const char *signal_name(int number, char *text, size_t size)
{
    const char *known = abbreviation(number);
    if (known)
        snprintf(text, size, "SIG%s", known);
    else
        snprintf(text, size, "signal %d", number);
    return text;
}
