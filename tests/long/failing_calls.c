/* Lets one call of the program fail: a library for LD_PRELOAD (tests/long/failing_calls.sh).
 *
 * A call is known by its place in the program's code, "malloc 1a2b3c"; calls of libraries go through.
 *   FAILING_RECORD=FILE   appends each place, up to VISITS times per process
 *   FAILING_CALL="malloc 1a2b3c"   the call at that place fails; "half-read 1a2b3c": it does half of what it is asked
 *   FAILING_FROM=N        … from the N-th time on that a process comes there (1); before that it succeeds
 *   FAILING_MOST=N        … N times (always)
 *   FAILING_LIVE=FILE     appends the place of each block of memory that the first process has not freed at its end
 * Every process of the program obeys. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PLACES_MOST 65536
#define VISITS 8
#define LIVE_MOST (1 << 20)

static uintptr_t base, text_first, text_end, failing;
static char failing_name[32];
static long from = 1, most = LONG_MAX;
static _Atomic long times;
static int record = -1;
static _Atomic uintptr_t places[PLACES_MOST];
static _Atomic int visits[PLACES_MOST];
static struct {
    _Atomic uintptr_t block, place;
} live[LIVE_MOST]; /* a block's entry is in the first 64 from its hash */
static const char *live_path;
static pid_t first_process;

static int find_program(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    base = info->dlpi_addr; /* the first is the program */
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
            text_first = base + info->dlpi_phdr[i].p_vaddr;
            text_end = text_first + info->dlpi_phdr[i].p_memsz;
        }
    return 1;
}

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("FAILING_RECORD"), *call = getenv("FAILING_CALL"), *first = getenv("FAILING_FROM");
    char program[4096];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    const char *own = getenv("FAILING_PROGRAM");
    if (!own || strcmp(own, program) != 0)
        return; /* a compiler, a shell: another program's places would be taken for ours */
    dl_iterate_phdr(find_program, NULL);
    if (first)
        from = strtol(first, NULL, 10);
    if (getenv("FAILING_MOST"))
        most = strtol(getenv("FAILING_MOST"), NULL, 10);
    live_path = getenv("FAILING_LIVE");
    first_process = getpid();
    unsetenv("FAILING_LIVE");
    if (call && sscanf(call, "%31s %lx", failing_name, &failing) != 2)
        failing = 0;
    if (path)
        record = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (record >= 0)
        record = (int)syscall(SYS_fcntl, record, F_DUPFD_CLOEXEC, 400);
}

/* Whether the place is met for one of the first times in this process. */
static bool is_counted(uintptr_t place)
{
    for (size_t i = (place * 0x9e3779b97f4a7c15u) >> 48;; i++) {
        uintptr_t empty = 0;
        if (atomic_compare_exchange_strong(&places[i % PLACES_MOST], &empty, place) || empty == place)
            return atomic_fetch_add(&visits[i % PLACES_MOST], 1) < VISITS;
    }
}

static bool is_ours(const void *where)
{
    return base && (uintptr_t)where >= text_first && (uintptr_t)where < text_end;
}

static void note_live(uintptr_t block, uintptr_t now, const void *where)
{
    if (!live_path || !block)
        return;
    for (size_t i = (block * 0x9e3779b97f4a7c15u) >> 44, tries = 0; tries < 64; i++, tries++) {
        uintptr_t was = now ? 0 : block;
        if (atomic_compare_exchange_strong(&live[i % LIVE_MOST].block, &was, now)) {
            live[i % LIVE_MOST].place = (uintptr_t)where - base;
            return;
        }
    }
}

static void *made(void *block, const void *where)
{
    if (is_ours(where))
        note_live((uintptr_t)block, (uintptr_t)block, where);
    return block;
}

__attribute__((destructor)) static void list_live(void)
{
    if (!live_path || getpid() != first_process)
        return;
    const int file = (int)syscall(SYS_openat, AT_FDCWD, live_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    live_path = NULL;
    for (size_t i = 0; i < LIVE_MOST; i++)
        if (live[i].block) {
            char line[64];
            const int length = snprintf(line, sizeof line, "%lx\n", (unsigned long)live[i].place);
            (void)!syscall(SYS_write, file, line, (size_t)length);
        }
}

static bool fails(const char *name, const void *from_where, int why)
{
    const uintptr_t where = (uintptr_t)from_where;
    if (!is_ours(from_where))
        return false;
    const uintptr_t place = where - base;
    if (record >= 0 && name[0] != 'h' && is_counted(place)) { /* the half of a call is no place of its own */
        char line[64];
        const int length = snprintf(line, sizeof line, "%s %lx\n", name, (unsigned long)place);
        (void)!syscall(SYS_write, record, line, (size_t)length);
    }
    if (place != failing || strcmp(name, failing_name) != 0)
        return false;
    const long time = atomic_fetch_add(&times, 1) + 1;
    if (time < from || time - from >= most)
        return false;
    errno = why;
    return true;
}

#define WHERE __builtin_return_address(0)

/* WRAP(type, name, why it fails, what it returns then, parameters, arguments) */
#define WRAP(type, name, why, failure, parameters, arguments) \
    type name parameters                                      \
    {                                                         \
        static type(*real) parameters;                        \
        if (fails(#name, WHERE, why))                         \
            return failure;                                   \
        if (!real)                                            \
            *(void **)&real = dlsym(RTLD_NEXT, #name);        \
        return real arguments;                                \
    }

/* A system may do a part of what it is asked. */
#define WRAP_HALF(name, why, parameters, arguments)         \
    ssize_t name parameters                                 \
    {                                                       \
        static ssize_t(*real) parameters;                   \
        if (fails(#name, WHERE, why))                       \
            return -1;                                      \
        if (size > 1 && fails("half-" #name, WHERE, errno)) \
            size /= 2;                                      \
        if (!real)                                          \
            *(void **)&real = dlsym(RTLD_NEXT, #name);      \
        return real arguments;                              \
    }

/* dlsym itself allocates. */
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);

extern void __libc_free(void *);

void *malloc(size_t size)
{
    return fails("malloc", WHERE, ENOMEM) ? NULL : made(__libc_malloc(size), WHERE);
}

void *calloc(size_t count, size_t size)
{
    return fails("calloc", WHERE, ENOMEM) ? NULL : made(__libc_calloc(count, size), WHERE);
}

void free(void *block)
{
    note_live((uintptr_t)block, 0, NULL);
    __libc_free(block);
}

static void *again(void *old, size_t size, const void *where)
{
    note_live((uintptr_t)old, 0, NULL);
    void *block = __libc_realloc(old, size);
    return made(block || size == 0 ? block : old, where) ? block : NULL;
}

void *realloc(void *old, size_t size)
{
    return fails("realloc", WHERE, ENOMEM) ? NULL : again(old, size, WHERE);
}

void *reallocarray(void *old, size_t count, size_t size)
{
    size_t bytes;
    if (fails("reallocarray", WHERE, ENOMEM) || __builtin_mul_overflow(count, size, &bytes))
        return NULL;
    return again(old, bytes, WHERE);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails("aligned_alloc", WHERE, ENOMEM) ? NULL : made(__libc_memalign(alignment, size), WHERE);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    if (fails("posix_memalign", WHERE, ENOMEM))
        return ENOMEM;
    *block = made(__libc_memalign(alignment, size), WHERE);
    return *block ? 0 : ENOMEM;
}

WRAP(char *, strdup, ENOMEM, NULL, (const char *text), (text))
WRAP(FILE *, fopen, EMFILE, NULL, (const char *path, const char *mode), (path, mode))
WRAP(FILE *, fdopen, ENOMEM, NULL, (int file, const char *mode), (file, mode))
WRAP(FILE *, fmemopen, ENOMEM, NULL, (void *text, size_t size, const char *mode), (text, size, mode))
WRAP(FILE *, open_memstream, ENOMEM, NULL, (char **text, size_t *size), (text, size))
WRAP(FILE *, fopencookie, ENOMEM, NULL, (void *cookie, const char *mode, cookie_io_functions_t functions),
     (cookie, mode, functions))
WRAP(DIR *, opendir, EMFILE, NULL, (const char *path), (path))
WRAP(DIR *, fdopendir, ENOMEM, NULL, (int file), (file))
WRAP(int, scandir, ENOMEM, -1,
     (const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
      int (*order)(const struct dirent **, const struct dirent **)),
     (path, list, filter, order))
WRAP_HALF(read, EIO, (int file, void *to, size_t size), (file, to, size))
WRAP_HALF(pread, EIO, (int file, void *to, size_t size, off_t offset), (file, to, size, offset))
WRAP(size_t, fread, EIO, 0, (void *to, size_t size, size_t count, FILE *file), (to, size, count, file))
WRAP_HALF(write, ENOSPC, (int file, const void *from_, size_t size), (file, from_, size))
WRAP(size_t, fwrite, ENOSPC, 0, (const void *from_, size_t size, size_t count, FILE *file), (from_, size, count, file))
WRAP(int, ftruncate, ENOSPC, -1, (int file, off_t size), (file, size))
WRAP(int, posix_fallocate, ENOSPC, ENOSPC, (int file, off_t offset, off_t size), (file, offset, size))
WRAP(pid_t, fork, EAGAIN, -1, (void), ())
WRAP(int, pipe2, EMFILE, -1, (int ends[2], int flags), (ends, flags))
WRAP(int, memfd_create, EMFILE, -1, (const char *name, unsigned flags), (name, flags))
WRAP(void *, mmap, ENOMEM, MAP_FAILED, (void *at, size_t size, int protection, int flags, int file, off_t offset),
     (at, size, protection, flags, file, offset))
WRAP(int, mkdir, ENOSPC, -1, (const char *path, mode_t mode), (path, mode))
WRAP(char *, mkdtemp, ENOSPC, NULL, (char *path), (path))
WRAP(int, mkstemp, ENOSPC, -1, (char *path), (path))
WRAP(int, pthread_create, EAGAIN, EAGAIN,
     (pthread_t * thread, const pthread_attr_t *attributes, void *(*work)(void *), void *with),
     (thread, attributes, work, with))
WRAP(int, posix_spawn, EAGAIN, EAGAIN,
     (pid_t * made, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
      char *const argv[], char *const envp[]),
     (made, path, actions, attributes, argv, envp))

/* The program leaves without destructors. */
long syscall(long number, ...)
{
    static long (*real)(long, ...);
    va_list rest;
    long argument[6];
    va_start(rest, number);
    for (int i = 0; i < 6; i++)
        argument[i] = va_arg(rest, long);
    va_end(rest);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "syscall");
    if (number == SYS_exit_group)
        list_live();
    return real(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
}

/* A file closes with what it could not write. */
int fclose(FILE *file)
{
    static int (*real)(FILE *);
    const bool is_failing = fails("fclose", WHERE, ENOSPC);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "fclose");
    const int code = real(file);
    if (!is_failing)
        return code;
    errno = ENOSPC;
    return EOF;
}

int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return fails("open", WHERE, EMFILE) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return fails("openat", WHERE, EMFILE) ? -1 : (int)syscall(SYS_openat, folder, path, flags, mode);
}
